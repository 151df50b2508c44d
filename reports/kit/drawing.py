"""What charts are made of: axes, titles, points with intervals, names, cells of a matrix.

A chart is a function ``plot_x(table, *, ax=None) -> Axes``.  Without ``ax`` it gets a figure of its
own in the style of fairdeal; with ``ax`` it is drawn there, in whatever style is set.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator

from analysis.registry import Registry
from reports.kit import theme
from reports.kit.findings import effects
from reports.kit.theme import BLUE, MUTED, WIDTH
from reports.kit.words import capital, percent, points

# Columns of a wrong table that are named before "and n more".
_NAMED = 6
# Inches around the axes of a new figure: titles above, axis label and caption below.
_TOP, _LEGEND, BOTTOM, _RIGHT = 0.72, 0.27, 0.56, 0.3
_LONGEST_NAME = 2.7  # inches of a name beside its row
_HANDLE, _BETWEEN = 1.6, 1.4  # a mark of the legend and the room behind it, in widths of a letter
ROW, _LEAST = 0.27, 0.55  # inches for a card in a list, and for a list
_IN_BARS = 11  # points of numbers inside bars
#: Points of numbers in the cells of a wide matrix, which is never shown small.
IN_CELLS = 9.5
_TITLE, _SUBTITLE = 14.0, 11.0
_TICK_FONT = FontProperties(family=theme.FONT, size=theme.TICK_SIZE)
#: The look of points with their intervals.
LINE: dict[str, Any] = {"elinewidth": 1.6, "capsize": 0, "linestyle": "none", "zorder": 3}


class Chart(NamedTuple):
    """A chart of the report: its function, its table, and the column that must not be mixed.

    An ``optional`` chart is left out where its table is empty, and one that ``needs`` a column
    where nothing is known in it.  The caption of a chart without ``intervals`` does not speak of
    them.
    """

    plot: Callable[..., Axes]
    table: str
    split_by: str = ""
    optional: bool = False
    intervals: bool = True
    needs: str = ""

    def has_something(self, tables: Mapping[str, pd.DataFrame]) -> bool:
        """Whether there is something to draw."""
        if not (self.optional or self.needs):
            return True
        table = tables.get(self.table)
        if table is None or table.empty:
            return False
        return not self.needs or bool(table[self.needs].notna().any())


class Charts(Mapping[str, Chart]):
    """The charts of a report by the names of their files; each is registered beside its function.

    ::

        CHARTS = Charts(TABLES)

        @CHARTS.draws("dice", "dice", split_by="policy")
        def plot_dice(dice, *, ax=None): ...
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._charts: dict[str, Chart] = {}

    def draws(
        self,
        name: str,
        table: str,
        *,
        split_by: str = "",
        optional: bool = False,
        intervals: bool = True,
        needs: str = "",
    ) -> Callable[[Callable[..., Axes]], Callable[..., Axes]]:
        """Register a chart of a table, which says so if it is given another; see `Chart`."""

        def decorate(plot: Callable[..., Axes]) -> Callable[..., Axes]:
            checked = draws(self._registry, table)(plot)
            self._charts[name] = Chart(checked, table, split_by, optional, intervals, needs)
            return checked

        return decorate

    def __getitem__(self, name: str) -> Chart:
        return self._charts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._charts)

    def __len__(self) -> int:
        return len(self._charts)


