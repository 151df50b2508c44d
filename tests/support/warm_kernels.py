"""Compile what the tests need, once and in one process: `python -m support.warm_kernels`.

Left to themselves the two workers of `make test` would each compile the same engine at the same
time, and once more for every kernel that plays games.  In one process the inner kernels are
prepared once for all of them, and what is compiled is on the disk when the workers begin.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from simcore.mindbug import Game
from simcore.mindbug.play.coverage import count_abilities
from simcore.mindbug.play.position_fit import fit_positions
from simcore.mindbug.play.simulate import (
    compile_considered,
    compile_engine,
    compile_with_functions,
)
from simcore.mindbug.players.policies import compile_thinking
from simcore.mindbug.players.weights import own_weights
from support.fast_game import card_table
from support.mass_invariants import faults_of, look_at_games


def _play_one_game() -> None:
    """One game by every kind of player, decision by decision."""
    game = Game(card_table())
    for player in ("random", "heuristic", "search:1"):
        game.step(game.choose(player))
    faults_of(game, 0)


STEPS: Mapping[str, Callable[[], object]] = {
    "both engines": compile_engine,
    "players who think": compile_thinking,
    "players who search or are restricted": compile_considered,
    "players who are functions": compile_with_functions,
    "single games": _play_one_game,
    "training": lambda: fit_positions([card_table()], own_weights("heuristic"), n_games=9, seed=0),
    "coverage": lambda: count_abilities(card_table(), n_games=1),
    "invariants": lambda: look_at_games(card_table(), n_games=1),
}


def main() -> None:
    """Compile, and say how long each step took."""
    for name, step in STEPS.items():
        begin = time.perf_counter()
        step()
        print(f"compiled {name}: {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
