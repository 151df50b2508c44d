"""How fast this machine plays: games per second by set and policy, threads and records."""

import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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
_WARM_UP_GAMES = 5_000


def measure_speed(sets: Sequence[CardSet], *, seconds: float = 0.5) -> dict[str, Any]:
    """Measure games per second; the result can be written as JSON.

    Every measurement is made five times, each for about ``seconds``; compiling is not counted.
    ``engine`` has a row for each set alone and each policy against itself, in one thread.
    ``threads`` and ``records`` are of the first set, played at random: two threads against one, and
    `run_games`, which writes every record into a run folder, against the bare engine.

    Raises
    ------
    ValueError
        If a set alone is too small to be played.
    """
    engine: list[dict[str, Any]] = [
        {"set": card_set.set_id, "policy": policy, **_engine_speed(card_set, policy, seconds)}
        for card_set in sets
        for policy in POLICIES
    ]
    table, n_games = compile_cards(sets[:1]), max(int(engine[0]["best"] * seconds), 1)
    bare = {n: _measure(n * n_games, partial(_play, table, n_games, n)) for n in (1, 2)}
    written = {n: _measure(n * n_games, partial(_write, sets[0], n_games, n)) for n in (1, 2)}
    return {
        "machine": {
            "processors": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "numba": version("numba"),
        },
        "engine": engine,
        "threads": [
            {"threads": n, **bare[n], "ratio": bare[n]["best"] / bare[1]["best"]} for n in bare
        ],
        "records": [
            {"threads": n, **written[n], "ratio": written[n]["best"] / bare[n]["best"]}
            for n in written
        ],
    }


def _engine_speed(card_set: CardSet, policy: str, seconds: float) -> dict[str, float]:
    """Games and decisions a second of one policy against itself, in one thread."""
    table, policies = compile_cards([card_set]), (policy, policy)
    play_games(table, n_games=1, policies=policies)
    start = time.perf_counter()
    games = play_games(table, n_games=_WARM_UP_GAMES, policies=policies)
    n_games = max(int(_WARM_UP_GAMES * seconds / (time.perf_counter() - start)), 1)
    speed = _measure(n_games, lambda: play_games(table, n_games=n_games, policies=policies))
    return {**speed, "decisions": speed["best"] * float(games["decisions"].mean())}


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
        for thread in range(threads):
            pool.submit(play_games, table, n_games=n_games, first_game=thread * n_games)


def _write(card_set: CardSet, n_games: int, threads: int) -> None:
    """Play ``n_games`` for each of some threads into a run folder."""
    with tempfile.TemporaryDirectory() as folder:
        spec = new_run([card_set], n_games=n_games * threads)
        run_games(spec, Path(folder) / "run", threads=threads)
