"""The report of a run of Mice & Mystics: findings that follow from planted tables, and its page."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from markupsafe import Markup, escape
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.verdicts import BAND, verdicts
from reports.balance.formats import write_formats
from reports.balance.page import render_page
from reports.balance.sections import Downloads, Grid
from reports.kit import theme
from reports.kit.words import percent, points
from reports.mice_and_mystics.balance import text as wording
from reports.mice_and_mystics.balance.charts import (
    plot_assumptions,
    plot_clock,
    plot_encounters,
    plot_parties,
    plot_rooms,
)
from reports.mice_and_mystics.balance.sections import tabs
from reports.sensitivity.charts import MOST
from support.browser import NEEDS_BROWSER, PHONE, Open, check_frame
from support.mice_reported import assumptions, report_of, tables_of
from support.planted_mice import Planted, run_facts

ONE = ("collin", "nez", "tilda", "filch")
PLANTED = Planted(
    base=0.3,
    heroes={"nez": 0.1, "maginos": -0.08},
    dealt={"dodge": 0.1},
    first={"si_enc_03": -0.2, "si_enc_05": 0.15},
    top8={"grape": 0.05},
)


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    """Tables of all parties, with worths that are known."""
    return tables_of(run_facts(parties="any"), PLANTED, 20_000)


def widths(axes: Axes) -> list[float]:
    """The widths of all bars."""
    return [bar.get_width() for bar in axes.patches if isinstance(bar, Rectangle)]


def said(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """The findings by topic."""
    return dict(wording.findings(tables))


def test_findings_quote_tables(tables: dict[str, pd.DataFrame]) -> None:
    """Each finding names what was planted, with the numbers of the tables."""
    found = said(tables)
    won = tables["outcomes"].iloc[0]
    assert (won["party"], won["statistic"]) == ("all", "win")
    assert f"{percent(won['estimate'])} of the games are won" in found["How hard"]
    worth = tables["heroes"].set_index("hero")["worth"]
    assert f"Nez Bellows adds {points(worth['nez'])[1:]}" in found["For whom"]
    assert f"Maginos costs {points(-worth['maginos'])[1:]} points" in found["For whom"]
    best = tables["parties"].sort_values("win_rate").iloc[-1]
    assert f"win most ({percent(best['win_rate'])})" in found["For whom"]
    means = tables["counters"].set_index("counter")["mean"]
    assert f"surges turn {means['surges']:.1f} pages" in found["Why"]
    effects = tables["encounters"].set_index("encounter")
    for card, does in (("si_enc_03", "costs"), ("si_enc_05", "adds")):
        size = points(abs(effects["win_effect"][card]))[1:]
        assert f"{effects['name'][card]} as the first encounter {does} {size}" in found["Cards"]
    title = plot_encounters(tables["encounters"]).get_title(loc="left")
    assert f"{points(abs(effects['win_effect']['si_enc_03']))[1:]} points less often" in title
    assert "Dodge as a starting ability adds" in found["Cards"]


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.31, "more pages are turned at {} (31.0%) than anywhere else;"),
        (0.62, "most pages are turned at {} (62.0%);"),
    ],
)
def test_most_is_more_than_half(tables: dict[str, pd.DataFrame], share: float, words: str) -> None:
    """A room with less than half of the pages does not have most of them."""
    costs = tables["room_costs"].copy()
    costs["pages_lost_share"] = (1 - share) / 20
    costs.loc[costs.index[1], "pages_lost_share"] = share
    found = said(tables | {"room_costs": costs})
    assert words.format(costs["name"].iloc[1]) in found["Why"]


def test_own_entries_stand_first_and_are_marked(
    tmp_path: Path, tables: dict[str, pd.DataFrame]
) -> None:
    """A changed hero and a new card are on top of their tables and of the overview, with a mark."""
    own = {("heroes", "filch"): "changed", ("search_cards", "grape"): "new"}
    report = report_of(tmp_path, run_facts(parties="any"), tables, 20_000)
    tabs_by_name = {tab.name: tab for tab in tabs(report, own)}
    for name, first, mark in (("Heroes", "Filch", "changed"), ("Cards", "Grape", "new")):
        grids = [
            block
            for section in tabs_by_name[name].sections
            for block in section.blocks
            if isinstance(block, Grid)
        ]
        cells = [row[0] for grid in grids for row in grid.rows]
        assert [(cell.text, cell.mark) for cell in cells if cell.mark] == [(first, mark)]
        assert (first, mark) in [(grid.rows[0][0].text, grid.rows[0][0].mark) for grid in grids]
    [told] = wording.own_findings(tables, own)
    worth = tables["heroes"].set_index("hero")["worth"]["filch"]
    assert f"Filch (changed; {points(worth)} points" in told.text and "Grape (new;" in told.text
    assert [*wording.own_findings(tables, {})] == []


@pytest.mark.parametrize(
    ("base", "verdict"),
    [
        (0.0, "no game is won"),
        (0.3, "every party loses more often than it wins"),
        (0.7, "every party wins more often than it loses"),
        (1.0, "every game is won"),
    ],
)
def test_verdict_follows_win_rates(base: float, verdict: str) -> None:
    """The headline says on which side of one half the parties are, at both ends too."""
    tables = tables_of(run_facts(), Planted(base=base), 4000)
    assert wording.headline(tables).endswith(verdict)
    assert len(said(tables)) <= 5
    assert all(text.endswith(".") and "nan" not in text for text in said(tables).values())


def test_few_games_show_nothing() -> None:
    """Of 100 games no party, hero or card is called strong or weak."""
    found = said(tables_of(run_facts(), Planted(), 100))
    assert found["For whom"].startswith("None of ")
    assert found["Cards"].startswith("No encounter card")


def test_one_party_says_what_to_run() -> None:
    """Of one party no hero's worth is known; the finding names the option that tells it."""
    assert "--party all" in said(tables_of(run_facts(*ONE), PLANTED, 2000))["For whom"]


