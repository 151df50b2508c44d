"""Card files to checked objects, with all faults at once.

A card file is data: it is read, parsed and checked; nothing in it is run, imported or fetched.
"""

import os
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from card_data.faults import CardFileError, Fault, nearest
from card_data.mindbug.card_reader import MAX_LINE, CardReader
from card_data.mindbug.schema import CardSet
from card_data.mindbug.toml_slips import Slip, find_slips, mended
from card_data.toml_places import TomlPlaces

MAX_FILE_BYTES = 1_000_000
#: Dots and braces outside of texts, of which card files and pool files have few: tomllib needs much
#: time and memory for tables inside tables.
MAX_NESTED = 2_000

_NESTED = re.compile(
    r"""\#[^\n]*|\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|([.{])""",
    re.DOTALL,
)

_SETS = Path(__file__).parent / "sets"


def available_sets() -> list[str]:
    """Names of the sets that come with balancelab."""
    return sorted(path.stem for path in _SETS.glob("*.toml"))


def set_path(name: str) -> Path:
    """The file of a set, given as in ``load_sets``."""
    return Path(name) if name.endswith(".toml") else _SETS / f"{name}.toml"


def nearest_set(name: str, folder: Path = Path()) -> str:
    """What an unknown set was probably meant to be: a card file in ``folder``, or a shipped set."""
    file = f"{name}.toml"
    try:
        there = (folder / file).is_file()
    except OSError:  # a name that no file can have
        there = False
    return file if there else nearest(name, available_sets())


def load_set(path: str | os.PathLike[str]) -> CardSet:
    """The checked cards of one file; raises CardFileError with everything that is wrong with it."""
    card_set, faults = read_set(Path(path), {})
    if faults or card_set is None:
        raise CardFileError(faults)
    return card_set


def parse_set(text: str, file: str = "cards.toml") -> CardSet:
    """The checked cards in the text of a file; raises CardFileError."""
    card_set, faults = _parse(text, file, {})
    if faults or card_set is None:
        raise CardFileError(faults)
    return card_set


def load_sets(names: Iterable[str]) -> list[CardSet]:
    """Several sets to be played together, sorted by id, so that their order never matters.

    A name is that of a shipped set, or the path of a file when it ends in ``.toml``.  No card id
    may be in two of the sets.  Raises CardFileError with the faults of all of them.
    """
    sets: dict[str, CardSet] = {}
    faults: list[Fault] = []
    taken: dict[str, str] = {}
    shipped = available_sets()
    for name in [names] if isinstance(names, str) else names:
        if name not in shipped and not name.endswith(".toml"):
            problem, guess = f"there is no set '{name}'", nearest_set(name)
            faults.append(Fault(name, 0, 0, "", "", problem, name, tuple(shipped), guess))
            continue
        path = set_path(name)
        if path.stem in sets:
            faults.append(Fault(str(path), 0, 0, "", "", f"set '{path.stem}' is named twice"))
            continue
        card_set, found = read_set(path, taken)
        faults += found
        if card_set is not None:
            sets[card_set.set_id] = card_set
            ids = [card.card_id for card in card_set.cards]
            ids += [card.card_id for card in card_set.power_cards]
            taken |= dict.fromkeys(ids, f"set '{card_set.set_id}' has a card with this id already")
    if faults:
        raise CardFileError(faults)
    return [sets[set_id] for set_id in sorted(sets)]


def check_file(path: str | os.PathLike[str]) -> list[Fault]:
    """Everything that is wrong with a card file, in the order of the file."""
    return read_set(Path(path), {})[1]


def read_set(path: Path, taken: Mapping[str, str]) -> tuple[CardSet | None, list[Fault]]:
    """The set in a file, as far as it can be read, and what is wrong with it.

    ``taken`` are card ids that it may not have, with the reason.
    """
    file = _printable(path)
    try:
        return _parse(_text(path), file, taken)
    except _Unreadable as error:
        return None, error.faults(file)


