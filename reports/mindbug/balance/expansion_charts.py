"""The charts of what only some pools have: several sets, evolution, dice, power cards.

Like those of `charts`, each takes one table of `analysis.mindbug.analyze` and draws it as it is.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import STAGES
from reports.kit.drawing import (
    LINE,
    ROW,
    Charts,
    check_one,
    draw_effects,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    players_of,
    set_titles,
    whiskers,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.findings import effects, ends
from reports.kit.theme import AMBER, BAND, BLUE, INK, LIGHT, MUTED, ORANGE, PAPER
from reports.kit.words import count, display_name, percent

_STAGE_MARKS = ((BLUE, "o"), (AMBER, "s"), (ORANGE, "D"))
# What is counted in a game, and what players did in one that has any.
_QUANTITY_WORDS = {
    "actions": ("Actions used", "used an Action"),
    "boosted": ("boosts", "boosted a creature"),
    "dice": ("dice rolled", "rolled a die"),
    "energy": ("energy gained", "gained energy"),
    "power_bought": ("power cards bought", "bought a power card"),
}
# Numbers in a game that are shown together: from, to.
_RANGES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, None))


#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("set_effects", "sets", split_by="policy", optional=True)
def plot_set_effects(sets: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How players fare with one more dealt card of each set instead of a card of another."""
    check_one(sets, "policy")
    rows = sets.sort_values("effect", ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    words = f"{players_of(rows)}; one of the ten cards from it instead of from another set"
    return draw_effects(
        *(ax, rows, names, "effect", words),
        digits=2,
        says="Players with one more card of {0} win {1} {2}",
        then=", of {0} {1} {2}",
        none="No set is shown to be stronger than the others",
    )


@CHARTS.draws("stage_shares", "stages", split_by="policy", optional=True, intervals=False)
def plot_stage_shares(stages: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How far the cards of each evolution line came, of those dealt."""
    check_one(stages, "policy")
    lines, names = _lines_of(stages)
    ax = ax or new_axes(0.36 * len(lines), left=width_of(names))
    left = np.zeros(len(lines))
    colours = (LIGHT, *(colour for colour, _ in _STAGE_MARKS))
    for stage, colour in enumerate(colours[: stages["stage"].max() + 1]):
        share = _of_stage(stages, lines, stage)["share"].to_numpy()
        ink = PAPER if colour in (BLUE, ORANGE) else INK
        _add_shares(ax, left, share, ink, color=colour, label=STAGES[stage])
    _name_shares(ax, names)
    ax.set_xlabel("cards of the line that were dealt")
    words = f"{players_of(stages)}; the highest stage in play in a game"
    came = stages[(stages["card_id"] == lines[-1]) & (stages["stage"] > 0)]["share"].sum()
    finding = f"{percent(came)} of the evolving cards dealt in these games came into play"
    set_titles(ax, finding, words, legend=True)
    return ax


@CHARTS.draws("stage_win_rates", "stages", split_by="policy", optional=True)
def plot_stage_win_rates(stages: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Win rate of the players under whose control a card came, by its highest stage in play."""
    check_one(stages, "policy")
    lines, names = _lines_of(stages)
    ax = ax or new_axes(0.5 * len(lines), left=width_of(names))
    for row in range(0, len(lines), 2):
        ax.axhspan(row - 0.5, row + 0.5, color=BAND, linewidth=0, zorder=0)
    for number, (colour, marker) in enumerate(_STAGE_MARKS[: stages["stage"].max()]):
        mine = _of_stage(stages, lines, number + 1)
        known = mine["entered_win_rate"].notna().to_numpy()
        ax.errorbar(
            mine.loc[known, "entered_win_rate"],
            np.flatnonzero(known) + 0.26 * (1 - number),
            xerr=whiskers(mine[known], "entered_win_rate", "entered"),
            color=colour,
            marker=marker,
            markersize=6.5,
            label=STAGES[number + 1],
            **LINE,
        )
    _mark_half(ax)
    quantity = "games won by the player who played it or took it with a Mindbug"
    name_rows(ax, names, percent_tick, quantity)
    words = f"{players_of(stages)}; by its highest stage; observed, not caused"
    every = stages[(stages["card_id"] == lines[-1]) & (stages["stage"] > 0)]
    finding = ends(
        [STAGES[stage] for stage in every["stage"]], every, "entered_win_rate",
        "Players whose card came to {0} win {1}, to {2} {3}", interval="entered",
        none="No stage is shown to go with more wins than another",
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax


@CHARTS.draws("per_game", "per_game", split_by="policy", optional=True, intervals=False)
def plot_per_game(per_game: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much there is in a game of what the pool has, such as Actions, boosts and dice."""
    check_one(per_game, "policy")
    quantities = list(per_game["quantity"].unique())[::-1]
    names = [_QUANTITY_WORDS[quantity][0] for quantity in quantities]
    ax = ax or new_axes(0.5 * len(quantities), left=width_of(names))
    left = np.zeros(len(quantities))
    for number, (low, high) in enumerate(_RANGES):
        within = per_game["number"].between(low, np.inf if high is None else high)
        share = per_game[within].groupby("quantity")["share"].sum()
        share = share.reindex(quantities, fill_value=0).to_numpy()
        label = f"{low}+" if high is None else str(low) if low == high else f"{low}–{high}"
        strength = number / (len(_RANGES) - 1)
        look = {"color": BLUE, "alpha": strength} if number else {"color": LIGHT, "alpha": 1}
        ink = PAPER if strength > 0.7 else INK
        _add_shares(ax, left, share, ink, label=label, **look)
    _name_shares(ax, names)
    ax.set_xlabel("games")
    words = f"{players_of(per_game)}; games by how many there were, both players together"
    some = per_game[(per_game["quantity"] == quantities[-1]) & (per_game["number"] > 0)]
    did = _QUANTITY_WORDS[quantities[-1]][1]
    finding = f"Players {did} in {percent(some['share'].sum())} of these games"
    set_titles(ax, finding, words, legend=True)
    return ax


@CHARTS.draws("dice", "dice", split_by="policy", optional=True)
def plot_dice(dice: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of each face of the die, against six equally likely faces."""
    check_one(dice, "policy")
    rows = dice.iloc[::-1].reset_index(drop=True)
    ax = ax or new_axes(0.42 * max(len(rows), 1), left=width_of(rows["face"]), right=0.85)
    draw_points(ax, rows, "share", "share", label="measured")
    ax.axvline(
        rows["expected"].iloc[0],
        color=INK,
        linewidth=1,
        linestyle=(0, (3, 3)),
        label="a die by itself: one in six",
    )
    for row, share in rows["share"].items():
        write_beside(ax, row, percent(share, 2))
    low, high = ax.get_xlim()
    reach = max(0.01, 1.1 * max(1 / 6 - low, high - 1 / 6))
    ax.set_xlim(1 / 6 - reach, 1 / 6 + reach)
    name_rows(ax, rows["face"], percent_tick, "dice with this last result")
    words = f"{players_of(dice)}; {count(rows['dice'].iloc[0])} dice, after rerolls"
    beyond = rows.assign(
        beyond=rows["share"] - rows["expected"],
        beyond_ci_low=rows["share_ci_low"] - rows["expected"],
        beyond_ci_high=rows["share_ci_high"] - rows["expected"],
    )
    finding = effects(
        rows["face"], beyond, "beyond", says="{0} comes up {1} {2} often than on a fair die",
        then=", {0} {1} {2} often", ways=("more", "less"),
        none="No face is shown to come up more or less often than on a fair die",
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax


@CHARTS.draws("power_cards", "power_cards", split_by="policy", optional=True)
def plot_power_cards(power_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Win rate of the players who bought each power card."""
    check_one(power_cards, "policy")
    rows = power_cards.sort_values(
        ["bought_win_rate", "name"], na_position="first", ignore_index=True
    )
    names = [
        f"{display_name(name)} ({cost})"
        for name, cost in zip(rows["name"], rows["cost"], strict=True)
    ]
    height = ROW * (len(rows) + 1)
    ax = ax or new_axes(height, left=width_of(names), right=1.85, legend=False)
    draw_points(ax, rows, "bought_win_rate", "bought", markersize=7)
    _mark_half(ax)
    for row in rows.itertuples():
        write_beside(ax, row.Index, percent(row.bought_win_rate))
        write_beside(ax, row.Index, percent(row.bought_share), away=68)
    for heading, away in (("won", 8), ("bought by", 68)):
        write_beside(ax, len(rows) - 0.1, heading, away=away)
    name_rows(ax, names, percent_tick, "games won by players who bought it", margin=0.7)
    ax.set_ylim(top=len(rows) + 0.5)  # room for the headings of the columns
    words = f"{players_of(rows)}; cost in brackets; observed, not caused"
    says = "Players who bought {0} win {1}, those who bought {2} {3}"
    none = "No power card is shown to go with more wins than another"
    bare = [display_name(name) for name in rows["name"]]
    finding = ends(bare, rows, "bought_win_rate", says, none=none, interval="bought")
    set_titles(ax, finding, words)
    return ax


def _add_shares(ax: Axes, left: np.ndarray, share: np.ndarray, ink: str, **look: Any) -> None:
    """A part of each bar, behind those before it, with its per cent where there is room.

    ``left`` is where it begins, and where the next part begins afterwards.
    """
    ax.barh(range(len(share)), share, left=left, height=0.66, **look)
    for row in np.flatnonzero(share >= 0.05).tolist():
        write_in(ax, row, left[row] + share[row] / 2, f"{100 * share[row]:.0f}", ink)
    left += np.nan_to_num(share)


def _name_shares(ax: Axes, names: list[str]) -> None:
    """The names of bars of shares, and their axis."""
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.grid(visible=False)
    ax.xaxis.set_major_formatter(percent_tick)


def _lines_of(stages: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Card ids and names of the evolution lines from bottom to top, at first all together."""
    lines = stages[stages["stage"] == 0].iloc[::-1]
    return list(lines["card_id"]), [display_name(name) for name in lines["name"]]


def _of_stage(stages: pd.DataFrame, lines: Iterable[str], stage: int) -> pd.DataFrame:
    """The rows about a stage in the order of lines; nan for a line without it."""
    return stages[stages["stage"] == stage].set_index("card_id").reindex(lines)


def _mark_half(ax: Axes) -> None:
    """A line where as many games are won as lost, if it is in sight."""
    low, high = ax.get_xlim()
    if low < 0.5 < high:
        ax.axvline(0.5, color=MUTED, linewidth=1, zorder=1)
