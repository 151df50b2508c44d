"""The page of a sensitivity analysis, ``sensitivity.html``: what cards and their parts are worth.

It holds all it needs, works without a network and runs no script.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.sensitivity import SENSITIVITY_TABLES, SHAPLEY, write_sensitivity
from reports import sensitivity_words as words
from reports import wording
from reports.charts import write_figures
from reports.page import csv_address, inline_svg, page_template
from reports.sensitivity_charts import ALL_CHARTS, CARD_CHARTS, is_mapped
from reports.theme import count, percent, points
from simcore.run_folder import write_file

PAGE = "sensitivity.html"


def write_sensitivity_page(
    tables: Mapping[str, pd.DataFrame],
    manifest: Mapping[str, Any],
    names: Mapping[str, str],
    folder: Path,
    command: str,
) -> Path:
    """Write tables, charts and page into ``folder``; the path of the page.

    ``names`` are those of all ids, ``command`` is what was typed.  The same tables give the same
    bytes.  Raises RunError when something cannot be written.
    """
    write_sensitivity(dict(tables), folder)
    one = len(tables["values"]) == 1
    table = tables["sensitivity"]
    changed = table[(table["kind"] != "parts") if one else is_mapped(table)]
    asked = tables["values"]["value"].notna().any()
    drawn = {"variants": changed, "parts": tables["parts"], "values": tables["values"]}
    if not asked:
        drawn["values"] = tables["values"].iloc[:0]
    said = words.describe(manifest, most_sets=1)
    caption = wording.caption(said, manifest)
    charts = CARD_CHARTS if one else ALL_CHARTS
    files = write_figures(drawn, folder / "figures", caption=caption, charts=charts)
    drawings = {
        name: inline_svg(path.with_name(f"{path.name}.svg").read_text(), path.name)
        for name, paths in files.items()
        for path in paths.values()
    }
    subject = tables["values"]["name"].iloc[0] if one else "All cards"
    page = page_template(PAGE).render(
        title=f"{subject}: what it is worth" if one else f"{subject}: what they are worth",
        played=words.describe(manifest),
        findings=words.findings(tables, names),
        charts=drawings,
        one=one,
        csv={name: csv_address(tables[name]) for name in SENSITIVITY_TABLES},
        value_rows=[_value_row(row) for _, row in _ranked(tables["values"]).iterrows()],
        variant_rows=[
            _variant_row(row, table)
            for _, row in table[
                (table["measure"] == "dealt") & (table["kind"] != "parts")
            ].iterrows()
        ],
        part_rows=[_part_row(row) for _, row in tables["parts"].iterrows()],
        facts=_facts(manifest, tables["values"], names, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _ranked(values: pd.DataFrame) -> pd.DataFrame:
    return values.sort_values(["value", "name"], ascending=[False, True])


def _cell(row: pd.Series, column: str) -> dict[str, str]:
    """An estimate and its interval, and the colour of what is told apart from nothing."""
    if pd.isna(row[column]):
        return {"text": "\N{EN DASH}", "interval": "", "kind": ""}
    kind = ("strong" if row[column] > 0 else "weak") if words.is_sure(row) else ""
    return {
        "text": points(row[column], 2),
        "interval": words.interval(row, column, 2),
        "kind": kind,
    }


def _value_row(row: pd.Series) -> dict[str, Any]:
    reference = row["card_id"] == row["reference"]
    return {
        "name": row["name"],
        "copies": count(row["copies"]),
        "dealt": percent(row["dealt_win_rate"]),
        "advantage": _cell(row.to_dict() | {"q_value": 1.0}, "advantage"),
        "value": {"text": "0, the reference", "interval": "", "kind": ""}
        if reference
        else _cell(row, "value"),
        "n": count(row["n"]),
        "q": _q(row),
    }


def _variant_row(row: pd.Series, table: pd.DataFrame) -> dict[str, Any]:
    same = table[(table["card_id"] == row["card_id"]) & (table["change"] == row["change"])]
    others = same.set_index("measure")
    turns = others.loc["mean_turns"]
    reduction = row["variance_reduction"]
    return {
        "name": row["name"],
        "label": row["label"],
        "base": percent(row["base"]),
        "variant": percent(row["variant"]),
        "difference": _cell(row, "difference"),
        "q": _q(row),
        "first": _cell(others.loc["first_player_win_rate"], "difference"),
        "turns": f"{turns['difference']:+.2f}".replace("-", "\N{MINUS SIGN}"),
        "n": count(row["n"]),
        "reduction": "\N{EN DASH}" if pd.isna(reduction) else f"{reduction:.1f}",
    }


def _part_row(row: pd.Series) -> dict[str, Any]:
    share = {"text": "\N{EN DASH}", "interval": ""}
    if pd.notna(row["share"]):
        low, high = (words.percent_of(row[f"share_ci_{end}"]) for end in ("low", "high"))
        share = {"text": words.percent_of(row["share"]), "interval": f"{low} to {high}"}
        if row["kind"] == "total":
            share["interval"] = ""
    return {
        "name": row["name"],
        "label": row["label"],
        "method": "all combinations" if row["method"] == SHAPLEY else "one at a time",
        "worth": _cell(row, "worth"),
        "share": share,
        "q": _q(row),
    }


def _q(row: pd.Series) -> str:
    return "\N{EN DASH}" if pd.isna(row["q_value"]) else f"{row['q_value']:.2g}"


def _facts(
    manifest: Mapping[str, Any], values: pd.DataFrame, names: Mapping[str, str], command: str
) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    versions = ", ".join(f"{name} {version}" for name, version in manifest["versions"].items())
    return [
        ("Sets", wording.describe_sets(manifest)),
        ("Player", manifest["policies"][0]),
        ("Games", f"{count(manifest['games'])} of the pool and of each variant"),
        ("Seed", str(manifest["seed"])),
        ("Reference", names[values["reference"].iloc[0]]),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        ("Versions", versions),
        ("Command", command),
    ]
