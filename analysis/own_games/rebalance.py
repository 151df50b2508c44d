"""Rebalancing a game that somebody brings: its entries' worth, and steps on their numbers.

The search and its folder are those of all games (`analysis.questions.rebalance`).  What an entry is
worth is measured as in a verdict (`analysis.own_games.effects`): in the games of a plan, and in
those beside them that its measure takes.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from attrs import frozen

from analysis.estimates import Estimate
from analysis.experiments.goals import Measured, Meter
from analysis.experiments.rebalance_search import Plan
from analysis.experiments.watch import Watch
from analysis.influence import Influence
from analysis.own_games.effects import Beside, EntryEffect, EntryEffects, difference, estimate_of
from analysis.own_games.sensitivity import choose, is_sound
from analysis.own_games.trials import OwnTrials
from analysis.questions.rebalance import PROPOSAL_FILE, Choice, Players
from analysis.questions.rebalance_steps import StepQuestion, near
from analysis.questions.rebalance_tables import changes_table, farthest, front_table, goals_table
from analysis.registry import Registry
from analysis.registry import Table as Columns
from analysis.verdicts import BAND
from card_data.schema import Entry
from card_data.schema.changes import Change, Variable
from card_data.schema.formatter import changes_text
from card_data.schema.kinds import ACCESS, MEASURES, SWAP
from simcore.arrays import Floats
from simcore.contract.faults import GameError
from simcore.contract.play import SETTINGS, Table
from simcore.work.folder import versions_of
from simcore.work.hands import Hands

_WHO = "who plays in all seats"
FRONT = front_table(
    _WHO,
    amount="1 for each step of a number",
    changes="kind, entry and number, with what each becomes",
    excess="by how much the worth of entries lies outside the band, all together",
    same="with the same luck",
    more=farthest("worth"),
)
CHANGES = changes_table(
    "number",
    {
        "of": "what it belongs to: a kind of entries in the plural, or settings",
        "entry": "the id of the entry; empty for settings",
        "name": "its name",
    },
    "which number it is",
)
GOALS = goals_table(
    "entry that is judged",
    {
        "kind": "the kind of the entry",
        "entry": "its id",
        "name": "its name",
        "measure": f"how its worth is measured: one of {', '.join(MEASURES)}, as in `verdict`",
    },
    _WHO,
    "what the entry is worth by its `measure`, a difference of mean outcomes",
    "of how many seats, or by contrast of how many games, that speaks",
)
#: The tables, as `rebalance` gives them.
REBALANCE_TABLES = Registry(FRONT, CHANGES, GOALS)


@frozen
class Question(StepQuestion):
    """A game whose entries are to be worth no more than a band, either way."""

    table: Table
    judged: tuple[Entry, ...]
    changes: tuple[Change, ...]
    policy: str
    band: float = BAND
    games: int = 4_000
    confirm: int = 40_000
    budget: int = 400_000
    most: int | None = None
    seed: int = 0

    front_table: ClassVar[Columns] = FRONT

    @cached_property
    def effects(self) -> EntryEffects:
        """How the worth of each entry is measured.  Raises GameError."""
        return EntryEffects(tuple(EntryEffect.of_each(self.table, self.judged)))

    @property
    def seated(self) -> tuple[str, ...]:
        """The player in all seats."""
        return (self.policy,) * self.table.seats

    def goal_of(self, change: Change) -> int:
        """The place of the changed entry among those that are judged; -1 for any other."""
        for place, entry in enumerate(self.judged):
            kind = self.table.game.schema.kind_of(entry)
            if (kind.plural, entry.id) == (change.variable.of, change.variable.entry):
                return place
        return -1

    def made(self, plan: Plan) -> Table:
        """The game with the changes of a plan."""
        table = self.table
        for one in plan:
            table = table.changed(self.changes[one])
        return table

    def players(self, folder: Path, watch: Watch, hands: Hands) -> "TablePlayers":
        """Who plays changed games, in a folder."""
        return TablePlayers(self, folder, watch, hands)

    def manifest(self, played: Mapping[str, Any]) -> dict[str, Any]:
        """The game, the band, and what may be changed."""
        return {
            **played,
            "versions": versions_of(),
            "rules_version": self.table.game.version,
            "set_names": [self.table.game.title],
            "band": self.band,
            "judged": [entry.id for entry in self.judged],
            "levers": list(dict.fromkeys(one.variable.of for one in self.changes)),
            "changes": {self.name_of(one): self.amount_of(one) for one in self.changes},
        }

    def result(self, choice: Choice, tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:  # noqa: ARG002
        """How the proposal is written: as a file of entries, and as settings."""
        steps = [self.changes[one] for one in choice.proposal]
        return {
            "file": PROPOSAL_FILE if self.files(choice.proposal) else None,
            "set": [
                f"{one.variable.number}={one.changed_to}"
                for one in steps
                if one.variable.of == SETTINGS
            ],
        }

    def tables(self, choice: Choice) -> dict[str, pd.DataFrame]:
        """A row for each number that the proposal changes."""
        return {CHANGES.name: CHANGES.frame([row for _, row in self.changed(choice.proposal)])}

    def files(self, plan: Plan) -> dict[str, bytes]:
        """The changed entries as a file; none where settings say it all."""
        entries, schema = self.made(plan).entries, self.table.game.schema
        text = changes_text(schema, entries, self.table.entries)
        return {PROPOSAL_FILE: text.encode()} if text else {}


def meant(known: Sequence[Variable], words: Sequence[str]) -> list[Variable]:
    """The variables that any of some words means.  Raises ValueError for one that means none."""
    found = {one.key for word in words for one in choose(known, word)}
    return [one for one in known if one.key in found]


def judged_in(
    table: Table, wanted: Sequence[Variable] | None = None, *, beside: bool = True
) -> tuple[Entry, ...]:
    """The entries that can be judged, all or those that some variables are of.

    Where others are taken for the worth of an entry there has to be one; without ``beside`` no
    entry that takes games beside those of the table.  Raises GameError.
    """
    keys = None if wanted is None else {(one.of, one.entry) for one in wanted}
    found = [
        entry
        for kind in table.game.kinds
        for entry in table.entries[kind.word]
        if keys is None or (kind.plural, entry.id) in keys
    ]
    judged = []
    for entry, one in zip(found, EntryEffect.of_each(table, found), strict=True):
        alone = one.measure not in (ACCESS, SWAP)
        if one.measure and (alone or (beside and one.average_tables(table))):
            judged.append(entry)
    return tuple(judged)


def allowed_changes(
    table: Table, player: str, wanted: Sequence[Variable], step: int
) -> tuple[Change, ...]:
    """Changes of some numbers by up to ``step``, with which games can be played.

    How many copies there are stays as it is: other copies are dealt otherwise.
    """
    copies = {(kind.plural, kind.copies) for kind in table.game.kinds}
    found = [
        change for one in wanted if (one.of, one.number) not in copies for change in near(one, step)
    ]
    seated = (player,) * table.seats
    return tuple(one for one in found if is_sound(table.changed(one), seated))


class WorthMeter(Meter[Sequence[Beside]]):
    """Measures what each entry is worth against the band; of each there are games of its own."""

    def __init__(self, question: Question) -> None:
        self.entries, self.effects = question.judged, question.effects
        self.middle = np.zeros(len(self.entries))
        self.reach = np.full(len(self.entries), question.band)

    @property
    def about(self) -> Mapping[str, Sequence[str]]:
        """Each entry, and how its worth is measured."""
        return {
            "kind": [entry.kind for entry in self.entries],
            "entry": [entry.id for entry in self.entries],
            "name": [entry.name for entry in self.entries],
            "measure": [one.measure for one in self.effects.each],
        }

    def worths(self, games: Sequence[Beside]) -> Iterator[Influence]:
        """What each is worth."""
        for effect, one in zip(self.effects.each, games, strict=True):
            yield effect.worth(*one)

    def numbers(self, games: Sequence[Beside]) -> Estimate:
        """What each is worth, with normal intervals."""
        found = [
            estimate_of(worth, effect.observed(one.table, one.games))
            for worth, effect, one in zip(self.worths(games), self.effects.each, games, strict=True)
        ]
        return Estimate(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def moved_errors(self, games: Sequence[Beside], others: Sequence[Beside]) -> Floats:
        """Standard errors of the differences between games with the same luck, as `errors`."""
        both = zip(self.worths(games), self.worths(others), strict=True)
        return np.nan_to_num([difference(*one).std_err for one in both]) / self.reach

    def influence(
        self,
        measured: Measured,  # noqa: ARG002 - the games say it anew
        games: Sequence[Beside],
        weights: Floats,
    ) -> Floats:
        """What each game adds to the sum of all worths, each times its weight."""
        total = np.zeros(len(games[0].games))
        for weight, worth in zip(weights, self.worths(games), strict=True):
            if weight:
                total += weight * np.nan_to_num(worth.of_games)
        return total


class TablePlayers(Players[Sequence[Beside]]):
    """Plays changed games and measures them."""

    def __init__(self, question: Question, folder: Path, watch: Watch, hands: Hands) -> None:
        how = question.seed, hands, question.budget
        self._trials = OwnTrials(folder, question.table, question.seated, *how)
        self._watch = watch
        super().__init__(question, WorthMeter(question), self._trials.asked)
        self.trials_each = len(question.effects.tables_of(question.table))

    def games(
        self, what: str, plans: Sequence[Plan], n: int | None = None
    ) -> list[Sequence[Beside]]:
        """The games of plans, and what is played beside them."""
        question = self.question
        tables = [question.effects.tables_of(question.made(plan)) for plan in plans]
        wanted = [one for each in tables for one in each]
        try:
            with self._watch(what) if what else nullcontext() as advance:
                n = n or question.games
                played = iter(self._trials.play(wanted, question.effects, n, advance))
        except GameError as error:
            raise GameError(
                f"{error}, with some of the changes: let fields allow only what can be played, or"
                " leave numbers as they are with --keep"
            ) from error
        return [question.effects.sort(each[0], [next(played) for _ in each]) for each in tables]
