"""Games that other cards can change: all others went as they did and need not be played again.

Two card tables that differ in a few cards deal the same cards from the same random numbers.  A
changed card makes a difference to a game only if it was dealt, or was among the unused cards that
were revealed to find the starting player (R11) and found another one.  In all other games everybody
who decides by what they see sees the same, draws the same random numbers and decides the same.
"""

import numpy as np

from simcore.arrays import Bools, Integers, Records
from simcore.mindbug.play.simulate import deal_games
from simcore.mindbug.players.seats import parse_player
from simcore.mindbug.table.card_table import CardTable


def affected_games(
    table: CardTable,
    base: CardTable,
    played: Records,
    *,
    seed: int,
    games: Integers,
    policies: tuple[str, str],
) -> Bools:
    """Which games may go differently with a card table than they went with another.

    Parameters
    ----------
    table, base
        The changed cards, and those that the games were played with.
    played
        Games of ``seed`` as they were with ``base``: an array (n,) with the fields
        ``first_player`` and ``cards`` of GAME_RECORD.
    games
        Their numbers, (n,).
    policies
        Who plays, with either table.

    Returns
    -------
    Array (n,) of bool.  All games, where more than cards differs (modes, power cards, the number
    of cards), where effects reach the unused pile, and where a player imagines
    cards that were not dealt.
    """
    n_games = len(played)
    reaches = any(one.rows[0]["uses_unused_pile"] for one in (table, base))
    imagining = any(parse_player(policy).imagines for policy in policies)
    alike = (
        table.modes == base.modes
        and table.power_cards == base.power_cards
        and len(table.cards) == len(base.cards)
    )
    if reaches or imagining or not alike:
        return np.ones(n_games, np.bool_)
    deals = deal_games(table, seed=seed, games=games)
    affected = deals["first_player"] != played["first_player"]
    affected |= (deals["cards"] != played["cards"]).any(axis=1)
    affected |= _changed(table, base)[played["cards"]].any(axis=1)
    return np.asarray(affected)


def _changed(table: CardTable, base: CardTable) -> Bools:
    """Whether a card, or what it can evolve into or becomes, is another one: (cards,) of bool."""
    first_face = base.rows[0]["cards"]["first_face"]
    changed = np.zeros(len(base.cards), np.bool_)
    for row, (card, other) in enumerate(zip(base.cards, table.cards, strict=True)):
        if card != other:
            changed[[row, first_face[row]]] = True
    return changed
