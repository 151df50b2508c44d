"""What one change of a game does, with the same luck: a step on a number, or an entry taken away.

The folder of an analysis is a run with the games as they are; what is kept of the games with a
change lies in ``RUN/changes``, so that what was interrupted resumes there.  A step on a number of
an entry is measured as runs are compared: by the outcome of the seats that were dealt it, or
whatever its main event is.  A setting is measured by the outcome of the first seat.

What an entry is worth by *access* is measured by the outcome of a seat that may choose it, minus
that of the same seat in games in which options that name it are taken away from that seat; in each
game every seat once, all in one cluster.

By *swap* it is measured by the outcome of the seats that have it, minus that of the same seats
where it has the values of another entry, drawn anew for each game from those that are alike.  Who
gets it by a choice may change along: those count who have it in either game.  Games in which all
sides are dealt it say nothing.  Where everybody plays together, everybody has all entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Unpack

import numpy as np
from attrs import evolve, frozen

from analysis.own_games.effects import EntryEffect
from analysis.own_games.trials import OwnTrials
from analysis.questions import steps
from analysis.questions.sensitivity import Games, Observed, Pair, Tried, sensitivity_entry
from analysis.questions.steps import StepChange
from analysis.runs import Run
from card_data.schema import changes as schema
from card_data.schema.changes import Variable
from card_data.schema.fields import plain_words
from card_data.schema.kinds import ACCESS, SWAP
from simcore.contract.faults import GameError
from simcore.contract.loops import LoopWatch
from simcore.contract.play import Play, Table
from simcore.own_games.run import facts_of
from simcore.work.hands import Hands, Who
from simcore.work.progress import Progress

#: What stands for everything.
ALL = "all"
#: The folder of the games with changes in that of the run.
CHANGES = "changes"
# What is kept of a game: the seats that are looked at, what they scored together, and before the
# change; its decisions in so many runs.
_KEPT = np.dtype([(name, np.int64) for name in ("n", "s", "before", "decisions", "runs")])


def choose(known: Sequence[Variable], word: str) -> list[Variable]:
    """The variables that a word means: a kind of entries, settings, an entry, a number, or all.

    Raises ValueError for a word that means none.
    """
    kinds = [*dict.fromkeys(one.of for one in known)]
    return steps.choose(known, [word], {ALL: kinds, **{kind: [kind] for kind in kinds}})


@frozen
class Trial(ABC):
    """A change that is tried of a table, with what is played for it."""

    table: Table
    change: schema.Change

    @property
    def effect(self) -> EntryEffect:
        """The entry that is changed, and how its worth is measured; no entry for a setting."""
        one = self.change.variable
        for kind in self.table.game.kinds:
            for entry in self.table.entries[kind.word] if kind.plural == one.of else ():
                if entry.id == one.entry:
                    return EntryEffect.of(self.table, entry)
        return EntryEffect()

    @property
    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """What is played."""

    def is_idle(self, place: int, base: Games) -> bool:  # noqa: ARG002 - by default nobody knows
        """Whether one of them need not be played: its games are those of the base."""
        return False

    @abstractmethod
    def counted(self, base: Games, played: Sequence[Games]) -> Games:
        """The observations in what is kept of the games as they are, and of those of each table."""

    @abstractmethod
    def change_of(self, base: Games, player: str) -> "OwnChange":
        """The change among the games as they are, of which this is kept."""

    @property
    def unit(self) -> int:
        """What an outcome of 1 is in records."""
        return self.table.game.unit

    def _rows(self, n: Any, before: Any, s: Any, played: Sequence[Games]) -> Games:
        """Rows of `_KEPT`: n observations with the totals before and after, and all decisions.

        Games without the entry, which others have by lot, say nothing.
        """
        found = np.zeros(len(n), _KEPT)
        found["n"], found["before"], found["s"], found["runs"] = n, before, s, len(played)
        found["decisions"] = sum(games["decisions"].astype(np.int64) for games in played)
        found[played[0]["there"] == 0] = 0
        return found


@frozen
class OwnChange(StepChange):
    """A change of a game; ``unit`` is what an outcome of 1 is in its records."""

    unit: int

    def pairs(self, games: Games) -> Mapping[str, Pair]:
        """The outcome of the seats that it is about, and the decisions of a game."""
        outcomes = (Observed(games["n"], games[name]) for name in ("before", "s"))
        sides = self.base, games
        return {
            "outcome": Pair.of(outcomes, 1 / self.unit),
            "mean_decisions": Pair.of(Observed(one["runs"], one["decisions"]) for one in sides),
        }


@frozen
class Step(Trial):
    """A step on a number, or another word or flag."""

    @property
    def tables(self) -> Sequence[Table]:
        """The table with the change."""
        return [self.table.changed(self.change)]

    @property
    def effect(self) -> EntryEffect:
        """The entry, with the event that tells most of it."""
        found = super().effect
        return evolve(found, event=facts_of(self.table)[found.kind].event) if found.kind else found

    def counted(self, base: Games, played: Sequence[Games]) -> Games:
        """The outcome of the seats with the main event of the entry, or of the first seat."""
        [games] = played
        has = (base["has"] | games["has"]).astype(np.int64)
        before, after = ((has * one["outcome"]).sum(axis=1) for one in (base, games))
        return self._rows(has.sum(axis=1), before, after, played)

    def change_of(self, base: Games, player: str) -> OwnChange:
        """The step."""
        return OwnChange(self.change, player, self.counted(base, [base]), self.unit)


@frozen
class WorthChange(OwnChange):
    """What an entry is worth: with it, minus without it."""

    measure: str
    label: str

    @property
    def about(self) -> Mapping[str, Any]:
        """The columns, of which those about a number are empty."""
        return {**super().about, "kind": self.measure, "label": self.label}

    def pairs(self, games: Games) -> Mapping[str, Pair]:
        """The same as of a change, from the games without the entry to those with it."""
        return {
            name: Pair(one.after, one.before, one.unit)
            for name, one in super().pairs(games).items()
        }


@frozen
class Access(Trial):
    """An entry that each seat in turn may not choose."""

    @property
    def tables(self) -> Sequence[Table]:
        """The table for each seat."""
        return self.effect.own_tables(self.table)

    def is_idle(self, place: int, base: Games) -> bool:
        """Whether a seat never chose the entry."""
        return not base["has"][:, place].any()

    def counted(self, base: Games, played: Sequence[Games]) -> Games:
        """The outcome of each seat in its own games."""
        s = sum(games["outcome"][:, seat] for seat, games in enumerate(played))
        return self._rows(np.full(len(base), len(played)), base["outcome"].sum(axis=1), s, played)

    def change_of(self, base: Games, player: str) -> OwnChange:
        """The choice of the entry."""
        label = self.change.variable.label
        if not base["has"].any():
            label += " (never chosen by these players)"
        counted = self.counted(base, [base] * self.table.seats)
        return WorthChange(self.change, player, counted, self.unit, ACCESS, label)


@frozen
class Swap(Trial):
    """An entry that has the values of others."""

    @property
    def tables(self) -> Sequence[Table]:
        """The table with the values of another in each game."""
        return self.effect.average_tables(self.table)

    def counted(self, base: Games, played: Sequence[Games]) -> Games:
        """The outcome of the seats that have the entry."""
        return self._rows(*self.effect.same_seats(self.table, base, played[0]), played)

    def change_of(self, base: Games, player: str) -> OwnChange:
        """The values of the entry."""
        label = self.change.variable.label
        counted = self.counted(base, [base])
        return WorthChange(self.change, player, counted, self.unit, SWAP, label)


def sound_steps(table: Table, wanted: Sequence[Variable], players: Sequence[str]) -> list[Trial]:
    """One step on each variable with which a game can be played to its end."""
    steps_of = (Step(table, change) for change in schema.steps(wanted))
    return [one for one in steps_of if is_sound(one.tables[0], players)]


def is_sound(table: Table, players: Sequence[str]) -> bool:
    """Whether a game can be played to its end."""
    try:
        with LoopWatch():
            Play(table, 0, 0).play(players)
    except GameError:
        return False
    return True


def worth_trials(table: Table, word: str) -> list[Trial]:
    """What tells the worth of the entries that a word means, each by the measure of its kind.

    Only of kinds with a measure that takes games with a change: none where there are none.  Raises
    ValueError for a word that means no entry.
    """
    facts, known = facts_of(table), list[Variable]()
    trials = dict[tuple[str, str, str], Trial]()
    for kind in table.game.kinds:
        measure, entries = facts[kind.word].measure, table.entries[kind.word]
        for entry in entries:
            label = f"being able to choose {entry.name}"
            if measure == SWAP:
                label = f"{entry.name} instead of an average {plain_words(kind.word)}"
            about = Variable(
                of=kind.plural, entry=entry.id, name=entry.name, number="", value="", others=(),
                label=label,
            )  # fmt: skip
            known.append(about)
            trial = Access if measure == ACCESS else Swap
            if measure == ACCESS or (
                measure == SWAP and kind.can_swap and kind.peers(entry, entries)
            ):
                trials[about.key] = trial(table, schema.Change(about, ""))
    return [trials[one.key] for one in choose(known, word) if one.key in trials]


def try_changes(
    run: Run, trials: Sequence[Trial], *, on_progress: Progress | None = None, **who: Unpack[Who]
) -> Iterator["TriedSteps"]:
    """Play each change, or what is missing of it, in games with the deals and luck of a run.

    What is known comes before the first change is played, and again after each.  Raises RunError
    when a folder holds something else or cannot be written, and GameError.
    """
    manifest, n = run.manifest, sum(len(trial.tables) for trial in trials)
    players, seed = tuple(manifest["policies"]), manifest["seed"]
    player, hands = ":".join(dict.fromkeys(players)), Hands(**who)
    base = dict[EntryEffect, Games]()

    def base_of(trial: Trial) -> Games:
        effect = trial.effect
        if effect not in base:
            parts = [effect.keep(trial.table, seed, part) for part in run.parts()]
            base[effect] = np.concatenate(parts)
        return base[effect]

    def play() -> Iterator[Games]:
        before = 0
        for trial in trials:
            mine, played = base_of(trial), list[Games]()
            how = run.folder / CHANGES, trial.table, players, seed, hands, n * run.n_games
            for place, table in enumerate(trial.tables):
                advance = on_progress and partial(_advance, on_progress, before, n)
                before += 1
                if trial.is_idle(place, mine):
                    played.append(mine)
                    continue
                with _naming(trial):
                    played += OwnTrials(*how).play([table], trial.effect, run.n_games, advance)
            yield trial.counted(mine, played)

    changes = [trial.change_of(base_of(trial), player) for trial in trials]
    yield from TriedSteps(changes).each(play())


@contextmanager
def _naming(trial: Trial) -> Iterator[None]:
    """Name the change with which a rule fails in some of the games, and not in the first."""
    try:
        yield
    except GameError as error:
        raise GameError(
            f"{error}, with {trial.change.label}: let its field allow only what can be played, or"
            " name another ENTRY"
        ) from error


def _advance(advance: Progress, before: int, n: int, done: int, total: int) -> None:
    """Tell how far all runs are, of which ``before`` are played."""
    advance(before * total + done, n * total)


SENSITIVITY = sensitivity_entry(
    {
        **steps.ABOUT,
        "kind": f"{steps.ABOUT['kind']}; or {ACCESS}, the worth of an entry: `variant` is the"
        " outcome of a seat that may choose it, `base` that of the same seat in the same games"
        f" where options that name it are taken away from it, unless there are no others; {SWAP},"
        " the same of seats that have the entry, and of the same where it has the values of"
        " another, drawn for each game",
        "policy": "who played",
    },
    "outcome: that of the seats that were dealt the entry, or whatever `entries` has as its main"
    " event; for a setting, that of the first seat; for access, that of each seat in turn; for"
    " swap, that of the seats that had it where not all sides were dealt it; or mean_decisions, of"
    " a game",
    "seats with the change, of all games that have the entry",
    json_rows=lambda table: table["measure"] == "outcome",
)


@frozen
class TriedSteps(Tried):
    """Changes of a game."""

    table = SENSITIVITY
