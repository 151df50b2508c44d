"""Only one command can use a folder at a time: its lock, and what a killed command leaves."""

import fnmatch
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from filelock import FileLock, Timeout

from simcore.sealed import RunError, writing

_LOCK = ".lock"


class BusyError(RunError):
    """Another process is at work in a folder."""


# The locks that this command holds: it shares them with its steps.
_held: ContextVar[frozenset[Path]] = ContextVar("held", default=frozenset())
_LEFTOVERS = ".*.tmp"


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Keep other processes out of ``folder`` while the block runs.

    A folder that does not exist is made, with its parents, and removed if it stays empty.  A block
    that holds a folder may hold it again.  The lock is one of the operating system and ends with
    the process.  Raises RunError when another process holds the folder, or when it cannot be
    written to.
    """
    with writing(folder):
        made = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder.resolve() / _LOCK
    if path in _held.get():
        yield
        return
    lock = FileLock(path, timeout=0)
    with writing(path):
        try:
            lock.acquire()
        except Timeout:
            raise BusyError(_at_work(folder)) from None
    before = _held.set(_held.get() | {path})
    try:
        yield
    finally:
        _held.reset(before)
        # While it is still held: whoever gets a lock on a file that is gone tries again.
        with suppress(OSError):
            path.unlink()
            for one in made:
                one.rmdir()  # which fails unless it is empty
        lock.release()


def remove_leftovers(folder: Path) -> None:
    """Remove from ``folder`` and its subfolders what a killed `write_file` left behind.

    Subfolders with a lock of their own are left alone: another process may be using them.
    """
    for name, subfolders, files in os.walk(folder):
        inner = Path(name)
        subfolders[:] = [one for one in subfolders if not (inner / one / _LOCK).exists()]
        for leftover in [inner / file for file in fnmatch.filter(files, _LEFTOVERS)]:
            with writing(leftover):
                leftover.unlink(missing_ok=True)


def check_nobody_works(folder: Path) -> None:
    """Raise RunError if another process holds ``folder``: it may still write what is missing."""
    path = folder.resolve() / _LOCK
    if path in _held.get() or not path.exists():
        return
    with suppress(OSError):  # what cannot be locked is nobody's work
        try:
            with FileLock(path, timeout=0):
                pass
        except Timeout:
            raise BusyError(_at_work(folder)) from None


def _at_work(folder: Path) -> str:
    return (
        f"another balancelab is at work in {folder}; wait until it is done, or choose another"
        " folder"
    )
