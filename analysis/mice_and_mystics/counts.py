"""What is counted of the games of a run, party by party."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from attrs import evolve, field, frozen

from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.tallies import NO_GAMES, TALLIES

# Games whose records are looked at together; those of one party are copied out of them.
_BLOCK = 16_384


@frozen
class RunCounts:
    """The counts of some games of a run; ``a + b`` are those of the games of both.

    ``sums`` holds an array of int64 for each of `tallies.TALLIES`, whose first axis is the party.
    """

    facts: RunFacts
    sums: Mapping[str, np.ndarray] = field(repr=False)

    @classmethod
    def of_no_games(cls, facts: RunFacts) -> "RunCounts":
        """Nothing is counted yet."""
        nothing = {name: tally(NO_GAMES, facts) for name, tally in TALLIES.items()}
        n_parties = len(facts.parties)
        return cls(facts, {name: np.stack([one] * n_parties) for name, one in nothing.items()})

    def of_sums(self, sums: Mapping[str, np.ndarray]) -> "RunCounts":
        """The same facts with other sums."""
        return evolve(self, sums=sums)

    def count(self, games: np.ndarray) -> "RunCounts":
        """These counts with those of more games, of dtype ``GAME_RECORD``."""
        sums = {name: one.copy() for name, one in self.sums.items()}
        for start in range(0, len(games), _BLOCK):
            block = games[start : start + _BLOCK]
            party_of = self.facts.party_of(block)
            if (party_of < 0).any():
                raise ValueError("a game was played by a party that is not among those of the run")
            for party in np.unique(party_of):
                of_party = np.take(block, np.flatnonzero(party_of == party))
                for name, tally in TALLIES.items():
                    sums[name][party] += tally(of_party, self.facts)
        return evolve(self, sums=sums)

    @property
    def n_games(self) -> np.ndarray:
        """Games of each party, shape (n_parties,)."""
        return self.sums["results"][:, 0]

    def __add__(self, other: "RunCounts") -> "RunCounts":
        sums = {name: one + other.sums[name] for name, one in self.sums.items()}
        return evolve(self, sums=sums)

    def restate(
        self, tables: Mapping[str, pd.DataFrame], until: Mapping[str, Any]
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals that the stopping rule promised which ended the run."""
        from analysis.mice_and_mystics.stopping import PlayUntil
        from analysis.stopping import goal_of, promise_of

        rule = PlayUntil(goal_of(until), self.facts)
        return rule.restate(tables, rule.sums_of(self.sums), promise_of(until))
