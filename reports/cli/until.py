"""The option ``--until``: what it asks for."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.cli.options import MAX_GAMES, whole
from reports.games import Playable, reports_of

if TYPE_CHECKING:
    from analysis.stopping import Goal, PlayUntil
    from simcore.work.runs import Look

MOST_GAMES_UNTIL = 20_000_000

UpTo = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_GAMES),
        help="How many games are played; with --until, how many at most. Default: as many as"
        f" --until takes, but at most {MOST_GAMES_UNTIL:,}.",
    ),
]
Until = Annotated[
    str | None,
    Parameter(
        name="--until",
        help="{until} The intervals of all that is watched hold together"
        " (docs/methods.md). The same command with a larger --games resumes the run. Default where"
        " --games is not said: {precision} That takes about half a minute on two cores.",
    ),
]
Anytime = Annotated[
    bool,
    Parameter(
        name="--anytime",
        negative=(),
        help="With --until: intervals that also hold if you look at the results again and again and"
        " decide by them whether to play on. Takes 1.5 to 2.4 times the games.",
    ),
]


def goal_of(until: str | None, game: str) -> "Goal | None":
    """The goal that was asked for, if one was.  Raises InputError."""
    if until is None:
        return None
    from analysis.stopping import Goal

    with as_input_error("--until"):
        return Goal.parse(until, reports_of(game).help.get("goals", ""))


def rule_of(
    goal: "Goal | None", playable: Playable, *, anytime: bool = False
) -> "tuple[PlayUntil | None, str | Callable[[], str]]":
    """The rule that ends a run at the goal, and what is said while it is played.

    Raises InputError.
    """
    if goal is None:
        if anytime:
            raise InputError("--anytime is about the intervals of --until; say both, or neither")
        return None, "playing"
    from reports.kit.stopping_text import digits_of, shown_precision

    now = ""

    def on_look(look: "Look") -> None:
        nonlocal now
        width = look.details["half_width"]
        now = "" if width is None else f", now ±{width:.{digits_of(goal.precision) + 1}f}"

    with as_input_error("--until"):
        rule = playable.rule(goal, anytime=anytime, on_look=on_look)
    said = f"playing until ±{shown_precision(goal.precision)} points"
    return rule, lambda: said + now


def ending(folder: Path) -> dict[str, Any]:
    """How a run in ``folder`` that a rule ended is told to a program; nothing for other runs."""
    from simcore.work.parts import read_manifest

    manifest = read_manifest(folder)
    return {key: manifest[key] for key in ("games", "until", "stopped") if "until" in manifest}
