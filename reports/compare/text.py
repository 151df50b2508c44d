"""A comparison in words, for games that have no words of their own for it.

Nothing is estimated here; sentences quote the table of `analysis.experiments.comparison`.
"""

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from analysis.experiments.comparison import Comparison
from analysis.verdicts import NOT_SETTLED, SAME, SETTLED
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
    """What changed, what did not, and what is not settled."""
    table = comparison.table
    found, equal = [], table["differing"] == 0
    for topic, words in (
        ("Changed", table["verdict"].isin(SETTLED)),
        ("The same", table["verdict"] == SAME),
        ("Equal in these games, too few to be sure", (table["verdict"] == NOT_SETTLED) & equal),
        ("Not settled", (table["verdict"] == NOT_SETTLED) & ~equal),
    ):
        lines = table[words]
        if len(lines):
            moves = listed([line_text(line) for _, line in lines.iterrows()], _NAMED)
            found.append(Finding(topic, f"{len(lines)} of {len(table)}: {moves}."))
    return found


def name_of(line: pd.Series) -> str:
    """What a line is about, in the chart: what has a name, or what is measured of all games."""
    return str(line["name"] or line["measure"].replace("_", " "))


def subject_of(line: pd.Series) -> str:
    """What a line is about and what is measured, in a table."""
    measure = str(line["measure"]).replace("_", " ")
    return f"{line['name']}: {measure}" if line["name"] else measure


def most_changed(lines: pd.DataFrame) -> pd.DataFrame:
    """Lines by the size of their difference, those that changed first."""
    order = lines.assign(first=~lines["verdict"].isin(SETTLED), far=-lines["difference"].abs())
    return lines.loc[order.sort_values(["first", "far", "name"]).index]


def line_text(line: pd.Series) -> str:
    """A line with both estimates and their difference: "geese 40.1 % → 43.0 %, +2.9"."""
    sides = f"{value_text(line, 'base')} {ARROW} {value_text(line, 'variant')}"
    return f"{name_of(line)} {sides}, {difference_text(line)}"


def value_text(line: pd.Series, column: str) -> str:
    """An estimate of one run: a share in per cent, or a mean."""
    return f"{line[column]:.2f}" if is_mean(line) else percent(line[column])


def difference_text(line: pd.Series, digits: int = 2) -> str:
    """A difference: percentage points, or the plain number of a mean."""
    return difference_words(line, digits)(line["difference"])


def difference_words(line: pd.Series, digits: int = 2) -> Callable[[float], str]:
    """How the difference of a line, and each end of its interval, is written."""
    return partial(signed if is_mean(line) else points, digits=digits)


def is_mean(line: pd.Series) -> bool:
    """Whether a line is about a mean and not about a share."""
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