def draws(registry: Registry, name: str) -> Callable[[Callable[..., Axes]], Callable[..., Axes]]:
    """Let a chart of a table of ``registry`` say so if it gets another, and give it the style.

    The chart then raises ValueError for what is no table, or lacks columns that it needs.  A figure
    of its own has the style of fairdeal; given axes have whatever is set.
    """

    def decorate(plot: Callable[..., Axes]) -> Callable[..., Axes]:
        @wraps(plot)
        def checked(table: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
            wanted = f"{plot.__name__} draws the table '{name}'"
            if not isinstance(table, pd.DataFrame):
                raise ValueError(f"{wanted}; it was given a {type(table).__name__}")
            try:
                with theme.style() if ax is None else nullcontext():
                    return plot(table, ax=ax)
            except (KeyError, AttributeError) as error:
                missing = [column for column in registry[name].columns if column not in table]
                if not missing:
                    raise
                raise ValueError(f"{wanted}; {_lacks(registry, table, missing)}") from error

        return checked

    return decorate


def _lacks(registry: Registry, table: pd.DataFrame, missing: list[str]) -> str:
    """Which columns a table lacks, and which table it is if it is another one."""
    known = [name for name, one in registry.items() if [*one.columns] == [*table]]
    which = f"it was given the table '{known[0]}', which" if known else "the one that it was given"
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    return f"{which} has no column {', '.join(missing[:_NAMED])}{more}"


def new_axes(
    height: float,
    *,
    left: float,
    right: float = _RIGHT,
    bottom: float = BOTTOM,
    legend: bool = True,
    width: float = WIDTH,
) -> Axes:
    """Axes of that height on a figure of their own; all in inches."""
    total = height + _TOP + legend * _LEGEND + bottom
    figure = theme.new_figure(total, width)
    return figure.add_axes(
        (left / width, bottom / total, 1 - (left + right) / width, height / total)
    )


def width_of(names: Iterable[str], most: float = _LONGEST_NAME) -> float:
    """Inches that the longest of some tick labels needs, within reason."""
    longest = max((theme.text_size(name, _TICK_FONT)[0] for name in names), default=0)
    return 0.25 + min(longest / 72, most)


def check_one(table: pd.DataFrame, column: str) -> None:
    """Raise ValueError for a table about several policies."""
    if len(found := table[column].unique()) > 1:
        raise ValueError(
            f"the table is about several policies ({', '.join(map(str, found))}), which a chart"
            f" never mixes; choose one: table[table[{column!r}] == {found[0]!r}]"
        )


def players_of(table: pd.DataFrame) -> str:
    """Who played, from the first row of a table about one policy or pair of policies."""
    if table.empty:
        return ""
    row = table.iloc[0]
    if "policy_first" not in table:
        return f"players: {row['policy']}"
    return f"{row['policy_first']} against {row['policy_second']}"


def set_titles(ax: Axes, finding: str, drawn: str, *, legend: bool = False) -> None:
    """The words above the axes, from the left edge if the figure has no others.

    The title says what was found, the line below it what is drawn: where rows have names, the
    quantity, which is the label of the axis below them and moves up here, and ``drawn``.
    """
    figure, box = theme.figure_of(ax), ax.get_position()
    owned = len(figure.axes) == 1
    width = 72 * figure.get_size_inches()[0]
    x = (theme.EDGE - box.x0) / box.width if owned else 0.0
    room = width * (theme.TEXT_SHARE if owned else box.width)
    of_rows, of_columns = (
        isinstance(axis.get_major_locator(), FixedLocator) for axis in (ax.yaxis, ax.xaxis)
    )
    if of_rows and not of_columns and (quantity := ax.get_xlabel()):
        drawn = f"{quantity}; {drawn}" if drawn else quantity
        ax.set_xlabel("")
    heading, below = (
        theme.wrapped(said, room, FontProperties(family=theme.FONT, size=size, weight=weight))
        for said, size, weight in (
            (capital(finding), _TITLE, "bold"),
            (capital(drawn), _SUBTITLE, "normal"),
        )
    )
    keys = ax.get_legend_handles_labels()[1] if legend else []
    columns = _columns(keys, room)
    rows = -(-len(keys) // columns)
    above = 10 + legend * (2 + 17 * max(rows, 1))
    if keys:
        ax.legend(loc="lower left", bbox_to_anchor=(x, 1.0), ncols=columns)
    theme.grow(
        figure,
        top=1.2 * _TITLE * (len(heading) - 1)
        + 1.2 * _SUBTITLE * (len(below) - 1)
        + 17 * max(rows - 1, 0),
        bottom=_wrap_label(ax, width),
    )
    # How much of the figure a page, which writes both as text of its own, leaves out.
    high = 72 * (1 - ax.get_position().y1) * figure.get_figheight() - above + 4
    ax.set_title(
        "\n".join(heading), loc="left", x=x, y=1.0,
        pad=above + 6 + 1.2 * _SUBTITLE * len(below), parse_math=False, linespacing=1.2,
        gid=f"{theme.FINDING}-{high if owned else 0:.2f}",
    )  # fmt: skip
    ax.annotate(
        "\n".join(below),
        (x, 1),
        xycoords="axes fraction",
        xytext=(0, above),
        textcoords="offset points",
        color=MUTED,
        parse_math=False,
        linespacing=1.2,
        gid=theme.DRAWN,
    )


def _columns(keys: Sequence[str], room: float) -> int:
    """Columns of a legend, which is filled column by column, so that it has room; in points."""
    widths = [
        theme.text_size(key, _TICK_FONT)[0] + (_HANDLE + _BETWEEN) * theme.TICK_SIZE for key in keys
    ]
    for columns in range(len(keys), 1, -1):
        if sum(max(column) for column in np.array_split(widths, columns)) <= room:
            return columns
    return 1


def _wrap_label(ax: Axes, width: float) -> float:
    """Break the label of the horizontal axis so that it stays on the figure; points it takes more.

    It stands below the middle of the axes; what is between that and the nearer edge has room twice.
    """
    box = ax.get_position()
    room = 2 * width * min(box.x0 + box.width / 2, 1 - box.x0 - box.width / 2) - 8
    lines = theme.wrapped(ax.get_xlabel(), max(room, width / 3), _TICK_FONT)
    ax.set_xlabel("\n".join(lines), linespacing=1.2, parse_math=False)
    return 1.2 * theme.TICK_SIZE * (len(lines) - 1)


def keep_off_legend(ax: Axes) -> None:
    """Raise the upper end of a vertical axis whose highest number would reach into the legend."""
    low, high = ax.get_ylim()
    highest = max((tick for tick in ax.get_yticks() if tick <= high), default=low)
    height = 72 * ax.get_position().height * theme.figure_of(ax).get_figheight()
    room = (high - low) * theme.TICK_SIZE / height
    if high - highest < room:
        ax.set_ylim(top=highest + room)


def name_rows(
    ax: Axes,
    names: Iterable[str],
    tick: Callable[[float, float], str] | None = None,
    quantity: str = "",
    *,
    margin: float = 0.6,
) -> None:
    """A name beside each row, with so much room below the first and above the last.

    ``quantity`` is what rows differ in, and ``tick`` writes it at the axis.
    """
    names = [_fitting(name) for name in names]
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(-margin, len(names) - 1 + margin)
    ax.grid(axis="y", visible=False)
    if tick is not None:
        ax.xaxis.set_major_formatter(tick)
        ax.set_xlabel(quantity)


def _fitting(name: str) -> str:
    """A name of a line or two, none of them wider than `width_of` gives it room."""
    return "\n".join(_elided(line) for line in name.split("\n"))


def _elided(line: str) -> str:
    kept = line
    while theme.text_size(kept, _TICK_FONT)[0] > 72 * _LONGEST_NAME:
        line = line[:-1].rstrip()
        kept = f"{line}…"
    return kept


def whiskers(table: pd.DataFrame, estimate: str, name: str = "") -> np.ndarray:
    """Lengths of the lower and upper whisker, shape (2, n_rows)."""
    low, high = (f"{name}_{end}" if name else end for end in ("ci_low", "ci_high"))
    return np.array([table[estimate] - table[low], table[high] - table[estimate]])


def draw_points(ax: Axes, rows: pd.DataFrame, estimate: str, name: str, **look: Any) -> None:
    """A point with its interval for each row, the first one at the bottom; ``look`` as `LINE`."""
    settings: dict[str, Any] = {"color": BLUE, "marker": "o", "markersize": 8} | LINE | look
    ax.errorbar(rows[estimate], rows.index, xerr=whiskers(rows, estimate, name), **settings)


def write_beside(ax: Axes, row: float, text: str, *, away: float = 8) -> None:
    """A number at the right edge, some points ``away``, beside the row at that height."""
    ax.annotate(
        text,
        (1, row),
        xycoords=("axes fraction", "data"),
        xytext=(away, 0),
        textcoords="offset points",
        va="center_baseline",
        annotation_clip=False,
    )


def width_in(ax: Axes, text: str) -> float:
    """The share of the width of the axes that `write_in` needs for a text, with some room."""
    font = FontProperties(family=theme.FONT, size=_IN_BARS, weight="bold")
    width = ax.get_position().width * theme.figure_of(ax).get_figwidth()
    return 0.04 + theme.text_size(text, font)[0] / 72 / width


def write_points(ax: Axes, differences: pd.Series, digits: int = 1) -> None:
    """Each difference, in percentage points, beside its row."""
    for row, difference in differences.items():
        write_beside(ax, row, points(difference, digits))


def write_in(ax: Axes, row: float, x: float, text: str, colour: str, side: str = "center") -> None:
    """A number inside a bar."""
    ax.text(x, row, text, color=colour, ha=side, va="center", fontsize=_IN_BARS, fontweight="bold")


def matrix_cell(x: float, y: float, colour: str, strength: float = 1) -> Rectangle:
    """A cell of a matrix."""
    place = (x - 0.48, y - 0.47)
    return Rectangle(place, 0.96, 0.94, facecolor=colour, alpha=strength, linewidth=0)


def percent_tick(value: float, _: float) -> str:
    """A share at an axis: 0.505 -> "50.5%"."""
    return f"{round(100 * value, 4):g}%"


def points_tick(value: float, _: float) -> str:
    """A difference at an axis: -0.005 -> "−0.5"."""
    text = f"{round(100 * value, 4):+g}".replace("-", "\N{MINUS SIGN}")
    return "0" if value == 0 else text


def draw_judged(
    ax: Axes | None,
    rows: pd.DataFrame,
    names: Sequence[str],
    estimate: str,
    groups: Iterable[tuple[str, str, str, Any]],
    quantity: str,
    *,
    interval: str = "",
    number: Callable[[float], str] = points,
    band: float | None = None,
    middle: float = 0.0,
    row: float = ROW,
) -> Axes:
    """Points with intervals in the look of their verdicts, a row each, the last one on top.

    ``groups`` have a label, a colour, a marker and a mask of the rows; those without rows are left
    out.  ``quantity`` is what is estimated, and ``interval`` names its columns where ``estimate``
    does not.  ``number`` writes each estimate at the right.  The band around the middle is shaded,
    ``row`` the height of a row in inches.
    """
    ax = ax or new_axes(max(row * len(rows), _LEAST), left=width_of(names), right=0.75)
    if band is not None:
        ax.axvspan(middle - band, middle + band, color=theme.BAND, linewidth=0, zorder=0)
    ax.axvline(middle, color=MUTED, linewidth=1, zorder=1)
    for label, colour, marker, chosen in groups:
        mine = rows[chosen]
        if len(mine):
            look = {"color": colour, "marker": marker, "label": f"{label} ({len(mine)})"}
            draw_points(ax, mine, estimate, interval or estimate, markersize=7, **look)
    for place, value in rows[estimate].items():
        write_beside(ax, place, number(value))
    tick = percent_tick if number is percent else points_tick
    name_rows(ax, names, tick, quantity, margin=0.7)
    return ax


def by_verdict(verdicts: "pd.Series[str]") -> Iterator[tuple[str, str, str, Any]]:
    """The groups of `draw_judged`, by the verdict of each row."""
    for verdict, (colour, marker) in theme.VERDICT_MARKS.items():
        yield verdict, colour, marker, verdicts == verdict


def draw_effects(
    ax: Axes | None,
    rows: pd.DataFrame,
    names: Sequence[str],
    effect: str,
    drawn: str,
    *,
    digits: int = 1,
    said: Sequence[str] | None = None,
    **told: Any,
) -> Axes:
    """Changes of the win rate, a row for each name, with their intervals and numbers.

    ``effect`` is their column, and ``drawn`` says what they are.  The largest are ``told`` in the
    title as `findings.effects` has it, by their names or what is ``said`` in their place.
    """
    height = 0.42 * max(len(rows), 1)
    ax = ax or new_axes(height, left=width_of(names), right=0.75, legend=False)
    ax.axvline(0, color=MUTED, linewidth=1)
    draw_points(ax, rows, effect, effect)
    write_points(ax, rows[effect], digits)
    name_rows(ax, names, points_tick, "difference in win rate, percentage points")
    of = names if said is None else said
    set_titles(ax, effects(of, rows, effect, ways=("more", "less"), **told), drawn)
    return ax


def draw_nothing(ax: Axes | None, finding: str, drawn: str) -> Axes:
    """A chart that says that there is nothing."""
    ax = ax or new_axes(0.05, left=0.1, bottom=0.0, legend=False)
    ax.set_axis_off()
    set_titles(ax, finding, drawn)
    return ax
