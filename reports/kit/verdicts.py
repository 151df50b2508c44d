"""Verdicts as pages and consoles show them: in a sentence, as a class of the style sheet."""

from collections.abc import Mapping

import pandas as pd

from analysis.registry import Q_VALUE
from analysis.verdicts import (
    FAIR,
    LESS,
    MORE,
    NEEDS_GAMES,
    NOT_SETTLED,
    SETTLED,
    TOO_STRONG,
    TOO_WEAK,
    is_settled,
)

#: What stands under a table with a column q.
Q_TEXT = f"q is {Q_VALUE} (Benjamini and Hochberg); 0.05 means 1 in 20."
#: The class of the style sheet of each verdict that has one.
KINDS: Mapping[str, str] = {
    TOO_STRONG: "strong",
    MORE: "strong",
    TOO_WEAK: "weak",
    LESS: "weak",
    FAIR: "fair",
    NEEDS_GAMES: "open",
}


#: The sign of each verdict, which says the same as its colour.
_SIGNS: Mapping[str, str] = {TOO_STRONG: "▲", TOO_WEAK: "▼", FAIR: "✓", NEEDS_GAMES: "○"}


def sign_of(verdict: str) -> str:
    """The sign of a verdict; a space for anything else."""
    return _SIGNS.get(verdict, " ")


def kind_of(row: pd.Series, column: str) -> str:
    """The class of a difference: that of its direction where its interval leaves zero out."""
    if not is_settled(row, column):
        return ""
    return KINDS[MORE if row[column] > 0 else LESS]


def doubt(row: pd.Series, column: str) -> str:
    """What is said behind a difference whose interval has zero in it; "" for any other."""
    return "" if is_settled(row, column) else f", {NOT_SETTLED}"


def predicate(verdict: str, number: int = 1) -> str:
    """A verdict on so many in a sentence: "is too strong", "need more games"."""
    if verdict == NEEDS_GAMES:
        return verdict if number == 1 else f"need{verdict.removeprefix('needs')}"
    return f"{'is' if number == 1 else 'are'} {verdict}"


def settled(table: pd.DataFrame, column: str = "") -> pd.DataFrame:
    """The rows whose difference has an interval that leaves zero out.

    By its word in ``verdict``, or of a ``column`` with an interval.
    """
    if not column:
        return table[table["verdict"].isin(SETTLED)]
    return table[[is_settled(row, column) for _, row in table.iterrows()]]
