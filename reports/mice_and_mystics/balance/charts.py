"""The charts that answer first: who wins, where games are page by page, where they end.

Each function takes one table of `analysis.mice_and_mystics` and draws it as it is; nothing is
estimated here.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    matrix_cell,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    style_for,
    width_in,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.theme import AMBER, BAND, BLUE, GREY, INK, MUTED, ORANGE, PAPER
from reports.kit.words import display_name, percent
from reports.mice_and_mystics.balance.names import party_name
from reports.mice_and_mystics.balance.text import EVEN, LESS, MORE, UNCLEAR, side_of

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

#: Where the interval of a win rate lies, with its look.
_LOOKS = {MORE: (BLUE, "^"), UNCLEAR: (GREY, "d"), LESS: (ORANGE, "v")}
#: How games end: words, colour, and that of text on it.
_ENDINGS = {
    "win": ("won", BLUE, PAPER),
    "loss_page": ("lost: out of pages", ORANGE, PAPER),
    "loss_captured": ("lost: all mice captured", AMBER, INK),
    "timeout": ("stopped after 400 rounds", GREY, PAPER),
}
_LOSSES = tuple(_ENDINGS)[1:]
_BOARD_ROW = 0.42  # inches for a room
_APART = 0.35  # of a row: between rooms and what has ended


@CHARTS.draws("parties", "parties")
def plot_parties(parties: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often each party wins, with intervals, the strongest on top."""
    rows = parties.sort_values("win_rate", ignore_index=True)
    names = [party_name(party) for party in rows["party"]]
    sides = side_of(rows)
    with style_for(ax):
        ax = ax or new_axes(max(0.36 * len(rows), 0.55), left=width_of(names), right=0.85)
        ax.axvline(EVEN, color=MUTED, linewidth=1, zorder=1)
        for side, (colour, marker) in _LOOKS.items():
            mine = rows[sides == side]
            if len(mine):
                look = {"color": colour, "marker": marker, "label": f"{side} ({len(mine)})"}
                draw_points(ax, mine, "win_rate", "win_rate", **look)
        for row, rate in rows["win_rate"].items():
            write_beside(ax, row, percent(rate))
        name_rows(ax, names)
        ax.set_xlim(-0.02, 1.02)  # room for a mark at either end
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("games won")
        who = rows["player"].iloc[0]
        set_titles(ax, "How often each party wins", f"played by {who}", legend=True)
    return ax


