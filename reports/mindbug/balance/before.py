"""The option ``--before``: what differs from an earlier run, in a section and in words."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, print_findings

if TYPE_CHECKING:
    from analysis.mindbug.experiments.comparison import Comparison
    from reports.kit.words import Finding

#: Share of games with the same deals below which pairing them brings little.
_FEW_DEALS = 0.5
_OTHER_DEALS = (
    "Cards are dealt by their place in the pool. Here the places differ: cards were added or"
    " removed, or a card has more or fewer copies. Such a comparison needs about as many games as"
    " two runs with different seeds."
)

Before = Annotated[
    Path | None,
    Parameter(
        name="--before",
        help="The folder of an earlier run of the same players. The report then tells what differs"
        " from it: what changed, what is shown unchanged, and for what there are not enough games."
        " Runs of the same seed and number of games are compared game by game.",
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
    from reports.mindbug.compare.text import describe_comparison

    name, played = comparison.base.folder, describe_comparison(comparison)
    print(f"Compared with {name} ({played}):")
    print_findings(before_findings(comparison))


def before_findings(comparison: "Comparison") -> "list[Finding]":
    """What is told of the earlier run: what was changed, what follows, how they were compared."""
    from reports.kit.words import Finding
    from reports.mindbug.compare.text import findings

    found = findings(comparison)
    if comparison.paired and comparison.same_deals < _FEW_DEALS:
        found.append(Finding("Deals", _OTHER_DEALS))
    return found


def before_json(comparison: "Comparison | None") -> dict[str, Any]:
    """What a program is told, besides the table of the comparison; nothing without one."""
    if comparison is None:
        return {}
    from attrs import asdict

    from reports.cli.json_answers import findings_json
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


def before_section(comparison: "Comparison | None") -> dict[str, Any] | None:
    """What ``templates/before.html`` shows besides its chart; None without an earlier run."""
    if comparison is None:
        return None
    from reports.mindbug.compare.page import card_groups, difference_columns
    from reports.mindbug.compare.text import describe_comparison
    from reports.mindbug.run_text import describe_sets

    base = comparison.base
    return {
        "name": base.folder.resolve().name,
        "played": f"{describe_sets(base.manifest)} · {describe_comparison(comparison)}",
        "findings": before_findings(comparison),
        "columns": difference_columns("Card"),
        "groups": card_groups(comparison),
    }
