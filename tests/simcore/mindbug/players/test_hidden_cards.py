"""Hidden cards: those that a player imagines are drawn from what they do not see."""

from collections import Counter

import numpy as np

from card_data.mindbug import available_sets, load_pool
from simcore.jit import cached_kernel
from simcore.mindbug import Game, compile_cards
from simcore.mindbug.players.hidden_cards import _deal_hidden_cards, _list_hidden_cards
from simcore.mindbug.players.look_ahead import _copy_state
from simcore.mindbug.players.search import SEARCH
from simcore.mindbug.rules.unused_pile import _top_unused
from simcore.mindbug.table.state import GAME_STATE
from simcore.random_streams import _seed_streams


@cached_kernel
def _imagine(tables, states, works, looks):
    """Deal the cards anew that player 0 does not see, then look at the pile of copies of that.

    Modifies states and works.
    """
    game, deal, table = states[0], states[1], tables[0]
    _list_hidden_cards(game, table, 0, works[0], deal)
    _copy_state(deal, game)
    _seed_streams(deal.streams, 5, 0)
    _deal_hidden_cards(deal, table, 0, works[0])
    for i in range(len(looks)):
        _copy_state(states[2 + i], deal)
        _top_unused(states[2 + i], table, looks[i])


def test_an_imagined_pile_is_the_same_whoever_looks_at_it_first() -> None:
    """Copies of a deal find the same cards, however many, and all cards are those of the pool."""
    pool = load_pool(available_sets())
    table = compile_cards(pool.sets, pool.modes)
    looks = np.array([3, 63, 1, 20])
    states = np.zeros(2 + len(looks), GAME_STATE)
    states[:1] = Game(table, seed=3)._states
    seen = states["card"][0][:5].tolist()
    _imagine(table.rows, states, np.zeros(1, SEARCH), looks)
    every = states["card"][3].tolist()
    for number, state in zip(looks.tolist(), states[2:], strict=True):
        assert state["card"][20 : 20 + number].tolist() == every[20 : 20 + number]
        assert state["stale"] == states[1]["stale"]
        for slot in range(20, min(20 + number, 64)):
            assert state["printed"][slot] == table.faces[every[slot]].power
    assert every[:5] == seen
    left = Counter(table.rows[0]["pool"][: table.rows[0]["pool_size"]].tolist())
    assert not Counter(every) - left
