"""What manifests say about games of Mindbug, whatever they are played for: the pool, who plays.

Those of all folders say it in the same words.  Tasks carry the pool as its files, from which
any process makes the same cards again, and the files that players think with.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import asdict

from card_data.mindbug import pool_files, pool_hash, read_pool
from card_data.mindbug.schema import Modes, Pool
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards
from simcore.mindbug.players.seats import file_of, fingerprints, with_network
from simcore.sealed import RunError, Shape, read_file
from simcore.work.brought import brought, check_travels
from simcore.work.folder import VERSIONS, difference, difference_of
from simcore.work.tasks import RowPlayer, Task

# Where the files of a task have what players think with, by their places among its weights.
_PLAYERS = "players/"
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
    files = {
        f"{number}/{name}": data
        for number, pool in enumerate(pools)
        for name, data in pool_files(pool).items()
    }
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
    read = []
    for number in range(len(settings["pools"])):
        of_this = {name: data for name, data in files.items() if name.startswith(f"{number}/")}
        read.append(_compiled(tuple(of_this.items())))
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
    if told := difference({name: settings[name] for name in here}, here):
        raise RunError(
            f"this process would play another game than was asked for ({told}); use the same"
            " balancelab and the same files everywhere"
        )
    return [table for _, table in read], players


@lru_cache(_POOLS_KEPT)
def _compiled(files: tuple[tuple[str, bytes], ...]) -> tuple[Pool, CardTable]:
    """A pool and its table from the files of `pool_files`, all in one folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        pool = read_pool(Path(folder, name.partition("/")[0]))
    return pool, compile_cards(pool)
