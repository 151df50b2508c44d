"""What `fairdeal verdict` is in every game: its options, and how it plays and answers."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import frozen

from reports.cli.compute import Compute, Crew
from reports.cli.console import (
    as_input_error,
    print_findings,
    print_json,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.dry_run import tell_cost
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import NOBODY

if TYPE_CHECKING:
    from reports.verdict.page import Verdict
    from simcore.work.about import Question
    from simcore.work.cost import Plan

#: Games of an answer whose intervals are half as wide, for each game of this one.
_SURER = 4


@frozen
class Asked(ABC):
    """What is asked, and how a game answers it.

    ``case`` is a `analysis.experiments.verdict.Case`; ``kind`` is the word for what is asked about,
    ``of`` its id.  ``typed`` says how the players were spelled whom the case calls otherwise.
    """

    question: "Question"
    case: Any
    kind: str
    of: str
    compute: Compute
    typed: Mapping[str, str]

    @abstractmethod
    def named(self, folder: Path) -> list[str]:
        """What is played, as words of a command line."""

    @abstractmethod
    def named_with(self, proposal: Path, folder: Path) -> list[str]:
        """The same with the proposal."""

    @abstractmethod
    def play(self, folder: Path, crew: Crew) -> "Verdict":
        """Play what is missing of the games.  Raises ValueError and RunError."""

    @abstractmethod
    def play_few(self, player: str, few: int) -> None:
        """Play a few games, to see how long they take."""

    @abstractmethod
    def plan(self, player: str, games: int) -> "Plan":
        """What ``games`` games of a player cost, and the work besides."""

    def before_page(self) -> None:
        """Say what has to be compiled for the page."""
        return

    # ------------------------------------------------------------ what all games share

    def command(self, folder: Path, games: int, *, whole: bool = False) -> str:
        """The command that answers with ``games`` games; ``whole`` with what need not be said."""
        case, usual = self.case, attrs.fields_dict(type(self.case))
        options = {
            "policy": self.typed.get(case.policy, case.policy),
            "stronger": self.typed.get(case.stronger, case.stronger) or NOBODY,
            "band": case.band,
            "seed": case.seed,
        }
        said = []
        for name, value in options.items():
            if whole or value != usual[name].default:
                text = f"{100 * value:g}" if name == "band" else str(value)
                said += [f"--{name}", text]
        words = ["fairdeal", "verdict", self.of, *self.named(folder), *said]
        return shlex.join([*words, "--games", str(games)])

    def minutes(self, games: Mapping[str, int], crew: Crew) -> float:
        """About how long the games of each player take in minutes, measured with a few."""
        from time import thread_time

        seconds = 0.0
        for player, number in games.items():
            few = 50 if ":" in player else 400
            began = thread_time()
            self.play_few(player, few)
            seconds += (thread_time() - began) * number / few
        return seconds / crew.n_workers / 60


@frozen
class Answer:
    """A verdict whose page is written: where, and the commands ``todo`` by what they are for.

    ``proposal`` is the card file of the smallest change, None where none is proposed.
    """

    verdict: "Verdict"
    folder: Path
    page: Path
    proposal: Path | None
    todo: Mapping[str, str]


def find_out(asked: Asked, out: Path | None = None) -> Answer:
    """Play what is missing, and write the page.  Raises InputError and RunError."""
    from reports.kit.words import Finding
    from reports.verdict.page import write_page, write_proposal
    from simcore.work.about import working_on

    games = asked.case.run_games
    with asked.compute.start() as crew, working_on(asked.question, out) as work:
        folder = work.folder
        with as_input_error(), resumable("finished games stay", folder):
            verdict = asked.play(folder, crew)
        words = verdict.words
        proposal = write_proposal(verdict.proposal, folder)
        with waiting("measuring the speed"):
            minutes = _SURER * asked.minutes(verdict.evidence.games, crew)
        todo = {_surer(minutes): asked.command(folder, _SURER * games)}
        if proposal is not None:
            again = ["fairdeal", "verdict", asked.of, *asked.named_with(proposal, folder)]
            todo["To play the proposal"] = shlex.join(again)
        more = [Finding(what, command) for what, command in todo.items()]
        asked.before_page()
        with waiting("drawing the page"):
            page = write_page(verdict, more, folder, asked.command(folder, games, whole=True))
        work.finish(words.sentence, page.name)
    return Answer(verdict, folder, page, proposal, todo)


def answer(asked: Asked, out: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Play, and say what the games say; or say what that costs."""
    from reports.kit.words import Finding

    if dry_run:
        plans = [asked.plan(player, least) for player, least in asked.case.least_games.items()]
        tell_cost(plans, asked.compute, as_json=as_json)
        return
    found = find_out(asked, out)
    words, folder, proposal = found.verdict.words, found.folder, found.proposal
    if as_json:
        more = [Finding(what, command) for what, command in found.todo.items()]
        told = {
            "folder": str(folder),
            "page": str(found.page),
            asked.kind: asked.of,
            "sentence": words.sentence,
            "proposal": None if proposal is None else str(proposal),
        }
        print_json(
            told | found_json(asked.question.game, [*words.findings, *more], words.tables, folder)
        )
        return
    print_wrapped([words.sentence, "", found.verdict.played])
    print_findings(words.findings)
    for what, command in found.todo.items():  # in one piece, to be copied
        print(f"\n{what}:\n  {command}")
    print()
    print_report(folder, {"html": found.page}, tables=True)


def _surer(minutes: float) -> str:
    """How long intervals half as wide take."""
    time = "a minute" if minutes < 1.5 else f"{round(minutes)} minutes"
    return f"To be surer, with intervals half as wide, in about {time}"
