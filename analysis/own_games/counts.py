"""What is counted of the games of a run: how each seat, and each entry, came off."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from attrs import evolve, fields, frozen

from analysis.estimates import RatioSums
from card_data.schema.kinds import WITHIN
from simcore.own_games.run import is_shared, teams_in
from simcore.own_games.setup import OBSERVED
from simcore.work.parts import COUNTED

#: The event whose seats were drawn by lot, so that a difference is caused by the entry.
DEALT = "dealt"
#: Sums of a row among seats with one entry of another kind: those six of these seats with the row's
#: entry, then N, S, N², NS, S² of all of these seats, and nN, nS, sN, sS.
_STRATUM_SUMS = 15
# Games whose entries are unpacked at a time.
_BLOCK = 2_048


class Row(NamedTuple):
    """What is counted: seats that something happened to with an entry, in the order of records."""

    kind: str
    id: str
    name: str
    event: str
    is_main: bool  # whether the event is the one that tells most of such an entry


def rows_of(manifest: Mapping[str, Any]) -> list[Row]:
    """The rows of a run: each event with each entry."""
    return [
        Row(kind["word"], entry, name, event, event == manifest[COUNTED][kind["word"]]["event"])
        for event in manifest["events"]
        for kind in manifest["kinds"]
        for entry, name in zip(kind["ids"], kind["names"], strict=True)
    ]


def strata_of(manifest: Mapping[str, Any]) -> np.ndarray:
    """Rows that are measured among seats alike, and what makes these alike: (n_strata, 3).

    Each dealt entry of a kind within another, with each entry of that other, by their places among
    the rows, and with each seat, since hands may differ in size: a card in the hand of a faction
    that begins.
    """
    rows = rows_of(manifest)
    dealt: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row.event == DEALT:
            dealt.setdefault(row.kind, []).append(place)
    pairs = [
        (place, holder, seat)
        for kind in manifest["kinds"]
        if manifest[COUNTED][kind["word"]]["measure"] == WITHIN
        for place in dealt[kind["word"]]
        for holder in dealt[kind["within"]]
        for seat in range(manifest["seats"])
    ]
    return np.array(pairs, np.int64).reshape(-1, 3)


def holders_of(manifest: Mapping[str, Any]) -> list[list[int]]:
    """For each kind of which either of two seats has one, the places of its entries among rows."""
    if manifest["seats"] != 2:
        return []
    rows = rows_of(manifest)
    return [
        [at for at, row in enumerate(rows) if (row.kind, row.event) == (kind["word"], DEALT)]
        for kind in manifest["kinds"]
        if kind.get("each_seat")
    ]


def observations(
    games: np.ndarray, seats: int, rows: Sequence[int] | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For some games at a time, how many seats had each row, and what these scored together.

    Two arrays of int64 of shape (n_games, n_rows).
    """
    for first in range(0, len(games), _BLOCK):
        some = games[first : first + _BLOCK]
        held = some["entries"].reshape(len(some), seats, -1) > 0
        held = held if rows is None else held[:, :, rows]
        outcome = some["outcome"].astype(np.int64)
        yield held.sum(axis=1), np.einsum("gsr,gs->gr", held, outcome)


def observed_in(manifest: Mapping[str, Any]) -> list[str]:
    """The names of what is observed of each game."""
    return list(manifest.get("observed") or ())


