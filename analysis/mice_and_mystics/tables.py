"""The tables of a run of Mice & Mystics."""

from analysis.mice_and_mystics import (
    captures,
    counters,
    dice,
    heroes,
    initiative,
    outcomes,
    rooms,
    sources,
    treatments,
)
from analysis.registry import Registry

#: In the order in which they are best read.
RUN_TABLES = Registry(
    outcomes.OUTCOMES,
    outcomes.PARTIES,
    heroes.HEROES,
    heroes.HERO_PAIRS,
    outcomes.CLOCK,
    rooms.ROOMS,
    rooms.ROOM_COSTS,
    captures.CAPTURES,
    treatments.ENCOUNTERS,
    initiative.INITIATIVE,
    initiative.INITIATIVE_ROOMS,
    treatments.ABILITIES,
    treatments.SEARCH_CARDS,
    counters.CHEESE,
    dice.DICE,
    sources.SOURCES,
    counters.COUNTERS,
)
