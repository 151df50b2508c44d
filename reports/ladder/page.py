"""The page of a ladder, ``ladder.html``: who is best, by how much, and what needs more games.

It holds all it needs, works without a network.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from attrs import frozen

from analysis.experiments.ladder import LADDER_TABLES, analyze_ladder
from analysis.experiments.pair_games import ContestKind, read_contest
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import bare_percent, count, elo, interval
from reports.ladder import text
from reports.ladder.charts import LADDER_CHARTS
from simcore.places import located
from simcore.sealed import write_file


@frozen
class LadderWords:
    """What a game says of a ladder.

    ``what`` is played, in words; ``seats`` a sentence on how players exchange seats; ``caption``
    stands under its charts; ``facts`` are what else is needed to play it again.
    """

    what: str
    seats: str
    caption: str
    facts: Sequence[tuple[str, str]]


def write_ladder(
    kind: ContestKind, folder: str | os.PathLike[str], words: LadderWords
) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write tables, charts and page of a ladder that was played; the page's path, and the tables.

    Reads ``ladder.json`` and ``pairs/`` in ``folder``; writes ``tables/``, ``figures/`` and
    ``ladder.html``.  The same games give the same bytes, but for how fast they were played.
    Raises RunError when the ladder is unfinished or damaged or the page cannot be written.
    """
    folder = located(folder)
    tables, manifest = analyze_ladder(kind, folder), read_contest(kind, folder)
    files = write_figures(tables, folder / "figures", caption=words.caption, charts=LADDER_CHARTS)
    page = page_template("ladder.html").render(
        title=f"{words.what}: ladder of players",
        headline=text.headline(tables),
        played=text.describe(manifest, words.what),
        seats=words.seats,
        findings=text.findings(tables),
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in LADDER_TABLES},
        rating_rows=[_rating_row(row) for row in tables["ratings"].itertuples()],
        pair_rows=[
            _pair_row(row, per_second)
            for row, per_second in zip(
                tables["pairs"].itertuples(), tables["speed"]["games_per_second"], strict=True
            )
        ],
        facts=_facts(manifest, words),
    )
    path = folder / "ladder.html"
    write_file(path, page.encode())
    return path, tables


def _rating_row(row: Any) -> list[Cell]:
    return [
        Cell(row.player),
        Cell(elo(row.elo), interval=interval(row.elo_ci_low, row.elo_ci_high, elo)),
        *_outcomes(row),
        Cell(bare_percent(row.score)),
    ]


def _pair_row(row: Any, per_second: float) -> list[Cell]:
    score = interval(row.ci_low, row.ci_high, bare_percent)
    ahead = interval(row.elo_difference_ci_low, row.elo_difference_ci_high, elo)
    return [
        Cell(row.player),
        word(row.opponent),
        *_outcomes(row),
        Cell(bare_percent(row.score), interval=score),
        Cell(bare_percent(row.expected)),
        Cell(elo(row.elo_difference), interval=ahead),
        Cell(text.speed(per_second)),
    ]


def _outcomes(row: Any) -> list[Cell]:
    return [counted(getattr(row, name)) for name in ("games", "wins", "draws", "losses")]


def _facts(manifest: Mapping[str, Any], words: LadderWords) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = (f"{name} {version}" for name, version in manifest["versions"].items())
    return [
        ("Command", manifest["command"]),
        *words.facts,
        ("Games", f"{count(sum(manifest['games']))} by {len(manifest['games'])} pairs"),
        ("Seed", str(manifest["seed"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", ", ".join(versions)),
    ]
