"""The options that several commands have, whatever the game, and how they are read."""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError

MAX_GAMES = 1_000_000_000
#: How many games are played unless something else is said.
USUAL_GAMES = 1_000_000
_MAX_THREADS = 1024


def whole(least: int, most: int) -> Callable[[Any, Sequence[Any]], int]:
    """A converter for a whole number in a range."""

    def convert(_: Any, tokens: Sequence[Any]) -> int:
        text = tokens[0].value
        try:
            number = int(text)
        except ValueError:
            raise ValueError(f"'{text}' is not a whole number from {least:,} to {most:,}") from None
        if not least <= number <= most:
            raise ValueError(f"{number:,} is not between {least:,} and {most:,}")
        return number

    return convert


def number(_: Any, tokens: Sequence[Any]) -> int:
    """A converter for a number of which the command knows what is allowed."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"'{tokens[0].value}' is not a whole number") from None


#: What is played.  Words in braces in a help text stand for what games say there
#: (`reports.cli.games`).
Named = Annotated[str, Parameter(name="SET", help="{named} Several are played together.")]
Seed = Annotated[
    int,
    Parameter(
        converter=whole(0, 2**63 - 1),
        help="Game i of a seed is always the same game; another seed gives other games.",
    ),
]
Threads = Annotated[
    int | None,
    Parameter(
        converter=whole(1, _MAX_THREADS),
        help="Threads to play in; the results do not depend on it. Default: all processors.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        help="The run folder. Default: runs/SETS-POLICY-DAY. Run the same command again to"
        " resume a run that was interrupted."
    ),
]
Run = Annotated[Path, Parameter(name="RUN", help="The folder of a run.")]
Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print the answer as JSON, for a program.")
]


def check_band(band: float) -> None:
    """Raise InputError for a ``--band`` that is no range of percentage points."""
    if not (math.isfinite(band) and 0 < band < 100):
        raise InputError(f"--band is {band:g}; it must be above 0 and below 100 percentage points")


def in_a_name(players: str) -> str:
    """Players as a part of the name of a folder: "search:100" -> "search-100"."""
    return re.sub(r"[^\w.]+", "-", players)
