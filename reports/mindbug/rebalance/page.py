"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN, PROPOSED
from analysis.mindbug.experiments.rebalance import PROPOSAL_FILE
from analysis.mindbug.experiments.rebalance_goals import CARD, FIRST_PLAYER, TURNS
from analysis.mindbug.experiments.rebalance_tables import REBALANCE_TABLES
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import between, count, interval, percent, points
from reports.mindbug import run_text
from reports.mindbug.rebalance import text
from reports.mindbug.rebalance.charts import REBALANCE_CHARTS
from reports.rebalance.text import changes_text, headline
from simcore.sealed import write_file

PAGE = "rebalance.html"

_KINDS = {MET: "strong", MISSED: "weak"}
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
) -> Path:
    """Write charts and page into ``folder``; the path of the page.

    ``command`` is what was typed, ``to_play`` are commands that play the proposal.  The same tables
    give the same bytes.  Raises RunError when something cannot be written.
    """
    caption = run_text.caption(text.describe(manifest, most_sets=1), manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=REBALANCE_CHARTS)
    card_file = folder / PROPOSAL_FILE
    card_text = card_file.read_text() if manifest["card_file"] else ""
    of_game = [goal for goal in _NUMBERS if tables["front"][goal].notna().any()]
    goals = tables["goals"].sort_values("before", ascending=False)
    proposed = manifest["outcome"] == PROPOSED
    page = page_template("rebalance_mindbug.html").render(
        title=f"{run_text.describe_sets(manifest)}: rebalanced",
        headline=f"{run_text.describe_sets(manifest)}: {headline(manifest, tables['changes'])}",
        played=text.describe(manifest),
        findings=text.findings(tables, manifest),
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in REBALANCE_TABLES},
        proposed=proposed,
        gain_rows=[_gain_row(row) for row in tables["gains"].itertuples()],
        nearest_rows=[_nearest_row(row) for _, row in tables["nearest"].iterrows()],
        change_rows=[
            [Cell(change), Cell(str(amount))]
            for change, amount in zip(
                changes_text(tables["changes"]), tables["changes"]["amount"], strict=True
            )
        ],
        card_text=card_text,
        to_play=to_play,
        front_headings=[*_FRONT, *(_NUMBERS[goal] for goal in of_game), _CHANGES],
        front_rows=[_front_row(row, of_game) for row in tables["front"].itertuples()],
        goal_headings=[
            ("Goal", ""),
            *([_NOW, _NOW_VERDICT, ("Proposal", "")] if proposed else [_NOW]),
            _NOW_VERDICT,
            ("n", ""),
        ],
        goal_rows=[
            _goal_row(row, proposed)
            for _, row in pd.concat(
                [goals[goals["goal"] != CARD], goals[goals["goal"] == CARD]]
            ).iterrows()
        ],
        facts=_facts(manifest, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _front_row(row: Any, goals: Sequence[str]) -> list[Cell]:
    """A plan; ``goals`` are those besides the cards that have a column."""
    return [
        Cell(f"{row.amount} (proposal)" if row.proposed else str(row.amount)),
        _amount(CARD, row.excess, row.excess_ci_low, row.excess_ci_high),
        _amount(CARD, row.gain, row.gain_ci_low, row.gain_ci_high) if row.amount else Cell("–"),
        Cell(str(row.cards_outside)),
        word(f"{row.worst_card} {points(row.worst_advantage)}"),
        *(Cell(text.number_text(goal, getattr(row, goal))) for goal in goals),
        word(row.in_words or "nothing"),
    ]


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


def _goal_row(row: pd.Series, proposed: bool) -> list[Cell]:
    sides = ("before", "after") if proposed else ("before",)
    return [
        Cell(row["name"] or _GOALS[row["goal"]]),
        *(
            cell
            for side in sides
            for cell in (
                _cell(row, side, _KINDS.get(row[f"{side}_verdict"], "")),
                word(_VERDICTS[row[f"{side}_verdict"]]),
            )
        ),
        counted(row[f"{sides[-1]}_n"]),
    ]


def _cell(row: pd.Series, name: str, kind: str = "") -> Cell:
    """A number with its interval."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_ci_low", "_ci_high"))
    if row["goal"] == FIRST_PLAYER:
        return Cell(percent(value), interval=between(low, high), kind=kind)
    words = "{:.2f}".format if row["goal"] == TURNS else partial(points, digits=2)
    return Cell(words(value), interval=interval(low, high, words), kind=kind)


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    games = (
        f"{count(manifest['games_of_search'])} to search, {count(manifest['games'])} of each"
        f" candidate; {count(manifest['confirm'])} of each plan of the front to confirm"
    )
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Player", manifest["policies"][0]),
        ("Games", games),
        ("Seeds", f"{manifest['seed']} to search, {manifest['fresh_seed']} to confirm"),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        ("Versions", run_text.versions_of(manifest)),
        ("Command", command),
    ]
