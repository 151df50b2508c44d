"""The command line: thin commands, one public call each.

This is the only module that knows all four packages, and it imports them inside its commands, so
that help is there at once.  Results go to stdout, everything else to stderr.  The exit status is 0,
2 with one message for bad input, or 130 when interrupted.
"""

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, CoercionError, CycloptsError, Parameter

from reports.before import Before, before_json, check_before, check_other, print_before
from reports.cards_cli import cards
from reports.console import (
    InputError,
    Json,
    print_json,
    print_table,
    print_wrapped,
    progress,
    say,
    waiting,
    whole,
)
from reports.json_answers import findings_json, tables_json
from reports.pool_options import ModeOptions, PoolOptions, Ruling
from reports.rebalance_cli import RebalanceOptions
from reports.report_formats import Format, parse_formats, paths_of, print_report
from reports.skill_runs import Skill, SkillGames
from reports.until import (
    MAX_GAMES,
    MOST_GAMES_UNTIL,
    USUAL_GAMES,
    Until,
    UpTo,
    ending,
    goal_of,
    how_it_ended,
    with_rule,
)

if TYPE_CHECKING:
    import pandas as pd

    from analysis.comparison import Comparison
    from analysis.sensitivity_games import Experiments
    from card_data.schema import Pool
    from reports.compare_sides import PlayPlan, Side
    from reports.wording import Finding
    from simcore.runner import RunSpec

MAX_THREADS = 1024

_LONGEST_NAME = 100

#: What telling single games compiles: kernels, what they are, and about how many seconds it takes.
_SINGLE_GAMES = ("_step",), "the engine for single games", 50

_COUNTS = ("games", "draws", "capped", "looped")


def _version() -> str:
    from importlib.metadata import version

    return version("balancelab")


app = App(
    name="balancelab",
    help="Is this card fair? Play a card game millions of times and report, with intervals.",
    version=_version,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)


Sets = Annotated[
    str,
    Parameter(
        name="SET",
        help="A set of cards that comes with balancelab ('balancelab cards list'), or the path of"
        " a card file of your own that ends in .toml. Several sets are played together.",
    ),
]
Games = Annotated[int, Parameter(converter=whole(1, MAX_GAMES), help="How many games are played.")]
Policy = Annotated[
    str,
    Parameter(
        help="Who plays, from weak to strong: 'random', 'greedy', 'heuristic', 'learned' or"
        " 'search:N' with N simulations a decision, for both players, or one for each, as in"
        " 'greedy:random' for player 0 and player 1. 'learned@0.1' makes a tenth of its decisions"
        " at random; 'learned=FILE' takes its weights from a file of train; 'learned-blocks' never"
        " blocks. Who starts is decided game by game."
    ),
]
Seed = Annotated[
    int,
    Parameter(
        converter=whole(0, 2**63 - 1),
        help="Game i of a seed is always the same game; another seed gives other games.",
    ),
]
Threads = Annotated[
    int | None,
    Parameter(
        converter=whole(1, MAX_THREADS),
        help="Threads to play in; the results do not depend on it. Default: all processors.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(
        help="The run folder. Default: runs/SETS-POLICY-GAMES-sSEED. A run that was interrupted"
        " goes on where it stopped."
    ),
]
Players = Annotated[
    str,
    Parameter(
        help="Who plays against whom: two or more players with commas between, each as --policy"
        " spells it: 'random,greedy', 'learned,learned@0.1', 'heuristic,search:100'.",
    ),
]
PairGames = Annotated[
    int | None,
    Parameter(
        converter=whole(2, MAX_GAMES),
        help="How many games each pair plays, an even number: every deal is played from both sides."
        " Default: 20,000, or 400 where a player searches.",
    ),
]
LadderOut = Annotated[
    Path | None,
    Parameter(
        help="The folder of the ladder. Default: runs/ladder-SETS-PLAYERS-GAMES-sSEED. A ladder"
        " that was interrupted goes on with the next pair."
    ),
]
_ONLY_SETS = PoolOptions()
_USUAL_MODES = ModeOptions()
_USUAL_GOAL = RebalanceOptions()
Run = Annotated[Path, Parameter(name="RUN", help="The folder of a run.")]


