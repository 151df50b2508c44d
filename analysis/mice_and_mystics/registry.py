"""All tables of Mice & Mystics: those of a run, and that of a comparison."""

from analysis.mice_and_mystics.pairs import COMPARISON
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.registry import Registry

#: Every table.
TABLES = Registry(*RUN_TABLES.values(), COMPARISON)
