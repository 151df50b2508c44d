"""Mindbug's words about a ladder, and its page."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments.pair_games import read_contest
from analysis.mindbug.experiments.ladder import Ladder
from reports.ladder import page, text
from reports.ladder.page import LadderWords
from reports.mindbug import run_text
from simcore.places import located

_SEATS = "Each deal of a pair is played twice, once from either side."


def ladder_words(manifest: Mapping[str, Any]) -> LadderWords:
    """What Mindbug says of a ladder."""
    sets = run_text.describe_sets(manifest)
    few = text.describe(manifest, run_text.describe_sets(manifest, most_sets=1))
    facts = [
        ("Sets", sets),
        ("Card data", f"SHA-256 {manifest['pool_hash']}"),
        ("Players", ", ".join(manifest["players"])),
        *run_text.weights_of(manifest),
    ]
    return LadderWords(sets, _SEATS, run_text.caption(few, manifest), facts)


def write_ladder(folder: str | os.PathLike[str]) -> tuple[Path, dict[str, pd.DataFrame]]:
    """Write the page of a ladder, as `reports.ladder.page` does it."""
    words = ladder_words(read_contest(Ladder.kind, located(folder)))
    return page.write_ladder(Ladder.kind, folder, words)
