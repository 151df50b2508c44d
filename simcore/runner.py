"""Play a run: many games in parts, over threads, into a folder that survives a kill.

The runner knows nothing of the game.  A game module describes a run as a `RunSpec`; `run_games`
plays what is not there yet.  A part is the unit of work and of writing; since every game depends on
its number alone, the result is the same for any number of threads, after any interruption.
"""

import json
import operator
import os
import platform
import reprlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen

from simcore.records import layout_of, to_records
from simcore.run_folder import (
    FORMAT,
    MANIFEST,
    NOT_ASKED,
    RunError,
    n_parts,
    part_path,
    read_manifest,
    read_part,
    remove_leftovers,
    write_file,
    write_manifest,
    write_part,
    writing,
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


@frozen
class RunSpec:
    """What a game module asks the runner to play.

    ``settings`` is everything else that the result depends on (seed, policies, cards, …), as JSON
    values; it becomes part of the manifest.  ``play(first_game, out)`` fills ``out``, a structured
    array of dtype ``record`` and shape (n,), with games ``first_game`` and following, and raises
    for settings that cannot be played, even with n = 0.  It is called from several threads at once
    and must not hold the GIL.  ``count(records)`` gives the numbers that are added up for the
    manifest.  ``files`` (path in the folder -> contents) are written beside the parts.
    """

    game: str
    rules_version: int
    settings: Mapping[str, Any]
    n_games: int = field(converter=operator.index)
    record: np.dtype
    play: Callable[[int, np.ndarray], None]
    count: Callable[[np.ndarray], Mapping[str, int]]
    files: Mapping[str, bytes] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.n_games < 1:
            raise ValueError(f"the number of games is {self.n_games} and must be at least 1")

    def manifest(self) -> dict[str, Any]:
        """The manifest of the run before it is played."""
        usual = -(-self.n_games // _USUAL_PARTS)
        versions = {name: version(name) for name in _PACKAGES}
        manifest = {
            "format": FORMAT,
            "game": self.game,
            "rules_version": self.rules_version,
            "record_layout": layout_of(self.record),
            **self.settings,
            "games": self.n_games,
            "part_games": min(max(usual, _LEAST_PART_GAMES), _MOST_PART_GAMES),
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
    played again.  A finished run is recognised by its manifest and its list of parts alone.
    ``threads`` defaults to the number of processors.

    Raises RunError when the folder holds something else or cannot be written, ValueError for fewer
    than one thread, and what ``play`` raises; settings that it refuses are found before anything is
    written.  KeyboardInterrupt ends the run within a fraction of a second; finished parts stay.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    if threads < 1:
        raise ValueError(f"the number of threads is {threads} and must be at least 1")
    folder = Path(folder)
    manifest = _enter(spec, folder)
    parts = range(n_parts(manifest))
    counts: dict[str, int] | None = manifest["counts"]
    if counts is not None and all(part_path(folder, part).exists() for part in parts):
        if on_progress:
            on_progress(spec.n_games, spec.n_games)
        return counts
    worker = _Worker(spec, folder, manifest, on_progress)
    total: Counter[str] = Counter()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in as_completed([pool.submit(worker.finish_part, part) for part in parts]):
                total.update(done.result())
        except BaseException:
            worker.stopped.set()
            pool.shutdown(cancel_futures=True)
            raise
    counts = dict(sorted(total.items()))
    write_manifest(folder, {**manifest, "counts": counts})
    return counts


def _enter(spec: RunSpec, folder: Path) -> dict[str, Any]:
    """Begin the run in ``folder`` or take it up again; return its manifest.  Raises RunError."""
    asked = spec.manifest()
    if not (folder / MANIFEST).exists():
        # No games: finds settings that cannot be played before anything is written.
        spec.play(0, np.empty(0, spec.record))
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        holds = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if MANIFEST in holds:
        manifest = read_manifest(folder)
        _compare(asked, manifest, folder)
    elif holds:
        raise RunError(
            f"{folder} is not empty and not a run folder (it holds {holds[0]}); choose another"
            " folder for the run"
        )
    else:
        manifest = asked
        write_manifest(folder, manifest)
    remove_leftovers(folder)
    with writing(folder):
        part_path(folder, 0).parent.mkdir(exist_ok=True)
    for name, data in spec.files.items():
        path = folder / name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = path.exists() and path.read_bytes() == data
        if not kept:
            write_file(path, data)
    return manifest


def _compare(asked: dict[str, Any], found: dict[str, Any], folder: Path) -> None:
    """Raise RunError when the run in ``folder`` is another one than the one asked for."""
    for key in [key for key in {**asked, **found} if key not in NOT_ASKED]:
        if asked.get(key) != found.get(key):
            raise RunError(
                f"{folder} holds a run with {_difference(key, found.get(key), asked.get(key))};"
                " choose another folder, or repeat the command that made the run"
            )


def _difference(key: str, found: Any, asked: Any) -> str:
    """Where two settings part, in few words: "modes.life 3, not 4"."""
    if isinstance(found, dict) and isinstance(asked, dict):
        part = next(name for name in {**asked, **found} if asked.get(name) != found.get(name))
        return _difference(f"{key}.{part}", found.get(part), asked.get(part))
    return f"{key} {reprlib.repr(found)}, not {reprlib.repr(asked)}"


class _Worker:
    """Plays parts; shared by the threads of a run."""

    def __init__(
        self, spec: RunSpec, folder: Path, manifest: dict[str, Any], on_progress: Progress | None
    ) -> None:
        self.stopped = threading.Event()
        self._spec = spec
        self._folder = folder
        self._manifest = manifest
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._games_done = 0

    def finish_part(self, part: int) -> Mapping[str, int]:
        """The counts of ``part``, which is read if it is there and otherwise played and written."""
        if part_path(self._folder, part).exists():
            try:
                table = read_part(self._folder, self._manifest, part)
            except RunError:
                pass  # damaged: it is played again
            else:
                self._advance(table.num_rows)
                return self._spec.count(to_records(table, self._spec.record))
        first_game = part * self._manifest["part_games"]
        n_games = min(self._manifest["part_games"], self._manifest["games"] - first_game)
        records = np.empty(n_games, self._spec.record)
        self._play(first_game, records)
        write_part(self._folder, self._manifest, part, records)
        return self._spec.count(records)

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
                self._on_progress(self._games_done, self._manifest["games"])
