"""`fairdeal verdict ENTRY my_game.py`, against truths that are known by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.own_games import options
from simcore.contract import learning
from simcore.contract.learning import Lessons
from support.own_games import HIGHER, example, ranks

RANKS = ranks(range(1, 10))
GAMES = ("--games", 1_000, "--policy", "random")


@pytest.fixture
def higher(tmp_path: Path) -> Callable[[str], None]:
    """Writes the game with a measure."""

    def write(measure: str) -> None:
        Path("higher.py").write_text(HIGHER.replace("MEASURE", measure))
        Path("higher.toml").write_text(RANKS)

    return write


@pytest.mark.parametrize(
    ("measure", "said"),
    [("share", "seats that are dealt it do"), ("swap", "seats that have it do")],
)
def test_a_card_that_always_wins(
    ask, higher: Callable[[str], None], measure: str, said: str
) -> None:
    """The best of nine is worth one half, whether beside all seats or beside any other rank.

    With rank r it beats r - 1 of eight and is level with one: 6 points too much with rank 5.
    """
    higher(measure)
    done = ask("verdict", "card9", "higher.py", *GAMES, "--band", 8, "--out", "of", "--json")
    told = done.json
    [row] = told["verdict"]
    assert row["measure"] == measure and row["verdict"] == "too strong"
    assert row["worth_ci_low"] - 1e-9 <= 0.5 <= row["worth_ci_high"] + 1e-9
    assert row["worth_ci_high"] - row["worth_ci_low"] < 0.15
    assert said in told["sentence"]
    [proposed] = [one for one in told["verdict_changes"] if one["proposed"]]
    assert (proposed["change"], proposed["amount"]) == ("rank 9 \u2192 5", 4)
    assert proposed["worth_ci_low"] < 0.0625 < proposed["worth_ci_high"]
    assert Path(told["proposal"]).read_text() == 'game = "higher"\n\n[card.card9]\nrank = 5\n'
    again = next(one["text"] for one in told["findings"] if one["topic"] == "To play the proposal")
    done = ask(*again.split()[1:], "--json")
    assert done.json["verdict"][0]["verdict"] in ("fair", "needs more games")
    page = Path(told["page"]).read_text()
    assert "Card9 is too strong" in page and "rank 9 \u2192 5" in page
    # Games that came out otherwise are told where others take its place.
    games = told["verdict_games"]
    assert [one["won"] for one in games] == [True] * len(games)
    assert bool(games) == (measure == "swap") == ("average card in its place" in page)


def test_what_was_finished_is_not_played_again(ask, higher: Callable[[str], None]) -> None:
    """The same command gives the same bytes, with other threads too; a changed file is refused."""
    higher("share")
    asked = ("verdict", "card1", "higher.py", *GAMES, "--out", "of")
    first = ask(*asked)
    files = {path: path.read_bytes() for path in Path("of").rglob("*.parquet")}
    times = {path: path.stat().st_mtime_ns for path in files if "games" in path.parts}
    assert ask(*asked, "--threads", 2).out == first.out
    assert {path: path.read_bytes() for path in files} == files
    assert {path: path.stat().st_mtime_ns for path in times} == times
    Path("higher.toml").write_text(RANKS.replace("rank = 7", "rank = 6"))
    ask(*asked).refused("other")


def test_the_entries_of_a_file_are_judged_one_after_another(
    ask, higher: Callable[[str], None]
) -> None:
    """With what it changes; more players are set beside the first."""
    higher("share")
    Path("mine.toml").write_text("[card.card1]\nrank = 9\n\n[card.more]\nrank = 5\n")
    first, more = ask(
        *("verdict", "mine.toml", "higher.py", *GAMES, "--json", "--stronger", "search:2")
    ).json["verdicts"]
    assert (first["entry"], more["entry"]) == ("card1", "more")
    assert first["verdict"][0]["verdict"] == "too strong"
    assert [row["policy"] for row in more["verdict"]] == ["random", "search:2"]
    assert "The same is true with search:2 playing: " in first["sentence"]


def test_what_a_verdict_costs_is_told_before(ask, higher: Callable[[str], None]) -> None:
    """At least the run, and games with changes; nothing is written."""
    higher("share")
    told = ask("verdict", "card1", "higher.py", *GAMES, "--dry-run", "--json").json
    assert told["games"] == 1_000 + 250  # its rank can only be more
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("crad9", "higher.py"), "ENTRY: Higher has no entry 'crad9'; did you mean 'card9'?"),
        (("nothing", "higher.py"), "there are card1, card2, "),
        (("card1", "hihger.py"), "did you mean 'higher.py'?"),
        (
            ("card1", "higher.py", "--policy", "random:search:2"),
            "name one player, who plays in all",
        ),
        (("card1", "higher.py", "--policy", "rnadom"), "did you mean 'random'?"),
        (("card1", "higher.py", "--stronger", "random"), "who plays the main games already"),
        (("card1", "higher.py", "--seats", "3"), "Higher is played by 2, not by 3"),
        (("mine.toml", "higher.py"), "mine.toml: there is no such file"),
        (("none.toml", "higher.py"), "none.toml:1:1: there is nothing in this file"),
    ],
)
def test_what_cannot_be_asked_is_told(
    ask, higher: Callable[[str], None], words: tuple[str, ...], message: str
) -> None:
    """One message, status 2, before anybody plays; nothing is written."""
    higher("share")
    Path("none.toml").write_text("")
    ask(
        "verdict", *words, *(() if "--policy" in words else ("--policy", "random"))
    ).refused_at_once(message)


def test_an_entry_without_numbers_has_a_verdict_too(ask) -> None:
    """Only in whose hand it is is known of it."""
    source = HIGHER.replace('"MEASURE"', '""').replace("Rules, Whole", "Rules, Words")
    source = source.replace('{"rank": Whole(1, 9)}', '{"rank": Words(["high"])}')
    Path("higher.py").write_text(source.replace("hand[0].rank", "len(hand[0].rank)"))
    Path("higher.toml").write_text('[card.high]\nrank = ["high"]\n\n[card.low]\nrank = []\n')
    done = ask("verdict", "high", "higher.py", *GAMES).done()
    assert "High is too strong: " in done.out
    assert "It has no numbers that could be changed." in done.out


def test_the_two_strongest_play(ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best of a short ladder, then the next; nobody is set beside a player who was named."""
    monkeypatch.setattr(options, "_ranked", {})  # it is told when they are ranked
    monkeypatch.setattr(learning, "LESSONS", dict.fromkeys((True, False), Lessons(2, 600)))
    example("factions", tmp_path)
    done = ask("verdict", "pup", "factions.py", "--games", 100, "--dry-run", "--json").done()
    assert (
        "spend, then learned play: the strongest of random, greedy, spend and learned" in done.err
    )
    plans = json.loads(done.out)["plays"]
    assert len(plans) == 2
    done = ask("verdict", "pup", "factions.py", "--policy", "greedy", "--dry-run", "--json")
    assert len(done.json["plays"]) == 1 and done.err == ""
