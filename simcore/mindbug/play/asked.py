"""What manifests say about games of Mindbug, whatever they are played for: the pool, who plays.

Those of all folders say it in the same words.  Tasks carry the pool as it is in memory, since a
variant may hold cards that no file could, such as two of one name, and the files that players think
with.
"""

import pickle
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import asdict

from card_data.faults import shown
from card_data.mindbug import pool_hash, read_pool
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Pool
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards
from simcore.mindbug.players.seats import file_of, fingerprints, with_network
from simcore.sealed import RunError, Shape, read_file
from simcore.work.brought import brought, check_travels
from simcore.work.folder import VERSIONS, difference, difference_of
from simcore.work.tasks import RowPlayer, Task

# Where the files of a task have its pools, by their places, and what players think with, by their
# places among its weights.
_POOLS, _PLAYERS = "pools/", "players/"
# The names of the files of a pool.
_POOL_FILE = re.compile(r"pool\.toml|cards/[^/\0]{1,200}\.toml")
# Pools that a process keeps compiled for the tasks that it is sent.
_POOLS_KEPT = 8


def plain_modes(modes: Modes) -> dict[str, Any]:
    """Modes as JSON values; rulings by name."""
    return asdict(modes) | {"rulings": [ruling.name.lower() for ruling in sorted(modes.rulings)]}


def pool_entries(pool: Pool) -> dict[str, Any]:
    """The entries of a manifest that say what is played with, but for the fingerprint."""
    return {
        "sets": [card_set.set_id for card_set in pool.sets],
        "set_names": [card_set.name for card_set in pool.sets],
        "modes": plain_modes(pool.modes),
    }


def experiment_entries(pool: Pool) -> dict[str, Any]:
    """The entries with which the file of every experiment begins."""
    return {
        "game": "mindbug",
        "rules_version": RULES_VERSION,
        **pool_entries(pool),
        "pool_hash": pool_hash(pool),
    }


#: The shape of what every experiment writes down.
EXPERIMENT: dict[Any, Shape] = {
    "game": str,
    "rules_version": int,
    "sets": [str],
    "set_names": [str],
    "modes": dict,
    "pool_hash": str,
    "weights": {str: str},
    "seed": range(2**63),
    "versions": VERSIONS,
}


def differing(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Where two manifests part first, as `simcore.work.folder.difference` says it.

    Who plays is said as ``--policy`` says it.
    """
    key = next((key for key in {**asked, **found} if found.get(key) != asked.get(key)), "")
    there, wanted = found.get(key), asked.get(key)
    if key == "policies":
        return difference_of("policy", _policy(there), _policy(wanted))
    if key == "weights" and isinstance(there, dict) and isinstance(wanted, dict):
        who = next(who for who in {**wanted, **there} if wanted.get(who) != there.get(who))
        return difference_of(f"other weights of {who}:", there.get(who), wanted.get(who))
    return difference(found, asked)


def _policy(policies: Any) -> Any:
    """One player for both sides, or two with a colon."""
    return ":".join(dict.fromkeys(policies)) if isinstance(policies, list) else policies


def new_task(
    entry: str,
    pools: Sequence[Pool],
    players: Iterable[str],
    built: RowPlayer,
    *,
    more_files: Mapping[str, bytes] | None = None,
    **settings: Any,
) -> Task:
    """A task about pools and players, which `read_task` reads in the process that plays it.

    ``built`` is the player of this process, ``settings`` and ``more_files`` what else others need
    to build theirs.
    """
    players = [*players]
    settings |= {
        "rules_version": RULES_VERSION,
        "pools": [pool_hash(pool) for pool in pools],
        "players": players,
        "weights": fingerprints(players),
    }
    files = {f"{_POOLS}{number}": pickle.dumps(pool) for number, pool in enumerate(pools)}
    for number, player in enumerate(settings["weights"]):
        if file := file_of(player):
            files[f"{_PLAYERS}{number}{file.suffix}"] = read_file(file)
    return Task(entry, settings, {**files, **(more_files or {})}, built)


def read_task(
    settings: Mapping[str, Any], files: Mapping[str, bytes]
) -> tuple[list[CardTable], dict[str, str]]:
    """The pools of a task, compiled, and how its players are spelled in this process.

    That differs for those who think with a file: the task has brought it along.  Raises RunError
    when this process would play something else than the one that sent the task:
    other rules, another reading of the cards, other weights in a player's file; and for a function
    of a person's own, which is run where they named it alone.
    """
    check_travels(settings["players"])
    read = [_compiled(files[f"{_POOLS}{number}"]) for number in range(len(settings["pools"]))]
    players = {player: player for player in settings["players"]}
    for name, data in files.items():
        if name.startswith(_PLAYERS):
            file = Path(name)
            player = [*settings["weights"]][int(file.stem)]
            players[player] = with_network(player, str(brought(data, file.suffix)))
    found = fingerprints(players.values())
    here = {
        "rules_version": RULES_VERSION,
        "pools": [pool_hash(pool) for pool, _ in read],
        "weights": {one: found[name] for one, name in players.items() if name in found},
    }
    _check_same(settings, here)
    return [table for _, table in read], players


def read_asked(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> CardTable:
    """The cards that `experiment_entries` name, compiled, from the files of `pool_files`.

    Raises RunError where this process has other rules or reads the cards otherwise, CardFileError,
    and ValueError for names that are not those of a pool's files.
    """
    if wrong := [name for name in files if not _POOL_FILE.fullmatch(name)]:
        raise ValueError(f"{shown(wrong[0])} is no file of a pool")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cards").mkdir()
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        pool = read_pool(folder)
    _check_same(asked, {"rules_version": RULES_VERSION, "pool_hash": pool_hash(pool)})
    return compile_cards(pool)


def _check_same(asked: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise RunError where something is other than what was asked for."""
    if told := difference({name: asked[name] for name in here}, here):
        raise RunError(
            f"this process would play another game than was asked for ({told}); use the same"
            " fairdeal and the same files everywhere"
        )


@lru_cache(_POOLS_KEPT)
def _compiled(pickled: bytes) -> tuple[Pool, CardTable]:
    """The pool of a task, and its table."""
    pool: Pool = pickle.loads(pickled)
    return pool, compile_cards(pool)
