"""Charts show what is in the tables, in any axes, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from analysis.card_strength import cards_table
from analysis.keywords import keywords_table
from analysis.matchups import first_player_table, outcomes_table, turns_table
from analysis.tallies import CardTraits, tally_games
from analysis.views import STRONG, WEAK
from reports import charts, theme
from simcore.mindbug.card_table import CardTable
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games

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
    same = policies[0] == policies[1]
    tally = tally_games(games, CardTraits.of(card_table.cards), same_policy=same)
    return {
        "cards": cards_table(tally, [("synthetic", card) for card in card_table.cards], policies),
        "keywords": keywords_table(tally, card_table.cards, policies),
        "first_player": first_player_table(tally, policies),
        "turns": turns_table(tally, policies),
        "outcomes": outcomes_table(tally, policies),
    }


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
        assert whisker == pytest.approx((card["dealt_ci_low"], card["dealt_ci_high"]))
    counts = cards["verdict"].value_counts()
    assert counts[STRONG] == counts[WEAK] == 1
    legend = ax.get_legend()
    assert legend is not None
    shown = [text.get_text() for text in legend.get_texts()]
    assert sorted(shown) == sorted(f"{word} ({n})" for word, n in counts.items())
    assert theme.percent(cards["dealt_win_rate"].iloc[-1]) in texts_of(ax)


def test_verdicts_have_shapes_of_their_own() -> None:
    """Verdicts are told apart by shape, not by colour alone."""
    markers = [marker for _, marker in theme.VERDICT_MARKS.values()]
    assert len(set(markers)) == len(markers)


def test_mindbug_chart_labels_do_not_overlap(tables: dict[str, pd.DataFrame]) -> None:
    """Names in the Mindbug chart cover neither each other nor a point."""
    with theme.off_screen():
        ax = charts.plot_mindbug_rate(tables["cards"])
    names = set(tables["cards"]["name"])
    labels = [t for t in ax.texts if isinstance(t, Annotation) and t.get_text() in names]
    assert len(labels) >= 10
    boxes = [text.get_window_extent() for text in labels]
    cards = tables["cards"].set_index("name")
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])
        points = ax.transData.transform(cards[["dealt_win_rate", "mindbug_rate"]])
        assert not any(box.contains(*point) for point in points)
    for text in labels:
        card = cards.loc[text.get_text()]
        assert text.xy == pytest.approx((card["dealt_win_rate"], card["mindbug_rate"]))


def test_first_player_bars(mixed: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each pair of policies has a bar as long as the win rate of the player who starts."""
    charts.plot_first_player(mixed["first_player"], ax=ax)
    bars = next(c for c in ax.containers if isinstance(c, BarContainer))
    rates = mixed["first_player"]["first_player_win_rate"]
    assert [bar.get_width() for bar in bars] == pytest.approx(list(rates[::-1]))
    assert "greedy against random" in texts_of(ax)


def test_game_length_bars(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The bars of a number of turns add up to its share of the games."""
    charts.plot_game_length(tables["turns"], ax=ax)
    heights: dict[int, float] = {}
    for container in ax.containers:
        for bar in container:
            turn = round(bar.get_x() + bar.get_width() / 2)
            heights[turn] = heights.get(turn, 0) + bar.get_height()
    shares = tables["turns"].set_index("turns")["share"]
    assert heights == pytest.approx({turn: shares[turn] for turn in heights})
    assert sum(heights.values()) > 0.998


def test_keyword_effects(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """Each keyword has its effect and interval, the best on top."""
    charts.plot_keyword_effects(tables["keywords"], ax=ax)
    rows = tables["keywords"].drop_duplicates("keyword").sort_values("effect", ignore_index=True)
    points = points_of(ax)
    for row, keyword in rows.iterrows():
        whisker = points[(keyword["effect"], row)]
        assert whisker == pytest.approx((keyword["effect_ci_low"], keyword["effect_ci_high"]))
    assert [label.get_text() for label in ax.get_yticklabels()] == list(rows["keyword"])


def test_endings_bars(tables: dict[str, pd.DataFrame], ax: Axes) -> None:
    """The bars of each ending add up to its rate."""
    charts.plot_endings(tables["outcomes"], ax=ax)
    lengths = np.zeros(4)
    for container in ax.containers:
        lengths += [bar.get_width() for bar in container]
    first = tables["outcomes"][tables["outcomes"]["seat"] == "first"]
    assert lengths == pytest.approx(first["ended_rate"].to_numpy()[::-1])


@pytest.mark.parametrize("name", [name for name, chart in charts.CHARTS.items() if chart.split_by])
def test_charts_never_mix_policies(mixed: dict[str, pd.DataFrame], name: str) -> None:
    """A table about two policies is refused with what to do."""
    chart = charts.CHARTS[name]
    with pytest.raises(ValueError, match=r"choose one: table\[table\['policy"):
        chart.plot(mixed[chart.table])


def test_own_figure_is_shown_by_pyplot(tables: dict[str, pd.DataFrame]) -> None:
    """Without axes a chart makes a figure that pyplot knows, and leaves the settings alone."""
    import matplotlib as mpl
    from matplotlib import pyplot

    before = dict(mpl.rcParams)
    figure = theme.figure_of(charts.plot_keyword_effects(tables["keywords"]))
    assert figure is pyplot.gcf()
    pyplot.close(figure)
    assert dict(mpl.rcParams) == before


def test_figures_are_the_same_bytes_twice(tables: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    """Every chart is written as SVG and PNG, without a date, and equal byte for byte."""
    for folder in ("a", "b"):
        charts.write_figures(tables, tmp_path / folder, caption="n · policy · seed")
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(f"{name}.{kind}" for name in charts.CHARTS for kind in ("svg", "png"))
    for name in names:
        content = (tmp_path / "a" / name).read_bytes()
        assert content == (tmp_path / "b" / name).read_bytes()
        assert b"date" not in content.lower()


@pytest.mark.parametrize("n_games", [1, 400])
def test_hostile_names_and_few_games_are_drawn(n_games: int, tmp_path: Path) -> None:
    """Whatever cards are called, and however few games there are, every chart is drawn."""
    tables = tables_of(hostile_cards(HOSTILE), ("random", "random"), n_games)
    charts.write_figures(tables, tmp_path, caption="$\\frac{<b>")
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
    assert theme.display_name(name) == shown


def test_numbers_as_text() -> None:
    """Numbers are written the same way everywhere."""
    assert theme.percent(0.53124) == "53.1\N{NO-BREAK SPACE}%"
    assert theme.percent(float("nan")) == theme.points(float("nan")) == "unknown"
    assert theme.points(-0.0123) == "\N{MINUS SIGN}1.2"
    assert theme.count(1e6) == "1,000,000"
