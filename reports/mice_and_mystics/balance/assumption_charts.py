"""The charts of how sure all this is: what assumed numbers and switches change, and sources.

Nothing is estimated here.
"""

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
    whiskers,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.theme import AMBER, BAND, BLUE, GREY, INK, MUTED, ORANGE, PAPER
from reports.kit.words import display_name, points

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

#: Assumptions that find room in the tornado.
MOST = 18
_ROW = 0.36  # inches for an assumption
_CONFIDENCES = {"verified": (BLUE, PAPER), "reported": (AMBER, INK), "assumed": (GREY, PAPER)}


@CHARTS.draws("assumptions", "assumptions", optional=True)
def plot_assumptions(assumptions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much each assumed number and each switch moves the win rate, the most on top."""
    about = assumptions["entry"].fillna("") + "\n" + assumptions["number"]
    size = assumptions["win_effect"].abs().groupby(about).max().sort_values(kind="stable")
    shown = list(size.index[-MOST:])
    rows = assumptions.assign(row=about.map({one: place for place, one in enumerate(shown)}))
    rows = rows.dropna(subset=["row"])
    first = rows.drop_duplicates("row").sort_values("row")
    names = [_assumption(row) for _, row in first.iterrows()]
    with style_for(ax):
        ax = ax or new_axes(_ROW * max(len(shown), 1), left=width_of(names), right=0.9)
        _draw_band(ax, rows)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for label, mine, colour in (
            ("wins more", rows[rows["win_effect"] >= 0], BLUE),
            ("wins less", rows[rows["win_effect"] < 0], ORANGE),
        ):
            if len(mine):
                _draw_side(ax, mine, colour, label)
        for place, mine in rows.groupby("row"):
            write_beside(
                ax, place, points(mine["win_effect"].loc[mine["win_effect"].abs().idxmax()])
            )
        name_rows(ax, names)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("change of the win rate in percentage points")
        left_out = len(size) - len(shown)
        more = f"; {left_out} that move it less left out" if left_out > 0 else ""
        words = f"one number or switch changed at a time, same deals{more}"
        set_titles(ax, "What the win rate rests on", words, legend=True)
    return ax


def _assumption(row: pd.Series) -> str:
    """What is changed."""
    if row["kind"] == "switch":
        return display_name(str(row["number"]).replace("_", " "), 38)
    return display_name(f"{row['name']}: {row['number']} {row['value']}", 38)


def _draw_side(ax: Axes, rows: pd.DataFrame, colour: str, label: str) -> None:
    """The bars of changes in one direction; two of one number stand above each other."""
    twice = rows.groupby("row")["win_effect"].transform("size") > 1
    nth = rows.groupby("row").cumcount()
    shift = (0.2 - 0.4 * nth).where(twice, 0.0)
    height = pd.Series(0.7, index=rows.index).where(~twice, 0.34)
    y = rows["row"] + shift
    ax.barh(y, rows["win_effect"], height=height, color=colour, label=label, zorder=2)
    ends = whiskers(
        rows.rename(columns=lambda one: one.replace("effect_", "effect_ci_")),
        "win_effect",
        "win_effect",
    )
    ax.errorbar(
        rows["win_effect"], y, xerr=ends, color=INK, elinewidth=1, linestyle="none", zorder=3
    )


def _draw_band(ax: Axes, rows: pd.DataFrame) -> None:
    """Shade what chance alone could be: the interval of the win rate of the unchanged games."""
    name = "unchanged_win_rate"
    if name in rows and len(rows):
        one = rows.iloc[0]
        low, high = (one[f"{name}_ci_{end}"] - one[name] for end in ("low", "high"))
        ax.axvspan(low, high, color=BAND, linewidth=0, zorder=0, label="chance alone")


@CHARTS.draws("sources", "sources", optional=True, intervals=False)
def plot_sources(sources: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many entries of each kind are verified, reported and assumed."""
    rows = sources.iloc[::-1].reset_index(drop=True)
    names = [f"{row['kind'].replace('_', ' ')}  {row['entries']}" for _, row in rows.iterrows()]
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
