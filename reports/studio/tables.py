"""Spreadsheets of a project: opened as a file beside them, and written from a file.

A spreadsheet has no comments, and not every layout of its own would survive being written back.
So what is edited is always a file of the game: opening does what the command for importing does,
and saving as a spreadsheet what that for exporting does.
"""

import base64
import binascii
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from card_data.toml_files import Unreadable, read_bytes
from reports.cli.console import InputError
from reports.studio.project import ChangedError, Project


@frozen
class Tables:
    """How a game reads and writes spreadsheets.

    ``read`` makes the text of a file of the contents, the name and the sheet of a spreadsheet, of
    the first sheet for ""; ``write`` the contents of a spreadsheet of the text and the name of a
    file, and how it is to end.  Both raise CardFileError.
    """

    suffixes: tuple[str, ...]
    most_bytes: int
    read: Callable[[bytes, str, str], str]
    write: Callable[[str, str, str], bytes]


class ThereError(ChangedError):
    """A file of that name is there, with other contents."""


def opened(project: Project, tables: Tables, name: str, sheet: str, *, replace: bool) -> str:
    """The name of a file with what a spreadsheet of the project says; it is written if need be.

    Raises ThereError where that file says something else, unless it is to be replaced;
    CardFileError and InputError.
    """
    path = project.file(name, tables.suffixes)
    if not path.is_file():
        raise InputError(f"there is no spreadsheet {name} in this folder")
    try:
        content = read_bytes(path, tables.most_bytes)
    except Unreadable as error:
        raise InputError(f"{name}: {error}") from None
    text = tables.read(content, name, sheet)
    file = f"{path.stem}.toml"
    old = project.read(file) if project.file(file).exists() else None
    if old and old.text != text and not replace:
        raise ThereError(
            f"{file} is there already, and {name} says something else; if it is replaced, it stays"
            " among its versions"
        )
    if not old or old.text != text:
        project.write(file, text, old.version if old else "")
    return file


def received(
    project: Project, tables: Tables, name: str, sheet: str, data: str, *, replace: bool
) -> None:
    """Write a spreadsheet that the page sent (base64) into the project, if a sheet can be read.

    Raises ThereError, CardFileError and InputError.
    """
    path = project.file(name, tables.suffixes)
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise InputError("the page sent something that cannot be read") from None
    tables.read(content, name, sheet)
    _write(path, content, replace=replace)


def saved(project: Project, tables: Tables, file: str, suffix: str, *, replace: bool) -> str:
    """The name of a spreadsheet beside a file, with what the file says now.

    Raises ThereError, CardFileError and InputError.
    """
    if suffix not in tables.suffixes:
        raise InputError(f"a spreadsheet ends in {' or '.join(tables.suffixes)}")
    content = tables.write(project.read(file).text, file, suffix)
    path = project.file(f"{Path(file).stem}{suffix}", tables.suffixes)
    _write(path, content, replace=replace)
    return path.name


def _write(path: Path, content: bytes, *, replace: bool) -> None:
    from reports.cli.named_files import check_writable, write_named
    from simcore.work.lock import holding_file

    with holding_file(path):
        check_writable(path)
        if path.exists() and not replace and not _has(path, content):
            raise ThereError(
                f"{path.name} is there already and says something else; notes, colours and other"
                " sheets that it has are lost if it is replaced"
            )
        write_named(path, content)


def _has(path: Path, content: bytes) -> bool:
    """Whether a file has these contents."""
    with suppress(Unreadable):
        return read_bytes(path, len(content)) == content
    return False
