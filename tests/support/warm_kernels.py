"""Compile what the tests need, once and in one process: `python -m support.warm_kernels`.

Left to themselves the two workers of `make test` would each compile the same engine at the same
time, and once more for every kernel that plays games.  In one process the inner kernels are
prepared once for all of them, and what is compiled is on the disk when the workers begin.
"""

import time

from simcore.jit import compile_all
from support.fast_game import card_table
from support.machine_code import CALLS
from support.mass_invariants import look_at_games


def main() -> None:
    """Compile, and say how long that took."""
    begin = time.perf_counter()
    compile_all([(*CALLS, lambda: look_at_games(card_table(), n_games=1))])
    print(f"compiled: {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
