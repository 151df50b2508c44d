"""What every verdict asks: who plays and how much, and what fresh games say of changes."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from analysis.experiments.smallest_change import Plan, Tried, judged_together, proposed
from analysis.verdicts import BAND
from simcore.work.parts import fresh_seed


@frozen(kw_only=True)
class Case(ABC):
    """Who plays, and how much; a game adds what is asked about.

    ``stronger`` is the stronger player, "" for none.  ``games`` are those of the run, to which all
    others are in proportion; 0 for the usual number.
    """

    policy: str
    stronger: str
    band: float = BAND
    games: int = 0
    seed: int = 0

    @property
    @abstractmethod
    def run_games(self) -> int:
        """Games of the run."""

    @property
    @abstractmethod
    def stronger_games(self) -> int:
        """Games of the run of the stronger player."""

    @property
    @abstractmethod
    def few_games(self) -> int:
        """The first games of a change, after which it may be out of the race."""

    @property
    @abstractmethod
    def tried_games(self) -> int:
        """Games of a change that may do, and of every single step."""

    @property
    @abstractmethod
    def fresh_games(self) -> int:
        """Fresh games of each change that is most likely to do."""

    @property
    @abstractmethod
    def fresh_stronger_games(self) -> int:
        """Those of the stronger player, with one change."""

    @property
    def players(self) -> dict[str, tuple[str, int]]:
        """The folder of each player's run and its games, weaker first."""
        players = {self.policy: ("run", self.run_games)}
        if self.stronger:
            players[self.stronger] = ("stronger", self.stronger_games)
        return players

    @property
    def least_games(self) -> dict[str, int]:
        """How many games each player plays at least: the search for changes plays more."""
        games = {player: games for player, (_, games) in self.players.items()}
        games[self.policy] += 2 * (self.tried_games + self.fresh_games)
        if self.stronger:
            games[self.stronger] += 2 * self.fresh_stronger_games
        return games

    @property
    def fresh_seed(self) -> int:
        """The seed of the fresh games."""
        return fresh_seed(self.seed)


@frozen(kw_only=True)
class Evidence:
    """What was played for a case; a game adds the games themselves.

    ``tried`` are all changes, and ``proposal`` is the smallest that does, if any does.
    """

    case: Any
    tried: Sequence[Tried[Any]]
    proposal: Plan[Any] | None
    manifest: Mapping[str, Any] = field(repr=False)

    @property
    def games(self) -> dict[str, int]:
        """About how many games each player played."""
        found = Counter({player: games for player, (_, games) in self.case.players.items()})
        found[self.case.policy] += 2 * self.case.tried_games  # as it is, and an average one
        for one in self.tried:
            found[one.policy] += one.games
        return dict(found)

    def is_proposed(self, one: Tried[Any]) -> bool:
        """Whether a change is the proposal, on fresh games."""
        return one.fresh and one.plan == self.proposal


def turned_shares(**moved: npt.NDArray[np.float64]) -> dict[str, float]:
    """How many games come out otherwise in another version, by the name of the version.

    ``moved`` are the results minus those of the version, (n_games,): 1 where a game is won, and
    lost there.
    """
    found: dict[str, float] = {}
    for name, games in moved.items():
        found[f"{name}_n"] = len(games)
        for word, sign in (("won", 1), ("lost", -1)):
            share = np.count_nonzero(games == sign) / max(len(games), 1)
            found[f"{name}_{word}"] = share if len(games) else np.nan
    return found


def turned_columns(swap: str, place: str, chance: str, alike: str) -> dict[str, str]:
    """The meanings of what `turned_shares` finds for a swap and for a change without effect.

    ``swap`` and ``chance`` say which games these are, ``place`` and ``alike`` what is otherwise.
    """
    return {
        "swap_n": swap,
        "swap_won": f"share of them that are won, and lost {place}",
        "swap_lost": f"share of them that are lost, and won {place}",
        "chance_n": chance,
        "chance_won": f"share of them that are won, and lost {alike}",
        "chance_lost": f"share of them that are lost, and won {alike}",
    }


#: Plays fresh games: called with the player, how many games, and the changes.
PlayFresh = Callable[[str, int, Sequence[Plan[Any]]], list[Tried[Any]]]


def confirm(
    case: Case, plans: Sequence[Plan[Any]], play: PlayFresh
) -> tuple[list[Tried[Any]], Plan[Any] | None]:
    """What fresh games say of changes, and the proposal.

    The stronger player plays the proposal, or the change that comes nearest.
    """
    if not plans:
        return [], None
    fresh = judged_together(play(case.policy, case.fresh_games, plans))
    proposal = proposed(fresh, case.band)
    if case.stronger:
        nearest = min(fresh, key=lambda one: abs(one.at)).plan
        fresh += play(case.stronger, case.fresh_stronger_games, [proposal or nearest])
    return fresh, proposal
