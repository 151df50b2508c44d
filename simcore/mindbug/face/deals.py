"""Looking for a deal: the first game of a seed in which a player begins with a card."""

from simcore.mindbug.face.game import Game
from simcore.mindbug.table.card_table import CardTable

#: Deals that are looked at.  A player begins with 5 cards of a pool of some hundred at most, so a
#: card with one copy is there in one deal of a few dozen.
_MOST = 20_000


def first_game_with(table: CardTable, card_id: str, *, seat: int, seed: int) -> int:
    """The number of the first game of a seed in which a player is dealt a card into their hand.

    Parameters
    ----------
    table
        The compiled cards.
    card_id
        A card that is dealt.
    seat
        The player, 0 or 1.
    seed
        The seed.

    Raises
    ------
    ValueError
        If it is not among the first 20,000.
    """
    for number in range(_MOST):
        game = Game(table, seed=seed, game=number, to_decision=False)
        if card_id in {card.card_id for card in game.hand(seat)}:
            return number
    raise ValueError(f"no player begins with {card_id!r} in {_MOST:,} deals of seed {seed}")
