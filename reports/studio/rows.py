"""Rows and charts of experiments whose numbers are percentage points."""

from collections.abc import Mapping, Sequence
from math import ceil, isnan
from typing import TYPE_CHECKING, Any

from analysis.verdicts import changes
from reports.kit.verdicts import KINDS, doubt
from reports.kit.words import capital, display_name, interval, interval_of, plural, points
from reports.studio.bench import Chart, Choice, Chosen, Row

if TYPE_CHECKING:
    import pandas as pd

#: What is said of a row of which nothing is known yet.
UNKNOWN = "not played yet"
#: Letters of a name in a row.
LONGEST = 120
# Letters of what a plan changes: in a row, and in a sentence.
_LONGEST_PLAN = 600
# Percentage points either way that a chart shows at least.
_LEAST_REACH = 2.0


def games_choice(usual: Mapping[str, str], *others: int) -> Choice:
    """How many games are played; the command's number first, with its words."""
    return Choice("games", "Games", {**usual, **{str(one): f"{one:,}" for one in others}})


def points_row(name: str, value: str, ends: str, shares: Sequence[float], **more: Any) -> Row:
    """A row whose interval is in percentage points; warm or cool where it leaves out 0."""
    low, at, high = (None if isnan(one) else 100 * float(one) for one in shares)
    kind = KINDS.get(str(changes(shares[0], shares[2])), "")
    return Row(display_name(name, LONGEST), value, ends, low, at, high, **{"kind": kind, **more})


def estimate_row(line: "pd.Series", column: str, name: str, **more: Any) -> Row:
    """A number of a table's line with its interval, in points."""
    shares = [line[f"{column}{end}"] for end in ("_ci_low", "", "_ci_high")]
    ends = interval_of(line, column, points)
    return points_row(name, points(line[column]), ends, shares, **{"word": "", **more})


def by_size(table: "pd.DataFrame") -> "pd.DataFrame":
    """The lines with the largest difference first."""
    return table.loc[table["difference"].abs().sort_values(ascending=False).index]


def doubted_row(line: "pd.Series", column: str, name: str, **more: Any) -> Row:
    """A number of a table's line, with what is said where its interval has zero in it."""
    word = doubt(line, column).removeprefix(", ")
    return estimate_row(line, column, capital(name), word=word, **more)


def points_chart(
    headings: tuple[str, str, str], rows: Sequence[Row], band: float = 0, more: Sequence[str] = ()
) -> Chart | None:
    """Rows on a ground of percentage points with 0 in the middle; None without rows."""
    ends = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    reach = ceil(max([*ends, _LEAST_REACH]))
    ticks = f"\N{MINUS SIGN}{reach} points", f"+{reach}"
    return Chart(headings, rows, -reach, reach, 0, band, ticks, more) if rows else None


def chart_of_steps(tables: "Mapping[str, pd.DataFrame]", what: str) -> dict[str, Chart]:
    """What one step on each number of an entry does, of the tables of its verdict, by its heading.

    ``what`` is the number that moves.
    """
    from reports.verdict.words import shown_changes

    shown = shown_changes(tables)
    steps = by_size(shown[~shown["fresh"] & ~shown["joined"] & (shown["amount"] == 1)])
    rows = [doubted_row(line, "difference", line["change"]) for _, line in steps.iterrows()]
    chart = points_chart(("Changed", "Points", ""), rows)
    heading = f"Why: {what} with one number changed, in the same games"
    return {heading: chart} if chart else {}


# ---------------------------------------------------------------- fronts


def front_row(
    plan: Any,
    farthest: str,
    n_outside: int,
    others: Sequence[str] = (),
    *,
    text: str,
    chosen: Chosen,
) -> Row:
    """A plan of a rebalancing, a row of its table ``front`` as a tuple with names.

    ``farthest`` is what is farthest from its goal, with that number; ``n_outside`` are outside, and
    ``others`` are the numbers of further goals.  ``text`` and ``chosen`` are those of the row.
    """
    shares = plan.excess_ci_low, plan.excess, plan.excess_ci_high
    gain = f"{_bare(plan.gain)} ({interval(plan.gain_ci_low, plan.gain_ci_high, _bare)})"
    return Row(
        str(plan.amount) if plan.amount else "0, as it is",
        _bare(plan.excess),
        interval(plan.excess_ci_low, plan.excess_ci_high, _bare),
        100 * shares[0],
        100 * shares[1],
        100 * shares[2],
        word="proposed" if plan.proposed else "",
        kind="strong" if plan.proposed else "",
        is_own=plan.proposed,
        more=[
            gain if plan.amount else "",
            str(n_outside),
            farthest,
            *others,
            display_name(plan.in_words, _LONGEST_PLAN) or "nothing",
        ],
        text=text,
        chosen=chosen,
    )


def front_chart(rows: Sequence[Row], entries: str, entry: str, others: Sequence[str] = ()) -> Chart:
    """Plans by how much they change: how far all entries stay outside the band together."""
    reach = max(1, ceil(max(row.high or 0 for row in rows)))
    more = ("Gain", f"{entries} outside", f"Farthest {entry}", *others, "Changes")
    headings = ("Amount", "Points outside", "Choice")
    return Chart(headings, rows, 0, reach, 0, 0, ("0", f"{reach} points"), more)


def so_far(plans: "pd.DataFrame") -> str:
    """What a front says while the search goes on: of its best plan, the last one."""
    best = plans.iloc[-1]
    now = f"{_bare(best['excess'])} points outside the band"
    if not best["amount"]:
        return f"As it is: {now}. No better plan is known yet."
    n_changes = len(best["changes"].split())
    return (
        f"Best so far: {now} instead of {_bare(plans.iloc[0]['excess'])}, with"
        f" {n_changes} {plural('change', n_changes)}, in the games of the search. Fresh games will"
        " tell how much of that holds."
    )


def _bare(share: float) -> str:
    """Percentage points without a sign for more: "3.4", "−0.2"."""
    return points(share).removeprefix("+")
