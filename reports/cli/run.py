"""The commands of a run: `fairdeal balance`, and its steps simulate, analyze, report; replay."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analysis.confidence import confidence, confidence_said
from reports.cli.compute import HERE, Compute
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_wrapped,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import Format, parse_formats, paths_of, print_report
from reports.cli.games import as_said, chosen_game, game_of_folder
from reports.cli.json_answers import found_json, tables_json
from reports.cli.options import (
    MAX_GAMES,
    Json,
    Named,
    Out,
    Rules,
    Run,
    Seed,
    Threads,
    number,
    to_place,
    whole,
    with_confidence,
)
from reports.cli.play import is_file_of_play, tell_log
from reports.cli.run_options import (
    MOST_GAMES_UNTIL,
    Anytime,
    Before,
    Until,
    UpTo,
    check_before,
    check_other,
    ending,
    games_beside,
    goal_of,
    rule_of,
)
from reports.cli.steps import (
    analyze_run,
    check_statistics,
    compare_folders,
    compile_players,
    compiling,
    finding_of,
    findings_of,
    is_run,
    kernels_of,
    list_card_games,
    own_statistics,
    play_run,
    report_run,
)
from reports.games import Options, Playable, reports_of
from simcore.commands import command

#: Statistics of a person's own, in commands that analyse a run.
Statistic = Annotated[
    list[str] | None,
    Parameter(
        negative=(),
        help="Your own statistic, FILE.py:FUNCTION (docs/programs.md): it is given the run and"
        " returns a table, which is written beside the others. May be given several times.",
    ),
]

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from simcore.work.about import Question
    from simcore.work.runs import RunSpec


@with_confidence
def balance(
    *named: Named,
    games: UpTo = None,
    until: Until = None,
    anytime: Anytime = False,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Out = None,
    formats: Format = "html",
    before: Before = None,
    statistic: Statistic = None,
    story: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Also report who leads, when a game is decided and what swings it, as the command"
            " story does, from games of the same seed: as many as --games, at most that command's"
            " usual number.",
        ),
    ] = False,
    dry_run: DryRun = False,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Find how strong every card or entry is, and write a report.

    Runs simulate, analyze and report in turn, and prints the findings.
    """
    from reports.balance.kept_answer import keep_answer, read_answer
    from reports.story.command import tell_story
    from simcore.work.about import working_on
    from simcore.work.cost import Plan

    game, options = chosen_game(said, named)
    options.check()
    typed, options = options, options.ready(named, before, compute.threads, not dry_run)
    check_statistics(game, statistic)
    wanted = parse_formats(formats)
    if games is None and until is None:
        games = games_beside(before, seed)
    if before is not None:
        check_before(
            before,
            game=game,
            policies=options.players(),
            seed=seed,
            games=games,
            until=until,
            out=out,
        )
    playable, spec, doing, question = asked_run(game, options, named, games, seed, until, anytime)
    usual = reports_of(game).story_games
    story_games = min(games or usual, usual)
    if dry_run:
        told = [Plan(playable.spec(story_games, seed))] * story

        def more(n_games: int) -> list[Plan]:
            return [*options.more_plans(playable, n_games, seed), *told]

        tell_cost([Plan(spec)], compute, as_json=as_json, more=more)
        return
    # Another run, and code of somebody's own, can change where the folder does not.
    besides = options.more_plans(playable, spec.n_games, seed)
    others = [plan.spec.manifest() for plan in besides]
    made_of = options, wanted, confidence(), spec.manifest(), others
    asked = None if before is not None or statistic else made_of
    comparison = None
    with compute.start() as crew, working_on(question, out) as work:
        folder = work.folder
        answer = None if asked is None else read_answer(folder, asked)
        if answer is None:
            compile_players([spec, *(plan.spec for plan in besides)])
            play_run(spec, folder, crew, doing)
            tables = analyze_run(folder, crew.threads)
            own = own_statistics(folder, statistic)
            tables |= options.do_more(folder, tables, crew)
            comparison = _compare_before(before, folder, crew.threads)
            written = report_run(folder, wanted, comparison)
            findings = findings_of(folder, tables)
            page = written["html"].name if "html" in written else None
            work.finish(finding_of(folder), page, games_of(folder))
            if comparison is not None:
                tables["comparison"] = comparison.table
            ended = ending(folder) | _before_json(comparison)
            answer = {"run": str(folder), **paths_of(written), **own, **ended}
            answer |= found_json(game, findings, tables, folder)
            answer["screen"] = screen_in(folder)
            if asked is not None:
                keep_answer(folder, asked, answer)
    screen = answer.pop("screen")
    lines: list[str] = []
    if story:
        lines, answer["story"] = tell_story([playable], story_games, seed, compute)
    if as_json:
        print_json(answer)
    else:
        print_wrapped(screen)
        _print_before(comparison)
        print()
        print_report(folder, answer["reports"], tables=True)
        for name, path in answer.get("statistics", {}).items():
            print(f"{name}: {path}")
        if story:
            print("", *lines, sep="\n")
        elif named and (place := reports_of(game).options.get("story")):
            said = as_said(typed, place) | {"seed": seed or None, "confidence": confidence_said()}
            print(
                f"to see who leads, and when a game is decided:\n "
                f" {command('story', *named, **said)}"
            )


