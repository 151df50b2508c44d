"""The charts of a price list: the cost curve, and what each power is worth."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.questions.price_list import LESS, MORE, PRICE_PLAYERS, PRICE_TABLES
from analysis.registry import Registry
from reports.kit.drawing import LINE, Charts, new_axes, set_titles, whiskers
from reports.kit.findings import ends
from reports.kit.theme import BLUE, GREY, INK, MUTED, ORANGE
from reports.kit.words import count, display_name, level, signed
from reports.prices.text import priced

CHARTS = Charts(PRICE_TABLES)
PLAYER_CHARTS = Charts(Registry(PRICE_PLAYERS))
_HEIGHT, _NAMED, _LONGEST = 4.2, 3, 40
_LOOKS: dict[str, dict[str, Any]] = {
    "": {"color": GREY, "marker": "o", "markersize": 5},
    MORE: {"color": ORANGE, "marker": "^", "markersize": 8},
    LESS: {"color": BLUE, "marker": "v", "markersize": 8},
}


def _points(value: float, _: float) -> str:
    return signed(value, 0)


@CHARTS.draws("curve", "price_curve", optional=True)
def plot_curve(price_curve: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The cost curve: each card priced by all others, across, and as it was played, up."""
    ax = ax or new_axes(_HEIGHT, left=0.75)
    rows = priced(price_curve).rename(columns={"verdict": "look"})
    half = (rows["price_ci_high"] - rows["price_ci_low"]).mean() / 2
    ends = _scatter(ax, rows, "price", "played")
    ax.fill_between(
        ends, [one - half for one in ends], [one + half for one in ends],
        color=MUTED, alpha=0.12, linewidth=0,
    )  # fmt: skip
    _name(ax, rows.loc[rows["off"].abs().sort_values(ascending=False).index], "price", "played")
    ax.set_xlabel("price by all others, points")
    ax.set_ylabel("as played, points")
    off = rows[rows["look"] != ""]
    found = f"{count(len(off))} of {len(rows)} are shown to be off the curve"
    if off.empty:
        found = f"None of {len(rows)} is shown to be off the curve"
    elif len(off) == 1:
        [one] = off.to_dict("records")
        name, more = display_name(one["name"]), "more" if one["off"] > 0 else "less"
        found = f"{name} is worth {abs(one['off']):.1f} points {more} than its parts"
    set_titles(ax, found, f"Points from the average; strip: {level()} lie inside, by their prices")
    return ax


@PLAYER_CHARTS.draws("players", "price_players")
def plot_players(price_players: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The same things by the lists of two players, the second across and the first up."""
    ax = ax or new_axes(_HEIGHT, left=0.75)
    looks = {"first": MORE, "second": LESS, "": ""}
    rows = price_players.assign(
        look=price_players["favourite_of"].map(looks), name=price_players["thing"]
    )
    _scatter(ax, rows, "second", "first")
    shown = rows[rows["look"] != ""]
    _name(ax, shown.loc[shown["q_value"].sort_values().index], "second", "first")
    ax.set_xlabel("points by the second player's list")
    ax.set_ylabel("points by the first player's list")
    n = len(shown)
    differ = "things have different prices" if n > 1 else "thing has different prices"
    set_titles(
        ax,
        f"{count(n)} {differ} for the two players" if n else "No price is shown to differ",
        "Dashed: the same price in both lists",
    )
    return ax


def _scatter(ax: Axes, rows: pd.DataFrame, across: str, up: str) -> list[float]:
    """Estimates across and up, by the ``look`` of each, and where the line of equals ends."""
    low = rows[[across, f"{up}_ci_low"]].min().min() - 1
    high = rows[[across, f"{up}_ci_high"]].max().max() + 1
    ends = [low, high]
    ax.plot(ends, ends, color=MUTED, linewidth=1, linestyle="--")
    for name, look in _LOOKS.items():
        some = rows[rows["look"] == name]
        settings = LINE | {"elinewidth": 1.2} | look
        ax.errorbar(some[across], some[up], yerr=whiskers(some, up, up), **settings)
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.xaxis.set_major_formatter(_points)
    ax.yaxis.set_major_formatter(_points)
    return ends


def _name(ax: Axes, rows: pd.DataFrame, across: str, up: str) -> None:
    """Write the names of the first rows beside their points, towards the middle."""
    middle = sum(ax.get_xlim()) / 2
    for _, row in rows.head(_NAMED).iterrows():
        right = row[across] < middle
        ax.annotate(
            display_name(row["name"], _LONGEST),
            (row[across], row[up]),
            xytext=(7 if right else -7, 0),
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            color=INK,
            parse_math=False,
        )


@CHARTS.draws("bodies", "prices", optional=True)
def plot_bodies(prices: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What a creature without keyword and text is worth at each power."""
    rows = bodies(prices).reset_index(drop=True)
    ax = ax or new_axes(2.4, left=0.75, legend=False)
    at = [int(thing.split()[-1]) for thing in rows["thing"]]
    ax.errorbar(at, rows["price"], yerr=whiskers(rows, "price", "price"), **LINE, color=BLUE)
    ax.plot(at, rows["price"], color=BLUE, marker="o")
    ax.axhline(0, color=MUTED, linewidth=1)
    ax.set_xticks(at)
    ax.yaxis.set_major_formatter(_points)
    ax.set_xlabel("power")
    words = "Without keyword and text, in points from the average card"
    finding = ends(
        [f"power {power}" for power in at], rows, "price", interval="price",
        says="{0} alone is worth {1} points, {2} {3}",
        none="No power alone is shown to be worth more than another",
        number=lambda price: signed(price, 1),
    )  # fmt: skip
    set_titles(ax, finding, words)
    return ax


def bodies(prices: pd.DataFrame) -> pd.DataFrame:
    """What creatures without keyword and text are worth; none in games without such."""
    return prices[prices["kind"] == "body"]
