"""The games of a ladder: every player against every other, each deal from both sides.

A ladder's folder holds ``ladder.json`` (what was asked for, and with which versions), the pool as a
run folder does, and ``pairs/pair-00.parquet`` and following, one for each pair of players and one
row for each deal.  A file appears whole or not at all, so an interrupted ladder resumes with the
next pair.  How long each pair took is no result and stands apart, in ``timings.json``.
What the games say is in `analysis.mindbug.experiments.ladder`.

Other pairs than those of a ladder are played the same way (`Contest`): see
`analysis.mindbug.experiments.ablation`.
"""

import math
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from analysis.mindbug.experiments.usual import PAIR_GAMES, SEARCHING_PAIR_GAMES
from card_data.checksums import open_json, seal_json
from card_data.mindbug import pool_files
from card_data.mindbug.schema import Pool
from simcore.mindbug import RULES_VERSION, CardTable, parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.restrictions import BARRED, WAIVED
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.table.records import SEATS
from simcore.places import located
from simcore.random_streams import check_seed
from simcore.records import to_records
from simcore.sealed import RunError, faults, read_file, write_file
from simcore.setup import new_task, read_task
from simcore.work.folder import FolderKind, WorkFolder, begin, read_asked, versions_of
from simcore.work.lock import holding
from simcore.work.pieces import Finished, Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: One deal of a pair: ``result[p]`` is how the first player of the pair fared as player p, in
#: points: 1 won, 0 drawn, -1 lost.
DEAL_RECORD = np.dtype([("deal", np.int64), ("result", np.int8, (2,))])

_TIMINGS, _PAIR = "timings.json", "pair-"
# Deals that a worker plays in one go, and those of the first batch; of players who search.
_AT_ONCE, _FIRST_BATCH = 500, 16
_AT_ONCE_SEARCHING = 1


class Kind(NamedTuple):
    """What pairs meet for: their folder, and rows of deals.

    ``deal`` has the fields of DEAL_RECORD, perhaps with what was counted of the restrictions of the
    pair's first player.  From pair to pair the first deal is ``deals_apart`` later.
    """

    folder: FolderKind
    deal: np.dtype
    deals_apart: int


def folder_kind(noun: str, file: str, **asked: Any) -> FolderKind:
    """The folder of a kind of contest; ``asked`` is the shape of who was asked for."""
    shape = {**EXPERIMENT, "games": [range(2, 2**63)], "command": str, **asked}
    not_asked = ("versions", "command")
    return FolderKind(noun, file, 2, "pairs/pair-*.parquet", shape, not_asked, differing)


class Contest(Protocol):
    """What is to be played: pairs of players on a pool, each deal from both sides."""

    kind: ClassVar[Kind]

    @property
    def pool(self) -> Pool:
        """What is played with."""

    @property
    def seed(self) -> int:
        """Which deals are played."""

    @property
    def players(self) -> tuple[str, ...]:
        """Whose weights are written down."""

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""

    @property
    def asked(self) -> dict[str, Any]:
        """Who was asked for, as JSON values."""


