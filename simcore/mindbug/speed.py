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
# How much longer whole runs are measured: a run folder is begun and ended in the same few
# hundredths of a second however many games it has.
_RUN_LENGTH = 4


def measure_speed(
    pools: Mapping[str, Pool], *, seconds: float = 0.5, on_progress: Progress | None = None
) -> dict[str, Any]:
    """Measure games per second; the result can be written as JSON.

    Every measurement is made five times, each for about ``seconds``; compiling is not counted.
    ``engine`` has a row for each pool and each policy against itself, in one thread.  ``threads``
    and ``records`` are of the pool that is played fastest at random, where anything else weighs
    most, and take four times as long: two threads against one, and `run_games`, which writes every
    record into a run folder, against the bare engine.  These four are measured in turns, and
    ``ratio`` is the median of the ratios of one turn, since a machine that others use as well is
    now faster and now slower.  ``on_progress`` is called after each turn.

    Raises
    ------
    ValueError
        If a pool cannot be played.
    """
    tables = {name: compile_cards(pool.sets, pool.modes) for name, pool in pools.items()}
    questions = [(name, policy) for name in pools for policy in RUNGS]
    turns, all_turns = 0, (len(questions) + 1) * _REPEATS

    def advance() -> None:
        nonlocal turns
        turns += 1
        if on_progress:
            on_progress(turns, all_turns)

    engine: list[dict[str, Any]] = []
    for name, policy in questions:
        policies = policy, policy
        n_games, decisions = _prepare(tables[name], policies, seconds)
        play = partial(play_games, tables[name], n_games=n_games, policies=policies)
        (rates,) = _measure([n_games], [play], advance)
        speed = _speed(rates)
        row = {"pool": name, "policy": policy, **speed, "decisions": speed["best"] * decisions}
        engine.append(row)
    at_random = (row for row in engine if row["policy"] == "random")
    fastest = max(at_random, key=lambda row: row["best"])
    name, pool = fastest["pool"], pools[fastest["pool"]]
    n_games = max(int(fastest["best"] * seconds * _RUN_LENGTH), 1)
    games = [n * n_games for n in _THREADS]
    plays: list[Callable[[], object]] = [
        *(partial(_play, tables[name], n_games, n) for n in _THREADS),
        *(partial(_write, pool, n_games, n) for n in _THREADS),
    ]
    bare_and_written = _measure(games * 2, plays, advance)
    bare, written = bare_and_written[: len(_THREADS)], bare_and_written[len(_THREADS) :]
    return {
        "machine": {
            "processors": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "numba": version("numba"),
        },
        "engine": engine,
        "threads": _compared(name, bare, [bare[0]] * len(_THREADS)),
        "records": _compared(name, written, bare),
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


def _measure(
    n_games: list[int], plays: list[Callable[[], object]], advance: Callable[[], None]
) -> list[list[float]]:
    """Games a second of each of several ways to play, a few times, in turns."""
    rates: list[list[float]] = [[] for _ in plays]
    for _ in range(_REPEATS):
        for games, play, mine in zip(n_games, plays, rates, strict=True):
            start = time.perf_counter()
            play()
            mine.append(games / (time.perf_counter() - start))
        advance()
    return rates


def _speed(rates: list[float]) -> dict[str, float]:
    """The best and the median of a few rates."""
    return {"best": max(rates), "median": statistics.median(rates)}


def _compared(pool: str, rates: list[list[float]], to: list[list[float]]) -> list[dict[str, Any]]:
    """A row for each number of threads; ``ratio`` is the median of the ratios of one turn."""
    return [
        {
            "pool": pool,
            "threads": threads,
            **_speed(mine),
            "ratio": statistics.median(a / b for a, b in zip(mine, others, strict=True)),
        }
        for threads, mine, others in zip(_THREADS, rates, to, strict=True)
    ]


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
