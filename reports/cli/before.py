"""The option ``--before`` of the report: which earlier run it is compared with."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from reports.cli.console import InputError
from reports.cli.options import to_place
from simcore.commands import as_policy

Before = Annotated[
    Path | None,
    Parameter(
        converter=to_place,
        name="--before",
        help="The folder of an earlier run of the same players. The report then shows what differs"
        " from it: what changed, what is the same, and what is not settled. Runs with the same"
        " seed and number of games are compared game by game, so that is how many are played where"
        " neither --games nor --until is said.",
    ),
]


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
