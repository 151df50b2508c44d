"""TOML files that people write: their text, the data in it, or everything that is wrong with them.

A file is data: it is read and parsed, nothing in it is run, imported or fetched.
"""

import os
import re
import stat
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from card_data.checksums import is_changed
from card_data.faults import CardFileError, Fault
from card_data.toml_slips import Layout, Slip, find_slips, mended

MAX_FILE_BYTES = 1_000_000
#: How a file that a command wrote, and somebody changed, becomes what it was.
REPEAT = "repeat the command, which writes it again"
MAX_LINE = 2_000
#: Dots and braces outside of texts, of which such files have few: tomllib needs much time and
#: memory for tables inside tables.
MAX_NESTED = 2_000

# A data file says at its top of which game it is, unless only one game has such files.
_GAME_OF_FILE = re.compile(r'^game\s*=\s*"(\w+)"', re.MULTILINE)
_TOP_OF_FILE = 1000
_NESTED = re.compile(
    r"""\#[^\n]*|\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|([.{])""",
    re.DOTALL,
)


class Unreadable(Exception):
    """A file of which nothing can be read; line and column are 0 where unknown.

    ``text`` is what is no TOML, if that is what is wrong with it.
    """

    def __init__(self, problem: str, line: int = 0, column: int = 0, text: str = "") -> None:
        super().__init__(problem)
        self.line, self.column, self.text = line, column, text

    def faults(self, file: str, slips: Sequence[Slip] = ()) -> list[Fault]:
        """What is wrong, as faults of the file: the slips of its writer if there are any."""
        found = slips or [Slip(self.line, self.column, str(self))]
        return [Fault(file, slip.line, slip.column, "", "", slip.problem) for slip in found]


def printable(path: Path) -> str:
    """A path as it may appear in a message."""
    return str(path).encode(errors="replace").decode()


def read_toml(path: Path, layout: Layout) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file and the data in it; raises CardFileError."""
    try:
        text = read_text(path).replace("\r\n", "\n")
        return text, parse_toml(text)
    except Unreadable as error:
        slips = find_slips(error.text, layout)
        raise CardFileError(error.faults(printable(path), slips)) from None


def parse_mended(
    text: str, file: str, layout: Layout
) -> tuple[str, dict[str, Any] | None, list[Fault]]:
    """The data in a text that need not be TOML, as far as slips of the pen can be mended.

    Returns the text that was read, the data in it, None if there are none, and what was wrong.
    What is wrong with the data of a mended text can so be told as well.
    """
    text = text.replace("\r\n", "\n")
    try:
        return text, parse_toml(text), []
    except Unreadable as error:
        slips = find_slips(error.text, layout)
        faults = error.faults(file, slips)
    if not slips:
        return text, None, faults
    text = mended(text, slips)
    try:
        return text, parse_toml(text), faults
    except Unreadable:
        return text, None, faults


def read_text(path: Path) -> str:
    """The text of a file; raises Unreadable."""
    content = read_bytes(path)
    if is_changed(path, content):
        raise Unreadable(
            "this is not what a command wrote here: if you changed it on purpose, copy it into a"
            f" folder of your own, and name it there; or {REPEAT}"
        )
    return decoded(content)


def decoded(content: bytes) -> str:
    """The text in the bytes of a file; raises Unreadable."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise Unreadable("the file is not UTF-8 text; save it as UTF-8", line, column) from None


def read_bytes(path: Path, most: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of an ordinary file; raises Unreadable, also for more than ``most``.

    Nothing else is opened, even if it takes the place of the file meanwhile: a pipe or a device
    could keep whoever reads it waiting for ever.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("this is not an ordinary file")
            content = file.read(most + 1)
    except FileNotFoundError:
        raise Unreadable("there is no such file") from None
    except IsADirectoryError:
        raise Unreadable("this is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unreadable(f"the file cannot be read: {reason}") from None
    if len(content) > most:
        raise Unreadable(f"the file is larger than {most:,} bytes")
    return content


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for somebody to write into it."""
    return os.open(path, flags | os.O_NONBLOCK)


def parse_toml(text: str) -> dict[str, Any]:
    """The data in a text; raises Unreadable."""
    import tomllib

    for number, content in enumerate(text.split("\n"), 1):
        if len(content) > MAX_LINE:  # tomllib needs quadratic time for a long dotted key
            raise Unreadable(f"the line is longer than {MAX_LINE:,} characters", number, MAX_LINE)
    nested = list(islice((match for match in _NESTED.finditer(text) if match[1]), MAX_NESTED + 1))
    if len(nested) > MAX_NESTED:
        line, column = _place(text, nested[-1].start())
        problem = f"there are more than {MAX_NESTED:,} dots and braces outside of texts"
        raise Unreadable(f"{problem}; such a file needs neither", line, column)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("this is not valid TOML: brackets are nested too deeply") from None
    except ValueError as error:
        reason, _, place = str(error).partition(" (at ")
        line, column = 0, 0
        if match := re.match(r"line (\d+), column (\d+)", place):
            line, column = int(match[1]), int(match[2])
        elif place:
            line, column = _place(text, len(text))
        problem = f"this is not valid TOML: {reason}"
        raise Unreadable(problem, line, column, text) from None


def holds_tables(value: object) -> bool:
    """Whether a value is a list of tables, as ``[[key]]`` begins them."""
    return isinstance(value, list) and value != [] and all(isinstance(one, dict) for one in value)


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both counted from 1, of a character."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def game_said_in(path: Path) -> str:
    """The word that a file of entries has for its game at its top; "" where it has none."""
    if path.suffix != ".toml" or not path.is_file():
        return ""
    with path.open(errors="replace") as file:
        found = _GAME_OF_FILE.search(file.read(_TOP_OF_FILE))
    return found[1] if found else ""
