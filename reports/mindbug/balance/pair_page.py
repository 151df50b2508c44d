"""The section of the report on pairs of cards; nothing is estimated here."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.mindbug.pairs import SHOWN
from analysis.mindbug.selections import INTERACTION, PAIR_VERDICTS
from reports.kit.cells import Cell, estimate
from reports.kit.words import count, percent, points
from reports.mindbug.balance.pair_text import SIDES, power_text, verdict_text

#: Rows of each table of the page.
MOST_ROWS = 25


def shown_pairs(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables of pairs with those alone that are shown, the strongest first.

    Of a large pool all pairs together would be many times the rest of the page.
    """
    return {
        name: tables[name][tables[name]["verdict"].isin(SHOWN)].sort_values(
            "shrunk", key=abs, ascending=False, kind="stable", ignore_index=True
        )
        for name in SIDES
    }


def pair_section(tables: Mapping[str, pd.DataFrame], n_games: int) -> dict[str, Any]:
    """What the section on pairs shows besides its charts.

    ``n_games`` is the number of games of the run.
    """
    shown = shown_pairs(tables)
    policies = list(tables["card_pairs"]["policy"].unique())
    return {
        "sides": {
            name: [
                {
                    "whose": f" ({policy})" if len(policies) > 1 else "",
                    "rows": [_row(row) for _, row in mine.head(MOST_ROWS).iterrows()],
                    "n_shown": count(len(mine)),
                    "n_pairs": count(len(every)),
                    "power": power_text(every, n_games),
                }
                for policy in policies
                for mine, every in (
                    (
                        shown[name][shown[name]["policy"] == policy],
                        tables[name][tables[name]["policy"] == policy],
                    ),
                )
            ]
            for name in SIDES
        },
        "most_rows": MOST_ROWS,
        "interaction": INTERACTION,
        "verdicts": PAIR_VERDICTS,
    }


def _row(pair: pd.Series) -> list[Cell]:
    return [
        Cell(verdict_text(pair)),
        estimate(pair, "shrunk", points),
        estimate(pair, "interaction", points),
        Cell(percent(pair["win_rate"]), title=f"n = {count(pair['n'])}"),
        Cell(percent(pair["expected"])),
        Cell(count(pair["n"])),
    ]
