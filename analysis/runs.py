"""Open a run folder of any game and read its games: part by part, or as one DataFrame.

Everything read is verified: a part with a flipped bit, or of another run, is an error that names
the file and says what to do, never a wrong table.
"""

import json
import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from attrs import frozen

from card_data.checksums import open_json
from card_data.html import html_table
from simcore.games import Game, UnknownGameError, find, game, game_of, names
from simcore.places import located
from simcore.records import columns_of, layout_of, to_records
from simcore.sealed import RunError, Shape, read_file
from simcore.work.folder import identity
from simcore.work.lock import check_nobody_works
from simcore.work.parts import (
    COUNTED,
    MANIFEST,
    RUN,
    deal_of,
    games_of_part,
    lost_parts,
    n_parts,
    part_path,
    place_of,
    read_manifest,
    read_part,
    seeds_text,
)

_AGAIN = "play the run again into a new folder with this version of fairdeal"


@frozen
class Run:
    """A finished run.

    ``manifest`` holds what was asked for (``game``, ``seed``, ``policies`` with one player for each
    seat, ``games``, and what else the game has settings for), the package ``versions`` and the
    ``counts`` of the game.
    """

    folder: Path
    manifest: dict[str, Any]

    def __fspath__(self) -> str:
        """The folder: a run can stand wherever its folder can."""
        return str(self.folder)

    def __repr__(self) -> str:
        """What was played, in one line."""
        return f"Run({', '.join(f'{name} {value}' for name, value in self.facts())})"

    def _repr_html_(self) -> str:
        """What was played, as a notebook shows it."""
        return html_table(("run", str(self.folder)), self.facts()[:-1])

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know of a run, the folder last."""
        return [
            ("of", self.game.title),
            ("games", f"{self.n_games:,}"),
            ("players", self.game.players_text(self.manifest["policies"])),
            ("seed", seeds_text(self.manifest)),
            ("folder", str(self.folder)),
        ]

    @property
    def game(self) -> Game:
        """The game that was played."""
        return game_of(self.manifest)

    @property
    def seed(self) -> int:
        """The seed of the run.  Raises RunError where it was merged from runs of several."""
        seed = self.manifest["seed"]
        if isinstance(seed, list):
            raise RunError(
                f"{self.folder} was merged from runs of the seeds {seeds_text(self.manifest)}; name"
                " one of these runs"
            )
        return int(seed)

    @property
    def n_games(self) -> int:
        """Number of games of the run."""
        return int(self.manifest["games"])

    @property
    def n_parts(self) -> int:
        """Number of parts of the run."""
        return n_parts(self.manifest)

    @property
    def identity(self) -> dict[str, str]:
        """What tables made of all its games say that they are of."""
        return identity_of_run(self.manifest)

    def parts(self) -> Iterator[np.ndarray]:
        """The games in order, one part at a time.

        Each part is a structured array of the dtype of the game's records and of shape
        (n_games_of_part,), with at most 65,536 games.  Raises RunError at a part that is missing or
        damaged.
        """
        for part in range(self.n_parts):
            yield self.part(part)

    def part(self, part: int) -> np.ndarray:
        """The games of one part, as in `parts`; may be called from several threads at once.

        Raises ValueError where there is no such part.
        """
        if operator.index(part) not in range(self.n_parts):
            last = self.n_parts - 1
            raise ValueError(f"there is no part {part}; the run has parts 0 to {last}")
        games = to_records(self._table(part), self.game.record, seats=self.game.seats)
        games["game"] += self._shift(part)
        return games

    def _table(self, part: int, wanted: Sequence[str] | None = None) -> pa.Table:
        """The columns of a part that are ``wanted``, which have the types that games have."""
        table = read_part(self.folder, self.manifest, part, wanted)
        types = dict(zip(table.schema.names, table.schema.types, strict=True))
        for column, _, _, kind in columns_of(self.game.record, self.game.seats):
            item = pa.from_numpy_dtype(kind.base)
            expected = pa.list_(item, *kind.shape) if kind.shape else item
            if (wanted is None or column in wanted) and types.get(column) != expected:
                path = part_path(self.folder, part)
                raise RunError(f"{path} has no column {column} of the right type; {_AGAIN}")
        return table

    def _shift(self, part: int) -> int:
        """What is added to the numbers in a part; in a merged run each seed begins with 0 there."""
        games = games_of_part(self.manifest, part)
        return games.start - deal_of(self.manifest, games.start)[1]

    def games(self, columns: Sequence[str] | str | None = None) -> pd.DataFrame:
        """All games, one row each, with ``columns`` in the order given (default: all), or one.

        Lists are Arrow-backed: ``df["cards"].list[3]`` is the number at place 3,
        ``np.stack(df["cards"])`` an array with a row for each game.  Name the columns that you need
        of a large run.

        Raises RunError at a part that is missing or damaged, ValueError for an unknown column.
        """
        known = [column for column, *_ in columns_of(self.game.record, self.game.seats)]
        wanted = (
            known if columns is None else [columns] if isinstance(columns, str) else list(columns)
        )
        if unknown := [column for column in wanted if column not in known]:
            raise ValueError(f"no column {unknown[0]!r} in a run; there are: {', '.join(known)}")
        tables = []
        for part in range(self.n_parts):
            table = self._table(part, wanted).select(wanted)
            if (shift := self._shift(part)) and "game" in wanted:
                place = table.schema.get_field_index("game")
                numbers = pc.add(table["game"], shift)
                table = table.set_column(place, table.schema.field(place), numbers)
            tables.append(table)
        return pa.concat_tables(tables).to_pandas(types_mapper=_list_type, split_blocks=True)


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open the finished run in ``folder``, as the class that its game has for runs.

    Raises RunError, naming the file and what to do, when there is no such folder or no manifest in
    it, when the manifest is damaged or was written under other rules or with another record layout,
    when there is no such game, the run is not finished or a part is missing.  Damage inside a part
    is found when the part is read.
    """
    run = open_manifest(located(folder))
    folder, manifest = run.folder, run.manifest
    missing = next(iter(lost_parts(folder, manifest)), None)
    repeat = "run the command that made the run again to resume"
    finished = manifest["counts"] and ("until" not in manifest or manifest.get("stopped"))
    if missing is not None or not finished:
        check_nobody_works(folder)
    if missing is not None:
        raise RunError(f"{part_path(folder, missing)} is missing; {repeat}")
    if not finished:
        raise RunError(f"{folder} holds a run that is not finished; {repeat}")
    return run


