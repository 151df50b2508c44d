"""When a chapter is balanced: the win rate of every legal party in a band; measured from games."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.estimates import Estimate, Z, estimate_share
from analysis.experiments.goals import MET, MISSED, NOT_SHOWN, Excess
from analysis.simultaneous import of_enough_games
from analysis.verdicts import FAIR, TOO_STRONG, TOO_WEAK, verdicts

_FLOAT = npt.NDArray[np.float64]
_GAMES = npt.NDArray[np.void]


@frozen
class Band:
    """The least and the most that a party may win, as shares of its games."""

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
    """The win rates of parties, and where they stand in the band, arrays of shape (n_parties,)."""

    rates: Estimate
    stands: _FLOAT
    errors: _FLOAT

    @property
    def excess(self) -> float:
        """By how much all parties together are outside the band, in half its width."""
        return float(np.maximum(np.abs(self.stands) - 1, 0).sum())

    @property
    def worst(self) -> int:
        """The party that is farthest from the middle of the band."""
        return int(np.argmax(np.abs(self.stands)))


@frozen
class Meter:
    """Measures games, of `trials.RESULT`, against the band."""

    band: Band
    n_parties: int

    def measure(self, games: _GAMES) -> Measured:
        """The win rate of every party."""
        n = np.bincount(games["party"], minlength=self.n_parties)
        wins = np.bincount(games["party"], games["won"], self.n_parties)
        rates = estimate_share(wins, n)
        stands = np.nan_to_num((rates.estimate - self.band.middle) / self.band.reach)
        return Measured(rates, stands, np.nan_to_num(rates.std_err / self.band.reach))

    def moved_errors(self, games: _GAMES, others: _GAMES) -> _FLOAT:
        """Standard errors of the differences between games with the same chance, as `errors`."""
        moved = games["won"].astype(float) - others["won"]
        n = np.bincount(games["party"], minlength=self.n_parties)
        sums, squares = (
            np.bincount(games["party"], values, self.n_parties) for values in (moved, moved**2)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = squares / n - (sums / n) ** 2
            return np.nan_to_num(np.sqrt(np.maximum(variance, 0) / n)) / self.band.reach

    def excess(self, measured: Measured, games: _GAMES) -> Excess:
        """By how much all parties together are outside the band, in half its width.

        A party whose interval reaches outside counts in the error as if it were outside: at the
        edge the excess has no derivative, and without such parties the error would be too small.
        """
        might = np.abs(measured.stands) + Z * measured.errors > 1
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = np.nan_to_num(
                might * np.sign(measured.stands) / measured.rates.n / self.band.reach
            )
        rates = np.nan_to_num(measured.rates.estimate)
        party = games["party"]
        return Excess(measured.excess, weights[party] * (games["won"] - rates[party]))

    def verdicts(self, measured: Measured) -> list[str]:
        """What is shown of each party; see `goals.VERDICTS`."""
        low, high = of_enough_games(measured.rates)[1:3]
        words = {FAIR: MET, TOO_STRONG: MISSED, TOO_WEAK: MISSED}
        judged = verdicts(low, high, band=self.band.reach, null=self.band.middle)
        return [words.get(one, NOT_SHOWN) for one in judged]

    def table(self, measured: Measured, parties: Sequence[str]) -> pd.DataFrame:
        """A row for each party: its win rate, the interval and what is shown."""
        rates = of_enough_games(measured.rates)
        return pd.DataFrame(
            {
                "party": list(parties),
                "n": rates.n.astype(np.int64),
                "estimate": rates.estimate,
                "ci_low": rates.ci_low,
                "ci_high": rates.ci_high,
                "verdict": self.verdicts(measured),
            }
        )
