"""What charts of verdicts share: which changes they show, and how these are called."""

from collections.abc import Iterable

import pandas as pd

from reports.kit.drawing import width_of
from reports.kit.words import display_name

#: The height of a change, in inches.
ROW = 0.42
# Letters of a change.
_LONGEST = 40


def drawn_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """The changes that a chart shows, from below: those in fresh games above single ones."""
    fresh, single = changes[changes["fresh"]], changes[~changes["fresh"] & ~changes["joined"]]
    return pd.concat([fresh, single]).iloc[::-1].reset_index(drop=True)


def names_of(changes: pd.DataFrame) -> list[str]:
    """The changes in words, with who played fresh games in a line of its own."""
    return [
        display_name(row["change"], _LONGEST) + (f"\n({row['policy']}, fresh)" * row["fresh"])
        for _, row in changes.iterrows()
    ]


def width_of_lines(names: Iterable[str]) -> float:
    """The room that names of several lines need."""
    return width_of(line for name in names for line in name.split("\n"))
