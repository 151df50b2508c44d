"""The chart of a comparison: ``plot_changes(table, *, ax=None)``, as in `charts`."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.comparison import Comparison
from analysis.mindbug.registry import TABLES
from analysis.verdicts import CHANGED, UNCHANGED, UNDECIDED
from reports.kit import theme
from reports.kit.drawing import (
    ROW,
    check_one,
    draw_points,
    draws,
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
from reports.kit.words import display_name
from reports.mindbug.compare import text
from reports.mindbug.explain.charts import plot_change_parts
from simcore.sealed import writing

#: Cards in the chart; the others moved less.
_SHOWN = 24
_MARKS = {UNCHANGED: ("unchanged", MUTED, "o"), UNDECIDED: ("needs more games", GREY, "d")}


@draws(TABLES, "comparison")
def plot_changes(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The cards whose win rate dealt changed most, with intervals, the largest change on top.

    ``comparison`` is the table of `analysis.experiments.comparison.compare_runs`.
    """
    lines = comparison[(comparison["kind"] == "card") & (comparison["measure"] == "dealt")]
    check_one(lines, "policy")
    shown = text.most_changed(lines).head(_SHOWN).iloc[::-1].reset_index(drop=True)
    names = [display_name(name) for name in shown["name"]]
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(shown), 1), left=width_of(names), right=0.75)
        if len(shown):
            band = shown["band"].iloc[0]
            ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for meaning, colour, marker, marked in _by_mark(shown):
            look = {"color": colour, "marker": marker, "markersize": 7}
            label = f"{meaning} ({len(marked)})"
            draw_points(ax, marked, "difference", "difference", label=label, **look)
        write_points(ax, shown["difference"])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("change of games won when dealt it, percentage points")
        rest = len(lines) - len(shown)
        fewer = f"; {rest} other cards moved less" if rest > 0 else ""
        set_titles(ax, "What the change did", f"{players_of(shown)}{_band_note(shown)}{fewer}",
                    legend=True)  # fmt: skip
    return ax


def draw_changes(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw the chart of a comparison into a folder: its files, without suffix, by policy.

    Raises RunError when they cannot be written.
    """
    cards = comparison.table[comparison.table["kind"] == "card"]
    return _draw(comparison, cards, "changes", plot_changes, figures)


def draw_parts(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw what goes with the change of the changed cards, as `draw_changes` does; none for none.

    Raises RunError when the files cannot be written.
    """
    parts = comparison.more.get("change_parts")
    if parts is None:
        return {}
    return _draw(comparison, parts, "change_parts", plot_change_parts, figures)


def _draw(
    comparison: Comparison,
    table: pd.DataFrame,
    name: str,
    plot: Callable[[pd.DataFrame], Axes],
    figures: Path,
) -> dict[str, Path]:
    """Draw a chart for each policy of a table."""
    with writing(figures):
        figures.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for number, (policy, of_policy) in enumerate(table.groupby("policy", sort=False)):
        path = figures / (name + f"_{number}" * (table["policy"].nunique() > 1))
        with theme.off_screen(), theme.style():
            axes = plot(of_policy)
            theme.add_caption(axes, text.caption_of(comparison))
            write_figure(theme.figure_of(axes), path)
        drawn[policy] = path
    return drawn


def _by_mark(lines: pd.DataFrame) -> list[tuple[str, str, str, pd.DataFrame]]:
    """The lines of each verdict that occurs, with label, colour and marker; gains before losses."""
    changed, up = lines["verdict"] == CHANGED, lines["difference"] > 0
    groups = [
        ("stronger", BLUE, "^", lines[changed & up]),
        ("weaker", ORANGE, "v", lines[changed & ~up]),
        *((*mark, lines[lines["verdict"] == verdict]) for verdict, mark in _MARKS.items()),
    ]
    return [group for group in groups if len(group[-1])]


def _band_note(lines: pd.DataFrame) -> str:
    """What the shaded range means."""
    return f"; shaded: within ±{text.band_text(lines.iloc[0])}" if len(lines) else ""
