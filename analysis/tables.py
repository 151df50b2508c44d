"""From the games of a run to its tables: counted part by part, made, written, read back.

What is counted and which tables there are is a game's own (`analysis.games.Analysis`); everything
here is the same for any game.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from attrs import frozen
from pandas.api.types import is_string_dtype

from analysis.confidence import LEVEL, USUAL, unusual_confidence
from analysis.games import Counts, analysis_of
from analysis.kept_tallies import count_part
from analysis.registry import Table
from analysis.runs import Run, identity_of_run, open_run, same_run
from simcore import sealed
from simcore.commands import command
from simcore.places import located
from simcore.work.folder import FolderKind, read_piece
from simcore.work.lock import holding
from simcore.work.parts import RUN, read_manifest
from simcore.work.progress import Progress

# What makes a spreadsheet take a text for a formula.
_FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r")


def analyze(
    folder: str | os.PathLike[str],
    *,
    threads: int | None = None,
    on_progress: Progress | None = None,
) -> dict[str, pd.DataFrame]:
    """Analyse the run in ``folder`` and write its tables to ``tables/`` as Parquet and CSV.

    Parameters
    ----------
    folder
        A finished run.
    threads
        Parts read and counted at the same time; default: the number of processors.  The tables do
        not depend on it.

    Returns
    -------
    dict
        The tables that the game of the run has; their columns are described in
        ``docs/columns.md``.  A table about something that the run does not have is empty.

    Raises
    ------
    RunError
        When the run is missing, unfinished or damaged, or the tables cannot be written, or another
        process works in the folder.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    if threads < 1:
        raise ValueError(f"the number of threads is {threads} and must be at least 1")
    folder = located(folder)
    read_manifest(folder)  # nothing is locked but a run
    with holding(folder):
        return _analyze(open_run(folder), threads, on_progress)


