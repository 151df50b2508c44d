"""Tasks: descriptions of what to play, from which any process can build a player.

A `Task` names a function and holds its arguments: settings (values of JSON) and files.  It is small
and can be pickled.  What it describes (compiled tables, seated players, games of another folder) is
built once in each process that plays it.
"""

import json
import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen
from filelock import FileLock, Timeout

from card_data.cache import cache_folder, make_folder

# Players that a process keeps for the tasks that it is sent.
_PLAYERS_KEPT = 8
# The file that a process locks while it compiles, and how long others wait for it.
_COMPILING, _MOST_SECONDS = "compiling.lock", 300


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

    def player(self, record: np.dtype) -> RowPlayer:
        """The player of this process, of rows of dtype ``record``; all it needs is compiled."""
        if self.built is not None:
            return self.built
        return _rebuilt(self.entry, json.dumps(self.settings), tuple(self.files.items()), record)


@lru_cache(_PLAYERS_KEPT)
def _rebuilt(
    entry: str, settings: str, files: tuple[tuple[str, bytes], ...], record: np.dtype
) -> RowPlayer:
    """The player of a task, built once for all its rows."""
    player: RowPlayer = pkgutil.resolve_name(entry)(json.loads(settings), dict(files))
    with _compiling_alone():
        player.play(0, np.empty(0, record))
    return player


@contextmanager
def _compiling_alone() -> Iterator[None]:
    """Let one process of this machine compile at a time: the next one finds it in the cache.

    Where that cannot be arranged, or takes too long, every process compiles for itself.
    """
    with ExitStack() as alone:
        with suppress(OSError, NotImplementedError, Timeout):
            make_folder(cache_folder())
            alone.enter_context(FileLock(cache_folder() / _COMPILING, timeout=_MOST_SECONDS))
        yield
