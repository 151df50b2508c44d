"""The price list that is at hand: what any card is worth before it is played."""

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.questions.price_list import Pricer
    from card_data.mindbug.schema import Pool

_RUNS = Path("runs")


def pricer_at_hand(pool: "Pool") -> "Pricer | None":
    """What prices cards by the newest list of a pool that can be read; None where there is none."""
    from analysis.mindbug.experiments.prices import lists_of

    for folder in lists_of(pool, _RUNS):
        made = (folder / "tables" / "prices.parquet").stat().st_mtime_ns
        if (pricer := _pricer(pool, folder.resolve(), made)) is not None:
            return pricer
    return None


def stretch_at_hand(pool: "Pool", policy: str) -> str:
    """By how much stronger play stretches what a player's cards are worth; "" where nothing says.

    That is in the newest run of the pool in which a strong player was asked as well.
    """
    from analysis.mindbug.experiments.strong import read_strong_tables
    from reports.mindbug.balance.text import stretch_text
    from simcore.mindbug.play.asked import experiment_entries
    from simcore.sealed import RunError
    from simcore.work.parts import read_manifest

    wanted = experiment_entries(pool)
    found = _RUNS.glob("*/tables/strong_summary.parquet")
    for table in sorted(found, key=lambda one: one.stat().st_mtime_ns, reverse=True):
        with suppress(RunError, OSError):
            folder = table.parent.parent
            manifest = read_manifest(folder)
            if any(manifest.get(name) != value for name, value in wanted.items()):
                continue
            [row] = read_strong_tables(folder)["strong_summary"].to_dict("records")
            if policy in row["weaker"].split(", "):
                prices = "that prices stretch with them is not shown"
                if row["slope_ci_low"] > 1:
                    prices = "prices are likely to stretch with them"
                elif row["slope_ci_high"] < 1:
                    prices = "prices are likely to shrink with them"
                return f"{stretch_text(row)}; {prices}."
    return ""


@cache
def _pricer(pool: "Pool", folder: Path, _made: int) -> "Pricer | None":
    """The pricer of a folder, which is read once for as long as its list is the same."""
    from analysis.mindbug.experiments.prices import pricer_of

    return pricer_of(pool, folder)
