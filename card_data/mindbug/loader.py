"""Card files to checked objects, with all faults at once.

A card file is data: it is read, parsed and checked; nothing in it is run, imported or fetched.
"""

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from card_data.faults import CardFileError, Fault, nearest
from card_data.mindbug import display  # noqa: F401 - says what cards look like at a prompt
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.card_reader import CardReader
from card_data.mindbug.modes import MODES
from card_data.mindbug.schema import CardSet
from card_data.schema.fields import Whole
from card_data.toml_files import (
    Unreadable,
    holds_tables,
    parse_mended,
    parse_toml,
    printable,
    read_text,
)
from card_data.toml_places import TomlPlaces
from card_data.toml_slips import Layout

#: What card files and pool files look like.
LAYOUT = Layout(
    thing="card",
    header="[marsh_lantern]",
    field="power = 5",
    text='play = "gain 1 life"',
    fields=tuple(CARD_FIELDS),
    numbers=tuple(
        name for name, field in (CARD_FIELDS | MODES).items() if isinstance(field, Whole)
    ),
    lists=("keywords", "sets", "cards", "leave_out", "rulings"),
    words=("keywords",),
)

_SETS = Path(__file__).parent / "sets"
# So many files are not read again while they stay as they are.
_KEPT = 32


def available_sets() -> list[str]:
    """Names of the sets that come with fairdeal."""
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
    card_set, faults = read_set_text(text, file, {})
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
            ids = [card.card_id for card in card_set.all_cards]
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
    file = printable(path)
    try:
        return read_set_text(read_text(path), file, taken)
    except Unreadable as error:
        return None, error.faults(file)


def is_pool(data: Mapping[str, Any]) -> bool:
    """Whether the data of a TOML file are those of a pool file, by the fields that only it has."""
    return "name" not in data and (
        any(
            isinstance(words := data.get(field), list) and not holds_tables(words)
            for field in ("sets", "cards", "leave_out")
        )
        or any(isinstance(data.get(field), dict) for field in ("copies", "modes"))
    )


def is_pool_file(path: Path) -> bool:
    """Whether a path is that of a pool file; a broken one counts as a card file."""
    if path.suffix != ".toml":
        return False
    try:
        return is_pool(parse_toml(read_text(path)))
    except Unreadable:
        return False


def read_set_text(
    text: str, file: str, taken: Mapping[str, str]
) -> tuple[CardSet | None, list[Fault]]:
    """The set in the text of a file, as far as it can be read, and what is wrong with it.

    ``taken`` is that of `read_set`.
    """
    card_set, faults = _parse_alone(text, file)
    if card_set is not None and not faults:
        ids = [card.card_id for card in card_set.all_cards]
        if taken.keys().isdisjoint(ids):
            return card_set, []
    return _parse_beside(text, file, taken) if taken else (card_set, [*faults])


@lru_cache(maxsize=_KEPT)
def _parse_alone(text: str, file: str) -> tuple[CardSet | None, list[Fault]]:
    """The same of a set that is played alone; a command reads the same few files several times."""
    return _parse_beside(text, file, {})


def _parse_beside(
    text: str, file: str, taken: Mapping[str, str]
) -> tuple[CardSet | None, list[Fault]]:
    """The same beside cards whose ids are taken."""
    text, data, slips = parse_mended(text, file, LAYOUT)
    if data is None:
        return None, slips
    if is_pool(data):
        problem = "this is a pool file, not a card file; name it with --pool"
        return None, slips or [Fault(file, 0, 0, "", "", problem)]
    reader = CardReader(file, TomlPlaces(text), taken)
    card_set = reader.card_set(Path(file).stem, data)
    faults = sorted(slips + reader.faults, key=lambda fault: (fault.line, fault.column))
    is_whole = not slips and bool(card_set.all_cards)
    return card_set if is_whole else None, faults
