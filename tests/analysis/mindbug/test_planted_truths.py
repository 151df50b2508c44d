"""The experiments of docs/data/planted_truths.csv, a few runs of each."""

from collections.abc import Callable

import pytest

from support import planted_truths
from support.planted_comparisons import (
    KING_OF_TOKYO,
    MIXTURE,
    known_together,
    nothing_changed,
    one_changed,
)
from support.planted_controls import controls
from support.planted_panel import BUDGETS, further
from support.planted_shrinkage import pairs, treatments
from support.planted_truths import (
    Share,
    broken_card,
    corrected_coverage,
    coverage,
    coverage_of_whole_games,
    identical_cards,
    paired_coverage,
    parts_coverage,
    stronger_twin,
    twins,
)

SEEDS = range(1, 9)


@pytest.mark.parametrize(
    "experiment",
    [
        lambda: identical_cards(SEEDS, 4000),
        lambda: twins(SEEDS, 4000),
        lambda: stronger_twin(SEEDS, 1000),
        lambda: broken_card(SEEDS, 10_000),
        lambda: coverage(SEEDS, 4000, 200_000),
        lambda: coverage_of_whole_games(["king_of_tokyo"], SEEDS, (1000,), 40_000),
        lambda: paired_coverage(SEEDS, 4000, 100_000),
        lambda: corrected_coverage(SEEDS, 4000, 100_000),
        lambda: parts_coverage(SEEDS, 4000, 200_000),
        lambda: nothing_changed(KING_OF_TOKYO, SEEDS[:4], 1000, paired=True),
        lambda: one_changed(KING_OF_TOKYO, "mechamster", 6, SEEDS[:3], 4000, 50_000),
        lambda: known_together(MIXTURE, 4, SEEDS, 200_000),
        lambda: controls(range(1, 41), 400),
        lambda: pairs(SEEDS[:4], 60_000, 1_000_000),
        lambda: treatments(SEEDS[:4], 6_000, 50_000, "heuristic"),
        lambda: further(range(1, 61), BUDGETS["two"], None),
        lambda: further(range(1, 61), BUDGETS["two"], 0.01),
    ],
    ids=[
        *("identical", "twins", "stronger", "broken", "coverage", "whole_games", "comparisons"),
        *("corrected comparisons", "parts"),
        *("nothing changed", "one changed", "known together", "controls"),
        *("shrunk pairs", "shrunk treatments", "further player", "players far apart"),
    ],
)
def test_what_is_planted_is_found_and_nothing_else(experiment: Callable[[], list[Share]]) -> None:
    """No share contradicts what the statistics promise: so few runs cannot show it."""
    shares = experiment()
    assert all(share.of > 0 for share in shares)
    assert [share.what for share in shares if share.fails] == []


def test_processes_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results come in the order of the inputs; what a process does in turn it does by itself."""

    def work(one: int) -> list[int]:
        return planted_truths.of_each(lambda other: one * other, range(3))

    alone = planted_truths.of_each(work, range(40))
    monkeypatch.setattr(planted_truths, "processes", 2)
    assert planted_truths.of_each(work, range(40)) == alone
    assert alone[7] == [0, 7, 14]


def test_a_broken_promise_is_seen() -> None:
    """Too many false flags, or intervals that miss too often, fail; it takes many to hold."""
    assert Share("flags", 25, 200, most=0.05).fails
    assert Share("covered", 900, 1000, 0.93, 0.97).fails
    few = Share("covered", 95, 100, 0.93, 0.97)
    assert not few.holds and not few.fails
    assert Share("covered", 950, 1000, 0.93, 0.97).holds
