"""One function per chart: ``plot_x(table, *, ax=None) -> Axes``.

Each takes one of the tables of `analysis.mindbug.analyze` and draws it as it is; nothing is
estimated here. Without ``ax`` a chart gets a figure of its own in the style of fairdeal, which a
notebook shows; with ``ax`` it is drawn there, in whatever style is set (see `theme.style`).

A chart is about one policy, or one pair of policies.  Choose it first where a table has several:
``plot_card_strength(cards[cards["policy"] == "greedy"])``.
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis.mindbug.card_strength import draws
from analysis.mindbug.registry import TABLES
from analysis.verdicts import LESS, MANY_DRAWS, MORE, NOT_SETTLED, SETTLED
from reports.kit.drawing import (
    LINE,
    ROW,
    Charts,
    by_verdict,
    check_one,
    draw_effects,
    draw_judged,
    draw_points,
    keep_off_legend,
    name_rows,
    new_axes,
    percent_tick,
    players_of,
    points_tick,
    set_titles,
    whiskers,
    width_in,
    width_of,
    write_beside,
    write_in,
    write_points,
)
from reports.kit.findings import effects
from reports.kit.theme import AMBER, BLUE, COOL, GREY, INK, LIGHT, MUTED, PAPER, WARM
from reports.kit.words import between, display_name, games, percent, points, points_text
from reports.mindbug.balance.text import mindbug_words, strength_title

_ENDING_WORDS = {
    "life": "a player's life was 0",
    "no_action": "a player could not act",
    "capped": "the turn limit was reached",
    "looped": "the effect limit was reached",
    "effect": "a card ended the game",
}
# Share of the games that ended whose lengths are shown; the few longest would stretch the axis.
_LENGTHS_SHOWN = 0.999
#: Endings that only cards bring about; where they did not there is no bar.
_RARE_ENDINGS = ("effect",)


# How far the points of a card in its two seats are from the middle of its row.
_APART = 0.17
_PLAYERS = 3.2  # inches for two players

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("card_strength", "cards", split_by="policy")
def plot_card_strength(cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """All cards by the win rate of the players dealt them, with intervals, strongest on top."""
    check_one(cards, "policy")
    cards = cards.sort_values(["dealt_win_rate", "name"], na_position="first", ignore_index=True)
    average = cards["dealt_win_rate"] - cards["advantage"]
    ends = {f"judged_ci_{end}": average + cards[f"advantage_ci_{end}"] for end in ("low", "high")}
    cards = cards.assign(**ends)
    names = [display_name(name) for name in cards["name"]]
    band = None if cards.empty else cards["band"].iloc[0]
    middle = average.median() if len(cards) else 0.5
    ax = draw_judged(
        ax, cards, names, "dealt_win_rate", by_verdict(cards["verdict"]),
        "games won by players dealt the card",
        interval="judged", number=percent, band=band, middle=middle,
    )  # fmt: skip
    words = f"{players_of(cards)}; {_band_words(cards)}"
    set_titles(ax, strength_title(cards), words, legend=True)
    return ax


@CHARTS.draws("mindbug_rate", "cards", split_by="policy")
def plot_mindbug_rate(cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """All cards by how often a Mindbug takes them, with intervals, the most wanted on top.

    The line is the rate of all plays together; a card whose interval leaves that out has a
    colour.
    """
    check_one(cards, "policy")
    cards = cards.dropna(subset=["mindbug_rate"])
    cards = cards.sort_values(["mindbug_rate", "name"], ignore_index=True)
    names = [display_name(name) for name in cards["name"]]
    plays, rates = cards["mindbug_n"], cards["mindbug_rate"]
    average = (rates * plays).sum() / max(plays.sum(), 1)
    words = mindbug_words(cards)
    groups = (
        ("more often than all", WARM, "^", words == MORE),
        ("less often", COOL, "v", words == LESS),
        (NOT_SETTLED, MUTED, "o", ~np.isin(words, SETTLED)),
    )
    quantity = "plays taken with a Mindbug"
    ax = draw_judged(
        ax, cards, names, "mindbug_rate", groups, quantity, number=percent, middle=average
    )
    _widen(ax, rates, least=0.1)
    told = f"{players_of(cards)}; plays from hand while the opponent had a Mindbug"
    wanted = cards[words == MORE].iloc[::-1]
    finding = "No card is shown to draw more Mindbugs than the others"
    if len(wanted):
        name, rate = names[wanted.index[0]], percent(wanted["mindbug_rate"].iloc[0])
        finding = (
            f"Opponents with a Mindbug take {name} on {rate} of plays,"
            f" any card on {percent(average)}"
        )
    set_titles(ax, finding, told, legend=True)
    return ax


@CHARTS.draws("keyword_effects", "keyword_effects", split_by="policy", optional=True)
def plot_keyword_effects(keyword_effects: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What adding and taking off each keyword does, by experiment: mean and spread over cards."""
    check_one(keyword_effects, "policy")
    rows = keyword_effects.sort_values(["kind", "effect"], ascending=[False, True])
    rows = rows.reset_index(drop=True)
    added = rows["kind"] == "add_keyword"
    names = [
        f"{row.change[1:]} {'added to' if row.kind == 'add_keyword' else 'taken off'}"
        f" {row.n_cards} {'card' if row.n_cards == 1 else 'cards'}"
        for row in rows.itertuples()
    ]
    ax = ax or new_axes(0.42 * max(len(rows), 1), left=width_of(names), right=0.75)
    ax.axvline(0, color=MUTED, linewidth=1)
    spread = rows["spread"].fillna(0)
    ax.barh(
        rows.index,
        2 * spread,
        left=rows["effect"] - spread,
        height=0.5,
        color=LIGHT,
        zorder=0,
        label="cards: mean ± spread",
    )
    for mine, label, look in (
        (rows[added], "added", {"color": BLUE, "marker": "^"}),
        (rows[~added], "taken off", {"color": AMBER, "marker": "v"}),
    ):
        if len(mine):
            draw_points(ax, mine, "effect", "effect", label=f"{label}, mean", **look)
    write_points(ax, rows["effect"], 1)
    quantity = "change of the win rate of players dealt the card, percentage points"
    name_rows(ax, names, points_tick, quantity)
    n_games = games(rows["n_games"].max()) if len(rows) else ""
    words = f"{players_of(rows)}; one card changed at a time, {n_games} each, the same deals"
    none = "No keyword is shown to change how often a card wins"
    words_of_rows = [row.change[1:] for row in rows.itertuples()]
    finding = effects(words_of_rows, rows.where(added), "effect", none=none)
    set_titles(ax, finding, f"{words}; by experiment", legend=True)
    return ax


