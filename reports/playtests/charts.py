"""The charts of playtests: people and simulation on one line, and over versions."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.playtests import CHART_TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    width_of,
    write_beside,
)
from reports.kit.theme import INK, MUTED, ORANGE
from reports.kit.words import percent

CHARTS = Charts(CHART_TABLES)
_BAR: dict[str, Any] = {"marker": "|", "markersize": 15, "markeredgewidth": 3, "elinewidth": 5}


@CHARTS.draws("rates", "playtest_rates", optional=True)
def plot_rates(playtest_rates: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often people win, with the interval of their games, and how often the program does."""
    rows = playtest_rates[::-1].reset_index(drop=True)
    return _both(rows, rows["name"].map(_player), "games won, in per cent", ax)


@CHARTS.draws("versions", "playtest_versions", optional=True)
def plot_versions(playtest_versions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The first rate of each version among people and in the simulation, the newest at the top."""
    rows = playtest_versions.reset_index(drop=True)
    who = str(rows["of"].iloc[0])
    named = [f"{_player(who)} in {version}" for version in rows["name"]]
    return _both(rows, pd.Series(named), f"{who} wins, in per cent", ax)


def _player(name: str) -> str:
    """Whose games a row is about."""
    if name == "games won":
        return "whoever plays"
    return f"whoever plays {name}" if name.startswith("with ") else name


def _both(rows: pd.DataFrame, called: "pd.Series[str]", label: str, ax: Axes | None) -> Axes:
    """People as dots with lines, the simulation as bars; a row each, the first at the bottom."""
    names = rows["name"]
    ax = ax or new_axes(0.36 * len(rows) + 0.3, left=width_of(names), right=2.35)
    draw_points(ax, rows, "people", "people", color=INK, label="people")
    known = rows[rows["simulated"].notna()]
    if len(known):
        draw_points(ax, known, "simulated", "simulated", color=ORANGE, label="simulated", **_BAR)
    for at, row in rows.iterrows():
        write_beside(ax, at, percent(row["people"], 0))
        if pd.notna(row["simulated"]):
            write_beside(ax, at, percent(row["simulated"]), away=58)
        write_beside(ax, at, f"{row['n_games']}", away=132)
    for word, away in (("people", 8), ("simulated", 58), ("games", 132)):
        write_beside(ax, len(rows) - 0.35, word, away=away)
    name_rows(ax, names, percent_tick, label)
    ax.set_ylim(-0.6, len(rows))
    ax.axvline(0.5, color=MUTED, linewidth=1, zorder=0)
    said = "dot and line: people; bar: the simulation of the same versions"
    last = rows.iloc[-1]
    finding = f"{called.iloc[-1]} wins {percent(last['people'], 0)} of people's games"
    if pd.notna(last["simulated"]):
        apart = not last["people_ci_low"] <= last["simulated"] <= last["people_ci_high"]
        finding += f", {percent(last['simulated'], 0)} of simulated ones"
        finding += "" if apart else ": no difference is shown"
    said = said if len(known) else "dots: people"
    set_titles(ax, finding, said, legend=bool(len(known)))
    return ax
