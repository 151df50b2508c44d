"""The players of a run are those that play under their names today."""

from pathlib import Path

import pytest

from analysis.mice_and_mystics.contract import ANALYSIS
from analysis.runs import Run
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.sealed import RunError

TODAY = fingerprints(["learned"])


def test_a_run_of_other_weights_is_noticed(tmp_path: Path) -> None:
    """A run that was played with other weights of learned is refused; one of these is not."""
    ANALYSIS.check_players(Run(tmp_path, {"policies": ["learned"], "weights": TODAY}))
    ANALYSIS.check_players(Run(tmp_path, {"policies": ["heuristic"]}))
    other = Run(tmp_path, {"policies": ["learned"], "weights": {"learned": "0" * 16}})
    with pytest.raises(RunError, match="was played with other weights of learned than there are"):
        ANALYSIS.check_players(other)
    with pytest.raises(RunError, match=r"the players of .* are not there any more"):
        ANALYSIS.check_players(Run(tmp_path, {"policies": ["lerned"]}))


def test_runs_of_different_weights_differ() -> None:
    """Two runs of learned with different weights are not of the same player."""
    other = {"weights": {"learned": "0" * 16}}
    assert ANALYSIS.differing_player({"weights": TODAY}, other) == "different weights of learned"
    assert ANALYSIS.differing_player({"weights": TODAY}, {"weights": TODAY}) == ""