@CHARTS.draws("keywords_observed", "keywords", split_by="policy")
def plot_keywords_observed(keywords: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How players fare with one more dealt card that has each keyword, at the same total power."""
    check_one(keywords, "policy")
    rows = keywords.drop_duplicates("keyword").sort_values("effect", ignore_index=True)
    words = f"{players_of(rows)}; one more card with the keyword, same total power; observed"
    return draw_effects(
        *(ax, rows, [*rows["keyword"]], "effect", words),
        says="Players with one more {0} card win {1} {2}",
        then=", with one more {0} card {1} {2}",
        none="No keyword is shown to go with more or fewer wins",
    )


@CHARTS.draws("first_player", "first_player")
def plot_first_player(first_player: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of games won by the player who starts, a bar for each pair of policies.

    Where many games have no winner, won, drawn and lost games have a part of the bar each.
    """
    rows = first_player.iloc[::-1].reset_index(drop=True)
    names = [_pairing(row.policy_first, row.policy_second) for row in rows.itertuples()]
    drawn = bool((rows["draw_rate"] >= MANY_DRAWS).any())
    if drawn:
        names = [
            f"{name}\n{_results(row)}" for name, row in zip(names, rows.itertuples(), strict=True)
        ]
    lines = [line for name in names for line in name.split("\n")]
    ax = ax or new_axes(
        0.25 + (0.85 if drawn else 0.55) * len(rows), left=width_of(lines, _PLAYERS)
    )
    (_draw_results if drawn else _draw_rates)(ax, rows)
    ax.set_yticks(rows.index, names, parse_math=False)
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.5, len(rows) - 0.5)
    ax.grid(visible=False)
    ax.xaxis.set_major_formatter(percent_tick)
    ax.set_xlabel("games" if drawn else "games won")
    words = "of all games, drawn ones included" if drawn else "a draw counts one half"
    set_titles(ax, _first_finding(rows.iloc[-1], drawn), words, legend=True)
    return ax


