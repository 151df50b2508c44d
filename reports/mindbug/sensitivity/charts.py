"""The charts of a sensitivity analysis: ``plot_x(table, *, ax=None) -> Axes``, as in `charts`.

Each takes one of the tables of `analysis.mindbug.experiments.sensitivity` and draws it as it is.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from analysis.verdicts import LESS, MORE, NOT_SETTLED, SETTLED, changes
from card_data.mindbug.variants import POWER_STEPS
from card_data.mindbug.vocabulary import Keyword
from reports.kit.drawing import (
    BOTTOM,
    IN_CELLS,
    ROW,
    Chart,
    check_one,
    draw_points,
    draws,
    matrix_cell,
    name_rows,
    new_axes,
    players_of,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_points,
)
from reports.kit.theme import BLUE, GREY, INK, MUTED, ORANGE, PAPER, WIDE
from reports.kit.words import display_name, points

_LONGEST = 42
_SECOND_LINE = 0.2  # inches for the lower ones of the staggered names below the heat map
#: Kinds of variants in the heat map, and the order of all kinds in the list of one card.
MAPPED = ("power", "add_keyword", "remove_keyword", "copies", "remove_all")
_KINDS = ("value", "power", "remove_keyword", "add_keyword", "copies", "remove_line", "remove_all")


@draws(TABLES, "sensitivity")
def plot_variants(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The variants of one card: how the win rate of players dealt it changes."""
    check_one(sensitivity, "name")
    order = {kind: place for place, kind in enumerate(_KINDS)}
    rows = sensitivity[(sensitivity["measure"] == "dealt") & sensitivity["kind"].isin(order)]
    rows = rows.sort_values("kind", key=lambda kinds: kinds.map(order), kind="stable")
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [display_name(label, _LONGEST) for label in rows["label"]]
    with style_for(ax):
        ax = ax or new_axes(1.15 * ROW * max(len(rows), 1), left=width_of(names), right=0.75)
        _forest(ax, rows, "difference", names)
        ax.set_xlabel("change of games won when dealt it, percentage points")
        name = display_name(rows["name"].iloc[0]) if len(rows) else ""
        set_titles(ax, f"What changes do to {name}", f"{players_of(rows)}; same deals and luck",
                    legend=True)  # fmt: skip
    return ax


@draws(TABLES, "parts")
def plot_parts(parts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each part of one card adds, and all of them together."""
    check_one(parts, "name")
    rows = parts.iloc[::-1].reset_index(drop=True)
    names = [display_name(label, _LONGEST) for label in rows["label"]]
    with style_for(ax):
        ax = ax or new_axes(0.36 * max(len(rows), 1), left=width_of(names), right=0.75)
        _forest(ax, rows, "worth", names)
        ax.set_xlabel("change of games won when dealt it, percentage points")
        name = display_name(rows["name"].iloc[0]) if len(rows) else ""
        how = "mean over all orders of adding them" if _is_shapley(rows) else "each removed alone"
        set_titles(ax, f"What the parts of {name} add", f"{players_of(rows)}; {how}", legend=True)
    return ax


@draws(TABLES, "values")
def plot_values(values: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Cards by what they are worth against the reference, beside their advantage as observed."""
    check_one(values, "policy")
    rows = values.sort_values(["value", "name"], na_position="first", ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(rows), 1), left=width_of(names), right=0.75)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        ax.plot(
            rows["advantage"],
            rows.index,
            color=GREY,
            marker="o",
            markerfacecolor="none",
            linestyle="none",
            zorder=2,
            label="dealt, against one half",
        )
        label = "swapped for the reference"
        draw_points(ax, rows, "value", "value", marker="s", markersize=6, label=label)
        write_points(ax, rows["value"])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("percentage points of games won by players dealt the card")
        ids = dict(zip(values["card_id"], values["name"], strict=True))
        known = [ids.get(one, one) for one in values["reference"].unique()]
        words = f"{players_of(rows)}; reference: {display_name(', '.join(known), 40)}"
        set_titles(ax, "What each card is worth", words, legend=True)
    return ax


