"""Pools: the cards that one game is played with, and how it is played (R7, mode switches).

A pool is put together from sets, from a designer's own card files and from a pool file, a small
TOML file that also leaves cards out, changes numbers of copies and sets modes (``docs/pools.md``).
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import fields

from card_data.faults import CardFileError, Fault
from card_data.mindbug.loader import is_pool_file
from card_data.mindbug.modes import Modes
from card_data.mindbug.pool_reader import POOL_FILE, PoolReader, split_names
from card_data.mindbug.schema import CardSet, Pool
from card_data.toml_writer import quoted


def load_pool(
    names: Iterable[str] = (),
    *,
    card_files: Iterable[str | os.PathLike[str]] = (),
    pool_file: str | os.PathLike[str] | None = None,
    modes: Mapping[str, Any] | None = None,
) -> Pool:
    """The pool of sets, own card files and a pool file together.

    Parameters
    ----------
    names
        What is played: sets that come with fairdeal, paths of card files and at most one of a
        pool file, apart or joined with "+" as in "first_contact+my_cards.toml".  No two of the
        sets and card files may have a card id in common.
    card_files
        A designer's own card files.  Their cards take the place of those of sets, and of those of
        the pool file, with the same id, and stand in their sets; what is new is a set of its own.
        A file takes the place of one of the pool file's own card files that has its name.  No two
        of these files may have an id in common.
    pool_file
        A pool file; its sets and card files come to those named here.  The cards of its own card
        files take the place of those of sets, too.
    modes
        Modes as in the table of a pool file; each takes the place of what the pool file says.

    Raises
    ------
    CardFileError
        With everything that is wrong with any of the files, and with the pool.
    """
    reader = PoolReader(names, card_files, pool_file, modes or {})
    pool = reader.pool()
    reader.raise_faults()
    return pool


def as_pool(played: Pool | str | Iterable[str]) -> Pool:
    """A pool as it is, or the pool of what is named as for `load_pool`.  Raises CardFileError."""
    return played if isinstance(played, Pool) else load_pool(played)


def load_cards(names: Iterable[str]) -> list[CardSet]:
    """The sets of what is named as for `load_pool`, however few cards that are, sorted by id.

    Raises CardFileError.
    """
    reader = PoolReader(names)
    sets = reader.sets()
    reader.raise_faults()
    return sets


def check_cards(name: str) -> list[Fault]:
    """Everything that is wrong with what is named as for `load_pool`; [] if nothing is.

    A pool file is checked with all that it names, and has to be one that can be played.
    """
    try:
        if any(is_pool_file(Path(part)) for part in split_names([name])):
            load_pool([name])
        else:
            load_cards([name])
    except CardFileError as error:
        return list(error.faults)
    return []


def pool_files(pool: Pool) -> dict[str, bytes]:
    """The files that hold a pool exactly: path in the folder of the pool -> contents.

    A card file for each set, with the copies of the pool, and a pool file with all modes.  Written
    anywhere, the pool file gives the same pool again.
    """
    from card_data.mindbug.language.formatter import format_cards

    cards = {f"cards/{card_set.set_id}.toml": format_cards(card_set) for card_set in pool.sets}
    lines = [
        "# All cards that were played with, and how. '--pool' with this file plays them again.",
        "cards = [",
        *(f"    {quoted(path)}," for path in cards),
        "]",
        "",
        "[modes]",
    ]
    for field in fields(Modes):
        value = getattr(pool.modes, field.name)
        if isinstance(value, frozenset):
            value = [ruling.name.lower() for ruling in sorted(value)]
        lines.append(f"{field.name} = {quoted(value)}")
    files = {POOL_FILE: "\n".join(lines) + "\n", **cards}
    return {path: text.encode() for path, text in files.items()}


def write_pool(pool: Pool, folder: str | os.PathLike[str]) -> None:
    """Write the files of a pool; ``read_pool`` reads them back."""
    for path, content in pool_files(pool).items():
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def read_pool(folder: str | os.PathLike[str]) -> Pool:
    """The pool in a folder with the files of ``pool_files``; raises CardFileError."""
    return load_pool(pool_file=Path(folder, POOL_FILE))
