"""Games of a chapter as it is, and with one number or switch changed, with the same luck.

The folder holds ``sensitivity.json`` (what was asked for, and with which versions), the facts,
``games/base.parquet`` unless the base is a run, and one file in ``games/`` for each change, named
after it.  Games that a change cannot touch are not played again.  A file appears whole or not at
all, so what was interrupted resumes with the next change, and others can be tried later.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mice_and_mystics.changes import Change, Variable, changed
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.fingerprint import facts_hash
from card_data.mice_and_mystics.formatter import facts_text
from card_data.mice_and_mystics.loader import parse_facts
from card_data.mice_and_mystics.settings import Settings, settings_from
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import FACTS_FILE, SEATS
from simcore.mice_and_mystics.play.simulate import play_rows
from simcore.mice_and_mystics.players.seats import fingerprints, seat
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.random_streams import check_seed
from simcore.sealed import RunError
from simcore.work.folder import VERSIONS, FolderKind, begin, difference, versions_of
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "analysis",
    "sensitivity.json",
    1,
    "games/*.parquet",
    {
        "game": str,
        "rules_version": int,
        "chapter": str,
        "party": [str],
        "settings": dict,
        "facts_hash": str,
        "policies": [str],
        "weights": {str: str},
        "games": range(1, 2**63),
        "seed": range(2**63),
        "versions": VERSIONS,
    },
)


def _of_record(*names: str) -> np.dtype:
    """Some fields of GAME_RECORD."""
    return np.dtype([(name, GAME_RECORD[name]) for name in names])


#: What is kept of a game with a change.
OUTCOME = _of_record("outcome", "route_depth", "pages_left")
#: What is kept of a game as it is: also what says which changes cannot touch it.
BASE_GAME = _of_record(*(OUTCOME.names or ()), "party", "placed", "drawn", "drawn_e")

# Games that a worker plays in one go.
_AT_ONCE = 2_000
_BASE = "base"


@frozen
class Experiments:
    """What is played: facts and settings, who plays, how many games of each change, and the seed.

    ``players`` are one for all mice, or four, one each.
    """

    facts: Facts
    settings: Settings
    players: tuple[str, ...] = ("heuristic",)
    games: int = 1
    seed: int = 0


@frozen
class Tried:
    """A change, and the games with it: (n_games,) of OUTCOME.

    ``unread`` says that nothing reads what is changed, so that no game can differ.
    """

    change: Change
    games: npt.NDArray[np.void]
    unread: bool


class Laboratory:
    """Plays the chapter as it is and with changes, as far as the folder lacks the games.

    Whoever has one holds its folder (`simcore.work.lock.holding`).

    Raises RunError when the folder holds something else or cannot be written, ValueError for a
    player or seed that cannot be played, TableError for facts that the engine cannot play, before
    anything is written.
    """

    def __init__(
        self,
        experiments: Experiments,
        folder: Path,
        *,
        base: npt.NDArray[np.void] | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        """``base`` are the games as they are, if they were played, of BASE_GAME or GAME_RECORD.

        ``threads`` and ``executor`` are those of `simcore.work.pieces.Workers`.
        """
        check_seed(experiments.seed)
        self.experiments = experiments
        self._threads, self._executor = threads, executor
        self._facts_hash = facts_hash(experiments.facts)
        self._table = compile_facts(experiments.facts, experiments.settings)
        self._rows = seat(self._table, experiments.players)
        self._files = {FACTS_FILE: facts_text(experiments.facts).encode()}
        self._folder = begin(FOLDER, folder, self._asked(), files=self._files)
        self._base = base

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, and with which versions."""
        return dict(self._folder.manifest)

    def play_base(self, on_progress: Progress | None = None) -> npt.NDArray[np.void]:
        """The games as they are, (games,) of BASE_GAME at least."""
        if self._base is None:
            self._base = self._finish([None], on_progress)[0]
        return self._base

    def play(self, changes: Sequence[Change], on_progress: Progress | None = None) -> list[Tried]:
        """The games with each change.

        KeyboardInterrupt loses the changes that are being played, and no others.
        """
        base = self.play_base()[list(OUTCOME.names or ())].astype(OUTCOME)
        return [
            Tried(change, games, bool((games == base).all()) and self._is_unread(change))
            for change, games in zip(changes, self._finish(changes, on_progress), strict=True)
        ]

    def _is_unread(self, change: Change) -> bool:
        """Whether the engine is given the very same table with a change."""
        table = compile_facts(*changed(self.experiments.facts, self.experiments.settings, change))
        return table.rows.tobytes() == self._table.rows.tobytes()

    def _asked(self) -> dict[str, Any]:
        """Everything that the games depend on, and the versions, as JSON values."""
        asked = self.experiments
        return {
            "game": "mice_and_mystics",
            "rules_version": RULES_VERSION,
            "chapter": asked.settings.chapter,
            "party": list(asked.settings.party),
            "settings": asked.settings.as_json(),
            "facts_hash": self._facts_hash,
            "policies": list(asked.players),
            "weights": fingerprints(asked.players),
            "games": asked.games,
            "seed": asked.seed,
            "versions": versions_of("numba", "numpy"),
        }

    def _finish(
        self, changes: Sequence[Change | None], on_progress: Progress | None
    ) -> list[npt.NDArray[np.void]]:
        meter = Meter(self.experiments.games * len(changes), on_progress)
        with Workers(meter, threads=self._threads, executor=self._executor) as workers:
            pieces = (self._piece(change) for change in changes)
            return list(workers.finish(pieces, lambda games: games.records))

    def _piece(self, change: Change | None) -> Piece:
        """The games with a change, or as they are, as what is to be played."""
        name = _BASE if change is None else _name(change)
        return Piece(
            partial(self._task, change),
            BASE_GAME if change is None else OUTCOME,
            SEATS,
            range(self.experiments.games),
            self._folder,
            f"games/{name}.parquet",
            name,
            at_once=_AT_ONCE,
        )

    def _task(self, change: Change | None) -> Task:
        """How these games are played."""
        asked = self.experiments
        settings = {
            "rules_version": RULES_VERSION,
            "facts_hash": self._facts_hash,
            "settings": asked.settings.as_json(),
            "seed": asked.seed,
            "policies": list(asked.players),
            "change": None if change is None else _change_as_json(change),
        }
        if change is None:
            built = _Variant(self._rows, asked.seed)
        else:
            table = compile_facts(*changed(asked.facts, asked.settings, change))
            base = self.play_base()
            touched = affected_games(self._table, change.variable, base, asked.players)
            built = _Variant(seat(table, asked.players), asked.seed, base, touched)
        return Task(f"{__name__}:rebuild", settings, self._files, built)


