"""How fast this machine plays: games per second by pool and policy, threads and records."""

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
from typing import Any, Protocol

import numpy as np

from simcore.work.progress import Progress
from simcore.work.runs import RunSpec, run_games

_TURNS, _TURNS_OF_RUNS = 15, 5
_WARM_UP_GAMES = 5_000
_THREADS = (1, 2)
# How much longer whole runs take: a run folder is begun and ended in the same few hundredths of a
# second however many games it has.
_RUN_LENGTH = 10


class Playing(Protocol):
    """What is measured: a game that can be played with several pools by several policies."""

    @property
    def pools(self) -> Sequence[str]:
        """What can be played."""

    @property
    def policies(self) -> Sequence[str]:
        """Who can play it, from weak to strong."""

    def play(self, pool: str, policy: str, n_games: int, first_game: int = 0) -> np.ndarray:
        """Play games in one thread: their records, with a field ``decisions``."""

    def new_run(self, pool: str, policy: str, n_games: int) -> RunSpec:
        """A run of the same games."""


def measure_speed(
    playing: Playing, *, seconds: float = 0.2, on_progress: Progress | None = None
) -> dict[str, Any]:
    """Measure games per second; the result can be written as JSON.

    Every measurement is made fifteen times, each for about ``seconds``; compiling is not counted.
    A machine that others use as well is now faster and now slower: so what is compared is measured
    in turns, and ``ratio`` is the median of the ratios of one turn.

    ``engine`` has a row for each pool and each policy, in one thread, with the decisions a second
    at its best; their ratio is to those of the ``fastest`` pool, the one of which the first policy
    plays most games.  ``threads`` and ``records`` are of that pool and policy, where anything else
    weighs most, and are measured in five turns, each ten times as long: two threads against one,
    and `run_games`, which writes every record into a run folder, against the bare engine.
    ``on_progress`` is called after each measurement.

    Raises
    ------
    ValueError
        If a pool cannot be played.
    """
    pools, weakest = playing.pools, playing.policies[0]
    questions = [(name, policy) for name in pools for policy in playing.policies]
    measured = 0
    all_measured = (1 + _TURNS) * len(questions) + _TURNS_OF_RUNS * 2 * len(_THREADS)

    def advance() -> None:
        nonlocal measured
        measured += 1
        if on_progress:
            on_progress(measured, all_measured)

    games: list[int] = []
    plays: list[Callable[[], object]] = []
    decisions: list[float] = []
    for question in questions:
        n_games, mean = _prepare(playing, question, seconds)
        games.append(n_games)
        plays.append(partial(playing.play, *question, n_games))
        decisions.append(mean)
        advance()
    rates = dict(zip(questions, _measure(games, plays, _TURNS, advance), strict=True))
    fastest = max(pools, key=lambda name: max(rates[name, weakest]))
    n_decisions = dict(zip(questions, decisions, strict=True))

    n_games = max(int(max(rates[fastest, weakest]) * seconds * _RUN_LENGTH), 1)
    plays = [
        *(partial(_play, playing, (fastest, weakest), n_games, n) for n in _THREADS),
        *(partial(_write, playing, (fastest, weakest), n_games, n) for n in _THREADS),
    ]
    bare_and_written = _measure([n * n_games for n in _THREADS] * 2, plays, _TURNS_OF_RUNS, advance)
    bare, written = bare_and_written[: len(_THREADS)], bare_and_written[len(_THREADS) :]
    return {
        "machine": {
            "processors": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "numba": version("numba"),
        },
        "fastest": fastest,
        "engine": [
            {
                "pool": name,
                "policy": policy,
                **_speed(rates[name, policy]),
                "decisions": max(rates[name, policy]) * n_decisions[name, policy],
                "ratio": _ratio(rates[name, policy], rates[fastest, policy])
                * n_decisions[name, policy]
                / n_decisions[fastest, policy],
            }
            for name, policy in questions
        ],
        "threads": _compared(fastest, bare, [bare[0]] * len(_THREADS)),
        "records": _compared(fastest, written, bare),
    }


def _prepare(playing: Playing, question: tuple[str, str], seconds: float) -> tuple[int, float]:
    """How many games take so many seconds, and how many decisions a game has."""
    playing.play(*question, 1)
    n_games, passed = 1, 0.0
    while n_games < _WARM_UP_GAMES and passed < seconds / 2:  # a searching player takes long
        n_games *= 4
        start = time.perf_counter()
        games = playing.play(*question, n_games)
        passed = time.perf_counter() - start
    return max(int(n_games * seconds / passed), 1), float(games["decisions"].mean())


def _measure(
    n_games: list[int], plays: list[Callable[[], object]], turns: int, advance: Callable[[], None]
) -> list[list[float]]:
    """Games a second of each of several ways to play, a few times, in turns."""
    rates: list[list[float]] = [[] for _ in plays]
    for _ in range(turns):
        for games, play, mine in zip(n_games, plays, rates, strict=True):
            start = time.perf_counter()
            play()
            mine.append(games / (time.perf_counter() - start))
            advance()
    return rates


def _speed(rates: list[float]) -> dict[str, float]:
    """The best and the median of a few rates."""
    return {"best": max(rates), "median": statistics.median(rates)}


def _ratio(rates: list[float], others: list[float]) -> float:
    """How much faster one is than another: the median of the ratios of one turn."""
    return statistics.median(a / b for a, b in zip(rates, others, strict=True))


def _compared(pool: str, rates: list[list[float]], to: list[list[float]]) -> list[dict[str, Any]]:
    """A row for each number of threads."""
    return [
        {
            "pool": pool,
            "threads": threads,
            **_speed(mine),
            "ratio": _ratio(mine, others),
        }
        for threads, mine, others in zip(_THREADS, rates, to, strict=True)
    ]


def _play(playing: Playing, question: tuple[str, str], n_games: int, threads: int) -> None:
    """Play ``n_games`` in each of some threads, and keep nothing."""
    with ThreadPoolExecutor(threads) as pool:
        for done in [
            pool.submit(playing.play, *question, n_games, thread * n_games)
            for thread in range(threads)
        ]:
            done.result()


def _write(playing: Playing, question: tuple[str, str], n_games: int, threads: int) -> None:
    """Play ``n_games`` for each of some threads into a run folder."""
    with tempfile.TemporaryDirectory() as folder:
        spec = playing.new_run(*question, n_games * threads)
        run_games(spec, Path(folder) / "run", threads=threads)
