"""Play a run: many games in parts, into a folder that survives a kill.

A game module describes a run as a `RunSpec`; `run_games` plays what is not there yet.  A part is
the unit of work and of writing; since every game depends on its number alone, the result is the
same whoever plays, after any interruption.

How many games are played can be left to a `StoppingRule`, which looks at the parts in their order.
"""

import json
import operator
import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, Unpack

import numpy as np
from attrs import evolve, field, frozen

from simcore.places import located
from simcore.records import layout_of, to_records
from simcore.sealed import RunError, writing
from simcore.work import parts as run_parts
from simcore.work.folder import (
    FolderKind,
    WorkFolder,
    begin,
    difference,
    is_for_people,
    versions_of,
    work_in,
)
from simcore.work.hands import Who
from simcore.work.lock import holding
from simcore.work.pieces import Finished, Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

# A part of 65,536 games, at 384 bytes a record, is 25 MB while it is played.
_MOST_PART_GAMES = 65_536
_LEAST_PART_GAMES = 1_024
_USUAL_PARTS = 16
_PACKAGES = ("numba", "numpy", "pyarrow")

#: Counts the games of a part, by its number, while they are in memory; what it returns keeps that.
Tally = Callable[[int, np.ndarray], Callable[[], None]]


@frozen
class Look:
    """What a stopping rule sees after some games.

    ``games_needed`` is the number of games after which it expects to be content, None while it
    cannot tell; ``details`` (JSON values) becomes ``stopped`` in the manifest if the run ends here.
    """

    reached: bool
    games_needed: int | None
    details: Mapping[str, Any]


class StoppingRule(Protocol):
    """Ends a run when enough is known.

    The rule looks after part 0, after part 1, … at the sums of all games so far, in whatever order
    the threads finish them, so that it ends the run after the same game each time.
    """

    @property
    def asked(self) -> Mapping[str, Any]:
        """What the rule is, as JSON values: ``until`` in the manifest."""

    @property
    def part_games(self) -> int:
        """Games from one look to the next."""

    def count(self, records: np.ndarray) -> np.ndarray:
        """What the rule needs of some games, to be added up; called from several threads."""

    def look(self, sums: np.ndarray, n_games: int) -> Look:
        """Judge the first ``n_games`` games by the sums of their counts."""


