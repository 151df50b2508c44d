"""The charts of the report: who wins, what turns pages, what things are worth, how sure that is.

Each function takes one table of `analysis.mice_and_mystics` and draws it as it is; nothing is
estimated here.
"""

from collections.abc import Mapping
from fractions import Fraction

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    ROW,
    Charts,
    by_verdict,
    draw_effects,
    draw_judged,
    draw_nothing,
    matrix_cell,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    width_in,
    width_of,
    write_beside,
    write_in,
)
from reports.kit.findings import effects
from reports.kit.theme import AMBER, BAND, BLUE, COOL, GREY, INK, MUTED, ORANGE, PAPER, WARM
from reports.kit.words import display_name, percent, points_text
from reports.mice_and_mystics.balance.text import EVEN, LESS, MORE, UNCLEAR, parties_title, side_of
from reports.mice_and_mystics.run_text import hero_name, party_name
from reports.sensitivity.charts import draw_tornado

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

#: Where the interval of a win rate lies, with its look.
_LOOKS = {MORE: (WARM, "^"), UNCLEAR: (GREY, "d"), LESS: (COOL, "v")}
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

_KINDS = {"tiles": "rooms", "all": "all entries"}
_CONFIDENCES = {"verified": (BLUE, PAPER), "reported": (AMBER, INK), "assumed": (GREY, PAPER)}

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
_GROUPS_APART = 0.8  # of a row: between groups of bars


