"""The command `balancelab compare`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error, print_findings, print_json
from reports.mindbug.balance.report_formats import print_report
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.options import (
    MAX_GAMES,
    NAMED,
    USUAL_MODES,
    Json,
    ModeOptions,
    Ruling,
    Threads,
    check_band,
    read_policies,
    whole,
)
from reports.mindbug.cli.steps import compare_folders, play_run

if TYPE_CHECKING:
    from analysis.mindbug.experiments.comparison import Comparison
    from reports.mindbug.cli.compare_sides import PlayPlan, Side


def compare(
    base: Annotated[
        str,
        Parameter(
            name="BASE",
            help=f"What is compared with, or the folder of a finished run. {NAMED}",
        ),
    ],
    variant: Annotated[
        str | None,
        Parameter(
            name="VARIANT",
            help="What is different: the same. The cards of a card file take the place of those of"
            " BASE with the same id, unless both are whole sets of your own. Default: BASE, with"
            " what --variant-ruling says.",
        ),
    ] = None,
    /,
    *,
    modes: ModeOptions = USUAL_MODES,
    variant_ruling: Annotated[
        list[Ruling] | None,
        Parameter(
            negative=(),
            help="An open point of the rules text that is answered otherwise in VARIANT alone."
            " May be given several times.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, MAX_GAMES),
            help="How many games each side plays. Default: 1,000,000, or those of a run folder.",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        Parameter(
            help="Who plays on both sides, as for balance. Default: random, or as in a run folder."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole(0, 2**63 - 1),
            help="The seed of both sides: game i deals from the same random numbers and has the"
            " same luck. Default: 0, or that of a run folder.",
        ),
    ] = None,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the comparison, with the runs base and variant in it. Default:"
            " runs/compare-BASE-VARIANT-POLICY-GAMES-sSEED. What was interrupted goes on."
        ),
    ] = None,
    band: Annotated[
        float,
        Parameter(
            help="Differences of up to so many percentage points are no change that matters; for"
            " means, so many per cent of the mean of BASE."
        ),
    ] = 1.0,
    simultaneous: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Intervals that hold for all numbers of the comparison together (max-t), and"
            " verdicts that follow them. Without it each interval holds by itself, and the verdicts"
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
    as_json: Json = False,
) -> None:
    """Play a change against what was there before: what differs, and whether that is real.

    Both sides play the same seed and are compared game by game, which takes far fewer games than
    two separate runs. Each line is told as changed, as shown unchanged within the band, or with the
    number of games that it would still take.
    """
    from reports.mindbug.cli.compare_record import add_record
    from reports.mindbug.cli.compare_sides import (
        check_folder,
        check_record,
        command_line,
        comparison_folder,
        play_plan,
        read_sides,
    )
    from reports.mindbug.compare.page import write_compare_page
    from simcore.work.lock import holding

    check_band(band)
    check_record(record, why)
    if variant is None and not variant_ruling:
        raise InputError("what is different? Name a VARIANT, or a ruling with --variant-ruling")
    sides = read_sides(base, variant or base, modes.modes(), variant_ruling or ())
    plan = play_plan(sides, games=games, policy=policy, seed=seed)
    read_policies(plan.policy)
    folder = out or comparison_folder(sides, plan)
    check_folder(folder)
    said = command_line(sides, plan, modes.modes(), variant_ruling or (), band, simultaneous)
    with holding(folder):
        first = sides[0].run or _play_side(sides[0], plan, folder / "base", threads)
        beside = None if sides[0].run else first
        second = sides[1].run or _play_side(sides[1], plan, folder / "variant", threads, beside)
        comparison = compare_folders(
            first, second, threads, band=band / 100, simultaneous=simultaneous
        )
        page = write_compare_page(comparison, folder, said)
    if record is not None and why is not None:
        from datetime import date

        add_record(record, comparison, why, date.today().isoformat(), said)
    if as_json:
        print_json(_comparison_json(comparison, page))
    else:
        _print_comparison(comparison, page)


def _play_side(
    side: "Side", plan: "PlayPlan", folder: Path, threads: int | None, beside: Path | None = None
) -> Path:
    """Play one side of a comparison, ``beside`` the other if that has been; its folder."""
    from simcore.mindbug.play.run import new_run

    policies = read_policies(plan.policy)
    with as_input_error():
        spec = new_run(
            side.pool, n_games=plan.games, seed=plan.seed, policies=policies, beside=beside
        )
    return play_run(spec, folder, threads, f"playing {folder.name}")


def _print_comparison(comparison: "Comparison", page: Path) -> None:
    """What was played, what differs, and where it is."""
    from reports.mindbug.compare.text import describe_comparison, findings

    print(describe_comparison(comparison))
    print_findings(findings(comparison))
    print()
    print_report(page.parent, {"html": page}, tables=True)


def _comparison_json(comparison: "Comparison", page: Path) -> dict[str, Any]:
    """A comparison for a program."""
    from attrs import asdict

    from reports.mindbug.compare.text import changes_of, findings, median_reduction, n_tested

    answer = {
        "base": str(comparison.base.folder),
        "variant": str(comparison.variant.folder),
        "page": str(page),
        "paired": comparison.paired,
        "same_deals": comparison.same_deals,
        "variance_reduction": median_reduction(comparison.table),
        "corrected_over": n_tested(comparison.table),
        "joint_z": comparison.joint_z,
        "changes": [asdict(change) for change in changes_of(comparison)],
    }
    answer = {name: None if value != value else value for name, value in answer.items()}
    tables = {"comparison": comparison.table}
    return answer | found_json(findings(comparison), tables, page.parent)
