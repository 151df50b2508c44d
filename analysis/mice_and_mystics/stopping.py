"""What a rule that ends a run watches: the win rate, those of parties, or the worth of heroes.

The rule itself, and why its intervals hold, is in `analysis.stopping`.  All that can be watched is
a weighted sum of the win rates of parties: the mean over all, one party, a hero's worth.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from attrs import field, frozen

from analysis import stopping
from analysis.estimates import RatioSums
from analysis.mice_and_mystics.run_facts import ALL, RunFacts, party_name, with_without
from analysis.stopping import Goal, GoalError, Known, Promise, Watched, interval_ends, promise_of
from card_data.faults import nearest
from simcore.mice_and_mystics.table.records import Outcome
from simcore.work.runs import Look

#: What can be asked for besides a party or a hero; the first is usual.
WIN_RATE, PARTIES, HEROES = "win_rate", "parties", "heroes"


@frozen
class PlayUntil(stopping.PlayUntil):
    """The run ends when a win rate, those of all parties, or what heroes are worth is known.

    ``goal.of`` is ``win_rate``, ``parties``, ``heroes``, a party (``collin,nez,tilda,filch``) or a
    hero.  Raises GoalError for what the run cannot tell.
    """

    goal: Goal
    facts: RunFacts
    anytime: bool = False
    on_look: Callable[[Look], None] | None = field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        heroes = self._heroes
        names = [party_name(party) for party in self.facts.parties]
        one = " in a run of one party; '--party all' plays all of them"
        if self.of in {HEROES, *self.facts.ids["heroes"]} and len(names) == 1:
            raise GoalError(f"what a hero is worth cannot be known{one}")
        if self.of in self.facts.ids["heroes"] and self.of not in heroes:
            raise GoalError(
                f"what '{self.of}' is worth cannot be known: every party of the run has them, or"
                " none has"
            )
        if self.of == HEROES and not heroes:
            raise GoalError("what a hero is worth cannot be known: all parties have the same")
        known = [WIN_RATE, PARTIES, HEROES, *heroes, *names]
        if self.of not in known:
            guess = nearest(self.of, known)
            raise GoalError(
                f"'{self.of}' is neither {WIN_RATE}, {PARTIES}, {HEROES} nor a hero or party that"
                " is played here" + (f"; did you mean '{guess}'?" if guess else "")
            )

    @property
    def of(self) -> str:
        """What the goal is about."""
        return self.goal.of or WIN_RATE

    @property
    def watched(self) -> Sequence[Watched]:
        """What is watched, in the order of `_weights`."""
        player, names = self.facts.player, {one.id: one.name for one in self.facts.data.heroes}
        if self.of == WIN_RATE:
            return [Watched(WIN_RATE, "the win rate", player)]
        if self.of in {HEROES, *names}:
            return [Watched(hero, names[hero], player) for hero in self._chosen]
        return [
            Watched(party_name(party), ", ".join(names[hero] for hero in party), player)
            for party in self.facts.parties
            if self.of in {PARTIES, party_name(party)}
        ]

    def count(self, records: np.ndarray) -> np.ndarray:
        """Games and wins of each party, shape (2, n_parties)."""
        party_of, n_parties = self.facts.party_of(records), len(self.facts.parties)
        won = party_of[records["outcome"] == Outcome.WIN]
        return np.stack([np.bincount(one, minlength=n_parties) for one in (party_of, won)])

    def rates(self, sums: np.ndarray) -> RatioSums:
        """The sums of the win rates of the parties, or of all games together: (..., n_rates)."""
        n, won = np.moveaxis(sums.astype(float), -2, 0)
        if self.of == WIN_RATE:
            n, won = (one.sum(axis=-1, keepdims=True) for one in (n, won))
        return RatioSums(n, n, won, n, won, won)

    def known(self, sums: np.ndarray, promise: Promise | None = None) -> Known:
        """What is known of all that is watched: weighted sums of what is known of the parties.

        ``sums`` are those of `count`, or of several looks: (..., 2, n_parties).
        """
        promise, weights = promise or self.promise, self._weights
        parts = stopping.know(self.rates(sums), Promise(promise.precision))
        used = weights != 0
        rates, errors = (
            weights * np.where(used, one[..., None, :], 0.0) for one in (parts.rate, parts.std_err)
        )
        std_err = np.sqrt((errors * errors).sum(axis=-1))
        return Known(rates.sum(axis=-1), std_err, promise.half_width(std_err))

    def restate(
        self, tables: Mapping[str, pd.DataFrame], sums: np.ndarray, promise: Promise
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals of a promise wherever something was watched."""
        known, tables = self.known(sums, promise), dict(tables)
        for watched, rate, reach in zip(self.watched, known.rate, known.half_width, strict=True):
            if not np.isfinite(reach):
                continue
            if watched.key in self.facts.ids["heroes"]:
                heroes = tables["heroes"]["hero"] == watched.key
                tables["heroes"] = _restated(
                    tables["heroes"], heroes, "worth_", (rate - reach, rate + reach)
                )
                continue
            names = [party_name(party) for party in self.facts.parties]
            every = names[0] if len(names) == 1 else ALL
            party = every if watched.key == WIN_RATE else watched.key
            ends = interval_ends(float(rate), float(reach))
            lines = tables["outcomes"]
            rows = (lines["party"] == party) & (lines["statistic"] == "win")
            tables["outcomes"] = _restated(lines, rows, "", ends)
            rows = tables["parties"]["party"] == party
            tables["parties"] = _restated(tables["parties"], rows, "win_rate_", ends)
        return tables

    @property
    def _heroes(self) -> list[str]:
        """The heroes whose worth can be known."""
        known = np.flatnonzero(with_without(self.facts.members).any(axis=1))
        return [self.facts.ids["heroes"][int(hero)] for hero in known]

    @property
    def _chosen(self) -> list[str]:
        """The heroes that are watched."""
        return [hero for hero in self._heroes if self.of in {HEROES, hero}]

    @property
    def _weights(self) -> np.ndarray:
        """The weights of the parties in each number that is watched, (n_watched, n_parties)."""
        n_parties = len(self.facts.parties)
        if self.of == WIN_RATE:
            return np.ones((1, 1))
        if self.of in {HEROES, *self.facts.ids["heroes"]}:
            rows = [self.facts.ids["heroes"].index(hero) for hero in self._chosen]
            return with_without(self.facts.members)[rows]
        names = [party_name(party) for party in self.facts.parties]
        return np.eye(n_parties)[[names.index(one.key) for one in self.watched]]


def _restated(
    table: pd.DataFrame, rows: "pd.Series[bool]", column: str, ends: tuple[float, float]
) -> pd.DataFrame:
    """A table with other intervals of an estimate in some rows."""
    table = table.copy()
    table.loc[rows, [f"{column}ci_low", f"{column}ci_high"]] = ends
    return table


def restate(
    tables: Mapping[str, pd.DataFrame], facts: RunFacts, sums: np.ndarray, until: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """The tables of a run with the intervals of the rule that ended it.

    ``until`` is what its manifest says of the rule, ``sums`` are those of `PlayUntil.count`.
    """
    rule = PlayUntil(Goal(float(until["precision"]), until["of"]), facts)
    return rule.restate(tables, sums, promise_of(until))
