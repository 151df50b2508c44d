"""The folder of a run: its manifest, and its parts, of which each holds the same number of games.

The manifest is written before the first part and once more with the counts when the last part is
done.  Where a stopping rule ends the run, ``until`` says which, ``games`` is at first the number at
most and in the end the number played, and ``stopped`` what the rule saw then.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from simcore.sealed import RunError, Shape
from simcore.work.folder import VERSIONS, FolderKind, WorkFolder, read_asked, write_asked

#: The file that says what was asked of a run.
MANIFEST = "manifest.json"

_COUNT = range(2**63)
_SOME = range(1, 2**63)
#: A run; what a game adds to its entries is that game's business.
RUN = FolderKind(
    "run",
    MANIFEST,
    2,
    "games/part-*.parquet",
    {
        "game": str,
        "rules_version": int,
        "record_layout": str,
        "games": _SOME,
        "part_games": _SOME,
        "versions": VERSIONS,
        "counts": ({"games": _COUNT, str: _COUNT}, None),
        "until": (dict, None),
        "stopped": (dict, None),
    },
    ("versions", "counts", "stopped"),
)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run (values of JSON) to ``folder``."""
    write_asked(RUN, folder, manifest)


def read_manifest(folder: Path, more: Mapping[Any, Shape] | None = None) -> dict[str, Any]:
    """The manifest of the run in ``folder``, as `read_asked` reads it.

    ``counts`` is None while the run is unfinished.  Raises RunError.
    """
    return read_asked(RUN, folder, more)


def n_parts(manifest: dict[str, Any]) -> int:
    """How many parts the run has when it is finished."""
    games, part_games = int(manifest["games"]), int(manifest["part_games"])
    return -(-games // part_games)


def games_of_part(manifest: dict[str, Any], part: int) -> range:
    """The numbers of the games in part number ``part``."""
    first, most = part * int(manifest["part_games"]), int(manifest["part_games"])
    return range(first, min(first + most, int(manifest["games"])))


def part_file(part: int) -> str:
    """The file of part number ``part``, as a path in the folder of the run."""
    return f"games/part-{part:05}.parquet"


def part_name(part: int) -> str:
    """What part number ``part`` is called in its identity."""
    return f"part {part}"


def part_path(folder: Path, part: int) -> Path:
    """The file of part number ``part``."""
    return folder / part_file(part)


def read_part(
    folder: Path, manifest: dict[str, Any], part: int, wanted: Sequence[str] | None = None
) -> pa.Table:
    """The games of one part (see `decode_part`), checksum and identity verified.

    Raises RunError when the part is missing or damaged or belongs to another run.
    """
    again = "delete it and repeat the command that made the run: only its games are played again"
    run = WorkFolder(RUN, folder, manifest)
    table = run.read(part_file(part), part_name(part), again=again, wanted=wanted)
    if table.num_rows != len(games_of_part(manifest, part)):
        path = part_path(folder, part)
        raise RunError(f"{path} has another number of games than it should have; {again}")
    return table
