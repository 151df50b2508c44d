"""The charts of how sure all this is: what assumed numbers and switches change, and sources.

Nothing is estimated here.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    name_rows,
    new_axes,
    percent_tick,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.theme import AMBER, BAND, BLUE, GREY, INK, MUTED, PAPER
from reports.kit.words import display_name, points

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

#: Assumptions that find room in the tornado.
MOST = 18
_ROW = 0.5  # inches for an assumption
_BARS = 0.8  # of a row: the bars of one assumption together
_LETTERS = 32  # of a line about an assumption
_KINDS = {"tiles": "rooms", "all": "all entries"}
_CONFIDENCES = {"verified": (BLUE, PAPER), "reported": (AMBER, INK), "assumed": (GREY, PAPER)}


@CHARTS.draws("assumptions", "assumptions", optional=True)
def plot_assumptions(assumptions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much each assumed number and each switch moves the win rate, the most on top.

    The bars of a number stand above each other: one more, and one less.
    """
    about = assumptions["kind"] + "\n" + assumptions["entry"] + "\n" + assumptions["number"]
    everything = list(dict.fromkeys(about))
    shown = everything[:MOST][::-1]
    place = {one: row for row, one in enumerate(shown)}
    rows = assumptions.assign(row=about.map(place)).dropna(subset=["row"])
    first = rows.drop_duplicates("row").sort_values("row")
    names = [_row_name(row) for _, row in first.iterrows()]
    lines = [line for name in names for line in name.split("\n")]
    with style_for(ax):
        ax = ax or new_axes(_ROW * max(len(shown), 1), left=width_of(lines), right=0.9)
        _draw_band(ax, rows)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for label, colour, shift, mine in _directions(rows):
            _draw_changes(ax, mine, colour, shift, label)
        for row, mine in rows.groupby("row"):
            most = mine["win_effect"].abs().idxmax()
            write_beside(ax, row, points(mine["win_effect"].loc[most]))
        name_rows(ax, names)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("change of the win rate in percentage points")
        left_out = len(everything) - len(shown)
        more = f"; {left_out} that move it less left out" if left_out else ""
        words = f"one number or switch changed at a time, same deals{more}"
        set_titles(ax, "What the win rate rests on", words, legend=True)
    return ax


def _row_name(row: pd.Series) -> str:
    """What is changed, on a line of its own which number, and what it is."""
    told = f" ({row['value']})" if row["kind"] == "number" else ""
    label = f"{display_name(row['label'], _LETTERS)}{told}"
    return f"{display_name(row['name'], _LETTERS)}\n{label}" if row["name"] else label


def _directions(rows: pd.DataFrame) -> Iterator[tuple[str, str, float, pd.DataFrame]]:
    """The changes that occur: word, colour, place within a row, and rows."""
    number = rows["kind"] == "number"
    change = pd.to_numeric(rows["changed_to"].where(number)) - pd.to_numeric(
        rows["value"].where(number)
    )
    for label, colour, shift, mine in (
        ("one more", BLUE, _BARS / 4, rows[change > 0]),
        ("one less", AMBER, -_BARS / 4, rows[change < 0]),
        ("switch", GREY, 0.0, rows[~number]),
    ):
        if len(mine):
            yield label, colour, shift, mine


def _draw_changes(ax: Axes, rows: pd.DataFrame, colour: str, shift: float, label: str) -> None:
    """The bars of one direction with their intervals; values of a switch share its row."""
    of_row = rows.groupby("row")["row"]
    height = _BARS / 2 if shift else _BARS / of_row.transform("size")
    y = rows["row"] + shift
    if not shift:
        y += _BARS / 2 - height * (of_row.cumcount() + 0.5)
    ax.barh(y, rows["win_effect"], height=0.92 * height, color=colour, label=label, zorder=2)
    ends = [
        rows["win_effect"] - rows["win_effect_low"],
        rows["win_effect_high"] - rows["win_effect"],
    ]
    look: dict[str, Any] = {"color": INK, "elinewidth": 0.8, "linestyle": "none", "zorder": 3}
    ax.errorbar(rows["win_effect"], y, xerr=ends, **look)


def _draw_band(ax: Axes, rows: pd.DataFrame) -> None:
    """Shade the interval of the win rate of the run: what chance leaves open."""
    if len(rows):
        one = rows.iloc[0]
        low, high = (one[f"run_win_rate_ci_{end}"] - one["run_win_rate"] for end in ("low", "high"))
        ax.axvspan(low, high, color=BAND, linewidth=0, zorder=0, label="interval of the win rate")


@CHARTS.draws("sources", "sources", optional=True, intervals=False)
def plot_sources(sources: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many entries of each kind are verified, reported and assumed."""
    rows = sources.iloc[::-1].reset_index(drop=True)
    names = [_KINDS.get(kind, kind.replace("_", " ")) for kind in rows["kind"]]
    with style_for(ax):
        ax = ax or new_axes(0.36 * len(rows), left=width_of(names))
        left = pd.Series(0.0, index=rows.index)
        for word, (colour, on_it) in _CONFIDENCES.items():
            share = rows[f"{word}_share"]
            ax.barh(rows.index, share, left=left, height=0.72, color=colour, label=word)
            for row, part in share.items():
                if part > 0.05:
                    write_in(ax, row, left[row] + part / 2, str(rows[word][row]), on_it)
            left += share
        name_rows(ax, names)
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("entries of the data that can come up")
        set_titles(ax, "How sure the data are", "entries by kind, with their number", legend=True)
    return ax
