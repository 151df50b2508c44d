"""The stories of all sets and chapters that come with fairdeal, as CSV and as two pictures.

As a program it tells them into a folder, where what is there is not made again, prints a row for
each, and draws their fans and calibrations, ``stories_*.png``::

    python -m support.told_stories runs/stories 2000 docs/figures
"""

import csv
import json
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.questions.story import CORRECTED
from reports.cli.app import run
from reports.games import reports_of
from reports.kit.theme import new_figure, off_screen, style
from reports.story.charts import CHARTS

STORIES = [name for game in ("mindbug", "mice_and_mystics") for name in reports_of(game).offered]
#: The columns: a figure, and the part of the game or the chance that it is about.
COLUMNS = {
    "turns": ("turns", ""),
    "tail": ("tail", ""),
    "lead_changes": ("lead changes", ""),
    "leader_at_half": ("leader", "0.5"),
    "from_below_25": ("comeback", "0.25"),
    "from_below_10": ("comeback", "0.1"),
    "random_option": ("loss", ""),
    "nothing_hangs": ("empty", ""),
}


def rows(folder: str, games: int) -> Iterator[dict[str, Any]]:
    """A row for each set and chapter: values with their intervals, and the largest gap."""
    for name in STORIES:
        said = StringIO()
        words = "story", name, "--games", f"{games}", "--out", f"{folder}/{name}", "--json"
        with redirect_stdout(said):
            if run([*words]):
                raise SystemExit(f"no story of {name}")
        answer = json.loads(said.getvalue())
        known = {(row["kind"], row["of"]): row for row in answer["story"]}
        gaps = [
            abs(row["came"] - row["said"])
            for row in answer["story_calibration"]
            if row["when"] == CORRECTED
        ]
        found: dict[str, Any] = {"set": name, "games": answer["games"]}
        for column, figure in COLUMNS.items():
            of = known.get(figure, {})
            found |= {
                f"{column}{end}": of.get(f"value{end}") for end in ("", "_ci_low", "_ci_high")
            }
        yield found | {"largest_gap": max(gaps)}


def draw(folder: str, figures: str) -> None:
    """Draw the fan and the calibration of each story, each kind in one picture."""
    for name in ("fan", "calibration"):
        chart = CHARTS[name]
        with off_screen(), style():
            figure = new_figure(1, 1)
            for ax, story in zip(figure.subplots(2, 4).flat, STORIES, strict=True):
                chart.plot(pd.read_parquet(f"{folder}/{story}/tables/{chart.table}.parquet"), ax=ax)
                ax.texts[-1].remove()  # what is drawn, the same in all
                what = json.loads(Path(folder, story, "about.json").read_bytes())["what"]
                title = re.split(r" · | \(|,", what)[0]
                ax.set_title(title, loc="left", x=0, y=1, pad=6, fontsize=11)
            figure.set_size_inches(11, 5.6)  # titles of charts make it grow
            figure.subplots_adjust(0.05, 0.09, 0.98, 0.94, wspace=0.25, hspace=0.45)
            figure.savefig(f"{figures}/stories_{name}.png", dpi=100)


if __name__ == "__main__":
    all_rows = [
        {key: f"{one:.4g}" if isinstance(one, float) else one for key, one in row.items()}
        for row in rows(sys.argv[1], int(sys.argv[2]))
    ]
    writer = csv.DictWriter(sys.stdout, [*all_rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(all_rows)
    draw(sys.argv[1], sys.argv[3])
