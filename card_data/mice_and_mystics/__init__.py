"""What Mice & Mystics is played with: heroes, minions, cards, tiles and chapters.

``load_facts()`` gives the base game as immutable objects (``card_data.mice_and_mystics.facts``).
It knows nothing of how the game is played; ``simcore`` compiles the objects to tables and plays.
"""

from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.loader import load_facts

__all__ = ["Facts", "by_id", "load_facts"]
