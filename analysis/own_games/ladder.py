"""Ladders of players of a game that somebody brings, by `analysis.experiments.pair_games`.

On each deal one player of a pair takes the seats of a team, or one seat, and the other all others;
that is done for every team, and then the other way round.  A player wins a game in which the mean
outcome of their seats is better.  Where all seats are one team, each plays the deal alone, and who
has the better outcome wins.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from analysis.experiments import pair_games
from simcore.contract.play import Table
from simcore.own_games.run import NAME
from simcore.own_games.setup import ENTRIES, OwnGames, OwnSetup, check_player, entries_of, record_at
from simcore.setup import new_task, read_task
from simcore.work.progress import Progress
from simcore.work.tasks import Task

#: About how many games a pair plays.
PAIR_GAMES = 2_000
# Deals of each pair by which the usual player of a game is chosen.
_FEW = 20
#: The folder of such a ladder.
KIND = pair_games.ContestKind(
    pair_games.folder_kind(
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
    pair_games.DEALS_APART,
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


def ranked(table: Table, names: Sequence[str], on_progress: Progress | None = None) -> list[str]:
    """Players of a game by how they fare in a few games of each pair, the best first.

    Raises GameError.
    """
    won, pairs = dict.fromkeys(names, 0), pair_games.pairs_of(names)
    record = pair_games.deal_record(len(seatings(table)))
    for place, (one, other) in enumerate(pairs):
        if on_progress:
            on_progress(place, len(pairs))
        pair, deals = _Pair(table, 0, (one, other), 0), np.zeros(_FEW, record)
        pair.play(0, deals[:0])
        pair.play(0, deals)
        ahead = int(deals["result"].sum())
        won[one] += ahead
        won[other] -= ahead
    return sorted(names, key=lambda name: (won[name], names.index(name)), reverse=True)


@frozen
class OwnLadder:
    """What is to be played: a game with its entries, players by their names, games and seed."""

    kind: ClassVar[pair_games.ContestKind] = KIND

    table: Table
    players: tuple[str, ...]
    games: int
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        game = self.table.game
        example = ",".join(game.player_names[:2])
        pair_games.check_players(self.players, lambda player: check_player(game, player), example)
        pair_games.check_games(self.games, self.of_deal)

    @property
    def of_deal(self) -> int:
        """How many games are played on a deal."""
        return len(seatings(self.table))

    @property
    def deal(self) -> np.dtype:
        """The record of a deal."""
        return pair_games.deal_record(self.of_deal)

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""
        return [(*pair, self.games) for pair in pair_games.pairs_of(self.players)]

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
        built, setup = _Pair(self.table, self.seed, (one, other), self.games), OwnSetup(self.table)
        asked: dict[str, Any] = {"seed": self.seed, "pair": [one, other], "games": self.games}
        return new_task(f"{__name__}:rebuild", [setup], [one, other], built, **asked)


class _Pair:
    """Plays deals of a pair, ``games`` in all: the `RowPlayer` of its task."""

    def __init__(self, table: Table, seed: int, pair: Sequence[str], games: int) -> None:
        one, other = pair
        self._mine = [sorted(mine) for mine in seatings(table)]
        seated = [
            [one if seat in mine else other for seat in range(table.seats)] for mine in self._mine
        ]
        if len(self._mine[0]) == table.seats:  # they play the same deal in a game of their own
            seated.append([other] * table.seats)
        self._games = [OwnGames(table, seed, players, games) for players in seated]

    @property
    def is_interpreted(self) -> bool:
        """Whether Python plays them, one thread at a time."""
        return any(games.is_interpreted for games in self._games)

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with deals ``first`` and following; where it is empty, try the rules."""
        outcomes = [self._outcomes(games, first, len(out)) for games in self._games]
        out["deal"] = range(first, first + len(out))
        for place, mine in enumerate(self._mine):
            ours = outcomes[place][:, mine].sum(axis=1)
            alone = len(mine) == outcomes[place].shape[1]
            rest = outcomes[-1] if alone else np.delete(outcomes[place], mine, axis=1)
            n_mine, n_rest = len(mine), rest.shape[1]
            out["result"][:, place] = np.sign(ours * n_rest - rest.sum(axis=1) * n_mine)

    @staticmethod
    def _outcomes(games: OwnGames, first: int, n: int) -> np.ndarray:
        records = np.zeros(n, record_at(games.table))
        games.play(first, records)
        found: np.ndarray = records["outcome"].astype(np.int64)
        return found


def rebuild(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> _Pair:
    """The player of a pair's task in another process.  Raises GameError."""
    (setup,), players = read_task(asked, files)
    pair = [players[one] for one in asked["pair"]]
    return _Pair(setup.table, asked["seed"], pair, asked["games"])
