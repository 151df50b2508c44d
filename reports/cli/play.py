"""`fairdeal play`: a person plays, against players of fairdeal or with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import InputError, print_json, print_wrapped
from reports.cli.games import chosen_game
from reports.cli.named_files import check_writable
from reports.cli.options import Rules, whole
from reports.cli.steps import compiling, kernels_of
from reports.games import options_said, reports_of

if TYPE_CHECKING:
    from reports.play.log import GameLog
    from reports.play.match import Match

_SEEDS = 1_000_000  # that are drawn from where none is given


def play(
    *named: Annotated[
        str,
        Parameter(
            name="SET",
            help="What is played. {named} Or the file of a game that was left, which is played on.",
        ),
    ],
    player: Annotated[str | None, Parameter(help="The other players. {player}")] = None,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole(0, 2**63 - 1),
            help="The same seed deals the same game. Default: drawn at random.",
        ),
    ] = None,
    start_with: Annotated[
        str | None,
        Parameter(
            help="A card, by id or name, to meet at once: the first deal of the seed that has it is"
            " played. {start_with}"
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(
            help="The file that keeps the game. Default: a new one,"
            " runs/play-SETS-PLAYER-sSEED.json."
        ),
    ] = None,
    keep_in: Annotated[
        Path | None,
        Parameter(
            name="--log",
            help="A log of playtests, .csv or .xlsx, to which the game is added once it is over"
            " (docs/playtests.md).",
        ),
    ] = None,
    rules: Rules = None,
    **said: Any,
) -> None:
    """Play a game yourself, in the terminal.

    Options come with numbers; 'hint' asks a strong player, 'thoughts' says what the others thought,
    'undo' goes back. The game is kept in a file after each of your decisions: replay tells it, and
    play goes on from it.
    """
    from reports.play.log import new_file, read_log
    from reports.play.person import Person, Screen
    from simcore.work.lock import holding_file

    if keep_in is not None:
        _check_log(keep_in)
    log: GameLog | None
    if files := [name for name in named if is_file_of_play(Path(name))]:
        given = {"--seed": seed, "--start-with": start_with, "--out": out}
        if others := [name for name in named if name != files[0]]:
            raise InputError(f"{files[0]} is a game; leave '{others[0]}' out")
        more = [option for option, value in given.items() if value is not None]
        more += [word for options in said.values() for word in options_said(options)]
        if more:
            raise InputError(f"{files[0]} is a game that goes on as it began; leave {more[0]} out")
        file = Path(files[0])
        log = None
    elif rules is not None:
        raise InputError("--rules is for the file of a game that was left; name the rules first")
    elif gone := [name for name in named if name.endswith(".json")]:
        raise InputError(f"there is no file {gone[0]}")
    else:
        _, options = chosen_game(said, named)
        wanted = randbelow(_SEEDS) if seed is None else seed
        what, log = options.log(named, player=player, seed=wanted, start_with=start_with)
        file = new_file(what, log) if out is None else _checked(out)
    with holding_file(file):
        if log is None:
            log = read_log(file)
            _use_players(log, file, player)
            if rules is not None:
                reports_of(log.game).use_rules(rules)
        match = prepared(log, file)
        screen = Screen()
        person = Person(match, file, screen)
        person.keep()  # refuses before anything is played
        screen.show([headline(match)])
        screen.add(_changed_players(log))
        screen.add(["Type the number of an option, or 'help'."])
        began, is_whole = monotonic(), not match.log.decisions
        left = person.play()
    if keep_in is not None and left.record is not None:
        _keep(
            match, left, keep_in, (monotonic() - began) / 60 if is_whole and screen.typed else None
        )


def _check_log(log: Path) -> None:
    """Raise InputError for a log to which no game can be added."""
    from card_data.cells import SUFFIXES

    if log.suffix.lower() not in SUFFIXES:
        raise InputError(f"--log is {log}; a log of playtests ends in .csv or .xlsx")
    check_writable(log)


def _keep(match: "Match", played: "GameLog", log: Path, minutes: float | None) -> None:
    """Add a finished game to a log of playtests, and say so."""
    from reports.playtests.played import add_played

    lacking = add_played(match, played, log, minutes)
    more = f"; it has no column for {', '.join(lacking)}" if lacking else ""
    print(f"The game is in {log}{more}.")


def _use_players(log: "GameLog", file: Path, player: str | None) -> None:
    """Load functions of somebody's own that play a game, if they are named here as well.

    Raises InputError where they are not, and where another player is named.
    """
    from simcore.own_code import is_own

    players = ":".join(log.players)
    if player not in (None, players):
        raise InputError(f"{file} is a game that goes on with {players}; leave --player out")
    if any(map(is_own, log.players)):
        if player is None:
            raise InputError(
                f"{file} goes on with {players}, which is code of somebody's own: read it, then add"
                f" --player {players}"
            )
        reports_of(log.game).use_players(log.players)


def prepared(log: "GameLog", file: Path) -> "Match":
    """The game of a log, with players who have thought once: what they need is compiled.

    Raises RunError.
    """
    with compiling(*kernels_of(log.game, "play")), _damaged(file):
        match = reports_of(log.game).match(log)
        match.prepare()
    return match


def match_of(log: "GameLog", file: Path) -> "Match":
    """The game of a log, in which nobody has to think.  Raises RunError."""
    with _damaged(file):
        return reports_of(log.game).match(log)


@contextmanager
def _damaged(file: Path) -> Iterator[None]:
    """Turn what comes of a log that nobody can have written into a RunError about its file."""
    from card_data.faults import CardFileError
    from simcore.sealed import RunError

    try:
        yield
    except KeyError as error:
        raise RunError(f"{file} cannot be dealt again: it does not say {error}") from None
    except (CardFileError, RunError, ValueError) as error:
        why = str(error).partition("\n")[0]
        raise RunError(f"{file} cannot be dealt again: {why}") from None


def _changed_players(log: "GameLog") -> Iterator[str]:
    """Who thinks with something else than when the game began."""
    from analysis.games import analysis_of

    now = analysis_of(log.game).fingerprints(log.players)
    for name in log.players:
        if now.get(name) != log.weights.get(name):
            yield f"{name} thinks differently now from when the game began: its weights have"
            " changed."


def headline(match: "Match", seed: str = "Seed") -> str:
    """What is played, and by whom; ``seed`` is what its number is called."""
    log = match.log
    number = f", game {log.number}" if log.number else ""
    card = f", the first deal with {log.start_with}" if log.start_with else ""
    title = reports_of(log.game).title_of(log)
    return f"{title}: {match.who}. {seed} {log.seed}{number}{card}."


def _checked(out: Path) -> Path:
    """The file that was named for the game.  Raises InputError where it cannot be one."""
    if out.suffix != ".json":
        raise InputError(f"--out is {out}; the file of a game ends in .json, as in {out.stem}.json")
    if out.exists():
        raise InputError(f"{out} is there already; name another file, or leave --out out")
    check_writable(out)
    return out


def is_file_of_play(path: Path) -> bool:
    """Whether a path is that of a game of ``play``, by its name."""
    return path.suffix == ".json" and path.is_file()


def tell_log(file: Path, rules: Path | None = None, *, as_json: bool) -> None:
    """Tell a game of ``play`` once more.  Raises RunError where it ends otherwise by now."""
    from reports.play.log import read_log
    from reports.play.told import tell_game

    log = read_log(file)
    if rules is not None:
        reports_of(log.game).use_rules(rules)
    with compiling(*kernels_of(log.game, "replay")):
        match = match_of(log, file)
        lines = tell_game(match, str(file))
    if as_json:
        print_json({"game": str(file), "record": log.record, "lines": lines})
    else:
        print_wrapped([headline(match), "", *lines])
