"""The first screen of an answer in the terminal: a chart of intervals, and a few sentences.

The same blocks as those of the page: a `Grid` in the style "chart" is drawn in characters.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from analysis.verdicts import FAIR, VERDICTS
from reports.balance.sections import Grid
from reports.kit.cells import Cell, Column, Dot
from reports.kit.stopping_text import how_it_ended
from reports.kit.verdicts import sign_of
from reports.kit.words import Finding, capital, display_name

if TYPE_CHECKING:
    from reports.balance.report import Report

#: Columns of a terminal that a chart fits into, those of its axis at least, and rows of either end
#: of a long chart.
_WIDTH, _AXIS, _ENDS = 80, 16, 6


def screen_of(report: "Report") -> list[str]:
    """What the terminal says of an analysed run, line by line.

    First the answer, then the chart of the page's first screen with a designer's own rows on top,
    and what else the first screen says.
    """
    chart = report.lead
    if not (isinstance(chart, Grid) and any(one.kind == "dots" for one in chart.columns)):
        chart = None
    drawn: list[str] = []  # how the topics begin that the chart shows
    lines = [f"{report.headline.rstrip('.')}.", ""]
    if chart is not None:
        lines += [*chart_lines(chart), ""]
        drawn = [capital(word) for word in VERDICTS if word in _words_of(chart)]
        drawn += ["Your"] * any(row[0].mark for row in chart.rows)
    told = [_sentence(one) for one in report.overview if not one.topic.startswith(tuple(drawn))]
    more = [one for one in told if one != lines[0]]
    return [*lines, *more, "", report.played, *_cut_short(report.run.manifest)]


def _cut_short(manifest: Mapping[str, Any]) -> list[str]:
    """That a run ended before its goal, or what never came up; nothing of any other."""
    told = how_it_ended(manifest)
    stopped = manifest.get("stopped") or {}
    is_known = stopped.get("reached") and stopped["half_width"] is not None
    return told[1:] if is_known else told


def _words_of(chart: Grid) -> set[str]:
    """The verdicts in a chart."""
    return {cell.text for row in chart.rows for cell in row[1:]}


def _sentence(finding: Finding) -> str:
    """The one sentence of a finding, without the links that it has in the page."""
    text = finding.brief or finding.text
    return text.striptags() if isinstance(text, Markup) else text


def chart_lines(grid: Grid) -> Iterator[str]:
    """A chart in characters: names, numbers with intervals, and the intervals on one axis.

    Marked rows come first, by themselves, unless all are; of many others both ends are shown.
    """
    own = [row for row in grid.rows if row[0].mark]
    others = [row for row in grid.rows if not row[0].mark]
    if not others:
        own, others = [], own
    left_out = max(len(others) - 2 * _ENDS, 0)
    ends = [others] if left_out < 2 else [others[:_ENDS], others[-_ENDS:]]
    shown = [row for rows in (own, *ends) for row in rows]
    draw = _Drawing(grid.columns, shown)
    yield draw.heading
    for rows in filter(None, [own, ends[0]]):
        yield from map(draw.row, rows)
        if rows is own and others:
            yield ""
    if len(ends) > 1:
        yield f"    … {left_out} more"
        yield from map(draw.row, ends[1])


class _Drawing:
    """Rows of a chart as lines; the first column has the names, the second one is drawn."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
        self._axis = next(n for n, column in enumerate(columns) if column.kind == "dots")
        heads = [column.heading for column in columns]
        self._words = [n for n in range(self._axis + 1, len(columns)) if heads[n] == "Verdict"]
        numbers = [self._number(row) for row in rows]
        self._widths = [max(map(len, parts)) for parts in zip(*numbers, strict=True)]
        said = max((len(row[n].text) for row in rows for n in self._words), default=0)
        room = _WIDTH - (4 + 2 + sum(self._widths) + 2 + 2 + said + 2)
        longest = max(len(row[0].text) for row in rows)
        self._name = max(min(longest, room - _AXIS), len(heads[0]))
        self._drawn = room - self._name
        self._ground = _ground(columns[self._axis].axis, self._drawn)
        number = sum(self._widths) + 2
        axis = self._scale(heads[self._axis], columns[self._axis].axis)
        self.heading = f"    {heads[0]:<{self._name}}  {heads[1]:<{number}}  {axis}".rstrip()

    def _scale(self, ends: str, style: str) -> str:
        """The ends of the axis, and that the band is what is fair where there is room to say so."""
        low, _, high = ends.partition(" to ")
        axis = low + high.rjust(self._drawn - len(low))
        at = _places(style, self._drawn)
        if "--from" in at:
            begin = (at["--from"] + at["--to"] + 1 - len(FAIR)) // 2
            end = begin + len(FAIR)
            if len(low) < begin and end < self._drawn - len(high):
                axis = axis[:begin] + FAIR + axis[end:]
        return axis

    def _number(self, row: Sequence[Cell]) -> tuple[str, str]:
        told = row[self._axis - 1]
        return told.text, f"({told.interval})" if told.interval else ""

    def row(self, row: Sequence[Cell]) -> str:
        """A row."""
        said = " ".join(row[n].text for n in self._words)
        number, ends = (
            f"{part:<{width}}" if n else f"{part:>{width}}"
            for n, (part, width) in enumerate(zip(self._number(row), self._widths, strict=True))
        )
        name = display_name(row[0].text, self._name)
        drawn = _drawn(self._ground, row[self._axis].dot)
        line = f"  {sign_of(said)} {name:<{self._name}}  {number}  {ends}  {drawn}  {said}"
        return line.rstrip()


def _ground(style: str, width: int) -> str:
    """The band and its middle in so many characters; ``style`` has their places in per cent."""
    at, ground = _places(style, width), [" "] * width
    if "--from" in at:
        ground[at["--from"] : at["--to"] + 1] = "░" * (at["--to"] + 1 - at["--from"])
    if "--zero" in at:
        ground[at["--zero"]] = "│"
    return "".join(ground)


def _places(style: str, width: int) -> dict[str, int]:
    """The character in which each place of a ground lies, of those that are drawn."""
    places = dict(one.split(":") for one in style.split(";") if one)
    if places.get("--from") == places.get("--to"):  # no band
        places = {name: place for name, place in places.items() if name == "--zero"}
    return {name: _column(one, width) for name, one in places.items() if float(one) >= 0}


def _drawn(ground: str, dot: Dot | None) -> str:
    """An interval on its ground."""
    if dot is None:
        return ground
    low, at, high = (_column(place, len(ground)) for place in dot)
    return "".join(
        "●" if n == at else "─" if low <= n <= high else one for n, one in enumerate(ground)
    )


def _column(place: str, width: int) -> int:
    """The character in which a place in per cent lies."""
    return min(round(float(place) / 100 * (width - 1)), width - 1)
