"""The story of a game: who leads, when it is decided, what swings it, and whether choices matter.

Before each decision of many games a judge says how likely each side is to win.  What seats see
differs, so the chance of a side is the mean of the latest views of all seats; it is recalibrated by
a logistic curve (Platt) that is fitted to the other half of the games, so that no game judges
itself, and drawn towards no correction as far as these are few.  Intervals are by games.  What
cards swing is observed, and no cause.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, frozen
from scipy.special import expit, logit

from analysis.confidence import normal_z
from analysis.estimates import (
    Estimate,
    RatioSums,
    estimate_apart,
    estimate_mean,
    estimate_rate,
    interval_columns,
)
from analysis.registry import Registry, Table, with_interval
from simcore.arrays import Bools, Floats, Integers

#: A game is decided from this chance on, if it stays there; nothing hangs on a smaller difference.
DECIDED, NOTHING = 0.95, 0.01
#: How low winners once stood, and how far games were, in the figures.
DEPTHS, MOMENTS = (0.5, 0.25, 0.1, 0.05), (1 / 3, 1 / 2, 2 / 3)
#: A seat is beaten below this chance, and moves others if they differ by more between its options.
BEATEN, MOVES = 0.05, 0.1
#: Chances as the calibration has them.
AS_JUDGED, CORRECTED = "as judged", "corrected"
TYPICAL, COMEBACK, OPEN = "the most typical", "the greatest comeback", "the longest in doubt"
#: Kinds of figures that are shares; the others are means.
LEADER, BACK, EMPTY, KING = "leader", "comeback", "empty", "kingmaking"
RATES = LEADER, BACK, EMPTY, KING
TURNS, TAIL, CHANGES, LOSS = "turns", "tail", "lead changes", "loss"
_BINS, _STEPS = 20, 30
# Chances nearer to 0 or 1 than this are taken for as near; a fit exists with so much of a prior.
_NEAR, _PRIOR = 1e-4, 1.0
# By how much judges are usually off: the standard deviation of slopes about 1 and levels about 0;
# and the step in them that says how figures hang on them.
_USUAL, _STEP = 0.25, 0.1


class Views(NamedTuple):
    """Decisions of some games in their order, (n,), and how the games ended, (n_games,).

    ``game`` is the place of the game among these, ``turn`` counts from 1, ``side`` is the one that
    the seat plays for, ``card`` the place of a card that is played, -1 for none.  ``view`` has the
    chance of each side as the seat sees it, (n, n_sides).  ``loss`` is what a random option costs
    the side against the best one, ``spread`` the worst, and ``moved`` the most that options differ
    for another side; nan where not known.  ``outcome`` is of shape (n_games, n_sides), ``number``
    that of the game in its run.
    """

    game: Integers
    turn: Integers
    seat: Integers
    side: Integers
    kind: npt.NDArray[np.str_]
    card: Integers
    view: Floats
    loss: Floats
    spread: Floats
    moved: Floats
    outcome: Floats
    turns: Integers
    number: Integers

    @classmethod
    def joined(cls, parts: "Sequence[Views]") -> "Views":
        """The games of several."""
        first = np.cumsum([0] + [len(one.turns) for one in parts])
        parts = [one._replace(game=one.game + n) for one, n in zip(parts, first, strict=False)]
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def with_winner(self) -> "Views":
        """Those games that one side alone has won."""
        best = self.outcome == self.outcome.max(axis=1, keepdims=True)
        kept = best.sum(axis=1) == 1
        rows = kept[self.game]
        of_rows = [column[rows] for column in self[1:10]]
        games = (np.cumsum(kept) - 1)[self.game[rows]]
        of_games = [column[kept] for column in (self.outcome, self.turns, self.number)]
        return Views._make([games, *of_rows, *of_games])


@frozen
class Words:
    """What the numbers in `Views` mean: ids and names of cards, and what a turn is called.

    ``alone`` says that all seats win or lose together: the sides are they and the game.
    ``playouts`` says how many games are behind a chance; 0 for a judge that plays none.
    """

    cards: Sequence[str]
    names: Sequence[str]
    turn: str = "turn"
    alone: bool = False
    playouts: int = 0

    @property
    def sure(self) -> float:
        """By how many standard errors of its playouts a lead is one.

        The more playouts, the more: then both a tie that is taken for a lead and a lead that is
        taken for a tie get rare.  Races by formula say how much more (`tests`).
        """
        return max(float(np.log2(self.playouts / 4)) / 3, 0.0) if self.playouts else 0.0


@frozen(eq=False)
class Story:
    """What some games tell; each of them has a winner.

    ``worth`` has by card how many seats of each game held it and what they won together, two arrays
    of shape (n_cards, n_games), or None.  ``fitted`` are other `curves` than those of the games.
    """

    views: Views
    words: Words
    worth: tuple[Floats, Floats] | None = None
    fitted: "Sequence[Calibration] | None" = None

    @property
    def n_games(self) -> int:
        """How many games there are."""
        return len(self.views.turns)

    @cached_property
    def winner(self) -> Integers:
        """The winner of each game."""
        return np.asarray(self.views.outcome.argmax(axis=1))

    @cached_property
    def _bounds(self) -> tuple[Integers, Integers, Integers]:
        """For each decision the first one of its game, the last of its turn and of its game."""
        game, turn = self.views.game, self.views.turn
        rows = np.arange(len(game))
        starts = np.r_[True, game[1:] != game[:-1]]
        ends_turn = np.r_[(game[1:] != game[:-1]) | (turn[1:] != turn[:-1]), True]
        ends_game = np.r_[starts[1:], True]
        first = np.maximum.accumulate(np.where(starts, rows, 0))
        return first, _next(ends_turn), _next(ends_game)

    @cached_property
    def raw(self) -> Floats:
        """The mean of the latest views of all seats after each decision, (n, n_sides)."""
        return mean_of_latest(self.views.view, self.views.seat, self._bounds[0])

    @cached_property
    def is_last(self) -> Bools:
        """Whether a decision is the last one of its turn."""
        return np.asarray(self._bounds[1] == np.arange(len(self.views.game)))

    @cached_property
    def curves(self) -> "Sequence[Calibration]":
        """How the chances of even and of odd games are corrected, each by the other half."""
        if self.fitted is not None:
            return self.fitted
        views, alike = self.views, not self.words.alone
        won = np.eye(views.view.shape[1])[self.winner]
        halves = [self.is_last & (views.number[views.game] % 2 != half) for half in range(2)]
        return [
            Calibration.of(
                *(self.raw[other], won[views.game[other]], views.game[other], self.n_games),
                alike=alike,
            )
            for other in halves
        ]

    def _corrected(self, chances: Floats) -> Floats:
        """Chances at each decision, (n, n_sides), recalibrated by the games of the other half."""
        odd = (self.views.number[self.views.game] % 2 == 1)[:, None]
        even_ones, odd_ones = (curve.apply(chances) for curve in self.curves)
        return np.where(odd, odd_ones, even_ones)

    @cached_property
    def chances(self) -> Floats:
        """`raw`, recalibrated."""
        return self._corrected(self.raw)

    @cached_property
    def by_turn(self) -> Floats:
        """The chance of each side at the end of each turn, (n_games, n_turns, n_sides).

        A turn without a decision is as the one before; a game that is over belongs to its winner.
        """
        views, last = self.views, self.is_last
        n_turns, sides = int(views.turns.max()), views.view.shape[1]
        at = np.zeros((self.n_games, n_turns), np.int64)
        kept = last & (views.turn <= n_turns)
        rows = np.flatnonzero(kept)
        at[views.game[rows], views.turn[rows] - 1] = rows + 1
        at = np.maximum.accumulate(at, axis=1)
        padded = np.vstack([np.full((1, sides), 1 / sides), self.chances])
        found = padded[at]
        over = np.arange(1, n_turns + 1) >= views.turns[:, None]
        won = np.eye(sides)[self.winner]
        found[over] = np.repeat(won[:, None], n_turns, axis=1)[over]
        return np.asarray(found)

    @cached_property
    def of_winner(self) -> Floats:
        """The chance of the later winner at the end of each turn, (n_games, n_turns)."""
        return np.take_along_axis(self.by_turn, self.winner[:, None, None], axis=2)[:, :, 0]

    @cached_property
    def decided(self) -> Integers:
        """The turn at whose end a game is decided for good, (n_games,)."""
        is_open = self.of_winner < DECIDED
        n_turns = is_open.shape[1]
        last_open = n_turns - is_open[:, ::-1].argmax(axis=1)
        return np.where(is_open.any(axis=1), last_open + 1, 1)

    @cached_property
    def swings(self) -> pd.DataFrame:
        """What each play of a card did to its player's chance: card, game, swing."""
        views = self.views
        first, turn_end, game_end = self._bounds
        rows = np.flatnonzero((views.card >= 0) & (first < np.arange(len(first))))
        before = self.chances[rows - 1]
        after, known = np.zeros(before.shape), np.zeros(len(rows))
        won = np.eye(views.view.shape[1])[self.winner]
        for seat in np.unique(views.seat):
            behind = np.append(_next(views.seat == seat), len(first))[turn_end[rows] + 1]
            there = behind <= game_end[rows]
            after[there] += views.view[behind[there]]
            known += there
        raw = np.zeros(views.view.shape)
        raw[rows] = after / np.maximum(known, 1)[:, None]
        corrected = self._corrected(raw)[rows]
        after = np.where(known[:, None] > 0, corrected, won[views.game[rows]])
        place, side = np.arange(len(rows)), views.side[rows]
        return pd.DataFrame(
            {
                "card": views.card[rows],
                "game": views.game[rows],
                "swing": after[place, side] - before[place, side],
            }
        )

    # ------------------------------------------------------------ tables

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of a story."""
        return {
            "story": self._figures(),
            "story_turns": self._turns(),
            "story_choices": self._choices(),
            "story_cards": self._cards(),
            "story_games": self._games(),
            "story_calibration": self._calibration(),
        }

    def _figures(self) -> pd.DataFrame:
        views, n = self.views, np.ones(self.n_games)
        found: list[tuple[str, str, Floats, Any]] = [(TURNS, "", n, views.turns)]
        fits = self._fits()
        for (kind, of), values in self._of_chances().items():
            counted = self._can_come_back if kind == BACK else n
            # Where no game differs from another, another correction would hardly change that.
            found.append((kind, of, counted, values + fits[kind, of] * bool(np.ptp(values))))
        for kind, values in ((LOSS, views.loss), (EMPTY, np.where(
            np.isnan(views.spread), np.nan, views.spread < NOTHING))):  # fmt: skip
            if not np.isnan(values).all():
                found.append((kind, "", *self._sums(values)))
        if not np.isnan(views.moved).all():
            found.append((KING, "", *self._sums(self._makes_kings())))
        rows = [_row(kind, n, s, kind=kind, of=of, n_games=int((n > 0).sum()))
                for kind, of, n, s in found]  # fmt: skip
        return STORY.frame(rows)

    @property
    def _can_come_back(self) -> Floats:
        """Of games that all win or lose together, those that are won."""
        return (self.winner == 0) + 0.0 if self.words.alone else np.ones(self.n_games)

    def _of_chances(self) -> dict[tuple[str, str], Floats]:
        """What each game adds to the figures that are made of chances."""
        lowest, back = self.of_winner.min(axis=1), self._can_come_back
        return {
            (TAIL, ""): self.views.turns - self.decided + 0.0,
            (CHANGES, ""): self._lead_changes() + 0.0,
            **{(LEADER, f"{moment:.3g}"): self._leads(moment) for moment in MOMENTS},
            **{(BACK, f"{depth:g}"): back * (lowest < depth) for depth in DEPTHS},
        }

    def _fits(self) -> dict[tuple[str, str], Floats]:
        """What each game adds to them besides, since chances are corrected by it.

        All of it together is nothing; intervals need it.
        """
        odd = self.views.number % 2
        found = defaultdict[tuple[str, str], Floats](lambda: np.zeros(self.n_games))
        for place in np.ndindex(self.curves[0].pulls.shape[:2]):
            if not any(curve.pulls[place].any() for curve in self.curves):
                continue
            up, down = (
                evolve(self, fitted=[one.moved(place, step) for one in self.curves])._of_chances()
                for step in (_STEP, -_STEP)
            )
            for key, values in up.items():
                change = (values - down[key]) / (2 * _STEP)
                for half, curve in enumerate(self.curves):
                    found[key] = found[key] + change[odd == half].sum() * curve.pulls[place]
        # A curve is fitted until it hardly moves, so pulls may leave a little.
        return found | {key: values - values.mean() for key, values in found.items()}

    def _sums(self, values: Floats, rows: Any = None) -> tuple[Floats, Floats]:
        """How many decisions of each game are known, and the sum of their values."""
        known = ~np.isnan(values) if rows is None else rows & ~np.isnan(values)
        games = self.views.game[known]
        n = np.bincount(games, minlength=self.n_games).astype(float)
        return n, np.bincount(games, values[known], self.n_games).astype(float)

    def _makes_kings(self) -> Floats:
        """Whether a seat that is beaten moves another one, at each decision where that is known."""
        views = self.views
        own = views.view[np.arange(len(views.side)), views.side]
        makes = (own < BEATEN) & (views.moved > MOVES)
        return np.where(np.isnan(views.moved), np.nan, makes)

    def _leads(self, moment: float) -> Floats:
        """How much of the lead the winner has at a moment of each game: 1, or a share of a tie."""
        turns = self.views.turns
        at = np.clip(np.round(turns * moment).astype(int), 1, np.maximum(turns - 1, 1)) - 1
        there = self.by_turn[np.arange(self.n_games), at]
        leads = there >= there.max(axis=1, keepdims=True) - 1e-12
        return leads[np.arange(self.n_games), self.winner] / leads.sum(axis=1)

    def _lead_changes(self) -> Integers:
        """How often another side leads than before, in each game; a tie leaves the lead.

        A lead that may be one of the luck of playouts is a tie.
        """
        order = np.sort(self.by_turn, axis=2)
        lead, first, words = order[:, :, -1] - order[:, :, -2], order[:, :, -1], self.words
        seats = len(np.unique(self.views.seat))
        errors = np.sqrt(first * (1 - first) / max(words.playouts * seats, 1))
        leads = lead > 2 * words.sure * errors + 1e-12
        leader = np.where(leads, self.by_turn.argmax(axis=2), -1)
        at = np.maximum.accumulate(np.where(leader >= 0, np.arange(leader.shape[1]), 0), axis=1)
        held = np.take_along_axis(leader, at, axis=1)
        changed = (held[:, 1:] != held[:, :-1]) & (held[:, :-1] >= 0)
        return np.asarray(changed.sum(axis=1))

    def _turns(self) -> pd.DataFrame:
        quantiles = np.quantile(self.of_winner, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0)
        turns = np.arange(1, self.of_winner.shape[1] + 1)
        views, known = self.views, ~np.isnan(self.views.loss)
        within = known & (views.turn <= len(turns))
        n = np.bincount(views.turn[within], minlength=len(turns) + 1)[1:]
        total = np.bincount(views.turn[within], views.loss[within], len(turns) + 1)[1:]
        return pd.DataFrame(
            {
                "turn": turns,
                "unit": self.words.turn,
                "n_games": [(self.views.turns >= turn).sum() for turn in turns],
                **dict(zip(_FAN, quantiles, strict=True)),
                "decided": [(self.decided <= turn).mean() for turn in turns],
                "ended": [(self.views.turns <= turn).mean() for turn in turns],
                "n_decisions": n,
                "loss": np.divide(total, n, out=np.full(len(n), np.nan), where=n > 0),
            }
        )

    def _choices(self) -> pd.DataFrame:
        views = self.views
        third = np.minimum((views.turn - 1) * 3 // np.maximum(views.turns[views.game], 1), 2) + 1
        empty = np.where(np.isnan(views.spread), np.nan, views.spread < NOTHING)
        rows = []
        for kind in np.unique(views.kind):
            for part in (0, 1, 2, 3):
                chosen = (views.kind == kind) & ((third == part) | (part == 0))
                if not (chosen & ~np.isnan(views.loss)).any():
                    continue
                loss = _row(LOSS, *self._sums(views.loss, chosen), name="loss")
                none = _row(EMPTY, *self._sums(empty, chosen), name="empty")
                share = chosen.sum() / len(chosen)
                rows.append({"kind": kind, "third": part, "n": chosen.sum(), "share": share,
                             **loss, **none})  # fmt: skip
        return CHOICES.frame(rows)

    def _cards(self) -> pd.DataFrame:
        rows = []
        for card, plays in self.swings.groupby("card"):
            worst, best = plays["swing"].quantile([0.1, 0.9])
            n = np.bincount(plays["game"], minlength=self.n_games).astype(float)
            mean = _mean(n, np.bincount(plays["game"], plays["swing"], self.n_games))
            worth: Mapping[str, Any] = {}
            if self.worth is not None:
                worth = _row(LEADER, self.worth[0][card], self.worth[1][card], name="worth")
            rows.append({
                "card_id": self.words.cards[card], "name": self.words.names[card],
                "n_plays": len(plays), **interval_columns("swing", mean),
                "worst_tenth": worst, "best_tenth": best, "spread": best - worst, **worth,
            })  # fmt: skip
        return CARDS.frame(rows).sort_values("spread", ascending=False, ignore_index=True)

    def chosen(self) -> dict[str, int]:
        """The places of three games to look at, by what they are."""
        away = np.abs(self.of_winner - np.median(self.of_winner, axis=0)).mean(axis=1)
        return {
            TYPICAL: int(away.argmin()),
            COMEBACK: int(self.of_winner.min(axis=1).argmin()),
            OPEN: int(self.decided.argmax()),
        }

    def _games(self) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {
                    "which": which,
                    "game": self.views.number[place],
                    "winner": self.winner[place],
                    "turn": turn + 1,
                    "unit": self.words.turn,
                    "chance": self.of_winner[place, turn],
                }
                for which, place in self.chosen().items()
                for turn in range(self.views.turns[place])
            ]
        )

    def _calibration(self) -> pd.DataFrame:
        """Said and came, in bins of equal width, of the first side or of all if they are several.

        Intervals hold for all bins together.
        """
        sides = range(self.views.view.shape[1] if self.views.view.shape[1] > 2 else 1)
        game = np.concatenate([self.views.game[self.is_last]] * len(sides))
        came = np.concatenate([self.winner[self.views.game[self.is_last]] == one for one in sides])
        rows = []
        for when, chances in ((AS_JUDGED, self.raw), (CORRECTED, self.chances)):
            said = np.concatenate([chances[self.is_last, one] for one in sides])
            bins = np.minimum((said * _BINS).astype(int), _BINS - 1)
            for number in np.unique(bins):
                here = bins == number
                n, won = (
                    np.bincount(game[chosen], minlength=self.n_games).astype(float)
                    for chosen in (here, here & came)
                )
                rate = estimate_rate(RatioSums.of_games(n, won), together=_BINS)
                rows.append({
                    "when": when, "bin": number, "n": here.sum(), "said": said[here].mean(),
                    **interval_columns("came", rate),
                })  # fmt: skip
        return CALIBRATION.frame(rows)


class Calibration(NamedTuple):
    """How the log odds of each side are corrected: intercepts and slopes, (n_fitted,).

    Of two sides the first is fitted, and the second has the rest; two that are alike have no
    intercept.  ``pulls`` say by how much each game has moved them, (n_fitted, 2, n_games).
    """

    level: Floats
    slope: Floats
    pulls: Floats

    @classmethod
    def of(
        cls, said: Floats, came: Floats, game: Integers, n_games: int, *, alike: bool
    ) -> "Calibration":
        """The one that chances and outcomes show, both (n, n_sides); as judged for no games."""
        sides = range(1 if said.shape[1] == 2 else said.shape[1])
        if alike and len(sides) == 1:
            said, came = (np.vstack([one, one[:, ::-1]]) for one in (said, came))
            game = np.concatenate([game, game])
        fits = [_logistic(_odds(said[:, one]), came[:, one], game, n_games) for one in sides]
        found, pulls = (np.array(part) for part in zip(*fits, strict=True))
        if alike and len(sides) == 1:
            pulls[:, 0] = 0.0
        return cls(found[:, 0], found[:, 1], pulls)

    def moved(self, place: tuple[int, ...], step: float) -> "Calibration":
        """The same with one number, of a side, that is otherwise by a step."""
        side, part = place
        found = [self.level.copy(), self.slope.copy()]
        found[part][side] += step
        return self._replace(level=found[0], slope=found[1])

    def apply(self, said: Floats) -> Floats:
        """Corrected chances of all sides, which add up to 1."""
        n = len(self.level)
        found = expit(self.level + self.slope * _odds(said[:, :n]))
        if n == 1:
            return np.hstack([found, 1 - found])
        return np.asarray(found / found.sum(axis=1, keepdims=True))


def _odds(chances: Floats) -> Floats:
    return np.asarray(logit(np.clip(chances, _NEAR, 1 - _NEAR)))


def _logistic(odds: Floats, came: Floats, game: Integers, n_games: int) -> tuple[Floats, Floats]:
    """Intercept and slope of a logistic curve, between the most likely ones and no correction.

    And by how much each game has moved them, (2, n_games).

    The surer games are of them, the nearer to the most likely (the mean of normal distributions:
    what judges usually need, and what Newton's method finds with its error by games).
    """
    parts, found = np.column_stack([np.ones_like(odds), odds]), np.array([0.0, 1.0])
    for _ in range(_STEPS):
        chance = expit(parts @ found)
        pull = parts.T @ (came - chance) - _PRIOR * (found - (0.0, 1.0))
        bend = (parts * (chance * (1 - chance))[:, None]).T @ parts + _PRIOR * np.eye(2)
        step = np.linalg.solve(bend, pull)
        found = found + step
        if np.abs(step).max() < 1e-10:
            break
    missed = parts * (came - expit(parts @ found))[:, None]
    by_game = np.array([np.bincount(game, one, n_games) for one in missed.T])
    pulls, usual = np.linalg.solve(bend, by_game), _USUAL**2 * np.eye(2)
    kept = usual @ np.linalg.inv(usual + pulls @ pulls.T)
    return (0.0, 1.0) + kept @ (found - (0.0, 1.0)), kept @ pulls


def mean_of_latest(view: Floats, seat: Integers, first: Integers) -> Floats:
    """The mean of the latest views of all seats after each decision, (n, n_sides).

    ``first`` is the place of the first decision of the same game.
    """
    rows = np.arange(len(seat))
    total, known = np.zeros(view.shape), np.zeros(len(seat))
    for one in np.unique(seat):
        at = np.maximum.accumulate(np.where(seat == one, rows, -1))
        has = at >= first
        total[has] += view[at[has]]
        known += has
    return np.asarray(total / known[:, None])


def _next(marked: Bools) -> Integers:
    """The place of the next marked one from each place on, or their number if there is none."""
    n = len(marked)
    places = np.where(marked, np.arange(n), n)
    return np.asarray(np.minimum.accumulate(places[::-1])[::-1])


def _row(what: str, n: Floats, s: Any, name: str = "value", **more: Any) -> dict[str, Any]:
    """The columns of a figure of a kind, by sums in each game."""
    if what == LOSS:  # may be below zero, where options are judged by playouts
        return {**more, **interval_columns(name, _mean(n, np.asarray(s)))}
    estimate = estimate_rate if what in RATES else estimate_mean
    return {**more, **interval_columns(name, estimate(RatioSums.of_games(n, np.asarray(s, float))))}


def _mean(n: npt.NDArray[Any], s: npt.NDArray[Any]) -> Estimate:
    """A mean of numbers of any sign, by sums in each game, with a normal interval."""
    games, total = int((n > 0).sum()), n.sum()
    mean = s.sum() / total if total else np.nan
    std_err = np.nan
    if games > 1:
        rest = s - mean * n
        std_err = np.sqrt((rest @ rest) * games / (games - 1)) / total
    return Estimate.normal(mean, std_err, total)


def compared(before: pd.DataFrame, after: pd.DataFrame) -> pd.DataFrame:
    """The figures of two stories side by side, and by how much they differ."""
    both = before.merge(after, on=["kind", "of"], suffixes=("_before", "_after"))
    sides = []
    for side in ("after", "before"):
        ends = (f"value{end}_{side}" for end in ("", "_ci_low", "_ci_high"))
        at, low, high = (both[end].to_numpy(float) for end in ends)
        sides.append(Estimate(at, low, high, (high - low) / 2 / normal_z(), np.ones(len(both))))
    both = both.assign(**interval_columns("difference", estimate_apart(*sides)))
    return both[list(COMPARED.columns)]


_FAN = "low", "quarter", "median", "three_quarters", "high"
_WHERE = "in the folder of `story`"
STORY = Table(
    "story",
    "One row per figure of a story",
    {
        "kind": f"`{TURNS}` of a game; `{TAIL}`: turns after the decision ({DECIDED:.0%}, for"
        f" good); `{CHANGES}`; `{LEADER}`: how often whoever leads then wins; `{BACK}`: winners who"
        f" once stood below; `{LOSS}` of a random option against the best; `{EMPTY}`: decisions on"
        f" which less than a point hangs; `{KING}`: decisions of a beaten seat that move another",
        "of": "the part of the game that is over, or the chance",
        "n_games": "games that tell of it",
        **with_interval("value", "the share or mean"),
    },
    where=_WHERE,
)  # fmt: skip
TURN = Table(
    "story_turns",
    "One row per turn",
    {
        "turn": "the turn, from 1",
        "unit": "what a turn is: a turn, round or decision",
        "n_games": "games that have it",
        "low": "chance of the later winner at its end: one winner in 20 has less",
        "quarter": "one in four has less",
        "median": "half have less",
        "three_quarters": "three in four have less",
        "high": "19 in 20 have less",
        "decided": "share of games that are decided by its end, for good",
        "ended": "share of games that are over",
        "n_decisions": "decisions in it",
        "loss": "what a random option costs against the best, on average",
    },
    where=_WHERE,
)
CHOICES = Table(
    "story_choices",
    "One row per kind of decision and third of the game, and one for the whole game",
    {
        "kind": "what is decided",
        "third": "the third of the game, 0 for all of it",
        "n": "decisions",
        "share": "their share of all decisions",
        **with_interval("loss", "what a random option costs against the best, on average"),
        **with_interval("empty", f"share on which less than {NOTHING:.0%} hangs"),
    },
    where=_WHERE,
)
CARDS = Table(
    "story_cards",
    "One row per card that was played",
    {
        "card_id": "the card",
        "name": "its name",
        "n_plays": "plays of it",
        **with_interval("swing", "mean change of its player's chance when it is played; observed"),
        "worst_tenth": "a tenth of the plays did worse",
        "best_tenth": "a tenth did better",
        "spread": "`best_tenth` minus `worst_tenth`",
        **with_interval("worth", "share of games won by those who were dealt it"),
    },
    differences=["swing"],
    where=_WHERE,
)
GAMES = Table(
    "story_games",
    "One row per turn of each of three games",
    {
        "which": f"{TYPICAL}, {COMEBACK} or {OPEN}",
        "game": "the number of the game in its run",
        "winner": "the side that won",
        "turn": "the turn, from 1",
        "unit": "what a turn is: a turn, round or decision",
        "chance": "the winner's chance at its end",
    },
    where=_WHERE,
)
CALIBRATION = Table(
    "story_calibration",
    "One row per twentieth of the chances that were said, as judged and as corrected",
    {
        "when": f"`{AS_JUDGED}`, or `{CORRECTED}` by the other half of the games",
        "bin": "the twentieth, from 0",
        "n": "ends of turns",
        "said": "the mean of the chances",
        **with_interval("came", "the share that won", "all bins"),
    },
    where=_WHERE,
)
COMPARED = Table(
    "story_compared",
    "One row per figure of two stories",
    {
        "kind": STORY.columns["kind"],
        "of": STORY.columns["of"],
        "value_before": "the figure of the first",
        "value_after": "the figure of the second",
        **with_interval("difference", "the second minus the first"),
    },
    differences=["difference"],
    where=_WHERE,
)
STORY_TABLES = Registry(STORY, TURN, CHOICES, CARDS, GAMES, CALIBRATION, COMPARED)