@frozen
class OwnCounts:
    """Sums over the games of a run; ``a + b`` are those of both.

    ``of_entries`` has shape (6, n_rows), and ``of_hands`` (2 seats² + 4 seats + 2, n_rows): with b
    the outcome of the seats that have the entry, and whether each seat has it, the sums of b, of
    its products, and of those with the outcome of each seat.  ``of_outcomes`` (seats + 1, seats)
    has the sums of outcomes and of their products, ``of_strata`` (15, n_strata) those among seats
    alike, ``of_matchups`` (6, n_pairs) those of one faction or deck against another, ``of_seats``
    (6, seats + 1) those of seats, the last for the seat of the first decision, and ``of_games`` (2
    n_numbers + 1,) games, their decisions, those that are drawn, what is observed, and the squares
    of these numbers.
    """

    manifest: Mapping[str, Any]
    of_entries: np.ndarray
    of_hands: np.ndarray
    of_outcomes: np.ndarray
    of_strata: np.ndarray
    of_matchups: np.ndarray
    of_seats: np.ndarray
    of_games: np.ndarray

    @classmethod
    def nothing(cls, manifest: Mapping[str, Any]) -> "OwnCounts":
        """The sums of no games."""
        n_rows, seats = len(rows_of(manifest)), manifest["seats"]
        hands = (2 * seats**2 + 4 * seats + 2, n_rows), (seats + 1, seats)
        strata = _STRATUM_SUMS, len(strata_of(manifest))
        of_games = (2 * len(observed_in(manifest)) + 5,)
        matchups = 6, sum(len(rows) ** 2 for rows in holders_of(manifest))
        shapes = (6, n_rows), *hands, strata, matchups, (6, seats + 1), of_games
        return cls(manifest, *(np.zeros(shape, np.int64) for shape in shapes))

    @property
    def sums(self) -> Mapping[str, np.ndarray]:
        """All that was counted."""
        return {one.name: getattr(self, one.name) for one in fields(OwnCounts)[1:]}

    def of_sums(self, sums: Mapping[str, Any]) -> "OwnCounts":
        """The same run with other sums."""
        return evolve(self, **sums)

    def count(self, games: np.ndarray) -> "OwnCounts":
        """These counts with those of more games."""
        seats = self.manifest["seats"]
        strata = _of_strata(games, seats, strata_of(self.manifest))
        of_both = _of_entries(games, seats)
        of_games = _of_games(games, self.manifest)
        matchups = _of_matchups(games, holders_of(self.manifest))
        more = [*of_both, _of_outcomes(games), strata, matchups, _of_seats(games), of_games]
        mine = self.sums.values()
        return OwnCounts(self.manifest, *(a + b for a, b in zip(mine, more, strict=True)))

    def __add__(self, other: "OwnCounts") -> "OwnCounts":
        both = zip(self.sums.values(), other.sums.values(), strict=True)
        return OwnCounts(self.manifest, *(a + b for a, b in both))

    def restate(
        self, tables: Mapping[str, pd.DataFrame], _until: Mapping[str, Any]
    ) -> dict[str, pd.DataFrame]:
        """The tables as they are: intervals at the end of a run hold for each row by itself."""
        return dict(tables)

    def rates(self) -> RatioSums:
        """The sums of outcomes of all rows, 1 for the best."""
        return _in_units(self.of_entries, self.manifest["unit"])

    def matchups(self) -> RatioSums:
        """The sums of outcomes of each faction or deck against each, in the order of the rows."""
        return _in_units(self.of_matchups, self.manifest["unit"])

    def numbers(self) -> RatioSums:
        """The sums of decisions, of whether a game is drawn, and of what is observed."""
        games, *both = self.of_games.astype(float)
        s, ss = np.reshape(both, (2, -1))
        return RatioSums.one_each(np.full(len(s), games), s, ss)

    def all_seats(self) -> RatioSums:
        """The sums of outcomes of all seats together."""
        seats, games = self.manifest["seats"], self.of_games[:1]
        outcome, products = self.of_outcomes[0].sum(), self.of_outcomes[1:].sum()
        sums = games, seats * games, outcome, seats**2 * games, seats * outcome, products
        return _in_units(np.array([np.ravel(one) for one in sums]), self.manifest["unit"])

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """What seats with each row were better by than the same seats of all games, and the error.

        With s the outcome of seats with the entry in a game, n_j whether seat j has it and m_j the
        mean outcome of seat j, the difference is D = sum (s - sum n_j m_j) / N; the error comes
        from what each game adds to it, its part in the m_j included, so that seats of one game may
        depend on each other.  One whole win is added, as in `analysis.stopping.know`.
        """
        seats, unit, games = self.manifest["seats"], self.manifest["unit"], self.of_games[0]
        ends = np.cumsum([seats + 1, (seats + 1) ** 2])
        sums, squares_of, crossed = np.split(self.of_hands.astype(float), ends)
        squares_of = squares_of.reshape(seats + 1, seats + 1, -1)
        crossed = crossed.reshape(seats + 1, seats, -1)
        outcome, products = self.of_outcomes[0].astype(float), self.of_outcomes[1:].astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = outcome / games
            held, every = sums[1:], sums[1:].sum(axis=0)
            difference = (sums[0] - mean @ held) / every
            c = np.concatenate([np.ones((1, len(every))), -mean[:, None] - difference])
            w = held / games
            spread = products - games * np.outer(mean, mean)
            total = np.einsum("ir,ijr,jr->r", c, squares_of, c)
            total -= 2 * np.einsum("ir,ijr,jr->r", c, crossed, w)
            total += np.einsum("ir,ij,jr->r", w, spread, w)
            std_err = np.sqrt(np.maximum(total, 0) + unit**2) / every
        return difference / unit, std_err / unit

    def seats_apart(self) -> tuple[np.ndarray, np.ndarray]:
        """By how much each seat comes off better than the mean of all seats, and the error.

        One whole win is added, as in `analysis.stopping.know`.
        """
        seats, unit, games = self.manifest["seats"], self.manifest["unit"], self.of_games[0]
        outcome, products = self.of_outcomes[0].astype(float), self.of_outcomes[1:].astype(float)
        apart = np.eye(seats) - 1 / seats
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = outcome / games
            spread = products - games * np.outer(mean, mean)
            total = np.einsum("si,ij,sj->s", apart, spread, apart)
            std_err = np.sqrt(np.maximum(total, 0) + unit**2) / games
        return apart @ mean / unit, std_err / unit

    def strata(self) -> np.ndarray:
        """The sums of rows among seats alike, in the order of `strata_of`, outcomes from 0 to 1."""
        unit = float(self.manifest["unit"])
        powers = [0, 0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 1, 2]
        found: np.ndarray = self.of_strata / (unit ** np.array(powers))[:, None]
        return found

    def seats(self) -> RatioSums:
        """The sums of outcomes of each seat, and of the seat of the first decision."""
        return _in_units(self.of_seats, self.manifest["unit"])


