"""The charts of luck and skill: how each player comes off, and what decides that."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.questions.skill import ALL_PLAYERS
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    width_in,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.findings import ends, leader
from reports.kit.theme import AMBER, BLUE, GREY, INK, LIGHT, ORANGE, PAPER
from reports.kit.words import display_name, percent, points

_COLOURS = BLUE, ORANGE, AMBER, GREY, LIGHT


def players_chart(
    charts: Charts, rate: str, gain: str, heading: str, label: str, words: str
) -> Callable[..., Axes]:
    """The chart of how each player comes off, and what that is more than the one below."""

    @charts.draws("players", "skill_players")
    def plot_players(skill_players: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """How each player comes off, the first of those named at the bottom, and what it gains."""
        rows = skill_players.sort_values("rung", ignore_index=True)
        names = [display_name(name) for name in rows["player"]]
        height = 0.42 * len(rows) + 0.3
        ax = ax or new_axes(height, left=width_of(names), right=1.9, legend=False)
        draw_points(ax, rows, rate, rate, clip_on=False)
        for at, row in rows.iterrows():
            write_beside(ax, at, percent(row[rate]))
            if at:
                write_beside(ax, at, points(row[gain]), away=78)
        for word, away in ((heading, 8), ("gained", 78)):
            write_beside(ax, len(rows) - 0.3, word, away=away)
        name_rows(ax, names, percent_tick, label)
        ax.set_ylim(-0.6, len(rows))
        ax.set_xlim(left=-0.02)  # a point at 0 stays clear of its name
        says = f"{{0}} {heading} {{1}}, {{2}} {{3}}"
        none = "No player is shown to do better than another"
        set_titles(ax, ends(names, rows, rate, says, none=none, interval=rate), words)
        return ax

    return plot_players


def luck_chart(
    charts: Charts, measure: str, sources: Mapping[str, str], words: str
) -> Callable[..., Axes]:
    """The chart of where the variance of a measure comes from; ``sources`` are in its order."""

    @charts.draws(f"luck_{measure}", "skill", optional=True, intervals=False)
    def plot_luck(skill: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """Where the variance comes from, for each player and for all of them."""
        return _draw_shares(skill, measure, sources, words, ax)

    return plot_luck


def _draw_shares(
    skill: pd.DataFrame, measure: str, sources: Mapping[str, str], words: str, ax: Axes | None
) -> Axes:
    rows = skill[(skill["measure"] == measure) & skill["share"].notna()]
    order = rows.drop_duplicates("rung").sort_values("rung", ascending=False)["player"]
    players = [*(one for one in order[::-1] if one != ALL_PLAYERS)]
    players = [*([ALL_PLAYERS] if ALL_PLAYERS in set(order) else []), *players]
    names = ["all players" if one == ALL_PLAYERS else display_name(one) for one in players]
    ax = ax or new_axes(0.46 * max(len(players), 1), left=width_of(names))
    left = np.zeros(len(players))
    for (source, called), colour in zip(sources.items(), _COLOURS, strict=False):
        of_source = rows[rows["source"] == source].set_index("player")["share"]
        if of_source.empty:
            continue
        share = of_source.reindex(players).fillna(0).to_numpy()
        ax.barh(range(len(players)), share, left=left, height=0.66, color=colour)
        ax.containers[-1].set_label(called)
        for row in np.flatnonzero(share).tolist():
            text = f"{100 * share[row]:.0f}"
            if share[row] >= width_in(ax, text) - 0.02:
                ink = PAPER if colour in (BLUE, ORANGE) else INK
                write_in(ax, row, left[row] + share[row] / 2, text, ink)
        left += share
    name_rows(ax, names, percent_tick, "share of the variance")
    ax.set_xlim(0, max(1.0, left.max(initial=1.0)))
    ax.grid(visible=False)
    top = rows[rows["player"] == players[-1]] if players else rows[:0]
    finding = leader(
        [sources[source] for source in top["source"]], top, "share",
        f"{{1}} of the variance goes with {{0}} ({names[-1]})" if names else "",
        none="No source of variance is shown to outweigh all others",
        number=lambda share: percent(share, 0),
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax
