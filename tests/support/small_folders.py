"""Folders of every kind, small: the commands that make them in seconds once all is compiled.

Every command that computes is here, so that what asks something of all of them finds it.
"""

import json
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple
from unittest.mock import patch

from card_data.checksums import CHECKSUM


class Work(NamedTuple):
    """A command that leaves ``folder``; ``before`` are those that must have been done.

    ``readers`` are commands that read the folder.
    """

    name: str
    command: str
    folder: str
    before: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        """The command's arguments."""
        return shlex.split(self.command)


_RUN = "simulate first_contact --policy random --games 3000 --seed 3 --threads 2 --out run"
_OTHERS = "simulate first_contact --games 1500 --policy greedy --out others"
_SENSITIVITY = (
    "sensitivity killer_bee first_contact --changes value,power --games 300 --policy random"
)

_HEROES = "standin_four_rooms --policy heuristic --games"
_MICE = f"simulate {_HEROES} 400 --threads 2 --out mice"

#: Each command that computes, at least once.
WORKS = (
    Work("simulate", _RUN, "run", readers=("analyze run", "replay run 7")),
    Work(
        "simulate --until",
        "simulate first_contact --policy random --until 3:first_player --games 8000 --out until",
        "until",
    ),
    Work("analyze", "analyze run", "run", (_RUN,)),
    Work("report", "report run --format html,md", "run", (_RUN, "analyze run"), ("runs .",)),
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
        readers=(
            "simulate first_contact --policy learned=trained/weights.toml --games 10 --dry-run",
        ),
    ),
    Work(
        "train (network)",
        "train first_contact --start expert --generations 2 --games 20 --out taught",
        "taught",
        readers=("simulate first_contact --policy expert=taught/network.npz --games 10 --dry-run",),
    ),
    Work(
        "verdict",
        "verdict killer_bee first_contact --games 2000 --policy random --stronger none"
        " --out judged",
        "judged",
        readers=("runs .",),
    ),
    Work("simulate, M&M", _MICE, "mice", readers=("analyze mice", "replay mice 7")),
    Work("analyze, M&M", "analyze mice", "mice", (_MICE,), ("runs .",)),
    Work("report, M&M", "report mice --format html,md", "mice", (_MICE, "analyze mice")),
    Work("balance, M&M", f"balance {_HEROES} 300 --format html --out mice_all", "mice_all"),
    Work(
        "compare, M&M",
        f"compare ch1_flight_to_barksburg {_HEROES} 200 --out mice_compared",
        "mice_compared",
    ),
    Work(
        "skill, M&M",
        "skill standin_four_rooms --players uniform,heuristic --games 100 --out mice_skill",
        "mice_skill",
    ),
    Work(
        "sensitivity, M&M",
        "sensitivity standin_four_rooms --of life --games 100 --policy heuristic"
        " --out mice_sensitive",
        "mice_sensitive",
    ),
    Work(
        "rebalance, M&M",
        "rebalance standin_four_rooms --band 45,55 --changes heroes --games 100 --budget 400"
        " --policy heuristic --out mice_better",
        "mice_better",
    ),
    Work(
        "verdict, M&M",
        "verdict nez standin_four_rooms --games 1000 --policy heuristic --stronger none"
        " --out mice_judged",
        "mice_judged",
    ),
    Work(
        "train, M&M",
        "train standin_four_rooms --generations 3 --population 4 --games 10 --out mice_trained",
        "mice_trained",
        readers=(
            "simulate standin_four_rooms --policy learned=mice_trained/weights.toml --games 10"
            " --dry-run",
        ),
    ),
)

#: Files that depend on the clock, and are no results: how fast pairs were played.
CLOCKED = ("timings.json", "tables/speed.csv", "tables/speed.parquet", "ladder.html")


def unclocked(checksums: bytes) -> bytes:
    """Checksums without those of files that depend on the clock."""
    with suppress(ValueError, AttributeError, KeyError):
        said = json.loads(checksums)
        said["files"] = {
            name: one for name, one in said["files"].items() if not name.endswith(CLOCKED)
        }
        del said[CHECKSUM]
        return json.dumps(said).encode()
    return checksums


@contextmanager
def few_games() -> Iterator[None]:
    """Let trainings test what they have learned with few games, also in processes forked here."""
    of = "reports.mindbug.training.fit", "reports.mice_and_mystics.training"
    numbers = {f"{module}.{name}": 400 for module in of for name in ("_TEST_GAMES", "_POSITIONS")}
    numbers["reports.mindbug.training.network._TEST_GAMES"] = 40
    with ExitStack() as patches:
        for name, games in numbers.items():
            patches.enter_context(patch(name, games))
        yield
