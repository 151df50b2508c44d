"""Which sources a kernel can see: all that its module imports, and what those import.

Numba turns what a kernel finds outside itself, other kernels and constants, into a part of the
compiled code.  Such a name is a global of the kernel's module, so it comes from that file or,
directly or not, from a file that it imports.
"""

import hashlib
from functools import cache
from pathlib import Path

from simcore.imports import ROOMS, files_of, imports_in

_ROOT = Path(__file__).resolve().parents[2]
_files = cache(files_of)


def digest_of_sources(module: str, file: Path) -> str:
    """Hex digest of all sources of fairdeal that kernels of a module can see, and of its own."""
    digest = hashlib.sha256()
    for source in sources_of(module, file):
        digest.update(_look_at(source)[0])
    return digest.hexdigest()


@cache
def sources_of(module: str, file: Path) -> tuple[Path, ...]:
    """The file of a module and all that it imports of fairdeal, directly or not, in order.

    Of a module that is not a part of fairdeal, what it imports of its own package belongs to it.
    """
    own = module.split(".")
    roots = {own[0]: file.parents[min(len(own), len(file.parents)) - 1]}
    roots |= dict.fromkeys(ROOMS, _ROOT)
    seen, waiting = {file}, [file]
    while waiting:
        for name, words in _look_at(waiting.pop())[1]:
            if name.partition(".")[0] in roots:
                new = {*_files(roots[name.partition(".")[0]], name, words)} - seen
                seen |= new
                waiting += new
    return tuple(sorted(seen))


@cache
def _look_at(source: Path) -> tuple[bytes, tuple[tuple[str, tuple[str, ...]], ...]]:
    """Digest of a file, and its imports: each a module and what is taken from it."""
    text = source.read_bytes()
    return hashlib.sha256(text).digest(), (*imports_in(text),)
