"""Parties of one to six mice, and more than eight types of minions: both engines play alike."""

from collections import Counter
from functools import cache

import attrs
import pytest

from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.facts import Facts, Group
from support.mice_and_mystics.engines import SIDES
from support.mice_and_mystics.fast_table import FastSide
from support.mice_and_mystics.invariants import Invariants
from support.mice_and_mystics.lockstep import PLAYERS, play_in_lockstep
from support.mice_and_mystics.sides import Setting
from support.mice_and_mystics.table import CHAPTER_1, STAND_IN, base_facts

#: Types of minions that are added to those of the base game, each like one of them, with a figure.
MORE = ("roach", "rat_warrior", "spider", "cave_centipede")
#: Start spaces that hold six mice.
START = {CHAPTER_1: ("C1", "D1"), STAND_IN: ("b1", "c1")}


@cache
def facts_of(mice: int) -> Facts:
    """Chapters for so many mice, any of the heroes, and surges with further types."""
    facts = base_facts()
    more = tuple(
        attrs.evolve(one, id=name, initiative_card=name, figure_pool=name, figure_limit=1)
        for one in facts.minions
        if one.id in MORE
        for name in (f"other_{one.id}",)
    )
    chapters = tuple(
        attrs.evolve(
            chapter,
            mice=mice,
            allowed=tuple(hero.id for hero in facts.heroes),
            must_include=(),
            start=attrs.evolve(chapter.start, mice_spaces=START[chapter.id]),
        )
        for chapter in facts.chapters
    )
    encounters = tuple(
        attrs.evolve(one, surge=(*one.surge, *(Group(type=kind.id, count=1) for kind in more)))
        for one in facts.encounters
    )
    made = attrs.evolve(
        facts, minions=(*facts.minions, *more), chapters=chapters, encounters=encounters
    )
    assert not facts_faults(made)
    return made


@pytest.mark.parametrize("mice", [1, 2, 3, 5, 6])
def test_parties_of_any_size_play_alike(mice: int) -> None:
    """Entries, table and choices at every decision, and all counters at the end."""
    facts, seen = facts_of(mice), Counter[str]()
    assert len(facts.minions) > 8
    for game, player in enumerate(PLAYERS * 2):
        chapter = (CHAPTER_1, STAND_IN)[game % 2]
        setting = Setting(chapter, None, player, seed=mice, game=game, facts=facts)
        words = play_in_lockstep(setting, FastSide)
        [party] = [word for word in words if word.startswith(f"{chapter}: ")]
        assert party.count(",") == mice - 1
        seen += words
    assert {"BATTLE", "SEARCH", "MOVE"} <= set(seen)


@pytest.mark.parametrize("mice", [1, 6])
@pytest.mark.parametrize("engine", sorted(SIDES))
def test_invariants_hold_for_parties_of_any_size(engine: str, mice: int) -> None:
    """I1 to I8, and further types of minions come to the tile."""
    types = set()
    for game in range(8):
        setting = Setting(STAND_IN, None, "H", seed=3, game=game, facts=facts_of(mice))
        side = SIDES[engine](setting)
        invariants = Invariants(side, setting)
        while side.labels:
            invariants.check()
            types |= {minion.type for minion in side.minions}
            side.choose(side.pick())
        invariants.check()
    assert types & {f"other_{one}" for one in MORE}
