"""What the page of a verdict on an entry of a chapter shows, and its charts."""

from typing import Any

import pandas as pd

from analysis.mice_and_mystics.experiments.verdict import Experiment, changed_text
from analysis.mice_and_mystics.experiments.verdict_tables import VERDICT_TABLES, verdict_tables
from analysis.mice_and_mystics.registry import TABLES
from analysis.questions.smallest_change import Plan
from reports.balance.sections import Block, Downloads, Grid, Section, Text
from reports.kit.cells import Cell, Column, Ground
from reports.kit.drawing import Charts
from reports.kit.words import chance, percent, points
from reports.mice_and_mystics.run_text import caption_of, describe_run, played_facts
from reports.mice_and_mystics.verdict import text
from reports.mice_and_mystics.verdict.text import SCALE, EntryWords
from reports.verdict.charts import changes_chart, place_chart
from reports.verdict.page import Columns, Story, Verdict, stories_of

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


class EntryVerdict(Verdict):
    """A verdict on a hero, a card, a minion or an encounter."""

    charts, lead, registry = CHARTS, "effect", VERDICT_TABLES
    heading = "Adds, points"
    size = (
        "Size: how many steps. Chapter: by how many points the change moves the win rate of all"
        " games."
    )
    method = (
        "Parties, starting abilities, the search deck and the first encounter are drawn at random,"
        " so games that have the entry differ from the others in nothing else. A minion, or a hero"
        " whom every party has, is in all games: there the difference is to the same games with the"
        " same luck in which one of average numbers has its place.",
        "Every number is tried one less and one more. Steps that do not lead away from the band are"
        " joined, at most 24 changes of one size, those nearest if their steps add up. A stronger"
        " player has games of another seed, and plays the proposal in the same games.",
    )
    experiment: Experiment

    def __init__(self, experiment: Experiment) -> None:
        super().__init__(experiment, EntryWords(verdict_tables(experiment)))

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return describe_run(self.run.manifest, self.who_played)

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return caption_of(self.played, self.run.manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played."""
        return played_facts(self.run.manifest)

    def written(self, plan: Plan[Any]) -> str:
        """The file with the entry after a change."""
        return changed_text(self.experiment.case, plan)

    def sections(self) -> tuple[list[Section], list[Section]]:
        """Players; partners."""
        name = "verdict_partners"
        partners = Section(
            "partners", "With whom", _partners(self.columns(name), self.words.tables[name])
        )
        players: list[Block] = [self.players(), Downloads.of("verdict")]
        return [Section("players", "Players", players)], [partners]

    def of_players(self, column: Columns) -> list[Column]:
        """What an average one does, and how often the chapter is won."""
        return [
            column.estimate("Against an average one, points", "swap"),
            column.of(
                "All games won",
                "win_rate",
                lambda row: Cell(percent(row["win_rate"]), row["win_rate"]),
            ),
        ]

    def of_changes(self, column: Columns) -> list[Column]:
        """What a change does to the chapter."""
        return [
            column.estimate("Chapter, points", "chapter"),
            column.count("Games", "n_games"),
        ]

    def stories(self, table: pd.DataFrame) -> list[Story]:
        """Games that came out otherwise without it."""
        return stories_of(self.run.folder, table, text.game_text)


def _partners(column: Columns, table: pd.DataFrame) -> list[Block]:
    """Heroes with whom it does more or less."""
    columns = [
        column.name("In parties with", "other_name"),
        column.estimate("Adds beyond, points", "beyond", ground=Ground(points)),
        column.of("q", "q_value", lambda row: Cell(chance(row["q_value"]), row["q_value"])),
        column.count("Games with both", "n"),
    ]
    if table.empty:
        return [Text(text.partners_text(table))]
    return [
        Text(text.partners_text(table)),
        Grid.of(columns, table, "Table of heroes", "sortable"),
        Downloads.of("verdict_partners"),
    ]


plot_effect = place_chart(CHARTS, SCALE)
plot_changes = changes_chart(CHARTS, SCALE)
