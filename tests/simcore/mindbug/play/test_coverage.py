"""Every ability of every card works in random play, and is counted where it does."""

import numpy as np
import pytest

from card_data.mindbug import available_sets, load_pool
from card_data.mindbug.schema import ConstantAbility
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.play.coverage import count_abilities
from support.purpose_made import made_set


@pytest.mark.parametrize("set_id", available_sets())
def test_every_ability_works(set_id: str) -> None:
    """No ability is left out by random play of its set alone, nor any last instruction."""
    pool = load_pool([set_id])
    counts = count_abilities(compile_cards(pool.sets, pool.modes), n_games=20_000)
    idle = [(count.card.card_id, count.ability) for count in counts if not count.n_last]
    assert not idle
    assert {count.card.card_id for count in counts if count.ability} == {
        card.card_id for card in pool.sets[0].cards if card.triggered or card.constant
    }


def test_counts_are_those_of_the_games() -> None:
    """A card whose ability works at each entry is counted once a play; a dull one never."""
    cards = {
        "herald": {"copies": 10, "play": "gain 1 life"},
        "rock": {"copies": 10, "constant": "while your life > 99, this has +1 power"},
    }
    table = compile_cards([made_set(cards)])
    herald, rock = count_abilities(table, n_games=50, seed=3)
    games = play_games(table, n_games=50, seed=3)
    is_herald = games["cards"] == table.cards.index(herald.card)
    entered = games["played"] | games["taken"]  # by either player, at most once each
    in_play = (entered[:, :, None] >> np.arange(20, dtype=np.uint64)) & np.uint64(1)
    assert herald.n == int((in_play.max(axis=1) & is_herald).sum())
    assert isinstance(rock.ability, ConstantAbility)
    assert rock.n == 0