@frozen
class RunSpec:
    """What a game module asks to be played.

    ``settings`` is everything else that the result depends on (seed, who plays, …), as JSON
    values; it becomes part of the manifest.  ``task`` plays games by their numbers, of dtype
    ``record`` and with ``seats`` players; workers begin with batches of ``first_batch`` games.
    ``count(records)`` gives the numbers that are added up for the manifest.  ``files`` (path in the
    folder -> contents) are written beside the parts.  With ``until`` no more games are played than
    that rule asks for, and ``n_games`` at most.  ``differing`` says how the settings of two runs
    differ, as `simcore.work.folder.difference` does.
    """

    game: str
    rules_version: int
    settings: Mapping[str, Any]
    n_games: int = field(converter=operator.index)
    record: np.dtype
    seats: int
    task: Task
    count: Callable[[np.ndarray], Mapping[str, int]]
    files: Mapping[str, bytes] = field(factory=dict)
    until: StoppingRule | None = None
    first_batch: int = 64
    differing: Callable[[Mapping[str, Any], Mapping[str, Any]], str] = difference

    def __attrs_post_init__(self) -> None:
        if self.n_games < 1:
            raise ValueError(f"the number of games is {self.n_games} and must be at least 1")

    @property
    def part_games(self) -> int:
        """How many games a part has."""
        if self.until is not None:
            return self.until.part_games
        return min(max(-(-self.n_games // _USUAL_PARTS), _LEAST_PART_GAMES), _MOST_PART_GAMES)

    def manifest(self) -> dict[str, Any]:
        """The manifest of the run before it is played."""
        until = {} if self.until is None else {"until": dict(self.until.asked)}
        manifest = {
            "game": self.game,
            "rules_version": self.rules_version,
            "record_layout": layout_of(self.record, seats=self.seats),
            **self.settings,
            **until,
            "games": self.n_games,
            "part_games": self.part_games,
            "versions": versions_of(*_PACKAGES),
            "counts": None,
        }
        as_read: dict[str, Any] = json.loads(json.dumps(manifest))
        return as_read


def run_games(
    spec: RunSpec,
    folder: str | os.PathLike[str],
    *,
    on_progress: Progress | None = None,
    tally: Callable[[Path], Tally] | None = None,
    **who: Unpack[Who],
) -> dict[str, int]:
    """Play ``spec`` into ``folder``, or what is missing of it, and return its counts.

    Finished parts in the folder are kept after their checksums have been verified; damaged ones are
    played again.  A finished run is recognised by its manifest and its list of parts alone.  When
    more games are asked for, it goes on after its last whole part; one that ended before its rule
    was content goes on when more games are allowed.  ``who`` is
    as `Workers` take it; ``on_progress`` is told the number of games that a rule is
    expected to need as the number in all.  ``tally`` is called with the folder, once the run is
    begun there, for what counts parts that are played in this process.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, ValueError for fewer than one thread, and what the task raises; settings that it
    refuses are found before anything is written.  KeyboardInterrupt ends the run within a fraction
    of a second; finished parts stay.
    """
    folder = located(folder)
    meter = Meter(spec.n_games, on_progress)
    workers = Workers(meter, **who)
    if not (folder / run_parts.MANIFEST).exists():
        # No games: finds settings that cannot be played before anything is written.
        spec.task.player(spec.record).play(0, np.empty(0, spec.record))
    with holding(folder), workers:
        manifest = _enter(spec, folder)
        if manifest["counts"] is not None:
            meter.expect(manifest["games"])
            meter.advance(manifest["games"])
            return dict(manifest["counts"])
        counter = None if tally is None else tally(folder)
        ended = _finish(spec, WorkFolder(run_parts.RUN, folder, manifest), workers, meter, counter)
        workers.stop()  # what has been begun beyond the end is not needed
        if spec.until is not None:
            _remove_beyond(folder, ended)
        run_parts.write_manifest(folder, ended)
    counts: dict[str, int] = ended["counts"]
    return counts


def check_run(spec: RunSpec, folder: Path) -> None:
    """Raise RunError where a folder holds something else than a run; nothing is changed."""
    work_in(_kind(spec), folder, spec.manifest())


def _finish(
    spec: RunSpec, run: WorkFolder, workers: Workers, meter: Meter, tally: Tally | None
) -> dict[str, Any]:
    """Play every part, or as many as the rule asks for; the manifest of the finished run."""
    rule, manifest = spec.until, dict(run.manifest)
    begun = manifest.pop("begun_with", None) or {"parts": 0, "counts": {}}
    total = Counter(begun["counts"])
    sums: Any = 0
    n_games = begun["parts"] * manifest["part_games"]
    meter.advance(n_games)

    def take(part: Finished) -> tuple[Any, Callable[[], None] | None]:
        if tally is None or part.records is None:
            return part.found, None
        return part.found, tally(part.piece.rows.start // manifest["part_games"], part.records)

    parts = (_piece(spec, run, part) for part in range(begun["parts"], run_parts.n_parts(manifest)))
    for (counts, seen), keep in workers.finish(parts, take):
        if keep is not None:
            keep()
        total.update(counts)
        n_games = min(n_games + manifest["part_games"], manifest["games"])
        manifest["counts"] = dict(sorted(total.items()))
        if rule is None:
            continue
        sums = sums + seen
        look = rule.look(sums, n_games)
        stopped = {"reached": look.reached, **look.details}
        manifest |= {"stopped": json.loads(json.dumps(stopped))}
        if look.reached:
            meter.expect(n_games)
            meter.advance(0)  # whoever watches is told that this was the end
            break
        meter.expect(min(look.games_needed or manifest["games"], manifest["games"]))
    return {**manifest, "games": n_games}


def _piece(spec: RunSpec, run: WorkFolder, part: int) -> Piece:
    """A part of a run."""
    games = run_parts.games_of_part(dict(run.manifest), part)
    return Piece(
        lambda: spec.task,
        spec.record,
        spec.seats,
        games,
        run,
        run_parts.part_file(part),
        run_parts.part_name(part),
        first_batch=spec.first_batch,
        count=_Counter(spec.count, None if spec.until is None else spec.until.count),
    )


@frozen
class _Counter:
    """Counts the games of a part, for the manifest and for a rule: what a `Piece` does with them.

    Its results are those of the two, None where there is no rule.
    """

    count: Callable[[np.ndarray], Mapping[str, int]]
    of_rule: Callable[[np.ndarray], np.ndarray] | None

    def __call__(self, games: np.ndarray) -> tuple[Mapping[str, int], np.ndarray | None]:
        return self.count(games), None if self.of_rule is None else self.of_rule(games)


def _remove_beyond(folder: Path, manifest: dict[str, Any]) -> None:
    """Remove parts that come after the last game of the run."""
    kept = {run_parts.part_path(folder, part) for part in range(run_parts.n_parts(manifest))}
    for path in run_parts.part_path(folder, 0).parent.glob("part-*.parquet"):
        if path not in kept:
            with writing(path):
                path.unlink()


def _enter(spec: RunSpec, folder: Path) -> dict[str, Any]:
    """Begin the run in ``folder`` or resume it; return its manifest.  Raises RunError."""
    asked = spec.manifest()
    begun = begin(_kind(spec), folder, asked, files=spec.files)
    said = {
        name: one for name, one in asked.items() if name == run_parts.COUNTED or is_for_people(name)
    }
    manifest = {**begun.manifest, **said}
    if manifest != begun.manifest:
        run_parts.write_manifest(folder, manifest)
    return _resumed(spec, manifest, folder)


def _kind(spec: RunSpec) -> FolderKind:
    """Folders of runs, which differ as the game says.

    A shorter run is one that can be made longer, with parts of the size that it has.
    """

    def differing(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
        if found.get("merged"):
            return "games of several seeds"
        if found.get("games", 0) <= asked.get("games", 0):
            cut = {name: found[name] for name in ("games", *run_parts.RUN.cut) if name in found}
            asked = {name: one for name, one in asked.items() if name != "games"} | cut
        return spec.differing(found, asked)

    return evolve(run_parts.RUN, differing=differing)


def _resumed(spec: RunSpec, found: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest of the run in ``folder``, ``counts`` None if there is anything left to play.

    Raises RunError when it has more games than are allowed now.
    """
    finished = found["counts"] is not None
    if any(part < _parts_done(found) for part in run_parts.lost_parts(folder, found)):
        finished = False
        found = {name: one for name, one in found.items() if name != "begun_with"}
    if "until" not in found:
        return _made_longer(spec, found, folder, finished=finished)
    played = found["games"]
    if found["counts"] is not None and played > spec.n_games:
        raise RunError(
            f"{folder} holds a run of {played:,} games, more than the {spec.n_games:,} allowed"
            " now; allow as many, or choose another folder"
        )
    # A part cut off by what was allowed is no place to end when more is allowed.
    reached = (found.get("stopped") or {}).get("reached") and played % found["part_games"] == 0
    if finished and (reached or played == spec.n_games):
        return found
    manifest = {**found, "games": spec.n_games, "counts": None}
    manifest.pop("stopped", None)
    if manifest != found:
        run_parts.write_manifest(folder, manifest)
    return manifest


def _parts_done(manifest: dict[str, Any]) -> int:
    """How many parts there are for sure, as far as a manifest says it."""
    if manifest["counts"] is not None:
        return run_parts.n_parts(manifest)
    return int((manifest.get("begun_with") or {"parts": 0})["parts"])


def _made_longer(
    spec: RunSpec, found: dict[str, Any], folder: Path, *, finished: bool
) -> dict[str, Any]:
    """The manifest of a run that may have more games now than it had.

    The whole parts of one that was finished are not looked at again.
    """
    if spec.n_games == found["games"]:
        return found if finished else {**found, "counts": None}
    manifest = {**found, "games": spec.n_games, "counts": None}
    whole, rest = divmod(found["games"], found["part_games"])
    if finished and whole:
        with suppress(RunError):  # a last part that is damaged: all are looked at
            counts = Counter(found["counts"])
            if rest:
                table = run_parts.read_part(folder, found, whole)
                counts.subtract(spec.count(to_records(table, spec.record, seats=spec.seats)))
            manifest["begun_with"] = {"parts": whole, "counts": dict(sorted(counts.items()))}
    run_parts.write_manifest(folder, manifest)
    return manifest
