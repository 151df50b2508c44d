"""Games of a run, played once more and compared with their records."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import numpy as np

from analysis.runs import Run
from simcore.sealed import RunError
from simcore.work.parts import deal_of, place_of


class _Played(Protocol):
    """A game that was played once more."""

    @property
    def record(self) -> np.void: ...


_Told = TypeVar("_Told", bound=_Played)


def play_again(run: Run, game: int, play: Callable[[int, int], _Told]) -> _Told:
    """Game number ``game`` of a run, as ``play`` tells it from its seed and its number there.

    Raises RunError when the part is damaged or this version plays the game otherwise, ValueError
    when the run has no such game.
    """
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    part, place = place_of(run.manifest, game)
    seed, number = deal_of(run.manifest, game)
    record = run.part(part)[place]
    record["game"] = number
    told = play(seed, number)
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
