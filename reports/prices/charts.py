"""The charts of a price list: the cost curve, and what each power is worth."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.questions.price_list import LESS, MORE, PRICE_TABLES
from reports.kit.drawing import LINE, Charts, new_axes, set_titles, style_for, whiskers
from reports.kit.theme import BLUE, GREY, INK, MUTED, ORANGE
from reports.kit.words import count, display_name, plural, signed

CHARTS = Charts(PRICE_TABLES)
_HEIGHT, _NAMED = 4.2, 3
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
    with style_for(ax):
        ax = ax or new_axes(_HEIGHT, left=0.75)
        low = price_curve[["price", "played_ci_low"]].min().min() - 1
        high = price_curve[["price", "played_ci_high"]].max().max() + 1
        half = (price_curve["price_ci_high"] - price_curve["price_ci_low"]).mean() / 2
        ends = [low, high]
        ax.fill_between(
            ends, [one - half for one in ends], [one + half for one in ends],
            color=MUTED, alpha=0.12, linewidth=0,
        )  # fmt: skip
        ax.plot(ends, ends, color=MUTED, linewidth=1, linestyle="--")
        for verdict, look in _LOOKS.items():
            rows = price_curve[price_curve["verdict"] == verdict]
            bars = whiskers(rows, "played", "played")
            settings = LINE | {"elinewidth": 1.2} | look
            ax.errorbar(rows["price"], rows["played"], yerr=bars, **settings)
        off = price_curve["off"].abs().sort_values(ascending=False).index[:_NAMED]
        for _, row in price_curve.loc[off].iterrows():
            right = row["price"] < (low + high) / 2
            ax.annotate(
                display_name(row["name"]),
                (row["price"], row["played"]),
                xytext=(7 if right else -7, 0),
                textcoords="offset points",
                ha="left" if right else "right",
                va="center",
                color=INK,
                parse_math=False,
            )
        ax.set_xlim(low, high)
        ax.set_ylim(low, high)
        ax.xaxis.set_major_formatter(_points)
        ax.yaxis.set_major_formatter(_points)
        ax.set_xlabel("price without the card itself, in points; up: as played")
        n = int((price_curve["verdict"] != "").sum())
        set_titles(
            ax,
            f"{count(n)} {plural('card', n)} off the curve" if n else "No card is off the curve",
            "Points from the average card. Strip: as the list says",
        )
    return ax


@CHARTS.draws("bodies", "prices", optional=True)
def plot_bodies(prices: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What a creature without keyword and text is worth at each power."""
    rows = bodies(prices).reset_index(drop=True)
    with style_for(ax):
        ax = ax or new_axes(2.4, left=0.75, legend=False)
        at = [int(thing.split()[-1]) for thing in rows["thing"]]
        ax.errorbar(at, rows["price"], yerr=whiskers(rows, "price", "price"), **LINE, color=BLUE)
        ax.plot(at, rows["price"], color=BLUE, marker="o")
        ax.axhline(0, color=MUTED, linewidth=1)
        ax.set_xticks(at)
        ax.yaxis.set_major_formatter(_points)
        ax.set_xlabel("power")
        words = "Without keyword and text, in points from the average card"
        set_titles(ax, "What power alone is worth", words)
    return ax


def bodies(prices: pd.DataFrame) -> pd.DataFrame:
    """What creatures without keyword and text are worth; none in games without such."""
    return prices[prices["kind"] == "body"]
