"""Where games that people bring are found: installed packages, and files that a person names.

An installed package says in its entry points, ``fairdeal.games``, what it brings; it is imported
when the game is named.  A file is run only where a person names it, with all their rights.
"""

from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path

from attrs import evolve

from card_data.faults import did_you_mean
from card_data.names import parts_of
from card_data.toml_files import Unreadable, game_said_in, read_bytes
from simcore.contract.faults import GameError, place_of, problem_of
from simcore.contract.game import Game, check_game
from simcore.contract.packages import installed
from simcore.imports import imported_beside
from simcore.own_code import run_source

#: The name of the game in a file.
GAME = "GAME"

# Files that a person has named in this process, by the place and the texts that they had.
_opened: dict[tuple[str, bytes, tuple[tuple[str, bytes], ...]], Game] = {}


@cache
def load_installed(name: str) -> Game:
    """An installed game.  Raises GameError."""
    there = installed()
    if name not in there:
        meant = did_you_mean(name, there)
        raise GameError(
            f"no game {name!r} is installed{meant} There are: {', '.join(there) or 'none'}."
        )
    try:
        found = there[name].load()
    except Exception as error:
        raise GameError(f"{place_of(error) or there[name].value}: {problem_of(error)}") from error
    game = check_game(found, there[name].value)
    return evolve(game, source=name, beside=imported_beside(game.file, game.text.encode()))


def load_file(path: Path) -> Game:
    """The game in a file that a person has named, which is run.  Raises GameError."""
    try:
        return load_text(str(path), read_bytes(path))
    except Unreadable as error:
        raise GameError(f"cannot read {path}: {error}") from None


def load_game(named: str) -> tuple[Game, list[Path], Path | None]:
    """The game that is named, its files of a person's own, and the file that it is alone of.

    A file that is called as the game's own file of entries takes its place, such as a version of
    it.  Raises GameError.
    """
    first, *own = parts_of(named)
    files = [Path(file) for file in own]
    if first.endswith(".py"):
        game, alone = load_file(Path(first)), None
    elif first.endswith(".toml"):
        game, alone = load_installed(game_said_in(Path(first))), Path(first)
    else:
        game, alone = load_installed(first), None
    if whole := [one for one in files if one.name == game.entries]:
        alone, files = whole[-1], [one for one in files if one not in whole]
    return game, files, alone


def load_text(path: str, text: bytes) -> Game:
    """The game in the text of such a file.  Raises GameError."""
    beside = imported_beside(Path(path), text)
    key = path, text, (*beside.items(),)
    if key not in _opened:
        try:
            module = run_source(Path(path), text)
        except Exception as error:
            cause = error.__cause__ or error
            where = place_of(cause) or path
            raise GameError(f"{where}: {problem_of(cause)}") from error
        if not hasattr(module, GAME):
            raise GameError(f"{path} has no game: it must end with GAME = Game(…)")
        found = check_game(getattr(module, GAME), path)
        # A file may change meanwhile, and what is sent to other processes is what was run.
        loaded = TextIOWrapper(BytesIO(text), encoding="utf-8").read()
        _opened[key] = evolve(found, source=path, loaded=loaded, beside=beside)
    return _opened[key]


def find_opened(source: str, digest: str, *, as_played: bool = True) -> Game:
    """The game of this source, an installed one or a file that a person has named in this process.

    Raises GameError where it is neither, and, if it must be ``as_played``, where it has other rules
    than those of the digest.
    """
    opened = [game for (path, *_), game in _opened.items() if path == source]
    if not opened and source not in installed():
        raise GameError(
            f"{source} is code of somebody's own, and fairdeal runs such code only where you name"
            f" it: read the file, then add --rules {source}"
        )
    # A file may have been opened with several texts, and with an earlier one again.
    same = [game for game in opened if game.digest == digest]
    found = (same or opened or [load_installed(source)])[-1]
    if as_played and found.digest != digest:
        raise GameError(
            f"{found.file} has other rules than these games were played with, by which they may go"
            " otherwise: put back what they were played with, or play them again"
        )
    return found
