"""Games that the change of a number can touch: all others went as they did.

A game reads the numbers of a hero who is in the party, of an encounter card that was drawn, of a
search card that somebody drew or began with, of a minion that was placed.  In all other games
everybody who decides by what they see decides the same, with the same luck.
"""

import numpy as np

from card_data.mice_and_mystics.facts import by_id
from card_data.schema.changes import Variable
from simcore.arrays import Bools, Records
from simcore.mice_and_mystics.players.seats import parse_player
from simcore.mice_and_mystics.table.table import Table


def affected_games(
    table: Table, variable: Variable, played: Records, players: tuple[str, ...]
) -> Bools:
    """Which games may go differently when something is changed.

    Parameters
    ----------
    table
        What the games were played with.
    variable
        What is changed.
    played
        The games: an array (n,) with the fields ``party``, ``placed``, ``drawn`` and ``drawn_e`` of
        GAME_RECORD.
    players
        Who plays, with the change and without.

    Returns
    -------
    Array (n,) of bool: all games, where it cannot be told.
    """
    ids, of, entry = table.ids, variable.of, variable.entry
    if any(parse_player(player).imagines for player in players):
        return np.ones(len(played), np.bool_)
    if of == "heroes":
        return _with_hero(played, ids["heroes"].index(entry))
    if of == "encounters":
        return np.asarray(played["drawn_e"][:, ids["encounters"].index(entry)] > 0)
    if of == "minions":
        pool = by_id(table.facts.minions)[entry].figure_pool
        kinds = [at for at, one in enumerate(table.facts.minions) if one.figure_pool == pool]
        return np.asarray((played["placed"][:, kinds] > 0).any(axis=1))
    if of == "search_cards" and variable.number != "count":  # which shuffles other cards
        touched = played["drawn"][:, ids["cards"].index(entry)] > 0
        for number, hero in enumerate(table.facts.heroes):
            if entry in hero.starting_gear:
                touched |= _with_hero(played, number)
        return np.asarray(touched)
    return np.ones(len(played), np.bool_)


def _with_hero(played: Records, hero: int) -> Bools:
    return np.asarray((played["party"] == hero).any(axis=1))
