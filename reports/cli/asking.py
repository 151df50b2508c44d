"""A command that every game has: the options of what a game asks, around them what all share."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from cyclopts import Parameter

from reports.cli.compute import HERE, Compute
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.options import Json, to_place, with_confidence

if TYPE_CHECKING:
    from simcore.work.cost import Plan

# What is played is known where players may learn it first, and by how many threads.
_GIVEN = "threads", "learn"


def commands_of(
    name: str,
    carry_out: Callable[..., None],
    folder: str,
    plans: "Callable[[Any], Sequence[Plan]]" = methodcaller("plans"),
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """The function that makes the command ``name`` of a game from what the game asks.

    The command has the options of ``ask``, which says in its docstring what the command does, and
    those of every game.  Its parameters ``threads``, and ``learn``, whether players may learn what
    is played, are given by the command.  ``carry_out`` is called with what was asked, the crew to
    be, the folder, and whether to answer as JSON; ``plans`` say what that would cost.  ``folder``
    is the help of ``--out``.
    """
    out = Annotated[Path | None, Parameter(converter=to_place, help=folder)]
    return partial(_as_command, name, carry_out, out, plans)


def _as_command(
    name: str,
    carry_out: Callable[..., None],
    folder: Any,
    plans: "Callable[[Any], Sequence[Plan]]",
    ask: Callable[..., Any],
) -> Callable[..., None]:
    """The command of one game."""
    hints = get_type_hints(ask, include_extras=True)
    own = dict(inspect.signature(ask).parameters)
    given = {name: own.pop(name) for name in _GIVEN if name in own}

    def carried_out(
        *named: Any,
        compute: Compute = HERE,
        out: Any = None,
        dry_run: DryRun = False,
        as_json: Json = False,
        **said: Any,
    ) -> None:
        known = {"threads": compute.threads, "learn": not dry_run}
        asked = ask(*named, **said, **{name: known[name] for name in given})
        if dry_run:
            tell_cost(plans(asked), compute, as_json=as_json)
        else:
            carry_out(asked, compute, out, as_json=as_json)

    shared = [
        one.replace(annotation=folder) if one.name == "out" else one
        for one in inspect.signature(carried_out).parameters.values()
        if one.kind is one.KEYWORD_ONLY
    ]
    parameters = [one.replace(annotation=hints[one.name]) for one in own.values()] + shared
    signature = inspect.Signature(parameters, return_annotation=None)
    carried_out.__signature__ = signature  # type: ignore[attr-defined]
    carried_out.__annotations__ = {one.name: one.annotation for one in parameters}
    carried_out.__doc__ = ask.__doc__
    carried_out.__name__ = name
    return with_confidence(carried_out)
