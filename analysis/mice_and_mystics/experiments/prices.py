"""The price list of a chapter: what the numbers of its heroes, or of a kind of cards, are worth.

Who comes along, what they can do, what lies on top of the search deck and whom they meet first are
drawn at random, so a run says of all entries of a kind what they do to the win rate
(`verdict_effects`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import evolve, field, frozen

from analysis.experiments.watch import Watch, unwatched
from analysis.mice_and_mystics.experiments.verdict_effects import (
    ABILITIES,
    ENCOUNTERS,
    HEROES,
    SEARCH_CARDS,
    sort_games,
)
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.questions.price_batches import Played, PriceBatches
from analysis.questions.price_list import Worths
from analysis.runs import open_run
from card_data.mice_and_mystics.changes import as_played
from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.confidence import used_entries
from card_data.mice_and_mystics.entries import KINDS
from card_data.mice_and_mystics.facts import Entry, Facts, by_id
from card_data.mice_and_mystics.settings import Settings
from card_data.schema.changes import parameters
from card_data.schema.fields import Parameter, with_part
from card_data.schema.kinds import Kind
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.players.seats import split_players
from simcore.mice_and_mystics.table.records import Outcome
from simcore.work.hands import Who
from simcore.work.runs import RunSpec, run_games

#: The kinds of entries that a list can be of.
PRICED = HEROES, ABILITIES, SEARCH_CARDS, ENCOUNTERS
# Numbers are drawn from those that entries of the kind have, and this far to either side.
_BEYOND = 1
# Copies of a card, which would shuffle others.
_COPIES = "count"


@frozen(slots=False)
class ChapterBatches(PriceBatches[Facts]):
    """What is played for the prices of a kind ``of`` entries."""

    settings: Settings = field(kw_only=True)
    of: str = field(kw_only=True)

    @property
    def title(self) -> str:
        """The name of the chapter."""
        return by_id(self.game.chapters)[self.settings.chapter].name

    @cached_property
    def _kind(self) -> Kind:
        [kind] = (one for one in KINDS.values() if one.plural == self.of)
        return kind

    @cached_property
    def _used(self) -> Sequence[Entry]:
        return used_entries(self.game, self.settings)[self.of]

    @cached_property
    def entries(self) -> list[Played]:
        """The entries whose numbers can be drawn, without heroes whom every party has."""
        known = RunFacts(self.game, self.settings, self.player)
        always = {*known.ids[HEROES]}.intersection(*map(set, known.parties))
        every = (Played(self._kind, one) for one in self._used if one.id not in always)
        return [one for one in every if any(self.values(one))]

    @cached_property
    def _ends(self) -> Mapping[str, tuple[int, int]]:
        """The least and the greatest value that is drawn, by the path of a number."""
        found: dict[str, list[int]] = {}
        for entry in self._used:
            for one in self._numbers(entry):
                found.setdefault(one.path, []).append(one.value)
        return {path: (min(all_) - _BEYOND, max(all_) + _BEYOND) for path, all_ in found.items()}

    def _numbers(self, entry: Entry) -> Iterator[Parameter]:
        for one in parameters(self._kind, entry):
            if type(one.value) is int and one.path != _COPIES:
                yield one

    def values(self, played: Played) -> Iterator[Parameter]:
        """The numbers of an entry but for its copies."""
        for one in self._numbers(played.entry):
            low, high = self._ends[one.path]
            others = tuple(value for value in one.others if low <= value <= high)
            if others:
                yield evolve(one, others=others)

    def unpriced(self, played: Played) -> str:
        """A number that is beyond those that are drawn; or what is changed besides numbers."""
        printed = by_id(self._used)[played.entry.id]
        was, entry = {one.path: one.value for one in self._numbers(printed)}, played.entry
        for path, value in was.items():
            one = next((one for one in self._numbers(entry) if one.path == path), None)
            if one is None:
                continue  # it says something else, as the comparison below finds
            low, high = self._ends[path]
            if not low <= one.value <= high:
                return f"{one.label} {one.value} is beyond what was played"
            entry = one.put(value)
        same = as_played(evolve(entry, name=printed.name)) == as_played(printed)
        return "" if same else "more has changed than its numbers"

    def made(self, changed: Mapping[tuple[str, str], Entry]) -> Facts | None:
        """The facts with other entries, if they can be played."""
        word, every = self._kind.word, getattr(self.game, self.of)
        new = tuple(changed.get((word, one.id), one) for one in every)
        facts = with_part(self.game, self.of, new)
        return None if facts_faults(facts) else facts

    def entry_of(self, game: Facts, played: Played) -> Entry:
        """The entry with the same id."""
        found: Entry = by_id(getattr(game, self.of))[played.entry.id]
        return found

    @property
    def n_drawn(self) -> int:
        """One hero, since a party of others plays another game; half of the cards."""
        return 1 if self.of == HEROES else super().n_drawn

    @property
    def moves_others(self) -> bool:
        """Effects of cards are those against others, some of which are drawn as well."""
        return self.of != HEROES

    def spec(self, facts: Facts, games: int) -> RunSpec:
        """The run of a batch, or of so many games.  Raises ValueError for what cannot be played."""
        players = split_players(self.player)
        return new_run(facts, self.settings, n_games=games, seed=self.seed, players=players)

    def effects(self, folder: Path, facts: Facts) -> Iterator[tuple[float, float]]:
        """The effect of each entry in the run of a batch, and its standard error; NaN for none."""
        run, known = open_run(folder), RunFacts(facts, self.settings, self.player)
        records = np.concatenate([run.part(part) for part in range(run.n_parts)])
        won = (records["outcome"] == Outcome.WIN).astype(np.int8)
        for _, entry in self.entries:
            games = sort_games(self.of, entry.id, known, records)
            if games is None:
                yield np.nan, np.nan
            else:
                effect = games.effect(won)
                yield float(effect.estimate[0]), float(effect.std_err[0])


def play_prices(
    asked: ChapterBatches, folder: Path, *, watch: Watch = unwatched, **who: Unpack[Who]
) -> Worths:
    """Play what is missing of the games of a price list, and say what entries were worth.

    Each batch is a run in ``folder/games``.
    """
    rows = []
    for number, facts in enumerate(asked.games):
        of = f"batch {number} of {asked.batches}" if number else "the chapter as it is"
        run = folder / "games" / f"batch-{number:03d}"
        with watch(of) as advance:
            run_games(asked.spec(facts, asked.each), run, on_progress=advance, **who)
        rows.append([*asked.effects(run, facts)])
    points: Any = 100 * np.array(rows)
    return asked.together(points[..., 0], points[..., 1])
