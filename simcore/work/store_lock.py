"""The lock of a folder in a store: an object that says who holds it, and beats while they do.

The holder writes the object anew every `BEAT` seconds.  Whoever finds it watches it: when it
changes, somebody is at work; when it stays the same for `SILENCE` seconds, its holder is gone.
What is compared is the object with itself, over time that one process measures, so no two clocks
need agree, and a clock that is set in between changes nothing.  A holder that ended on this machine
is known at once.

Several may find at once that a holder is gone.  Each writes the object, waits for `SETTLE` seconds
and reads it again: the last one to write has it (Fischer's timed mutual exclusion, told by Lamport,
"A fast mutual exclusion algorithm", ACM TOCS 5(1), 1987).

A holder that was silent for so long that another took over, in a machine that was asleep, finds out
before it writes again: `StoreLock` tells `simcore.places`, which refuses.
"""

import json
import os
import platform
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Literal

from simcore.places import RunError, StorePath, guard, unguard

#: Seconds from one beat to the next, and after how many without one a holder is gone.
BEAT, SILENCE = 5.0, 30.0
#: Seconds within which those who found a holder gone have written, one after the other.
SETTLE = 3.0
# What tells machines, and containers on one machine, from others where there is a /proc.
_BOOT, _PROCESSES = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")


class StoreLock:
    """A lock that this process may hold; ``path`` is its object."""

    def __init__(self, path: StorePath) -> None:
        self._path = path
        self._name = uuid.uuid4().hex
        self._beats = 0
        self._ended = threading.Event()
        self._heart = threading.Thread(target=self._beat, daemon=True)
        self._lost = False

    def acquire(self) -> bool:
        """Take the lock, as soon as it is sure that nobody holds it; False if somebody does."""
        while not self._path.create(self._said()):
            found = _watch(self._path)
            if found == "held":
                return False
            if found == "left":  # not removed: what others have written meanwhile would go with it
                self._path.write_bytes(self._said())
                time.sleep(SETTLE)
                break
        # Where the store has no conditional writes, two may have created it.
        if not self._is_mine():
            return False
        guard(self._path.parent, self._check)
        self._heart.start()
        return True

    def release(self) -> None:
        """Give the lock back."""
        self._ended.set()
        self._heart.join()
        unguard(self._path.parent)
        with suppress(RunError):
            if self._is_mine():
                self._path.unlink(missing_ok=True)

    def _check(self) -> None:
        """Raise RunError if somebody else has taken the folder."""
        if self._lost:
            raise RunError(
                f"{self._path.parent} was taken over by another fairdeal while this one did not"
                " answer; what is finished is kept: wait until the other one is done"
            )

    def _beat(self) -> None:
        """Say that the holder is there, until the lock is released."""
        while not self._ended.wait(BEAT):
            with suppress(RunError):  # a store that does not answer may do so at the next beat
                self._beats += 1
                if self._is_mine():
                    self._path.write_bytes(self._said())
                elif not self._path.create(self._said()):
                    self._lost = True
                    return

    def _is_mine(self) -> bool:
        try:
            return bool(json.loads(self._path.read_bytes())["name"] == self._name)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return False

    def _said(self) -> bytes:
        """The contents of the object."""
        who = {"name": self._name, "machine": _machine(), "process": os.getpid()}
        return json.dumps(who | {"beat": self._beats}).encode()


def at_work(path: StorePath) -> bool:
    """Whether the holder of a lock is there; looks for as long as it takes to be sure."""
    return _watch(path) == "held"


def _watch(path: StorePath) -> Literal["held", "left", "free"]:
    """Whether a lock has a holder at work, was left by one who is gone, or is not there."""
    first = _contents(path)
    if first is None:
        return "free"
    if _has_ended(first):
        return "left"
    until = time.monotonic() + SILENCE
    while time.monotonic() < until:
        time.sleep(min(1.0, BEAT / 2))
        now = _contents(path)
        if now != first:
            return "free" if now is None else "held"
    return "left"


def _contents(path: StorePath) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _has_ended(said: bytes) -> bool:
    """Whether the holder was a process of this machine that there is no more."""
    try:
        who = json.loads(said)
        if who["machine"] != _machine():
            return False
        os.kill(int(who["process"]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return False


def _machine() -> str:
    """A name for this machine since it was started, as far as it sees its processes."""
    try:
        return f"{_BOOT.read_text().strip()} {_PROCESSES.readlink()}"
    except OSError:
        return f"{platform.node()}-{uuid.getnode()}"
