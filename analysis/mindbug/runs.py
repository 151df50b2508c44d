"""Runs of Mindbug: what is known of them besides their games."""

import os

from attrs import frozen

from analysis import runs
from card_data.mindbug.schema import Pool
from simcore.mindbug.play.run import read_played_pool
from simcore.sealed import RunError
from simcore.work.parts import MANIFEST


@frozen(repr=False)
class Run(runs.Run):
    """A finished run of Mindbug.

    ``manifest`` holds what was asked for (``sets``, ``modes``, ``cards_hash``, ``pool_hash``,
    ``seed``, ``policies``, ``games``, …; ``weights``, where players have some), the package
    ``versions`` and the ``counts`` of games, draws, capped and looped.
    """

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know of a run, the folder last."""
        return [("sets", " + ".join(self.manifest["sets"])), *super().facts()[1:]]

    @property
    def card_ids(self) -> list[str]:
        """The id of each card; ``cards`` in the records counts into this list."""
        return list(self.manifest["cards"])

    def pool(self) -> Pool:
        """The pool that was played: its cards in the order of `card_ids`, and its modes.

        Read from the files in the run folder.  Raises RunError when they are missing, damaged or
        not those that were played.
        """
        return pool_of(self)


def pool_of(run: runs.Run) -> Pool:
    """The pool that was played in a run of Mindbug.  Raises RunError (`Run.pool`)."""
    return read_played_pool(run.folder, run.manifest)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open the finished run of Mindbug in ``folder``, as `analysis.runs.open_run` does.

    Raises RunError, also for a run of another game.
    """
    run = runs.open_run(folder)
    if not isinstance(run, Run):
        raise RunError(f"{run.folder / MANIFEST} is of {run.game.title}, not of Mindbug")
    return run
