"""The shared commands on Mice & Mystics: a chapter goes through the same doors as a pool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.mice_and_mystics import replays
from analysis.tables import read_tables
from card_data import cache
from reports.cli.app import run
from simcore.mice_and_mystics.face.replay import replay_game
from simcore.mice_and_mystics.table.table import Table
from simcore.narration import Replay
from simcore.work.parts import read_manifest
from support.browser import NEEDS_BROWSER, Open, check_frame
from support.reported import with_axes

CHAPTER = "ch1_flight_to_barksburg"
#: A hero of a designer's own in the place of one of the game.
MINE = """\
[hero.nez]
name = "Nez the Short"
classes = ["tinkerer", "warrior"]
battle = 2
defense = 3
lore = 1
move = 0
life = 4
starting_gear = ["nez_hammer"]
confidence = "assumed"
source = "ours"
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all parties, analysed and reported."""
    folder = tmp_path_factory.mktemp("doors") / "run"
    asked = ["balance", CHAPTER, "--party", "all", "--games", "400", "--seed", "3"]
    assert run([*asked, "--policy", "category", "--out", str(folder)]) == 0
    return folder


def test_balance_leaves_a_whole_run_folder(played: Path) -> None:
    """Games, tables and the report lie in the folder, and the manifest says what was played."""
    manifest = json.loads((played / "manifest.json").read_text())
    assert manifest["game"] == "mice_and_mystics"
    assert manifest["settings"]["party"] == []
    assert (played / "report.html").is_file()
    tables = read_tables(played)
    assert tables["parties"]["n_games"].sum() == 400
    assert len(tables["parties"]) == 4


def test_the_three_steps_are_the_main_job(ask, played: Path) -> None:
    """simulate, analyze and report give the tables of balance, in any number of threads."""
    options = ["--party", "all", "--games", 400, "--seed", 3, "--policy", "category"]
    assert ask("simulate", CHAPTER, *options, "--threads", 1, "--out", "one").status == 0
    assert ask("analyze", "one").status == 0
    assert ask("report", "one", "--format", "md").status == 0
    for name, table in read_tables("one").items():
        assert table.equals(read_tables(played)[name]), name


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ([], "--party all --set parties=any"),
        (["--party", "all"], "--set parties=any"),
        (["--party", "all", "--set", "parties=any"], ""),
    ],
)
def test_a_hero_whom_nobody_plays_is_told(
    ask, caplog: pytest.LogCaptureFixture, said: list[str], advice: str
) -> None:
    """Told with what plays them; and a report says of no such hero that they have played."""
    cache.told.cache_clear()
    mo = MINE.replace("nez]", "mo]").replace("Nez the Short", "Mo").replace("nez_hammer", "dagger")
    Path("mo.toml").write_text(mo)
    asked = ["balance", f"{CHAPTER}+mo.toml", *said, "--games", 300, "--policy", "category"]
    answer = ask(*asked, "--assumptions", 0, "--stronger", "none", "--out", "run").done()
    told = f"Your Mo is in no game here; to play every set of heroes, add '{advice}'"
    assert (told in caplog.messages) == bool(advice)
    assert ("Mo" in answer.out) == (not advice)
    assert "of your own played" not in answer.out
    if not any("any" in word for word in said):
        ask("verdict", "mo.toml", CHAPTER).refused(
            f"fairdeal: nothing in mo.toml comes up in {CHAPTER}; '--set parties=any' plays heroes"
            " whom a chapter does not allow\n",
            lines=1,
        )


def test_a_party_is_named_in_any_order(ask) -> None:
    """The party is put into the order of the data, and stands in the name of the folder."""
    manifest = ask(
        "simulate", CHAPTER, "--party", "filch, tilda,nez,collin", "--games", 3, "--json"
    ).json
    assert manifest["party"] == ["collin", "nez", "tilda", "filch"]
    assert manifest["run"].startswith(f"runs/{CHAPTER}-collin+nez+tilda+filch-learned-20")


def test_a_switch_changes_the_run_and_its_folder(ask) -> None:
    """``--set`` is part of what is played, so of the manifest and the name."""
    manifest = ask("simulate", CHAPTER, "--set", "page_end=4", "--games", 30, "--json").json
    assert manifest["settings"]["page_end"] == 4
    assert "page_end-4" in manifest["run"]


def test_own_entries_join_the_chapter(ask) -> None:
    """A file of a designer's own behind a plus sign changes a hero, and the folder's name."""
    Path("mine.toml").write_text(MINE)
    manifest = ask("simulate", f"{CHAPTER}+mine.toml", "--games", 5, "--json").json
    assert "Nez the Short" in manifest["hero_names"]
    assert manifest["run"].startswith(f"runs/{CHAPTER}-")


def test_a_rule_ends_the_run(ask) -> None:
    """``--until`` plays until the win rate is known."""
    answer = ask("simulate", CHAPTER, "--until", "5").done()
    assert "the win rate is known to ±5.0" in " ".join(answer.out.split())


@pytest.fixture(scope="module")
def easier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of a chapter with one that has more time."""
    folder = tmp_path_factory.mktemp("easier") / "c"
    asked = ["compare", CHAPTER, "--variant-set", "page_end=8", "--games", "300"]
    with with_axes():
        assert run([*asked, "--out", str(folder)]) == 0
    return folder


