"""What ``--json`` tells of the tables of Mindbug, by `reports.cli.json_answers`."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.cli import json_answers

if TYPE_CHECKING:
    import pandas as pd

    from reports.kit.words import Finding


def found_json(
    findings: "Iterable[Finding]", tables: "Mapping[str, pd.DataFrame]", folder: Path
) -> dict[str, Any]:
    """What the console says of a folder, and what is told of its tables."""
    return json_answers.found_json("mindbug", findings, tables, folder)
