"""The page of restricted play, ``restrict.html``: what carries the game, and what is of no use.

It holds all it needs, works without a network.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.pair_games import read_contest
from analysis.mindbug.experiments.ablation import (
    BAND,
    COSTS,
    GAINS,
    RestrictedPlay,
    analyze_restricted,
    restrict,
)
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.verdicts import Q_TEXT
from reports.kit.words import count, interval_of, percent
from reports.mindbug import run_text
from reports.mindbug.ablation import text
from reports.mindbug.ablation.charts import RESTRICT_CHARTS
from simcore.mindbug.players.restrictions import RESTRICTIONS
from simcore.places import located
from simcore.sealed import write_file

PAGE = "restrict.html"


def write_restricted(
    folder: str | os.PathLike[str], *, band: float = BAND, command: str = ""
) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write table, chart and page of restricted play; the page's path, and the table by its name.

    Reads ``restrict.json`` and ``pairs/`` in ``folder``; writes ``tables/``, ``figures/`` and
    ``restrict.html``.  ``command`` is what was typed.  The same games give the same bytes.  Raises
    RunError when games are missing or damaged or something cannot be written.
    """
    folder = located(folder)
    tables = analyze_restricted(folder, band=band)
    manifest = read_contest(RestrictedPlay.kind, folder)
    table = tables["restrictions"]
    caption = run_text.caption(text.describe(manifest, most_sets=1), manifest)
    files = write_figures(tables, folder / "figures", caption=caption, charts=RESTRICT_CHARTS)
    page = page_template(PAGE).render(
        title=f"{run_text.describe_sets(manifest)}: restricted play",
        headline=text.headline(table),
        played=text.describe(manifest),
        findings=[*text.findings(table, manifest["left_out"])],
        charts=drawings(files),
        csv={"restrictions": csv_address(table)},
        policy=manifest["policy"],
        q_text=Q_TEXT,
        rows=[_row(row) for row in table.to_dict("records")],
        rules=[
            (RESTRICTIONS[word], restrict(manifest["policy"], word))
            for word in manifest["restrictions"]
        ],
        facts=_facts(manifest, command or manifest["command"]),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path, tables


def _row(row: Mapping[Any, Any]) -> list[Cell]:
    kind = {COSTS: "strong", GAINS: "weak"}.get(row["verdict"], "")
    return [
        Cell(row["never"]),
        Cell(text.cost(row["cost"]), interval=interval_of(row, "cost", text.cost), kind=kind),
        word(row["verdict"]),
        Cell(text.q_value(row) or "\N{EN DASH}"),
        counted(row["games"]),
        Cell(percent(row["games_barred"])),
        Cell(percent(row["barred_rate"])),
        counted(row["waived"]),
    ]


def _facts(manifest: Mapping[str, Any], command: str) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    weights = [f"SHA-256 {digest}" for digest in manifest["weights"].values()]
    return [
        ("Command", command),
        ("Sets", run_text.describe_sets(manifest)),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Player", manifest["policy"]),
        *(("Weights", digest) for digest in weights),
        ("Games", f"{count(sum(manifest['games']))} with {len(manifest['games'])} restrictions"),
        ("Seed", str(manifest["seed"])),
        ("Rules version", str(manifest["rules_version"])),
        ("Versions", run_text.versions_of(manifest)),
    ]
