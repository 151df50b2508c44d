"""The commands of a run: `balancelab balance`, and its steps simulate, analyze, report; replay."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_wrapped,
)
from reports.mindbug.balance.report_formats import Format, parse_formats, paths_of, print_report
from reports.mindbug.cli.answers import found_json, tables_json
from reports.mindbug.cli.before import Before, before_json, check_before, check_other, print_before
from reports.mindbug.cli.keywords import KeywordGames, Keywords, check_keywords, try_keywords
from reports.mindbug.cli.options import (
    ONLY_SETS,
    Json,
    Policy,
    PoolOptions,
    Seed,
    Sets,
    Threads,
    in_a_name,
    read_policies,
)
from reports.mindbug.cli.skill import Skill, SkillGames, compare_players, parse_rungs
from reports.mindbug.cli.steps import (
    SINGLE_GAMES,
    analyze_run,
    compare_folders,
    compiling,
    play_run,
    report_run,
)
from reports.mindbug.cli.until import (
    MOST_GAMES_UNTIL,
    USUAL_GAMES,
    Anytime,
    Until,
    UpTo,
    ending,
    goal_of,
    how_it_ended,
    with_rule,
)

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.comparison import Comparison
    from simcore.work.runs import RunSpec

_COUNTS = ("games", "draws", "capped", "looped")

Out = Annotated[
    Path | None,
    Parameter(
        help="The run folder. Default: runs/SETS-POLICY-GAMES-sSEED. A run that was interrupted"
        " goes on where it stopped."
    ),
]
Run = Annotated[Path, Parameter(name="RUN", help="The folder of a run.")]


def _number(_: Any, tokens: Sequence[Any]) -> int:
    """A converter for a number of which the command knows what is allowed."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise ValueError(f"'{tokens[0].value}' is not a whole number") from None


def balance(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    games: UpTo = None,
    until: Until = None,
    anytime: Anytime = False,
    policy: Policy = "random",
    seed: Seed = 0,
    threads: Threads = None,
    out: Out = None,
    skill: Skill = None,
    skill_games: SkillGames = None,
    keywords: Keywords = None,
    keyword_games: KeywordGames = None,
    formats: Format = "html",
    before: Before = None,
    as_json: Json = False,
) -> None:
    """The main job: play, analyse, write the report.

    Does what simulate, analyze and report do one after another, and prints what was found.
    """
    from simcore.work.lock import holding

    players, wanted = parse_rungs(skill, skill_games), parse_formats(formats)
    trying = check_keywords(keywords, keyword_games)
    check_before(
        before,
        policies=read_policies(policy),
        seed=seed,
        games=games or USUAL_GAMES,
        until=until,
        out=out,
    )
    spec, doing, folder = _asked(sets, pool, games, policy, seed, out, until, anytime)
    with holding(folder):
        play_run(spec, folder, threads, doing)
        tables = analyze_run(folder, threads)
        if players:
            tables |= compare_players(folder, tables, players, skill_games, threads)
        tables |= try_keywords(folder, trying, keyword_games, threads)
        comparison = _compare_before(before, folder, threads)
        written = report_run(folder, wanted, comparison)
    if comparison is not None:
        tables["comparison"] = comparison.table
    if as_json:
        from reports.mindbug.balance.text import findings

        ended = ending(folder) | before_json(comparison)
        answer = {"run": str(folder), **paths_of(written), **ended}
        print_json(answer | found_json(findings(tables), tables, folder))
    else:
        _print_findings(folder, tables)
        if comparison is not None:
            print()
            print_before(comparison)
        print()
        print_report(folder, written, tables=True)


def simulate(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    games: UpTo = None,
    until: Until = None,
    anytime: Anytime = False,
    policy: Policy = "random",
    seed: Seed = 0,
    threads: Threads = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Play games and write a record of each into a run folder."""
    from simcore.work.parts import read_manifest

    spec, doing, folder = _asked(sets, pool, games, policy, seed, out, until, anytime)
    play_run(spec, folder, threads, doing)
    manifest = read_manifest(folder)
    if as_json:
        print_json({"run": str(folder), **manifest})
    else:
        counts = [f"{manifest['counts'][what]:,} {what}" for what in _COUNTS]
        print(f"run: {folder}\n{', '.join(counts)}")
        print_wrapped(how_it_ended(manifest))


def analyze(run: Run, /, *, threads: Threads = None, as_json: Json = False) -> None:
    """Count the games of a run and write its tables, as CSV and Parquet, to RUN/tables."""
    tables = analyze_run(run, threads)
    if as_json:
        from reports.mindbug.balance.text import findings

        print_json({"run": str(run), **found_json(findings(tables), tables, run)})
    else:
        _print_findings(run, tables)
        print(f"\ntables: {run / 'tables'}")


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
    written = report_run(run, wanted, comparison)
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


def replay(
    run: Run,
    game: Annotated[
        int,
        Parameter(name="GAME", converter=_number, help="The number of the game, from 0."),
    ],
    /,
    *,
    as_json: Json = False,
) -> None:
    """Tell one game of a run: every turn, every choice with its options, every effect."""
    from analysis.mindbug import open_run
    from analysis.mindbug.replays import replay as replay_of_run

    opened = open_run(run)
    if not 0 <= game < opened.n_games:
        raise InputError(f"GAME is {game}; {run} has games 0 to {opened.n_games - 1}")
    with compiling(*SINGLE_GAMES):
        told = replay_of_run(opened, game)
    if as_json:
        record = {name: told.record[name].tolist() for name in told.record.dtype.names or ()}
        print_json({"run": str(run), "record": record, "lines": list(told.lines)})
    else:
        print_wrapped(told.lines)


def _asked(
    sets: Sequence[str],
    options: PoolOptions,
    games: int | None,
    policy: str,
    seed: int,
    out: Path | None,
    until: str | None,
    anytime: bool,
) -> "tuple[RunSpec, str | Callable[[], str], Path]":
    """The run that is asked for, what is said while it is played, and its folder."""
    from simcore.mindbug.play.run import new_run

    goal = goal_of(until)
    if games is None:
        games = USUAL_GAMES if goal is None else MOST_GAMES_UNTIL
    pool, policies = options.load(sets), read_policies(policy)
    with as_input_error():
        spec = new_run(pool, n_games=games, seed=seed, policies=policies)
    if out is None:
        who = [in_a_name(policy) for policy in dict.fromkeys(policies)]
        how_many = str(games) if goal is None else f"until-{goal}".replace(":", "-")
        how_many += "-anytime" * anytime
        name = [options.name(sets, pool), *who, how_many, f"s{seed}"]
        out = Path("runs", "-".join(name))
    return *with_rule(spec, goal, pool, policies, anytime=anytime), out


def _print_findings(folder: Path, tables: "dict[str, pd.DataFrame]") -> None:
    """What was played, and what is worth knowing first."""
    from reports.mindbug.balance.text import findings
    from reports.mindbug.run_text import describe_run
    from simcore.work.parts import read_manifest

    manifest = read_manifest(folder)
    print(describe_run(manifest))
    print_wrapped(how_it_ended(manifest))
    print_findings(findings(tables))


def _compare_before(before: Path | None, folder: Path, threads: int | None) -> "Comparison | None":
    """What differs from an earlier run, if one is named."""
    if before is None:
        return None
    check_other(before, folder)
    return compare_folders(before, folder, threads)
