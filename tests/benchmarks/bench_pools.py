"""Decisions a second of random games of every pool against First Contact's, in turns.

`fairdeal bench` measures all players and so takes ten seconds a turn, in which a shared machine
changes its speed; here a turn takes a tenth of a second, and pools are compared within it.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_pools.py
"""

import statistics
import time

from card_data.mindbug import available_sets, load_pool
from simcore.mindbug.play.simulate import play_games
from simcore.mindbug.table.compile_cards import compile_cards

GAMES, TURNS = 3_000, 21
BASE = "first_contact"


def main() -> None:
    """Print a row for each pool: games a second, and its decisions against the base game's."""
    names = {**{name: [name] for name in available_sets()}, "all sets": available_sets()}
    pools = {name: load_pool(sets) for name, sets in names.items()}
    tables = {name: compile_cards(pool.sets, pool.modes) for name, pool in pools.items()}
    for table in tables.values():
        play_games(table, n_games=GAMES)
    seconds: dict[str, list[float]] = {name: [] for name in tables}
    decisions: dict[str, list[float]] = {name: [] for name in tables}
    for turn in range(TURNS):
        for name, table in tables.items():
            start = time.perf_counter()
            games = play_games(table, n_games=GAMES, first_game=turn * GAMES)
            seconds[name].append(time.perf_counter() - start)
            decisions[name].append(float(games["decisions"].sum()) / seconds[name][-1])
    for name in tables:
        ratios = [a / b for a, b in zip(decisions[name], decisions[BASE], strict=True)]
        best, ratio = GAMES / min(seconds[name]), statistics.median(ratios)
        print(f"{name:18} {best:9,.0f} games/s at best, {ratio:.2f} of the decisions of {BASE}")


if __name__ == "__main__":
    main()
