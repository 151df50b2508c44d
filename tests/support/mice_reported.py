"""Reports of runs of Mice & Mystics that nobody played: from the tables of planted games."""

from pathlib import Path

import pandas as pd

from analysis.mice_and_mystics.experiments.assumptions import ASSUMPTIONS
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.runs import Run
from analysis.tables import write_tables
from reports.mice_and_mystics.balance.report import ChapterReport
from simcore.mice_and_mystics.play.run import run_entries
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from support.planted_mice import Planted, count, facts, play


def tables_of(
    of: RunFacts, planted: Planted, n_games: int, seed: int = 1
) -> dict[str, pd.DataFrame]:
    """All tables of so many planted games."""
    counts = count(of, play(of, planted, n_games, seed))
    return {name: table.make(counts) for name, table in RUN_TABLES.items() if table.make}


def report_of(
    folder: Path, of: RunFacts, tables: dict[str, pd.DataFrame], n_games: int
) -> ChapterReport:
    """A report in a folder, as if a run of that many games lay there."""
    write_tables(tables, folder, {})
    manifest = {
        "game": "mice_and_mystics",
        "rules_version": 1,
        **run_entries(compile_facts(facts(), of.settings)),
        "seed": 1,
        "policies": [of.player],
        "weights": {},
        "games": n_games,
        "versions": {"fairdeal": "0.0"},
    }
    return ChapterReport(Run(folder, manifest), tables)


def assumptions(n: int, *, switches: int = 3) -> pd.DataFrame:
    """Changed assumptions, the most influential first: two rows a number, one a switch."""
    rows = []
    for place in reversed(range(n)):
        number = place >= switches
        for step in (-1, 1) if number else (1,):
            effect = step * 0.004 * (place + 1)
            rows.append(
                {
                    **dict.fromkeys(ASSUMPTIONS.columns, 0.0),
                    "kind": "number" if number else "switch",
                    "entry": f"minion_{place}" if number else "",
                    "name": f"Minion {place}" if number else "",
                    "number": "life" if number else f"switch_{place}",
                    "label": "life" if number else f"switch {place}",
                    "value": "2" if number else "as_usual",
                    "changed_to": str(2 + step) if number else "other",
                    "games": 1000,
                    "win_effect": effect,
                    "win_effect_low": effect - 0.003,
                    "win_effect_high": effect + 0.003,
                    "win_effect_shrunk": effect,
                    "run_win_rate": 0.4,
                    "run_win_rate_ci_low": 0.39,
                    "run_win_rate_ci_high": 0.41,
                }
            )
    return ASSUMPTIONS.frame(rows)
