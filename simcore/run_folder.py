"""The files of a run folder: its manifest and its parts, and what is said when one is bad.

``manifest.json`` says what was asked for, and with which versions; it is written before the first
part and once more with the counts when the last part is done.  Every part repeats what was asked
in its footer, so that a part of another run is never read as one of this run.  Files appear whole
or not at all: written aside under a hidden name, flushed to the disk, renamed.

Where a stopping rule ends the run, ``until`` says which, ``games`` is at first the number at most
and in the end the number played, and ``stopped`` what the rule saw then.
"""

import errno
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from simcore.records import decode_part, encode_part

#: Version of the folder's layout: which files there are and what the manifest holds.
FORMAT = 1
MANIFEST = "manifest.json"
#: Manifest entries that do not say what was asked: they may differ when a run is taken up again.
NOT_ASKED = ("versions", "counts", "stopped")

_LEFTOVERS = ".*.tmp"
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


def remove_leftovers(folder: Path) -> None:
    """Remove from ``folder`` and its subfolders what a killed `write_file` left behind."""
    for leftover in folder.rglob(_LEFTOVERS):
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
