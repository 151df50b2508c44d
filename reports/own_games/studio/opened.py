"""A game that a person has named in the studio: its rules as they are now, and what is played.

Its rules are run where the person has named their file; files of entries are data.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from card_data.names import parts_of
from card_data.schema.fields import plain_words
from reports.cli.console import InputError
from reports.kit.words import capital
from reports.own_games.options import OwnOptions, load_table
from reports.studio.bench import Choice, Chosen
from simcore.contract.faults import GameError
from simcore.contract.finding import load_game
from simcore.contract.game import LEARNED
from simcore.contract.loops import LoopWatch

if TYPE_CHECKING:
    from simcore.contract.game import Game
    from simcore.contract.play import Table

#: The name of the choice of who plays.
PLAYER = "player"
_SEATS = "seats"
# What stands before the names of settings, which may be those of other choices.
_SETTING = "set-"
_SETTINGS = "Settings of the game"
# The searching player that is offered.
_SEARCHES = "search:100"


class Opened:
    """The game that a person has named, ``my_game.py`` or ``my_game.py+changed.toml``.

    ``rules`` is the file of its rules, or the name of an installed one; ``file`` is the one of
    entries that they begin with, or that of the rules where there are none.
    """

    def __init__(self, named: str) -> None:
        """Run the rules.  Raises GameError and InputError for what cannot be opened."""
        self.rules, *files = parts_of(named)
        self._loading = Lock()
        self._last = self._load()
        if files and not self._last.kinds:
            raise InputError(f"{self._last.title} has no entries; name {self.rules} alone")
        if len(files) > 1:
            raise InputError(
                f"{named} names {len(files)} files; name one behind '+', the studio shows the"
                " others in its list"
            )
        base = self._last.entries if self._last.kinds else self.rules
        self.file = files[0] if files else base

    def game(self) -> "Game":
        """The game by its rules as they are now.  Raises GameError where they cannot be run."""
        with self._loading, LoopWatch():
            self._last = self._load()
        return self._last

    def _load(self) -> "Game":
        game, *_ = load_game(self.rules)
        return game

    @property
    def shown(self) -> "Game":
        """The same, or the last one that could be opened: what the page is made of."""
        try:
            return self.game()
        except GameError:
            return self._last

    @property
    def last(self) -> "Game":
        """The last one that could be opened; no rules are read for that."""
        return self._last

    @property
    def base(self) -> Path:
        """The file of its own entries."""
        return self._last.file.parent / self._last.entries

    def is_base(self, file: Path) -> bool:
        """Whether a file is that of its own entries."""
        return file.resolve() == self.base.resolve()

    def said(self, file: Path) -> str:
        """The game with a file as commands name it."""
        takes_none = self.is_base(file) or str(file) == self.rules
        return self.rules if takes_none else f"{self.rules}+{file}"

    # ------------------------------------------------------------ what can be chosen

    def choices(self) -> Sequence[Choice]:
        """Who plays, how many, and each setting."""
        game = self.shown
        players = {"": "the strongest of a short ladder"}
        players |= {name: name for name in (*game.player_names, LEARNED, _SEARCHES)}
        found = [Choice(PLAYER, "Players", players)]
        if len(game.seats) > 1:
            usual, *others = map(str, game.seats)
            seats = {"": f"{usual} (usual)"} | {one: one for one in others}
            found.append(Choice(_SEATS, "Seats", seats))
        for one in game.settings:
            others = [to for each in one.field.parameters(one.default, {}) for to in each.others]
            values = {"": f"{one.default} (usual)"} | {str(to): str(to) for to in others}
            if len(values) > 1:
                label = capital(one.meaning.rstrip(".") or plain_words(one.name))
                found.append(Choice(_SETTING + one.name, label, values, _SETTINGS))
        return found

    @staticmethod
    def chosen_setting(name: str, to: Any) -> Chosen:
        """What to choose for another value of a setting."""
        return {_SETTING + name: str(to)}

    @staticmethod
    def options(chosen: Chosen) -> Mapping[str, Any]:
        """What was chosen of seats and settings, as options of the commands."""
        settings = [
            f"{name.removeprefix(_SETTING)}={value}"
            for name, value in chosen.items()
            if name.startswith(_SETTING) and value
        ]
        seats = int(chosen[_SEATS]) if chosen.get(_SEATS) else None
        return {"seats": seats, "settings": settings or None}

    def played_by(self, chosen: Chosen) -> OwnOptions:
        """The same with the players, None for the usual ones."""
        return OwnOptions(policy=chosen[PLAYER] or None, **self.options(chosen))

    def table(self, file: Path, chosen: Chosen) -> "Table":
        """What is played.  Raises InputError, GameError and CardFileError."""
        self.game()
        options = self.options(chosen)
        return load_table([self.said(file)], options["seats"], options["settings"] or ())
