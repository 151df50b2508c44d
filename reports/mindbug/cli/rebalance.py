"""The command `balancelab rebalance`."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analysis.mindbug.experiments.usual import CANDIDATE_PLAYER
from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    as_input_error,
    print_findings,
    print_json,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.options import Json, Seed, to_place
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.costs import plans_of_rebalancing
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.rebalance_options import USUAL, RebalanceOptions
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught

if TYPE_CHECKING:
    from reports.kit.words import Finding


def rebalance(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    options: RebalanceOptions = USUAL,
    policy: OnePolicy = CANDIDATE_PLAYER,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the search. Default:"
            " runs/rebalance-SETS-POLICY-DAY. Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, combines the best, and shows what more or less change
    would bring. The proposal is a card file that can be played at once.
    """
    from analysis.mindbug.experiments.rebalance import rebalance
    from reports.mindbug.rebalance.page import write_rebalance_page
    from reports.mindbug.rebalance.text import commands_to_play, findings
    from reports.rebalance.text import headline
    from simcore.work.about import working_on

    player = read_one_policy(policy)
    cards = pool.load(sets)
    typed = player
    (player,) = taught([player], [cards], threads=compute.threads, learn=not dry_run)
    question = options.question(cards, player, seed)
    asked = pool_question(
        *("rebalance", question.pool, (player,)),
        games=question.games,
        seed=seed,
        words=options.words(),
    )
    if dry_run:
        tell_cost(plans_of_rebalancing(question, player), compute, as_json=as_json)
        return
    compile_engine((player,))
    with compute.start() as crew, working_on(asked, out) as work:
        folder = work.folder
        words = [*pool.words(sets, folder / "search" / "pool.toml"), *options.words()]
        command = ["balancelab", "rebalance", *words, "--policy", typed, "--seed", str(seed)]
        with as_input_error(), resumable("games played so far stay", folder):
            answer = rebalance(
                question,
                folder,
                watch=crew.watch,
                solving=lambda: waiting("choosing changes"),
                threads=crew.threads,
                executor=crew.executor,
            )
        tables, manifest = answer.tables, answer.manifest
        shipped = sets if pool.is_shipped(sets) else None
        to_play = commands_to_play(tables, manifest, folder, shipped)
        with waiting("drawing the charts"):
            page = write_rebalance_page(
                tables, manifest, folder, command=shlex.join(command), to_play=to_play
            )
        found = findings(tables, manifest)
        work.finish(headline(manifest, tables["changes"]), page.name)
    if as_json:
        facts = {"folder": str(folder), "page": str(page), **manifest}
        print_json(facts | found_json(found, tables, folder))
    else:
        _print(page, manifest, found, to_play)


def _print(
    page: Path, manifest: dict[str, Any], found: "Sequence[Finding]", to_play: Sequence[str]
) -> None:
    """What was asked and found, in words, and where it is."""
    from reports.mindbug.rebalance.text import describe

    folder = page.parent
    print(describe(manifest))
    print_findings(found)
    if to_play:
        print("\nto play it:")
        for line in to_play:
            print(f"  {line}")
    print(f"\nreport: {page}")
    if manifest["card_file"]:
        print(f"proposal: {folder / manifest['card_file']}")
    elif manifest["proposal"]:
        print(f"proposal: {folder / manifest['pool_file']}")
    print(f"tables: {folder / 'tables'}\ncharts: {folder / 'figures'}")
