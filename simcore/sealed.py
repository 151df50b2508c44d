"""Files that show when they are damaged, and say what they are of: sealed JSON and sealed Parquet.

A sealed file holds a SHA-256 of all its other bytes: whatever bit is flipped, whatever is cut off
or written over, shows when the file is read.  A sealed Parquet file also says what it is of, so
that a table of another run is never read as one of this run.  Manifests, parts and tables of all
folders are such files; the folders themselves are `simcore.work.folder`'s.

The checksum of a Parquet file covers the footer and the page headers.  Page checksums, which do
not, are there as well, for other readers.
"""

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simcore import places
from simcore.places import StorePath

#: The error of everything that cannot be read or written.
RunError = places.RunError

#: The entry of a sealed JSON file that holds its checksum.
CHECKSUM = "checksum"
_MARK = "sha256="
_BLANK = _MARK + 64 * "0"
_BROKEN = "its contents do not match its checksum"
#: The name that the project had up to version 0.2, in the versions that files of that time list.
_OLD_NAME, _NAME = "balancelab", "fairdeal"


# ------------------------------------------------------------ files


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an OSError while ``path`` is written into a RunError that says what to do."""
    try:
        yield
    except RunError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = "free some space and repeat the command: finished parts are kept"
        elif error.errno == errno.ENOENT and not path.parent.exists():
            gone = next(one for one in reversed(path.parents) if not one.exists())
            raise RunError(
                f"cannot write {path}: {error.strerror}; {gone} is not there: make it, or, if it"
                " was moved meanwhile, repeat the command with its new place: finished parts are"
                " kept"
            ) from error
        else:
            advice = "choose a folder that can be written to"
        raise RunError(f"cannot write {path}: {error.strerror or error}; {advice}") from error


def write_file(path: Path, data: bytes | bytearray) -> None:
    """Write ``path`` whole or not at all.  Raises RunError when the disk will not take it."""
    if isinstance(path, StorePath):
        path.write_bytes(data)
        return
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writing(path):
        write_aside(aside, data)
        take_place(aside, path)


def write_aside(aside: Path, data: bytes | bytearray) -> None:
    """Write a file, flushed to the disk; nothing is left of it if that fails.  Raises OSError."""
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def take_place(aside: Path, path: Path) -> None:
    """Let a file that was written aside take its place, or remove it.  Raises OSError."""
    try:
        aside.replace(path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def read_file(path: Path) -> bytes:
    """The contents of an ordinary file; one that would wait for others is never opened.

    Raises FileNotFoundError if there is none, RunError if it is something else or cannot be read.
    """
    if isinstance(path, StorePath):
        return path.read_bytes()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder" if path.is_dir() else "not an ordinary file"
            raise RunError(f"cannot read {path}: it is {what}")
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror or error}") from error


# ------------------------------------------------------------ JSON


def seal_json(entries: Mapping[str, Any]) -> bytes:
    """The bytes of a JSON file that holds ``entries`` and a checksum.  The same give the same."""
    return _sealed((json.dumps({**entries, CHECKSUM: _BLANK}, indent=2) + "\n").encode())


def open_json(data: bytes) -> dict[str, Any]:
    """The entries in the bytes of `seal_json`, ``checksum`` among them.

    A file that never had one, of an earlier format, is opened as it is.  The version of the program
    has its name of today, whatever it was called then.  Raises ValueError when any bit differs from
    what was written.
    """
    try:
        entries = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not JSON ({error})") from None
    if not isinstance(entries, dict):
        raise ValueError("it is not an object of JSON")
    if (CHECKSUM in entries or _MARK.encode() in data) and not _is_whole(data):
        raise ValueError(_BROKEN)
    versions = entries.get("versions")
    if isinstance(versions, dict) and _OLD_NAME in versions:
        named = {_NAME if name == _OLD_NAME else name: one for name, one in versions.items()}
        entries["versions"] = named
    return entries


#: What a value of JSON must be: a type; a range of whole numbers; None; a list of one shape, for
#: each item; entries by name, with ``str`` for all others; or one of several shapes.
Shape = Any


def faults(value: Any, shape: Shape, name: str = "") -> list[str]:
    """The places in ``value`` that are not of the shape, such as ``counts.games``."""
    if isinstance(shape, tuple):
        fits = any(not faults(value, one) for one in shape)
        return [] if fits else faults(value, shape[0], name)
    if isinstance(shape, dict) and isinstance(value, dict):
        shapes = dict.fromkeys(value, shape[str]) | shape if str in shape else dict(shape)
        shapes.pop(str, None)
        inside = f"{name}." if name else ""
        found = [faults(value.get(key), one, f"{inside}{key}") for key, one in shapes.items()]
        return [place for places in found for place in places]
    if isinstance(shape, list) and isinstance(value, list):
        found = [faults(item, shape[0], f"{name}[{i}]") for i, item in enumerate(value)]
        return [place for places in found for place in places]
    if isinstance(shape, range):
        fits = type(value) is int and value in shape
    elif shape is float:
        fits = type(value) in (int, float)
    else:
        fits = value is None if shape is None else type(value) is shape
    return [] if fits else [name or "entries"]


# ------------------------------------------------------------ Parquet


def seal_table(table: pa.Table, identity: Mapping[str, str], **options: Any) -> bytes:
    """The bytes of a Parquet file that holds ``table``, what it is of, and a checksum.

    ``identity`` goes into the footer, beside what the table's own metadata say; ``options`` are
    those of `pyarrow.parquet.ParquetWriter`.  The same table and identity give the same bytes.
    """
    own = {key.decode(): text.decode() for key, text in (table.schema.metadata or {}).items()}
    table = table.replace_schema_metadata(own | {**identity})
    stream = pa.BufferOutputStream()
    with pq.ParquetWriter(stream, table.schema, write_page_checksum=True, **options) as writer:
        writer.write_table(table, row_group_size=max(table.num_rows, 1))
        writer.add_key_value_metadata({CHECKSUM: _BLANK})
    return _sealed(stream.getvalue().to_pybytes())


def open_table(data: bytes, wanted: Sequence[str] | None = None) -> pa.Table:
    """The table in the bytes of `seal_table`, with what it is of in its metadata.

    ``wanted`` names the columns to read, default all.  Raises ValueError when any bit differs from
    what was written.
    """
    if not _is_whole(data):
        raise ValueError(_BROKEN)
    return pq.read_table(
        pa.BufferReader(data),
        columns=None if wanted is None else list(wanted),
        page_checksum_verification=True,
        use_threads=False,
    )


def identity_of(table: pa.Table) -> dict[str, str]:
    """What a table says that it is of."""
    said = {key.decode(): text.decode() for key, text in (table.schema.metadata or {}).items()}
    return {key: text for key, text in said.items() if key != "pandas"}


# ------------------------------------------------------------ checksums


def _sealed(data: bytes) -> bytes:
    """The same bytes with the checksum in the last place that is kept free for it."""
    start = data.rfind(_MARK.encode()) + len(_MARK)
    digest = _digest(data, start)
    return data[:start] + digest + data[start + len(digest) :]


def _is_whole(data: bytes) -> bool:
    """Whether the last checksum in ``data`` is that of all other bytes."""
    start = data.rfind(_MARK.encode()) + len(_MARK)
    return data[start : start + len(_BLANK) - len(_MARK)] == _digest(data, start)


def _digest(data: bytes, start: int) -> bytes:
    """SHA-256 in hexadecimal of ``data`` without the digest that stands at ``start``."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:start])
    digest.update(view[start + len(_BLANK) - len(_MARK) :])
    return digest.hexdigest().encode()
