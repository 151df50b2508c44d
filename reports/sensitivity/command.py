"""The command `fairdeal sensitivity`: what every game has of it, around what a game asks."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from reports.cli import console
from reports.cli.asking import commands_of
from reports.cli.compute import Compute, Crew
from reports.cli.dry_run import duration
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.steps import play_run

if TYPE_CHECKING:
    import pandas as pd

    from analysis.questions.sensitivity import Tried
    from analysis.runs import Run
    from reports.kit.drawing import Chart
    from reports.kit.words import Finding
    from reports.sensitivity.text import Shown
    from simcore.work.about import Question
    from simcore.work.cost import Plan

# Seconds of silence that nobody takes for a program that hangs.
_LONG = 15


class Asked(ABC):
    """Which changes of what are tried, and by whom."""

    question: "Question"

    @abstractmethod
    def command(self, folder: Path) -> str:
        """The command that asks the same again."""

    @abstractmethod
    def plans(self) -> "list[Plan]":
        """What is going to be played, at most."""

    @abstractmethod
    def play(self, folder: Path, crew: Crew) -> "Generator[Tried]":
        """Play what is missing: what is known at first, and again after each change."""

    @abstractmethod
    def show(self, tried: "Tried", folder: Path) -> "Shown":
        """What was found, with what was played; the tables are written."""

    def charts(self, tables: "Mapping[str, pd.DataFrame]") -> "dict[str, Chart]":  # noqa: ARG002
        """The charts that suit what was asked: by default what single steps do."""
        from analysis.games import analysis_of
        from reports.sensitivity.charts import charts_of

        return {"steps": charts_of(analysis_of(self.question.game).all_tables)["steps"]}


@frozen
class AskedSteps(Asked):
    """One step on each number of what a run plays, which is a run as well; ``said`` asks it again.

    A subclass says how changes are tried in a run, what its table is of, and what was found.
    """

    playable: Any
    changes: Sequence[Any]
    games: int
    seed: int
    question: "Question"
    said: str

    def command(self, folder: Path) -> str:  # noqa: ARG002 - files are named as they were
        """The command that asks the same again."""
        return self.said

    def plans(self) -> "list[Plan]":
        """The run, and every change."""
        from simcore.work.cost import Plan

        run = Plan(self.playable.spec(self.games, self.seed))
        n = self.games * self.n_runs
        return [run, self.playable.plan(n, self.seed, bound="at most")]

    @property
    def n_runs(self) -> int:
        """How many runs there are with a change."""
        return len(self.changes)

    def play(self, folder: Path, crew: Crew) -> "Generator[Tried]":
        """Play what is missing of the run and of the changes."""
        from analysis.runs import open_run

        play_run(self.playable.spec(self.games, self.seed), folder, crew)
        with crew.playing("trying changes") as how:
            yield from self.try_changes(open_run(folder), **how)

    def show(self, tried: "Tried", folder: Path) -> "Shown":
        """What was found, with what was played; the table is written."""
        from analysis.runs import open_run
        from analysis.tables import write_tables

        run, tables = open_run(folder), tried.tables()
        write_tables(tables, folder, self.identity(run))
        return self.shown(tables, run)

    @abstractmethod
    def try_changes(self, run: "Run", **how: Any) -> "Generator[Tried]":
        """Play the changes in the games of the run."""

    @abstractmethod
    def identity(self, run: "Run") -> Mapping[str, str]:
        """What the table carries."""

    @abstractmethod
    def shown(self, tables: "Mapping[str, pd.DataFrame]", run: "Run") -> "Shown":
        """What was found, with what was played."""


@frozen
class Answer:
    """What was tried and found, its headline and findings, and its page."""

    tried: "Tried"
    shown: "Shown"
    headline: str
    findings: "Sequence[Finding]"
    page: Path


def _carry_out(asked: Asked, compute: Compute, out: Path | None, *, as_json: bool) -> None:
    with compute.start() as crew:
        answer = find_out(asked, crew, out)
    if as_json:
        _print_json(asked, answer)
    else:
        _print(answer)


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[Tried], None] | None" = None,
) -> Answer:
    """Play what is missing of the changes, and write tables, charts and page.

    ``see`` is shown what is known at first and after each change.  Raises InputError and RunError.
    """
    from reports.sensitivity.page import write_page
    from reports.sensitivity.text import findings, headline
    from simcore.work.about import working_on

    with working_on(asked.question, out) as work:
        folder = work.folder
        with (
            console.as_input_error(),
            console.resumable("finished changes stay", folder),
            closing(asked.play(folder, crew)) as coming,
        ):
            for tried in _say_how_long(coming):
                if see is not None:
                    see(tried)
        with console.waiting("drawing the charts"):
            shown = asked.show(tried, folder)
            charts = asked.charts(shown.tables)
            page = write_page(shown, charts, folder, asked.command(folder))
        first = headline(shown) or f"{shown.subject}: nothing is known"
        work.finish(f"{first}.", page.name)
    return Answer(tried, shown, first, findings(shown), page)


def _say_how_long(coming: "Iterable[Tried]") -> "Iterator[Tried]":
    """The same; how long the other changes take is said after the first where no bar says it."""
    began = time.monotonic()
    for tried in coming:
        if len(tried.games) == 1 and not console.is_progress_shown():
            n = len(tried.changes) - 1
            if (seconds := n * (time.monotonic() - began)) > _LONG:
                console.say(f"{n} more changes take about {duration(seconds)}")
        began = time.monotonic()
        yield tried


def _print_json(asked: Asked, answer: Answer) -> None:
    folder = answer.page.parent
    said = {"folder": str(folder), "page": str(answer.page)}
    found = found_json(asked.question.game, answer.findings, answer.shown.tables, folder)
    console.print_json(said | found)


def _print(answer: Answer) -> None:
    """The answer, a table, and what else is worth knowing."""
    from reports.kit.verdicts import Q_TEXT
    from reports.kit.words import count
    from reports.sensitivity.text import around_zero, console_table

    headings, rows, left_out = console_table(answer.shown)
    more = [f"{count(left_out)} more changes are in the table on disk"] if left_out else []

    def table() -> None:
        console.print_table(headings, rows, right=range(1, len(headings)))
        console.print_wrapped(["", *more, *filter(None, [around_zero(answer.shown.lines)]), Q_TEXT])

    console.print_answer(answer.shown.played, answer.findings, table)
    print()
    print_report(answer.page.parent, {"html": answer.page}, tables=True)


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "sensitivity",
    _carry_out,
    "The folder of the analysis. Default: one in runs/ that is named after what is asked."
    " Run the same command again to resume; games that other changes have played there are not"
    " played again.",
)
