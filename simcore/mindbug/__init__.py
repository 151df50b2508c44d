"""Mindbug: the rules as a machine that runs from decision to decision.

``compile_cards`` turns checked cards into a table of integers, ``play_games`` plays many games at
once, and ``Game`` plays one, option by option.  One module per chapter of the rules text.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
