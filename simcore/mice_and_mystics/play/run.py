"""A run of Mice & Mystics: what its manifest says, how its games are played, and its counts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from card_data.checksums import is_changed
from card_data.faults import CardFileError
from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.fingerprint import facts_hash
from card_data.mice_and_mystics.formatter import facts_text
from card_data.mice_and_mystics.loader import parse_facts
from card_data.mice_and_mystics.settings import Settings, legal_parties, settings_from
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.simulate import play_rows
from simcore.mice_and_mystics.players.seats import file_of, fingerprints, seat, with_file
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.places import StorePath
from simcore.random_streams import check_seed
from simcore.sealed import RunError, Shape, read_file
from simcore.work.brought import brought, check_travels
from simcore.work.folder import difference
from simcore.work.parts import ANEW, unreadable
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task

#: The file of a run folder that has all facts that were played.
FACTS_FILE = "facts.toml"
# Where the files of a task have what players think with, by their places among its players.
_PLAYERS = "players/"
#: One player, or one for each mouse, decides for the party: records have no columns by seat.
SEATS = 1
# Games of the first batch, from which batches grow until they take long enough.
_FIRST_BATCH = 64

#: What a run of the game adds to a manifest (`simcore.work.parts.read_manifest`).
SETTINGS: Shape = {
    "sets": [str],
    "chapter": str,
    "chapter_name": str,
    "party": [str],
    "parties": [[str]],
    "settings": dict,
    "facts_hash": str,
    "heroes": [str],
    "hero_names": [str],
    "minions": [str],
    "cards": [str],
    "abilities": [str],
    "encounters": [str],
    "rooms": [str],
    "seed": (range(2**63), [range(2**63)]),
    "policies": [str],
    # A digest of the weights of each player who has some.
    "weights": {str: str},
    # A rule that ends the run, and what it saw then.
    "until": (dict, None),
    "stopped": (dict, None),
}


def new_run(
    facts: Facts,
    settings: Settings,
    *,
    n_games: int,
    seed: int = 0,
    players: Sequence[str] = ("uniform",),
) -> RunSpec:
    """A run of games 0 … ``n_games`` - 1 of ``seed``, to be played by `run_games`.

    ``players`` are one for all mice, or one for each by party index.  The facts are written beside
    the parts, so that `read_played_facts` gives them again.  Raises ValueError for a player that
    there is not and for a seed that cannot be used, TableError for facts that the engine cannot
    play.
    """
    check_seed(seed)
    table = compile_facts(facts, settings)
    seat(table, tuple(players))
    asked, files = task_entries(table, players)
    asked |= {"seed": seed, "policies": list(players)}
    return RunSpec(
        game="mice_and_mystics",
        rules_version=RULES_VERSION,
        settings={
            **run_entries(table),
            "seed": seed,
            "policies": list(players),
            "weights": fingerprints(players),
        },
        n_games=n_games,
        record=GAME_RECORD,
        seats=SEATS,
        task=Task(f"{__name__}:rebuild", asked, files, Games(table, seed, players)),
        count=count_games,
        files={FACTS_FILE: files[FACTS_FILE]},
        first_batch=_FIRST_BATCH,
    )


def run_entries(table: Table) -> dict[str, Any]:
    """The entries of a manifest that say what is played with."""
    facts, settings, ids = table.facts, table.settings, table.ids
    parties = [settings.party] if settings.party else legal_parties(facts, settings)
    return {
        "sets": [settings.chapter],
        "chapter": settings.chapter,
        "chapter_name": by_id(facts.chapters)[settings.chapter].name,
        "party": list(settings.party),
        "parties": [list(party) for party in parties],
        "settings": settings.as_json(),
        "facts_hash": facts_hash(facts),
        **{kind: list(ids[kind]) for kind in ("heroes", "minions", "cards", "abilities")},
        "encounters": list(ids["encounters"]),
        "rooms": list(ids["tiles"]),
        "hero_names": [hero.name for hero in facts.heroes],
    }


def played_again(folder: Path, manifest: Mapping[str, Any]) -> RunSpec:
    """The run in a folder, as it was asked for.  Raises RunError as `read_played_facts` does."""
    facts, settings = read_played_facts(folder, manifest), settings_from(manifest["settings"])
    games, players = manifest["games"], manifest["policies"]
    return new_run(facts, settings, n_games=games, seed=manifest["seed"], players=players)


class Games:
    """Plays games of a run: the `RowPlayer` of its task."""

    def __init__(self, table: Table, seed: int, players: Sequence[str]) -> None:
        self._table, self._seed, self._players = table, seed, tuple(players)

    @cached_property
    def _rows(self) -> npt.NDArray[np.void]:
        """The table with its players."""
        return seat(self._table, self._players)

    def play(self, first_game: int, out: np.ndarray) -> None:
        """Fill ``out``, (n_games,) of GAME_RECORD, with games ``first_game`` and following."""
        play_rows(self._rows, seed=self._seed, first_game=first_game, out=out)


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Games:
    """The player of a run's task in another process.  Raises what `read_task` raises."""
    table, players = read_task(settings, files)
    return Games(table, settings["seed"], [players[one] for one in settings["policies"]])


