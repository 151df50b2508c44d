"""The report of a run of Mindbug: all its files at once."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.kit.formats import check_formats
from simcore.places import located

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison


def write_reports(
    folder: str | os.PathLike[str],
    formats: Sequence[str] = ("html",),
    *,
    before: "Comparison | None" = None,
    on_telling: Callable[[], object] | None = None,
) -> dict[str, Path]:
    """Write the report of an analysed run in each of ``formats``, with its charts; their paths.

    What is left in the folder tells of the present tables: a report, chart or comparison that was
    written earlier and tells of others is removed.

    Parameters
    ----------
    folder
        A run with its tables.
    formats
        Of 'html' (``report.html``), 'md' (``report.md``) and 'xlsx' (``report.xlsx``).  The charts
        in ``figures/`` are drawn for the first two.
    before
        What `analysis.mindbug.compare_runs` found of an earlier run and this one, for a section on
        it; its table is written beside the others.
    on_telling
        Called before the first game is told in words, if any is, which may take long: the engine
        that tells single games is compiled where that has not been done.

    Raises
    ------
    ValueError
        For an unknown format, one that is named twice, or the comparison of another run.
    RunError
        As `write_report`.
    """
    from reports.balance.formats import write_formats
    from reports.mindbug.balance.run_report import read_report
    from simcore.work.lock import holding
    from simcore.work.parts import read_manifest

    check_formats(formats)
    read_manifest(located(folder))  # nothing is locked but a run
    with holding(located(folder)):
        return write_formats(read_report(folder, before), formats, on_telling)


def write_report(folder: str | os.PathLike[str]) -> Path:
    """Write the charts and the page of an analysed run; return the path of the page.

    Reads ``manifest.json``, ``tables/`` and the first games in ``folder``; writes ``figures/`` and
    ``report.html``.  There is a section on skill where players were compared; where
    ``sensitivity/`` is the folder of a sensitivity analysis of the same pool, the pages of cards
    show what they are worth by experiment.  The same games give the same bytes.  Raises
    RunError when the run or its tables are missing or damaged, or do not belong together, or the
    report cannot be written.
    """
    return write_reports(folder)["html"]
