"""The page of playtests, ``playtests.html``, its tables, and the answer for a program."""

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.confidence import LEVEL, confidence
from analysis.playtests import ALL, RATES, log_frame
from analysis.tables import write_tables
from reports.cli.json_answers import findings_json
from reports.kit.cells import Cell, counted, word
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, write_rendered
from reports.kit.words import DOT, UNKNOWN, intervals, percent
from reports.playtests.charts import CHARTS
from reports.playtests.text import Answer, apart, change, ends, plan_rows, value

PAGE = "playtests.html"
_HEADINGS = (
    *(("", ""), ("Games", ""), ("People", ""), ("Simulated", ""), ("Difference", "")),
    *(("Finding", "word"), ("Together (estimate)", ""), ("From people", "")),
    ("Among equals", ""),
)
# Games of the log that the page lists.
_MOST_GAMES = 500


def write_page(answer: Answer, folder: Path) -> Path:
    """Write tables, charts and page of an answer; the path of the page.  Raises RunError."""
    tables = tables_of(answer)
    write_tables(tables, folder, {"log": Path(answer.log.file).name})
    drawn = {**tables, **_drawn(answer)}
    caption = f"{answer.played}{intervals()}"
    files = write_figures(drawn, folder / "figures", caption=caption, charts=CHARTS)
    return write_rendered(
        *(folder / PAGE, "playtests.html"),
        title=f"Playtests: {Path(answer.log.file).name}",
        headline=answer.headline,
        played=f"{answer.played}.",
        findings=answer.findings,
        overview=answer.findings[:4],
        charts=drawings(files),
        csv={name: csv_address(table) for name, table in tables.items()},
        headings=_HEADINGS,
        figures=[_figure(answer, row) for _, row in answer.all.iterrows()],
        players=[_player(row) for _, row in answer.players.iterrows()],
        changes=answer.changes,
        change_rows=_changes(answer),
        log_headings=[(one, "") for one in _games_of(answer)],
        log_rows=_games_of(answer, rows=True),
        plan=[
            [
                word(f"{row['points']:g} points"),
                counted(row["one_rate"]),
                counted(row["each_of_two"]),
            ]
            for row in plan_rows(0.05, 0.8)
        ],
    )


def tables_of(answer: Answer) -> dict[str, pd.DataFrame]:
    """The tables of an answer; in them players have letters unless names were asked for."""
    frame = log_frame(answer.log).rename(columns=str)
    frame = frame.assign(date=frame["date"].map(lambda one: one.isoformat() if one else ""))
    return {"playtests": answer.table, "playtest_players": answer.players, "playtest_log": frame}


def answer_json(answer: Answer, folder: Path, page: Path) -> dict[str, Any]:
    """The answer for a program."""

    def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (
            table.astype(object).where(table.notna(), None).to_dict("records")
        )
        return found

    return {
        "folder": str(folder),
        "page": str(page),
        "headline": answer.headline,
        LEVEL: confidence(),
        "games": len(answer.log.games),
        "disagree": None if answer.tested.empty else not answer.differing.empty,
        "p_value": None if answer.tested.empty else float(answer.tested["q_value"].min()),
        "findings": findings_json(answer.findings),
        "playtests": rows(answer.table),
        "playtest_players": rows(answer.players),
        "notes": list(answer.log.notes),
        "tables": str(folder / "tables"),
    }


def _drawn(answer: Answer) -> Mapping[str, pd.DataFrame]:
    """What charts draw: rates of all versions, and the first of them in each version."""
    rates = answer.table[answer.table["kind"].isin(RATES)]
    rates = rates.assign(name=[answer.name(row) for _, row in rates.iterrows()])
    of_all = rates[rates["version"] == ALL]
    if of_all.empty:
        return {"playtest_rates": of_all, "playtest_versions": of_all}
    first = of_all.iloc[0]
    of_each = rates[(rates["kind"] == first["kind"]) & (rates["of"] == first["of"])]
    of_each = of_each[of_each["version"] != ALL].assign(of=first["name"])
    of_each = of_each.assign(
        name=[f"version {one}" if one else "no version" for one in of_each["version"]]
    )
    return {"playtest_rates": of_all, "playtest_versions": of_each}


def _figure(answer: Answer, row: Any) -> list[Cell]:
    is_known = isfinite(row["simulated"])
    together = isfinite(row["together"])
    return [
        Cell(answer.name(row)),
        counted(int(row["n_games"])),
        Cell(value(row, "people"), row["people"], ends(row, "people")),
        Cell(value(row, "simulated"), row["simulated"]) if is_known else word(UNKNOWN),
        word(apart(row) if is_known else UNKNOWN),
        word(row["finding"] or UNKNOWN),
        Cell(value(row, "together"), row["together"], ends(row, "together"))
        if together
        else word(UNKNOWN),
        word(percent(row["from_people"], 0) if together else UNKNOWN),
        Cell(value(row, "equals"), row["equals"], ends(row, "equals"))
        if isfinite(row["equals"])
        else word(UNKNOWN),
    ]


def _player(row: Any) -> list[Cell]:
    known = isfinite(row["strength"])
    of_rate = row.to_dict() | {"kind": RATES[0]}
    return [
        Cell(row["player"]),
        counted(int(row["n_games"])),
        Cell(value(of_rate, "rate"), row["rate"], ends(of_rate, "rate"))
        if isfinite(row["rate"])
        else word(UNKNOWN),
        Cell(value(of_rate, "strength"), row["strength"], ends(of_rate, "strength"))
        if known
        else word(UNKNOWN),
    ]


def _changes(answer: Answer) -> list[list[Cell]]:
    if answer.changes is None:
        return []
    return [
        [
            Cell(answer.name(row)),
            word(change(row, "people")),
            word(change(row, "simulated") if isfinite(row["simulated"]) else UNKNOWN),
        ]
        for _, row in answer.changes[2].iterrows()
    ]


def _games_of(answer: Answer, *, rows: bool = False) -> list[Any]:
    """The games of the log as they were read: the headings, or the rows."""
    names = [*dict.fromkeys(name for one in answer.log.games for name in one.more)]
    if not rows:
        return ["Row", "Date", "Version", "Players", "Won", *names]
    return [
        [
            Cell(str(game.row), game.row),
            word(game.date.isoformat() if game.date else ""),
            word(game.version),
            word(DOT.join(filter(None, (answer.log.players.get(one, "") for one in game.players)))),
            word(":".join(f"{one:g}" if isfinite(one) else "?" for one in game.scores)),
            *(word(game.more.get(name, "")) for name in names),
        ]
        for game in answer.log.games[:_MOST_GAMES]
    ]
