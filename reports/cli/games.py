"""Which game a command is about, and the options of games in shared commands.

A shared command takes ``**said``.  `with_options_of_games` puts the options of a game in its place,
in a group of their own, and what the game says in the place of words in braces in its help.
`game_asked` finds the game from the words of a command before they are parsed.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from itertools import takewhile
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from attrs import fields, resolve_types
from cyclopts import Parameter

from card_data.faults import did_you_mean, nearest
from card_data.names import parts_of
from reports.cli.console import InputError
from reports.games import option_name, reports_of
from simcore.games import names
from simcore.places import RunError, located

_IN_BRACES = re.compile(r"\{(\w+)\}")


def with_options_of_games(
    command: Callable[..., None], options: Mapping[str, str], games: Sequence[str]
) -> Callable[..., None]:
    """A command with the options of each game in place of its ``**said``.

    ``options`` are the places of their classes (`reports.games.Reports`), ``games`` those whose
    words stand in its help.
    """
    kinds = {name: resolve_name(place) for name, place in options.items()}

    @wraps(command)
    def asked(*arguments: Any, **said: Any) -> None:
        own = {name: said.pop(name, None) or kind() for name, kind in kinds.items()}
        command(*arguments, **said, **own)

    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)
    parameters = {
        name: one.replace(annotation=_with_help(hints[name], games))
        for name, one in signature.parameters.items()
        if one.kind is not one.VAR_KEYWORD
    }
    of_games = {
        name: inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=kind(), annotation=kind
        )
        for name, kind in kinds.items()
    }
    # What is played comes first, behind what is named.
    named = [one for one in parameters.values() if one.kind is not one.KEYWORD_ONLY]
    others = [one for one in parameters.values() if one.kind is one.KEYWORD_ONLY]
    parameters = {one.name: one for one in (*named, *of_games.values(), *others)}
    asked.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*parameters.values()]
    )
    asked.__annotations__ = {name: one.annotation for name, one in parameters.items()}
    return asked


def chosen_game(said: Mapping[str, Any], named: Sequence[str]) -> tuple[str, Any]:
    """The game that is meant, and its options, of those that were ``said``.

    Raises InputError where they are those of several games, since nothing pointed to one.
    """
    if len(said) > 1:
        raise InputError(_nothing_known(named))
    [chosen] = said.items()
    return chosen


def game_asked(options: Mapping[str, str], words: Sequence[str]) -> str:
    """The game that the words of a shared command mean; "" where they mean none.

    ``options`` are the places of the classes of its options.  Where nothing that is named tells, it
    is the game that offers something like it, or which alone has the options that are said.  Raises
    InputError for options of several games, and for one of another game.
    """
    if len(options) == 1:
        return next(iter(options))
    typed = {_option_of(word): word.partition("=")[0] for word in words if word.startswith("--")}
    there = {one: _option_names(place) for one, place in options.items()} if typed else {}
    said = {one: known & typed.keys() for one, known in there.items()}
    named = [*takewhile(lambda word: not word.startswith("-"), words)]
    # The address of a scheduler is the value of an option, and no place.
    places = [*named, *(word for word in words[len(named) :] if "://" not in word)]
    name = game_named(places) or next((one for one in options if _alike(one, named)), "")
    if not name and any(said.values()):
        every = set[str]().union(*said.values())
        fitting = [one for one, known in said.items() if known == every]
        if len(fitting) != 1:
            raise InputError(_nothing_known(named))
        [name] = fitting
    for other, known in said.items():
        if name and (wrong := known - there[name]):
            raise InputError(
                f"{typed[min(wrong)]} is an option of {reports_of(other).title}, and"
                f" {' '.join(named) or 'what is played'} is of {reports_of(name).title}; leave it"
                " out"
            )
    return name


def _option_of(word: str) -> str:
    """The option that a word is: "--keywords" for "--no-keywords" too."""
    return f"--{word.partition('=')[0].removeprefix('--').removeprefix('no-')}"


def _option_names(place: str) -> set[str]:
    """All options of a class of options."""
    kind = resolve_name(place)
    resolve_types(kind, include_extras=True)
    return {option_name(one) for one in fields(kind)}


def as_said(options: Any, place: str) -> dict[str, Any]:
    """What is not as usual of options that the class at a place has too, by their names."""
    kind = resolve_name(place)
    resolve_types(kind, include_extras=True)
    said = ((one, getattr(options, one.name, one.default)) for one in fields(kind))
    return {option_name(one)[2:]: value for one, value in said if value != one.default}


def game_meant(words: Sequence[str]) -> str:
    """The game that words of a command line point to, or in which something is called like them.

    Raises InputError where nothing points to any, and RunError for a folder that is no run.
    """
    named = [part for word in words if not word.startswith("-") for part in parts_of(word)]
    if missing := [one for one in named if one.endswith(".py") and not Path(one).exists()]:
        raise InputError(_nothing_known(missing[:1]))
    found = game_named(words) or _game_of_entry(named)
    if not found:
        if folders := [path for path in _places(named) if path.is_dir()]:
            return game_of_folder(folders[0])
        raise InputError(_nothing_known([word for word in words[:1] if not word.startswith("-")]))
    return found


def game_named(words: Sequence[str]) -> str:
    """The game that the words of a command line point to; "" where none does."""
    parts = [part for word in words for part in parts_of(word)]
    for path in _places(parts):
        if path.is_dir():
            with suppress(RunError):  # a folder of something else
                return game_of_folder(path)
    surer = [part for part in parts if not part.endswith(".toml")]  # which several games may offer
    offered = {name: (_offered(name, surer), _offered(name, parts)) for name in names()}
    likely = max(offered, key=lambda name: offered[name])
    return _game_of_file(parts) or (likely if any(offered[likely]) else "")


def _places(parts: Sequence[str]) -> Iterator[Path]:
    """The places that words may mean; values of options such as "learned=s3://…" mean none."""
    for part in parts:
        try:
            yield located(part)
        except RunError:
            if "=" not in part and "," not in part:
                raise


def game_of_folder(folder: Path) -> str:
    """The game of a run.  Raises RunError."""
    from simcore.work.parts import read_manifest

    return str(read_manifest(folder)["game"])


def _with_help(hint: Any, games: Sequence[str]) -> Any:
    """A type with the words in braces in its help replaced by what games say."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *extras = get_args(hint)
    said = partial(_said_by_games, games)
    filled = [
        Parameter.combine(one, Parameter(help=_IN_BRACES.sub(said, one.help)))
        if isinstance(one, Parameter) and one.help
        else one
        for one in extras
    ]
    return Annotated[(kind, *filled)]


