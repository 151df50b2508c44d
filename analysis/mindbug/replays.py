"""Games of a run, played once more and told: in words, or step by step."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

import numpy as np

from analysis.mindbug.contract import ANALYSIS
from analysis.mindbug.runs import Run
from card_data.mindbug.schema import Pool
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.face.replay import Replay, replay_game
from simcore.mindbug.face.steps import Stepped, step_through
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
        self, table: CardTable, /, *, seed: int, game: int, policies: list[str]
    ) -> _Told_co: ...


def replay(run: Run, game: int) -> Replay:
    """The story of game number ``game`` of a run, checked against the record of that game.

    Raises
    ------
    RunError
        When the part or the cards are damaged, a player has other weights now, or this version
        plays the game otherwise.
    ValueError
        When the run has no such game.
    """
    pool = run.pool()
    ANALYSIS.check_players(run)
    return _again(run, game, compile_cards(pool), replay_game)


def stepped(run: Run, game: int) -> Stepped:
    """Game number ``game`` of a run step by step, checked as in `replay`, which says the errors."""
    pool = run.pool()
    ANALYSIS.check_players(run)
    return _again(run, game, compile_cards(pool), step_through)


def replays(run: Run, pool: Pool, games: Iterable[int]) -> Iterator[Replay]:
    """The stories of several games, as `replay` tells them; ``pool`` is that of the run."""
    table = compile_cards(pool)
    ANALYSIS.check_players(run)
    return (_again(run, game, table, replay_game) for game in games)


def _again(run: Run, game: int, table: CardTable, play: _Player[_Told_co]) -> _Told_co:
    """One game with the cards of a run."""
    if not 0 <= game < run.n_games:
        raise ValueError(f"there is no game {game}; the run has games 0 to {run.n_games - 1}")
    manifest = run.manifest
    part, place = place_of(manifest, game)
    seed, number = deal_of(manifest, game)
    record = run.part(part)[place]
    record["game"] = number
    told = play(table, seed=seed, game=number, policies=manifest["policies"])
    if record != told.record:
        raise RunError(
            f"game {game} of {run.folder} was played by another version of the engine; play the run"
            " again into a new folder"
        )
    return told