@frozen
class Ladder:
    """What is to be played: a pool, players as `parse_player` reads them, games and seed.

    ``games`` are those of a pair, ``searching_games`` those of a pair with a player who searches;
    both are even, since each deal is played from both sides.
    """

    # Every pair has deals of its own, so that its result depends on no other.
    kind: ClassVar[Kind] = Kind(
        folder_kind("ladder", "ladder.json", players=[str]), DEAL_RECORD, 1_000_000_000
    )

    pool: Pool
    players: tuple[str, ...]
    games: int = PAIR_GAMES
    searching_games: int = SEARCHING_PAIR_GAMES
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        check_players(self.players)
        for games in (self.games, self.searching_games):
            check_games(games)

    @property
    def pairs(self) -> list[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""
        return [
            (one, other, self.searching_games if searches(one, other) else self.games)
            for one, other in combinations(self.players, 2)
        ]

    @property
    def asked(self) -> dict[str, Any]:
        """Who was asked for."""
        return {"players": list(self.players)}


class PairGames(NamedTuple):
    """The games of a pair: ``results`` are (n_deals, 2) int8, see `DEAL_RECORD`.

    ``seconds`` is the processor time that the games took, nan where that is not known.
    """

    player: str
    opponent: str
    results: npt.NDArray[np.int8]
    seconds: float


def check_games(games: int) -> None:
    """Raise ValueError unless a pair can play so many games."""
    if games < 2 or games % 2:
        raise ValueError(
            f"{games} games a pair cannot be played: each deal is played from both sides,"
            f" so it must be an even number from 2 on, for instance {max(games + 1, 2)}"
        )


def check_players(players: Sequence[str]) -> None:
    """Raise ValueError unless these are two or more different players.

    The message says what is wrong, what is allowed and what is nearest.
    """
    known: dict[Any, str] = {}
    for text in players:
        player = parse_player(text)
        if player in known:
            twice = f"{text!r} is named twice"
            if text != known[player]:
                twice = f"{known[player]!r} and {text!r} are the same player"
            raise ValueError(f"{twice}; every player of a ladder is another one")
        known[player] = text
    if len(known) < 2:
        raise ValueError(
            f"{', '.join(map(repr, players)) or 'nobody'} alone is no ladder; name two players or"
            " more, for instance 'random,greedy'"
        )


def play_pairs(
    contest: Contest,
    folder: str | os.PathLike[str],
    *,
    command: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
) -> None:
    """Play the pairs of a ladder or of another contest into ``folder``, or those that it lacks.

    Finished pairs are kept after their checksums have been verified; damaged ones are played again.
    ``command`` is written down as what made the folder; ``threads`` and ``executor`` are those of
    `simcore.work.pieces.Workers`, and the games do not depend on them.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for a pool or player that cannot be played, before anything is
    written.  KeyboardInterrupt loses the pairs that are being played, and no other.
    """
    folder, kind = located(folder), contest.kind.folder
    setup = PoolSetup(contest.pool)
    _ = setup.table  # finds cards that cannot be played before anything is written
    check_seed(contest.seed)
    asked = {
        **experiment_entries(contest.pool),
        **contest.asked,
        "weights": fingerprints(contest.players),
        "games": [games for *_, games in contest.pairs],
        "seed": contest.seed,
        "command": command,
        "versions": versions_of("numba", "numpy", "statsmodels"),
    }
    meter = Meter(sum(games for *_, games in contest.pairs), on_progress)
    workers = Workers(meter, threads=threads, executor=executor)
    with holding(folder), workers:
        begun = begin(kind, folder, asked, files=pool_files(contest.pool))
        timings = _Timings(folder)
        for _ in workers.finish(_pieces(contest, setup, begun), timings.note):
            pass


def _pieces(contest: Contest, setup: PoolSetup, folder: WorkFolder) -> Iterator[Piece]:
    """The pairs of a contest, as what is to be played."""
    kind = contest.kind
    for number, (one, other, games) in enumerate(contest.pairs):
        searching = searches(one, other)
        first = number * kind.deals_apart
        yield Piece(
            partial(_task, contest, setup, one, other),
            kind.deal,
            SEATS,
            range(first, first + games // 2),
            folder,
            _pair_file(number),
            _pair_name(number),
            at_once=_AT_ONCE_SEARCHING if searching else _AT_ONCE,
            first_batch=1 if searching else _FIRST_BATCH,
            units=2,
        )


def _task(contest: Contest, setup: PoolSetup, one: str, other: str) -> Task:
    """How a pair is played."""
    built = _Pair(setup.table, contest.seed, one, other)
    settings: dict[str, Any] = {"seed": contest.seed, "pair": [one, other]}
    return new_task(f"{__name__}:rebuild", [setup], (one, other), built, **settings)


class _Pair:
    """Plays deals of a pair, each from both sides: the `RowPlayer` of its task."""

    def __init__(self, table: CardTable, seed: int, one: str, other: str) -> None:
        self._table, self._seed = table, seed
        self._sides = (one, other), (other, one)

    @cached_property
    def _seated(self) -> list[npt.NDArray[np.void]]:
        """The table with both players, for each side of the first.  Compiles what they think."""
        return [seat(self._table, players) for players in self._sides]

    def play(self, first_deal: int, out: npt.NDArray[np.void]) -> None:
        """Fill ``out``, (n_deals,) of the rows of a contest, with ``first_deal`` and following."""
        out["deal"] = deals = np.arange(first_deal, first_deal + len(out))
        counted = "barred" in (out.dtype.names or ())
        for place, seated in enumerate(self._seated):
            limits = np.zeros((len(out), 2, 3), np.int32) if counted else None
            winner = play_rows(seated, seed=self._seed, games=deals, limits=limits)["winner"]
            out["result"][:, place] = np.where(winner < 0, 0, np.where(winner == place, 1, -1))
            if limits is not None:
                mine = limits[:, place]
                out["decisions"][:, place] = mine.sum(axis=1)
                out["barred"][:, place] = mine[:, BARRED]
                out["waived"][:, place] = mine[:, WAIVED]


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Pair:
    """The player of a pair's task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    return _Pair(setup.table, settings["seed"], *(players[player] for player in settings["pair"]))


class _Timings:
    """How long pairs took, in a file of the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seconds = _read_timings(folder)
        self._lock = threading.Lock()

    def note(self, pair: Finished) -> None:
        """Write down the time of a pair that was played."""
        if pair.seconds is None:
            return
        with self._lock:
            self._seconds[str(int(pair.piece.name.removeprefix(_PAIR)))] = pair.seconds
            write_file(self._folder / _TIMINGS, seal_json({"seconds": self._seconds}))


def pair_path(folder: Path, number: int) -> Path:
    """The file of the games of a pair."""
    return folder / _pair_file(number)


def _pair_file(number: int) -> str:
    return f"pairs/{_pair_name(number)}.parquet"


def _pair_name(number: int) -> str:
    return f"{_PAIR}{number:02}"


def read_ladder(folder: str | os.PathLike[str]) -> tuple[dict[str, Any], list[PairGames]]:
    """What was asked for in a ladder's folder, and the games of all its pairs.  Raises RunError."""
    manifest = read_contest(Ladder.kind, located(folder))
    pairs = list(combinations(manifest["players"], 2))
    played = read_pairs(Ladder.kind, located(folder), manifest, len(pairs))
    return manifest, [
        PairGames(*pair, deals["result"], seconds)
        for pair, (deals, seconds) in zip(pairs, played, strict=True)
    ]


def read_pairs(
    kind: Kind, folder: Path, manifest: dict[str, Any], n_pairs: int
) -> list[tuple[npt.NDArray[np.void], float]]:
    """The deals of each pair, (n_deals,) of ``kind.deal``, and the seconds that they took.

    Raises RunError.
    """
    timings = _read_timings(folder)
    contest = WorkFolder(kind.folder, folder, manifest)
    again = (
        f"repeat the command that made the {kind.folder.noun}: only missing pairs are played again"
    )
    tables = [
        contest.read(_pair_file(number), _pair_name(number), again=again)
        for number in range(n_pairs)
    ]
    return [
        (to_records(table, kind.deal, seats=SEATS), timings.get(str(number), math.nan))
        for number, table in enumerate(tables)
    ]


def speed_table(pairs: Sequence[tuple[str, str, int, float]]) -> pd.DataFrame:
    """The table ``speed`` of pairs: player, opponent, games, and seconds that these took."""
    table = pd.DataFrame(pairs, columns=["player", "opponent", "games", "seconds"])
    return table.assign(games_per_second=table["games"] / table["seconds"])


def read_contest(kind: Kind, folder: Path) -> dict[str, Any]:
    """What was asked for in a folder, and with which versions.  Raises RunError."""
    manifest = read_asked(kind.folder, folder)
    path = folder / kind.folder.file
    if manifest["game"] != "mindbug":
        raise RunError(f"{path} is of the game {manifest['game']!r}, not of mindbug")
    if manifest["rules_version"] != RULES_VERSION:
        raise RunError(
            f"{path} was played under rules version {manifest['rules_version']}, this is version"
            f" {RULES_VERSION}; play it again into a new folder with this version of fairdeal"
        )
    return manifest


def _read_timings(folder: Path) -> dict[str, float]:
    """Processor seconds by the number of the pair, as far as they are known.

    Raises RunError for a file that is damaged: without it the speeds would be missing, unsaid.
    """
    path = folder / _TIMINGS
    try:
        timings = open_json(read_file(path))
        if bad := faults(timings, {"seconds": {str: float}}):
            raise ValueError(f"no valid {', '.join(bad)}")
    except FileNotFoundError:
        return {}
    except ValueError as error:
        told = "it holds nothing but how long the pairs took"
        raise RunError(f"{path} is damaged: {error}; remove it: {told}") from error
    return dict(timings["seconds"])


def searches(*players: str) -> bool:
    """Whether one of the players is slow, as those are who decide by simulated games."""
    return any(parse_player(player).is_slow for player in players)
