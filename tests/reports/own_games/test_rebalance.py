"""`fairdeal rebalance my_game.py`, where the right proposal is known."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from support.own_games import HIGHER, ranks

FEW = ("--policy", "random", "--games", 400, "--confirm", 1_500, "--band", 8)


@pytest.fixture
def higher(tmp_path: Path) -> Callable[..., None]:
    """Writes a game in which the higher card wins: its measure, and its ranks."""

    def write(some: Iterable[int], measure: str = "share") -> None:
        Path("higher.py").write_text(HIGHER.replace("MEASURE", measure))
        Path("higher.toml").write_text(ranks(some))

    return write


@pytest.mark.parametrize("measure", ["share", "swap"])
def test_the_smallest_set_of_changes_is_found(
    ask, higher: Callable[..., None], measure: str
) -> None:
    """Of three ranks each beats the next: only equal ones are fair, and the middle one is nearest.

    The highest of three wins with both others and is level with itself: worth one half.
    """
    higher((4, 5, 6), measure)
    done = ask("rebalance", "higher.py", *FEW, "--out", "of", "--json")
    told = done.json
    assert (told["outcome"], told["verdict"], told["amount"]) == ("proposal", "met", 2)
    assert told["proposal"] == ["cards:card4:rank=5", "cards:card6:rank=5"]
    before = {row["entry"]: row for row in told["goals"]}
    assert {row["measure"] for row in told["goals"]} == {measure}
    for entry, worth in (("card4", -0.5), ("card5", 0), ("card6", 0.5)):
        row = before[entry]
        assert row["before_ci_low"] - 0.01 <= worth <= row["before_ci_high"] + 0.01
        assert (row["after"], row["after_verdict"]) == (pytest.approx(0, abs=1e-9), "met")
    assert Path("of/proposal.toml").read_text() == (
        'game = "higher"\n\n[card.card4]\nrank = 5\n\n[card.card6]\nrank = 5\n'
    )
    page = Path(told["page"]).read_text()
    assert "Proposed: Card4: rank 4 → 5 and Card6: rank 6 → 5" in page and page.count("<svg") == 2
    balance, compare = (shlex.split(line)[1:] for line in told["to_play"])
    assert balance[0] == "balance" and compare[0] == "compare"
    for line in (balance, compare):
        done = ask(*line, "--games", 200, "--json").done()


def test_nothing_needs_to_change(ask, higher: Callable[..., None]) -> None:
    """Where all ranks are equal; and what was played is not played again."""
    higher((4, 5))
    Path("higher.toml").write_text(ranks((4, 5)).replace("4\n", "5\n"))
    asked = ("rebalance", "higher.py", *FEW, "--out", "of")
    done = ask(*asked).done()
    assert "No proposal: Nothing needs to change" in done.out
    assert "All 2 entries are within the band, from 0.0 to 0.0 points" in " ".join(done.out.split())
    assert not Path("of/proposal.toml").exists()
    times = {path: path.stat().st_mtime_ns for path in Path("of").rglob("games/*.parquet")}
    assert times and ask(*asked, "--threads", 2).out == done.out
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_what_is_kept_stays_and_what_is_named_alone_is_judged(
    ask, higher: Callable[..., None]
) -> None:
    """The best of nine is fair with the middle rank, as a verdict on it says."""
    higher(range(1, 10))
    told = ask(
        *("rebalance", "higher.py", *FEW, "--only", "card9,card1", "--keep", "card1"),
        *("--step", 4, "--json", "--out", "of"),
    ).json
    assert [row["entry"] for row in told["goals"]] == ["card1", "card9"]
    asked = json.loads(Path("of/rebalance.json").read_text())["changes"]
    assert asked == {f"cards:card9:rank={rank}": 9 - rank for rank in (5, 6, 7, 8)}
    assert told["front"][-1]["in_words"] == "Card9: rank 9 → 5"


def test_what_a_search_costs_is_told_before(ask, higher: Callable[..., None]) -> None:
    """A hundred candidates, each with what is played beside it, and two fresh plans."""
    higher((4, 5, 6), "swap")
    told = ask("rebalance", "higher.py", *FEW, "--dry-run", "--json").json
    assert told["games"] == 100 * 4 * 400 + 2 * 1_500
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--only", "crad4"), "--only: there is no number or entry 'crad4'; did you mean 'card4'?"),
        (("--keep", "rnak"), "--keep: there is no number or entry 'rnak'; did you mean 'rank'?"),
        (("--changes", "decks"), "--changes: there is no number or entry 'decks'"),
        (("--band", "0"), "--band is 0; it must be above 0"),
        (("--budget", "500"), "not even two candidates of 400"),
        (("--policy", "random:search:2"), "name one player, who plays in all seats"),
        (("--seats", "3"), "Higher is played by 2, not by 3"),
    ],
)
def test_what_cannot_be_asked_is_told(
    ask, higher: Callable[..., None], words: tuple[str, ...], message: str
) -> None:
    """One message, status 2, before anybody plays; nothing is written."""
    higher((4, 5, 6))
    usual = dict(zip(FEW[::2], FEW[1::2], strict=True)) | {words[0]: words[1]}
    ask("rebalance", "higher.py", *(one for pair in usual.items() for one in pair)).refused_at_once(
        message
    )
