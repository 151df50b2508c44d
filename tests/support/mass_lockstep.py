"""Thousands of games of both engines side by side: ``make lockstep GAMES=1000``.

Every pool, mixtures of sets and cards made up at random are played from deals and from crowded
positions, in both modes; the first disagreement of a pool is printed with the cards, the position
and the decisions that lead to it.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from card_data.mindbug import load_sets
from card_data.mindbug.schema import CardSet
from simcore.mindbug import CardTable, compile_cards
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import (
    at_random,
    like_the_policy,
    pair_from_deal,
    pair_from_position,
    play_in_lockstep,
    random_position,
    reference_cards,
)
from support.random_cards import random_set
from support.reference_cards import SETS as SHIPPED
from support.reference_cards import CardFacts
from support.reference_game import ReferenceGame

MODES = ("turn", "action")
#: The pools of shipped sets: each alone, and all together with the cards made up for tests.
POOLS = {**{name: (name,) for name in SHIPPED}, "all_sets": tuple(SHIPPED), "test_cards": SETS}
#: The pools that have dice and power cards, in which ``kot_parts`` are on and off.
WITH_DICE = ("king_of_tokyo", "all_sets", "test_cards")


def pool_table(pool: str, mode: str, turn_cap: int = 500, *, kot_parts: bool) -> CardTable:
    """The compiled cards of a pool."""
    return card_table(mode, turn_cap, sets=POOLS[pool], kot_parts=kot_parts)


def random_mixture(rng: random.Random) -> tuple[str, ...]:
    """Some of the shipped sets with enough cards."""
    return tuple(sorted(rng.sample(list(SHIPPED), rng.randint(2, 5))))


def play_deals(table: CardTable, policy: str, games: Iterable[int], seed: int) -> Counter[str]:
    """Whole games of a table from the engine's own deals; how often each point occurred."""
    cards = reference_cards(table)
    counts: Counter[str] = Counter()
    for game in games:
        fast, reference = pair_from_deal(table, seed, game, cards)
        counts += play_in_lockstep(fast, reference, like_the_policy(policy))
    return counts


def play_positions(
    table: CardTable, name: str, games: Iterable[int], cards: Mapping[str, CardFacts] | None = None
) -> Counter[str]:
    """Games of a table from crowded positions, played at random."""
    cards = cards or reference_cards(table)
    counts: Counter[str] = Counter()
    for number in games:
        rng = random.Random(f"{name} {number}")
        position = random_position(rng, table)
        fast, reference = pair_from_position(position, table, cards, seed=number)
        counts += play_in_lockstep(fast, reference, at_random(rng))
    return counts


def random_cards_pair(
    card_set: CardSet, number: int, mode: str, *, kot_parts: bool = True
) -> tuple[FastGame, ReferenceGame, random.Random]:
    """Both engines at a crowded position of cards that were made up at random."""
    caps = {"turn_cap": 5, "effect_cap": 12}
    way = ("draw", "higher_life")[number % 2]
    table = compile_cards(
        [card_set], after_mindbug=mode, kot_parts=kot_parts, at_turn_cap=way, **caps
    )
    rng = random.Random(f"{mode} {number}")
    position = random_position(rng, table)
    pair = pair_from_position(position, table, reference_cards(table), seed=number)
    return *pair, rng


def play_random_cards(
    seed: str, mode: str, n_positions: int, *, kot_parts: bool, themed: bool = False
) -> Counter[str]:
    """Games of one set of cards made up at random, from positions and one deal."""
    card_set = random_set(random.Random(seed), themed=themed)
    counts: Counter[str] = Counter()
    for number in range(n_positions):
        fast, reference, rng = random_cards_pair(card_set, number, mode, kot_parts=kot_parts)
        counts += play_in_lockstep(fast, reference, at_random(rng))
    return counts


def play_mixtures(mode: str, n_games: int) -> Counter[str]:
    """Games of mixtures of sets, twenty of each: half from deals, half from positions (R7)."""
    rng = random.Random(f"mass mixtures {mode}")
    counts: Counter[str] = Counter()
    for number in range(n_games // 20):
        sets = load_sets(random_mixture(rng))
        table = compile_cards(sets, after_mindbug=mode, turn_cap=30, kot_parts=number % 2 > 0)
        counts += play_deals(table, "random", range(10), number)
        counts += play_positions(table, f"mass mixture {mode} {number}", range(10))
    return counts


def play_made_up_cards(mode: str, n_games: int) -> Counter[str]:
    """Games of sets of cards made up at random, twenty of each."""
    counts: Counter[str] = Counter()
    for number in range(n_games // 20):
        counts += play_random_cards(
            f"mass {mode} {number}", mode, 20, kot_parts=number % 4 > 0, themed=number % 3 > 0
        )
    return counts


def play_pool(pool: str, mode: str, n_games: int, *, kot_parts: bool) -> Counter[str]:
    """Games of one pool: half from deals, half from crowded positions."""
    table = pool_table(pool, mode, kot_parts=kot_parts)
    counts = play_deals(table, "random", range(n_games // 2), 7 + MODES.index(mode))
    short = pool_table(pool, mode, 6, kot_parts=kot_parts)
    name = f"mass {pool} {mode} {kot_parts}"
    return counts + play_positions(short, name, range(n_games // 2))


def main(n_games: int) -> int:
    """Play ``n_games`` of every pool and mode; return how many of them disagree."""
    plays: dict[str, Callable[[], Counter[str]]] = {}
    for mode in MODES:
        for pool in POOLS:
            for kot_parts in (False, True) if pool in WITH_DICE else (False,):
                name = f"{pool}, {mode}, {'with' if kot_parts else 'without'} King of Tokyo parts"
                plays[name] = partial(play_pool, pool, mode, n_games, kot_parts=kot_parts)
        plays[f"mixtures of sets, {mode}"] = partial(play_mixtures, mode, n_games)
        plays[f"cards made up at random, {mode}"] = partial(play_made_up_cards, mode, n_games)
    faults = 0
    total: Counter[str] = Counter()
    for name, play in plays.items():
        started = time.monotonic()
        try:
            counts = play()
        except AssertionError as error:
            faults += 1
            print(f"{name}: {error}", flush=True)
            continue
        seconds = time.monotonic() - started
        total += counts
        print(f"{name}: {_told(counts)}, {seconds:.0f} s", flush=True)
    print(f"all that agree: {_told(total)}; {faults} of {len(plays)} disagree")
    return faults


def _told(counts: Counter[str]) -> str:
    """How many games and decisions were compared."""
    points = {point: n for point, n in counts.items() if point.startswith("D")}
    decisions = sum(points.values())
    return f"{counts.total() - decisions:,} games, {decisions:,} decisions"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])) > 0)
