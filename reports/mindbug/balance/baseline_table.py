"""Reference results of random play, ``docs/data/baseline.csv``, made from analysed runs.

Two simulators that play the same rules must agree with them.  Each pool of the file is a run::

    fairdeal balance first_contact --policy random --games 2000000 --seed 1 --out base/first_contact
    python -m reports.mindbug.balance.baseline_table base/* > docs/data/baseline.csv
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from analysis.mindbug import open_run, read_tables

_SELECTIONS = ("dealt", "drawn", "played", "taken", "lost_to_mindbug", "entered")
_COLUMNS = ["pool", "card", "statistic", "estimate", "ci_low", "ci_high"]
#: Of a card: the column of each rate and how the names of its interval begin.
_RATES = {f"{one}_win_rate": one for one in _SELECTIONS} | {
    "mindbug_rate": "mindbug_rate",
    "dead_rate": "dead_rate",
}
#: Of a card: its numbers without an interval, and their decimals.
_NUMBERS = {"mean_turn_played": 3, "dealt_n": 0, "entered_n": 0}


def baseline_table(folders: Sequence[str | Path]) -> pd.DataFrame:
    """One row per statistic of each run in ``folders``, and of each of its cards.

    Numbers are text with as many digits as the file has.  Raises RunError for a run without tables.
    """
    rows = [(_title(folder), *row) for folder in folders for row in _rows(folder)]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _rows(folder: str | Path) -> Iterator[tuple[str, ...]]:
    """The statistics of one run: those of its games, then those of each card."""
    tables = read_tables(folder)
    for _, row in tables["summary"].iterrows():
        numbers = (f"{row[name]:.6f}" for name in ("estimate", "ci_low", "ci_high"))
        yield ("", row["statistic"], *numbers)
    for _, row in tables["cards"].iterrows():
        for rate, ends in _RATES.items():
            names = (rate, f"{ends}_ci_low", f"{ends}_ci_high")
            yield (row["name"], rate, *(f"{row[name]:.4f}" for name in names))
        for number, decimals in _NUMBERS.items():
            yield (row["name"], number, f"{row[number]:.{decimals}f}", "", "")


def _title(folder: str | Path) -> str:
    """The names of the sets that a run was played with."""
    names = [card_set.name for card_set in open_run(folder).pool().sets]
    return names[0] if len(names) == 1 else "All sets together"


if __name__ == "__main__":
    baseline_table(sys.argv[1:]).to_csv(sys.stdout, index=False)
