"""Planted truths at full size: plays them on all processors and prints docs/planted_truths.md.

`make truths` prints the page, and ``make truths ONLY="shrunk panel"`` the sections with one of
these words in their titles.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
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
from support.planted_truths import Share

PARTS = (
    planted_truths,
    planted_comparisons,
    planted_controls,
    planted_shrinkage,
    planted_panel,
    planted_luck,
)
_HEAD = """# Planted truths

How often verdicts and intervals are right where the truth is known: experiments played by the real
engine, with random players and fixed seeds. Where a share should lie within limits, "holds" means
that it is shown to: all of its 95% interval lies within them. What is promised to be 95% should
be 93 to 97%, and what is promised to be 5% should be 7% at most. "Not shown" means that it takes
more runs, "does not hold" that all of the interval lies outside. Written, section by section, by

```
make truths > docs/planted_truths.md
```

This takes about three hours of processor time, which all processors share. `make truths
ONLY="shrunk panel"` plays the sections with one of these words in their titles. The tests play a
few runs of each experiment (`tests/analysis/mindbug/test_planted_truths.py`).
"""


def main() -> None:
    """Play all experiments and print the page, or the sections of some words."""
    planted_truths.processes = os.cpu_count() or 1
    only = [word.lower() for word in sys.argv[1:]]
    if not only:
        print(_HEAD)
    for title, words, experiment in chain.from_iterable(part.sections() for part in PARTS):
        if only and not any(word in title.lower() for word in only):
            continue
        print(f"{title} …", file=sys.stderr)
        print("\n".join(section_text(title, words, experiment())), flush=True)


def section_text(title: str, words: str, shares: Sequence[Share]) -> Iterable[str]:
    """Markdown of one experiment."""
    yield from (f"## {title}", "", words, "")
    yield from (
        "| | seen | of | share | 95% interval | asked | |",
        "|---|--:|--:|--:|---|---|---|",
    )
    for share in shares:
        low, high = (f"{100 * end:.1f}" for end in share.interval)
        least = "" if np.isnan(share.least) else f"at least {100 * share.least:g}%"
        most = "" if np.isnan(share.most) else f"at most {100 * share.most:g}%"
        asked = " and ".join(filter(None, (least, most)))
        word = "holds" if share.holds else "DOES NOT HOLD" if share.fails else "not shown"
        said = word if asked else ""
        yield (
            f"| {share.what} | {share.seen:,} | {share.of:,} | {100 * share.rate:.1f}% |"
            f" {low} to {high}% | {asked} | {said} |"
        )
    yield ""


if __name__ == "__main__":
    main()
