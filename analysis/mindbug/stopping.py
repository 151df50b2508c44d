"""Play until enough is known: the rule that ends a run, and intervals that still hold there.

A run of ``--until`` looks at its win rates again and again, and ends when all that are watched are
known well enough: "every card to ±0.2 points".  That is one promise about all of them, so the
intervals hold together with 95 %.

**At the end** (the usual form).  The rule looks at nothing but widths.  Widths hardly depend on who
wins, so the number of games is as good as chosen beforehand, and ordinary intervals hold at the end
[1]_: fixed-width intervals of Chow and Robbins.  All have the one width that makes them right
together (`simultaneous.joint_width`), since that is what was asked for, so the cards that are known
better leave the others more of the 5 % in which one may miss.  That takes no more games than a
number chosen beforehand.

**At every look** (``anytime``).  Somebody who reads the results and then decides whether to play on
is misled by such intervals: who looks often enough sees one miss.  An asymptotic confidence
sequence [2]_, the mixture over a normal prior of [3]_, holds at all looks: with a chance of 95 %
*all* intervals of all win rates, after any number of games, contain the truth.  With the clustered
standard error :math:`s` of `estimates` and :math:`\\alpha = 0.05 / K` the interval is

.. math:: \\hat r \\pm s \\sqrt{(1 + 1/k) \\log((1 + k) / \\alpha^2)}, \\qquad k = c\\,(s_* / s)^2,

where :math:`c = \\log((1 + c) / \\alpha^2)` makes it as narrow as can be at the standard error
:math:`s_*` at which it has the width that was asked for; there it spans :math:`\\sqrt{1 + c}`
standard errors either way.

References
----------
.. [1] Y. S. Chow, H. Robbins, "On the asymptotic theory of fixed-width sequential confidence
   intervals for the mean", Annals of Mathematical Statistics 36 (1965), 457-462; F. J. Anscombe,
   "Large-sample theory of sequential estimation", Proc. Cambridge Phil. Soc. 48 (1952), 600-607.
.. [2] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
   theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), 2613-2640.
.. [3] H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
   Mathematical Statistics 41 (1970), 1397-1409; S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon,
   "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49
   (2021), 1055-1080.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from attrs import field, frozen
from numpy.typing import ArrayLike

from analysis.estimates import CONFIDENCE, RatioSums
from analysis.mindbug.tallies import DEALT, N_BITS, N_OUTCOMES, N_PATTERNS, SCORES, Tally, groups
from analysis.simultaneous import apart_z, joint_width
from card_data.faults import nearest
from card_data.mindbug.schema import Card
from simcore.mindbug.table.records import DEALT_EACH
from simcore.work.runs import Look

#: What can be asked for besides one card by its id.
CARDS, FIRST_PLAYER = "cards", "first_player"
#: How the forms are called in a manifest: right where the run ends, and right at every look.
AT_THE_END, ANYTIME = "fixed-width intervals", "asymptotic confidence sequence"
#: A win rate of fewer games than this counts as unknown: the method is one for many games.
LEAST_GAMES = 100

# The most games that can be asked for would not do for less than the first.
_LEAST_POINTS, _MOST_POINTS = 0.001, 50
_LEAST_PART, _MOST_PART = 256, 65_536
_LOOKS = 32  # about so many at the least, and more the fewer players are dealt a card
# Who was dealt the card in a game: player 0, player 1, both; 0 is nobody.
_N_DEALT = 4
_BLOCK = 8_192


class GoalError(ValueError):
    """What was said with ``--until`` is not a goal; the message says why, and what is."""


@frozen
class Goal:
    """How well something shall be known: ``precision`` in percentage points, and ``of`` what.

    ``of`` is ``cards`` (each of them), ``first_player`` or the id of a card.
    """

    precision: float
    of: str = CARDS

    @classmethod
    def parse(cls, text: str) -> "Goal":
        """The goal in ``0.2`` or ``0.2:first_player``.  Raises GoalError."""
        number, colon, of = text.partition(":")
        try:
            precision = float(number)
        except ValueError:
            precision = math.nan
        if not _LEAST_POINTS <= precision <= _MOST_POINTS or (colon and not of):
            raise GoalError(
                f"'{text}' is not a precision; give percentage points from {_LEAST_POINTS} to"
                f" {_MOST_POINTS}, as in 0.2, 0.2:{FIRST_PLAYER} or 0.2:CARD_ID"
            )
        return cls(precision, of or CARDS)

    def __str__(self) -> str:
        return f"{self.precision:g}" + ("" if self.of == CARDS else f":{self.of}")


class Known(NamedTuple):
    """Win rates and what is known of them, all arrays of one shape."""

    rate: np.ndarray
    std_err: np.ndarray  # infinite where there are too few games
    half_width: np.ndarray


class _Watched(NamedTuple):
    """One win rate that is watched."""

    key: str  # the card's id, or FIRST_PLAYER
    name: str
    policy: str
    row: int  # of the card; -1 for the player who starts
    group: int  # number of the group of players, see `tallies.groups`


@frozen
class Promise:
    """What intervals hold: ``together`` of them with 95 %, at the end or ``anytime``.

    ``precision`` is the half width that was asked for, a share; it has to be chosen before the
    first look.  Those at the end have one width.
    """

    precision: float
    together: int = 1
    anytime: bool = False

    @property
    def span(self) -> float:
        """Standard errors either way that an interval of the width asked for spans at most."""
        return math.sqrt(1 + self._at_best) if self.anytime else apart_z(self.together)

    def half_width(self, std_err: ArrayLike) -> np.ndarray:
        """Half the width of the intervals of estimates with these standard errors.

        Of the same shape, (..., together) at the end.
        """
        std_err = np.asarray(std_err, float)
        if not self.anytime:
            return np.broadcast_to(joint_width(std_err)[..., None], std_err.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = self._at_best * (self.precision / self.span / std_err) ** 2
            width = std_err * np.sqrt((1 + 1 / k) * np.log((1 + k) / self._alpha**2))
        return np.where(np.isfinite(std_err), width, np.inf)

    @property
    def _alpha(self) -> float:
        return (1 - CONFIDENCE) / self.together

    @property
    def _at_best(self) -> float:
        """The c of the module's formula."""
        return _solved(self._alpha)


