"""Charts of intervals and maps of changes as templates draw them."""

from typing import Any
from urllib.parse import quote

from reports.studio.bench import Chart, Map, Row

# Steps of the colours of a map, which the style has.
_STEPS = 5


def drawn(chart: Chart) -> dict[str, Any]:
    """A chart with places in per cent of its width, for ``studio_chart.html``."""

    def at(value: float) -> float:
        share = (min(max(value, chart.low), chart.high) - chart.low) / (chart.high - chart.low)
        return round(100 * share, 2)

    def row(one: Row) -> dict[str, Any]:
        known = one.low is not None and one.at is not None and one.high is not None
        drawn = known and {
            "low": at(one.low or 0),
            "at": at(one.at or 0),
            "length": round(at(one.high or 0) - at(one.low or 0), 2),
        }
        page = page_of(one.page) if one.page is not None else None
        return {**one._asdict(), "drawn": drawn, "page": page}

    return {
        "headings": chart.headings,
        "more": chart.more,
        "has_acts": any(one.text or one.chosen or one.page for one in chart.rows),
        "ticks": chart.ticks,
        "zero": at(chart.zero),
        "from": at(chart.zero - chart.band),
        "to": at(chart.zero + chart.band),
        "rows": [row(one) for one in chart.rows],
    }


def page_of(page: tuple[str, str]) -> str:
    """The address of a page: the run and the file in it."""
    run, file = page
    return f"page/{quote(run)}/{quote(file)}"


def export_of(run: str) -> str:
    """The address of a file with the answer of a run."""
    return f"export/{quote(run)}.zip"


def coloured(of: Map) -> dict[str, Any]:
    """A map with the strength of each colour as one of so many steps, for ``studio_tried.html``."""
    rows = [
        {
            "name": name,
            "is_own": is_own,
            "cells": [
                cell and {**cell._asdict(), "step": max(round(_STEPS * cell.share), 1)}
                if not isinstance(cell, str)
                else cell
                for cell in cells
            ],
        }
        for name, is_own, cells in of.rows
    ]
    return {"heading": of.heading, "columns": of.columns, "rows": rows, "how": of.how}
