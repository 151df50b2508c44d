"""Games of variants and of their base on the same deals: who was dealt a card, and their points.

`sensitivity` and `change_effects` make estimates from them.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import Variant
from simcore.mindbug.table.records import DEALT_EACH

_FLOAT = npt.NDArray[np.float64]


@frozen
class Trials:
    """A card, the reference that takes its place, the card's variants, and their games.

    ``outcomes`` are arrays of OUTCOME, one for each variant.
    """

    card: Card
    reference: Card
    variants: tuple[Variant, ...]
    outcomes: tuple[npt.NDArray[np.void], ...]


@frozen
class Effect:
    """An estimate with the influence of each game on it."""

    estimate: float
    influence: _FLOAT
    games: int

    @property
    def std_err(self) -> float:
        """The standard error; nan for fewer than two games."""
        if self.games < 2:
            return np.nan
        return float(np.sqrt(self.influence @ self.influence * self.games / (self.games - 1)))


class Scores:
    """Who was dealt each card in the games of the base, and the points of these players.

    ``players`` are those who count: both, or one of two with different policies.
    """

    def __init__(
        self, pool: Pool, base: npt.NDArray[np.void], players: Sequence[int] = (0, 1)
    ) -> None:
        cards = [card.card_id for card_set in pool.sets for card in card_set.cards]
        self._rows = {card_id: row for row, card_id in enumerate(cards)}
        self._counts = np.isin((0, 1), players)
        self.base = base

    def copies(
        self, card: Card, games: npt.NDArray[np.void] | None = None
    ) -> npt.NDArray[np.int64]:
        """How many copies each player was dealt in the base or in other games, (n_games, 2)."""
        hands = (self.base if games is None else games)["cards"].reshape(-1, 2, DEALT_EACH)
        return np.asarray((hands == self._rows[card.card_id]).sum(axis=2) * self._counts)

    def dealt(self, card: Card, games: npt.NDArray[np.void] | None = None) -> npt.NDArray[np.bool_]:
        """Whether each player was dealt the card, shape (n_games, 2)."""
        return self.copies(card, games) > 0

    def of(self, outcome: npt.NDArray[np.void], dealt: npt.NDArray[np.bool_]) -> _FLOAT:
        """The points in each game of the players who were dealt a card; a draw is half a point."""
        winner = outcome["winner"]
        points = np.where(winner < 0, 0.5, winner == 0)
        return np.asarray(dealt[:, 0] * points + dealt[:, 1] * (1 - points))

    def win_rate(self, card: Card) -> Effect:
        """The win rate, in the base, of players who were dealt the card."""
        dealt = self.dealt(card)
        return ratio(self.of(self.base, dealt), dealt.sum(axis=1))


def ratio(s: _FLOAT, n: npt.NDArray[np.int64]) -> Effect:
    """The ratio of the sums of s and n over games."""
    total = n.sum()
    if not total:
        return Effect(np.nan, np.full(len(s), np.nan), 0)
    mean = float(s.sum() / total)
    return Effect(mean, (s - mean * n) / total, int(np.count_nonzero(n)))
