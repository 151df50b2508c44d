"""What was played in a run, as its tables need it: chapter, parties, and who is called what."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
from attrs import field, frozen

from card_data.mice_and_mystics.confidence import may_take, used_entries
from card_data.mice_and_mystics.facts import Chapter, Facts, by_id
from card_data.mice_and_mystics.settings import Settings, legal_parties
from simcore.mice_and_mystics.table.limits import CAUSES, HEROES
from simcore.mice_and_mystics.table.records import Outcome, counter_names

#: Said in a row that is about all games, parties, heroes and so on.
ALL = "all"

#: Outcomes in the words of the rules text, in the order of their numbers.
OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome)
#: Numbers of the whole game by which it is graded.
GRADED = ("route_depth", "rooms_explored", "page_final", "pages_left", "score")


#: Causes of capture (M104), in the order of the record.
CAUSES_OF_CAPTURE = ("battle", "trap", "drift", "event")
#: Numbers that are no fields of the record but made from several: cards of mice above the first one
#: of minions on the first track, and whose card lies on top of it.
AHEAD, ON_TOP = "ahead", "on_top"


class Drawn(NamedTuple):
    """A kind of cards that are drawn at random before anything is played.

    ``word`` begins the name of the number of a game that says whether it has a card, as in
    "first_ID"; ``column`` is that of the ids in the table of the kind.
    """

    word: str
    column: str


#: These kinds.
DRAWN = {
    "abilities": Drawn("dealt", "ability"),
    "search_cards": Drawn("top8", "card"),
    "encounters": Drawn("first", "encounter"),
}


class Number(NamedTuple):
    """A number of each game: how it is called, what it is made from, and the place in it.

    ``field`` is a field of the record, or ``score``, `AHEAD` or `ON_TOP`.  ``place`` is -1 for a
    field with one number; in ``outcome``, ``first_e`` and `AHEAD` it is the value that counts as 1,
    in a mask the bit.  ``is_counter``: whether section 29 of the rules text has it.
    """

    name: str
    field: str
    place: int
    is_counter: bool = True

    @property
    def is_share(self) -> bool:
        """Whether it is 1 or 0 in every game."""
        return self.field in {"outcome", "first_e", "dealt", "owned", AHEAD, ON_TOP}


@frozen(slots=False)
class RunFacts:
    """What was played, and by whom: ``player`` plays all mice."""

    data: Facts = field(repr=False)
    settings: Settings
    player: str

    @cached_property
    def chapter(self) -> Chapter:
        """The chapter."""
        return by_id(self.data.chapters)[self.settings.chapter]

    @cached_property
    def parties(self) -> tuple[tuple[str, ...], ...]:
        """The parties, each in the order of the facts."""
        one = self.settings.party
        return (one,) if one else legal_parties(self.data, self.settings)

    @cached_property
    def page_end(self) -> int:
        """The page on which the chapter is lost."""
        return self.settings.page_end or self.chapter.page_end

    @cached_property
    def ids(self) -> Mapping[str, Sequence[str]]:
        """The ids of each kind, in the order of the records."""
        facts = self.data
        kinds = {
            "heroes": facts.heroes,
            "minions": facts.minions,
            "cards": facts.search_cards,
            "abilities": facts.abilities,
            "encounters": facts.encounters,
        }
        ids = {kind: tuple(one.id for one in entries) for kind, entries in kinds.items()}
        return ids | {"tiles": tuple(self.chapter.tiles)}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The printed name of every entry, by its id."""
        facts = self.data
        kinds = (facts.heroes, facts.minions, facts.search_cards, facts.abilities)
        return {
            one.id: one.name for kind in (*kinds, facts.encounters, facts.tiles) for one in kind
        }

    @cached_property
    def used(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the entries that can come up, by kind, in the order of the data."""
        entries = used_entries(self.data, self.settings)
        return {kind: tuple(one.id for one in used) for kind, used in entries.items()}

    @cached_property
    def drawn(self) -> Mapping[str, str]:
        """The cards that can be drawn at random, by id: the kind of each, a word of `DRAWN`."""
        return {
            card: kind
            for kind in DRAWN
            for card in self.used[kind]
            if self._may_have(kind, card).any()
        }

    def may_have(self, card: str) -> np.ndarray:
        """In the games of which parties one of `drawn` can be: bool, shape (n_parties,)."""
        return self._may_have(self.drawn[card], card)

    def _may_have(self, kind: str, card: str) -> np.ndarray:
        heroes = by_id(self.data.heroes)
        parties = [[heroes[one] for one in party] for party in self.parties]
        if kind == "abilities":
            ability = by_id(self.data.abilities)[card]
            return np.array([may_take(ability, party) for party in parties])
        if kind == "search_cards":  # gear that somebody begins with is not in the deck
            copies = by_id(self.data.search_cards)[card].count
            removed = self.settings.unused_gear == "removed"
            worn = [
                sum(hero.starting_gear.count(card) for hero in party)
                for party in ([self.data.heroes] * len(parties) if removed else parties)
            ]
            return np.array([copies > n for n in worn])
        return np.ones(len(parties), bool)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number of a game that is summed up: those of section 29, then others.

        Numbers of one field stand together, in the order of their places.
        """
        ids, minions = self.ids, self.data.minions
        others = (
            *(
                (f"captures_{hero}_{cause}", "captures_how", h * CAUSES + c)
                for h, hero in enumerate(ids["heroes"])
                for c, cause in enumerate(CAUSES_OF_CAPTURE)
            ),
            *((f"captures_by_{one}", "captures_by", m) for m, one in enumerate(ids["minions"])),
            *((f"captures_in_{one}", "captures_in", t) for t, one in enumerate(ids["tiles"])),
            *((f"ahead_{mice}", AHEAD, mice) for mice in range(self.chapter.mice + 1)),
            *((f"on_top_{hero}", ON_TOP, h) for h, hero in enumerate(ids["heroes"])),
            *(
                (f"on_top_{one.id}", ON_TOP, HEROES + m)
                for m, one in enumerate(minions)
                if one.initiative_card == one.id
            ),
        )
        return (
            *(Number(word, "outcome", outcome) for outcome, word in enumerate(OUTCOMES, 1)),
            *(Number(name, name, -1) for name in GRADED),
            *(Number(*counter) for counter in counter_names(ids)),
            *(Number(*other, is_counter=False) for other in others),
        )

    @cached_property
    def fields(self) -> Sequence[tuple[str, slice, np.ndarray]]:
        """What the numbers are made from: field, where they stand in `numbers`, and their places.

        Places have shape (n_numbers_of_the_field, 1).
        """
        found, first = [], 0
        for made_from, group in groupby(self.numbers, lambda number: number.field):
            places = np.array([[number.place] for number in group])
            found.append((made_from, slice(first, first + len(places)), places))
            first += len(places)
        return tuple(found)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each number stands in `numbers`, by its name."""
        return {number.name: place for place, number in enumerate(self.numbers)}

    @cached_property
    def members(self) -> np.ndarray:
        """Which hero is in which party: bool, shape (n_heroes, n_parties)."""
        return np.array(
            [[hero in party for party in self.parties] for hero in self.ids["heroes"]], bool
        )

    def party_of(self, games: np.ndarray) -> np.ndarray:
        """The number of each game's party, shape (n_games,); -1 for one that is not played."""
        heroes = games["party"].astype(np.int64)
        bits = np.where(heroes >= 0, 1 << np.maximum(heroes, 0), 0).sum(axis=1)
        of_bits = np.full(1 << len(self.ids["heroes"]), -1)
        for number, party in enumerate(self.parties):
            of_bits[sum(1 << self.ids["heroes"].index(hero) for hero in party)] = number
        return of_bits[bits]


def party_name(party: Sequence[str]) -> str:
    """A party as it is written on the command line."""
    return ",".join(party)


def with_without(members: np.ndarray) -> np.ndarray:
    """Weights of parties: mean of those with a hero minus mean of those without.

    ``members`` is bool of shape (n_heroes, n_parties), and so are the weights, of float; all 0 for
    a hero who is in all parties or in none.
    """
    n_with, n_without = (side.sum(axis=1, keepdims=True) for side in (members, ~members))
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = members / n_with - ~members / n_without
    return np.where((n_with > 0) & (n_without > 0), weights, 0.0)


def shapley(members: np.ndarray) -> np.ndarray:
    """Weights of parties in each hero's Shapley value over party sets (see ``heroes``).

    Shapes as in `with_without`, for parties that are all sets of one size of the heroes who are not
    in every party.
    """
    differing = int((members.any(axis=1) & ~members.all(axis=1)).sum())
    return with_without(members) * (differing - 1) / max(differing, 1)
