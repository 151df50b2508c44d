"""Games of tables of a game that somebody brings, kept in the folder of a question."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from analysis.experiments.trials import Trial, Trials
from analysis.own_games.effects import EntryEffect, EntryEffects, Games, keep
from simcore.contract.play import Table
from simcore.own_games.run import NAME, SETTINGS
from simcore.own_games.setup import ENTRIES, OwnSetup, asked_of, entries_of, hash_of
from simcore.work.folder import FolderKind
from simcore.work.hands import Hands
from simcore.work.progress import Progress

#: What the folder of any question says of what is played.
PLAYED: dict[Any, Any] = {
    name: SETTINGS[name] for name in ("rules", "seats", "settings", "entries_hash")
}
_KIND = FolderKind(
    "trial of changes",
    "changes.json",
    1,
    "games/*.parquet",
    {"game": str, **PLAYED, "policies": [str], "seed": range(2**63)},
)
# Games in one file, at most.
_BLOCK = 2_500


@frozen
class OwnTrials:
    """Plays games 0 to ``n`` of any tables, as far as the folder lacks them.

    ``table`` is the game as it is.  About ``planned`` games are played of all tables together, if
    not only of those that are asked for; it says whether it pays to compile the rules.  Raises as
    `analysis.experiments.trials.Trials` does, and GameError.
    """

    folder: Path
    table: Table
    players: tuple[str, ...]
    seed: int
    hands: Hands
    planned: int = 0

    @property
    def asked(self) -> dict[str, Any]:
        """What the folder says of what is played."""
        digests = OwnSetup(self.table).digests
        return {"game": NAME, **digests, "policies": [*self.players], "seed": self.seed}

    def play(
        self,
        tables: Sequence[Table],
        effect: EntryEffect | EntryEffects,
        n: int,
        on_progress: Progress | None,
    ) -> list[Games]:
        """What ``effect`` keeps of the games of each table."""
        [played] = self.play_in_turn(tables, effect, [range(n)], on_progress)
        return played

    def play_in_turn(
        self,
        tables: Sequence[Table],
        effect: EntryEffect | EntryEffects,
        parts: Sequence[range],
        on_progress: Progress | None,
    ) -> Iterator[list[Games]]:
        """The same of one part of the games after the other."""
        trials = Trials(
            *(_KIND, self.folder, self.asked, {ENTRIES: entries_of(self.table)}),
            partial(keep, effect=effect, seed=self.seed),
            seed=self.seed,
            block=_BLOCK,
            **self.hands.who,
        )
        wanted = [
            Trial(
                OwnSetup(one, max(len(tables) * parts[-1].stop, self.planned)),
                self.players,
                _name_of(one, effect),
                effect.kept_of(one),
            )
            for one in tables
        ]
        for games in parts:
            yield trials.play([(one, games) for one in wanted], on_progress)


def _name_of(table: Table, effect: EntryEffect | EntryEffects) -> str:
    """A name that no other table has, and nothing else that is kept of it."""
    digest = hash_of(entries_of(table))
    told = json.dumps([digest, asked_of(table), *effect.told])
    return hashlib.sha256(told.encode()).hexdigest()[:16]
