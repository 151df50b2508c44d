"""The command line does what it says, helps, and ends what goes wrong with one clear message."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pandas as pd
import pytest
from cyclopts import App
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.mindbug import open_run
from analysis.mindbug.tables import RUN_TABLES
from card_data.checksums import CHECKSUMS, checksum_of, read_checksums
from card_data.mindbug import available_sets, load_sets
from card_data.mindbug.loader import set_path
from reports.cli.app import SHARED, command_line_of, run
from reports.cli.cli_page import cli_page
from reports.games import reports_of
from simcore import speed
from simcore.games import names
from simcore.mindbug import POLICIES, RULES_VERSION, RUNGS
from simcore.work.about import read_about
from simcore.work.folder import ANSWER
from simcore.work.parts import part_path, read_manifest
from support.resealed import edit_entries

DOCS = Path(__file__).parents[3] / "docs"
N_GAMES = 3000
OTHER_POOL = b'sets = ["first_contact"]\n[modes]\nlife = 4'
OWN_CARDS = """name = "My Cards"

[marsh_lantern]
name = "Marsh Lantern"
power = 5
copies = 20
play = "gain 1 life"
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was simulated, analysed and reported."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    assert (
        run(
            [
                *("balance", "first_contact", "--policy", "random", "--games"),
                str(N_GAMES),
                "--out",
                str(folder),
            ]
        )
        == 0
    )
    return folder


@pytest.fixture(scope="module")
def page() -> str:
    """The page of the command line, which takes a second."""
    return cli_page()


@pytest.fixture
def own_cards(tmp_path: Path) -> Path:
    """A card file of a designer's own."""
    file = tmp_path / "my_cards.toml"
    file.write_text(OWN_CARDS)
    return file


def start(*arguments: str | Path, **settings) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from reports.cli.start import main; main()", *map(str, arguments)],
        text=True,
        stdout=settings.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        **settings,
    )


def commands(group: App, name: str) -> Iterator[tuple[str, App]]:
    """Every command with its full name."""
    for word in group:
        if not word.startswith("-"):
            command = group[word]
            yield f"{name} {word}", command
            yield from commands(command, f"{name} {word}")


# ------------------------------------------------------------------------------------- help


@pytest.mark.parametrize(("name", "command"), list(commands(command_line_of(""), "fairdeal")))
def test_everything_has_help(name: str, command: App) -> None:
    """Each command, argument and option says what it is for."""
    assert command.help.strip(), name
    if command.default_command is not None:
        for argument in command.assemble_argument_collection():
            assert argument.parameter.help, f"{name} {argument.name}"


@pytest.mark.parametrize(("name", "command"), list(commands(command_line_of(""), "fairdeal")))
def test_help_breaks_where_the_terminal_ends(name: str, command: App) -> None:
    """A paragraph of help is one line, which the terminal breaks."""
    paragraphs = command.help.split("\n\n")
    assert all(part == " ".join(part.split()) for part in paragraphs), name


def test_page_of_the_command_line_is_up_to_date(page: str) -> None:
    """docs/cli.md is what the help of the commands gives."""
    assert (DOCS / "cli.md").read_text() == page


def test_every_policy_is_named_in_the_help(page: str) -> None:
    """The option --policy tells which policies there are."""
    assert all(re.search(rf"'{policy}(:N)?'", page) for policy in POLICIES)


#: What a command may load, besides Python and Cyclopts: the modules of which commands.
LOADED = {
    "--help": set(),
    "balance --help": {"reports.cli.run", "reports.cli.play", "reports.mindbug.cli.skill"},
    "analyze --help": {"reports.cli.run", "reports.cli.play"},
    "ladder --help": {"reports.mindbug.cli.ladder"},
    "restrict --help": {"reports.mindbug.cli.restrict"},
    "rooms --help": {"reports.mice_and_mystics.cli.rooms"},
    "cards list": {"reports.mindbug.cli.cards"},
}
HEAVY = {"numpy", "numba", "pandas", "pyarrow", "matplotlib", "scipy", "jinja2"}
#: All of fairdeal that the list of commands needs.
FOR_HELP = {
    "reports.cli": {"app", "console", "games", "help", "memory"},
    "reports": {"cli", "games", "mice_and_mystics", "mindbug", "own_games"},
    "simcore": {"games", "mice_and_mystics", "own_games", "places"},
    "card_data": {"faults", "mice_and_mystics", "names", "public_names"},
    "analysis": {"mice_and_mystics", "mindbug"},
}


