"""A run of Mice & Mystics: what its manifest says, how its games are played, and its counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from card_data.checksums import is_changed
from card_data.faults import CardFileError
from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.formatter import facts_hash, facts_text
from card_data.mice_and_mystics.loader import parse_facts
from card_data.mice_and_mystics.settings import Settings, legal_parties, settings_from
from simcore.checks import checked_seed
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.setup import SEATS, ChapterSetup
from simcore.mice_and_mystics.players.seats import fingerprints
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.places import StorePath
from simcore.sealed import RunError, Shape, read_file
from simcore.setup import Games, check_same, new_task
from simcore.work.parts import ANEW, unreadable
from simcore.work.runs import RunSpec

#: The file of a run folder that has all facts that were played.
FACTS_FILE = "facts.toml"
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
    seed = checked_seed(seed)
    setup = ChapterSetup(facts, settings)
    games = Games(setup, seed, players)
    setup.seat(players)  # finds players who cannot play before anything is written
    asked: dict[str, Any] = {"seed": seed, "policies": list(players)}
    return RunSpec(
        game="mice_and_mystics",
        rules_version=RULES_VERSION,
        settings={
            **run_entries(setup.table),
            **asked,
            "weights": fingerprints(players),
        },
        n_games=n_games,
        record=GAME_RECORD,
        seats=SEATS,
        task=new_task("simcore.setup:rebuild", [setup], players, games, **asked),
        count=count_games,
        files={FACTS_FILE: facts_text(facts).encode()},
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


def match_entries(setup: ChapterSetup) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What the log of a game says of what is played, and its files, for `read_asked`."""
    asked = {"rules_version": RULES_VERSION, **setup.digests}
    return asked, {FACTS_FILE: facts_text(setup.facts).encode()}


def read_asked(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> Table:
    """What `match_entries` names, compiled.

    Raises RunError where this process has other rules or reads the facts otherwise, and
    CardFileError.
    """
    facts = parse_facts(files[FACTS_FILE].decode(), FACTS_FILE)
    setup = ChapterSetup(facts, settings_from(asked["settings"]))
    check_same(asked, {"rules_version": RULES_VERSION, "facts_hash": facts_hash(facts)})
    return setup.table


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
