"""The charts of a sensitivity analysis: ``plot_x(table, *, ax=None) -> Axes``, as in `drawing`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.questions.worth import SHAPLEY
from analysis.registry import Registry
from analysis.verdicts import LESS, MORE, NOT_SETTLED, SETTLED, changes
from reports.kit.drawing import (
    BOTTOM,
    IN_CELLS,
    ROW,
    Chart,
    check_one,
    draw_judged,
    draw_points,
    draws,
    matrix_cell,
    name_rows,
    new_axes,
    players_of,
    points_tick,
    set_titles,
    width_of,
    write_beside,
    write_points,
)
from reports.kit.findings import effects
from reports.kit.theme import AMBER, BAND, BLUE, COOL, GREY, INK, MUTED, PAPER, WARM, WIDE
from reports.kit.words import display_name, points
from reports.sensitivity.text import change_text, main_lines

_LONGEST = 42
# The number of a change of a whole entry.
_WHOLE = ""
_SECOND_LINE = 0.2  # inches for the lower ones of the staggered names below the heat map
# The order of kinds in the list of one entry.
_KINDS = ("value", "power", "remove_keyword", "add_keyword", "copies", "remove_line", "remove_all")

#: Numbers and switches that find room.
MOST = 18
_ROW = 0.5  # inches for a number or switch
_BARS = 0.8  # of a row: the bars of one number together
_LETTERS = 32  # of a line about a number
# How titles name changes: "Filch: life 2 instead of 3: 4.1 points less".
_AS_CHANGES: Mapping[str, Any] = {
    "says": "{0}: {1} {2}",
    "then": "; {0}: {1} {2}",
    "ways": ("more", "less"),
}


def charts_of(registry: Registry) -> dict[str, Chart]:
    """The charts by the names of their files; each is left out where its table is empty."""
    plots: Mapping[str, tuple[Callable[..., Axes], str]] = {
        "steps": (plot_steps, "sensitivity"),
        "variants": (plot_variants, "sensitivity"),
        "parts": (plot_parts, "parts"),
        "worth": (plot_values, "values"),
    }
    return {
        name: Chart(draws(registry, table)(plot), table, optional=True)
        for name, (plot, table) in plots.items()
        if table in registry
    }


def plot_steps(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much one step on a number, or another way of a switch, moves the result.

    Or by how much entries do, where it was tried how games go without them.
    """
    if _WHOLE in main_lines(sensitivity).get("number", pd.Series()).to_numpy():
        return _plot_entries(main_lines(sensitivity), ax)
    names = {"difference": "win_effect"} | {
        f"difference_ci_{end}": f"win_effect_{end}" for end in ("low", "high")
    }
    rows = main_lines(sensitivity).rename(columns=names)
    return draw_tornado(rows, ax=ax)


def _plot_entries(rows: pd.DataFrame, ax: Axes | None) -> Axes:
    rows = rows.dropna(subset=["difference"])
    left_out = len(rows) - MOST
    more = f"; {left_out} smaller ones left out" if left_out > 0 else ""
    rows = rows.iloc[:MOST].assign(label=rows["name"])
    words = f"{players_of(rows)}; same deals and luck; by size without chance{more}"
    what = "outcome with it minus without, percentage points"
    return _forest(ax, rows, "difference", ROW, words, what)


