"""A sensitivity analysis in words.  Nothing is estimated here; sentences quote the tables."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd

from analysis.verdicts import NOT_SETTLED
from reports.kit.verdicts import settled
from reports.kit.words import (
    Finding,
    capital,
    chance,
    count,
    interval_of,
    level,
    percent,
    points,
    times,
)
from reports.mice_and_mystics.run_text import describe_run

#: Rows of the console's table.
_MOST_ROWS = 20
_NAMED = 3


def describe(manifest: Mapping[str, Any]) -> str:
    """One line that says what was played."""
    return describe_run(manifest).replace(" games", " games as it is and with each change", 1)


def steps_headings() -> tuple[str, ...]:
    """The headings of the console's table."""
    return ("change", "wins", "difference", f"{level()} interval", "q")


def wins_of(table: pd.DataFrame) -> pd.DataFrame:
    """The rows about the win rate."""
    return table[table["measure"] == "win_rate"].reset_index(drop=True)


def headline(table: pd.DataFrame) -> str:
    """Which change moves the win rate most."""
    rows = wins_of(table)
    sure = settled(rows, "difference")
    if sure.empty:
        return f"What moves the win rate is {NOT_SETTLED}"
    first = sure.iloc[0]
    what = capital(change_text(first))
    return f"{what} moves the win rate most: {points(first['difference'])} points"


def findings(table: pd.DataFrame) -> list[Finding]:
    """What is worth knowing first: what moves the win rate most, and what does not."""
    rows = wins_of(table)
    sure = settled(rows, "difference")
    found = [Finding("As it is", f"The party wins {percent(rows['base'].iloc[0])} of its games.")]
    for topic, verb, mine in (
        ("Wins more", "raise", sure[sure["difference"] > 0]),
        ("Wins less", "lower", sure[sure["difference"] < 0]),
    ):
        if not len(mine):
            continue
        named = [f"{change_text(row)} ({_amount(row)})" for _, row in mine.head(_NAMED).iterrows()]
        more = len(mine) - _NAMED
        does = f"{verb}s" if more == 1 else verb
        rest = f" {count(more)} more {does} the win rate." if more > 0 else ""
        brief = f"In points: {'; '.join(named[:2])}{f'; {len(mine) - 2} more' * (len(mine) > 2)}."
        found.append(Finding(topic, f"In points: {'; '.join(named)}.{rest}", brief))
    if n_rest := len(rows) - len(sure):
        widest = rows.drop(index=sure.index)
        reach = max(widest["difference_ci_high"].max(), -widest["difference_ci_low"].min())
        unclear = f"{count(n_rest)} of {count(len(rows))} changes are {NOT_SETTLED}"
        most = points(reach).removeprefix("+")
        beyond = f"by their intervals none of these moves it by more than {most} points."
        found.append(Finding("Not settled", f"{unclear}; {beyond}"))
    factor = rows["variance_reduction"].median()
    if pd.notna(factor):
        found.append(
            Finding(
                "Pairing",
                "All changes were played in the same games. For the median change separate runs"
                f" would have needed {times(factor)} times as many.",
                f"Separate runs would have needed {times(factor)} times as many games.",
            )
        )
    return found


def steps_rows(table: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows of the console's table: the changes that move the win rate most."""
    return [
        (
            change_text(row),
            percent(row["variant"]),
            points(row["difference"]),
            interval(row),
            chance(row["q_value"]),
        )
        for _, row in wins_of(table).head(_MOST_ROWS).iterrows()
    ]


def left_out(table: pd.DataFrame) -> str:
    """What the console's table leaves out; "" for nothing."""
    more = len(wins_of(table)) - _MOST_ROWS
    return f"{count(more)} more changes are in the table on disk" if more > 0 else ""


def change_text(row: Mapping[str, Any] | pd.Series) -> str:
    """A change in words: "Filch: life 2 instead of 3"."""
    between = ": " if row["kind"] == "switch" else " "
    return f"{what(row)}{between}{step(row)}"


def what(row: Mapping[str, Any] | pd.Series) -> str:
    """What is changed: "Filch: life"."""
    return f"{row['name']}: {row['label']}" if row["name"] else str(row["label"])


def step(row: Mapping[str, Any] | pd.Series) -> str:
    """How it is changed: "2 instead of 3"."""
    to, now = (str(row[name]).replace("_", " ") for name in ("changed_to", "value"))
    return f"{to} instead of {now}".replace("-", "\N{MINUS SIGN}")


def interval(row: pd.Series, digits: int = 1) -> str:
    """The interval of a difference, in percentage points."""
    return interval_of(row, "difference", partial(points, digits=digits))


def _amount(row: pd.Series) -> str:
    return f"{points(row['difference'])}, {interval(row)}"
