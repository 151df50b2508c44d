"""What the charts in a folder were drawn from: one that is there, and whole, is not drawn again.

``made.json`` beside the charts has a line for each: a digest of all that decides its bytes (the
function, the table, the caption, the kinds of files, the version of the code), and one of its
files.  So a chart that is missing, damaged or of something else is drawn anew.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from card_data.checksums import open_json, seal_json
from simcore.places import StorePath, located
from simcore.sealed import RunError, read_file, write_file
from simcore.work.jobs import digest_of_code

if TYPE_CHECKING:
    import pandas as pd

MADE = "made.json"


def source_of(
    plot: Callable[..., Any], table: "pd.DataFrame", caption: str, kinds: Sequence[str]
) -> str:
    """A digest of all that decides the bytes of a chart; "" where that cannot be told."""
    name = _name_of(plot)
    if not name:
        return ""
    digest = hashlib.sha256(code_of_reports().encode())
    for part in (name, caption, *kinds, *map(str, table.dtypes), table.to_csv()):
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()


def is_made(path: Path, source: str, kinds: Sequence[str]) -> bool:
    """Whether the files of a chart, ``path`` with each of ``kinds``, were made of a source.

    Those that were are of now from then on, as charts older than the tables are removed.
    """
    if not source or isinstance(located(path), StorePath):
        return False
    if _read(path.parent).get(path.name) != [source, _digest(path, kinds)]:
        return False
    for kind in kinds:
        Path(f"{path}.{kind}").touch()
    return True


def note_made(path: Path, source: str, kinds: Sequence[str]) -> None:
    """Note of what the files of a chart were made; inside `noted_at_the_end` only then."""
    if not source:
        return
    if (later := _later.get()) is not None:
        later.append((path, source, tuple(kinds)))
    else:
        _write([(path, source, tuple(kinds))])


@contextmanager
def noted_at_the_end() -> Iterator[None]:
    """Note what was made when the block has ended: some files are there only then."""
    made: list[_Made] = []
    token = _later.set(made)
    try:
        yield
    finally:
        _later.reset(token)
    _write(made)


_Made = tuple[Path, str, tuple[str, ...]]
_later: ContextVar[list[_Made] | None] = ContextVar("_later", default=None)


def _name_of(plot: Callable[..., Any]) -> str:
    """A function by its place in the code, with what is given to it already; "" for any other."""
    if isinstance(plot, partial):
        given = [*plot.args, *plot.keywords.values()]
        inner = _name_of(plot.func)
        plain = inner and all(isinstance(one, str | int | float | None) for one in given)
        return f"{inner}{plot.args!r}{plot.keywords!r}" if plain else ""
    name = getattr(plot, "__qualname__", "<locals>")
    return "" if "<" in name else f"{plot.__module__}.{name}"


@cache
def code_of_reports() -> str:
    """A digest of the code that analyses and shows, and the version of what draws."""
    return f"{digest_of_code('analysis', 'reports')} {version('matplotlib')}"


def _digest(path: Path, kinds: Sequence[str]) -> str:
    """A digest of the files of a chart; "" where one is missing."""
    digest = hashlib.sha256()
    try:
        for kind in kinds:
            digest.update(hashlib.sha256(located(f"{path}.{kind}").read_bytes()).digest())
    except OSError:
        return ""
    return digest.hexdigest()


def _read(folder: Path) -> dict[str, Any]:
    """What is noted in a folder; nothing where that is missing or damaged."""
    with suppress(RunError, OSError, ValueError):
        made = open_json(read_file(folder / MADE)).get("made")
        return made if isinstance(made, dict) else {}
    return {}


def _write(made: Sequence[_Made]) -> None:
    """Note what was made, beside the charts."""
    for folder in dict.fromkeys(path.parent for path, *_ in made):
        mine = {
            path.name: [source, _digest(path, kinds)]
            for path, source, kinds in made
            if path.parent == folder
        }
        noted = dict(sorted((_read(folder) | mine).items()))
        write_file(folder / MADE, seal_json({"made": noted}))
