"""Compile what the tests need, once and in one process: `python -m support.warm_kernels`.

Left to themselves the two workers of `make test` would each compile the same engine at the same
time, and once more for every kernel that plays games.  In one process the inner kernels are
prepared once for all of them, and what is compiled is on the disk when the workers begin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from simcore.jit import compile_all
from simcore.mindbug.play.coverage import count_abilities
from simcore.mindbug.play.position_fit import fit_positions
from simcore.mindbug.play.simulate import (
    compile_considered,
    compile_engine,
    compile_with_functions,
)
from simcore.mindbug.players.policies import thinking
from simcore.mindbug.players.weights import own_weights
from support.fast_game import card_table
from support.mass_invariants import look_at_games

CALLS: tuple[Callable[[], object], ...] = (
    compile_considered,
    compile_with_functions,
    partial(compile_engine, plain=False),
    partial(compile_engine, plain=True),
    partial(thinking, False),
    partial(thinking, True),
    lambda: count_abilities(card_table(), n_games=1),
    lambda: look_at_games(card_table(), n_games=1),
    lambda: fit_positions([card_table()], own_weights("heuristic"), n_games=9, seed=0),
)


def main() -> None:
    """Compile, and say how long that took."""
    begin = time.perf_counter()
    compile_all(CALLS)
    print(f"compiled: {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
