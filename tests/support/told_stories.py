"""The stories of all sets and chapters that come with fairdeal, as CSV.

As a program it tells them into a folder, where what is there is not made again, and prints a row
for each::

    python -m support.told_stories runs/stories 2000
"""

import csv
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from analysis.questions.story import CORRECTED
from reports.cli.app import run
from reports.games import reports_of

_GAMES = "mindbug", "mice_and_mystics"
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
    for name in (one for game in _GAMES for one in reports_of(game).offered):
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


if __name__ == "__main__":
    all_rows = [
        {key: f"{one:.4g}" if isinstance(one, float) else one for key, one in row.items()}
        for row in rows(sys.argv[1], int(sys.argv[2]))
    ]
    writer = csv.DictWriter(sys.stdout, [*all_rows[0]], lineterminator="\n")
    writer.writeheader()
    writer.writerows(all_rows)
