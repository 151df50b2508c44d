"""The page of a story, ``story.html``, its tables, and the answer for a program."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from analysis.confidence import LEVEL, confidence
from analysis.tables import write_tables
from reports.cli.json_answers import findings_json
from reports.kit.cells import word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.words import intervals
from reports.story.charts import CHARTS
from reports.story.text import Answer, done_in, moments

PAGE = "story.html"


class Point(NamedTuple):
    """A turn in which much changes: what was done, the change, and the command that tells it."""

    turn: int
    text: str
    change: str
    command: str


def write_page(answer: Answer, folder: Path, told: Mapping[str, Sequence[str]]) -> Path:
    """Write tables, charts and page; the path of the page.  Raises RunError.

    ``told`` are the lines of the games to look at, by what they are.
    """
    write_tables(answer.tables, folder, {"game": answer.title})
    caption = f"{answer.played}{intervals()}"
    files = write_figures(answer.tables, folder / "figures", caption=caption, charts=CHARTS)
    charts = drawings(files)
    return write_rendered(
        *(folder / PAGE, "story.html"),
        title=f"The story of {answer.title}",
        headline=answer.headline,
        played=f"{answer.played}.",
        findings=answer.findings,
        overview=answer.findings[:5],
        charts=charts,
        csv={name: csv_address(table) for name, table in answer.tables.items()},
        games=[
            (points_of(answer, which, number, told[which]), chart)
            for (which, number, _), chart in zip(answer.chosen(), charts["games"], strict=True)
        ],
        turn=answer.words.turn,
        beside=answer.beside,
        versions=[[*map(word, row)] for row in answer.versions],
    )


def points_of(answer: Answer, which: str, number: int, told: Sequence[str]) -> list[Point]:
    """The turns of a game in which most changes."""
    table = answer.tables["story_games"]
    chances = table["chance"][table["which"] == which].tolist()
    return [
        Point(
            turn,
            done_in(told, turn),
            f"From {chances[turn - 2]:.0%} to {chances[turn - 1]:.0%}.",
            f"{answer.replay} {number} --turn {turn}",
        )
        for turn in moments(chances)
    ]


def answer_json(answer: Answer, folder: Path, page: Path) -> dict[str, Any]:
    """The answer for a program."""
    rows = {
        name: table.astype(object).where(table.notna(), None).to_dict("records")
        for name, table in answer.tables.items()
    }
    return {
        "folder": str(folder),
        "page": str(page),
        "headline": answer.headline,
        LEVEL: confidence(),
        "games": answer.n_games,
        "findings": findings_json(answer.findings),
        **rows,
        "tables": str(folder / "tables"),
    }
