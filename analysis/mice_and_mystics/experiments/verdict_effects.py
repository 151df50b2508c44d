"""What an entry of a chapter does to the win rate: its effect, found by experiment.

Parties, starting abilities, the top of the search deck and the first encounter are drawn at random,
so games that have the entry there and games that have not differ in nothing else: the *effect* is
the difference of their win rates, within parties, and that of a hero from means over parties.  A
minion, and a hero whom every party has, are in all games; for them the effect is the difference to
games with the same luck in which an average one has their place: the median of each number of the
others, and no abilities of a minion.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import evolve, field, frozen

from analysis.estimates import Estimate
from analysis.mice_and_mystics.run_facts import RunFacts, with_without
from analysis.runs import Run
from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.facts import Entry, Facts, by_id
from card_data.mice_and_mystics.settings import Settings
from simcore.arrays import Bools, Floats, Integers, Records
from simcore.sealed import RunError

#: Kinds of entries that a verdict is about.
HEROES, MINIONS, ABILITIES, SEARCH_CARDS, ENCOUNTERS = KINDS = (
    *("heroes", "minions", "abilities", "search_cards", "encounters"),
)
#: Those of them that stand against the mice.
OF_THE_FOE = (MINIONS, ENCOUNTERS)
#: How an effect is known: the entry is drawn at random, or an average one takes its place.
DRAWN, SWAPPED = "drawn", "swapped"
#: The numbers of those that an average one can take the place of.
NUMBERS = {
    HEROES: ("battle", "defense", "lore", "move", "life"),
    MINIONS: ("battle", "defense", "life", "move_dice"),
}
_WON = npt.NDArray[np.int8]


class NothingToCompare(RunError):
    """The entry is in no game, or in every game and nothing can take its place."""


@frozen
class Sorted:
    """Games by what is compared: the effect is the sum of the means of groups, each times a weight.

    ``group`` are places in ``weights``, (n_games,); ``instead`` are the results with an average
    entry in the place of the one asked about, where the effect is the difference to them.
    """

    group: Integers
    weights: Floats
    instead: _WON | None = None

    @property
    def has(self) -> Bools:
        """Games that have the entry where it is drawn to."""
        return np.asarray(self.weights[self.group] > 0)

    def first(self, n: int) -> "Sorted":
        """The first games alone."""
        instead = None if self.instead is None else self.instead[:n]
        return Sorted(self.group[:n], self.weights, instead)

    def effect(self, won: _WON) -> Estimate:
        """The effect of the entry, from the results of the games."""
        values = won.astype(float)
        return self.of(values if self.instead is None else values - self.instead)

    def moved(self, won: _WON, before: _WON) -> Estimate:
        """The difference between two effects in the same games."""
        return self.of(won.astype(float) - before)

    def of(self, values: Floats) -> Estimate:
        """The weighted sum of the means of any numbers of the games."""
        return contrast(values, self.group, self.weights)


def contrast(values: Floats, group: Integers, weights: Floats) -> Estimate:
    """The weighted sum of the means of groups, with a normal interval; of shape (1,).

    One whole win more in each group makes the error larger, as in `stopping.know`: games that all
    end alike are not known without any doubt.  ``n`` are the games of the scarcer side.
    """
    size = len(weights)
    n = np.bincount(group, minlength=size).astype(float)
    total, squares = (np.bincount(group, weights=values**power, minlength=size) for power in (1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        variance = np.maximum(squares / n - mean**2, 0) / np.maximum(n - 1, 1) + 1 / n**2
    asked = weights != 0
    value = float((weights[asked] * mean[asked]).sum())
    error = float(np.sqrt((weights[asked] ** 2 * variance[asked]).sum()))
    n_least = min(float(n[side].sum()) for side in (weights > 0, weights < 0) if side.any())
    return Estimate.normal([value], [error], [n_least])


@frozen
class Played:
    """What one player made of the chapter, and of it with an average entry in the place."""

    run: Run
    facts: RunFacts
    records: Records = field(repr=False)
    won: _WON = field(repr=False)
    sorted: Sorted = field(repr=False)
    instead: _WON | None = field(repr=False)

    @property
    def has(self) -> Bools:
        """The games that count: all whose results the effect is made of."""
        if self.sorted.instead is not None:
            return np.ones(len(self.sorted.instead), np.bool_)
        return self.sorted.has

    @property
    def swapped(self) -> Floats:
        """Results minus those with an average one in the place, in the games that have the entry.

        None of them where nothing can take its place.
        """
        if self.instead is None:
            return np.empty(0)
        n = len(self.instead)
        return np.subtract(self.won[:n], self.instead, dtype=float)[self.has[:n]]

    @property
    def effect(self) -> Estimate:
        """The effect of the entry."""
        games = len(self.won) if self.sorted.instead is None else len(self.sorted.instead)
        return self.sorted.effect(self.won[:games])


def sort_games(kind: str, entry: str, facts: RunFacts, records: Records) -> Sorted | None:
    """Games by what was drawn; None where all games are alike in that."""
    if kind == MINIONS:
        return None
    place = facts.ids["cards" if kind == SEARCH_CARDS else kind].index(entry)
    if kind == HEROES:
        members = facts.members[place]
        if members.all() or not members.any():
            return None
        weights = with_without(facts.members[place : place + 1])[0]
        return Sorted(facts.party_of(records).astype(np.int64), np.asarray(weights, float))
    has = {
        ABILITIES: lambda: records["dealt"] >> place & 1,
        SEARCH_CARDS: lambda: records["top8"][:, place] > 0,
        ENCOUNTERS: lambda: records["first_e"] == place,
    }[kind]().astype(np.int64)
    return _within_parties(facts.party_of(records), has, len(facts.parties))


def _within_parties(party: npt.NDArray[np.int8], has: Integers, n_parties: int) -> Sorted | None:
    """Games of each party without an entry and with it, each party by its share of the games.

    Who is in a party decides which abilities are dealt, so parties are not compared with each
    other.  None where no party has games of both kinds.
    """
    group = party + n_parties * has
    n = np.bincount(group, minlength=2 * n_parties).reshape(2, n_parties)
    games = n.sum(axis=0) * (n > 1).all(axis=0)
    if not games.any():
        return None
    shares = games / games.sum()
    return Sorted(group, np.concatenate([-shares, shares]))


def nearest_entry(
    facts: Facts, kind: str, tables: Mapping[str, pd.DataFrame], but: Collection[str]
) -> Entry | None:
    """The entry with the smallest effect in the run, but for some ids; None without one."""
    table, column = tables[kind], kind.removeprefix("search_").rstrip("s")
    column = "ability" if kind == ABILITIES else column
    rows = table[~table[column].isin(but) & table["win_effect"].notna()]
    if rows.empty:
        return None
    return by_id(getattr(facts, kind))[str(rows.loc[rows["win_effect"].abs().idxmin(), column])]


def average_entry(
    facts: Facts,
    settings: Settings,
    kind: str,
    entry: Entry,
    tables: Mapping[str, pd.DataFrame],
    but: Collection[str] = (),
) -> tuple[Facts, str] | None:
    """The facts with an average entry in the place of the one asked about, and what that is.

    It is none of the ids ``but``.  None where that cannot be played.
    """
    entries: tuple[Entry, ...] = getattr(facts, kind)
    if kind in NUMBERS:
        used = RunFacts(facts, settings, "").used[kind]
        others = [one for one in entries if one.id in used and one.id != entry.id]
        if not others:
            return None
        numbers: dict[str, Any] = {
            name: int(np.median([getattr(one, name) for one in others])) for name in NUMBERS[kind]
        }
        more: dict[str, Any] = {"abilities": ()} if kind == MINIONS else {}
        made: Any = evolve(entry, **more, **numbers)
        name = "average numbers"
    else:
        other: Any = nearest_entry(facts, kind, tables, {entry.id, *but})
        if other is None:
            return None
        kept = {ABILITIES: "classes", SEARCH_CARDS: "count", ENCOUNTERS: "difficult"}[kind]
        mine = {"id": entry.id, kept: getattr(entry, kept)}
        made, name = evolve(other, **mine), other.name or other.id
    new = tuple(made if one.id == entry.id else one for one in entries)
    put: dict[str, Any] = {kind: new}
    facts = evolve(facts, **put)
    return None if facts_faults(facts) else (facts, name)
