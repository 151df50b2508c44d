"""What a rebalancing may change: kinds of numbers of a chapter.

Nothing heavy is imported with this, since help lists them.
"""

#: What may be changed unless something else is said, and what else may be.
USUAL_LEVERS = ("heroes", "minions", "encounters", "chapters", "rules")
LEVERS = (*USUAL_LEVERS, "abilities", "search_cards")
