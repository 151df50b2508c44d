"""Files that are named on the command line to be written: never something else than they seem."""

from pathlib import Path

from reports.cli.console import InputError


def check_writable(file: Path) -> None:
    """Raise InputError for a link that leads nowhere, and for what is no ordinary file.

    Whoever writes through such a link makes a file in a place that nobody has named.
    """
    if file.is_symlink() and not file.exists():
        raise InputError(
            f"{file} is a link to {file.readlink()}, where there is nothing; remove the link, or"
            " name another file"
        )
    if file.exists() and not file.is_file():
        raise InputError(f"{file} is not an ordinary file; name another one")


def write_named(file: Path, content: bytes) -> None:
    """Write a file that was named, whole or not at all; a link to a file stays one.

    Raises InputError, and RunError when the disk will not take it.
    """
    from simcore.sealed import write_file

    check_writable(file)
    write_file(file.resolve(), content)


def write_new(file: Path, content: bytes, *, force: bool) -> None:
    """Write a file whole or not at all; replace other contents only with ``force``."""
    check_writable(file)
    if file.exists() and not force and file.read_bytes() != content:
        raise InputError(f"{file} exists already and differs; --force replaces it")
    write_named(file, content)
