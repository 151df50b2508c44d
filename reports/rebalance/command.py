"""The command `fairdeal rebalance`: what every game has of it, around what a game asks."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import attrs
from attrs import frozen
from cyclopts import Group, Parameter

from analysis.confidence import confidence_said
from reports.cli import console
from reports.cli.asking import commands_of
from reports.cli.compute import Compute, Crew
from reports.cli.json_answers import found_json
from reports.cli.options import Seed, whole
from simcore.commands import option_words

if TYPE_CHECKING:
    from analysis.questions.rebalance import Answer as Found
    from analysis.questions.rebalance import FrontSoFar
    from reports.rebalance.text import Rebalancing
    from simcore.work.about import Question as AskedFolder
    from simcore.work.cost import Plan

#: Candidates of a search, where nothing is said of all its games.
CANDIDATES = 100
#: What may be changed; options of a game join the group.
ALLOWED = Group("Changes", sort_key=3, help="What may be changed to reach it.")

Games = Annotated[
    int,
    Parameter(converter=whole(100, 10_000_000), help="Games for each candidate in the search."),
]

Confirm = Annotated[
    int,
    Parameter(
        converter=whole(100, 100_000_000),
        help="Fresh games to confirm each plan in the answer; their seed is the one after --seed.",
    ),
]

Budget = Annotated[
    int | None,
    Parameter(
        converter=whole(1, 1_000_000_000),
        help="The most games that the search may play in all. Default: those of"
        f" {CANDIDATES} candidates.",
    ),
]


@Parameter(name="*", help="What is to be reached, and how.")
@frozen(kw_only=True)
class RebalanceOptions:
    """How much may change, and how many games that may take; a game adds what, and its goals."""

    most_changes: Annotated[
        int | None,
        Parameter(
            group=ALLOWED,
            converter=whole(1, 1000),
            help="Change at most this many things. Default: as many as needed, but as little as"
            " possible.",
        ),
    ] = None
    games: Games
    confirm: Confirm
    budget: Budget = None
    seed: Seed = 0

    def words(self, **more: Any) -> list[str]:
        """The words of a command line that set these options again, and ``more``."""
        values = {one: getattr(self, one.name) for one in attrs.fields(type(self))}
        said = {one.name: value for one, value in values.items() if value != one.default}
        return option_words(**{**said, **more}, confidence=confidence_said())

    def sizes(self, candidate: int = 1) -> dict[str, Any]:
        """What a question says of this, where a candidate is so many times as many games.

        Raises InputError.
        """
        each = self.games * candidate
        budget = CANDIDATES * each if self.budget is None else self.budget
        if budget < 2 * each:
            raise console.InputError(
                f"--budget is {budget:,} games, which is not even two candidates of {each:,}"
                " (--games)"
            )
        return {
            "games": self.games,
            "confirm": self.confirm,
            "budget": budget,
            "most": self.most_changes,
            "seed": self.seed,
        }


def words_of(text: str | None) -> list[str]:
    """The words of an option, which have commas between them."""
    return [one.strip() for one in text.split(",")] if text else []


@frozen
class Asked(ABC):
    """How something is balanced: ``balanced`` is its `analysis.questions.rebalance.Question`.

    ``question`` tells it from others.
    """

    balanced: Any
    question: "AskedFolder"

    @abstractmethod
    def command(self, folder: Path) -> str:
        """The command that asks the same again."""

    @abstractmethod
    def plan(self, games: int, seed: int, bound: str) -> "Plan":
        """What so many games cost."""

    @abstractmethod
    def told(self, found: "Found") -> "Rebalancing":
        """What was found, in words."""

    def plans(self) -> "list[Plan]":
        """The search, and the games that confirm."""
        one = self.balanced
        search = self.plan(one.budget, one.seed, "at most")
        return [search, self.plan(2 * one.confirm, one.fresh_seed, "at least")]

    def compile_engine(self) -> None:
        """Compile what plays, saying so, where that takes long."""
        return


@frozen
class Answer:
    """What was found, in words and as commands that play it, and the page."""

    found: "Found"
    told: "Rebalancing"
    to_play: list[str]
    page: Path


def _carry_out(asked: Asked, compute: Compute, out: Path | None, *, as_json: bool) -> None:
    with compute.start() as crew:
        answer = find_out(asked, crew, out)
    folder, told = answer.page.parent, answer.told
    if as_json:
        said = {"folder": str(folder), "page": str(answer.page), "to_play": answer.to_play}
        found = found_json(asked.question.game, told.findings, told.tables, folder)
        console.print_json(said | answer.found.manifest | found)
        return
    print(told.played)
    console.print_findings(told.findings)
    if answer.to_play:
        print("\nto play it:")
        for line in answer.to_play:
            print(f"  {line}")
    print(f"\nreport: {answer.page}")
    if told.proposal:
        print(f"proposal: {folder / told.proposal}")
    print(f"tables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[FrontSoFar], None] | None" = None,
) -> Answer:
    """Play what is missing of the search, and write the page.

    ``see`` is shown the front while the search goes on, as `rebalance` does.  Raises InputError and
    RunError.
    """
    from analysis.questions.rebalance import rebalance
    from reports.rebalance.page import PAGE, write_page
    from simcore.work.about import working_on

    asked.compile_engine()
    with working_on(asked.question, out) as work:
        folder = work.folder
        with console.as_input_error(), console.resumable("games played so far stay", folder):
            found = rebalance(asked.balanced, folder, see=see, **crew.watched)
        with console.waiting("drawing the charts"):
            told = asked.told(found)
            to_play, again = told.to_play(folder), asked.command(folder)
            write_page(told, folder, command=again, to_play=to_play)
        work.finish(told.headline, PAGE)
    return Answer(found, told, to_play, folder / PAGE)


#: The command of a game: the options of what it asks, and those of every game.
command_of = commands_of(
    "rebalance",
    _carry_out,
    "The folder of the search. Default: one in runs/ that is named after what is asked."
    " Run the same command again to resume.",
)