@with_confidence
def simulate(
    *named: Named,
    games: UpTo = None,
    until: Until = None,
    anytime: Anytime = False,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Out = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Play games and write a record of each into a run folder."""
    import numpy as np

    from simcore.work.about import working_on
    from simcore.work.cost import Plan
    from simcore.work.parts import read_manifest

    game, options = chosen_game(said, named)
    options = options.ready(named, None, compute.threads, not dry_run)
    _, spec, doing, question = asked_run(game, options, named, games, seed, until, anytime)
    if dry_run:
        tell_cost([Plan(spec)], compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(question, out) as work:
        folder = play_run(spec, work.folder, crew, doing)
        manifest = read_manifest(folder)
        work.finish(games=manifest["games"])
    if as_json:
        print_json({"run": str(folder), **manifest})
    else:
        from reports.kit.stopping_text import how_it_ended

        in_order = spec.count(np.empty(0, spec.record))
        counts = [f"{manifest['counts'][what]:,} {what}" for what in in_order]
        print(f"run: {folder}\n{', '.join(counts)}")
        print_wrapped(how_it_ended(manifest))


@with_confidence
def analyze(
    run: Run,
    /,
    *,
    statistic: Statistic = None,
    card_games: Annotated[
        bool,
        Parameter(
            negative=(),
            help="Write RUN/tables/card_games.parquet as well: a row for each game, player and"
            " card, in plain columns for questions of your own (docs/programs.md).",
        ),
    ] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Count the games of a run and write its tables, as CSV and Parquet, to RUN/tables."""
    from simcore.work.about import note

    game = game_of_folder(run)
    check_statistics(game, statistic)
    tables = analyze_run(run, threads)
    rows = {"card_games": str(list_card_games(run))} if card_games else {}
    own = own_statistics(run, statistic)
    findings = findings_of(run, tables)
    note(run, headline=finding_of(run))
    if as_json:
        print_json({"run": str(run), **rows, **own, **found_json(game, findings, tables, run)})
    else:
        print_wrapped(screen_in(run))
        print(f"\ntables: {run / 'tables'}")
        for name, path in own.get("statistics", {}).items():
            print(f"{name}: {path}")


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
    from analysis.confidence import USUAL, at_confidence
    from analysis.tables import confidence_of
    from reports.kit.made import MADE
    from simcore.work.about import note

    wanted = parse_formats(formats)
    with at_confidence(confidence_of(run, game_of_folder(run)) or USUAL):
        comparison = _compare_before(before, run, threads)
        written = report_run(run, wanted, comparison)
    if "html" in written:
        note(run, page=written["html"].name)
    if as_json:
        figures = sorted(str(path) for path in (run / "figures").glob("*.*") if path.name != MADE)
        answer = {"run": str(run), **paths_of(written), "figures": figures}
        answer |= _before_json(comparison)
        if comparison is not None:
            answer |= tables_json(comparison.base.game.name, {"comparison": comparison.table}, run)
        print_json(answer)
    else:
        _print_before(comparison, last=True)
        print_report(run, written)


def replay(
    run: Annotated[
        Path,
        Parameter(
            converter=to_place,
            name="RUN",
            help="The folder of a run, or a game saved by play.",
        ),
    ],
    game: Annotated[
        int | None,
        Parameter(
            name="GAME",
            converter=number,
            help="The number of the game in the run, from 0; leave it out for a game saved by"
            " play.",
        ),
    ] = None,
    /,
    *,
    turn: Annotated[
        int | None,
        Parameter(converter=whole(1, MAX_GAMES), help="Begin at this turn, round or decision."),
    ] = None,
    policy: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help="A player of the run that is somebody's own function, FILE.py:FUNCTION; it is run"
            " only if you name it here. May be given several times.",
        ),
    ] = None,
    rules: Rules = None,
    as_json: Json = False,
) -> None:
    """Tell one game of a run in words: every turn, every choice and its options, every effect.

    A game that was saved by play is told in full once it is over, before that as its player saw it.
    """
    from analysis.games import analysis_of
    from analysis.runs import open_run
    from card_data.faults import unknown_word

    if is_file_of_play(run):
        if game is not None:
            raise InputError(f"{run} is a single game; leave {game} out")
        if policy:
            raise InputError(f"{run} is a single game, told as it was saved; leave --policy out")
        tell_log(run, rules, as_json=as_json)
        return
    opened = open_run(run)
    if game is None:
        raise InputError(f"say which game of {run} to tell: 0 to {opened.n_games - 1}")
    if not 0 <= game < opened.n_games:
        raise InputError(f"GAME is {game}; {run} has games 0 to {opened.n_games - 1}")
    analysis_of(opened.game.name).check_players(opened)  # refuses before anything is compiled
    if policy:
        players = dict.fromkeys(opened.manifest["policies"])
        for one in policy:
            if one not in players:
                raise InputError(f"--policy: {unknown_word('player of the run', one, [*players])}")
        reports_of(opened.game.name).use_players(policy)
    if rules:
        reports_of(opened.game.name).use_rules(rules)
    with compiling(*kernels_of(opened.game.name, "replay")):
        reports = reports_of(opened.game.name)
        told = reports.tell(opened, game)
    if as_json:
        record = {name: told.record[name].tolist() for name in told.record.dtype.names or ()}
        print_json({"run": str(run), "record": record, "lines": list(told.lines)})
        return
    from reports.story.text import section

    lines = [*reports.story(opened, told)]
    if turn is not None and not (lines := section(lines, turn, only=False)):
        raise InputError(f"--turn is {turn}, and game {game} of {run} ends before it")
    print_wrapped(lines)


