"""All tables of Mice & Mystics: those of a run, of a comparison, and of experiments."""

from analysis.mice_and_mystics.experiments.assumptions import ASSUMPTIONS
from analysis.mice_and_mystics.experiments.skill import SKILL, SKILL_PLAYERS
from analysis.mice_and_mystics.pairs import COMPARISON
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.registry import Registry

#: Every table.
TABLES = Registry(*RUN_TABLES.values(), ASSUMPTIONS, COMPARISON, SKILL_PLAYERS, SKILL)
