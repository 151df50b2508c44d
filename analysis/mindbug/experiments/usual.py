"""Who plays Mindbug, and how much, in each command where nothing is said of it.

The strongest player with whom the command takes about half a minute on two cores, once everything
is compiled; the measurements are in docs/performance.md.  How much is played follows from a
precision, which the help names.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool

#: Who plays, unless another player is said here, and the next stronger player, who shows by how
#: much a verdict still moves.
PLAYER, STRONGER = "expert", "search:16"
#: Whose games stand beside those of any other player.
BASELINE = "random"

#: How well ``balance`` and ``simulate`` know the dealt win rate of each card, in percentage points
#: either way.  It holds in pools that have more cards, copies counted, than its key says.
_PRECISION = {0: "0.5", 60: "1", 150: "1.5"}
PRECISION = ", ".join(
    f"'{points}'" + f" in a pool of more than {cards} cards" * (cards > 0)
    for cards, points in _PRECISION.items()
)


def precision(pool: "Pool") -> str:
    """What ``--until`` asks for."""
    n_cards = sum(card.copies for card_set in pool.sets for card in card_set.cards)
    return [points for cards, points in _PRECISION.items() if cards < n_cards][-1]


#: Games of a player beside the run, at most: of ``STRONGER``, and of any other who searches.
STRONGER_GAMES, SEARCHED_GAMES = 10_000, 2_000
#: Who says in ``balance --strong`` what cards are worth where the strong play, and in how many
#: games: some three minutes on two cores.
STRONG, STRONG_GAMES = "search:400", 8_000
#: Games of it with a card, of a verdict on that card.
STRONG_WITH_CARD = 3_500
#: Games of each side of ``compare``, and of ``STRONGER`` there.
COMPARED_GAMES, COMPARED_STRONGER_GAMES = 150_000, 30_000
#: Games of ``sensitivity`` with each variant of one card, and of every card.
VARIANT_GAMES, EVERY_CARD_GAMES = 15_000, 8_000
#: The games of each candidate of ``rebalance``, of the fresh games that confirm, and of the whole
#: search.
CANDIDATE_GAMES, CONFIRM_GAMES, SEARCH_GAMES = 8_000, 100_000, 500_000
#: The players of ``ladder``.
LADDER = "random,greedy,heuristic,learned,expert,search:16,search:64"
#: Games of a pair in ``ladder`` and ``restrict``, and of one with a player who searches.
PAIR_GAMES, SEARCHING_PAIR_GAMES = 20_000, 2_000


def strong_players(players: Sequence[str]) -> list[str]:
    """Those of some players who form a panel unless somebody names others.

    Those for whom a network judges, as for `PLAYER`, without mistakes or restrictions.
    """
    from simcore.mindbug.players.seats import has_network, parse_player

    known = {text: parse_player(text) for text in players}
    return [
        text
        for text, player in known.items()
        if has_network(player) and player.mistakes == 0 and not player.never
    ]
