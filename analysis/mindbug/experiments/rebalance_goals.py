"""When a pool counts as balanced, and how far it is from that, measured from games.

A goal is a number of the pool and a range for it: the advantage of every card, the win rate of the
player who starts, the mean number of turns.  If c is the middle of the range and a half its width,
a number v *stands* at (v - c) / a: between -1 and 1 the goal is met, whatever the number counts.
The *excess* of some goals is the sum of what lies outside; reports give it for each kind of goal,
in its own unit.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import Estimate, RatioSums, estimate_mean, estimate_rate
from analysis.experiments.goals import MET, MISSED, NOT_SHOWN, Excess
from analysis.simultaneous import of_enough_games
from analysis.verdicts import BAND, FAIR, TOO_STRONG, TOO_WEAK, verdicts
from card_data.mindbug.schema import Pool
from card_data.mindbug.variants import dealt_cards
from simcore.mindbug.table.records import DEALT_EACH

#: The goals about the whole game, by the names of their numbers.
FIRST_PLAYER, TURNS = "first_player_win_rate", "mean_turns"
#: The kind of goal that every card has.
CARD = "card"

_HALF = 0.5
_CHUNK = 10_000  # games that are spread over all cards at once
_FLOAT = npt.NDArray[np.float64]
_BOOL = npt.NDArray[np.bool_]
_GAMES = npt.NDArray[np.void]


@frozen
class Goals:
    """What is asked for.

    ``band``: the largest advantage of a card, either way.  ``first_player``: the largest share of
    the games that the player who starts may win, or lose; None for no such goal.  ``turns``: the
    least and the most mean number of turns.  ``cards``: the ids of those that are judged; none for
    all.
    """

    band: float = BAND
    first_player: float | None = None
    turns: tuple[float, float] | None = None
    cards: tuple[str, ...] = ()

    def of_game(self) -> dict[str, tuple[float, float]]:
        """The goals about the whole game: the middle of the range and half its width."""
        goals = {}
        if self.first_player is not None:
            goals[FIRST_PLAYER] = (_HALF, self.first_player - _HALF)
        if self.turns is not None:
            least, most = self.turns
            goals[TURNS] = ((least + most) / 2, (most - least) / 2)
        return goals


@frozen
class Measured:
    """The numbers of a pool: those of its cards, in their order, then those of the whole game.

    ``numbers`` is an `Estimate` of arrays of shape (n_goals,); ``stands`` and ``errors`` are where
    the numbers stand and the standard errors, in the units of each goal.
    """

    numbers: Estimate
    stands: _FLOAT
    errors: _FLOAT

    @property
    def excess(self) -> float:
        """By how much all goals together are missed."""
        return float(np.maximum(np.abs(self.stands) - 1, 0).sum())

    @property
    def beyond(self) -> _FLOAT:
        """On which side of its range each number lies: -1 below, 1 above, 0 inside it."""
        return np.where(np.abs(self.stands) > 1, np.sign(self.stands), 0.0)


class Meter:
    """Measures the games of a pool, and of the pool changed, against goals."""

    def __init__(self, goals: Goals, pool: Pool) -> None:
        places = [card.card_id for card_set in pool.sets for card in card_set.cards]
        only = set(goals.cards)
        self.cards = [card for card in dealt_cards(pool) if not only or card.card_id in only]
        self.goals = goals
        self._n_places = len(places)
        self._rows = [places.index(card.card_id) for card in self.cards]
        of_game = goals.of_game()
        self._of_game_names = list(of_game)
        self.names = [*(card.card_id for card in self.cards), *of_game]
        #: Which numbers are of each kind of goal.
        kinds = np.array([CARD] * len(self.cards) + [*of_game])
        self.kinds: dict[str, _BOOL] = {kind: kinds == kind for kind in (CARD, *of_game)}
        ranges = [(0.0, goals.band)] * len(self.cards) + list(of_game.values())
        self.middle, self.reach = np.array(ranges).T

    def measure(self, games: _GAMES, deals: npt.NDArray[np.int16]) -> Measured:
        """The numbers of a pool.

        Parameters
        ----------
        games
            Of OUTCOME, shape (n_games,).
        deals
            The 20 cards of each game, as places in the pool, shape (n_games, 20).
        """
        sums = np.zeros((6, len(self.cards)))
        points = _points(games)
        for first in range(0, len(games), _CHUNK):
            part = slice(first, first + _CHUNK)
            n, s = self._spread(deals[part], points[part])
            sums += [one.sum(axis=0) for one in (n > 0, n, s, n * n, n * s, s * s)]
        of_cards = estimate_rate(RatioSums(*sums))
        of_game = [self._of_game(name, games) for name in self._of_game_names]
        numbers = Estimate(*(np.append(*pair) for pair in zip(
            (*(ends - _HALF for ends in of_cards[:3]), *of_cards[3:]),
            zip(*of_game, strict=True) if of_game else [()] * 5, strict=True,
        )))  # fmt: skip
        errors = np.nan_to_num(numbers.std_err / self.reach)
        stands = np.nan_to_num((numbers.estimate - self.middle) / self.reach)
        return Measured(numbers, stands, errors)

    def moved_errors(self, games: _GAMES, others: _GAMES, deals: npt.NDArray[np.int16]) -> _FLOAT:
        """Standard errors of the differences between games with the same deals, as `errors`.

        A game in which both players hold a card says nothing about it.
        """
        moved = _points(games) - _points(others)
        squares, held = np.zeros(len(self.cards)), np.zeros(len(self.cards))
        for first in range(0, len(games), _CHUNK):
            part = slice(first, first + _CHUNK)
            n, _ = self._spread(deals[part], moved[part])
            squares += (moved[part] ** 2) @ (n == 1)
            held += n.sum(axis=0)
        of_game = [_number(name, games) - _number(name, others) for name in self._of_game_names]
        with np.errstate(divide="ignore", invalid="ignore"):
            of_cards = np.nan_to_num(np.sqrt(squares) / held)
        return np.append(of_cards, [one.std() / len(one) ** 0.5 for one in of_game]) / self.reach

    def excess(
        self,
        measured: Measured,
        games: _GAMES,
        deals: npt.NDArray[np.int16],
        goals: _BOOL,
    ) -> Excess:
        """By how much some goals are missed, in half the width of their ranges.

        A number whose interval reaches outside its range counts in the error as if it lay outside:
        at the edge the excess has no derivative, and without such numbers the error would be too
        small.
        """
        value = float(np.maximum(np.abs(measured.stands[goals]) - 1, 0).sum())
        might = np.abs(measured.stands) + normal_z() * measured.errors > 1
        weights = np.where(goals & might, np.sign(measured.stands), 0.0)
        n_cards, points = len(self.cards), _points(games)
        rates = measured.numbers.estimate[:n_cards] + _HALF
        weights = weights / self.reach
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.nan_to_num(weights[:n_cards] / measured.numbers.n[:n_cards])
        influence = np.zeros(len(games))
        for first in range(0, len(games) if each.any() else 0, _CHUNK):
            part = slice(first, first + _CHUNK)
            n, s = self._spread(deals[part], points[part])
            influence[part] = (s - np.nan_to_num(rates) * n) @ each
        for name, weight in zip(self._of_game_names, weights[n_cards:], strict=True):
            number = _number(name, games)
            influence += weight * (number - number.mean()) / len(games)
        return Excess(value, influence)

    def verdicts(self, measured: Measured) -> list[str]:
        """A verdict on each number; too few games show nothing."""
        low, high = of_enough_games(measured.numbers)[1:3]
        words = {FAIR: MET, TOO_STRONG: MISSED, TOO_WEAK: MISSED}
        judged = verdicts(low, high, band=self.reach, null=self.middle)
        return [words.get(one, NOT_SHOWN) for one in judged]

    def table(self, measured: Measured) -> pd.DataFrame:
        """A row for each number, with its interval and verdict."""
        names = {card.card_id: card.name for card in self.cards}
        columns: dict[str, Any] = {
            "goal": [CARD] * len(self.cards) + self.names[len(self.cards) :],
            "card_id": [name if name in names else "" for name in self.names],
            "name": [names.get(name, "") for name in self.names],
            "n": measured.numbers.n.astype(np.int64),
            "least": self.middle - self.reach,
            "most": self.middle + self.reach,
        }
        numbers = of_enough_games(measured.numbers)
        ends = zip(("estimate", "ci_low", "ci_high"), numbers[:3], strict=True)
        return pd.DataFrame(columns | dict(ends) | {"verdict": self.verdicts(measured)})

    def _spread(
        self, deals: npt.NDArray[np.int16], points: _FLOAT
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """For each game and card how many players were dealt it, and their points together."""
        hands = deals.reshape(len(deals), 2, DEALT_EACH).astype(np.intp)
        held = np.zeros((len(deals), 2, self._n_places), np.float32)
        np.put_along_axis(held, hands, 1, axis=2)
        held = held[:, :, self._rows]
        mine = points.astype(np.float32)[:, None]
        return held.sum(axis=1), held[:, 0] * mine + held[:, 1] * (1 - mine)

    def _of_game(self, name: str, games: _GAMES) -> tuple[float, ...]:
        """A number of the whole game, estimated."""
        number = _number(name, games)
        total, n = number.sum(), len(games)
        sums = RatioSums(
            *(np.array(float(one)) for one in (n, n, total, n, total, number @ number))
        )
        estimate = estimate_mean(sums) if name == TURNS else estimate_rate(sums)
        return tuple(float(one) for one in estimate)


def _points(games: _GAMES) -> _FLOAT:
    """The points of player 0; a draw is half a point."""
    winner = games["winner"]
    return np.where(winner < 0, _HALF, winner == 0).astype(float)


def _number(name: str, games: _GAMES) -> _FLOAT:
    """A number of the whole game, game by game."""
    if name == TURNS:
        return games["turns"].astype(float)
    winner = games["winner"]
    return np.where(winner < 0, _HALF, winner == games["first_player"]).astype(float)
