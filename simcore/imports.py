"""Which modules a source imports, and the files that these are in: read, and never run."""

import re
from collections.abc import Iterator
from pathlib import Path

#: The packages of fairdeal.
ROOMS = ("card_data", "simcore", "analysis", "reports", "fairdeal")
# Imports anywhere in a file, not parsed: that would take a hundred times as long.  Words that only
# look like imports name no file.
_IMPORT = re.compile(
    rb"\n[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))"
)


def imports_in(source: bytes) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The imports of a source: each a module and what is taken from it."""
    for name, words, modules in _IMPORT.findall(b"\n" + source):
        if name:
            yield name.decode(), tuple(re.findall(r"\w+", words.decode()))
        else:
            for module in re.findall(r"[\w.]+", modules.decode()):
                yield module, ()


def files_of(root: Path, module: str, words: tuple[str, ...]) -> tuple[Path, ...]:
    """The file of a module, and those of its modules among ``words``; what is none is left out."""
    place = root.joinpath(*module.split("."))
    if module and (file := place.with_name(f"{place.name}.py")).is_file():
        return (file,)
    package = place / "__init__.py"
    if module and not package.is_file():
        return ()
    found = [files_of(root, f"{module}.{word}" if module else word, ()) for word in words]
    # A package is not looked at for the sake of its modules.
    whole = (package,) if module else ()
    return tuple({file for files in found or [()] for file in files or whole})


def imported_beside(file: Path, source: bytes) -> dict[str, bytes]:
    """Sources of what a file imports from its own folder or package, directly or not.

    They are in the order of their places there, by which they are called.
    """
    start = file.resolve()
    root = start.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    package = start.relative_to(root).parts[0] if root != start.parent else ""
    found, waiting = dict[Path, bytes](), [(start, source)]
    while waiting:
        at, text = waiting.pop()
        for name, words in imports_in(text):
            module = name.lstrip(".")
            n_up, top = len(name) - len(module), module.partition(".")[0]
            if not n_up and (top in ROOMS or (package and top != package)):
                continue
            base = at.parents[min(n_up, len(at.parents)) - 1] if n_up else root
            for one in files_of(base, module, words):
                if one != start and one not in found and one.is_relative_to(root):
                    found[one] = one.read_bytes()
                    waiting.append((one, found[one]))
    places = {one.relative_to(root).as_posix(): text for one, text in found.items()}
    return dict(sorted(places.items()))
