"""Experiments on a game that somebody brings in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.games import reports_of
from reports.own_games.studio import matchups, order, rebalance
from reports.own_games.studio.opened import Opened
from reports.own_games.studio.sensitivity import OwnPanel
from reports.studio.bench import Chart, Trial
from reports.studio.compare import Comparing, compare_trial, difference_row
from reports.studio.rows import points_chart
from simcore.own_games.run import NAME

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from reports.own_games.options import OwnOptions
    from reports.studio.work import Asked

# Entries of other files whose change is shown, the most changed.
_MOST_OTHERS = 5


def trials(opened: Opened) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    games = reports_of(NAME).compared_games
    game = opened.shown
    square = next((one for one in game.kinds if one.each_seat and 2 in game.seats), None)
    return {
        "order": order.trial(opened),
        **({"matchups": matchups.trial(opened, square)} if square else {}),
        "compare": compare_trial(_Comparing(opened), games, 500, 10_000),
        "sensitivity": OwnPanel(opened).trial(),
        "rebalance": rebalance.trial(opened),
    }


@frozen
class _Comparing(Comparing):
    opened: Opened

    def options(self, asked: "Asked") -> "OwnOptions":
        self.opened.game()
        return self.opened.played_by(asked.chosen)

    def named(self, asked: "Asked", version: Path) -> str:  # noqa: ARG002 - it is named as it is
        return self.opened.said(version)

    def chart(self, comparison: "Comparison", own: Sequence[str]) -> Chart | None:
        """By how much seats and entries come off better: those of the file, the most changed."""
        from reports.compare.text import most_changed

        table = comparison.table
        lines = most_changed(table[table["measure"] == "outcome"])
        mine = lines["id"].isin(own)
        seats = lines["kind"] == "seat"
        rows = [
            difference_row(line["name"], line, is_own=line["id"] in own)
            for shown in (lines[mine], lines[seats], lines[~mine & ~seats].head(_MOST_OTHERS))
            for _, line in shown.iterrows()
        ]
        band = 100 * float(table["band"].min())
        return points_chart(("Entry or seat", "Outcome, points", "Verdict"), rows, band)
