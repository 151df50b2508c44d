"""Folders of work that goes on: what was asked, and sealed pieces that each say what they are of.

A folder has a file that says what was asked for, and with which versions, and sealed pieces that
each repeat what was asked: a piece of other work is never read as one of this, and a file that is
lost or damaged is written anew when the command is repeated.  Files appear whole or not at all:
written aside under a hidden name, flushed to the disk, renamed.
"""

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
from attrs import frozen

from simcore.records import decode_part
from simcore.sealed import (
    CHECKSUM,
    RunError,
    Shape,
    faults,
    identity_of,
    open_json,
    open_table,
    read_file,
    seal_json,
    write_file,
    writing,
)
from simcore.work.lock import remove_leftovers

# Longest setting quoted in a message, in characters and in items.
_MOST_TOLD, _MOST_ITEMS = 80, 8
# What nobody knows work by whose file is lost.
_NOT_TELLING = ("format", "game", "rules_version", "record_layout", "part_games", "command")


class LostError(RunError):
    """What says what was asked is missing or damaged; ``told`` is what the pieces say of it."""

    def __init__(self, message: str, told: dict[str, Any]) -> None:
        super().__init__(message)
        self.told = told


class NotBegunError(RunError):
    """A folder in which no such work was begun."""


#: With which versions something was made.
VERSIONS: Shape = {"python": str, "balancelab": str, str: str}


