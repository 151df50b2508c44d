"""The page of a ladder, ``ladder.html``: who is best, by how much, and what is not told apart.

It holds all it needs, works without a network and runs no script.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.ladder import LADDER_TABLES, analyze_ladder
from analysis.ladder_games import Ladder, read_asked
from reports import wording
from reports.charts import LADDER_CHARTS, write_figures
from reports.page import csv_address, inline_svg, page_template
from reports.theme import count, elo
from simcore.run_folder import write_file

_TO = " to "


def write_ladder(folder: str | os.PathLike[str]) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write tables, charts and page of a ladder that was played; the page's path, and the tables.

    Reads ``ladder.json`` and ``pairs/`` in ``folder``; writes ``tables/``, ``figures/`` and
    ``ladder.html``.  The same games give the same bytes.  Raises RunError when the ladder is
    unfinished or damaged or the page cannot be written.
    """
    folder = Path(folder)
    tables, manifest = analyze_ladder(folder), read_asked(Ladder.kind, folder)
    caption = wording.caption(wording.describe_ladder(manifest, most_sets=1), manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=LADDER_CHARTS)
    charts = {
        name: inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name)
        for name, paths in files.items()
        for path in paths.values()
    }
    page = page_template("ladder.html").render(
        title=f"{wording.describe_sets(manifest)}: ladder of players",
        played=wording.describe_ladder(manifest),
        findings=wording.ladder_findings(tables),
        charts=charts,
        csv={name: csv_address(tables[name]) for name in LADDER_TABLES},
        rating_rows=[_rating_row(row) for row in tables["ratings"].itertuples()],
        pair_rows=[_pair_row(row) for row in tables["pairs"].itertuples()],
        facts=_facts(manifest),
    )
    path = folder / "ladder.html"
    write_file(path, page.encode())
    return path, tables


def _rating_row(row: Any) -> dict[str, str]:
    return {
        **_outcomes(row),
        "player": row.player,
        "elo": elo(row.elo),
        "interval": f"{elo(row.elo_ci_low)}{_TO}{elo(row.elo_ci_high)}",
        "score": _percent(row.score),
        "speed": wording.speed(row.games_per_second),
    }


def _pair_row(row: Any) -> dict[str, str]:
    low, high = elo(row.elo_difference_ci_low), elo(row.elo_difference_ci_high)
    return {
        **_outcomes(row),
        "player": row.player,
        "opponent": row.opponent,
        "score": _percent(row.score),
        "interval": f"{_percent(row.ci_low)}{_TO}{_percent(row.ci_high)}",
        "expected": _percent(row.expected),
        "elo": elo(row.elo_difference),
        "elo_interval": f"{low}{_TO}{high}",
    }


def _outcomes(row: Any) -> dict[str, str]:
    return {name: count(getattr(row, name)) for name in ("games", "wins", "draws", "losses")}


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = [f"{name} {version}" for name, version in manifest["versions"].items()]
    return [
        ("Command", manifest["command"]),
        ("Sets", wording.describe_sets(manifest)),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Players", ", ".join(manifest["players"])),
        ("Weights", ", ".join(f"{name} {digest}" for name, digest in manifest["weights"].items())),
        ("Games", f"{count(sum(manifest['games']))} by {len(manifest['games'])} pairs"),
        ("Seed", str(manifest["seed"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", ", ".join(versions)),
    ]
