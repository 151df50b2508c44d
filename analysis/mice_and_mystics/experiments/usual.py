"""Who plays Mice & Mystics, and how much, in each command where nothing is said of it.

The strongest player with whom the command takes about half a minute on two cores, once everything
is compiled; the measurements are in docs/performance.md.  How much is played follows from a
precision, which the help names.
"""

#: Who plays, unless another player is said here, and the next stronger player, who shows by how
#: much that still moves and plays a sixtieth of the games in the same time.
PLAYER, STRONGER = "learned", "search:16"

#: How well ``balance`` and ``simulate`` know the win rate of one party, and those of all of them.
OF_ONE, OF_ALL = "0.2", "0.7:parties"
PRECISION = f"'{OF_ONE}', with --party all '{OF_ALL}'"

#: Games of each side of ``compare``, and of ``STRONGER`` there.
COMPARED_GAMES, COMPARED_STRONGER_GAMES = 200_000, 2_500
#: Games of ``STRONGER`` beside a run, at most, and in a ``verdict`` of the usual size.
STRONGER_GAMES = 4_000
#: Games of ``sensitivity`` with each change.
CHANGE_GAMES = 800
#: Games of ``rebalance`` with each candidate, of the fresh games that confirm, and of the whole
#: search.
CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES = 3_000, 30_000, 400_000
#: Games of each player of ``skill``, and of each where one of them searches.
SKILL_GAMES, SEARCHED_SKILL_GAMES = 80_000, 1_600
#: Games of the run of ``verdict``, to which all else there is in proportion.
VERDICT_GAMES = 120_000
#: Batches of ``prices`` for heroes and for cards, and the games of all together.
HERO_BATCHES, CARD_BATCHES, PRICE_GAMES = 100, 24, 400_000
#: What `rebalance` may change unless something else is said, and what else it may.
USUAL_LEVERS = ("heroes", "minions", "encounters", "chapters", "rules")
LEVERS = (*USUAL_LEVERS, "abilities", "search_cards")
