"""The charts of what heroes, encounter cards, abilities and search cards are worth.

All are differences between win rates with and without something that was drawn at random when a
game was set up; nothing is estimated here.
"""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit import theme
from reports.kit.drawing import (
    ROW,
    Charts,
    draw_effects,
    draw_points,
    name_rows,
    new_axes,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_points,
)
from reports.kit.theme import BAND, MUTED
from reports.kit.words import display_name, points_text
from reports.mice_and_mystics.balance.names import hero_name

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("heroes", "heroes", needs="worth")
def plot_heroes(heroes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each hero is worth to a party, against those who come along instead."""
    return _draw_worth(
        heroes,
        ax,
        "worth",
        "What each hero is worth",
        "win rate of parties with the hero minus that of parties without",
    )


@CHARTS.draws("hero_pairs", "hero_pairs", needs="synergy")
def plot_hero_pairs(hero_pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What two heroes are worth together beyond what each is."""
    rows = hero_pairs.dropna(subset=["synergy"]).sort_values("synergy", ignore_index=True)
    rows = rows.rename(columns=lambda name: name.replace("synergy", "effect"))
    names = [f"{hero_name(row.hero)} and {hero_name(row.other)}" for row in rows.itertuples()]
    with style_for(ax):
        ax = draw_effects(ax, rows, names, 1)
        words = "points of win rate beyond what each of the two is worth"
        set_titles(ax, "Heroes together", words)
    return ax


@CHARTS.draws("encounters", "encounters", needs="win_effect")
def plot_encounters(encounters: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How severe each encounter card is: the win rate with it on top of the first deck."""
    return _draw_worth(
        encounters,
        ax,
        "win_effect",
        "How severe each encounter card is",
        "win rate with it on top of the first deck minus that of the other games",
    )


@CHARTS.draws("abilities", "abilities", needs="win_effect")
def plot_abilities(abilities: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each ability is worth that a mouse begins with."""
    return _draw_worth(
        abilities,
        ax,
        "win_effect",
        "What a starting ability is worth",
        "win rate with it dealt to some mouse minus that of the same party without",
    )


@CHARTS.draws("search_cards", "search_cards", needs="win_effect")
def plot_search_cards(search_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each search card near the top of the deck is worth."""
    return _draw_worth(
        search_cards,
        ax,
        "win_effect",
        "What a search card near the top is worth",
        "win rate with a copy among the top 8 minus that without",
    )


def _draw_worth(
    table: pd.DataFrame,
    ax: Axes | None,
    estimate: str,
    title: str,
    words: str,
) -> Axes:
    """Points with intervals, by verdict, the most helpful on top; the band is shaded."""
    rows = table.dropna(subset=[estimate]).sort_values([estimate, "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    height = (0.42 if len(rows) < 10 else ROW) * max(len(rows), 1)
    with style_for(ax):
        ax = ax or new_axes(height, left=width_of(names), right=0.75)
        band = rows["band"].iloc[0]
        ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for verdict, (colour, marker) in theme.VERDICT_MARKS.items():
            mine = rows[rows["verdict"] == verdict]
            if mine.empty:
                continue
            look = {"color": colour, "marker": marker, "markersize": 7}
            draw_points(ax, mine, estimate, estimate, label=f"{verdict} ({len(mine)})", **look)
        write_points(ax, rows[estimate])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel(f"difference in percentage points; shaded: at most {points_text(band)}")
        set_titles(ax, title, words, legend=True)
    return ax
