"""Files that tasks bring along, such as what players think with, in the process that plays them."""

import hashlib
import tempfile
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from simcore.own_code import is_own
from simcore.sealed import RunError, write_file

_BRINGING = threading.Lock()


def check_travels(players: Iterable[str]) -> None:
    """Raise RunError for a player of a task who is a function of a person's own.

    It is run where they named it alone.
    """
    if own := next(filter(is_own, players), ""):
        raise RunError(
            f"{own} is a function of your own, which plays in threads of the command alone; leave"
            " --workers and --scheduler out"
        )


def brought(data: bytes, suffix: str) -> Path:
    """A file of this process with some contents, named after these.  Raises RunError."""
    with _BRINGING:
        file = Path(_folder().name, hashlib.sha256(data).hexdigest()[:16] + suffix)
        if not file.exists():
            write_file(file, data)
    return file


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """The folder of what tasks have brought along; it goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="fairdeal-players-")
