"""When a chapter is balanced: the win rates of parties, or the effects of entries, in a band.

Effects are those of a verdict (`verdict_effects`): what an entry adds to the win rate.
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import Estimate, estimate_share
from analysis.experiments.goals import MET, MISSED, NOT_SHOWN, Excess
from analysis.mice_and_mystics.experiments.verdict_effects import Sorted
from analysis.simultaneous import of_enough_games
from analysis.verdicts import FAIR, TOO_STRONG, TOO_WEAK, verdicts

_FLOAT = npt.NDArray[np.float64]
_GAMES = npt.NDArray[np.void]


@frozen
class Band:
    """The least and the most that is fair: shares of games won, or an effect on them."""

    least: float
    most: float

    @property
    def middle(self) -> float:
        """The middle of the band."""
        return (self.least + self.most) / 2

    @property
    def reach(self) -> float:
        """Half its width."""
        return (self.most - self.least) / 2


@frozen
class Measured:
    """Win rates or effects, and where they stand in the band, arrays of shape (n_goals,)."""

    rates: Estimate
    stands: _FLOAT
    errors: _FLOAT

    @property
    def excess(self) -> float:
        """By how much all goals together are missed, in half the width of the band."""
        return float(np.maximum(np.abs(self.stands) - 1, 0).sum())

    @property
    def worst(self) -> int:
        """The goal that is farthest from the middle of the band."""
        return int(np.argmax(np.abs(self.stands)))


@frozen
class Meter:
    """Measures the win rates of parties against the band, in games of `trials.RESULT`."""

    band: Band
    n_goals: int

    def measure(self, games: _GAMES) -> Measured:
        """The win rate of every party."""
        n = np.bincount(games["party"], minlength=self.n_goals)
        wins = np.bincount(games["party"], games["won"], self.n_goals)
        rates = estimate_share(wins, n)
        stands = np.nan_to_num((rates.estimate - self.band.middle) / self.band.reach)
        return Measured(rates, stands, np.nan_to_num(rates.std_err / self.band.reach))

    def moved_errors(self, games: _GAMES, others: _GAMES) -> _FLOAT:
        """Standard errors of the differences between games with the same chance, as `errors`."""
        moved = games["won"].astype(float) - others["won"]
        n = np.bincount(games["party"], minlength=self.n_goals)
        sums, squares = (
            np.bincount(games["party"], values, self.n_goals) for values in (moved, moved**2)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares / n - (sums / n) ** 2
            return np.nan_to_num(np.sqrt(np.maximum(variance, 0) / n)) / self.band.reach

    def excess(self, measured: Measured, games: _GAMES) -> Excess:
        """By how much all goals together are missed, in half the width of the band.

        One whose interval reaches outside counts in the error as if it were outside: at the edge
        the excess has no derivative, and without those the error would be too small.
        """
        might = np.abs(measured.stands) + normal_z() * measured.errors > 1
        signs = might * np.sign(measured.stands) / self.band.reach
        return Excess(measured.excess, self._influence(games, signs))

    def _influence(self, games: _GAMES, signs: _FLOAT) -> _FLOAT:
        """What each game adds to the sum of all numbers, each times its sign."""
        found = self.measure(games).rates
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = np.nan_to_num(signs / found.n)
        rates, party = np.nan_to_num(found.estimate), games["party"]
        return np.asarray(weights[party] * (games["won"] - rates[party]))

    def verdicts(self, measured: Measured) -> list[str]:
        """What is shown of each; see `goals.VERDICTS`."""
        low, high = of_enough_games(measured.rates)[1:3]
        words = {FAIR: MET, TOO_STRONG: MISSED, TOO_WEAK: MISSED}
        judged = verdicts(low, high, band=self.band.reach, null=self.band.middle)
        return [words.get(one, NOT_SHOWN) for one in judged]

    def table(self, measured: Measured) -> pd.DataFrame:
        """A row for each: its number, the interval and what is shown."""
        rates = of_enough_games(measured.rates)
        return pd.DataFrame(
            {
                "n": rates.n.astype(np.int64),
                "estimate": rates.estimate,
                "ci_low": rates.ci_low,
                "ci_high": rates.ci_high,
                "verdict": self.verdicts(measured),
            }
        )


@frozen
class EffectMeter(Meter):
    """Measures the effects of entries against the band.

    ``groups`` are the games of the seed by what was drawn for each entry.  Where that compares
    games with those that have an average one in its place, ``swaps`` has the place of their results
    in the field ``instead`` of games; -1 elsewhere.
    """

    groups: tuple[Sorted, ...]
    swaps: tuple[int, ...]

    def measure(self, games: _GAMES) -> Measured:
        """The effect of every entry."""
        found = [self._effect(goal, games) for goal in range(self.n_goals)]
        rates = Estimate(*(np.concatenate(part) for part in zip(*found, strict=True)))
        stands = np.nan_to_num((rates.estimate - self.band.middle) / self.band.reach)
        return Measured(rates, stands, np.nan_to_num(rates.std_err / self.band.reach))

    def moved_errors(self, games: _GAMES, others: _GAMES) -> _FLOAT:
        """Standard errors of the differences between games with the same chance, as `errors`."""
        errors = []
        for goal, groups in enumerate(self.groups):
            moved = self._values(goal, games) - self._values(goal, others)
            errors.append(groups.first(len(games)).of(moved).std_err)
        return np.nan_to_num(np.concatenate(errors)) / self.band.reach

    def _effect(self, goal: int, games: _GAMES) -> Estimate:
        return self.groups[goal].first(len(games)).of(self._values(goal, games))

    def _values(self, goal: int, games: _GAMES) -> _FLOAT:
        """What the effect of an entry is made of, game by game."""
        won, place = games["won"].astype(float), self.swaps[goal]
        return won if place < 0 else won - games["instead"][:, place]

    def _influence(self, games: _GAMES, signs: _FLOAT) -> _FLOAT:
        """What each game adds to the sum of all effects, each times its sign."""
        total = np.zeros(len(games))
        for goal, sign in enumerate(signs):
            groups, values = self.groups[goal], self._values(goal, games)
            group, size = groups.group[: len(games)], len(groups.weights)
            n = np.maximum(np.bincount(group, minlength=size), 1)
            means = np.bincount(group, values, size) / n
            total += sign * (groups.weights / n)[group] * (values - means[group])
        return total
