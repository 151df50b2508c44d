"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, PROPOSED
from reports.kit.cells import Cell, counted, word
from reports.kit.drawing import Charts
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import Finding, count
from reports.rebalance.answer import PAGE
from reports.rebalance.text import changes_text, headline
from simcore.sealed import write_file

_KINDS = {MET: "strong", MISSED: "weak"}
Rows = list[list[Cell]]


def write_page(
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    template: str,
    subject: str,
    played: str,
    caption: str,
    charts: Charts,
    findings: Sequence[Finding],
    file: str,
    **more: Any,
) -> None:
    """Write charts and page into ``folder``; the same tables give the same bytes.

    ``subject`` is what is balanced, ``file`` that of the proposal ("" without one), ``more`` what
    else the template wants.  Raises RunError when something cannot be written.
    """
    files = write_figures(tables, folder / "figures", caption=caption, charts=charts)
    changes = tables["changes"]
    page = page_template(template).render(
        title=f"{subject}: rebalanced",
        headline=f"{subject}: {headline(manifest, changes)}",
        played=played,
        findings=findings,
        charts=drawings(files),
        csv={name: csv_address(table) for name, table in tables.items()},
        proposed=manifest["outcome"] == PROPOSED,
        change_rows=[
            [Cell(change), Cell(str(amount))]
            for change, amount in zip(changes_text(changes), changes["amount"], strict=True)
        ],
        card_text=(folder / file).read_text() if file else "",
        **more,
    )
    write_file(folder / PAGE, page.encode())


def plan_cells(row: Any, excess: Cell, gain: Cell, more: Sequence[Cell]) -> list[Cell]:
    """A plan of the table of plans."""
    return [
        Cell(f"{row.amount} (proposal)" if row.proposed else str(row.amount)),
        excess,
        gain if row.amount else Cell("–"),
        *more,
        word(row.in_words or "nothing"),
    ]


def goal_cells(
    row: pd.Series, name: str, numbers: Mapping[str, Cell], words: Mapping[str, str]
) -> list[Cell]:
    """A goal; ``numbers`` are those of each side that there is, ``words`` those for verdicts."""
    cells = [Cell(name)]
    for side, one in numbers.items():
        verdict = row[f"{side}_verdict"]
        cells += [one._replace(kind=_KINDS.get(verdict, "")), word(words[verdict])]
    return [*cells, counted(row[f"{[*numbers][-1]}_n"])]


def sides(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """The sides that a goal is told of: as it is, and with a proposal."""
    return ("before", "after") if manifest["outcome"] == PROPOSED else ("before",)


def played_games(manifest: Mapping[str, Any]) -> tuple[str, str]:
    """How many games were played, and of which seeds."""
    return (
        f"{count(manifest['games_of_search'])} to search, {count(manifest['games'])} of each"
        f" candidate; {count(manifest['confirm'])} of each plan of the front to confirm",
        f"{manifest['seed']} to search, {manifest['fresh_seed']} to confirm",
    )
