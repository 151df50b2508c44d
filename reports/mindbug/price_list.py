"""The price list that is at hand: what any card is worth before it is played."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.questions.price_list import Pricer
    from card_data.mindbug.schema import Pool

_RUNS = Path("runs")


def pricer_at_hand(pool: "Pool", runs: Path = _RUNS) -> "Pricer | None":
    """What prices cards by the newest list of a pool that can be read; None where there is none."""
    from analysis.mindbug.experiments.prices import lists_of

    for folder in lists_of(pool, runs):
        made = (folder / "tables" / "prices.parquet").stat().st_mtime_ns
        if (pricer := _pricer(pool, folder.resolve(), made)) is not None:
            return pricer
    return None


@cache
def _pricer(pool: "Pool", folder: Path, _made: int) -> "Pricer | None":
    """The pricer of a folder, which is read once for as long as its list is the same."""
    from analysis.mindbug.experiments.prices import pricer_of

    return pricer_of(pool, folder)
