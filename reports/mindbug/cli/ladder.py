"""The command `fairdeal ladder`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import LADDER, PAIR_GAMES, SEARCHING_PAIR_GAMES
from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    as_input_error,
    print_findings,
    print_json,
    print_table,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.options import MAX_GAMES, Json, Seed, to_place, whole, with_confidence
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.costs import plans_of_pairs
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, Sets, check_even, use_players
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught
from simcore.commands import command


@with_confidence
def ladder(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    players: Annotated[
        str,
        Parameter(
            help="Two or more players with commas between, each as --policy spells it:"
            " 'random,greedy', 'learned,learned@0.1', 'heuristic,search:100'.",
        ),
    ] = LADDER,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(2, MAX_GAMES),
            help="How many games each pair plays, an even number: every deal is played from both"
            f" sides. Default: {PAIR_GAMES:,}, which show a score to 0.7 points either way, or"
            f" {SEARCHING_PAIR_GAMES:,} (2.2 points) where a player searches.",
        ),
    ] = None,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the ladder. Default: runs/ladder-SETS-PLAYERS-DAY. Run the"
            " same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Play several players against each other, and rate them.

    Every player meets every other, each deal from both sides. Prints who is best and by how much,
    and writes a page with ratings, charts and tables.
    """
    from analysis.mindbug.experiments.ladder_games import (
        Ladder,
        check_players,
        play_pairs,
        read_contest,
    )
    from reports.kit.words import headline
    from reports.mindbug import write_ladder
    from reports.mindbug.ladder.text import RATINGS_TABLE, describe, findings, ratings_rows
    from simcore.mindbug import compile_cards
    from simcore.work.about import working_on

    names = tuple(name.strip() for name in players.split(","))
    with as_input_error("--players"):
        check_players(names)
        use_players(names)
    check_even(games)
    cards = pool.load(sets)
    names = taught(names, [cards], threads=compute.threads, learn=not dry_run)
    with as_input_error("--players"):
        check_players(names)  # one may have learned what another had learned already
    asked = Ladder(cards, names, games or PAIR_GAMES, games or SEARCHING_PAIR_GAMES, seed)
    pairs = [games for *_, games in asked.pairs]
    question = pool_question("ladder", cards, names, games=games, seed=seed, pairs=pairs)
    if dry_run:
        tell_cost(plans_of_pairs(asked), compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        words = pool.words(sets, folder / "pool.toml")
        again = command(
            "ladder", *words, players=players, games=games, seed=seed, confidence=confidence_said()
        )
        with as_input_error(), resumable("finished pairs stay", folder):
            compile_engine(names, [compile_cards(cards)])
            with crew.progress("playing", "games") as advance:
                play_pairs(
                    asked,
                    folder,
                    command=again,
                    threads=crew.threads,
                    executor=crew.executor,
                    on_progress=advance,
                )
        with waiting("drawing the charts"):
            page, tables = write_ladder(folder)
        found = findings(tables)
        work.finish(headline(found), page.name)
    if as_json:
        answer = {"ladder": str(folder), "page": str(page)}
        print_json(answer | found_json(found, tables, folder))
        return
    print(f"{describe(read_contest(Ladder.kind, folder))}\n")
    print_table(RATINGS_TABLE, ratings_rows(tables["ratings"]), right=(1, 2, 3, 4))
    print()
    print_findings(found)
    print()
    print_report(folder, {"html": page}, tables=True)
