"""Tasks: descriptions of what to play, from which any process can build a player.

A `Task` names a function and holds its arguments: settings (values of JSON) and files.  It is small
and can be pickled.  What it describes (compiled tables, seated players, games of another folder) is
built once in each process that plays it.
"""

import json
import pkgutil
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

# Players that a process keeps for the tasks that it is sent.
_PLAYERS_KEPT = 8


class RowPlayer(Protocol):
    """Plays rows; each depends on its number and on what was asked, and on nothing else."""

    def play(self, first: int, out: np.ndarray, /) -> None:
        """Fill ``out``, a structured array (n,), with rows ``first`` and following.

        Called from several threads at once; it must release the GIL.  Raises for settings that
        cannot be played, even with n = 0.
        """


@frozen(eq=False)
class Task:
    """What to play, described so that another process can build a player for it.

    ``entry`` names a function as "package.module:function"; called with ``settings`` (values of
    JSON) and ``files`` (name -> contents) it returns a `RowPlayer`.  ``built`` is that player if
    this process already has it; it is never sent, other processes build their own.
    """

    entry: str
    settings: Mapping[str, Any]
    files: Mapping[str, bytes] = field(factory=dict)
    built: RowPlayer | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Task, (self.entry, dict(self.settings), dict(self.files))

    def player(self) -> RowPlayer:
        """The player of this process."""
        if self.built is not None:
            return self.built
        return _rebuilt(self.entry, json.dumps(self.settings), tuple(self.files.items()))


@lru_cache(_PLAYERS_KEPT)
def _rebuilt(entry: str, settings: str, files: tuple[tuple[str, bytes], ...]) -> RowPlayer:
    """The player of a task, built once for all its rows."""
    player: RowPlayer = pkgutil.resolve_name(entry)(json.loads(settings), dict(files))
    return player


def play_rows(task: Task, record: np.dtype, rows: range) -> tuple[np.ndarray, float]:
    """Rows of a task, of dtype ``record``, and the processor time that they took in seconds.

    This is what an executor is sent.
    """
    out = np.empty(len(rows), record)
    player = task.player()
    started = time.thread_time()
    player.play(rows.start, out)
    return out, time.thread_time() - started
