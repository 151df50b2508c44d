"""An analysed run as all its reports need it, read once: page, Markdown and workbook."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from attrs import frozen

from analysis.runs import Run, open_run
from analysis.sensitivity import read_sensitivity
from analysis.skill import read_skill_tables
from analysis.tables import read_tables
from reports import wording
from reports.charts import write_figures
from reports.pair_charts import PAIR_CHARTS
from reports.skill_charts import write_skill_figures
from simcore.run_folder import RunError

if TYPE_CHECKING:
    from analysis.comparison import Comparison

#: For each chart its files, without suffix, by the policy that they are about ("" if about all).
ChartFiles = dict[str, dict[str, Path]]


@frozen
class RunReport:
    """What a report is made of: the run, its tables by name, and what an earlier run tells.

    The tables on skill are among them where players were compared, that of the comparison, and
    those of a sensitivity analysis of the same pool in ``sensitivity/``.
    """

    run: Run
    tables: dict[str, pd.DataFrame]
    before: "Comparison | None" = None


def read_report(folder: str | os.PathLike[str], before: "Comparison | None" = None) -> RunReport:
    """Read ``manifest.json`` and ``tables/`` of an analysed run.

    ``before`` is its comparison with an earlier run, whose table is written beside the others.
    Raises RunError when the run or its tables are missing or damaged, or do not belong together,
    and ValueError for the comparison of another run.
    """
    run, tables = open_run(folder), read_tables(folder)
    if tables["first_player"]["n_games"].sum() != run.n_games:
        raise RunError(
            f"{run.folder / 'tables'} does not belong to this run;"
            f" run 'balancelab analyze {folder}' again"
        )
    tables |= read_skill_tables(run.folder)
    tables |= read_sensitivity(run.folder / "sensitivity", run.manifest["pool_hash"])
    if before is not None:
        if before.variant.folder.resolve() != run.folder.resolve():
            raise ValueError(f"the comparison is of {before.variant.folder}, not of {run.folder}")
        from analysis.comparison import write_comparison

        write_comparison(before, run.folder)
        tables["comparison"] = before.table
    return RunReport(run, tables, before)


def draw_charts(report: RunReport) -> ChartFiles:
    """Draw every chart of a report into ``figures/``.  Raises RunError when it cannot be written.

    The same tables give the same bytes.
    """
    manifest, figures = report.run.manifest, report.run.folder / "figures"
    caption = wording.caption_of_run(manifest)
    files = write_figures(report.tables, figures, caption=caption)
    files |= write_figures(report.tables, figures, caption=caption, charts=PAIR_CHARTS)
    if "skill_cards" in report.tables:
        words = wording.describe_skill(manifest, report.tables["skill_summary"])
        caption = wording.caption(words, manifest)
        files |= write_skill_figures(report.tables, figures, caption=caption)
    if report.before is not None:
        from reports.compare_charts import draw_changes

        files["changes"] = draw_changes(report.before, figures)
    return files
