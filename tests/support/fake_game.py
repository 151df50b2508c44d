"""A game without rules for tests of the runner: every number is a hash of seed and game.

As a program it plays a run, slowly, so that a test can kill it::

    python -m support.fake_game FOLDER N_GAMES SECONDS_PER_BATCH
"""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import frozen

from simcore.work.runs import RunSpec, run_games
from simcore.work.tasks import Task

FAKE_RECORD = np.dtype(
    [
        ("game", np.int64),
        ("winner", np.int8),  # -1 = draw
        ("life", np.int16, (2,)),
        ("cards", np.int16, (20,)),
        ("played", np.uint64, (2,)),
        ("offers", np.uint8, (20,)),
    ],
    align=True,
)


def fake_games(seed: int, first_game: int, n_games: int) -> np.ndarray:
    """Games ``first_game`` and following, a structured array of dtype FAKE_RECORD."""
    out = np.empty(n_games, FAKE_RECORD)
    out["game"] = np.arange(first_game, first_game + n_games)
    bits = [_hash(out["game"].astype(np.uint64) + np.uint64(seed << 40), k) for k in range(4)]
    out["winner"] = (bits[0] % np.uint64(3)).astype(np.int8) - 1
    out["life"] = np.stack(bits[:2], axis=1).view(np.int16)[:, ::4]
    out["played"] = np.stack(bits[:2], axis=1)
    shifts = np.arange(20, dtype=np.uint64)
    out["cards"] = bits[2][:, None] >> shifts & np.uint64(31)
    out["offers"] = bits[3][:, None] >> shifts & np.uint64(1)
    return out


def fake_spec(
    n_games: int,
    *,
    seed: int = 0,
    seconds_per_batch: float = 0.0,
    play: Callable[[int, np.ndarray], None] | None = None,
    files: Mapping[str, bytes] | None = None,
    **changes: Any,
) -> RunSpec:
    """A run of ``n_games`` fake games; ``changes`` replaces other fields of the spec.

    ``play`` plays them in this process in place of the game.
    """
    settings = {"seed": seed, "seconds_per_batch": seconds_per_batch}
    fields: dict[str, Any] = {
        "game": "fake",
        "rules_version": 1,
        "settings": {"seed": seed},
        "n_games": n_games,
        "record": FAKE_RECORD,
        "seats": 2,
        "task": fake_task(settings, play),
        "count": count_games,
        "files": files or {},
    }
    return RunSpec(**{**fields, **changes})


def fake_task(
    settings: Mapping[str, Any], play: Callable[[int, np.ndarray], None] | None = None
) -> Task:
    """The task of a run of fake games."""
    built = None if play is None else Played(play)
    return Task("support.fake_game:rebuild", settings, built=built)


@frozen
class Played:
    """A `RowPlayer` that is a function."""

    play: Callable[[int, np.ndarray], None]


@frozen
class FakeGames:
    """Plays fake games, as slowly as asked."""

    seed: int
    seconds_per_batch: float

    def play(self, first_game: int, out: np.ndarray) -> None:
        """Fill ``out`` with games ``first_game`` and following."""
        time.sleep(self.seconds_per_batch)
        out[...] = fake_games(self.seed, first_game, len(out))


def rebuild(settings: Mapping[str, Any], _files: Mapping[str, bytes]) -> FakeGames:
    """The player of a task, in any process."""
    return FakeGames(**settings)


def count_games(games: np.ndarray) -> dict[str, int]:
    """Games and draws."""
    return {"games": len(games), "draws": int((games["winner"] < 0).sum())}


def _hash(numbers: np.ndarray, k: int) -> np.ndarray:
    """The finaliser of splitmix64 for (number, k)."""
    z = (numbers * np.uint64(4) + np.uint64(k)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


if __name__ == "__main__":
    run_games(
        fake_spec(int(sys.argv[2]), seconds_per_batch=float(sys.argv[3])), sys.argv[1], threads=2
    )
