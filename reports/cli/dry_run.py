"""The option ``--dry-run``: what playing would cost, before anything is played or written."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.compute import Compute
from reports.cli.console import as_input_error, print_json, print_table, say, waiting

if TYPE_CHECKING:
    from simcore.work.cost import Cost, Plan

DryRun = Annotated[
    bool,
    Parameter(
        name="--dry-run",
        negative=(),
        help="Say how many games this would play and how long it would take, and write nothing."
        " A second of play measures the speed; disk space and the time on more processors are"
        " given, too.",
    ),
]

#: Processors for which is told how long it would take, besides the threads that would play here.
_PROCESSORS = (8, 64)
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def tell_cost(
    plans: "Sequence[Plan]",
    compute: Compute,
    *,
    as_json: bool,
    more: "Callable[[int], Sequence[Plan]] | None" = None,
) -> None:
    """Measure what plans cost, and print it.  Raises InputError.

    ``more`` gives what is played besides, for the number of games of the plans.  Lessons that were
    `foreseen` are added.
    """
    from reports.games import reports_of
    from simcore.work.cost import TRIAL_SECONDS, foreseen, measure_cost

    def measured(plans: "Sequence[Plan]") -> "list[Cost]":
        for plan in plans:
            spec = plan.spec
            reports_of(spec.game).compile_engine(spec.settings["policies"], spec.task)
        with as_input_error(), waiting("measuring the speed"):
            return measure_cost(plans)

    costs = measured(plans)
    if more is not None and (others := more(sum(cost.games for cost in costs))):
        costs += measured(others)
    lessons = foreseen()
    if lessons is not None and lessons.plans:
        costs += measured([plan for plans in lessons.plans.values() for plan in plans])
    here = compute.threads or compute.workers or os.cpu_count() or 1
    bounds = {cost.bound for cost in costs} - {""}
    bound = "about" if len(bounds) > 1 else "".join(bounds)  # more and less make neither
    games = sum(cost.games for cost in costs)
    size = sum(cost.size for cost in costs)

    def players_of(cost: "Cost") -> list[str]:
        aside = f"{lessons.folder}{os.sep}" if lessons is not None else ""
        return [one.replace(aside, "") for one in cost.plan.spec.settings["policies"]]

    def time_on(processors: int) -> float:
        return sum(cost.time_on(processors) for cost in costs)

    processors = sorted({here, *(n for n in _PROCESSORS if n > here)})
    if as_json:
        answer = {
            "games": games,
            "bound": bound,
            "processor_seconds": time_on(1),
            "seconds": {str(n): time_on(n) for n in processors},
            "bytes": round(size),
            "plays": [
                {
                    "players": players_of(cost),
                    "games": cost.games,
                    "bound": cost.bound,
                    "games_per_second": cost.games / cost.seconds if cost.seconds else None,
                    "bytes": round(cost.size),
                }
                for cost in costs
            ],
        }
        print_json(answer)
        return
    rows = [
        (
            ":".join(dict.fromkeys(players_of(cost))),
            f"{cost.bound} {cost.games:,}".strip(),
            f"{cost.games / cost.seconds:,.0f}" if cost.seconds else "",
            duration(cost.time_on(here)),
        )
        for cost in costs
    ]
    if not rows:
        print("games: 0")
        return
    heads = ("players", "games", "games/s of one thread", f"time on {_count(here, 'processor')}")
    print_table(heads, rows, right=(1, 2, 3))
    print(f"\ngames: {' '.join(filter(None, [bound, f'{games:,}']))}")
    worth = [n for n in processors if n == here or time_on(n) >= 1]
    times = [f"{duration(time_on(n))} on {_count(n, 'processor')}" for n in worth]
    print(f"time to play: {' '.join(filter(None, [bound, ', '.join(times)]))}")
    print(f"disk for games: {in_bytes(size)}")
    say(f"measured for {TRIAL_SECONDS:g} s on one thread; tables, charts and pages come on top")


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def duration(seconds: float) -> str:
    """Seconds in words, with about two digits: "40 s", "3 min", "2.5 h", "12 days"."""
    for size, unit in ((_DAY, "days"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= size * 1.5:
            amount = seconds / size
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else "less than 1 s"


def in_bytes(size: float) -> str:
    """Bytes in words: "41 MB"."""
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:,.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError
