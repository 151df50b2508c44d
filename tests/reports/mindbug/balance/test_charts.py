"""Charts show what is in the tables, in any axes, the same bytes each time."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

import reports.mindbug
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import STAGES
from analysis.verdicts import MORE, NEEDS_GAMES, NOT_SETTLED, TOO_STRONG, TOO_WEAK
from card_data.mindbug.schema import CardSet, Pool
from reports.kit import figures, theme
from reports.kit.drawing import Chart, draws
from reports.kit.made import MADE
from reports.kit.words import count, display_name, games, intervals, percent, points
from reports.ladder.page import LADDER_CHARTS
from reports.mindbug import luck as luck_charts
from reports.mindbug import run_text
from reports.mindbug.ablation import RESTRICT_CHARTS
from reports.mindbug.balance import charts, expansion_charts, pair_charts, skill_charts
from reports.mindbug.compare.page import plot_changes
from reports.mindbug.explain.charts import CHARTS as PART_CHARTS
from reports.mindbug.explain.charts import plot_change_parts
from reports.mindbug.rebalance import REBALANCE_CHARTS
from reports.mindbug.sensitivity import CHARTS as CARD_CHARTS
from simcore.mindbug.table.card_table import CardTable
from support import counted
from support.reported import EVERY_KIND, charts_as, every_kind, made_keyword_effects
from support.synthetic import (
    expansions_games,
    expansions_pool,
    hostile_cards,
    synthetic_cards,
    synthetic_games,
)

pytestmark = pytest.mark.usefixtures("rendered")

#: All charts by the table that each draws.
#: The charts of tables of a run.
CHARTS = {**charts.CHARTS, **expansion_charts.CHARTS}
ALL_CHARTS = [
    *CHARTS.values(),
    *pair_charts.CHARTS.values(),
    *skill_charts.CHARTS.values(),
    *luck_charts.CHARTS.values(),
    *LADDER_CHARTS.values(),
    *REBALANCE_CHARTS.values(),
    *RESTRICT_CHARTS.values(),
    *(CARD_CHARTS[name] for name in ("variants", "parts", "worth", "heat_map")),
    *PART_CHARTS.values(),
    Chart(plot_changes, "comparison"),
    Chart(plot_change_parts, "change_parts"),
]

HOSTILE = [
    "<script>alert(1)</script>",
    "$\\frac{x}{",
    "a--><!-- & ]]>",
    "\u202egnp.exe",
    "x" * 60,
    "カード🐛",
    "'\"`{{ 7*7 }}",
]


def tables_of(card_table: CardTable, policies: tuple[str, str], n: int) -> dict[str, pd.DataFrame]:
    """Tables with two outliers, a first-player advantage and all endings."""
    worth = np.zeros(len(card_table.cards))
    worth[2], worth[5] = 0.06, -0.06
    games = synthetic_games(
        card_table, n, seed=2, worth=worth, first_player_advantage=0.05, draw_rate=0.02
    )
    pool = Pool((CardSet("synthetic", "Synthetic", card_table.cards),), card_table.modes)
    effects = made_keyword_effects(policies)
    return {**counted.tables_of(games, pool, policies), "keyword_effects": effects}


def tables_of_expansions(
    policies: tuple[str, str], n: int, pool: Pool | None = None
) -> dict[str, pd.DataFrame]:
    """All tables of a pool with every expansion feature; two stages depend on who wins."""
    pool = pool or expansions_pool()
    games = expansions_games(pool, n, seed=4, alpha_worth=0.02, draw_rate=0.02)
    effects = made_keyword_effects(policies)
    return {**counted.tables_of(games, pool, policies), "keyword_effects": effects}


def several_lines(stages: pd.DataFrame) -> pd.DataFrame:
    """Stages of one line as those of two lines, and of all of them."""
    moth = stages.assign(card_id="moth", name="Moth")
    return pd.concat([stages, moth, stages.assign(card_id="", name="all lines")])


@pytest.fixture(scope="module")
def expansions() -> dict[str, pd.DataFrame]:
    """The tables of a pool with every expansion feature."""
    return tables_of_expansions(("random", "random"), 5000)


@pytest.fixture(scope="module")
def mixed_expansions() -> dict[str, pd.DataFrame]:
    """The same of a match between different policies."""
    return tables_of_expansions(("greedy", "random"), 500)


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    """The tables of a match between equal policies."""
    return tables_of(synthetic_cards(), ("random", "random"), 20_000)


@pytest.fixture(scope="module")
def mixed() -> dict[str, pd.DataFrame]:
    """The tables of a match between different policies."""
    return tables_of(synthetic_cards(), ("greedy", "random"), 2000)


@pytest.fixture
def ax() -> Axes:
    """Axes unknown to pyplot."""
    return Figure().add_subplot()


def points_of(ax: Axes) -> dict[tuple[float, float], tuple[float, float]]:
    """Every point with whiskers: (x, y) -> the ends of its horizontal whisker."""
    found = {}
    for container in ax.containers:
        if not isinstance(container, ErrorbarContainer):
            continue
        line, _, (whiskers, *_) = container
        for x, y, segment in zip(*line.get_data(), whiskers.get_segments(), strict=True):
            found[(x, y)] = (segment[0][0], segment[1][0])
    return found


def texts_of(ax: Axes) -> list[str]:
    """Every text in the axes, tick labels included."""
    return [text.get_text() for text in (*ax.texts, *ax.get_yticklabels(), *ax.get_xticklabels())]


def test_card_strength_shows_every_card(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each card stands in its row, sorted, with its rate, interval and verdict's marker."""
    cards = tables["cards"].sort_values("dealt_win_rate", ignore_index=True)
    assert charts.plot_card_strength(tables["cards"], ax=ax) is ax
    assert [label.get_text() for label in ax.get_yticklabels()] == list(cards["name"])
    points = points_of(ax)
    assert len(points) == len(cards)
    for row, card in cards.iterrows():
        whisker = points[(card["dealt_win_rate"], row)]
        shift = card["dealt_win_rate"] - card["advantage"]  # to the average of all cards
        judged = shift + card["advantage_ci_low"], shift + card["advantage_ci_high"]
        assert whisker == pytest.approx(judged)  # the interval that the verdict is about
    counts = cards["verdict"].value_counts()
    assert counts[TOO_STRONG] == counts[TOO_WEAK] == 1
    legend = ax.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert sorted(shown) == sorted(f"{word} ({n})" for word, n in counts.items())
    best = percent(cards["dealt_win_rate"].iloc[-1])
    assert best in texts_of(ax)
    assert " ".join(ax.get_title("left").split()).startswith(
        f"{cards['name'].iloc[-1]} wins {best}"
    )


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        ([TOO_STRONG], "{1} wins {2} of its games"),
        ([TOO_WEAK], "{0} wins {3} of its games"),
        ([], "No card is shown to be too strong or too weak"),
    ],
)
def test_titles_name_no_card_that_is_not_shown_to_be_off(
    shown: list[str], title: str, tables: dict[str, pd.DataFrame], ax: Axes
) -> None:
    """The title of the chart of cards says only what the verdicts say."""
    cards = tables["cards"].sort_values("dealt_win_rate", ignore_index=True)
    kept = cards["verdict"].where(cards["verdict"].isin(shown), NEEDS_GAMES)
    charts.plot_card_strength(cards.assign(verdict=kept), ax=ax)
    names, rates = cards["name"], cards["dealt_win_rate"].map(percent)
    said = title.format(names.iloc[0], names.iloc[-1], rates.iloc[-1], rates.iloc[0])
    assert " ".join(ax.get_title("left").split()) == said


@pytest.mark.parametrize(
    "name",
    "card_strength mindbug_rate card_seats keyword_effects keywords_observed first_player"
    " set_effects stage_win_rates dice power_cards".split(),
)
def test_titles_tell_of_nothing_that_intervals_leave_open(
    name: str, expansions: dict[str, pd.DataFrame]
) -> None:
    """The same table with intervals that leave everything open gives "No … is shown"."""
    chart = CHARTS[name]
    table = expansions[chart.table]
    ends = {"low": -1.0, "high": 2.0}
    wide = {one: ends[one[-4:].strip("_")] for one in table if one.endswith(("ci_low", "ci_high"))}
    unsure = {"verdict": NEEDS_GAMES if name == "card_strength" else NOT_SETTLED}
    title = chart.plot(table.assign(**wide, **unsure)).get_title("left")
    assert title.startswith(("No ", "Neither ")) and "shown" in title.replace("\n", " ")


def test_verdicts_have_shapes_of_their_own() -> None:
    """Verdicts are told apart by shape, not by colour alone."""
    markers = [marker for _, marker in theme.VERDICT_MARKS.values()]
    assert len(set(markers)) == len(markers)


def test_cards_by_seat(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Both rates of each card with their intervals, the one that gains most from starting on top.

    The gain stands beside it, with its word where the interval leaves zero out.
    """
    seats = tables["card_seats"].copy()
    seats.loc[3, ["gain", "verdict"]] = 0.5, MORE
    charts.plot_card_seats(seats, ax=ax)
    found = points_of(ax)
    assert len(found) == 2 * len(seats)
    ranked = seats.sort_values(["gain", "name"], ignore_index=True)
    for row, card in ranked.iterrows():
        for seat, place in (("first", row + 0.17), ("second", row - 0.17)):
            ends = found[(card[f"{seat}_win_rate"], place)]
            assert ends == pytest.approx(
                (card[f"{seat}_win_rate_ci_low"], card[f"{seat}_win_rate_ci_high"])
            )
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == list(ranked["name"])
    assert f"{points(0.5)} {MORE}" in texts_of(ax) and names[-1] == seats["name"][3]


def test_mindbug_rates_stand_in_rows(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each card has a row and a name of its own, sorted; the line is the rate of all plays."""
    cards = tables["cards"].sort_values(["mindbug_rate", "name"], ignore_index=True)
    average = np.average(cards["mindbug_rate"], weights=cards["mindbug_n"])
    interval = ["mindbug_rate_ci_low", "mindbug_rate_ci_high"]
    cards.loc[0, interval] = [cards.loc[0, "mindbug_rate"] - 0.001, average - 0.001]
    charts.plot_mindbug_rate(cards, ax=ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(cards["name"])
    points = points_of(ax)
    assert len(points) == len(cards)
    for row, card in cards.iterrows():
        whisker = points[(card["mindbug_rate"], row)]
        ends = card["mindbug_rate_ci_low"], card["mindbug_rate_ci_high"]
        assert whisker == pytest.approx(ends)
    assert ax.lines[0].get_xdata() == pytest.approx([average, average])
    legend = ax.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert shown == ["less often (1)", f"not settled ({len(cards) - 1})"]


def test_cards_that_all_draw_mindbugs_have_room(tables: dict[str, pd.DataFrame]) -> None:
    """Where a Mindbug takes every card alike, names and numbers still stand apart."""
    rates = ["mindbug_rate", "mindbug_rate_ci_low", "mindbug_rate_ci_high"]
    with theme.off_screen():
        ax = charts.plot_mindbug_rate(tables["cards"].assign(**dict.fromkeys(rates, 1.0)))
        theme.figure_of(ax).canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(above.y0 >= below.y1 for below, above in pairwise(boxes))
    assert 0.1 <= np.ptp(ax.get_xlim()) < 0.12


def test_first_player_bars(mixed: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each pair of policies has a bar as long as the win rate of the player who starts."""
    charts.plot_first_player(mixed["first_player"].assign(draw_rate=0.0), ax=ax)
    bars = next(c for c in ax.containers if isinstance(c, BarContainer))
    rates = mixed["first_player"]["first_player_win_rate"]
    assert [bar.get_width() for bar in bars] == pytest.approx(list(rates[::-1]))
    assert "greedy against random" in texts_of(ax)


def test_going_first_shows_draws_apart(mixed: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Where many games have no winner, a bar has parts for won, drawn and lost games."""
    table = mixed["first_player"].assign(won_rate=0.1, draw_rate=0.83, lost_rate=0.07)
    ends = {"won_rate_ci_low": 0.09, "won_rate_ci_high": 0.11}
    ends |= {"lost_rate_ci_low": 0.05, "lost_rate_ci_high": 0.08}
    charts.plot_first_player(table.assign(**ends), ax=ax)
    bars = [container for container in ax.containers if isinstance(container, BarContainer)]
    places = [(bar[0].get_x(), bar[0].get_width()) for bar in bars]
    assert places == [pytest.approx(part) for part in ((0, 0.1), (0.1, 0.83), (0.93, 0.07))]
    assert points_of(ax)[(0.1, 0)] == pytest.approx((0.09, 0.11))
    assert points_of(ax)[(1 - 0.07, 0)] == pytest.approx((0.92, 0.95))
    percent = "%"
    told = f"wins 10.0{percent}, draws 83.0{percent},\nloses 7.0{percent}"
    assert all(label.get_text().endswith(told) for label in ax.get_yticklabels())


@pytest.mark.parametrize("name", ["random", "learned@0.1 no blocks or Actions"])
@pytest.mark.parametrize("rate", [0.0, 0.02, 0.1, 0.3, 0.44, 0.5, 0.55, 0.86, 0.9, 0.98, 1.0])
def test_numbers_stand_on_one_colour(
    mixed: dict[str, pd.DataFrame], rate: float, name: str
) -> None:
    """However uneven a pair is, a number is white on blue or dark on grey, never across both."""
    row = (
        mixed["first_player"]
        .iloc[:1]
        .assign(first_player_win_rate=rate, ci_low=max(rate - 0.01, 0), ci_high=min(rate + 0.01, 1))
        .assign(draw_rate=0.0)
    )
    with theme.off_screen(), theme.style():
        ax = charts.plot_first_player(row.assign(policy_first=name, policy_second=name))
        theme.figure_of(ax).canvas.draw()
    first, *other = (text for text in ax.texts if "%" in text.get_text())
    assert len(other) == 1 or name != "random" or min(rate, 1 - rate) < 0.2
    places = {}
    for text in (first, *other):
        box = text.get_window_extent().transformed(ax.transData.inverted())
        places[text] = box
        on_blue = text.get_color() == theme.PAPER
        assert box.x1 <= rate + 0.002 if on_blue else box.x0 >= rate - 0.002
        assert -0.002 <= box.x0 < box.x1 <= 1.002
    assert all(places[first].x1 < places[one].x0 for one in other)


def test_long_names_of_players_take_two_lines(mixed: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Who starts against whom is told whole where one line has no room for both."""
    players = {"greedy": "learned@0.1 no blocks", "random": "heuristic@0.25 no Mindbugs"}
    table = mixed["first_player"].replace({"policy_first": players, "policy_second": players})
    table = table.assign(draw_rate=0.0)
    charts.plot_first_player(table, ax=ax)
    assert "learned@0.1 no blocks\nagainst heuristic@0.25 no Mindbugs" in texts_of(ax)


def test_game_length_bars(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The bars of a number of turns add up to its share of the games."""
    charts.plot_game_length(tables["turns"], ax=ax)
    heights: dict[int, float] = {}
    for container in ax.containers:
        for bar in container:
            turn = round(bar.get_x() + bar.get_width() / 2)
            heights[turn] = heights.get(turn, 0) + bar.get_height()
    turns = tables["turns"].set_index("turns")
    shares = (turns["n_games"] - turns["stopped"]) / turns["n_games"].sum()
    assert heights == pytest.approx({turn: shares[turn] for turn in heights})
    assert sum(heights.values()) > 0.998 * shares.sum()


def test_games_that_were_stopped_do_not_stretch_the_axis(
    tables: dict[str, pd.DataFrame], ax: Axes
) -> None:
    """Two games in a hundred that were stopped after 500 turns are named and have no bar."""
    turns = tables["turns"].assign(stopped=0)
    last = turns.iloc[[-1]].assign(turns=500, won=0, lost=0)
    n = round(0.02 * turns["n_games"].sum())
    turns = pd.concat([turns, last.assign(n_games=n, drawn=n, stopped=n)], ignore_index=True)
    charts.plot_game_length(turns, ax=ax)
    assert ax.get_xlim()[1] < 100
    words = " ".join(texts_of(ax)).replace("\N{NO-BREAK SPACE}", " ")
    assert "without the 2.0% that were stopped" in words


def test_keyword_effects(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Added keywords stand above those taken off, each with its mean, interval and spread."""
    charts.plot_keyword_effects(tables["keyword_effects"], ax=ax)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [
        "SNEAKY taken off 4 cards",
        "TOUGH taken off 1 card",
        "TOUGH added to 13 cards",
        "SNEAKY added to 12 cards",
    ]
    rows = tables["keyword_effects"].set_index(["change"])
    points = points_of(ax)
    order = ["-SNEAKY", "-TOUGH", "+TOUGH", "+SNEAKY"]
    rectangles = [bar for bar in ax.patches if isinstance(bar, Rectangle)]
    bars = sorted((bar.get_y(), bar.get_x(), bar.get_width()) for bar in rectangles)
    for place, (change, (_, left, width)) in enumerate(zip(order, bars, strict=True)):
        row = rows.loc[change]
        assert points[(row["effect"], place)] == pytest.approx(
            (row["effect_ci_low"], row["effect_ci_high"])
        )
        spread = np.nan_to_num(row["spread"])
        assert (left, width) == pytest.approx((row["effect"] - spread, 2 * spread))


def test_keywords_observed(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each keyword has its coefficient and interval, the highest on top, told as observed."""
    charts.plot_keywords_observed(tables["keywords"], ax=ax)
    rows = tables["keywords"].drop_duplicates("keyword").sort_values("effect", ignore_index=True)
    points = points_of(ax)
    for row, keyword in rows.iterrows():
        whisker = points[(keyword["effect"], row)]
        assert whisker == pytest.approx((keyword["effect_ci_low"], keyword["effect_ci_high"]))
    assert [label.get_text() for label in ax.get_yticklabels()] == list(rows["keyword"])
    assert any("observed" in text.get_text() for text in ax.texts)


def test_endings_bars(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The bars of each ending add up to its rate."""
    charts.plot_endings(tables["outcomes"], ax=ax)
    lengths = np.zeros(5)
    for container in ax.containers:
        lengths += [bar.get_width() for bar in container]
    first = tables["outcomes"][tables["outcomes"]["seat"] == "first"]
    assert lengths == pytest.approx(first["ended_rate"].to_numpy()[::-1])
    assert "a card ended the game" in texts_of(ax)


def test_endings_that_no_card_brought_about_have_no_bar(
    tables: dict[str, pd.DataFrame], ax: Axes
) -> None:
    """Where no card ended a game there is no bar for it; the other endings stay."""
    outcomes = tables["outcomes"].copy()
    outcomes.loc[outcomes["ending"] == "effect", ["ended", "ended_rate", "won", "lost"]] = 0
    charts.plot_endings(outcomes, ax=ax)
    assert "a card ended the game" not in texts_of(ax)
    assert len(ax.get_yticklabels()) == 4


def test_set_effects(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each set has its effect and interval, the best on top."""
    expansion_charts.plot_set_effects(expansions["sets"], ax=ax)
    rows = expansions["sets"].sort_values("effect", ignore_index=True)
    points = points_of(ax)
    for row, card_set in rows.iterrows():
        whisker = points[(card_set["effect"], row)]
        assert whisker == pytest.approx((card_set["effect_ci_low"], card_set["effect_ci_high"]))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Beta", "Alpha"]


def test_stage_shares_fill_the_bar(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The pieces of each line are its shares and add up to all cards dealt."""
    stages = several_lines(expansions["stages"])
    expansion_charts.plot_stage_shares(stages, ax=ax)
    lines = stages.set_index(["card_id", "stage"])["share"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["all lines", "Moth", "Seed"]
    bars = [c for c in ax.containers if isinstance(c, BarContainer)]
    assert [bar.get_label() for bar in bars] == list(STAGES)
    for stage, container in enumerate(bars):
        widths = [bar.get_width() for bar in container]
        assert widths == pytest.approx([lines[card, stage] for card in ("", "moth", "seed")])


def test_stage_win_rates(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each stage in play has a point with its interval, in the row of its line."""
    stages = several_lines(expansions["stages"])
    expansion_charts.plot_stage_win_rates(stages, ax=ax)
    points = points_of(ax)
    assert len(points) == 9
    for row, card_id in enumerate(("", "moth", "seed")):
        for stage in (1, 2, 3):
            mine = stages.set_index(["card_id", "stage"]).loc[(card_id, stage)]
            (whisker,) = (
                ends
                for (x, y), ends in points.items()
                if x == mine["entered_win_rate"] and round(y) == row
            )
            assert whisker == pytest.approx((mine["entered_ci_low"], mine["entered_ci_high"]))


@pytest.mark.parametrize("plot", ["plot_stage_shares", "plot_stage_win_rates"])
def test_stages_that_no_line_has_are_not_drawn(
    expansions: dict[str, pd.DataFrame], ax: Axes, plot: str
) -> None:
    """A pool whose only line has two stages: its name once, and no word of a third stage."""
    stages = expansions["stages"]
    getattr(expansion_charts, plot)(stages[stages["stage"] < 3], ax=ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Seed"]
    assert ax.get_legend_handles_labels()[1][-1] == "stage II"


def test_dice_faces(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each face has its share and interval; one in six is marked and in the middle."""
    expansion_charts.plot_dice(expansions["dice"], ax=ax)
    points = points_of(ax)
    for row, face in expansions["dice"].iloc[::-1].reset_index(drop=True).iterrows():
        whisker = points[(face["share"], row)]
        assert whisker == pytest.approx((face["share_ci_low"], face["share_ci_high"]))
    assert sum(ax.get_xlim()) / 2 == pytest.approx(1 / 6)
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "growth 1"


def test_power_cards(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each power card has the win rate of its buyers, its cost and how many bought it."""
    expansion_charts.plot_power_cards(expansions["power_cards"], ax=ax)
    rows = expansions["power_cards"].sort_values("bought_win_rate", ignore_index=True)
    points = points_of(ax)
    for row, card in rows.iterrows():
        whisker = points[(card["bought_win_rate"], row)]
        assert whisker == pytest.approx((card["bought_ci_low"], card["bought_ci_high"]))
        assert percent(card["bought_share"]) in texts_of(ax)
    assert {label.get_text() for label in ax.get_yticklabels()} == {"Bolt (2)", "Gift (1)"}


def test_numbers_per_game_fill_the_bars(expansions: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Every quantity has a bar of all games, and its first piece are the games without any."""
    expansion_charts.plot_per_game(expansions["per_game"], ax=ax)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names[-1] == "Actions used" and len(names) == 5
    pieces = np.array([[bar.get_width() for bar in container] for container in ax.containers])
    assert pieces.sum(axis=0) == pytest.approx(np.ones(5))
    none = expansions["per_game"].query("quantity == 'actions' and number == 0")["share"].item()
    assert pieces[0, -1] == pytest.approx(none)


@pytest.mark.parametrize("name", [name for name, chart in CHARTS.items() if chart.split_by])
def test_charts_never_mix_policies(name: str, mixed_expansions: dict[str, pd.DataFrame]) -> None:
    """A table about two policies is refused with what to do."""
    chart, table = CHARTS[name], mixed_expansions[CHARTS[name].table]
    if chart.table in ("dice", "per_game"):  # about both players together
        table = pd.concat([table, table.assign(policy="greedy")])
    with pytest.raises(ValueError, match=r"choose one: table\[table\['policy"):
        chart.plot(table)


def test_own_figure_is_shown_by_pyplot(tables: dict[str, pd.DataFrame]) -> None:
    """Without axes a chart makes a figure that pyplot knows, and leaves the settings alone."""
    import matplotlib as mpl
    from matplotlib import pyplot

    before = dict(mpl.rcParams)
    figure = theme.figure_of(charts.plot_keywords_observed(tables["keywords"]))
    assert figure is pyplot.gcf()
    pyplot.close(figure)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("highest", [0.181, 0.182, 0.19, 0.2265, 0.2275])
def test_no_number_of_an_axis_reaches_into_the_legend(
    tables: dict[str, pd.DataFrame], highest: float
) -> None:
    """The highest number of a vertical axis ends below the legend, wherever the data end."""
    shares = np.array([highest] * 4 + [1 - 4 * highest])
    turns = pd.DataFrame(
        {"turns": range(20, 25), "share": shares, "won": shares, "n_games": shares}
    )
    turns = turns.assign(lost=0, drawn=0, stopped=0, cumulative_share=shares.cumsum())
    turns[["policy_first", "policy_second"]] = "random"
    with theme.off_screen(), theme.style():
        ax = charts.plot_game_length(turns)
        theme.figure_of(ax).draw_without_rendering()
    legend = ax.get_legend()
    assert legend is not None
    words = [label for label in ax.get_yticklabels() if label.get_text()]
    low, high = ax.get_ylim()
    shown = [label.get_window_extent() for label in words if low <= label.get_position()[1] <= high]
    assert max(box.y1 for box in shown) <= legend.get_window_extent().y0


def test_figures_are_the_same_bytes_twice(
    tables: dict[str, pd.DataFrame], tmp_path: Path, drawn_anew: None
) -> None:
    """Every chart is written as SVG, PNG and PDF, without a date, and equal byte for byte.

    The second time two of them are written as PNG and PDF, too: how those are written does not
    depend on the chart, and half of the time goes into them.
    """
    said, twice = "n · policy · seed", ("card_strength", "game_length")
    with every_kind():
        figures.write_figures(tables, tmp_path / "a", caption=said, charts=CHARTS)
        few = {name: CHARTS[name] for name in twice}
        figures.write_figures(tables, tmp_path / "b", caption=said, charts=few)
    rest = {name: chart for name, chart in CHARTS.items() if name not in twice}
    figures.write_figures(tables, tmp_path / "b", caption=said, charts=rest)
    for folder in ("a", "b"):
        (tmp_path / folder / MADE).unlink()  # what they were drawn from
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    drawn = [name for name, chart in CHARTS.items() if not chart.optional]
    drawn.append("keyword_effects")
    assert names == sorted(f"{name}.{kind}" for name in drawn for kind in ("svg", "png", "pdf"))
    assert {path.name for path in (tmp_path / "b").iterdir()} == {
        name for name in names if name.endswith(".svg") or name.startswith(twice)
    }
    for name in names:
        content = (tmp_path / "a" / name).read_bytes()
        again = tmp_path / "b" / name
        assert not again.exists() or content == again.read_bytes()
        assert b"date" not in content.lower()


def test_only_charts_with_intervals_speak_of_them(
    tables: dict[str, pd.DataFrame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar by itself has no interval, and the words below it do not promise one."""
    said: dict[str, str] = {}

    def read(figure: Figure, path: Path) -> None:
        said[path.name] = figure.texts[-1].get_text().replace("\N{NO-BREAK SPACE}", " ")

    monkeypatch.setattr(figures, "write_figure", read)
    figures.write_figures(tables, tmp_path, caption=f"seed 0{intervals()}\nrules 2", charts=CHARTS)
    without = {"game_length", "endings"}
    told = f"Source: seed 0{intervals()} · rules 2".replace("\N{NO-BREAK SPACE}", " ")
    assert said == {
        name: "Source: seed 0 · rules 2" if name in without else told
        for name, chart in CHARTS.items()
        if name == "keyword_effects" or not chart.optional
    }


def test_one_stopped_game_is_one_game(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """A number of games that is 1 is not a plural."""
    outcomes = tables["outcomes"].copy()
    outcomes.loc[outcomes["ending"] == "looped", ["ended", "ended_rate"]] = 1, 0.0001
    charts.plot_endings(outcomes, ax=ax)
    assert "1 game" in {text.get_text() for text in ax.texts}


def test_figures_are_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """No order of a set or dict, which differs from process to process, is in a figure."""
    code = (
        "import sys, pandas as pd; from pathlib import Path\n"
        "from reports.kit import figures\n"
        "from reports.ladder.page import LADDER_CHARTS\n"
        "rows = pd.DataFrame({'player': ['Zo\u00eb', 'b'], 'elo': [9.0, -9.0]})\n"
        "rows = rows.assign(elo_ci_low=rows.elo - 1, elo_ci_high=rows.elo + 1)\n"
        "figures.write_figures({'ratings': rows}, Path(sys.argv[1]), caption='n \u00b7 seed',\n"
        "    charts={'ratings': LADDER_CHARTS['ratings']})"
    )
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, tmp_path / seed], check=True, env=environment)
    for kind in EVERY_KIND:
        one, other = ((tmp_path / seed / f"ratings.{kind}").read_bytes() for seed in ("1", "2"))
        assert one == other


def caption_in(caption: str) -> Text:
    """The caption as it stands on a chart."""
    figure = Figure(figsize=(theme.WIDTH, 3))
    theme.add_caption(figure.add_subplot(), caption)
    [text] = figure.texts
    return text


@pytest.mark.parametrize("words", [3, 12, 25])
def test_captions_stay_on_the_chart(words: int) -> None:
    """A long caption is broken between its parts; nothing is lost or cut off."""
    caption = " · ".join(["twenty-one letters in"] * words) + "\nlast · line"
    text = caption_in(caption)
    said = text.get_text().replace("\N{NO-BREAK SPACE}", " ")
    assert said.replace("\n", " ") == f"Source: {caption}".replace("\n", " · ")
    assert all(line.endswith(" ·") for line in said.split("\n")[:-1])
    figure = text.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    box, width = text.get_window_extent(), figure.bbox.width
    assert box.x0 >= 0 and box.x1 <= width
    if words == 3:
        assert text.get_text().count("\n") == 1


#: Changes of a card, some with as much text as cards have.
LONG_CHANGES = [
    *("power+1", "+POISONOUS", "-TOUGH", "copies+1", "-all"),
    "without “Attack: If your opponent has more life, gain 2 life and draw up to 3 cards.”",
]


def changes_of_a_card(name: str) -> pd.DataFrame:
    """Rows of the table ``sensitivity`` with every kind of label."""
    facts = {"policy": "random", "measure": "dealt", "card_id": "a", "name": name}
    kinds = ["power", "add_keyword", "remove_keyword", "copies", "parts", "text"]
    changes = pd.DataFrame({"change": LONG_CHANGES, "label": LONG_CHANGES, "kind": kinds})
    ends = {"difference_ci_low": -0.01, "difference_ci_high": 0.03}
    return changes.assign(**facts, **ends, difference=0.01, q_value=0.01, method="one_at_a_time")


@pytest.mark.parametrize("name", [*CHARTS, "heat_map", "variants"])
def test_words_of_charts_have_room(name: str, expansions: dict[str, pd.DataFrame]) -> None:
    """No word of a chart is cut off, and two lines of caption have room below its axis."""
    more: dict[str, Any] = {name: CARD_CHARTS[name].plot for name in ("heat_map", "variants")}
    if name in more:  # names below the axis of the heat map take two lines
        chart, table = more[name], changes_of_a_card("Sharky Crab-Dog-Mummypus of the Deep")
    else:
        chart, table = CHARTS[name].plot, expansions[CHARTS[name].table]
    with theme.off_screen(), theme.style():
        axes = chart(table)
        theme.add_caption(axes, "First Contact · 1,000,000 games\nfairdeal 0.1.0 · rules 2")
        figure = theme.figure_of(axes)
        figure.draw_without_rendering()
    [caption] = figure.texts
    label = axes.xaxis.label
    assert caption.get_window_extent().y1 <= label.get_window_extent().y0
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert axes.get_title("left").count("\n") <= 1
    assert drawn.x0 > -0.01 and drawn.x1 < width + 0.01
    assert drawn.y0 > -0.01 and drawn.y1 < height + 0.01


def test_captions_tell_what_is_needed_to_trust_a_chart() -> None:
    """Players, n, seed, versions of program, rules and cards; both, where two runs differ."""
    manifest = {
        "sets": ["first_contact"],
        "set_names": ["First Contact"],
        "games": 20_000,
        "policies": ["greedy", "random"],
        "seed": 7,
        "rules_version": 2,
        "pool_hash": "0123456789",
        "versions": {"fairdeal": "1.2.3", "numpy": "0"},
    }
    said = run_text.caption(run_text.describe_run(manifest, most_sets=1), manifest)
    assert said == (
        "First Contact · 20,000 games · greedy against random · seed 7 · 95%"
        " intervals\nfairdeal 1.2.3 · rules 2 · cards 01234567"
    )
    other = manifest | {"pool_hash": "98765432100"}
    assert run_text.caption("x", manifest, other).endswith(
        "fairdeal 1.2.3 · rules 2 · cards 01234567 and 98765432"
    )


def test_figures_of_every_expansion_feature(tmp_path: Path) -> None:
    """A pool with every expansion feature has all charts, for each policy, from one game on."""
    for n_games in (1, 300):
        tables = tables_of_expansions(("greedy", "random"), n_games)
        written = figures.write_figures(
            tables, tmp_path / str(n_games), caption="few games", charts=CHARTS
        )
        assert set(written) == set(CHARTS) and all(written.values())
        assert set(written["stage_shares"]) == {"greedy", "random"}


@pytest.mark.parametrize(("n_games", "kinds"), [(1, ("svg",)), (400, EVERY_KIND)])
def test_hostile_names_and_few_games_are_drawn(
    n_games: int, kinds: tuple[str, ...], tmp_path: Path
) -> None:
    """Whatever cards are called, and however few games there are, every chart is drawn."""
    tables = tables_of(hostile_cards(HOSTILE), ("random", "random"), n_games)
    with charts_as(*kinds):
        figures.write_figures(tables, tmp_path, caption="$\\frac{<b>", charts=CHARTS)
    svg = (tmp_path / "card_strength.svg").read_text()
    assert "<script" not in svg and "<b>" not in svg


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bee Bear", "Bee Bear"),
        ("two\nlines\tand  space", "two lines and space"),
        ("\u202egnp.exe", "gnp.exe"),
        ("x" * 60, "x" * 29 + "…"),
    ],
)
def test_names_are_one_short_line(name: str, shown: str) -> None:
    """A name in a chart is one printable line of at most 30 characters."""
    assert display_name(name) == shown


def test_numbers_as_text() -> None:
    """Numbers are written the same way everywhere."""
    assert percent(0.53124) == "53.1%"
    assert percent(float("nan")) == points(float("nan")) == "unknown"
    assert points(-0.0123) == "\N{MINUS SIGN}1.2"
    assert (points(-0.0004), points(0.0), points(0.0004, 2)) == ("0.0", "0.0", "+0.04")
    assert (games(1), games(1000)) == ("1 game", "1,000 games")
    assert count(1e6) == "1,000,000"


@pytest.mark.parametrize("chart", ALL_CHARTS, ids=lambda chart: chart.plot.__name__)
def test_a_wrong_table_is_one_clear_error(chart: Chart) -> None:
    """It says which table the chart draws, and what the given one is or lacks."""
    wanted = f"{chart.plot.__name__} draws the table '{chart.table}'; "
    first, *others = TABLES[chart.table].columns
    # Charts of any game do not know the tables of one.
    its_own = not chart.plot.__module__.startswith("reports.ladder")
    other = "it was given the table 'games', which has no"
    for given, told in (
        (
            pd.DataFrame(columns=list(TABLES["games"].columns)),
            other if its_own else "the one that it was given has no column",
        ),
        (pd.DataFrame({first: ["x"]}), f"the one that it was given has no column {others[0]}, "),
        ({chart.table: 1}, "it was given a dict"),
    ):
        with pytest.raises(ValueError, match="draws the table") as caught:
            chart.plot(given)
        assert str(caught.value).startswith(wanted + told)


def test_columns_that_a_chart_does_not_need_may_be_missing(tables: dict[str, pd.DataFrame]) -> None:
    """Nobody is asked for more than is drawn, and a fault of the chart itself stays what it is."""
    charts.plot_card_strength(tables["cards"].drop(columns="mindbug_rate"))

    @draws(TABLES, "turns")
    def broken(turns: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        return turns["no such column"]

    with pytest.raises(KeyError, match="no such column"):
        broken(tables["turns"])


def test_every_chart_is_asked_for_its_table() -> None:
    """None of the public charts is left out above."""
    asked = {chart.plot.__name__ for chart in ALL_CHARTS}
    assert {name for name in dir(reports.mindbug) if name.startswith("plot_")} <= asked
