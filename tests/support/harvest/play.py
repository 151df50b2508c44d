"""How the game is played, and what a run of it is: ``GAME``."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from card_data.faults import unknown_word
from simcore.games import Game
from simcore.work.runs import RunSpec
from simcore.work.tasks import Task
from support.harvest.fairs import FAIR_FILE, Fair, read_fair

SEATS = 3
ROUNDS = range(3, 7)
PLAYERS = ("random", "careful", "bold")
#: Purposes of random numbers: the deal of lots, and the choices of each seat.
DEAL, CHOICE = 0, 1

RECORD = np.dtype(
    [
        ("game", np.int64),
        ("lots", np.int8, (ROUNDS[-1],)),  # number of the lot of each round, -1 after the last
        ("taken_by", np.int8, (ROUNDS[-1],)),  # seat, or -1
        ("points", np.int16, (SEATS,)),  # what the lots of each seat are worth
        ("decisions", np.int16),
        ("score", np.int8, (SEATS,)),  # 4 for the first place, 2 for the second, 0 for the third
    ]
)


class Farmers:
    """Plays games of a fair: the `RowPlayer` of its task."""

    def __init__(self, fair: Fair, rounds: int, seed: int, policies: Sequence[str]) -> None:
        self._worth = np.array([*fair.lots.values()])
        self._rank = self._worth.argsort(kind="stable").argsort(kind="stable") / len(self._worth)
        self._rounds, self._seed, self._policies = rounds, seed, policies

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with games ``first`` and following."""
        for place, record in enumerate(out):
            self._play(first + place, record)

    def _play(self, game: int, record: np.void) -> None:
        lots = self._numbers(game, DEAL).permutation(len(self._worth))[: self._rounds]
        orders = [self._numbers(game, CHOICE + seat).permutation(self._rounds) for seat in range(3)]
        hands = [[*range(self._rounds)] for _ in range(SEATS)]
        points, record["lots"], record["taken_by"] = [0] * SEATS, -1, -1
        for turn, lot in enumerate(lots):
            bids = [self._bid(seat, lot, hands[seat], orders[seat][turn]) for seat in range(SEATS)]
            alone = [bid for bid in bids if bids.count(bid) == 1]
            record["lots"][turn] = lot
            if alone:
                winner = bids.index(max(alone))
                record["taken_by"][turn] = winner
                points[winner] += int(self._worth[lot])
        record["game"], record["points"] = game, points
        record["decisions"] = SEATS * self._rounds
        record["score"] = [
            2 * sum(one > other for other in points) + sum(one == other for other in points) - 1
            for one in points
        ]

    def _bid(self, seat: int, lot: int, hand: list[int], shuffled: int) -> int:
        """The token that a seat puts on a lot; it leaves the hand."""
        if self._policies[seat] == "random":
            token = int(shuffled)
        elif self._policies[seat] == "bold":
            token = hand[-1]
        else:
            token = hand[int(self._rank[lot] * len(hand))]
        hand.remove(token)
        return token

    def _numbers(self, game: int, purpose: int) -> np.random.Generator:
        """The random numbers of one purpose in one game."""
        key = self._seed << 64 | game
        return np.random.Generator(np.random.Philox(key=key, counter=[0, 0, 0, purpose]))


def split_players(text: str) -> tuple[str, ...]:
    """Who plays: one player for all seats, or one for each.  Raises ValueError."""
    players = text.split(":")
    for player in players:
        if player not in PLAYERS:
            raise ValueError(unknown_word("player", player, PLAYERS))
    if len(players) not in (1, SEATS):
        raise ValueError(f"'{text}' names {len(players)} players; name one, or one for each seat")
    return (*players,) * (SEATS // len(players))


def new_run(
    fair: Fair, *, rounds: int, n_games: int, seed: int, policies: Sequence[str]
) -> RunSpec:
    """A run of so many games."""
    asked = {"rounds": rounds, "seed": seed, "policies": [*policies]}
    return RunSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings={
            "sets": [fair.name],
            "fair_hash": hashlib.sha256(fair.text).hexdigest(),
            "lots": [*fair.lots],
            **asked,
        },
        n_games=n_games,
        record=RECORD,
        task=Task(f"{__name__}:rebuild", asked, {FAIR_FILE: fair.text}),
        count=count_games,
        seats=SEATS,
        files={FAIR_FILE: fair.text},
    )


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Farmers:
    """Who plays a task, in any process."""
    return Farmers(read_fair(files[FAIR_FILE], FAIR_FILE), **settings)


def played_again(folder: Path, manifest: Mapping[str, Any]) -> RunSpec:
    """The run in a folder, as it was asked for."""
    asked = {name: manifest[name] for name in ("rounds", "seed", "policies")}
    fair = read_fair((folder / FAIR_FILE).read_bytes(), FAIR_FILE)
    return new_run(fair, n_games=manifest["games"], **asked)


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games, and those in which nobody was first alone."""
    return {"games": len(games), "shared": int((games["score"].max(axis=1) < 4).sum())}


GAME = Game(
    name="harvest",
    title="Harvest",
    rules_version=1,
    record=RECORD,
    seats=SEATS,
    settings={
        "sets": [str],
        "fair_hash": str,
        "lots": [str],
        "rounds": int,
        "seed": (range(2**63), [range(2**63)]),
        "policies": [str],
    },
    count=count_games,
    again=played_again,
)