def read_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables that `analyze` wrote for the run in ``folder``.

    Raises RunError when one is missing, damaged, of another run or of fewer games, or lacks a
    column.
    """
    folder = located(folder)
    manifest = read_manifest(folder)
    said, registry = identity_of_run(manifest), analysis_of(manifest["game"]).tables
    again = f"run '{command('analyze', folder)}' again"
    found = {name: _read(RUN, folder, table, said, again) for name, table in registry.items()}
    if len({_level_of(table) for table in found.values()}) > 1:
        raise sealed.RunError(f"the tables of {folder} are of several confidence levels; {again}")
    return {name: table.to_pandas() for name, table in found.items()}


def confidence_of(folder: Path, game: str) -> float | None:
    """The confidence level of the tables of the run in ``folder``; None where it has none."""
    return level_in(folder, next(iter(analysis_of(game).tables)))


def level_in(folder: Path, name: str) -> float | None:
    """The confidence level of a table in a folder; None where it is not there."""
    try:
        return _level_of(
            sealed.open_table(sealed.read_file(folder / "tables" / f"{name}.parquet"), [])
        )
    except FileNotFoundError:
        return None
    except ValueError:  # damaged, which is told where it is read
        return USUAL


@frozen
class Beside:
    """A table that an experiment writes to the folder of a run; one that goes on keeps it.

    It says under ``word`` of which run it is: ``settings`` are the entries of a manifest that say
    what was played.  An ``option`` of `fairdeal balance` makes it.
    """

    table: Table
    word: str
    settings: tuple[str, ...]
    option: str

    def identity(self, manifest: Mapping[str, Any]) -> dict[str, str]:
        """What the table says that it is of."""
        return {self.word: same_run(manifest, *self.settings)}

    def write(self, table: pd.DataFrame, run: Run) -> dict[str, pd.DataFrame]:
        """Write the table; by its name.  Raises RunError."""
        found = {self.table.name: table}
        write_tables(found, run.folder, self.identity(run.manifest))
        return found

    def read(self, folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
        """The table in a run folder, by its name; none where it was not made.

        Raises RunError when it is damaged, of another run or lacks a column.
        """
        again = f"repeat 'fairdeal balance' with {self.option}, or delete the file"
        return read_beside(folder, [self.table], self.identity, again)


def read_beside(
    folder: str | os.PathLike[str],
    tables: Sequence[Table],
    identify: Callable[[Mapping[str, Any]], Mapping[str, str]],
    again: str,
) -> dict[str, pd.DataFrame]:
    """Tables that an experiment wrote to the folder of a run, by name.

    ``identify`` says of a manifest what they say that they are of.  None where one is not there, or
    is of another confidence level than the tables of the run.  Raises RunError as `read_table`
    does.
    """
    folder = located(folder)
    levels = {level_in(folder, table.name) for table in tables}
    if None in levels:
        return {}
    manifest = read_manifest(folder)
    of_run = confidence_of(folder, manifest["game"])
    if len(levels | {of_run} - {None}) > 1:
        return {}
    said = identify(manifest)
    return {table.name: read_table(RUN, folder, table, said, again) for table in tables}


def _analyze(run: Run, threads: int, on_progress: Progress | None) -> dict[str, pd.DataFrame]:
    """The tables of a run in a folder that nobody else works in."""
    analysis, parts = analysis_of(run.manifest["game"]), range(run.n_parts)
    steps = _Progress(on_progress)
    with ThreadPoolExecutor(threads) as workers:
        try:
            nothing = analysis.nothing(run)
            shares = [
                workers.submit(_count, run, nothing, parts[first::threads], steps)
                for first in range(threads)
            ]
            registry = analysis.tables  # scipy is imported meanwhile
            steps.begin(len(parts) + len(registry))
            counts = reduce(add, [share.result() for share in shares])
        except BaseException:
            steps.stop()
            raise
    tables = {name: _made(table, counts) for name, table in registry.items()}
    if until := run.manifest.get("until"):
        tables = counts.restate(tables, until)
    for name, table in tables.items():
        write_tables({name: table}, run.folder, run.identity)
        steps.advance()
    return tables


def _made(table: Table, counts: Counts) -> pd.DataFrame:
    """A table of a run."""
    if table.make is None:
        raise TypeError(f"the table {table.name!r} says nowhere how it is made")
    return table.make(counts)


def _count(run: Run, nothing: Counts, parts: Sequence[int], steps: "_Progress") -> Counts:
    """The counts of some parts of a run.  Raises RunError."""
    counts = nothing
    for part in parts:
        counts = counts + count_part(run, part, nothing)
        steps.advance()
    return counts


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path, said: Mapping[str, str]) -> None:
    """Write each table to ``folder``/tables as ``<name>.parquet``, sealed, and ``<name>.csv``.

    ``said`` says what was analysed (`Run.identity`); a confidence level that is not the usual one
    stands beside it.  A file that has the same content already is left as it is: the time at which
    it was written tells which reports are older.  Raises RunError.
    """
    said = {**said, **{name: str(level) for name, level in unusual_confidence().items()}}
    folder = folder / "tables"
    with sealed.writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        arrow = pa.Table.from_pandas(table, preserve_index=False)
        sealed.keep_file(
            folder / f"{name}.parquet", sealed.seal_table(arrow, {**said, "piece": f"table {name}"})
        )
        sealed.keep_file(folder / f"{name}.csv", csv_text(table).encode())


def read_table(
    kind: FolderKind, folder: Path, table: Table, said: Mapping[str, str], again: str
) -> pd.DataFrame:
    """A table that `write_tables` wrote, checksum and what was analysed verified.

    Raises RunError, which ends with ``again``, when it is missing, damaged, of something else or
    lacks a column.
    """
    return _read(kind, folder, table, said, again).to_pandas()


def _read(
    kind: FolderKind, folder: Path, table: Table, said: Mapping[str, str], again: str
) -> pa.Table:
    path = folder / "tables" / f"{table.name}.parquet"
    expected = {**said, "piece": f"table {table.name}"}
    found = read_piece(kind, path, expected, again, free=[LEVEL])
    if missing := [column for column in table.columns if column not in found.column_names]:
        raise sealed.RunError(f"{path} has no column {missing[0]}; {again}")
    return found


def _level_of(table: pa.Table) -> float:
    return float(sealed.identity_of(table).get(LEVEL, USUAL))


def csv_text(table: pd.DataFrame) -> str:
    """The table as CSV, with nine digits of each number; a page brings such tables along.

    A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    texts = [
        column
        for column, kind in table.dtypes.items()
        if is_string_dtype(kind) or isinstance(kind, pd.CategoricalDtype)
    ]

    def guarded(cell: Any) -> Any:
        is_exposed = isinstance(cell, str) and cell.startswith(_FORMULA_MARKS)
        return f"'{cell}" if is_exposed else cell

    safe = table.assign(
        **{column: table[column].map(guarded, na_action="ignore") for column in texts}
    )
    safe = safe.rename(columns=guarded)
    return safe.to_csv(index=False, lineterminator="\n", float_format="%.9g")


class _Progress:
    """Counts what is finished over all threads, and stops them at the next part."""

    def __init__(self, on_progress: Progress | None) -> None:
        self._lock = threading.Lock()
        self._done, self._in_all, self._stopped = 0, 0, False
        self._on_progress = on_progress

    def begin(self, in_all: int) -> None:
        """From now on it is known how many steps there are; say what was finished meanwhile."""
        with self._lock:
            self._in_all = in_all
            for done in range(1, self._done + 1):
                self._tell(done)

    def advance(self) -> None:
        """One more part or table is done.  Raises CancelledError after `stop`."""
        with self._lock:
            if self._stopped:
                raise CancelledError
            self._done += 1
            if self._in_all:
                self._tell(self._done)

    def stop(self) -> None:
        """End the threads."""
        self._stopped = True

    def _tell(self, done: int) -> None:
        if self._on_progress:
            self._on_progress(done, self._in_all)
