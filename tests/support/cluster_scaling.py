"""How well threads and Dask's workers scale on this machine, and what the scheduler costs.

The same games are played by one thread, by two, and by two workers, in turns, after all of them
have begun to play.  Of each, the median of several ratios in one turn is told, and what two workers
take of processor time beside two threads, which other work on the machine changes less.  As a
program it prints tables of ``docs/cluster.md``::

    python -m support.cluster_scaling 5

with the number of turns.
"""

import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import psutil

from card_data.mindbug import load_pool
from simcore.mindbug.play.run import new_run
from simcore.work.cluster import Cluster, cluster_at
from simcore.work.jobs import Slice, code_here, play_job
from simcore.work.runs import RunSpec, run_games
from support.cluster_trials import Cluster as Processes
from support.cluster_trials import clustered

#: Who plays, and how many games: half a minute for one thread, beside which beginning and end are
#: short.
PLAYED = {"random": 16_000_000, "search:25": 24_000}
#: Jobs by which the scheduler is measured.
_JOBS = 2_000
_JOB_SECONDS = 15  # of a job where there is enough to play


class Took(NamedTuple):
    """Seconds on the clock, and of all processors together."""

    wall: float
    processor: float


def measured(spec: RunSpec, workers: list[psutil.Process], **how: Any) -> Took:
    """How long a run takes this process, and the workers where these play."""
    processes = [psutil.Process(), *(workers if "executor" in how else ())]
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.perf_counter(), processor(processes)
        run_games(spec, Path(folder) / "run", **how)
        return Took(time.perf_counter() - began, processor(processes) - before)


def processor(processes: list[psutil.Process]) -> float:
    """Processor time of processes so far, in seconds."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def scaling(player: str, games: int, turns: int, dask: Cluster, processes: Processes) -> str:
    """A row for a player."""
    spec = new_run(load_pool(["first_contact"]), n_games=games, policies=(player, player))
    ways: Mapping[str, dict[str, Any]] = {
        "one": {"threads": 1},
        "two": {"threads": 2},
        "dask": {"executor": dask},
    }
    workers = [*processes.workers(), psutil.Process(processes.scheduler.pid)]
    few = new_run(load_pool(["first_contact"]), n_games=games // 20, policies=(player, player))
    for how in ways.values():
        measured(few, workers, **how)
    took = [
        {name: measured(spec, workers, **how) for name, how in ways.items()} for _ in range(turns)
    ]
    two = median(turn["one"].wall / turn["two"].wall for turn in took)
    of_dask = median(turn["one"].wall / turn["dask"].wall for turn in took)
    beside = median(turn["two"].wall / turn["dask"].wall for turn in took)
    cost = median(turn["two"].processor / turn["dask"].processor for turn in took)
    rate = median(games / turn["one"].wall for turn in took)
    return f"| {player} | {rate:,.0f} | {two:.2f} | {of_dask:.2f} | {beside:.2f} | {cost:.2f} |"


def scheduler_cost(dask: Cluster, processes: Processes) -> float:
    """Processor seconds of the scheduler for a job that is sent, played and fetched."""
    spec = new_run(load_pool(["first_contact"]), n_games=10**6)
    scheduler = [psutil.Process(processes.scheduler.pid)]
    before = processor(scheduler)
    waiting = [
        dask.submit(play_job, code_here(), [Slice(spec.task, spec.record, 2, range(i, i + 1))])
        for i in range(_JOBS)
    ]
    assert all(len(np.atleast_1d(job.result()[0].rows)) == 1 for job in waiting)
    return (processor(scheduler) - before) / _JOBS


def main(turns: int) -> None:
    """Print the tables."""
    with clustered() as processes, cluster_at(processes.address) as dask:
        while dask.n_workers < 2:
            time.sleep(0.2)
        print(
            "| player | games/s, one thread | two threads : one | two workers : one thread |"
            " two workers : two threads | the same by processor time |"
        )
        print("|---|---|---|---|---|---|")
        for player, games in PLAYED.items():
            print(scaling(player, games, turns, dask, processes), flush=True)
        cost = scheduler_cost(dask, processes)
        print(
            f"\nThe scheduler takes {1000 * cost:.1f} ms of a processor for a job. With jobs of"
            f" {_JOB_SECONDS} s it feeds {_JOB_SECONDS / cost:,.0f} processors."
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
