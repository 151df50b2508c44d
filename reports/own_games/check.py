"""The command `fairdeal check`: whether the rules of a game can be trusted with a run."""

from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import print_json
from reports.cli.options import Json
from reports.own_games.options import NAMED, load_table


def check(
    named: Annotated[str, Parameter(name="GAME", help=NAMED)],
    /,
    *,
    as_json: Json = False,
) -> int:
    """Look for mistakes in the rules of a game.

    Plays games of every number of seats and asks at many positions: does a game go the same way
    twice, do options only look, may a seat know what they tell it.  Ends with status 2 where there
    is a fault.
    """
    from simcore.contract.check import FAULT, check

    found = check(load_table([named], None, ()))
    if as_json:
        print_json({"findings": [{"level": one.level, "text": one.text} for one in found]})
    else:
        for one in found:
            print(f"{one.level}: {one.text}")
        print("No mistake was found." if not found else f"Findings: {len(found)}.")
    return 2 if any(one.level == FAULT for one in found) else 0
