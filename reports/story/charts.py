"""The charts of a story."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis.questions.story import BACK, LEADER, STORY_TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    keep_off_legend,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    width_of,
    write_beside,
)
from reports.kit.theme import BAND, BLUE, GREEN, INK, LIGHT, MUTED, WIDE
from reports.kit.words import capital, display_name, percent, plural
from reports.story.text import moments, used

CHARTS = Charts(STORY_TABLES)
_MOMENTS = {"0.333": "leads after a third", "0.5": "at half time", "0.667": "after two thirds"}
_LEFT, _TALL = 0.75, 2.5
# Cards whose names stand in the chart: so many of either end of each axis.
_NAMED = 2


@CHARTS.draws("fan", "story_turns", intervals=False)
def plot_fan(story_turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The chance of the later winner by turn: median, middle half, and nine in ten."""
    ax = ax or new_axes(2.9, left=_LEFT, legend=False)
    rows = story_turns[story_turns["low"] < 1]
    turn = rows["turn"]
    ax.fill_between(turn, rows["low"], rows["high"], color=BAND, linewidth=0)
    ax.fill_between(turn, rows["quarter"], rows["three_quarters"], color=LIGHT, linewidth=0)
    ax.axhline(0.5, color=MUTED, linewidth=1)
    ax.plot(turn, rows["median"], color=GREEN, linewidth=2.4)
    at = max(len(rows) // 3, 1)
    at = at // 5 * 5 or at
    said = percent(rows["median"].iloc[at - 1], 0)
    _shares(ax, "y", 0, 1)
    ax.set_xlim(1, max(len(rows), 2))
    _turns(ax, story_turns)
    unit = story_turns["unit"].iloc[0]
    title = f"After {unit} {turn.iloc[at - 1]}, half of those who won stood at {said} or less"
    dark = "Dark: the middle half of all games; light: nine in ten. Ended games count as 100%"
    set_titles(ax, title, f"Chance of the later winner. {dark}")
    return ax


@CHARTS.draws("leaders", "story")
def plot_leaders(story: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often whoever leads wins, and how many winners once stood low."""
    rows = story[story["kind"].isin((LEADER, BACK))][::-1].reset_index(drop=True)
    names = [_MOMENTS.get(row["of"], "") if row["kind"] == LEADER else _below(row["of"])
             for _, row in rows.iterrows()]  # fmt: skip
    half = story[(story["kind"] == LEADER) & (story["of"] == "0.5")]["value"].iloc[0]
    ax = ax or new_axes(0.36 * len(rows), left=width_of(names), right=0.8, legend=False)
    draw_points(ax, rows, "value", "value", color=INK)
    for at, row in rows.iterrows():
        write_beside(ax, at, percent(row["value"]))
    name_rows(ax, names)
    _shares(ax, "x", 0, 1)
    said = "Above: whoever leads then wins. Below: winners whose chance was once so low"
    set_titles(ax, f"Whoever led at half time won {percent(half, 0)} of these games", said)
    return ax


@CHARTS.draws("decided", "story_turns", intervals=False)
def plot_decided(story_turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The share of games that are decided and that are over by each turn."""
    ax = ax or new_axes(_TALL, left=_LEFT)
    rows = story_turns[story_turns["ended"] < 0.999]
    ax.fill_between(rows["turn"], rows["ended"], rows["decided"], color=BAND, linewidth=0)
    ax.plot(rows["turn"], rows["decided"], color=GREEN, linewidth=2.2, label="decided")
    ax.plot(rows["turn"], rows["ended"], color=INK, linestyle="--", label="over")
    unit = story_turns["unit"].iloc[0]
    half = story_turns["turn"][story_turns["decided"] >= 0.5].min()
    _shares(ax, "y", 0, 1)
    _turns(ax, story_turns)
    said = "Decided: 95% or more, for good. What lies between is played out"
    set_titles(ax, f"Half of these games were decided by {unit} {half}", said, legend=True)
    keep_off_legend(ax)
    return ax


@CHARTS.draws("losses", "story_turns", intervals=False, needs="loss")
def plot_losses(story_turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What a random option costs against the best, by turn."""
    ax = ax or new_axes(_TALL, left=_LEFT, legend=False)
    rows = story_turns[story_turns["n_decisions"] >= story_turns["n_decisions"].max() / 20]
    ax.bar(rows["turn"], 100 * rows["loss"], color=BLUE, width=0.8)
    most, unit = rows.loc[rows["loss"].idxmax()], story_turns["unit"].iloc[0]
    _turns(ax, story_turns)
    said = "What a random option costs against the best, in points of the chance"
    cost = f"{100 * most['loss']:.1f} points"
    set_titles(ax, f"In these games choices mattered most in {unit} {most['turn']}: {cost}", said)
    return ax


@CHARTS.draws("choices", "story_choices", optional=True)
def plot_choices(story_choices: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What a random option costs, by kind of decision."""
    rows = story_choices[(story_choices["third"] == 0) & (story_choices["share"] >= 0.01)]
    rows = rows.sort_values("loss", ignore_index=True)
    ends = {f"loss{end}": 100 * rows[f"loss{end}"] for end in ("", "_ci_low", "_ci_high")}
    names = [capital(name) for name in rows["kind"]]
    ax = ax or new_axes(0.36 * len(rows), left=width_of(names), right=1.25, legend=False)
    draw_points(ax, rows.assign(**ends), "loss", "loss", color=INK)
    for at, row in rows.iterrows():
        write_beside(ax, at, f"{100 * row['loss']:.1f}")
        write_beside(ax, at, percent(row["share"], 0), away=48)
    name_rows(ax, names)
    ax.set_xlim(left=0)
    told = [
        f"A random choice of {one.kind} costs {100 * one.loss:.1f} points"
        for one in rows.iloc[-1:].itertuples()
    ]
    said = "Points that a random option costs against the best; right: share of all decisions"
    set_titles(ax, next(iter(told), "No decision is frequent enough"), said)
    return ax


@CHARTS.draws("cards", "story_cards", optional=True, needs="worth", intervals=False)
def plot_cards(story_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How far each card swings games, and how strong it is."""
    rows = story_cards[story_cards["worth"].notna() & (story_cards["n_plays"] >= 20)]
    rows = rows.reset_index(drop=True)
    ax = ax or new_axes(3.6, left=_LEFT, right=1.3, legend=False, width=WIDE)
    ax.axvspan(0.48, 0.52, color=BAND, linewidth=0)
    ax.plot(rows["worth"], 100 * rows["spread"], "o", color=BLUE, markersize=7)
    ends = {*rows["worth"].nlargest(_NAMED).index, *rows["worth"].nsmallest(_NAMED).index}
    for at in ends | {*rows.index[:_NAMED], *rows.index[-_NAMED:]}:
        place = rows["worth"][at], 100 * rows["spread"][at]
        ax.annotate(rows["name"][at], place, (6, 3), textcoords="offset points")
    ax.xaxis.set_major_formatter(percent_tick)
    ax.set_xlabel("games won by those who were dealt it")
    told = [
        f"by {100 * row['spread']:.0f} points on plays of {display_name(row['name'])}"
        for _, row in rows.iloc[[0, -1] if len(rows) > 1 else [0] * len(rows)].iterrows()
    ]
    found = f"In these games, chances swung {', '.join(told)}"
    said = "Up: points between the worst and the best tenth of its plays. Observed, not caused"
    set_titles(ax, found if told else "No card was played often enough", said)
    return ax


@CHARTS.draws("games", "story_games", split_by="which", intervals=False)
def plot_games(story_games: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The chance of the winner in one game, turn by turn."""
    ax = ax or new_axes(1.7, left=_LEFT, legend=False)
    ax.axhspan(0.95, 1, color=BAND, linewidth=0)
    ax.axhline(0.5, color=MUTED, linewidth=1)
    ax.plot(story_games["turn"], story_games["chance"], color=GREEN, linewidth=2)
    _shares(ax, "y", 0, 1.02)
    unit = story_games["unit"].iloc[0]
    ax.set_xlabel(unit)
    turned = story_games[story_games["turn"].isin(moments(story_games["chance"].tolist()))]
    ax.plot(turned["turn"], turned["chance"], "o", color=INK, markersize=7)
    low = percent(story_games["chance"].min(), 0)
    which, game = story_games["which"].iloc[0], story_games["game"].iloc[0]
    said = (
        f"Chance of the winner by {unit}. Game {game}, {len(story_games)} {plural(unit, 2)}."
        " Dots: where most changed"
    )
    set_titles(ax, f"The winner once stood at {low} ({which})", said)
    return ax


@CHARTS.draws("calibration", "story_calibration")
def plot_calibration(story_calibration: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What was said and what came."""
    rows = used(story_calibration)
    ax = ax or new_axes(3.2, left=_LEFT, right=1.6, legend=False)
    ax.plot((0, 1), (0, 1), color=MUTED, linewidth=1)
    ends = np.array([rows["came"] - rows["came_ci_low"], rows["came_ci_high"] - rows["came"]])
    ax.errorbar(rows["said"], rows["came"], yerr=ends, fmt="o", color=INK, markersize=5)
    _shares(ax, "y", 0, 1)
    _shares(ax, "x", 0, 1)
    ax.set_xlabel("said")
    gap = 100 * (rows["came"] - rows["said"]).abs().max()
    said = "Chances in 20 groups, and how many of them came. Intervals hold for all together"
    set_titles(ax, f"The chances stated for these games were at most {gap:.1f} points off", said)
    return ax


def _turns(ax: Axes, story_turns: pd.DataFrame) -> None:
    """The axis of turns, which are whole numbers."""
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(story_turns["unit"].iloc[0])


def _shares(ax: Axes, axis: str, low: float, high: float) -> None:
    """An axis of shares."""
    which = ax.yaxis if axis == "y" else ax.xaxis
    which.set_major_formatter(percent_tick)
    (ax.set_ylim if axis == "y" else ax.set_xlim)(low, high)


def _below(depth: str) -> str:
    return f"once below {float(depth):.0%}"
