"""From a run folder to its tables: ``analyze`` counts the games and writes every table."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from analysis.mindbug.columns import TABLES
from analysis.mindbug.expansion_tallies import SystemTally, tally_systems
from analysis.mindbug.expansions import PoolSystems
from analysis.mindbug.pair_tallies import PairTally, tally_pairs
from analysis.mindbug.runs import Run, open_run
from analysis.mindbug.tallies import CardTraits, Tally, tally_games
from analysis.runs import identity_of_run
from simcore.mindbug.table.records import GAME_RECORD
from simcore.sealed import RunError, seal_table, write_file, writing
from simcore.work.folder import FolderKind, read_piece
from simcore.work.lock import holding
from simcore.work.parts import RUN, n_parts, read_manifest

#: The tables in a run folder, in the order in which they are best read.
TABLE_NAMES = (
    *("summary", "first_player", "cards", "keywords", "turns", "outcomes"),
    *("card_pairs", "card_matchups"),
    *("sets", "stages", "dice", "power_cards", "per_game", "open_points"),
)

#: Called with (parts counted and tables written, of how many), from one thread at a time.
Progress = Callable[[int, int], None]

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
        Those of `TABLE_NAMES`; their columns are described in ``docs/columns.md``.  A table about
        something that the pool does not have is empty.

    Raises
    ------
    RunError
        When the run is missing, unfinished or damaged, or the tables cannot be written, or another
        process works in the folder.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    if threads < 1:
        raise ValueError(f"the number of threads is {threads} and must be at least 1")
    read_manifest(Path(folder))  # nothing is locked but a run
    with holding(Path(folder)):
        return _analyze(open_run(folder), threads, on_progress)


def _analyze(run: Run, threads: int, on_progress: Progress | None) -> dict[str, pd.DataFrame]:
    """The tables of a run in a folder that nobody else works in."""
    systems, policies = PoolSystems(run.pool()), run.manifest["policies"]
    pool = systems.cards
    cards = [card for _, card in pool]
    traits, parts = CardTraits.of(cards), range(n_parts(run.manifest))
    progress = _Progress(len(parts) + len(TABLE_NAMES), on_progress)
    with ThreadPoolExecutor(threads) as workers:
        try:
            shares = [
                workers.submit(
                    _tally_parts, run, traits, systems, parts[first::threads], progress.advance
                )
                for first in range(threads)
            ]
            # Meanwhile this thread imports scipy and statsmodels, which takes it a second.
            from analysis.mindbug.card_strength import cards_table
            from analysis.mindbug.expansion_tables import system_summary, system_tables
            from analysis.mindbug.game_tables import first_player_table, outcomes_table, turns_table
            from analysis.mindbug.keywords import keywords_table
            from analysis.mindbug.pairs import pair_tables
            from analysis.mindbug.stopping import restate
            from analysis.mindbug.summary import summary_table

            counted = zip(*(share.result() for share in shares), strict=True)
            tallies, system_tallies, pair_tallies = counted
        except BaseException:
            progress.stop()
            raise
    tally, system_tally = reduce(add, tallies), reduce(add, system_tallies)
    summary = summary_table(tally, policies)
    more = system_summary(system_tally, systems, policies)
    tables = {
        "summary": pd.concat([summary, more], ignore_index=True) if len(more) else summary,
        "first_player": first_player_table(tally, policies),
        "cards": cards_table(tally, pool, policies),
        "keywords": keywords_table(tally, cards, policies),
        "turns": turns_table(tally, policies),
        "outcomes": outcomes_table(tally, policies),
        **pair_tables(reduce(PairTally.plus, pair_tallies), pool, policies),
        **system_tables(system_tally, systems, policies),
    }
    tables = restate(tables, tally, run.manifest, cards)
    for name, table in tables.items():
        write_tables({name: table}, run.folder, run.identity)
        progress.advance()
    return tables


def write_tables(tables: Mapping[str, pd.DataFrame], folder: Path, said: Mapping[str, str]) -> None:
    """Write each table to ``folder``/tables as ``<name>.parquet``, sealed, and ``<name>.csv``.

    ``said`` says what was analysed (`Run.identity`).  A file that has the same content already is
    left as it is: when it was written tells reports of it from reports of earlier tables.  Raises
    RunError.
    """
    folder = folder / "tables"
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        arrow = pa.Table.from_pandas(table, preserve_index=False)
        _keep(folder / f"{name}.parquet", seal_table(arrow, {**said, "piece": f"table {name}"}))
        _keep(folder / f"{name}.csv", csv_text(table).encode())


def read_table(
    kind: FolderKind, folder: Path, name: str, said: Mapping[str, str], again: str
) -> pd.DataFrame:
    """A table that `write_tables` wrote, checksum and what was analysed verified.

    Raises RunError, which ends with ``again``, when it is missing, damaged, of something else or
    lacks a column.
    """
    path = folder / "tables" / f"{name}.parquet"
    table = read_piece(kind, path, {**said, "piece": f"table {name}"}, again)
    if missing := [column for column in TABLES[name] if column not in table.column_names]:
        raise RunError(f"{path} has no column {missing[0]}; {again}")
    return table.to_pandas()


def _keep(path: Path, content: bytes) -> None:
    """Write a file unless it has that content.  Raises RunError."""
    with writing(path):
        same = path.is_file() and path.read_bytes() == content
    if not same:
        write_file(path, content)


def csv_text(table: pd.DataFrame) -> str:
    """The table as CSV, with nine digits of each number; a page brings such tables along.

    A text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    texts = table.select_dtypes("str").columns

    def guarded(text: str) -> str:
        return f"'{text}" if text.startswith(_FORMULA_MARKS) else text

    safe = table.assign(**{column: table[column].map(guarded) for column in texts})
    return safe.to_csv(index=False, lineterminator="\n", float_format="%.9g")


