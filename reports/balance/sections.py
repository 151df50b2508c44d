"""What a report shows, whatever it is written as: tabs of sections, and sections of blocks.

A section is declared once and drives the page, Markdown and which charts stand where.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import pandas as pd
from attrs import frozen

from reports.kit.cells import Cell, Column, with_drawn


@frozen
class Text:
    """A paragraph; markup only if it is a `markupsafe.Markup`.

    A ``hint`` is set smaller; what says ``how`` to read what follows is folded away in the page.
    """

    text: str
    hint: bool = False
    how: bool = False
    kind: ClassVar[str] = "text"


@frozen
class Heading:
    """A heading inside a section."""

    text: str
    kind: ClassVar[str] = "heading"


@frozen
class Figures:
    """Charts, by their names."""

    charts: tuple[str, ...]
    kind: ClassVar[str] = "figures"

    @classmethod
    def of(cls, *charts: str) -> "Figures":
        """Those charts."""
        return cls(charts)


@frozen
class Grid:
    """A table: a row of cells for each row, and the columns that they stand in.

    ``style`` is "sortable" (with filters, and headings that say what they mean), "wordy", "plain"
    or "chart" (of drawn intervals, with a finding as title and a caption); ``label`` says what the
    table is, below the finding or to whoever does not see it.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    label: str
    style: str = "wordy"
    caption: str = ""
    finding: str = ""
    kind: ClassVar[str] = "grid"

    @classmethod
    def of(
        cls,
        columns: Sequence[Column],
        table: pd.DataFrame,
        label: str = "",
        style: str = "wordy",
        caption: str = "",
        finding: str = "",
    ) -> "Grid":
        """A row of cells for each row of a table; what is sortable or a chart draws intervals."""
        if style in ("sortable", "chart"):
            columns = with_drawn(columns, [row for _, row in table.iterrows()])
        cells = [[column.cell(row) for column in columns] for _, row in table.iterrows()]
        return cls(columns, cells, label, style, caption, finding)

    @property
    def headings(self) -> list[tuple[str, str]]:
        """The headings of the columns, each with its class in the style sheet."""
        return [(column.heading, column.kind) for column in self.columns]


@frozen
class Terms:
    """Words and what is said of each; ``style`` is "definitions", "findings" or "outliers".

    With a ``summary`` they are folded away behind it.
    """

    terms: Sequence[tuple[str, str]]
    style: str = "definitions"
    summary: str = ""
    kind: ClassVar[str] = "terms"


@frozen
class Downloads:
    """Tables to be saved from the page, by their names."""

    tables: tuple[str, ...]
    kind: ClassVar[str] = "downloads"

    @classmethod
    def of(cls, *tables: str) -> "Downloads":
        """Those tables."""
        return cls(tables)


@frozen
class Rendered:
    """Something of a game's own that only the page shows: a template, and what it is filled with.

    The values are asked for when the page is written.
    """

    template: str
    values: Callable[[], Mapping[str, Any]]
    kind: ClassVar[str] = "rendered"


Block = Text | Heading | Figures | Grid | Terms | Downloads | Rendered


class Section(NamedTuple):
    """A section: its id in the page, its heading, and what stands in it.

    ``brief`` is what Markdown shows instead; None if it is the same, () if it is nothing.
    """

    id: str
    heading: str
    blocks: Sequence[Block]
    brief: Sequence[Block] | None = None

    @property
    def in_markdown(self) -> Sequence[Block]:
        """What Markdown shows."""
        return self.blocks if self.brief is None else self.brief


def charted(
    name: str,
    heading: str,
    grid: Grid,
    *,
    how: str = "",
    hint: str = "",
    brief: Sequence[Block] = (),
) -> Section:
    """A section with a chart, its table and what can be saved, which have one name.

    Markdown shows the chart, and what is ``brief``.
    """
    figures = Figures.of(name)
    blocks: list[Block] = [
        *([Text(how, how=True)] if how else []),
        figures,
        *([Text(hint, hint=True)] if hint else []),
        *(grid, Downloads.of(name)),
    ]
    return Section(name.replace("_", "-"), heading, blocks, [figures, *brief])


class Tab(NamedTuple):
    """A tab of the page: its name and its sections, of which the first gives it its id.

    ``whole`` is shown as one with the page where there are no scripts, and has no place among the
    tabs.
    """

    name: str
    sections: Sequence[Section]
    whole: bool = False


def has_content(blocks: Sequence[Block], drawn: Collection[str]) -> bool:
    """Whether there is something to show: a chart that was drawn or a row of a table, if any.

    ``drawn`` are the names of the charts that were drawn.  Blocks without any chart or table are
    shown if there are any.
    """
    shown = [block for block in blocks if isinstance(block, Figures | Grid)]
    if not shown:
        return bool(blocks)
    return any(
        block.rows if isinstance(block, Grid) else {*block.charts} & {*drawn} for block in shown
    )
