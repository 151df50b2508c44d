"""Folders of work that goes on: what was asked, sealed pieces, and who works there.

A folder has a file that says what was asked for, and with which versions (of a run
``manifest.json``), and sealed pieces (of a run its parts) that each repeat what was asked: a piece
of other work is never read as one of this, and a file that is lost or damaged is written anew when
the command is repeated.  Files appear whole or not at all: written aside under a hidden name,
flushed to the disk, renamed.  One command works in a folder at a time: the hidden file ``.lock`` is
there while it does.

The manifest of a run is written before the first part and once more with the counts when the last
part is done.  Where a stopping rule ends the run, ``until`` says which, ``games`` is at first the
number at most and in the end the number played, and ``stopped`` what the rule saw then.
"""

import fnmatch
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from attrs import frozen
from filelock import FileLock, Timeout

from simcore.records import decode_part, encode_part
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

#: The file that says what was asked of a run.
MANIFEST = "manifest.json"

_LOCK = ".lock"
# The locks that the work which is going on holds: a command and its steps hold one together.
_held: ContextVar[frozenset[Path]] = ContextVar("held", default=frozenset())
_LEFTOVERS = ".*.tmp"
# What a person may know work by whose file is lost.
_TELLING = ("sets", "policies", "policy", "players", "games", "seed")
# Of a long setting so many characters are told.
_MOST_TOLD = 80


class LostError(RunError):
    """What says what was asked is missing or damaged; ``told`` is what the pieces say of it."""

    def __init__(self, message: str, told: dict[str, Any]) -> None:
        super().__init__(message)
        self.told = told


class NotBegunError(RunError):
    """A folder in which no such work was begun."""


