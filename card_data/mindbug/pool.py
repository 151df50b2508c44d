"""Pools: put together from sets, own cards and pool files; changed; what differs between two."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from card_data.faults import CardFileError, Fault
from card_data.fingerprint import plain, sha256_of
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.loader import available_sets, is_pool_file, load_set
from card_data.mindbug.modes import Modes
from card_data.mindbug.pool_reader import POOL_FILE, PoolReader, split_names
from card_data.mindbug.schema import Card, CardSet, Pool, PowerCard
from card_data.toml_writer import quoted

_AnyCard = Card | PowerCard


@frozen
class Change:
    """One thing in which a pool differs from another: ``before`` or ``after`` is "" for nothing.

    ``what`` is "card" for a card that only one of them has, "power", "keywords", "copies", "text",
    … for a card of both, and the name of a mode for a change of the modes, where ``card_id`` and
    ``name`` are empty.
    """

    card_id: str
    name: str
    what: str
    before: str
    after: str


def change_cards(pool: Pool, cards: str | os.PathLike[str] | CardSet) -> Pool:
    """The pool with cards of one's own: in place of those with the same id, or added.

    Parameters
    ----------
    cards
        A card file, or a set as `parse_set` gives it.

    The modes stay as they are.  Raises CardFileError with everything that is wrong with the file,
    or with the pool that it would make.
    """
    if isinstance(cards, CardSet):
        return _changed(pool, cards, None)
    return _changed(pool, load_set(Path(cards)), Path(cards))


def _changed(pool: Pool, own: CardSet, path: Path | None) -> Pool:
    """The pool with the cards of a set, which is read from its file if it has one."""
    file = str(path or f"{own.set_id}.toml")
    idle = [card.card_id for card in own.all_cards if isinstance(card, PowerCard) or card.dice]
    if idle and not pool.modes.kot_parts:
        problem = "dice and power cards do nothing in a pool without kot_parts"
        raise CardFileError([Fault(file, 0, 0, idle[0], "", problem)])
    with tempfile.TemporaryDirectory() as folder:
        write_pool(pool, folder)
        if path is None:
            path = Path(folder, f"{own.set_id}.toml")
            path.write_text(format_cards(own), "utf-8")
        names = [str(Path(folder, "cards", f"{card_set.set_id}.toml")) for card_set in pool.sets]
        return load_pool(names, card_files=[path], modes=pool.modes.as_json())


def changes(base: Pool, variant: Pool) -> list[Change]:
    """Everything in which the variant differs from the base: modes, then cards by name."""
    found = list(_mode_changes(base.modes, variant.modes))
    before, after = (
        {card.card_id: card for card_set in pool.sets for card in card_set.all_cards}
        for pool in (base, variant)
    )
    both = before | after
    for card_id in sorted(both, key=lambda card_id: (both[card_id].name, card_id)):
        old, new = before.get(card_id), after.get(card_id)
        if old is None or new is None:
            name = both[card_id].name
            texts = ("" if card is None else _portrait(card) for card in (old, new))
            found.append(Change(card_id, name, "card", *texts))
        else:
            facts = _facts(old), _facts(new)
            for what in dict.fromkeys([*facts[0], *facts[1]]):
                pair = facts[0].get(what, ""), facts[1].get(what, "")
                if pair[0] != pair[1]:
                    found.append(Change(card_id, old.name, what, *pair))
    return found


def own_cards(pool: Pool) -> dict[str, str]:
    """The cards of a pool that are not as fairdeal ships them, by id: "new" or "changed".

    Empty for a pool of nothing but new cards, among which none is special.
    """
    shipped = {
        card.card_id: card
        for card_set in load_cards(available_sets())
        for card in card_set.all_cards
    }
    cards = [card for card_set in pool.sets for card in card_set.all_cards]
    own = {
        card.card_id: "changed" if card.card_id in shipped else "new"
        for card in cards
        if card.card_id not in shipped or _facts(card) != _facts(shipped[card.card_id])
    }
    return {} if set(own.values()) == {"new"} and len(own) == len(cards) else own


def _mode_changes(before: Modes, after: Modes) -> Iterator[Change]:
    old, new = asdict(before), asdict(after)
    for mode in old:
        if old[mode] != new[mode]:
            yield Change("", "", mode.replace("_", " "), _mode(old[mode]), _mode(new[mode]))


def _mode(value: object) -> str:
    """The value of a mode as text."""
    if isinstance(value, frozenset):
        names = sorted(ruling.name.lower().replace("_", " ") for ruling in value)
        return ", ".join(names) or "none"
    if isinstance(value, bool):
        return {True: "yes", False: "no"}[value]
    return str(value).replace("_", " ")


def _facts(card: _AnyCard) -> dict[str, str]:
    """What a card says, by what it is about."""
    facts = {"name": card.name}
    if isinstance(card, PowerCard):
        facts |= {"cost": str(card.cost)}
    else:
        keywords = ", ".join(keyword.name for keyword in sorted(card.keywords))
        facts |= {"power": str(card.power), "keywords": keywords}
        facts |= {"dice": str(card.dice or ""), "evolves to": card.evolves_to or ""}
    return facts | {"copies": str(card.copies), "text": " ".join(rules_text(card))}


def _portrait(card: _AnyCard) -> str:
    """A card in one line: "power 4, SNEAKY, 2 copies: …"."""
    facts = _facts(card)
    words = [f"{what} {facts[what]}" for what in ("cost", "power", "dice") if facts.get(what)]
    words += [facts["keywords"]] if facts.get("keywords") else []
    copies = "1 copy" if card.copies == 1 else f"{card.copies} copies"
    words.append(copies if card.copies else "reached by evolving")
    return ", ".join(words) + (f": {facts['text']}" if facts["text"] else "")


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
    cards = {f"cards/{card_set.set_id}.toml": format_cards(card_set) for card_set in pool.sets}
    lines = [
        "# All cards that were played with, and how. '--pool' with this file plays them again.",
        "cards = [",
        *(f"    {quoted(path)}," for path in cards),
        "]",
        "",
        "[modes]",
        *(f"{name} = {quoted(value)}" for name, value in pool.modes.as_json().items()),
    ]
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


def cards_hash(sets: Iterable[CardSet]) -> str:
    """SHA-256, in hex, over everything that the cards say to the game or to a report.

    The order of sets and cards, comments and layout do not matter.  A field at its default is left
    out, so that a field which a later version adds leaves the hash of older cards alone.
    """
    return sha256_of(sorted(map(plain, sets), key=lambda facts: facts["set_id"]))


def pool_hash(pool: Pool) -> str:
    """SHA-256, in hex, over the cards of a pool, as in ``cards_hash``, and its modes."""
    import hashlib
    import json

    facts = {"cards": cards_hash(pool.sets), "modes": plain(pool.modes)}
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