def task_entries(table: Table, players: Iterable[str]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The settings and files of a task by which `read_task` makes the same table again.

    They say with which weights the ``players`` think, and have the files of those who name one.
    """
    players = [*players]
    settings = {
        "rules_version": RULES_VERSION,
        "facts_hash": facts_hash(table.facts),
        "settings": table.settings.as_json(),
        "weights": fingerprints(players),
        "players": players,
    }
    files = {FACTS_FILE: facts_text(table.facts).encode()}
    for place, player in enumerate(players):
        if file := file_of(player):
            files[f"{_PLAYERS}{place}{file.suffix}"] = read_file(file)
    return settings, files


def read_task(
    settings: Mapping[str, Any], files: Mapping[str, bytes]
) -> tuple[Table, dict[str, str]]:
    """What a task of `task_entries` plays with, and how its players are spelled in this process.

    That differs for those who think with a file: the task has brought it along.  Raises RunError
    when this process would play another game than the one that sent the task.
    """
    facts = parse_facts(files[FACTS_FILE].decode(), FACTS_FILE)
    check_travels(settings["players"])
    players = {player: player for player in settings["players"]}
    for name, data in files.items():
        if name.startswith(_PLAYERS):
            player = settings["players"][int(Path(name).stem)]
            players[player] = with_file(player, brought(data, Path(name).suffix))
    found = fingerprints(players.values())
    here = {
        "rules_version": RULES_VERSION,
        "facts_hash": facts_hash(facts),
        "weights": {one: found[name] for one, name in players.items() if name in found},
    }
    if told := difference({name: settings[name] for name in here}, here):
        raise RunError(
            f"this process would play another game than was asked for ({told}); use the same"
            " fairdeal everywhere"
        )
    return compile_facts(facts, settings_from(settings["settings"])), players


def read_played_facts(folder: Path, manifest: Mapping[str, Any]) -> Facts:
    """The facts that were played, read from the file in a run folder.

    Raises RunError when it is missing, damaged or not what was played.
    """
    path = folder / FACTS_FILE
    try:
        data = read_file(path)
        if not isinstance(path, StorePath) and is_changed(path, data):
            raise RunError(f"{path} is not what was written there; {ANEW}")
        facts = parse_facts(data.decode(), FACTS_FILE)
    except (CardFileError, OSError, ValueError) as error:
        raise unreadable(str(path), str(error)) from error
    if facts_hash(facts) != manifest["facts_hash"]:
        raise RunError(f"the facts in {folder} are not those of the run; {ANEW}")
    return facts


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, and how many of them ended in each way: shape (n_games,) of GAME_RECORD."""
    endings = {f"{way.name.lower()}": int((games["outcome"] == way).sum()) for way in Outcome}
    return {"games": len(games), **endings}