@draws(TABLES, "sensitivity")
def plot_heat_map(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Cards by changes: how the win rate of players dealt the card moves, in percentage points."""
    check_one(sensitivity, "policy")
    rows = sensitivity[(sensitivity["measure"] == "dealt") & sensitivity["kind"].isin(MAPPED)]
    cards = list(dict.fromkeys(rows["card_id"]))
    columns = mapped_columns(rows["change"])
    names = [display_name(rows.loc[rows["card_id"] == card, "name"].iloc[0]) for card in cards]
    most = rows["difference"].abs().max() if len(rows) else 1.0
    with style_for(ax):
        ax = ax or new_axes(
            ROW * max(len(cards), 1),
            left=width_of(names),
            bottom=BOTTOM + _SECOND_LINE,
            legend=False,
            width=WIDE,
        )
        for row in rows.itertuples():
            x, y = columns.index(mapped_column(row.change)), cards.index(row.card_id)
            strength = min(abs(row.difference) / most, 1.0) if most > 0 else 0.0
            ax.add_patch(matrix_cell(x, y, BLUE if row.difference >= 0 else ORANGE, strength))
            text = points(row.difference)
            if row.kind == "remove_keyword":
                text = f"({text})"
            sure = str(changes(row.difference_ci_low, row.difference_ci_high)) in SETTLED
            ax.text(
                x, y, text, ha="center", va="center", fontsize=IN_CELLS,
                color=PAPER if strength > 0.7 else INK if sure else MUTED,
                fontweight="bold" if sure else "normal",
            )  # fmt: skip
        staggered = ["\n" * (place % 2) + name for place, name in enumerate(columns)]
        ax.set_xticks(range(len(columns)), staggered)
        ax.set_yticks(range(len(cards)), names, parse_math=False)
        ax.set_xlim(-0.5, max(len(columns), 1) - 0.5)
        ax.set_ylim(max(len(cards), 1) - 0.5, -0.5)
        ax.grid(visible=False)
        ax.set_xlabel("change of power or copies; keyword added (removed)")
        words = f"{players_of(rows)}; percentage points of games won when dealt it; bold: settled"
        set_titles(ax, "What a change of each card does", words)
    return ax


#: The charts of one card, and of all cards.
CARD_CHARTS = {
    "variants": Chart(plot_variants, "variants", optional=True),
    "parts": Chart(plot_parts, "parts", optional=True),
}
ALL_CHARTS = {
    "worth": Chart(plot_values, "values", optional=True),
    "heat_map": Chart(plot_heat_map, "variants", optional=True, intervals=False),
}


def mapped_columns(changes: Iterable[str]) -> list[str]:
    """The columns of the heat map for some changes, in their order."""
    every = [*(f"power{step:+}" for step in POWER_STEPS), *(f"+{word.name}" for word in Keyword)]
    found = {mapped_column(change) for change in changes}
    last = ["copies-1", "copies+1", "-all"]
    return [name for name in map(mapped_column, [*every, *last]) if name in found]


def mapped_column(change: str) -> str:
    """The heading of a change."""
    if change.startswith("power"):
        return change.removeprefix("power").replace("-", "\N{MINUS SIGN}")
    if change.startswith("copies"):
        return f"{change[-2:]} copy".replace("-", "\N{MINUS SIGN}")
    return "plain" if change == "-all" else change[1:]


def _is_shapley(parts: pd.DataFrame) -> bool:
    return bool((parts["method"] == "shapley").all())


def _forest(ax: Axes, rows: pd.DataFrame, column: str, names: Sequence[str]) -> None:
    """Estimates with intervals around zero; those that leave it out have a colour."""
    ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
    found = changes(rows[f"{column}_ci_low"], rows[f"{column}_ci_high"])
    for label, colour, marker, marked in (
        ("stronger", BLUE, "^", rows[found == MORE]),
        ("weaker", ORANGE, "v", rows[found == LESS]),
        (NOT_SETTLED, GREY, "d", rows[~np.isin(found, SETTLED)]),
    ):
        if len(marked):
            look = {"color": colour, "marker": marker, "markersize": 7}
            draw_points(ax, marked, column, column, label=f"{label} ({len(marked)})", **look)
    write_points(ax, rows[column])
    name_rows(ax, names, margin=0.7)
    ax.xaxis.set_major_formatter(points_tick)
