"""What games that people bring are played with, and by whom, as any question asks for it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from simcore.contract.game import Game, simulations_of
from simcore.contract.play import Table
from simcore.own_games.run import (
    ENTRIES,
    OwnGames,
    asked_of,
    brought_table,
    check_player,
    files_of,
    hash_of,
    record_at,
)
from simcore.setup import Setup

# Runs of a table that keep their compiled rules.
_KEPT = 4


@frozen
class _Player:
    """A player by name; one that searches is slow."""

    is_slow: bool


@frozen
class _Players:
    """The players of a game, none of whom thinks with a file: `simcore.setup.Players`."""

    game: Game

    def parse_player(self, text: str, /) -> _Player:
        """The player.  Raises ValueError."""
        return _Player(bool(simulations_of(check_player(self.game, text))))

    def seat(self, table: Any, players: Sequence[str], /) -> Any:
        """The players, whose names are all that there is of them."""
        del table
        return tuple(players)

    def fingerprints(self, players: Iterable[str], /) -> dict[str, str]:
        """None."""
        del players
        return {}

    def file_of(self, text: str, /) -> Path | None:
        """None."""
        del text
        return None

    def with_file(self, text: str, name: str, /) -> str:
        """The same player."""
        del name
        return text


class OwnSetup(Setup):
    """A game with its entries, settings and seats, of which some ``n_games`` are to be played.

    Their number says whether it pays to compile the rules (`OwnGames`).
    """

    def __init__(self, table: Table, n_games: int = 0) -> None:
        self._table, self._n_games = table, n_games
        self._games = lru_cache(_KEPT)(self._new_games)

    def __reduce__(self) -> tuple[Any, ...]:
        return _brought, (asked_of(self._table), files_of(self._table), self._n_games)

    @property
    def rules_version(self) -> int:
        """The version that the author gave the rules."""
        return self._table.game.version

    @property
    def record(self) -> np.dtype:
        """The dtype of a game."""
        return record_at(self._table)

    @property
    def seats(self) -> int:
        """How many play."""
        return self._table.seats

    @property
    def players(self) -> _Players:
        """The players of the game."""
        return _Players(self._table.game)

    @property
    def digests(self) -> dict[str, Any]:
        """What is played, and a digest of its entries."""
        return {**asked_of(self._table), "entries_hash": hash_of(files_of(self._table)[ENTRIES])}

    @property
    def table(self) -> Table:
        """The game with its entries."""
        return self._table

    def play(
        self, seated: Any, seed: int, games: npt.NDArray[np.int64], out: npt.NDArray[np.void]
    ) -> None:
        """Fill ``out`` with the games of these numbers.  Raises GameError."""
        played, rows = self._games(seed, seated), np.arange(len(games))
        for some in np.split(rows, np.flatnonzero(np.diff(games) != 1) + 1):
            if len(some):
                played.play(int(games[some[0]]), out[some[0] : some[-1] + 1])

    def _new_games(self, seed: int, players: tuple[str, ...]) -> OwnGames:
        return OwnGames(self._table, seed, players, self._n_games)


def _brought(asked: Mapping[str, Any], files: Mapping[str, bytes], n_games: int) -> OwnSetup:
    """The setup in another process.  Raises GameError."""
    return OwnSetup(brought_table(asked, files), n_games)
