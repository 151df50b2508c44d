"""Files that are named on the command line: told of their faults, formatted, written whole."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, print_json, say

if TYPE_CHECKING:
    from card_data.faults import Fault

OnlyCheck = Annotated[
    bool, Parameter(negative=(), help="Change nothing; exit with 2 if a file would change.")
]


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


def tell_faults(
    named: Iterable[str | Path], check: "Callable[[Any], list[Fault]]", *, as_json: bool
) -> int:
    """Tell all that is wrong with what is named; the exit status."""
    from attrs import asdict

    from card_data.faults import told

    faults = {name: told(check(name)) for name in named}
    if as_json:
        print_json([asdict(fault) for found in faults.values() for fault in found])
    else:
        for name, found in faults.items():
            for fault in found:
                say(str(fault))
            if not found:
                print(f"{name}: no fault found")
    return 2 if any(faults.values()) else 0


def format_all(
    files: Sequence[Path],
    check: "Callable[[Path], list[Fault]]",
    formatted: Callable[[str, str], str],
    *,
    again: Callable[..., str],
    write: bool,
) -> int:
    """Write files in the form that ``formatted`` gives of a text and the name of its file.

    ``again`` makes the command that does that of a file.  The exit status, which without ``write``
    is 2 if a file would change.  Raises CardFileError with all faults before anything is written.
    """
    from card_data.faults import CardFileError

    if faults := [fault for file in files for fault in check(file)]:
        raise CardFileError(faults)
    changes = [_format(file, formatted, again, write=write) for file in files]
    return 2 if not write and any(changes) else 0


def _format(
    file: Path, formatted: Callable[[str, str], str], again: Callable[..., str], *, write: bool
) -> bool:
    """Format one file; whether it changes."""
    data = file.read_bytes()
    text = formatted(data.decode("utf-8-sig"), str(file)).encode()
    if text == data:
        print(f"{file}: is formatted")
    elif write:
        write_named(file, text)
        print(f"{file}: formatted")
    else:
        say(f"{file}: is not formatted; '{again(file)}' does it")
    return text != data
