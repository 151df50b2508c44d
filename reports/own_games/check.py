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

    Plays games with every number of players, and looks at many positions: a game must go the same
    way twice, options and standing may only look, and a seat's options must follow from what it
    sees.  Ends with status 2 where there is a fault.
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
