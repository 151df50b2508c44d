"""Mice & Mystics: the rules as a machine that runs from decision to decision.

``compile_facts`` turns facts and settings into a table of integers, ``play_games`` plays many games
at once, ``Game`` plays one, decision by decision, and ``replay_game`` tells one.  Rule numbers such
as M57, P6 or D5 are those of ``docs/mice_and_mystics_rules.md``.

Importing this package costs nothing: a name is imported when it is first used.
"""

from card_data.public_names import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