def modules_loaded_by(command: str) -> set[str]:
    """The modules that a process has loaded after a command."""
    code = (
        "import sys; from reports.cli.app import run; run(sys.argv[1:])\n"
        "print(); print(*sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, *command.split()], capture_output=True, text=True, check=True
    )
    return {*answer.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize("command", LOADED)
def test_help_loads_nothing_heavy(command: str) -> None:
    """Help and the list of cards load no heavy library, and no command but their own."""
    loaded = modules_loaded_by(command)
    assert not HEAVY & {name.partition(".")[0] for name in loaded}
    games = [reports_of(name).commands for name in names()]
    commands = {one.module for some in (SHARED, *games) for one in some.values()}
    assert commands & loaded == LOADED[command]


def test_counting_loads_no_library_of_regressions(finished: Path) -> None:
    """What takes a second to import and analyses nothing of a run is not loaded to analyse one."""
    loaded = modules_loaded_by(f"analyze {finished}")
    assert not {"statsmodels", "scipy.stats", "scipy.optimize"} & loaded


def test_the_list_of_commands_loads_no_more_of_fairdeal_than_stated() -> None:
    """A room that the list of commands has no need of is not loaded for it."""
    loaded = modules_loaded_by("--help")
    for room, known in FOR_HELP.items():
        inner = {name.removeprefix(f"{room}.") for name in loaded if name.startswith(f"{room}.")}
        assert {name for name in inner if "." not in name} <= known, room


@pytest.mark.parametrize("game", [*names(), ""])
def test_commands_are_listed_with_the_sentence_with_which_their_help_begins(game: str) -> None:
    """What the list says of a command without loading it is how its own help begins."""
    line = command_line_of(game)
    commands = {**SHARED, **(reports_of(game).commands if game else {})}
    begun = {name: line[name].help.partition("\n\n")[0] for name in commands}
    assert begun == {name: command.does for name, command in commands.items()}


@pytest.mark.parametrize("arguments", [[], ["--help"], ["cards"], ["balance", "--help"]])
def test_help_is_printed(ask, arguments: list[str]) -> None:
    """A bare command or --help prints the usage and succeeds."""
    answer = ask(*arguments).done()
    assert answer.out.startswith("Usage: fairdeal" if arguments else "fairdeal tells you")


# ------------------------------------------------------------------------------ the main job


def test_balance_leaves_a_whole_run_folder(finished: Path) -> None:
    """Records, cards, tables, charts and page lie in the run folder."""
    names = {path.relative_to(finished).as_posix() for path in finished.rglob("*.*")}
    assert {"manifest.json", "report.html", "cards/first_contact.toml"} <= names
    assert {"tables/cards.csv", "figures/card_strength.svg", "games/part-00000.parquet"} <= names


def checked_files(folder: Path) -> set[str]:
    """The files that have checksums in a folder; each checksum must be that of the file."""
    said = read_checksums(folder)
    assert said is not None and not said.unfinished
    for name, digest in said.files.items():
        assert checksum_of(folder / name) == digest, name
    return set(said.files)


@pytest.mark.usefixtures("redrawn")
def test_the_three_steps_are_the_main_job(ask, finished: Path) -> None:
    """Simulate, analyze and report one after another leave the same bytes as balance.

    But for the name of the folder, which stands in the commands that the page tells, and so the
    checksum of the page: each list of checksums is that of the files beside it.
    """
    ask(
        "simulate", "first_contact", "--policy", "random", "--games", N_GAMES, "--out", "steps"
    ).done()
    assert ask("analyze", "steps", "--threads", "1").status == 0
    assert ask("report", "steps").status == 0
    for path in finished.rglob("*.*"):
        if path.name not in (CHECKSUMS, ANSWER):
            theirs = path.read_bytes().replace(str(finished).encode(), b"steps")
            assert Path("steps", path.relative_to(finished)).read_bytes() == theirs, path
    assert checked_files(finished) == checked_files(Path("steps"))


def test_balance_answers_in_words_and_in_json(ask, finished: Path) -> None:
    """The first findings and the page for a person; the same and the files for a program."""
    said = "balance", "first_contact", "--policy", "random", "--games", N_GAMES
    question = *said, "--out", finished
    words = ask(*question)
    assert "First Contact · 3,000 games · random against random · seed 0" in words.out
    assert f"report: {finished / 'report.html'}" in words.out
    assert words.err == ""
    answer = ask(*question, "--json").json
    cards = pd.read_parquet(finished / "tables" / "cards.parquet")
    assert [row["card_id"] for row in answer["cards"]] == list(cards["card_id"])
    np.testing.assert_array_equal(
        [row["dealt_win_rate"] for row in answer["cards"]], cards["dealt_win_rate"]
    )
    told = {finding["topic"]: finding["text"] for finding in answer["findings"]}
    assert [*told][:2] == ["Cards", "Keywords"]
    assert told["Going first"] in " ".join(words.out.split())
    strongest = max(answer["cards"], key=lambda card: card["dealt_win_rate"])
    assert f"{100 * strongest['dealt_win_rate']:.1f}  (" in words.out
    assert len(words.out.split("report:")[0].split()) < 150 + 6 * 12  # but for rows and signs
    for name in RUN_TABLES:
        assert len(pd.read_parquet(answer["tables"][name])) >= len(answer.get(name, []))
    analyzed = ask("analyze", finished, "--json").json
    assert analyzed == {key: answer[key] for key in analyzed}


def test_a_list_of_runs_says_what_the_page_says(finished: Path) -> None:
    """The finding of a run is the headline of its page, in which a designer's card comes first."""
    about = read_about(finished)
    assert about is not None
    page = (finished / "report.html").read_text()
    assert about.headline.startswith("Random play: ") and f"<h1>{about.headline}</h1>" in page


def test_answers_about_large_pools_stay_short(ask) -> None:
    """Not every pair of cards is printed: a line for each card, and few more.

    The tables are the same bytes however many threads multiply matrices.
    """
    ask(
        "simulate", *available_sets(), "--policy", "random", "--games", 200, "--out", "large"
    ).done()
    answer = ask("analyze", "large", "--json")
    told = answer.json
    n_cards = sum(bool(c.copies) for s in load_sets(available_sets()) for c in s.cards)
    assert len(told["cards"]) == n_cards > 100 and "card_pairs" not in told
    assert len(pd.read_parquet(told["tables"]["card_pairs"])) > n_cards * (n_cards - 1) / 2
    assert answer.out.count("\n") < n_cards + 120
    # A pool large enough for several threads of BLAS, of which `make test` allows one.
    tables = {file.name: file.read_bytes() for file in Path("large/tables").iterdir()}
    shutil.rmtree("large/tables")
    analyze = "from reports.cli.start import main; main()", "analyze", "large"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    subprocess.run(
        [sys.executable, "-c", *analyze], check=True, env=environment, stdout=subprocess.DEVNULL
    )
    assert {file.name: file.read_bytes() for file in Path("large/tables").iterdir()} == tables


def test_own_cards_come_first(ask, own_cards: Path) -> None:
    """One line each in the chart, before all other cards, with the verdict; in JSON, too."""
    text = own_cards.read_text().replace("copies = 20", "copies = 2")
    second = text.partition("\n\n")[2].replace("marsh_lantern", "giant").replace("= 5", "= 10")
    own_cards.write_text(f"{text}\n{second.replace('Marsh Lantern', 'Giant')}")
    few = ("--policy", "random", "--games", 2000, "--format", "md", "--out", "run")
    _, out, _ = ask("balance", "first_contact", "--cards", own_cards, *few)
    chart = out.partition("Won, %")[2].partition("\n\n")[0].splitlines()[1:]
    assert {line[4:17].strip() for line in chart} == {"Giant", "Marsh Lantern"}
    told = ask("analyze", "run", "--json").json["findings"]
    assert [one["topic"] for one in told[:3]] == ["Your card", "Your card", "Cards"]
    table = pd.read_parquet("run/tables/cards.parquet").set_index("name")
    for one in told[:2]:
        name = next(name for name in ("Giant", "Marsh Lantern") if name in one["text"])
        won = f"{100 * table['dealt_win_rate'][name]:.1f}%"
        assert one["text"].startswith(f"{name} ") and won in one["text"]


def test_default_folder_says_what_was_played(ask) -> None:
    """Sets, players and the day make the name of the run folder; what else is asked is inside."""
    answer = ask(
        "simulate", "first_contact", "--games", 50, "--policy", "greedy:random", "--seed", 7
    )
    run = f"runs/first_contact-greedy-random-{date.today()}"
    assert answer.out.splitlines()[0] == f"run: {run}"
    manifest = read_manifest(Path(run))
    assert manifest["policies"] == ["greedy", "random"]
    assert (manifest["games"], manifest["seed"]) == (50, 7)


def test_an_edited_card_gets_a_new_folder(ask, own_cards: Path) -> None:
    """A designer's own file is played from its path, and each version of it in its own folder."""
    first = ask("simulate", own_cards, "--policy", "random", "--games", 20, "--json").json
    own_cards.write_text(OWN_CARDS.replace("power = 5", "power = 6"))
    second = ask("simulate", own_cards, "--policy", "random", "--games", 20, "--json").json
    assert first["sets"] == ["my_cards"]
    assert first["run"] != second["run"]
    assert Path(first["run"], "cards", "my_cards.toml").read_text() == OWN_CARDS
    assert [first["run"], second["run"]] == [
        f"runs/my_cards-random-{date.today()}{more}" for more in ("", "-2")
    ]


def test_sets_are_played_together(ask, own_cards: Path) -> None:
    """Two sets make one pool, whatever their order."""
    one = ask(
        "simulate", "first_contact", own_cards, "--policy", "random", "--games", 20, "--json"
    ).json
    two = ask(
        "simulate", own_cards, "first_contact", "--policy", "random", "--games", 20, "--json"
    ).json
    assert one == two
    assert one["sets"] == ["first_contact", "my_cards"]
    assert len(one["cards"]) == 33


EVERY_MODE = [
    *("--after-mindbug", "action", "--no-kot-parts", "--turn-cap", "50", "--effect-cap", "300"),
    *("--life", "5", "--mindbugs", "1", "--hand-size", "4", "--who-starts", "weaker_hand"),
    *("--at-turn-cap", "higher_life"),
    *("--ruling", "printed_power_counts", "--ruling", "newest_triggers_first"),
]


def test_modes_are_options(ask) -> None:
    """Every mode can be said; it is played, kept in the run, and gives a folder of its own."""
    question = (
        *("simulate", "first_contact", "king_of_tokyo", "--policy", "random", "--games", 50),
        "--json",
    )
    usual = ask(*question).json
    assert usual["run"] == f"runs/first_contact+king_of_tokyo-random-{date.today()}"
    assert (usual["modes"]["kot_parts"], usual["modes"]["after_mindbug"]) == (True, "action")
    answer = ask(*question, *EVERY_MODE).json
    assert answer["modes"] == {
        "after_mindbug": "action",
        "kot_parts": False,
        "turn_cap": 50,
        "effect_cap": 300,
        "life": 5,
        "mindbugs": 1,
        "hand_size": 4,
        "who_starts": "weaker_hand",
        "at_turn_cap": "higher_life",
        "rulings": ["newest_triggers_first", "printed_power_counts"],
    }
    assert answer["run"] == f"{usual['run']}-2"
    games = open_run(answer["run"]).games()
    assert games["turns"].max() <= 50
    assert np.stack(games["thefts"].to_numpy()).sum(axis=1).max() == 2
    assert not any(part["dice"].any() for part in open_run(answer["run"]).parts())


def test_modes_take_the_place_of_those_of_a_pool_file(ask) -> None:
    """What is said on the command line comes before the file; what is not said stays."""
    Path("pool.toml").write_text(
        'sets = ["promos"]\n[modes]\nlife = 9\nmindbugs = 3\nrulings = ["printed_power_counts"]\n'
    )
    options = "--life", "1", "--ruling", "frenzy_in_forced_attacks"
    answer = ask("simulate", "--pool", "pool.toml", *options, "--games", 20, "--json").json
    modes = answer["modes"]
    assert (answer["sets"], modes["life"], modes["mindbugs"]) == (["promos"], 1, 3)
    assert modes["rulings"] == ["frenzy_in_forced_attacks"]


def test_dice_without_the_parts_are_answered_by_an_option(ask, own_cards: Path) -> None:
    """A die that nobody would roll is a fault until somebody says whether it is rolled."""
    own_cards.write_text(f"{OWN_CARDS}dice = 1\n")
    question = "simulate", own_cards, "--policy", "random", "--games", 20, "--json"
    ask(*question).refused("--kot-parts or --no-kot-parts", lines=1)
    for option, rolled in ("--kot-parts", True), ("--no-kot-parts", False):
        run_folder = ask(*question, option).json["run"]
        dice = np.concatenate([part["dice"] for part in open_run(run_folder).parts()])
        assert dice.any() == rolled


def test_a_run_needs_nothing_but_its_folder(ask, own_cards: Path) -> None:
    """Report and replay work elsewhere, with the files gone; its pool can be played again."""
    own_cards.write_text(OWN_CARDS.replace("copies = 20", "copies = 3"))
    Path("pool.toml").write_text('sets = ["new_servants"]\n[modes]\nlife = 2\n')
    said = "beyond_eternity", "king_of_tokyo", "--pool", "pool.toml", "--cards", own_cards
    assert ask("simulate", *said, "--policy", "random", "--games", 60, "--out", "run").status == 0
    own_cards.unlink()
    Path("pool.toml").unlink()
    Path("moved").mkdir()
    folder = Path("run").rename("moved/run")
    assert ask("analyze", folder).status == 0
    assert ask("report", folder).status == 0
    assert "Marsh Lantern" in (folder / "report.html").read_text()
    answer = ask("replay", folder, "7").done()
    assert "The first player: life 2" in answer.out
    again = ask(
        *("simulate", "--pool", folder / "pool.toml", "--policy", "random", "--games", 60),
        "--json",
    ).json
    assert again["pool_hash"] == read_manifest(folder)["pool_hash"]
    np.testing.assert_array_equal(open_run(again["run"]).part(0), open_run(folder).part(0))
    own_cards.with_name("changed.toml").write_text(OWN_CARDS.replace("power = 5", "power = 7"))
    changed = (
        *("--pool", folder / "pool.toml", "--cards", "changed.toml", "--policy", "random"),
        *("--games", 60, "--json"),
    )
    run_folder = ask("simulate", *changed).json["run"]
    cards = [card for card_set in open_run(run_folder).pool().sets for card in card_set.cards]
    assert [card.power for card in cards if card.card_id == "marsh_lantern"] == [7]


def test_a_run_goes_on_with_the_same_pool_only(ask, own_cards: Path) -> None:
    """Another card or mode is refused in a folder; the same pool said otherwise goes on."""
    Path("pool.toml").write_text('sets = ["first_contact"]\n[modes]\nlife = 4\n')
    into = "--policy", "random", "--games", 30, "--out", "run"
    assert ask("simulate", "--pool", "pool.toml", *into).status == 0
    assert ask("simulate", "first_contact", "--life", "4", *into).status == 0
    answer = ask("simulate", "first_contact", *into)
    answer.refused("run holds a run with life 4, not 3; choose another folder", lines=1)
    own_cards.write_text(OWN_CARDS.replace("marsh_lantern", "killer_bee"))
    answer = ask("simulate", "first_contact", "--life", "4", "--cards", own_cards, *into)
    answer.refused("run holds a run with other cards; choose another folder", lines=1)
    Path("run/pool.toml").write_text("")
    assert ask("analyze", "run").status == 2
    assert ask("simulate", "first_contact", "--life", "4", *into).status == 0
    assert ask("analyze", "run").status == 0


def test_several_hundred_cards(ask) -> None:
    """A large pool of one's own is played like any other; one that is too large is told.

    The time of a report grows with the pairs of cards, so the largest pool is only played.
    """

    def write(n_cards: int) -> None:
        cards = [
            f'\n[card_{i:04}]\nname = "Card {i}"\npower = {i % 10 + 1}\ncopies = 2\n'
            for i in range(n_cards)
        ]
        Path("many.toml").write_text('name = "Many"\n' + "".join(cards))

    write(300)
    ask("balance", "many.toml", "--policy", "random", "--games", 500, "--out", "run").done()
    assert len(read_manifest(Path("run"))["cards"]) == 300
    write(1000)
    ask("simulate", "many.toml", "--policy", "random", "--games", 500, "--out", "largest").done()
    assert len(read_manifest(Path("largest"))["cards"]) == 1000
    write(1001)
    ask("simulate", "many.toml", "--policy", "random", "--games", 500).refused(
        "there are 1,001 cards; 1,000 are the most of a file", lines=1
    )


def test_a_run_is_played_until_enough_is_known(ask) -> None:
    """The console, the page and --json say that a rule ended the run, and what is known."""
    question = "balance", "first_contact", "--policy", "random", "--until", "5"
    words = " ".join(ask(*question).out.split())
    folder = Path(f"runs/first_contact-random-{date.today()}")
    manifest = read_manifest(folder)
    games = f"{manifest['games']:,} games"
    assert f"First Contact · {games}, stopped once precise enough · random" in words
    page = (folder / "report.html").read_text()
    assert "The number of games was not chosen beforehand" in page
    assert "dealt win rate is known to ±5.00 points" in page
    answer = ask(*question, "--json").json
    assert answer["games"] == manifest["games"] == answer["summary"][0]["n_games"]
    assert (answer["until"]["precision"], answer["until"]["of"]) == (5, "cards")
    assert answer["until"]["together"] == len(answer["cards"])
    assert answer["stopped"]["reached"]
    # A card is told with one interval, that of its advantage: as wide as that of its win rate.
    for rate, cards in (
        ("advantage", pd.DataFrame(answer["cards"])),
        ("dealt", pd.read_csv(folder / "tables/cards.csv")),
    ):
        half_width = (cards[f"{rate}_ci_high"] - cards[f"{rate}_ci_low"]).max() / 2
        assert half_width == pytest.approx(answer["stopped"]["half_width"] / 100)
    assert ask(
        *("simulate", "first_contact", "--policy", "random", "--until", "5", "--threads", "1"),
        *("--out", "one"),
    )
    np.testing.assert_array_equal(open_run("one").part(0), open_run(folder).part(0))
    assert read_manifest(Path("one")) == manifest


def test_who_looks_and_decides_asks_for_intervals_at_every_look(ask) -> None:
    """--anytime is another run with wider intervals, and alone it is a fault."""
    question = "simulate", "first_contact", "--policy", "random", "--until", "8:killer_bee"
    at_the_end = ask(*question, "--json").json
    anytime = ask(*question, "--anytime", "--json").json
    assert anytime["run"] == f"{at_the_end['run']}-2"
    named = [word.replace("killer_bee", "killer BEE") for word in question]
    assert ask(*named, "--json").json["run"] == at_the_end["run"]
    methods = [answer["until"]["method"] for answer in (at_the_end, anytime)]
    assert methods == ["fixed-width intervals", "asymptotic confidence sequence"]
    assert at_the_end["games"] <= anytime["games"]
    words = " ".join(ask(*question, "--anytime").out.split())
    assert "at every look with 95% confidence" in words.replace("\N{NO-BREAK SPACE}", " ")
    ask("simulate", "first_contact", "--games", 10, "--anytime").refused(
        "--anytime is about the intervals of --until"
    )


def test_a_budget_that_is_spent_can_be_raised(ask) -> None:
    """With --until, --games is a budget; more of it goes on in the same folder."""
    question = (
        *("simulate", "first_contact", "--policy", "random", "--until", "1:first_player"),
        "--games",
    )
    spent = " ".join(ask(*question, 1500).out.split())
    assert "budget spent: 1,500 games; the win rate of the player who starts is known to" in spent
    assert "more games would be needed; a larger --games resumes the run" in spent
    answer = ask(*question, 2500, "--json").json
    assert answer["run"] == f"runs/first_contact-random-{date.today()}"
    assert (answer["games"], answer["stopped"]["reached"]) == (2500, False)
    assert ask(*question, 1500).status == 2


def test_report_answers_in_json(ask, finished: Path) -> None:
    """The page and the figures are named for a program."""
    answer = ask("report", finished, "--json").json
    assert all(Path(path).exists() for path in [answer["page"], *answer["figures"]])


def test_replay_tells_the_game_of_the_record(ask, finished: Path) -> None:
    """The words and the record are of the game that the run folder holds."""
    record = open_run(finished).part(1)[100]
    number = int(record["game"])
    words = ask("replay", finished, number)
    assert words.out.startswith("The first player starts.")
    won = "first" if record["winner"] == record["first_player"] else "second"
    assert f"The {won} player wins" in words.out
    answer = ask("replay", finished, number, "--json").json
    assert answer["record"]["winner"] == record["winner"]
    assert answer["record"]["cards"] == record["cards"].tolist()
    assert f"Player {record['winner']} wins" in "\n".join(answer["lines"])


@pytest.fixture
def two_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is measured is measured twice."""
    monkeypatch.setattr(speed, "_TURNS", 2)
    monkeypatch.setattr(speed, "_TURNS_OF_RUNS", 2)


@pytest.mark.usefixtures("two_turns")
def test_bench_measures_each_policy(ask) -> None:
    """Games a second by set and policy, threads and records, in words and in JSON."""
    speeds = ask("bench", "first_contact", "--seconds", "0.01", "--json").json
    assert [row["policy"] for row in speeds["engine"]] == list(RUNGS)
    assert {row["pool"] for row in speeds["engine"]} == {"first_contact"}
    assert all(0 < row["median"] <= row["best"] < row["decisions"] for row in speeds["engine"])
    assert [row["threads"] for row in speeds["threads"] + speeds["records"]] == [1, 2, 1, 2]
    words = ask("bench", "--seconds", "0.001", "--turn-cap", "30000").out
    assert re.search("\nwith every record written, [a-z_ ]+\n", words)
    first_words = [line.split()[0] for line in words.splitlines() if line]
    assert all(first_words.count(name) == len(RUNGS) for name in available_sets())


@pytest.mark.usefixtures("two_turns")
def test_bench_measures_all_games(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing named every game is measured; here the first player of each is."""
    monkeypatch.setattr("simcore.mindbug.RUNGS", ("random",))
    monkeypatch.setattr("reports.mice_and_mystics.cli.bench.RUNGS", ["uniform"])
    speeds = ask("bench", "--seconds", "0.001", "--json").json
    assert {row["pool"] for row in speeds["mice_and_mystics"]["engine"]} == {
        "ch1_flight_to_barksburg",
        "standin_four_rooms",
    }
    assert {row["policy"] for row in speeds["mindbug"]["engine"]} == {"random"}


@pytest.mark.usefixtures("two_turns")
def test_bench_measures_a_pool(ask, own_cards: Path) -> None:
    """Own cards and a pool file are measured as one pool, sets each alone and together."""
    bench = "bench", "--seconds", "0.001", "--json"
    speeds = ask(*bench, "promos", "--cards", own_cards, "--life", "1").json
    assert {row["pool"] for row in speeds["engine"]} == {"the pool"}
    speeds = ask(*bench, "promos", own_cards, "--turn-cap", "20").json
    assert {row["pool"] for row in speeds["engine"]} == {"promos", "my_cards", "together"}
    at_random = {row["best"]: row["pool"] for row in speeds["engine"] if row["policy"] == "random"}
    assert speeds["fastest"] == at_random[max(at_random)]
    assert {row["pool"] for row in speeds["records"]} == {speeds["fastest"]}
    assert all(
        (row["ratio"] == 1) == (row["pool"] == speeds["fastest"]) for row in speeds["engine"]
    )


# ------------------------------------------------------------------------------------ cards


def test_cards_are_listed_and_shown(ask, own_cards: Path) -> None:
    """By id, by name and from a file of one's own; with text and with the lines of the file."""
    everything = ask("cards", "list").out
    every_set = load_sets(available_sets())
    assert all(card.card_id in everything for one in every_set for card in one.cards)
    assert all(f"{one.set_id}: {one.name}, " in everything for one in every_set)
    listed = ask("cards", "list", "first_contact", own_cards, "--json").json
    assert len(listed) == 33
    shown = ask("cards", "show", "turbo bug", "Axolotl_Healer").out
    assert "Turbo Bug (turbo_bug), First Contact, 1 copy" in shown
    assert "play = gain 2 life" in shown
    (own,) = ask("cards", "show", "marsh_lantern", "--set", own_cards, "--json").json
    assert own["abilities"] == ["play = gain 1 life"]
    assert own["text"] == ["Play: Gain 1 life."]


def test_check_names_every_fault(ask, own_cards: Path) -> None:
    """All faults at once with their places, exit status 2; nothing to say about a good file."""
    good = ask("cards", "check", own_cards)
    assert (good.status, good.err) == (0, "")
    own_cards.write_text(OWN_CARDS.replace("gain", "gian").replace("copies = 20", "copies = 0"))
    bad = ask("cards", "check", own_cards)
    assert bad.status == 2
    assert [f"{own_cards}:{line}:" in bad.err for line in (6, 7)] == [True, True]
    assert "did you mean 'gain'?" in bad.err
    faults = json.loads(ask("cards", "check", own_cards, "--json").out)
    assert [fault["line"] for fault in faults] == [6, 7]


def test_format_rewrites_a_file(ask, own_cards: Path) -> None:
    """--check changes nothing and exits with 2; then the file is rewritten, once and for all."""
    untidy = OWN_CARDS.replace("power = 5\n", "").replace(
        "[marsh_lantern]", "[marsh_lantern]\npower=5"
    )
    own_cards.write_text(untidy)
    assert ask("cards", "format", "--check", own_cards).status == 2
    assert own_cards.read_text() == untidy
    assert ask("cards", "format", own_cards).status == 0
    assert own_cards.read_text() == OWN_CARDS
    assert ask("cards", "format", "--check", own_cards).status == 0
    own_cards.write_text("power = ")
    assert ask("cards", "format", own_cards).status == 2
    assert own_cards.read_text() == "power = "


def test_language_is_the_reference_page(ask) -> None:
    """The reference that is printed is the one in the docs."""
    assert ask("cards", "language").out == (DOCS / "card_language.md").read_text()


# --------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["balance", "frist_contact"], "did you mean 'first_contact'?"),
        (["balance"], "name what is played; there are ch1_flight_to_barksburg, stand"),
        (["balance", "ch1_flight"], "did you mean 'ch1_flight_to_barksburg'? Allowed here: ch1"),
        (["balance", "ch1_flight_to_barksburg", "--life", "5"], "--life is an option of Mindbug,"),
        (["simulate", "--after-mindbug", "trun"], 'Did you mean "turn"?'),
        (["simulate", "first_contact", "--kot-parts=maybe"], "'maybe' is neither yes nor no"),
        (["simulate", "first_contact", "--kot-parts=treu"], "no; did you mean 'true'? Say --kot"),
        (["simulate", "--no-kot-parts="], "Say --kot-parts or --no-kot-parts, or one of these"),
        (["cards", "list", "--json=x"], "Say --json, or one of these after '=': yes, no, true"),
        (["simulate", "first_contact", "--life", "0"], "--life: 0 is not between 1 and 99"),
        (["simulate", "first_contact", "--mindbugs", "x"], "not a whole number from 0 to 99"),
        (["simulate", "first_contact", "--mindbug", "2"], "Did you mean --mindbugs?"),
        (["simulate", "first_contact", "--hand-size", "11"], "11 is not between 1 and 10"),
        (["simulate", "first_contact", "--turn-cap", "0"], "0 is not between 1 and 30,000"),
        (["simulate", "first_contact", "--effect-cap", "1.5"], "'1.5' is not a whole number"),
        (["simulate", "--ruling", "newest_trigger_first"], 'mean "newest_triggers_first"?'),
        (["simulate", "--pool", "missing.toml"], "missing.toml: there is no such file"),
        (["simulate", "--pool", "."], ".: this is a folder"),
        (["simulate", "first_contact", "--cards", "missing.toml"], "there is no such file"),
        (["simulate", "first_contact", "--cards", "my.xlsx"], "'fairdeal cards import'"),
        (["bench", "king_of_tokio"], "did you mean 'king_of_tokyo'?"),
        (["simulat"], 'Did you mean "simulate"?'),
        (["simulate", "first_contact", "--gmaes", "5"], "Did you mean --games?"),
        (["simulate", "first_contact", "--gmaes", "5"], "`fairdeal simulate --help` lists what"),
        (["runs", "list", "one", "two"], "runs cannot use 'one', 'two': everything that it takes"),
        (["replay", "run", "1", "2"], "`fairdeal replay --help` lists what it takes"),
        (["cards", "versions"], "cards versions: name CARD: the id or name of a card"),
        (["simulate", "first_contact", "--games"], "simulate: --games needs a value; `fairdeal"),
        (["simulate", "first_contact", "--games", "0"], "0 is not between 1 and 1,000,000,000"),
        (["simulate", "first_contact", "--games", "-3"], "-3 is not between 1 and"),
        (["simulate", "first_contact", "--games", "9" * 20], "is not between 1 and 1,000,000,000"),
        (["simulate", "first_contact", "--games", "many"], "'many' is not a whole number"),
        (["simulate", "first_contact", "--games", "1e-6"], "'1e-6' is not a whole number"),
        (["simulate", "first_contact", "--games", "1.5"], "'1.5' is not a whole number"),
        (["simulate", "first_contact", "--games", "1.2345k"], "'1.2345k' is not a whole number"),
        (["balance", "first_contact", "--until", "0"], "'0' is not a precision; give percentage"),
        (["simulate", "first_contact", "--until", "-1"], "'-1' is not a precision"),
        (["simulate", "first_contact", "--until", "nan"], "'nan' is not a precision"),
        (["simulate", "first_contact", "--until", "few"], "'few' is not a precision"),
        (["simulate", "first_contact", "--until", "51"], "points from 0.001 to 50, as in 0.2"),
        (["simulate", "first_contact", "--until", "1:killer_be"], "did you mean 'killer_bee'?"),
        (["simulate", "first_contact", "--policy", "gredy"], "did you mean 'greedy'?"),
        (
            ["simulate", "first_contact", "--policy", ""],
            "the policy is empty; policies are: random",
        ),
        (["simulate", "first_contact", "--policy", "random:"], "the policy is empty"),
        (
            ["simulate", "first_contact", "--policy", "@0.1"],
            "'@0.1' names no policy; policies are:",
        ),
        (["ladder", "first_contact", "--players", "random,"], "the policy is empty"),
        *(
            (
                [*command, "learned=missing.toml"],
                "there is no file missing.toml to take the weights",
            )
            for command in (
                ["simulate", "first_contact", "--policy"],
                ["balance", "first_contact", "--policy"],
                ["balance", "first_contact", "--skill"],
                ["compare", "first_contact", "promos", "--policy"],
                ["restrict", "first_contact", "--policy"],
                ["sensitivity", "killer_bee", "first_contact", "--policy"],
                ["rebalance", "first_contact", "--policy"],
                ["train", "first_contact", "--against"],
            )
        ),
        (
            ["ladder", "first_contact", "--players", "random,learned=no.toml"],
            "there is no file no.toml",
        ),
        (["simulate", "first_contact", "--policy", "a:b:c"], "one, or two with a colon"),
        (["simulate", "first_contact", "--threads", "0"], "0 is not between 1 and 1,024"),
        (["simulate", "first_contact", "--threads", "two"], "'two' is not a whole number"),
        (["simulate", "first_contact", "--seed", "-1"], "-1 is not between 0 and"),
        (["simulate", "first_contact", "first_contact"], "'first_contact' is named twice"),
        (["simulate", "missing.toml"], "missing.toml: there is no such file"),
        (["analyze", "nowhere"], "nowhere does not exist"),
        (["report", "."], "is not the folder of a run"),
        (["replay", "nowhere", "0"], "nowhere does not exist"),
        (["replay", "nowhere", "first"], "Invalid value for GAME: 'first' is not a whole number"),
        (["cards", "show", "axolotl_heeler"], "did you mean 'axolotl_healer'?"),
        (["cards", "show", "qqqq"], "there is no card 'qqqq'"),
        (["cards", "list", "nosuch"], "there is no set 'nosuch'"),
        (["cards", "check", "missing.toml"], "there is no such file"),
        (["cards", "format", "missing.toml"], "there is no such file"),
        (["bench", "--seconds", "0"], "--seconds is 0"),
        (["bench", "--seconds", "nan"], "Invalid value for --seconds: 'nan' is not a number"),
        (["bench", "--seconds", "long"], "Invalid value for --seconds: 'long' is not a number"),
    ],
)
def test_bad_input_gets_one_clear_message(ask, arguments: list[str], message: str) -> None:
    """The exit status is 2, the message says what is wrong, and nothing else is printed."""
    answer = ask(*arguments)
    answer.refused(message)
    assert answer.err.count("\n") == 1
    assert not Path("runs").exists()


