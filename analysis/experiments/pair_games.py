"""The games of pairs of players: on each deal they exchange seats, with the same cards and luck.

A `Contest` says who meets whom.  Its folder holds what was asked for, and with which versions, what
was played with, and ``pairs/pair-00.parquet`` and following, one for each pair of players and one
row for each deal.  A file appears whole or not at all, so what was interrupted resumes with the
next pair.  How long each pair took is not a result and stands apart, in ``timings.json``.

In a ladder, ``ladder.json``, every player meets every other; what its games say is in
`analysis.experiments.ladder`.
"""

import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from card_data.checksums import open_json, seal_json
from simcore.arrays import Records
from simcore.places import located
from simcore.random_streams import check_seed
from simcore.records import to_records
from simcore.sealed import RunError, Shape, faults, read_file, write_file
from simcore.work.folder import (
    VERSIONS,
    FolderKind,
    WorkFolder,
    begin,
    difference,
    read_asked,
    versions_of,
)
from simcore.work.hands import Who
from simcore.work.lock import holding
from simcore.work.pieces import Finished, Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: From one pair of a ladder to the next the first deal is so much later: a pair's result depends on
#: no other.
DEALS_APART = 1_000_000_000

_TIMINGS, _PAIR = "timings.json", "pair-"
# Deals that a worker plays in one go, and those of the first batch.
_AT_ONCE, _FIRST_BATCH = 500, 16


def deal_record(n_games: int) -> np.dtype:
    """The record of a deal: ``result[k]`` is how the first player of the pair fared in its game k.

    In points: 1 won, 0 drawn, -1 lost.
    """
    return np.dtype([("deal", np.int64), ("result", np.int8, (n_games,))])


class ContestKind(NamedTuple):
    """What pairs of a game meet for: the folder, of which game and version of its rules.

    ``version`` is None where each folder says by itself whether its rules are those of today.  From
    pair to pair the first deal is ``deals_apart`` later.
    """

    folder: FolderKind
    game: str
    version: int | None
    deals_apart: int


def folder_kind(
    noun: str,
    file: str,
    differing: Callable[[Mapping[str, Any], Mapping[str, Any]], str] = difference,
    **asked: Any,
) -> FolderKind:
    """The folder of a kind of contest; ``asked`` is the shape of what is asked in its game."""
    shape: dict[Any, Shape] = {
        "game": str,
        "rules_version": int,
        **asked,
        "games": [range(1, 2**63)],
        "seed": range(2**63),
        "command": str,
        "versions": VERSIONS,
    }
    not_asked = ("versions", "command")
    return FolderKind(noun, file, 2, "pairs/pair-*.parquet", shape, not_asked, differing)


class Contest(Protocol):
    """What is to be played: pairs of players, each deal with seats exchanged."""

    @property
    def kind(self) -> ContestKind:
        """What they meet for."""

    @property
    def deal(self) -> np.dtype:
        """The record of a deal: the fields of `deal_record`, perhaps with others behind."""

    @property
    def seed(self) -> int:
        """Which deals are played."""

    @property
    def pairs(self) -> Sequence[tuple[str, str, int]]:
        """Both players of each pair, and the games that they play."""

    @property
    def asked(self) -> Mapping[str, Any]:
        """Who is asked for, and what they play with, as JSON values."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """What they play with, as files of the folder."""

    def task(self, one: str, other: str) -> Task:
        """How a pair is played."""

    def is_slow(self, one: str, other: str) -> bool:
        """Whether a pair thinks so long that a deal is work enough for a worker."""


def pairs_of(players: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of a ladder: every player and every other."""
    return [*combinations(players, 2)]


class PairGames(NamedTuple):
    """The games of a pair: ``results`` are (n_deals, n_games) int8, see `deal_record`.

    ``seconds`` is the processor time that the games took, nan where that is not known.
    """

    player: str
    opponent: str
    results: npt.NDArray[np.int8]
    seconds: float


