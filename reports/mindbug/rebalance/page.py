"""What the page of a rebalancing says of Mindbug: its plans, its goals, what was played."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN
from analysis.mindbug.experiments.rebalance_goals import CARD, FIRST_PLAYER, TURNS
from reports.kit.cells import Cell, word
from reports.kit.words import between, interval, percent, points
from reports.mindbug import run_text
from reports.mindbug.rebalance import text
from reports.mindbug.rebalance.charts import REBALANCE_CHARTS
from reports.rebalance.page import goal_cells, plan_cells, played_games, sides, write_page

_VERDICTS = {MET: "met", MISSED: "missed", NOT_SHOWN: "needs more games"}
# The columns of the table of plans: words and class.
_FRONT = (
    *(("Amount", ""), ("Points outside", ""), ("Gain", "")),
    *(("Cards outside", ""), ("Farthest card", "word")),
)
_NOW, _NOW_VERDICT = ("As it is", ""), ("Verdict", "word")
_NUMBERS = {FIRST_PLAYER: ("Who starts wins", ""), TURNS: ("Turns", "")}
_CHANGES = ("Changes", "word")
_GOALS = {FIRST_PLAYER: "Games won by the player who starts", TURNS: "Turns in a game"}
_KINDS_OF_GOALS = {
    CARD: "Cards: points outside the band, in total",
    FIRST_PLAYER: "Player who starts: points off the goal",
    TURNS: "Turns off the goal",
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
    of_game = [goal for goal in _NUMBERS if tables["front"][goal].notna().any()]
    goals = tables["goals"].sort_values("before", ascending=False)
    is_card = goals["goal"] == CARD
    now = [_NOW, _NOW_VERDICT, ("Proposal", "")] if len(sides(manifest)) > 1 else [_NOW]
    write_page(
        tables,
        manifest,
        folder,
        template="rebalance_mindbug.html",
        subject=run_text.describe_sets(manifest),
        played=text.describe(manifest),
        caption=run_text.caption(text.describe(manifest, most_sets=1), manifest),
        charts=REBALANCE_CHARTS,
        findings=text.findings(tables, manifest),
        file=manifest["card_file"] or "",
        gain_rows=[_gain_row(row) for row in tables["gains"].itertuples()],
        nearest_rows=[_nearest_row(row) for _, row in tables["nearest"].iterrows()],
        to_play=to_play,
        front_headings=[*_FRONT, *(_NUMBERS[goal] for goal in of_game), _CHANGES],
        front_rows=[_front_row(row, of_game) for row in tables["front"].itertuples()],
        goal_headings=[("Goal", ""), *now, _NOW_VERDICT, ("n", "")],
        goal_rows=[
            _goal_row(row, sides(manifest))
            for _, row in pd.concat([goals[~is_card], goals[is_card]]).iterrows()
        ],
        facts=_facts(manifest, command),
    )


def _front_row(row: Any, goals: Sequence[str]) -> list[Cell]:
    """A plan; ``goals`` are those besides the cards that have a column."""
    return plan_cells(
        row,
        _amount(CARD, row.excess, row.excess_ci_low, row.excess_ci_high),
        _amount(CARD, row.gain, row.gain_ci_low, row.gain_ci_high),
        [
            Cell(str(row.cards_outside)),
            word(f"{row.worst_card} {points(row.worst_advantage)}"),
            *(Cell(text.number_text(goal, getattr(row, goal))) for goal in goals),
        ],
    )


def _amount(goal: str, value: float, low: float, high: float) -> Cell:
    """By how much a goal is missed, or by how much less, with its interval."""
    words = partial(text.amount_text, goal)
    return Cell(words(value), interval=interval(low, high, words))


def _gain_row(row: Any) -> list[Cell]:
    return [
        Cell(_KINDS_OF_GOALS[row.goal]),
        Cell(text.amount_text(row.goal, row.before)),
        Cell(text.amount_text(row.goal, row.after)),
        _amount(row.goal, row.gain, row.gain_ci_low, row.gain_ci_high),
    ]


def _nearest_row(row: pd.Series) -> list[Cell]:
    """A goal that nothing reaches."""
    return [
        Cell(row["name"] or _GOALS[row["goal"]]),
        _cell(row, "nearest"),
        word("yes" if row["out_of_reach"] else "not all changes tried"),
        word(row["in_words"] or "nothing"),
    ]


def _goal_row(row: pd.Series, told: Sequence[str]) -> list[Cell]:
    name = row["name"] or _GOALS[row["goal"]]
    return goal_cells(row, name, {side: _cell(row, side) for side in told}, _VERDICTS)


def _cell(row: pd.Series, name: str) -> Cell:
    """A number with its interval."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if row["goal"] == FIRST_PLAYER:
        return Cell(percent(value), interval=between(low, high))
    words = "{:.2f}".format if row["goal"] == TURNS else partial(points, digits=2)
    return Cell(words(value), interval=interval(low, high, words))


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    games, seeds = played_games(manifest)
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Player", manifest["policies"][0]),
        ("Games", games),
        ("Seeds", seeds),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        ("Versions", run_text.versions_of(manifest)),
        ("Command", command),
    ]