def test_game_that_is_not_there(ask, finished: Path) -> None:
    """A game number below 0 or above the last is refused, with the numbers that there are."""
    for number in (N_GAMES, -1):
        answer = ask("replay", finished, number)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err == (
            f"fairdeal: GAME is {number}; {finished} has games 0 to {N_GAMES - 1}\n"
        )


def test_set_that_is_too_small(ask, own_cards: Path) -> None:
    """A pool of fewer than twenty cards is refused, also by the benchmark."""
    own_cards.write_text(OWN_CARDS.replace("copies = 20", "copies = 3"))
    for command in ("simulate", "bench"):
        ask(command, own_cards).refused("a game deals 20")


def test_folder_of_another_run_is_left_alone(ask, finished: Path) -> None:
    """Another run, or other files, are never overwritten."""
    answer = ask(
        "simulate", "first_contact", "--policy", "random", "--games", 10, "--out", finished
    )
    answer.refused(f"holds a run with games {N_GAMES}, not 10")
    Path("notes").mkdir()
    Path("notes/text").write_text("mine")
    answer = ask("simulate", "first_contact", "--policy", "random", "--games", 10, "--out", "notes")
    answer.refused("is not empty and not the folder of a run")


@pytest.mark.parametrize(
    ("place", "content", "message"),
    [
        ("manifest.json", b"{", "is damaged: it is not JSON"),
        ("manifest.json", None, "manifest.json is missing; repeat the command"),
        ("games/part-00001.parquet", b"PAR1", "part-00001.parquet is damaged"),
        ("games/part-00001.parquet", None, "part-00001.parquet is missing"),
        ("cards/first_contact.toml", b"name = 3", "cannot be read"),
        ("cards/first_contact.toml", None, "there is no file"),
        ("pool.toml", b"cards = 1", "cannot be read"),
        ("pool.toml", OTHER_POOL, "this is not what a command wrote here"),
        ("pool.toml", None, "pool.toml: there is no such file"),
    ],
)
def test_damaged_run_is_named(
    ask, tmp_path: Path, finished: Path, place: str, content: bytes | None, message: str
) -> None:
    """Analysis and replay name the file that is missing or damaged, and say what to do."""
    folder = copy_of(finished, tmp_path)
    if content is None:
        (folder / place).unlink()
    else:
        (folder / place).write_bytes(content)
    for arguments in (["analyze", folder], ["replay", folder, "1100"]):
        answer = ask(*arguments)
        answer.refused(message)
        assert answer.err.lower().count("repeat the command") <= 1, "one advice"
        assert not re.search(r"[.?] [a-z]", answer.err), "a sentence begins with a capital letter"


