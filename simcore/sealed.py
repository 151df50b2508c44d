"""Files that show when they are damaged, and say what they are of: sealed JSON and sealed Parquet.

A sealed file holds a SHA-256 of all its other bytes: whatever bit is flipped, whatever is cut off
or written over, shows when the file is read.  A sealed Parquet file also says what it is of, so
that a table of another run is never read as one of this run.  Manifests, parts and tables of all
folders are such files; the folders themselves are `simcore.work.folder`'s.

The checksum of a Parquet file covers the footer and the page headers.  Page checksums, which do
not, are there as well, for other readers.
"""

import errno
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from card_data.checksums import BLANK, BROKEN, CHECKSUM, checksum, is_sealed, is_whole, sealed
from simcore import places
from simcore.places import StorePath, written_aside

#: The error of everything that cannot be read or written.
RunError = places.RunError


class DamagedError(RunError, ValueError):
    """A file does not hold what it should; the message names it and says what to do."""


#: The errors of reading arrays from a damaged archive, or from another kind of file; RuntimeError
#: where it asks for a password or a packing that nobody knows.
UNREADABLE = (
    *(OSError, ValueError, TypeError, EOFError, LookupError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error),
)

# The endings of files that hold a checksum of their own.
_SEALED = (".json", ".parquet")
#: Bytes that a table takes at most when it is read: eight for each number, and its texts.
MOST_BYTES = 2**30


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


# Who is told, before a file in a folder is written or removed, of its checksum then.
_told: dict[Path, Callable[[Path, str | None], None]] = {}


@contextmanager
def told_of_writing(folder: Path, note: Callable[[Path, str | None], None]) -> Iterator[None]:
    """Call ``note`` before this process writes or removes a file in a folder, in any thread.

    It is called with the file and its checksum, which is None for one that goes, but not for files
    that hold a checksum of their own.  Within the block of a folder, that of an outer one is not
    called.
    """
    before = _told.get(folder)
    _told[folder] = before or note
    try:
        yield
    finally:
        if before is None:
            del _told[folder]


def tell_of_writing(path: Path, digest: str | None) -> None:
    """Tell whoever is to be told that a file is about to have a checksum, or to go if it is None.

    `write_file` does so; others that write files that hold no checksum of their own, call it.
    """
    path = path.resolve()
    for folder in path.parents if _told else ():
        if note := _told.get(folder):
            note(path, digest)
            return


def _tell_of(path: Path, data: bytes | bytearray) -> None:
    """Tell of contents that a file is about to have, unless they hold a checksum."""
    if _told and not (path.suffix in _SEALED and is_sealed(data)):
        tell_of_writing(path, checksum(data))


def keep_file(path: Path, data: bytes | bytearray) -> None:
    """Write ``path`` as `write_file` does, unless it has these contents."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        same = path.is_file() and path.read_bytes() == data
    if same:
        _tell_of(path, data)
    else:
        write_file(path, data)


def remove_file(path: Path) -> None:
    """Remove a file if it is there.  Raises RunError."""
    tell_of_writing(path, None)
    with writing(path):
        path.unlink(missing_ok=True)


def write_file(path: Path, data: bytes | bytearray) -> None:
    """Write ``path`` whole or not at all.  Raises RunError when the disk will not take it."""
    _tell_of(path, data)
    _write(path, data)


def _write(path: Path, data: bytes | bytearray) -> None:
    if isinstance(path, StorePath):
        path.write_bytes(data)
        return
    with writing(path), written_aside(path) as aside:
        write_aside(aside, data)


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


# ------------------------------------------------------------ shapes


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
        writer.add_key_value_metadata({CHECKSUM: BLANK})
    return sealed(stream.getvalue().to_pybytes())


def open_table(
    data: bytes, wanted: Sequence[str] | None = None, *, most_rows: int | None = None
) -> pa.Table:
    """The table in the bytes of `seal_table`, with what it is of in its metadata.

    ``wanted`` names the columns to read, default all.  Raises ValueError when any bit differs from
    what was written, or when it has more rows than ``most_rows`` or takes more than ``MOST_BYTES``.
    """
    if not is_whole(data):
        raise ValueError(BROKEN)
    _check_size(pq.read_metadata(pa.BufferReader(data)), wanted, most_rows)
    return pq.read_table(
        pa.BufferReader(data),
        columns=None if wanted is None else list(wanted),
        page_checksum_verification=True,
        use_threads=False,
    )


def _check_size(said: pq.FileMetaData, wanted: Sequence[str] | None, most_rows: int | None) -> None:
    """Raise ValueError for a table that is too large, by what its footer says of it."""
    if most_rows is not None and said.num_rows > most_rows:
        raise ValueError(f"it has {said.num_rows:,} rows, which are more than its {most_rows:,}")
    columns = map(said.schema.column, range(said.num_columns))
    width = sum(max(one.length, 8) for one in columns if wanted is None or one.name in wanted)
    packed = sum(said.row_group(number).total_byte_size for number in range(said.num_row_groups))
    size = max(said.num_rows * width, packed if width else 0)
    if size > MOST_BYTES:
        raise ValueError(f"it takes {size:,} bytes, and no table takes more than {MOST_BYTES:,}")


def identity_of(table: pa.Table) -> dict[str, str]:
    """What a table says that it is of."""
    said = {key.decode(): text.decode() for key, text in (table.schema.metadata or {}).items()}
    return {key: text for key, text in said.items() if key != "pandas"}
