"""Checksums: one in a file, of all its other bytes, and ``checksums.json``, of other files.

Every folder that a command makes has a file ``checksums.json`` with a SHA-256 of each file that
holds no checksum of its own.  A folder in it may have one as well, which then is that of its files.
Files that commands write for people, card files among them, can be changed by people: a file that
is not as it was written is read nowhere below such a folder (`is_changed`), and anywhere else.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

#: The entry of a sealed JSON file that holds its checksum.
CHECKSUM = "checksum"
MARK = "sha256="
BLANK = MARK + 64 * "0"
BROKEN = "its contents do not match its checksum"
#: The file with the checksums of other files.
CHECKSUMS = "checksums.json"

_FORMAT = 1
_MOST_BYTES = 20_000_000
# How many folders above a file are asked for its checksum.
_LEVELS = 3
# The name that the project had up to version 0.2, in the versions that files of that time list.
_OLD_NAME, _NAME = "balancelab", "fairdeal"


# ------------------------------------------------------------ a checksum in the file


def sealed(data: bytes) -> bytes:
    """The same bytes with the checksum in the last place that is kept free for it."""
    start = data.rfind(MARK.encode()) + len(MARK)
    digest = _digest(data, start)
    return data[:start] + digest + data[start + len(digest) :]


def is_sealed(data: bytes | bytearray) -> bool:
    """Whether there is a checksum in some bytes."""
    return data.rfind(MARK.encode()) >= 0


def is_whole(data: bytes) -> bool:
    """Whether the last checksum in some bytes is that of all others."""
    start = data.rfind(MARK.encode()) + len(MARK)
    return data[start : start + len(BLANK) - len(MARK)] == _digest(data, start)


def _digest(data: bytes, start: int) -> bytes:
    """SHA-256 in hexadecimal of ``data`` without the digest that stands at ``start``."""
    view = memoryview(data)
    digest = hashlib.sha256(view[:start])
    digest.update(view[start + len(BLANK) - len(MARK) :])
    return digest.hexdigest().encode()


def seal_json(entries: Mapping[str, Any]) -> bytes:
    """The bytes of a JSON file that holds ``entries`` and a checksum.  The same give the same."""
    return sealed((json.dumps({**entries, CHECKSUM: BLANK}, indent=2) + "\n").encode())


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
    if (CHECKSUM in entries or is_sealed(data)) and not is_whole(data):
        raise ValueError(BROKEN)
    versions = entries.get("versions")
    if isinstance(versions, dict) and _OLD_NAME in versions:
        named = {_NAME if name == _OLD_NAME else name: one for name, one in versions.items()}
        entries["versions"] = named
    return entries


# ------------------------------------------------------------ checksums of other files


@frozen
class Checksums:
    """What a file ``checksums.json`` says: the SHA-256 of files by their paths in its folder.

    It is ``unfinished`` while the command that writes there has not ended.
    """

    files: Mapping[str, str] = field(factory=dict)
    unfinished: bool = False

    def as_json(self) -> bytes:
        """The contents of the file."""
        more = {"unfinished": True} if self.unfinished else {}
        return seal_json({"format": _FORMAT, **more, "files": dict(sorted(self.files.items()))})


def checksum(data: bytes | bytearray) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def checksum_of(path: Path) -> str:
    """The SHA-256 of a file, however large it is.  Raises OSError, also for no ordinary file."""
    if not path.is_file():  # a pipe would keep whoever reads it waiting
        raise OSError(f"{path} is not an ordinary file")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_checksums(folder: Path) -> Checksums | None:
    """The checksums of the files in a folder; None where it has none.

    Raises ValueError for a file that is damaged, and OSError for one that cannot be read.
    """
    path = folder / CHECKSUMS
    try:
        if not path.is_file():  # a pipe would keep whoever reads it waiting
            return None
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} bytes")
        entries = open_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    files, format_ = entries.get("files"), entries.get("format")
    if format_ != _FORMAT:
        raise ValueError(f"it has the format {format_!r}, which this fairdeal cannot read")
    if not isinstance(files, dict) or not all(isinstance(one, str) for one in files.values()):
        raise ValueError("it has no valid files")
    return Checksums(files, bool(entries.get("unfinished")))


def is_changed(path: Path, data: bytes) -> bool:
    """Whether a file of a folder that a command made holds something else than was written there.

    False where nothing says what was written, or the command has not ended.
    """
    for folder in list(path.absolute().parents)[:_LEVELS]:
        try:
            found = read_checksums(folder)
        except (OSError, ValueError):
            return False
        if found is not None:
            written = found.files.get(path.absolute().relative_to(folder).as_posix())
            return written is not None and not found.unfinished and written != checksum(data)
    return False
