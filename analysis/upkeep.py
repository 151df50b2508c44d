"""Looking after folders: verify, repair and join them, and free the space of what can be made anew.

What is sealed shows when it is damaged, and says what it is of; a CSV file is compared with the
table that it was written from.  All other files are compared with the checksums that the folder
has of them (`card_data.checksums`), charts and pages among them.
"""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from analysis.confidence import USUAL, at_confidence
from analysis.games import Analysis, Counts, analysis_of
from analysis.kept_tallies import TALLIES, is_kept
from analysis.own_statistics import CARD_GAMES
from analysis.runs import Run, identity_of_run, open_manifest, open_run
from analysis.tables import analyze, confidence_of, csv_text, read_table
from card_data import checksums
from simcore.places import files_in
from simcore.sealed import RunError, open_table, read_file, remove_file, write_file
from simcore.work import parts as run_parts
from simcore.work.about import read_about, write_about
from simcore.work.folder import ABOUT, ANSWER, begin, difference, what_was_asked
from simcore.work.lock import check_nobody_works, holding, is_leftover, is_lock
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task

#: What repairs a fault: `repair` does the first three, a person the others.
PLAYED, REMOVED = "repair plays its games again", "repair removes it"
COUNTED = "repair makes it again"
REPEAT = "repeat the command that made the folder"
AGAIN = "repeat the command that wrote it"
YOURS = "move it away: it is not fairdeal's"
_PART = re.compile(r"games/part-(\d{5,})\.parquet")
_TALLY = re.compile(rf"{TALLIES}/part-(\d{{5,}})\.parquet")
_TABLE = re.compile(r"tables/(\w+)\.(parquet|csv)")
_OUTPUT = re.compile(r"[\w-]+\.(html|md|xlsx|svg|png|pdf|log)|figures/.+")
_MADE = re.compile(rf"{TALLIES}/part-\d+\.parquet|report\.(html|md|xlsx)|figures/.+")
_LEFT_BEHIND = "was left behind by a command that was killed"


@frozen
class Fault:
    """A file that is not as it should be.

    ``problem`` says how, in words that follow its name, and ``remedy`` what repairs it.
    """

    path: Path
    problem: str
    remedy: str


def verify(
    folder: Path, *, threads: int | None = None, on_progress: Progress | None = None
) -> list[Fault]:
    """What is damaged, missing or foreign in a folder and in the folders in it, by path.

    ``threads`` read at the same time, by default one for each processor.  Raises RunError when
    there is no such folder, or another process works there.
    """
    if not folder.is_dir():
        raise RunError(f"{folder} {'is a file' if folder.exists() else 'does not exist'}")
    check_nobody_works(folder)
    files = [path for path in files_in(folder) if not is_lock(path)]
    runs = [_RunFolder(home) for home in _homes(files)]
    listed = _Listed(files)
    meter = Meter(len(files), on_progress)

    def look(path: Path) -> Fault | None:
        fault = None
        if is_leftover(path):
            fault = Fault(path, _LEFT_BEHIND, REMOVED)
        else:
            run = next((run for run in runs if path.is_relative_to(run.folder)), None)
            fault = _sealed(path) if run is None else run.look(path)
            fault = fault or listed.look(path)
        meter.advance(1)
        return fault

    found = [*listed.missing({*files}), *(one for run in runs for one in run.missing({*files}))]
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        found += filter(None, workers.map(look, files))
    by_path = {fault.path: fault for fault in found}
    return sorted(by_path.values(), key=lambda fault: str(fault.path))


def unsealed(folder: Path) -> list[Path]:
    """The files of a folder that nothing can be said of: no checksum says what they should hold.

    Those are files of an earlier fairdeal, or of somebody else.
    """
    files = [path for path in files_in(folder) if not is_lock(path)]
    listed = _Listed(files)
    return [
        path
        for path in files
        if listed.checksum(path) is None and not is_leftover(path) and not _is_sealed(path)
    ]


def _is_sealed(path: Path) -> bool:
    """Whether a file holds a checksum of itself, or cannot be read."""
    if path.suffix == ".parquet":
        return path.stem != CARD_GAMES
    try:
        return path.suffix == ".json" and checksums.is_sealed(read_file(path))
    except (RunError, OSError):
        return True


