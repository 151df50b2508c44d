"""The first screen of an answer in the terminal: the answer, a chart in characters, few words."""

from __future__ import annotations

from functools import partial

import pandas as pd

from reports.balance.sections import Grid
from reports.cli.screen import chart_lines
from reports.kit.cells import Column, Ground, estimate, verdict, word
from reports.kit.words import points

#: Words of a first screen at most.
SHORT = 150


def a_chart(n: int, own: int = 0) -> Grid:
    """A chart of ``n`` rows, the strongest first, of which some in the middle are marked."""
    values = [0.05 - 0.1 * row / max(n - 1, 1) for row in range(n)]
    words = ["too strong" if at > 0.03 else "too weak" if at < -0.03 else "fair" for at in values]
    rows = pd.DataFrame(
        {
            "name": [f"Card {row}" for row in range(n)],
            "worth": values,
            "worth_ci_low": [at - 0.005 for at in values],
            "worth_ci_high": [at + 0.005 for at in values],
            "verdict": words,
            "mark": ["new" if row < own else "" for row in range(n)],
        }
    )
    columns = [
        Column("Card", "", lambda row: word(row["name"])._replace(mark=row["mark"]), "word"),
        Column(
            "Worth",
            "",
            partial(estimate, column="worth", words=points),
            ground=Ground(partial(points, digits=0), 0, 0.02),
        ),
        Column("Verdict", "", lambda row: verdict(row["verdict"]), "word"),
    ]
    return Grid.of(columns, rows, style="chart")


def test_a_chart_shows_each_interval_on_one_axis() -> None:
    """Signs, numbers and intervals; a dot at the estimate, right of the middle if above."""
    heading, *rows = chart_lines(a_chart(3))
    assert heading.split()[:2] == ["Card", "Worth"] and "fair" in heading
    assert [line.split()[0] for line in rows] == ["▲", "✓", "▼"]
    assert "+5.0  (+4.5 to +5.5)" in rows[0] and rows[0].endswith("too strong")
    middle = heading.index("fair") + 2
    dots = [line.index("●") for line in rows]
    assert dots[0] > middle > dots[2] and abs(dots[1] - middle) <= 2
    assert max(map(len, [heading, *rows])) <= 80


def test_of_a_long_chart_both_ends_are_shown() -> None:
    """Six rows of either end, and how many lie between."""
    _, *rows = chart_lines(a_chart(30))
    names = [" ".join(line.split()[1:3]) for line in rows]
    assert [name for name in names if name.startswith("Card")] == [
        f"Card {n}" for n in (*range(6), *range(24, 30))
    ]
    assert rows[6].split() == ["…", "18", "more"]


def test_a_designers_own_rows_come_first() -> None:
    """They are set apart from the others, however many there are."""
    _, *rows = chart_lines(a_chart(30, own=8))
    apart = rows.index("")
    assert [line.split()[2] for line in rows[:apart]] == [str(n) for n in range(8)]
    assert len(rows[apart + 1 :]) == 13
    _, *rows = chart_lines(a_chart(30, own=30))
    assert len(rows) == 13, "of a set of one's own both ends are shown, as of any other"
