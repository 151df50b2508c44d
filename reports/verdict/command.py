"""What `fairdeal verdict` is in every game: its options, and how it plays and answers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import attrs
from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from reports.cli.asking import commands_of
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    print_json,
    print_overview,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.formats import print_report
from reports.cli.json_answers import found_json
from reports.cli.options import (
    Seed,
    Stronger,
    check_band,
    decimal,
    read_stronger,
)
from simcore.commands import command

if TYPE_CHECKING:
    from reports.verdict.page import Verdict
    from simcore.work.about import Question
    from simcore.work.cost import Plan

#: So many cards of a file are judged one by one.
_MOST = 8
_REPLAY = "To read a game that ended differently without it"
#: Topics that the terminal has room for; the page has all of them.
_MOST_TOPICS = 3
#: Games of an answer whose intervals are half as wide, for each game of this one.
_SURER = 4
#: Seconds of play by which that is timed, which is told in minutes.
_TRIAL = 0.2


@Parameter(name="*", help="Who plays, how much, and what is fair.")
@frozen(kw_only=True)
class VerdictOptions:
    """The options of every verdict; a game has its usual players and numbers of games."""

    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            help="Within this many percentage points of the middle is fair.",
        ),
    ] = 2.0
    policy: Annotated[str, Parameter(help="Who plays the main games, as for balance; one player.")]
    stronger: Stronger
    games: int | None
    seed: Seed = 0

    #: The options that a command which goes on from an answer has to say again.
    repeated: ClassVar[Sequence[str]] = ("policy", "stronger", "band", "seed")

    def said(self) -> dict[str, Any]:
        """The options that are not as usual."""
        values = ((one, getattr(self, one.name)) for one in attrs.fields(type(self)))
        return {one.name: value for one, value in values if value != one.default}

    def times(self, factor: int) -> Self:  # noqa: ARG002 - of games that a game adds
        """The options of an answer from ``factor`` times the games; ``games`` is said apart."""
        return self

    def players(self, first: Callable[[str], str], other: Callable[[str], str]) -> list[str]:
        """Who plays, weaker first, as they are read.  Raises InputError; for the band as well."""
        check_band(self.band)
        player = first(self.policy)
        return [*filter(None, [player, read_stronger(self.stronger, player, other)])]

    def of_case(self, players: Sequence[str]) -> dict[str, Any]:
        """What a case says of this, played by these players."""
        return {
            "policy": players[0],
            "stronger": "".join(players[1:]),
            "band": self.band / 100,
            "games": self.games or 0,
            "seed": self.seed,
        }


@frozen
class Asked(ABC):
    """What is asked, and how a game answers it.

    ``case`` is a `analysis.questions.verdict.Case`; ``kind`` is the word for what is asked about,
    ``of`` its id.  ``options`` are as they were typed; the case may call players otherwise.
    """

    question: "Question"
    case: Any
    kind: str
    of: str
    options: VerdictOptions

    @abstractmethod
    def named(self, folder: Path) -> list[str]:
        """What is played, as words of a command line."""

    @abstractmethod
    def named_with(self, proposal: Path, folder: Path) -> list[str]:
        """The same with the proposal."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[Any, Any]:
        """The classes of the experiment, and of the verdict that comes of it."""

    @abstractmethod
    def plan(self, player: str, games: int) -> "Plan":
        """What ``games`` games of a player cost, and the work besides."""

    def before_page(self) -> None:
        """Say what has to be compiled for the page."""
        return

    # ------------------------------------------------------------ what all games share

    def command(
        self, folder: Path, games: int, *, whole: bool = False, proposal: Path | None = None
    ) -> str:
        """The command that answers with ``games`` games, of the ``proposal`` where there is one.

        ``whole`` with what need not be said.
        """
        asked, options = self.options, self.options.said()
        said = {
            name: f"{asked.band:g}" if name == "band" else getattr(asked, name)
            for name in asked.repeated
            if whole or name in options
        }
        named = self.named(folder) if proposal is None else self.named_with(proposal, folder)
        return command(
            "verdict", self.of, *named, **said, games=games, confidence=confidence_said()
        )

    def play(self, folder: Path, crew: Crew) -> "Verdict":
        """Play what is missing of the games.  Raises ValueError and RunError."""
        experiment, verdict = self.kinds
        found: Verdict = verdict(experiment.play(self.case, folder, **crew.watched))
        return found

    def minutes(self, games: Mapping[str, int], crew: Crew) -> float:
        """About how long the games of each player take in minutes, measured with a few."""
        from simcore.work.cost import measure_cost

        plans = [self.plan(player, number) for player, number in games.items()]
        costs = measure_cost(plans, seconds=_TRIAL)
        return sum(one.seconds for one in costs) / crew.n_workers / 60


@frozen
class AskedByName(Asked):
    """Something that is played as it is named: ``played``, in the same way as ``words`` say.

    With another file ``base`` is named instead, where that has all files of the player's own.
    """

    played: str
    base: str
    words: Sequence[str]

    def named(self, folder: Path) -> list[str]:  # noqa: ARG002 - the files are where they were
        """What is played, and how."""
        return [self.played, *self.words]

    def named_with(self, proposal: Path, folder: Path) -> list[str]:  # noqa: ARG002
        """The same, with the changed entry."""
        return [f"{self.base}+{proposal}", *self.words]


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


