"""What `reports` asks a game for: ``REPORTS`` in its module ``reports.x.contract``.

That module is imported whenever the command line is.  So it imports nothing of its game: commands
and options are named by their places, and imported when somebody asks for them, and so are its
methods that are functions of other modules (`at`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import attrs
from cyclopts import App, ArgumentCollection, Parameter

from simcore import games

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from analysis.runs import Run
    from analysis.stopping import Goal, PlayUntil
    from card_data.playtest_log import LogTerms
    from reports.balance.report import Report
    from reports.cli.compute import Crew
    from reports.kit.words import Finding
    from reports.play.log import GameLog
    from reports.play.match import Match
    from reports.studio.bench import Bench
    from simcore.speed import Playing
    from simcore.work.cost import Plan
    from simcore.work.runs import Look, RunSpec
    from simcore.work.tasks import Task

#: Kernels ("module.kernel"), what they are, and about how many seconds they take to compile.
Kernels = tuple[Sequence[str], str, int]
#: A kernel, about how many seconds of a processor it takes to compile, and what to call for that.
Compiled = tuple[str, int, Callable[[], object]]


class Command(NamedTuple):
    """A command that is imported when somebody asks for it."""

    module: str  # has the function, or the `Commands`, whose name is the command's
    does: str  # the sentence with which its help begins


class Commands(App):
    """A command that has commands.

    Their help comes from annotations and their own docstrings alone: Cyclopts would read the
    sources of all classes of options, for docstrings of fields.
    """

    def assemble_argument_collection(self, **said: Any) -> ArgumentCollection:
        """The arguments of a command, without what docstrings say of them."""
        return super().assemble_argument_collection(**said | {"parse_docstring": False})


class Playable(Protocol):
    """What a person asked to be played."""

    @property
    def name(self) -> str:
        """What is played, in the name of a run folder."""

    @property
    def title(self) -> str:
        """What is played, in words."""

    @property
    def precision(self) -> str:
        """What ``--until`` asks for where neither it nor ``--games`` is said."""

    def spec(self, n_games: int, seed: int) -> "RunSpec":
        """The run of ``n_games`` games.  Raises ValueError for what cannot be played."""

    def rule(
        self, goal: "Goal", *, anytime: bool, on_look: "Callable[[Look], None]"
    ) -> "PlayUntil":
        """The rule that ends the run at a goal.  Raises GoalError for one that is about nothing."""


class Options(Protocol):
    """The options of a game in ``simulate`` and ``balance``: a frozen attrs class of parameters.

    An option that two games have under one name is read by the rules of the game that is meant; it
    takes a value in both or in neither.
    """

    def players(self) -> tuple[str, ...]:
        """Who plays, one for each seat.  Raises InputError."""

    def ready(
        self, named: Sequence[str], before: Path | None, threads: int | None, learn: bool, /
    ) -> Self:
        """The same with players who know what is played, or who played the run ``before``.

        Unless they may ``learn``, nothing is played for that.
        """

    def read(self, named: Sequence[str]) -> Playable:
        """What is played where so many sets and files are named.  Raises what the game raises."""


class MoreOptions(Options, Protocol):
    """Those of ``balance``, which may do more than play, analyse and report."""

    def check(self) -> None:
        """Raise InputError for what can be seen to be wrong before anything is played."""

    def more_plans(self, playable: Any, n_games: int, seed: int) -> "list[Plan]":
        """What `do_more` is going to play beside a run of ``n_games`` games."""

    def do_more(
        self, folder: Path, tables: "dict[str, pd.DataFrame]", crew: "Crew"
    ) -> "dict[str, pd.DataFrame]":
        """Do what else was asked for in the folder of an analysed run; further tables."""


class Side(Protocol):
    """One side of a comparison: what is to be played, or the folder of a finished run."""

    @property
    def said(self) -> str:
        """What the person called it."""

    @property
    def run(self) -> Path | None:
        """The folder of the run, if it has been played."""

    def spec(
        self, n_games: int, seed: int, players: tuple[str, ...], beside: Path | None
    ) -> "RunSpec":
        """The run of this side, which may use what was played in ``beside`` on the same deals."""


class SideOptions(Protocol):
    """The options of a game in ``compare``."""

    @property
    def policy(self) -> str | None:
        """Who plays on both sides, if it was said."""

    def players(
        self, policy: str | None, sides: Sequence[Any], threads: int | None, learn: bool, /
    ) -> tuple[str, ...]:
        """Who plays both sides, one for each seat; the usual ones for None.  Raises InputError."""

    def sides(self, base: str, variant: str | None) -> tuple[Side, Side]:
        """Both sides.  Raises InputError and what the game raises."""

    def words(self) -> list[str]:
        """The options that were said, but for the players, as words of a command line."""

    @property
    def stronger(self) -> str | None:
        """The stronger player who was named, or the word for nobody, if anything was said."""

    def rung(self, players: Sequence[str], games: int, /) -> tuple[str, int]:
        """The stronger player who plays both sides as well, "" for nobody, and in how many games.

        ``players`` play the comparison, in ``games`` on each side.  Raises InputError.
        """


class Told(Protocol):
    """One game, told."""

    @property
    def record(self) -> "np.void":
        """Its record."""

    @property
    def lines(self) -> Sequence[str]:
        """What happened, line by line."""


class BenchOptions(Protocol):
    """The options of a game in ``bench``."""

    def measured(self, named: Sequence[str]) -> "Playing | None":
        """What is measured where so much is named, which may be nothing.

        None where nothing of the game comes with fairdeal.  Raises what the game raises.
        """


class MatchOptions(Protocol):
    """The options of a game in ``play``."""

    def log(
        self, named: Sequence[str], *, player: str | None, seed: int, start_with: str | None
    ) -> "tuple[str, GameLog]":
        """What is played, in the name of a file, and the game before its first decision.

        ``player`` decides for all but the person; ``start_with`` names a card that the person
        begins with.  Raises what the game raises.
        """


class GoalWords(NamedTuple):
    """What a rule that ended a run watched, in words."""

    what: str  # what was to be known
    worst: str  # which of it is known worst; "" where it is but one thing
    intervals: str  # whose intervals are those of the rule
    many: bool  # whether that is each member of a family
    plural: bool  # whether these are several intervals


class Reports(ABC):
    """How a game is asked for on the command line, and what is said and shown of its runs.

    A game defines what is abstract here, and overrides what does not suit it.  A class attribute
    can stand for a property.
    """

    #: How many games ``story`` judges where nothing is said of them.
    story_games = 200
    #: Commands of the game's own, by their names.
    commands: Mapping[str, Command] = {}
    #: The place of what lets a function of a person's own play; "" for a game in which none can.
    own_player: str = ""

    @property
    @abstractmethod
    def title(self) -> str:
        """What the game is called; known here as well since its engine is slow to import."""

    @property
    @abstractmethod
    def compared_games(self) -> int:
        """The games of each side of a comparison where nothing is said of them."""

    @property
    @abstractmethod
    def help(self) -> Mapping[str, str]:
        """What stands in the help of shared commands for words in braces."""

    #: What may be typed, in words after ``fairdeal``, by command.
    examples: Mapping[str, Sequence[str]] = {}

    @property
    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """The places, "module:Class", of the game's options of shared commands.

        `Options` of ``simulate``, `MoreOptions` of ``balance``, `SideOptions` of ``compare``,
        `BenchOptions` of ``bench``, and `MatchOptions` of ``play`` for a game that a person can
        play.
        """

    @property
    def kernels(self) -> Mapping[str, Kernels]:
        """What ``analyze``, ``compare``, ``replay`` and ``play`` compile at first use."""
        return {}

    @property
    def studio(self) -> "Bench | None":
        """The game in the studio; None for one that is not there."""
        return None

    def studio_of(self, _named: str) -> "Bench | None":
        """The same where a person has named what is played.  Raises what the game raises."""
        return self.studio

    @property
    @abstractmethod
    def offered(self) -> Collection[str]:
        """The names of all that comes with the game and can be played."""

    @property
    def entries(self) -> Collection[str]:
        """Ids and names, in small letters, of single cards and the like that come with the game."""
        return ()

    @property
    def kept(self) -> Mapping[str, str]:
        """What commands keep in a project folder besides answers, by the name of the folder."""
        return {}

    @property
    def printed(self) -> Mapping[str, str]:
        """What is offered by its name as reports print it, in small letters: name -> id."""
        return {}

    def offers(self, word: str) -> bool:
        """Whether a word of the command line names something that this game can play."""
        return word in self.offered

    def about(self, _word: str) -> Iterable[str]:
        """What help says besides of something that this game can play, line by line."""
        return ()

    def compile_engine(
        self, _players: Sequence[str], _task: "Task | None" = None, _counted: bool = False
    ) -> None:
        """Compile what plays games, saying so, where that takes long and has not been done.

        What plays any games of the players, or, given their task, those of one run; and what counts
        games, where that comes next.
        """
        return

    def use_players(self, players: Iterable[str]) -> None:
        """Load functions of a person's own that were named as players.  Raises OwnCodeError."""
        from simcore.own_code import OwnCodeError, is_own

        if not self.own_player:
            raise OwnCodeError(f"{self.title} has no players who are functions of your own")
        for player in filter(is_own, players):
            resolve_name(self.own_player)(player)

    def use_rules(self, _rules: Path) -> None:
        """Load the rules of a game of a person's own from a file that was named."""
        from simcore.own_code import OwnCodeError

        raise OwnCodeError(f"the rules of {self.title} come with fairdeal; leave --rules out")

    def called(self, player: str) -> str:
        """A player as a person calls them."""
        return player

    def who_played(self, manifest: Mapping[str, Any]) -> str:
        """Who played what a manifest is of: "random against random"."""
        return " against ".join(map(self.called, manifest["policies"]))

    def log_terms(self, _playable: Any) -> "LogTerms":
        """What a log of games of people can name, where this is what they played."""
        from card_data.playtest_log import LogTerms

        return LogTerms(self.title)

    @abstractmethod
    def describe(self, manifest: Mapping[str, Any]) -> str:
        """One line that says what was played."""

    @abstractmethod
    def findings(self, tables: "Mapping[str, pd.DataFrame]") -> "list[Finding]":
        """What is worth knowing first of a run."""

    @abstractmethod
    def report(self, folder: Path, before: "Comparison | None") -> "Report":
        """What the report of an analysed run shows.

        ``before`` is its comparison with an earlier run, if there is one.  Raises RunError when the
        run or its tables are missing or damaged.
        """

    @abstractmethod
    def tell(self, run: "Run", game: int) -> Told:
        """One game of a run, told.  Raises RunError."""

    def story(self, _run: "Run", told: Told) -> Iterable[str]:
        """The lines of a told game as a person reads them, with names for its players."""
        return told.lines

    def title_of(self, log: "GameLog") -> str:
        """What is played in a game with a person."""
        return f"{self.title}, {log.title}"

    def match(self, _log: "GameLog") -> "Match":
        """The game of a log of ``play``.  Raises RunError."""
        from simcore.sealed import RunError

        raise RunError(f"no person can play {self.title}")

    def ended(self, _log: "GameLog") -> str:
        """How a game of ``play`` that is over ended, for the person who played."""
        return "over"

    @abstractmethod
    def goal_words(self, manifest: Mapping[str, Any]) -> GoalWords:
        """What was watched in a run that a rule ended."""

    def compare_words(self, comparison: "Comparison") -> "tuple[str, list[Finding]]":
        """What was compared, in one line, and what follows."""
        from reports.compare.text import describe_comparison, findings

        return describe_comparison(comparison), findings(comparison)

    def compare_overview(self, comparison: "Comparison") -> "tuple[str, Sequence[Finding]]":
        """The answer in a line, and the first things to know besides."""
        answer, *others = self.compare_words(comparison)[1]
        return (answer.brief or f"{answer.topic}: {answer.text}").rstrip("."), others[:4]

    def before_words(self, comparison: "Comparison") -> "tuple[str, list[Finding]]":
        """The same of a run and an earlier one."""
        return self.compare_words(comparison)

    def compare_json(self, _comparison: "Comparison") -> dict[str, Any]:
        """What a program is told of a comparison besides its table and findings."""
        return {}

    def compare_page(self, comparison: "Comparison", folder: Path, command: str) -> Path:
        """Write the table, charts and page of a comparison; the path of the page."""
        from reports.compare.page import write_compare_page

        return write_compare_page(comparison, folder, command, self.compare_words(comparison))

    def record_lines(
        self, comparison: "Comparison", why: str, date: str, command: str
    ) -> Iterable[str]:
        """The lines of an entry on a comparison in a diary of changes, in Markdown."""
        from reports.compare.text import record_lines

        return record_lines(comparison, why, date, command, self.compare_words(comparison))


def reports_of(game: str) -> Reports:
    """What `reports` knows of a game.  Raises UnknownGameError."""
    found: Reports = games.find(game, "reports")
    return found


def at(place: str) -> Any:
    """A method that is the function at a place, imported when it is called."""

    def called(_: object, *asked: Any, **named: Any) -> Any:
        return resolve_name(place)(*asked, **named)

    return called


def options_said(options: Any) -> list[str]:
    """The options of a game that were said, as a person writes them: "--life"."""
    return [
        option_name(one)
        for one in attrs.fields(type(options))
        if getattr(options, one.name) != one.default
    ]


def option_name(field: "attrs.Attribute[Any]") -> str:
    """How a person writes an option that is a field of a class of options."""
    for extra in getattr(field.type, "__metadata__", ()):
        if isinstance(extra, Parameter) and extra.name:
            return next(iter(extra.name))
    return f"--{field.name.replace('_', '-')}"
