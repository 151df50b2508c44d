"""What every game does with files of a person's own: tell their faults, write them in one form."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import print_json, say
from reports.cli.named_files import write_named

if TYPE_CHECKING:
    from card_data.faults import Fault

OnlyCheck = Annotated[
    bool, Parameter(negative=(), help="Change nothing; exit with 2 if a file would change.")
]


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
