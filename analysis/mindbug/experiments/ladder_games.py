"""The games of a ladder: every player against every other, each deal from both sides.

A ladder's folder holds ``ladder.json`` (what was asked for, and with which versions), the pool as a
run folder does, and ``pairs/pair-00.parquet`` and following, one for each pair of players and one
row for each deal.  A file appears whole or not at all, so a ladder that was interrupted goes on
with the next pair.  How long each pair took is no result and stands apart, in ``timings.json``.
What the games say is in `analysis.mindbug.experiments.ladder`.

Other pairs than those of a ladder are played the same way (`Contest`): see
`analysis.mindbug.experiments.ablation`.
"""

import math
import os
import platform
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from attrs import frozen

from card_data.mindbug import pool_files, pool_hash
from card_data.mindbug.schema import Pool
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards, parse_player, play_games
from simcore.mindbug.play.asked import plain_modes
from simcore.mindbug.players.restrictions import BARRED, WAIVED
from simcore.mindbug.players.seats import fingerprints
from simcore.records import encode_part, to_records
from simcore.sealed import RunError, faults, open_json, read_file, seal_json, write_file
from simcore.work.folder import VERSIONS, FolderKind, begin, identity, read_asked, read_piece
from simcore.work.lock import holding

#: Games of a pair, and of one with a player who searches, unless something else is asked for.
GAMES = 20_000
SEARCHING_GAMES = 400
#: One deal of a pair: ``result[p]`` is how the first player of the pair fared as player p, in
#: points: 1 won, 0 drawn, -1 lost.
DEAL_RECORD = np.dtype([("deal", np.int64), ("result", np.int8, (2,))])

#: Called with (games done, games in all), from one thread at a time.
Progress = Callable[[int, int], None]

#: What is asked of every contest.
_ASKED = {
    "game": str,
    "rules_version": int,
    "sets": [str],
    "set_names": [str],
    "modes": dict,
    "pool_hash": str,
    "weights": {str: str},
    "games": [range(2, 2**63)],
    "seed": range(2**63),
    "command": str,
    "versions": VERSIONS,
}
_TIMINGS = "timings.json"
# Deals are played in batches of about this long, between which progress and Ctrl-C are looked at.
_BATCH_SECONDS = 0.1


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
    not_asked = ("versions", "command", "set_names")
    return FolderKind(noun, file, 2, "pairs/pair-*.parquet", {**_ASKED, **asked}, not_asked)


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
    games: int = GAMES
    searching_games: int = SEARCHING_GAMES
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
    on_progress: Progress | None = None,
) -> None:
    """Play the pairs of a ladder or of another contest into ``folder``, or those that it lacks.

    Finished pairs are kept after their checksums have been verified; damaged ones are played again.
    ``command`` is written down as what made the folder; ``threads`` defaults to the number of
    processors, and the games do not depend on it.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for a pool or player that cannot be played, before anything is
    written.  KeyboardInterrupt loses the pair that is being played, and no other.
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    table = compile_cards(contest.pool.sets, contest.pool.modes)
    versions = {name: version(name) for name in ("balancelab", "numba", "numpy", "statsmodels")}
    asked = {
        **_asked(contest),
        "command": command,
        "versions": {"python": platform.python_version(), **versions},
    }
    with holding(Path(folder)):
        files = pool_files(contest.pool)
        manifest = begin(contest.kind.folder, Path(folder), asked, files=files)
        _play_missing(contest, table, dict(manifest.manifest), Path(folder), threads, on_progress)


def _play_missing(
    contest: Contest,
    table: CardTable,
    manifest: dict[str, Any],
    folder: Path,
    threads: int,
    on_progress: Progress | None,
) -> None:
    """Play the pairs that a folder lacks in which nobody else works."""
    kind = contest.kind
    worker, timings = _Worker(table, contest, on_progress), _read_timings(folder)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for number, (*players, games) in enumerate(contest.pairs):
                path = pair_path(folder, number)
                if path.exists() and _is_whole(kind, path, manifest):
                    worker.advance(games)
                    continue
                deals = np.zeros(games // 2, kind.deal)
                deals["deal"] = number * kind.deals_apart + np.arange(len(deals))
                work = _Deals(deals, searches(*players))
                shares = [
                    pool.submit(worker.play, work, players[0], players[1]) for _ in range(threads)
                ]
                timings[str(number)] = math.fsum(share.result() for share in shares)
                write_file(folder / _TIMINGS, seal_json({"seconds": timings}))
                said = identity(kind.folder, manifest, path.stem)
                write_file(path, encode_part(work.records, said))
        except BaseException:
            worker.stopped.set()
            pool.shutdown(cancel_futures=True)
            raise


def pair_path(folder: Path, number: int) -> Path:
    """The file of the games of a pair."""
    return folder / "pairs" / f"pair-{number:02}.parquet"


def read_ladder(folder: str | os.PathLike[str]) -> tuple[dict[str, Any], list[PairGames]]:
    """What was asked for in a ladder's folder, and the games of all its pairs.  Raises RunError."""
    manifest = read_contest(Ladder.kind, Path(folder))
    pairs = list(combinations(manifest["players"], 2))
    played = read_pairs(Ladder.kind, Path(folder), manifest, len(pairs))
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
    return [
        (_read_pair(kind, pair_path(folder, number), manifest), timings.get(str(number), math.nan))
        for number in range(n_pairs)
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
            f" {RULES_VERSION}; play it again into a new folder with this version of balancelab"
        )
    return manifest


