"""Experiments on a game that somebody brings in the studio, which are those of the commands."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from reports.cli.console import progress
from reports.games import reports_of
from reports.kit.words import capital, display_name, percent
from reports.own_games.studio import matchups, rebalance
from reports.own_games.studio.opened import Opened
from reports.own_games.studio.sensitivity import OwnPanel
from reports.studio.bench import Bench, Chart, Show, Trial, Tried
from reports.studio.compare import compare_trial, differences_chart
from reports.studio.side_by_side import ComparingVersions, Words, side_by_side_trial
from simcore.own_games.run import NAME

if TYPE_CHECKING:
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from card_data.toml_places import KeyPath
    from reports.own_games.options import OwnOptions
    from reports.studio.work import Asked

# Entries of other files whose change is shown, the most changed.
_MOST_OTHERS = 5


def trials(bench: Bench, opened: Opened) -> Mapping[str, Trial]:
    """The experiments by their names, in the order of the page."""
    games = reports_of(NAME).compared_games
    game, comparing = opened.shown, _Comparing(opened)
    square = next((one for one in game.kinds if one.each_seat and 2 in game.seats), None)
    of_entries = {
        "compare": compare_trial(comparing, games, 500, 10_000),
        "side_by_side": side_by_side_trial(bench, comparing, games, 500, 10_000),
    }
    return {
        "order": _order(opened, has_entries=bench.has_entries),
        **({"matchups": matchups.trial(opened, square)} if square else {}),
        **(of_entries if bench.has_entries else {}),
        **({"sensitivity": OwnPanel(opened).trial()} if bench.has_entries or game.settings else {}),
        **({"rebalance": rebalance.trial(opened)} if bench.has_entries else {}),
    }


def _order(opened: Opened, *, has_entries: bool) -> Trial:
    """The check as it can be asked for."""
    more = ", and in the entries of this file" if has_entries else ""
    return Trial(
        "Is the game in order?",
        "Plays games with every number of players and looks at many positions for mistakes in the"
        f" rules{more}. Takes up to 30 seconds.",
        "Check",
        partial(_check, opened),
        of_pool=True,
    )


def _check(opened: Opened, asked: "Asked", show: Show) -> None:
    """Do what ``fairdeal check`` does, of the game with the file."""
    from reports.own_games.check import lines, sentence
    from reports.own_games.options import load_table
    from simcore.own_games.check import check

    opened.game()
    table = load_table([opened.said(Path(asked.file))], None, ())
    with progress("checking") as advance:
        report = check(table, on_progress=advance)
    show(Tried(sentence(table.game.title, report), lines=[*lines(report)]))


@frozen
class _Comparing(ComparingVersions):
    opened: Opened

    words = Words("Outcome", "Outcome, %", "outcomes", "better", "worse", "as well")

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
        shown = lines[mine], lines[seats], lines[~mine & ~seats].head(_MOST_OTHERS)
        headings = "Entry or seat", "Outcome, points", "Verdict"
        return differences_chart(headings, comparison, shown, own)

    def line(self, comparison: "Comparison", entry: str) -> "pd.Series":
        table = comparison.table[comparison.table["measure"] == "outcome"]
        seats = table["kind"] == "seat"
        return table[seats if not entry else ~seats & (table["id"] == entry)].iloc[0]

    def now(self, line: "pd.Series") -> str:
        who = (
            "seat 1 gets"
            if line["kind"] == "seat"
            else f"with {display_name(line['name'])} seats get"
        )
        return f"{capital(who)} {percent(line['variant'])} now"

    def entries(self, text: str, file: str) -> "Mapping[KeyPath, str]":
        from card_data.schema.formatter import entry_text
        from card_data.schema.loader import read_entry_text

        schema = self.opened.game().schema
        entries = read_entry_text(text, file, schema).entries.values()
        return {schema.key_of(one): entry_text(schema, one) for one in entries}