@CHARTS.draws("clock", "clock")
def plot_clock(clock: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Where games are when the hourglass leaves each page: rooms against pages, won and lost."""
    pages = sorted(clock["page"].unique())
    rooms = clock.drop_duplicates("depth").sort_values("depth")
    names = ["lost so far", *_room_names(rooms), "won so far"]
    heights = [0.0, *(_APART + 1 + place for place in range(len(rooms)))]
    heights.append(heights[-1] + 1 + _APART)
    height_of = dict(zip(rooms["depth"], heights[1:-1], strict=True))
    shares = _shares_of_board(clock)
    with style_for(ax):
        ax = ax or new_axes(_BOARD_ROW * (heights[-1] + 1), left=width_of(names), legend=False)
        cells = []
        for column, page in enumerate(pages):
            won, lost, there = shares[page]
            ended = [(heights[-1], won, BLUE), (heights[0], lost, ORANGE)]
            playing = [(height_of[depth], share, MUTED) for depth, share in there.items()]
            for y, share, colour in [*ended, *playing]:
                cells.append(_cell(ax, column, y, share, colour))
        ax.add_collection(PatchCollection(cells, match_original=True))
        ax.set_xticks(range(len(pages)), [_page_name(clock, page) for page in pages])
        ax.set_yticks(heights, names, parse_math=False)
        ax.set_xlim(-0.5, len(pages) - 0.5)
        ax.set_ylim(-0.55, heights[-1] + 0.55)
        ax.grid(visible=False)
        ax.set_xlabel("page of the hourglass")
        words = "of 100 games, when the hourglass leaves the page: furthest room entered, or ended"
        set_titles(ax, "Where games are, page by page", words)
    return ax


def _shares_of_board(clock: pd.DataFrame) -> "dict[int, tuple[float, float, dict[int, float]]]":
    """By page: the shares of all games won and lost so far, and still played, by depth."""
    n_games = (
        clock["n_games"].sum() and clock.loc[clock["page"] == clock["page"].min(), "n_games"].sum()
    )
    won = lost = 0
    board = {}
    for page, rows in clock.groupby("page"):
        ended = rows[list(_ENDINGS)].sum(axis=1)
        won += rows["win"].sum()
        lost += rows[list(_LOSSES)].sum().sum()
        playing = dict(zip(rows["depth"], (rows["n_games"] - ended) / n_games, strict=True))
        board[page] = (won / n_games, lost / n_games, playing)
    return board


def _page_name(clock: pd.DataFrame, page: int) -> str:
    """A page; the one that loses the chapter is called the end."""
    lost = clock.loc[clock["page"] == page, "loss_page"].any()
    return f"{page}: the end" if lost else str(page)


def _cell(ax: Axes, x: float, y: float, share: float, colour: str) -> Rectangle:
    """A cell of the board: the larger its share, the stronger its colour."""
    if share <= 0:
        return matrix_cell(x, y, BAND, 0.5)
    strength = 0.12 + 0.88 * share
    shown = f"{100 * share:.0f}" if share >= 0.005 else "<1"
    colour_of_text = PAPER if strength > 0.55 else INK
    ax.text(x, y, shown, color=colour_of_text, ha="center", va="center_baseline")
    return matrix_cell(x, y, colour, strength)


@CHARTS.draws("rooms", "rooms", intervals=False)
def plot_rooms(rooms: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Where games end: for each room the games that ended there, by how they ended."""
    by_room = rooms.groupby(["depth", "room"], sort=True)[list(_ENDINGS)].sum()
    n_games = rooms["ended"].sum()
    names = _room_names(rooms.drop_duplicates("room").sort_values(["depth", "room"]))
    shares = (by_room / n_games).reset_index(drop=True)
    most = shares.sum(axis=1).max()
    with style_for(ax):
        ax = ax or new_axes(0.45 * len(shares), left=width_of(names), right=0.85)
        left = pd.Series(0.0, index=shares.index)
        for ending, (words, colour, on_it) in _ENDINGS.items():
            if not shares[ending].any():
                continue
            ax.barh(shares.index, shares[ending], left=left, height=0.7, color=colour, label=words)
            for row, share in shares[ending].items():
                if share > width_in(ax, percent(share)) * most:
                    write_in(ax, row, left[row] + share / 2, percent(share), on_it)
            left += shares[ending]
        for row, share in left.items():
            write_beside(ax, row, percent(share))
        name_rows(ax, names)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("share of all games")
        set_titles(ax, "Where games end", "the room in which they ended, and how", legend=True)
    return ax


@CHARTS.draws("room_costs", "room_costs", needs="pages_lost", intervals=False)
def plot_room_costs(room_costs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each room costs: pages that surges and captures turn there, in games that enter it."""
    rows = room_costs[room_costs["entered_n"] > 0].sort_values(["depth", "room"], ignore_index=True)
    names = _room_names(rows)
    longest = rows["pages_lost"].max()
    with style_for(ax):
        ax = ax or new_axes(0.45 * len(rows), left=width_of(names), right=1.1)
        left = pd.Series(0.0, index=rows.index)
        for column, words, colour in (
            ("surges", "by surges", BLUE),
            ("captures", "by captures", ORANGE),
        ):
            ax.barh(rows.index, rows[column], left=left, height=0.7, color=colour, label=words)
            for row, pages in rows[column].items():
                if pages > width_in(ax, f"{pages:.2f}") * longest:
                    write_in(ax, row, left[row] + pages / 2, f"{pages:.2f}", PAPER)
            left += rows[column]
        for row, share in rows["pages_lost_share"].dropna().items():
            write_beside(ax, row, f"{percent(share, 0)} of all")
        name_rows(ax, names)
        ax.set_xlabel("pages turned in a game that enters the room, on average")
        words = "at the right: share of all pages that are turned there"
        set_titles(ax, "Where pages are turned", words, legend=True)
    return ax


def _room_names(rooms: pd.DataFrame) -> list[str]:
    """The rooms of some rows, with their place on the route; a room off it has none."""
    return [
        f"{display_name(one.name)}  {one.depth or ''}".rstrip()
        for one in rooms.itertuples(index=False)
    ]
