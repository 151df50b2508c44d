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

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
