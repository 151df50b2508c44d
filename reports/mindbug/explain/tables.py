"""The parts of one card as a page shows them, with the experiments that check them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from reports.kit.cells import Cell, estimate, word
from reports.kit.words import points
from reports.mindbug.explain import text
from reports.mindbug.explain.experiments import Experiment

_POINTS = partial(points, digits=1)
#: Finds the experiments that check some parts, by their names.
Experiments = Callable[[Iterable[str]], Sequence[Experiment]]


def explained(parts: pd.DataFrame, base: str, experiments: Experiments) -> Mapping[str, Any]:
    """What a page shows of the parts of one card and policy, set against ``base``.

    Words, headings, the views with their rows, and the experiments.
    """
    sides = ("Before", "After") if base == text.BEFORE else ("Average card", "This card")
    told = set(text.telling(parts)["part"])
    found = experiments(told)
    return {
        "words": text.parts_text(parts, base),
        "headings": [*((one, "") for one in ("Points", *sides, "Goes with")), ("Check", "word")],
        "views": [
            (text.VIEW_TEXT[str(view)], [_row(part, found, told) for _, part in mine.iterrows()])
            for view, mine in parts.groupby("view", sort=False)
        ],
        "experiments": found,
    }


def _row(part: pd.Series, experiments: Sequence[Experiment], told: Collection[str]) -> list[Cell]:
    """A part: what it adds, how much of it both sides have, what it goes with, what checks it.

    Only parts that are ``told`` of are checked.
    """
    name = part["part"]
    checks = [one.what for one in experiments if name in one.parts]
    checks = checks or [one.what for one in experiments if not one.parts]
    return [
        Cell(text.PART_TEXT[name]),
        estimate(part, "contribution", _POINTS),
        Cell(text.amount_text(part, "base_amount")),
        Cell(text.amount_text(part)),
        Cell("" if pd.isna(part["excess"]) or part["view"] == "ending" else points(part["excess"])),
        word(checks[0] if checks and name in told else ""),
    ]