def plot_variants(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The changes of one entry: how the result of those who hold it changes."""
    check_one(sensitivity, "name")
    order = {kind: place for place, kind in enumerate(_KINDS)}
    rows = main_lines(sensitivity)
    rows = rows[rows["kind"].isin(order)]
    rows = rows.sort_values("kind", key=lambda kinds: kinds.map(order), kind="stable")
    name = display_name(rows["name"].iloc[0]) if len(rows) else ""
    words = f"changes of {name}; {players_of(rows)}; same deals and luck"
    return _forest(ax, rows, "difference", 1.15 * ROW, words)


def plot_parts(parts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each part of one entry adds, and all of them together."""
    check_one(parts, "name")
    name = display_name(parts["name"].iloc[0]) if len(parts) else ""
    shapley = (parts["method"] == SHAPLEY).all()
    how = "mean over all orders of adding them" if shapley else "each removed alone"
    words = f"parts of {name}; {players_of(parts)}; {how}"
    return _forest(ax, parts, "worth", 0.36, words, says={})


def plot_values(values: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Entries by what they are worth against the reference, beside what is observed of them."""
    check_one(values, "policy")
    rows = values.sort_values(["value", "name"], na_position="first", ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
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
    quantity = "percentage points of games won by players dealt the card"
    name_rows(ax, names, points_tick, quantity, margin=0.7)
    ids = dict(zip(values["card_id"], values["name"], strict=True))
    known = [ids.get(one, one) for one in values["reference"].unique()]
    words = f"{players_of(rows)}; reference: {display_name(', '.join(known), 40)}"
    none = "No card is shown to be worth more or less than the reference"
    finding = effects(
        names, rows, "value", says="{0} is worth {1} {2} than the reference",
        then=", {0} {1} {2}", ways=("more", "less"), none=none,
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax


def draw_heat_map(rows: pd.DataFrame, columns: Sequence[str], ax: Axes | None) -> Axes:
    """Entries by changes: how the result moves, in percentage points.

    ``rows`` are lines of the table ``sensitivity`` with the column of each change in ``column``, of
    which ``columns`` are all in their order.
    """
    check_one(rows, "policy")
    cards = list(dict.fromkeys(rows["card_id"]))
    names = [display_name(rows.loc[rows["card_id"] == card, "name"].iloc[0]) for card in cards]
    most = rows["difference"].abs().max() if len(rows) else 1.0
    ax = ax or new_axes(
        ROW * max(len(cards), 1),
        left=width_of(names),
        bottom=BOTTOM + _SECOND_LINE,
        legend=False,
        width=WIDE,
    )
    for row in rows.itertuples():
        x, y = columns.index(row.column), cards.index(row.card_id)
        strength = min(abs(row.difference) / most, 1.0) if most > 0 else 0.0
        ax.add_patch(matrix_cell(x, y, WARM if row.difference >= 0 else COOL, strength))
        text = points(row.difference)
        if row.kind.startswith("remove_") and row.kind != "remove_all":
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
    changed = [f"{row.column} on {display_name(row.name)}" for row in rows.itertuples(index=False)]
    none = "No change of a card is shown to move how often it wins"
    set_titles(ax, effects(changed, rows, "difference", none=none, **_AS_CHANGES), words)
    return ax


def _forest(
    ax: Axes | None,
    rows: pd.DataFrame,
    column: str,
    height: float,
    words: str,
    what: str = "change of games won when dealt it, percentage points",
    *,
    says: Mapping[str, Any] = _AS_CHANGES,
) -> Axes:
    """Estimates with intervals around zero; those that leave it out have a colour."""
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [display_name(label, _LONGEST) for label in rows["label"]]
    found = changes(rows[f"{column}_ci_low"], rows[f"{column}_ci_high"])
    groups = (
        ("stronger", WARM, "^", found == MORE),
        ("weaker", COOL, "v", found == LESS),
        (NOT_SETTLED, GREY, "d", ~np.isin(found, SETTLED)),
    )
    ax = draw_judged(ax, rows, names, column, groups, what, row=height)
    none = "No change of the result is shown"
    set_titles(ax, effects(names, rows, column, none=none, **says), words, legend=True)
    return ax


def draw_tornado(changes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much each number and each switch moves the result, the first of them on top.

    ``changes`` is a row for each change, those that matter most first: ``kind``, ``entry``,
    ``name``, ``number``, ``label``, ``value``, ``changed_to``, ``win_effect`` and its ends; where
    it has ``run_win_rate``, the interval of that is shaded, and ``measure`` says what the result
    is.  The bars of a number stand above each other: one more, and one less.
    """
    about = changes["kind"] + "\n" + changes["entry"] + "\n" + changes["number"]
    everything = list(dict.fromkeys(about))
    shown = everything[:MOST][::-1]
    place = {one: row for row, one in enumerate(shown)}
    rows = changes.assign(row=about.map(place)).dropna(subset=["row"])
    first = rows.drop_duplicates("row").sort_values("row")
    names = [_row_name(row) for _, row in first.iterrows()]
    lines = [line for name in names for line in name.split("\n")]
    ax = ax or new_axes(_ROW * max(len(shown), 1), left=width_of(lines), right=0.9)
    if "run_win_rate" in rows:
        _draw_band(ax, rows)
    ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
    for label, colour, shift, mine in _directions(rows):
        _draw_changes(ax, mine, colour, shift, label)
    for row, mine in rows.groupby("row"):
        sizes = mine["win_effect"].dropna()
        most = sizes.loc[sizes.abs().idxmax()] if len(sizes) else None
        write_beside(ax, row, "–" if most is None else points(most))
    name_rows(ax, names)
    ax.xaxis.set_major_formatter(points_tick)
    result = changes["measure"].iloc[0] if "measure" in changes else "win_rate"
    ax.set_xlabel(f"change of the {result.replace('_', ' ')} in percentage points")
    left_out = len(everything) - len(shown)
    more = f"; {left_out} smaller ones left out" if left_out else ""
    words = f"changed one at a time, same deals; by size without chance{more}"
    named = [change_text(row) for _, row in rows.iterrows()]
    shown_ends = (rows["win_effect_low"] > 0) | (rows["win_effect_high"] < 0)
    none = "No step is shown to change the result"
    finding = effects(named, rows, "win_effect", none=none, shown=shown_ends, **_AS_CHANGES)
    set_titles(ax, finding, words, legend=True)
    return ax


def _row_name(row: pd.Series) -> str:
    """What is changed, on a line of its own which number, and what it is."""
    told = f" ({row['value']})" if row["kind"] == "number" else ""
    label = f"{display_name(row['label'], _LETTERS)}{told}"
    return f"{display_name(row['name'], _LETTERS)}\n{label}" if row["name"] else label


def _directions(rows: pd.DataFrame) -> Iterator[tuple[str, str, float, pd.DataFrame]]:
    """The changes that occur: word, colour, place within a row, and rows."""
    number = rows["kind"] == "number"
    change = pd.to_numeric(rows["changed_to"].where(number)) - pd.to_numeric(
        rows["value"].where(number)
    )
    for label, colour, shift, mine in (
        ("one more", BLUE, _BARS / 4, rows[change > 0]),
        ("one less", AMBER, -_BARS / 4, rows[change < 0]),
        ("switch", GREY, 0.0, rows[~number]),
    ):
        if len(mine):
            yield label, colour, shift, mine


def _draw_changes(ax: Axes, rows: pd.DataFrame, colour: str, shift: float, label: str) -> None:
    """The bars of one direction with their intervals; values of a switch share its row."""
    of_row = rows.groupby("row")["row"]
    height = _BARS / 2 if shift else _BARS / of_row.transform("size")
    y = rows["row"] + shift
    if not shift:
        y += _BARS / 2 - height * (of_row.cumcount() + 0.5)
    ax.barh(y, rows["win_effect"], height=0.92 * height, color=colour, label=label, zorder=2)
    ends = [
        rows["win_effect"] - rows["win_effect_low"],
        rows["win_effect_high"] - rows["win_effect"],
    ]
    look: dict[str, Any] = {"color": INK, "elinewidth": 0.8, "linestyle": "none", "zorder": 3}
    ax.errorbar(rows["win_effect"], y, xerr=ends, **look)


def _draw_band(ax: Axes, rows: pd.DataFrame) -> None:
    """Shade the interval of the win rate of the run: what chance leaves open."""
    if len(rows):
        one = rows.iloc[0]
        low, high = (one[f"run_win_rate_ci_{end}"] - one["run_win_rate"] for end in ("low", "high"))
        ax.axvspan(low, high, color=BAND, linewidth=0, zorder=0, label="interval of the win rate")
