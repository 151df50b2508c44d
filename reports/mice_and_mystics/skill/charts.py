"""The charts of luck and skill, from `analysis.mice_and_mystics.experiments.skill`."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.experiments.skill import ALL_PLAYERS, SOURCES
from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    style_for,
    width_in,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.theme import AMBER, BLUE, GREY, INK, LIGHT, ORANGE, PAPER
from reports.kit.words import display_name, percent, points

_COLOURS = dict(zip(SOURCES, (BLUE, ORANGE, AMBER, GREY, LIGHT), strict=True))
#: What the parts of the variance are called in a legend.
SOURCE_NAMES = {
    "player": "who plays",
    "party": "party",
    "deal": "cards dealt",
    "dice": "dice",
    "course": "course of the game",
}

#: The charts of this module by the names of their files.
SKILL_CHARTS = Charts(TABLES)


@SKILL_CHARTS.draws("players", "skill_players")
def plot_players(skill_players: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The win rate of each player, the first of those named at the bottom, and what it gains."""
    rows = skill_players.sort_values("rung", ignore_index=True)
    names = [display_name(name) for name in rows["player"]]
    with style_for(ax):
        ax = ax or new_axes(0.42 * len(rows) + 0.3, left=width_of(names), right=1.9, legend=False)
        draw_points(ax, rows, "win_rate", "win_rate", clip_on=False)
        for row in rows.itertuples():
            write_beside(ax, row.Index, percent(row.win_rate))
            if row.Index:
                write_beside(ax, row.Index, points(row.win_rate_gain), away=78)
        for heading, away in (("wins", 8), ("gained", 78)):
            write_beside(ax, len(rows) - 0.3, heading, away=away)
        name_rows(ax, names)
        ax.set_ylim(-0.6, len(rows))
        ax.set_xlim(left=-0.02)  # a point at 0 stays clear of its name
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("games won")
        words = "the same deals for all; gained: points more than the player below"
        set_titles(ax, "How much it matters who plays", words)
    return ax


@SKILL_CHARTS.draws("luck_win_rate", "skill", optional=True, intervals=False)
def plot_luck(skill: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Where the variance of winning comes from, for each player and for all of them."""
    words = "shares of the variance of winning; players who never win are left out"
    return _draw_shares(skill, "win_rate", "What decides who wins", words, ax)


@SKILL_CHARTS.draws("luck_score", "skill", optional=True, intervals=False)
def plot_luck_of_score(skill: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Where the variance of the score comes from, for each player and for all of them."""
    words = "shares of the variance of the score: rooms entered, and more for a win"
    return _draw_shares(skill, "score", "What decides how far a party comes", words, ax)


def _draw_shares(
    skill: pd.DataFrame, measure: str, title: str, words: str, ax: Axes | None
) -> Axes:
    rows = skill[(skill["measure"] == measure) & skill["share"].notna()]
    order = rows.drop_duplicates("rung").sort_values("rung", ascending=False)["player"]
    players = [*(one for one in order[::-1] if one != ALL_PLAYERS)]
    players = [*([ALL_PLAYERS] if ALL_PLAYERS in set(order) else []), *players]
    names = ["all players" if one == ALL_PLAYERS else display_name(one) for one in players]
    with style_for(ax):
        ax = ax or new_axes(0.46 * max(len(players), 1), left=width_of(names))
        left = np.zeros(len(players))
        for source, colour in _COLOURS.items():
            of_source = rows[rows["source"] == source].set_index("player")["share"]
            if of_source.empty:
                continue
            share = of_source.reindex(players).fillna(0).to_numpy()
            ax.barh(range(len(players)), share, left=left, height=0.66, color=colour)
            ax.containers[-1].set_label(SOURCE_NAMES[source])
            for row in np.flatnonzero(share).tolist():
                text = f"{100 * share[row]:.0f}"
                if share[row] >= width_in(ax, text) - 0.02:
                    ink = PAPER if colour in (BLUE, ORANGE) else INK
                    write_in(ax, row, left[row] + share[row] / 2, text, ink)
            left += share
        name_rows(ax, names)
        ax.set_xlim(0, max(1.0, left.max(initial=1.0)))
        ax.grid(visible=False)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("share of the variance")
        set_titles(ax, title, words, legend=True)
    return ax
