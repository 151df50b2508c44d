"""What the studio's list of versions says of each."""

from __future__ import annotations

import pytest

from reports.games import reports_of
from reports.studio.history import Version
from reports.studio.trial_views import history_part

from .conftest import CARDS

BENCH = reports_of("mindbug").studio
FAULTY, OTHER = CARDS.replace("= 5", "= 500"), CARDS.replace("marsh_lantern", "other")


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (CARDS, CARDS.replace("= 5", "= 6"), "Marsh Lantern: power 5 → power 6"),
        (CARDS, FAULTY, "Marsh Lantern has a fault"),
        (FAULTY, CARDS, "Marsh Lantern had a fault before"),
        (CARDS, "[marsh_lantern", "Marsh Lantern has a fault"),
        (CARDS, OTHER, "Marsh Lantern is gone"),
        (OTHER, CARDS, "Marsh Lantern is new"),
        (CARDS, f"# mine\n{CARDS}", "nothing that is played"),
    ],
)
def test_what_a_version_has_changed(before: str, now: str, said: str) -> None:
    """New, gone and changed cards are named; one with a fault is not said to be gone."""
    assert BENCH is not None
    known = [(Version("2", "2026-01-02T03:04"), now), (Version("1", "2026-01-02T03:03"), before)]
    assert said in history_part(BENCH, "mine.toml", known)
