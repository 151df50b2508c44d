"""The command `balancelab bench`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error, print_json, print_table, progress
from reports.cli.options import Json
from reports.mindbug.cli.options import NAMED, ONLY_SETS, PoolOptions
from reports.mindbug.cli.steps import compile_engine

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool


def bench(
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help=f"{NAMED} Default: all sets that come with balancelab.",
        ),
    ],
    pool: PoolOptions = ONLY_SETS,
    seconds: Annotated[
        float, Parameter(help="Seconds for each measurement; each is repeated fifteen times.")
    ] = 0.2,
    as_json: Json = False,
) -> None:
    """Measure how many games a second this machine plays, by pool and player.

    Several sets are played one by one and then together; with your own cards or a pool file only
    together. The last column compares decisions a second with those of the fastest pool at random.
    That pool is also played in several threads, without and with writing the records. Compiling is
    not counted.
    """
    from simcore.mindbug import RUNGS
    from simcore.mindbug.play.speed import measure_speed

    if not 0 < seconds <= 60:
        raise InputError(f"--seconds is {seconds:g}; it must be above 0 and at most 60")
    pools = _pools(sets, pool)
    with as_input_error():
        compile_engine(RUNGS)
        with progress("measuring") as advance:
            speeds = measure_speed(pools, seconds=seconds, on_progress=advance)
    if as_json:
        print_json(speeds)
    else:
        _print_speeds(speeds)


def _pools(sets: Sequence[str], options: PoolOptions) -> "dict[str, Pool]":
    """The pools to measure by their names; everything together comes last."""
    from card_data.mindbug import available_sets

    if options.cards or options.pool:
        return {"the pool": options.load(sets)}
    names = sets or available_sets()
    together = options.load(names)  # first, since it tells the faults of all of them
    if len(names) == 1:
        return {Path(names[0]).stem: together}
    alone = {Path(name).stem: options.load([name]) for name in names}
    return alone | {"together" if sets else "all sets": together}


def _print_speeds(speeds: dict[str, Any]) -> None:
    """What was measured, as tables."""
    machine = ", ".join(f"{name} {value}" for name, value in speeds["machine"].items())
    print(f"games a second, best and median ({machine})\n")
    print_table(
        ("one thread", "policy", "best", "median", "decisions/s", f"of {speeds['fastest']}"),
        [
            (*_names(row), *_rates(row), f"{row['decisions']:,.0f}", f"{row['ratio']:.2f}")
            for row in speeds["engine"]
        ],
        right=(2, 3, 4, 5),
    )
    for name, title, ratio in (
        ("threads", "the engine alone", "of one thread"),
        ("records", "with every record written", "of the engine alone"),
    ):
        print(f"\n{title}, {speeds[name][0]['pool']}")
        rows = [(row["threads"], *_rates(row), f"{row['ratio']:.2f}") for row in speeds[name]]
        print_table(("threads", "best", "median", ratio), rows, right=(0, 1, 2, 3))


def _names(row: dict[str, Any]) -> tuple[str, str]:
    return row["pool"], row["policy"]


def _rates(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['best']:,.0f}", f"{row['median']:,.0f}"
