"""What Mice & Mystics is played with: heroes, minions, cards, tiles and chapters.

``load_facts()`` gives the base game as immutable objects (``card_data.mice_and_mystics.facts``).
It knows nothing of how the game is played; ``simcore`` compiles the objects to tables and plays.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