def versions_of(*packages: str) -> dict[str, str]:
    """The versions of Python, balancelab and ``packages``."""
    names = ("balancelab", *packages)
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def difference(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Where what was asked in two manifests parts first, as a person says it: "life 3, not 4".

    Empty when it is the same.
    """
    for key in {**asked, **found}:
        if found.get(key) != asked.get(key):
            return difference_of(key, found.get(key), asked.get(key))
    return ""


def difference_of(name: str, found: Any, asked: Any) -> str:
    """How two settings of a name differ; of entries by name the first that differs."""
    if name.endswith("_hash"):
        what = name.removesuffix("_hash")
        return f"{'other' if what.endswith('s') else 'another'} {what}"
    if isinstance(found, dict) and isinstance(asked, dict):
        part = next(part for part in {**asked, **found} if asked.get(part) != found.get(part))
        return difference_of(part, found.get(part), asked.get(part))
    return f"{name.replace('_', ' ')} {_told(found)}, not {_told(asked)}"


def _told(value: Any) -> str:
    """A value of JSON without its punctuation."""
    if isinstance(value, dict):
        text = ", ".join(f"{name} {_told(part)}" for name, part in value.items())
    elif isinstance(value, list):
        text = ", ".join(map(_told, value))
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "" if value is None else str(value)
    return f"{text[:_MOST_TOLD]}…" if len(text) > _MOST_TOLD else text or "none"


@frozen
class FolderKind:
    """A kind of folder: what the work in it is called, and what the file in it is to hold.

    ``noun`` is a word such as "run"; ``pieces`` are the sealed files, as a pattern, empty if there
    are none; ``shape`` is that of the entries of ``file`` (`simcore.sealed.faults`).  ``format`` is
    the version of all that.  Entries in ``not_asked`` may differ when work is taken up again;
    ``differing`` says how others differ, as `difference` does.
    """

    noun: str
    file: str
    format: int
    pieces: str
    shape: Mapping[Any, Shape]
    not_asked: tuple[str, ...] = ("versions", "set_names")
    differing: Callable[[Mapping[str, Any], Mapping[str, Any]], str] = difference

    def __str__(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"


@frozen
class WorkFolder:
    """A folder in which work was begun, and what its file says."""

    kind: FolderKind
    path: Path
    manifest: Mapping[str, Any]

    def identity(self, piece: str) -> dict[str, str]:
        """What a piece says about itself: everything that was asked, and its own name."""
        return identity(self.kind, self.manifest, piece)

    def read(
        self, file: str, piece: str, *, again: str = "", wanted: Sequence[str] | None = None
    ) -> pa.Table:
        """A sealed piece (see `decode_part`), checksum and identity verified.

        ``file`` is its path in the folder, ``piece`` the name in its identity.  Raises RunError,
        which ends with ``again``.
        """
        return read_piece(self.kind, self.path / file, self.identity(piece), again, wanted)


def begin(
    kind: FolderKind,
    folder: Path,
    asked: Mapping[str, Any],
    *,
    files: Mapping[str, bytes],
) -> WorkFolder:
    """Begin work in a folder that is held, or take it up again.

    ``asked`` is what the file is to say; that of a folder which was begun stays as it is, and one
    that is lost or damaged is written anew if the pieces say that it was the same.  ``files`` (path
    in the folder -> contents) are written beside it.

    Raises RunError when the folder holds something else or cannot be written.
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        holds = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    found: Mapping[str, Any] = asked
    there = wanted = what_was_asked(kind, asked)
    if holds:
        try:
            found = read_asked(kind, folder)
            there = what_was_asked(kind, found)
        except LostError as error:
            there = error.told
        except NotBegunError:
            raise RunError(
                f"{folder} is not empty and not the folder of {kind} (it holds {holds[0]}); choose"
                " another folder"
            ) from None
    if told := kind.differing(there, wanted):
        raise RunError(
            f"{folder} holds {kind} with {told}; choose another folder, or repeat the command that"
            " made it"
        )
    if found is asked:
        write_asked(kind, folder, asked)
    remove_leftovers(folder)
    for name, data in files.items():
        path = folder / name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = path.is_file() and path.read_bytes() == data
        if not kept:
            write_file(path, data)
    with writing(folder):
        (folder / kind.pieces).parent.mkdir(exist_ok=True)
    return WorkFolder(kind, folder, dict(found))


def write_asked(kind: FolderKind, folder: Path, entries: Mapping[str, Any]) -> None:
    """Write what was asked (values of JSON) to ``folder``, sealed."""
    write_file(folder / kind.file, seal_json({"format": kind.format, **entries}))


def read_asked(
    kind: FolderKind, folder: Path, more: Mapping[Any, Shape] | None = None
) -> dict[str, Any]:
    """What was asked in ``folder``, and with which versions; all of it checked.

    ``more`` is the shape of entries besides those of the kind.  Raises RunError that says all that
    is wrong with it: NotBegunError when there is no such work, LostError when the file is missing
    or damaged and the pieces tell what was asked.
    """
    path = folder / kind.file
    again = f"choose another folder, or play the {kind.noun} again into a new one"
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "does not exist"
        raise NotBegunError(f"{folder} {problem}; give the folder of {kind}")
    try:
        entries = open_json(read_file(path))
    except FileNotFoundError:
        raise _lost(kind, folder, "is missing") or NotBegunError(
            f"{folder} is not the folder of {kind}: it has no {kind.file}; {again}"
        ) from None
    except ValueError as error:
        problem = f"is damaged: {error}"
        raise _lost(kind, folder, problem) or RunError(f"{path} {problem}; {again}") from error
    problem = ""
    if "format" not in entries:
        problem = f"is not that of {kind}"
    elif entries["format"] != kind.format:
        problem = (
            f"has {kind.noun} format {entries['format']!r}, this balancelab reads format"
            f" {kind.format}"
        )
    if problem:
        raise RunError(f"{path} {problem}; {again}")
    bad = faults(entries, {**kind.shape, **(more or {}), CHECKSUM: str})
    if bad:
        problem = f"is damaged: no valid {', '.join(bad)}"
        raise _lost(kind, folder, problem) or RunError(f"{path} {problem}; {again}")
    del entries[CHECKSUM]
    return entries


def _lost(kind: FolderKind, folder: Path, problem: str) -> LostError | None:
    """What is said where the pieces tell what was asked; None where they do not."""
    told = _told_by_pieces(kind, folder)
    if told is None:
        return None
    telling = [name for name, value in told.items() if _is_telling(name, value)]
    telling.sort(key=lambda name: isinstance(told[name], int))  # numbers last
    said = ", ".join(f"{name.replace('_', ' ')} {_told(told[name])}" for name in telling)
    return LostError(
        f"{folder / kind.file} {problem}; repeat the command that made the {kind.noun} ({said}):"
        " the file is written anew, and what was played stays",
        told,
    )


def _is_telling(name: str, value: Any) -> bool:
    """Whether a person may know the work by a setting."""
    if name in _NOT_TELLING or name.endswith("_hash") or isinstance(value, dict):
        return False
    return not isinstance(value, list) or 0 < len(value) <= _MOST_ITEMS


def _told_by_pieces(kind: FolderKind, folder: Path) -> dict[str, Any] | None:
    """What was asked as the first whole piece tells it; None if there is none."""
    for path in sorted(folder.glob(kind.pieces)) if kind.pieces else ():
        with suppress(RunError, OSError, ValueError):
            said = identity_of(open_table(read_file(path), [])).get(kind.noun)
            if said is not None:
                return dict(json.loads(said))
    return None


def what_was_asked(kind: FolderKind, entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that tell this work from others.

    The number of games is one of them unless it is for a stopping rule to find.
    """
    outcome = (*kind.not_asked, "games") if "until" in entries else kind.not_asked
    asked = {key: value for key, value in entries.items() if key not in outcome}
    return {"format": kind.format, **asked}


def identity(kind: FolderKind, entries: Mapping[str, Any], piece: str) -> dict[str, str]:
    """What a piece says about itself: everything that was asked, and its own name."""
    return {kind.noun: json.dumps(what_was_asked(kind, entries), sort_keys=True), "piece": piece}


def read_piece(
    kind: FolderKind,
    path: Path,
    said: Mapping[str, str],
    again: str,
    wanted: Sequence[str] | None = None,
) -> pa.Table:
    """A sealed table (see `decode_part`), checksum and identity verified.

    ``said`` is the identity that it must have.  Raises RunError, which ends with ``again``.
    """
    try:
        table = decode_part(read_file(path), wanted)
    except FileNotFoundError:
        raise RunError(f"{path} is missing; {again}") from None
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}; {again}") from error
    if identity_of(table) != said:
        raise RunError(f"{path} belongs to another {kind.noun} than {kind.file}; {again}")
    return table
