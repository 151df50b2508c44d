"""The games of a verdict that came out otherwise, which the table tells."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reports.studio.bench import Decided

if TYPE_CHECKING:
    import pandas as pd

    from analysis.registry import Table
    from simcore.work.folder import FolderKind


def decided_games(
    kind: "FolderKind",
    table: "Table",
    folder: Path,
    words: "Callable[[pd.Series], str]",
    turn: "Callable[[pd.Series], int]",
) -> list[Decided]:
    """The rows of the table of a verdict in ``folder``; ``turn`` is where a game is of interest.

    Raises RunError.
    """
    from analysis.tables import read_table
    from simcore.work.folder import identity, read_asked

    said = identity(kind, read_asked(kind, folder), "")
    rows = read_table(kind, folder, table, said, "ask for the verdict again")
    return [Decided(words(row), "run", int(row["game"]), turn(row)) for _, row in rows.iterrows()]
