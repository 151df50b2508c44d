"""Looking for a deal: the first game of a seed in which something of one's own comes first."""

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.table.table import Table

#: Deals that are looked at; the search deck has some 70 cards.
_MOST = 20_000


def first_game_with(table: Table, entry_id: str, *, seed: int) -> int:
    """The number of the first game of a seed in which a card lies on top of its deck.

    Parameters
    ----------
    table
        The compiled facts.
    entry_id
        A search card; an encounter card; or a minion, for an encounter that brings it at once.
    seed
        The seed.

    Raises
    ------
    ValueError
        If no copy of it is in a deck, or it comes first in none of 20,000 games.
    """
    cards = {number for number, card in enumerate(table.ids["cards"]) if card == entry_id}
    encounters = {
        number
        for number, card in enumerate(table.facts.encounters)
        if entry_id == card.id
        or any(group.type == entry_id for group in card.bands[0].minions if card.bands)
    }
    for number in range(_MOST):
        state = Game(table, seed=seed, game=number).state
        deck = state["deck"][int(state["deck_first"]) : int(state["deck_end"])]
        events = state["events"][int(state["events_first"]) : int(state["events_end"])]
        if {*map(int, deck[:1])} & cards or {*map(int, events[:1])} & encounters:
            return number
        if not {*map(int, deck)} & cards and not {*map(int, events)} & encounters:
            break  # the same cards are shuffled in every game
    raise ValueError(f"{entry_id!r} is on top of no deck; it has no copy there with this party")