def open_manifest(folder: Path) -> Run:
    """A run that may be unfinished, or lack parts.  Raises RunError as `open_run` does."""
    path = folder / MANIFEST
    manifest = read_manifest(folder, _settings_of(path))
    try:
        played = game_of(manifest)
    except UnknownGameError as error:
        raise RunError(f"{path} cannot be read: {error}") from None
    if manifest["rules_version"] != played.rules_version:
        raise RunError(
            f"{path} was played under rules version {manifest['rules_version']}, this is version"
            f" {played.rules_version}; {_AGAIN}"
        )
    if manifest["record_layout"] != layout_of(played.record, seats=played.seats):
        raise RunError(f"{path} was written with another record layout; {_AGAIN}")
    if len(manifest["policies"]) not in played.player_numbers:
        raise RunError(f"{path} is damaged: no valid policies; {_AGAIN}")
    run: Run = find(played.name, "analysis").open(Run(folder, manifest))
    return run


def _settings_of(path: Path) -> Mapping[Any, Shape] | None:
    """The shape of the settings of the game in a manifest; None if that does not say which."""
    try:
        name = open_json(read_file(path)).get("game")
    except (RunError, OSError, ValueError):
        return None
    return game(name).settings if name in names() else None


def identity_of_run(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What is said of everything made of all games of a run: what was asked, and the outcome."""
    outcome = json.dumps(manifest["counts"], sort_keys=True)
    return identity(RUN, manifest, "") | {"counts": outcome} | how_counted(manifest)


def same_run(manifest: Mapping[str, Any], *settings: str) -> str:
    """What says of which run a table is; a run that goes on to more games is the same.

    ``settings`` are the entries of the manifest that say what is played.
    """
    names = "rules_version", *settings, "policies", "weights", "seed"
    said = {name: manifest[name] for name in names if name in manifest}
    return json.dumps(said, sort_keys=True)


def how_counted(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What is said besides of everything that is counted, where a game is not always counted so."""
    return {one: json.dumps(manifest[one], sort_keys=True) for one in (COUNTED,) if one in manifest}


def _list_type(arrow_type: pa.DataType) -> pd.ArrowDtype | None:
    """Keep lists in Arrow's memory instead of one Python object for each row."""
    return pd.ArrowDtype(arrow_type) if pa.types.is_fixed_size_list(arrow_type) else None


class _Played(Protocol):
    """A game that was played once more."""

    @property
    def record(self) -> np.void: ...


_Told = TypeVar("_Told", bound=_Played)


def _record(run: Run, game: int) -> np.void:
    """The record of a game.  Raises ValueError where the run has no such game."""
    if run.manifest.get("dealt"):  # games with a card, which are some of those of the seed
        for games in run.parts():
            for record in games[games["game"] == game]:
                return record
        raise ValueError(f"there is no game {game} in the run: nobody is dealt the card in it")
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    part, place = place_of(run.manifest, game)
    return run.part(part)[place]


def play_again(run: Run, game: int, play: Callable[[int, int], _Told]) -> _Told:
    """Game number ``game`` of a run, as ``play`` tells it from its seed and its number there.

    Raises RunError when the part is damaged or this version plays the game otherwise, ValueError
    when the run has no such game.
    """
    record = _record(run, game)
    seed, number = deal_of(run.manifest, game)
    record["game"] = number
    told = play(seed, number)
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
