"""A chapter of Mice & Mystics as what games are played with."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.formatter import facts_hash
from card_data.mice_and_mystics.settings import Settings
from simcore.arrays import Integers, Records
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.simulate import play_rows, with_replays
from simcore.mice_and_mystics.players import seats as seating
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.mice_and_mystics.table.table import Table
from simcore.setup import Players, Setup, consecutive

#: One player, or one for each mouse, decides for the party: records have no columns by seat.
SEATS = 1


@frozen
class ChapterSetup(Setup):
    """Facts, and the settings with which a chapter of theirs is played.

    ``replays`` of each deal are played, those from ``fresh_from`` on with dice of their own
    (`simcore.mice_and_mystics.play.simulate.with_replays`).
    """

    facts: Facts
    settings: Settings
    replays: int = 1
    fresh_from: int = 1

    rules_version: ClassVar[int] = RULES_VERSION
    record: ClassVar[np.dtype] = GAME_RECORD
    seats: ClassVar[int] = SEATS
    players: ClassVar[Players] = seating

    @cached_property
    def table(self) -> Table:
        """The facts and settings as the engine reads them.  Raises TableError."""
        return compile_facts(self.facts, self.settings)

    @property
    def digests(self) -> dict[str, Any]:
        """The fingerprint of the facts, and the settings."""
        return {"facts_hash": facts_hash(self.facts), "settings": self.settings.as_json()}

    def seat(self, players: Sequence[str]) -> Records:
        """The table with its players and replays.  Raises ValueError."""
        return with_replays(super().seat(players), self.replays, self.fresh_from)

    def play(self, seated: Records, seed: int, games: Integers, out: Records) -> None:
        """Fill ``out`` with the games of these numbers, as many in one go as follow each other."""
        for first, rows in consecutive(games):
            play_rows(seated, seed=seed, first_game=first, out=out[rows])
