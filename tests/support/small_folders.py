"""Folders of every kind, small: the commands that make them in seconds once all is compiled.

Every command that computes is here, so that what asks something of all of them finds it.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple


class Work(NamedTuple):
    """A command that leaves ``folder``; ``before`` are those that must have been done."""

    name: str
    command: str
    folder: str
    before: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The command's arguments."""
        return shlex.split(self.command)


_RUN = "simulate first_contact --policy random --games 3000 --seed 3 --threads 2 --out run"
_OTHERS = "simulate first_contact --games 1500 --policy greedy --out others"
_SENSITIVITY = (
    "sensitivity killer_bee first_contact --changes value,power --games 300 --policy random"
)

#: Each command that computes, at least once.
WORKS = (
    Work("simulate", _RUN, "run"),
    Work(
        "simulate --until",
        "simulate first_contact --policy random --until 3:first_player --games 8000 --out until",
        "until",
    ),
    Work("analyze", "analyze run", "run", (_RUN,)),
    Work("report", "report run --format html,md", "run", (_RUN, "analyze run")),
    Work("skill", "skill others run", "run", (_OTHERS, _RUN)),
    Work(
        "balance",
        "balance first_contact --policy random --games 2000 --skill random,greedy"
        " --skill-games 1000 --format html,xlsx --out all",
        "all",
    ),
    Work(
        "compare",
        "compare first_contact new_servants --games 2000 --policy random --out compared",
        "compared",
    ),
    Work("sensitivity", f"{_SENSITIVITY} --out sensitive", "sensitive"),
    Work(
        "rebalance",
        "rebalance first_contact --games 200 --confirm 400 --budget 2000 --policy random"
        " --only killer_bee,gorillion,axolotl_healer --out better",
        "better",
    ),
    Work(
        "ladder",
        "ladder first_contact --players random,greedy,heuristic --games 200 --out climbed",
        "climbed",
    ),
    Work(
        "restrict",
        "restrict first_contact --policy heuristic --restrictions blocks,hunts --games 400"
        " --out restricted",
        "restricted",
    ),
    Work(
        "train",
        "train first_contact --generations 4 --population 4 --games 40 --out trained",
        "trained",
    ),
)

#: Files that depend on the clock, and are no results: how fast pairs were played.
CLOCKED = ("timings.json", "tables/speed.csv", "tables/speed.parquet", "ladder.html")