def know(sums: RatioSums, promise: Promise) -> Known:
    """What is known of rates whose sums these are, with the intervals of a promise.

    The rates on the last axis are those that hold together.

    The sum of squares is enlarged by one whole win: nothing among many games, but a card that has
    always won is not known without any doubt.  With n wins of n games the interval has about the
    width 3 / n that is right for it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = sums.s / sums.n
        squares = sums.ss - 2 * rate * sums.ns + rate**2 * sums.nn
        std_err = np.sqrt(np.maximum(squares, 0) + 1) / sums.n
    std_err = np.where(sums.games >= LEAST_GAMES, std_err, np.inf)
    return Known(rate, std_err, promise.half_width(std_err))


def dealt_cells(players: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Player-games dealt a card and their score in a game of each cell (outcome, who was dealt it).

    ``players`` are those that are counted.  Two arrays of shape (12,).
    """
    dealt = np.arange(_N_DEALT) >> np.arange(2)[:, None] & 1  # (player, who)
    chosen = list(players)
    n = np.tile(dealt[chosen].sum(axis=0), N_OUTCOMES)
    score = np.einsum("po,pw->ow", SCORES[chosen], dealt[chosen].astype(float))
    return n.astype(float), score.ravel()


@frozen
class PlayUntil:
    """A stopping rule of `simcore.work.runs`: the run ends when all that is watched is known.

    ``cards`` are those of the records, in their order.  ``anytime`` asks for intervals that hold at
    every look; otherwise they hold where the run ends.  ``on_look`` is told of every look.  Raises
    GoalError for a goal that is about none of the cards.
    """

    goal: Goal
    cards: Sequence[Card]
    policies: Sequence[str]
    anytime: bool = False
    on_look: Callable[[Look], None] | None = field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        of, dealt = self.goal.of, {card.card_id: card for card in self.cards if card.stage == 1}
        if of in {CARDS, FIRST_PLAYER} or of in dealt:
            return
        if of in {card.card_id for card in self.cards}:
            raise GoalError(f"'{of}' is never dealt: it is a later stage of another card")
        guess = nearest(of, [*dealt, CARDS, FIRST_PLAYER])
        raise GoalError(
            f"'{of}' is neither {FIRST_PLAYER} nor the id of a card that is played here"
            + (f"; did you mean '{guess}'?" if guess else "")
        )

    @property
    def asked(self) -> Mapping[str, Any]:
        """What the rule is, for the manifest."""
        return {
            "precision": self.goal.precision,
            "of": self.goal.of,
            "confidence": CONFIDENCE,
            "together": self.promise.together,
            "method": ANYTIME if self.anytime else AT_THE_END,
        }

    @property
    def promise(self) -> Promise:
        """The intervals of what is watched."""
        return Promise(self.goal.precision / 100, len(self._watched), self.anytime)

    @property
    def part_games(self) -> int:
        """Games from one look to the next; follows from what was asked alone."""
        players = (self.promise.span / self.promise.precision) ** 2 / 4
        part = 1 << max(int(math.log2(players / _LOOKS)), 0)
        return min(max(part, _LEAST_PART), _MOST_PART)

    def count(self, records: np.ndarray) -> np.ndarray:
        """Games by card, outcome and who was dealt it, then games by first player and outcome."""
        n_cards = len(self.cards)
        counts = np.zeros(n_cards * N_OUTCOMES * _N_DEALT, np.int64)
        seats = np.zeros(2 * N_OUTCOMES, np.int64)
        for start in range(0, len(records), _BLOCK):
            games = records[start : start + _BLOCK]
            winner = games["winner"].astype(np.int64)
            outcome = np.where(winner < 0, 1, 2 * winner)
            seats += np.bincount(games["first_player"] * N_OUTCOMES + outcome, minlength=len(seats))
            dealt = np.zeros((len(games), n_cards), np.uint8)
            each = np.arange(len(games))[:, None]
            dealt[each, games["cards"][:, :DEALT_EACH]] = 1
            dealt[each, games["cards"][:, DEALT_EACH:]] |= 2
            place = np.flatnonzero(dealt)
            game, card = np.divmod(place, n_cards)
            cell = (card * N_OUTCOMES + outcome[game]) * _N_DEALT + dealt.ravel()[place]
            counts += np.bincount(cell, minlength=len(counts))
        return np.concatenate([counts, seats])

    def look(self, sums: np.ndarray, n_games: int) -> Look:
        """Whether everything watched is known as well as it shall be."""
        known = self.known(sums)
        goal = self.promise.precision
        worst = int(np.argmax(known.std_err))
        width = float(known.half_width[worst])
        needed = None
        if math.isfinite(width):
            needed = math.ceil(n_games * self._share_of_needed(known, worst) ** 2)
        reached = width <= goal
        watched = self._watched[worst]
        told = {
            "worst": watched.key,
            "worst_name": watched.name,
            "worst_policy": watched.policy,
            "half_width": 100 * width if math.isfinite(width) else None,
            "more_games": 0 if reached else needed and max(needed - n_games, 1),
        }
        look = Look(reached=reached, games_needed=needed, told=told)
        if self.on_look:
            self.on_look(look)
        return look

    def _share_of_needed(self, known: Known, worst: int) -> float:
        """How many times too wide the intervals are, the errors falling with the games."""
        goal = self.goal.precision / 100
        if self.anytime:
            return float(known.std_err[worst]) * self.promise.span / goal
        return float(known.half_width[worst]) / goal

    def known(self, sums: np.ndarray, promise: Promise | None = None) -> Known:
        """What the sums of counts say of all that is watched, with the rule's intervals.

        Or with those of another promise.
        """
        promise = promise or self.promise
        by_card = sums[: -2 * N_OUTCOMES].reshape(len(self.cards), -1)
        by_seat = sums[-2 * N_OUTCOMES :]
        if self.goal.of == FIRST_PLAYER:
            cells = np.ones(2 * N_OUTCOMES), SCORES.ravel()
            return know(RatioSums.of_cells(by_seat[None], *cells), promise)
        parts: list[RatioSums] = []
        for group, (_, players) in enumerate(groups(self.policies)):
            rows = [watched.row for watched in self._watched if watched.group == group]
            parts.append(RatioSums.of_cells(by_card[rows], *dealt_cells(players)))
        return know(RatioSums(*map(np.concatenate, zip(*parts, strict=True))), promise)

    def restate(
        self, tables: Mapping[str, pd.DataFrame], tally: Tally, promise: Promise | None = None
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals of the rule wherever something was watched.

        That is ``dealt`` of cards, and with it ``advantage`` where both players follow the same
        policy; or the win rate of the player who starts.  All other intervals are as they were.
        """
        known = self.known(self._sums_of(tally), promise)
        tables = dict(tables)
        if self.goal.of == FIRST_PLAYER:
            rate, reach = float(known.rate[0]), float(known.half_width[0])
            summary = tables["summary"].copy()
            row = summary["statistic"] == "first_player_win_rate"
            summary.loc[row, ["ci_low", "ci_high"]] = _ends(rate, reach)
            tables["summary"] = summary
            if len(tables["first_player"]) == 1:
                low, high = _ends(rate, reach)
                tables["first_player"] = tables["first_player"].assign(ci_low=low, ci_high=high)
            return tables
        cards = tables["cards"].copy()
        for watched, rate, reach in zip(self._watched, known.rate, known.half_width, strict=True):
            if not math.isfinite(reach):
                continue
            row = (cards["card_id"] == watched.key) & (cards["policy"] == watched.policy)
            low, high = _ends(rate, reach)
            cards.loc[row, ["dealt_ci_low", "dealt_ci_high"]] = low, high
            if self.policies[0] == self.policies[1]:
                ends = low - 0.5, high - 0.5
                cards.loc[row, ["advantage_ci_low", "advantage_ci_high"]] = ends
        tables["cards"] = cards
        return tables

    @property
    def _watched(self) -> list[_Watched]:
        if self.goal.of == FIRST_PLAYER:
            return [_Watched(FIRST_PLAYER, "the player who starts", "", -1, 0)]
        return [
            _Watched(card.card_id, card.name, policy, row, group)
            for group, (policy, _) in enumerate(groups(self.policies))
            for row, card in enumerate(self.cards)
            if card.stage == 1 and self.goal.of in {CARDS, card.card_id}
        ]

    def _sums_of(self, tally: Tally) -> np.ndarray:
        """What `count` gives for the games of a tally, but for the games without the card."""
        pattern = np.arange(N_PATTERNS)
        who = (pattern & DEALT) // DEALT + 2 * (pattern >> N_BITS & DEALT) // DEALT
        cells = [tally.patterns[:, :, who == number].sum(axis=2) for number in range(_N_DEALT)]
        by_seat = tally.games.sum(axis=(0, 3))
        return np.concatenate([np.stack(cells, axis=2).ravel(), by_seat.ravel()])


def restate(
    tables: Mapping[str, pd.DataFrame],
    tally: Tally,
    manifest: Mapping[str, Any],
    cards: Sequence[Card],
) -> dict[str, pd.DataFrame]:
    """The tables of a run as `PlayUntil.restate` gives them, if a rule ended it."""
    if "until" not in manifest:
        return dict(tables)
    until = manifest["until"]
    goal = Goal(float(until["precision"]), until["of"])
    rule = PlayUntil(goal, cards, manifest["policies"])
    return rule.restate(tables, tally, promise_of(until))


def promise_of(until: Mapping[str, Any]) -> Promise:
    """What was promised of the intervals, by the entry of the manifest that says what was asked."""
    together, anytime = int(until["together"]), until["method"] == ANYTIME
    return Promise(float(until["precision"]) / 100, together, anytime)


@cache
def _solved(alpha: float) -> float:
    """The c of c = log((1 + c) / alpha^2)."""
    c = 8.0
    for _ in range(50):
        c = math.log((1 + c) / alpha**2)
    return c


def _ends(rate: float, reach: float) -> tuple[float, float]:
    return max(rate - reach, 0.0), min(rate + reach, 1.0)
