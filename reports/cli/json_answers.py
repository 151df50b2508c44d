"""What ``--json`` prints: what the console says, as data, and where everything else is.

A table is told whole where it is short by its nature.  Of a table with many rows or columns those
are told that the console speaks of, as the registry of tables says; ``tables`` names the files with
the rest.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.confidence import LEVEL, confidence

if TYPE_CHECKING:
    import pandas as pd

    from reports.kit.words import Finding


def tables_json(game: str, tables: "Mapping[str, pd.DataFrame]", folder: Path) -> dict[str, Any]:
    """What is told of tables of a game, and under ``tables`` the files that have them whole.

    ``folder`` is the folder of a run, with the files in ``tables/``.  A row is a JSON object;
    unknown numbers are null.
    """
    from analysis.games import analysis_of

    registry, answer = analysis_of(game).all_tables, dict[str, Any]()
    for name, table in tables.items():
        rows, columns = registry[name].json_rows, registry[name].json_columns
        columns = table.columns if columns is None else columns
        if len(columns):
            told = (table if rows is None else table[rows(table)])[list(columns)]
            answer[name] = told.astype(object).where(told.notna(), None).to_dict("records")
    files = {name: str(folder / "tables" / f"{name}.parquet") for name in tables}
    return {**answer, "tables": files}


def findings_json(findings: "Iterable[Finding]") -> list[dict[str, str]]:
    """What is worth knowing first: what it is about, and a few sentences."""
    return [{"topic": finding.topic, "text": finding.text} for finding in findings]


def found_json(
    game: str,
    findings: "Iterable[Finding]",
    tables: "Mapping[str, pd.DataFrame]",
    folder: Path,
) -> dict[str, Any]:
    """What the console says of a folder, how sure that is, and what is told of its tables."""
    said = {"findings": findings_json(findings), LEVEL: confidence()}
    return said | tables_json(game, tables, folder)
