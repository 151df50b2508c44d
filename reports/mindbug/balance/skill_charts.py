"""The charts of the section on skill: how verdicts change with who plays.

Like those of `charts`, each takes one table and draws it as it is.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from analysis.panel import DEPENDS, MORE_PLAYERS
from analysis.verdicts import FAIR, LESS, MORE, NEEDS_GAMES, TOO_STRONG, TOO_WEAK
from reports.kit import theme
from reports.kit.drawing import (
    BOTTOM,
    LINE,
    Charts,
    draw_judged,
    draw_points,
    new_axes,
    points_tick,
    set_titles,
    whiskers,
    width_of,
    write_beside,
)
from reports.kit.findings import effects
from reports.kit.theme import AMBER, BAND, COOL, GREEN, GREY, INK, LIGHT, MUTED, WARM
from reports.kit.words import display_name, percent, plural, points

#: Colour and marker of the cards that are worth more or less among stronger players.
_SIDES = {MORE: (WARM, "^"), LESS: (COOL, "v")}
#: Colour and marker of each verdict of a panel.
_PANEL_MARKS = {
    TOO_STRONG: (WARM, "^"),
    TOO_WEAK: (COOL, "v"),
    FAIR: (GREEN, "o"),
    DEPENDS: (AMBER, "X"),
    MORE_PLAYERS: (GREY, "s"),
    NEEDS_GAMES: (GREY, "d"),
}
_MOST_NAMES = 22  # that find room beside the chart
_NAME_WIDTH = 2.55  # inches for names beside the chart
_NAME_HEIGHT = 14.5  # points
# Cards whose intervals lie side by side at a player, and how far apart, where players are 1 apart.
_SIDE_BY_SIDE, _APART = 5, 0.07


#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("panel", "card_panel", optional=True)
def plot_panel(card_panel: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Each card's advantage, with the interval of a further player, and from player to player."""
    cards = card_panel.sort_values(["advantage", "name"], na_position="first", ignore_index=True)
    names = [display_name(name) for name in cards["name"]]
    groups = [
        (verdict, *look, cards["panel_verdict"] == verdict)
        for verdict, look in _PANEL_MARKS.items()
    ]
    band = cards["band"].max()
    quantity = "advantage of players dealt the card, in percentage points"
    ax = draw_judged(ax, cards, names, "advantage", groups, quantity, interval="further", band=band)
    ax.hlines(cards.index, cards["lowest"], cards["highest"], LIGHT, linewidth=5, zorder=2)
    words = "mean over the panel; lines: where another player would lie; bars: lowest to highest"
    strong, weak = ((cards["panel_verdict"] == one).sum() for one in (TOO_STRONG, TOO_WEAK))
    told = f"The panel finds {strong} {plural('card', strong)} too strong and {weak} too weak"
    none = "No card is shown to be too strong or too weak for the whole panel"
    set_titles(ax, told if strong or weak else none, words, legend=True)
    return ax


