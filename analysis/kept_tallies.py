"""Tallies of a run that are kept beside its parts, so that games are counted once.

Counts are as large for a thousand games as for a hundred million (`analysis.games`).  What was
counted of a part is kept in ``tallies/``, so a longer run counts its new parts only, and a run of
any length is analysed in the time that a few small files take to read.

A tally is a sealed file.  It says which games of which run it counts, and holds a digest of the
code that counted them: one that is damaged, or was made by other code, is made anew.
"""

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from analysis.games import Counts, analysis_of
from analysis.runs import Run, how_counted, open_manifest
from simcore.jit.sources import digest_of_sources
from simcore.places import StoreError
from simcore.sealed import (
    MOST_BYTES,
    RunError,
    identity_of,
    open_table,
    read_file,
    seal_table,
    write_file,
    writing,
)
from simcore.work.folder import WorkFolder
from simcore.work.parts import LEAST_GAMES, RUN, games_of_part, part_path
from simcore.work.runs import Tally

#: The folder of the tallies in that of a run.
TALLIES = "tallies"

# The entry of a tally's metadata with the shapes of its arrays.
_SHAPES = "shapes"


def count_part(run: Run, part: int, nothing: Counts) -> Counts:
    """The counts of one part of a run; read if they are kept, else counted and kept.

    ``nothing`` are the counts of no games.  May be called from several threads at once.  Raises
    RunError when the part is damaged, or its tally cannot be written.
    """
    if len(games_of_part(run.manifest, part)) < LEAST_GAMES:
        return nothing.count(run.part(part))
    path, said = tally_path(run, part), _identity(run, part, nothing)
    if (sums := _kept(path, said)) is not None:
        return nothing.of_sums(sums)
    counts = nothing.count(run.part(part))
    _keep(path, _sealed(counts.sums, said))
    return counts


def tally_played(folder: Path) -> Tally:
    """What counts the parts of a run in a folder as they are played, for `run_games`.

    So they need not be read again.  Raises RunError as `open_manifest` does.
    """
    run = open_manifest(folder)
    nothing = analysis_of(run.game.name).nothing(run)

    def tally(part: int, games: np.ndarray) -> Callable[[], None]:
        if len(games) < LEAST_GAMES:
            return lambda: None
        sealed = _sealed(nothing.count(games).sums, _identity(run, part, nothing))
        return partial(_keep, tally_path(run, part), sealed)

    return tally


def _keep(path: Path, sealed: bytes) -> None:
    """Write a tally.  Raises RunError."""
    with writing(path):
        path.parent.mkdir(exist_ok=True)
    write_file(path, sealed)


def tally_path(run: Run, part: int) -> Path:
    """Where the tally of a part is kept."""
    return run.folder / TALLIES / part_path(run.folder, part).name


def is_kept(run: Run, part: int, nothing: Counts) -> bool:
    """Whether there is a tally of a part that can be used."""
    return _kept(tally_path(run, part), _identity(run, part, nothing)) is not None


def _identity(run: Run, part: int, nothing: Counts) -> dict[str, str]:
    """What the tally of a part says that it is of: run, games, and the code that counted them."""
    games = games_of_part(run.manifest, part)
    name = f"tally of games {games.start} to {games.stop - 1}"
    of_run = WorkFolder(RUN, run.folder, run.manifest).identity(name)
    code = _digest_of_code(type(nothing).__module__)
    return of_run | how_counted(run.manifest) | {"counted_by": code}


def _sealed(sums: Mapping[str, np.ndarray], said: Mapping[str, str]) -> bytes:
    """The bytes of a sealed Parquet file with a row for each number that is not 0."""
    flat = np.concatenate([array.ravel() for array in sums.values()])
    places = np.flatnonzero(flat)
    shapes = {name: array.shape for name, array in sums.items()}
    columns = {"place": np.diff(places, prepend=0), "count": flat[places]}
    return seal_table(
        pa.table(columns),
        {**said, _SHAPES: json.dumps(shapes)},
        compression="zstd",
        use_dictionary=False,
        write_statistics=False,
        column_encoding=dict.fromkeys(columns, "DELTA_BINARY_PACKED"),
    )


def _kept(path: Path, said: Mapping[str, str]) -> dict[str, np.ndarray] | None:
    """The sums in a file; None where it is missing, damaged or of something else."""
    try:
        table = open_table(read_file(path))
    except StoreError:
        raise
    except (RunError, OSError, ValueError):
        return None
    found = identity_of(table)
    shapes = json.loads(found.pop(_SHAPES, "{}"))
    if found != said:
        return None
    try:
        return _sums(table, shapes)
    except (LookupError, TypeError, ValueError):
        return None


def _sums(table: pa.Table, shapes: Mapping[str, Sequence[int]]) -> dict[str, np.ndarray]:
    """The arrays of those shapes that a table holds the numbers of.  Raises what NumPy raises."""
    size = sum(math.prod(shape) for shape in shapes.values())
    if size > MOST_BYTES // 8:
        raise ValueError("no tally has as many numbers")
    flat = np.zeros(size, np.int64)
    flat[np.cumsum(table["place"].to_numpy())] = table["count"].to_numpy()
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    arrays = zip(shapes.items(), np.split(flat, ends[:-1]), strict=True)
    return {name: array.reshape(shape) for (name, shape), array in arrays}


@cache
def _digest_of_code(module: str) -> str:
    """A digest of all sources that take part in counting, from the module of the counts."""
    return digest_of_sources(module, Path(str(sys.modules[module].__file__)))
