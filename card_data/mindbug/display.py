"""Cards, sets and pools as a person wants to see them at a prompt or in a notebook.

Texts of cards are made from their abilities (``language/rules_text.py``); everything is escaped.
"""

from html import escape

from attrs import fields

from card_data.html import html_table
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Card, CardSet, Pool, PowerCard
from card_data.shown import as_html, as_text

_BOX = "border:1px solid #b4bcc5;border-radius:6px;padding:.5em .8em;max-width:26em"


@as_text.register
def card_text(card: Card | PowerCard) -> str:
    """A card in a few lines: its name, its facts, and what it says."""
    return "\n".join([card.name, *(f"  {line}" for line in [_facts(card), *rules_text(card)])])


@as_html.register
def card_html(card: Card | PowerCard) -> str:
    """A card as a small box of HTML."""
    lines = "".join(f"<div>{escape(line)}</div>" for line in rules_text(card))
    facts = f'<div style="color:#5f6c7b">{escape(_facts(card))}</div>'
    return f'<div style="{_BOX}"><strong>{escape(card.name)}</strong>{facts}{lines}</div>'


@as_text.register
def _set_repr(card_set: CardSet) -> str:
    return f"CardSet({set_text(card_set)})"


def set_text(card_set: CardSet) -> str:
    """A set in one line: "First Contact: 32 creatures, 48 cards"."""
    return f"{card_set.name}: {', '.join(_numbers(card_set))}"


@as_text.register
def pool_text(pool: Pool) -> str:
    """A pool in one line: its sets, and the modes that are not the usual ones."""
    modes = unusual_modes(pool.modes)
    said = f"; {', '.join(modes)}" if modes else ""
    return f"Pool({'; '.join(set_text(card_set) for card_set in pool.sets)}{said})"


@as_html.register
def pool_html(pool: Pool) -> str:
    """A pool as a table of its sets, with its cards to unfold and the unusual modes below."""
    rows = [[card_set.name, *_counts(card_set)] for card_set in pool.sets]
    table = html_table(("set", "creatures", "cards in the pool", "power cards"), rows)
    names = ", ".join(card.name for card_set in pool.sets for card in card_set.cards if card.copies)
    cards = f"<details><summary>Which cards</summary>{escape(names)}</details>"
    modes = unusual_modes(pool.modes)
    return table + cards + (f"<div>Played with {escape(', '.join(modes))}</div>" if modes else "")


def _facts(card: Card | PowerCard) -> str:
    """What stands on a card besides its name and text."""
    if isinstance(card, PowerCard):
        return f"power card, cost {card.cost}, {_copies(card.copies)}"
    words = [f"power {card.power}", *(keyword.name for keyword in sorted(card.keywords))]
    words += [f"{card.dice} dice" if card.dice > 1 else "1 die"] if card.dice else []
    words.append(_copies(card.copies) if card.copies else f"stage {card.stage}, by evolving")
    return ", ".join(words)


def _copies(copies: int) -> str:
    return f"{copies} {'copy' if copies == 1 else 'copies'}"


def _counts(card_set: CardSet) -> tuple[int, int, int]:
    """Different creatures, cards with their copies, and different power cards."""
    copies = sum(card.copies for card in card_set.cards)
    return len(card_set.cards), copies, len(card_set.power_cards)


def _numbers(card_set: CardSet) -> list[str]:
    creatures, copies, power_cards = _counts(card_set)
    words = [
        f"{creatures} creature{'s' * (creatures != 1)}",
        f"{copies} card{'s' * (copies != 1)}",
    ]
    more = f"{power_cards} power card{'s' * (power_cards != 1)}"
    return [*words, more] if power_cards else words


def unusual_modes(modes: Modes) -> list[str]:
    """The modes that are not the usual ones, in words."""
    found = []
    for field in fields(Modes):
        value = getattr(modes, field.name)
        if value != field.default:
            if isinstance(value, frozenset):
                value = " and ".join(ruling.name.lower() for ruling in sorted(value))
            found.append(f"{field.name} {value}")
    return found
