"""An analysed run as all its reports need it, read once: page, Markdown and workbook."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from attrs import frozen

from analysis.mindbug.experiments.keyword_experiment import read_keyword_effects
from analysis.mindbug.experiments.sensitivity import read_sensitivity
from analysis.mindbug.experiments.skill import read_skill_tables
from analysis.mindbug.runs import Run, open_run
from analysis.tables import read_tables
from reports.kit import figure_files
from reports.kit.figures import suffix_of, write_figures
from reports.mindbug import run_text
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.charts import CHARTS
from reports.mindbug.balance.pair_charts import PAIR_CHARTS
from reports.mindbug.balance.skill_charts import SKILL_CHARTS, write_skill_figures
from simcore.sealed import writing

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison

#: For each chart its files, without suffix, by the policy that they are about ("" if about all).
ChartFiles = dict[str, dict[str, Path]]


@frozen
class RunReport:
    """What a report is made of: the run, its tables by name, and what an earlier run tells.

    The tables on skill are among them where players were compared, that on keywords where their
    experiment was played, that of the comparison, and those of a sensitivity analysis of the same
    pool in ``sensitivity/``.
    """

    run: Run
    tables: dict[str, pd.DataFrame]
    before: "Comparison | None" = None


def read_report(folder: str | os.PathLike[str], before: "Comparison | None" = None) -> RunReport:
    """Read ``manifest.json`` and ``tables/`` of an analysed run.

    ``before`` is its comparison with an earlier run.
    Raises RunError when the run or its tables are missing or damaged, or do not belong together,
    and ValueError for the comparison of another run.
    """
    run, tables = open_run(folder), read_tables(folder)
    tables |= read_skill_tables(run.folder) | read_keyword_effects(run.folder)
    tables |= read_sensitivity(run.folder / "sensitivity", run.manifest["pool_hash"])
    if before is not None:
        if before.variant.folder.resolve() != run.folder.resolve():
            raise ValueError(f"the comparison is of {before.variant.folder}, not of {run.folder}")
        tables["comparison"] = before.table
    return RunReport(run, tables, before)


def keep_comparison(report: RunReport) -> None:
    """Write the table of the comparison beside the others; without one, remove what is left of one.

    Raises RunError when it cannot be written.
    """
    from analysis.experiments.comparison import write_comparison

    if report.before is not None:
        write_comparison(report.before, report.run.folder)
        return
    with writing(report.run.folder):
        for kind in ("parquet", "csv"):
            (report.run.folder / "tables" / f"comparison.{kind}").unlink(missing_ok=True)


def draw_charts(report: RunReport) -> ChartFiles:
    """Draw every chart of a report into ``figures/``.  Raises RunError when it cannot be written.

    The same tables give the same bytes.
    """
    manifest, figures = report.run.manifest, report.run.folder / "figures"
    caption = run_text.caption_of_run(manifest)
    files = write_figures(report.tables, figures, caption=caption, charts=CHARTS | PAIR_CHARTS)
    if "skill_cards" in report.tables:
        words = wording.describe_skill(manifest, report.tables["skill_summary"])
        caption = run_text.caption(words, manifest)
        files |= write_skill_figures(report.tables, figures, caption=caption)
    if report.before is not None:
        from reports.mindbug.compare.charts import draw_changes

        files["changes"] = draw_changes(report.before, figures)
    return files


def chart_files(report: RunReport) -> Iterator[Path]:
    """The files of charts in the folder of a run that a report of it may have drawn."""
    names = {*CHARTS, *PAIR_CHARTS, *SKILL_CHARTS, "changes", "changes_0", "changes_1"}
    names |= {
        f"{name}{suffix_of(who)}" for name in names for who in report.run.manifest["policies"]
    }
    for path in (report.run.folder / "figures").glob("*"):
        if path.stem in names and path.suffix[1:] in figure_files.KINDS:
            yield path