def test_an_end_page_later_is_easier(ask, easier: Path) -> None:
    """compare plays both sides on the same luck and tells the change of the win rate."""
    answer = ask("compare", easier / "base", easier / "variant", "--json").json
    assert answer["paired"]
    row = next(row for row in answer["comparison"] if row["measure"] == "win_rate")
    assert row["difference_ci_low"] > 0


@NEEDS_BROWSER
def test_the_page_of_a_comparison_in_a_browser(easier: Path, open_file: Open) -> None:
    """It has the frame of all pages, and one chart that shows what changed."""
    page = open_file(easier / "compare.html")
    check_frame(page)
    assert page.locator("#overview svg").count() == 1
    table = page.get_by_role("region", name="Table of differences")
    assert table.get_by_text("Games lost: out of pages").count() == 1
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{page.url.partition('#')[0]}#lines")
    headings = table.locator("thead th").all_inner_texts()
    assert len(headings) >= 3, "on a phone, what a line is about and how it was"


def test_a_game_is_told(ask, played: Path) -> None:
    """replay tells the game that the record is of."""
    answer = ask("replay", played, 7, "--json").json
    assert answer["record"]["game"] == 7
    rounds = [line for line in answer["lines"] if line.startswith("Round ")]
    assert len(rounds) == answer["record"]["rounds"]
    frames = [line for line in answer["lines"] if line.startswith("    +--")]
    assert len(frames) >= 2 * answer["record"]["rooms_explored"]
    assert all(len(line) <= 76 for line in answer["lines"] if line.startswith("    |"))