@app.command
def balance(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    games: UpTo = None,
    until: Until = None,
    policy: Policy = "random",
    seed: Seed = 0,
    threads: Threads = None,
    out: Out = None,
    skill: Skill = None,
    skill_games: SkillGames = None,
    formats: Format = "html",
    before: Before = None,
    as_json: Json = False,
) -> None:
    """The main job: play, analyse, write the report.

    Does what simulate, analyze and report do one after another, and prints what was found.
    """
    from reports.skill_runs import parse_rungs

    players, wanted = parse_rungs(skill, skill_games), parse_formats(formats)
    check_before(
        before,
        policies=_policies(policy),
        seed=seed,
        games=games or USUAL_GAMES,
        until=until,
        out=out,
    )
    folder = _simulate(sets, pool, games, policy, seed, threads, out, until)
    tables = _analyze(folder, threads)
    if players:
        tables |= _compare_players(folder, tables, players, skill_games, threads)
    comparison = _compare_before(before, folder, threads)
    written = _report(folder, wanted, comparison)
    if comparison is not None:
        tables["comparison"] = comparison.table
    if as_json:
        from reports.wording import findings

        ended = ending(folder) | before_json(comparison)
        answer = {"run": str(folder), **paths_of(written), **ended}
        print_json(answer | _found(findings(tables), tables, folder))
    else:
        _print_findings(folder, tables)
        if comparison is not None:
            print()
            print_before(comparison)
        print()
        print_report(folder, written, tables=True)


