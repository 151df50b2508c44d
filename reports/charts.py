"""One function per chart: ``plot_x(table, *, ax=None) -> Axes``.

Each takes one of the tables of `analysis.analyze` or `analysis.ladder` and draws it as it is;
nothing is estimated here.
Without ``ax`` a chart gets a figure of its own in the style of balancelab, which a notebook shows;
with ``ax`` it is drawn there, in whatever style is set (see `theme.style`).

A chart is about one policy, or one pair of policies.  Choose it first where a table has several:
``plot_card_strength(cards[cards["policy"] == "greedy"])``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from analysis.views import STAGES, STRONG, VERDICTS, WEAK
from reports import theme
from reports.theme import AMBER, BAND, BLUE, GREY, GRID, INK, LIGHT, MUTED, ORANGE, PAPER, WIDTH
from simcore.run_folder import writing

# Inches around the axes of a new figure: titles above, axis label and caption below.
_TOP, _LEGEND, _BOTTOM, _RIGHT = 0.78, 0.27, 0.92, 0.3
_ROW = 0.27  # inches for a card in a list
_LINE: dict[str, Any] = {"elinewidth": 1.6, "capsize": 0, "linestyle": "none", "zorder": 3}
# Cards of a scatter that are named: more names hide the points.
_MOST_NAMED = 40
# Points of room beside a name, and above and below it.
_BESIDE_NAME, _ABOVE_NAME = 3, 1.5
# Where a name may stand beside its point, in order of preference: points away, and direction.
_DISTANCES = (7, 16, 24, 34)
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
_ENDING_WORDS = {
    "life": "a player's life was 0",
    "no_action": "a player had no action",
    "capped": "stopped: too many turns",
    "looped": "stopped: too many effects",
    "effect": "a card ended the game",
}
#: Endings that only cards bring about; where they did not there is no bar.
_RARE_ENDINGS = ("effect",)
_STAGE_MARKS = ((BLUE, "o"), (AMBER, "s"), (ORANGE, "D"))
_QUANTITY_WORDS = {
    "actions": "Actions used",
    "boosted": "boosts",
    "dice": "dice rolled",
    "energy": "energy gained",
    "power_bought": "power cards bought",
}
# Players of a matrix beyond which there is room for whole per cent alone.
_MOST_INTERVALS = 7
# Numbers in a game that are shown together: from, to.
_RANGES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, None))


def plot_card_strength(cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """All cards by the win rate of the players dealt them, with intervals, strongest on top."""
    _check_one(cards, "policy")
    cards = cards.sort_values(["dealt_win_rate", "name"], na_position="first", ignore_index=True)
    names = [theme.display_name(name) for name in cards["name"]]
    with _style_for(ax):
        ax = ax or _new_axes(_ROW * len(cards), left=_width_of(names), right=0.75)
        _draw_band(ax, cards)
        for verdict, mine in _by_verdict(cards):
            colour, marker = theme.VERDICT_MARKS[verdict]
            ax.errorbar(
                mine["dealt_win_rate"],
                mine.index,
                xerr=_whiskers(mine, "dealt_win_rate", "dealt"),
                color=colour,
                marker=marker,
                markersize=7,
                label=f"{verdict} ({len(mine)})",
                **_LINE,
            )
        for row, rate in cards["dealt_win_rate"].items():
            _write_beside(ax, row, theme.percent(rate))
        _name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games won by players dealt the card")
        words = f"{_players(cards)}; {_band_words(cards)}"
        _set_titles(ax, "What each card is worth", words, legend=True)
    return ax


def plot_mindbug_rate(cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often each card draws a Mindbug, against its strength; cards are labelled by name."""
    _check_one(cards, "policy")
    cards = cards.dropna(subset=["dealt_win_rate", "mindbug_rate"]).reset_index(drop=True)
    with _style_for(ax):
        ax = ax or _new_axes(6.2, left=0.95)
        _draw_band(ax, cards)
        ax.errorbar(
            cards["dealt_win_rate"],
            cards["mindbug_rate"],
            xerr=_whiskers(cards, "dealt_win_rate", "dealt"),
            yerr=_whiskers(cards, "mindbug_rate", "mindbug_rate"),
            ecolor=GRID,
            **{**_LINE, "elinewidth": 1.4, "zorder": 2},
        )
        for verdict, mine in _by_verdict(cards):
            colour, marker = theme.VERDICT_MARKS[verdict]
            ax.plot(
                mine["dealt_win_rate"],
                mine["mindbug_rate"],
                color=colour,
                marker=marker,
                markersize=7,
                linestyle="none",
                zorder=3,
                label=verdict,
            )
        ax.margins(y=0.12)  # room for the names of cards at 0 % and 100 %
        _widen(ax, cards["mindbug_rate"], least=0.02)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.yaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games won by players dealt the card")
        ax.set_ylabel("plays taken with a Mindbug")
        words = f"{_players(cards)}; plays from hand with a Mindbug left"
        _set_titles(ax, "Which cards draw Mindbugs", words, legend=True)
        _label_points(ax, _far_first(cards))
    return ax


