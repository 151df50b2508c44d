"""The games that can be played, and what each of them hands to the code that all games share.

A game ``x`` is three packages, ``simcore.x``, ``analysis.x`` and ``reports.x``, and ``card_data.x``
where it has data.  On each of the three its module ``contract`` holds one object with everything
that shared code asks a game for: ``GAME`` (`Game`), ``ANALYSIS`` and ``REPORTS``.  Shared code
finds these objects here and imports nothing else of a game; a game that is moved out leaves the
rest working.

The command line is made of what is found here, so nothing heavy is imported with it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import Factory, field, frozen

from card_data.faults import did_you_mean

if TYPE_CHECKING:
    import numpy as np

    from simcore.sealed import Shape
    from simcore.work.runs import RunSpec

#: The object in the contract module of each floor.
FLOORS = {"simcore": "GAME", "analysis": "ANALYSIS", "reports": "REPORTS"}

_CONTRACT = "contract"
_HOME = Path(__file__).parents[1]
_left_out: set[str] = set()


class UnknownGameError(Exception):
    """There is no game of that name."""


class UnfinishedGameError(UnknownGameError):
    """A package is there, and cannot be used as a game."""


@frozen(kw_only=True)
class Game:
    """A game as `simcore` knows it.

    ``record`` is the structured dtype of one finished game, whose first field, ``game``, is the
    number of the game; ``seats`` is the number of players.  ``player_numbers``
    are the numbers of players that a run may name, where that is not one for each seat.
    ``settings`` is the shape of what the
    game adds to a manifest (`simcore.sealed.faults`).  ``count`` gives the counts of some games
    that are added up for the manifest, ``games`` among them.  Results of different
    ``rules_version`` are never mixed.  ``errors`` are those of its own that say what a person did
    wrong, besides `RunError` and `card_data.faults.CardFileError`.  Where runs are of several games
    under one name, ``of_run`` gives that of a run by its manifest; ``played_with`` gives the files
    with what a run was played with, where ``again`` needs rules that a person has to name.
    """

    name: str
    title: str
    rules_version: int
    record: "np.dtype"
    seats: int
    settings: "Mapping[Any, Shape]"
    count: "Callable[[np.ndarray], Mapping[str, int]]"
    again: "Callable[[Path, Mapping[str, Any]], RunSpec]"
    errors: tuple[type[Exception], ...] = ()
    of_run: "Callable[[Mapping[str, Any]], Game] | None" = None
    played_with: "Callable[[Path, Mapping[str, Any]], Mapping[str, bytes]] | None" = None
    player_numbers: tuple[int, ...] = field(
        default=Factory(lambda self: (self.seats,), takes_self=True)
    )

    def files(self, folder: Path, manifest: "Mapping[str, Any]") -> "Mapping[str, bytes]":
        """The files with what a run was played with.  Raises RunError."""
        if self.played_with is not None:
            return self.played_with(folder, manifest)
        return self.again(folder, manifest).files

    def players_text(self, players: Sequence[str]) -> str:
        """The players of a run in words: against each other, or together in one seat."""
        return (" against " if self.seats > 1 else ":").join(players)


def names() -> tuple[str, ...]:
    """The names of all games: the packages with a contract."""
    return tuple(name for name in _packages(_HOME) if name not in _left_out)


@cache
def _packages(home: Path) -> tuple[str, ...]:
    """The names of the packages with a contract."""
    return tuple(sorted(path.parent.name for path in home.glob(f"simcore/*/{_CONTRACT}.py")))


def find(name: str, floor: str) -> Any:
    """The object of a game's contract on a floor, which is one of `FLOORS`.

    Raises UnknownGameError, which names the nearest game, and UnfinishedGameError.
    """
    module = _module(name, floor)
    try:
        return getattr(import_module(module), FLOORS[floor])
    except (OSError, MemoryError):
        raise
    except Exception as error:
        raise UnfinishedGameError(
            f"the game {name!r} is not finished: {module} cannot be used ({error}); finish it"
            " (CONTRIBUTING.md, 'A game'), or move its packages away"
        ) from error


def leave_out_unfinished() -> list[UnfinishedGameError]:
    """Leave out of `names` the games that lack a module of their contract; why, for each.

    Only the modules of `reports` are imported, as the command line does anyway.
    """
    found = []
    for name in names():
        try:
            for floor in FLOORS:
                if not _contract_file(name, floor).is_file():
                    raise UnfinishedGameError(
                        f"the game {name!r} is not finished: there is no module"
                        f" {_module(name, floor)} (CONTRIBUTING.md, 'A game')"
                    )
            find(name, "reports")
        except UnfinishedGameError as error:
            _left_out.add(name)
            found.append(error)
    return found


def _contract_file(name: str, floor: str) -> Path:
    return _HOME / floor / name / f"{_CONTRACT}.py"


@cache
def game(name: str) -> Game:
    """What `simcore` knows of a game.  Raises UnknownGameError."""
    found: Game = find(name, "simcore")
    return found


def game_of(manifest: "Mapping[str, Any]") -> Game:
    """The game of a run, by its manifest.  Raises UnknownGameError."""
    found = game(manifest["game"])
    return found if found.of_run is None else found.of_run(manifest)


def _module(name: str, floor: str) -> str:
    """The contract module of a game on a floor.  Raises UnknownGameError."""
    if name in names():
        return f"{floor}.{name}.{_CONTRACT}"
    meant = did_you_mean(name, names())
    raise UnknownGameError(f"there is no game {name!r}{meant} There are: {', '.join(names())}.")
