"""Games of a chapter, of its variants and of different players, kept in the folder of a question.

Game i meets the same party, decks and dice in all of them, as long as the games stay alike
(`analysis.experiments.trials`).
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from analysis.experiments import trials as shared
from analysis.experiments.trials import Spared, Trial
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.tallies import scores
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.formatter import facts_hash, facts_text
from card_data.mice_and_mystics.settings import Settings
from simcore.arrays import Records
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.run import FACTS_FILE, run_entries
from simcore.mice_and_mystics.play.run import SETTINGS as RUN_SETTINGS
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.players.seats import fingerprints, split_players
from simcore.mice_and_mystics.table.records import Outcome
from simcore.sealed import Shape
from simcore.work.folder import VERSIONS, FolderKind, versions_of
from simcore.work.hands import Who

#: What is kept of a game: whether it was won, its score in units of 1 / page_end (`tallies`), and
#: the place of its party among those that can be drawn.
RESULT = np.dtype([("won", np.int8), ("score", np.int16), ("party", np.int8)])

#: Games of a trial in one file, at most.
BLOCK = 20_000

#: A trial of a chapter.
ChapterTrial = Trial[ChapterSetup]


def new_trial(
    facts: Facts,
    settings: Settings,
    player: str,
    *,
    replays: int = 1,
    fresh_from: int = 1,
    spared: Spared | None = None,
) -> ChapterTrial:
    """What is played in one go: facts, settings and the players of the mice, ``A`` or ``A:B:C:D``.

    ``replays`` and ``fresh_from`` are those of `ChapterSetup`.  Raises ValueError.
    """
    players = split_players(player)
    said = [
        facts_hash(facts),
        settings.as_json(),
        player,
        fingerprints(players),
        replays,
        fresh_from,
    ]
    return Trial(
        ChapterSetup(facts, settings, replays, fresh_from),
        players,
        hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16],
        RESULT,
        None if spared is None else lambda: spared,
    )


def folder_kind(noun: str, file: str, **asked: Any) -> FolderKind:
    """The folder of a kind of question; ``asked`` is the shape of what was asked besides the game.

    The command that asked may be spelled in another way when the work is resumed.
    """
    played = {
        name: shape
        for name, shape in RUN_SETTINGS.items()
        if name not in ("policies", "until", "stopped")
    }
    shape: dict[Any, Shape] = {
        "game": str,
        "rules_version": int,
        **played,
        "command": str,
        "versions": VERSIONS,
        **asked,
    }
    return FolderKind(noun, file, 1, "games/*.parquet", shape, ("versions", "command"))


class Trials(shared.Trials):
    """Plays trials of a chapter as far as the folder lacks them.

    Raises besides TableError and ValueError for what cannot be played, before anything is written.
    """

    def __init__(
        self,
        kind: FolderKind,
        folder: Path,
        base: ChapterTrial,
        *,
        seed: int,
        asked: Mapping[str, Any],
        **who: Unpack[Who],
    ) -> None:
        """``base`` is the chapter as it is; ``asked`` are the entries of `folder_kind`."""
        setup = base.setup
        setup.seat(base.players)
        entries = {
            "game": "mice_and_mystics",
            "rules_version": RULES_VERSION,
            **run_entries(setup.table),
            "seed": seed,
            "versions": versions_of("numba", "numpy"),
            **asked,
        }
        files = {FACTS_FILE: facts_text(setup.facts).encode()}
        super().__init__(kind, folder, entries, files, keep, seed=seed, block=BLOCK, **who)


def keep(
    setup: ChapterSetup, players: Sequence[str], _kept: np.dtype
) -> Callable[[Records], Records]:
    """What makes rows of RESULT from records of games."""
    return partial(results_of, facts=RunFacts(setup.facts, setup.settings, ":".join(players)))


def results_of(games: Records, facts: RunFacts) -> Records:
    """What is kept of games, of RESULT."""
    out = np.empty(len(games), RESULT)
    out["won"] = games["outcome"] == Outcome.WIN
    out["score"] = scores(games, facts)
    out["party"] = facts.party_of(games)
    return out
