"""The files of a run folder: its manifest and its parts, and what is said when one is bad.

``manifest.json`` says what was asked for, and with which versions; it is written before the first
part and once more with the counts when the last part is done.  Every part repeats what was asked
in its footer, so that a part of another run is never read as one of this run.  Files appear whole
or not at all: written aside under a hidden name, flushed to the disk, renamed.  One command works
in a folder at a time: the hidden file ``.lock`` is there while it does.

Where a stopping rule ends the run, ``until`` says which, ``games`` is at first the number at most
and in the end the number played, and ``stopped`` what the rule saw then.
"""

import errno
import fnmatch
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from filelock import FileLock, Timeout

from simcore.records import decode_part, encode_part

#: Version of the folder's layout: which files there are and what the manifest holds.
FORMAT = 1
MANIFEST = "manifest.json"
#: Manifest entries that do not say what was asked: they may differ when a run is taken up again.
NOT_ASKED = ("versions", "counts", "stopped", "set_names")

_LOCK = ".lock"
# The locks that the work which is going on holds: a command and its steps hold one together.
_held: ContextVar[frozenset[Path]] = ContextVar("held", default=frozenset())
_LEFTOVERS = ".*.tmp"
# Of a long setting so many characters are told.
_MOST_TOLD = 80
_REQUIRED: dict[str, type] = {
    "game": str,
    "rules_version": int,
    "record_layout": str,
    "games": int,
    "part_games": int,
    "versions": dict,
}


class RunError(Exception):
    """A run folder cannot be read or written; the message names the file and what to do."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError while ``path`` is written into a RunError that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = "free some space and repeat the command: finished parts are kept"
        else:
            advice = "choose a folder that can be written to"
        raise RunError(f"cannot write {path}: {error.strerror or error}; {advice}") from error


def write_file(path: Path, data: bytes | bytearray) -> None:
    """Write ``path`` whole or not at all.  Raises RunError when the disk will not take it."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writing(path):
        try:
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise


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
            raise RunError(
                f"another balancelab is at work in {folder}; wait until it is done, or choose"
                " another folder"
            ) from None
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


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write ``manifest`` (values of JSON) to ``folder``."""
    write_file(folder / MANIFEST, (json.dumps(manifest, indent=2) + "\n").encode())


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest in ``folder``, its common entries checked.

    ``counts`` is None while the run is unfinished.  Raises RunError.
    """
    path = folder / MANIFEST
    again = "choose another run folder, or play the run again into a new one"
    if not folder.is_dir():
        problem = "is a file" if folder.exists() else "does not exist"
        raise RunError(f"{folder} {problem}; give the folder of a run ('balancelab simulate')")
    if not path.exists():
        raise RunError(f"{folder} is not a run folder: it has no {MANIFEST}; {again}")
    try:
        manifest = json.loads(path.read_bytes())
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror or error}; {again}") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path} is damaged: not JSON ({error}); {again}") from error
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise RunError(f"{path} is not the manifest of a run; {again}")
    if manifest["format"] != FORMAT:
        raise RunError(
            f"{path} has run format {manifest['format']!r}, this balancelab reads format {FORMAT};"
            f" {again}"
        )
    bad = [key for key, kind in _REQUIRED.items() if type(manifest.get(key)) is not kind]
    bad += [key for key in ("games", "part_games") if key not in bad and manifest[key] < 1]
    if not isinstance(manifest.get("counts", ""), dict | None):
        bad.append("counts")
    if bad:
        raise RunError(f"{path} is damaged: no valid {', '.join(bad)}; {again}")
    return manifest


def what_was_asked(manifest: dict[str, Any]) -> dict[str, Any]:
    """The entries of ``manifest`` that tell this run from others.

    The number of games is one of them unless it is for a stopping rule to find.
    """
    outcome = (*NOT_ASKED, "games") if "until" in manifest else NOT_ASKED
    return {key: value for key, value in manifest.items() if key not in outcome}


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
    if name == "weights" and not (isinstance(found, dict) and isinstance(asked, dict)):
        return "players of whose weights it says nothing, written by another version"
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
    try:
        table = decode_part(path.read_bytes(), wanted)
    except FileNotFoundError:
        raise RunError(
            f"{path} is missing; repeat the command that made the run: only missing parts are"
            " played again"
        ) from None
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}; {again}") from error
    if {key.decode(): text.decode() for key, text in table.schema.metadata.items()} != _identity(
        manifest, part
    ):
        raise RunError(f"{path} belongs to another run than {folder / MANIFEST}; {again}")
    if table.num_rows != len(games_of_part(manifest, part)):
        raise RunError(f"{path} has another number of games than it should have; {again}")
    return table


def _identity(manifest: dict[str, Any], part: int) -> dict[str, str]:
    """What a part says about itself: everything that was asked, and its own number."""
    return {"run": json.dumps(what_was_asked(manifest), sort_keys=True), "part": str(part)}
