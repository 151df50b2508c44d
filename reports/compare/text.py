"""A comparison in words, for games that have no words of their own for it.

Nothing is estimated here; sentences quote the table of `analysis.experiments.comparison`.
"""

from collections.abc import Iterator

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.verdicts import CHANGED, UNCHANGED, UNDECIDED
from reports.kit.markdown import code, plain
from reports.kit.words import ARROW, DOT, Finding, count, listed, percent, points, signed

#: Lines named in one sentence before "and n more".
_NAMED = 6


def describe_comparison(comparison: Comparison) -> str:
    """One line that says what was played: games, players, seed."""
    one, other = comparison.base.manifest, comparison.variant.manifest
    if comparison.paired:
        games, seed = f"{count(one['games'])} games each, paired", f"seed {one['seed']}"
    else:
        games = f"{count(one['games'])} and {count(other['games'])} games, not paired"
        seed = f"seeds {one['seed']} and {other['seed']}"
    return DOT.join([games, " against ".join(one["policies"]), seed])


def findings(comparison: Comparison) -> list[Finding]:
    """What changed, what did not, and what needs more games."""
    table = comparison.table
    found = []
    for verdict, topic in (
        (CHANGED, "Changed"),
        (UNCHANGED, "Unchanged"),
        (UNDECIDED, "More games needed"),
    ):
        lines = table[table["verdict"] == verdict]
        if len(lines):
            moves = listed([line_text(line) for _, line in lines.iterrows()], _NAMED)
            found.append(Finding(topic, f"{len(lines)} of {len(table)}: {moves}."))
    return found


def line_text(line: pd.Series) -> str:
    """A line with both estimates and their difference: "geese 40.1 % → 43.0 %, +2.9"."""
    sides = f"{value_text(line, 'base')} {ARROW} {value_text(line, 'variant')}"
    return f"{line['name'] or line['measure']} {sides}, {difference_text(line)}"


def value_text(line: pd.Series, column: str) -> str:
    """An estimate of one run: a share in per cent, or a mean."""
    return f"{line[column]:.2f}" if _is_mean(line) else percent(line[column])


def difference_text(line: pd.Series, column: str = "difference") -> str:
    """A difference, or an end of its interval: percentage points, or the number of a mean."""
    return signed(line[column], 2) if _is_mean(line) else points(line[column], 2)


def _is_mean(line: pd.Series) -> bool:
    return str(line["measure"]).startswith("mean_")


def record_lines(
    comparison: Comparison, why: str, date: str, command: str, words: tuple[str, list[Finding]]
) -> Iterator[str]:
    """The lines of an entry in a designer's diary: why, and what was measured, in ``words``."""
    measured, found = words
    base, variant = comparison.base.folder, comparison.variant.folder
    yield f"## {date}: {plain(str(base))} {ARROW} {plain(str(variant))}"
    yield from ("", f"**Why.** {plain(why)}", "")
    yield f"**Measured.** {measured}."
    yield ""
    yield from [f"- {plain(finding.topic)}: {plain(finding.text)}" for finding in found]
    yield from ("", code(command))