def _plans(asked: Sequence[Asked]) -> "list[Plan]":
    return [one.plan(*least) for one in asked for least in one.case.least_games.items()]


def find_out(asked: Asked, compute: Compute = HERE, out: Path | None = None) -> Answer:
    """Play what is missing, and write the page.  Raises InputError and RunError."""
    from reports.kit.words import Finding
    from reports.verdict.page import write_page, write_proposal
    from simcore.work.about import working_on

    games = asked.case.sizes.run
    with compute.start() as crew, working_on(asked.question, out) as work:
        folder = work.folder
        with resumable("finished games stay", folder):
            verdict = asked.play(folder, crew)
        words = verdict.words
        proposal = write_proposal(verdict.proposal, folder)
        with waiting("measuring the speed"):
            minutes = _SURER * asked.minutes(verdict.experiment.games, crew)
        surer = evolve(asked, options=asked.options.times(_SURER))
        todo = {_surer(minutes): surer.command(folder, _SURER * games)}
        if proposal is not None:
            todo["To play the proposal"] = asked.command(folder, games, proposal=proposal)
        more = [Finding(what, command) for what, command in todo.items()]
        asked.before_page()
        with waiting("drawing the page"):
            page = write_page(verdict, more, folder, asked.command(folder, games, whole=True))
        work.finish(words.sentence, page.name)
    return Answer(verdict, folder, page, proposal, todo)


def check_number(
    file: str, ids: Sequence[str], named: Sequence[str], said: Mapping[str, Any]
) -> None:
    """Raise InputError where a file has nothing to judge, or more than is judged at once.

    ``named`` are the words that name what is played, ``said`` are the options of the command.
    """
    if not ids:
        raise InputError(f"{file} has nothing that a verdict can be on; name it, and then the file")
    if len(ids) > _MOST:
        said = {**said, "confidence": confidence_said()}
        alike = {name: said.get(name) for name in ("policy", "seed", "confidence")}
        again, of_all = (
            command("verdict", ids[0], *named, **said),
            command("balance", *named, **alike),
        )
        raise InputError(
            f"{file} has {len(ids)} entries, and a verdict takes at most {_MOST}; name one:"
            f" {again}; or judge all of them at once: {of_all}"
        )


def _answer_all(
    asked: Sequence[Asked], compute: Compute, out: Path | None, *, as_json: bool
) -> None:
    """Play one after another, and say what the games say; several have a folder each in ``out``."""
    found = []
    for one in asked:
        several = len(asked) > 1
        found.append(find_out(one, compute, out / one.of if out and several else out))
        if not as_json:
            if several:
                print(f"{'' if len(found) == 1 else chr(10)}{len(found)} of {len(asked)}")
            _print_answer(found[-1])
    if as_json:
        told = [_as_json(*each) for each in zip(asked, found, strict=True)]
        print_json(told[0] if len(told) == 1 else {"verdicts": told})
    elif len(found) > 1:
        print()
        print_wrapped(["In short:", *(one.verdict.words.sentence for one in found)])


def _as_json(asked: Asked, found: Answer) -> dict[str, Any]:
    """An answer for a program."""
    from reports.kit.words import Finding

    words, proposal = found.verdict.words, found.proposal
    more = [Finding(what, command) for what, command in found.todo.items()]
    more += [Finding(_REPLAY, "\n".join(found.verdict.replays))] * bool(found.verdict.replays)
    told = {
        "folder": str(found.folder),
        "page": str(found.page),
        asked.kind: asked.of,
        "sentence": words.sentence,
        "proposal": None if proposal is None else str(proposal),
    }
    findings = [*words.findings, *more]
    return told | found_json(asked.question.game, findings, words.tables, found.folder)


def _print_answer(found: Answer) -> None:
    """Print an answer, and the commands that go on from it."""
    words, folder = found.verdict.words, found.folder
    print_wrapped([words.sentence, ""])
    print_overview(words.overview[:_MOST_TOPICS])
    print_wrapped(["", found.verdict.played])
    for what, commands in [(_REPLAY, found.verdict.replays[:1]), *_each(found.todo)]:
        if commands:  # in one piece, to be copied
            print("\n  ".join([f"\n{what}:", *commands]))
    print()
    print_report(folder, {"html": found.page}, tables=True)


def _each(todo: Mapping[str, str]) -> list[tuple[str, Sequence[str]]]:
    return [(what, [command]) for what, command in todo.items()]


def _surer(minutes: float) -> str:
    """How long intervals half as wide take."""
    time = "a minute" if minutes < 1.5 else f"{round(minutes)} minutes"
    return f"For intervals half as wide, in about {time}"


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "verdict",
    _answer_all,
    "The folder of the verdict. Default: runs/verdict-NAME-POLICY-DAY."
    " Run the same command again to resume.",
    _plans,
)
