"""What an entry is worth, game by game, by the measure of its kind.

Of a game is kept who had the entry and how each seat came off, so that the worth of a changed entry
in the same games is set beside it game by game.  By *share* and *share within* it is how much
better seats that have the entry come off than all alike, by *contrast* how much better all seats do
in games that have it: one run says so.  By *swap* and *access* the same games are played once more
with a change, the values of a peer or a seat that may not choose it.  What it is worth to be able
to choose an entry is set beside the same of an average one: to have a choice hardly ever harms.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from analysis.estimates import Estimate
from analysis.influence import Influence
from card_data.schema import Entry
from card_data.schema.kinds import ACCESS, CONTRAST, SWAP, WITHIN
from simcore.arrays import Integers, Records
from simcore.contract.play import Table
from simcore.contract.rules import CHOSEN, DEALT, INCLUDED
from simcore.own_games.run import facts_of
from simcore.own_games.setup import OwnSetup

#: Games, one row for each, of `kept_at`.
Games = Records


def kept_at(seats: int, entries: int = 1) -> np.dtype:
    """What is kept of a game: of each seat whether it had the entry, among whom, how it came off.

    ``alike`` is the place of the seat's faction or deck where the entry is measured within these;
    ``there`` whether the entry was in the game by lot.  Of several entries ``has`` and ``alike``
    hold each seat for the first one, then for the next.
    """
    of_seats = [(name, of, (entries * seats,)) for name, of in (("has", "u1"), ("alike", "i2"))]
    there = ("there", "u1", (entries,)) if entries > 1 else ("there", "u1")
    return np.dtype([*of_seats, ("outcome", "i4", (seats,)), there, ("decisions", "i2")])


@frozen
class EntryEffect:
    """An entry, by its kind and id, and how its worth is measured; no entry for the first seat.

    ``event`` says who has it.
    """

    kind: str = ""
    entry: str = ""
    measure: str = ""
    event: str = ""

    @classmethod
    def of(cls, table: Table, entry: Entry) -> "EntryEffect":
        """The measure of its kind, and the event that says who has it.  Raises GameError."""
        return next(cls.of_each(table, [entry]))

    @classmethod
    def of_each(cls, table: Table, entries: Iterable[Entry]) -> Iterator["EntryEffect"]:
        """Those of several entries.  Raises GameError."""
        facts = facts_of(table)
        for entry in entries:
            one = facts[entry.kind]
            event = {CONTRAST: INCLUDED, ACCESS: CHOSEN}.get(one.measure, one.event)
            yield cls(entry.kind, entry.id, one.measure, event)

    @property
    def told(self) -> list[str]:
        """What no other effect has of which something else is kept."""
        return [self.entry, self.event, self.measure]

    def kept_of(self, table: Table) -> np.dtype:
        """What is kept of a game of a table."""
        return kept_at(table.seats)

    def entry_of(self, table: Table) -> Entry:
        """The entry as it is in a table."""
        key = self.kind, self.entry
        return next(one for one in table.cards if (one.kind, one.id) == key)

    def own_tables(self, table: Table) -> list[Table]:
        """What is played beside a table: by access each seat in turn without the entry."""
        return self._without(table) if self.measure == ACCESS else []

    def average_tables(self, table: Table) -> list[Table]:
        """The same with an average entry in its place, and beside that; none where none can be."""
        entry = self.entry_of(table)
        kind = table.game.schema.kind_of(entry)
        has_average = self.measure == ACCESS or (self.measure == SWAP and kind.can_swap)
        if not has_average or not kind.peers(entry, table.entries[kind.word]):
            return []
        swapped = evolve(table, swapped=entry)
        return [swapped, *self.own_tables(swapped)]

    def _without(self, table: Table) -> list[Table]:
        entry = self.entry_of(table)
        return [evolve(table, without=(seat, entry)) for seat in range(table.seats)]

    def keep(self, table: Table, seed: int, games: Games) -> Games:
        """What is kept of records of games."""
        kept = np.zeros(len(games), kept_at(table.seats))
        for name in ("outcome", "decisions"):
            kept[name] = games[name]
        if not self.entry:
            kept["has"][:, 0] = kept["there"] = 1
            return kept
        entry, events = self.entry_of(table), [*table.game.events]
        shape = len(games), table.seats, len(events), len(table.cards)
        held = games["entries"].reshape(shape) > 0
        kept["has"] = held[:, :, events.index(self.event), table.places[entry]]
        if self.measure == WITHIN:
            holder = table.game.schema.kind_of(entry).within
            of = [at for at, one in enumerate(table.cards) if one.kind == holder]
            kept["alike"] = held[:, :, events.index(DEALT)][:, :, of].argmax(axis=2)
        kept["there"] = [table.includes(entry, seed, int(number)) for number in games["game"]]
        return kept

    def worth(
        self, table: Table, games: Games, own: Sequence[Games], average: Sequence[Games]
    ) -> Influence:
        """What the entry is worth in games, with those of both kinds of tables beside them.

        By access that is minus what an average one in its place is worth, where there is one.
        """
        unit = 1 / table.game.unit
        if self.measure == CONTRAST:
            return _contrast(games, unit)
        if self.measure == ACCESS:
            found = _access(games, own, unit)
            return difference(found, _access(average[0], average[1:], unit)) if average else found
        if self.measure == SWAP:
            n, s, other_s = self.same_seats(table, games, average[0])
            return _less(n, s, n, other_s, unit)
        return _among(games, unit)

    def same_seats(
        self, table: Table, games: Games, others: Games
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
        """How many seats have the entry in either game, and what they score in the one and other.

        The seats are the same in both: who gets it by a choice may change along, and would else be
        set beside somebody else.
        """
        has = self._seats(table, games) | self._seats(table, others)
        return has.sum(axis=1), *((has * one["outcome"]).sum(axis=1) for one in (games, others))

    def holders(self, table: Table, games: Games) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """How many seats have the entry, and what they score; none where all sides are dealt it."""
        has = self._seats(table, games)
        return has.sum(axis=1), (has * games["outcome"]).sum(axis=1)

    def _seats(self, table: Table, games: Games) -> Integers:
        """1 for the seats that have the entry, (n_games, seats)."""
        teams = [[*team] for team in table.game.teams_of(table.seats)]
        has = games["has"].astype(np.int64)
        if len(teams) == 1:
            has[:] = 1
        elif self.event == DEALT:
            has[np.all([has[:, team].any(axis=1) for team in teams], axis=0)] = 0
        return has * games["there"][:, None]

    def observed(self, table: Table, games: Games) -> int:
        """Of how many seats, or by contrast of how many games, the worth speaks."""
        if self.measure == CONTRAST:
            return int(games["has"][:, 0].sum())
        if self.measure == ACCESS:
            return int(games["there"].sum()) * table.seats
        if self.measure == SWAP:
            return int(self.holders(table, games)[0].sum())
        return int(games["has"].sum())


class Beside(NamedTuple):
    """Games of a table, and for one entry those beside it without it and with an average one."""

    table: Table
    games: Games
    own: Sequence[Games]
    average: Sequence[Games]


@frozen
class EntryEffects:
    """Several entries, of each of which is kept at once what is kept of one.

    Games of a table that is played beside others for one entry tell of that one alone.
    """

    each: tuple[EntryEffect, ...]

    @property
    def told(self) -> list[str]:
        """What no others have of which something else is kept."""
        return [word for one in self.each for word in one.told]

    def about(self, table: Table) -> list[EntryEffect]:
        """The entries that games of a table tell of."""
        beside = table.swapped or (table.without[1] if table.without else None)
        return [one for one in self.each if beside is None or one.entry_of(table) == beside]

    def kept_of(self, table: Table) -> np.dtype:
        """What is kept of a game of a table."""
        return kept_at(table.seats, len(self.about(table)))

    def keep(self, table: Table, seed: int, games: Games) -> Games:
        """What is kept of records of games."""
        found = [one.keep(table, seed, games) for one in self.about(table)]
        kept = np.zeros(len(games), self.kept_of(table))
        for name in ("outcome", "decisions"):
            kept[name] = games[name]
        for name in ("has", "alike", "there"):
            kept[name] = np.stack([one[name] for one in found], axis=1).reshape(kept[name].shape)
        return kept

    def tables_of(self, table: Table) -> list[Table]:
        """What is played: a table, and for each entry what its measure takes beside."""
        sides = ((one.own_tables(table), one.average_tables(table)) for one in self.each)
        return [table, *(one for own, average in sides for one in (*own, *average))]

    def sort(self, table: Table, played: Sequence[Games]) -> list[Beside]:
        """Games of `tables_of` by the entry of which they tell."""
        rest, found = iter(played[1:]), []
        for place, effect in enumerate(self.each):
            own, average = (
                [self.of_one(0, next(rest)) for _ in tables]
                for tables in (effect.own_tables(table), effect.average_tables(table))
            )
            found.append(Beside(table, self.of_one(place, played[0]), own, average))
        return found

    def of_one(self, place: int, kept: Games) -> Games:
        """What is kept of one of the entries, by its place among those that games tell of."""
        seats = kept["outcome"].shape[1]
        found = np.zeros(len(kept), kept_at(seats))
        for name in ("outcome", "decisions"):
            found[name] = kept[name]
        for name in ("has", "alike"):
            found[name] = kept[name][:, place * seats : (place + 1) * seats]
        found["there"] = kept["there"].reshape(len(kept), -1)[:, place]
        return found


def keep(
    setup: OwnSetup,
    _players: Sequence[str],
    _kept: np.dtype,
    *,
    effect: EntryEffect | EntryEffects,
    seed: int,
) -> Callable[[Games], Games]:
    """What makes rows of `kept_at` from records of games, in any process."""
    return lambda games: effect.keep(setup.table, seed, games)


def estimate_of(found: Influence, n: int) -> Estimate:
    """An estimate about ``n`` observations with its normal interval, of shape (1,).

    One whole win more makes the error larger, as in `stopping.know`: games that all end alike are
    not known without any doubt.
    """
    std_err = np.hypot(found.std_err, 1 / n) if n else np.nan
    return Estimate.normal([found.estimate], [std_err], [float(n)])


def difference(of: Influence, base: Influence) -> Influence:
    """An estimate minus another one in the same games."""
    return Influence(of.estimate - base.estimate, of.of_games - base.of_games, of.games)


def _less(n: Any, s: Any, other_n: Any, other_s: Any, unit: float) -> Influence:
    """One mean outcome minus another; no sum counts in a game in which there are no n."""
    sides = ((s, n), (other_s, other_n))
    means = [Influence.ratio((s * (n > 0)).astype(int), n.astype(int), unit) for s, n in sides]
    return difference(*means)


def _access(games: Games, without: Sequence[Games], unit: float) -> Influence:
    """The mean outcome of all seats, minus that of each where it goes without the entry."""
    there = games["there"].astype(int) * games["outcome"].shape[1]
    alone = sum(one["outcome"][:, seat] for seat, one in enumerate(without))
    return _less(there, games["outcome"].astype(int).sum(axis=1), there, alone, unit)


def _contrast(games: Games, unit: float) -> Influence:
    """The mean outcome in games that have the entry, minus that in games that have not."""
    has = games["has"][:, 0].astype(int)
    total, seats = games["outcome"].astype(int).sum(axis=1), games["outcome"].shape[1]
    return _less(seats * has, total, seats * (1 - has), total, unit)


def _among(games: Games, unit: float) -> Influence:
    """What seats with the entry were better by than the same seats with the same faction or deck.

    With a the mean outcome of all alike, D = sum (s - a) / n over seats that have it; what a game
    adds to it has a part for each a, as in `OwnCounts.shares`.  These parts sum to zero.
    """
    has, outcome = games["has"].astype(float), games["outcome"] * unit
    total, of_games = has.sum(), np.zeros(len(games))
    if not total:
        return Influence(np.nan, np.full(len(games), np.nan), 0)
    for seat in range(has.shape[1]):
        for holder in np.unique(games["alike"][:, seat]):
            alike = games["alike"][:, seat] == holder
            mine = has[alike, seat]
            above = outcome[alike, seat] - outcome[alike, seat].mean()
            of_games[alike] += (mine - mine.mean()) * above
    n, estimate = has.sum(axis=1), float(of_games.sum() / total)
    return Influence(estimate, (of_games - estimate * n) / total, int(np.count_nonzero(n)))