def test_assumptions_and_sources_are_told(tables: dict[str, pd.DataFrame]) -> None:
    """The last finding counts entries and names the change that moves the win rate most."""
    sources = pd.DataFrame(
        [{"kind": "all", "entries": 9, "verified": 4, "reported": 3, "assumed": 2}]
    )
    more = {"sources": sources, "assumptions": assumptions(6)}
    text = said(tables | more)["How sure"]
    assert "Of 9 entries" in text
    assert "4 are verified, 3 reported and 2 assumed" in text
    assert "Minion 5: life (2" in text
    assert "2.4 points" in text


def test_every_table_has_a_place(tmp_path: Path, tables: dict[str, pd.DataFrame]) -> None:
    """Every table of a run can be saved somewhere on the page."""
    of = run_facts(parties="any")
    report = report_of(tmp_path, of, tables | {"assumptions": assumptions(3)}, 20_000)
    placed = {
        name
        for tab in report.tabs()
        for section in tab.sections
        for block in section.blocks
        if isinstance(block, Downloads)
        for name in block.tables
    }
    assert {*RUN_TABLES, "assumptions"} <= placed


_CASES: dict[str, tuple[tuple[str, ...], dict[str, str], Planted, int]] = {
    "all parties": ((), {"parties": "any"}, PLANTED, 3000),
    "one party": (ONE, {}, PLANTED, 3000),
    "chapter 1": ((), {"chapter": "ch1_flight_to_barksburg"}, PLANTED, 3000),
    "100 games": ((), {}, PLANTED, 100),
    "nobody wins": ((), {}, Planted(base=0), 1000),
    "everybody wins": ((), {}, Planted(base=1), 1000),
}


