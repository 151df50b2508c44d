"""Ladders of players of Mindbug, and what other pairs of them meet for, by `pair_games`.

Each deal is played twice, once from either side.  Other pairs than those of a ladder are in
`analysis.mindbug.experiments.ablation`.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from attrs import frozen

from analysis.experiments import ladder, pair_games
from analysis.mindbug.experiments.usual import PAIR_GAMES, SEARCHING_PAIR_GAMES
from analysis.registry import Table
from card_data.mindbug import pool_files
from card_data.mindbug.schema import Pool
from simcore.arrays import Records
from simcore.mindbug import RULES_VERSION, CardTable, parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.restrictions import BARRED, WAIVED
from simcore.mindbug.players.seats import fingerprints, seat, thinking_of
from simcore.setup import new_task, read_task
from simcore.work.tasks import Task

#: One deal of a pair: ``result[p]`` is how the first player of the pair fared as player p.
DEAL_RECORD = pair_games.deal_record(2)


def contest_kind(noun: str, file: str, deals_apart: int, **asked: Any) -> pair_games.ContestKind:
    """What pairs meet for; ``asked`` is the shape of who was asked for."""
    kind = pair_games.folder_kind(noun, file, differing, **EXPERIMENT, **asked)
    return pair_games.ContestKind(kind, "mindbug", RULES_VERSION, deals_apart)


class PoolContest(ABC):
    """A contest on a pool: what subclasses share that say who plays, and with which pool."""

    kind: ClassVar[pair_games.ContestKind]
    deal: ClassVar[np.dtype] = DEAL_RECORD

    pool: Pool
    seed: int

    @property
    @abstractmethod
    def who(self) -> Mapping[str, Any]:
        """Who was asked for, as JSON values."""

    @property
    @abstractmethod
    def recorded(self) -> Sequence[str]:
        """The players whose weights are written down."""

    @property
    @abstractmethod
    def pairs(self) -> Sequence[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""

    @cached_property
    def _setup(self) -> PoolSetup:
        return PoolSetup(self.pool)

    @property
    def asked(self) -> Mapping[str, Any]:
        """What is played with, who was asked for, and with which weights."""
        return {
            **experiment_entries(self.pool),
            **self.who,
            "weights": fingerprints(self.recorded),
        }

    @property
    def files(self) -> Mapping[str, bytes]:
        """The pool, as files."""
        return pool_files(self.pool)

    def is_slow(self, one: str, other: str) -> bool:
        """Whether one of a pair searches."""
        return searches(one, other)

    def task(self, one: str, other: str) -> Task:
        """How a pair is played."""
        built = _Pair(self._setup.table, self.seed, one, other)
        settings: dict[str, Any] = {"seed": self.seed, "pair": [one, other]}
        return new_task(f"{__name__}:rebuild", [self._setup], (one, other), built, **settings)


@frozen
class Ladder(PoolContest):
    """What is to be played: a pool, players as `parse_player` reads them, games and seed.

    ``games`` are those of a pair, ``searching_games`` those of a pair with a player who searches;
    both are even, since each deal is played from both sides.
    """

    kind: ClassVar[pair_games.ContestKind] = contest_kind(
        "ladder", "ladder.json", pair_games.DEALS_APART, players=[str]
    )

    pool: Pool
    players: tuple[str, ...]
    games: int = PAIR_GAMES
    searching_games: int = SEARCHING_PAIR_GAMES
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        check_known(self.players)
        for games in (self.games, self.searching_games):
            pair_games.check_games(games, 2)

    @property
    def who(self) -> Mapping[str, Any]:
        """The players."""
        return {"players": [*self.players]}

    @property
    def recorded(self) -> Sequence[str]:
        """All of them."""
        return self.players

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""
        return [
            (one, other, self.searching_games if searches(one, other) else self.games)
            for one, other in pair_games.pairs_of(self.players)
        ]


#: Raises ValueError unless these are two or more different players of Mindbug.
check_known = partial(pair_games.check_players, read=thinking_of, example="random,greedy")


def analyze_ladder(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables of a ladder of Mindbug, as `analysis.experiments.ladder` writes them."""
    return ladder.analyze_ladder(Ladder.kind, folder)


class _Pair:
    """Plays deals of a pair, each from both sides: the `RowPlayer` of its task."""

    def __init__(self, table: CardTable, seed: int, one: str, other: str) -> None:
        self._table, self._seed = table, seed
        self._sides = (one, other), (other, one)

    @cached_property
    def _seated(self) -> list[Records]:
        """The table with both players, for each side of the first.  Compiles what they think."""
        return [seat(self._table, players) for players in self._sides]

    def play(self, first_deal: int, out: Records) -> None:
        """Fill ``out``, (n_deals,) of the rows of a contest, with ``first_deal`` and following."""
        out["deal"] = deals = np.arange(first_deal, first_deal + len(out))
        counted = "barred" in (out.dtype.names or ())
        for place, seated in enumerate(self._seated):
            limits = np.zeros((len(out), 2, 3), np.int32) if counted else None
            winner = play_rows(seated, seed=self._seed, games=deals, limits=limits)["winner"]
            out["result"][:, place] = np.where(winner < 0, 0, np.where(winner == place, 1, -1))
            if limits is not None:
                mine = limits[:, place]
                out["decisions"][:, place] = mine.sum(axis=1)
                out["barred"][:, place] = mine[:, BARRED]
                out["waived"][:, place] = mine[:, WAIVED]


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Pair:
    """The player of a pair's task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    return _Pair(setup.table, settings["seed"], *(players[player] for player in settings["pair"]))


def searches(*players: str) -> bool:
    """Whether one of the players is slow, as those are who decide by simulated games."""
    return any(parse_player(player).is_slow for player in players)


DEALS = Table(
    "deals",
    "One row per deal of a pair",
    {
        "deal": "number of the game that was played from both sides; each pair has its own",
        **{
            f"result_{p}": f"how the pair's first player fared as player {p}: 1 won, 0 drawn, "
            "-1 lost"
            for p in (0, 1)
        },
    },
    where="in the folder of a ladder",
    files="the Parquet files in `pairs/`",
)