def test_other_cards_are_not_those_of_the_run(ask, tmp_path: Path, finished: Path) -> None:
    """Where no checksum tells that they were changed, the run itself says which it was."""
    folder = copy_of(finished, tmp_path)
    (folder / "pool.toml").write_bytes(OTHER_POOL)
    (folder / CHECKSUMS).unlink()
    for arguments in (["analyze", folder], ["replay", folder, "1100"]):
        ask(*arguments).refused("not those of the run; repeat the command that made the run")


def test_run_of_another_rules_version(ask, tmp_path: Path, finished: Path) -> None:
    """A run under other rules is refused by each step that would read it."""
    folder = copy_of(finished, tmp_path)
    edit_entries(folder / "manifest.json", rules_version=1)
    for arguments in (["analyze", folder], ["report", folder], ["replay", folder, "0"]):
        answer = ask(*arguments)
        assert answer.status == 2
        told = f"was played under rules version 1, this is version {RULES_VERSION}"
        assert told in answer.err


def test_report_wants_its_tables(ask, tmp_path: Path, finished: Path) -> None:
    """A missing table is named, with the command that makes it."""
    folder = copy_of(finished, tmp_path)
    (folder / "tables" / "cards.parquet").unlink()
    ask("report", folder).refused(f"run 'fairdeal analyze {folder}' again")


