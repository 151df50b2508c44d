"""Planted truths at full size: plays them on all processors, prints docs/data/planted_truths.csv.

`make truths` prints the table, and ``make truths ONLY="shrunk panel"`` the experiments with one of
these words in their titles.
"""

import csv
import os
import sys
from collections.abc import Iterable
from itertools import chain

import numpy as np

from support import (
    planted_comparisons,
    planted_controls,
    planted_luck,
    planted_panel,
    planted_shrinkage,
    planted_truths,
)
from support.planted_truths import Section, Share

PARTS = (
    planted_truths,
    planted_comparisons,
    planted_controls,
    planted_shrinkage,
    planted_panel,
    planted_luck,
)
COLUMNS = [
    *("experiment", "what_was_played", "share_of", "seen", "of"),
    *("share", "ci_low", "ci_high", "at_least", "at_most", "verdict"),
]


def main() -> None:
    """Play all experiments and print their table, or that of those with some words."""
    planted_truths.processes = os.cpu_count() or 1
    only = [word.lower() for word in sys.argv[1:]]
    print_shares(
        section
        for section in chain.from_iterable(part.sections() for part in PARTS)
        if not only or any(word in section[0].lower() for word in only)
    )


def print_shares(sections: Iterable[Section]) -> None:
    """Play experiments and print a line of CSV for each share, as they are known."""
    _print_lines([COLUMNS])
    for title, words, experiment in sections:
        print(f"{title} …", file=sys.stderr)
        _print_lines([(title, words, *_cells(share)) for share in experiment()])


def _print_lines(lines: Iterable[Iterable[object]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows(lines)
    sys.stdout.flush()


def _cells(share: Share) -> tuple[object, ...]:
    """What the table says of a share: a limit that it has not is empty."""
    limits = ["" if np.isnan(limit) else f"{limit:g}" for limit in (share.least, share.most)]
    word = "holds" if share.holds else "does not hold" if share.fails else "not shown"
    numbers = (f"{number:.4f}" for number in (share.rate, *share.interval))
    return (share.what, share.seen, share.of, *numbers, *limits, word if any(limits) else "")


if __name__ == "__main__":
    main()