@pytest.mark.parametrize("case", _CASES)
def test_report_of_every_kind_of_run(tmp_path: Path, case: str) -> None:
    """Charts are drawn where there is something to show, and the page tells what follows."""
    party, words, planted, n_games = _CASES[case]
    of = run_facts(*party, **words)
    report = report_of(tmp_path, of, tables_of(of, planted, n_games), n_games)
    drawn = {name for name, chart in report.charts.items() if chart.has_something(report.tables)}
    with theme.off_screen():
        for name in drawn:
            chart = report.charts[name]
            assert chart.plot(report.tables[chart.table]).get_title(loc="left")
    assert {"parties", "clock", "rooms", "cheese"} <= drawn
    assert ("heroes" in drawn) == (len(of.parties) > 1)
    assert ("hero_pairs" in drawn) == (case not in ("one party", "chapter 1"))
    page = render_page(report, {name: [Markup("a chart")] for name in drawn})
    assert str(escape(report.findings[0].text)) in page
    assert str(escape(report.title)) in page


def test_clock_adds_up(tables: dict[str, pd.DataFrame]) -> None:
    """On each page the games that are won, lost and still played are all games."""
    with theme.off_screen():
        axes = plot_clock(tables["clock"])
    by_page: dict[float, float] = {}
    for text in axes.texts:
        column, words = text.get_position()[0], text.get_text()
        if words.isdigit():
            by_page[column] = by_page.get(column, 0) + int(words)
    assert by_page
    assert all(abs(total - 100) <= 4 for total in by_page.values())


def test_rooms_add_up(tables: dict[str, pd.DataFrame]) -> None:
    """The bars of all rooms are all games."""
    with theme.off_screen():
        axes = plot_rooms(tables["rooms"])
    assert sum(widths(axes)) == pytest.approx(1)


def test_parties_are_sorted(tables: dict[str, pd.DataFrame]) -> None:
    """The strongest party stands on top, called by its heroes' names."""
    with theme.off_screen():
        axes = plot_parties(tables["parties"])
    best = tables["parties"].sort_values("win_rate").iloc[-1]["party"]
    top = axes.get_yticklabels()[-1].get_text()
    assert top.replace(" and ", ", ") == best.replace(",", ", ").title()


def test_tornado_shows_the_most_influential() -> None:
    """The greatest change is on top, and those that change least are left out."""
    with theme.off_screen():
        axes = plot_assumptions(assumptions(MOST + 5))
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert len(names) == MOST
    assert names[-1].startswith(f"Minion {MOST + 4}\nlife (2)")
    assert max(widths(axes)) == pytest.approx(0.004 * (MOST + 5))


@NEEDS_BROWSER
@pytest.mark.usefixtures("drawn_anew")
def test_page_in_browser(tmp_path: Path, open_file: Open, tables: dict[str, pd.DataFrame]) -> None:
    """Offline and on a phone the page asks for nothing, says nothing amiss and is not too wide."""
    of = run_facts(parties="any")
    report = report_of(tmp_path, of, tables | {"assumptions": assumptions(20)}, 20_000)
    written = write_formats(report, ("html", "md", "xlsx"))
    assert all(file.exists() for file in written.values())
    path = written["html"]
    page = open_file(path, viewport=PHONE)
    for tab in report.tabs():
        for section in tab.sections:
            page.goto(f"{path.as_uri()}#{section.id}")
            assert page.locator(f"#{section.id}").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.goto(f"{path.as_uri()}#overview")
    check_frame(page)


def test_markdown_states_the_method_that_was_used(
    tmp_path: Path, tables: dict[str, pd.DataFrame]
) -> None:
    """Verdicts follow from intervals that hold together, and the report says so."""
    cards = tables["encounters"]
    joint = cards[["win_effect_ci_low", "win_effect_ci_high"]].to_numpy().T
    assert [*verdicts(*joint, band=BAND, of_foe=True)] == [*cards["verdict"]]
    report = report_of(tmp_path, run_facts(parties="any"), tables, 20_000)
    text = " ".join(write_formats(report, ("md",))["md"].read_text("utf-8").split())
    assert "those that verdicts go by hold for all rows of their table together" in text
    assert "corrected for the number of rows" not in text


def test_random_play_is_no_verdict(tmp_path: Path, tables: dict[str, pd.DataFrame]) -> None:
    """A run of players that choose at random says that it is no verdict."""
    report = report_of(tmp_path, run_facts(parties="any"), tables, 20_000)
    assert report.note is None
    report.run.manifest["policies"] = ["category"]
    assert report.note is not None
