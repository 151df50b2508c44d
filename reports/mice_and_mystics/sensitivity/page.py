"""The page of a sensitivity analysis, ``sensitivity.html``.

It holds all it needs, works without a network.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.mice_and_mystics.experiments.sensitivity import SENSITIVITY
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.verdicts import kind_of, settled
from reports.kit.words import chance, count, interval_of, percent, points, signed
from reports.mice_and_mystics.run_text import caption_of, played_facts
from reports.mice_and_mystics.sensitivity import text
from reports.mice_and_mystics.sensitivity.charts import SENSITIVITY_CHARTS
from simcore.sealed import write_file

PAGE = "sensitivity.html"
# Rows of the page's table: where more are settled, these.
_LEAST_ROWS = 40
_UNKNOWN = "\N{EN DASH}"


def write_sensitivity_page(
    table: pd.DataFrame, manifest: Mapping[str, Any], folder: Path, command: str
) -> Path:
    """Write charts and page of a sensitivity analysis; the path of the page.

    ``manifest`` is that of the run, ``command`` what was typed.  The same table gives the same
    bytes.  Raises RunError when something cannot be written.
    """
    said = caption_of(text.describe(manifest), manifest)
    tables = {SENSITIVITY.name: table}
    files = write_figures(tables, folder / "figures", caption=said, charts=SENSITIVITY_CHARTS)
    wins = text.wins_of(table)
    scores = table[table["measure"] == "mean_score"].reset_index(drop=True)
    shown = max(_LEAST_ROWS, len(settled(wins, "difference")))
    rows = [
        _row(win, score)
        for (_, win), (_, score) in zip(wins.iterrows(), scores.iterrows(), strict=True)
    ]
    page = page_template("steps.html").render(
        title=f"{manifest['chapter_name']}: what one step changes",
        played=text.describe(manifest),
        headline=f"{manifest['chapter_name']}: {text.headline(table)}",
        findings=text.findings(table),
        charts=drawings(files),
        csv={SENSITIVITY.name: csv_address(table)},
        rows=rows[:shown],
        n_more=len(rows[shown:]),
        facts=[
            ("Command", command),
            *played_facts(manifest),
            ("Player", manifest["policies"][0]),
            ("Games", f"{count(manifest['games'])} as it is and with each change"),
        ],
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _row(win: pd.Series, score: pd.Series) -> list[Cell]:
    """A change: what it does to the win rate and to the score."""
    kind = kind_of(win, "difference")
    words = partial(signed, digits=2)
    return [
        Cell(text.what(win)),
        word(text.step(win)),
        word(win["confidence"] or _UNKNOWN),
        Cell(percent(win["variant"])),
        Cell(points(win["difference"], 2), interval=text.interval(win, 2), kind=kind),
        Cell(chance(win["q_value"]) or _UNKNOWN),
        Cell(words(score["difference"]), interval=interval_of(score, "difference", words)),
        counted(win["differing"]),
    ]
