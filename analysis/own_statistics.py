"""Statistics of a person's own: a function that makes a table of a run."""

import os
from collections.abc import Callable

import pandas as pd
import pyarrow as pa

from analysis.games import analysis_of
from analysis.runs import Run, open_run
from analysis.tables import write_tables
from simcore.own_code import OwnCode, OwnCodeError, failure, use
from simcore.work.lock import holding


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
        The table, an index with names among its columns.  It is written as ``<name>.parquet`` and
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
    if table.index.names != [None]:
        table = table.reset_index()
    table.columns = table.columns.map(str)
    said = opened.identity | {
        "piece": f"table {name}",
        "statistic": own.text,
        "fingerprint": own.digest,
    }
    with holding(opened.folder):
        try:
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
