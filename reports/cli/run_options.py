"""The options ``--until`` and ``--before`` of a run."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.cli.options import MAX_GAMES, to_place, whole
from reports.games import Playable, reports_of
from simcore.commands import as_policy

if TYPE_CHECKING:
    from analysis.stopping import Goal, PlayUntil
    from simcore.work.runs import Look

MOST_GAMES_UNTIL = 20_000_000

UpTo = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_GAMES),
        help="Games to play; with --until, the most to play. Default: as many as --until takes,"
        f" up to {MOST_GAMES_UNTIL:,}.",
    ),
]
Until = Annotated[
    str | None,
    Parameter(
        name="--until",
        help="Play until the result is known to this many percentage points either way."
        " {until} All these intervals hold at once"
        " (docs/methods.md). The same command with a larger --games resumes the run. Default"
        " without"
        " --games: {precision} That takes about half a minute on two cores.",
    ),
]
Anytime = Annotated[
    bool,
    Parameter(
        name="--anytime",
        negative=(),
        help="With --until: intervals that hold however often you look at the results and decide"
        " whether to play on. Takes 1.5 to 2.4 times as many games.",
    ),
]

Before = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        name="--before",
        help="The folder of an earlier run of the same players. The report then shows what changed"
        " since, what stayed the same and what is not settled. Runs with the same seed and number"
        " of games are compared game by game, so without --games or --until this run plays as"
        " many games as that one.",
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


def games_beside(before: Path | None, seed: int) -> int | None:
    """The games of an earlier run with this seed, which has them in common; None for no such run.

    Raises RunError where there is no finished run.
    """
    if before is None:
        return None
    from analysis.runs import open_run

    manifest = open_run(before).manifest
    return int(manifest["games"]) if manifest["seed"] == seed else None


def check_before(
    before: Path,
    *,
    game: str,
    policies: Sequence[str],
    seed: int,
    games: int | None,
    until: str | None,
    out: Path | None,
) -> None:
    """Whether a run that is still to be played can be compared with an earlier one.

    Raises InputError, and RunError where there is no finished run.
    """
    from analysis.games import analysis_of
    from analysis.runs import open_run

    earlier = open_run(before)
    old = earlier.manifest
    if out is not None:
        check_other(before, out)
    if old["game"] != game:
        raise InputError(
            f"--before: {before} is of {earlier.game.title}; only runs of one game can be compared"
        )
    if list(policies) != old["policies"]:
        was, now = (earlier.game.players_text(names) for names in (old["policies"], policies))
        raise InputError(
            f"--before: {before} was played by {was}, not by {now}; only runs of the same players"
            f" can be compared: say --policy {as_policy(old['policies'])}"
        )
    analysis_of(game).check_players(earlier)
    if seed != old["seed"]:
        return
    if until is not None:
        raise InputError(
            f"--before: {before} has the same seed, {seed}, and would be compared game by game; how"
            " many games --until takes is not known beforehand, so choose another --seed"
        )
    if games != old["games"]:
        raise InputError(
            f"--before: {before} has the same seed, {seed}, and is compared game by game; say"
            f" --games {old['games']}, or choose another --seed"
        )


def check_other(before: Path, run: Path) -> None:
    """Raise InputError where a run is to be compared with itself."""
    if before.resolve() == run.resolve():
        raise InputError(f"--before: {before} is the run itself; name an earlier one")