def read_tables(folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """The tables that `analyze` wrote for the run in ``folder``.

    Raises RunError when one is missing, damaged, of another run or of fewer games, or lacks a
    column.
    """
    folder = Path(folder)
    said = identity_of_run(read_manifest(folder))
    again = f"run 'balancelab analyze {folder}' again"
    return {name: read_table(RUN, folder, name, said, again) for name in TABLE_NAMES}


class _Progress:
    """Counts what is finished over all threads, and stops them at the next part."""

    def __init__(self, in_all: int, on_progress: Progress | None) -> None:
        self._lock = threading.Lock()
        self._done, self._in_all, self._stopped = 0, in_all, False
        self._on_progress = on_progress

    def advance(self) -> None:
        """One more part or table is done.  Raises CancelledError after `stop`."""
        with self._lock:
            if self._stopped:
                raise CancelledError
            self._done += 1
            if self._on_progress:
                self._on_progress(self._done, self._in_all)

    def stop(self) -> None:
        """End the threads."""
        self._stopped = True


def _tally_parts(
    run: Run,
    traits: CardTraits,
    systems: PoolSystems,
    parts: Sequence[int],
    advance: Callable[[], None],
) -> tuple[Tally, SystemTally, PairTally]:
    """The tallies of some parts of a run; ``advance`` is called after each.  Raises RunError."""
    same_policy = len(set(run.manifest["policies"])) == 1
    each = systems.pool.modes.mindbugs
    none = np.empty(0, GAME_RECORD)
    tally = tally_games(none, traits, same_policy=same_policy, mindbugs_each=each)
    system_tally = tally_systems(none, systems, same_policy=same_policy)
    pair_tally = tally_pairs(none, len(traits.power))
    for part in parts:
        games = run.part(part)
        tally += tally_games(games, traits, same_policy=same_policy, mindbugs_each=each)
        system_tally += tally_systems(games, systems, same_policy=same_policy)
        pair_tally = pair_tally.plus(tally_pairs(games, len(traits.power)))
        advance()
    return tally, system_tally, pair_tally
