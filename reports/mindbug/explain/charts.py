"""The chart of parts that add up: ``plot_parts(table, *, ax=None)``, as in `charts`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from reports.kit.drawing import (
    LINE,
    Charts,
    check_one,
    draws,
    name_rows,
    new_axes,
    players_of,
    points_tick,
    set_titles,
    whiskers,
    width_of,
    write_points,
)
from reports.kit.theme import COOL, INK, MUTED, WARM
from reports.kit.words import capital, display_name, points
from reports.mindbug.explain import text

_ROW = 0.3  # inches

#: The chart of a run by the name of its files.
CHARTS = Charts(TABLES)


@CHARTS.draws("card_parts", "card_parts", split_by="policy", optional=True)
def plot_card_parts(card_parts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What goes with the advantage of the cards furthest from average: parts that add up to it."""
    words = "what became of the card, against the average card; observed"
    return _plot(card_parts, words, "advantage", ax)


@draws(TABLES, "change_parts")
def plot_change_parts(change_parts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What goes with the change of the cards that were changed: parts that add up to it."""
    words = "what became of the card, after against before; observed"
    return _plot(change_parts, words, "change in all", ax)


def _plot(parts: pd.DataFrame, words: str, total: str, ax: Axes | None) -> Axes:
    """For each card its total, and below it a waterfall: a part begins where the last one ended."""
    check_one(parts, "policy")
    fates = parts[parts["view"] == "fate"]
    rows = _rows([mine for _, mine in text.shown_cards(fates)]).iloc[::-1]
    rows = rows.reset_index(drop=True)
    ax = ax or new_axes(_ROW * max(len(rows), 1), left=width_of(rows["label"]), right=0.75)
    ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
    for label, colour, mine in (
        ("adds", WARM, rows[(rows["size"] >= 0) & ~rows["whole"]]),
        ("takes away", COOL, rows[(rows["size"] < 0) & ~rows["whole"]]),
        (total, INK, rows[rows["whole"]]),
    ):
        ax.barh(mine.index, mine["size"], left=mine["start"], height=0.62, color=colour,
                label=label, zorder=2)  # fmt: skip
    told = rows[~rows["whole"]]
    ends = told["start"] + told["size"]
    ax.errorbar(ends, told.index, xerr=whiskers(told, "size"), color=MUTED, **LINE)
    write_points(ax, rows["size"])
    quantity = "percentage points of games won when dealt it"
    name_rows(ax, rows["label"], points_tick, quantity, margin=0.7)
    finding = _finding(rows[::-1])
    set_titles(ax, finding, f"{players_of(parts)}; {words}", legend=True)
    return ax


def _finding(rows: pd.DataFrame) -> str:
    """The largest part of the card on top that is shown and has the sign of the total."""
    if rows.empty:
        return "No card is shown to be off"
    whole, rest = rows.iloc[0], rows.iloc[1:]
    mine = rest[~rest["whole"].cummax()]
    sure = mine[mine["ci_high"] < 0 if whole["size"] < 0 else mine["ci_low"] > 0]
    told = f"{whole['label']}'s {points(whole['size'])} points"
    if sure.empty:
        return f"No part of {told} is shown to differ from zero"
    part = sure.loc[sure["size"].abs().idxmax()]
    if abs(part["size"]) > abs(whole["size"]):  # the other parts are on the other side
        mine, other = points(part["size"]), points(whole["size"] - part["size"])
        return f"“{capital(part['label'])}” makes up {mine}, other parts {other} of {told}"
    return f"“{capital(part['label'])}” makes up {points(part['size'])} of {told}"


def _rows(cards: list[pd.DataFrame]) -> pd.DataFrame:
    """The bars from top to bottom: what the parts of a card add up to, then the parts."""
    bars: list[tuple[str, float, float, float, float, bool]] = []
    for mine in cards:
        whole, start = float(mine["total"].iloc[0]), 0.0
        bars.append((display_name(mine["name"].iloc[0]), 0.0, whole, whole, whole, True))
        for _, part in mine.iterrows():
            size = float(part["contribution"])
            ends = part["contribution_ci_low"], part["contribution_ci_high"]
            bars.append((text.PART_TEXT[part["part"]], start, size, *ends, False))
            start += size
    return pd.DataFrame(bars, columns=["label", "start", "size", "ci_low", "ci_high", "whole"])
