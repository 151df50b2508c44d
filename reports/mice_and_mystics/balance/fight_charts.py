"""The charts of what turns pages and wins fights: captures, cheese, dice and initiative.

Nothing is estimated here.
"""

from collections.abc import Mapping
from fractions import Fraction

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    ROW,
    Charts,
    draw_effects,
    name_rows,
    new_axes,
    set_titles,
    style_for,
    width_of,
    write_beside,
)
from reports.kit.theme import AMBER, BLUE, GREY, ORANGE
from reports.kit.words import display_name
from reports.mice_and_mystics.balance.names import hero_name

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

#: What brings cheese and where it goes, in words.
FLOWS: Mapping[str, str] = {
    "wheel_in_attack": "rolled by minions attacking",
    "wheel_in_defense": "rolled by minions defending",
    "wheel_in_idle": "rounds without minions",
    "wheel_in_theft": "stolen by minions",
    "wheel_in_event": "events",
    "wheel_in_counter": "counters",
    "wheel_out_surge": "spent on surges",
    "wheel_out_pilfer": "pilfered by mice",
    "wheel_left": "left at the end",
    "cheese_in_attack": "rolled in attacks",
    "cheese_in_defense": "rolled in defence",
    "cheese_in_bow": "bow",
    "cheese_in_trap": "mousetraps",
    "cheese_in_discard": "discarded cards",
    "cheese_in_event": "events",
    "cheese_in_pilfer": "pilfered from the wheel",
    "cheese_in_start": "at the start",
    "cheese_out_ability": "paid for abilities",
    "cheese_out_level": "paid for levelling up",
    "cheese_out_pay": "other payments",
    "cheese_out_capture": "lost when captured",
    "cheese_out_theft": "stolen by minions",
    "cheese_left": "left at the end",
}
#: How mice are captured, in words.
CAUSES: Mapping[str, str] = {
    "battle": "in battle",
    "trap": "by a mousetrap",
    "drift": "drifting",
    "event": "by an event",
}
_DIRECTIONS = {"in": BLUE, "out": ORANGE, "left": GREY}
_SPLITS = {"cause": ORANGE, "minion": AMBER, "hero": BLUE}
_APART = 0.8  # of a row: between groups of bars


def _draw_bars(
    rows: pd.DataFrame, ax: Axes | None, colours: Mapping[str, str], labels: Mapping[str, str]
) -> Axes:
    """Bars of ``per_game`` with their numbers, in groups with a colour each.

    ``rows`` have a ``label`` and a ``colour`` (a key of ``colours``), the topmost first, and a
    ``group``; groups stand apart.
    """
    rows = rows.iloc[::-1].reset_index(drop=True)
    steps = rows["group"].ne(rows["group"].shift()).cumsum() - 1
    heights = rows.index + _APART * steps
    names = list(rows["label"])
    ax = ax or new_axes(ROW * 1.15 * (heights.max() + 1), left=width_of(names), right=0.7)
    for key, colour in colours.items():
        mine = rows["colour"] == key
        if mine.any():
            values = rows.loc[mine, "per_game"]
            ax.barh(heights[mine], values, height=0.72, color=colour, label=labels[key])
    for height, value in zip(heights, rows["per_game"], strict=True):
        write_beside(ax, height, f"{value:.2f}")
    name_rows(ax, names)
    ax.set_yticks(heights, names, parse_math=False)
    ax.set_ylim(-0.6, heights.max() + 0.6)
    return ax


