"""Games of variants and of their base on the same deals: who was dealt a card, and their points."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from analysis.influence import Influence
from analysis.questions.sensitivity import Change, Observed, Pair
from analysis.questions.worth import Held
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import Variant
from simcore.arrays import Bools, Floats, Integers, Records
from simcore.mindbug.table.records import DEALT_EACH

_INT = npt.NDArray[np.int8]
#: Points are counted in halves, so that a draw is a whole number.
HALF = 0.5


@frozen
class Trials:
    """A card, the reference that takes its place, the card's variants, and their games.

    ``outcomes`` are arrays of OUTCOME, one for each variant.
    """

    card: Card
    reference: Card
    variants: tuple[Variant, ...]
    outcomes: tuple[Records, ...]


class Scores:
    """Who was dealt each card in the games of the base, and the points of these players.

    ``players`` are those who count: both, or one of two with different policies.
    """

    def __init__(self, pool: Pool, base: Records, players: Sequence[int] = (0, 1)) -> None:
        cards = [card.card_id for card_set in pool.sets for card in card_set.cards]
        self._rows = {card_id: row for row, card_id in enumerate(cards)}
        self._counts = np.isin((0, 1), players)
        self.base = base

    def copies(self, card: Card, games: Records | None = None) -> Integers:
        """How many copies each player was dealt in the base or in other games, (n_games, 2)."""
        hands = (self.base if games is None else games)["cards"].reshape(-1, 2, DEALT_EACH)
        return np.asarray((hands == self._rows[card.card_id]).sum(axis=2) * self._counts)

    def dealt(self, card: Card, games: Records | None = None) -> Bools:
        """Whether each player was dealt the card, shape (n_games, 2)."""
        return self.copies(card, games) > 0

    def halves(self, outcome: Records, dealt: Bools) -> _INT:
        """The points in each game of the players who were dealt a card, in halves."""
        first = _halves(outcome["winner"], 0)
        return np.asarray(dealt[:, 0] * first + dealt[:, 1] * (2 - first))

    def of(self, outcome: Records, dealt: Bools) -> Floats:
        """The same in points."""
        return self.halves(outcome, dealt) / 2

    def held(self, outcome: Records, dealt: Bools) -> Held:
        """Players who were dealt a card, with and without a change that deals the same."""
        n, (before, after) = count(dealt), (self.halves(x, dealt) for x in (self.base, outcome))
        return Held(n, before, after, HALF)

    def win_rate(self, card: Card) -> Influence:
        """The win rate, in the base, of players who were dealt the card."""
        return self.held(self.base, self.dealt(card)).rate


def count(dealt: Bools) -> _INT:
    """How many players were dealt a card, (n_games,)."""
    return dealt.sum(axis=1, dtype=np.int8)


def _halves(winner: npt.NDArray[np.int8], player: int | _INT) -> _INT:
    """The points of a player in halves: 2 for a win, 1 for a draw."""
    return np.where(winner < 0, 1, 2 * (winner == player)).astype(np.int8)


@frozen
class CardChange(Change):
    """A variant of a card among the games of a base; who played stands in ``policy``."""

    card: Card
    variant: Variant
    policy: str
    scores: Scores = field(repr=False, eq=False)

    @property
    def about(self) -> Mapping[str, Any]:
        """The columns that say what is changed."""
        return {
            "card_id": self.card.card_id,
            "name": self.card.name,
            "policy": self.policy,
            "change": self.variant.change,
            "kind": self.variant.kind,
            "label": self.variant.label,
        }

    def pairs(self, games: Records) -> Mapping[str, Pair]:
        """Players who were dealt the card, those who start, and turns."""
        scores, base = self.scores, self.scores.base
        dealt = own = scores.dealt(self.card)
        if "cards" in (games.dtype.names or ()):  # other copies, other deals
            own = scores.dealt(self.card, games)
        every = np.ones(len(base), np.int8)
        sides = ((base, dealt), (games, own))
        dealt_pair = (Observed(count(held), scores.halves(x, held)) for x, held in sides)
        # Who starts may be another where powers differ (R11).
        first = (Observed(every, _halves(x["winner"], x["first_player"])) for x in (base, games))
        turns = (Observed(every, x["turns"]) for x in (base, games))
        return {
            "dealt": Pair.of(dealt_pair, HALF),
            "first_player_win_rate": Pair.of(first, HALF),
            "mean_turns": Pair.of(turns),
        }

    def is_unread(self, games: Records) -> bool:  # noqa: ARG002 - it is the same card
        """Whether the variant is the card as it is."""
        return self.variant.card == self.card
