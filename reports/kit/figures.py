"""Charts as files: `write_figures`."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from reports.kit import figure_files, theme
from reports.kit.drawing import Chart
from reports.kit.figure_files import write_figure
from reports.kit.made import is_made, note_made, source_of
from reports.kit.words import intervals
from simcore.sealed import writing


def write_figures(
    tables: Mapping[str, pd.DataFrame],
    folder: Path,
    *,
    caption: str,
    charts: Mapping[str, Chart],
) -> dict[str, dict[str, Path]]:
    """Draw all ``charts`` into ``folder`` as SVG, PNG and PDF: the same bytes for the same tables.

    ``caption`` says what was played; it is written under every chart, without the words on
    intervals where the chart shows none.  Returns for each chart its files, without suffix, by the
    policy that they are about ("" if about all).  Raises RunError when a file cannot be written.
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, dict[str, Path]] = {}
    for name, chart in charts.items():
        plot, table, split_by = chart.plot, chart.table, chart.split_by
        said = caption if chart.intervals else caption.replace(intervals(), "")
        written[name] = {}
        if not chart.has_something(tables):
            continue
        pieces = {"": tables[table]}
        if split_by and tables[table][split_by].nunique() > 1:
            pieces = dict(list(tables[table].groupby(split_by, sort=False)))
        for policy, piece in pieces.items():
            words = {"policy": f"{policy} only · ", "policy_first": f"{policy} starts · "}
            path = written[name][policy] = folder / f"{name}{suffix_of(policy)}"
            draw_chart(plot, piece, words.get(split_by, "") * bool(policy) + said, path)
    return written


def draw_chart(
    plot: Callable[[pd.DataFrame], Axes], table: pd.DataFrame, caption: str, path: Path
) -> None:
    """Draw a chart of a table in the style of fairdeal, with a caption, as `write_figure` does.

    One that is there already is left as it is (`reports.kit.made`).  Raises RunError when a file
    cannot be written.
    """
    kinds = figure_files.KINDS
    source = source_of(plot, table, caption, kinds)
    if is_made(path, source, kinds):
        return
    with theme.off_screen(), theme.style():
        axes = plot(table)
        theme.add_caption(axes, caption)
        write_figure(theme.figure_of(axes), path)
    note_made(path, source, kinds)


def suffix_of(policy: str) -> str:
    """What the name of the file of a chart ends with that is about one policy; "" if about all."""
    return re.sub(r"\W+", "-", f"_{policy}") if policy else ""