def asked_run(
    game: str,
    options: Options,
    named: Sequence[str],
    games: int | None,
    seed: int,
    until: str | None,
    anytime: bool,
) -> "tuple[Playable, RunSpec, str | Callable[[], str], Question]":
    """What is played, the run that is asked for, what is said meanwhile, and the question."""
    from attrs import evolve

    from simcore.work.about import Question
    from simcore.work.folder import what_was_asked
    from simcore.work.parts import RUN

    goal = goal_of(until, game)
    playable = options.read(named)
    if games is None:
        games, goal = MOST_GAMES_UNTIL, goal or goal_of(playable.precision, game)
    rule, doing = rule_of(goal, playable, anytime=anytime)
    with as_input_error():
        spec = evolve(playable.spec(games, seed), until=rule)
    players = options.players()
    question = Question(
        game=game,
        question="balance",
        named=(playable.name,),
        what=playable.title,
        players=players,
        who=tuple(map(reports_of(game).called, players)),
        games=games,
        seed=seed,
        asked=what_was_asked(RUN, spec.manifest()),
        is_in=lambda folder: is_run(spec, folder),
    )
    return playable, spec, doing, question


def games_of(folder: Path) -> int:
    """How many games a finished run has."""
    from simcore.work.parts import read_manifest

    return int(read_manifest(folder)["games"])


def screen_in(folder: Path) -> list[str]:
    """What the terminal says of an analysed run."""
    from reports.cli.screen import screen_of
    from simcore.work.parts import read_manifest

    return screen_of(reports_of(read_manifest(folder)["game"]).report(folder, None))


def _compare_before(before: Path | None, folder: Path, threads: int | None) -> "Comparison | None":
    """What differs from an earlier run, if one is named."""
    if before is None:
        return None
    check_other(before, folder)
    return compare_folders(before, folder, threads)


def _print_before(comparison: "Comparison | None", *, last: bool = False) -> None:
    """Tell what differs from the earlier run, if there is one, with a line between."""
    if comparison is None:
        return
    if not last:
        print()
    played, findings = reports_of(comparison.base.game.name).before_words(comparison)
    print(f"Compared with {comparison.base.folder} ({played}):")
    print_findings(findings)
    if last:
        print()


def _before_json(comparison: "Comparison | None") -> dict[str, Any]:
    """What a program is told, besides the table of the comparison; nothing without one."""
    if comparison is None:
        return {}
    from reports.cli.json_answers import findings_json

    reports = reports_of(comparison.base.game.name)
    return {
        "before": {
            "run": str(comparison.base.folder),
            "paired": comparison.paired,
            "same_deals": comparison.same_deals if comparison.paired else None,
            **reports.compare_json(comparison),
            "findings": findings_json(reports.before_words(comparison)[1]),
        }
    }
