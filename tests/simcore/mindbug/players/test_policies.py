"""What every policy must keep to: legal options, nothing hidden, no changes; and its strength."""

import random

import numpy as np
import pytest

from card_data.mindbug import load_pool
from simcore.mindbug import (
    POLICIES,
    RUNGS,
    Ending,
    Player,
    compile_cards,
    parse_player,
    play_games,
    split_players,
)
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import alike_but_for_hidden, random_position


@pytest.mark.parametrize("policy", [*RUNGS[:-1], "search:12", "learned@0.3"])
def test_policies_do_not_look_at_hidden_cards(policy: str) -> None:
    """R4: other cards in hidden places do not change the choice, with the same private numbers."""
    compared = 0
    for one, other in alike_but_for_hidden(300):
        assert one.choose(policy) == other.choose(policy)
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("policy", [*RUNGS[:-1], "search:12", "learned@0.3"])
def test_policies_choose_options_and_change_nothing(policy: str) -> None:
    """R121: at every decision the choice is an option, and asking leaves the game as it was."""
    table = card_table(turn_cap=15)
    for number in range(60):
        rng = random.Random(number)
        game = FastGame.from_position(random_position(rng, table), table=table).game
        while not game.over:
            before = game.snapshot(), game.options, game.decision, game.decider
            assert 0 <= game.choose(policy) < len(game.options)
            assert (game.snapshot(), game.options, game.decision, game.decider) == before
            game.step(rng.randrange(len(game.options)))


def test_greedy_beats_random() -> None:
    """Greedy wins at least 97% of First Contact games against random, seats balanced."""
    table = card_table(sets=SETS[:1])
    first = play_games(table, n_games=10_000, seed=1, policies=("greedy", "random"))
    second = play_games(table, n_games=10_000, seed=1, policies=("random", "greedy"))
    wins = np.concatenate([first["winner"] == 0, second["winner"] == 1])
    assert wins.mean() > 0.97


def test_players_are_spelled() -> None:
    """POLICY[=FILE][:N][-RESTRICTION]…[@MISTAKES]; a colon stands between two players."""
    assert [parse_player(name).policy for name in RUNGS] == list(POLICIES)
    assert parse_player("search:400") == Player("search", simulations=400)
    assert parse_player("learned=my.toml@0.25") == Player("learned", "my.toml", mistakes=0.25)
    assert parse_player("search=a/b.toml:7@1") == Player("search", "a/b.toml", 7, 1.0)
    assert parse_player("heuristic-blocks") == Player("heuristic", never=("blocks",))
    assert parse_player("search:9-tough-blocks@0.5") == Player(
        "search", simulations=9, mistakes=0.5, never=("blocks", "tough")
    )
    assert parse_player("learned=a-b.toml-blocks-hunts@1") == Player(
        "learned", "a-b.toml", mistakes=1.0, never=("blocks", "hunts")
    )
    assert parse_player("learned=my-weights") == Player("learned", "my-weights")
    assert split_players("search:9-blocks:random-hunts") == ("search:9-blocks", "random-hunts")
    assert split_players("greedy") == ("greedy", "greedy")
    assert split_players("search:400:learned@0.1") == ("search:400", "learned@0.1")
    assert split_players("learned:search:400") == ("learned", "search:400")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gready", "did you mean 'greedy'"),
        ("xyzzy", "unknown policy 'xyzzy'. Policies are"),  # a guess would mean something else
        ("heuristic-xq", "there is no restriction 'xq'. Restrictions are"),
        ("", "the policy is empty; policies are: random, greedy"),
        ("search", "search:400"),
        ("search:0", "1 to 1000000"),
        ("search:many", "'many'"),
        ("greedy:7", "does not simulate"),
        ("random=my.toml", "has no weights"),
        ("learned@2", "0 to 1"),
        ("learned@", "0 to 1"),
        ("learned@nan", "0 to 1"),
        ("heuristic-block", "no restriction 'block'; did you mean 'blocks'"),
        ("search:4-blocks-toughness", "did you mean 'tough'"),
        ("gready-blocks", "did you mean 'greedy'"),
    ],
)
def test_wrong_players_are_refused(text: str, message: str) -> None:
    """A wrong spelling is a ValueError that says what is allowed."""
    with pytest.raises(ValueError, match=message):
        parse_player(text)


def test_three_players_are_refused() -> None:
    """A game has two players."""
    with pytest.raises(ValueError, match="3 players"):
        split_players("greedy:random:greedy")


def test_mistakes_are_a_dial() -> None:
    """Share 1 plays as random plays; the larger the share, the fewer games are won."""
    table = card_table(sets=SETS[:1])
    rates = []
    for share in (0, 0.2, 1):
        games = play_games(table, n_games=4000, seed=3, policies=(f"heuristic@{share}", "random"))
        rates.append((games["winner"] == 0).mean())
    assert rates[0] > rates[1] + 0.01 > rates[2] + 0.2
    assert abs(rates[2] - 0.5) < 0.04


def test_search_beats_its_own_weights() -> None:
    """A few simulations a decision play better than the weights alone."""
    table = card_table(sets=SETS[:1])
    wins = [
        (play_games(table, n_games=60, seed=4, policies=players)["winner"] == place).sum()
        for place, players in enumerate([("search:40", "learned"), ("learned", "search:40")])
    ]
    assert sum(wins) > 72


def test_greedy_does_not_copy_for_ever() -> None:
    """Two Utility Bugs could copy each other until the turn is stopped (C23, R20)."""
    pool = load_pool(["beyond_evolution"])
    table = compile_cards(pool.sets, pool.modes)
    games = play_games(table, n_games=1000, seed=1, policies=("greedy", "greedy"))
    assert not (games["ending"] == Ending.LOOPED).any()
