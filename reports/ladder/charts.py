"""The charts of a ladder of players, from the tables of `analysis.experiments.ladder`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.ladder import LADDER_TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    matrix_cell,
    name_rows,
    new_axes,
    set_titles,
    style_for,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.theme import BAND, BLUE, INK, MUTED, ORANGE, PAPER
from reports.kit.words import bare_percent, display_name, elo, interval

# Players of a matrix beyond which there is room for whole per cent alone.
_MOST_INTERVALS = 7


#: The charts of this module by the names of their files.
LADDER_CHARTS = Charts(LADDER_TABLES)


@LADDER_CHARTS.draws("ratings", "ratings")
def plot_ratings(ratings: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The players of a ladder by their rating, with intervals, the best on top."""
    rows = ratings.iloc[::-1].reset_index(drop=True)
    names = [display_name(name) for name in rows["player"]]
    with style_for(ax):
        ax = ax or new_axes(0.42 * len(rows), left=width_of(names), right=0.75, legend=False)
        ax.axvline(0, color=MUTED, linewidth=1)
        draw_points(ax, rows, "elo", "elo", markersize=7)
        for row, rating in rows["elo"].items():
            write_beside(ax, row, elo(rating))
        name_rows(ax, names)
        ax.xaxis.set_major_formatter(lambda value, _: elo(value))
        ax.set_xlabel("rating in Elo; the mean of these players is 0")
        words = "100 Elo ahead scores 64 %, 400 Elo ahead 91 %"
        set_titles(ax, "How strong the players are", words.replace(" %", "\N{NO-BREAK SPACE}%"))
    return ax


@LADDER_CHARTS.draws("win_matrix", "pairs")
def plot_win_matrix(pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Score of each player of a ladder against each other, the best on top and to the left."""
    back = {"player": "opponent", "opponent": "player", "ci_low": "ci_high", "ci_high": "ci_low"}
    other = pairs.rename(columns=back)
    turned = {end: 1 - other[end] for end in ("score", "ci_low", "ci_high")}
    other = other.assign(**turned, elo_difference=-pairs["elo_difference"])
    both = pd.concat([pairs, other], ignore_index=True)
    lead = both.groupby("player", sort=False)["elo_difference"].mean()
    players = list(lead.sort_values(ascending=False, kind="stable").index)
    names = [f"{display_name(name)}  {place}" for place, name in enumerate(players, 1)]
    height = 0.4 if len(players) > _MOST_INTERVALS else 0.58
    with style_for(ax):
        ax = ax or new_axes(height * len(players), left=width_of(names), legend=False)
        for place in range(len(players)):
            ax.add_patch(matrix_cell(place, place, BAND))
        for row in both.itertuples():
            x, y = players.index(row.opponent), players.index(row.player)
            strength = 2 * abs(row.score - 0.5)
            ax.add_patch(matrix_cell(x, y, BLUE if row.score >= 0.5 else ORANGE, strength))
            ink = PAPER if strength > 0.8 else INK
            if len(players) > _MOST_INTERVALS:
                write_in(ax, y, x, f"{100 * row.score:.0f}", ink)
            else:
                write_in(ax, y - 0.12, x, f"{100 * row.score:.1f}", ink)
                known = interval(row.ci_low, row.ci_high, bare_percent)
                ax.text(x, y + 0.26, known, color=ink, ha="center", va="center")
        ax.set_xticks(range(len(players)), [str(place) for place in range(1, len(players) + 1)])
        ax.set_yticks(range(len(players)), names, parse_math=False)
        ax.set_xlim(-0.5, len(players) - 0.5)
        ax.set_ylim(len(players) - 0.5, -0.5)
        ax.grid(visible=False)
        ax.set_xlabel("opponent")
        words = "per cent of games won by the player of the row, a draw counts half"
        set_titles(ax, "Who beats whom", words)
    return ax
