"""A command that every game has: the options of what a game asks, around them what all share."""

import inspect
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import TYPE_CHECKING, Any, get_type_hints

from reports.cli.compute import HERE, Compute
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.options import Json, with_confidence

if TYPE_CHECKING:
    from simcore.work.cost import Plan

# What is played is known where players may learn it first, and by how many threads.
_GIVEN = "threads", "learn"


def as_command(
    name: str,
    ask: Callable[..., Any],
    carry_out: Callable[..., None],
    folder: Any,
    plans: "Callable[[Any], Sequence[Plan]]" = methodcaller("plans"),
) -> Callable[..., None]:
    """The command ``name`` of a game: the options of ``ask``, and those of every game.

    ``ask`` says in its docstring what the command does.  Its parameters ``threads``, and ``learn``,
    whether players may learn what is played, are given by the command.  ``carry_out`` is called
    with what was asked, the crew to be, the folder, and whether to answer as JSON; ``plans`` say
    what that would cost.  ``folder`` is the annotation of ``--out``.
    """
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
