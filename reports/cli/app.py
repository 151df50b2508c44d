"""The command line, `fairdeal`: all its commands, and how it ends.

A command is a function whose signature is its options and whose docstring is its help; a game has
commands of its own (`reports.games`).  Only the module of the command that is asked for is
imported, and it imports what is heavy inside its functions, so that help is there at once.  Results
go to stdout, everything else to stderr.  The exit status is 0, 2 with one message for bad input, or
130 when interrupted.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from io import TextIOWrapper
from pkgutil import resolve_name
from typing import Any, get_type_hints

from cyclopts import App, CoercionError, CycloptsError, Parameter
from cyclopts.exceptions import MissingArgumentError, UnknownOptionError, UnusedCliTokensError

from card_data.names import parts_of
from reports.cli.console import InputError, lacks_memory, print_wrapped, say, styled
from reports.cli.games import game_asked, game_meant, game_named, with_options_of_games
from reports.cli.help import DOES, FIRST_STEPS, HelpText, more_help
from reports.games import Command, Commands, reports_of
from simcore.games import (
    UnfinishedGameError,
    UnknownGameError,
    game,
    leave_out_unfinished,
    names,
)
from simcore.places import RunError, located

#: The commands of all games, in the order of docs/cli.md.
SHARED: Mapping[str, Command] = {
    "balance": Command(
        "reports.cli.run", "Find how strong every card or entry is, and write a report."
    ),
    "simulate": Command(
        "reports.cli.run", "Play games and write a record of each into a run folder."
    ),
    "analyze": Command(
        "reports.cli.run",
        "Count the games of a run and write its tables, as CSV and Parquet, to RUN/tables.",
    ),
    "report": Command(
        "reports.cli.run",
        "Draw the charts of an analysed run and write its report, RUN/report.html.",
    ),
    "replay": Command(
        "reports.cli.run",
        "Tell one game of a run in words: every turn, every choice and its options, every effect.",
    ),
    "play": Command("reports.cli.play", "Play a game yourself, in the terminal."),
    "compare": Command(
        "reports.cli.compare",
        "Play a changed version against the original, and see what really differs.",
    ),
    "playtests": Command(
        "reports.playtests.command",
        "Compare the games your group played, logged in a spreadsheet, with simulated ones.",
    ),
    "story": Command(
        "reports.story.command",
        "Find who leads, when a game is decided, what swings it, and whether choices matter.",
    ),
    "studio": Command(
        "reports.cli.studio",
        "Open the studio: edit cards or heroes in the browser, play, and watch the verdict firm"
        " up.",
    ),
    "runs": Command("reports.cli.runs", "List every run in a project folder, newest first."),
    "bench": Command(
        "reports.cli.bench",
        "Measure how many games a second this machine plays, for each game and player.",
    ),
}

# A file of a game of somebody's own.
_FILE = "my_game.py"

_NO_COMPILER = "NUMBA_DISABLE_JIT"
# What Numba reads where it begins, whoever put it there.
_COMPILER_FILE = ".numba_config.yaml"


def _version() -> str:
    from importlib.metadata import version

    return version("fairdeal")


def command_line(words: Sequence[str]) -> App:
    """The command line for these words, which has the command that they name whole.

    A command of all games has the options of the one that its words mean, if they mean one; of a
    command that several games have it has that of this game.  Raises InputError where they mean
    none.
    """
    several = words and len([*owners(words[0])]) > 1
    unnamed = all(word.startswith("-") for word in words[1:2])
    if several and unnamed and not game_named(words[1:]):
        raise InputError(f"{words[0]}: name what it is about.{_to_name(words[0])}")
    if words and (options := _options_of_games(words[0])):
        return _command_line(names(), "", words[0], game_asked(options, words[1:]))
    return command_line_of(game_meant(words[1:]) if several else "", words)


def command_line_of(first: str, words: Sequence[str] | None = None) -> App:
    """The command line with the commands of one game wherever several have one of that name.

    Commands that ``words`` do not name are there with their names and first sentences alone.
    """
    if words is None:
        return _command_line(names(), first, None)
    return _command_line(names(), first, next((one for one in words if one[:1] != "-"), ""))


def _options_of_games(command: str) -> dict[str, str]:
    """The places of the classes of options that games have for a shared command."""
    options = {name: reports_of(name).options for name in names()}
    return {name: places[command] for name, places in options.items() if command in places}


def owners(command: str) -> list[str]:
    """The games that have a command of this name."""
    return [name for name in names() if command in reports_of(name).commands]


def _to_name(command: str) -> str:
    """What a command of several games takes first, as each of them says it, a line for each."""
    said = []
    for name in owners(command):
        one = _load(command, reports_of(name).commands[command])
        first = next(iter(get_type_hints(one, include_extras=True).values()))
        [parameter] = [extra for extra in first.__metadata__ if isinstance(extra, Parameter)]
        said.append(f"\n  {reports_of(name).title}: {parameter.help}")
    return "".join(said)


def _load(name: str, command: Command) -> Any:
    """A command: a function, or `Commands`."""
    return resolve_name(f"{command.module}:{name}")


@cache
def _command_line(games: tuple[str, ...], first: str, only: str | None, alone: str = "") -> App:
    """The command line for these games, of which the ``first`` has its own commands for sure.

    Only one command is there whole, "" for none; all of them for None.  The options of shared
    commands are those of one game ``alone``, or of all.
    """
    app = Commands(
        name="fairdeal",
        help="Is this card fair? Plays a card game millions of times and reports how strong each"
        " card is.",
        version=_version,
        help_format="plaintext",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    commands = dict(SHARED)
    for owner in sorted(games, key=lambda name: name != first):
        for name, command in reports_of(owner).commands.items():
            commands.setdefault(name, command)
    for name, command in commands.items():
        told = (alone,) if alone else games
        of_games = {one: place for one, place in _options_of_games(name).items() if one in told}
        if only not in (None, name):
            app.command(Commands(name=name, help=command.does))
        elif of_games:
            app.command(_with_options(_load(name, command), of_games, told))
        else:
            app.command(_load(name, command))
    _unwrap_help(app)
    if not first:
        for name in app:
            if len(several := owners(name)) > 1:
                app[name].help = DOES.get(name, reports_of(several[0]).commands[name].does)
    return app


def _with_options(one: Any, options: Mapping[str, str], games: Sequence[str]) -> Any:
    """A command with the options of games; of one that has commands, that without their names."""
    if not isinstance(one, App):
        return with_options_of_games(one, options, games)
    assert one.default_command is not None
    whole = Commands(name=one.name, help=one.help)
    whole.default(with_options_of_games(one.default_command, options, games))
    for name in one:
        if not name.startswith("-"):
            whole.command(one[name].default_command, name=name)
    return whole


def _unwrap_help(one: App) -> None:
    """Let a command's help break where the terminal ends, not where its docstring does."""
    one.help = "\n\n".join(" ".join(part.split()) for part in one.help.split("\n\n"))
    for name in one:
        if not name.startswith("-"):
            _unwrap_help(one[name])


