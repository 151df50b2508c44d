"""A game that somebody brings goes through the same doors: played, resumed, shown, compared.

It is `support.harvest`, installed as a package of its own: three seats that choose at once, graded
outcomes, its own file of entries and players.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.resources import files
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from analysis.runs import open_run
from reports.cli.app import run
from simcore import games
from simcore.contract.finding import load_file, load_installed
from simcore.contract.play import Table
from simcore.own_games.run import new_run
from simcore.sealed import RunError
from simcore.work.runs import RunSpec, run_games
from support.own_games import example, install
from support.reported import charts_as, without_axes

WHO = ("random", "careful", "bold")
PLAYED = (
    "harvest",
    "--set",
    "rounds=4",
    "--policy",
    ":".join(WHO),
    "--games",
    "1500",
    "--seed",
    "3",
)


class Answer(NamedTuple):
    """What a command gave."""

    status: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def second_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Harvest is installed while a test runs, and charts are drawn as SVG without axes."""
    with pytest.MonkeyPatch.context() as patch, charts_as("svg"), without_axes():
        install("harvest", "support.harvest:GAME", tmp_path_factory.mktemp("installed"), patch)
        yield


@pytest.fixture
def ask(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: Answer(run([str(word) for word in words]), *capsys.readouterr())


def village(**changes: int) -> Path:
    """A file with the lots of the village, some of them of another worth."""
    text = files("support.harvest").joinpath("village.toml").read_text()
    for lot, worth in changes.items():
        head, _, tail = text.partition(f"[lot.{lot}]\n")
        text = f"{head}[lot.{lot}]\nworth = {worth}\n{tail.partition(chr(10))[2]}"
    path = Path("changed.toml")
    path.write_text(text)
    return path


def spec(n_games: int, rounds: int = 5) -> RunSpec:
    """A run of Harvest."""
    game = load_installed("harvest")
    table = Table(game, game.load(), game.set([f"rounds={rounds}"]), 3)
    return new_run(table, n_games=n_games, seed=1, players=WHO)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder but what is hidden."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name[0] != "."]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_run_says_which_game_it_is(ask) -> None:
    """The manifest decides which game a folder is of, and what its records are."""
    answer = ask("simulate", *PLAYED, "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("run: run\n1,500 games, ")
    opened = open_run("run")
    assert (opened.game.title, opened.manifest["settings"]) == ("Harvest", {"rounds": 4})
    assert opened.manifest["policies"] == [*WHO]
    played = np.concatenate([*opened.parts()])
    assert played.dtype == spec(1).record
    assert (played["outcome"].sum(axis=1) * 2 == 3 * opened.manifest["unit"]).all()
    assert (played["decisions"] == 12).all()
    assert list(opened.games(["game", "points_2"]).columns) == ["game", "points_2"]


def test_a_run_that_was_interrupted_is_resumed(tmp_path: Path) -> None:
    """A run that is stopped and resumed, by other processes too, has the bytes of a whole one."""

    def stop(done: int, _: int) -> None:
        if done > 1500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_games(spec(3000), tmp_path / "run", threads=1, on_progress=stop)
    parts = [*(tmp_path / "run" / "games").glob("part-*.parquet")]
    assert len(parts) == 1
    with pytest.raises(RunError, match=r"not finished|is missing"):
        open_run(tmp_path / "run")
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        run_games(spec(3000), tmp_path / "run", executor=executor)
    run_games(spec(3000), tmp_path / "whole", threads=2)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_a_file_is_played_by_other_processes(tmp_path: Path) -> None:
    """A worker has the rules of a file from its task, and plays the same games."""
    game = load_file(example("auction", tmp_path))
    asked = new_run(
        Table(game, game.load(), game.set([]), 3), n_games=50, seed=2, players=["fair_price"] * 3
    )
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        run_games(asked, tmp_path / "there", executor=executor)
    run_games(asked, tmp_path / "here", threads=1)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_all_of_a_run_in_one_command(ask) -> None:
    """`balance` plays, counts, draws and writes a page; its steps give the same files."""
    answer = ask("balance", *PLAYED, "--format", "html,md,xlsx", "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert (
        "Harvest, rounds 4 · 1,500 games · random against careful against bold · seed 3"
        in answer.out
    )
    page = Path("run/report.html").read_text()
    assert "Pumpkin" in page and "Harvest" in page
    assert "<svg" in page
    assert "first_contact" not in page
    drawn = {path.name for path in Path("run/figures").glob("*.svg")}
    assert drawn == {"entries.svg", "seats.svg"}
    for step in ("simulate", *PLAYED, "--out", "steps"), ("analyze", "steps"), ("report", "steps"):
        assert ask(*step).status == 0
    both = [contents(Path(folder)) for folder in ("run", "steps")]
    whole, steps = (json.loads(one.pop("checksums.json"))["files"] for one in both)
    assert steps.items() <= whole.items()  # which has more formats
    assert both[1].items() <= both[0].items()


def test_tables_are_as_counted_by_hand(ask) -> None:
    """The outcome of who won a lot is that of a slow count, and so is what they were better by."""
    ask("simulate", *PLAYED, "--out", "run")
    answer = json.loads(ask("analyze", "run", "--json").out)
    [geese] = [row for row in answer["entries"] if row["id"] == "geese"]
    assert (geese["event"], geese["is_main"]) == ("won", True)
    opened = open_run("run")
    events, ids = opened.manifest["events"], opened.manifest["kinds"][0]["ids"]
    place = events.index("won") * len(ids) + ids.index("geese")
    played = np.concatenate([*opened.parts()])
    usual = played["outcome"].mean(axis=0) / opened.manifest["unit"]
    found = [
        (int(game["outcome"][seat]) / opened.manifest["unit"], usual[seat])
        for game in played
        for seat in range(3)
        if game["entries"][seat * len(events) * len(ids) + place]
    ]
    outcomes, expected = np.array(found).T
    assert geese["n"] == len(outcomes)
    assert geese["outcome"] == pytest.approx(np.mean(outcomes))
    assert geese["share"] == pytest.approx(np.mean(outcomes - expected))
    second = next(row for row in answer["seats"] if row["player"] == "careful")
    assert second["outcome"] == pytest.approx(played["outcome"][:, 1].mean() / 5040)


def test_a_change_is_compared(ask) -> None:
    """A lot that is worth more is shown to have changed, on the same deals."""
    changed = f"harvest+{village(hay=9)}"
    answer = ask("compare", "harvest", changed, *PLAYED[1:], "--out", "c", "--json")
    assert (answer.status, answer.err) == (0, "")
    told = json.loads(answer.out)
    assert (told["paired"], told["same_deals"]) == (True, 1.0)
    verdicts = {row["id"]: row["verdict"] for row in told["comparison"]}
    assert verdicts["hay"] == "more"
    assert "Hay" in Path("c/compare.html").read_text()
    again = ask("compare", "c/base", "c/variant", "--out", "d", "--json")
    assert json.loads(again.out)["comparison"] == told["comparison"]
    mixed = ask("compare", "c/base", "c/base", "--life", "3")
    assert "--life is an option of Mindbug, and c/base c/base is of Games of your" in mixed.err


def test_a_report_tells_what_differs_from_an_earlier_run(ask) -> None:
    """`--before` compares with the run of another fair, and keeps the table; without, it goes."""
    ask("simulate", *PLAYED, "--out", "old")
    answer = ask("balance", village(hay=9), *PLAYED[1:], "--before", "old", "--out", "new")
    assert (answer.status, answer.err) == (0, "")
    assert "Compared with old" in answer.out
    assert Path("new/tables/comparison.csv").exists()
    assert ask("report", "new").status == 0
    assert not Path("new/tables/comparison.csv").exists()


def test_a_rule_ends_a_run(ask) -> None:
    """`--until` watches what this game has to be watched."""
    answer = ask("simulate", *PLAYED[:5], "--until", "5:geese", "--out", "run")
    assert (answer.status, answer.err) == (0, "")
    assert "the outcome of seats with Geese is known to ±5.00 points" in answer.out
    assert open_run("run").manifest["until"]["of"] == "geese"
    seats = ask("simulate", *PLAYED[:5], "--until", "9:seats", "--out", "seats")
    assert "the outcome of each seat is known to ±9.00 points" in seats.out
    wrong = ask("simulate", "harvest", "--until", "5:goose")
    assert (wrong.status, wrong.out) == (2, "")
    assert "--until: 'goose' is no entry; did you mean 'geese'?" in wrong.err


def test_a_game_is_told(ask) -> None:
    """`replay` tells a game in the words of its game."""
    ask("simulate", *PLAYED, "--out", "run")
    told = ask("replay", "run", "7")
    assert told.status == 0
    assert "Seat 2: bid" in told.out
    assert ": won " in told.out


def test_its_speed_is_measured(ask: Callable[..., Answer]) -> None:
    """bench measures what is named, of one game."""
    speeds = json.loads(ask("bench", "harvest", "--seconds", "0.001", "--json").out)
    assert [row["policy"] for row in speeds["engine"]] == ["random", "careful", "bold"]
    assert all(row["decisions"] > row["best"] for row in speeds["engine"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("harvest", "--life", "4"),
            "--life is an option of Mindbug, and harvest is of Games of your own; leave it out",
        ),
        (
            ("first_contact", "--seats", "4"),
            "--seats is an option of Games of your own, and first_contact is of Mindbug; leave it",
        ),
        (("harvest", "--set", "rounds=9"), "rounds is '9'; it must be a whole number from 3 to 6"),
        (("harvest", "--set", "round=4"), "no setting 'round'; did you mean 'rounds'?"),
        (("harvest", "--seats", "4"), "Harvest is played by 3, not by 4"),
        (("harvest", "--policy", "bald"), "no player 'bald'; did you mean 'bold'?"),
        (("harvest", "--policy", "bold:bold"), "names 2 players; name one, or one for each seat"),
        (("harvest", "harvest"), "name one game"),
        (("harvst",), "did you mean 'harvest'?"),
        (("first_contct",), "did you mean 'first_contact'?"),
        (
            ("nothing_like_it",),
            "'nothing_like_it' is not a file, and no game offers it. There are ch1_flight_to_bark",
        ),
        (("--policy", "bold"), "name what is played; there are"),
        (("frst_contact", "--policy", "expert"), "did you mean 'first_contact'?"),
        (("broken.toml",), "broken.toml"),
        (("harvest+broken.toml",), "hay.worth: 99 is not"),
        (("nowhere.py",), "nowhere.py"),
    ],
)
def test_what_is_wrong_is_one_message(ask, words: tuple[str, ...], message: str) -> None:
    """An option of another game, a wrong word, a wrong file: one clear message, nothing played."""
    village(hay=99, geese=10).rename("broken.toml")
    answer = ask("simulate", *words)
    assert (answer.status, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err
    assert not Path("runs").exists()


def test_all_faults_of_a_file_come_at_once(ask) -> None:
    """Both lots that are worth too much are named."""
    village(hay=99, geese=10).rename("broken.toml")
    assert ask("simulate", "broken.toml").err.count("a whole number") == 2


def test_a_file_of_entries_says_its_game(ask) -> None:
    """Entries alone are those of the game that they name, and nothing else is in it."""
    assert ask("simulate", village(hay=9), "--games", "8", "--out", "x").status == 0
    assert b"[lot.hay]\nworth = 9\n" in Path("x/entries.toml").read_bytes()


def test_a_file_is_run_only_where_it_is_named(ask) -> None:
    """Nothing that a folder says runs code: replay needs the rules named, analyze needs none."""
    rules = example("auction", Path())
    assert ask("simulate", rules, "--games", "20", "--seed", "9", "--out", "run").status == 0
    from simcore.contract import finding

    finding._opened.clear()
    assert ask("analyze", "run").status == 0
    refused = ask("replay", "run", "0")
    assert refused.status == 2
    assert "runs such code only where you name it" in refused.err
    assert "--rules auction.py" in refused.err
    assert ask("replay", "run", "0", "--rules", rules).status == 0
    rules.write_text(rules.read_text().replace("best = max", "best = min"))
    finding._opened.clear()
    changed = ask("replay", "run", "0", "--rules", rules)
    assert changed.status == 2
    assert "no longer goes the same way: auction.py has other rules" in changed.err


def test_help_says_how_to_see_the_options_of_each_game(ask) -> None:
    """Options of a game stand in a group, in the help in which it is named."""
    shown = ask("simulate", "--help").out
    assert "--life" not in shown and "--seats" not in shown
    for named, option in (("first_contact", "--life"), ("ch1_flight_to_barksburg", "--party")):
        assert option in ask("simulate", named, "--help").out
    assert shown.splitlines()[-1].split("--help")[1].strip() == "Games of your own"


def test_help_of_a_named_game_is_about_that_game(ask) -> None:
    """Options of other games are left out; its seats, players and settings are listed."""
    rules = example("race", Path())
    for command in ("balance", "ladder", "check"):
        shown = ask(command, rules.name, "--help").out
        assert "Mindbug" not in shown and "--life" not in shown
        assert "Race has:\n  seats (--seats): 3, 2 or 4; 3 by default\n" in shown
        assert "\n  players: random, greedy, careful, learned and search:N\n" in shown
        assert "\n  setting (--set): goal=50, a whole number from 10 to 200\n" in shown
    assert "Games of your own" not in ask("balance", "first_contact", "--help").out
    assert "has:" not in ask("balance", "--help").out


@pytest.mark.parametrize(
    ("name", "options", "event"),
    [
        ("factions", ("--policy", "spend"), "dealt"),
        ("auction", ("--policy", "fair_price"), "won"),
        ("market", ("--policy", "random", "--set", "turns=6"), "chosen"),
    ],
)
def test_examples_go_through_all_doors(
    ask, monkeypatch, name: str, options: tuple[str, ...], event: str
) -> None:
    """A duel of factions, sealed bids and a deck-builder: simulate, balance, replay, play."""
    rules, played = example(name, Path()), ("--games", "200", "--seed", "3", "--out", "run")
    assert ask("simulate", rules, *options, *played).status == 0
    answer = ask("balance", rules, *options, *played, "--json")
    assert (answer.status, answer.err) == (0, "")
    entries = [row for row in json.loads(answer.out)["entries"] if row["is_main"]]
    assert {row["event"] for row in entries} >= {event}
    assert Path("run/report.html").exists()
    told = ask("replay", "run", "3", "--rules", rules)
    assert told.status == 0
    assert "ends with" in told.out
    setting = [word for word in options if "=" in word]
    monkeypatch.setattr("sys.stdin", StringIO("hint\ntable\n" + "1\n" * 60 + "\n"))
    sets = [word for one in setting for word in ("--set", one)]
    match = ask("play", rules, *sets, "--seed", "4", "--out", "game.json")
    assert match.status == 0
    assert "The game is over" in match.out
    again = ask("replay", "game.json", "--rules", rules)
    assert again.status == 0
    assert "ends with" in again.out


@pytest.mark.parametrize("floors", [("simcore",), ("simcore", "analysis"), tuple(games.FLOORS)])
def test_an_unfinished_game_stops_no_other_one(
    ask: Callable[..., Answer],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    floors: tuple[str, ...],
) -> None:
    """A package that lacks contracts, or whose contract breaks, is named and left out."""
    whole = games.names()
    for floor in games.FLOORS:
        for name in (*whole, *(["toy"] if floor in floors else [])):
            file = tmp_path / "packages" / floor / name / "contract.py"
            file.parent.mkdir(parents=True)
            file.touch()
    monkeypatch.setattr(games, "_HOME", tmp_path / "packages")
    monkeypatch.setattr(games, "_left_out", set())
    status, out, err = ask("simulate", *PLAYED, "--dry-run")
    assert status == 0
    assert "1,500" in out
    told = err.splitlines()[0]
    module = f"{[*games.FLOORS][min(len(floors), 2)]}.toy"
    assert "the game 'toy' is not finished" in told
    assert module in told
    assert "left out" in told
    assert "Traceback" not in err
    status, _, err = ask("simulate", "toy", "--dry-run")
    assert status == 2
    assert "Traceback" not in err


def test_commands_of_another_game_are_named_where_it_has_any(ask: Callable[..., Answer]) -> None:
    """Those that the game has, besides the commands of every game."""
    status, _, err = ask("restrict", "harvest")
    assert status == 2
    assert (
        "which has check, ladder, new, prices, rebalance, sensitivity, skill, verdict besides the"
        " commands of every game" in err
    )


def test_a_command_of_another_game_says_so(ask) -> None:
    """A file of rules where only cards of another game can be asked about."""
    rules = example("duel", Path())
    refused = ask("restrict", rules.name)
    assert refused.status == 2
    assert (
        f"restrict is a command of Mindbug, and {rules.name} is of Games of your own" in refused.err
    )