class _Listed:
    """The checksums that the folders of some files have of them."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._of: dict[Path, checksums.Checksums] = {}
        for path in files:
            if path.name == checksums.CHECKSUMS:
                with suppress(OSError, ValueError):  # which is told of that file itself
                    self._of[path.parent] = (
                        checksums.read_checksums(path.parent) or checksums.Checksums()
                    )

    def _home(self, path: Path) -> Path | None:
        """The innermost folder above a file that has checksums."""
        return next((folder for folder in path.parents if folder in self._of), None)

    def checksum(self, path: Path) -> str | None:
        """The checksum that a file should have, if that is known."""
        home = self._home(path)
        return None if home is None else self._of[home].files.get(path.relative_to(home).as_posix())

    def look(self, path: Path) -> Fault | None:
        """What is wrong with a file."""
        wanted = self.checksum(path)
        try:
            if wanted is None or checksums.checksum_of(path) == wanted:
                return None
        except OSError as error:
            return Fault(path, f"cannot be read: {error.strerror or error}", AGAIN)
        home = self._home(path)
        if home is not None and self._of[home].unfinished:
            return Fault(path, "is damaged, or was being written by a killed command", AGAIN)
        return Fault(path, f"is damaged: {checksums.BROKEN}", AGAIN)

    def missing(self, files: Collection[Path]) -> Iterator[Fault]:
        """What was written, and is not there; what a killed command was about to write may be."""
        for home, found in self._of.items():
            for path in (home / name for name in found.files if not found.unfinished):
                if path not in files and self._home(path) == home:
                    yield Fault(path, "is missing", AGAIN)


def _homes(files: Sequence[Path]) -> list[Path]:
    """The folders of runs that files lie in, the innermost first."""
    homes = {path.parent for path in files if path.name == run_parts.MANIFEST}
    homes |= {path.parents[1] for path in files if _PART.fullmatch("/".join(path.parts[-2:]))}
    return sorted(homes, key=lambda home: len(home.parts), reverse=True)


def _sealed(path: Path) -> Fault | None:
    """What is wrong with a file of which nothing is known but how it ends."""
    try:
        if path.suffix == ".json":
            checksums.open_json(read_file(path))
        elif path.suffix == ".parquet" and path.stem != CARD_GAMES:
            open_table(read_file(path), [])
    except (RunError, ValueError, OSError) as error:
        return Fault(path, f"is damaged: {_in_short(error, path)}", REPEAT)
    return None


def _in_short(error: Exception, path: Path) -> str:
    """What an error says, without the name of the file and what to do."""
    return str(error).removeprefix(f"{path} ").partition("; ")[0].partition("\n")[0]


class _RunFolder:
    """The folder of a run, and what belongs there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._path = folder, folder / run_parts.MANIFEST
        self.run: Run | None = None
        self._lost = ""
        try:
            self.run = open_manifest(folder)
        except RunError as error:
            self._lost = _in_short(error, self._path)

    @cached_property
    def _played(self) -> Collection[str] | None:
        """The files with what was played with; None where they do not say what was played."""
        assert self.run is not None
        try:
            manifest = run_parts.part_of(self.run.folder, self.run.manifest, 0).folder.manifest
            return self.run.game.files(self.run.folder, manifest)
        except RunError:
            return None

    @cached_property
    def _analysis(self) -> Analysis:
        assert self.run is not None
        return analysis_of(self.run.game.name)

    def missing(self, files: Collection[Path]) -> Iterator[Fault]:
        """What is not there, and what is wrong with the run as a whole."""
        if self.run is None:
            yield Fault(self._path, self._lost, REPEAT)
            return
        if self._played is None:
            yield Fault(self.folder, "lacks what was played with, or holds something else", REPEAT)
        if self.run.manifest["counts"] is not None:
            for part in range(self.run.n_parts):
                if (path := self.folder / run_parts.part_file(part)) not in files:
                    yield Fault(path, "is missing", PLAYED)
        tables = [self.folder / "tables" / f"{name}.parquet" for name in self._analysis.tables]
        if any(path in files for path in tables):
            for path in (one.with_suffix(kind) for one in tables for kind in (".parquet", ".csv")):
                if path not in files:
                    yield Fault(path, "is missing", COUNTED)

    def look(self, path: Path) -> Fault | None:
        """What is wrong with a file in the folder."""
        name = path.relative_to(self.folder).as_posix()
        if name == ABOUT:
            try:
                read_about(self.folder)
            except RunError as error:
                return Fault(path, f"is {error}", REPEAT)
            return None
        if name == run_parts.MANIFEST or self.run is None:
            return None
        if name in (checksums.CHECKSUMS, ANSWER) or _OUTPUT.fullmatch(name):
            return _sealed(path)
        if found := _PART.fullmatch(name):
            return self._part(path, int(found[1]))
        if found := _TALLY.fullmatch(name):
            if self._played is None or self._has_tally(int(found[1])):
                return None
            return Fault(path, "is damaged, or of other games or another version", REMOVED)
        if (found := _TABLE.fullmatch(name)) and found[1] in self._analysis.tables:
            return self._table(path, found[1])
        own = path.parent in (self.folder, self.folder / "games", self.folder / TALLIES)
        if path.suffix in (".json", ".parquet") and not own:
            return _sealed(path)
        belongs = self._played is None or name in self._played or name.startswith("tables/")
        if belongs or name.partition("/")[0] not in (name, "games", TALLIES, "cards"):
            return None
        return Fault(path, "does not belong to the run", YOURS)

    @cached_property
    def _nothing(self) -> Counts:
        assert self.run is not None
        return self._analysis.nothing(self.run)

    def _has_tally(self, part: int) -> bool:
        """Whether there is a tally of a part that can be used."""
        assert self.run is not None
        return part < self.run.n_parts and is_kept(self.run, part, self._nothing)

    def _part(self, path: Path, part: int) -> Fault | None:
        assert self.run is not None
        if part >= self.run.n_parts or path.name != Path(run_parts.part_file(part)).name:
            return Fault(path, "is no part of the run", REMOVED)
        try:
            run_parts.read_part(self.folder, self.run.manifest, part)
        except RunError as error:
            return Fault(path, _in_short(error, path), PLAYED)
        return None

    def _table(self, path: Path, name: str) -> Fault | None:
        assert self.run is not None
        said, table = identity_of_run(self.run.manifest), self._analysis.tables[name]
        try:
            found = read_table(run_parts.RUN, self.folder, table, said, "")
        except RunError as error:
            told = _in_short(error, path) if path.suffix == ".parquet" else "has no table beside it"
            return Fault(path, told, COUNTED)
        if path.suffix == ".csv" and read_file(path) != csv_text(found).encode():
            return Fault(path, "holds something else than the table beside it", COUNTED)
        return None