def _read_timings(folder: Path) -> dict[str, float]:
    """Processor seconds by the number of the pair, as far as they are known."""
    try:
        timings = open_json(read_file(folder / _TIMINGS))
    except (OSError, ValueError, RunError):
        return {}
    return {} if faults(timings, {"seconds": {str: float}}) else dict(timings["seconds"])


def searches(*players: str) -> bool:
    """Whether one of them plays simulated games before he decides."""
    return any(parse_player(player).simulations for player in players)


def _asked(contest: Contest) -> dict[str, Any]:
    """Everything that the games depend on, as JSON values.  Raises ValueError."""
    return {
        "game": "mindbug",
        "rules_version": RULES_VERSION,
        "sets": [card_set.set_id for card_set in contest.pool.sets],
        "set_names": [card_set.name for card_set in contest.pool.sets],
        "modes": plain_modes(contest.pool.modes),
        "pool_hash": pool_hash(contest.pool),
        **contest.asked,
        "weights": fingerprints(contest.players),
        "games": [games for *_, games in contest.pairs],
        "seed": contest.seed,
    }


def _is_whole(kind: Kind, path: Path, manifest: dict[str, Any]) -> bool:
    try:
        _read_pair(kind, path, manifest)
    except RunError:
        return False
    return True


def _read_pair(kind: Kind, path: Path, manifest: dict[str, Any]) -> npt.NDArray[np.void]:
    """The deals of a pair.  Raises RunError."""
    again = (
        f"repeat the command that made the {kind.folder.noun}: only missing pairs are played again"
    )
    said = identity(kind.folder, manifest, path.stem)
    return to_records(read_piece(kind.folder, path, said, again), kind.deal)


class _Deals:
    """The deals of a pair, given out in batches to the threads that play them."""

    def __init__(self, records: npt.NDArray[np.void], searching: bool) -> None:
        self.records = records
        self._lock = threading.Lock()
        self._given = 0
        self._batch = 1 if searching else 16

    def take(self) -> npt.NDArray[np.void]:
        """The rows of the next batch, to be filled; none when all have been given out."""
        with self._lock:
            low = self._given
            self._given = min(low + self._batch, len(self.records))
            return self.records[low : self._given]

    def took(self, n_deals: int, seconds: float) -> None:
        """Let batches grow while they are too short."""
        with self._lock:
            if seconds < _BATCH_SECONDS / 2 and n_deals == self._batch:
                self._batch *= 2


class _Worker:
    """Plays deals; shared by the threads of a contest."""

    def __init__(self, table: CardTable, contest: Contest, on_progress: Progress | None) -> None:
        self.stopped = threading.Event()
        self._table = table
        self._seed = contest.seed
        self._games = sum(games for *_, games in contest.pairs)
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._done = 0

    def play(self, work: _Deals, one: str, other: str) -> float:
        """Play batches of ``work`` while there are any; the processor time that they took."""
        total = 0.0
        while len(batch := work.take()):
            if self.stopped.is_set():
                raise CancelledError
            started = time.thread_time()
            counted = "barred" in (batch.dtype.names or ())
            for place, policies in enumerate(((one, other), (other, one))):
                limits = np.zeros((len(batch), 2, 3), np.int32) if counted else None
                games = play_games(
                    self._table,
                    n_games=len(batch),
                    seed=self._seed,
                    first_game=int(batch["deal"][0]),
                    policies=policies,
                    limits=limits,
                )
                winner = games["winner"]
                batch["result"][:, place] = np.where(
                    winner < 0, 0, np.where(winner == place, 1, -1)
                )
                if limits is not None:
                    mine = limits[:, place]
                    batch["decisions"][:, place] = mine.sum(axis=1)
                    batch["barred"][:, place] = mine[:, BARRED]
                    batch["waived"][:, place] = mine[:, WAIVED]
            seconds = time.thread_time() - started
            work.took(len(batch), seconds)
            self.advance(2 * len(batch))
            total += seconds
        return total

    def advance(self, n_games: int) -> None:
        """Count games as done and say so."""
        with self._lock:
            self._done += n_games
            if self._on_progress:
                self._on_progress(self._done, self._games)
