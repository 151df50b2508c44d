"""The options of ``fairdeal train`` that do not depend on the game."""

import re
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import InputError
from reports.cli.options import decimal, to_place, whole
from simcore.places import StorePath

Generations = Annotated[
    int, Parameter(converter=whole(1, 100_000), help="How many generations to try.")
]
Population = Annotated[
    int, Parameter(converter=whole(4, 1_000), help="Candidates in each generation.")
]
Spread = Annotated[
    float,
    Parameter(
        converter=decimal,
        help="How far the first candidates are from the start, above 0 and at most 1; use a small"
        " number for weights that are already good.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        help="The folder for weights and learning curve. Default: runs/train-SETS-DAY. Run the"
        " same command again to resume.",
    ),
]


def check_name(out: Path | None) -> None:
    """Raise InputError for a folder whose weights no player can be named by."""
    found = None if out is None or isinstance(out, StorePath) else re.search("[@:,]", str(out))
    if found:
        raise InputError(
            f"--out is {out}; what is learned plays by its file, as in learned=OUT/weights.toml,"
            f" and '{found[0]}' has a meaning of its own there: name another folder"
        )


def check_spread(number: float) -> float:
    """How far candidates are from the start.  Raises InputError for a number out of range."""
    if not 0 < number <= 1:
        raise InputError(f"--spread is {number:g}; it must be above 0 and at most 1, as in 0.3")
    return number
