"""The folder of work that can be resumed: what was asked, and sealed pieces.

A folder has a file with everything that was asked, and with which versions, and sealed pieces that
each repeat it.  So a piece of other work is never read as one of this, and a file that is lost or
damaged is written again when the command is repeated.  Files appear whole or not at all:
written aside under a hidden name, flushed to the disk, renamed.
"""

import json
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from attrs import frozen

from card_data.checksums import CHECKSUM, CHECKSUMS, open_json, seal_json
from simcore import sealed
from simcore.records import decode_part
from simcore.work.lock import remove_leftovers

#: The file that says for people what a folder is about (`simcore.work.about`); of any kind.
ABOUT = "about.json"
#: The file with the answer of a finished command (`reports.balance.kept_answer`).
ANSWER = "answer.json"

# Longest setting quoted in a message, in characters and in items.
_LONGEST, _MOST_ITEMS = 80, 8
# Settings by which nobody would recognise work whose file is lost.
_TECHNICAL = ("format", "game", "rules_version", "record_layout", "part_games", "command")
# Entries with this ending are names for people: they may change, the ids beside them may not.
_FOR_PEOPLE = "_names"


class LostError(sealed.RunError):
    """The file with what was asked is missing or damaged; ``asked`` is what the pieces repeat."""

    def __init__(self, message: str, asked: dict[str, Any]) -> None:
        super().__init__(message)
        self.asked = asked


class NotBegunError(sealed.RunError):
    """A folder in which no such work was begun."""


#: With which versions something was made.
VERSIONS: sealed.Shape = {"python": str, "fairdeal": str, str: str}


