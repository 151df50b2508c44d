"""The tables of a run of Mice & Mystics."""

from analysis.mice_and_mystics import counters, heroes, outcomes, treatments
from analysis.registry import Registry

#: In the order in which they are best read.
RUN_TABLES = Registry(
    outcomes.OUTCOMES,
    outcomes.PARTIES,
    heroes.HEROES,
    heroes.HERO_PAIRS,
    outcomes.CLOCK,
    outcomes.ROOMS,
    treatments.ENCOUNTERS,
    treatments.ABILITIES,
    treatments.SEARCH_CARDS,
    counters.CHEESE,
    counters.COUNTERS,
)