def main() -> None:
    """Run the command that the process was started with, and exit."""
    for stream in (sys.stdout, sys.stderr):
        inner = styled(stream)
        if isinstance(inner, TextIOWrapper):  # a name that the terminal cannot show is no error
            inner.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit status.  What a person can do wrong ends in a message."""
    try:
        for why in leave_out_unfinished():
            say(f"fairdeal: {why}; it is left out")
        _check_compiler(arguments)
        _check_empty(arguments)
        arguments = _by_ids(arguments)
        _check_game(arguments)
        if not arguments:
            print(FIRST_STEPS)
            return 0
        status = _asked(arguments)(arguments, exit_on_error=False, print_error=False)
        _print_more_help(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt as stop:
        say(": ".join(["interrupted", *stop.args]))
        return 130
    except CycloptsError as error:
        return _fail(_told(error))
    except InputError as error:
        return _fail(error)
    except RunError as error:
        return _fail(error)
    except OSError as error:
        if lacks_memory(error):
            raise
        # What is left in the buffer would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        where = f" ({error.filename})" if error.filename else ""
        return _fail(f"cannot go on: {error.strerror or error}{where}")
    except Exception as error:
        from card_data.faults import CardFileError

        of_games = [one for name in names() for one in _errors_of(name)]
        if not isinstance(error, (CardFileError, UnknownGameError, *of_games)):
            raise
        return _fail(error)
    return status or 0


def _errors_of(name: str) -> tuple[type[Exception], ...]:
    """The errors of a game that say what a person did wrong; none of one that cannot be loaded."""
    try:
        return game(name).errors
    except UnfinishedGameError:
        return ()


def _asked(arguments: Sequence[str]) -> App:
    """The command line for these words.

    For help it has the options of the game that is named alone; where none is, a command of several
    games is that of the one with most commands.
    """
    if not _wants_help(arguments):
        return command_line(arguments)
    first, *_ = arguments
    name = _named_for_help(arguments)
    n_commands = {one: len(reports_of(one).commands) for one in owners(first)}
    shown = name or max(n_commands, key=n_commands.__getitem__, default="")
    app = _command_line(names(), shown, first, name)
    titles = [] if name else [reports_of(one).title for one in _options_of_games(first)]
    app.help_formatter = HelpText(examples_of(first, name), titles, whole=bool(name))
    if sys.stdout.isatty():
        from rich.console import Console

        app.console = Console(file=styled(sys.stdout))
    return app


def _named_for_help(arguments: Sequence[str]) -> str:
    """The game that is named behind a command whose help is asked for, "" for none."""
    named = [word for word in arguments[1:] if not word.startswith("-")]
    return game_named(named) if named else ""


def examples_of(command: str, game: str = "") -> list[str]:
    """What may be typed for a command, in words after ``fairdeal``: of a game, or of all."""
    games = [game] if game else names()
    return [one for name in games for one in reports_of(name).examples.get(command, ())]


def _wants_help(arguments: Sequence[str]) -> bool:
    """Whether the words ask for help."""
    return bool({"--help", "-h"} & {*arguments})


def _print_more_help(arguments: Sequence[str]) -> None:
    """Print what is to be known of a game that is named beside a command whose help was asked.

    Where none is named, how to name one.
    """
    if not _wants_help(arguments):
        return
    if name := _named_for_help(arguments):
        print_wrapped(
            line
            for word in arguments[1:]
            if reports_of(name).offers(word)
            for line in reports_of(name).about(word)
        )
        return
    own = owners(arguments[0])
    games = [one for one in names() if one in (own or _options_of_games(arguments[0]))]
    there = {reports_of(one).title: next(iter(reports_of(one).offered), _FILE) for one in games}
    print("\n".join(more_help(arguments[0], there)))


def _by_ids(arguments: Sequence[str]) -> list[str]:
    """The words, with ids for what is named as reports print it: "First Contact"."""
    words = []
    for before, word in zip(["", *arguments], arguments, strict=False):
        read = word if word.startswith("-") else _by_id(word)
        if read != word and before.startswith("--") and _kind_of(before) not in ("", str(bool)):
            read = word  # the value of an option
        words.append(read)
    return words


def _by_id(word: str) -> str:
    """What is joined with "+", each by its id if it is the printed name of what is offered."""
    if (word == word.casefold() and " " not in word) or located(word).exists():
        return word
    printed = {name: one for game in names() for name, one in reports_of(game).printed.items()}
    return "+".join(
        printed.get(part.strip().casefold().replace("_", " "), part) for part in parts_of(word)
    )


def _check_compiler(arguments: Sequence[str]) -> None:
    """Raise InputError where Numba is told to compile nothing, or a folder tells it how to."""
    asks = arguments and not arguments[0].startswith("-")
    if asks and os.path.lexists(_COMPILER_FILE):
        raise InputError(
            f"there is a file {_COMPILER_FILE} in this folder, which would change how games are"
            " compiled; begin in another folder, or move the file away"
        )
    if asks and os.environ.get(_NO_COMPILER, "0") not in ("", "0"):
        raise InputError(
            f"{_NO_COMPILER} is set, which keeps Numba from compiling, and games are played by"
            f" compiled code alone; unset it: 'env -u {_NO_COMPILER} fairdeal …'"
        )


def _check_empty(arguments: Sequence[str]) -> None:
    """Raise InputError for an empty word where a path belongs: it would be the current folder."""
    for before, word in zip(["", *arguments], arguments, strict=False):
        if word.startswith("--") and word.endswith("=") and "Path" in _kind_of(word[:-1]):
            raise InputError(f"{word[:-1]} is empty; name a file or folder, or leave it out")
        if not word and "Path" in _kind_of(before):
            raise InputError(f"{before} is empty; name a file or folder, or leave it out")
        if not word and _kind_of(before) in ("", str(bool)):
            raise InputError("an argument is empty; say what is meant, or leave it out")


def _check_game(arguments: Sequence[str]) -> None:
    """Raise InputError where a command of one game is asked about what only another one offers."""
    own = owners(arguments[0]) if arguments else []
    parts = [part for word in arguments[1:] for part in parts_of(word)]
    if (
        not own
        or not parts
        or any(one in reports_of(name).offered for name in own for one in parts)
    ):
        return
    files = [one for one in parts if one.endswith(".py")]
    for other in (reports_of(name) for name in names() if name not in own):
        offered = {*other.offered, *filter(other.offers, files)}
        if meant := [one for one in parts if one in offered]:
            there = ", ".join(sorted(other.commands))
            has = f"{there} besides the commands" if there else "the commands"
            raise InputError(
                f"{arguments[0]} is a command of {reports_of(own[0]).title}, and {meant[0]} is of"
                f" {other.title}, which has {has} of every game"
            )


def _kind_of(option: str) -> str:
    """What an option of any command takes, as the command says it; "" if it is none."""
    return _kinds_of_options(names()).get(option, "")


@cache
def _kinds_of_options(games: tuple[str, ...]) -> dict[str, str]:
    """What the options of all commands take, as the first command that has one says it."""
    app = _command_line(games, "", None)
    found: dict[str, str] = {}
    waiting = [app[name] for name in app if not name.startswith("-")]
    for command in waiting:
        waiting += [command[name] for name in command if not name.startswith("-")]
        if command.default_command is not None:
            for argument in command.assemble_argument_collection():
                for name in argument.names:
                    found.setdefault(name, str(argument.hint))
    return found


def _told(error: CycloptsError) -> str:
    """What is wrong with the words of a command, told like everything else."""
    if isinstance(error, CoercionError):
        return _told_of_value(error)
    command = " ".join(error.command_chain or ())
    named = f"fairdeal {command}".strip()
    more = f"`{named} --help` lists what it takes"
    if isinstance(error, UnusedCliTokensError):
        words = ", ".join(f"'{word}'" for word in error.unused_tokens or ())
        return f"{command} cannot use {words}: everything that it takes has been named; {more}"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        needed = error.argument
        if error.keyword is not None or needed.name.startswith("-"):
            return f"{command}: {error.keyword or needed.name} needs a value; {more}"
        what = needed.parameter.help
        what = f": {what[0].lower()}{what[1:].rstrip('.')}" if what else ""
        return f"{command}: name {needed.name}{what}; {more}"
    told = str(error)
    return f"{told} {more}" if isinstance(error, UnknownOptionError) else told


def _told_of_value(error: CoercionError) -> str:
    """What is wrong with a value of an option."""
    from card_data.faults import did_you_mean

    if error.token is None or error.argument is None:
        return str(error)
    if error.token.keyword is None and error.msg is not None:  # an argument without an option
        return f"Invalid value for {error.argument.name}: {error}"
    if error.target_type is not bool:
        return str(error)
    option, value = error.token.keyword, error.token.value
    words = ("yes", "no", "true", "false")
    meant = did_you_mean(value, words)
    ways = " or ".join(error.argument.names)
    return (
        f"Invalid value for {option}: '{value}' is neither yes nor no{meant}"
        f" Say {ways}, or one of these after '=': {', '.join(words)}."
    )


def _fail(why: Exception | str) -> int:
    say(f"fairdeal: {why}")
    return 2