def test_folder_that_cannot_be_written(ask) -> None:
    """A file in the way is one message."""
    Path("runs").write_text("in the way")
    ask("simulate", "first_contact", "--policy", "random", "--games", 10).refused(
        "cannot write", "choose a folder that can be written to"
    )


def test_full_disk_is_one_message(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Disk full while parts are written: what is finished stays, and the message says so."""

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    ask("simulate", "first_contact", "--policy", "random", "--games", 10).refused(
        "No space left on device; free some space and repeat the command"
    )


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_card_files_give_no_traceback(tmp_path: Path, data: st.DataObject) -> None:
    """Whatever stands in a card file, each command ends with 0 or 2."""
    text = set_path("first_contact").read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 60, len(text))))
    file = tmp_path / "damaged.toml"
    file.write_bytes(text[:start] + data.draw(st.binary(max_size=20)) + text[end:])
    for arguments in (["cards", "check"], ["cards", "list"], ["cards", "format", "--check"]):
        assert run([*arguments, str(file)]) in (0, 2)


@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_parts_give_no_traceback(
    tmp_path_factory: pytest.TempPathFactory, finished: Path, data: st.DataObject
) -> None:
    """A part that was cut off or changed is found by every command that reads it."""
    folder = copy_of(finished, tmp_path_factory.mktemp("damaged"))
    part = part_path(folder, 0)
    content = bytearray(part.read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    part.write_bytes(content)
    assert run(["replay", str(folder), "3"]) == 2
    assert run(["analyze", str(folder)]) == 2


def copy_of(run_folder: Path, place: Path) -> Path:
    """A copy of a run that may be damaged."""
    folder = place / "copy"
    for path in run_folder.rglob("*.*"):
        target = folder / path.relative_to(run_folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return folder


# -------------------------------------------------------------------- in a process of its own


def test_message_and_exit_status_of_a_process(tmp_path: Path) -> None:
    """A process ends with status 2 and one line on stderr, without a traceback."""
    process = start("balance", "frist_contact", cwd=tmp_path)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("fairdeal: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["cards", "language"], ["cards", "list", "--json"]])
def test_closed_pipe_is_no_error(arguments: list[str]) -> None:
    """Nothing is said when the reader of the output has gone."""
    reader, writer = os.pipe()
    process = start(*arguments, stdout=writer)
    os.close(writer)
    os.close(reader)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_output_is_one_message() -> None:
    """An answer that cannot be written ends in one message."""
    with Path("/dev/full").open("w") as full:
        process = start("cards", "language", stdout=full)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert err == "fairdeal: cannot go on: No space left on device\n"


def test_ctrl_c_while_the_command_line_is_imported(tmp_path: Path) -> None:
    """Nothing is running yet that could be told of: the exit status is 130, without a traceback."""
    for module in ("cyclopts", "attrs"):  # Ctrl-C comes while one of these is being imported
        (tmp_path / f"{module}.py").write_text("raise KeyboardInterrupt")
        answer = subprocess.run(
            [
                sys.executable,
                "-c",
                f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {_start()}",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        (tmp_path / f"{module}.py").unlink()
        assert (answer.returncode, answer.stdout, answer.stderr) == (130, "", "interrupted\n")


def _start() -> str:
    """What the program `fairdeal` does, as a line of Python."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]
    module, function = project["scripts"]["fairdeal"].split(":")
    return f"from {module} import {function}; {function}()"


LONG_RUN = "simulate", "first_contact", "--policy", "random", "--games", "500000", "--threads", "2"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long run that was played in one go."""
    folder = tmp_path_factory.mktemp("long") / "whole"
    assert run([*LONG_RUN, "--out", str(folder)]) == 0
    return folder


def test_interrupted_run_goes_on(ask, tmp_path: Path, uninterrupted: Path) -> None:
    """Ctrl-C ends with 130 and says how to go on; after it and a kill the run is the same.

    But for a part that was played and not yet counted: `analyze` counts it.
    """
    for signal_number in (signal.SIGINT, signal.SIGKILL):
        n_parts = len(list(tmp_path.glob("stopped/games/*.parquet")))
        process = start(*LONG_RUN, "--out", "stopped", cwd=tmp_path)
        deadline = time.monotonic() + 120
        while len(list(tmp_path.glob("stopped/games/*.parquet"))) <= n_parts:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal_number)
        err = process.communicate(timeout=60)[1]
        if signal_number == signal.SIGINT:
            assert process.returncode == 130
            assert err.endswith(
                "interrupted: finished parts stay in stopped;"
                " run the same command again to resume\n"
            )
        assert read_manifest(Path("stopped"))["counts"] is None
    assert ask(*LONG_RUN, "--out", "stopped").status == 0
    for path in uninterrupted.rglob("*.*"):
        there = Path("stopped", path.relative_to(uninterrupted))
        if path.parent.name != "tallies" or there.exists():
            assert there.read_bytes() == path.read_bytes(), path
    assert ask("analyze", "stopped").status == 0
    for path in (uninterrupted / "tallies").glob("*"):
        assert Path("stopped/tallies", path.name).read_bytes() == path.read_bytes(), path


@pytest.mark.parametrize("game", names())
def test_functions_that_a_game_names_are_there(game: str) -> None:
    """A name that is wrong is found here, not by whoever asks for it."""
    reports = reports_of(game)
    methods = (one for one in vars(type(reports)).values() if inspect.isfunction(one))
    places = [inspect.getclosurevars(one).nonlocals.get("place") for one in methods]
    named = [*filter(None, [*places, reports.own_player, *reports.options.values()])]
    assert len(named) > len(reports.options)
    assert all(callable(resolve_name(place)) for place in named)
