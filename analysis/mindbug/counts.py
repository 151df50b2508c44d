"""What is counted of the games of a run, and the facts of the run that its tables need."""

from collections.abc import Mapping
from typing import Any, get_type_hints

import numpy as np
import pandas as pd
from attrs import evolve, frozen

from analysis.mindbug.expansion_tallies import ExpansionFeatures, ExpansionTally, tally_expansions
from analysis.mindbug.explain.tally import PartTally, tally_parts
from analysis.mindbug.pair_tallies import PairTally, tally_pairs
from analysis.mindbug.tallies import CardTraits, Tally, tally_games
from card_data.mindbug.schema import Card, Pool
from simcore.mindbug.table.records import GAME_RECORD


@frozen
class RunCounts:
    """The counts of some games of a run; ``a + b`` are those of the games of both."""

    manifest: Mapping[str, Any]
    features: ExpansionFeatures
    traits: CardTraits
    tally: Tally
    expansions: ExpansionTally
    pairs: PairTally
    parts: PartTally

    @classmethod
    def of_no_games(cls, pool: Pool, manifest: Mapping[str, Any]) -> "RunCounts":
        """Nothing is counted yet; the pool and the manifest are those of the run."""
        features = ExpansionFeatures(pool)
        traits = CardTraits.of([card for _, card in features.cards])
        return cls(manifest, features, traits, *_count(manifest, features, traits, _NO_GAMES))

    @property
    def sums(self) -> dict[str, np.ndarray]:
        """All that was counted, by tally and array."""
        return {
            f"{name}.{array}": getattr(getattr(self, name), array)
            for name, tally in _TALLIES.items()
            for array in get_type_hints(tally)
        }

    def of_sums(self, sums: Mapping[str, np.ndarray]) -> "RunCounts":
        """The same facts with other sums."""
        tallies = {
            name: tally(**{array: sums[f"{name}.{array}"] for array in get_type_hints(tally)})
            for name, tally in _TALLIES.items()
        }
        return evolve(self, **tallies)

    @property
    def policies(self) -> list[str]:
        """Who played: the policy of each player."""
        return list(self.manifest["policies"])

    @property
    def cards(self) -> list[tuple[str, Card]]:
        """Set id and card of each row of the card table."""
        return self.features.cards

    def count(self, games: np.ndarray) -> "RunCounts":
        """These counts with those of more games, of dtype ``GAME_RECORD``."""
        return self._plus(*_count(self.manifest, self.features, self.traits, games))

    def __add__(self, other: "RunCounts") -> "RunCounts":
        return self._plus(other.tally, other.expansions, other.pairs, other.parts)

    def _plus(
        self, tally: Tally, expansions: ExpansionTally, pairs: PairTally, parts: PartTally
    ) -> "RunCounts":
        return evolve(
            self,
            tally=self.tally + tally,
            expansions=self.expansions + expansions,
            pairs=self.pairs.plus(pairs),
            parts=self.parts.plus(parts),
        )

    def restate(
        self, tables: Mapping[str, pd.DataFrame], until: Mapping[str, Any]
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals that the stopping rule promised which ended the run."""
        from analysis.mindbug.stopping import PlayUntil
        from analysis.stopping import goal_of, promise_of

        rule = PlayUntil(goal_of(until), [card for _, card in self.cards], self.policies)
        return rule.restate(tables, self.tally, promise_of(until))


_TALLIES = {"tally": Tally, "expansions": ExpansionTally, "pairs": PairTally, "parts": PartTally}
_NO_GAMES = np.empty(0, GAME_RECORD)


def _count(
    manifest: Mapping[str, Any], features: ExpansionFeatures, traits: CardTraits, games: np.ndarray
) -> tuple[Tally, ExpansionTally, PairTally, PartTally]:
    """What is counted of some games."""
    same = len(set(manifest["policies"])) == 1
    mindbugs = features.pool.modes.mindbugs
    return (
        tally_games(games, traits, same_policy=same, mindbugs_each=mindbugs),
        tally_expansions(games, features, same_policy=same),
        tally_pairs(games, len(traits.power)),
        tally_parts(games, np.arange(len(traits.power)), same_policy=same),
    )


def compile_counting() -> None:
    """Compile what counts games, where that has not been done."""
    game, traits = np.zeros(1, GAME_RECORD), CardTraits(*np.zeros((2, 1), np.int64))
    tally_games(game, traits, same_policy=True, mindbugs_each=2)
    tally_pairs(game, 1)
    tally_parts(game, np.zeros(1, np.int64), same_policy=True)