@CHARTS.draws("card_seats", "card_seats", split_by="policy")
def plot_card_seats(card_seats: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Games won with each card going first and second; on top who profits most from going first."""
    check_one(card_seats, "policy")
    cards = card_seats.sort_values(["gain", "name"], na_position="first", ignore_index=True)
    names = [display_name(name) for name in cards["name"]]
    ax = ax or new_axes(ROW * len(cards), left=width_of(names), right=1.1)
    for seat, label, colour, marker, above in (
        ("first", "the player dealt it starts", BLUE, "^", _APART),
        ("second", "the other player starts", AMBER, "v", -_APART),
    ):
        ax.axvline(cards[f"average_{seat}_win_rate"].median(), color=colour, linewidth=1, zorder=1)
        rate = f"{seat}_win_rate"
        look = {"color": colour, "marker": marker, "markersize": 6, "label": label}
        draw_points(ax, cards.set_index(cards.index + above), rate, rate, **look)
    for row, card in cards.iterrows():
        word = f" {card['verdict']}" if card["verdict"] in SETTLED else ""
        write_beside(ax, row, f"{points(card['gain'])}{word}")
    quantity = "games won by players dealt the card; lines: the average card"
    name_rows(ax, names, percent_tick, quantity, margin=0.7)
    words = f"{players_of(cards)}; right: what going first adds, beyond the average card's"
    finding = effects(
        names, cards, "gain", shown=cards["verdict"].isin(SETTLED),
        says="Going {2} gives {0} {1} more than the average card",
        then=", going {2} {0} {1}", ways=("first", "second"),
        none="No card is shown to depend on who goes first",
    )  # fmt: skip
    set_titles(ax, finding, words, legend=True)
    return ax


def _first_finding(row: pd.Series, drawn: bool) -> str:
    """How often the player who starts wins, in the topmost row."""
    rate = percent(row["first_player_win_rate"])
    if row["ci_low"] <= 0.5 <= row["ci_high"]:
        return f"No advantage of going first is shown: the player who starts wins {rate}"
    told = _results(row).replace("\n", " ") if drawn else f"wins {rate} of the games"
    return f"The player who starts {told}"


def _draw_rates(ax: Axes, rows: pd.DataFrame) -> None:
    """What the player who starts wins, and the other player, with numbers in the bars."""
    rates = rows["first_player_win_rate"]
    ax.barh(rows.index, rates, color=BLUE, height=0.62, label="player who starts")
    ax.barh(rows.index, 1 - rates, left=rates, color=LIGHT, height=0.62, label="other player")
    ax.errorbar(rates, rows.index, xerr=whiskers(rows, "first_player_win_rate"), color=INK, **LINE)
    ax.axvline(0.5, color=INK, linewidth=1, linestyle=(0, (3, 3)), zorder=4)
    for row in rows.itertuples():
        rate = row.first_player_win_rate
        mine, theirs = percent(rate), percent(1 - rate)
        told = f"{mine} ({between(row.ci_low, row.ci_high)})"
        # Each in its own bar, or beside the end of it where that is too short; the other player's,
        # which follows from the first, only where there is room for it.
        if width_in(ax, told) > rate and width_in(ax, told + theirs) > 1 - rate:
            told = mine
        inside = width_in(ax, told) <= rate
        if inside:
            write_in(ax, row.Index, 0.012, told, PAPER, "left")
        else:
            write_in(ax, row.Index, rate + 0.012, told, INK, "left")
        if width_in(ax, theirs) <= 1 - rate - (0 if inside else width_in(ax, told)):
            write_in(ax, row.Index, 0.988, theirs, INK, "right")
        elif width_in(ax, theirs) <= rate - (width_in(ax, told) if inside else 0):
            write_in(ax, row.Index, rate - 0.012, theirs, PAPER, "right")


def _draw_results(ax: Axes, rows: pd.DataFrame) -> None:
    """What the player who starts wins, draws and loses, with the intervals of both ends."""
    won, lost = rows["won_rate"], rows["lost_rate"]
    for rates, left, colour, label in (
        (won, 0 * won, BLUE, "player who starts wins"),
        (rows["draw_rate"], won, GREY, "draw"),
        (lost, 1 - lost, AMBER, "other player wins"),
    ):
        ax.barh(rows.index, rates, left=left, color=colour, height=0.62, label=label)
    for ends, result in ((won, "won_rate"), (1 - lost, "lost_rate")):
        lengths = whiskers(rows, result, result)
        lengths = lengths if result == "won_rate" else lengths[::-1]
        ax.errorbar(ends, rows.index, xerr=lengths, color=INK, **LINE)


def _results(row: Any) -> str:
    """What the player who starts wins, draws and loses."""
    rates = (percent(rate) for rate in (row.won_rate, row.draw_rate, row.lost_rate))
    return "wins {}, draws {},\nloses {}".format(*rates)


def _pairing(first: str, second: str) -> str:
    """Who starts against whom, on two lines where one is too long."""
    line = f"{first} against {second}"
    if display_name(line) == line:
        return line
    return f"{display_name(first)}\nagainst {display_name(second)}"


@CHARTS.draws("game_length", "turns", split_by="policy_first", intervals=False)
def plot_game_length(turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of games by number of turns, split by who won; games that were stopped are left out."""
    check_one(turns, "policy_first")
    total, stopped = turns["n_games"].sum(), turns["stopped"].sum()
    drawn = turns["drawn"] - turns["stopped"]
    ended = turns.assign(drawn=drawn, n=turns["won"] + turns["lost"] + drawn)
    ended = ended[ended["n"] > 0]
    up_to = ended["n"].cumsum() / max(ended["n"].sum(), 1)
    shown = ended[up_to.shift(fill_value=0) < _LENGTHS_SHOWN]
    ax = ax or new_axes(3.6, left=0.85)
    below = np.zeros(len(shown))
    for column, colour, label in (
        ("won", BLUE, "won by the player who started"),
        ("lost", AMBER, "won by the other player"),
        ("drawn", GREY, "draw"),
    ):
        if column == "drawn" and not drawn.any():
            continue
        height = shown[column] / total
        ax.bar(shown["turns"], height, bottom=below, width=0.82, color=colour, label=label)
        below += height
    if len(shown):
        median = ended.loc[up_to >= 0.5, "turns"].min()
        ax.axvline(median, color=INK, linewidth=1, linestyle=(0, (3, 3)))
        ax.annotate(
            f"median {median}",
            (median, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -11),
            textcoords="offset points",
        )
    ax.grid(axis="x", visible=False)
    ax.margins(x=0.01)
    ax.set_ylim(0, 1.1 * max((shown["n"] / total).max(), 1e-9) if len(shown) else 1)
    keep_off_legend(ax)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(percent_tick)
    ax.set_xlabel("turns in the game")
    ax.set_ylabel("games")
    words = "; extra turns count"
    if stopped:
        share = percent(stopped / total, 1 if stopped >= 0.001 * total else 3)
        words = f"; without the {share} that were stopped"
    elif (longest := ended["turns"].max()) != shown["turns"].max():
        words += f"; the longest took {longest} turns"
    finding = f"Half of these games took at most {median} turns" if len(shown) else "No game ended"
    set_titles(ax, finding, f"{players_of(turns)}{words}", legend=True)
    return ax


@CHARTS.draws("endings", "outcomes", split_by="policy_first", intervals=False)
def plot_endings(outcomes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How games ended, and who had won."""
    check_one(outcomes, "policy_first")
    shown = (outcomes["ended"] > 0) | ~outcomes["ending"].isin(_RARE_ENDINGS)
    first = outcomes[shown & (outcomes["seat"] == "first")].iloc[::-1].reset_index(drop=True)
    names = [_ENDING_WORDS[ending] for ending in first["ending"]]
    ax = ax or new_axes(0.5 * len(first), left=width_of(names), right=0.95)
    left = np.zeros(len(first))
    for column, colour, label in (
        ("won", BLUE, "won by the player who started"),
        ("lost", AMBER, "won by the other player"),
        ("drawn", GREY, "draw"),
    ):
        width = first[column] / first["n_games"]
        if column == "drawn" and not width.any():
            continue
        ax.barh(first.index, width, left=left, height=0.62, color=colour, label=label)
        left += width
    for row in first.itertuples():
        few = row.ended_rate < 0.0005
        text = games(row.ended) if few else percent(row.ended_rate)
        write_beside(ax, row.Index, text)
    ax.set_yticks(first.index, names)
    ax.set_xlim(0, max(1e-9, 1.02 * first["ended_rate"].max()))
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(percent_tick)
    ax.set_xlabel("games")
    told = [
        f"{percent(one.ended_rate)} of these games ended when {_ENDING_WORDS[one.ending]}"
        for one in first.dropna(subset="ended_rate").nlargest(1, "ended_rate").itertuples()
    ]
    set_titles(ax, next(iter(told), "No game ended"), players_of(outcomes), legend=True)
    return ax


def _band_words(cards: pd.DataFrame) -> str:
    """What the shaded range means."""
    if cards.empty:
        return ""
    scores = "a draw counts one half; " if draws(cards) >= MANY_DRAWS else ""
    fair = points_text(cards["band"].iloc[0])
    return f"{scores}shaded: within {fair} of the average, which is fair"


def _widen(ax: Axes, values: pd.Series, *, least: float) -> None:
    """Let the horizontal axis span at least ``least``, so that mere luck does not look large."""
    low, high = ax.get_xlim()
    if high - low < least and len(values):
        middle = (values.min() + values.max()) / 2
        ax.set_xlim(middle - least / 2, middle + least / 2)
