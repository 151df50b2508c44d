"""The price list of a game of one's own."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import evolve, frozen

from analysis.experiments.watch import Watch, unwatched
from analysis.own_games.effects import EntryEffect, EntryEffects
from analysis.own_games.rebalance import judged_in
from analysis.own_games.sensitivity import is_sound
from analysis.own_games.trials import OwnTrials
from analysis.questions.price_batches import Played, PriceBatches
from analysis.questions.price_list import Worths
from card_data.schema import Entry
from card_data.schema.changes import parameters
from card_data.schema.fields import Entries, Parameter
from card_data.schema.loader import linked
from simcore.contract.play import Table
from simcore.own_games.run import new_run
from simcore.own_games.setup import OwnSetup
from simcore.work.hands import Hands, Who
from simcore.work.runs import RunSpec


@frozen(slots=False)
class OwnPriceBatches(PriceBatches[Table]):
    """What is played for the price list of a game."""

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.game.game.title

    @cached_property
    def entries(self) -> list[Played]:
        """The entries whose values can be drawn."""
        kinds = {kind.word: kind for kind in self.game.game.kinds}
        judged = (Played(kinds[entry.kind], entry) for entry in judged_in(self.game))
        return [one for one in judged if any(value.others for value in self.values(one))]

    def values(self, played: Played) -> Iterator[Parameter]:
        """What is in its fields, without its copies and those of entries that it holds."""
        fields = played.kind.fields.items()
        held = {name for name, one in fields if isinstance(one, Entries)}
        for one in parameters(played.kind, played.entry):
            if one.path != played.kind.copies and one.path.partition(".")[0] not in held:
                yield one

    def made(self, changed: Mapping[tuple[str, str], Entry]) -> Table | None:
        """The game with other entries, if it can be played to its end."""
        entries = {
            word: tuple(changed.get((word, one.id), one) for one in several)
            for word, several in self.game.entries.items()
        }
        made = evolve(self.game, entries=linked(self.game.game.schema, entries))
        return made if is_sound(made, self.seated) else None

    def entry_of(self, game: Table, played: Played) -> Entry:
        """The entry with the same id."""
        [found] = (one for one in game.entries[played.kind.word] if one.id == played.entry.id)
        return found

    @cached_property
    def effects(self) -> EntryEffects:
        """How the worth of each entry is measured."""
        entries = [one.entry for one in self.entries]
        return EntryEffects(tuple(EntryEffect.of_each(self.game, entries)))

    def asked(self) -> dict[str, Any]:
        """What the list depends on, as values of JSON."""
        sizes = {"batches": self.batches, "games": self.each, "seed": self.seed}
        return {**OwnSetup(self.game).digests, "players": [self.player], **sizes}

    @property
    def all_games(self) -> int:
        """The games of all batches, and those that the measure of the worth takes beside them."""
        return self.each * (self.batches + 1) * len(self.effects.tables_of(self.game))

    def spec(self, game: Table, games: int) -> RunSpec:
        """The run of so many games."""
        return new_run(game, n_games=games, seed=self.seed, players=self.seated)

    @property
    def seated(self) -> tuple[str, ...]:
        """Who plays in each seat."""
        return (self.player,) * self.game.seats


def play_prices(
    asked: OwnPriceBatches, folder: Path, *, watch: Watch = unwatched, **who: Unpack[Who]
) -> Worths:
    """Play what is missing of the games of a price list, and say what entries were worth."""
    rows, hands = [], Hands(**who)
    trials = OwnTrials(folder, asked.game, asked.seated, asked.seed, hands, asked.all_games)
    for number, table in enumerate(asked.games):
        of = f"batch {number} of {asked.batches}" if number else "the game as it is"
        with watch(of) as advance:
            beside = asked.effects.tables_of(table)
            played = trials.play(beside, asked.effects, asked.each, advance)
        rows.append(
            [
                effect.worth(one.table, one.games, one.own, one.average)
                for effect, one in zip(
                    asked.effects.each, asked.effects.sort(table, played), strict=True
                )
            ]
        )
    worth = 100 * np.array([[one.estimate for one in row] for row in rows])
    std_err = 100 * np.array([[one.std_err for one in row] for row in rows])
    return asked.together(worth, std_err)
