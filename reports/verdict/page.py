"""The page of a verdict, ``verdict.html``: the answer first, one chart that shows it, then why.

It holds all it needs, works without a network.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from analysis.registry import Registry
from analysis.runs import Run
from analysis.tables import write_tables
from reports.balance.sections import Figures, Rendered, Section, Tab, Terms, has_content
from reports.kit.cells import Cell, Column, counted, verdict, word
from reports.kit.drawing import Chart
from reports.kit.figures import write_figures
from reports.kit.inline_svg import drawings
from reports.kit.page import csv_address, page_script, page_template
from reports.kit.words import Finding
from reports.verdict.words import Words
from simcore.commands import command
from simcore.sealed import remove_file, write_file
from simcore.work.folder import FolderKind, identity

PAGE = "verdict.html"
#: The file with the proposed change.
PROPOSAL_FILE = "proposal.toml"


class Story(NamedTuple):
    """A game that came out otherwise: in words, the command that tells it, and lines of it."""

    words: str
    command: str
    lines: Sequence[Any] = ()


class Verdict(ABC):
    """A verdict that was played, as its page shows it.  A game has a subclass.

    ``run`` has the games of the first player.  ``charts`` are drawn of the tables, ``lead`` of them
    stands on the first screen; ``kind`` is the folder that everything lies in.
    """

    charts: Mapping[str, Chart]
    lead: str
    kind: FolderKind
    registry: Registry

    def __init__(self, evidence: Any, words: Words, run: Run) -> None:
        self.evidence, self.words, self.run = evidence, words, run

    @property
    @abstractmethod
    def played(self) -> str:
        """One line that says what was played."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """What stands under a chart."""

    @property
    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""

    @property
    @abstractmethod
    def proposal(self) -> str | None:
        """The file with the proposed change; None without one."""

    @property
    def replays(self) -> list[str]:
        """The commands that tell the games that came out otherwise."""
        return replay_commands(self.run.folder, self.words.tables["verdict_games"])

    @abstractmethod
    def sections(self) -> list[Section]:
        """The sections between the overview and what was played."""


def write_page(verdict: Verdict, more: Sequence[Finding], folder: Path, command: str) -> Path:
    """Write tables, charts and page into ``folder``; the path of the page.

    ``more`` says what to do next, ``command`` is what was typed.  The same evidence gives the same
    bytes.  Raises RunError when something cannot be written.
    """
    words, tables = verdict.words, dict(verdict.words.tables)
    write_tables(tables, folder, identity(verdict.kind, verdict.evidence.manifest, ""))
    figures = folder / "figures"
    files = write_figures(tables, figures, caption=verdict.caption, charts=verdict.charts)
    charts = drawings(files)
    drawn = [name for name, pictures in charts.items() if pictures]
    typed = Markup("<code>{}</code>").format(command)
    played = Section("run", "What was played", [Terms([*verdict.facts, ("Command", typed)])])
    text = page_template(PAGE).render(
        **page_script(),
        title=words.headline,
        answer=words.sentence,
        played=verdict.played,
        note=None,
        lead=Figures.of(verdict.lead),
        overview=words.overview,
        findings=[*words.findings, *more],
        shared="",
        tabs=[
            Tab(one.heading, [one])
            for one in [*verdict.sections(), played]
            if has_content(one.blocks, drawn)
        ],
        charts=charts,
        csv={name: csv_address(tables[name]) for name in verdict.registry},
        rendered=lambda block: Markup(page_template(block.template).render(**block.values())),
    )
    path = folder / PAGE
    write_file(path, text.encode())
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


def told(stories: Sequence[Story]) -> Rendered:
    """Games that came out otherwise, as a block of a section."""
    return Rendered("stories.html", lambda: {"stories": stories})


class Columns:
    """Makes columns of one table, whose headings are explained as the table explains them.

    ``called`` is how a player is called where a person reads it.
    """

    def __init__(self, meanings: Mapping[str, str], called: Callable[[str], str] = str) -> None:
        self._meanings, self._called = meanings, called

    def of(
        self, heading: str, column: str, cell: Callable[[pd.Series], Cell], **more: Any
    ) -> Column:
        """A column with cells of any kind."""
        return Column(heading, self._meanings[column].replace("`", ""), cell, **more)

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

    def count(self, heading: str, column: str) -> Column:
        """A whole number."""
        return self.of(heading, column, lambda row: counted(row[column]))

    def verdict(self) -> Column:
        """The verdict on a row, in the words of the game, with the mark that it has everywhere."""
        return self.of(
            "Verdict",
            "verdict",
            lambda row: verdict(row["verdict"]),
            kind="word",
            filter="Verdict",
        )

    def tried(self, fresh: str) -> Column:
        """Who tried a change, where, and whether it is the proposal."""
        return self.word(
            "Tried by",
            "policy",
            lambda row: (
                f"{self._called(row['policy'])}, {fresh if row['fresh'] else 'first try'}"
                + (", proposed" if row["proposed"] else "")
            ),
        )
