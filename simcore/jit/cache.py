"""Compiled kernels on disk, kept by everything that they depend on.

Numba's own cache notices when the file that defines a function changes, but not when a function or
a constant that it uses in another file does; it reads whatever lies there, whoever wrote it and
however damaged; and where it can write nowhere, nothing runs.  So kernels are kept here instead, in
folders whose names have a digest of all sources that a kernel can see (``sources.py``), of the
versions of Numba and Python and of the processor, by the rules of ``card_data/cache.py``.
"""

import hashlib
import inspect
import platform
import re
import shutil
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import llvmlite
import numba

from card_data.cache import cache_folder, cannot_keep, keep, make_folder, read_kept
from simcore.jit.profile import COUNTS_FILE
from simcore.jit.sources import digest_of_sources

_KERNELS = "kernels"  # their folder in the cache folder, with one for each module and digest
_KEPT_FOLDERS = 4


class KernelFiles:
    """What has been compiled of one kernel: a file for the argument types of each version."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = re.sub(r"[^\w.]", "", function.__qualname__)
        digest = hashlib.sha256(_machine())
        sources = digest_of_sources(function.__module__, Path(inspect.getfile(function)).resolve())
        digest.update(sources.encode())
        self._folder = f"{_KERNELS}/{function.__module__}-{digest.hexdigest()[:16]}"

    @property
    def folder(self) -> str:
        """The folder of the files."""
        return str(cache_folder() / self._folder)

    def read(self, key: object) -> bytes | None:
        """What is kept under a key, or None; says so beforehand if nothing can be kept."""
        kept = read_kept(self._file(key))
        if kept is None:
            keeps_kernels()
        return kept

    def keep(self, key: object, content: bytes) -> None:
        """Keep something under a key; says so if that fails."""
        try:
            keep(self._file(key), content)
        except OSError as error:
            cannot_keep(error)

    def has_any(self) -> bool:
        """Whether anything is kept of this kernel, and whole."""
        try:
            files = sorted(Path(self.folder).glob(f"{self._name}-*.nbc"))
        except OSError:
            return False
        return any(read_kept(f"{self._folder}/{file.name}") is not None for file in files)

    def _file(self, key: object) -> str:
        """The name of what is kept under a key, of which the digest of its text is a part."""
        return f"{self._folder}/{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()}.nbc"


def _machine() -> bytes:
    """What compiles, besides the sources of kernels."""
    versions = numba.__version__, llvmlite.__version__, sys.version, platform.machine()
    return repr(versions).encode() + COUNTS_FILE.read_bytes()


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
        return folder.name.rpartition("-")[0]

    try:
        folders = sorted((cache_folder() / _KERNELS).iterdir(), key=lambda p: -p.stat().st_mtime)
    except OSError:
        return
    for _, versions in groupby(sorted(folders, key=module), key=module):
        for folder in [*versions][_KEPT_FOLDERS:]:
            shutil.rmtree(folder, ignore_errors=True)
