"""The page of a rebalancing, ``rebalance.html``: the proposal, what it brings, what less would.

It holds all it needs, works without a network and runs no script.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.rebalance import PROPOSAL_FILE, REBALANCE_TABLES
from analysis.rebalance_goals import FIRST_PLAYER, MET, MISSED, TURNS
from reports import rebalance_words as words
from reports import wording
from reports.charts import write_figures
from reports.page import csv_address, inline_svg, page_template
from reports.rebalance_charts import REBALANCE_CHARTS
from reports.theme import between, count, percent, points
from simcore.run_folder import write_file

PAGE = "rebalance.html"

_KINDS = {MET: "strong", MISSED: "weak"}


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
    drawings = {
        name: inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name)
        for name, paths in files.items()
        for path in paths.values()
    }
    card_file = folder / PROPOSAL_FILE
    text = card_file.read_text() if manifest["card_file"] else ""
    goals = tables["goals"].sort_values("before", ascending=False)
    page = page_template(PAGE).render(
        title=f"{wording.describe_sets(manifest)}: rebalanced",
        played=words.describe(manifest),
        findings=words.findings(tables, manifest),
        charts=drawings,
        csv={name: csv_address(tables[name]) for name in REBALANCE_TABLES},
        changes=[*zip(words.changes_in_words(tables["changes"]), tables["changes"]["amount"],
                      strict=True)],
        card_text=text,
        to_play=to_play,
        front_rows=[_front_row(row) for row in tables["front"].itertuples()],
        first_player=tables["front"][FIRST_PLAYER].notna().any(),
        turns=tables["front"][TURNS].notna().any(),
        goal_rows=[
            _goal_row(row) for _, row in pd.concat(
                [goals[goals["goal"] != "card"], goals[goals["goal"] == "card"]]
            ).iterrows()
        ],
        facts=_facts(manifest, command),
    )  # fmt: skip
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _front_row(row: Any) -> dict[str, Any]:
    low, high = (f"{100 * end:.1f}" for end in (row.excess_ci_low, row.excess_ci_high))
    return {
        "amount": str(row.amount),
        "excess": {"text": f"{100 * row.excess:.1f}", "interval": f"{low} to {high}", "kind": ""},
        "outside": str(row.cards_outside),
        "worst": f"{row.worst_card} {points(row.worst_advantage)}",
        "first": words.number_in_words(FIRST_PLAYER, getattr(row, FIRST_PLAYER)),
        "turns": words.number_in_words(TURNS, getattr(row, TURNS)),
        "changes": row.in_words or "nothing",
        "proposed": row.proposed,
    }


def _goal_row(row: pd.Series) -> dict[str, Any]:
    cells = {side: _cell(row, side) for side in ("before", "after")}
    name = {FIRST_PLAYER: "Games won by the player who starts", TURNS: "Turns in a game"}
    return {
        "name": row["name"] or name[row["goal"]],
        **cells,
        "n": count(row["after_n"]),
    }


def _cell(row: pd.Series, side: str) -> dict[str, str]:
    """A number with its interval and what is shown of it."""
    value, low, high = (row[name] for name in (side, f"{side}_ci_low", f"{side}_ci_high"))
    verdict = row[f"{side}_verdict"]
    if row["goal"] == FIRST_PLAYER:
        text, interval = percent(value), between(low, high)
    elif row["goal"] == TURNS:
        text, interval = f"{value:.2f}", f"{low:.2f} to {high:.2f}"
    else:
        text, interval = points(value, 2), f"{points(low, 2)} to {points(high, 2)}"
    return {"text": text, "interval": interval, "verdict": verdict, "kind": _KINDS.get(verdict, "")}


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = ", ".join(f"{name} {version}" for name, version in manifest["versions"].items())
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
        ("Versions", versions),
        ("Command", command),
    ]
