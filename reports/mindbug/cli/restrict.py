"""The command `fairdeal restrict`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import PAIR_GAMES, PLAYER, SEARCHING_PAIR_GAMES
from reports.cli import console, options
from reports.cli.compute import HERE, Compute
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, Sets, check_even, read_one_policy
from reports.mindbug.cli.questions import found_json, pool_question
from reports.mindbug.cli.steps import compile_engine, plans_of_pairs
from reports.mindbug.cli.taught import taught
from simcore.commands import command


@options.with_confidence
def restrict(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    policy: Annotated[
        str, Parameter(help="Who plays, with and without each restriction: one player.")
    ] = PLAYER,
    restrictions: Annotated[
        str | None,
        Parameter(
            help="What the player may never do, separated by commas: 'mindbugs', 'blocks',"
            " 'attacks', 'repeats', 'hunts', 'sneaks', 'actions', 'boosts', 'purchases', 'rerolls',"
            " or a keyword such as 'tough', for playing the cards that print it; docs/players.md"
            " explains them. Each is played separately. Default: all that apply to the pool."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=options.whole(2, options.MAX_GAMES),
            help="How many games to play with each restriction, an even number: every deal is"
            f" played from both sides. Default: {PAIR_GAMES:,}, which show a cost to 0.6 points"
            f" either way, or {SEARCHING_PAIR_GAMES:,} where the player searches.",
        ),
    ] = None,
    seed: options.Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=options.to_place,
            help="The folder. Default: runs/restrict-SETS-POLICY-DAY. Run the same command"
            " again to resume.",
        ),
    ] = None,
    band: Annotated[
        float,
        Parameter(
            converter=options.decimal,
            help="Costs up to this many percentage points are treated as zero.",
        ),
    ] = 1.0,
    dry_run: DryRun = False,
    as_json: options.Json = False,
) -> None:
    """Forbid one option and play against the unrestricted version, to see what it is worth.

    The player who may never block, attack, use a Mindbug or a keyword plays the same player who
    may, each deal from both sides. A high cost marks what carries the game; no cost marks what is
    of no use, or what these players do not know how to use.
    """
    from analysis.experiments.pair_games import play_pairs, read_contest
    from analysis.mindbug.experiments.ablation import RestrictedPlay, choose_restrictions
    from reports.kit.verdicts import Q_TEXT
    from reports.kit.words import headline
    from reports.mindbug import ablation
    from simcore.mindbug import compile_cards
    from simcore.work.about import working_on

    options.check_band(band)
    check_even(games)
    player, cards = read_one_policy(policy), pool.load(sets)
    typed = player
    (player,) = taught([player], [cards], threads=compute.threads, learn=not dry_run)
    wanted = None if restrictions is None else restrictions.split(",")
    with console.as_input_error("" if restrictions is None else "--restrictions"):
        chosen = choose_restrictions(cards, player, wanted)
    with console.as_input_error():
        asked = RestrictedPlay(cards, player, chosen, games, seed)
    question = pool_question(
        *("restrict", cards, (player,)),
        games=games,
        seed=seed,
        restrictions=chosen,
        pairs=[games for *_, games in asked.pairs],
    )
    compile_engine([one for one, *_ in asked.pairs], [compile_cards(cards)])
    if dry_run:
        tell_cost(plans_of_pairs(asked), compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        again = command(
            *("restrict", *pool.words(sets, folder / "pool.toml")),
            policy=typed,
            restrictions=None if restrictions is None else ",".join(chosen),
            games=games,
            seed=seed,
            band=f"{band:g}",
            confidence=confidence_said(),
        )
        with console.resumable("finished restrictions stay", folder), crew.playing() as how:
            play_pairs(asked, folder, command=again, **how)
        with console.waiting("drawing the chart"):
            page, tables = ablation.write_restricted(folder, band=band / 100, command=again)
        manifest, table = read_contest(RestrictedPlay.kind, folder), tables["restrictions"]
        found = list(ablation.findings(table, manifest["left_out"]))
        work.finish(headline(found), page.name)
    if as_json:
        answer = {"folder": str(folder), "page": str(page)}
        console.print_json(answer | found_json(found, tables, folder))
        return

    def costs() -> None:
        console.print_table(ablation.COSTS_TABLE, ablation.costs_rows(table), right=(2, 3, 4))
        console.print_wrapped(["", Q_TEXT])

    console.print_answer(ablation.describe(manifest), found, costs)
    print()
    print_report(folder, {"html": page}, tables=True)
