"""The file of a game that a person plays: what is needed to deal it, and every decision.

With the same rules the decisions lead to the same end, whoever took them: so the file is the game,
and it can be told, taken back and played on from.
"""

from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from card_data.checksums import CHECKSUM, open_json, seal_json
from simcore.games import UnknownGameError, game
from simcore.sealed import RunError, Shape, faults, read_file, write_file, writing
from simcore.work.about import in_a_name
from simcore.work.folder import VERSIONS, versions_of

if TYPE_CHECKING:
    import numpy as np

#: What such a file says that it is, and the version of its entries.
_KIND, _FORMAT = "a game played by a person", 1
_SHAPE: Shape = {
    "kind": str,
    "format": int,
    "game": str,
    "rules_version": int,
    "versions": VERSIONS,
    "title": str,
    "asked": dict,
    "files": {str: str},
    "seed": range(2**63),
    "number": range(2**63),
    "start_with": (str, None),
    "players": [str],
    "weights": {str: str},
    "person": [int],
    "decisions": [[int]],
    "taken_back": range(2**63),
    "record": (dict, None),
}


@frozen(kw_only=True)
class GameLog:
    """A game of a person, as far as it has been played.

    ``asked`` and ``files`` are what the game needs to deal it again, ``title`` what was played in a
    few words, and ``seed`` and ``number`` which game it is; ``start_with`` says which card the
    person was to meet at once, and where.  ``players`` decide for the places that are not in
    ``person``; ``weights`` is a digest of what each thinks with.  ``decisions`` are place and
    number of the option of each decision so far, ``taken_back`` how many more there were, and
    ``record`` that of the finished game.
    """

    game: str
    title: str
    asked: Mapping[str, Any]
    files: Mapping[str, str]
    seed: int
    number: int
    start_with: str | None
    players: tuple[str, ...]
    weights: Mapping[str, str]
    person: tuple[int, ...]
    decisions: tuple[tuple[int, int], ...] = ()
    taken_back: int = 0
    record: Mapping[str, Any] | None = None

    @property
    def data(self) -> dict[str, bytes]:
        """The files as they lie on a disk."""
        return {name: text.encode() for name, text in self.files.items()}

    @property
    def last_own(self) -> int:
        """The number of the last decision that was the person's; -1 if there was none."""
        own = [k for k, (who, _) in enumerate(self.decisions) if who in self.person]
        return own[-1] if own else -1

    @property
    def first_of_others(self) -> int:
        """The first of the last decisions of others that nothing of the person's came between."""
        mine = [who in self.person for who, _ in self.decisions]
        first = len(mine)
        while first and mine[first - 1]:
            first -= 1
        while first and not mine[first - 1]:
            first -= 1
        return first

    def back(self) -> "GameLog":
        """The game as it stood before the last decision of the person, which there is."""
        done = self.decisions[: self.last_own]
        taken_back = self.taken_back + len(self.decisions) - len(done)
        return evolve(self, decisions=done, taken_back=taken_back, record=None)

    def seal(self) -> bytes:
        """The bytes of the file."""
        return seal_json(
            {
                "kind": _KIND,
                "format": _FORMAT,
                "rules_version": game(self.game).rules_version,
                "versions": versions_of(),
                **asdict(self),
            }
        )


def new_file(what: str, log: GameLog) -> Path:
    """A file for a new game, called after what is played, that is not there yet."""
    name = "-".join(["play", what, *map(in_a_name, log.players), f"s{log.seed}"])
    names = chain([name], (f"{name}-{n}" for n in count(2)))
    return next(path for one in names if not (path := Path("runs", f"{one}.json")).exists())


def write_log(log: GameLog, file: Path) -> None:
    """Write the file of a game.  Raises RunError where that cannot be done."""
    with writing(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, log.seal())


def record_values(record: "np.void") -> dict[str, Any]:
    """The record of a finished game as JSON values."""
    return {name: record[name].tolist() for name in record.dtype.names or ()}


class NoGameError(RunError):
    """A file is sound, but not that of a game."""


def read_log(path: Path) -> GameLog:
    """The game in a file.  Raises RunError where it is damaged or of other rules.

    And NoGameError where it is something else.
    """
    try:
        entries = open_json(read_file(path))
    except FileNotFoundError:
        raise RunError(f"there is no file {path}") from None
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}") from None
    if entries.get("kind") != _KIND or CHECKSUM not in entries:
        raise NoGameError(f"{path} is not a game of 'fairdeal play'")
    if entries.get("format") != _FORMAT:
        raise RunError(f"{path} was written by another version of fairdeal")
    wrong = faults(entries, _SHAPE)
    wrong += (
        []
        if wrong
        else [f"decisions[{i}]" for i, one in enumerate(entries["decisions"]) if len(one) != 2]
    )
    if wrong:
        raise RunError(f"{path} is damaged: {', '.join(wrong[:3])}")
    try:
        rules = game(entries["game"]).rules_version
    except UnknownGameError as error:
        raise RunError(f"{path}: {error}") from None
    if entries["rules_version"] != rules:
        raise RunError(
            f"{path} was played by version {entries['rules_version']} of the rules, and this"
            f" fairdeal plays by version {rules}: the game would end differently"
        )
    return GameLog(
        **{
            **{name: entries[name] for name in ("game", "title", "asked", "files", "weights")},
            **{
                name: entries[name]
                for name in ("seed", "number", "start_with", "taken_back", "record")
            },
            **{name: tuple(entries[name]) for name in ("players", "person")},
            "decisions": tuple((who, option) for who, option in entries["decisions"]),
        }
    )
