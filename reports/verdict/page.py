"""The page of a verdict, ``verdict.html``: the answer first, one chart that shows it, then why.

It holds all it needs, works without a network.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from analysis.questions.smallest_change import Plan
from analysis.registry import Registry
from analysis.tables import write_tables
from reports.balance.page import Page, render_page
from reports.balance.sections import (
    Block,
    Downloads,
    Figures,
    Grid,
    Rendered,
    Section,
    Terms,
    Text,
)
from reports.kit import cells
from reports.kit.cells import Cell, Column, Ground, word
from reports.kit.drawing import Chart
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.words import Finding, Played, bare_percent, count, percent, points
from reports.verdict.words import Words, games_played, shown_changes
from simcore.commands import command
from simcore.sealed import remove_file, write_file
from simcore.work.folder import identity

PAGE = "verdict.html"
#: The file with the proposed change.
PROPOSAL_FILE = "proposal.toml"


class Story(NamedTuple):
    """A game that came out otherwise: in words, the command that tells it, and lines of it."""

    words: str
    command: str
    lines: Sequence[Any] = ()


class Verdict(Played):
    """A verdict that was played, as its page shows it.  A game has a subclass.

    ``charts`` are drawn of the tables, ``lead`` of them stands on the first screen.  ``heading`` is
    that of columns with the number of the verdict.  ``size`` says how much a change is, ``only`` in
    which games changes are played, and ``method`` are paragraphs on what only this game does.
    """

    charts: Mapping[str, Chart]
    lead: str
    registry: Registry
    heading: str
    size: str
    only: str = ""
    method: Sequence[str]

    def __init__(self, experiment: Any, words: Words) -> None:
        self.experiment, self.words, self.run = experiment, words, experiment.run

    # ------------------------------------------------------------ what a game says

    @abstractmethod
    def written(self, plan: Plan[Any]) -> str:
        """A file with a change that was tried."""

    @abstractmethod
    def sections(self) -> tuple[list[Section], list[Section]]:
        """The sections before and behind that of the changes."""

    def of_players(self, column: "Columns") -> list[Column]:  # noqa: ARG002 - a game may have some
        """More columns of the table of players."""
        return []

    @abstractmethod
    def of_changes(self, column: "Columns") -> list[Column]:
        """More columns of the table of changes."""

    @abstractmethod
    def stories(self, table: pd.DataFrame) -> list[Story]:
        """The games that came out otherwise."""

    # ------------------------------------------------------------ what all games share

    @property
    def proposal(self) -> str | None:
        """The file with the proposed change; None without one."""
        plan = self.experiment.proposal
        return None if plan is None else self.written(plan)

    @property
    def replays(self) -> list[str]:
        """The commands that tell the games that came out otherwise."""
        return replay_commands(self.run.folder, self.words.tables["verdict_games"])

    @property
    def all_sections(self) -> list[Section]:
        """The sections between the overview and what was played."""
        before, behind = self.sections()
        changes = Section("changes", "Changes", self._changes())
        method = [Text(paragraph) for paragraph in (*self.method, *_METHOD)]
        stories = self.stories(self.words.tables["verdict_games"])
        told: list[Block] = [
            Rendered("stories.html", lambda: {"stories": stories}),
            Downloads.of("verdict_games"),
        ]
        games = Section("games", "Games", told if stories else [Text(_NO_GAMES)])
        known = [games] if len(self.experiment.swapped) else []
        return [*before, changes, *behind, *known, Section("method", "Method", method)]

    def players(self) -> Grid:
        """The verdict of each player."""
        column = self.columns("verdict")
        columns = [
            column.player("Players"),
            self._judged(column),
            column.verdict(),
            *self.of_players(column),
            column.count("With it", "n"),
            column.count("Games", "n_games"),
        ]
        return Grid.of(columns, self.words.tables["verdict"], "Table of players", "sortable")

    def _changes(self) -> list[Block]:
        """What was tried."""
        column, shown = self.columns("verdict_changes"), shown_changes(self.words.tables)
        columns = [
            column.name("Change", "change"),
            self._judged(column),
            column.verdict(),
            column.count("Size", "amount"),
            column.tried(),
            column.estimate("Difference, points", "difference"),
            *self.of_changes(column),
        ]
        notes = [self.size, self.words.as_it_is, self.words.left_out(shown)]
        return [
            Figures.of("changes"),
            Grid.of(columns, shown, "Table of changes", "sortable"),
            Text(" ".join(filter(None, notes)), hint=True),
            Downloads.of("verdict_changes"),
        ]

    def columns(self, table: str) -> "Columns":
        """Makes columns of one of the tables."""
        return Columns(self.registry[table].columns, self.words.called)

    def _judged(self, column: "Columns") -> Column:
        """The number of the verdict."""
        scale = self.words.scale
        if not scale.is_share:
            return column.estimate(self.heading, scale.column, ground=Ground(points))
        ground = Ground(partial(percent, digits=0), scale.fair)
        return column.estimate(self.heading, scale.column, bare_percent, ground=ground)

    @property
    def who_played(self) -> str:
        """How many games of whom, weaker first."""
        players = self.experiment.case.players.items()
        return games_played({self.words.called(one): n for one, (_, n) in players})

    def games_text(self) -> str:
        """How many games were played."""
        case, sizes = self.experiment.case, self.experiment.case.sizes
        called = self.words.called
        played = [f"{count(games)} by {called(one)}" for one, (_, games) in case.players.items()]
        tried = f"{count(sizes.tried)} with each change{self.only}"
        if any(one.fresh for one in self.experiment.tried):
            tried += f"; {count(sizes.fresh)} fresh ones with each of the most promising"
        return f"{' and '.join(played)}; {tried}"


_NO_GAMES = "No game can be shown that ended differently with an average one in its place."
_METHOD = (
    "Changes are played in the same games with the same luck. Starting with the smallest, all"
    " changes of one size play a few games, and the most promising play more. The search ends"
    " at the first size with a change well inside the band, or at size six. A change is left out"
    " if its steps would not reach the band even with"
    " twice their effect.",
    "The most promising changes are played once more in fresh games, which had no part in"
    " choosing them; their intervals and verdicts hold together, since one of them is proposed.",
    "A game that ended differently was won with it and lost with an average one in its place,"
    " or the reverse. Mostly that is chance: one other roll or card changes all that follows."
    " The games told are the shortest: they show how it plays, not how often that happens or what"
    " decided the game."
    " The full account with sources is in the file docs/methods.md of fairdeal.",
)


def write_page(verdict: Verdict, more: Sequence[Finding], folder: Path, command: str) -> Path:
    """Write tables, charts and page into ``folder``; the path of the page.

    ``more`` says what to do next, ``command`` is what was typed.  The same games give the same
    bytes.  Raises RunError when something cannot be written.
    """
    words, tables = verdict.words, dict(verdict.words.tables)
    experiment = verdict.experiment
    write_tables(tables, folder, identity(experiment.kind, experiment.manifest, ""))
    files = write_figures(
        tables, folder / "figures", caption=verdict.caption, charts=verdict.charts
    )
    typed = Markup("<code>{}</code>").format(command)
    facts = [("Games", verdict.games_text()), *verdict.facts, ("Command", typed)]
    page = Page(
        title=words.headline,
        headline=words.headline,
        played=verdict.played,
        findings=[*words.findings, *more],
        lead=Figures.of(verdict.lead),
        sections=[*verdict.all_sections, Section("run", "What was played", [Terms(facts)])],
        saved={name: tables[name] for name in verdict.registry},
        note=("", words.sentence),
        first=words.overview,
    )
    path = folder / PAGE
    write_file(path, render_page(page, drawings(files), template=PAGE).encode())
    return path


def write_proposal(text: str | None, folder: Path) -> Path | None:
    """Write the file with the proposed change; None, and no file, without one."""
    path = folder / PROPOSAL_FILE
    if text is None:
        remove_file(path)  # of another band
        return None
    write_file(path, text.encode())
    return path


def stories_of(run: Path, table: pd.DataFrame, words: Callable[[pd.Series], str]) -> list[Story]:
    """The games that came out otherwise, each with the command that tells it."""
    commands = replay_commands(run, table)
    return [
        Story(words(row), command)
        for (_, row), command in zip(table.iterrows(), commands, strict=True)
    ]


def replay_commands(run: Path, table: pd.DataFrame) -> list[str]:
    """The command that tells each game of a table."""
    return [command("replay", run, game) for game in table["game"]]


class Columns(cells.Columns):
    """Makes columns of one table; ``called`` is how a player is called where a person reads it."""

    def __init__(self, meanings: Mapping[str, str], called: Callable[[str], str] = str) -> None:
        super().__init__(meanings)
        self._called = called

    def name(self, heading: str, column: str) -> Column:
        """What a row is about."""
        return self.of(heading, column, lambda row: Cell(row[column]), kind="word")

    def player(self, heading: str) -> Column:
        """Whose row it is."""
        return self.of(
            heading, "policy", lambda row: Cell(self._called(row["policy"])), kind="word"
        )

    def word(self, heading: str, column: str, text: Callable[[pd.Series], str]) -> Column:
        """Words."""
        return self.of(heading, column, lambda row: word(text(row)), kind="word")

    def tried(self) -> Column:
        """Who tried a change, where, and whether it is the proposal."""
        return self.word(
            "Tried by",
            "policy",
            lambda row: (
                f"{self._called(row['policy'])}, {'fresh games' if row['fresh'] else 'first try'}"
                + (", proposed" if row["proposed"] else "")
            ),
        )