@frozen
class FolderKind:
    """A kind of folder: what the work in it is called, and what the file in it is to hold.

    ``noun`` is a word such as "run"; ``pieces`` are the sealed files, as a pattern; ``shape`` is
    that of the entries of ``file`` (`simcore.sealed.faults`).  ``format`` is the version of all
    that.  Entries in ``not_asked`` may differ when work is taken up again.
    """

    noun: str
    file: str
    format: int
    pieces: str
    shape: Mapping[Any, Shape]
    not_asked: tuple[str, ...] = ("versions", "set_names")

    def __str__(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"


_COUNT = range(2**63)
_SOME = range(1, 2**63)
#: With which versions something was made.
VERSIONS: Shape = {"python": str, "balancelab": str, str: str}
#: A run; what a game adds to its entries is that game's business.
RUN = FolderKind(
    "run",
    MANIFEST,
    2,
    "games/part-*.parquet",
    {
        "game": str,
        "rules_version": int,
        "record_layout": str,
        "games": _SOME,
        "part_games": _SOME,
        "versions": VERSIONS,
        "counts": ({"games": _COUNT, str: _COUNT}, None),
        "until": (dict, None),
        "stopped": (dict, None),
    },
    ("versions", "counts", "stopped", "set_names"),
)


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Work in ``folder`` while no other process does.

    If there is none it is made, with its parents, and removed if it stays empty.  What a block does
    that holds a folder may hold it again.  The lock is one of the operating system, which ends with
    the process, however that ends.  Raises RunError when another process holds the folder, or it
    cannot be written to.
    """
    with writing(folder):
        made = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder.resolve() / _LOCK
    if path in _held.get():
        yield
        return
    lock = FileLock(path, timeout=0)
    with writing(path):
        try:
            lock.acquire()
        except Timeout:
            raise RunError(_at_work(folder)) from None
    before = _held.set(_held.get() | {path})
    try:
        yield
    finally:
        _held.reset(before)
        # While it is still held: whoever gets a lock on a file that is gone tries again.
        with suppress(OSError):
            path.unlink()
            for one in made:
                one.rmdir()  # which fails unless it is empty
        lock.release()


def remove_leftovers(folder: Path) -> None:
    """Remove from ``folder`` and its subfolders what a killed `write_file` left behind.

    Subfolders that have a lock of their own are left to those who work there.
    """
    for name, subfolders, files in os.walk(folder):
        inner = Path(name)
        subfolders[:] = [one for one in subfolders if not (inner / one / _LOCK).exists()]
        for leftover in [inner / file for file in fnmatch.filter(files, _LEFTOVERS)]:
            with writing(leftover):
                leftover.unlink(missing_ok=True)


def check_nobody_works(folder: Path) -> None:
    """Raise RunError if another process holds ``folder``: what is missing there may still come."""
    path = folder.resolve() / _LOCK
    if path in _held.get() or not path.exists():
        return
    with suppress(OSError):  # what cannot be locked is nobody's work
        try:
            with FileLock(path, timeout=0):
                pass
        except Timeout:
            raise RunError(_at_work(folder)) from None


def _at_work(folder: Path) -> str:
    return (
        f"another balancelab is at work in {folder}; wait until it is done, or choose another"
        " folder"
    )


# ------------------------------------------------------------ what was asked


def begin(
    kind: FolderKind,
    folder: Path,
    asked: Mapping[str, Any],
    *,
    files: Mapping[str, bytes],
    differing: Callable[[Mapping[str, Any], Mapping[str, Any]], str] | None = None,
) -> dict[str, Any]:
    """Begin work in a folder that is held, or take it up again; what its file says.

    ``asked`` is what the file is to say; that of a folder which was begun stays as it is, and one
    that is lost or damaged is written anew if the pieces say that it was the same.  ``files`` (path
    in the folder -> contents) are written beside it; ``differing`` says how what was asked differs,
    as `difference` does.

    Raises RunError when the folder holds something else or cannot be written.
    """
    with writing(folder):
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
    if told := (differing or difference)(there, wanted):
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
    return dict(found)


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
    said = ", ".join(
        f"{name.replace('_', ' ')} {_told(told[name])}" for name in _TELLING if name in told
    )
    return LostError(
        f"{folder / kind.file} {problem}; repeat the command that made the {kind.noun} ({said}):"
        " the file is written anew, and what was played stays",
        told,
    )


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


def difference(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Where what was asked in two manifests parts first, as a person says it: "life 3, not 4".

    Empty when it is the same.
    """
    for key in {**asked, **found}:
        if found.get(key) != asked.get(key):
            return _difference(key, found.get(key), asked.get(key))
    return ""


def _difference(name: str, found: Any, asked: Any) -> str:
    """How two settings of a name differ."""
    if name.endswith("_hash"):
        return "other cards" if name == "cards_hash" else "another pool"
    if isinstance(found, dict) and isinstance(asked, dict):
        part = next(part for part in {**asked, **found} if asked.get(part) != found.get(part))
        whose = f"other weights of {part}:" if name == "weights" else part
        return _difference(whose, found.get(part), asked.get(part))
    if name == "policies":
        return f"policy {_policy_told(found)}, not {_policy_told(asked)}"
    return f"{name.replace('_', ' ')} {_told(found)}, not {_told(asked)}"


def _policy_told(policies: Any) -> str:
    """Who plays, as ``--policy`` says it: one player for both sides, or two with a colon."""
    return ":".join(dict.fromkeys(policies)) if isinstance(policies, list) else _told(policies)


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


# ------------------------------------------------------------ a run


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run (values of JSON) to ``folder``."""
    write_asked(RUN, folder, manifest)


def read_manifest(folder: Path, more: Mapping[Any, Shape] | None = None) -> dict[str, Any]:
    """The manifest of the run in ``folder``, as `read_asked` reads it.

    ``counts`` is None while the run is unfinished.  Raises RunError.
    """
    return read_asked(RUN, folder, more)


def n_parts(manifest: dict[str, Any]) -> int:
    """How many parts the run has when it is finished."""
    games, part_games = int(manifest["games"]), int(manifest["part_games"])
    return -(-games // part_games)


def games_of_part(manifest: dict[str, Any], part: int) -> range:
    """The numbers of the games in part number ``part``."""
    first, most = part * int(manifest["part_games"]), int(manifest["part_games"])
    return range(first, min(first + most, int(manifest["games"])))


def part_path(folder: Path, part: int) -> Path:
    """The file of part number ``part``."""
    return folder / "games" / f"part-{part:05}.parquet"


def write_part(folder: Path, manifest: dict[str, Any], part: int, records: np.ndarray) -> None:
    """Write the games of one part, a structured array of shape (n_games,).  Raises RunError."""
    write_file(part_path(folder, part), encode_part(records, _identity(manifest, part)))


def read_part(
    folder: Path, manifest: dict[str, Any], part: int, wanted: Sequence[str] | None = None
) -> pa.Table:
    """The games of one part (see `decode_part`), checksum and identity verified.

    Raises RunError when the part is missing or damaged or belongs to another run.
    """
    path = part_path(folder, part)
    again = "delete it and repeat the command that made the run: only its games are played again"
    table = read_piece(RUN, path, _identity(manifest, part), again, wanted)
    if table.num_rows != len(games_of_part(manifest, part)):
        raise RunError(f"{path} has another number of games than it should have; {again}")
    return table


def _identity(manifest: dict[str, Any], part: int) -> dict[str, str]:
    return identity(RUN, manifest, f"part {part}")
