"""Thousands of games of Mice & Mystics on two engines: ``make mice_lockstep GAMES=1000``.

``python -m support.mice_and_mystics.mass_lockstep GAMES [SEED [PROCESSES]]``.

Both chapters, all parties and players, and any switches and knobs are played on every engine beside
the slow one, and as many crowded positions; the first disagreement is printed with the decisions
that lead to it.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from support.mice_and_mystics.engines import ENGINES, SIDES
from support.mice_and_mystics.lockstep import play_in_lockstep, settings
from support.mice_and_mystics.random_positions import play_position
from support.mice_and_mystics.sides import Setting

PART = 50  # games that a process plays in one go


def play_part(engine: str, part: Sequence[Setting]) -> Counter[str]:
    """Play these settings in lockstep; how often each word was decided and each end came."""
    counts: Counter[str] = Counter()
    for setting in part:
        counts += play_in_lockstep(setting, SIDES[engine])
    return counts


def play_positions(engine: str, seeds: Sequence[int]) -> Counter[str]:
    """Play the random positions of these seeds in lockstep."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        counts += play_position(seed, ENGINES[engine])
    return counts


def main(n: int, seed: int = 1, processes: int = 2) -> None:
    """Play as many games and positions on every engine and tell what occurred."""
    for engine in SIDES:
        if engine != "slow":
            positions = range(seed * n, seed * n + n)
            tell(f"{engine}, games", partial(play_part, engine), settings(seed, n), processes)
            tell(f"{engine}, positions", partial(play_positions, engine), positions, processes)


def tell(
    title: str, play: Callable[[Any], Counter[str]], things: Sequence[Any], processes: int
) -> None:
    """Play things in parts and print how often what occurred."""
    started = time.perf_counter()
    parts = [things[i : i + PART] for i in range(0, len(things), PART)]
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(max_workers=processes) as pool:
        for i, found in enumerate(pool.map(play, parts), 1):
            counts += found
            print(f"\r{title}: {min(i * PART, len(things))} of {len(things)}", end="", flush=True)
    print(f"\r{title}: {len(things)} alike, {time.perf_counter() - started:.0f} s")
    for word, n in counts.most_common():
        print(f"  {n:10,}  {word}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
