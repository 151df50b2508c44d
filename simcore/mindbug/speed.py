"""How fast this machine plays: games per second by pool and policy, threads and records."""

import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from card_data.schema import Pool
from simcore.mindbug.card_table import CardTable, compile_cards
from simcore.mindbug.players import RUNGS
from simcore.mindbug.run import new_run
from simcore.mindbug.simulate import play_games
from simcore.runner import Progress, run_games

_REPEATS = 5
_WARM_UP_GAMES = 5_000
_THREADS = (1, 2)


def measure_speed(
    pools: Mapping[str, Pool], *, seconds: float = 0.5, on_progress: Progress | None = None
) -> dict[str, Any]:
    """Measure games per second; the result can be written as JSON.

    Every measurement is made five times, each for about ``seconds``; compiling is not counted.
    ``engine`` has a row for each pool and each policy against itself, in one thread.  ``threads``
    and ``records`` are of the last pool, played at random: two threads against one, and
    `run_games`, which writes every record into a run folder, against the bare engine.
    ``on_progress`` is called after each measurement.

    Raises
    ------
    ValueError
        If a pool cannot be played.
    """
    tables = {name: compile_cards(pool.sets, pool.modes) for name, pool in pools.items()}
    questions = [(name, policy) for name in pools for policy in RUNGS]
    measured, n_measurements = 0, len(questions) + 2 * len(_THREADS)

    def measure(n_games: int, play: Callable[[], object]) -> dict[str, float]:
        nonlocal measured
        speed = _measure(n_games, play)
        measured += 1
        if on_progress:
            on_progress(measured, n_measurements)
        return speed

    engine: list[dict[str, Any]] = []
    for name, policy in questions:
        policies = policy, policy
        n_games, decisions = _prepare(tables[name], policies, seconds)
        play = partial(play_games, tables[name], n_games=n_games, policies=policies)
        speed = measure(n_games, play)
        row = {"pool": name, "policy": policy, **speed, "decisions": speed["best"] * decisions}
        engine.append(row)
    *_, (name, pool) = pools.items()
    (at_random,) = (row for row in engine if (row["pool"], row["policy"]) == (name, "random"))
    n_games = max(int(at_random["best"] * seconds), 1)
    bare = {n: measure(n * n_games, partial(_play, tables[name], n_games, n)) for n in _THREADS}
    written = {n: measure(n * n_games, partial(_write, pool, n_games, n)) for n in _THREADS}
    return {
        "machine": {
            "processors": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "numba": version("numba"),
        },
        "engine": engine,
        "threads": [
            {"pool": name, "threads": n, **bare[n], "ratio": bare[n]["best"] / bare[1]["best"]}
            for n in bare
        ],
        "records": [
            {
                "pool": name,
                "threads": n,
                **written[n],
                "ratio": written[n]["best"] / bare[n]["best"],
            }
            for n in written
        ],
    }


def _prepare(table: CardTable, policies: tuple[str, str], seconds: float) -> tuple[int, float]:
    """How many games take so many seconds, and how many decisions a game has."""
    play_games(table, n_games=1, policies=policies)
    n_games, passed = 1, 0.0
    while n_games < _WARM_UP_GAMES and passed < seconds / 2:  # a searching player takes his time
        n_games *= 4
        start = time.perf_counter()
        games = play_games(table, n_games=n_games, policies=policies)
        passed = time.perf_counter() - start
    return max(int(n_games * seconds / passed), 1), float(games["decisions"].mean())


def _measure(n_games: int, play: Callable[[], object]) -> dict[str, float]:
    """Games a second, the best and the median of a few times."""
    rates = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        play()
        rates.append(n_games / (time.perf_counter() - start))
    return {"best": max(rates), "median": statistics.median(rates)}


def _play(table: CardTable, n_games: int, threads: int) -> None:
    """Play ``n_games`` in each of some threads, and keep nothing."""
    with ThreadPoolExecutor(threads) as pool:
        for done in [
            pool.submit(play_games, table, n_games=n_games, first_game=thread * n_games)
            for thread in range(threads)
        ]:
            done.result()


def _write(pool: Pool, n_games: int, threads: int) -> None:
    """Play ``n_games`` for each of some threads into a run folder."""
    with tempfile.TemporaryDirectory() as folder:
        spec = new_run(pool, n_games=n_games * threads)
        run_games(spec, Path(folder) / "run", threads=threads)
