"""The page of luck and skill, ``skill.html``.

It holds all it needs, works without a network.
"""

from collections.abc import Callable
from math import isnan
from pathlib import Path

import pandas as pd

from analysis.questions.skill import ALL_PLAYERS, REPLAYS
from reports.kit.cells import Cell, counted, number, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.words import bare_percent, points
from reports.skill.text import Skill

PAGE = "skill.html"


def write_page(told: Skill, folder: Path, command: str) -> Path:
    """Write charts and page of a comparison of players; the path of the page.

    The same games give the same bytes.  Raises RunError when something cannot be written.
    """
    files = write_figures(told.tables, folder / "figures", caption=told.caption, charts=told.charts)
    others = [one for one in told.measures if one != told.rate]
    return write_rendered(
        *(folder / PAGE, "skill.html"),
        title=f"{told.subject}: luck and skill",
        told=told,
        played=told.played,
        headline=f"{told.subject}: {told.headline}",
        findings=told.findings,
        charts=drawings(files),
        lucky=[one for one in files if one.startswith("luck_")],
        csv={name: csv_address(table) for name, table in told.tables.items()},
        player_headings=[
            *(("Player", ""), ("Games", ""), (f"{told.heading.capitalize()}, %", "")),
            *(
                ("Gained, points", ""),
                *((told.measures[one][0].capitalize(), "") for one in others),
            ),
        ],
        player_rows=[_player_row(told, row) for _, row in told.players.iterrows()],
        share_rows=[
            _share_row(told, row) for _, row in told.skill.iterrows() if not isnan(row["share"])
        ],
        replays=REPLAYS,
        facts=[("Command", command), *told.facts],
    )


def _player_row(told: Skill, row: pd.Series) -> list[Cell]:
    columns: dict[str, Callable[[float], str]] = {told.rate: bare_percent, told.gain: points}
    columns |= {one: words for one, (_, words) in told.measures.items() if one != told.rate}
    return [
        Cell(row["player"]),
        counted(row["n_games"]),
        *(
            number(row[one], row[f"{one}_ci_low"], row[f"{one}_ci_high"], words)
            for one, words in columns.items()
        ),
    ]


def _share_row(told: Skill, row: pd.Series) -> list[Cell]:
    name = "all players" if row["player"] == ALL_PLAYERS else row["player"]
    measure, words = told.measures[row["measure"]]
    ends = [row[f"{column}_ci_{end}"] for column in ("share", "spread") for end in ("low", "high")]
    return [
        Cell(name),
        word(measure),
        word(told.sources[row["source"]]),
        number(row["share"], ends[0], ends[1], bare_percent),
        number(row["spread"], ends[2], ends[3], words),
    ]
