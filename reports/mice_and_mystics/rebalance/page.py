"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN, PROPOSED
from analysis.mice_and_mystics.experiments.rebalance import PROPOSAL_FILE
from analysis.mice_and_mystics.experiments.rebalance_tables import ENTRIES, PARTIES
from reports.kit.cells import Cell, counted, number, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import bare_percent, capital, count, interval_of, points
from reports.mice_and_mystics.balance.names import party_name
from reports.mice_and_mystics.rebalance import text
from reports.mice_and_mystics.rebalance.charts import REBALANCE_CHARTS
from reports.mice_and_mystics.run_text import caption_of, played_facts
from reports.rebalance.text import changes_text, headline
from simcore.sealed import write_file

PAGE = "rebalance.html"

_KINDS = {MET: "strong", MISSED: "weak"}
_VERDICTS = {MET: "in the band", MISSED: "outside", NOT_SHOWN: "needs more games"}
_NOW_VERDICT = "Verdict", "word"
#: By what is judged: the heading of its number, the unit, and the number in words.
_UNITS: dict[str, tuple[str, str, Callable[[float], str]]] = {
    PARTIES: ("It wins, %", "%", bare_percent),
    ENTRIES: ("It adds, points", "points", partial(points, digits=1)),
}


def write_rebalance_page(
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    command: str,
    to_play: Sequence[str],
) -> Path:
    """Write charts and page into ``folder``; the path of the page.

    ``command`` is what was typed, ``to_play`` are commands that play the proposal.  The same tables
    give the same bytes.  Raises RunError when something cannot be written.
    """
    said = caption_of(text.describe(manifest), manifest)
    files = write_figures(tables, folder / "figures", caption=said, charts=REBALANCE_CHARTS)
    proposed = manifest["outcome"] == PROPOSED
    front, goals = tables["front"], tables["goals"].sort_values("before")
    found, judged = front[front["amount"] > 0], goals["judged"].iloc[0]
    unit = _UNITS[judged][1]
    now = f"As it is, {unit}", ""
    page = page_template("rebalance_mice_and_mystics.html").render(
        title=f"{manifest['chapter_name']}: rebalanced",
        headline=f"{manifest['chapter_name']}: {headline(manifest, tables['changes'])}",
        played=text.describe(manifest),
        findings=text.findings(tables, manifest),
        charts=drawings(files),
        csv={name: csv_address(table) for name, table in tables.items()},
        proposed=proposed,
        judged=judged,
        gain_rows=[_gain_row(found[found["proposed"]].iloc[0] if proposed else found.iloc[-1])]
        if len(found)
        else [],
        nearest_rows=[],
        change_rows=[
            [Cell(change), Cell(str(amount))]
            for change, amount in zip(
                changes_text(tables["changes"]), tables["changes"]["amount"], strict=True
            )
        ],
        card_text=(folder / PROPOSAL_FILE).read_text() if manifest["file"] else "",
        to_play=to_play,
        front_headings=[
            *(("Amount", ""), ("Points outside", ""), ("Gain", ""), ("Outside", "")),
            *(("Farthest off", "word"), (_UNITS[judged][0], "")),
            ("Changes", "word"),
        ],
        front_rows=[_front_row(text.farthest(row, goals)) for _, row in front.iterrows()],
        goal_headings=[
            ("Party" if judged == PARTIES else "Entry", ""),
            *([now, _NOW_VERDICT, (f"Proposal, {unit}", "")] if proposed else [now]),
            _NOW_VERDICT,
            ("n", ""),
        ],
        goal_rows=[_goal_row(row, proposed) for _, row in goals.iterrows()],
        facts=_facts(manifest, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _points(value: float) -> str:
    return f"{100 * value:.1f}".replace("-", "\N{MINUS SIGN}")


def _with_ends(row: pd.Series, column: str) -> Cell:
    """A number of points with its interval."""
    return Cell(_points(row[column]), interval=interval_of(row, column, _points))


def _gain_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(f"{capital(row['judged'])}: points outside the band, in total"),
        Cell(_points(row["excess"] + row["gain"])),
        Cell(_points(row["excess"])),
        _with_ends(row, "gain"),
    ]


def _front_row(row: pd.Series) -> list[Cell]:
    """A plan."""
    ends = (row["worst_estimate_ci_low"], row["worst_estimate_ci_high"])
    of_party = row["judged"] == PARTIES
    return [
        Cell(f"{row['amount']} (proposal)" if row["proposed"] else str(row["amount"])),
        _with_ends(row, "excess"),
        _with_ends(row, "gain") if row["amount"] else Cell("–"),
        Cell(str(row["outside"])),
        word(party_name(row["entry"]) if of_party else row["name"]),
        number(row["worst_estimate"], *ends, _UNITS[row["judged"]][2]),
        word(row["in_words"] or "nothing"),
    ]


def _goal_row(row: pd.Series, proposed: bool) -> list[Cell]:
    sides = ("before", "after") if proposed else ("before",)
    cells = [Cell(row["name"])]
    for side in sides:
        ends = (row[f"{side}_ci_low"], row[f"{side}_ci_high"])
        verdict = row[f"{side}_verdict"]
        kind = _KINDS.get(verdict, "")
        rate = number(row[side], *ends, _UNITS[row["judged"]][2])
        cells += [rate._replace(kind=kind), word(_VERDICTS[verdict])]
    return [*cells, counted(row[f"{sides[-1]}_n"])]


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    games = (
        f"{count(manifest['games_of_search'])} to search, {count(manifest['games'])} of each"
        f" candidate; {count(manifest['confirm'])} of each plan of the front to confirm"
    )
    seeds = f"{manifest['seed']} to search, {manifest['fresh_seed']} to confirm"
    return [
        ("Command", command),
        ("Band", text.band_text(manifest)),
        ("Player", manifest["player"]),
        ("Games", games),
        *((name, seeds if name == "Seed" else value) for name, value in played_facts(manifest)),
    ]
