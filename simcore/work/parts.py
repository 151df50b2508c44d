"""The folder of a run: its manifest, and its parts, of which each holds the same number of games.

The manifest is written before the first part and once more with the counts when the last part is
done.  A finished run can be made longer: ``begun_with`` then holds how many whole parts it had, and
their counts, until the last part is done.  Where a stopping rule ends the run, ``until`` says
which, ``games`` is at first the number at most and in the end the number played, and ``stopped``
what the rule saw then.

A run can be merged from runs of several seeds.  Its ``seed`` is the list of these, and ``merged``
says of each how many games it has, and how many a part.  Their parts follow each other, each of
them sealed as the part of its own run that it is; `deal_of` says as what a game is played again.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from attrs import frozen

from card_data.toml_files import REPEAT
from simcore.commands import command
from simcore.sealed import RunError, Shape
from simcore.work.folder import VERSIONS, FolderKind, WorkFolder, read_asked, write_asked

#: The file that says what was asked of a run.
MANIFEST = "manifest.json"
#: What helps where files that a run was played with are not what they were.
ANEW = "repeat the command that made the run, which writes them anew"

#: Parts of fewer games are counted again, which takes no longer than to read what was counted.
LEAST_GAMES = 16_384

#: The entry that says how games are counted, of a game in which that may change while the games
#: stay as they are.
COUNTED = "counted"
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
        "begun_with": ({"parts": _SOME, "counts": {str: _COUNT}}, None),
        "merged": ([{"games": _SOME, "part_games": _SOME}], None),
    },
    ("versions", "counts", "stopped", "begun_with", COUNTED),
    grows="games",
    cut=("part_games",),
)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of a run (values of JSON) to ``folder``."""
    write_asked(RUN, folder, manifest)


def read_manifest(folder: Path, more: Mapping[Any, Shape] | None = None) -> dict[str, Any]:
    """The manifest of the run in ``folder``, as `read_asked` reads it.

    ``counts`` is None while the run is unfinished.  Raises RunError.
    """
    manifest = read_asked(RUN, folder, more)
    manifest.setdefault("counts", None)
    return manifest


@frozen
class Source:
    """A run of one seed in a run: all of it, but where several were merged.

    ``manifest`` is that of the one seed.  Its games are counted from ``first_game`` on in the whole
    run, its parts from ``first_part`` on.
    """

    manifest: dict[str, Any]
    first_game: int
    first_part: int

    @property
    def n_parts(self) -> int:
        """How many parts it has."""
        return -(-int(self.manifest["games"]) // int(self.manifest["part_games"]))

    def games_of(self, part: int) -> range:
        """The games of a part, both as they are counted in this run alone."""
        games, most = int(self.manifest["games"]), int(self.manifest["part_games"])
        return range(part * most, min((part + 1) * most, games))


def sources(manifest: Mapping[str, Any]) -> list[Source]:
    """The runs of one seed in a run, in the order of their games."""
    whole = {name: one for name, one in manifest.items() if name != "merged"}
    if not manifest.get("merged"):
        return [Source(whole, 0, 0)]
    found: list[Source] = []
    games = parts = 0
    for seed, one in zip(manifest["seed"], manifest["merged"], strict=True):
        found.append(Source({**whole, "seed": seed, **one}, games, parts))
        games, parts = games + one["games"], parts + found[-1].n_parts
    return found


def _source_of_part(manifest: Mapping[str, Any], part: int) -> Source:
    return next(one for one in reversed(sources(manifest)) if one.first_part <= part)


def _source_of_game(manifest: Mapping[str, Any], game: int) -> Source:
    return next(one for one in reversed(sources(manifest)) if one.first_game <= game)


def n_parts(manifest: Mapping[str, Any]) -> int:
    """How many parts the run has when it is finished."""
    last = sources(manifest)[-1]
    return last.first_part + last.n_parts


def games_of_part(manifest: Mapping[str, Any], part: int) -> range:
    """The numbers of the games in part number ``part``."""
    source = _source_of_part(manifest, part)
    games, first = source.games_of(part - source.first_part), source.first_game
    return range(first + games.start, first + games.stop)


def place_of(manifest: Mapping[str, Any], game: int) -> tuple[int, int]:
    """The part that has a game, and the game's place in it."""
    source = _source_of_game(manifest, game)
    part, place = divmod(game - source.first_game, int(source.manifest["part_games"]))
    return source.first_part + part, place


def deal_of(manifest: Mapping[str, Any], game: int) -> tuple[int, int]:
    """The seed and the number of that seed as which a game of a run is played again."""
    source = _source_of_game(manifest, game)
    return source.manifest["seed"], game - source.first_game


def fresh_seed(seed: int) -> int:
    """The seed of fresh games: those of two seeds have nothing in common."""
    return seed + 1 if seed < 2**63 - 1 else 0


def seeds_text(manifest: Mapping[str, Any]) -> str:
    """The seed of a run, or those of the runs that it was merged from."""
    seed = manifest["seed"]
    return ", ".join(map(str, seed)) if isinstance(seed, list) else str(seed)


def part_file(part: int) -> str:
    """The file of part number ``part``, as a path in the folder of the run."""
    return f"games/part-{part:05}.parquet"


def part_name(part: int) -> str:
    """What part number ``part`` is called in its identity."""
    return f"part {part}"


def lost_parts(folder: Path, manifest: Mapping[str, Any]) -> list[int]:
    """The parts of a finished run that are not there."""
    there = {path.relative_to(folder).as_posix() for path in folder.glob("games/part-*")}
    return [part for part in range(n_parts(manifest)) if part_file(part) not in there]


def part_path(folder: Path, part: int) -> Path:
    """The file of part number ``part``."""
    return folder / part_file(part)


class PartOf(NamedTuple):
    """To what a part of a run belongs: the run of one seed, and its name and its games there."""

    folder: WorkFolder
    name: str
    games: range


def unreadable(what: str, told: str) -> RunError:
    """The error of files that a run was played with; it says once what to do about them."""
    end = "" if told[-1:] in (".", "?") else "."
    advice = "" if REPEAT in told else f" {ANEW[0].upper()}{ANEW[1:]}."
    return RunError(f"{what} cannot be read: {told}{end}{advice}")


def part_of(folder: Path, manifest: Mapping[str, Any], part: int) -> PartOf:
    """The run of one seed that part number ``part`` of a run belongs to."""
    source = _source_of_part(manifest, part)
    number = part - source.first_part
    run = WorkFolder(RUN, folder, source.manifest)
    return PartOf(run, part_name(number), source.games_of(number))


def read_part(
    folder: Path, manifest: Mapping[str, Any], part: int, wanted: Sequence[str] | None = None
) -> pa.Table:
    """The games of one part (see `decode_part`), checksum and identity verified.

    Games have the numbers that they have in the run of their seed alone.  Raises RunError when the
    part is missing or damaged or belongs to another run.
    """
    again = f"'{command('runs', 'repair', folder)}' plays its games again, and no others"
    run, name, games = part_of(folder, manifest, part)
    most = len(games)
    table = run.read(part_file(part), name, again=again, wanted=wanted, most_rows=most)
    if table.num_rows != len(games):
        path = part_path(folder, part)
        raise RunError(f"{path} has another number of games than it should have; {again}")
    return table
