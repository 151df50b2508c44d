"""Every card of the reference engine, set by set, written as plain Python from the card facts.

What a record of facts is: ``reference_facts.py``. The sets are in ``reference_first_contact.py``
(with New Servants), ``reference_beyond_evolution.py``, ``reference_beyond_eternity.py``,
``reference_king_of_tokyo.py`` (with the power cards) and ``reference_promos.py``. A later set adds
its records; a new kind of ability adds a field to :class:`CardFacts` and the one place in the
engine that asks it.
"""

from support.reference_beyond_eternity import BEYOND_ETERNITY
from support.reference_beyond_evolution import BEYOND_EVOLUTION
from support.reference_facts import (
    FRENZY,
    HUNTER,
    KEYWORDS,
    POISONOUS,
    SNEAKY,
    TOUGH,
    CardFacts,
    Choices,
    Effect,
    PowerCard,
)
from support.reference_first_contact import FIRST_CONTACT, NEW_SERVANTS
from support.reference_king_of_tokyo import KING_OF_TOKYO, POWER_CARDS
from support.reference_promos import PROMOS

__all__ = [
    "ALL_CARDS",
    "BEYOND_ETERNITY",
    "BEYOND_EVOLUTION",
    "FIRST_CONTACT",
    "FRENZY",
    "HUNTER",
    "KEYWORDS",
    "KING_OF_TOKYO",
    "NEW_SERVANTS",
    "POISONOUS",
    "POWER_CARDS",
    "PROMOS",
    "SETS",
    "SNEAKY",
    "TOUGH",
    "CardFacts",
    "Choices",
    "Effect",
    "PowerCard",
    "card_pool",
    "stage_one",
]

SETS: dict[str, tuple[CardFacts, ...]] = {
    "first_contact": FIRST_CONTACT,
    "new_servants": NEW_SERVANTS,
    "beyond_evolution": BEYOND_EVOLUTION,
    "beyond_eternity": BEYOND_ETERNITY,
    "king_of_tokyo": KING_OF_TOKYO,
    "promos": PROMOS,
}

#: Every card, stages II and III of evolving cards included.
ALL_CARDS: dict[str, CardFacts] = {facts.id: facts for cards in SETS.values() for facts in cards}


def card_pool(*sets: tuple[CardFacts, ...]) -> list[str]:
    """Return the card ids of a pool, each as often as it has copies (R7)."""
    return [facts.id for facts in sum(sets, ()) for _ in range(facts.copies)]


_STAGE_BEFORE = {facts.evolves_to: facts.id for facts in ALL_CARDS.values() if facts.evolves_to}


def stage_one(card_id: str) -> str:
    """The card that a stage II or III creature becomes on leaving play (R102)."""
    while card_id in _STAGE_BEFORE:
        card_id = _STAGE_BEFORE[card_id]
    return card_id
