"""Games of people beside games of the program: figures of both, whether they differ, and joined.

A log and a run of the same version are turned into the same arrays (`Facts`), and these into the
same sums, so no figure is made twice.  A rate of the log is tested against the simulated one by a
score test, with the error that a simulation of as few games would have.  A mean is tested by
Welch's t.  The p-values are corrected for all figures together (Benjamini and Hochberg), and the
smallest corrected one is that of all figures at once (Simes' test [1]_).

Joined, the simulation is what is known beforehand, and people differ from the program by a slope
and a spread that all figures of the log estimate together (`analysis.partial_pooling`).  The share
that comes from people is how far the estimate lies from the simulation towards the log; where the
two are next to each other, the variance of the estimate in that of the log alone.

References
----------
.. [1] R. J. Simes, "An improved Bonferroni procedure for multiple tests of significance",
   Biometrika 73 (1986), 751-754.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, nan
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import gammaln, ndtri, stdtr

from analysis.confidence import confidence, normal_z
from analysis.estimates import (
    Estimate,
    RatioSums,
    adjust_p,
    estimate_apart,
    estimate_combination,
    estimate_mean,
    estimate_over_strata,
    estimate_rate,
    interval_columns,
    two_sided_p,
)
from analysis.panel import SpreadPrior
from analysis.partial_pooling import SlopePrior, pool_partially
from analysis.registry import HIGH, LOW, Registry, Table, q_value, with_interval
from analysis.verdicts import CHANGES, LESS, MORE, NOT_SETTLED, SAME
from card_data.playtest_log import PlayedGame, PlaytestLog
from simcore.arrays import Bools, Floats, Integers

#: Said of the row of all versions together.
ALL = "all versions"
#: What figures are about.
BEGINS, SEAT, WITH, LENGTH, POINTS, OTHER = "begins", "seat", "with", "length", "points", "other"
RATES = (BEGINS, SEAT, WITH)
#: Differences up to this many points, or per cent of a mean, are the same.
BAND = 0.05
#: With fewer games nothing is tested.
LEAST_GAMES = 5
# How far people differ from the program beforehand: points of a rate, and shares of a mean.
_OF_RATES, _OF_MEANS = SpreadPrior(0.03, 2.0, 3.0), SpreadPrior(0.1, 2.5, 4.0)
# How much larger or smaller differences between figures are among people.
_SLOPES = SlopePrior(0.9, 0.3)


class Facts(NamedTuple):
    """Games as figures are made of them; nan, or -1, where something is not known.

    ``scores`` from 0 (lost) to 1 (won) and ``points`` are of shape (n_games, n_seats), ``first`` is
    the seat that began (n_games,), ``numbers`` are those of each game by name (n_games,), and
    ``held`` says by the id of a card or side which seats have it, (n_games, n_seats) of bool.
    """

    scores: Floats
    points: Floats
    first: Integers
    numbers: Mapping[str, Floats]
    held: Mapping[str, Bools]


class Figure(NamedTuple):
    """What is counted: its kind, and which seat, card or number it is about."""

    kind: str
    of: str = ""

    @property
    def is_rate(self) -> bool:
        """Whether it is a share of games won."""
        return self.kind in RATES


Sums = dict[Figure, RatioSums]


# ---------------------------------------------------------------- counting


def facts_of_log(games: Sequence[PlayedGame]) -> Facts:
    """The games of a log, with as many seats as the largest has."""
    seats = max((len(game.scores) for game in games), default=0)
    scores, points = np.full((2, len(games), seats), nan)
    names = dict.fromkeys(name for game in games for name in game.numbers)
    ids = dict.fromkeys(
        one for game in games for two in (game.sides, game.held) for one in sum(two, ())
    )
    held = {one: np.zeros((len(games), seats), bool) for one in ids}
    for row, game in enumerate(games):
        scores[row, : len(game.scores)], points[row, : len(game.points)] = game.scores, game.points
        for of_seats in (game.sides, game.held):
            for seat, entries in enumerate(of_seats):
                for one in entries:
                    held[one][row, seat] = True
    numbers = {name: np.array([game.numbers.get(name, nan) for game in games]) for name in names}
    first = np.array([game.first for game in games], np.int64)
    return Facts(scores, points, first, numbers, held)


def wins(outcomes: Floats) -> Floats:
    """What each seat or team wins where the best outcome wins, ties shared; (n_games, n_seats)."""
    best = (outcomes == outcomes.max(axis=1, keepdims=True)).astype(float)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def plain_numbers(games: np.ndarray) -> dict[str, Floats]:
    """The fields of game records with one whole number, by name."""
    return {
        name: games[name].astype(float)
        for name in games.dtype.names or ()
        if games.dtype[name].kind in "iu" and name != "game"
    }


def count(facts: Facts, seats: bool = True) -> Sums:
    """The sums of each figure that some games tell of.

    ``seats`` says whether a seat by itself means something.
    """
    return {figure: _sums(n, s) for figure, n, s in _counted(facts, seats) if (n > 0).any()}


def add(one: Sums, other: Sums) -> Sums:
    """The sums of the games of both, for the figures of the first."""
    both = {
        figure: zip(sums, other[figure], strict=True)
        for figure, sums in one.items()
        if figure in other
    }
    return one | {figure: RatioSums(*(a + b for a, b in pairs)) for figure, pairs in both.items()}


def _counted(facts: Facts, seats: bool) -> Iterator[tuple[Figure, Floats, Floats]]:
    """Observations and their total in each game, of each figure."""
    known, scores = np.isfinite(facts.scores), np.nan_to_num(facts.scores)
    n_seats = facts.scores.shape[1]
    of_first = np.arange(n_seats) == facts.first[:, None]
    yield _of_seats(Figure(BEGINS), of_first & known, scores)
    is_told = (facts.first > 0).any() or (facts.first < 0).all()  # it is not whoever begins
    told = n_seats - (n_seats == 2) if seats and is_told else 0
    for seat in range(1 if n_seats == 1 else told):
        here = (np.arange(n_seats) == seat) & known
        yield _of_seats(Figure(SEAT, str(seat)), here, scores)
    for one, held in facts.held.items():
        yield _of_seats(Figure(WITH, one), held & known, scores)
    for name, numbers in facts.numbers.items():
        there = np.isfinite(numbers)
        kind = LENGTH if name in ("turns", "rounds", "minutes") else OTHER
        yield Figure(kind, name), there.astype(float), np.nan_to_num(numbers)
    for name in ("turns", "rounds"):
        if name in facts.numbers and "minutes" in facts.numbers:
            n, s = facts.numbers[name], facts.numbers["minutes"]
            both = np.isfinite(n + s)
            yield Figure(LENGTH, f"minutes a {name[:-1]}"), *np.where(both, (n, s), 0.0)
    scored = np.isfinite(facts.points)
    yield _of_seats(Figure(POINTS, "points"), scored, np.nan_to_num(facts.points))
    if n_seats > 1:
        all_known = scored.sum(axis=1) > 1
        best = np.sort(np.where(scored, facts.points, -np.inf), axis=1)[:, -2:]
        lead = np.subtract(best[:, 1], best[:, 0], where=all_known, out=np.zeros(len(best)))
        yield Figure(POINTS, "lead"), all_known.astype(float), lead


def _of_seats(figure: Figure, which: np.ndarray, values: Floats) -> tuple[Figure, Floats, Floats]:
    return figure, which.sum(axis=1).astype(float), np.where(which, values, 0).sum(axis=1)


def _sums(n: Floats, s: Floats) -> RatioSums:
    return RatioSums(*map(np.asarray, ((n > 0).sum(), n.sum(), s.sum(), n @ n, n @ s, s @ s)))


# ---------------------------------------------------------------- side by side


def figures_table(people: Mapping[str, Sums], simulated: Mapping[str, Sums]) -> pd.DataFrame:
    """The table ``playtests``: figures of people and of the program, by version and of all.

    ``simulated`` may have none of the versions, or figures that the people have not.
    """
    versions = [{version: sums} for version, sums in people.items()] if len(people) > 1 else []
    tables = [_table(ALL, people, simulated)]
    tables += [_table(next(iter(one)), one, simulated) for one in versions]
    return pd.concat(tables, ignore_index=True)


def _table(name: str, people: Mapping[str, Sums], simulated: Mapping[str, Sums]) -> pd.DataFrame:
    total: Sums = {}
    for sums in people.values():
        total = sums | add(total, sums)
    figures = sorted(total, key=lambda one: (one.kind not in RATES, one.kind == OTHER))
    own = _joined([_estimate(one, total[one]) for one in figures])
    others, per_game = _of_versions(figures, people, simulated)
    rates = np.array([one.is_rate for one in figures])
    difference = estimate_combination(
        Estimate(*(np.stack(pair, axis=-1) for pair in zip(own, others, strict=True))),
        np.where(np.isfinite(others.estimate)[:, None], (1.0, -1.0), nan),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        null_error = np.sqrt(per_game / own.n)
    games = np.array([total[one].games for one in figures])
    p_values = _p_values(difference, null_error, own, others, rates, games)
    both, share = _join(own, others, null_error, rates)
    q_values = adjust_p(p_values)
    return pd.DataFrame(
        {
            "version": name,
            "kind": [one.kind for one in figures],
            "of": [one.of for one in figures],
            "n_games": games,
            "n": own.n,
            **interval_columns("people", own),
            **interval_columns("simulated", others),
            "n_simulated": others.n,
            **interval_columns("difference", difference),
            "p_value": p_values,
            "q_value": q_values,
            "finding": _findings(difference, q_values, np.where(rates, 1, others.estimate)),
            **interval_columns("together", both),
            "from_people": share,
        }
    )


def _estimate(figure: Figure, sums: RatioSums) -> Estimate:
    return estimate_rate(sums) if figure.is_rate else estimate_mean(sums)


def _joined(estimates: Sequence[Estimate]) -> Estimate:
    return Estimate(*(np.array(values, float) for values in zip(*estimates, strict=True)))


def _of_versions(
    figures: Sequence[Figure], people: Mapping[str, Sums], simulated: Mapping[str, Sums]
) -> tuple[Estimate, Floats]:
    """Simulated figures, each version as often as people played it; and what one game varies."""
    found, per_game = [], []
    for one in figures:
        there = [v for v in people if one in people[v] and one in simulated.get(v, {})]
        if len(there) < sum(one in sums for sums in people.values()) or not there:
            found.append(Estimate(*np.full(5, nan)))
            per_game.append(nan)
            continue
        n = np.array([people[v][one].n for v in there])
        sums = [simulated[v][one] for v in there]
        each = _joined([_estimate(one, each) for each in sums])
        weights = n / n.sum()
        mean = estimate_over_strata(each, weights, are_shares=one.is_rate)
        found.append(mean._replace(n=each.n.sum()))
        per_game.append(float(weights @ (each.std_err**2 * each.n)))
    return _joined(found), np.array(per_game)


def _p_values(
    difference: Estimate, null_error: Floats, own: Estimate, others: Estimate,
    rates: Bools, games: Floats,
) -> Floats:  # fmt: skip
    """How likely a difference at least so large is if there is none."""
    of_rates = two_sided_p(difference.estimate, np.hypot(null_error, others.std_err))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(difference.estimate) / np.hypot(own.std_err, others.std_err)
    of_means = 2 * stdtr(np.maximum(games - 1, 1), -t)
    # All simulated games came out alike: Fisher's exact test, that all others are of people.
    alike = rates & (null_error == 0) & (others.std_err == 0)
    n, both = own.n, own.n + others.n
    odd = np.where(alike, np.rint(n * np.abs(difference.estimate)), 0)
    logs = (gammaln(n + 1), -gammaln(n - odd + 1), -gammaln(both + 1), gammaln(both - odd + 1))
    of_rates = np.where(alike, np.exp(sum(logs)), of_rates)
    return np.where(games >= LEAST_GAMES, np.where(rates, of_rates, of_means), nan)


def _findings(difference: Estimate, q_values: Floats, unit: Floats) -> np.ndarray:
    """The word for each difference: settled where it is one corrected for all of them."""
    band = BAND * np.abs(unit)
    inside = (difference.ci_low >= -band) & (difference.ci_high <= band)
    apart = (difference.ci_low > 0) | (difference.ci_high < 0)
    settled = apart & (np.nan_to_num(q_values, nan=1) < 1 - confidence())
    word = np.where(difference.estimate > 0, MORE, LESS)
    found = np.select([settled, inside], [word, SAME], NOT_SETTLED)
    return np.where(np.isfinite(difference.estimate), found, "")


def _join(
    own: Estimate, others: Estimate, null_error: Floats, rates: Bools
) -> tuple[Estimate, Floats]:
    """How people would fare by both together, and the share of that which comes from people."""
    found, share = np.full((5, len(rates)), nan), np.full(len(rates), nan)
    errors = np.where(rates, null_error, own.std_err)
    for which, spreads in ((rates, _OF_RATES), (~rates, _OF_MEANS)):
        known = which & np.isfinite(own.estimate * errors * others.estimate * others.std_err)
        known &= (errors > 0) & (others.estimate > 0)
        if not known.any():
            continue
        unit = np.where(rates, 1.0, others.estimate)[known]
        middle = (others.estimate[known] / unit).mean()
        one, two = (
            _only(estimate[known] / unit - middle, error[known] / unit, own.n[known])
            for estimate, error in ((own.estimate, errors), (others.estimate, others.std_err))
        )
        at, low, high, std_err, n = pool_partially(one, two, spreads, _SLOPES).items
        at, low, high = (middle + end for end in (at, low, high))
        low, high = (np.clip(end, 0, 1) if spreads is _OF_RATES else end for end in (low, high))
        found[:, known] = at * unit, low * unit, high * unit, std_err * unit, n
        off, pulled = one.estimate - two.estimate, at - middle - two.estimate
        of_errors = (std_err / one.std_err) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(np.abs(off) > one.std_err, pulled / off, of_errors)
        share[known] = np.clip(shares, 0, 1)
    return Estimate(*found), share


def changes_table(table: pd.DataFrame, before: str, after: str) -> pd.DataFrame:
    """What changed between two versions, among people and in the simulation: a row a figure."""
    one, two = (
        table[table["version"] == version].set_index(["kind", "of"]) for version in (before, after)
    )
    both = [figure for figure in two.index if figure in one.index]
    found = two.loc[both, ["n_games"]].reset_index()
    for who in ("people", "simulated"):
        sides = (_of_columns(rows.loc[both], who) for rows in (two, one))
        found = found.assign(**interval_columns(who, estimate_apart(*sides)))
    return found


def minutes_of(table: pd.DataFrame, version: str) -> tuple[float, float, float] | None:
    """Minutes of a game of a version, with their interval: its turns or rounds, at people's pace.

    The turns are those of people and simulation together, the pace is that of all versions.  None
    where one of both is not known.
    """
    for name in ("turns", "rounds"):
        pace = table[(table["version"] == ALL) & (table["of"] == f"minutes a {name[:-1]}")]
        turns = table[(table["version"] == version) & (table["of"] == name)]
        if len(pace) and len(turns) and np.isfinite(turns["together"].iloc[0]):
            one, two = _of_columns(pace, "people"), _of_columns(turns, "together")
            at = float(one.estimate[0] * two.estimate[0])
            error = float(np.hypot(*(part.std_err[0] / part.estimate[0] for part in (one, two))))
            reach = float(np.exp(normal_z() * error))
            return at, at / reach, at * reach
    return None


def _of_columns(rows: pd.DataFrame, name: str) -> Estimate:
    """Estimates of a table."""
    at, low, high = (rows[f"{name}{end}"].to_numpy(float) for end in ("", "_ci_low", "_ci_high"))
    return Estimate(at, low, high, (high - low) / 2 / normal_z(), rows["n"].to_numpy(float))


def _only(estimate: Floats, std_err: Floats, n: Floats) -> Estimate:
    """Estimates with their errors alone."""
    return Estimate(estimate, estimate, estimate, std_err, n)


# ---------------------------------------------------------------- planning


def games_for(
    difference: float, *, base: float = 0.5, power: float = 0.8, two: bool = False
) -> int:
    """Games that show a difference from a rate, or between ``two`` versions in each of them.

    A two-sided test at the confidence level that finds the difference with that chance.
    """
    other = base + difference if base + difference < 1 else base - difference
    middle = (base + other) / 2 if two else base
    own = other * (1 - other) + two * base * (1 - base)
    at_null = (1 + two) * middle * (1 - middle)
    reach = normal_z() * np.sqrt(at_null) + ndtri(power) * np.sqrt(own)
    return ceil((reach / difference) ** 2)


def margin(n_games: float) -> float:
    """Half the width of the interval of a rate near one half from this many games."""
    return normal_z() / 2 / float(np.sqrt(max(n_games, 1)))


# ---------------------------------------------------------------- the log as a frame


def log_frame(log: PlaytestLog) -> pd.DataFrame:
    """The log with a row for each game and seat; lists are joined by ", "."""
    rows = [
        {
            "game": number,
            "date": game.date,
            "version": game.version,
            "seat": seat + 1,
            "player": log.players.get(game.players[seat], ""),
            "side": ", ".join(log.names[one] for one in game.sides[seat]),
            "held": ", ".join(log.names[one] for one in game.held[seat]),
            "began": None if game.first < 0 else seat == game.first,
            "score": game.scores[seat],
            "points": game.points[seat],
            **game.numbers,
            **game.more,
        }
        for number, game in enumerate(log.games, 1)
        for seat in range(len(game.scores))
    ]
    return pd.DataFrame(rows)


PLAYTESTS = Table(
    "playtests",
    "One row per figure, of all versions of the log and of each",
    {
        "version": f"the version of the log, or '{ALL}'",
        "kind": "what the figure is: games won by whoever `begins`, from a `seat`, `with` a card or"
        " side; `length`; `points`; `other` numbers of the log",
        "of": "which seat (from 0), card, side or number",
        "n_games": "games of the log that tell of it",
        "n": "seats, games or turns that were counted in them",
        **with_interval("people", "the rate or mean among people"),
        **with_interval("simulated", "the same in the simulation of the same versions"),
        "n_simulated": "what was counted in simulated games",
        **with_interval("difference", "`people` minus `simulated`"),
        "p_value": "probability of a `difference` at least this large if the truth is zero",
        "q_value": q_value("figures of these versions"),
        "finding": "; ".join(f"{word}: {meaning}" for word, meaning in CHANGES.items())
        + f". {MORE} and {LESS} follow from `q_value`; the band is ±{100 * BAND:g} points, or"
        f" {100 * BAND:g}% of a mean",
        **with_interval("together", "log and simulation joined: what people would get"),
        "from_people": "the share of `together` that comes from people, the rest from the program",
        **with_interval(
            "equals",
            "what `people` would be among players of one strength, shrunk; of a card or side,"
            " against players without it",
        ),
    },
    differences=["difference"],
    where="in the folder of `playtests`",
)
PLAYERS = Table(
    "playtest_players",
    "One row per player who is named in a log",
    {
        "player": "the player, or a letter where names are left out",
        "n_games": "games with a result",
        "won": "those won; a tie is one half",
        "rate": "share of games won",
        "rate_ci_low": f"`rate`: {LOW}",
        "rate_ci_high": f"`rate`: {HIGH}",
        **with_interval("strength", "chance against an average player of the log, shrunk"),
    },
    where="in the folder of `playtests`",
)
LOG = Table(
    "playtest_log",
    "One row per game and player of the log",
    {
        "game": "the number of the game in the log, from 1",
        "date": "its date, such as 2026-08-07",
        "version": "the version that was played",
        "seat": "the seat, from 1",
        "player": "the player, or a letter where names are left out",
        "side": "faction, deck or heroes, with commas between",
        "held": "cards that the player had in hand, with commas between",
        "began": "whether this seat began; missing where the log does not say",
        "score": "1 for a win, 0 for a loss; a tie is one half",
        "points": "points of the seat",
    },
    where="in the folder of `playtests`",
    note=". Behind these stand the length of the game and all other columns of the log",
    json_columns=(),
)
#: What the charts draw: rows of `PLAYTESTS` with the ``name`` of the figure.
RATES_DRAWN, VERSIONS_DRAWN = (
    Table(
        name,
        PLAYTESTS.rows,
        {**PLAYTESTS.columns, "name": "the row in words"},
        where="",
        files="the charts of `playtests`",
    )
    for name in ("playtest_rates", "playtest_versions")
)
PLAYTEST_TABLES = Registry(PLAYTESTS, PLAYERS, LOG)
CHART_TABLES = Registry(RATES_DRAWN, VERSIONS_DRAWN)
