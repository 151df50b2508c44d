"""What cards are worth where the strong play: the section and the chart."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from reports.balance.report import Report
from reports.balance.sections import Downloads, Figures, Grid, Section, Text
from reports.kit.cells import Column, cell_of, estimate_of, verdict, word
from reports.kit.drawing import Charts
from reports.kit.words import DOT, capital, count, games, points
from reports.mindbug.balance.charts import plot_card_strength
from reports.mindbug.balance.rows import card_name
from reports.mindbug.balance.text import as_cards, strong_findings, weaker_players
from reports.mindbug.run_text import called

#: The chart by the name of its file.
CHARTS = Charts(TABLES)


@CHARTS.draws("strong_cards", "strong_cards", optional=True)
def plot_strong_cards(strong_cards: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """All cards by the win rate of strong players dealt them, with intervals, strongest on top."""
    return plot_card_strength(as_cards(strong_cards), ax=ax)


def among_strong(cards: pd.DataFrame, strong_cards: pd.DataFrame) -> pd.DataFrame:
    """The table of cards with what they are worth where the strong play in the place of the run."""
    found = as_cards(strong_cards).set_index("card_id")
    kept = cards.drop(columns=[name for name in cards if name in found])
    return kept.join(found, on="card_id")


def beside(tables: Mapping[str, pd.DataFrame]) -> str:
    """What was played beside the run, as the end of a line that says what was."""
    if "strong_cards" not in tables:
        return ""
    [row] = tables["strong_summary"].to_dict("records")
    return f"{DOT}{games(row['n_games'])} of {called(row['policy'])}"


def strong_sections(report: Report) -> Iterator[Section]:
    """The section; none where no strong player was asked."""
    tables = report.tables
    if "strong_cards" not in tables:
        return
    [finding], [row] = strong_findings(tables), tables["strong_summary"].to_dict("records")
    ranked = tables["strong_cards"].sort_values("advantage", ascending=False, kind="stable")
    told = Text(finding.text)
    table = Grid.of(_columns(row), ranked, "Table of cards in strong play", "sortable")
    yield Section(
        "strong",
        "Strong play",
        [
            Text(
                f"{games(row['n_games'])} of {called(row['policy'])} are joined with"
                f" {count(row['weaker_n_games'])} of {weaker_players(row)}. What a card is worth"
                " follows from both: from the others, stretched by as much as all cards are, and"
                " from the few, which count more the further they are from that.",
                how=True,
            ),
            told,
            Figures.of("strong_cards"),
            table,
            Downloads.of("strong_cards", "strong_summary"),
        ],
        [told, Figures.of("strong_cards"), table],
    )


def _columns(row: Mapping[str, Any]) -> list[Column]:
    said = TABLES["strong_cards"].columns

    def of_points(heading: str, column: str, *, ranks: bool = False) -> Column:
        meaning = f"In percentage points: {said[column]}."
        return Column(heading, meaning, estimate_of(column, points), sorted=ranks)

    return [
        Column("Card", "printed name", card_name, "word"),
        of_points("Advantage", "advantage", ranks=True),
        Column("Verdict", said["verdict"], cell_of("verdict", verdict), "word"),
        of_points(f"{called(row['policy'])} alone", "alone"),
        of_points(capital(weaker_players(row)), "weaker"),
        Column(
            "Differs", said["differs"], lambda card: word("differs" if card["differs"] else ""),
            "word",
        ),
    ]  # fmt: skip
