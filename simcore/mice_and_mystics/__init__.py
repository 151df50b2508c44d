"""Mice & Mystics: the rules as a machine that runs from decision to decision.

Rule numbers such as M57, P6 or D5 are those of ``docs/mice_and_mystics_rules.md``.
"""

#: What the game is called.
TITLE = "Mice & Mystics"
#: Version of the rules text that the engine plays; run folders carry it.
RULES_VERSION = 1
