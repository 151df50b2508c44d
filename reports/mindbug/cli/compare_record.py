"""The option ``--record`` of `compare`: a diary of changes, one Markdown file."""

from pathlib import Path
from typing import TYPE_CHECKING

from reports.cli.named_files import write_named

if TYPE_CHECKING:
    from analysis.mindbug.experiments.comparison import Comparison


def add_record(file: Path, comparison: "Comparison", why: str, date: str, command: str) -> None:
    """Append an entry to a diary of changes; the file is made if there is none.

    Raises InputError and RunError when it cannot be written.
    """
    from reports.mindbug.compare.text import record_lines
    from simcore.sealed import read_file

    try:
        before = read_file(file).decode("utf-8")
    except FileNotFoundError:
        before = "# Changes and what they did\n"
    entry = "\n".join(record_lines(comparison, why, date, command))
    write_named(file, f"{before.rstrip()}\n\n{entry}\n".encode())
