"""Which game a command is about, and the options of games in shared commands.

A shared command takes ``**said``.  `with_options_of_games` puts the options of each game in its
place, in a group of their own, and what games say in the place of words in braces in its help.
`chosen_game` finds the game that was meant from what was named.
"""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from attrs import evolve, fields, frozen, resolve_types
from cyclopts import App, Parameter

from card_data.faults import nearest
from card_data.toml_files import game_said_in
from reports.cli.console import InputError
from reports.games import load, option_name, options_said, reports_of
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
    kinds = _as_typed({name: load(place) for name, place in options.items()})

    @wraps(command)
    def asked(*arguments: Any, **said: Any) -> None:
        own = {name: said.pop(name, None) or kind() for name, kind in kinds.items()}
        command(*arguments, **said, **_shared(own))

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


def chosen_game(
    said: Mapping[str, Any], named: Sequence[str], folder: Path | None = None
) -> tuple[str, Any]:
    """The game that is meant, and its options, of those that were ``said`` for each.

    A run ``folder``, or one that is named, says it by itself.  Else it is the game that offers most
    of what is named, and of several that of which options were said, or which offers something like
    it.  Raises InputError where nothing points to a game, and for options of another game.
    """
    folders = [path for path in (folder, *_places(named)) if path is not None and path.is_dir()]
    known = game_of_folder(folders[0]) if folders else _game_of_file(named)
    options = {name: options_said(one) for name, one in said.items()}
    name = known or _likeliest(options, named)
    own = {one.partition("=")[0] for one in _options_of(said[name])}
    for other, words in options.items():
        if wrong := [word for word in words if other != name and word not in own]:
            what = " ".join(named) or "what is played"
            raise InputError(
                f"{wrong[0]} is an option of {reports_of(other).title}, and {what} is of"
                f" {reports_of(name).title}; leave it out"
            )
    return name, _read(said[name])


def game_meant(words: Sequence[str]) -> str:
    """The game that words of a command line point to, or in which something is called like them.

    Raises InputError where nothing points to any, and RunError for a folder that is no run.
    """
    named = [part for word in words if not word.startswith("-") for part in word.split("+")]
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
    parts = [part for word in words for part in word.split("+")]
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


@frozen
class _Typed:
    """The words that were typed for an option of several games, of which the game is not known."""

    words: tuple[str, ...]


def _as_typed(kinds: Mapping[str, type]) -> dict[str, type]:
    """The classes of options of games, which leave what they share as it was typed.

    So each game reads an option in its own way (`_read`).  An option that stands without a value in
    one game does so in all.
    """
    for kind in kinds.values():
        resolve_types(kind, include_extras=True)
    owners = Counter(option_name(one) for kind in kinds.values() for one in fields(kind))
    return {name: _leaving(kind, owners) for name, kind in kinds.items()}


def _leaving(kind: type, owners: Mapping[str, int]) -> type:
    """A class of options that leaves those of several owners as they were typed."""
    hints = {
        one.name: Annotated[one.type, Parameter(converter=_keep)]
        for one in fields(kind)
        if owners[option_name(one)] > 1
    }
    if not hints:
        return kind
    values = {one.name: one.default for one in fields(kind) if one.name in hints}
    return frozen(kw_only=True)(
        type(kind.__name__, (kind,), {"__annotations__": hints, "__module__": __name__, **values})
    )


def _keep(_: Any, tokens: Sequence[Any]) -> _Typed:
    """A converter that leaves an option as it was typed."""
    return _Typed(tuple(token.value for token in tokens))


def _read(options: Any) -> Any:
    """The options of a game, those that were left as they were typed read by its own rules.

    Raises what the parser raises.
    """
    typed = {
        one.name: [f"{option_name(one)}={word}" for word in value.words]
        for one in fields(type(options))
        if isinstance(value := getattr(options, one.name), _Typed)
    }
    if not typed:
        return options
    [own] = type(options).__bases__
    words = [word for words in typed.values() for word in words]
    reader = App(default_command=own, result_action="return_value")
    read = reader(words, exit_on_error=False, print_error=False)
    values = {one.name: getattr(options, one.name) for one in fields(own)}
    return own(**values | {name: getattr(read, name) for name in typed})


def _shared(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of all games, each with what was said with an option of that name.

    The parser gives what was said to the first game that has such an option.
    """
    values = {
        option_name(one): getattr(own, one.name)
        for own in options.values()
        for one in fields(type(own))
        if getattr(own, one.name) != one.default
    }
    return {
        name: evolve(
            own,
            **{
                one.name: values[option_name(one)]
                for one in fields(type(own))
                if option_name(one) in values
            },
        )
        for name, own in options.items()
    }


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


def _likeliest(options: Mapping[str, Sequence[str]], named: Sequence[str]) -> str:
    """The game to which most points, of those with these ``options`` that were said.

    Raises InputError where nothing points to any.
    """
    if len(options) == 1:
        return next(iter(options))
    first = [word.partition("+")[0] for word in named]
    signs = {
        name: (_offered(name, first), _offered(name, named), len(said))
        for name, said in options.items()
    }
    if any(map(any, signs.values())):
        return max(signs, key=lambda name: signs[name])
    if alike := [name for name in options if _alike(name, named)]:
        return alike[0]
    raise InputError(_nothing_known(named))


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
    guess = nearest(named[0].partition("+")[0], files)
    meant = f"; did you mean '{guess}'?" if guess else "."
    return f"'{named[0]}' is no file, and no game offers it{meant} There are {there}."


def _options_of(options: Any) -> list[str]:
    """All options of a class of options."""
    return [option_name(one) for one in fields(type(options))]


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
    for said in map(game_said_in, _places(named)):
        if said in names():
            return said
        for name in names() if said else ():
            if said in reports_of(name).offered:
                return name
    return ""
