"""`fairdeal story`: what it says, its page, its answer for a program, and games to look at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from analysis.mindbug.story import judge_of
from analysis.own_games.story import judge_of as judge_of_own
from analysis.questions.story import STORY_TABLES, Views
from analysis.story_games import _digest, _kept, judge_games
from card_data.mindbug import load_pool
from reports.story.text import done_in, moments, section
from simcore.mindbug.play.run import new_run
from simcore.own_games.run import new_run as own_run
from simcore.own_games.setup import table_named
from simcore.work.hands import Hands
from support.own_games import EXAMPLES
from support.reported import charts_as

_SMALL = "story", "first_contact", "--games", "60", "--seed", "3", "--threads", "1"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a small story is told once."""
    return tmp_path_factory.mktemp("story")


@pytest.fixture
def ask(ask, place: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs a command in the folder."""
    monkeypatch.chdir(place)

    def asked(*words: str):
        with charts_as("svg"):
            return ask(*words)

    return asked


def test_the_first_screen(ask) -> None:
    """One sentence, the fan in characters, figures with intervals, and games that can be told."""
    out = ask(*_SMALL, "--out", "s").done().out
    first = out.partition("\n")[0]
    assert re.search(r"^A game (is decided|stays open)", first)
    assert len(first.split()) <= 20
    assert len(re.findall(r"[^\W\d_]{2,}", out.partition("report:")[0])) <= 150
    assert max(map(len, out.partition("\n\n60 games")[0].splitlines())) <= 80
    assert "░" in out
    assert "●" in out
    assert re.search(r"from below 25% +\d+\.\d% +\(\d+\.\d to \d+\.\d%\)", out)
    commands = re.findall(r"fairdeal replay (s/games \d+)", out)
    assert len(commands) == 3
    told = ask("replay", *commands[0].split(), "--turn", "4").done().out
    assert told.startswith("Turn 4: ")
    status, _, err = ask("replay", *commands[0].split(), "--turn", "400")
    assert (status, "--turn is 400" in err) == (2, True)


def test_it_is_told_again_at_once_and_as_json(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is not judged again; a damaged file is, alone, and comes out the same."""
    ask(*_SMALL, "--out", "s")
    kept = Path("s/views/0000000.npz")
    before = kept.read_bytes()
    kept.write_bytes(before[:-200])
    assert ask(*_SMALL, "--out", "s")[0] == 0
    assert kept.read_bytes()[-50:] == before[-50:]
    # Views of another version of the judge are none of this one's.
    views, judge = Path("s/views"), _digest("analysis.mindbug.story")
    assert _kept(views, range(60), judge) is not None
    assert _kept(views, range(60), _digest("analysis.own_games.story")) is None
    monkeypatch.setattr("analysis.mindbug.story.Judge.watch", None)
    answer = ask(*_SMALL, "--out", "s", "--json").json
    assert answer["games"] == 60
    for name in STORY_TABLES.keys() - {"story_compared"}:
        assert answer[name], name
        assert [*answer[name][0]] == [*STORY_TABLES[name].columns], name
    known = {(row["kind"], row["of"]): row["value"] for row in answer["story"]}
    assert 15 < known["turns", ""] < 40
    assert 0.5 < known["leader", "0.5"] < 1
    kinds = {row["kind"]: row["loss"] for row in answer["story_choices"] if row["third"] == 0}
    assert kinds["play or attack"] > kinds["Mindbug"] > 0
    worth = {row["card_id"]: row["worth"] for row in answer["story_cards"]}
    assert 0.2 < worth["shield_bugs"] < 0.8


def test_the_page(ask) -> None:
    """Every part is there, and what turned each of three games, with the command that tells it."""
    ask(*_SMALL, "--out", "s")
    page = Path("s/story.html").read_text()
    for part in ("leaders", "decision", "choices", "cards", "games", "calibration"):
        assert f'id="{part}"' in page
    assert len(re.findall(r"From \d+% to \d+%\. [^<]+ <code>fairdeal replay", page)) == 9


def test_faults(ask) -> None:
    """What cannot be told is refused in one message."""
    for words, told in (
        (["story"], "name what is played"),
        (["story", "first_contact", "--games", "5"], "--games"),
        (["story", "nowhere"], "nowhere"),
    ):
        ask(*words).refused(told)


def test_views_do_not_depend_on_who_judges(tmp_path: Path) -> None:
    """Two processes and one thread see the same games, of players who know no chances, too."""
    pool = load_pool(["first_contact"])
    spec = new_run(pool, n_games=110, seed=5, policies=("expert", "heuristic"))
    found = [
        judge_games(spec, judge_of, tmp_path / f"{n}", Hands(n), lambda _done, _all: None)
        for n in (1, 2)
    ]
    for one, other in zip(*found, strict=True):
        assert (one == other)[one == one].all()
    assert (tmp_path / "1/0000100.npz").read_bytes() == (tmp_path / "2/0000100.npz").read_bytes()
    assert found[0].view.min() >= 0


def test_what_turned_a_game() -> None:
    """The turns with the largest changes, in their order, and what followed from decisions."""
    assert moments([0.5, 0.6, 0.2, 0.25, 0.9, 1.0], 2) == [3, 5]
    lines = ["Turn 1: A", " ? what: [x]", " A plays x.", "Turn 2: B", " ? y", " ? z", " B wins"]
    assert done_in(lines, 1) == "A plays x."
    assert done_in(lines, 2) == "B wins."
    assert section(lines, 2, only=False) == lines[3:]
    assert section(lines, 3) == []


def test_a_game_of_ones_own_is_told_after_a_balance_too(
    ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Playouts of the game's players judge: sides, cards, and losses that luck does not inflate.

    `balance --story` tells what `story` tells, and finds it again.
    """
    monkeypatch.setattr("reports.own_games.contract._OwnGames.story_games", 24)
    played = str(EXAMPLES / "duel.py"), "--policy", "random", "--threads", "1"
    told = ask("balance", *played, "--games", "100", "--story", "--json").json["story"]
    answer = ask("story", *played, "--json").json
    assert answer == told
    known = {(row["kind"], row["of"]): row["value"] for row in answer["story"]}
    assert known["leader", "0.667"] > 0.7
    assert ("kingmaking", "") not in known
    assert {row["kind"] for row in answer["story_choices"]} == {"draw or play", "play"}
    assert all(-0.1 < row["loss"] < 0.3 for row in answer["story_choices"])
    assert answer["story_cards"]
    games = Path(told["page"]).parent / "games"
    status, out, err = ask("replay", str(games), "3", "--turn", "5")
    assert (status, out.partition("\n")[0]) == (0, "Decision 5: seat 1"), err
    out = ask("balance", *played, "--games", "100", "--story").done().out
    assert out.endswith(f"report: {told['page']}\n")
    assert out.index("Who leads then wins") > out.index("report: ")
    told = ask("balance", *played, "--games", "20", "--story", "--json").json
    few = Path(told["story"]["page"]).parent
    assert json.loads((few / "games" / "manifest.json").read_text())["games"] == 20


def test_all_together_and_three_seats(tmp_path: Path) -> None:
    """The sides are the table and the game where all win together; else each of three seats."""
    together, three = (
        _own_views(name, player, tmp_path)
        for name, player in (("dike", "random"), ("race", "careful"))
    )
    assert together.view.shape[1] == 2
    assert {*together.seat} == {0, 1, 2}
    assert three.view.shape[1] == 3
    np.testing.assert_allclose(three.view.sum(axis=1), 1)
    assert (three.moved < 1).all()
    last = three.turn == three.turns[three.game]
    winner = three.outcome.argmax(axis=1)[three.game]
    assert three.view[np.arange(len(winner)), winner][last].mean() > 0.6


def _own_views(name: str, player: str, folder: Path) -> Views:
    table = table_named(str(EXAMPLES / f"{name}.py"))
    spec = own_run(table, n_games=2, seed=1, players=[player] * table.seats)
    return judge_games(spec, judge_of_own, folder / name, Hands(1), lambda _done, _all: None)


def test_a_chapter_of_mice_and_mystics(ask) -> None:
    """One chance for the table, the more certain the later; options are judged now and then."""
    words = "story", "standin_four_rooms", "--games", "60", "--threads", "1", "--out", "m"
    answer = ask(*words, "--json").json
    known = {(row["kind"], row["of"]): row for row in answer["story"]}
    assert known["leader", "0.667"]["value"] > 0.6
    assert known["comeback", "0.25"]["n_games"] < 60
    assert answer["story_cards"] == []
    kinds = {row["kind"]: row["loss"] for row in answer["story_choices"] if row["third"] == 0}
    assert 0 < kinds["action"] < 0.1
    assert ("empty", "") not in known
    assert ask(*words)[1].startswith("A game ")
    assert 'id="choices"' in Path("m/story.html").read_text()
    assert ask("replay", "m/games", "2", "--turn", "3")[1].startswith("Round 3: ")


def test_two_versions_side_by_side(ask, place: Path) -> None:
    """A stronger card in the second: each figure of both, the difference, and a page with it."""
    card = 'name = "Mine"\n[{0}]\nname = "{1}"\npower = {2}\n'
    (place / "mine.toml").write_text(card.format("giant", "Giant", 10) + "copies = 9\n")
    words = "story", "first_contact", "--policy", "heuristic", "--games", "40", "--threads", "1"
    more = "--beside", "first_contact+mine.toml", "--out", "two"
    out = ask(*words, *more).done().out
    assert re.search(r"leader wins, at half time +\d+\.\d → \d+\.\d +[+−0]", out)
    rows = json.loads(ask(*words, *more, "--json")[1])["story_compared"]
    [turns] = [row for row in rows if row["kind"] == "turns"]
    assert turns["difference"] == pytest.approx(turns["value_after"] - turns["value_before"])
    assert turns["difference_ci_low"] < turns["difference"] < turns["difference_ci_high"]
    assert 'id="versions"' in Path("two/story.html").read_text()
    assert Path("two/beside/views/0000000.npz").exists()
