"""What the studio shows of a verdict on a card: what its parts are worth, and its games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.studio.bench import Chart, Decided
from reports.studio.rows import by_size, doubted_row, estimate_row, points_chart
from reports.verdict.studio import decided_games

if TYPE_CHECKING:
    import pandas as pd


#: The headings of the charts.
_BY_EXPERIMENT = "Why: its win rate with one thing changed, on the same deals"
_OBSERVED = "What became of it: observed, not caused"


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What the card and its parts are worth by experiment, and what was observed of it.

    By experiment: how much more or less players dealt it win with an average card in its place, and
    with one thing less of it; observed: the points that go with what became of it.
    """
    from reports.kit.words import capital
    from reports.mindbug.explain.text import PART_TEXT

    table, parts = tables["sensitivity"], tables["card_parts"]
    dealt = table[table["measure"] == "dealt"]
    less = dealt["kind"].isin(["remove_keyword", "remove_line"]) | (dealt["change"] == "power-1")
    worth = [
        doubted_row(line, "difference", line["label"], is_own=line["kind"] == "value")
        for shown in (dealt[dealt["kind"] == "value"], by_size(dealt[less]))
        for _, line in shown.iterrows()
    ]
    fates = [
        estimate_row(part, "contribution", capital(PART_TEXT[part["part"]]))
        for _, part in parts[parts["view"] == "fate"].iterrows()
    ]
    band = 100 * float(tables["verdict"]["band"].iloc[0])
    found = {
        _BY_EXPERIMENT: points_chart(("Changed", "Points", ""), worth, band),
        _OBSERVED: points_chart(("Against the average card", "Points", ""), fates, band),
    }
    return {heading: chart for heading, chart in found.items() if chart is not None}


def decided(folder: Path) -> Sequence[Decided]:
    """The games of a verdict that came out otherwise.  Raises RunError."""
    from analysis.mindbug.experiments.verdict import FOLDER
    from analysis.mindbug.experiments.verdict_tables import VERDICT_GAMES
    from reports.mindbug.verdict.text import game_text

    return decided_games(
        FOLDER, VERDICT_GAMES, folder, game_text, turn=lambda row: int(row["turn_played"])
    )
