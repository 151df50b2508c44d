"""Games of a run, played once more and told: in words, or step by step."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from analysis.mindbug.contract import ANALYSIS
from analysis.mindbug.runs import Run
from analysis.replays import play_again
from card_data.mindbug.schema import Pool
from simcore.mindbug import compile_cards
from simcore.mindbug.face.replay import replay_game
from simcore.mindbug.face.steps import step_through
from simcore.narration import Replay, Stepped

_Told = TypeVar("_Told", Replay, Stepped)


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
    return next(replays(run, run.pool(), [game]))


def stepped(run: Run, game: int) -> Stepped:
    """Game number ``game`` of a run step by step, checked as in `replay`, which says the errors."""
    return next(_again(run, run.pool(), [game], step_through))


def replays(run: Run, pool: Pool, games: Iterable[int]) -> Iterator[Replay]:
    """The stories of several games, as `replay` tells them; ``pool`` is that of the run."""
    return _again(run, pool, games, replay_game)


def _again(
    run: Run, pool: Pool, games: Iterable[int], play: Callable[..., _Told]
) -> Iterator[_Told]:
    """Games with the cards of a run."""
    table, policies = compile_cards(pool), run.manifest["policies"]
    ANALYSIS.check_players(run)

    def told(seed: int, number: int) -> _Told:
        return play(table, seed=seed, game=number, policies=policies)

    return (play_again(run, game, told) for game in games)
