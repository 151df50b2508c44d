"""The engines that examples, invariants and lockstep are asked of; another one is a line here."""

from support.mice_and_mystics.fast_table import FastSide, FastTable
from support.mice_and_mystics.sides import SlowSide, Start
from support.mice_and_mystics.slow_table import SlowTable
from support.mice_and_mystics.table import SetUp

#: From a position, for the worked examples.
ENGINES: dict[str, SetUp] = {"slow": SlowTable, "fast": FastTable}

#: Whole games, for the invariants; those besides the slow one for lockstep.
SIDES: dict[str, Start] = {"slow": SlowSide, "fast": FastSide}
