"""The engines that the worked examples and invariants are asked of; another one is a line here."""

from __future__ import annotations

from support.mice_and_mystics.slow_table import SlowTable
from support.mice_and_mystics.table import SetUp

ENGINES: dict[str, SetUp] = {"slow": SlowTable}
