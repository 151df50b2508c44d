"""The agreement of judges with a reference: what is planted in made-up games is found."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from analysis.mindbug import analyze
from support.agreement import Agreement, agreement_of, row
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

N_CARDS = 24
WORTH = np.linspace(-0.03, 0.03, N_CARDS)
#: The reference has the weakest card for the strongest and the reverse, and others a little moved.
MOVED = np.roll(WORTH, 2)
JUDGES, REFERENCE = ("expert", "expert=other.npz"), "search:25"


def played(folder: Path, player: str, worth: np.ndarray, seed: int) -> Path:
    """A run among players for whom cards have these worths."""
    table = synthetic_cards(N_CARDS)
    games = synthetic_games(table, 20_000, seed=seed, worth=worth)
    synthetic_run(folder, table, games, policies=(player, player), seed=seed)
    return folder


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Runs of two players who judge alike."""
    place = tmp_path_factory.mktemp("judges")
    return [
        played(place / f"{seed}", player, WORTH, seed)
        for seed, player in enumerate(JUDGES, start=1)
    ]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a reference for which two cards are on the other side."""
    return played(tmp_path_factory.mktemp("reference") / REFERENCE, REFERENCE, MOVED, seed=3)


@pytest.fixture(scope="module")
def moved(judges: list[Path], reference: Path) -> Agreement:
    """The agreement of the judges with that reference."""
    return agreement_of([*judges, reference])


def test_who_judges_alike_agrees(judges: list[Path]) -> None:
    """Two players for whom all cards are worth the same correlate by nearly one."""
    found = agreement_of(judges)
    assert found.rank_correlation[1] > 0.9
    assert found.n_opposite == 0 and found.apart.empty


def test_a_planted_correlation_is_found(moved: Agreement) -> None:
    """The interval holds the rank correlation of what was planted, and is narrow."""
    middle, low, high = moved.rank_correlation
    truth = spearmanr(WORTH, MOVED)[0]
    assert low < truth < high and high - low < 0.15 and low < middle < high
    assert moved.raw_rank_correlation == pytest.approx(middle, abs=0.1)
    least, known, most = (moved.difference[place] for place in (1, 0, 2))
    assert least < np.std(MOVED - WORTH) < most and least < known < most


def test_planted_opposites_are_counted(moved: Agreement) -> None:
    """Of the cards those count that are far from the average on different sides."""
    assert (moved.n_cards, moved.n_opposite) == (N_CARDS, 2)
    first = moved.apart.iloc[:2]
    assert set(first["name"]) == {"Card 0", "Card 1"}
    assert (first["judges"] < -0.02).all() and (first["reference"] > 0.02).all()


def test_the_error_is_that_of_the_reference(reference: Path, moved: Agreement) -> None:
    """A card with two of 48 copies is dealt in about two of three games of twenty cards."""
    assert moved.n_games == 20_000
    assert 0.002 < moved.std_err <= moved.worst_std_err < 0.006
    alone = analyze(reference)["cards"]["std_err"]
    assert moved.std_err == pytest.approx(alone.mean())
    assert moved.worst_std_err == pytest.approx(alone.max())


def test_the_row_says_what_was_found(judges: list[Path], reference: Path, moved: Agreement) -> None:
    """A row has the pool, the reference, its games, the correlations and the cards apart."""
    cells = [cell.strip() for cell in row("made_up", [*judges, reference]).strip("|").split("|")]
    assert cells[:3] == ["made up", f"`{REFERENCE}`", "20,000"]
    assert cells[4].startswith(f"{moved.rank_correlation[0]:.2f} (")
    assert cells[5] == f"{moved.raw_rank_correlation:.2f}"
    assert cells[6].startswith(f"{100 * moved.difference[0]:.1f} (")
    assert cells[7] == f"2 of {N_CARDS}" and cells[8].count("Card ") == 3