@CHARTS.draws("parties", "parties")
def plot_parties(parties: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often each party wins, with intervals, the strongest on top."""
    rows = parties.sort_values("win_rate", ignore_index=True)
    names = [party_name(party) for party in rows["party"]]
    sides = side_of(rows)
    groups = [(side, *look, sides == side) for side, look in _LOOKS.items()]
    ax = draw_judged(
        ax, rows, names, "win_rate", groups, "games won", number=percent, middle=EVEN, row=0.36
    )
    ax.set_xlim(-0.02, 1.02)  # room for a mark at either end
    who = rows["player"].iloc[0]
    set_titles(ax, parties_title(rows), f"played by {who}", legend=True)
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
    over = next(page for page in pages if sum(shares[page][:2]) >= 0.5 or page == pages[-1])
    won, lost, _ = shares[over]
    finding = f"By page {over}, {percent(won, 0)} of these games were won, {percent(lost, 0)} lost"
    set_titles(ax, finding, words)
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
    name_rows(ax, names, percent_tick, "share of all games")
    last = rooms.groupby("room")["ended"].sum()
    name = rooms.loc[rooms["room"] == last.idxmax(), "name"].iloc[0]
    finding = f"{percent(last.max() / n_games)} of these games ended in {display_name(name)}"
    set_titles(ax, finding, "the room in which they ended, and how", legend=True)
    return ax


@CHARTS.draws("room_costs", "room_costs", needs="pages_lost", intervals=False)
def plot_room_costs(room_costs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each room costs: pages that surges and captures turn there, in games that enter it."""
    rows = room_costs[room_costs["entered_n"] > 0].sort_values(["depth", "room"], ignore_index=True)
    names = _room_names(rows)
    longest = rows["pages_lost"].max()
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
    most = rows.loc[rows["pages_lost"].idxmax()]
    room, pages = display_name(most["name"]), f"{most['pages_lost']:.2f} pages"
    finding = f"Games that entered {room} turned {pages} there on average"
    set_titles(ax, finding, words, legend=True)
    return ax


def _room_names(rooms: pd.DataFrame) -> list[str]:
    """The rooms of some rows, with their place on the route; a room off it has none."""
    return [
        f"{display_name(one.name)}  {one.depth or ''}".rstrip()
        for one in rooms.itertuples(index=False)
    ]


@CHARTS.draws("heroes", "heroes", needs="worth")
def plot_heroes(heroes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each hero is worth to a party, against those who come along instead."""
    return _draw_worth(
        heroes,
        ax,
        "worth",
        "hero",
        ("Parties with {0} win", "those with {0}"),
        "win rate of parties with the hero minus that of parties without",
    )


@CHARTS.draws("hero_pairs", "hero_pairs", needs="synergy")
def plot_hero_pairs(hero_pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What two heroes are worth together beyond what each is."""
    rows = hero_pairs.dropna(subset=["synergy"]).sort_values("synergy", ignore_index=True)
    names = [f"{hero_name(row.hero)} and {hero_name(row.other)}" for row in rows.itertuples()]
    return draw_effects(
        *(ax, rows, names, "synergy", "points of win rate beyond what each of the two is worth"),
        says="{0} win {1} {2} together than their strengths predict",
        then="; {0} win {1} {2}",
        none="No two heroes are shown to do better or worse together",
    )


@CHARTS.draws("encounters", "encounters", needs="win_effect")
def plot_encounters(encounters: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How severe each encounter card is: the win rate with it on top of the first deck."""
    return _draw_worth(
        encounters,
        ax,
        "win_effect",
        "encounter card",
        ("Games that begin with {0} are won", "those with {0}"),
        "win rate with it on top of the first deck minus that of the other games",
    )


@CHARTS.draws("abilities", "abilities", needs="win_effect")
def plot_abilities(abilities: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each ability is worth that a mouse begins with."""
    return _draw_worth(
        abilities,
        ax,
        "win_effect",
        "ability",
        ("Parties with {0} win", "those with {0}"),
        "win rate with it dealt to some mouse minus that of the same party without",
    )


@CHARTS.draws("search_cards", "search_cards", needs="win_effect")
def plot_search_cards(search_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each search card near the top of the deck is worth."""
    return _draw_worth(
        search_cards,
        ax,
        "win_effect",
        "search card",
        ("Games with {0} near the top are won", "those with {0}"),
        "win rate with a copy among the top 8 minus that without",
    )


def _draw_worth(
    table: pd.DataFrame, ax: Axes | None, estimate: str, noun: str, who: tuple[str, str], words: str
) -> Axes:
    """Points with intervals, by verdict, the most helpful on top; the band is shaded."""
    rows = table.dropna(subset=[estimate]).sort_values([estimate, "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    row = 0.42 if len(rows) < 10 else ROW
    band = rows["band"].iloc[0]
    quantity = f"difference in percentage points; shaded: at most {points_text(band)}"
    groups = by_verdict(rows["verdict"])
    ax = draw_judged(ax, rows, names, estimate, groups, quantity, band=band, row=row)
    finding = effects(
        names, rows, estimate, says=f"{who[0]} {{1}} {{2}} often",
        then=f", {who[1]} {{1}} {{2}} often", ways=("more", "less"),
        none=f"No {noun} is shown to go with more or fewer wins",
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax


@CHARTS.draws("assumptions", "assumptions", optional=True)
def plot_assumptions(assumptions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much each assumed number and each switch moves the win rate, the most on top."""
    return draw_tornado(assumptions, ax=ax)


@CHARTS.draws("sources", "sources", optional=True, intervals=False)
def plot_sources(sources: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many entries of each kind are verified, reported and assumed."""
    rows = sources.iloc[::-1].reset_index(drop=True)
    names = [_KINDS.get(kind, kind.replace("_", " ")) for kind in rows["kind"]]
    ax = ax or new_axes(0.36 * len(rows), left=width_of(names))
    left = pd.Series(0.0, index=rows.index)
    for word, (colour, on_it) in _CONFIDENCES.items():
        share = rows[f"{word}_share"]
        ax.barh(rows.index, share, left=left, height=0.72, color=colour, label=word)
        for row, part in share.items():
            if part > 0.05:
                write_in(ax, row, left[row] + part / 2, str(rows[word][row]), on_it)
        left += share
    name_rows(ax, names, percent_tick, "entries of the data that can come up")
    ax.set_xlim(0, 1)
    share = rows.loc[rows["kind"] == "all", "verified_share"].max()
    finding = f"{percent(share)} of the data are verified"
    set_titles(ax, finding, "entries by kind, with their number", legend=True)
    return ax


def _draw_bars(
    rows: pd.DataFrame, ax: Axes | None, colours: Mapping[str, str], labels: Mapping[str, str]
) -> Axes:
    """Bars of ``per_game`` with their numbers, in groups with a colour each.

    ``rows`` have a ``label`` and a ``colour`` (a key of ``colours``), the topmost first, and a
    ``group``; groups stand apart.
    """
    rows = rows.iloc[::-1].reset_index(drop=True)
    steps = rows["group"].ne(rows["group"].shift()).cumsum() - 1
    heights = rows.index + _GROUPS_APART * steps
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
    ax = _draw_bars(rows, ax, _DIRECTIONS, labels)
    ax.set_xlabel("cheese in a game, on average")
    most = rows[rows["direction"] == "in"].nlargest(1, "per_game")
    told = [
        f"Most cheese came in by “{one.label}”: {one.per_game:.1f} in each of these games"
        for one in most.itertuples()
    ]
    finding = told[0] if told else "No cheese came in"
    set_titles(ax, finding, "a full wheel turns a page", legend=True)
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
    if rows.empty:
        return draw_nothing(ax, "No mouse was captured", "captures in a game")
    ax = _draw_bars(rows, ax, _SPLITS, labels)
    ax.set_xlabel("captures in a game, on average")
    often = rows[rows["split"] == "cause"]["per_game"].sum()
    set_titles(
        ax,
        f"Mice were captured {often:.2f} times on average in each of these games",
        "each turns a page; for a hero, in games of parties with them",
        legend=True,
    )
    return ax


def _captured(row: pd.Series) -> str:
    """What a row of the table of captures is about."""
    if row["split"] == "cause":
        return CAUSES.get(row["cause"], row["cause"])
    return hero_name(row[row["split"]])


@CHARTS.draws("dice", "dice", needs="luck_effect")
def plot_dice(dice: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How luck with the dice goes with winning: games with more successes than usual or fewer."""
    rows = dice.dropna(subset=["luck_effect"]).sort_values("luck_effect", ignore_index=True)
    bare = [f"{row.who}: {row.roll}, {row.symbol}" for row in rows.itertuples()]
    odds = [Fraction(row.expected).limit_denominator(6) for row in rows.itertuples()]
    names = [f"{name} ({share})" for name, share in zip(bare, odds, strict=True)]
    words = "win rate of games with lucky dice minus that of unlucky ones; in brackets the odds"
    return draw_effects(
        *(ax, rows, names, "luck_effect", words),
        said=bare,
        says="Games with lucky dice are won {1} {2} often ({0})",
        then="",
        none="No luck with the dice is shown to go with winning",
    )


@CHARTS.draws("initiative", "initiative", needs="win_effect")
def plot_initiative(initiative: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What the order of the first initiative track is worth, which is shuffled."""
    rows = initiative.dropna(subset=["win_effect"]).iloc[::-1].reset_index(drop=True)
    names = [_first(row) for _, row in rows.iterrows()]
    words = "win rate with this order minus that of the other games; drawn at random"
    return draw_effects(
        *(ax, rows, names, "win_effect", words),
        says="Games with {0} are won {1} {2} often",
        then=", those with {0} {1} {2} often",
        none="No order of the first initiative track is shown to matter",
    )


def _first(row: pd.Series) -> str:
    """What a row of the table of initiative is about."""
    if row["kind"] == "mice_ahead":
        mice = "mouse" if str(row["id"]) == "1" else "mice"
        return f"{row['id']} {mice} before minions"
    return f"{display_name(row['name'])} on top"
