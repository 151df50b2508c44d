"""The command `fairdeal playtests`: games of people beside games of the program."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve
from cyclopts import Parameter

from analysis.confidence import confidence
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import InputError, print_json, print_wrapped, say, waiting
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.games import chosen_game, game_meant
from reports.cli.named_files import check_writable
from reports.cli.options import (
    MAX_GAMES,
    Force,
    Json,
    Seed,
    SheetName,
    decimal,
    to_place,
    whole,
    with_confidence,
)
from reports.games import Commands, Playable, reports_of

if TYPE_CHECKING:
    from analysis.playtests import Sums
    from card_data.playtest_log import LogTerms, PlaytestLog
    from simcore.work.about import Question
    from simcore.work.runs import RunSpec

playtests = Commands(
    name="playtests",
    help="Compare the games your group played, logged in a spreadsheet, with simulated ones.\n\n"
    "LOG is a CSV or xlsx file with a game, or a player of a game, a row; 'playtests new' writes an"
    " empty one. Says who wins how often, how long games take, and where people and the simulation"
    " of the same version differ. Without a game it says what needs no simulation. Nothing of the"
    " log leaves the machine, and names are left out of what is written.",
)

# Simulated games of each version where nothing is said.
_GAMES = 20_000

Log = Annotated[
    Path, Parameter(name="LOG", help="The log of the games: a file that ends in .csv or .xlsx.")
]


@playtests.default
@with_confidence
def beside(
    log: Log,
    /,
    *named: Annotated[
        str,
        Parameter(name="SET", help="What was played. {named} Without any, nothing is simulated."),
    ],
    version: Annotated[
        list[str] | None,
        Parameter(
            negative=(),
            help="What a version named in the log was, if it was not SET:"
            " '1.0=first_contact', or '1.1=my_game.py+changed.toml'; separate several with spaces."
            " May be given several times.",
        ),
    ] = None,
    with_names: Annotated[
        bool, Parameter(negative=(), help="Show the names of players on the page and in all files.")
    ] = False,
    games: Annotated[
        int,
        Parameter(converter=whole(100, MAX_GAMES), help="Games to simulate for each version."),
    ] = _GAMES,
    seed: Seed = 0,
    sheet: SheetName = None,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder for the page, tables and simulated games. Default: one in runs/ that"
            " is"
            " named after LOG and what is played.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    **said: Any,
) -> None:
    """Set games that people played beside games of the program."""
    from card_data.cells import SUFFIXES
    from card_data.playtest_log import read_playtests
    from reports.playtests.page import answer_json, write_page
    from reports.playtests.text import Answer
    from simcore.work.about import working_on
    from simcore.work.cost import Plan

    if log.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{log} is no log of games, which ends in .csv or .xlsx; name the log first, then what"
            " was played"
        )
    if version and not named:
        raise InputError("--version says what to simulate; name the game behind the log, too")
    other = _versions(version or ())
    playables = _playables(said, [named, *other.values()], not dry_run) if named else {}
    read = read_playtests(log, _terms(playables.values()), sheet)
    _check_versions(other, read)
    specs = {words: one.spec(games, seed) for words, (_, one) in playables.items()}
    plays = {one: specs[other.get(one, named)] for one in read.versions if specs}
    if dry_run:
        tell_cost([Plan(spec) for spec in specs.values()], compute, as_json=as_json)
        return
    with compute.start() as crew, working_on(_question(log, plays, named, with_names), out) as work:
        people = _people(read, bool(plays))
        found: dict[int, Sums] = {}
        for one, spec in plays.items():
            if id(spec) not in found:
                found[id(spec)] = _simulate(spec, work.folder, one, crew)
        simulated = {one: found[id(spec)] for one, spec in plays.items()}
        answer = Answer.of(
            read,
            people,
            simulated,
            _players(plays),
            games if plays else 0,
            with_names=with_names,
        )
        with waiting("drawing the charts"):
            page = write_page(answer, work.folder)
        work.finish(answer.headline, page.name)
    if as_json:
        print_json(answer_json(answer, work.folder, page))
        return
    for note in read.notes:
        say(f"{log}: {note}")
    print_wrapped(answer.lines)
    print(f"\nreport: {page}")


def _versions(said: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What was played as each version.  Raises InputError."""
    found = {}
    for text in said:
        name, is_said, what = text.partition("=")
        if not (is_said and what.split()):
            raise InputError(f"--version is '{text}'; write VERSION=SET, as in '1.1=first_contact'")
        found[name.strip()] = tuple(what.split())
    return found


def _check_versions(versions: Mapping[str, Any], log: "PlaytestLog") -> None:
    """Raise InputError for a version that the log has not."""
    from card_data.faults import unknown_word

    for one in versions:
        if one not in log.versions:
            raise InputError(f"--version: {unknown_word('version', one, log.versions)}")


def _playables(
    said: Mapping[str, Any], named: Sequence[tuple[str, ...]], learn: bool
) -> "dict[tuple[str, ...], tuple[str, Playable]]":
    """The game and what is played of it, by what was named.  Raises what the game raises.

    Players may ``learn`` new cards first.
    """
    found = {}
    for words in dict.fromkeys(named):
        game, options = chosen_game(said, words)
        found[words] = game, options.ready(words, None, None, learn).read(words)
    return found


