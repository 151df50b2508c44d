"""Cards in words, as `fairdeal cards` prints them."""

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import Card, CardSet, PowerCard
from card_data.mindbug.spreadsheet import FACTS
from reports.kit.words import plural

#: The headings of the console's tables.
CREATURES_TABLE = ("card", "power", "copies", "keywords", "text")
POWER_CARDS_TABLE = ("power card", "cost", "copies", "text")


def creature_rows(card_set: CardSet) -> list[tuple[object, ...]]:
    """The rows of the console's table, a creature each; the headings are `CREATURES_TABLE`."""
    return [
        (card.card_id, card.power, card.copies, _symbols(card), " ".join(rules_text(card)))
        for card in card_set.cards
    ]


def power_card_rows(card_set: CardSet) -> list[tuple[object, ...]]:
    """The rows of the console's table, a power card each; `POWER_CARDS_TABLE` has the headings."""
    return [
        (card.card_id, card.cost, card.copies, " ".join(rules_text(card)))
        for card in card_set.power_cards
    ]


def all_cards(card_set: CardSet) -> tuple[Card | PowerCard, ...]:
    """Creatures and power cards of a set."""
    return (*card_set.cards, *card_set.power_cards)


def contents_text(card_set: CardSet) -> str:
    """What is in a set; later stages have no copies."""
    first = [card for card in card_set.cards if card.stage == 1]
    parts = [_counted(first, "creature")]
    if n_later := len(card_set.cards) - len(first):
        parts.append(f"{n_later} {plural('later stage', n_later)}")
    if card_set.power_cards:
        parts.append(_counted(card_set.power_cards, "power card"))
    return ", ".join(parts)


def _counted(some: Sequence[Card | PowerCard], what: str) -> str:
    """How many different cards, and how many copies: "32 creatures (48 copies)"."""
    copies = sum(card.copies for card in some)
    return f"{len(some)} {plural(what, len(some))} ({_copies(copies)})"


def _copies(number: int) -> str:
    return "1 copy" if number == 1 else f"{number} copies"


def size_text(card_set: CardSet) -> str:
    """How many cards a set has."""
    n_cards = len(all_cards(card_set))
    return f"{card_set.name}, {n_cards} {plural('card', n_cards)}"


def card_facts(card_set: CardSet, card: Card | PowerCard) -> dict[str, Any]:
    """Everything about a card as JSON values."""
    facts: dict[str, Any] = {"set": card_set.set_id, "card_id": card.card_id, "name": card.name}
    if isinstance(card, PowerCard):
        facts["cost"] = card.cost
    else:
        facts |= {"power": card.power, "keywords": _keywords(card), "dice": card.dice}
        facts |= {"stage": card.stage, "evolves_to": card.evolves_to}
    return facts | {"copies": card.copies, "text": rules_text(card), "abilities": _lines(card)}


def portrait(card_set: CardSet, card: Card | PowerCard) -> Iterator[str]:
    """The lines that show a card in full."""
    copies = _copies(card.copies) if card.copies else "reached by evolving"
    yield f"{card.name} ({card.card_id}), {card_set.name}, {copies}"
    if isinstance(card, PowerCard):
        yield f"  power card, costs {card.cost} energy"
    else:
        yield f"  power {card.power} {_symbols(card)}".rstrip()
        if card.evolves_to:
            yield f"  evolves to {card.evolves_to}"
    yield from (f"  {sentence}" for sentence in rules_text(card))
    yield from (f"    {line}" for line in _lines(card))


def _lines(card: Card | PowerCard) -> list[str]:
    """The abilities of a card in the card language, as ``field = line``."""
    cards, power_cards = ((card,), ()) if isinstance(card, Card) else ((), (card,))
    fields = tomllib.loads(format_cards(CardSet("", "", cards, power_cards)))[card.card_id]
    return [
        f"{field} = {line}"
        for field, lines in fields.items()
        if field not in FACTS
        for line in ([lines] if isinstance(lines, str) else lines)
    ]


def _symbols(card: Card) -> str:
    """Keywords, dice and the stage of evolution."""
    dice = ["", "1 die", f"{card.dice} dice"][min(card.dice, 2)]
    stage = f"stage {card.stage}" if card.evolves_to or card.stage > 1 else ""
    return ", ".join(filter(None, [" ".join(_keywords(card)), dice, stage]))


def _keywords(card: Card) -> list[str]:
    return [keyword.name for keyword in sorted(card.keywords)]
