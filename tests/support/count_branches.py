"""Count how often the branches of kernels are taken in games: ``make counts``.

Every set alone and all of them together are played, first at random and then by players who think
and search.  Of kernels that random games reach, their counts are kept; what other games add are
counts of all other kernels.  They are written to ``simcore/jit/branch_counts.json``.
"""

import os
import tempfile
import time

from simcore.jit.profile import COUNTS_FILE, Counting, count_branches, write_counts

#: How many games of each pool a player plays, the random one first.
GAMES = {
    "random": 4000,
    "greedy": 500,
    "heuristic": 200,
    "learned": 200,
    "search=learned:20": 4,
    "expert": 200,
    "search:20": 4,
}


def play(counting: Counting) -> dict[str, list[int]]:
    """Play the games; what was counted, as ``branch_counts.json`` has it."""
    # Only now, when counting has begun: nothing is to be compiled before.
    from card_data.mindbug import available_sets, load_pool
    from simcore.mindbug.play.simulate import play_games
    from simcore.mindbug.table.compile_cards import compile_cards

    sets = available_sets()
    table: dict[str, list[int]] = {}
    for policy, n_games in GAMES.items():
        started = time.monotonic()
        for names in [*([name] for name in sets), sets]:
            pool = load_pool(names)
            cards = compile_cards(pool.sets, pool.modes)
            play_games(cards, n_games=n_games, policies=(policy, policy))
        for name, counts in counting.table().items():
            if table.get(name, [0])[0] == 0:
                table[name] = counts
        print(f"played by {policy}: {time.monotonic() - started:.0f} s", flush=True)
    return table


def main() -> None:
    """Play with kernels that count, compiled for this once."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        table = play(count_branches())
    write_counts(table, COUNTS_FILE)
    print(f"wrote {COUNTS_FILE.name}: {len(table)} kernels")


if __name__ == "__main__":
    main()
