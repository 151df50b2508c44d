"""What was only observed is not told as a cause, on pages, in tables, charts and docs.

docs/methods.md says which numbers may be told how.  A word of cause may stand where a sentence says
that it is about an experiment or about being dealt a card, which is decided by lot, or where it
denies that something is worth what it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.mindbug.experiments.skill import SKILL_TABLES
from analysis.mindbug.experiments.skill_panel import PANEL_TABLES, WHOSE_CARD
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import (
    MEASURES,
    SELECTIONS,
    SKILL_VERDICTS,
    STATISTICS,
    SYSTEM_STATISTICS,
)
from analysis.mindbug.tables import RUN_TABLES
from analysis.panel import PANEL_VERDICTS
from analysis.questions.story import STORY_TABLES
from analysis.verdicts import VERDICTS
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.run_report import RunReport, read_report

from .conftest import Expansions

ROOT = Path(__file__).parents[4]
#: Words of cause.  "Because" of rules and of how a game ends is no finding about cards.
CAUSES = re.compile(
    r"\b(worth|causes?|makes? (?:players|them|a)|because|changes the win rate)\b", re.IGNORECASE
)
ALLOWED = re.compile(
    r"by experiment|being dealt|to be dealt|not what|no measure of|not told as|worth knowing"
    r"|games that ended because|end because|ended because|games that a player lost because"
    r"|because a creature must|not always drawn or played|draw because"
    r"|among the (?:strongest|weakest) of|(?:is|are) worth (?:more|less)",
    re.IGNORECASE,
)
#: The tables of what happened in a run; the others are of experiments.
OBSERVED_TABLES = (
    *("games", "player_cards", "change_parts", "card_games", "verdict_pairs", "verdict_games"),
    *RUN_TABLES,
    *SKILL_TABLES,
    *PANEL_TABLES,
)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, and the cells of a table."""
    for piece in re.split(r"(?<=[.;:])\s|\n|\|", text):
        if piece.strip():
            yield " ".join(piece.split())


def claims(text: str) -> list[str]:
    """The sentences that tell of a cause without saying how it is known."""
    return [
        sentence
        for sentence in sentences(text)
        if CAUSES.search(sentence) and not ALLOWED.search(sentence)
    ]


def shown(html: str) -> str:
    """The words of a page, a block of it on a line."""
    body = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL)
    body = re.sub(r"</?(?:em|strong|code|a|span|small)\b[^>]*>", "", body)
    return unescape(re.sub(r"<[^>]*>", "\n", body))


@pytest.fixture(params=["plain", "expansions"])
def folder(request: pytest.FixtureRequest, plain_run: Path, expansions_run: Expansions) -> Path:
    """A reported run without any experiment, of plain cards and of every expansion feature."""
    return plain_run if request.param == "plain" else expansions_run("random", "random")


def test_the_guard_sees_a_claim() -> None:
    """It fails on the headline that began this, and passes what is said of experiments."""
    old = "One more dealt card with a keyword changes the win rate by +1.8 for SNEAKY."
    assert claims(old) and claims("What the keyword is worth.")
    assert not claims("By experiment, printing a keyword changes the win rate by +3.0.")
    assert not claims("It is not what the card is worth.")


def test_pages_claim_nothing_that_was_observed(folder: Path) -> None:
    """Neither the page nor the Markdown, nor what the console says first."""
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text()
        assert claims(shown(text) if name.endswith("html") else text) == []
    for finding in wording.findings(read_report(folder).tables):
        assert claims(finding.text) == [], finding.topic


def test_columns_claim_nothing_that_was_observed() -> None:
    """The dictionary of the tables of a run, and the words that pages and docs quote."""
    for table in OBSERVED_TABLES:
        for column, meaning in TABLES[table].columns.items():
            assert claims(meaning) == [], f"{table}.{column}"
    quoted = [*MEASURES.values(), *VERDICTS.values(), *SKILL_VERDICTS.values()]
    quoted += [*PANEL_VERDICTS.values(), *WHOSE_CARD.values()]
    quoted += [*STATISTICS.values(), *SYSTEM_STATISTICS.values()]
    quoted += [
        text for selection in SELECTIONS for text in (selection.definition, selection.reading)
    ]
    for text in quoted:
        assert claims(text) == []


def test_every_table_is_of_a_run_or_of_an_experiment() -> None:
    """A new table has to say of which kind it is."""
    experiments = {
        *("sensitivity", "values", "by_copies", "parts", "by_change", "keyword_effects"),
        *("strong_cards", "strong_summary"),
        *("luck", "luck_changes", "verdict", "verdict_place", "verdict_changes"),
        *("comparison", "comparison_stronger", "restrictions"),
        *("front", "changes", "goals", "gains", "nearest"),
        *("ratings", "pairs", "deals", "speed"),
        *("prices", "price_quality", "price_curve", "price_worths", "price_fit", "price_features"),
        "price_elsewhere",
        "price_players",
    } | {
        "playtests",
        "playtest_players",
        "playtest_log",
    }  # of people, and of simulations beside them
    experiments |= {*STORY_TABLES}  # of chances that a judge says
    assert experiments | set(OBSERVED_TABLES) >= set(TABLES)
    assert not experiments & set(OBSERVED_TABLES)


def test_charts_claim_nothing_that_was_observed(folder: Path) -> None:
    """Titles, subtitles and axes of the charts of a run."""
    tables = read_report(folder).tables
    for name, chart in RunReport.charts.items():
        table: pd.DataFrame | None = tables.get(chart.table)
        if table is None or table.empty:
            continue
        ax: Axes = Figure().add_subplot()
        chart.plot(table, ax=ax)
        words = [ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]
        words += [text.get_text() for text in ax.texts]
        assert [claim for word in words for claim in claims(word)] == [], name
        assert claims(chart.plot.__doc__ or "") == [], name
