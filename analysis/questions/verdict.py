"""Is it too strong?  What a verdict asks of a game, and what is played to answer.

The folder of a verdict holds ``verdict.json`` (what was asked) and folders that can each be
resumed: the run of each player, games of the run with changes or with an average one in the place
of what is asked about, and fresh games with the changes that most likely bring it into the band.
Every number of games follows from what was asked, never from a clock.  The tables are in
`analysis.questions.verdict_tables`.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self, Unpack

import pandas as pd
from attrs import frozen

from analysis.estimates import Estimate
from analysis.experiments.watch import Watch, unwatched
from analysis.questions.smallest_change import Plan, Search, Step, Tried, judged_together, proposed
from analysis.runs import Run, open_run
from analysis.tables import analyze
from analysis.verdicts import BAND, verdict
from simcore.arrays import Floats
from simcore.sealed import Shape
from simcore.setup import Setup
from simcore.work.folder import VERSIONS, FolderKind, begin, versions_of
from simcore.work.hands import Hands, Who
from simcore.work.lock import holding
from simcore.work.parts import fresh_seed
from simcore.work.runs import RunSpec, run_games


def verdict_folder(version: int, entries: Mapping[Any, Shape], **more: Any) -> FolderKind:
    """The folder of a game's verdicts; ``entries`` say what is asked about."""
    shape: dict[Any, Shape] = {
        "game": str,
        "rules_version": int,
        **entries,
        "policies": [str],
        "weights": {str: str},
        "games": range(1, 2**63),
        "seed": range(2**63),
        "versions": VERSIONS,
    }
    return FolderKind("verdict", "verdict.json", version, "", shape, **more)


class Sizes(NamedTuple):
    """Games of the run, of the stronger player's run, and with a change.

    With a change: the ``few`` first ones, after which it may be out of the race; those ``tried``
    with one that may do, and with every single step; ``fresh`` ones with each that is most likely
    to do; and fresh ones of the stronger player, with one change.
    """

    run: int
    stronger: int
    few: int
    tried: int
    fresh: int
    fresh_stronger: int


@frozen(kw_only=True)
class Case(ABC):
    """What is asked, by whom it is played, and how much; a game adds what is asked about.

    ``stronger`` is the stronger player, "" for none.  ``games`` are those of the run, to which all
    others are in proportion; 0 for the usual number.  The verdict is on the ``number`` of that name
    in the tables, which is ``fair`` in the middle of the band.
    """

    policy: str
    stronger: str
    band: float = BAND
    games: int = 0
    seed: int = 0

    number: ClassVar[str]
    fair: ClassVar[float] = 0

    @property
    @abstractmethod
    def setup(self) -> Setup:
        """What is played."""

    @property
    @abstractmethod
    def about(self) -> dict[str, str]:
        """What is asked about, as the first columns of the tables say it; one is ``name``."""

    @property
    @abstractmethod
    def entries(self) -> dict[str, Any]:
        """What is asked about and played with, as the folder says it."""

    @abstractmethod
    def seats(self, player: str) -> tuple[str, ...]:
        """A player in each seat."""

    @property
    @abstractmethod
    def sizes(self) -> Sizes:
        """How many games are played."""

    @abstractmethod
    def change_of(self, steps: tuple[Step, ...]) -> Plan[Any] | None:
        """The change of some steps; None where there is none that can be played."""

    @property
    def of_foe(self) -> bool:
        """Whether it stands against the players, and is strong where they win less."""
        return False

    @property
    def players(self) -> dict[str, tuple[str, int]]:
        """The folder of each player's run and its games, weaker first."""
        players = {self.policy: ("run", self.sizes.run)}
        if self.stronger:
            players[self.stronger] = ("stronger", self.sizes.stronger)
        return players

    @property
    def least_games(self) -> dict[str, int]:
        """How many games each player plays at least: the search for changes plays more."""
        games = {player: games for player, (_, games) in self.players.items()}
        games[self.policy] += 2 * (self.sizes.tried + self.sizes.fresh)
        if self.stronger:
            games[self.stronger] += 2 * self.sizes.fresh_stronger
        return games

    @property
    def fresh_seed(self) -> int:
        """The seed of the fresh games."""
        return fresh_seed(self.seed)

    def seed_of(self, player: str) -> int:  # noqa: ARG002 - a game may give each one of their own
        """The seed of a player's run."""
        return self.seed

    def verdict(self, found: Estimate) -> str:
        """The verdict on how far from the middle of the band it stands, of shape (1,)."""
        ends = float(found.ci_low[0]), float(found.ci_high[0])
        return verdict(*ends, band=self.band, of_foe=self.of_foe)

    def asked(self) -> dict[str, Any]:
        """Everything that the games depend on, and the versions, as JSON values."""
        return {
            "rules_version": self.setup.rules_version,
            **self.entries,
            "policies": [*self.players],
            "weights": self.setup.players.fingerprints(self.players),
            "games": self.sizes.run,
            "seed": self.seed,
            "versions": versions_of("numba", "numpy"),
        }


