"""What a rule that ends a run watches: win rates, what heroes are worth, or what a card does.

The rule itself, and why its intervals hold, is in `analysis.stopping`.  All that can be watched is
a weighted sum of the win rates of groups of games.  The groups are those of the parties for the
mean over all, one party and a hero's worth.  For a card that is drawn at random (a starting
ability, a search card, an encounter) they are the games of each party without it, then those with
it: its effect is compared within parties, as in the table of its kind.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from attrs import frozen

from analysis import stopping
from analysis.estimates import RatioSums
from analysis.mice_and_mystics import run_facts
from analysis.mice_and_mystics.tallies import GIVEN, values_of
from analysis.stopping import GoalError, Known, Promise, Watched, interval_ends
from card_data.faults import did_you_mean
from simcore.mice_and_mystics.table.records import Outcome

#: What can be asked for besides a party, a hero or a card; the first is usual.
WIN_RATE, PARTIES, HEROES = "win_rate", "parties", "heroes"


@frozen
class PlayUntil(stopping.PlayUntil):
    """The run ends when a win rate, those of all parties, or what heroes are worth is known.

    ``goal.of`` is ``win_rate``, ``parties``, ``heroes``, a party (``collin,nez,tilda,filch``), a
    hero, or the id of a card that is drawn.  Raises GoalError for what the run cannot tell.
    """

    usual = WIN_RATE

    facts: run_facts.RunFacts

    def __attrs_post_init__(self) -> None:
        heroes = self._heroes
        names = [run_facts.party_name(party) for party in self.facts.parties]
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
        known = [WIN_RATE, PARTIES, HEROES, *heroes, *names, *self.facts.drawn]
        if self.of not in known:
            meant = did_you_mean(self.of, [*known, *self.facts.ids["heroes"]], "")
            raise GoalError(
                f"'{self.of}' is neither {WIN_RATE}, {PARTIES}, {HEROES} nor a hero, a party or a"
                f" card that is drawn here{meant}"
            )

    @property
    def watched(self) -> Sequence[Watched]:
        """What is watched, in the order of `_weights`."""
        player, names = self.facts.player, {one.id: one.name for one in self.facts.data.heroes}
        if self.of == WIN_RATE:
            return [Watched(WIN_RATE, "the win rate", player)]
        if self.of in {HEROES, *names}:
            return [Watched(hero, names[hero], player) for hero in self._chosen]
        if self._drawn is not None:
            return [Watched(self.of, self.facts.names[self.of], player)]
        return [
            Watched(run_facts.party_name(party), ", ".join(names[hero] for hero in party), player)
            for party in self.facts.parties
            if self.of in {PARTIES, run_facts.party_name(party)}
        ]

    def count(self, records: np.ndarray) -> np.ndarray:
        """Games and wins of each group, shape (2, n_groups)."""
        group, n_groups = self.facts.party_of(records), len(self.facts.parties)
        if self._drawn is not None:
            group = group + n_groups * self._has(records, self._drawn)
            n_groups *= 2
        won = group[records["outcome"] == Outcome.WIN]
        return np.stack([np.bincount(one, minlength=n_groups) for one in (group, won)])

    def _has(self, records: np.ndarray, drawn: run_facts.Number) -> np.ndarray:
        """Which games have the card, shape (n_games,)."""
        values = values_of(records, self.facts, drawn.field, np.array([[drawn.place]]))
        return np.asarray(values[0] > 0)

    def sums_of(self, tallied: Mapping[str, np.ndarray]) -> np.ndarray:
        """What `count` gives for games whose `tallies.TALLIES` these are."""
        every = tallied["results"][:, :2].T
        if self._drawn is None:
            return every
        place = self.facts.places[self._drawn.name]
        given = 3 + np.array([GIVEN.index(one) for one in ("n", "win")])
        with_it = tallied["numbers"][:, place, given].T
        return np.concatenate([every - with_it, with_it], axis=1)

    def rates(self, sums: np.ndarray) -> RatioSums:
        """The sums of the win rates of the groups, or of all games together: (..., n_rates)."""
        n, won = np.moveaxis(sums.astype(float), -2, 0)
        if self.of == WIN_RATE:
            n, won = (one.sum(axis=-1, keepdims=True) for one in (n, won))
        return RatioSums.one_each(n, won, won)

    def known(self, sums: np.ndarray, promise: Promise | None = None) -> Known:
        """What is known of all that is watched: weighted sums of what is known of the groups.

        ``sums`` are those of `count`, or of several looks: (..., 2, n_groups).
        """
        promise, weights = promise or self.promise, self._weights(sums)
        parts = stopping.know(self.rates(sums), Promise(promise.precision))
        used = weights != 0
        rates, errors = (
            weights * np.where(used, one[..., None, :], 0.0) for one in (parts.rate, parts.std_err)
        )
        std_err = np.sqrt((errors * errors).sum(axis=-1))
        std_err = np.where(used.any(axis=-1), std_err, np.inf)
        return Known(rates.sum(axis=-1), std_err, promise.half_width(std_err))

    def came_up(self, sums: np.ndarray) -> np.ndarray:
        """Whether the card that is watched was ever drawn; all else comes up in time."""
        if self._drawn is None:
            return np.ones(len(self.watched), np.bool_)
        return np.atleast_1d(sums[0, len(self.facts.parties) :].sum() > 0)

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
            if self._drawn is not None:
                kind = self.facts.drawn[watched.key]
                lines = tables[kind]
                rows = lines[run_facts.DRAWN[kind].column] == watched.key
                effect = float(lines.loc[rows, "win_effect"].iloc[0])
                ends = effect - reach, effect + reach
                tables[kind] = _restated(lines, rows, "win_effect_", ends)
                continue
            names = [run_facts.party_name(party) for party in self.facts.parties]
            every = names[0] if len(names) == 1 else run_facts.ALL
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
        known = np.flatnonzero(run_facts.with_without(self.facts.members).any(axis=1))
        return [self.facts.ids["heroes"][int(hero)] for hero in known]

    @property
    def _chosen(self) -> list[str]:
        """The heroes that are watched."""
        return [hero for hero in self._heroes if self.of in {HEROES, hero}]

    @property
    def _drawn(self) -> run_facts.Number | None:
        """The number of a game that says whether it has the card that is watched, if one is."""
        kind = "" if self.of in self.facts.ids["heroes"] else self.facts.drawn.get(self.of, "")
        return (
            self.facts.numbers[self.facts.places[f"{run_facts.DRAWN[kind].word}_{self.of}"]]
            if kind
            else None
        )

    def _weights(self, sums: np.ndarray) -> np.ndarray:
        """The weights of the groups in each number that is watched, (..., n_watched, n_groups)."""
        n_parties = len(self.facts.parties)
        if self.of == WIN_RATE:
            return np.ones((1, 1))
        if self.of in {HEROES, *self.facts.ids["heroes"]}:
            rows = [self.facts.ids["heroes"].index(hero) for hero in self._chosen]
            return run_facts.with_without(self.facts.members)[rows]
        if self._drawn is not None:
            games = sums[..., 0, :n_parties] + sums[..., 0, n_parties:]
            games = games * self.facts.may_have(self.of)
            shares = games / np.maximum(games.sum(axis=-1, keepdims=True), 1)
            return np.concatenate([-shares, shares], axis=-1)[..., None, :]
        names = [run_facts.party_name(party) for party in self.facts.parties]
        return np.eye(n_parties)[[names.index(one.key) for one in self.watched]]


def _restated(
    table: pd.DataFrame, rows: "pd.Series[bool]", column: str, ends: tuple[float, float]
) -> pd.DataFrame:
    """A table with other intervals of an estimate in some rows."""
    table = table.copy()
    table.loc[rows, [f"{column}ci_low", f"{column}ci_high"]] = ends
    return table
