"""Play a run: many games in parts, over threads, into a folder that survives a kill.

The runner knows nothing of the game.  A game module describes a run as a `RunSpec`; `run_games`
plays what is not there yet.  A part is the unit of work and of writing; since every game depends on
its number alone, the result is the same for any number of threads, after any interruption.

How many games are played can be left to a `StoppingRule`, which looks at the parts in their order.
"""

import json
import operator
import os
import platform
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed, wait
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

from simcore.records import layout_of, to_records
from simcore.sealed import RunError, writing
from simcore.work.folder import (
    MANIFEST,
    RUN,
    begin,
    games_of_part,
    holding,
    n_parts,
    part_path,
    read_part,
    write_manifest,
    write_part,
)

#: Called with (games done, games in all), from one thread at a time.
Progress = Callable[[int, int], None]

# A part of 65,536 Mindbug games is 14 MB while it is played and 2.6 MB on disk.
_MOST_PART_GAMES = 65_536
_LEAST_PART_GAMES = 1_024
_USUAL_PARTS = 16
# Games are played in batches of about this long, between which progress and Ctrl-C are looked at.
_BATCH_SECONDS = 0.05
_FIRST_BATCH = 64
_PACKAGES = ("balancelab", "numba", "numpy", "pyarrow")
# Parts for each thread that may be played before a stopping rule has come to them.
_PARTS_AHEAD = 2