@CHARTS.draws("cheese", "cheese", intervals=False)
def plot_cheese(cheese: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Where cheese comes from and where it goes, on the minion wheel and among the mice."""
    rows = cheese[cheese["total"] > 0].sort_values(
        ["where", "direction", "per_game"],
        key=lambda column: (
            column.map({"wheel": 0, "mice": 1, "in": 0, "out": 1, "left": 2}.get)
            if column.dtype != float
            else -column
        ),
    )
    labels = {"in": "comes in", "out": "goes out", "left": "left at the end"}
    called = {"wheel": "wheel", "mice": "mice"}
    rows = rows.assign(
        label=[
            f"{called.get(row.where, row.where)}: {FLOWS.get(row.flow, row.flow)}"
            for row in rows.itertuples()
        ],
        colour=rows["direction"],
        group=rows["where"],
    )
    with style_for(ax):
        ax = _draw_bars(rows, ax, _DIRECTIONS, labels)
        ax.set_xlabel("cheese in a game, on average")
        set_titles(ax, "Where cheese comes from and goes", "a full wheel turns a page", legend=True)
    return ax


@CHARTS.draws("captures", "captures", optional=True, intervals=False)
def plot_captures(captures: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often mice are captured in a game: how, by whom, and who."""
    rows = captures[captures["split"].isin(_SPLITS) & (captures["captures"] > 0)]
    rows = pd.concat(
        [rows[rows["split"] == split].sort_values("per_game", ascending=False) for split in _SPLITS]
    )
    rows = rows.assign(
        label=[_captured(row) for _, row in rows.iterrows()],
        colour=rows["split"],
        group=rows["split"],
    )
    labels = {"cause": "how", "minion": "by whom", "hero": "who"}
    with style_for(ax):
        if rows.empty:
            return _nothing(ax, "Captures", "No mouse was captured.")
        ax = _draw_bars(rows, ax, _SPLITS, labels)
        ax.set_xlabel("captures in a game, on average")
        set_titles(
            ax,
            "Captures",
            "each turns a page; for a hero, in games of parties with them",
            legend=True,
        )
    return ax


def _captured(row: pd.Series) -> str:
    """What a row of the table of captures is about."""
    if row["split"] == "cause":
        return CAUSES.get(row["cause"], row["cause"])
    return hero_name(row[row["split"]])


def _nothing(ax: Axes | None, title: str, words: str) -> Axes:
    """A chart that says that there is nothing."""
    ax = ax or new_axes(0.3, left=0.1, legend=False)
    ax.set_axis_off()
    set_titles(ax, title, words)
    return ax


@CHARTS.draws("dice", "dice", needs="luck_effect")
def plot_dice(dice: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How luck with the dice goes with winning: games with more successes than usual or fewer."""
    rows = dice.dropna(subset=["luck_effect"]).sort_values("luck_effect", ignore_index=True)
    rows = rows.rename(columns=lambda name: name.replace("luck_effect", "effect"))
    names = [
        f"{row.who}: {row.roll}, {row.symbol} ({Fraction(row.expected).limit_denominator(6)})"
        for row in rows.itertuples()
    ]
    with style_for(ax):
        ax = draw_effects(ax, rows, names, 1)
        words = "win rate of games with lucky dice minus that of unlucky ones; in brackets the odds"
        set_titles(ax, "Luck with the dice", words)
    return ax


@CHARTS.draws("initiative", "initiative", needs="win_effect")
def plot_initiative(initiative: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What the order of the first initiative track is worth, which is shuffled."""
    rows = initiative.dropna(subset=["win_effect"]).iloc[::-1].reset_index(drop=True)
    rows = rows.rename(columns=lambda name: name.replace("win_effect", "effect"))
    names = [_first(row) for _, row in rows.iterrows()]
    with style_for(ax):
        ax = draw_effects(ax, rows, names, 1)
        words = "win rate with this order minus that of the other games; drawn at random"
        set_titles(ax, "What the first initiative track is worth", words)
    return ax


def _first(row: pd.Series) -> str:
    """What a row of the table of initiative is about."""
    if row["kind"] == "mice_ahead":
        mice = "mouse" if str(row["id"]) == "1" else "mice"
        return f"{row['id']} {mice} before minions"
    return f"{display_name(row['name'])} on top"
