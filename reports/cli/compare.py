"""The command `fairdeal compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli import sides
from reports.cli.compute import HERE, Compute
from reports.cli.console import print_json, print_overview, print_wrapped
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.games import chosen_game
from reports.cli.json_answers import found_json
from reports.cli.options import (
    MAX_GAMES,
    Json,
    check_band,
    decimal,
    to_place,
    whole,
    with_confidence,
)
from reports.games import reports_of

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison


@with_confidence
def compare(
    base: Annotated[
        str,
        Parameter(
            name="BASE", help="The original: the folder of a finished run, or what to play. {named}"
        ),
    ],
    variant: Annotated[
        str | None,
        Parameter(name="VARIANT", help="The changed version, named in the same way. {variant}"),
    ] = None,
    /,
    *,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, MAX_GAMES),
            help="How many games each side plays. Default: those of a run folder, else {compared}",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole(0, 2**63 - 1),
            help="The seed of both sides, which get the same deals and the same"
            " luck. Default: 0, or that of a run folder.",
        ),
    ] = None,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the comparison, with the runs base and variant in it. Default:"
            " runs/compare-BASE-VARIANT-POLICY-DAY. Run the same command again to resume a"
            " comparison that was interrupted.",
        ),
    ] = None,
    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            help="Differences of up to this many percentage points do not matter; for"
            " means, this many per cent of the mean of BASE.",
        ),
    ] = 1.0,
    simultaneous: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Make all intervals of the comparison hold at once (max-t), with verdicts to"
            " match. Without it each interval holds by itself, and the verdicts"
            " are corrected over all numbers.",
        ),
    ] = False,
    record: Annotated[
        Path | None,
        Parameter(help="A Markdown file to which an entry about the change is added."),
    ] = None,
    why: Annotated[
        str | None, Parameter(help="Why the change was made, for the entry of --record.")
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Play a changed version against the original, and see what really differs.

    Both sides play the same seed and are compared game by game, which takes far fewer games than
    two separate runs. Each number is reported as more, less, the same within the band, or not
    settled, with the number of games that it would still take. A stronger player then plays both
    sides as well, to show how far the result depends on who plays (--stronger).
    """
    from simcore.work.cost import Plan

    check_band(band)
    sides.check_record(record, why)
    game, options = chosen_game(said, [base, variant or base])
    if out is not None:
        sides.check_folder(out)
    asked = sides.ask(
        *(game, options, base, variant),
        games=games,
        seed=seed,
        band=band,
        simultaneous=simultaneous,
        threads=compute.threads,
        learn=not dry_run,
    )
    if dry_run:
        tell_cost([Plan(spec) for spec in asked.plays], compute, as_json=as_json)
        return
    with compute.start() as crew:
        answer = sides.find_out(asked, crew, out, why)
    if record is not None and why is not None:
        sides.record(answer, asked, record, why)
    if as_json:
        print_json(_comparison_json(answer.comparison, answer.page))
    else:
        headline, found = reports_of(game).compare_overview(answer.comparison)
        print_wrapped([f"{headline}.", ""])
        print_overview(found)
        print_wrapped(["", answer.played, ""])
        print_report(answer.page.parent, {"html": answer.page}, tables=True)


def _comparison_json(comparison: "Comparison", page: Path) -> dict[str, Any]:
    """A comparison for a program."""
    from analysis.experiments.comparison import median_reduction, n_tested

    game = comparison.base.game.name
    reports = reports_of(game)
    answer = {
        "base": str(comparison.base.folder),
        "variant": str(comparison.variant.folder),
        "page": str(page),
        "paired": comparison.paired,
        "same_deals": comparison.same_deals,
        "variance_reduction": median_reduction(comparison),
        "corrected_over": n_tested(comparison.table),
        "joint_z": comparison.joint_z,
        **reports.compare_json(comparison),
    }
    answer = {name: None if value != value else value for name, value in answer.items()}
    findings = reports.compare_words(comparison)[1]
    return answer | found_json(game, findings, comparison.tables, page.parent)