def spec_of_part(run: Run, part: int) -> RunSpec:
    """The run of one seed that a part of a run belongs to, as it was asked for.

    Raises RunError where the folder does not hold what was played with.
    """
    source = run_parts.part_of(run.folder, run.manifest, part)
    return run.game.again(run.folder, source.folder.manifest)


# ------------------------------------------------------------ repair


def repair(
    folder: Path,
    faults: Sequence[Fault],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
) -> list[Fault]:
    """Repair what `verify` found; what is left to a person.

    Lost parts are played again, by ``threads`` or an ``executor`` as `Workers` takes them; tables
    and tallies are made again, and what a killed command left behind, or lies beyond the end of a
    run, is removed.  Nothing else is touched.  Raises RunError when a part cannot be played as it
    was, or something cannot be written.
    """
    with holding(folder):
        lost = [fault.path for fault in faults if fault.remedy == PLAYED]
        for fault in faults:
            if fault.remedy == REMOVED:
                remove_file(fault.path)
        for home in sorted({path.parents[1] for path in lost}):
            numbers = [int(path.stem[5:]) for path in lost if path.parents[1] == home]
            meter = Meter(0, on_progress)
            with Workers(meter, threads=threads, executor=executor) as workers:
                _play(open_manifest(home), numbers, workers, meter)
        for home in sorted({one.path.parents[1] for one in faults if one.remedy == COUNTED}):
            with at_confidence(confidence_of(home, run_parts.read_manifest(home)["game"]) or USUAL):
                analyze(home, threads=threads)
        return verify(folder, threads=threads)


def _play(run: Run, parts: Sequence[int], workers: Workers, meter: Meter) -> None:
    """Play parts of a run again.  Raises RunError."""
    analysis_of(run.game.name).check_players(run)
    pieces = []
    for part in parts:
        spec, source = spec_of_part(run, part), run_parts.part_of(run.folder, run.manifest, part)
        task, record, seats = spec.task, spec.record, spec.seats
        pieces.append(
            Piece(
                partial(_given, task),
                record,
                seats,
                source.games,
                source.folder,
                run_parts.part_file(part),
                source.name,
                first_batch=spec.first_batch,
            )
        )
    meter.expect(sum(len(piece.rows) for piece in pieces))
    for _ in workers.finish(pieces, lambda finished: finished.seconds):
        pass


def _given(task: Task) -> Task:
    """A task that there is already."""
    return task


# ------------------------------------------------------------ prune


