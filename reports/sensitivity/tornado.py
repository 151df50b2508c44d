"""The tornado chart: what single changes of numbers and switches do."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from reports.kit.drawing import (
    name_rows,
    new_axes,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_beside,
)
from reports.kit.theme import AMBER, BAND, BLUE, GREY, INK, MUTED
from reports.kit.words import display_name, points

#: Numbers and switches that find room.
MOST = 18
_ROW = 0.5  # inches for a number or switch
_BARS = 0.8  # of a row: the bars of one number together
_LETTERS = 32  # of a line about a number


def draw_tornado(changes: pd.DataFrame, title: str, *, ax: Axes | None = None) -> Axes:
    """By how much each number and each switch moves the result, the first of them on top.

    ``changes`` is a row for each change, those that matter most first: ``kind``, ``entry``,
    ``name``, ``number``, ``label``, ``value``, ``changed_to``, ``win_effect`` and its ends; where
    it has ``run_win_rate``, the interval of that is shaded, and ``measure`` says what the result
    is.  The bars of a number stand above each other: one more, and one less.
    """
    about = changes["kind"] + "\n" + changes["entry"] + "\n" + changes["number"]
    everything = list(dict.fromkeys(about))
    shown = everything[:MOST][::-1]
    place = {one: row for row, one in enumerate(shown)}
    rows = changes.assign(row=about.map(place)).dropna(subset=["row"])
    first = rows.drop_duplicates("row").sort_values("row")
    names = [_row_name(row) for _, row in first.iterrows()]
    lines = [line for name in names for line in name.split("\n")]
    with style_for(ax):
        ax = ax or new_axes(_ROW * max(len(shown), 1), left=width_of(lines), right=0.9)
        if "run_win_rate" in rows:
            _draw_band(ax, rows)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for label, colour, shift, mine in _directions(rows):
            _draw_changes(ax, mine, colour, shift, label)
        for row, mine in rows.groupby("row"):
            effects = mine["win_effect"].dropna()
            most = effects.loc[effects.abs().idxmax()] if len(effects) else None
            write_beside(ax, row, "–" if most is None else points(most))
        name_rows(ax, names)
        ax.xaxis.set_major_formatter(points_tick)
        result = changes["measure"].iloc[0] if "measure" in changes else "win_rate"
        ax.set_xlabel(f"change of the {result.replace('_', ' ')} in percentage points")
        left_out = len(everything) - len(shown)
        more = f"; {left_out} smaller ones left out" if left_out else ""
        words = f"changed one at a time, same deals; by size without chance{more}"
        set_titles(ax, title, words, legend=True)
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
