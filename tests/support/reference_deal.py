"""Who starts: the cards revealed from the unused pile (R11-R13), for the reference engine."""

from collections.abc import Mapping, Sequence

from support.reference_cards import ALL_CARDS, CardFacts
from support.reference_state import Roll


def find_starting_player(
    unused: Sequence[str], roll: Roll, cards: Mapping[str, CardFacts] = ALL_CARDS
) -> tuple[int, list[str], list[str]]:
    """Who starts, the cards that lie revealed for good, and what is left of the unused pile.

    The unused pile is given top first; player 0 reveals the first card of each pair (R11, R12).
    """
    left, revealed = list(unused), []
    while len(left) >= 2:
        pair = [left.pop(0), left.pop(0)]
        revealed += pair
        first, second = (cards[card_id].power for card_id in pair)
        if first != second:
            return int(first < second), revealed, left
    return roll(2), revealed, left  # R13
