"""Games that a changed card cannot change go as they did, and all others are found."""

import numpy as np
import pytest
from attrs import evolve

from card_data.mindbug import load_pool
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import dealt_cards, with_card
from card_data.mindbug.vocabulary import Keyword, WhoStarts
from simcore.mindbug import CardTable, compile_cards, play_games
from simcore.mindbug.play.affected import affected_games

BASE = load_pool(["first_contact"])
N_GAMES = 400


def table_of(pool: Pool) -> CardTable:
    """The compiled cards of a pool."""
    return compile_cards(pool.sets, pool.modes)


def changes(pool: Pool, rng: np.random.Generator) -> list[Card]:
    """A few cards with another power, other keywords or without their text."""
    cards = [dealt_cards(pool)[i] for i in rng.choice(len(dealt_cards(pool)), 6, replace=False)]
    return [
        *(evolve(card, power=card.power % 10 + 1) for card in cards[:3]),
        *(evolve(card, keywords=card.keywords ^ {Keyword.SNEAKY}) for card in cards[3:5]),
        evolve(cards[5], triggered=(), constant=()),
    ]


@pytest.mark.parametrize(
    ("set_id", "who_starts"),
    [
        *((set_id, "higher_card") for set_id in ("first_contact", "beyond_evolution")),
        *(("beyond_eternity", way.name.lower()) for way in WhoStarts),
    ],
)
@pytest.mark.parametrize("policy", ["random", "greedy", "heuristic"])
def test_unaffected_games_go_as_they_did(set_id: str, who_starts: str, policy: str) -> None:
    """With any card changed, each game that is called untouched has the same record."""
    pool = load_pool([set_id], modes={"who_starts": who_starts})
    base, shares = table_of(pool), []
    policies = (policy, policy)
    played = play_games(base, n_games=N_GAMES, seed=5, first_game=70, policies=policies)
    for card in changes(pool, np.random.default_rng(1)):
        table = table_of(with_card(pool, card))
        touched = affected_games(
            table, base, played, seed=5, games=played["game"], policies=policies
        )
        again = play_games(table, n_games=N_GAMES, seed=5, first_game=70, policies=policies)
        np.testing.assert_array_equal(again[~touched], played[~touched])
        shares.append(touched.mean())
    assert min(shares) < 0.75  # otherwise nothing is saved


def test_a_later_stage_touches_the_games_of_its_line() -> None:
    """A stage that is never dealt is reached from the card that is."""
    pool = load_pool(["beyond_evolution"])
    base = table_of(pool)
    played = play_games(base, n_games=N_GAMES)
    stage = next(card for one in pool.sets for card in one.cards if card.stage == 2)
    table = table_of(with_card(pool, evolve(stage, power=stage.power % 10 + 1)))
    touched = affected_games(
        table, base, played, seed=0, games=played["game"], policies=("random", "random")
    )
    assert 0.1 < touched.mean() < 0.9
    np.testing.assert_array_equal(play_games(table, n_games=N_GAMES)[~touched], played[~touched])


def test_the_card_that_decides_who_starts_touches_the_game() -> None:
    """A card that was only revealed (R11) touches the game if another player starts for it."""
    base = table_of(BASE)
    played = play_games(base, n_games=4 * N_GAMES)
    card = dealt_cards(BASE)[0]
    table = table_of(with_card(BASE, evolve(card, power=10)))
    touched = affected_games(
        table, base, played, seed=0, games=played["game"], policies=("random", "random")
    )
    dealt = (played["cards"] == base.cards.index(card)).any(axis=1)
    again = play_games(table, n_games=4 * N_GAMES)
    starts = again["first_player"] != played["first_player"]
    assert (starts & ~dealt).any()
    np.testing.assert_array_equal(touched, dealt | starts)


@pytest.mark.parametrize(
    ("table", "base", "policy"),
    [
        (compile_cards(BASE.sets, life=4), table_of(BASE), "random"),
        (compile_cards(BASE.sets, who_starts="weaker_hand"), table_of(BASE), "random"),
        (table_of(BASE), table_of(BASE), "search:5"),
        (table_of(load_pool(["king_of_tokyo"])), table_of(BASE), "random"),
        (table_of(load_pool(["promos"])), table_of(load_pool(["promos"])), "random"),
    ],
    ids=["modes", "who starts", "search", "other cards", "unused pile"],
)
def test_all_games_are_touched_by_more_than_cards(
    table: CardTable, base: CardTable, policy: str
) -> None:
    """Other rules, a player who imagines cards, other pools and effects on the unused pile."""
    played = play_games(base, n_games=50)
    touched = affected_games(
        table, base, played, seed=0, games=played["game"], policies=(policy, "random")
    )
    assert touched.all()
