"""What one change of a game does, with the same luck: a step on a number, or an entry taken away.

The folder of an analysis is a run with the games as they are; the games with a change are runs in
``RUN/changes`` that are named after it, so that what was interrupted resumes there.  A step on a
number of an entry is measured as runs are compared: by the outcome of the seats that were dealt it,
or whatever its main event is.  A setting is measured by the outcome of the first seat.

What an entry is worth by *access* is measured by the outcome of a seat that may choose it, minus
that of the same seat in games in which options that name it are taken away from that seat; in each
game every seat once, all in one cluster.

By *swap* it is measured by the outcome of the seats that have it, minus that of those who have it
where it has the values of another entry, drawn anew for each game from those that are alike; where
seats are dealt it these are the same seats, and games in which all sides have it say nothing.
Where everybody plays together, everybody has all entries.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, frozen

from analysis.own_games.counts import Row, observations, rows_of
from analysis.questions import steps
from analysis.questions.sensitivity import (
    Games,
    Observed,
    Pair,
    Tried,
    sensitivity_entry,
)
from analysis.questions.steps import StepChange
from analysis.runs import Run, open_run
from card_data.schema import Entry
from card_data.schema import changes as schema
from card_data.schema.changes import Variable
from card_data.schema.fields import plain_words
from card_data.schema.kinds import ACCESS, SWAP
from simcore.contract.faults import GameError
from simcore.contract.game import CHOSEN, DEALT
from simcore.contract.play import Play, Table
from simcore.own_games.run import facts_of, new_run
from simcore.work.progress import Progress
from simcore.work.runs import run_games

#: What stands for everything.
ALL = "all"
#: The folder of the games with changes in that of the run.
CHANGES = "changes"
# What is kept of a game: the seats that are looked at, what they scored together, its decisions in
# so many runs.
_KEPT = np.dtype([(name, np.int64) for name in ("n", "s", "decisions", "runs")])


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
    def key(self) -> tuple[str, str]:
        """The kind and id of the entry that is changed; "" twice for none."""
        one = self.change.variable
        kinds = (kind.word for kind in self.table.game.kinds if kind.plural == one.of)
        return next(kinds, ""), one.entry

    @property
    def entry(self) -> Entry:
        """The entry."""
        return next(one for one in self.table.cards if (one.kind, one.id) == self.key)

    def is_included(self, run: Run, games: np.ndarray) -> np.ndarray:
        """Whether the entry is in each game, by lot: without it nothing can come of it."""
        includes = partial(self.table.includes, self.entry, run.seed)
        return np.array([includes(int(number)) for number in games["game"]], bool)

    @property
    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """What is played, each in a run."""

    def is_idle(self, place: int, base: Run) -> bool:  # noqa: ARG002 - by default nobody knows
        """Whether one of the runs need not be played: its games are those of the base."""
        return False

    @abstractmethod
    def kept(self, runs: Sequence[Run]) -> Games:
        """What is kept of the games of these runs, in the order of `tables`."""

    @abstractmethod
    def change_of(self, base: Run, games: Games, player: str) -> "OwnChange":
        """The change among the games as they are, of which these are kept."""


@frozen
class OwnChange(StepChange):
    """A change of a game; ``unit`` is what an outcome of 1 is in its records."""

    unit: int

    def pairs(self, games: Games) -> Mapping[str, Pair]:
        """The outcome of the seats that it is about, and the decisions of a game."""
        sides = self.base, games
        return {
            "outcome": Pair.of((Observed(one["n"], one["s"]) for one in sides), 1 / self.unit),
            "mean_decisions": Pair.of(Observed(one["runs"], one["decisions"]) for one in sides),
        }


@frozen
class Step(Trial):
    """A step on a number, or another word or flag."""

    @property
    def tables(self) -> Sequence[Table]:
        """The table with the change."""
        return [self.table.changed(self.change)]

    def kept(self, runs: Sequence[Run]) -> Games:
        """The outcome of the seats with the main event of the entry, or of the first seat."""
        [run] = runs
        rows = _rows(run, self.key, main=True)
        found = []
        for games in run.parts():
            out = np.ones(len(games), _KEPT)
            out["s"], out["decisions"] = games["outcome"][:, 0], games["decisions"]
            if rows:
                counted = [*observations(games, run.manifest["seats"], rows)]
                out["n"], out["s"] = (
                    np.concatenate([one[i] for one in counted])[:, 0] for i in (0, 1)
                )
            found.append(out)
        return np.concatenate(found)

    def change_of(self, base: Run, games: Games, player: str) -> OwnChange:
        """The step."""
        return OwnChange(self.change, player, games, base.manifest["unit"])


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
        seats = range(self.table.seats)
        return [evolve(self.table, without=(seat, self.entry)) for seat in seats]

    def is_idle(self, place: int, base: Run) -> bool:
        """Whether the seat of a run never chose the entry."""
        return not self._chosen(base)[place]

    def _chosen(self, base: Run) -> np.ndarray:
        """How often each seat chose the entry."""
        total, rows = np.zeros(self.table.seats, np.int64), _rows(base, self.key, main=False)
        for part in base.parts():
            counted = part["entries"].reshape(len(part), len(total), -1)[:, :, rows]
            total += counted.sum(axis=(0, 2), dtype=np.int64)
        return total

    def kept(self, runs: Sequence[Run]) -> Games:
        """The outcome of each seat in its own run."""
        found = []
        for parts in zip(*(run.parts() for run in runs), strict=True):
            out = np.full(len(parts[0]), len(runs), _KEPT)
            out["s"] = sum(games["outcome"][:, seat] for seat, games in enumerate(parts))
            out["decisions"] = sum(games["decisions"].astype(np.int64) for games in parts)
            out[~self.is_included(runs[0], parts[0])] = 0
            found.append(out)
        return np.concatenate(found)

    def change_of(self, base: Run, games: Games, player: str) -> OwnChange:
        """The choice of the entry."""
        label = self.change.variable.label
        if not self._chosen(base).any():
            label += " (never chosen by these players)"
        return WorthChange(self.change, player, games, base.manifest["unit"], ACCESS, label)


@frozen
class Swap(Trial):
    """An entry that has the values of others."""

    @property
    def tables(self) -> Sequence[Table]:
        """The table with the values of another in each game."""
        return [evolve(self.table, swapped=self.entry)]

    def kept(self, runs: Sequence[Run]) -> Games:
        """The outcome of the seats that have the entry."""
        [run], found = runs, []
        teams = [[*team] for team in self.table.game.teams_of(self.table.seats)]
        [row] = _rows(run, self.key, main=True)
        is_dealt = rows_of(run.manifest)[row].event == DEALT
        for games in run.parts():
            had = games["entries"].reshape(len(games), self.table.seats, -1)[:, :, row] > 0
            if len(teams) == 1:
                had[:] = True
            elif is_dealt:
                had[np.all([had[:, team].any(axis=1) for team in teams], axis=0)] = False
            out = np.ones(len(games), _KEPT)
            out["n"], out["s"] = had.sum(axis=1), (had * games["outcome"]).sum(axis=1)
            out["decisions"] = games["decisions"]
            out[~self.is_included(run, games)] = 0
            found.append(out)
        return np.concatenate(found)

    def change_of(self, base: Run, games: Games, player: str) -> OwnChange:
        """The values of the entry."""
        label = self.change.variable.label
        return WorthChange(self.change, player, games, base.manifest["unit"], SWAP, label)


def sound_steps(table: Table, wanted: Sequence[Variable], players: Sequence[str]) -> list[Trial]:
    """One step on each variable with which a game can be played to its end."""
    steps_of = (Step(table, change) for change in schema.steps(wanted))
    return [one for one in steps_of if is_sound(one.tables[0], players)]


def is_sound(table: Table, players: Sequence[str]) -> bool:
    """Whether a game can be played to its end."""
    try:
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
            if measure == ACCESS or (measure == SWAP and kind.peers(entry, entries)):
                trials[about.key] = trial(table, schema.Change(about, ""))
    return [trials[one.key] for one in choose(known, word) if one.key in trials]


def try_changes(
    run: Run,
    trials: Sequence[Trial],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
) -> Iterator["TriedSteps"]:
    """Play each change, or what is missing of it, in games with the deals and luck of a run.

    What is known comes before the first change is played, and again after each.  Raises RunError
    when a folder holds something else or cannot be written, and GameError.
    """
    manifest = run.manifest
    how = {"n_games": run.n_games, "seed": run.seed, "players": manifest["policies"]}
    player = ":".join(dict.fromkeys(manifest["policies"]))
    base: dict[tuple[type, tuple[str, str]], Games] = {}

    def change_of(trial: Trial) -> OwnChange:
        key = type(trial), trial.key
        if key not in base:
            base[key] = trial.kept([run] * len(trial.tables))
        return trial.change_of(run, base[key], player)

    def play() -> Iterator[Games]:
        n, before = sum(len(trial.tables) for trial in trials), 0
        for trial in trials:
            played = []
            for place, table in enumerate(trial.tables):
                advance = on_progress and partial(_advance, on_progress, before, n)
                before += 1
                if trial.is_idle(place, run):
                    played.append(run)
                    continue
                folder = run.folder / CHANGES / _name(trial.change, table)
                with _naming(trial):
                    spec = new_run(table, **how)
                    run_games(spec, folder, threads=threads, executor=executor, on_progress=advance)
                played.append(open_run(folder))
            yield trial.kept(played)

    yield from TriedSteps([*map(change_of, trials)]).each(play())


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


def _name(change: schema.Change, table: Table) -> str:
    """A name that no other change has."""
    said = repr((*change.variable.key, change.changed_to, *filter(None, [table.otherwise])))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _rows(run: Run, key: tuple[str, str], *, main: bool) -> list[int]:
    """The places of the rows of an entry: of its main event, or of its being chosen."""

    def is_wanted(row: Row) -> bool:
        return row[:2] == key and (row.is_main if main else row.event == CHOSEN)

    return [at for at, row in enumerate(rows_of(run.manifest)) if is_wanted(row)]


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
