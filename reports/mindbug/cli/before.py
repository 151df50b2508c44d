"""The option ``--before`` of the report: which earlier run it is compared with."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, print_findings

if TYPE_CHECKING:
    from analysis.mindbug.experiments.comparison import Comparison

Before = Annotated[
    Path | None,
    Parameter(
        name="--before",
        help="The folder of an earlier run of the same players. The report then shows what differs"
        " from it: what changed, what is unchanged, and what needs more games. Runs with the same"
        " seed and number of games are compared game by game.",
    ),
]


def check_before(
    before: Path | None,
    *,
    policies: Sequence[str],
    seed: int,
    games: int,
    until: str | None,
    out: Path | None,
) -> None:
    """Whether a run that is still to be played can be compared with an earlier one.

    Raises InputError, and RunError where there is no finished run.
    """
    from analysis.mindbug import open_run
    from analysis.mindbug.runs import check_weights

    if before is None:
        return
    earlier = open_run(before)
    old = earlier.manifest
    if out is not None:
        check_other(before, out)
    if list(policies) != old["policies"]:
        raise InputError(
            f"--before: {before} was played by {' against '.join(old['policies'])}, not by"
            f" {' against '.join(policies)}; only runs of the same players can be compared"
        )
    check_weights(earlier)
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


def print_before(comparison: "Comparison") -> None:
    """Tell what differs from the earlier run."""
    from reports.mindbug.balance.before import before_findings
    from reports.mindbug.compare.text import describe_comparison

    print(f"Compared with {comparison.base.folder} ({describe_comparison(comparison)}):")
    print_findings(before_findings(comparison))


def before_json(comparison: "Comparison | None") -> dict[str, Any]:
    """The comparison for a program, apart from its table; nothing without one."""
    if comparison is None:
        return {}
    from attrs import asdict

    from reports.cli.json_answers import findings_json
    from reports.mindbug.balance.before import before_findings
    from reports.mindbug.compare.text import changes_of

    return {
        "before": {
            "run": str(comparison.base.folder),
            "paired": comparison.paired,
            "same_deals": comparison.same_deals if comparison.paired else None,
            "changes": [asdict(change) for change in changes_of(comparison)],
            "findings": findings_json(before_findings(comparison)),
        }
    }
