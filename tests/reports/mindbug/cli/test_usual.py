"""What is played where nothing is said of who plays, and of how much."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.mindbug.experiments import usual
from card_data.mindbug import available_sets, load_pool
from reports.mice_and_mystics.cli.options import load_chapter
from simcore.work.parts import read_manifest


def test_a_run_is_played_by_the_usual_player_to_the_usual_precision(
    ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command without options is one with both of them."""
    monkeypatch.setattr(usual, "_PRECISION", {0: "20"})
    assert ask("simulate", "first_contact", "--out", "run").status == 0
    manifest = read_manifest(Path("run"))
    assert manifest["policies"] == ["expert", "expert"]
    assert (manifest["until"]["precision"], manifest["until"]["of"]) == (20, "cards")
    said = "--policy", "expert", "--until", "20"
    assert ask("simulate", "first_contact", *said, "--out", "run").status == 0
    other = ask("simulate", "first_contact", "--policy", "random", "--out", "run")
    assert "run holds a run with policy expert, not random" in other.err


def test_precision_by_the_size_of_the_pool() -> None:
    """A card of a large pool is dealt less often, so it is known less well in the same time."""
    of_pools = [["promos"], ["first_contact", "king_of_tokyo"], available_sets()]
    assert [usual.precision(load_pool(names)) for names in of_pools] == ["0.5", "1", "1.5"]


@pytest.mark.parametrize(("party", "precision"), [(None, "0.2"), ("all", "0.7:parties")])
def test_precision_of_one_party_and_of_all(party: str | None, precision: str) -> None:
    """The win rate of the one that plays, or those of each."""
    assert load_chapter("ch1_flight_to_barksburg", party, ()).precision == precision
