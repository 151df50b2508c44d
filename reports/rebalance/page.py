"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.words import capital, count, interval_of
from reports.rebalance.text import Rebalancing, amount_text, changes_text

PAGE = "rebalance.html"
_KINDS = {MET: "strong", MISSED: "weak"}
_VERDICTS = {MET: "met", MISSED: "missed", NOT_SHOWN: "needs more games"}
_VERDICT = "Verdict", "word"


def write_page(told: Rebalancing, folder: Path, *, command: str, to_play: Sequence[str]) -> None:
    """Write charts and page into ``folder``; the same tables give the same bytes.

    ``command`` is what was typed, ``to_play`` are commands that play the proposal.  Raises RunError
    when something cannot be written.
    """
    tables, changes = told.tables, told.tables["changes"]
    files = write_figures(tables, folder / "figures", caption=told.caption, charts=told.charts)
    entries = told.entries.sort_values("before", ascending=False)
    sides = ("before", "after") if told.proposed else ("before",)
    heads = [(f"As it is{told.heading}", ""), _VERDICT]
    if told.proposed:
        heads += [(f"Proposal{told.heading}", ""), _VERDICT]
    more = told.front_columns
    write_rendered(
        *(folder / PAGE, "rebalance.html"),
        title=f"{told.subject}: rebalanced",
        headline=f"{told.subject}: {told.headline}",
        told=told,
        played=told.played,
        findings=told.findings,
        charts=drawings(files),
        csv={name: csv_address(table) for name, table in tables.items()},
        proposed=told.proposed,
        change_rows=[
            [Cell(change), Cell(str(amount))]
            for change, amount in zip(changes_text(changes), changes["amount"], strict=True)
        ],
        gain_rows=[one.cells for one in told.gains],
        nearest_rows=told.nearest_rows,
        card_text=(folder / told.file).read_text() if told.file else "",
        to_play=to_play,
        front_headings=[
            *(("Amount", ""), ("Points outside", ""), ("Gain", ""), ("Outside", "")),
            *(("Farthest off", "word"), (f"Its number{told.heading}", "")),
            *((heading, "") for heading, _ in more),
            ("Changes", "word"),
        ],
        front_rows=[
            [*_plan_cells(told, row), *(cell(row) for _, cell in more), _changes(row)]
            for _, row in tables["front"].iterrows()
        ],
        goal_headings=[(capital(told.nouns[0]), ""), *heads, ("n", "")],
        goal_rows=[
            _goal_cells(told, row, sides) for _, row in pd.concat([told.others, entries]).iterrows()
        ],
        facts=[*told.facts, *_games(told), ("Command", command)],
    )


def _plan_cells(told: Rebalancing, row: pd.Series) -> list[Cell]:
    """A plan of the table of plans."""
    return [
        Cell(f"{row['amount']} (proposal)" if row["proposed"] else str(row["amount"])),
        _amount(row, "excess"),
        _amount(row, "gain") if row["amount"] else Cell("–"),
        Cell(str(row[told.outside])),
        *told.worst(row),
    ]


def _changes(row: pd.Series) -> Cell:
    return word(row["in_words"] or "nothing")


def _amount(row: pd.Series, column: str) -> Cell:
    """A number of points with its interval."""
    return Cell(amount_text(row[column]), interval=interval_of(row, column, amount_text))


def _goal_cells(told: Rebalancing, row: pd.Series, sides: Sequence[str]) -> list[Cell]:
    """A goal on each side that there is."""
    cells = [Cell(told.name_of(row))]
    for side in sides:
        verdict = row[f"{side}_verdict"]
        kind = _KINDS.get(verdict, "")
        cells += [told.cell(row, side)._replace(kind=kind), word(_VERDICTS[verdict])]
    return [*cells, counted(row[f"{sides[-1]}_n"])]


def _games(told: Rebalancing) -> list[tuple[str, str]]:
    """How many games were played, and of which seeds."""
    manifest = told.manifest
    return [
        (
            "Games",
            f"{count(manifest['games_of_search'])} to search, {count(manifest['games'])} of each"
            f" candidate; {count(manifest['confirm'])} of each plan of the front to confirm",
        ),
        ("Seeds", f"{manifest['seed']} to search, {manifest['fresh_seed']} to confirm"),
    ]