def plot_first_player(first_player: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of games won by the player who starts, a bar for each pair of policies."""
    rows = first_player.iloc[::-1].reset_index(drop=True)
    names = [
        theme.display_name(f"{row.policy_first} against {row.policy_second}")
        for row in rows.itertuples()
    ]
    with _style_for(ax):
        ax = ax or _new_axes(0.25 + 0.55 * len(rows), left=_width_of(names))
        rates = rows["first_player_win_rate"]
        ax.barh(rows.index, rates, color=BLUE, height=0.62, label="player who starts")
        ax.barh(rows.index, 1 - rates, left=rates, color=LIGHT, height=0.62, label="other player")
        ax.errorbar(
            rates, rows.index, xerr=_whiskers(rows, "first_player_win_rate"), color=INK, **_LINE
        )
        ax.axvline(0.5, color=INK, linewidth=1, linestyle=(0, (3, 3)), zorder=4)
        for row in rows.itertuples():
            rate = theme.percent(row.first_player_win_rate)
            interval = theme.between(row.ci_low, row.ci_high)
            _write_in(ax, row.Index, 0.012, f"{rate} ({interval})", PAPER, "left")
            other = theme.percent(1 - row.first_player_win_rate)
            _write_in(ax, row.Index, 0.988, other, INK, "right")
        ax.set_yticks(rows.index, names, parse_math=False)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.5, len(rows) - 0.5)
        ax.grid(visible=False)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games won")
        _set_titles(ax, "Going first", "a draw counts one half", legend=True)
    return ax


def plot_game_length(turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of games by number of turns, split by who won."""
    _check_one(turns, "policy_first")
    total = turns["n_games"].sum()
    median = turns.loc[turns["cumulative_share"] >= 0.5, "turns"].min()
    shown = turns[turns["cumulative_share"].shift(fill_value=0) < 0.999]
    with _style_for(ax):
        ax = ax or _new_axes(3.6, left=0.85)
        below = np.zeros(len(shown))
        for column, colour, label in (
            ("won", BLUE, "won by the player who started"),
            ("lost", AMBER, "won by the other player"),
            ("drawn", GREY, "draw"),
        ):
            if column == "drawn" and not turns["drawn"].any():
                continue
            height = shown[column] / total
            ax.bar(shown["turns"], height, bottom=below, width=0.82, color=colour, label=label)
            below += height
        ax.axvline(median, color=INK, linewidth=1, linestyle=(0, (3, 3)))
        ax.annotate(
            f"median {median}",
            (median, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -11),
            textcoords="offset points",
            fontsize=10.5,
        )
        ax.grid(axis="x", visible=False)
        ax.margins(x=0.01)
        ax.set_ylim(0, 1.1 * max(shown["share"].max(), 1e-9))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("turns in the game")
        ax.set_ylabel("games")
        longest = turns["turns"].max()
        rest = "" if longest == shown["turns"].max() else f"; the longest took {longest} turns"
        _set_titles(
            ax, "How long games last", f"{_players(turns)}; extra turns count{rest}", legend=True
        )
    return ax


def plot_keyword_effects(keywords: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What one more dealt card with each keyword is worth at the same total power."""
    _check_one(keywords, "policy")
    rows = keywords.drop_duplicates("keyword").sort_values("effect", ignore_index=True)
    with _style_for(ax):
        ax = _draw_effects(ax, rows, rows["keyword"], 1)
        words = f"{_players(rows)}; one more dealt card with it, same total power"
        _set_titles(ax, "What a keyword is worth", words)
    return ax


def plot_endings(outcomes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How games ended, and who had won."""
    _check_one(outcomes, "policy_first")
    shown = (outcomes["ended"] > 0) | ~outcomes["ending"].isin(_RARE_ENDINGS)
    first = outcomes[shown & (outcomes["seat"] == "first")].iloc[::-1].reset_index(drop=True)
    names = [_ENDING_WORDS[ending] for ending in first["ending"]]
    with _style_for(ax):
        ax = ax or _new_axes(0.5 * len(first), left=_width_of(names), right=0.95)
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
            text = f"{theme.count(row.ended)} games" if few else theme.percent(row.ended_rate)
            _write_beside(ax, row.Index, text)
        ax.set_yticks(first.index, names)
        ax.set_xlim(0, max(1e-9, 1.02 * first["ended_rate"].max()))
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games")
        _set_titles(ax, "How games end", _players(outcomes), legend=True)
    return ax


def plot_set_effects(sets: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What one more dealt card of each set is worth, instead of a card of the other sets."""
    _check_one(sets, "policy")
    rows = sets.sort_values("effect", ignore_index=True)
    names = [theme.display_name(name) for name in rows["name"]]
    with _style_for(ax):
        ax = _draw_effects(ax, rows, names, 2)
        words = f"{_players(rows)}; one of the ten cards from it instead of from another set"
        _set_titles(ax, "What the cards of a set are worth", words)
    return ax


def plot_stage_shares(stages: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How far the cards of each evolution line came, of those dealt."""
    _check_one(stages, "policy")
    lines, names = _lines_of(stages)
    with _style_for(ax):
        ax = ax or _new_axes(0.36 * len(lines), left=_width_of(names))
        left = np.zeros(len(lines))
        for stage, colour in enumerate((LIGHT, *(colour for colour, _ in _STAGE_MARKS))):
            share = _of_stage(stages, lines, stage)["share"].to_numpy()
            ax.barh(range(len(lines)), share, left=left, height=0.66, color=colour)
            ax.containers[-1].set_label(STAGES[stage])
            for row in np.flatnonzero(share >= 0.05).tolist():
                ink = PAPER if colour in (BLUE, ORANGE) else INK
                _write_in(ax, row, left[row] + share[row] / 2, f"{100 * share[row]:.0f}", ink)
            left += np.nan_to_num(share)
        ax.set_yticks(range(len(lines)), names, parse_math=False)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.6, len(lines) - 0.4)
        ax.grid(visible=False)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("cards of the line that were dealt")
        words = f"{_players(stages)}; the highest stage in play in a game"
        _set_titles(ax, "How far cards evolve", words, legend=True)
    return ax


def plot_stage_win_rates(stages: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Win rate of the players under whose control a card came, by its highest stage in play."""
    _check_one(stages, "policy")
    lines, names = _lines_of(stages)
    with _style_for(ax):
        ax = ax or _new_axes(0.5 * len(lines), left=_width_of(names))
        for row in range(0, len(lines), 2):
            ax.axhspan(row - 0.5, row + 0.5, color=BAND, linewidth=0, zorder=0)
        for number, (colour, marker) in enumerate(_STAGE_MARKS):
            mine = _of_stage(stages, lines, number + 1)
            known = mine["entered_win_rate"].notna().to_numpy()
            ax.errorbar(
                mine.loc[known, "entered_win_rate"],
                np.flatnonzero(known) + 0.26 * (1 - number),
                xerr=_whiskers(mine[known], "entered_win_rate", "entered"),
                color=colour,
                marker=marker,
                markersize=6.5,
                label=STAGES[number + 1],
                **_LINE,
            )
        _mark_half(ax)
        _name_rows(ax, names)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games won by the player who played it or took it with a Mindbug")
        words = f"{_players(stages)}; by its highest stage; observed, not caused"
        _set_titles(ax, "Who wins with an evolved card", words, legend=True)
    return ax


def plot_dice(dice: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Share of each face of the die, against six equally likely faces."""
    _check_one(dice, "policy")
    rows = dice.iloc[::-1].reset_index(drop=True)
    with _style_for(ax):
        ax = ax or _new_axes(0.42 * max(len(rows), 1), left=_width_of(rows["face"]), right=0.85)
        _draw_points(ax, rows, "share", "share", label="measured")
        ax.axvline(
            rows["expected"].iloc[0],
            color=INK,
            linewidth=1,
            linestyle=(0, (3, 3)),
            label="a die by itself: one in six",
        )
        for row, share in rows["share"].items():
            _write_beside(ax, row, theme.percent(share, 2))
        low, high = ax.get_xlim()
        reach = max(0.01, 1.1 * max(1 / 6 - low, high - 1 / 6))
        ax.set_xlim(1 / 6 - reach, 1 / 6 + reach)
        _name_rows(ax, rows["face"])
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("dice with this last result")
        words = f"{_players(dice)}; {theme.count(rows['dice'].iloc[0])} dice, after rerolls"
        _set_titles(ax, "What the dice show", words, legend=True)
    return ax


def plot_power_cards(power_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Win rate of the players who bought each power card."""
    _check_one(power_cards, "policy")
    rows = power_cards.sort_values(
        ["bought_win_rate", "name"], na_position="first", ignore_index=True
    )
    names = [
        f"{theme.display_name(name)} ({cost})"
        for name, cost in zip(rows["name"], rows["cost"], strict=True)
    ]
    with _style_for(ax):
        height = _ROW * (len(rows) + 1)
        ax = ax or _new_axes(height, left=_width_of(names), right=1.85, legend=False)
        _draw_points(ax, rows, "bought_win_rate", "bought", markersize=7)
        _mark_half(ax)
        for row in rows.itertuples():
            _write_beside(ax, row.Index, theme.percent(row.bought_win_rate))
            _write_beside(ax, row.Index, theme.percent(row.bought_share), away=68)
        for heading, away in (("won", 8), ("bought by", 68)):
            _write_beside(ax, len(rows) - 0.1, heading, away=away)
        _name_rows(ax, names, margin=0.7)
        ax.set_ylim(top=len(rows) + 0.5)  # room for the headings of the columns
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games won by players who bought it")
        words = f"{_players(rows)}; cost in brackets; observed, not caused"
        _set_titles(ax, "Who wins with a power card", words)
    return ax


def plot_per_game(per_game: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much there is in a game of what the pool has, such as Actions, boosts and dice."""
    _check_one(per_game, "policy")
    quantities = list(per_game["quantity"].unique())[::-1]
    names = [_QUANTITY_WORDS[quantity] for quantity in quantities]
    with _style_for(ax):
        ax = ax or _new_axes(0.5 * len(quantities), left=_width_of(names))
        left = np.zeros(len(quantities))
        for number, (low, high) in enumerate(_RANGES):
            within = per_game["number"].between(low, np.inf if high is None else high)
            share = per_game[within].groupby("quantity")["share"].sum()
            share = share.reindex(quantities, fill_value=0).to_numpy()
            label = f"{low}+" if high is None else str(low) if low == high else f"{low}–{high}"
            strength = number / (len(_RANGES) - 1)
            ax.barh(
                range(len(quantities)),
                share,
                left=left,
                height=0.66,
                color=BLUE if number else LIGHT,
                alpha=strength if number else 1,
                label=label,
            )
            for row in np.flatnonzero(share >= 0.05).tolist():
                ink = PAPER if strength > 0.7 else INK
                _write_in(ax, row, left[row] + share[row] / 2, f"{100 * share[row]:.0f}", ink)
            left += share
        ax.set_yticks(range(len(quantities)), names)
        ax.set_xlim(0, 1)
        ax.set_ylim(-0.6, len(quantities) - 0.4)
        ax.grid(visible=False)
        ax.xaxis.set_major_formatter(_percent_tick)
        ax.set_xlabel("games")
        words = f"{_players(per_game)}; games by how many there were, both players together"
        _set_titles(ax, "How much of it there is in a game", words, legend=True)
    return ax


def plot_ratings(ratings: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The players of a ladder by their rating, with intervals, the best on top."""
    rows = ratings.iloc[::-1].reset_index(drop=True)
    names = [theme.display_name(name) for name in rows["player"]]
    with _style_for(ax):
        ax = ax or _new_axes(0.42 * len(rows), left=_width_of(names), right=0.75, legend=False)
        ax.axvline(0, color=MUTED, linewidth=1)
        ax.errorbar(
            rows["elo"],
            rows.index,
            xerr=_whiskers(rows, "elo", "elo"),
            color=BLUE,
            marker="o",
            markersize=7,
            **_LINE,
        )
        for row, elo in rows["elo"].items():
            _write_beside(ax, row, theme.elo(elo))
        ax.set_yticks(rows.index, names, parse_math=False)
        ax.set_ylim(-0.6, len(rows) - 0.4)
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_formatter(lambda value, _: theme.elo(value))
        ax.set_xlabel("rating in Elo; the mean of these players is 0")
        words = "of two players 100 Elo apart the better scores 64 %, 400 apart 91 %"
        _set_titles(ax, "How strong the players are", words.replace(" %", "\N{NO-BREAK SPACE}%"))
    return ax


def plot_win_matrix(pairs: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Score of each player of a ladder against each other, the best on top and to the left."""
    back = {"player": "opponent", "opponent": "player", "ci_low": "ci_high", "ci_high": "ci_low"}
    other = pairs.rename(columns=back)
    turned = {end: 1 - other[end] for end in ("score", "ci_low", "ci_high")}
    other = other.assign(**turned, elo_difference=-pairs["elo_difference"])
    both = pd.concat([pairs, other], ignore_index=True)
    lead = both.groupby("player", sort=False)["elo_difference"].mean()
    players = list(lead.sort_values(ascending=False, kind="stable").index)
    names = [f"{theme.display_name(name)}  {place}" for place, name in enumerate(players, 1)]
    height = 0.4 if len(players) > _MOST_INTERVALS else 0.58
    with _style_for(ax):
        ax = ax or _new_axes(height * len(players), left=_width_of(names), legend=False)
        for place in range(len(players)):
            ax.add_patch(_box(place, place, BAND))
        for row in both.itertuples():
            x, y = players.index(row.opponent), players.index(row.player)
            strength = 2 * abs(row.score - 0.5)
            ax.add_patch(_box(x, y, BLUE if row.score >= 0.5 else ORANGE, strength))
            ink = PAPER if strength > 0.8 else INK
            if len(players) > _MOST_INTERVALS:
                _write_in(ax, y, x, f"{100 * row.score:.0f}", ink)
            else:
                _write_in(ax, y - 0.12, x, f"{100 * row.score:.1f}", ink)
                interval = f"{100 * row.ci_low:.1f}–{100 * row.ci_high:.1f}"
                ax.text(x, y + 0.26, interval, color=ink, ha="center", va="center", fontsize=9.5)
        ax.set_xticks(range(len(players)), [str(place) for place in range(1, len(players) + 1)])
        ax.set_yticks(range(len(players)), names, parse_math=False)
        ax.set_xlim(-0.5, len(players) - 0.5)
        ax.set_ylim(len(players) - 0.5, -0.5)
        ax.grid(visible=False)
        ax.set_xlabel("opponent")
        words = "per cent of the games that the player of the row wins, draws half"
        _set_titles(ax, "Who beats whom", words)
    return ax


class Chart(NamedTuple):
    """A chart of the report: its function, its table, and the column that must not be mixed.

    An ``optional`` chart is left out where the pool does not have what it shows.
    """

    plot: Callable[..., Axes]
    table: str
    split_by: str = ""
    optional: bool = False


#: The charts of a report by the names of their files.
CHARTS = {
    "card_strength": Chart(plot_card_strength, "cards", "policy"),
    "mindbug_rate": Chart(plot_mindbug_rate, "cards", "policy"),
    "keyword_effects": Chart(plot_keyword_effects, "keywords", "policy"),
    "first_player": Chart(plot_first_player, "first_player"),
    "game_length": Chart(plot_game_length, "turns", "policy_first"),
    "endings": Chart(plot_endings, "outcomes", "policy_first"),
    "set_effects": Chart(plot_set_effects, "sets", "policy", optional=True),
    "stage_shares": Chart(plot_stage_shares, "stages", "policy", optional=True),
    "stage_win_rates": Chart(plot_stage_win_rates, "stages", "policy", optional=True),
    "per_game": Chart(plot_per_game, "per_game", "policy", optional=True),
    "dice": Chart(plot_dice, "dice", "policy", optional=True),
    "power_cards": Chart(plot_power_cards, "power_cards", "policy", optional=True),
}

#: The charts of a ladder.
LADDER_CHARTS = {
    "ratings": Chart(plot_ratings, "ratings"),
    "win_matrix": Chart(plot_win_matrix, "pairs"),
}


def write_figures(
    tables: Mapping[str, pd.DataFrame],
    folder: Path,
    *,
    caption: str,
    charts: Mapping[str, Chart] = CHARTS,
) -> dict[str, dict[str, Path]]:
    """Draw all ``charts`` into ``folder`` as SVG, PNG and PDF: the same bytes for the same tables.

    ``caption`` says what was played; it is written under every chart.  Returns for each chart its
    files, without suffix, by the policy that they are about ("" if about all).
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, dict[str, Path]] = {}
    for name, (plot, table, split_by, optional) in charts.items():
        written[name] = {}
        if optional and tables[table].empty:
            continue
        pieces = {"": tables[table]}
        if split_by and tables[table][split_by].nunique() > 1:
            pieces = dict(list(tables[table].groupby(split_by, sort=False)))
        for policy, piece in pieces.items():
            words = {"policy": f"{policy} only · ", "policy_first": f"{policy} starts · "}
            path = written[name][policy] = folder / f"{name}{suffix_of(policy)}"
            with theme.off_screen(), theme.style():
                axes = plot(piece)
                theme.add_caption(axes, words.get(split_by, "") * bool(policy) + caption)
                theme.write_figure(theme.figure_of(axes), path)
    return written


def suffix_of(policy: str) -> str:
    """What the name of the file of a chart ends with that is about one policy; "" if about all."""
    return re.sub(r"\W+", "-", f"_{policy}") if policy else ""


def _percent_tick(value: float, _: float) -> str:
    """A share at an axis: 0.505 -> "50.5 %"."""
    return f"{round(100 * value, 4):g}\N{NO-BREAK SPACE}%"


def _points_tick(value: float, _: float) -> str:
    """A difference at an axis: -0.005 -> "−0.5"."""
    text = f"{round(100 * value, 4):+g}".replace("-", "\N{MINUS SIGN}")
    return "0" if value == 0 else text


def _style_for(ax: Axes | None) -> AbstractContextManager[None]:
    """The style of balancelab for a new figure; for given axes whatever is set."""
    return theme.style() if ax is None else nullcontext()


def _new_axes(
    height: float,
    *,
    left: float,
    right: float = _RIGHT,
    bottom: float = _BOTTOM,
    legend: bool = True,
) -> Axes:
    """Axes of that height on a figure of their own; all in inches."""
    total = height + _TOP + legend * _LEGEND + bottom
    figure = theme.new_figure(total)
    return figure.add_axes(
        (left / WIDTH, bottom / total, 1 - (left + right) / WIDTH, height / total)
    )


def _width_of(names: Iterable[str]) -> float:
    """Inches that the longest of some tick labels needs, within reason."""
    font = FontProperties(family=theme.FONT, size=theme.TICK_SIZE)
    return 0.35 + min(max((theme.text_size(name, font)[0] for name in names), default=0) / 72, 3.0)


def _check_one(table: pd.DataFrame, column: str) -> None:
    """Raise ValueError for a table about several policies."""
    if len(found := table[column].unique()) > 1:
        raise ValueError(
            f"the table is about several policies ({', '.join(map(str, found))}), which a chart"
            f" never mixes; choose one: table[table[{column!r}] == {found[0]!r}]"
        )


def _set_titles(ax: Axes, title: str, subtitle: str, *, legend: bool = False) -> None:
    """Title, subtitle and legend above the axes, from the left edge if the figure has no others."""
    box, owned = ax.get_position(), len(theme.figure_of(ax).axes) == 1
    x = (0.012 - box.x0) / box.width if owned else 0.0
    above = 30 if legend else 10
    if legend and ax.get_legend_handles_labels()[0]:
        ax.legend(loc="lower left", bbox_to_anchor=(x, 1.0), ncols=6)
    ax.set_title(title, loc="left", x=x, y=1.0, pad=above + 20, parse_math=False)
    ax.annotate(
        subtitle,
        (x, 1),
        xycoords="axes fraction",
        xytext=(0, above),
        textcoords="offset points",
        color=MUTED,
        parse_math=False,
    )


def _whiskers(table: pd.DataFrame, estimate: str, name: str = "") -> np.ndarray:
    """Lengths of the lower and upper whisker, shape (2, n_rows)."""
    low, high = (f"{name}_{end}" if name else end for end in ("ci_low", "ci_high"))
    return np.array([table[estimate] - table[low], table[high] - table[estimate]])


def _draw_points(ax: Axes, rows: pd.DataFrame, estimate: str, name: str, **look: Any) -> None:
    """A point with its interval for each row, the first one at the bottom."""
    settings: dict[str, Any] = {"color": BLUE, "marker": "o", "markersize": 8} | _LINE | look
    ax.errorbar(rows[estimate], rows.index, xerr=_whiskers(rows, estimate, name), **settings)


def _name_rows(ax: Axes, names: Iterable[str], *, margin: float = 0.6) -> None:
    """A name beside each row, with so much room below the first and above the last."""
    names = list(names)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(-margin, len(names) - 1 + margin)
    ax.grid(axis="y", visible=False)


def _draw_effects(ax: Axes | None, rows: pd.DataFrame, names: Iterable[str], digits: int) -> Axes:
    """Changes of the win rate, a row for each name, with their intervals and numbers."""
    ax = ax or _new_axes(0.42 * max(len(rows), 1), left=_width_of(names), right=0.75, legend=False)
    ax.axvline(0, color=MUTED, linewidth=1)
    _draw_points(ax, rows, "effect", "effect")
    for row, effect in rows["effect"].items():
        _write_beside(ax, row, theme.points(effect, digits))
    _name_rows(ax, names)
    ax.xaxis.set_major_formatter(_points_tick)
    ax.set_xlabel("change of the win rate in percentage points")
    return ax


def _by_verdict(cards: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The cards of each verdict that occurs."""
    groups = [(verdict, cards[cards["verdict"] == verdict]) for verdict in VERDICTS]
    return [(verdict, mine) for verdict, mine in groups if len(mine)]


def _draw_band(ax: Axes, cards: pd.DataFrame) -> None:
    """Shade the win rates that are called balanced, and mark their middle."""
    if cards.empty:
        return
    middle = (cards["dealt_win_rate"] - cards["advantage"]).median()
    band = cards["band"].iloc[0]
    ax.axvspan(middle - band, middle + band, color=BAND, linewidth=0, zorder=0)
    ax.axvline(middle, color=MUTED, linewidth=1, zorder=1)


def _players(table: pd.DataFrame) -> str:
    """Who played, from the first row of a table about one policy or pair of policies."""
    if table.empty:
        return ""
    row = table.iloc[0]
    if "policy_first" not in table:
        return f"players: {row['policy']}"
    return f"{row['policy_first']} against {row['policy_second']}"


def _band_words(cards: pd.DataFrame) -> str:
    """What the shaded range means."""
    if cards.empty:
        return ""
    return f"shaded: within {100 * cards['band'].iloc[0]:g} points of the average, called balanced"


def _write_beside(ax: Axes, row: float, text: str, *, away: float = 8) -> None:
    """A number at the right edge, some points ``away``, beside the row at that height."""
    ax.annotate(
        text,
        (1, row),
        xycoords=("axes fraction", "data"),
        xytext=(away, 0),
        textcoords="offset points",
        va="center_baseline",
        fontsize=10.5,
        annotation_clip=False,
    )


def _mark_half(ax: Axes) -> None:
    """A line where as many games are won as lost, if it is in sight."""
    low, high = ax.get_xlim()
    if low < 0.5 < high:
        ax.axvline(0.5, color=MUTED, linewidth=1, zorder=1)


def _lines_of(stages: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Card ids and names of the evolution lines from bottom to top, at first all together."""
    lines = stages[stages["stage"] == 0]
    lines = pd.concat([lines.iloc[-1:], lines.iloc[-2::-1]])
    return list(lines["card_id"]), [theme.display_name(name) for name in lines["name"]]


def _of_stage(stages: pd.DataFrame, lines: Iterable[str], stage: int) -> pd.DataFrame:
    """The rows about a stage in the order of lines; nan for a line without it."""
    return stages[stages["stage"] == stage].set_index("card_id").reindex(lines)


def _box(x: float, y: float, colour: str, strength: float = 1) -> Rectangle:
    """A cell of a matrix."""
    place = (x - 0.48, y - 0.47)
    return Rectangle(place, 0.96, 0.94, facecolor=colour, alpha=strength, linewidth=0)


def _write_in(ax: Axes, row: float, x: float, text: str, colour: str, side: str = "center") -> None:
    """A number inside a bar."""
    ax.text(x, row, text, color=colour, ha=side, va="center", fontsize=12, fontweight="bold")


def _widen(ax: Axes, values: pd.Series, *, least: float) -> None:
    """Let the vertical axis span at least ``least``, so that mere luck does not look large."""
    low, high = ax.get_ylim()
    if high - low < least and len(values):
        middle = (values.min() + values.max()) / 2
        ax.set_ylim(middle - least / 2, middle + least / 2)


def _far_first(cards: pd.DataFrame) -> pd.DataFrame:
    """The cards that stand out, then the others, each time those furthest from the middle first."""
    data = cards[["dealt_win_rate", "mindbug_rate"]]
    away = ((data - data.mean()) / data.std().replace(0, np.nan)).pow(2).sum(axis=1)
    order = pd.DataFrame({"rest": ~cards["verdict"].isin((STRONG, WEAK)), "near": -away})
    return cards.loc[order.sort_values(["rest", "near"], kind="stable").index]


def _label_points(ax: Axes, cards: pd.DataFrame) -> None:
    """Write the name of each card beside its point, never over a point or another name.

    Cards come in the order of importance; a name that finds no room is left out, and so are all
    beyond the first `_MOST_NAMED` that do.
    """
    scale = 72 / theme.figure_of(ax).dpi  # everything is measured in points
    data = cards[["dealt_win_rate", "mindbug_rate"]].to_numpy(float)
    places = ax.transData.transform(data) * scale
    window = Bbox(ax.get_window_extent().get_points() * scale)
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in places]
    font = FontProperties(family=theme.FONT, size=9)
    for xy, (x, y), name in zip(data, places, cards["name"], strict=True):
        if len(taken) == len(places) + _MOST_NAMED:
            break
        text = theme.display_name(name, 24)
        width, height = theme.text_size(text, font)
        for distance, (right, up) in product(_DISTANCES, _DIRECTIONS):
            dx, dy = distance * right, distance * up
            left, below = x + dx - (1 - right) / 2 * width, y + dy - (1 - up) / 2 * height
            box = Bbox.from_bounds(left, below, width, height).padded(_BESIDE_NAME, _ABOVE_NAME)
            inside = window.contains(*box.min) and window.contains(*box.max)
            if inside and not box.count_overlaps(taken):
                taken.append(box)
                line = {"arrowstyle": "-", "color": LIGHT, "shrinkA": 1, "shrinkB": 4}
                ax.annotate(
                    text,
                    xy,
                    xytext=(dx, dy),
                    textcoords="offset points",
                    ha={-1: "right", 0: "center", 1: "left"}[right],
                    va={-1: "top", 0: "center", 1: "bottom"}[up],
                    fontproperties=font,
                    parse_math=False,
                    arrowprops=line if distance > _DISTANCES[0] else None,
                )
                break
