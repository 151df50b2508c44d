"""A chart of intervals as a template draws it."""

from typing import Any

from reports.studio.bench import Chart, Row


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
        return {**one._asdict(), "drawn": drawn}

    return {
        "headings": chart.headings,
        "ticks": chart.ticks,
        "zero": at(chart.zero),
        "from": at(chart.zero - chart.band),
        "to": at(chart.zero + chart.band),
        "rows": [row(one) for one in chart.rows],
    }