@frozen
class Look:
    """What a stopping rule sees after some games.

    ``games_needed`` is the number of games after which it expects to be content, None while it
    cannot tell; ``told`` (JSON values) becomes ``stopped`` in the manifest if the run ends here.
    """

    reached: bool
    games_needed: int | None
    told: Mapping[str, Any]


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
    """What a game module asks the runner to play.

    ``settings`` is everything else that the result depends on (seed, policies, cards, …), as JSON
    values; it becomes part of the manifest.  ``play(first_game, out)`` fills ``out``, a structured
    array of dtype ``record`` and shape (n,), with games ``first_game`` and following, and raises
    for settings that cannot be played, even with n = 0.  It is called from several threads at once
    and must not hold the GIL.  ``count(records)`` gives the numbers that are added up for the
    manifest.  ``files`` (path in the folder -> contents) are written beside the parts.  With
    ``until`` no more games are played than that rule asks for, and ``n_games`` at most.
    """

    game: str
    rules_version: int
    settings: Mapping[str, Any]
    n_games: int = field(converter=operator.index)
    record: np.dtype
    play: Callable[[int, np.ndarray], None]
    count: Callable[[np.ndarray], Mapping[str, int]]
    files: Mapping[str, bytes] = field(factory=dict)
    until: StoppingRule | None = None

    def __attrs_post_init__(self) -> None:
        if self.n_games < 1:
            raise ValueError(f"the number of games is {self.n_games} and must be at least 1")

    def manifest(self) -> dict[str, Any]:
        """The manifest of the run before it is played."""
        part_games = min(max(-(-self.n_games // _USUAL_PARTS), _LEAST_PART_GAMES), _MOST_PART_GAMES)
        until = {} if self.until is None else {"until": dict(self.until.asked)}
        versions = {name: version(name) for name in _PACKAGES}
        manifest = {
            "game": self.game,
            "rules_version": self.rules_version,
            "record_layout": layout_of(self.record),
            **self.settings,
            **until,
            "games": self.n_games,
            "part_games": part_games if self.until is None else self.until.part_games,
            "versions": {"python": platform.python_version(), **versions},
            "counts": None,
        }
        as_read: dict[str, Any] = json.loads(json.dumps(manifest))
        return as_read


def run_games(
    spec: RunSpec,
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    on_progress: Progress | None = None,
) -> dict[str, int]:
    """Play ``spec`` into ``folder``, or what is missing of it, and return its counts.

    Finished parts in the folder are kept after their checksums have been verified; damaged ones are
    played again.  A finished run is recognised by its manifest and its list of parts alone.  One
    that ended before its rule was content goes on when more games are allowed.  ``threads``
    defaults to the number of processors; ``on_progress`` is told the number of games that a rule is
    expected to need as the number in all.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, ValueError for fewer than one thread, and what ``play`` raises; settings that it
    refuses are found before anything is written.  KeyboardInterrupt ends the run within a fraction
    of a second; finished parts stay.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    if threads < 1:
        raise ValueError(f"the number of threads is {threads} and must be at least 1")
    folder = Path(folder)
    if not (folder / MANIFEST).exists():
        # No games: finds settings that cannot be played before anything is written.
        spec.play(0, np.empty(0, spec.record))
    with holding(folder):
        return _run(spec, folder, threads, on_progress)


def _run(spec: RunSpec, folder: Path, threads: int, on_progress: Progress | None) -> dict[str, int]:
    """Play what is missing in a folder that nobody else works in; the counts."""
    manifest = _enter(spec, folder)
    if manifest["counts"] is not None:
        if on_progress:
            on_progress(manifest["games"], manifest["games"])
        return dict(manifest["counts"])
    worker = _Worker(spec, folder, manifest, on_progress)
    with ThreadPoolExecutor(threads) as pool:
        try:
            if spec.until is None:
                ended = _finish_all(worker, pool, manifest)
            else:
                ended = _finish_until(spec.until, worker, pool, manifest, threads * _PARTS_AHEAD)
        except BaseException:
            worker.stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    if spec.until is not None:
        _remove_beyond(folder, ended)
    write_manifest(folder, ended)
    counts: dict[str, int] = ended["counts"]
    return counts


def _finish_all(
    worker: "_Worker", pool: ThreadPoolExecutor, manifest: dict[str, Any]
) -> dict[str, Any]:
    """Play every part; the manifest of the finished run."""
    total: Counter[str] = Counter()
    parts = range(n_parts(manifest))
    for done in as_completed([pool.submit(worker.finish_part, part) for part in parts]):
        total.update(done.result()[0])
    return {**manifest, "counts": dict(sorted(total.items()))}


def _finish_until(
    rule: StoppingRule,
    worker: "_Worker",
    pool: ThreadPoolExecutor,
    manifest: dict[str, Any],
    ahead: int,
) -> dict[str, Any]:
    """Play parts until ``rule`` is content or there are no more; the manifest of the finished run.

    ``ahead`` parts at most are played before the rule has come to them.
    """
    total: Counter[str] = Counter()
    sums = rule.count(np.empty(0, worker.record))
    coming: deque[Future[tuple[Mapping[str, int], np.ndarray | None]]] = deque()
    to_start = iter(range(n_parts(manifest)))
    n_games = 0
    while n_games < manifest["games"]:
        while len(coming) < ahead and (part := next(to_start, None)) is not None:
            coming.append(pool.submit(worker.finish_part, part))
        counts, seen = coming.popleft().result()
        total.update(counts)
        sums = sums + seen
        n_games = min(n_games + manifest["part_games"], manifest["games"])
        look = rule.look(sums, n_games)
        if look.reached:
            break
        worker.expect(look.games_needed)
    worker.stopped.set()  # what has been begun beyond the end is not needed
    wait([future for future in coming if not future.cancel()])
    stopped = {"reached": look.reached, **look.told}
    return {
        **manifest,
        "games": n_games,
        "counts": dict(sorted(total.items())),
        "stopped": json.loads(json.dumps(stopped)),
    }


def _remove_beyond(folder: Path, manifest: dict[str, Any]) -> None:
    """Remove parts that come after the last game of the run."""
    kept = {part_path(folder, part) for part in range(n_parts(manifest))}
    for path in part_path(folder, 0).parent.glob("part-*.parquet"):
        if path not in kept:
            with writing(path):
                path.unlink()


def _enter(spec: RunSpec, folder: Path) -> dict[str, Any]:
    """Begin the run in ``folder`` or take it up again; return its manifest.  Raises RunError."""
    asked = spec.manifest()
    return _taken_up(asked, begin(RUN, folder, asked, files=spec.files), folder)


def _taken_up(asked: dict[str, Any], found: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest of the run in ``folder``, ``counts`` None if there is anything left to play.

    Raises RunError when it has more games than are allowed now.
    """
    finished = found["counts"] is not None
    if finished and not all(part_path(folder, part).exists() for part in range(n_parts(found))):
        finished = False
    if "until" not in found:
        return found if finished else {**found, "counts": None}
    played = found["games"]
    if found["counts"] is not None and played > asked["games"]:
        raise RunError(
            f"{folder} holds a run of {played:,} games, more than the {asked['games']:,} allowed"
            " now; allow as many, or choose another folder"
        )
    # A part cut off by what was allowed is no place to end when more is allowed.
    reached = (found.get("stopped") or {}).get("reached") and played % found["part_games"] == 0
    if finished and (reached or played == asked["games"]):
        return found
    manifest = {**found, "games": asked["games"], "counts": None}
    manifest.pop("stopped", None)
    if manifest != found:
        write_manifest(folder, manifest)
    return manifest


class _Worker:
    """Plays parts; shared by the threads of a run."""

    def __init__(
        self, spec: RunSpec, folder: Path, manifest: dict[str, Any], on_progress: Progress | None
    ) -> None:
        self.stopped = threading.Event()
        self.record = spec.record
        self._spec = spec
        self._folder = folder
        self._manifest = manifest
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._games_done = 0
        self._games_expected: int = manifest["games"]

    def finish_part(self, part: int) -> tuple[Mapping[str, int], np.ndarray | None]:
        """The counts of ``part``, which is read if it is there and otherwise played and written.

        Those for the manifest, and those for the stopping rule if there is one.
        """
        if part_path(self._folder, part).exists():
            try:
                table = read_part(self._folder, self._manifest, part)
            except RunError:
                pass  # damaged: it is played again
            else:
                self._advance(table.num_rows)
                return self._count(to_records(table, self._spec.record))
        games = games_of_part(self._manifest, part)
        records = np.empty(len(games), self._spec.record)
        self._play(games.start, records)
        write_part(self._folder, self._manifest, part, records)
        return self._count(records)

    def expect(self, n_games: int | None) -> None:
        """Take ``n_games`` for the number in all, as far as so many are allowed."""
        most = self._manifest["games"]
        self._games_expected = most if n_games is None else min(n_games, most)

    def _count(self, records: np.ndarray) -> tuple[Mapping[str, int], np.ndarray | None]:
        rule = self._spec.until
        return self._spec.count(records), None if rule is None else rule.count(records)

    def _play(self, first_game: int, records: np.ndarray) -> None:
        """Fill ``records`` with games from ``first_game`` on, in batches."""
        low, batch = 0, _FIRST_BATCH
        while low < len(records):
            if self.stopped.is_set():
                raise CancelledError
            started = time.perf_counter()
            out = records[low : low + batch]
            self._spec.play(first_game + low, out)
            self._advance(len(out))
            low += len(out)
            if time.perf_counter() - started < _BATCH_SECONDS / 2:
                batch *= 2

    def _advance(self, n_games: int) -> None:
        """Count ``n_games`` more as done and say so."""
        with self._lock:
            self._games_done += n_games
            if self._on_progress:
                in_all = self._games_expected
                self._on_progress(min(self._games_done, in_all), in_all)
