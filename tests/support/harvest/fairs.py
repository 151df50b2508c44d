"""Fairs: which lots there are, read from TOML files with checks."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from card_data.faults import CardFileError, Fault, nearest

#: Fairs that come with the game.
SHIPPED = {path.stem: path for path in Path(__file__).parent.glob("*.toml")}
#: A file of this name is in every run folder.
FAIR_FILE = "fair.toml"

_LEAST_LOTS, _WORTH = 6, range(-9, 10)


@frozen
class Fair:
    """A fair: its lots by id, with what each is worth, and the file that says so."""

    name: str
    lots: dict[str, int]
    text: bytes


def load_fair(named: str) -> Fair:
    """A fair that comes with the game, or that of a file.

    Raises CardFileError with all that is wrong.
    """
    path = SHIPPED.get(named, Path(named))
    if not path.is_file():
        fault = Fault(named, 0, 0, "", "", "there is no such fair", nearest=nearest(named, SHIPPED))
        raise CardFileError([fault])
    return read_fair(path.read_bytes(), named)


def read_fair(text: bytes, file: str) -> Fair:
    """The fair in the text of a file.  Raises CardFileError."""
    try:
        entries = tomllib.loads(text.decode())
    except ValueError as error:
        raise CardFileError([Fault(file, 0, 0, "", "", str(error))]) from None
    if faults := [*_faults(entries, file)]:
        raise CardFileError(faults)
    return Fair(entries["name"], {lot: one["worth"] for lot, one in entries["lots"].items()}, text)


def _faults(entries: dict[str, Any], file: str) -> Iterator[Fault]:
    if not isinstance(entries.get("name"), str):
        yield Fault(file, 0, 0, "", "name", "a fair needs a name")
    lots = entries.get("lots")
    if not isinstance(lots, dict) or len(lots) < _LEAST_LOTS:
        yield Fault(file, 0, 0, "", "lots", f"a fair needs {_LEAST_LOTS} lots or more")
        return
    for lot, fields in lots.items():
        worth = fields.get("worth") if isinstance(fields, dict) else None
        if type(worth) is not int or worth not in _WORTH:
            yield Fault(file, 0, 0, lot, "worth", "must be a whole number from -9 to 9")
