"""The parts of one card as a page shows them, with the experiments that check them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from reports.kit.cells import Cell, estimate
from reports.kit.words import points
from reports.mindbug.explain.experiments import Experiment
from reports.mindbug.explain.text import (
    BEFORE,
    PART_TEXT,
    VIEW_TEXT,
    amount_text,
    parts_text,
    telling,
)

_POINTS = partial(points, digits=1)
#: Finds the experiments that check some parts, by their names.
Experiments = Callable[[Iterable[str]], Sequence[Experiment]]


def explained(parts: pd.DataFrame, base: str, experiments: Experiments) -> Mapping[str, Any]:
    """What a page shows of the parts of one card and policy, set against ``base``.

    Words, headings, the views with their rows, and the experiments.
    """
    sides = ("Before", "After") if base == BEFORE else ("Average card", "This card")
    return {
        "words": parts_text(parts, base),
        "headings": [(one, "") for one in (*sides, "Goes with", "Points")],
        "views": [
            (VIEW_TEXT[str(view)], [_row(part) for _, part in mine.iterrows()])
            for view, mine in parts.groupby("view", sort=False)
        ],
        "experiments": experiments(telling(parts)["part"]),
    }


def _row(part: pd.Series) -> list[Cell]:
    """A part: how much there is of it on both sides, what it goes with, and what it adds."""
    return [
        Cell(PART_TEXT[part["part"]]),
        Cell(amount_text(part, "base_amount")),
        Cell(amount_text(part)),
        Cell("" if pd.isna(part["excess"]) or part["view"] == "ending" else points(part["excess"])),
        estimate(part, "contribution", _POINTS),
    ]