def prunable(folder: Path) -> dict[Path, int]:
    """What can be made again from the games of the runs in a folder, with its bytes.

    That is tallies, tables, charts and pages; tables of a person's own, and those of experiments,
    are not among it.  Raises RunError where there is no run.
    """
    if not folder.is_dir():
        raise RunError(f"{folder} {'is a file' if folder.exists() else 'does not exist'}")
    files = files_in(folder)
    found = {}
    for home in _homes(files):
        tables = analysis_of(run_parts.read_manifest(home)["game"]).tables
        for path in (one for one in files if one.is_relative_to(home)):
            name = path.relative_to(home).as_posix()
            table = _TABLE.fullmatch(name)
            again = table[1] in (*tables, CARD_GAMES) if table else _MADE.fullmatch(name)
            if again:
                found[path] = path.stat().st_size
    return found


def prune(folder: Path) -> int:
    """Remove what `prunable` names; how many bytes that frees.  Raises RunError."""
    with holding(folder):
        found = prunable(folder)
        for path in found:
            remove_file(path)
        for inner in {path.parent for path in found}:
            if not any(inner.iterdir()):
                inner.rmdir()
    return sum(found.values())


def merge(folders: Sequence[Path], out: Path, *, on_progress: Progress | None = None) -> Run:
    """Join finished runs of the same question with different seeds into a new folder.

    The parts are those of the runs, byte by byte, so every game is still the game that it was, and
    can be played again (`simcore.work.parts.deal_of`).  Repeated after an interruption it goes on.

    Raises RunError when the runs are not of the same question, or two have games of the same seed,
    or a rule ended one (`--until`): intervals that hold where a run ends do not hold for a sum of
    such runs.  And when one is damaged, or ``out`` holds something else.
    """
    runs = [open_run(folder) for folder in folders]
    manifest = _merged(runs)
    parts = [(run, part) for run in runs for part in range(run.n_parts)]
    meter = Meter(len(parts), on_progress)
    with holding(out):
        begun = begin(run_parts.RUN, out, manifest, files=_files(runs[0]))
        for number, (run, part) in enumerate(parts):
            try:
                run_parts.read_part(out, manifest, number)
            except RunError:
                run_parts.read_part(run.folder, run.manifest, part)  # verified before it is copied
                write_file(
                    out / run_parts.part_file(number),
                    read_file(run.folder / run_parts.part_file(part)),
                )
            meter.advance(1)
        counts: Counter[str] = Counter()
        for run in runs:
            counts.update(run.manifest["counts"])
        run_parts.write_manifest(out, {**begun.manifest, "counts": dict(sorted(counts.items()))})
        about = read_about(runs[0].folder)
        if about is not None:
            games, asked = manifest["games"], what_was_asked(run_parts.RUN, manifest)
            told = evolve(about, games=games, seed=None, asked=asked, headline="", page="")
            write_about(out, told)
    return open_run(out)


def _merged(runs: Sequence[Run]) -> dict[str, Any]:
    """The manifest of runs that are merged.  Raises RunError where they cannot be."""
    first = runs[0]
    if len(runs) < 2:
        raise RunError(f"only {first.folder} is named; name the runs to merge, two at least")
    for run in runs:
        if "until" in run.manifest:
            raise RunError(
                f"{run.folder} was ended by --until: its intervals hold where it ended, and not in"
                " a sum of runs; play as many games with --games instead"
            )
        if differs := difference(_question(run), _question(first)):
            raise RunError(
                f"{run.folder} and {first.folder} are of different questions: {differs}; only runs"
                " that differ in their seeds alone can be merged"
            )
    found: dict[int, Run] = {}
    for run in runs:
        for source in run_parts.sources(run.manifest):
            seed = source.manifest["seed"]
            if seed in found:
                raise RunError(
                    f"{found[seed].folder} and {run.folder} both have games of seed {seed}: they"
                    " would count twice; merge runs of different seeds"
                )
            found[seed] = run
    manifests = [source.manifest for run in runs for source in run_parts.sources(run.manifest)]
    return {
        **first.manifest,
        "seed": [one["seed"] for one in manifests],
        "games": sum(one["games"] for one in manifests),
        "part_games": max(one["part_games"] for one in manifests),
        "merged": [{name: one[name] for name in ("games", "part_games")} for one in manifests],
        "counts": None,
    }


def _question(run: Run) -> dict[str, Any]:
    """All that was asked, but for which games."""
    games = ("seed", "games", "part_games", "merged")
    asked = what_was_asked(run_parts.RUN, run.manifest)
    return {name: one for name, one in asked.items() if name not in games}


def _files(run: Run) -> Mapping[str, bytes]:
    """The files with what was played with.  Raises RunError."""
    source = run_parts.part_of(run.folder, run.manifest, 0)
    return run.game.files(run.folder, source.folder.manifest)
