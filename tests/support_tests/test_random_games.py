"""Random games of every set alone and of all sets together, on the reference engine by itself."""

import random
from collections import Counter

import pytest

from support.reference_game import ReferenceGame
from support_tests.random_games import POOLS, check_invariants, random_game, random_position

DRAWS = {"capped", "looped"}


def play_at_random(game: ReferenceGame, seed: int) -> Counter[str]:
    """Play uniformly at random to the end (R120-R124); count decision points and the ending."""
    rng = random.Random(f"choices {seed}")
    counts: Counter[str] = Counter()
    while not game.over:
        check_invariants(game)
        counts[game.decision.point] += 1
        turn = game.turn
        game.choose(rng.choice(game.decision.options))
        assert game.turn >= turn
    check_invariants(game)
    assert game.decision is None
    assert (game.winner == -1) == (game.ending in DRAWS)
    lives = [player["life"] for player in game.snapshot()["players"]]
    assert (0 in lives) == (game.ending == "life")
    if game.ending == "life":
        assert lives[1 - game.winner] == 0 < lives[game.winner]
    counts[str(game.ending)] += 1
    return counts


@pytest.mark.parametrize("mode", ["turn", "action"])
@pytest.mark.parametrize("pool", POOLS)
def test_random_games_keep_the_invariants_and_end(pool, mode):
    """25 random games of each pool: each card in one zone, hands refilled, every game ends."""
    counts: Counter[str] = Counter()
    for seed in range(25):
        counts += play_at_random(random_game(seed, pool, mode), seed)
    assert counts["life"] + counts["no_action"] + counts["effect"] == 25
    assert counts["life"] > 0


def test_random_positions_reach_every_decision_point():
    """60 crowded positions of all sets: the same invariants, and all of D1 to D17 occur."""
    counts: Counter[str] = Counter()
    for seed in range(60):
        chance = random.Random(f"chance {seed}")
        game = ReferenceGame.from_position(
            random_position(seed),
            pick_random=chance.sample,
            roll=chance.randrange,
            turn_cap=30,
            effect_cap=200,
        )
        counts += play_at_random(game, seed)
    assert {f"D{n}" for n in range(1, 18)} <= counts.keys()
