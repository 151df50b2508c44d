"""What a verdict on an entry of a game that somebody brings says, and its page and charts."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.own_games.verdict import VERDICT_TABLES, Experiment, changed_text, verdict_tables
from analysis.questions.smallest_change import Plan
from card_data.schema import Kind
from card_data.schema.fields import plain_words
from card_data.schema.kinds import ACCESS, CONTRAST, SHARE, SWAP, WITHIN
from reports.balance.sections import Block, Downloads, Section
from reports.kit.drawing import Charts
from reports.kit.words import capital
from reports.own_games.page import describe
from reports.verdict.charts import changes_chart, place_chart
from reports.verdict.page import Columns, Story, Verdict, stories_of
from reports.verdict.words import Scale, Words, came_out, unsigned

_SCALE = Scale("worth", 0, "difference of the outcome in percentage points")
# By the measure: who comes off better by the worth of an entry, and than whom.
_SIDES = {
    SHARE: ("seats that are dealt it do", "than the same seats of all games"),
    WITHIN: ("seats that are dealt it do", "than the same seats with the same {within}"),
    CONTRAST: ("all seats do", "in games with it than in games without"),
    SWAP: ("seats that have it do", "than with an average {kind} in its place"),
}
_METHOD = {
    SHARE: "It is dealt by lot, so seats that are dealt it differ from others in nothing else.",
    WITHIN: "It is dealt by lot, so seats that are dealt it differ from others of the same {within}"
    " in nothing else.",
    CONTRAST: "Which games have it is drawn by lot, so they differ from others in nothing else.",
    ACCESS: "Every seat in turn plays the same games once more, with the same luck, without the"
    " options that name it, unless there are no others; and all that again where it has the values"
    " of another {kind}, drawn for each game.",
    SWAP: "The same games are played once more, with the same luck, where it has the values of"
    " another {kind}, drawn for each game. Games in which all sides were dealt it are left out.",
}
CHARTS = Charts(VERDICT_TABLES)


plot_worth = place_chart(CHARTS, _SCALE)
plot_changes = changes_chart(CHARTS, _SCALE)


def nouns_of(kind: Kind) -> dict[str, str]:
    """The words for a kind of entries, and for what it is within."""
    return {"kind": plain_words(kind.word), "within": plain_words(kind.within)}


class EntryWords(Words):
    """The words of a verdict on an entry; ``nouns`` are those of its kind."""

    scale, average, alike = _SCALE, "average", "ones"
    number = "its worth"
    who = "played by {}"
    stronger = "for comparison"
    agree = "The same is true with {} playing"
    steps = "single steps on its numbers"
    then = "in {n} fresh games its worth is then {size}"

    def __init__(self, tables: Mapping[str, pd.DataFrame], nouns: Mapping[str, str]) -> None:
        super().__init__(tables)
        self._nouns = nouns

    @property
    def stands(self) -> str:
        """Who comes off better by its worth, and than whom."""
        size = unsigned(self.row, "worth")
        if self.row["measure"] == ACCESS:
            worth = f"to be able to choose it is worth {size}"
            if not (average := self.row["average"]):
                return worth if self.row["worth"] >= 0 else f"to be able to choose it costs {size}"
            more = "more" if self.row["worth"] >= 0 else "less"
            return f"{worth} {more} than {average} in its place"
        who, than = _SIDES[self.row["measure"]]
        more = "better" if self.row["worth"] >= 0 else "worse"
        return f"{who} {size} {more} {than.format(**self._nouns)}"

    @property
    def topics(self) -> list[tuple[str, list[str]]]:
        """What is worth knowing, most of it first."""
        return [
            ("Smallest change", self.change),
            ("Why", [self.single_steps or "It has no numbers that could be changed."]),
            ("Over players", [*map(self._over, self.others)]),
            ("Games", self.told(game_text)),
        ]

    def _over(self, other: pd.Series) -> str:
        """By how much its worth moves for another player."""
        return f"From {self.row['policy']} to {other['policy']} {self.moves(other)}"


def game_text(row: pd.Series) -> str:
    """One game that came out otherwise."""
    return came_out(
        row,
        f"whoever had {row['name']}",
        f"after {row['decisions']} decisions",
        f"{row['average']} in its place",
        "they",
    )


class EntryVerdict(Verdict):
    """A verdict on an entry of a game."""

    charts, lead, registry = CHARTS, "worth", VERDICT_TABLES
    heading = "Worth, points"
    size = "Size: how many steps."
    experiment: Experiment

    def __init__(self, experiment: Experiment) -> None:
        case = experiment.case
        nouns = nouns_of(case.played.game.schema.kind_of(case.entry))
        super().__init__(experiment, EntryWords(verdict_tables(experiment), nouns))
        self.method = [
            _METHOD[case.effect.measure].format(**nouns),
            "Every number is tried one less and one more. Steps that do not lead away from the band"
            " are joined, at most 24 changes of one size, those nearest if their steps add up.",
        ]

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return describe(self.run.manifest, self.who_played)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played."""
        return [
            *((name, text) for name, text in self.run.facts()[:-1] if capital(name) != "Games"),
            ("Rules", self.run.manifest["rules"]["source"]),
        ]

    def written(self, plan: Plan[Any]) -> str:
        """The file with the entry after a change."""
        return changed_text(self.experiment.case, plan)

    def sections(self) -> tuple[list[Section], list[Section]]:
        """Players."""
        players: list[Block] = [self.players(), Downloads.of("verdict")]
        return [Section("players", "Players", players)], []

    def of_changes(self, column: Columns) -> list[Any]:
        """In how many games a change was tried."""
        return [column.count("Games", "n_games")]

    def stories(self, table: pd.DataFrame) -> list[Story]:
        """Games that came out otherwise with an average one in its place."""
        return stories_of(self.run.folder, table, game_text)
