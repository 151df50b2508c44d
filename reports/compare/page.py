"""The page of a comparison, for games that have none of their own: every line with its verdict."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.comparison import Comparison, n_tested, write_comparison
from analysis.verdicts import LESS, MORE, NOT_SETTLED, SAME, SETTLED
from reports.balance.page import render_page
from reports.balance.report import Report
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Tab, Terms, Text
from reports.compare import PAGE, text
from reports.kit.cells import Cell, Column, cell_of, verdict, word
from reports.kit.drawing import draw_judged, players_of, set_titles
from reports.kit.figures import draw_chart
from reports.kit.findings import effects
from reports.kit.inline_svg import drawings
from reports.kit.theme import COOL, GREY, MUTED, WARM
from reports.kit.words import (
    DOT,
    Finding,
    capital,
    count,
    headline,
    interval_of,
    intervals,
    level,
    points_text,
)
from simcore.sealed import write_file, writing

#: What was compared, in one line, and what follows.
Words = tuple[str, list[Finding]]

#: The name of its files.
CHART = "changes"
#: Lines in the chart; the others moved less.
_SHOWN = 24
_MARKS = {SAME: (MUTED, "o"), NOT_SETTLED: (GREY, "d")}


class _Compared(Report):
    """What the page shows."""

    def __init__(
        self,
        comparison: Comparison,
        command: str,
        words: Words,
        subject: Callable[[pd.Series], str],
        more: Sequence[Tab],
    ) -> None:
        super().__init__(comparison.variant, comparison.tables)
        self._comparison, self._command, self._more = comparison, command, more
        self._played, self._findings = words
        self._subject = subject

    @property
    def title(self) -> str:
        return f"{self.run.game.title}: two runs compared"

    @property
    def headline(self) -> str:
        return headline(self._findings).rstrip(".") or self.title

    @property
    def played(self) -> str:
        return self._played

    @property
    def findings(self) -> list[Finding]:
        return self._findings

    @property
    def facts(self) -> list[tuple[str, str]]:
        sides = (("Base", self._comparison.base), ("Variant", self._comparison.variant))
        return [*((name, str(run.folder)) for name, run in sides), ("Command", self._command)]

    def caption(self, _chart: str) -> str:
        manifest = self._comparison.variant.manifest
        versions = f"fairdeal {manifest['versions']['fairdeal']}"
        return f"{self.played}{intervals()}\n{versions}{DOT}rules {manifest['rules_version']}"

    @property
    def lead(self) -> Block:
        return Figures.of(CHART)

    def tabs(self, _on_telling: object = None) -> list[Tab]:
        table = self._comparison.table
        tested = (
            f"Verdicts are corrected for all {count(n_tested(table))} numbers compared; intervals"
            f" are for {level()}."
        )
        columns = comparison_columns(self._subject)
        lines = Grid.of(columns, table, "Table of differences", "sortable")
        blocks: list[Block] = [Text(tested, hint=True), lines, Downloads.of("comparison")]
        return [
            Tab("All numbers", [Section("lines", "All numbers", blocks)]),
            *self._more,
            Tab("The runs", [Section("run", "The runs", [Terms(self.facts)])]),
        ]


def write_compare_page(
    comparison: Comparison,
    folder: Path,
    command: str,
    words: Words,
    name_of: Callable[[pd.Series], str] = text.name_of,
    subject_of: Callable[[pd.Series], str] = text.subject_of,
    more: Sequence[Tab] = (),
) -> Path:
    """Write table, chart and page of a comparison into ``folder``; the path of the page.

    ``command`` is what was typed, ``words`` say what was compared and what follows, ``name_of``
    names a line in the chart and ``subject_of`` in the table, ``more`` are tabs of the game's own.
    The same comparison gives the same bytes.  Raises RunError when something cannot be written.
    """
    write_comparison(comparison, folder)
    report, page = _Compared(comparison, command, words, subject_of, more), folder / PAGE
    drawn = draw_shares(comparison, name_of, report.caption(CHART), folder / "figures")
    charts = drawings({CHART: drawn})
    write_file(page, render_page(report, charts).encode())
    return page


def _side(name: str, meaning: str, column: str) -> Column:
    return Column(
        name, meaning, lambda line: Cell(text.value_text(line, column), float(line[column]))
    )


def _difference(line: pd.Series) -> Cell:
    words = text.difference_words(line)
    known = interval_of(line, "difference", words)
    return Cell(words(line["difference"]), float(line["difference"]), known)


def comparison_columns(subject: Callable[[pd.Series], str]) -> list[Column]:
    """The columns of the table of a comparison; ``subject`` says what a line is about."""
    return [
        Column("What", "what the line is about", lambda line: word(capital(subject(line))), "word"),
        _side("Before", "in the base", "base"),
        _side("After", "in the variant", "variant"),
        Column("Difference", "after minus before", _difference),
        Column("Verdict", "", cell_of("verdict", verdict), "word", filter="Verdict"),
    ]


def plot_differences(
    lines: pd.DataFrame,
    names: Sequence[str],
    *,
    label: str,
    what: str,
    directions: tuple[str, str],
    ax: Axes | None = None,
) -> Axes:
    """The lines of a comparison that changed most, with intervals, the largest change on top.

    ``names`` are those of the lines, ``label`` says what the axis is, ``what`` the lines are
    ("cards"), and ``directions`` what a change up and down is.
    """
    named = lines.assign(shown=[*names])
    shown = text.most_changed(named).head(_SHOWN).iloc[::-1].reset_index(drop=True)
    band = shown["band"].iloc[0] if len(shown) else None
    groups = _by_mark(shown["verdict"], directions)
    ax = draw_judged(ax, shown, [*shown["shown"]], "difference", groups, label, band=band)
    rest = len(lines) - len(shown)
    fewer = f"; {rest} other {what} moved less" if rest > 0 else ""
    finding = effects(
        shown["shown"].tolist(), shown, "difference",
        shown=shown["verdict"].isin(SETTLED),
        ways=("gained", "lost"),
        none=f"No change of the {what} is shown",
    )  # fmt: skip
    drawn = f"{players_of(shown)}{_band_note(shown)}{fewer}"
    set_titles(ax, finding, drawn, legend=True)
    return ax


def shares_of(table: pd.DataFrame) -> pd.DataFrame:
    """The lines of a comparison that are shares of games and not 0 on both sides."""
    shares = table[~table["measure"].str.startswith("mean_")]
    return shares[(shares["base"] != 0) | (shares["variant"] != 0)]


def draw_shares(
    comparison: Comparison, name_of: Callable[[pd.Series], str], caption: str, figures: Path
) -> dict[str, Path]:
    """Draw the shares of games that changed most into a folder: its files, without suffix.

    ``name_of`` names a line.  Empty where a comparison has no such lines.  Raises RunError when the
    files cannot be written.
    """
    lines = shares_of(comparison.table)
    if lines.empty:
        return {}
    path = figures / CHART
    with writing(figures):
        figures.mkdir(parents=True, exist_ok=True)
    plot = partial(
        plot_differences,
        names=[name_of(line) for _, line in lines.iterrows()],
        label="change of the share, percentage points",
        what="lines",
        directions=("more", "less"),
    )
    draw_chart(plot, lines, caption, path)
    return {"": path}


def _by_mark(
    verdicts: "pd.Series[str]", directions: tuple[str, str]
) -> list[tuple[str, str, str, "pd.Series[bool]"]]:
    """Label, colour, marker and mask of the lines of each verdict; gains before losses."""
    marks = {MORE: (directions[0], WARM, "^"), LESS: (directions[1], COOL, "v")}
    marks |= {word: (word, *mark) for word, mark in _MARKS.items()}
    return [(*mark, verdicts == word) for word, mark in marks.items()]


def _band_note(lines: pd.DataFrame) -> str:
    """What the shaded range means."""
    return f"; shaded: within ±{points_text(lines.iloc[0]['band'])}" if len(lines) else ""
