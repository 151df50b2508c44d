"""What one step on each number of a game's entries and settings changes, with the same luck.

The folder of an analysis is a run with the games as they are; the games with a change are a run in
``RUN/changes`` that is named after it, so that what was interrupted resumes there.  An entry is
measured as runs are compared: by the outcome of the seats that were dealt it, or whatever its main
event is.  A setting is measured by the outcome of the first seat.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np
from attrs import frozen

from analysis.own_games.counts import observations, rows_of
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
from card_data.schema import changes as schema
from card_data.schema.changes import Variable
from simcore.contract.faults import GameError
from simcore.contract.play import Play, Table
from simcore.own_games.run import new_run
from simcore.work.progress import Progress
from simcore.work.runs import run_games

#: What stands for everything.
ALL = "all"
#: The folder of the games with changes in that of the run.
CHANGES = "changes"
# What is kept of a game: seats that had the entry, what they scored together, its decisions.
_KEPT = np.dtype([("n", np.int64), ("s", np.int64), ("decisions", np.int64)])


def choose(known: Sequence[Variable], word: str) -> list[Variable]:
    """The variables that a word means: a kind of entries, settings, an entry, a number, or all.

    Raises ValueError for a word that means none.
    """
    kinds = [*dict.fromkeys(one.of for one in known)]
    return steps.choose(known, [word], {ALL: kinds, **{kind: [kind] for kind in kinds}})


def sound_steps(
    table: Table, wanted: Sequence[Variable], players: Sequence[str]
) -> list[schema.Change]:
    """One step on each variable with which a game can be played to its end."""
    return [one for one in schema.steps(wanted) if _is_sound(table.changed(one), players)]


def _is_sound(table: Table, players: Sequence[str]) -> bool:
    try:
        Play(table, 0, 0).play(players)
    except GameError:
        return False
    return True


@frozen
class OwnChange(StepChange):
    """A change of a game; ``unit`` is what an outcome of 1 is in its records."""

    unit: int

    def pairs(self, games: Games) -> Mapping[str, Pair]:
        """The outcome of the seats that had the entry, and the decisions of a game."""
        every, sides = np.ones(len(games), np.int64), (self.base, games)
        return {
            "outcome": Pair.of((Observed(one["n"], one["s"]) for one in sides), 1 / self.unit),
            "mean_decisions": Pair.of(Observed(every, one["decisions"]) for one in sides),
        }


def try_changes(
    run: Run,
    table: Table,
    changes: Sequence[schema.Change],
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
    players = ":".join(dict.fromkeys(manifest["policies"]))
    base: dict[tuple[str, str], Games] = {}

    def of(change: schema.Change) -> OwnChange:
        key = _key(table, change)
        if key not in base:
            base[key] = _kept(run, key)
        return OwnChange(change, players, base[key], manifest["unit"])

    def play() -> Iterator[Games]:
        for place, change in enumerate(changes):
            spec = new_run(table.changed(change), **how)
            folder = run.folder / CHANGES / _name(change)
            advance = on_progress and partial(_advance, on_progress, place, len(changes))
            run_games(spec, folder, threads=threads, executor=executor, on_progress=advance)
            yield _kept(open_run(folder), _key(table, change))

    yield from TriedSteps([*map(of, changes)]).each(play())


def _advance(advance: Progress, before: int, n: int, done: int, total: int) -> None:
    """Tell how far all changes are, of which ``before`` are played."""
    advance(before * total + done, n * total)


def _key(table: Table, change: schema.Change) -> tuple[str, str]:
    """The kind and id of the entry that is changed; "" twice for none."""
    one = change.variable
    kinds = (kind.word for kind in table.game.kinds if kind.plural == one.of)
    return next(kinds, ""), one.entry


def _name(change: schema.Change) -> str:
    """A name that no other change has."""
    said = repr((*change.variable.key, change.changed_to))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _kept(run: Run, key: tuple[str, str]) -> Games:
    """What is kept of the games of a run, about an entry or about the first seat."""
    manifest = run.manifest
    rows = [at for at, row in enumerate(rows_of(manifest)) if row.is_main and row[:2] == key]
    found = []
    for games in run.parts():
        out = np.ones(len(games), _KEPT)
        out["s"], out["decisions"] = games["outcome"][:, 0], games["decisions"]
        if rows:
            counted = [*observations(games, manifest["seats"], rows)]
            out["n"], out["s"] = (np.concatenate([one[i] for one in counted])[:, 0] for i in (0, 1))
        found.append(out)
    return np.concatenate(found)


SENSITIVITY = sensitivity_entry(
    {**steps.ABOUT, "policy": "who played"},
    "outcome: that of the seats that were dealt the entry, or whatever `entries` has as its main"
    " event; for a setting, that of the first seat; or mean_decisions, of a game",
    "seats with the change, of all games",
    json_rows=lambda table: table["measure"] == "outcome",
)


@frozen
class TriedSteps(Tried):
    """Changes of a game."""

    table = SENSITIVITY
