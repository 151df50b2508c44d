"""Only one command can use a folder at a time: its lock, and what a killed command leaves."""

import fnmatch
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from filelock import FileLock, Timeout

from simcore.places import StorePath
from simcore.sealed import RunError, writing
from simcore.work.checksums import keeping_checksums
from simcore.work.store_lock import StoreLock, at_work

_LOCK = ".lock"


class BusyError(RunError):
    """Another process is at work in a folder."""


# The locks that this command holds: it shares them with its steps.
_held: ContextVar[frozenset[Path]] = ContextVar("held", default=frozenset())
_LEFTOVERS = ".*.tmp"


@contextmanager
def _holding_store(folder: StorePath) -> Iterator[None]:
    """Keep other processes out of the folder of a store."""
    path = folder / _LOCK
    if path in _held.get():
        yield
        return
    lock = StoreLock(path)
    if not lock.acquire():
        raise BusyError(_at_work(folder))
    before = _held.set(_held.get() | {path})
    try:
        yield
    finally:
        _held.reset(before)
        lock.release()


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Keep other processes out of ``folder`` while the block runs.

    A folder that does not exist is made, with its parents, and removed if it stays empty.  A block
    that holds a folder may hold it again.  The lock is one of the operating system and ends with
    the process; that of a store is an object with a heartbeat (`simcore.work.store_lock`).  Raises
    RunError when another process holds the folder, or when it cannot be written to.

    Meanwhile the checksums of what is written there are kept (`simcore.work.checksums`).
    """
    if isinstance(folder, StorePath):
        with _holding_store(folder), keeping_checksums(folder):
            yield
        return
    with writing(folder):
        made = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder.resolve() / _LOCK
    with _holding(path, _at_work(folder), made), keeping_checksums(folder):
        yield


@contextmanager
def holding_file(file: Path) -> Iterator[None]:
    """Keep other processes away from a file, there or not yet, while the block runs.

    The lock lies beside it, and others may use the rest of its folder.  All else is as in
    `holding`.
    """
    with writing(file):
        made = [one for one in file.parents if not one.exists()]
        file.parent.mkdir(parents=True, exist_ok=True)
    with _holding(_beside(file), _in_use(file), made):
        yield


@contextmanager
def _holding(path: Path, busy: str, made: Iterable[Path]) -> Iterator[None]:
    """Hold a lock, or raise BusyError(``busy``); what was ``made`` goes if it is empty."""
    if path in _held.get():
        yield
        return
    lock = FileLock(path, timeout=0)
    with writing(path):
        try:
            lock.acquire()
        except Timeout:
            raise BusyError(busy) from None
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


def _beside(file: Path) -> Path:
    """Where the lock of a file lies."""
    return file.resolve().with_name(f".{file.name}{_LOCK}")


def _in_use(file: Path) -> str:
    return f"another fairdeal uses {file}; leave that one first, or name another file"


def is_lock(path: Path) -> bool:
    """Whether a file is the lock of a folder, or of a file."""
    return path.name.startswith(".") and path.name.endswith(_LOCK)


def is_leftover(path: Path) -> bool:
    """Whether a file is what a killed `write_file` left behind."""
    return fnmatch.fnmatch(path.name, _LEFTOVERS)


def remove_leftovers(folder: Path) -> None:
    """Remove from ``folder`` and its subfolders what a killed `write_file` left behind.

    Subfolders with a lock of their own are left alone: another process may be using them.
    """
    if isinstance(folder, StorePath):
        return  # objects are written where they belong
    for name, subfolders, files in os.walk(folder):
        inner = Path(name)
        subfolders[:] = [one for one in subfolders if not (inner / one / _LOCK).exists()]
        for leftover in [inner / file for file in fnmatch.filter(files, _LEFTOVERS)]:
            with writing(leftover):
                leftover.unlink(missing_ok=True)


def check_nobody_works(folder: Path) -> None:
    """Raise RunError if another process holds ``folder``: it may still write what is missing.

    ``folder`` may be a file that is held alone, too.
    """
    is_file = folder.is_file()
    path = _beside(folder) if is_file else folder.resolve() / _LOCK
    if path in _held.get() or not path.exists():
        return
    if isinstance(path, StorePath):
        if at_work(path):
            raise BusyError(_at_work(folder))
        return
    with suppress(OSError):  # what cannot be locked is nobody's work
        try:
            with FileLock(path, timeout=0):
                pass
        except Timeout:
            raise BusyError((_in_use if is_file else _at_work)(folder)) from None


def _at_work(folder: Path) -> str:
    return (
        f"another fairdeal is at work in {folder}; wait until it is done, or choose another folder"
    )
