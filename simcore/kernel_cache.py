"""Numba's disk cache, keyed by everything that a compiled kernel depends on.

Numba recompiles a cached function when the file that defines it changes, but not when a function
that it calls in another file does.  So the cache lives in a folder whose name is a digest of all
sources that hold kernels or constants of kernels, of the versions of Numba and Python and of the
processor: an edited kernel is never run from an old compilation.

Importing this module sets the folder; it must be imported before the first kernel is defined, which
is why every module takes its ``kernel`` and ``cached_kernel`` decorators from here.
"""

import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba import njit

_ROOT = Path(__file__).resolve().parent.parent
_KEPT_FOLDERS = 4


def _source_digest() -> str:
    """Hex digest of the sources that compiled kernels depend on, and of what compiles them."""
    digest = hashlib.sha256()
    sources = [
        *sorted((_ROOT / "simcore").rglob("*.py")),
        _ROOT / "analysis" / "tallies.py",
        _ROOT / "card_data" / "vocabulary.py",
    ]
    for source in sources:
        digest.update(source.relative_to(_ROOT).as_posix().encode())
        digest.update(source.read_bytes())
    machine = f"{numba.__version__} {sys.version} {platform.machine()} {platform.processor()}"
    digest.update(machine.encode())
    return digest.hexdigest()[:16]


def _choose_folder() -> Path:
    """The cache folder of these sources; the user's own ``NUMBA_CACHE_DIR`` is respected."""
    user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache / "balancelab")
    return base / f"kernels-{_source_digest()}"


#: Where compiled kernels are kept.
CACHE_FOLDER = _choose_folder()
numba.config.CACHE_DIR = str(CACHE_FOLDER)

#: Decorator of an inner kernel: compiled once, called by the kernels that need it.  Without the
#: explicit ``forceinline=False`` Numba would hand the option down from an ``inline_kernel``.
kernel: Callable[..., Any] = partial(njit, nogil=True, error_model="numpy", forceinline=False)
#: Decorator of a small inner kernel that is worth copying into each caller.
inline_kernel: Callable[..., Any] = partial(njit, nogil=True, error_model="numpy", forceinline=True)
#: Decorator of a kernel called from Python: kept on disk.
cached_kernel: Callable[..., Any] = partial(njit, nogil=True, error_model="numpy", cache=True)


def is_compiled(name: str) -> bool:
    """Whether a kernel called ``name`` is on disk for the present sources."""
    return any(CACHE_FOLDER.rglob(f"*.{name}-*.nbc"))


def prune() -> None:
    """Remove the folders of sources long changed, keeping the most recent few."""
    folders = sorted(
        CACHE_FOLDER.parent.glob("kernels-*"), key=lambda p: p.stat().st_mtime, reverse=True
    )
    for folder in folders[_KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)
