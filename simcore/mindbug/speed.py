"""How fast this machine plays: games per second by set and policy, threads and records."""

import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

from card_data.schema import CardSet
from simcore.mindbug.card_table import CardTable, compile_cards
from simcore.mindbug.policies import POLICIES
from simcore.mindbug.run import new_run
from simcore.mindbug.simulate import play_games
from simcore.runner import run_games

_REPEATS = 5
_WARM_UP_GAMES = 2_000


def measure_speed(sets: Sequence[CardSet], *, seconds: float = 0.5) -> dict[str, Any]:
    """Measure games per second; what it returns can be written as JSON.

    Every measurement is made a few times, each for about ``seconds``; compiling is not counted.
    ``engine`` has a row for each set alone and each policy in both seats, in one thread;
    ``threads`` and ``records`` compare, for the first set played at random, two threads with one
    and `run_games`, which writes every record, with the bare engine.

    Raises
    ------
    ValueError
        If a set alone is too small to be played.
    """
    tables = [(card_set.set_id, compile_cards([card_set])) for card_set in sets]
    engine = [
        {"set": set_id, "policy": policy, **_engine_speed(table, policy, seconds)}
        for set_id, table in tables
        for policy in POLICIES
    ]
    n_games = _games_in(engine[0], seconds)
    bare = {n: _measure(n * n_games, _in_threads(tables[0][1], n_games, n)) for n in (1, 2)}
    written = {n: _measure(n * n_games, _written(sets[0], n * n_games, n)) for n in (1, 2)}
    return {
        "machine": {
            "processors": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "numba": version("numba"),
        },
        "engine": engine,
        "threads": [
            {"threads": n, **bare[n], "times_one": bare[n]["best"] / bare[1]["best"]} for n in bare
        ],
        "records": [
            {"threads": n, **written[n], "times_bare": written[n]["best"] / bare[n]["best"]}
            for n in written
        ],
    }


def _engine_speed(table: CardTable, policy: str, seconds: float) -> dict[str, float]:
    """Games and decisions a second of one policy against itself."""
    start = time.perf_counter()
    games = play_games(table, n_games=_WARM_UP_GAMES, policies=(policy, policy))
    warm_up = {"best": _WARM_UP_GAMES / (time.perf_counter() - start)}
    decisions = float(games["decisions"].mean())
    ...


def _measure(n_games: int, play: Callable[[], object]) -> dict[str, float]:
    """Games a second, the best and the median of several times."""
    rates = []
    for _ in range(_REPEATS):
        start = time.perf_counter()
        play()
        rates.append(n_games / (time.perf_counter() - start))
    return {"best": max(rates), "median": statistics.median(rates)}
