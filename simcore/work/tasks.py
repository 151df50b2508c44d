"""Tasks: what is to be played, described so that any process can play it.

A `Task` names a function and holds what that function needs: settings (values of JSON) and files.
It is small and can be pickled; what it describes (compiled tables, seated players, games of another
folder) is built once in each process that plays it.
"""

import json
import pkgutil
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

# Players that a process keeps for tasks that others sent: as many as it may be sent by turns.
_PLAYERS_KEPT = 8


class RowPlayer(Protocol):
    """Plays rows, of which each depends on its number and on what was asked alone."""

    def play(self, first: int, out: np.ndarray, /) -> None:
        """Fill ``out``, a structured array (n,), with rows ``first`` and following.

        It is called from several threads at once and must not hold the GIL.  Raises for settings
        that cannot be played, even with n = 0.
        """


@frozen(eq=False)
class Task:
    """What is to be played, as a description that another process can build it from.

    ``entry`` names a function as "package.module:function"; called with ``settings`` (values of
    JSON) and ``files`` (name -> contents) it returns a `RowPlayer`.  ``built`` is that player where
    this process has it already; it is not sent to others, who build their own.
    """

    entry: str
    settings: Mapping[str, Any]
    files: Mapping[str, bytes] = field(factory=dict)
    built: RowPlayer | None = field(default=None, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Task, (self.entry, dict(self.settings), dict(self.files))

    def player(self) -> RowPlayer:
        """Who plays it in this process."""
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