def _in_units(sums: np.ndarray, unit: int) -> RatioSums:
    games, n, s, nn, ns, ss = sums.astype(float)
    return RatioSums(games, n, s / unit, nn, ns / unit, ss / unit**2)


def squares(n: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The six sums of `RatioSums` over games, of arrays (n_games, n_rows)."""
    return np.array([one.sum(axis=0) for one in (n > 0, n, s, n * n, n * s, s * s)])


def _of_entries(games: np.ndarray, seats: int) -> tuple[np.ndarray, np.ndarray]:
    """``of_entries`` and ``of_hands`` of some games."""
    has_entries = "entries" in (games.dtype.names or ())
    n_rows = games["entries"].shape[1] // seats if has_entries else 0
    sums = np.zeros((6, n_rows), np.int64)
    hands = np.zeros((2 * seats**2 + 4 * seats + 2, n_rows), np.int64)
    for first in range(0, len(games) if n_rows else 0, _BLOCK):
        some = games[first : first + _BLOCK]
        held = (some["entries"].reshape(len(some), seats, -1) > 0).astype(np.int64)
        outcome = some["outcome"].astype(np.int64)
        n, s = held.sum(axis=1), np.einsum("gsr,gs->gr", held, outcome)
        sums += squares(n, s)
        b = np.concatenate([s[:, None], held], axis=1)
        products = np.einsum("gir,gjr->ijr", b, b).reshape(-1, n_rows)
        crossed = np.einsum("gir,gs->isr", b, outcome).reshape(-1, n_rows)
        hands += np.concatenate([b.sum(axis=0), products, crossed])
    return sums, hands


def _of_outcomes(games: np.ndarray) -> np.ndarray:
    outcome = games["outcome"].astype(np.int64)
    return np.concatenate([outcome.sum(axis=0)[None], outcome.T @ outcome])


def _of_strata(games: np.ndarray, seats: int, strata: np.ndarray) -> np.ndarray:
    sums = np.zeros((_STRATUM_SUMS, len(strata)), np.int64)
    for first in range(0, len(games) if len(strata) else 0, _BLOCK):
        some = games[first : first + _BLOCK]
        held = some["entries"].reshape(len(some), seats, -1) > 0
        rows, holders, of_seats = strata.T
        outcome = some["outcome"].astype(np.int64)[:, of_seats]
        all_n = held[:, of_seats, holders].astype(np.int64)
        n = all_n * held[:, of_seats, rows]
        s, all_s = n * outcome, all_n * outcome
        crossed = [(a * b).sum(axis=0) for a in (n, s) for b in (all_n, all_s)]
        sums += np.concatenate([squares(n, s), squares(all_n, all_s)[1:], crossed])
    return sums


def _of_matchups(games: np.ndarray, holders: Sequence[Sequence[int]]) -> np.ndarray:
    """The six sums of `RatioSums` of each entry against each of its kind, (6, n_pairs).

    The score of a pair is the outcome of the seat that has the first of them.
    """
    found = [np.zeros((6, 0), np.int64)]
    for rows in holders:
        held = games["entries"].reshape(len(games), 2, -1)[:, :, rows] > 0
        outcome = games["outcome"].astype(np.int64)
        sides = [(held[:, at, :, None] & held[:, 1 - at, None, :]).astype(int) for at in (0, 1)]
        n = sides[0] + sides[1]
        s = sides[0] * outcome[:, 0, None, None] + sides[1] * outcome[:, 1, None, None]
        found.append(squares(n, s).reshape(6, -1))
    return np.concatenate(found, axis=1)


def _of_seats(games: np.ndarray) -> np.ndarray:
    outcome = games["outcome"].astype(np.int64)
    first = games["first"].astype(np.int64)[:, None]
    began = np.where(first >= 0, np.take_along_axis(outcome, np.maximum(first, 0), 1), 0)
    n = np.concatenate([np.ones_like(outcome), (first >= 0).astype(np.int64)], axis=1)
    return squares(n, np.concatenate([outcome, began], axis=1))


def _of_games(games: np.ndarray, manifest: Mapping[str, Any]) -> np.ndarray:
    observed = (games[OBSERVED + name] for name in observed_in(manifest))
    numbers = np.stack([games["decisions"], is_shared(games, teams_in(manifest)), *observed])
    numbers = numbers.astype(np.int64)
    return np.concatenate([[len(games)], numbers.sum(axis=1), (numbers**2).sum(axis=1)])