@CHARTS.draws("skill", "skill_cards", optional=True)
def plot_skill(skill_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Each card as a line over the players, weak to strong; colours: worth more or less."""
    cards = skill_cards.sort_values(["card_id", "rung"])
    policies = list(skill_cards.drop_duplicates("rung").sort_values("rung")["policy"])
    ends = cards[cards["rung"] == len(policies) - 1].set_index("card_id")
    advantage = cards.pivot(index="card_id", columns="rung", values="advantage")
    # The lesson of a player stands on a line of its own, so that names lie side by side.
    names = [display_name(policy, 18).replace("=", "=\n") for policy in policies]
    bottom = BOTTOM + 0.2 * any("\n" in name for name in names)
    ax = ax or new_axes(5.6, left=0.95, right=_NAME_WIDTH, bottom=bottom)
    band = skill_cards["band"].max()
    ax.axhspan(-band, band, color=BAND, linewidth=0, zorder=0)
    ax.axhline(0, color=MUTED, linewidth=1, zorder=1)
    named, beside = _cards_to_name(ends), _beside(ends)
    for card_id, verdict in ends["skill_verdict"].items():
        if verdict not in _SIDES:
            colour, width = (MUTED, 1.4) if card_id in named else (LIGHT, 0.9)
            ax.plot(
                advantage.columns,
                advantage.loc[card_id],
                color=colour,
                linewidth=width,
                marker="o",
                markersize=3,
                zorder=2,
            )
    for verdict, (colour, marker) in _SIDES.items():
        mine = ends.index[ends["skill_verdict"] == verdict]
        label = f"{verdict} ({len(mine)})"
        for card_id in mine:
            rows = cards[cards["card_id"] == card_id]
            ax.errorbar(
                rows["rung"] + beside[card_id],
                rows["advantage"],
                yerr=whiskers(rows, "advantage", "advantage"),
                color=colour,
                marker=marker,
                markersize=6.5,
                label=label,
                **{**LINE, "linestyle": "-", "elinewidth": 1.2, "zorder": 4},
            )
            label = "_nolegend_"
    if (~ends["skill_verdict"].isin(_SIDES)).any():
        ax.plot([], [], color=LIGHT, marker="o", markersize=3, label="other cards")
    ax.set_xlim(-0.25, len(policies) - 0.75)
    ax.set_xticks(range(len(policies)), names, parse_math=False)
    ax.grid(axis="x", visible=False)
    ax.yaxis.set_major_formatter(points_tick)
    ax.set_xlabel("who plays, against an equal: from weak to strong")
    ax.set_ylabel("advantage in percentage points")
    words = (
        f"players dealt the card; shaded: within {100 * band:g} points of the average;"
        " brackets: change"
    )
    more, less = ((ends["skill_verdict"] == one).sum() for one in (MORE, LESS))
    told = f"Stronger players win more with {more} {plural('card', more)} and less with {less}"
    none = "No card is shown to win more or less for stronger players"
    set_titles(ax, told if more or less else none, words, legend=True)
    _write_names(ax, ends.assign(rung=ends["rung"] + beside).loc[named])
    return ax


@CHARTS.draws("skill_games", "skill_summary", optional=True)
def plot_skill_games(skill_summary: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often the player who starts wins, and how many Mindbugs are used, by who plays."""
    rows = skill_summary.sort_values("rung", ascending=False, ignore_index=True)
    names = [display_name(policy) for policy in rows["policy"]]
    ax = ax or new_axes(0.42 * len(rows) + 0.3, left=width_of(names), right=2.1, legend=False)
    ax.axvline(0, color=MUTED, linewidth=1)
    draw_points(ax, rows, "first_player_advantage", "first_player_advantage")
    for row in rows.itertuples():
        write_beside(ax, row.Index, points(row.first_player_advantage))
        write_beside(ax, row.Index, f"{row.mean_mindbugs_used:.2f}", away=88)
    for heading, away in (("going first", 8), ("Mindbugs", 88)):
        write_beside(ax, len(rows) - 0.3, heading, away=away)
    ax.set_yticks(rows.index, names, parse_math=False)
    ax.set_ylim(-0.6, len(rows))
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(points_tick)
    ax.set_xlabel("win rate of the player who starts, points above one half")
    words = "players against an equal, from weak to strong; Mindbugs used in a game"
    finding = effects(
        [str(name) for name in rows["policy"]], rows, "first_player_advantage",
        says="Among {0} players, the one who goes {2} wins {1}",
        then="; among {0} players, the one who goes {2} wins {1}",
        ways=("first", "second"), number=lambda size: percent(0.5 + size),
        none="No advantage of going first or second is shown",
    )  # fmt: skip
    set_titles(ax, finding, words)
    return ax


def _beside(ends: pd.DataFrame) -> "pd.Series[float]":
    """How far beside the place of a player each card is drawn, so that intervals lie side by side.

    Neighbours in height are apart; cards without an interval stay where they are.
    """
    drawn = ends[ends["skill_verdict"].isin(_SIDES)].sort_values("advantage")
    steps = pd.Series(range(len(drawn)), drawn.index) % _SIDE_BY_SIDE
    return (_APART * (steps - _SIDE_BY_SIDE // 2)).reindex(ends.index, fill_value=0.0)


def _cards_to_name(ends: pd.DataFrame) -> list[str]:
    """The cards that are named: of those worth more or less the ones that change most."""
    by_change = ends.loc[ends["change"].abs().sort_values(ascending=False).index]
    return list(by_change.index[by_change["skill_verdict"].isin(_SIDES)][:_MOST_NAMES])


def _write_names(ax: Axes, ends: pd.DataFrame) -> None:
    """Names and changes of cards at the right, one below the other, joined to their last points."""
    ends = ends.dropna(subset=["advantage"]).sort_values("advantage")
    if ends.empty:
        return
    scale = 72 / theme.figure_of(ax).dpi
    last = np.column_stack([ends["rung"], ends["advantage"]])
    across, wanted = ax.transData.transform(last).T * scale
    low, high = (ax.get_window_extent().get_points()[:, 1] * scale).tolist()
    places = _spread(wanted, low, high)
    apart = 22 + across.max() - across
    moves = np.column_stack([apart, places - wanted])
    for place, move, (_, card) in zip(last, moves, ends.iterrows(), strict=True):
        colour = _SIDES.get(card["skill_verdict"], (MUTED,))[0]
        ax.annotate(
            f"{display_name(card['name'], 22)} ({points(card['change'])})",
            tuple(place),
            xytext=tuple(move),
            textcoords="offset points",
            color=INK if colour == MUTED else colour,
            va="center_baseline",
            parse_math=False,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": LIGHT,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 5,
            },
        )


def _spread(wanted: np.ndarray, low: float, high: float) -> np.ndarray:
    """Heights near the wanted ones, in the same order, apart by the height of a name."""
    step = min(_NAME_HEIGHT, (high - low) / max(len(wanted) - 1, 1))
    up, down = wanted.copy(), wanted.copy()
    for number in range(1, len(wanted)):
        up[number] = max(up[number], up[number - 1] + step)
        down[-1 - number] = min(down[-1 - number], down[-number] - step)
    places = (up + down) / 2  # a crowd spreads to both sides
    numbers = np.arange(len(wanted))
    return np.clip(places, low + numbers * step, high - numbers[::-1] * step)