def is_pool(data: Mapping[str, Any]) -> bool:
    """Whether the data of a TOML file are those of a pool file, by the fields that only it has."""
    return "name" not in data and (
        any(isinstance(data.get(field), list) for field in ("sets", "cards", "leave_out"))
        or any(isinstance(data.get(field), dict) for field in ("copies", "modes"))
    )


def is_pool_file(path: Path) -> bool:
    """Whether a path is that of a pool file; a broken one counts as a card file."""
    if path.suffix != ".toml":
        return False
    try:
        return is_pool(_toml(_text(path)))
    except _Unreadable:
        return False


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file and the data in it; raises CardFileError."""
    try:
        text = _text(path).replace("\r\n", "\n")
        return text, _toml(text)
    except _Unreadable as error:
        raise CardFileError(error.faults(_printable(path))) from None


def _printable(path: Path) -> str:
    """A path as it may appear in a message."""
    return str(path).encode(errors="replace").decode()


def _parse(text: str, file: str, taken: Mapping[str, str]) -> tuple[CardSet | None, list[Fault]]:
    """The set in a text, as far as it can be read, and what is wrong with it."""
    text = text.replace("\r\n", "\n")
    slips: list[Fault] = []
    try:
        data = _toml(text)
    except _Unreadable as error:
        slips = error.faults(file)
        if not error.slips:
            return None, slips
        text = mended(text, error.slips)
        try:  # what is wrong with the mended text is reported as well
            data = _toml(text)
        except _Unreadable:
            return None, slips
    if is_pool(data):
        problem = "this is a pool file, not a card file; name it with --pool"
        return None, slips or [Fault(file, 0, 0, "", "", problem)]
    reader = CardReader(file, TomlPlaces(text), taken)
    card_set = reader.card_set(Path(file).stem, data)
    faults = sorted(slips + reader.faults, key=lambda fault: (fault.line, fault.column))
    is_whole = not slips and any((card_set.cards, card_set.power_cards))
    return card_set if is_whole else None, faults


class _Unreadable(Exception):
    """A file of which nothing can be read; line and column are 0 where unknown.

    ``text`` is what is no TOML, if that is what is wrong with it.
    """

    def __init__(self, problem: str, line: int = 0, column: int = 0, text: str = "") -> None:
        super().__init__(problem)
        self.line, self.column, self.text = line, column, text

    @cached_property
    def slips(self) -> list[Slip]:
        """The slips of its writer, which are looked for when somebody asks."""
        return find_slips(self.text)

    def faults(self, file: str) -> list[Fault]:
        found = self.slips or [Slip(self.line, self.column, str(self))]
        return [Fault(file, slip.line, slip.column, "", "", slip.problem) for slip in found]


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise _Unreadable("this is a folder, not a file")
        if path.exists() and not path.is_file():
            raise _Unreadable("this is not an ordinary file")
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise _Unreadable("there is no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _Unreadable(f"the file cannot be read: {reason}") from None
    if len(content) > MAX_FILE_BYTES:
        raise _Unreadable(f"the file is larger than {MAX_FILE_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise _Unreadable("the file is not UTF-8 text; save it as UTF-8", line, column) from None


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    for number, content in enumerate(text.split("\n"), 1):
        if len(content) > MAX_LINE:  # tomllib needs quadratic time for a long dotted key
            raise _Unreadable(f"the line is longer than {MAX_LINE:,} characters", number, MAX_LINE)
    nested = list(islice((match for match in _NESTED.finditer(text) if match[1]), MAX_NESTED + 1))
    if len(nested) > MAX_NESTED:
        line, column = _place(text, nested[-1].start())
        problem = f"there are more than {MAX_NESTED:,} dots and braces outside of texts"
        raise _Unreadable(f"{problem}; a card file needs neither", line, column)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _Unreadable("this is not valid TOML: brackets are nested too deeply") from None
    except ValueError as error:
        reason, _, place = str(error).partition(" (at ")
        line, column = 0, 0
        if match := re.match(r"line (\d+), column (\d+)", place):
            line, column = int(match[1]), int(match[2])
        elif place:
            line, column = _place(text, len(text))
        problem = f"this is not valid TOML: {reason}"
        raise _Unreadable(problem, line, column, text) from None


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both counted from 1, of a character."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
