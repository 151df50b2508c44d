"""Compiled kernels on disk, kept by everything that they depend on.

Numba's own cache notices when the file that defines a function changes, but not when a function or
a constant that it uses in another file does; it reads whatever lies there, whoever wrote it and
however damaged; and where it can write nowhere, nothing runs.  So kernels are kept here instead, in
folders whose names have a digest of all sources that a kernel can see (``sources.py``) and of the
versions of Numba and Python, by the rules of ``card_data/cache.py``.  What came with a wheel
(``shipped.py``) goes before.
"""

import hashlib
import inspect
import re
import shutil
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

from card_data.cache import cache_folder, cannot_keep, keep, make_folder, read_kept
from simcore.jit.profile import COUNTS_FILE
from simcore.jit.shipped import COMPILER, PROCESSOR, is_shipped, read_shipped, tell_why_not
from simcore.jit.sources import digest_of_sources

_KERNELS = "kernels"  # their folder in the cache folder, with one for each module and digest
_KEPT_FOLDERS = 4
#: How the modules of games that somebody brings begin, and how many of those are kept in all: each
#: number of seats and choice of players has one.
OWN_RULES, KEPT_OWN_RULES = "own_rules_", 128


class KernelFiles:
    """What has been compiled of one kernel: a file for the argument types of each version."""

    def __init__(self, function: Callable[..., Any]) -> None:
        name = re.sub(r"[^\w.]", "", function.__qualname__)
        digest = hashlib.sha256(COMPILER.encode() + COUNTS_FILE.read_bytes())
        sources = digest_of_sources(function.__module__, Path(inspect.getfile(function)).resolve())
        digest.update(sources.encode())
        self._folder = f"{function.__module__}-{digest.hexdigest()[:16]}"
        self._names = f"{self._folder}/{name}-"

    @property
    def folder(self) -> str:
        """The folder of the files."""
        return str(cache_folder() / _KERNELS / self._folder)

    def read(self, target: tuple[str, str, str], key: object) -> bytes | None:
        """What is kept for a target and a key, or None; says then why, if that is not usual.

        A target is what LLVM compiles for: system, processor and its features.
        """
        shipped = self._file((target[0], *PROCESSOR), key)
        kept = read_shipped(shipped) or read_kept(f"{_KERNELS}/{self._file(target, key)}")
        if kept is None:
            tell_why_not(shipped)
            keeps_kernels()
        return kept

    def keep(self, target: tuple[str, str, str], key: object, content: bytes) -> None:
        """Keep something for a target and a key; says so if that fails."""
        try:
            keep(f"{_KERNELS}/{self._file(target, key)}", content)
        except OSError as error:
            cannot_keep(error)

    def has_any(self) -> bool:
        """Whether anything is kept of this kernel, and whole."""
        if is_shipped(f"{self._names}*"):
            return True
        try:
            files = sorted((cache_folder() / _KERNELS).glob(f"{self._names}*.nbc"))
        except OSError:
            return False
        return any(
            read_kept(f"{_KERNELS}/{self._folder}/{file.name}") is not None for file in files
        )

    def _file(self, target: tuple[str, str, str], key: object) -> str:
        """The name of what is kept for a target and a key, with a digest of their texts."""
        return f"{self._names}{hashlib.sha256(repr((target, key)).encode()).hexdigest()}.nbc"


def keeps_kernels() -> bool:
    """Whether compiled kernels can be kept for later starts; says so if not."""
    try:
        make_folder(cache_folder() / _KERNELS)
    except OSError as error:
        cannot_keep(error)
        return False
    return True


def prune() -> None:
    """Remove what was compiled from sources long changed, keeping the last few of each module."""

    def module(folder: Path) -> str:
        own = folder.name.startswith(OWN_RULES)
        return OWN_RULES if own else folder.name.rpartition("-")[0]

    try:
        folders = sorted((cache_folder() / _KERNELS).iterdir(), key=lambda p: -p.stat().st_mtime)
    except OSError:
        return
    for name, versions in groupby(sorted(folders, key=module), key=module):
        for folder in [*versions][KEPT_OWN_RULES if name == OWN_RULES else _KEPT_FOLDERS :]:
            shutil.rmtree(folder, ignore_errors=True)