def _said_by_games(games: Sequence[str], word: re.Match[str]) -> str:
    texts = {game: reports_of(game).help.get(word[1], "") for game in games}
    there = {name: text for name, text in texts.items() if text}
    if len(games) == 1:
        return " ".join(there.values())
    return " ".join(f"{reports_of(name).title}: {text}" for name, text in there.items())


def _offered(name: str, named: Sequence[str]) -> int:
    return sum(map(reports_of(name).offers, named))


def _alike(name: str, named: Sequence[str]) -> bool:
    """Whether a game offers something that a named word may have been meant to be."""
    return any(nearest(word, reports_of(name).offered) for word in named)


def _nothing_known(named: Sequence[str]) -> str:
    """Why nothing can be played where no game is known."""
    games = [game for game in map(reports_of, names()) if game.offered]
    there = "; ".join(f"{', '.join(game.offered)} ({game.title})" for game in games)
    there += "; and any file of your own"
    if not named:
        return f"name what is played; there are {there}"
    files = [path.name for path in Path().iterdir() if path.suffix in (".toml", ".py")]
    meant = did_you_mean(parts_of(named[0])[0], files)
    return f"'{named[0]}' is not a file, and no game offers it{meant} There are {there}."


def _game_of_entry(named: Sequence[str]) -> str:
    """The game that has an entry of a name, or offers or has one that is like it; "" for none."""
    words = [word.casefold() for word in named]
    entries = {name: reports_of(name).entries for name in names()}
    for name, there in entries.items():
        if any(word in there for word in words):
            return name
    for name, there in entries.items():
        if _alike(name, named) or any(nearest(word, there) for word in words):
            return name
    return ""


def _game_of_file(named: Sequence[str]) -> str:
    """The game that a named file says it is of, or that offers that; "" where none says so."""
    from card_data.toml_files import game_said_in

    for said in map(game_said_in, _places(named)):
        if said in names():
            return said
        for name in names() if said else ():
            if said in reports_of(name).offered:
                return name
    return ""