def test_games_of_other_facts_are_refused(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose facts were edited, or whose games another engine played, is not told."""
    assert ask("simulate", CHAPTER, "--games", 2, "--out", "run").status == 0
    with monkeypatch.context() as patch:

        def other(table: Table, *, seed: int, game: int, players: tuple[str, ...]) -> Replay:
            return replay_game(table, seed=seed, game=game + 1, players=players)

        patch.setattr(replays, "replay_game", other)
        answer = ask("replay", "run", 0)
    assert answer.status == 2
    assert "played by another version of the engine; play the run again" in answer.err
    facts = Path("run/facts.toml")
    whole = facts.read_text()
    for change in (
        ("battle = 2", "battle = 3"),
        ('name = "Prince Collin"', 'name = "Duke Collin"'),
    ):
        facts.write_text(whole.replace(*change, 1))
        answer = ask("replay", "run", 0)
        answer.refused("facts.toml is not what was written there; repeat the command")
    Path("run/checksums.json").unlink()
    facts.write_text(whole.replace("battle = 2", "battle = 3", 1))
    answer = ask("replay", "run", 0)
    answer.refused("are not those of the run; repeat the command that made the run")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--party", "colin,nez,tilda,filch"], "did you mean 'collin'?"),
        (["--party", "collin,nez,tilda"], "3 heroes are named; chapter"),
        (["--party", "nez,tilda,filch,maginos"], "it needs collin"),
        (["--party", ""], "--party is empty"),
        (["--set", "page_ned=7"], "did you mean 'page_end'?"),
        (["--set", "page_end"], "write page_end=VALUE"),
        (["--set", "surge_timing=at_onc"], "did you mean 'at_once'?"),
        (["--policy", "heuristc"], "did you mean 'heuristic'?"),
        (["--policy", ""], "'' names no player"),
        (["--policy", "uniform:uniform"], "names 2 players"),
        (["--until", "0.2:maginos"], "in a run of one party"),
        (["--until", "0.2:Filch"], "what a hero is worth cannot be known in a run of one party"),
        (["--until", "0.2:Filhc"], "did you mean 'filch'?"),
        (["--life", "4"], "is an option of Mindbug"),
    ],
)
def test_bad_input_gets_one_clear_message(ask, arguments: list[str], message: str) -> None:
    """What is wrong, the nearest valid word, and exit status 2."""
    ask("balance", CHAPTER, "--games", 10, *arguments).refused(message)


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *((one, "--policy") for one in ("balance", "simulate", "sensitivity", "rebalance")),
        ("compare", "--policy"),
        ("play", "--player"),
        ("skill", "--players"),
    ],
)
def test_a_player_for_each_hero_plays_the_hero_in_its_place(ask, command: str, option: str) -> None:
    """Mice sit in the order of the game: a party in another gave Filch's player to Collin."""
    players = "uniform:heuristic:heuristic:heuristic"
    said = [option, players if command != "skill" else f"heuristic,{players}"]
    said += ["--variant-set", "page_end=7"] if command == "compare" else []
    ask(command, CHAPTER, "--party", "filch,tilda,nez,collin", *said).refused(
        "in the order of the game, 'collin,nez,tilda,filch'"
    )


@pytest.mark.parametrize("command", ["ladder", "restrict"])
def test_a_question_of_the_other_game_is_refused_in_words(ask, command: str) -> None:
    """A command that Mice & Mystics lacks says whose it is, and what there is instead."""
    answer = ask(command, CHAPTER)
    assert answer.status == 2
    said = " ".join(answer.err.split())
    assert f"{command} is a command of Mindbug, and {CHAPTER} is of Mice & Mystics" in said
    assert "rebalance, rooms, sensitivity, skill, train, verdict besides" in said


def test_all_faults_at_once(ask) -> None:
    """Party and switches are read together."""
    ask(
        "balance", CHAPTER, "--party", "colin,nez,tilda,filch", "--set", "page_ned=7"
    ).refused_at_once("did you mean 'collin'?", "did you mean 'page_end'?")


def test_a_stronger_player_plays_beside_a_run(ask) -> None:
    """Where nobody is named `search:16` plays beside `learned`; all say how much it moves."""
    said = "balance", CHAPTER, "--party", "all", "--games", 40, "--assumptions", 0, "--out", "r"
    answer = ask(*said, "--json").json
    told = "Played by search:16, a stronger player,"
    assert any(told in one["text"] for one in answer["findings"])
    assert answer["stronger"][0]["party"] == "all"
    assert len(answer["stronger"]) == 1 + len(answer["parties"])
    manifest = read_manifest(Path("r/stronger/search-16"))
    assert (manifest["policies"], manifest["games"], manifest["seed"]) == (["search:16"], 40, 1)
    page = Path("r/report.html").read_text()
    assert "search:16 moves that by" in page
    assert "Table of what a stronger player moves" in page
    # It stays known to the report, and to a command that lets nobody play.
    assert ask("report", "r").status == 0
    assert "search:16 moves that by" in Path("r/report.html").read_text()
    assert told in ask(*said, "--stronger", "none", "--json").out
    nobody = "balance", CHAPTER, "--policy", "uniform", "--games", 40, "--assumptions", 0
    assert told not in ask(*nobody, "--out", "u", "--json").out
    assert not Path("u/stronger").exists()
    ask(*nobody, "--stronger", "uniform").refused("who plays the main games already")


def test_a_stronger_player_plays_both_sides(ask) -> None:
    """`compare` plays both sides once more, and ends with nothing that has to be typed."""
    said = "compare", CHAPTER, "--variant-set", "page_end=8", "--games", 40, "--out", "c"
    out = " ".join(ask(*said).out.split())
    assert "Played by search:16, a stronger player, the win rate changes by" in out
    assert read_manifest(Path("c/stronger/search-16/variant"))["games"] == 40
    page = Path("c/compare.html").read_text()
    assert "Table of what a stronger player moves" in page
    assert "search:16 moves that by" in page
    again = ask("compare", "c/base", "c/variant", "--out", "d").out
    assert "search:16" not in again
