"""What was played in a run, as its tables need it: chapter, parties, and who is called what."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from attrs import field, frozen

from card_data.mice_and_mystics.facts import Chapter, Facts, by_id
from card_data.mice_and_mystics.settings import Settings, legal_parties
from simcore.mice_and_mystics.table.records import Outcome, counter_names

#: The party of a row that is about all games.
ALL = "all"


#: Outcomes in the words of the rules text, in the order of their numbers.
OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome)
#: Numbers of the whole game that are no counters, but described in the same way.
GRADED = (*OUTCOMES, "route_depth", "rooms_explored", "page_final", "pages_left", "score")


class Number(NamedTuple):
    """A number of each game: how it is called, the field of the record, and the place in it.

    Those of `GRADED` have no field.
    """

    name: str
    field: str
    place: int

    @property
    def is_share(self) -> bool:
        """Whether it is 1 or 0 in every game."""
        return self.name in OUTCOMES or self.field in {"first_e", "dealt", "owned"}


@frozen(slots=False)
class RunFacts:
    """What was played, and by whom: ``player`` plays all mice.

    ``until`` is what the manifest says of the rule that ended the run, if one did.
    """

    data: Facts = field(repr=False)
    settings: Settings
    player: str
    until: Mapping[str, Any] | None = field(default=None, eq=False, repr=False)

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
        return {kind: tuple(one.id for one in entries) for kind, entries in kinds.items()}

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """Every number of a game that is summed up: those of section 29 of the rules text."""
        return (
            *(Number(name, "", -1) for name in GRADED),
            *(Number(*counter) for counter in counter_names(self.ids)),
        )

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
        bits = (1 << games["party"].astype(np.int64)).sum(axis=1)
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
