"""When a pool counts as balanced: the advantage of every card, who starts, the mean turns.

Each has a range (`analysis.experiments.goals`); reports give the excess of each kind of goal in its
own unit.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import frozen

from analysis.estimates import Estimate, RatioSums, estimate_mean, estimate_rate
from analysis.experiments.goals import Measured, Meter
from analysis.mindbug.selections import FIRST_WINS
from analysis.questions.rebalance_tables import (
    FRESH,
    WHERE,
    changes_table,
    front_table,
    goals_table,
)
from analysis.registry import Registry, Table, with_interval
from analysis.verdicts import BAND
from card_data.mindbug.schema import Pool
from card_data.mindbug.variants import dealt_cards
from simcore.arrays import Bools, Floats, Records
from simcore.mindbug.table.records import DEALT_EACH

#: The goals about the whole game, by the names of their numbers.
FIRST_PLAYER, TURNS = "first_player_win_rate", "mean_turns"
#: The kind of goal that every card has.
CARD = "card"
_HALF = 0.5
_CHUNK = 10_000  # games that are spread over all cards at once
_GOAL = "card: the advantage of a card; or first_player_win_rate or mean_turns"
_WHO = "who played, on both sides"

FRONT = front_table(
    _WHO,
    amount="the weights of its changes, one for each step, added up",
    changes="with what each thing becomes: a card's power or copies, a keyword (1 added, 0 taken "
    "away), or a rule",
    excess="by how many points cards lie outside the band, all together",
    same="on the same deals",
    more={
        "cards_outside": f"cards whose advantage lies outside the band by estimate, {FRESH}",
        "worst_card": "the card with the largest advantage either way",
        "worst_advantage": f"its advantage, {FRESH}",
        "first_player_win_rate": f"{FIRST_WINS}; missing if it was not asked about",
        "mean_turns": "mean number of turns; missing if it was not asked about",
    },
    differences=("gain",),
)

CHANGES = changes_table(
    "thing",
    {
        "card_id": "the card that the proposal changes; empty for a rule",
        "name": "its printed name",
    },
    "what is changed: power, keywords, copies, life, mindbugs or hand size",
    before="; empty for no keyword",
)

GAINS = Table(
    "gains",
    "One row per kind of goal",
    {
        "goal": "card: the advantages of all cards; or first_player_win_rate or mean_turns",
        "plan": "number of the plan in the table front: the proposal, or what was found in its "
        "place",
        "before": "by how much the goal is missed with nothing changed: a share (0.01 is one "
        f"percentage point), for mean_turns turns; {FRESH}",
        "after": "the same with the plan",
        **with_interval("gain", "by how much less the goal is missed with the plan"),
    },
    where=WHERE,
    note="; none where nothing was found",
    differences=("gain",),
)

GOALS = goals_table(
    "number that is asked about",
    {"goal": _GOAL, "card_id": "the card; empty for the other goals", "name": "its printed name"},
    _WHO,
    "the number with the pool as it is",
    "player-games in which the player was dealt the card, or games",
)

NEAREST = Table(
    "nearest",
    "One row per goal that nothing tried reaches",
    {
        "goal": f"a goal that nothing tried reaches; {_GOAL}",
        "card_id": "the card; empty for the other goals",
        "name": "its printed name",
        "least": "the range that was asked for: its lower end",
        "most": "its upper end",
        **with_interval(
            "nearest", f"the nearest to the range that came of all that was played; {FRESH}"
        ),
        "changes": "the changes with which it came so near",
        "in_words": "the same for a reader",
        "out_of_reach": "whether every allowed change was tried (of a card: its own) and the "
        "interval lies outside the range",
    },
    where=WHERE,
)

#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GAINS, GOALS, NEAREST)


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


class Dealt(NamedTuple):
    """Games of OUTCOME, (n_games,), and their deals: 20 places in the pool each, (n_games, 20)."""

    games: Records
    deals: npt.NDArray[np.int16]


class CardMeter(Meter[Dealt]):
    """Measures the games of a pool, and of the pool changed: its cards, then the whole game."""

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
        self.kinds: dict[str, Bools] = {kind: kinds == kind for kind in (CARD, *of_game)}
        ranges = [(0.0, goals.band)] * len(self.cards) + list(of_game.values())
        self.middle, self.reach = np.array(ranges).T

    @property
    def n_entries(self) -> int:
        """How many cards are judged."""
        return len(self.cards)

    @property
    def about(self) -> dict[str, list[str]]:
        """The kind of each goal, and its card, if it is about one."""
        rest = [""] * len(self._of_game_names)
        return {
            "goal": [CARD] * len(self.cards) + self._of_game_names,
            "card_id": [card.card_id for card in self.cards] + rest,
            "name": [card.name for card in self.cards] + rest,
        }

    def numbers(self, games: Dealt) -> Estimate:
        """The advantage of each card, and the numbers of the whole game."""
        sums = np.zeros((6, len(self.cards)))
        points = _points(games.games)
        for first in range(0, len(points), _CHUNK):
            part = slice(first, first + _CHUNK)
            n, s = self._spread(games.deals[part], points[part])
            sums += RatioSums.of_games(n, s)
        of_cards = estimate_rate(RatioSums(*sums))
        of_game = [self._of_game(name, games.games) for name in self._of_game_names]
        return Estimate(*(np.append(*pair) for pair in zip(
            (*(ends - _HALF for ends in of_cards[:3]), *of_cards[3:]),
            zip(*of_game, strict=True) if of_game else [()] * 5, strict=True,
        )))  # fmt: skip

    def moved_errors(self, games: Dealt, others: Dealt) -> Floats:
        """Standard errors of the differences between games with the same deals, as `errors`.

        A game in which both players hold a card says nothing about it.
        """
        moved = _points(games.games) - _points(others.games)
        squares, held = np.zeros(len(self.cards)), np.zeros(len(self.cards))
        for first in range(0, len(moved), _CHUNK):
            part = slice(first, first + _CHUNK)
            n, _ = self._spread(games.deals[part], moved[part])
            squares += (moved[part] ** 2) @ (n == 1)
            held += n.sum(axis=0)
        of_game = [
            _number(name, games.games) - _number(name, others.games) for name in self._of_game_names
        ]
        with np.errstate(divide="ignore", invalid="ignore"):
            of_cards = np.nan_to_num(np.sqrt(squares) / held)
        return np.append(of_cards, [one.std() / len(one) ** 0.5 for one in of_game]) / self.reach

    def influence(self, measured: Measured, games: Dealt, weights: Floats) -> Floats:
        """What each game adds to the sum of all numbers, each times its weight."""
        n_cards, points = len(self.cards), _points(games.games)
        rates = measured.numbers.estimate[:n_cards] + _HALF
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.nan_to_num(weights[:n_cards] / measured.numbers.n[:n_cards])
        influence = np.zeros(len(points))
        for first in range(0, len(points) if each.any() else 0, _CHUNK):
            part = slice(first, first + _CHUNK)
            n, s = self._spread(games.deals[part], points[part])
            influence[part] = (s - np.nan_to_num(rates) * n) @ each
        for name, weight in zip(self._of_game_names, weights[n_cards:], strict=True):
            number = _number(name, games.games)
            influence += weight * (number - number.mean()) / len(points)
        return influence

    def _spread(
        self, deals: npt.NDArray[np.int16], points: Floats
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """For each game and card how many players were dealt it, and their points together."""
        hands = deals.reshape(len(deals), 2, DEALT_EACH).astype(np.intp)
        held = np.zeros((len(deals), 2, self._n_places), np.float32)
        np.put_along_axis(held, hands, 1, axis=2)
        held = held[:, :, self._rows]
        mine = points.astype(np.float32)[:, None]
        return held.sum(axis=1), held[:, 0] * mine + held[:, 1] * (1 - mine)

    def _of_game(self, name: str, games: Records) -> tuple[float, ...]:
        """A number of the whole game, estimated."""
        number = _number(name, games)
        sums = RatioSums.one_each(len(games), number.sum(), number @ number)
        estimate = estimate_mean(sums) if name == TURNS else estimate_rate(sums)
        return tuple(float(one) for one in estimate)


def _points(games: Records) -> Floats:
    """The points of player 0; a draw is half a point."""
    winner = games["winner"]
    return np.where(winner < 0, _HALF, winner == 0).astype(float)


def _number(name: str, games: Records) -> Floats:
    """A number of the whole game, game by game."""
    if name == TURNS:
        return games["turns"].astype(float)
    winner = games["winner"]
    return np.where(winner < 0, _HALF, winner == games["first_player"]).astype(float)
