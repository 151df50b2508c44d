"""How sure the entries are that a chapter is played with."""

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import frozen

from card_data.mice_and_mystics.facts import (
    CONFIDENCES,
    Ability,
    Chapter,
    Entry,
    Facts,
    Group,
    Hero,
    by_id,
)
from card_data.mice_and_mystics.settings import Settings, legal_parties


@frozen
class Confidence:
    """How many entries are verified, reported and assumed."""

    verified: int
    reported: int
    assumed: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.verified + self.reported + self.assumed


def confidence_of(entries: Iterable[Entry]) -> Confidence:
    """How many of some entries are verified, reported and assumed."""
    counts = Counter(entry.confidence for entry in entries)
    return Confidence(*(counts[word] for word in CONFIDENCES))


def count_confidence(facts: Facts, settings: Settings) -> dict[str, Confidence]:
    """How sure the entries are that can come up in a chapter, by kind ("heroes" and so on)."""
    return {kind: confidence_of(used) for kind, used in used_entries(facts, settings).items()}


def used_entries(facts: Facts, settings: Settings) -> Mapping[str, tuple[Entry, ...]]:
    """The entries that can come up in a chapter, by kind.

    Heroes of the parties that are played; abilities that one of them may take; encounter cards of
    the deck; minions that an encounter, a surge, the start or a room places; rooms that are linked;
    search cards, without gear that is removed (S13); the die and the chapter.
    """
    chapter = by_id(facts.chapters)[settings.chapter]
    parties = [settings.party] if settings.party else legal_parties(facts, settings)
    in_party = {hero for party in parties for hero in party}
    heroes = [hero for hero in facts.heroes if hero.id in in_party]
    abilities = [one for one in facts.abilities if may_take(one, heroes)]
    encounters = [
        one for one in facts.encounters if settings.encounter_deck == "all" or not one.difficult
    ]
    placed = {
        group.type
        for one in encounters
        for groups in (one.surge, *(band.minions for band in one.bands))
        for group in groups
    } | {group.type for group in _awaiting(chapter)}
    for one in reversed(facts.minions):
        if one.id in placed:
            placed |= {str(e["minion"]) for e in one.abilities if e.op == "summon"}
    return {
        "die": (facts.die,),
        "heroes": tuple(heroes),
        "minions": tuple(one for one in facts.minions if one.id in placed),
        "abilities": tuple(abilities),
        "search_cards": tuple(_search_cards(facts, settings, in_party)),
        "encounters": tuple(encounters),
        "tiles": tuple(one for one in facts.tiles if one.id in chapter.tiles),
        "chapters": (chapter,),
    }


def may_take(ability: Ability, heroes: Iterable[Hero]) -> bool:
    """Whether one of some heroes may have an ability."""
    words = {"any"}
    for hero in heroes:
        words |= {hero.id, *hero.classes, hero.extra_ability_class}
    return not words.isdisjoint(ability.classes)


def _awaiting(chapter: Chapter) -> Iterable[Group]:
    """The groups of minions that the rooms of a chapter hold."""
    return (*chapter.start.minions, *(one for rule in chapter.room_rules for one in rule.minions))


def _search_cards(facts: Facts, settings: Settings, in_party: set[str]) -> Iterable[Entry]:
    """The search cards that can turn up: in the deck, or as starting gear."""
    own = {card for hero in facts.heroes if hero.id in in_party for card in hero.starting_gear}
    others = {card for hero in facts.heroes for card in hero.starting_gear} - own
    gone = others if settings.unused_gear == "removed" else set()
    return (card for card in facts.search_cards if card.id not in gone)
