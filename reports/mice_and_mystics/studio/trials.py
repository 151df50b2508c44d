"""Experiments on a chapter in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.mice_and_mystics.experiments.usual import COMPARED_GAMES
from reports.kit.words import percent
from reports.mice_and_mystics.studio import rebalance
from reports.mice_and_mystics.studio.choices import named, read
from reports.mice_and_mystics.studio.entry_texts import own_entries
from reports.mice_and_mystics.studio.sensitivity import ChapterPanel
from reports.studio.bench import Bench, Chart, Trial
from reports.studio.compare import compare_trial, difference_row
from reports.studio.rows import points_chart
from reports.studio.side_by_side import ComparingVersions, Words, side_by_side_trial

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from card_data.toml_places import KeyPath
    from reports.mice_and_mystics.cli.compare_sides import CompareOptions
    from reports.studio.work import Asked


def trials(bench: Bench) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    games = COMPARED_GAMES, 20_000, 50_000
    return {
        "compare": compare_trial(_Comparing(), *games),
        "side_by_side": side_by_side_trial(bench, _Comparing(), *games),
        "sensitivity": ChapterPanel().trial(),
        "rebalance": rebalance.trial(),
    }


class _Comparing(ComparingVersions):
    words = Words("Games won", "Won, %", "shares of games won", "more", "fewer", "as many")

    def options(self, asked: "Asked") -> "CompareOptions":
        from reports.mice_and_mystics.cli.compare_sides import CompareOptions

        said = read(Path(asked.file), asked.entry, asked.chosen)
        return CompareOptions(
            party=said.party, switches=[*said.switches], policy=asked.chosen["player"]
        )

    def named(self, asked: "Asked", version: Path) -> str:
        said = read(Path(asked.file), asked.entry, asked.chosen)
        return named(said.chapter, version)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:  # noqa: ARG002
        """By how much more games are won: all, and those of each party."""
        from reports.mice_and_mystics.compare.text import name_of

        table = comparison.table
        won = table[table["measure"] == "win_rate"].sort_values("kind", kind="stable")
        rows = [
            difference_row("all parties" if is_all else name_of(line), line, is_own=is_all)
            for _, line in won.iterrows()
            for is_all in [line["kind"] == "game"]
        ]
        return points_chart(
            ("Party", "Won, points", "Verdict"), rows, 100 * float(table["band"].min())
        )

    def line(self, comparison: "Comparison", entry: str) -> "pd.Series":  # noqa: ARG002
        table = comparison.table
        return table[(table["kind"] == "game") & (table["measure"] == "win_rate")].iloc[0]

    def now(self, line: "pd.Series") -> str:
        return f"{percent(line['variant'])} of the games are won now"

    def entries(self, text: str, file: str) -> "Mapping[KeyPath, str]":
        return own_entries(text, file)
