"""A pool and a changed one: put own cards in the places of old ones; what differs."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import asdict, frozen

from card_data.faults import CardFileError, Fault
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.loader import available_sets, load_set
from card_data.mindbug.modes import Modes
from card_data.mindbug.pool import load_cards, load_pool, write_pool
from card_data.mindbug.schema import Card, CardSet, Pool, PowerCard

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
    idle = [card.card_id for card in _cards(own) if isinstance(card, PowerCard) or card.dice]
    if idle and not pool.modes.kot_parts:
        problem = "dice and power cards do nothing in a pool without kot_parts"
        raise CardFileError([Fault(file, 0, 0, idle[0], "", problem)])
    modes = asdict(pool.modes) | {"rulings": [ruling.name.lower() for ruling in pool.modes.rulings]}
    with tempfile.TemporaryDirectory() as folder:
        write_pool(pool, folder)
        if path is None:
            path = Path(folder, f"{own.set_id}.toml")
            path.write_text(format_cards(own), "utf-8")
        names = [str(Path(folder, "cards", f"{card_set.set_id}.toml")) for card_set in pool.sets]
        return load_pool(names, card_files=[path], modes=modes)


def changes(base: Pool, variant: Pool) -> list[Change]:
    """Everything in which the variant differs from the base: modes, then cards by name."""
    found = list(_mode_changes(base.modes, variant.modes))
    before, after = (
        {card.card_id: card for card_set in pool.sets for card in _cards(card_set)}
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
        card.card_id: card for card_set in load_cards(available_sets()) for card in _cards(card_set)
    }
    cards = [card for card_set in pool.sets for card in _cards(card_set)]
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


def _cards(card_set: CardSet) -> tuple[_AnyCard, ...]:
    return (*card_set.cards, *card_set.power_cards)


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