def check_games(games: int, of_deal: int) -> None:
    """Raise ValueError unless ``games`` is a multiple of ``of_deal``, the games of one deal."""
    if games < of_deal or games % of_deal:
        often = "from both sides" if of_deal == 2 else f"{of_deal} times, with seats exchanged"
        wanted = f"a multiple of {of_deal}" if of_deal > 2 else "an even number from 2 on"
        nearest = max(-(-games // of_deal), 1) * of_deal
        raise ValueError(
            f"{games} games a pair cannot be played: each deal is played {often},"
            f" so it must be {wanted}, for instance {nearest}"
        )


def check_players(players: Sequence[str], read: Callable[[str], Any], example: str = "") -> None:
    """Raise ValueError unless these are two or more different players.

    ``read`` is what a player is, however it is spelled, and raises ValueError for one who is not
    known.  The message says what is wrong, and what is right, as in the ``example``.
    """
    known: dict[Any, str] = {}
    for text in players:
        player = read(text)
        if player in known:
            twice = f"{text!r} is named twice"
            if text != known[player]:
                twice = f"{known[player]!r} and {text!r} are the same player"
            raise ValueError(f"{twice}; every player of a ladder is another one")
        known[player] = text
    if len(known) < 2:
        raise ValueError(
            f"{', '.join(map(repr, players)) or 'nobody'} alone is not a ladder; name two"
            f" players or more, for instance {example!r}"
        )


def play_pairs(
    contest: Contest,
    folder: str | os.PathLike[str],
    *,
    command: str = "",
    on_progress: Progress | None = None,
    **who: Unpack[Who],
) -> None:
    """Play the pairs of a contest into ``folder``, or those that it lacks.

    Finished pairs are kept after their checksums have been verified; damaged ones are played again.
    ``command`` is written down as what made the folder; ``who`` plays, as
    `simcore.work.pieces.Workers` takes it, and the games do not depend on it.

    Raises RunError when the folder holds something else or cannot be written or another process
    works there, and ValueError for what cannot be played, before anything is written.
    KeyboardInterrupt loses the pairs that are being played, and no other.
    """
    folder, kind = located(folder), contest.kind.folder
    check_seed(contest.seed)
    if not (folder / kind.file).exists():
        # No games: finds what cannot be played before anything is written.
        for one, other, _ in contest.pairs:
            contest.task(one, other).player(contest.deal).play(0, np.empty(0, contest.deal))
    asked = {
        "game": contest.kind.game,
        **contest.asked,
        "games": [games for *_, games in contest.pairs],
        "seed": contest.seed,
        "command": command,
        "versions": versions_of("numba", "numpy", "statsmodels"),
    }
    meter = Meter(sum(games for *_, games in contest.pairs), on_progress)
    workers = Workers(meter, **who)
    with holding(folder), workers:
        begun = begin(kind, folder, asked, files=contest.files)
        timings = _Timings(folder)
        for _ in workers.finish(_pieces(contest, begun), timings.note):
            pass


def _pieces(contest: Contest, folder: WorkFolder) -> Iterator[Piece]:
    """The pairs of a contest, as what is to be played."""
    of_deal = games_of_deal(contest.deal)
    for number, (one, other, games) in enumerate(contest.pairs):
        slow = contest.is_slow(one, other)
        first = number * contest.kind.deals_apart
        yield Piece(
            partial(contest.task, one, other),
            contest.deal,
            of_deal,
            range(first, first + games // of_deal),
            folder,
            _pair_file(number),
            _pair_name(number),
            at_once=1 if slow else _AT_ONCE,
            first_batch=1 if slow else _FIRST_BATCH,
            units=of_deal,
        )


def games_of_deal(deal: np.dtype) -> int:
    """How many games are played on a deal."""
    return int(deal["result"].shape[0])


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


def _pair_file(number: int) -> str:
    return f"pairs/{_pair_name(number)}.parquet"


def _pair_name(number: int) -> str:
    return f"{_PAIR}{number:02}"


def read_ladder(
    kind: ContestKind, folder: str | os.PathLike[str]
) -> tuple[dict[str, Any], list[PairGames]]:
    """What was asked for in a ladder's folder, and the games of all its pairs.  Raises RunError."""
    manifest = read_contest(kind, located(folder))
    pairs = pairs_of(manifest["players"])
    deal = deal_record(manifest.get("games_of_deal", 2))
    played = read_pairs(kind, located(folder), manifest, deal, len(pairs))
    return manifest, [
        PairGames(*pair, deals["result"], seconds)
        for pair, (deals, seconds) in zip(pairs, played, strict=True)
    ]


def read_pairs(
    kind: ContestKind, folder: Path, manifest: dict[str, Any], deal: np.dtype, n_pairs: int
) -> list[tuple[Records, float]]:
    """The deals of each pair, (n_deals,) of their record, and the seconds that they took.

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
        (to_records(table, deal, seats=games_of_deal(deal)), timings.get(str(number), math.nan))
        for number, table in enumerate(tables)
    ]


def speed_table(pairs: Sequence[tuple[str, str, int, float]]) -> pd.DataFrame:
    """The table ``speed`` of pairs: player, opponent, games, and seconds that these took."""
    table = pd.DataFrame(pairs, columns=["player", "opponent", "games", "seconds"])
    return table.assign(games_per_second=table["games"] / table["seconds"])


def read_contest(kind: ContestKind, folder: Path) -> dict[str, Any]:
    """What was asked for in a folder, and with which versions.  Raises RunError."""
    manifest = read_asked(kind.folder, folder)
    path = folder / kind.folder.file
    if manifest["game"] != kind.game:
        raise RunError(f"{path} is of the game {manifest['game']!r}, not of {kind.game}")
    if kind.version not in (None, manifest["rules_version"]):
        raise RunError(
            f"{path} was played under rules version {manifest['rules_version']}, this is version"
            f" {kind.version}; play it again into a new folder with this version of fairdeal"
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
