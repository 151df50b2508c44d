"""The page of luck and skill, ``skill.html``.

It holds all it needs, works without a network.
"""

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.mice_and_mystics.experiments.skill import ALL_PLAYERS, REPLAYS
from reports.kit.cells import Cell, counted, number, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import bare_percent, count, points
from reports.mice_and_mystics.run_text import caption_of, played_facts
from reports.mice_and_mystics.skill import text
from reports.mice_and_mystics.skill.charts import SKILL_CHARTS, SOURCE_NAMES
from simcore.sealed import write_file


def write_skill_page(
    tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any], folder: Path
) -> Path:
    """Write charts and page of a comparison of players; the path of the page.

    The same games give the same bytes.  Raises RunError when something cannot be written.
    """
    said = caption_of(text.describe(manifest), manifest)
    files = write_figures(tables, folder / "figures", caption=said, charts=SKILL_CHARTS)
    page = page_template("skill.html").render(
        title=f"{manifest['chapter_name']}: luck and skill",
        played=text.describe(manifest),
        headline=f"{manifest['chapter_name']}: {text.headline(tables)}",
        findings=text.findings(tables),
        charts=drawings(files),
        csv={name: csv_address(table) for name, table in tables.items()},
        player_rows=[_player_row(row) for _, row in tables["skill_players"].iterrows()],
        share_rows=[
            _share_row(row) for _, row in tables["skill"].iterrows() if not isnan(row["share"])
        ],
        replays=REPLAYS,
        facts=_facts(manifest),
    )
    path = folder / "skill.html"
    write_file(path, page.encode())
    return path


def _player_row(row: pd.Series) -> list[Cell]:
    def of(column: str, words: Any) -> Cell:
        return number(row[column], row[f"{column}_ci_low"], row[f"{column}_ci_high"], words)

    return [
        Cell(row["player"]),
        counted(row["n_games"]),
        of("win_rate", bare_percent),
        of("win_rate_gain", points),
        of("score", _plain),
    ]


def _share_row(row: pd.Series) -> list[Cell]:
    of_wins = row["measure"] == "win_rate"
    name = "all players" if row["player"] == ALL_PLAYERS else row["player"]
    ends = [row[f"{column}_ci_{end}"] for column in ("share", "spread") for end in ("low", "high")]
    return [
        Cell(name),
        word("winning" if of_wins else "score"),
        word(SOURCE_NAMES[row["source"]]),
        number(row["share"], ends[0], ends[1], bare_percent),
        number(row["spread"], ends[2], ends[3], bare_percent if of_wins else _plain),
    ]


def _plain(value: float) -> str:
    return f"{value:.2f}"


def _facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    return [
        ("Command", manifest["command"]),
        *played_facts(manifest),
        ("Players", ", ".join(manifest["players"])),
        ("Games", f"{count(manifest['games'])} of each player"),
    ]
