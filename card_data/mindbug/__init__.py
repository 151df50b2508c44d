"""What the cards are.

Cards are text that a designer writes: one TOML file for each set, one line of a small, closed card
language for each ability.  This package reads such files, explains everything that is wrong with
them, and hands on immutable objects (``card_data.mindbug.schema``) built from closed word lists
(``card_data.mindbug.vocabulary``).  It knows nothing of how the game is played; ``simcore``
compiles the objects to tables and plays.

Start with ``load_sets(["first_contact"])``, or with ``load_pool`` for cards and the modes of play;
``change_cards(pool, parse_set(text))`` puts cards of your own into a pool.
``docs/card_language.md`` is the reference of the language, made from its grammar.  What adding a
word takes is in CONTRIBUTING.md; the tests name whatever is missing.
"""

from typing import TYPE_CHECKING, Any

import card_data.mindbug.display  # noqa: F401 - says what cards look like at a prompt
from card_data.faults import CardFileError, Fault
from card_data.mindbug.fingerprint import cards_hash, pool_hash
from card_data.mindbug.loader import available_sets, check_file, load_set, load_sets, parse_set
from card_data.mindbug.pool import load_pool, pool_files, read_pool, write_pool

if TYPE_CHECKING:
    from card_data.mindbug.pool_changes import change_cards

__all__ = [
    "CardFileError",
    "Fault",
    "available_sets",
    "cards_hash",
    "change_cards",
    "check_file",
    "load_pool",
    "load_set",
    "load_sets",
    "parse_set",
    "pool_files",
    "pool_hash",
    "read_pool",
    "write_pool",
]


def __getattr__(name: str) -> Any:
    if name == "change_cards":  # few commands need it
        from card_data.mindbug.pool_changes import change_cards

        return change_cards
    raise AttributeError(f"module 'card_data.mindbug' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
