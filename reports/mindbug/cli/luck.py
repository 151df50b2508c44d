"""How much of a game is luck: what `balance` plays to find it, and its option."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from reports.cli.compute import Crew
from reports.cli.console import resumable

if TYPE_CHECKING:
    import pandas as pd

Luck = Annotated[
    bool | None,
    Parameter(
        help="Find how much of who wins the deal decides and how much the players' choices: the"
        " first deals of the run are played eight times each, for about a tenth of its time. The"
        " games are in RUN/luck. Default: in runs of 8,000 games and more.",
    ),
]


def games_of_luck(n_games: int, wanted: bool | None) -> int:
    """How many games `try_luck` plays for a run of so many."""
    from analysis.mindbug.experiments.luck import LEAST_DEALS, REPLAYS, deals_for

    deals = deals_for(n_games)
    if wanted is False or (wanted is None and deals < LEAST_DEALS):
        return 0
    return max(deals, LEAST_DEALS) * REPLAYS


def try_luck(folder: Path, wanted: bool | None, crew: Crew) -> "dict[str, pd.DataFrame]":
    """Play the replays of an analysed run and write their table; the table by its name.

    There is none where it is not ``wanted``, or where that is open (None) and the run is small.
    A table that is there already stays, unless it is wanted.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.experiments.luck import (
        LEAST_DEALS,
        LUCK,
        LUCK_FOLDER,
        deals_for,
        measure_luck,
        read_luck,
    )

    run = open_run(folder)
    deals = deals_for(run.n_games)
    if not wanted:
        found = read_luck(folder)
        if found or wanted is False or deals < LEAST_DEALS:
            return found
    with (
        resumable("finished deals stay", folder / LUCK_FOLDER),
        crew.progress("measuring luck", "games") as advance,
    ):
        table = measure_luck(
            run,
            deals=max(deals, LEAST_DEALS),
            threads=crew.threads,
            executor=crew.executor,
            on_progress=advance,
        )
    return {LUCK.name: table}
