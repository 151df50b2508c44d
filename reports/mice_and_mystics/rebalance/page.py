"""What the page of a rebalancing says of Mice & Mystics: its plans, its goals, what was played."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN
from analysis.mice_and_mystics.experiments.rebalance_tables import ENTRIES, PARTIES
from reports.kit.cells import Cell, number, word
from reports.kit.words import bare_percent, capital, interval_of, points
from reports.mice_and_mystics.balance.names import party_name
from reports.mice_and_mystics.rebalance import text
from reports.mice_and_mystics.rebalance.charts import REBALANCE_CHARTS
from reports.mice_and_mystics.run_text import caption_of, played_facts
from reports.rebalance.page import goal_cells, plan_cells, played_games, sides, write_page

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
) -> None:
    """Write charts and page into ``folder``.

    ``command`` is what was typed, ``to_play`` are commands that play the proposal.
    """
    front, goals = tables["front"], tables["goals"].sort_values("before")
    found, judged = front[front["amount"] > 0], goals["judged"].iloc[0]
    shown = found[found["proposed"]] if found["proposed"].any() else found.tail(1)
    heading, unit, _ = _UNITS[judged]
    now = [(f"As it is, {unit}", "")]
    if len(sides(manifest)) > 1:
        now += [_NOW_VERDICT, (f"Proposal, {unit}", "")]
    write_page(
        tables,
        manifest,
        folder,
        template="rebalance_mice_and_mystics.html",
        subject=manifest["chapter_name"],
        played=text.describe(manifest),
        caption=caption_of(text.describe(manifest), manifest),
        charts=REBALANCE_CHARTS,
        findings=text.findings(tables, manifest),
        file=manifest["file"] or "",
        judged=judged,
        gain_rows=[_gain_row(row) for _, row in shown.iterrows()],
        nearest_rows=[],
        to_play=to_play,
        front_headings=[
            *(("Amount", ""), ("Points outside", ""), ("Gain", ""), ("Outside", "")),
            *(("Farthest off", "word"), (heading, ""), ("Changes", "word")),
        ],
        front_rows=[_front_row(text.farthest(row, goals)) for _, row in front.iterrows()],
        goal_headings=[
            ("Party" if judged == PARTIES else "Entry", ""),
            *now,
            _NOW_VERDICT,
            ("n", ""),
        ],
        goal_rows=[_goal_row(row, sides(manifest)) for _, row in goals.iterrows()],
        facts=_facts(manifest, command),
    )


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
    of_party = row["judged"] == PARTIES
    more = [
        Cell(str(row["outside"])),
        word(party_name(row["entry"]) if of_party else row["name"]),
        _number(row, "worst_estimate"),
    ]
    return plan_cells(row, _with_ends(row, "excess"), _with_ends(row, "gain"), more)


def _number(row: pd.Series, column: str) -> Cell:
    """A win rate or an effect with its interval."""
    ends = row[f"{column}_ci_low"], row[f"{column}_ci_high"]
    return number(row[column], *ends, _UNITS[row["judged"]][2])


def _goal_row(row: pd.Series, told: Sequence[str]) -> list[Cell]:
    return goal_cells(row, row["name"], {side: _number(row, side) for side in told}, _VERDICTS)


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    games, seeds = played_games(manifest)
    return [
        ("Command", command),
        ("Band", text.band_text(manifest)),
        ("Player", manifest["player"]),
        ("Games", games),
        *((name, seeds if name == "Seed" else value) for name, value in played_facts(manifest)),
    ]
