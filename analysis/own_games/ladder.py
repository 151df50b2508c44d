"""Ladders of players of a game that somebody brings, by `analysis.experiments.pair_games`.

On each deal one player of a pair takes the seats of a team, or one seat, and the other all others;
that is done for every team, and then the other way round.  A player wins a game in which the mean
outcome of their seats is better.  Where all seats are one team, each plays the deal alone, and who
has the better outcome wins.
"""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from analysis.experiments.pair_games import (
    DEALS_APART,
    ContestKind,
    check_games,
    check_players,
    deal_record,
    folder_kind,
    pairs_of,
)
from simcore.contract.faults import LuckWatch
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Play, Table
from simcore.own_games.run import NAME
from simcore.own_games.setup import ENTRIES, OwnSetup, check_player, entries_of
from simcore.setup import new_task, read_task
from simcore.work.progress import Progress
from simcore.work.tasks import Task

#: About how many games a pair plays.
PAIR_GAMES = 2_000
# Deals of each pair by which the usual player of a game is chosen.
_FEW = 20
#: The folder of such a ladder.
KIND = ContestKind(
    folder_kind(
        "ladder",
        "ladder.json",
        set_names=[str],
        rules={"name": str, "source": str, "digest": str},
        seats=range(1, 11),
        settings=dict,
        entries_hash=str,
        players=[str],
        games_of_deal=range(1, 21),
    ),
    NAME,
    None,
    DEALS_APART,
)


def seatings(table: Table) -> list[frozenset[int]]:
    """The seats of a pair's first player, in each game of a deal."""
    every = frozenset(range(table.seats))
    teams = [frozenset(team) for team in table.game.teams_of(table.seats)]
    if len(teams) == 1:
        return teams
    return [*dict.fromkeys([*teams, *(every - team for team in teams)])]


def usual_games(table: Table) -> int:
    """How many games a pair plays where nothing is said of it."""
    of_deal = len(seatings(table))
    return -(-PAIR_GAMES // of_deal) * of_deal


def ranked(table: Table, on_progress: Progress | None = None) -> list[str]:
    """The players of a game by how they fare in a few games of each pair, the best first.

    Searching ones are left out.  Raises GameError.
    """
    names = table.game.player_names
    won, pairs = dict.fromkeys(names, 0), pairs_of(names)
    for place, (one, other) in enumerate(pairs):
        if on_progress:
            on_progress(place, len(pairs))
        pair, deals = _Pair(table, 0, one, other), np.zeros(_FEW, deal_record(len(seatings(table))))
        pair.play(0, deals[:0])
        pair.play(0, deals)
        ahead = int(deals["result"].sum())
        won[one] += ahead
        won[other] -= ahead
    return sorted(names, key=lambda name: (won[name], names.index(name)), reverse=True)


@frozen
class OwnLadder:
    """What is to be played: a game with its entries, players by their names, games and seed."""

    kind: ClassVar[ContestKind] = KIND

    table: Table
    players: tuple[str, ...]
    games: int
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        game = self.table.game
        example = ",".join(game.player_names[:2])
        check_players(self.players, lambda player: check_player(game, player), example)
        check_games(self.games, self.of_deal)

    @property
    def of_deal(self) -> int:
        """How many games are played on a deal."""
        return len(seatings(self.table))

    @property
    def deal(self) -> np.dtype:
        """The record of a deal."""
        return deal_record(self.of_deal)

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""
        return [(*pair, self.games) for pair in pairs_of(self.players)]

    @property
    def asked(self) -> Mapping[str, Any]:
        """What is played, and who plays."""
        return {
            "rules_version": self.table.game.version,
            "set_names": [self.table.game.title],
            **OwnSetup(self.table).digests,
            "players": [*self.players],
            "games_of_deal": self.of_deal,
        }

    @property
    def files(self) -> Mapping[str, bytes]:
        """The entries."""
        text = entries_of(self.table)
        return {ENTRIES: text} if text else {}

    def is_slow(self, _one: str, _other: str) -> bool:
        """Rules in Python play some hundred games a second."""
        return True

    def task(self, one: str, other: str) -> Task:
        """How a pair is played."""
        built, setup = _Pair(self.table, self.seed, one, other), OwnSetup(self.table)
        return new_task(f"{__name__}:rebuild", [setup], [one, other], built, seed=self.seed)


class _Pair:
    """Plays deals of a pair: the `RowPlayer` of its task."""

    def __init__(self, table: Table, seed: int, one: str, other: str) -> None:
        self._table, self._seed, self._pair = table, seed, (one, other)
        self._seatings = seatings(table)

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with deals ``first`` and following; where it is empty, try the rules."""
        with LoopWatch():
            if not len(out):
                with LuckWatch():
                    self._result(0, self._seatings[0])
            for place, record in enumerate(out):
                record["deal"] = first + place
                record["result"] = [self._result(first + place, mine) for mine in self._seatings]

    def _result(self, number: int, mine: Collection[int]) -> int:
        """How the first player fares in these seats: 1 won, 0 drawn, -1 lost."""
        seats, (one, other) = range(self._table.seats), self._pair
        outcomes = self._play(number, [one if seat in mine else other for seat in seats])
        theirs = [seat for seat in seats if seat not in mine]
        ours = sum(outcomes[seat] for seat in mine)
        if not theirs:  # they play the same deal in a game of their own
            beside = sum(self._play(number, [other] * len(seats)))
            return (ours > beside) - (ours < beside)
        rest = sum(outcomes[seat] for seat in theirs)
        ahead = ours * len(theirs) - rest * len(mine)
        return (ahead > 0) - (ahead < 0)

    def _play(self, number: int, players: list[str]) -> list[int]:
        play = Play(self._table, self._seed, number)
        play.play(players)
        return play.outcomes


def rebuild(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> _Pair:
    """The player of a pair's task in another process.  Raises GameError."""
    (setup,), players = read_task(asked, files)
    return _Pair(setup.table, asked["seed"], *players)
