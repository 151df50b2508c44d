"""What the studio shows of a verdict on a card: what its parts are worth, and its games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.studio.bench import Chart, Decided
from reports.studio.decided import decided_games
from reports.studio.rows import estimate_row, points_chart

if TYPE_CHECKING:
    import pandas as pd


#: The headings of the charts.
_BY_EXPERIMENT = "Why: its win rate with one thing changed, on the same deals"
_OBSERVED = "What became of it: observed, not caused"


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What the card and its parts are worth by experiment, and what was observed of it."""
    found = {_BY_EXPERIMENT: _by_experiment(tables), _OBSERVED: _observed(tables)}
    return {heading: chart for heading, chart in found.items() if chart is not None}


def _by_experiment(tables: "Mapping[str, pd.DataFrame]") -> Chart | None:
    """By how much players dealt the card win more or less with an average card in its place.

    And with one thing less of it.
    """
    from reports.kit.verdicts import doubt
    from reports.kit.words import capital

    table = tables["sensitivity"]
    dealt = table[table["measure"] == "dealt"]
    less = dealt["kind"].isin(["remove_keyword", "remove_line"]) | (dealt["change"] == "power-1")
    whole, parts = dealt[dealt["kind"] == "value"], dealt[less]
    parts = parts.loc[parts["difference"].abs().sort_values(ascending=False).index]
    rows = [
        estimate_row(
            line,
            "difference",
            capital(line["label"]),
            word=doubt(line, "difference").removeprefix(", "),
            is_own=line["kind"] == "value",
        )
        for shown in (whole, parts)
        for _, line in shown.iterrows()
    ]
    return points_chart(("Changed", "Points", ""), rows, _band(tables))


def _observed(tables: "Mapping[str, pd.DataFrame]") -> Chart | None:
    """How many points go with what became of the card, set against the average card."""
    from reports.kit.words import capital
    from reports.mindbug.explain.text import PART_TEXT

    table = tables["card_parts"]
    rows = [
        estimate_row(part, "contribution", capital(PART_TEXT[part["part"]]))
        for _, part in table[table["view"] == "fate"].iterrows()
    ]
    return points_chart(("Against the average card", "Points", ""), rows, _band(tables))


def _band(tables: "Mapping[str, pd.DataFrame]") -> float:
    """How far from average is fair, in points."""
    return 100 * float(tables["verdict"]["band"].iloc[0])


def decided(folder: Path) -> Sequence[Decided]:
    """The games of a verdict that came out otherwise.  Raises RunError."""
    from analysis.mindbug.experiments.verdict import FOLDER
    from analysis.mindbug.experiments.verdict_tables import VERDICT_GAMES
    from reports.mindbug.verdict.text import game_text

    return decided_games(
        FOLDER, VERDICT_GAMES, folder, game_text, turn=lambda row: int(row["turn_played"])
    )