def versions_of(*packages: str) -> dict[str, str]:
    """The versions of Python, fairdeal and ``packages``."""
    names = ("fairdeal", *packages)
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def difference(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """The first setting in which two manifests differ, in words: "life 3, not 4".

    Empty when they agree.
    """
    for key in {**asked, **found}:
        if found.get(key) != asked.get(key):
            return difference_of(key, found.get(key), asked.get(key))
    return ""


def difference_of(name: str, found: Any, asked: Any) -> str:
    """How a setting differs; of a setting with several entries, the first entry that differs."""
    if name.endswith("_hash"):
        what = name.removesuffix("_hash")
        return f"{'other' if what.endswith('s') else 'another'} {what}"
    if isinstance(found, dict) and isinstance(asked, dict):
        part = next(part for part in {**asked, **found} if asked.get(part) != found.get(part))
        what = f"other weights of {part}:" if name == "weights" else part
        return difference_of(what, found.get(part), asked.get(part))
    return f"{name.replace('_', ' ')} {_in_words(found)}, not {_in_words(asked)}"


def _in_words(value: Any) -> str:
    """A value of JSON without its punctuation."""
    if isinstance(value, dict):
        text = ", ".join(f"{name} {_in_words(part)}" for name, part in value.items())
    elif isinstance(value, list):
        text = ", ".join(map(_in_words, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "" if value is None else str(value)
    return f"{text[:_LONGEST]}…" if len(text) > _LONGEST else text or "none"


@frozen
class FolderKind:
    """A kind of folder: what the work in it is called, and what the file in it holds.

    ``noun`` is a word such as "run"; ``pieces`` is the pattern of the sealed files, empty if there
    are none; ``shape`` is that of the entries of ``file`` (`simcore.sealed.faults`).  ``format`` is
    the version of all that.  Entries in ``not_asked``, and those that end in ``_names``, may differ
    when work is resumed; ``differing`` says how others differ, as `difference` does.  ``grows``
    names the entry, if there is one, that may become larger later: pieces do not repeat it.
    ``cut`` are entries that say how work is cut into pieces; a file that is lost gets those of the
    pieces.
    """

    noun: str
    file: str
    format: int
    pieces: str
    shape: Mapping[Any, sealed.Shape]
    not_asked: tuple[str, ...] = ("versions",)
    differing: Callable[[Mapping[str, Any], Mapping[str, Any]], str] = difference
    grows: str = ""
    cut: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"


@frozen
class WorkFolder:
    """A folder in which work was begun, and what its file says."""

    kind: FolderKind
    path: Path
    manifest: Mapping[str, Any]

    def identity(self, piece: str) -> dict[str, str]:
        """The identity that a piece carries: what its rows depend on, and its own name."""
        asked = {name: one for name, one in self.manifest.items() if name != self.kind.grows}
        return identity(self.kind, asked, piece)

    def read(
        self,
        file: str,
        piece: str,
        *,
        again: str = "",
        wanted: Sequence[str] | None = None,
        most_rows: int | None = None,
    ) -> pa.Table:
        """A sealed piece (see `decode_part`), checksum and identity verified.

        ``file`` is its path in the folder, ``piece`` the name in its identity; one of more than
        ``most_rows`` is not read.  Raises RunError, which ends with ``again``.
        """
        path, expected = self.path / file, self.identity(piece)
        return read_piece(self.kind, path, expected, again, wanted, most_rows)


def begin(
    kind: FolderKind, folder: Path, asked: Mapping[str, Any], *, files: Mapping[str, bytes]
) -> WorkFolder:
    """Begin work in a folder, or resume it.

    ``asked`` goes into the file of the folder.  Where work was begun before, the file stays as it
    is; one that is lost or damaged is written again if the pieces repeat the same.  ``files`` (path
    in the folder -> contents) are written beside it.

    Raises RunError when the folder holds something else or cannot be written.
    """
    with sealed.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    found = work_in(kind, folder, asked)
    if found.lost:
        write_asked(kind, folder, found.asked)
    remove_leftovers(folder)
    for name, data in files.items():
        sealed.keep_file(folder / name, data)
    with sealed.writing(folder):
        (folder / kind.pieces).parent.mkdir(exist_ok=True)
    return WorkFolder(kind, folder, dict(found.asked))


class Found(NamedTuple):
    """What was asked in a folder; ``lost`` if its file is not there or damaged."""

    asked: Mapping[str, Any]
    lost: bool


def work_in(kind: FolderKind, folder: Path, asked: Mapping[str, Any]) -> Found:
    """What was asked in a folder, or is to be written there.

    Nothing is changed.  Raises RunError when the folder holds something else than what is asked.
    """
    with sealed.writing(folder):
        paths = [*folder.iterdir()] if folder.is_dir() else []
    holds = sorted(
        path.name for path in paths if path.name[0] != "." and path.name not in (ABOUT, CHECKSUMS)
    )
    if not holds:
        return Found(asked, lost=True)
    try:
        found = Found(read_asked(kind, folder), lost=False)
        there = what_was_asked(kind, found.asked)
    except LostError as error:
        there = error.asked
        found = Found(
            {**asked, **{name: there[name] for name in kind.cut if name in there}}, lost=True
        )
    except NotBegunError:
        raise sealed.RunError(
            f"{folder} is not empty and not the folder of {kind} (it holds {holds[0]}); choose"
            " another folder"
        ) from None
    if differs := kind.differing(there, what_was_asked(kind, asked)):
        raise sealed.RunError(
            f"{folder} holds {kind} with {differs}; choose another folder, or repeat the command"
            " that made it"
        )
    return found


def write_asked(kind: FolderKind, folder: Path, entries: Mapping[str, Any]) -> None:
    """Write what was asked (values of JSON) to ``folder``, sealed."""
    sealed.write_file(folder / kind.file, seal_json({"format": kind.format, **entries}))


def read_asked(
    kind: FolderKind, folder: Path, more: Mapping[Any, sealed.Shape] | None = None
) -> dict[str, Any]:
    """What was asked in ``folder``, and with which versions; all of it checked.

    ``more`` is the shape of entries besides those of the kind.  Raises RunError that says all that
    is wrong with it: NotBegunError when there is no such work, LostError when the file is missing
    or damaged and the pieces repeat what was asked.
    """
    path = folder / kind.file
    again = f"choose another folder, or play the {kind.noun} again into a new one"
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "does not exist"
        raise NotBegunError(f"{folder} {problem}; give the folder of {kind}")
    try:
        entries = open_json(sealed.read_file(path))
    except FileNotFoundError:
        raise _lost(kind, folder, "is missing") or NotBegunError(
            f"{folder} is not the folder of {kind}: it has no {kind.file}; {again}"
        ) from None
    except ValueError as error:
        problem = f"is damaged: {error}"
        raise _lost(kind, folder, problem) or sealed.RunError(
            f"{path} {problem}; {again}"
        ) from error
    problem = ""
    if "format" not in entries:
        problem = f"is not that of {kind}"
    elif entries["format"] != kind.format:
        problem = (
            f"has {kind.noun} format {entries['format']!r}, this fairdeal reads format"
            f" {kind.format}"
        )
    if problem:
        raise sealed.RunError(f"{path} {problem}; {again}")
    bad = sealed.faults(entries, {**kind.shape, **(more or {}), CHECKSUM: str})
    if bad:
        problem = f"is damaged: no valid {', '.join(bad)}"
        raise _lost(kind, folder, problem) or sealed.RunError(f"{path} {problem}; {again}")
    del entries[CHECKSUM]
    return entries


def _lost(kind: FolderKind, folder: Path, problem: str) -> LostError | None:
    """The error where the pieces repeat what was asked; None where they do not."""
    asked = _asked_by_pieces(kind, folder)
    if asked is None:
        return None
    names = [name for name, value in asked.items() if _is_recognisable(name, value)]
    said = {name: asked[name] for name in names}
    if kind.grows:
        said[kind.grows] = _rows_there(kind, folder)
    numbers_last = {name: (isinstance(one, int), name != kind.grows) for name, one in said.items()}
    names = sorted(said, key=numbers_last.__getitem__)
    settings = ", ".join(f"{name.replace('_', ' ')} {_in_words(said[name])}" for name in names)
    return LostError(
        f"{folder / kind.file} {problem}; repeat the command that made the {kind.noun}"
        f" ({settings}): the file is written anew, and what was played stays",
        asked,
    )


def _is_recognisable(name: str, value: Any) -> bool:
    """Whether a person may recognise the work by a setting."""
    if name in _TECHNICAL or name.endswith("_hash") or isinstance(value, dict):
        return False
    return not isinstance(value, list) or 0 < len(value) <= _MOST_ITEMS


def _asked_by_pieces(kind: FolderKind, folder: Path) -> dict[str, Any] | None:
    """What was asked, as the first whole piece repeats it; None if there is none."""
    for path in sorted(folder.glob(kind.pieces)) if kind.pieces else ():
        with suppress(sealed.RunError, OSError, ValueError):
            asked = sealed.identity_of(sealed.open_table(sealed.read_file(path), [])).get(kind.noun)
            if asked is not None:
                return {k: one for k, one in json.loads(asked).items() if k != kind.grows}
    return None


def _rows_there(kind: FolderKind, folder: Path) -> int:
    """How many rows the pieces have that can be read."""
    rows = 0
    for path in folder.glob(kind.pieces):
        with suppress(OSError, pa.ArrowException), path.open("rb") as file:
            rows += pq.read_metadata(file).num_rows
    return rows


def what_was_asked(kind: FolderKind, entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that distinguish this work from other work.

    The number of games is one of them unless a stopping rule finds it.
    """
    outcome = (*kind.not_asked, "games") if "until" in entries else kind.not_asked
    asked = {
        key: value
        for key, value in entries.items()
        if key not in outcome and not is_for_people(key)
    }
    return {"format": kind.format, **asked}


def is_for_people(name: str) -> bool:
    """Whether an entry holds names for people alone."""
    return name.endswith(_FOR_PEOPLE)


def identity(kind: FolderKind, entries: Mapping[str, Any], piece: str) -> dict[str, str]:
    """The identity of a piece: everything that was asked, and its own name."""
    return {kind.noun: json.dumps(what_was_asked(kind, entries), sort_keys=True), "piece": piece}


def read_piece(
    kind: FolderKind,
    path: Path,
    expected: Mapping[str, str],
    again: str,
    wanted: Sequence[str] | None = None,
    most_rows: int | None = None,
    *,
    free: Collection[str] = (),
) -> pa.Table:
    """A sealed table (see `decode_part`), checksum and identity verified.

    ``expected`` is the identity that it must have, but for the ``free`` entries, which may be
    there or not.  Raises RunError, which ends with ``again``.
    """
    try:
        table = decode_part(sealed.read_file(path), wanted, most_rows=most_rows)
    except FileNotFoundError:
        raise sealed.RunError(f"{path} is missing; {again}") from None
    except ValueError as error:
        raise sealed.RunError(f"{path} is damaged: {error}; {again}") from error
    found = {name: one for name, one in sealed.identity_of(table).items() if name not in free}
    if not _is(kind, found, expected):
        raise sealed.RunError(f"{path} belongs to another {kind.noun} than {kind.file}; {again}")
    return table


def _is(kind: FolderKind, found: Mapping[str, str], expected: Mapping[str, str]) -> bool:
    """Whether an identity is the expected one.

    Or is but for the number that grows, which pieces repeated in version 0.2 of fairdeal.
    """
    if found == expected or kind.noun not in found:
        return found == expected
    asked = json.loads(found[kind.noun])
    asked.pop(kind.grows, None)
    return {**found, kind.noun: json.dumps(asked, sort_keys=True)} == expected
