"""The player ``learned`` gets to know a game of somebody's own before it first plays it.

What it has learned stays in ``runs/players`` by the name of the game, one file for each set of
rules, entries, settings and seats: ``duel.npz``, then ``duel-2.npz``.
"""

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import chain, count
from pathlib import Path

from attrs import evolve

from simcore.contract.faults import GameError
from simcore.contract.game import LEARNED
from simcore.contract.network import network_of
from simcore.contract.play import Table
from simcore.own_games.setup import asked_of, entries_of
from simcore.places import TAUGHT
from simcore.sealed import write_file, writing
from simcore.work.progress import Progress

# Goes up when what is learned is another for the same game.
_VERSION = 2


def taught(
    table: Table,
    player: str,
    watch: Callable[[Path], AbstractContextManager[Progress | None]] = lambda _: nullcontext(),
    aside: Path | None = None,
) -> str:
    """A player; "learned" alone with the name of what it has learned, which it does if need be.

    ``watch`` is entered for the file into which that is written, and told how far it is.  A folder
    ``aside`` takes what has not been learned yet, in place of ``runs/players``.  Raises GameError
    and RunError.
    """
    if player != LEARNED:
        return player
    lesson = _lesson(table)
    names = chain([table.game.name], (f"{table.game.name}-{number}" for number in count(2)))
    for name in names:
        is_here = (TAUGHT / f"{name}.npz").exists()
        kept = name if aside is None or is_here else str(aside / name)
        found, file = f"{LEARNED}={kept}", TAUGHT / f"{kept}.npz"
        if file.exists():
            with suppress(GameError):  # a damaged file or one of another kind stays as it is
                network = network_of([found])
                if network is not None and network.lesson == lesson:
                    return found
            continue
        from simcore.contract.learning import learn

        with watch(file) as advance:
            network = evolve(learn(table, advance=advance), lesson=lesson)
        with writing(file):
            file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, network.content)
        return found
    raise AssertionError


def _lesson(table: Table) -> str:
    """A digest of what is learned: rules, entries, settings and seats."""
    asked = asked_of(table)
    what = [_VERSION, asked["rules"]["digest"], asked["seats"], asked["settings"]]
    text = json.dumps(what, sort_keys=True).encode() + entries_of(table)
    return hashlib.sha256(text).hexdigest()
