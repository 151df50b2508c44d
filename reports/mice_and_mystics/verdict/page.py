"""What the page of a verdict on an entry of a chapter shows."""

from functools import partial

import pandas as pd

from analysis.mice_and_mystics.experiments.verdict import FOLDER, Evidence, proposal_text
from analysis.mice_and_mystics.experiments.verdict_tables import VERDICT_TABLES, verdict_tables
from analysis.runs import Run
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Text
from reports.kit.cells import Cell, Ground, estimate
from reports.kit.words import chance, count, percent, points
from reports.mice_and_mystics.run_text import caption_of, describe_run, played_facts
from reports.mice_and_mystics.verdict import text
from reports.mice_and_mystics.verdict.charts import CHARTS
from reports.mice_and_mystics.verdict.text import EntryWords
from reports.verdict.page import (
    Columns,
    Verdict,
    stories_of,
    told,
)
from reports.verdict.words import shown_changes

_POINTS = partial(points, digits=1)


class EntryVerdict(Verdict):
    """A verdict on a hero, a card, a minion or an encounter."""

    charts, lead, kind, registry = CHARTS, "effect", FOLDER, VERDICT_TABLES
    evidence: Evidence
    words: EntryWords

    def __init__(self, evidence: Evidence) -> None:
        run = evidence.played[evidence.case.policy].run
        super().__init__(evidence, EntryWords(verdict_tables(evidence)), run)

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return describe_run(self.run.manifest, ", then ".join(self.evidence.case.players))

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return caption_of(self.played, self.run.manifest)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        return [("Games", _games_text(self.evidence)), *played_facts(self.run.manifest)]

    @property
    def proposal(self) -> str | None:
        """The file with the proposed entry."""
        return proposal_text(self.evidence)

    def sections(self) -> list[Section]:
        """Players, changes, partners, games."""
        tables = self.words.tables
        return [
            Section("players", "Players", _players(self.words)),
            Section("changes", "Changes", _changes(self.words)),
            Section("partners", "With whom", _partners(tables["verdict_partners"])),
            Section("games", "Games", _games(self.run, tables["verdict_games"])),
            Section("method", "Method", [Text(paragraph) for paragraph in _METHOD]),
        ]


def _players(words: EntryWords) -> list[Block]:
    column = Columns(VERDICT_TABLES["verdict"].columns)
    columns = [
        column.player("Player"),
        column.of("Adds, points", "effect", _of_points("effect"), ground=Ground(_POINTS)),
        column.verdict(),
        column.of("Against an average one, points", "swap", _of_points("swap")),
        column.of(
            "All games won",
            "win_rate",
            lambda row: Cell(percent(row["win_rate"]), row["win_rate"]),
        ),
        column.count("Games with it", "n"),
        column.count("Games", "n_games"),
    ]
    return [
        Grid.of(columns, words.tables["verdict"], "Table of players", "sortable"),
        Downloads.of("verdict"),
    ]


def _of_points(name: str) -> "partial[Cell]":
    return partial(estimate, column=name, words=_POINTS)


def _changes(words: EntryWords) -> list[Block]:
    """What was tried."""
    column = Columns(VERDICT_TABLES["verdict_changes"].columns)
    columns = [
        column.name("Change", "change"),
        column.count("Size", "amount"),
        column.tried("fresh games"),
        column.of("Then adds, points", "effect", _of_points("effect"), ground=Ground(_POINTS)),
        column.of("Difference", "difference", _of_points("difference")),
        column.of("Chapter", "chapter", _of_points("chapter")),
        column.verdict(),
        column.count("Games", "n_games"),
    ]
    shown = shown_changes(words.tables["verdict_changes"])
    return [
        Figures.of("changes"),
        Grid.of(columns, shown, "Table of changes", "sortable"),
        Text(
            "Size: how many steps. Chapter: by how many points the change moves the win rate of all"
            f" games. {words.left_out(shown)}",
            hint=True,
        ),
        Downloads.of("verdict_changes"),
    ]


def _partners(table: pd.DataFrame) -> list[Block]:
    """Heroes with whom it does more or less."""
    column = Columns(VERDICT_TABLES["verdict_partners"].columns)
    columns = [
        column.name("In parties with", "other_name"),
        column.of("Adds beyond, points", "beyond", _of_points("beyond"), ground=Ground(_POINTS)),
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


def _games(run: Run, table: pd.DataFrame) -> list[Block]:
    """Games that came out otherwise without it."""
    if table.empty:
        nothing = "Nothing can take its place, so no game can be compared with itself."
        return [Text(nothing)]
    return [told(stories_of(run.folder, table, text.game_text)), Downloads.of("verdict_games")]


_METHOD = (
    "Parties, starting abilities, the search deck and the first encounter are drawn at random, so"
    " games that have the entry differ from the others in nothing else. A minion, or a hero whom"
    " every party has, is in all games: there the difference is to the same games with the same"
    " luck in which one with average numbers has its place.",
    "Changes are played in the same games. Every number is tried one less and one more. Steps that"
    " do not lead away from the band are joined: from the smallest size on, all that are joined of"
    " so many steps play a few games, at most 24 of one size, those nearest if their steps add up;"
    " the nearest of those that may do play more. The search ends at the size at which one is seen"
    " to be well inside the band, or at six steps. A change is left out if its steps would not"
    " reach the band even if together they did twice what they do one by one.",
    "The changes that most likely do are played once more in games of another seed, which had no"
    " part in choosing them; their intervals and verdicts hold together, since one of them is"
    " proposed. A stronger player has games of another seed still, and plays the proposal in the"
    " same games.",
    "A game that came out otherwise is won with the entry and lost with an average one in its"
    " place, or the reverse. Most do so by chance: one other roll changes all that follows. Beside"
    " their shares stand those of a change with next to no effect: another average entry in the"
    " place of the average one, or for a hero or a minion the same deals with other dice. Those"
    " told are the shortest: they show how the entry plays, and neither how often nor what decided."
    " The full account with sources is in the file docs/methods.md of fairdeal.",
)


def _games_text(evidence: Evidence) -> str:
    """How many games were played."""
    case = evidence.case
    played = [f"{count(games)} by {player}" for player, (_, games) in case.players.items()]
    tried = f"{count(case.tried_games)} with each change"
    if any(one.fresh for one in evidence.tried):
        tried += f"; {count(case.fresh_games)} fresh ones with each that most likely does"
    return f"{' and '.join(played)}; {tried}"
