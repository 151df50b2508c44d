"""The page of a verdict on an entry of a chapter, ``verdict.html``.

It holds all it needs, works without a network and runs no script.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from analysis.mice_and_mystics.experiments.verdict import Evidence, proposal_text
from analysis.mice_and_mystics.experiments.verdict_tables import VERDICT_TABLES, write_verdict
from reports.kit.cells import Cell, counted, estimate, verdict, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.words import Finding, chance, count, percent, points
from reports.mice_and_mystics.run_text import caption, describe_run, played_facts
from reports.mice_and_mystics.verdict import text
from reports.mice_and_mystics.verdict.charts import CHARTS
from simcore.sealed import write_file, writing

PAGE = "verdict.html"
_TEMPLATE = "verdict_mice_and_mystics.html"
#: The file with the proposed entry.
PROPOSAL_FILE = "proposal.toml"
_POINTS = partial(points, digits=1)


def write_proposal(evidence: Evidence, folder: Path) -> Path | None:
    """Write the file with the proposed entry; None, and no file, without one."""
    path = folder / PROPOSAL_FILE
    if not evidence.proposal:
        with writing(path):
            path.unlink(missing_ok=True)  # of another band
        return None
    write_file(path, proposal_text(evidence).encode())
    return path


def write_verdict_page(
    evidence: Evidence,
    tables: Mapping[str, pd.DataFrame],
    findings: Sequence[Finding],
    folder: Path,
    command: str,
) -> Path:
    """Write tables, charts and page into ``folder``; the path of the page.

    ``command`` is what was typed.  Raises RunError when something cannot be written.
    """
    write_verdict(dict(tables), evidence, folder)
    run = evidence.played[evidence.case.player].run
    files = write_figures(tables, folder / "figures", caption=caption(run.manifest), charts=CHARTS)
    page = page_template(_TEMPLATE).render(
        title=text.headline(tables),
        sentence=text.sentence(tables),
        played=describe_run(run.manifest),
        findings=findings,
        charts=drawings(files),
        csv={name: csv_address(tables[name]) for name in VERDICT_TABLES},
        player_rows=[_player_row(row) for _, row in tables["verdict"].iterrows()],
        change_rows=[_change_row(row) for _, row in tables["verdict_changes"].iterrows()],
        partner_rows=[_partner_row(row) for _, row in tables["verdict_partners"].iterrows()],
        stories=[
            (
                text.game_text(row),
                shlex.join(["balancelab", "replay", str(run.folder), str(row["game"])]),
            )
            for _, row in tables["verdict_games"].iterrows()
        ],
        facts=_facts(evidence, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _player_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(row["policy"]),
        estimate(row, "effect", _POINTS),
        verdict(text.judged(row) if row["verdict"] in text.WORDS else row["verdict"]),
        estimate(row, "swap", _POINTS),
        Cell(percent(row["win_rate"])),
        counted(row["n"]),
        counted(row["n_games"]),
    ]


def _change_row(row: pd.Series) -> list[Cell]:
    which = "fresh games" if row["fresh"] else "first try"
    return [
        Cell(row["change"]),
        word(f"{row['policy']}, {which}{', proposed' if row['proposed'] else ''}"),
        estimate(row, "effect", _POINTS),
        estimate(row, "difference", _POINTS),
        estimate(row, "chapter", _POINTS),
        verdict(text.judged(row) if row["verdict"] in text.WORDS else row["verdict"]),
        counted(row["n_games"]),
    ]


def _partner_row(row: pd.Series) -> list[Cell]:
    return [
        Cell(row["other_name"]),
        estimate(row, "beyond", _POINTS),
        Cell(chance(row["q_value"])),
        counted(row["n"]),
    ]


def _facts(evidence: Evidence, command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    case = evidence.case
    run = evidence.played[case.player].run
    played = f"{count(case.games)} by {case.player}"
    if case.stronger:
        played += f" and {count(case.stronger_games)} by {case.stronger}"
    played += f"; {count(case.tried_games)} with each change"
    if any(one.fresh for one in evidence.tried):
        played += f"; {count(case.fresh_games)} fresh ones with each that might do"
    return [("Command", command), ("Games", played), *played_facts(run.manifest)]
