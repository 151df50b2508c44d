"""Which sources a kernel can see: all that its module imports, and what those import.

Numba turns what a kernel finds outside itself, other kernels and constants, into a part of the
compiled code.  Such a name is a global of the kernel's module, so it comes from that file or,
directly or not, from a file that it imports.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("card_data", "simcore", "analysis", "reports", "fairdeal")
# Imports anywhere in a file, not parsed: that would take a hundred times as long.  Words that only
# look like imports name no file.
_IMPORT = re.compile(
    rb"\n[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))"
)


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
    roots |= dict.fromkeys(_ROOMS, _ROOT)
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
    imports: list[tuple[str, tuple[str, ...]]] = []
    for name, words, modules in _IMPORT.findall(b"\n" + text):
        if name:
            imports.append((name.decode(), tuple(re.findall(r"\w+", words.decode()))))
        else:
            imports += [(module, ()) for module in re.findall(r"[\w.]+", modules.decode())]
    return hashlib.sha256(text).digest(), tuple(imports)


@cache
def _files(root: Path, module: str, words: tuple[str, ...]) -> tuple[Path, ...]:
    """The file of a module, and those of its modules among ``words``; what is none is left out."""
    place = root.joinpath(*module.split("."))
    if (file := place.with_name(f"{place.name}.py")).is_file():
        return (file,)
    if not (package := place / "__init__.py").is_file():
        return ()
    found = [_files(root, f"{module}.{word}", ()) for word in words]
    # A package is not looked at for the sake of its modules.
    return tuple({package if not files else files[0] for files in found or [()]})
