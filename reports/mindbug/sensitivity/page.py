"""The page of a sensitivity analysis, ``sensitivity.html``: what cards and their parts are worth.

It holds all it needs, works without a network.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.mindbug.experiments.sensitivity import SENSITIVITY_TABLES, SHAPLEY, write_sensitivity
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_template
from reports.kit.verdicts import kind_of
from reports.kit.words import (
    bare_percent,
    chance,
    count,
    interval_of,
    percent,
    points,
    signed,
    times,
)
from reports.mindbug import run_text
from reports.mindbug.sensitivity import text
from reports.mindbug.sensitivity.charts import ALL_CHARTS, CARD_CHARTS, MAPPED
from simcore.sealed import write_file

PAGE = "sensitivity.html"
_UNKNOWN = "\N{EN DASH}"
#: Charts of the first screen: the first of them that there is.
_FIRST = ("variants", "worth", "heat_map", "parts")


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
    changed = table[(table["kind"] != "parts") if one else table["kind"].isin(MAPPED)]
    asked = one or (table["kind"] == "value").any()
    drawn = {"variants": changed, "parts": tables["parts"], "values": tables["values"]}
    if not asked:
        drawn["values"] = tables["values"].iloc[:0]
    said = text.describe(manifest, most_sets=1)
    caption = run_text.caption(said, manifest)
    files = write_figures(
        drawn,
        folder / "figures",
        caption=caption,
        charts=CARD_CHARTS if one else ALL_CHARTS,
    )
    charts = {name: drawing for name, drawing in drawings(files).items() if drawing}
    subject = tables["values"]["name"].iloc[0] if one else "All cards"
    title = f"{subject}: what {'it is' if one else 'they are'} worth"
    page = page_template(PAGE).render(
        title=title,
        headline=text.headline(tables, names) or title,
        played=text.describe(manifest),
        overview=text.overview(tables, names),
        findings=text.findings(tables, names),
        lead=charts.pop(next((name for name in _FIRST if name in charts), ""), ()),
        charts=charts,
        one=one,
        q_text=run_text.Q_TEXT,
        csv={name: csv_address(tables[name]) for name in SENSITIVITY_TABLES},
        value_rows=[_value_row(row) for _, row in _ranked(tables["values"]).iterrows()]
        if asked
        else [],
        mean_rows=[_mean_row(row) for _, row in tables["by_change"].iterrows()],
        variant_rows=[
            _variant_row(row, table, one=one)
            for _, row in table[
                (table["measure"] == "dealt") & (table["kind"] != "parts")
            ].iterrows()
        ],
        part_rows=[_part_row(row, one=one) for _, row in tables["parts"].iterrows()],
        facts=_facts(manifest, tables["values"], names, command),
    )
    path = folder / PAGE
    write_file(path, page.encode())
    return path


def _ranked(values: pd.DataFrame) -> pd.DataFrame:
    return values.sort_values(["value", "name"], ascending=[False, True])


def _cell(row: pd.Series, column: str, *, tested: bool = True) -> Cell:
    """An estimate and its interval; where it was ``tested``, a clear one has a colour."""
    if pd.isna(row[column]):
        return Cell(_UNKNOWN)
    kind = kind_of(row, column) if tested else ""
    return Cell(points(row[column], 2), interval=text.interval(row, column, 2), kind=kind)


def _heads(row: pd.Series, *, one: bool) -> list[Cell]:
    """What a row is about; ``one`` card needs no name."""
    return [Cell(row["label"])] if one else [Cell(row["name"]), word(row["label"])]


def _value_row(row: pd.Series) -> list[Cell]:
    is_reference = row["card_id"] == row["reference"]
    return [
        Cell(row["name"]),
        Cell("0, the reference") if is_reference else _cell(row, "value"),
        _q(row),
        Cell(percent(row["dealt_win_rate"])),
        _cell(row, "advantage", tested=False),
        counted(row["n"]),
        counted(row["copies"]),
    ]


def _variant_row(row: pd.Series, table: pd.DataFrame, *, one: bool) -> list[Cell]:
    same = table[(table["card_id"] == row["card_id"]) & (table["change"] == row["change"])]
    others = same.set_index("measure")
    turns = others.loc["mean_turns"]
    reduction = row["variance_reduction"]
    return [
        *_heads(row, one=one),
        Cell(percent(row["base"])),
        Cell(percent(row["variant"])),
        _cell(row, "difference"),
        _q(row),
        _cell(others.loc["first_player_win_rate"], "difference"),
        Cell(signed(turns["difference"], 2)),
        counted(row["n"]),
        Cell(_UNKNOWN if pd.isna(reduction) else times(reduction)),
    ]


def _mean_row(row: pd.Series) -> list[Cell]:
    spread, words = Cell(_UNKNOWN), partial(bare_percent, digits=2)
    if pd.notna(row["spread"]):
        spread = Cell(words(row["spread"]), interval=interval_of(row, "spread", words))
    return [
        Cell(text.change_text(row["change"])),
        counted(row["n_cards"]),
        _cell(row, "effect"),
        _q(row),
        spread,
        counted(row["cards_up"]),
        counted(row["cards_down"]),
        counted(row["n"]),
    ]


def _part_row(row: pd.Series, *, one: bool) -> list[Cell]:
    return [
        *_heads(row, one=one),
        _cell(row, "worth"),
        _cell(row, "alone", tested=False),
        _cell(row, "last", tested=False),
        _share(row),
        _q(row),
        word("all combinations" if row["method"] == SHAPLEY else "one at a time"),
    ]


def _share(row: pd.Series) -> Cell:
    """What share of the whole a part is; the whole itself has no interval."""
    if pd.isna(row["share"]):
        return Cell(_UNKNOWN)
    known = "" if row["kind"] == "total" else interval_of(row, "share", text.percent_of)
    return Cell(text.percent_of(row["share"]), interval=known)


def _q(row: pd.Series) -> Cell:
    return Cell(chance(row["q_value"]) or _UNKNOWN)


def _facts(
    manifest: Mapping[str, Any], values: pd.DataFrame, names: Mapping[str, str], command: str
) -> list[tuple[str, str]]:
    """What was played, with everything needed to play it again."""
    return [
        ("Sets", run_text.describe_sets(manifest)),
        ("Player", manifest["policies"][0]),
        ("Games", f"{count(manifest['games'])} of the pool and of each variant"),
        ("Seed", str(manifest["seed"])),
        ("Reference", names[values["reference"].iloc[0]]),
        ("Rules version", str(manifest["rules_version"])),
        ("Pool", f"SHA-256 {manifest['pool_hash']}"),
        ("Versions", run_text.versions_of(manifest)),
        ("Command", command),
    ]