class Experiment(ABC):
    """Everything that is played for a case, in a folder, and what came of it.  A game has its own.

    ``runs`` and ``tables`` are those of each player, weaker first.  ``average`` is the name of what
    takes the place of what is asked about, "" where nothing can; ``second`` is the next most
    average one, in the place of the average one a change with next to no effect.  ``swapped`` and
    ``alike`` are results of games minus those after either change, (n_games,).  ``tried`` are all
    changes, and ``proposal`` is the smallest that does, if any does.
    """

    kind: ClassVar[FolderKind]
    average: str
    second: str = ""
    swapped: Floats
    alike: Floats

    def __init__(self, case: Any, folder: Path, watch: Watch, hands: Hands) -> None:
        self.case, self.folder, self.watch, self.hands = case, folder, watch, hands
        self.manifest = dict(begin(self.kind, folder, case.asked(), files=self.files).manifest)
        self.runs: dict[str, Run] = {}
        self.tables: dict[str, dict[str, pd.DataFrame]] = {}

    @classmethod
    def play(cls, case: Any, folder: Path, *, watch: Watch = unwatched, **who: Unpack[Who]) -> Self:
        """Play everything that a verdict needs, or what is missing of it.

        Raises RunError when the folder holds something else or cannot be written, or another
        process works there.  KeyboardInterrupt loses the pieces that are being played, and no
        others.
        """
        with holding(folder):
            experiment = cls(case, folder, watch, Hands(**who))
            experiment.play_all()
        return experiment

    # ------------------------------------------------------------ what a game says

    @property
    def files(self) -> Mapping[str, bytes]:
        """What lies in the folder beside what was asked."""
        return {}

    @abstractmethod
    def spec(self, player: str, games: int, seed: int) -> RunSpec:
        """The run of a player."""

    @abstractmethod
    def play_instead(self, player: str) -> None:
        """Play the games with an average one in the place, and those with a second one there.

        Called for each player as soon as their run is there.
        """

    @abstractmethod
    def stands_for(self, player: str) -> Estimate:
        """How far from the middle of the band it stands in the run of a player, of shape (1,)."""

    def play_singles(self) -> list[Tried[Any]]:
        """The single steps, each in games of the run."""
        case = self.case
        plans = [plan for one in case.single_steps if (plan := case.change_of((one,)))]
        return self.play_changes(plans, case.sizes.tried)

    def usual_steps(self, singles: Sequence[Tried[Any]]) -> list[Step]:
        """The steps that are joined unless none of that may do: all of them."""
        return [one.plan.steps[0] for one in singles]

    @abstractmethod
    def play_changes(self, plans: Sequence[Plan[Any]], games: int) -> list[Tried[Any]]:
        """Changes in the first games of the run."""

    @abstractmethod
    def play_fresh(self, player: str, games: int, plans: Sequence[Plan[Any]]) -> list[Tried[Any]]:
        """Changes in fresh games."""

    # ------------------------------------------------------------ what all games share

    def play_all(self) -> None:
        """Play the runs, what takes its place, and changes."""
        for player, (name, games) in self.case.players.items():
            seed = self.case.seed_of(player)
            self.runs[player], self.tables[player] = self.analyzed(player, games, seed, name)
            self.play_instead(player)
        self.tried, plans = self._search(self.play_singles())
        fresh, self.proposal = self._confirm(plans)
        self.tried += fresh

    def analyzed(
        self, player: str, games: int, seed: int, name: str
    ) -> tuple[Run, dict[str, pd.DataFrame]]:
        """A run of what is asked about as it is, and its tables."""
        run = self.play_run(player, games, seed, name)
        with self.watch("analysing", unit="parts") as advance:
            return run, analyze(run.folder, threads=self.hands.threads, on_progress=advance)

    def play_run(self, player: str, games: int, seed: int, name: str) -> Run:
        """A run of what is asked about as it is."""
        folder = self.folder / name
        with self.watch(f"{player} plays") as advance:
            spec = self.spec(player, games, seed)
            run_games(spec, folder, **self.hands.who, on_progress=advance)
        return open_run(folder)

    def _search(self, singles: list[Tried[Any]]) -> tuple[list[Tried[Any]], list[Plan[Any]]]:
        """What was tried, and the changes to confirm; none where it stands inside the band."""
        case, stands = self.case, self.stands
        if not abs(stands.estimate[0]) > case.band or not singles:
            return singles, []
        sizes = case.sizes.few, case.sizes.tried
        search = Search(case.band, stands, case.change_of, self.play_changes, *sizes)
        tried = search.try_all(singles, self.usual_steps(singles))
        return tried, search.to_confirm(tried)

    def _confirm(self, plans: Sequence[Plan[Any]]) -> tuple[list[Tried[Any]], Plan[Any] | None]:
        """What fresh games say of changes, and the proposal.

        The stronger player plays the proposal, or the change that comes nearest.
        """
        if not plans:
            return [], None
        case, sizes = self.case, self.case.sizes
        fresh = judged_together(self.play_fresh(case.policy, sizes.fresh, plans))
        proposal = proposed(fresh, case.band)
        if case.stronger:
            nearest = proposal or min(fresh, key=lambda one: abs(one.at)).plan
            fresh += self.play_fresh(case.stronger, sizes.fresh_stronger, [nearest])
        return fresh, proposal

    @property
    def stands(self) -> Estimate:
        """How far from the middle of the band it stands in the run of the first player."""
        return self.stands_for(self.case.policy)

    @property
    def run(self) -> Any:
        """The run of the first player, with what only runs of its game have."""
        return self.runs[self.case.policy]

    @property
    def games(self) -> dict[str, int]:
        """About how many games each player played."""
        found = Counter({player: games for player, (_, games) in self.case.players.items()})
        found[self.case.policy] += 2 * self.case.sizes.tried  # as it is, and an average one
        for one in self.tried:
            found[one.policy] += one.games
        return dict(found)
