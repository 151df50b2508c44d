"""What ``--json`` prints: what the console says, as data, and where everything else is.

A table is told whole where it is short by its nature.  Of a table with many rows or columns those
are told that the console speaks of; ``tables`` names the files with the rest.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from reports.kit.words import Finding


def _with_interval(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}{end}" for name in names for end in ("", "_ci_low", "_ci_high"))


#: The columns that are told of tables with many; none of those that only files have.
_COLUMNS: dict[str, tuple[str, ...]] = {
    "cards": (
        *("card_id", "name", "set_id", "policy", "dealt_n", "dealt_win_rate"),
        *("dealt_ci_low", "dealt_ci_high", "mindbug_n", *_with_interval("mindbug_rate")),
        *("q_value", "verdict"),
    ),
    "keywords": ("keyword", "policy", *_with_interval("effect")),
    "skill_cards": (
        *("card_id", "name", *_with_interval("change")),
        *("change_q_value", "skill_verdict"),
    ),
    **dict.fromkeys(
        ("turns", "outcomes", "card_pairs", "card_matchups", "sets", "stages", "dice"), ()
    ),
    **dict.fromkeys(("power_cards", "per_game", "open_points", "by_copies", "parts"), ()),
}

#: The rows that are told of tables with many.
_ROWS: "dict[str, Callable[[pd.DataFrame], pd.Series[bool]]]" = {
    "keywords": lambda table: ~table.duplicated(["keyword", "policy"]),
    "skill_cards": lambda table: ~table["card_id"].duplicated(),
    "comparison": lambda table: (table["measure"] == "dealt") | (table["kind"] == "game"),
    "sensitivity": lambda table: (table["measure"] == "dealt") & (table["kind"] != "parts"),
}


def tables_json(tables: "Mapping[str, pd.DataFrame]", folder: Path) -> dict[str, Any]:
    """What is told of tables, by their names, and under ``tables`` the files that have them whole.

    ``folder`` is the folder of a run, with the files in ``tables/``.  A row is a JSON object;
    unknown numbers are null.
    """
    answer: dict[str, Any] = {}
    for name, table in tables.items():
        told = table[_ROWS[name](table)] if name in _ROWS else table
        columns = _COLUMNS.get(name, tuple(table.columns))
        if columns:
            told = told[list(columns)]
            answer[name] = told.astype(object).where(told.notna(), None).to_dict("records")
    files = {name: str(folder / "tables" / f"{name}.parquet") for name in tables}
    return {**answer, "tables": files}


def findings_json(findings: "Iterable[Finding]") -> list[dict[str, str]]:
    """What is worth knowing first: what it is about, and a few sentences."""
    return [
        {"topic": finding.topic, "text": finding.text.replace("\N{WORD JOINER}", "")}
        for finding in findings
    ]


def found_json(
    findings: "Iterable[Finding]", tables: "Mapping[str, pd.DataFrame]", folder: Path
) -> dict[str, Any]:
    """What the console says of a folder, and what is told of its tables."""
    return {"findings": findings_json(findings), **tables_json(tables, folder)}
