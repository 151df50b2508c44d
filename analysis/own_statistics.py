"""Statistics of a person's own: a table by a function of theirs, and rows to make one from."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pandas.api.types import is_integer_dtype

from analysis.games import analysis_of
from analysis.runs import Run, open_run
from analysis.tables import write_tables
from card_data.checksums import checksum_of
from simcore.own_code import OwnCode, OwnCodeError, failure, use
from simcore.places import written_aside
from simcore.sealed import tell_of_writing, writing
from simcore.work.lock import holding
from simcore.work.progress import Progress

#: The name of the table, and of its file.
CARD_GAMES = "card_games"


def write_statistic(
    run: str | os.PathLike[str], code: str | Callable[[Run], pd.DataFrame]
) -> pd.DataFrame:
    """Make a table of a run with a function of a person's own, and write it to ``tables/``.

    Parameters
    ----------
    run
        A finished run, or its folder.
    code
        ``FILE.py:FUNCTION``, whose file is run, or a function.  It takes the run, with its
        `Run.games` and `Run.parts`, and returns a DataFrame.

    Returns
    -------
    DataFrame
        The table, with its index among the columns unless that has no name and only numbers rows.
        It is written as ``<name>.parquet`` and
        ``<name>.csv`` under the name of the function, with its spelling and the fingerprint of its
        source in the metadata of the former.

    Raises
    ------
    OwnCodeError
        When the function cannot be loaded, fails, or returns something else, or is called like a
        table of fairdeal.
    RunError
        When the run is missing or damaged, or the table cannot be written.
    """
    own, opened = use(code), open_run(run)
    name = statistic_name(opened.game.name, own)
    try:
        table = own.function(opened)
    except (Exception, SystemExit) as error:
        raise OwnCodeError(f"{own.text} of {opened.folder}: {failure(own, error)}") from error
    if not isinstance(table, pd.DataFrame):
        raise OwnCodeError(
            f"{own.text} returned {type(table).__name__}; return a table, a pandas DataFrame"
        )
    said = opened.identity | {
        "piece": f"table {name}",
        "statistic": own.text,
        "fingerprint": own.digest,
    }
    with holding(opened.folder):
        try:
            if table.index.names != [None] or not is_integer_dtype(table.index):
                table = table.reset_index()
            table.columns = table.columns.map(str)
            write_tables({name: table}, opened.folder, said)
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise OwnCodeError(
                f"{own.text} returned a table that Parquet cannot hold: {error}"
            ) from error
    return table


def statistic_name(game: str, own: OwnCode) -> str:
    """What the table of a function is called.  Raises OwnCodeError for a name that is taken."""
    name = own.text.rpartition(":")[2]
    if name in analysis_of(game).all_tables:
        raise OwnCodeError(f"{own.text}: there is a table {name!r} already; rename the function")
    return name


def card_games(run: str | os.PathLike[str], parts: Iterable[int] | None = None) -> pd.DataFrame:
    """One row for each game, player and card of a run; every column is a plain number or text.

    Parameters
    ----------
    run
        A finished run, or its folder.
    parts
        Numbers of parts of the run, of at most 65,536 games each (``run.n_parts``); default: all.
        A game may give dozens of rows, so take a large run part by part, or use the file
        that ``fairdeal analyze RUN --card-games`` writes, `write_card_games`.

    Returns
    -------
    DataFrame
        The columns of the table ``card_games`` in ``docs/columns.md``.

    Raises
    ------
    RunError
        When the run is missing, unfinished or damaged, or its game has no such rows.
    ValueError
        When the run has no such part, one is named twice, or none.
    """
    opened = open_run(run)
    wanted = [*(range(opened.n_parts) if parts is None else parts)]
    if twice := [part for part, n in Counter(wanted).items() if n > 1]:
        raise ValueError(f"part {twice[0]} is named twice; its games would count twice")
    if not wanted:
        raise ValueError("no part is named; leave parts out for all of them")
    return pd.concat(_rows(opened, wanted), ignore_index=True)


def write_card_games(run: str | os.PathLike[str], *, on_progress: Progress | None = None) -> Path:
    """Write `card_games` of a finished run to ``tables/card_games.parquet``; the path of the file.

    It is written part by part, so memory does not grow with the games, and put into its place when
    it is whole; one that holds this already is left as it is.  What it is of stands in its
    metadata, as in every table.  Raises what `card_games` raises, and RunError when it cannot be
    written or another process works in the folder.
    """
    opened = open_run(run)
    path = opened.folder / "tables" / f"{CARD_GAMES}.parquet"
    said = opened.identity | {"piece": f"table {CARD_GAMES}"}
    schema = _schema(opened).with_metadata(said)
    with holding(opened.folder), writing(path):
        path.parent.mkdir(exist_ok=True)
        if _holds(path, schema):
            return path
        tell_of_writing(path, None)
        with (
            written_aside(path) as aside,
            pq.ParquetWriter(aside, schema, compression="zstd", write_page_checksum=True) as file,
        ):
            for part, rows in enumerate(_rows(opened, range(opened.n_parts))):
                file.write_table(pa.Table.from_pandas(rows, schema, preserve_index=False))
                if on_progress:
                    on_progress(part + 1, opened.n_parts)
        tell_of_writing(path, checksum_of(path))
    return path


def _holds(path: Path, schema: pa.Schema) -> bool:
    """Whether a file has these columns and is of this run."""
    try:
        with path.open("rb") as file:
            return bool(pq.read_schema(file).equals(schema, check_metadata=True))
    except (OSError, pa.ArrowInvalid):
        return False


def _rows(run: Run, parts: Iterable[int]) -> Iterator[pd.DataFrame]:
    """The rows of each part."""
    analysis = analysis_of(run.game.name)
    return (analysis.card_games(run, run.part(part)) for part in parts)


def _schema(run: Run) -> pa.Schema:
    """The plain types of the columns, as the table is registered.  Raises RunError without it."""
    analysis = analysis_of(run.game.name)
    if CARD_GAMES not in analysis.all_tables:
        analysis.card_games(run, run.part(0)[:0])
    types = analysis.all_tables[CARD_GAMES].types
    return pa.schema(
        (name, pa.string() if kind == "text" else pa.type_for_alias(kind))
        for name, kind in types.items()
    )
