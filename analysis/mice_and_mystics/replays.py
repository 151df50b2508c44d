"""Games of a run, played once more and told: in words, or step by step."""

from typing import Protocol, TypeVar

import numpy as np

from analysis.mice_and_mystics.contract import ANALYSIS, facts_of
from analysis.runs import Run
from simcore.mice_and_mystics.face.replay import Replay, replay_game
from simcore.mice_and_mystics.face.steps import Stepped, step_through
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.table import Table
from simcore.sealed import RunError
from simcore.work.parts import deal_of, place_of


class _Played(Protocol):
    """A game that was played once more."""

    @property
    def record(self) -> np.void: ...


_Told_co = TypeVar("_Told_co", bound=_Played, covariant=True)


class _Player(Protocol[_Told_co]):
    """Plays a game once more, as `replay_game` does."""

    def __call__(
        self, table: Table, /, *, seed: int, game: int, players: tuple[str, ...]
    ) -> _Told_co: ...


def replay(run: Run, game: int) -> Replay:
    """Game number ``game`` of a run, told and checked against the record of that game.

    Raises RunError when the part or the facts are damaged, a player has other weights now, or this
    version plays the game otherwise; ValueError when the run has no such game.
    """
    return _again(run, game, replay_game)


def stepped(run: Run, game: int) -> Stepped:
    """Game number ``game`` of a run step by step, checked as in `replay`, which says the errors."""
    return _again(run, game, step_through)


def _again(run: Run, game: int, play: _Player[_Told_co]) -> _Told_co:
    """One game with the facts of a run."""
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    ANALYSIS.check_players(run)
    manifest, played = run.manifest, facts_of(run)
    part, place = place_of(manifest, game)
    seed, number = deal_of(manifest, game)
    told = play(
        compile_facts(played.data, played.settings),
        seed=seed,
        game=number,
        players=tuple(manifest["policies"]),
    )
    record = run.part(part)[place]
    record["game"] = number
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