def _terms(playables: "Collection[tuple[str, Playable]]") -> "LogTerms":
    """What the log can name: the cards and sides of all versions.  Nothing is known of no game."""
    from card_data.playtest_log import LogTerms

    found = [reports_of(game).log_terms(one) for game, one in playables]
    if not found:
        return LogTerms()
    cards, sides = (
        {key: name for one in found for key, name in (getattr(one, kind) or {}).items()}
        for kind in ("cards", "sides")
    )
    return evolve(found[0], cards=cards, sides=sides)


def _question(
    log: Path, plays: "Mapping[str, RunSpec]", named: Sequence[str], with_names: bool
) -> "Question":
    """What is asked, by which its folder is found again; the log is known by its place."""
    from simcore.work.about import Question

    asked = {one: [spec.game, spec.settings, spec.n_games] for one, spec in plays.items()}
    game = next((spec.game for spec in plays.values()), "")
    return Question(
        game=game,
        question="playtests",
        named=("playtests", log.stem, *named),
        what=log.stem,
        players=tuple(_players(plays)),
        asked={
            "log": str(log.resolve()),
            "simulated": asked,
            "names": with_names,
            "confidence": confidence(),
        },
    )


def _players(plays: "Mapping[str, RunSpec]") -> list[str]:
    """Who plays the simulated games."""
    return [*dict.fromkeys(one for spec in plays.values() for one in spec.settings["policies"])]


def _people(log: "PlaytestLog", is_known: bool) -> "dict[str, Sums]":
    """The figures of each version of a log."""
    from analysis.playtests import count, facts_of_log

    by_version = {one: [game for game in log.games if game.version == one] for one in log.versions}
    # Of two seats one says what the other does, and who begins says more.
    is_told = is_known and not any(one.first >= 0 and len(one.scores) < 3 for one in log.games)
    return {one: count(facts_of_log(games), is_told) for one, games in by_version.items()}


def _simulate(spec: "RunSpec", folder: Path, version: str, crew: Crew) -> "Sums":
    """The same figures of the games of the program, which are played if they are not there."""
    from analysis.games import analysis_of
    from analysis.playtests import add, count
    from analysis.runs import open_run
    from reports.cli.steps import play_run
    from simcore.work.about import in_a_name

    run = open_run(play_run(spec, folder / "simulated" / (in_a_name(version) or "games"), crew))
    found: Sums = {}
    for games in run.parts():
        more = count(analysis_of(spec.game).facts(run.manifest, games))
        found = more | add(found, more)
    return found


@playtests.command
def new(
    named: Annotated[
        str, Parameter(name="GAME", help="What was played: sets, files, or a game of your own.")
    ],
    log: Annotated[
        Path, Parameter(name="LOG", help="The file to write, which ends in .csv or .xlsx.")
    ] = Path("games.xlsx"),
    /,
    *,
    force: Force = False,
) -> None:
    """Write an empty log for your group's games, with the columns of the game."""
    from card_data.cells import SUFFIXES
    from card_data.playtest_log import log_columns
    from card_data.schema.sheet import table_bytes
    from simcore.sealed import write_file

    if log.suffix.lower() not in SUFFIXES:
        raise InputError(f"{log} is not a spreadsheet; name a file that ends in .csv or .xlsx")
    if log.exists() and not force:
        raise InputError(f"{log} is there already; name another file, or add --force")
    check_writable(log)
    columns = log_columns(terms_of(named))
    write_file(log, table_bytes([columns], log.suffix, "games", [14] * len(columns)))
    print(f"{log} has these columns: {', '.join(columns)}")
    print_wrapped(
        [
            "Write one game per row; leave blank what you do not know, and add any columns you"
            f" like. Then:\nfairdeal playtests {log} {named}"
        ]
    )


def terms_of(named: str) -> "LogTerms":
    """What the log of a game can name.  Raises InputError and what the game raises."""
    game = game_meant([named])
    options = resolve_name(reports_of(game).options["playtests"])()
    return reports_of(game).log_terms(options.read([named]))


@playtests.command
def plan(
    log: Annotated[
        Path | None,
        Parameter(
            name="LOG", help="A log, which shows how long a game takes and what is known already."
        ),
    ] = None,
    /,
    *,
    difference: Annotated[
        float,
        Parameter(converter=decimal, help="The difference to detect, in percentage points."),
    ] = 5.0,
    power: Annotated[
        float, Parameter(converter=decimal, help="The chance of detecting it, in per cent.")
    ] = 80.0,
    minutes: Annotated[
        float | None,
        Parameter(converter=decimal, help="Minutes per game. Default: those of LOG."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say how many games it takes to show a difference, and what a simulation answers sooner."""
    from card_data.playtest_log import LogTerms, read_playtests
    from reports.playtests.text import plan_lines, plan_rows

    for option, value, low, high in (
        *(("--difference", difference, 0, 50), ("--power", power, 5, 100)),
        ("--minutes", 1 if minutes is None else minutes, 0, 10_000),
    ):
        if not low < value < high:
            raise InputError(f"{option} is {value:g}; it must be above {low} and below {high}")
    read = read_playtests(log, LogTerms()) if log else None
    rows = plan_rows(difference / 100, power / 100)
    if as_json:
        print_json(
            {"difference": difference, "power": power, "confidence": confidence(), "plan": rows}
        )
        return
    for line in plan_lines(rows, difference / 100, power / 100, minutes, read):
        print(line)
