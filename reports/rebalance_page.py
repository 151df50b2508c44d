"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network and runs no script.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.rebalance import PROPOSAL_FILE, REBALANCE_TABLES
from analysis.rebalance_goals import FIRST_PLAYER, MET, MISSED, TURNS
from analysis.views import STRONG, WEAK
from reports import rebalance_words as words
from reports import wording
from reports.cells import Cell, bare_percent, counted, word
from reports.figures import write_figures
from reports.inline_svg import drawings
from reports.page import csv_address, page_template
from reports.rebalance_charts import REBALANCE_CHARTS
from reports.theme import between, count, percent, points
from simcore.sealed import write_file

PAGE = "rebalance.html"

_KINDS = {MET: STRONG, MISSED: WEAK}
# The columns of the table of plans: words and class.
_FRONT = (("Amount", ""), ("Points beyond", ""), ("Cards outside", ""), ("Farthest card", "word"))
_NUMBERS = {FIRST_PLAYER: ("Who starts wins", ""), TURNS: ("Turns", "")}
_CHANGES = ("Changes", "word")
_GOALS = {FIRST_PLAYER: "Games won by the player who starts", TURNS: "Turns in a game"}


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
    caption = wording.caption(words.describe(manifest, most_sets=1), manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=REBALANCE_CHARTS)
    card_file = folder / PROPOSAL_FILE
    text = card_file.read_text() if manifest["card_file"] else ""
    told = [goal for goal in _NUMBERS if tables["front"][goal].notna().any()]
    goals = tables["goals"].sort_values("before", ascending=False)
    page = page_template(PAGE).render(
        title=f"{wording.describe_sets(manifest)}: rebalanced",
        played=words.describe(manifest),
        findings=words.findings(tables, manifest),
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in REBALANCE_TABLES},
        change_rows=[
            [Cell(change), Cell(str(amount))]
            for change, amount in zip(
                words.changes_in_words(tables["changes"]), tables["changes"]["amount"], strict=True
            )
        ],
        card_text=text,
        to_play=to_play,
        front_headings=[*_FRONT, *(_NUMBERS[goal] for goal in told), _CHANGES],
        front_rows=[_front_row(row, told) for row in tables["front"].itertuples()],
        goal_rows=[
            _goal_row(row)
            for _, row in pd.concat(
                [goals[goals["goal"] != "card"], goals[goals["goal"] == "card"]]
            ).iterrows()
        ],
        facts=_facts(manifest, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _front_row(row: Any, goals: Sequence[str]) -> list[Cell]:
    """A plan; ``goals`` are those besides the cards that have a column."""
    low, high = (bare_percent(end) for end in (row.excess_ci_low, row.excess_ci_high))
    return [
        Cell(f"{row.amount} (proposal)" if row.proposed else str(row.amount)),
        Cell(bare_percent(row.excess), interval=f"{low} to {high}"),
        Cell(str(row.cards_outside)),
        word(f"{row.worst_card} {points(row.worst_advantage)}"),
        *(Cell(words.number_in_words(goal, getattr(row, goal))) for goal in goals),
        word(row.in_words or "nothing"),
    ]


def _goal_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(row["name"] or _GOALS[row["goal"]]),
        *(
            cell
            for side in ("before", "after")
            for cell in (_cell(row, side), word(row[f"{side}_verdict"]))
        ),
        counted(row["after_n"]),
    ]


def _cell(row: pd.Series, side: str) -> Cell:
    """A number with its interval, in the colour of what is shown of it."""
    value, low, high = (row[name] for name in (side, f"{side}_ci_low", f"{side}_ci_high"))
    if row["goal"] == FIRST_PLAYER:
        text, interval = percent(value), between(low, high)
    elif row["goal"] == TURNS:
        text, interval = f"{value:.2f}", f"{low:.2f} to {high:.2f}"
    else:
        text, interval = points(value, 2), f"{points(low, 2)} to {points(high, 2)}"
    return Cell(text, interval=interval, kind=_KINDS.get(row[f"{side}_verdict"], ""))


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    games = (
        f"{count(manifest['games_of_search'])} to search, {count(manifest['games'])} of each"
        f" candidate; {count(manifest['confirm'])} of each plan of the front to confirm"
    )
    return [
        ("Sets", wording.describe_sets(manifest)),
        ("Player", manifest["policies"][0]),
        ("Games", games),
        ("Seeds", f"{manifest['seed']} to search, {manifest['fresh_seed']} to confirm"),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        ("Versions", wording.versions_of(manifest)),
        ("Command", command),
    ]
