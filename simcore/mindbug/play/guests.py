"""A pool among whose cards a few others are dealt: each game has some of many guests.

So many cards can be played in a pool that stays what it is.
"""

from typing import Any

import numpy as np
from attrs import frozen

from simcore.arrays import Integers, Records
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows

#: Games that follow each other and have the same guests in the pool.
SAME_GUESTS = 32


@frozen
class GuestSetup(PoolSetup):
    """A pool whose last set has the guests, one copy of each; ``guests`` of them are in a game."""

    guests: int

    @property
    def digests(self) -> dict[str, Any]:
        """The fingerprint of the pool, and how many guests a game has."""
        return {**super().digests, "guests": self.guests}

    def play(self, seated: Records, seed: int, games: Integers, out: Records) -> None:
        """Fill ``out`` with the games of these numbers, each with guests drawn by its number."""
        rows = seated.copy()
        size, n_guests = int(seated[0]["pool_size"]), len(self.pool.sets[-1].cards)
        hosts = size - n_guests
        rows["pool_size"] = hosts + self.guests
        blocks = games // SAME_GUESTS
        for block in np.unique(blocks):
            rng = np.random.default_rng((seed, int(block)))
            chosen = hosts + rng.choice(n_guests, self.guests, replace=False)
            rows["pool"][:, hosts : hosts + self.guests] = seated["pool"][:, chosen]
            mine = np.flatnonzero(blocks == block)
            out[mine] = play_rows(rows, seed=seed, games=games[mine])