@app.command(name="skill")
def compare_skill(
    *runs: Annotated[
        Path,
        Parameter(
            name="RUN",
            help="Folders of finished runs of one pool, from weak players to strong ones. In each"
            " run both players follow the same policy.",
        ),
    ],
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Set finished runs of different players side by side: whose verdicts depend on who plays.

    Tables and charts go to the folder of the last run, and a section to its report. 'balance
    --skill' plays the runs as well.
    """
    from analysis import open_run, skill_tables, write_tables
    from analysis.skill import rungs_of

    rungs = rungs_of([open_run(run) for run in runs])
    found = {rung: _analyze(run, threads) for rung, run in zip(rungs, runs, strict=True)}
    tables = skill_tables(found)
    write_tables(tables, runs[-1] / "tables")
    page = _report(runs[-1])["html"]
    from reports.wording import Finding, skill_in_words

    words = skill_in_words(**tables)
    if as_json:
        answer = {"run": str(runs[-1]), "page": str(page)}
        print_json(answer | _found([Finding("Skill", words)], tables, runs[-1]))
    else:
        print_wrapped([words])
        print(f"\nreport: {page}\ntables: {runs[-1] / 'tables'}")


@app.command
def train(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    apart: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help="A set that is also played by itself, and not only with the others. May be given"
            " several times.",
        ),
    ] = None,
    against: Annotated[
        str, Parameter(help="Who is played against, besides the learner's own past.")
    ] = "heuristic",
    self_play: Annotated[
        bool, Parameter(help="Whether the learner's own past is played against, too.")
    ] = True,
    start: Annotated[
        str, Parameter(help="Whose weights to begin with: a policy that has some, or a file.")
    ] = "heuristic",
    generations: Annotated[
        int, Parameter(converter=whole(1, 100_000), help="How many generations are tried.")
    ] = 200,
    population: Annotated[
        int, Parameter(converter=whole(4, 1_000), help="Candidates in each generation.")
    ] = 24,
    games: Annotated[
        int,
        Parameter(
            converter=whole(2, 1_000_000),
            help="Games of a candidate against each opponent with each pool.",
        ),
    ] = 400,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder for weights and learning curve. Default: runs/train-SETS-sSEED. A"
            " training that was interrupted goes on where it stopped."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn weights for a player from play, by evolution (docs/players.md).

    The weights are written to OUT/weights.toml; 'learned=OUT/weights.toml' is who plays with them.
    Against one player alone, without its own past, it shows how far that player can be exploited.
    """
    from reports.training import TrainingRun

    pools = [*(pool.load([name]) for name in apart or ()), pool.load(sets)]
    folder = out or Path("runs", f"train-{pool.name(sets, pools[-1])}-s{seed}")
    try:
        run = TrainingRun.begin(
            folder,
            pools,
            against=against,
            self_play=self_play,
            start=start,
            generations=generations,
            population=population,
            games=games,
            seed=seed,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    _compile_engine([against])
    with _compiling(("_sample_positions",), "what training needs", 60):
        run.prepare()
    try:
        with progress("learning", "generations") as advance:
            answer = run.finish(threads=threads or os.cpu_count() or 1, on_progress=advance)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished generations stay in {folder} and the same command goes on from there"
        ) from None
    if as_json:
        print_json({"folder": str(folder), **answer})
    else:
        for who, result in answer["scores"].items():
            print(f"wins {result['score']:.1%} ± {result['margin']:.1%} of games against {who}")
        print(f"weights: {answer['weights']}\ncurve: {answer['curve']}")


@app.command
def simulate(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    games: UpTo = None,
    until: Until = None,
    policy: Policy = "random",
    seed: Seed = 0,
    threads: Threads = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Play games and write a record of each into a run folder."""
    from simcore.run_folder import read_manifest

    folder = _simulate(sets, pool, games, policy, seed, threads, out, until)
    manifest = read_manifest(folder)
    if as_json:
        print_json({"run": str(folder), **manifest})
    else:
        counts = [f"{manifest['counts'][what]:,} {what}" for what in _COUNTS]
        print(f"run: {folder}\n{', '.join(counts)}")
        print_wrapped(how_it_ended(manifest))


@app.command
def analyze(run: Run, /, *, threads: Threads = None, as_json: Json = False) -> None:
    """Count the games of a run and write its tables, as CSV and Parquet, to RUN/tables."""
    tables = _analyze(run, threads)
    if as_json:
        from reports.wording import findings

        print_json({"run": str(run), **_found(findings(tables), tables, run)})
    else:
        _print_findings(run, tables)
        print(f"\ntables: {run / 'tables'}")


@app.command
def report(
    run: Run,
    /,
    *,
    formats: Format = "html",
    before: Before = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Draw the charts of an analysed run and write its report, RUN/report.html.

    With --format also as Markdown or as a workbook, with --before with what differs from an earlier
    run.
    """
    wanted = parse_formats(formats)
    comparison = _compare_before(before, run, threads)
    written = _report(run, wanted, comparison)
    if as_json:
        figures = sorted(str(path) for path in (run / "figures").glob("*"))
        answer = {"run": str(run), **paths_of(written), "figures": figures}
        answer |= before_json(comparison)
        if comparison is not None:
            answer |= tables_json({"comparison": comparison.table}, run)
        print_json(answer)
    else:
        if comparison is not None:
            print_before(comparison)
            print()
        print_report(run, written)


@app.command
def replay(
    run: Run,
    game: Annotated[
        int,
        Parameter(
            name="GAME", converter=whole(0, MAX_GAMES), help="The number of the game, from 0."
        ),
    ],
    /,
    *,
    as_json: Json = False,
) -> None:
    """Tell one game of a run: every turn, every choice with its options, every effect."""
    from analysis import open_run
    from analysis.replays import replay as replay_of_run

    opened = open_run(run)
    if not 0 <= game < opened.n_games:
        raise InputError(f"there is no game {game}; {run} has games 0 to {opened.n_games - 1}")
    with _compiling(*_SINGLE_GAMES):
        told = replay_of_run(opened, game)
    if as_json:
        record = {name: told.record[name].tolist() for name in told.record.dtype.names or ()}
        print_json({"run": str(run), "record": record, "lines": list(told.lines)})
    else:
        print_wrapped(told.lines)


@app.command
def ladder(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    players: Players = "random,greedy,heuristic,learned",
    games: PairGames = None,
    seed: Seed = 0,
    threads: Threads = None,
    out: LadderOut = None,
    as_json: Json = False,
) -> None:
    """Let players play against each other, and rate them.

    Everybody plays everybody, each deal from both sides. Prints who is best and by how much, and
    writes a page with ratings, charts and tables.
    """
    from reports import write_ladder

    folder = _play_ladder(sets, pool, players, games, seed, threads, out)
    with waiting("drawing the charts"):
        page, tables = write_ladder(folder)
    if as_json:
        from reports.wording import ladder_findings

        answer = {"ladder": str(folder), "page": str(page)}
        print_json(answer | _found(ladder_findings(tables), tables, folder))
    else:
        _print_ladder(folder, tables)
        print(f"\nreport: {page}\ntables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


@app.command
def restrict(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    policy: Annotated[
        str, Parameter(help="Who plays, with and without each restriction: one player.")
    ] = "heuristic",
    restrictions: Annotated[
        str | None,
        Parameter(
            help="What the player never does, with commas between: 'mindbugs', 'blocks', 'attacks',"
            " 'repeats', 'hunts', 'sneaks', 'actions', 'boosts', 'purchases', 'rerolls', or a"
            " keyword such as 'tough', for playing the cards that print it; docs/players.md tells"
            " them. Each is played by itself. Default: all that mean something in the pool."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(2, MAX_GAMES),
            help="How many games are played with each restriction, an even number: every deal is"
            " played from both sides. Default: 20,000, or 400 where the player searches.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder. Default: runs/restrict-SETS-POLICY-GAMES-sSEED. What was interrupted"
            " goes on with the next restriction."
        ),
    ] = None,
    band: Annotated[
        float, Parameter(help="Costs of up to so many percentage points are taken for none.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Restricted play: what it costs a player never to block, attack, use a Mindbug or a keyword.

    The player with the restriction plays the same player without, each deal from both sides. What
    costs much carries the game; what costs nothing is without use, or these players do not know how
    to use it.
    """
    from analysis.restricted import RestrictedPlay
    from reports.restrict_cli import (
        check_options,
        print_restricted,
        read_restrictions,
        restrict_command,
        restrict_folder,
        restricted_findings,
        run_restricted,
    )

    check_options(games, band)
    one, other = _policies(policy)
    if one != other:
        raise InputError(f"--policy is {policy}; name one player, who plays on both sides")
    cards = pool.load(sets)
    words = read_restrictions(restrictions, cards, one)
    try:
        asked = RestrictedPlay(cards, one, words, games, seed)
    except ValueError as error:
        raise InputError(str(error)) from None
    folder = out or restrict_folder(pool.name(sets, cards), asked, restrictions)
    _compile_engine([player for player, *_ in asked.pairs])
    command = restrict_command(_source(sets, pool, folder), asked, restrictions, band)
    page, tables = run_restricted(asked, folder, band=band, threads=threads, command=command)
    if as_json:
        found = restricted_findings(folder, tables["restrictions"])
        answer = {"folder": str(folder), "page": str(page)}
        print_json(answer | _found(found, tables, folder))
    else:
        print_restricted(folder, tables["restrictions"])
        print(f"\nreport: {page}\ntables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


@app.command
def compare(
    base: Annotated[
        str,
        Parameter(
            name="BASE",
            help="What is compared with: a set, several joined with '+', a card file or a pool file"
            " that ends in .toml, or the folder of a finished run.",
        ),
    ],
    variant: Annotated[
        str,
        Parameter(
            name="VARIANT",
            help="What is different: the same. The cards of a card file take the place of those of"
            " BASE with the same id, unless both are whole sets of your own.",
        ),
    ],
    /,
    *,
    modes: ModeOptions = _USUAL_MODES,
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
    from reports.compare_page import write_compare_page
    from reports.compare_sides import (
        check_options,
        command_line,
        comparison_folder,
        play_plan,
        read_sides,
    )
    from reports.compare_words import add_record

    check_options(band, record, why)
    sides = read_sides(base, variant, modes.modes(), variant_ruling or ())
    plan = play_plan(sides, games=games, policy=policy, seed=seed)
    folder = out or comparison_folder(sides, plan)
    first = sides[0].run or _play_side(sides[0], plan, folder / "base", threads)
    beside = None if sides[0].run else first
    second = sides[1].run or _play_side(sides[1], plan, folder / "variant", threads, beside)
    folders = first, second
    comparison = _compare(folders, band / 100, threads)
    said = command_line(sides, plan, modes.modes(), variant_ruling or (), band)
    page = write_compare_page(comparison, folder, said)
    if record is not None and why is not None:
        from datetime import date

        add_record(record, comparison, why, date.today().isoformat(), said)
    if as_json:
        _print_comparison_json(comparison, page)
    else:
        _print_comparison(comparison, page)


@app.command
def sensitivity(
    card: Annotated[
        str,
        Parameter(
            name="CARD",
            help="The id or the name of a card of the pool, or 'all' for every card.",
        ),
    ],
    /,
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    changes: Annotated[
        str | None,
        Parameter(
            help="What is tried, with commas between: 'value' (the reference in its place),"
            " 'power', 'keywords', 'copies', 'lines' (each line of text left out) and 'parts' (what"
            " each part adds). Default: everything for one card, 'value' for all."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        Parameter(
            help="The card that takes the place of others. Default: the one in the middle, by games"
            " won when dealt."
        ),
    ] = None,
    games: Annotated[
        int,
        Parameter(
            converter=whole(1, 2_000_000),
            help="How many games are played with the pool and with each variant.",
        ),
    ] = 100_000,
    policy: Annotated[
        str, Parameter(help="Who plays, as for balance; the same player on both sides.")
    ] = "heuristic",
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the analysis. Default:"
            " runs/sensitivity-CARD-SETS-POLICY-GAMES-sSEED. What was interrupted goes on with the"
            " next variant."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What a card is worth, and what each part of it does, by experiments on the same deals.

    Each variant changes one card in its place: another card there, other power, a keyword or a copy
    more or less, a line left out. Game by game the deals and the luck are the same, so the
    difference is what the change does.
    """
    from analysis.sensitivity_games import Experiments
    from reports.sensitivity_cli import (
        print_sensitivity,
        read_cards,
        read_changes,
        run_sensitivity,
        sensitivity_folder,
    )

    one, other = _policies(policy)
    if one != other:
        raise InputError(f"--policy is {policy}; name one player, who plays on both sides")
    wanted, asked = read_changes(changes, card), pool.load(sets)
    cards = read_cards(asked, card)
    if reference is not None and reference == "all":
        raise InputError("--reference is one card, not all")
    experiments = Experiments(asked, one, games, seed)
    name = card if card == "all" else cards[0].card_id
    folder = out or sensitivity_folder(name, pool.name(sets, asked), experiments)
    _compile_engine((one,))
    answer = run_sensitivity(
        experiments,
        cards,
        changes=wanted,
        reference=reference,
        folder=folder,
        threads=threads,
        command=_sensitivity_command(card, sets, pool, changes, reference, experiments, folder),
    )
    if as_json:
        from reports.sensitivity_words import findings

        found = findings(answer.tables, answer.names)
        said = {"folder": str(folder), "page": str(answer.page)}
        print_json(said | _found(found, answer.tables, folder))
    else:
        print_sensitivity(answer)


@app.command
def rebalance(
    *sets: Sets,
    pool: PoolOptions = _ONLY_SETS,
    options: RebalanceOptions = _USUAL_GOAL,
    policy: Annotated[
        str, Parameter(help="Who plays, as for balance; the same player on both sides.")
    ] = "heuristic",
    seed: Seed = 0,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The folder of the search. Default:"
            " runs/rebalance-SETS-POLICY-GAMES-CONFIRM-sSEED. What was interrupted goes on."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, puts the best together, and shows what more or less
    change would bring. The proposal is a card file that can be played at once.
    """
    from reports.rebalance_cli import ask, print_rebalance, rebalance_folder, run_rebalance

    one, other = _policies(policy)
    if one != other:
        raise InputError(f"--policy is {policy}; name one player, who plays on both sides")
    question = ask(options, pool.load(sets), one, seed)
    folder = out or rebalance_folder(pool.name(sets, question.pool), question)
    shipped = pool == _ONLY_SETS and not any(name.endswith(".toml") for name in sets)
    _compile_engine((one,))
    done = run_rebalance(
        question, folder, sets=sets, options=options, shipped=shipped, threads=threads
    )
    if as_json:
        from reports.rebalance_words import findings

        tables, manifest = done.answer.tables, done.answer.manifest
        said = {"folder": str(folder), "page": str(done.page), **manifest}
        print_json(said | _found(findings(tables, manifest), tables, folder))
    else:
        print_rebalance(done)


@app.command
def bench(
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help="Sets to play, or paths of card files of your own. Default: all sets there are.",
        ),
    ],
    pool: PoolOptions = _ONLY_SETS,
    seconds: Annotated[
        float, Parameter(help="How long each measurement takes; every one is made five times.")
    ] = 0.5,
    as_json: Json = False,
) -> None:
    """Measure how many games a second this machine plays, by pool and policy.

    Several sets are played each alone and then all together; with own cards or a pool file only
    all together. Random play of all together shows what two threads bring and what it costs to
    write the records. Compiling is not counted.
    """
    from simcore.mindbug import RUNGS
    from simcore.mindbug.speed import measure_speed

    if not 0 < seconds <= 60:
        raise InputError(f"--seconds is {seconds:g}; it must be above 0 and at most 60")
    pools = _pools(sets, pool)
    try:
        _compile_engine(RUNGS)
        with progress("measuring") as advance:
            speeds = measure_speed(pools, seconds=seconds, on_progress=advance)
    except ValueError as error:
        raise InputError(str(error)) from None
    if as_json:
        print_json(speeds)
    else:
        _print_speeds(speeds)


app.command(cards)


def _pools(sets: Sequence[str], options: PoolOptions) -> "dict[str, Pool]":
    """The pools to measure, by what they are called; everything together is the last."""
    from card_data import available_sets

    if options.cards or options.pool:
        return {"the pool": options.load(sets)}
    names = sets or available_sets()
    together = options.load(names)  # first, since it tells the faults of all of them
    if len(names) == 1:
        return {Path(names[0]).stem: together}
    alone = {Path(name).stem: options.load([name]) for name in names}
    return alone | {"together" if sets else "all sets": together}


def _simulate(
    sets: Sequence[str],
    options: PoolOptions,
    games: int | None,
    policy: str,
    seed: int,
    threads: int | None,
    out: Path | None,
    until: str | None = None,
) -> Path:
    """Play a run, or what is missing of it; the folder that it is in."""
    from simcore.mindbug.run import new_run

    goal = goal_of(until)
    if games is None:
        games = USUAL_GAMES if goal is None else MOST_GAMES_UNTIL
    pool, policies = options.load(sets), _policies(policy)
    try:
        spec = new_run(pool, n_games=games, seed=seed, policies=policies)
    except ValueError as error:
        raise InputError(str(error)) from None
    if out is None:
        who = [re.sub(r"[^\w.]+", "-", policy) for policy in dict.fromkeys(policies)]
        how_many = str(games) if goal is None else f"until-{goal}".replace(":", "-")
        name = [options.name(sets, pool), *who, how_many, f"s{seed}"]
        out = Path("runs", "-".join(name))
    spec, doing = with_rule(spec, goal, pool, policies)
    return _play(spec, out, threads, doing)


def _play(
    spec: "RunSpec", out: Path, threads: int | None, what: "str | Callable[[], str]" = "playing"
) -> Path:
    """Play a run, or what is missing of it, into a folder; the folder."""
    from simcore.runner import run_games

    _compile_engine(spec.settings["policies"])
    try:
        with progress(what, "games") as advance:
            run_games(spec, out, threads=threads, on_progress=advance)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished parts stay in {out} and the same command goes on from there"
        ) from None
    return out


def _play_ladder(
    sets: Sequence[str],
    options: PoolOptions,
    players: str,
    games: int | None,
    seed: int,
    threads: int | None,
    out: Path | None,
) -> Path:
    """Play a ladder, or what is missing of it; the folder that it is in."""
    from analysis.ladder_games import GAMES, SEARCHING_GAMES, Ladder, check_players, play_pairs

    names = tuple(name.strip() for name in players.split(","))
    try:
        check_players(names)
    except ValueError as error:
        raise InputError(f"--players: {error}") from None
    if games is not None and games % 2:
        raise InputError(
            f"--games is {games:,}; it must be even, since every deal is played from both sides,"
            f" for instance {games + 1:,}"
        )
    pool = options.load(sets)
    asked = Ladder(pool, names, games or GAMES, games or SEARCHING_GAMES, seed)
    if out is None:
        out = Path("runs", _ladder_name(options.name(sets, pool), names, games, seed))
    try:
        _compile_engine(names)
        with progress("playing", "games") as advance:
            play_pairs(
                asked,
                out,
                command=_ladder_command(sets, options, players, games, seed, out),
                threads=threads,
                on_progress=advance,
            )
    except ValueError as error:
        raise InputError(str(error)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"finished pairs stay in {out} and the same command goes on from there"
        ) from None
    return out


def _ladder_name(pool: str, players: Sequence[str], games: int | None, seed: int) -> str:
    """The name of the folder of a ladder; many players have part of their fingerprint in it."""
    from hashlib import sha256

    who = re.sub(r"[^\w.]+", "-", "-".join(players))
    if len(who) > _LONGEST_NAME:
        who = f"{who[:_LONGEST_NAME]}@{sha256(','.join(players).encode()).hexdigest()[:8]}"
    return f"ladder-{pool}-{who}-{games or 'usual'}-s{seed}"


def _ladder_command(
    sets: Sequence[str],
    options: PoolOptions,
    players: str,
    games: int | None,
    seed: int,
    out: Path,
) -> str:
    """The command that plays a ladder again."""
    words = ["balancelab", "ladder", *_source(sets, options, out)]
    words += ["--players", players, *([] if games is None else ["--games", str(games)])]
    return shlex.join([*words, "--seed", str(seed)])


def _source(sets: Sequence[str], options: PoolOptions, out: Path) -> list[str]:
    """The words that name a pool again; what is more than sets is played from its folder."""
    shipped = options == _ONLY_SETS and not any(name.endswith(".toml") for name in sets)
    return [*sets] if shipped else ["--pool", str(out / "pool.toml")]


def _sensitivity_command(
    card: str,
    sets: Sequence[str],
    options: PoolOptions,
    changes: str | None,
    reference: str | None,
    experiments: "Experiments",
    out: Path,
) -> str:
    """The command that makes an analysis again."""
    words = ["balancelab", "sensitivity", card, *_source(sets, options, out)]
    words += [] if changes is None else ["--changes", changes]
    words += [] if reference is None else ["--reference", reference]
    words += ["--games", str(experiments.games), "--policy", experiments.policy]
    return shlex.join([*words, "--seed", str(experiments.seed)])


def _play_side(
    side: "Side", plan: "PlayPlan", out: Path, threads: int | None, beside: Path | None = None
) -> Path:
    """Play one side of a comparison, ``beside`` the other if that has been; its folder."""
    from simcore.mindbug.run import new_run

    policies = _policies(plan.policy)
    try:
        spec = new_run(
            side.pool, n_games=plan.games, seed=plan.seed, policies=policies, beside=beside
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    return _play(spec, out, threads, f"playing {out.name}")


def _compare(
    folders: Sequence[Path], band: float | None = None, threads: int | None = None
) -> "Comparison":
    """What differs between two runs; the band is the usual one unless said otherwise."""
    from analysis.comparison import BAND, compare_runs

    with (
        _compiling(("_add_pairs",), "the comparison", 10),
        progress("comparing", "parts") as advance,
    ):
        return compare_runs(*folders, band=band or BAND, threads=threads, on_progress=advance)


def _compare_players(
    folder: Path,
    tables: "dict[str, pd.DataFrame]",
    players: Sequence[str],
    games: int | None,
    threads: int | None,
) -> "dict[str, pd.DataFrame]":
    """The tables on skill of a run, which are written as well; plays what they need.

    ``tables`` are those of the run, which takes part if its policy is one of the players.
    """
    from analysis import open_run, skill_tables, write_tables
    from reports.skill_runs import games_of, rung_folder
    from simcore.mindbug.run import new_run

    run, found = open_run(folder), {}
    for player in players:
        if run.manifest["policies"] == [player, player]:
            found[player] = tables
            continue
        spec = new_run(
            run.pool(),
            n_games=games_of(player, run.n_games, games),
            seed=run.manifest["seed"],
            policies=(player, player),
        )
        played = _play(spec, rung_folder(folder, player), threads, f"playing {player}")
        found[player] = _analyze(played, threads)
    compared = skill_tables(found)
    write_tables(compared, folder / "tables")
    return compared


def _policies(text: str) -> tuple[str, str]:
    """The policy of each player.  Raises InputError."""
    from simcore.mindbug import split_players

    try:
        return split_players(text)
    except ValueError as error:
        raise InputError(f"--policy: {error}") from None


def _compile_engine(players: Sequence[str] = ()) -> None:
    """Compile the engine where that has not been done."""
    from simcore.kernel_cache import prune
    from simcore.mindbug import parse_player
    from simcore.mindbug.policies import compile_thinking
    from simcore.mindbug.simulate import compile_considered, compile_engine

    with _compiling(("_play_games", "_play_plain_games"), "the engine", 45):
        compile_engine()
    if any(parse_player(player).policy != "random" for player in players):
        with _compiling(("_think_of_any", "_think_plainly"), "the players who think", 30):
            compile_thinking()
    if any(parse_player(player).considers for player in players):
        what = "the engine for players who search or are restricted"
        with _compiling(("_play_considered_games",), what, 20):
            compile_considered()
    prune()


@contextmanager
def _compiling(kernels: Sequence[str], what: str, seconds: int) -> Iterator[None]:
    """Say that the block compiles ``what``, unless its kernels are on disk."""
    if not _say_compiling(kernels, what, seconds):
        yield
        return
    with waiting("compiling"):
        yield


def _say_compiling(kernels: Sequence[str], what: str, seconds: int) -> bool:
    """Say that ``what`` is going to be compiled, unless its kernels are on disk; whether it is."""
    from simcore.kernel_cache import is_compiled

    if all(is_compiled(kernel) for kernel in kernels):
        return False
    say(f"compiling {what}, once for each version of balancelab: about {seconds} s")
    return True


def _analyze(folder: Path, threads: int | None) -> "dict[str, pd.DataFrame]":
    """The tables of a run, which are written as well."""
    with progress("analysing") as advance:
        from analysis import analyze  # pandas takes a second

        return analyze(folder, threads=threads, on_progress=advance)


def _report(
    folder: Path, formats: Sequence[str] = ("html",), before: "Comparison | None" = None
) -> dict[str, Path]:
    """The files of the report of a run by format, which are written with the charts."""
    from reports import write_reports
    from reports.report_formats import reports_in

    there = reports_in(folder)
    with waiting("writing the report"):
        written = write_reports(
            folder, formats, before=before, on_telling=lambda: _say_compiling(*_SINGLE_GAMES)
        )
    if gone := there.keys() - reports_in(folder).keys():
        names = " and ".join(sorted(there[name].name for name in gone))
        say(f"removed {names}, written before the present tables; --format writes them anew")
    return written


def _compare_before(before: Path | None, folder: Path, threads: int | None) -> "Comparison | None":
    """What differs from an earlier run, if one is named."""
    if before is None:
        return None
    check_other(before, folder)
    return _compare((before, folder), threads=threads)


def _found(
    findings: "Iterable[Finding]", tables: "Mapping[str, pd.DataFrame]", folder: Path
) -> dict[str, Any]:
    """What the console says of a folder, and the files with the rest, for a program."""
    return {"findings": findings_json(findings), **tables_json(tables, folder)}


def _print_findings(folder: Path, tables: "dict[str, pd.DataFrame]") -> None:
    """What was played, and what is worth knowing first."""
    from reports.wording import describe_run, findings
    from simcore.run_folder import read_manifest

    manifest = read_manifest(folder)
    print(describe_run(manifest))
    print_wrapped(how_it_ended(manifest))
    print_wrapped(f"{finding.topic}: {finding.text}" for finding in findings(tables))


def _print_ladder(folder: Path, tables: "dict[str, pd.DataFrame]") -> None:
    """What was played, the ratings, and what is worth knowing first."""
    from analysis.ladder_games import Ladder, read_asked
    from reports.theme import elo
    from reports.wording import describe_ladder, ladder_findings, speed

    print(f"{describe_ladder(read_asked(Ladder.kind, folder))}\n")
    print_table(
        ("player", "Elo", "from", "to", "score", "games/s"),
        [
            (
                row.player,
                *map(elo, (row.elo, row.elo_ci_low, row.elo_ci_high)),
                f"{100 * row.score:.1f} %",
                speed(row.games_per_second),
            )
            for row in tables["ratings"].itertuples()
        ],
        right=(1, 2, 3, 4, 5),
    )
    print()
    findings = ladder_findings(tables)
    print_wrapped(f"{finding.topic}: {finding.text}" for finding in findings)


def _print_comparison(comparison: "Comparison", page: Path) -> None:
    """What was played, what differs, and where it is."""
    from reports.compare_words import describe_comparison, findings

    print(describe_comparison(comparison))
    print_wrapped(f"{finding.topic}: {finding.text}" for finding in findings(comparison))
    folder = page.parent
    print(f"\nreport: {page}\ntables: {folder / 'tables'}\ncharts: {folder / 'figures'}")


def _print_comparison_json(comparison: "Comparison", page: Path) -> None:
    """A comparison for a program."""
    from attrs import asdict

    from reports.compare_words import changes_of, findings, median_reduction

    answer = {
        "base": str(comparison.base.folder),
        "variant": str(comparison.variant.folder),
        "page": str(page),
        "paired": comparison.paired,
        "same_deals": comparison.same_deals,
        "variance_reduction": median_reduction(comparison.table),
        "changes": [asdict(change) for change in changes_of(comparison)],
    }
    answer = {name: None if value != value else value for name, value in answer.items()}
    tables = {"comparison": comparison.table}
    print_json(answer | _found(findings(comparison), tables, page.parent))


def _print_speeds(speeds: dict[str, Any]) -> None:
    """The tables of `bench`."""
    machine = ", ".join(f"{name} {value}" for name, value in speeds["machine"].items())
    print(f"games a second, best and median ({machine})\n")
    print_table(
        ("one thread", "policy", "best", "median", "decisions/s"),
        [
            (row["pool"], row["policy"], *_rates(row), f"{row['decisions']:,.0f}")
            for row in speeds["engine"]
        ],
        right=(2, 3, 4),
    )
    for name, title, ratio in (
        ("threads", "the engine alone", "of one thread"),
        ("records", "with every record written", "of the engine alone"),
    ):
        print(f"\n{title}, {speeds[name][0]['pool']}")
        rows = [(row["threads"], *_rates(row), f"{row['ratio']:.2f}") for row in speeds[name]]
        print_table(("threads", "best", "median", ratio), rows, right=(0, 1, 2, 3))


def _rates(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['best']:,.0f}", f"{row['median']:,.0f}"


def main() -> None:
    """Run the command that the process was started with, and exit."""
    if sys.stdout is None:  # closed by the one who started the process
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name that the terminal cannot show is no error
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit status.  What a person can do wrong ends in a message."""
    try:
        status = app(arguments, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        say(": ".join(["interrupted", *stop.args]))
        return 130
    except CoercionError as error:
        return _fail(_told(error))
    except (CycloptsError, InputError) as error:
        return _fail(error)
    except OSError as error:
        # What is left in the buffer would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        where = f" ({error.filename})" if error.filename else ""
        return _fail(f"cannot go on: {error.strerror}{where}")
    except Exception as error:
        from card_data import CardFileError
        from simcore.run_folder import RunError

        if not isinstance(error, CardFileError | RunError):
            raise
        return _fail(error)
    return status or 0


def _told(error: CoercionError) -> str:
    """What is wrong with a value of an option, told like everything else."""
    from card_data.faults import nearest

    if error.token is None or error.argument is None or error.target_type not in (bool, float):
        return str(error)
    option, value = error.token.keyword, error.token.value
    if error.target_type is float:
        return f"Invalid value for {option}: '{value}' is not a number"
    words = ("yes", "no", "true", "false")
    guess = nearest(value, words)
    guess = f"; did you mean '{guess}'?" if guess else "."
    ways = " or ".join(error.argument.names)
    return (
        f"Invalid value for {option}: '{value}' is neither yes nor no{guess}"
        f" Say {ways}, or one of these after '=': {', '.join(words)}."
    )


def _fail(why: Exception | str) -> int:
    say(f"balancelab: {why}")
    return 2
