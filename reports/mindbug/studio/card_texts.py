"""Cards that experiments have changed, as text for a card file."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.studio.bench import Chosen

if TYPE_CHECKING:
    from card_data.mindbug.schema import Card, Pool

#: The options of a pool, and the sets that are named, for a file and what was chosen.
PoolOf = Callable[[Path, Chosen], tuple[dict[str, Any], tuple[str, ...]]]


def entries_text(cards: Iterable["Card"]) -> str:
    """Cards as they stand in a card file, without what such a file begins with."""
    from card_data.mindbug.language.formatter import format_cards
    from card_data.mindbug.schema import CardSet

    return format_cards(CardSet("cards", "Cards", tuple(cards))).partition("\n\n")[2]


def changed_text(pool: "Pool", changed: "Pool") -> str:
    """The cards in which a pool differs from another, as they stand in a card file."""
    from analysis.mindbug.experiments.rebalance import changed_cards

    return entries_text(changed_cards(pool, changed))
