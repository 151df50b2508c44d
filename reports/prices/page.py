"""The page of a price list, ``prices.html``.

It holds all it needs, works without a network.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan, nan
from os.path import relpath
from pathlib import Path

import pandas as pd

from analysis.questions.price_list import without_number
from reports.kit.cells import (
    Cell,
    Column,
    Ground,
    cell_of,
    counted,
    estimate,
    estimate_of,
    number,
    with_drawn,
    word,
)
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_script, write_rendered
from reports.kit.words import UNKNOWN, decimal, display_name, intervals, percent, signed
from reports.prices.charts import CHARTS, PLAYER_CHARTS, bodies
from reports.prices.text import (
    About,
    Nouns,
    findings,
    headline,
    known_lines,
    player_findings,
    ranked_players,
)

PAGE = "prices.html"
_SHOWN = "prices", "price_quality", "price_curve"
_HEADS = (
    "Left out",
    "With a price",
    "Without a price",
    "Error, points",
    "Correlation",
    "Slope",
    "Intervals held",
    "Half width",
)


def write_page(tables: Mapping[str, pd.DataFrame], folder: Path, about: About) -> Path:
    """Write charts and page of a price list; the path of the page.  Raises RunError."""
    caption = f"{about.played}{intervals()}"
    drawn = {**tables, "prices": bodies(tables["prices"])}
    files = write_figures(drawn, folder / "figures", caption=caption, charts=CHARTS)
    prices = tables["prices"]
    together = prices[prices["kind"] == "together"]
    together = together.iloc[together["price"].abs().argsort()[::-1]]
    return write_rendered(
        *(folder / PAGE, "prices.html"),
        title=f"{about.title}: price list",
        headline=f"{headline(tables, about.nouns)}.",
        played=about.played,
        findings=[*findings(tables, about)],
        charts=drawings(files),
        quality=[(one, "") for one in _HEADS],
        quality_rows=[_quality(row, about.nouns) for _, row in tables["price_quality"].iterrows()],
        blocks={
            "prices": _table(_price_columns(_amounts(prices), about.nouns), known_lines(prices)),
            "together": _table(_pair_columns(about.nouns), together),
            "curve": _table(
                _curve_columns(about.nouns), tables["price_curve"].sort_values("q_value")
            ),
        },
        csv={name: csv_address(tables[name]) for name in _SHOWN},
        facts=about.facts,
        nouns=about.nouns,
        **page_script(),
    )


def write_players_page(
    tables: Mapping[str, pd.DataFrame],
    folder: Path,
    about: About,
    players: Sequence[str],
    pages: Sequence[Path],
) -> Path:
    """Write the page of two lists side by side, which leads to those of the lists."""
    one, other = players
    table = tables["price_players"]
    caption = f"{about.title}. First: {one}, second: {other}{intervals()}"
    files = write_figures(tables, folder / "figures", caption=caption, charts=PLAYER_CHARTS)
    first, *others = player_findings(table, players)
    columns, rows = _table(_player_columns(players), ranked_players(table))
    links = [(name, relpath(page, folder)) for name, page in zip(players, pages, strict=True)]
    return write_rendered(
        *(folder / PAGE, "price_players.html"),
        title=f"{about.title}: prices for {one} and {other}",
        headline=first.text,
        played=about.title,
        findings=others,
        charts=drawings(files),
        columns=columns,
        rows=rows,
        lists=links,
        csv={"price_players": csv_address(table)},
        **page_script(),
    )


def _player_columns(players: Sequence[str]) -> list[Column]:
    names = {"": "not shown", **dict(zip(("first", "second"), players, strict=True))}

    def points(column: str) -> Callable[[pd.Series], Cell]:
        return estimate_of(column, _points)

    return [
        Column("Part", "", lambda row: Cell(display_name(row["thing"], 90)), "word"),
        Column("Field", "", cell_of("field"), "word", filter="field"),
        *(Column(names[one], "Price in points", points(one)) for one in ("first", "second")),
        Column("Difference", "", points("gap"), ground=Ground(_points)),
        Column("Favourite of", "", lambda row: word(names[row["favourite_of"]]), "word"),
    ]


def _table(columns: Iterable[Column], frame: pd.DataFrame) -> tuple[list[Column], list[list[Cell]]]:
    """Columns, with one in which intervals are drawn on one axis, and the cells of each row."""
    rows = [row for _, row in frame.iterrows()]
    shown = with_drawn(columns, rows)
    return shown, [[column.cell(row) for column in shown] for row in rows]


def _points(value: float) -> str:
    return signed(value, 1)


def _price_columns(amounts: Mapping[tuple[str, str], pd.Series], nouns: Nouns) -> list[Column]:
    def more(row: pd.Series) -> Cell:
        found = amounts.get((row["field"], without_number(row["thing"])))
        return Cell(UNKNOWN, nan) if found is None else estimate(found, "price", _points)

    return [
        Column("Part", "", lambda row: Cell(display_name(row["thing"], 90)), "word"),
        Column("Field", "", cell_of("field"), "word", filter="field"),
        Column(
            "Points",
            f"What it adds to one {nouns.one}, in points of win rate",
            estimate_of("price", _points),
            sorted=True,
            ground=Ground(_points),
        ),
        Column("Each more", "What one more of the number in the line adds", more),
        Column("Spread", "", lambda row: Cell(f"{row['spread']:.1f}", row["spread"])),
        Column(_several(nouns), "How many of those played have it", cell_of("n_cards", counted)),
    ]


def _pair_columns(nouns: Nouns) -> list[Column]:
    return [
        Column("Together", "", lambda row: Cell(row["thing"]), "word"),
        Column("Points beyond the sum", "", estimate_of("price", _points), ground=Ground(_points)),
        Column(_several(nouns), "", cell_of("n_cards", counted)),
    ]


def _curve_columns(nouns: Nouns) -> list[Column]:
    def off(row: pd.Series) -> Cell:
        half = (row["price_ci_high"] - row["price_ci_low"]) / 2
        reach = (half**2 + (row["played_ci_high"] - row["played"]) ** 2) ** 0.5
        return number(row["off"], row["off"] - reach, row["off"] + reach, _points)

    return [
        Column(nouns.one.capitalize(), "", lambda row: Cell(display_name(row["name"])), "word"),
        Column("Price", "By all others", estimate_of("price", _points)),
        Column("Played", "", estimate_of("played", _points)),
        Column("More than its price", "", off, ground=Ground(_points)),
        Column(
            "Corrected p",
            "Corrected for all rows (Benjamini-Hochberg)",
            lambda row: Cell(f"{row['q_value']:.2g}", row["q_value"]),
        ),
        Column("Finding", "", lambda row: word(row["verdict"] or "as the list says"), "word"),
    ]


def _several(nouns: Nouns) -> str:
    return nouns.several.capitalize()


def _amounts(prices: pd.DataFrame) -> dict[tuple[str, str], pd.Series]:
    """What one more adds to lines, by their field and wording."""
    rows = prices[prices["kind"] == "amount"]
    return {(row["field"], row["thing"]): row for _, row in rows.iterrows()}


def _quality(row: pd.Series, nouns: Nouns) -> list[Cell]:
    left_out = row["cards"].replace("cards of the pool", f"printed {nouns.several}")
    which = [Cell(left_out), counted(row["n"]), counted(row["n_without"])]
    if isnan(row["error"]):
        return [*which, *[Cell(UNKNOWN, nan)] * (len(_HEADS) - len(which))]
    return [
        *which,
        Cell(f"{row['error']:.1f}", row["error"], f"with chance {row['error_played']:.1f}"),
        Cell(
            decimal(row["correlation"]),
            row["correlation"],
            f"with chance {decimal(row['correlation_played'])}",
        ),
        number(row["slope"], row["slope_ci_low"], row["slope_ci_high"], decimal),
        Cell(percent(row["covered"]), row["covered"]),
        Cell(f"±{row['half_width']:.1f}", row["half_width"]),
    ]
