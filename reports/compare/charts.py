"""The chart of a comparison: what changed, with intervals, the largest change on top."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.comparison import Comparison
from analysis.verdicts import LESS, MORE, NOT_SETTLED, SAME
from reports.compare import text
from reports.kit import theme
from reports.kit.drawing import (
    ROW,
    draw_points,
    name_rows,
    new_axes,
    players_of,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_points,
)
from reports.kit.figure_files import write_figure
from reports.kit.theme import BAND, BLUE, GREY, MUTED, ORANGE
from reports.kit.words import points_text
from simcore.sealed import writing

#: The name of its files.
CHART = "changes"
#: Lines in the chart; the others moved less.
_SHOWN = 24
_MARKS = {SAME: (MUTED, "o"), NOT_SETTLED: (GREY, "d")}


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
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(shown), 1), left=width_of(shown["shown"]), right=0.75)
        if len(shown):
            band = shown["band"].iloc[0]
            ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for meaning, colour, marker, marked in _by_mark(shown, directions):
            look = {"color": colour, "marker": marker, "markersize": 7}
            key = f"{meaning} ({len(marked)})"
            draw_points(ax, marked, "difference", "difference", label=key, **look)
        write_points(ax, shown["difference"])
        name_rows(ax, shown["shown"], margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel(label)
        rest = len(lines) - len(shown)
        fewer = f"; {rest} other {what} moved less" if rest > 0 else ""
        set_titles(ax, "What the change did", f"{players_of(shown)}{_band_note(shown)}{fewer}",
                    legend=True)  # fmt: skip
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
        with theme.off_screen(), theme.style():
            axes = plot_differences(
                lines,
                [name_of(line) for _, line in lines.iterrows()],
                label="change of the share, percentage points",
                what="lines",
                directions=("more", "less"),
            )
            theme.add_caption(axes, caption)
            write_figure(theme.figure_of(axes), path)
    return {"": path}


def _by_mark(
    lines: pd.DataFrame, directions: tuple[str, str]
) -> list[tuple[str, str, str, pd.DataFrame]]:
    """The lines of each verdict that occurs, with label, colour and marker; gains before losses."""
    marks = {MORE: (directions[0], BLUE, "^"), LESS: (directions[1], ORANGE, "v")}
    marks |= {word: (word, *mark) for word, mark in _MARKS.items()}
    groups = [(*mark, lines[lines["verdict"] == word]) for word, mark in marks.items()]
    return [group for group in groups if len(group[-1])]


def _band_note(lines: pd.DataFrame) -> str:
    """What the shaded range means."""
    return f"; shaded: within ±{points_text(lines.iloc[0]['band'])}" if len(lines) else ""