class _Variant:
    """Plays games of a chapter: the `RowPlayer` of their task."""

    def __init__(
        self,
        rows: npt.NDArray[np.void],
        seed: int,
        base: npt.NDArray[np.void] | None = None,
        touched: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """``rows`` are what `seat` gives.

        ``base`` are games as they were without the change, of which only those ``touched`` by it
        are played; both of shape (n_games,).
        """
        self._rows, self._seed, self._base, self._touched = rows, seed, base, touched

    def play(self, first: int, out: npt.NDArray[np.void]) -> None:
        """Fill ``out``, rows of OUTCOME or BASE_GAME."""
        touched = np.ones(len(out), np.bool_)
        if self._base is not None and self._touched is not None:
            touched = self._touched[first : first + len(out)]
            for name in out.dtype.names or ():
                out[name] = self._base[name][first : first + len(out)]
        edges = np.flatnonzero(np.diff(touched, prepend=False, append=False))
        for low, high in edges.reshape(-1, 2):
            games = np.zeros(high - low, GAME_RECORD)
            play_rows(self._rows, seed=self._seed, first_game=first + low, out=games)
            for name in out.dtype.names or ():
                out[name][low:high] = games[name]


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Variant:
    """The player of a task in another process; it plays games that the change does not touch, too.

    Raises RunError when this process would play another game than the one that sent the task.
    """
    facts = parse_facts(files[FACTS_FILE].decode(), FACTS_FILE)
    here = {"rules_version": RULES_VERSION, "facts_hash": facts_hash(facts)}
    if told := difference({name: settings[name] for name in here}, here):
        raise RunError(
            f"this process would play another game than was asked for ({told}); use the same"
            " balancelab everywhere"
        )
    chosen = settings_from(settings["settings"])
    if settings["change"] is not None:
        facts, chosen = changed(facts, chosen, _change_from(settings["change"]))
    rows = seat(compile_facts(facts, chosen), tuple(settings["policies"]))
    return _Variant(rows, settings["seed"])


def _name(change: Change) -> str:
    """What the file of a change is called: "heroes.collin.life=4"."""
    where = ".".join(filter(None, change.variable.key))
    return f"{where}={change.changed_to}"


def _change_as_json(change: Change) -> list[Any]:
    return [*change.variable.key, change.variable.value, change.changed_to]


def _change_from(data: Sequence[Any]) -> Change:
    of, entry, number, value, to = data
    one = Variable(of=of, entry=entry, number=number, value=value, others=(to,), label=number)
    return Change(one, to)
