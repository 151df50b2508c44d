"""A pool of Mindbug as what games are played with."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from simcore.arrays import Integers, Records
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players import seats as seating
from simcore.mindbug.table.records import GAME_RECORD, SEATS
from simcore.setup import Players, Setup


@frozen
class PoolSetup(Setup):
    """A pool, which may hold cards that no file could, such as two of one name."""

    pool: Pool

    rules_version: ClassVar[int] = RULES_VERSION
    record: ClassVar[np.dtype] = GAME_RECORD
    seats: ClassVar[int] = SEATS
    players: ClassVar[Players] = seating

    @cached_property
    def table(self) -> CardTable:
        """The pool as the engine reads it."""
        return compile_cards(self.pool)

    @property
    def digests(self) -> dict[str, Any]:
        """The fingerprint of the pool."""
        return {"pool_hash": pool_hash(self.pool)}

    def play(self, seated: Records, seed: int, games: Integers, out: Records) -> None:
        """Fill ``out`` with the games of these numbers."""
        play_rows(seated, seed=seed, games=games, out=out)
