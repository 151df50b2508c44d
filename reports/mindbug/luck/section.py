"""The section on luck and skill in the report of a run."""

from collections.abc import Iterator

import pandas as pd

from reports.balance.report import Report
from reports.balance.sections import Downloads, Figures, Grid, Section, Text
from reports.kit.cells import Column, estimate, word
from reports.kit.words import bare_percent
from reports.mindbug.luck.text import HOW, WHY_SLIPS, luck_text, source_names


def luck_sections(report: Report) -> Iterator[Section]:
    """The section; none where luck was not measured."""
    luck = report.tables.get("luck")
    if luck is None:
        return
    told, table = (
        Text(luck_text(luck)),
        Grid.of(_columns(source_names(luck)), luck, "Table of luck and skill"),
    )
    yield Section(
        "luck",
        "Luck and skill",
        [
            Text(HOW),
            told,
            Figures.of("luck"),
            Text(WHY_SLIPS, hint=True),
            table,
            Downloads.of("luck"),
        ],
        [told, Figures.of("luck"), table],
    )


def _columns(names: dict[str, str]) -> list[Column]:
    def source(row: pd.Series) -> str:
        return names[row["source"]]

    return [
        Column("Source", "what decides who wins", lambda row: word(source(row)), "word"),
        Column(
            "Share",
            "in per cent of the variance of the result",
            lambda row: estimate(row, column="share", words=bare_percent),
        ),
        Column(
            "Spread",
            "by how many percentage points one standard deviation of it moves the chance of"
            " winning",
            lambda row: estimate(row, column="spread", words=bare_percent),
        ),
    ]
