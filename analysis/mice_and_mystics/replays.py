"""Games of a run, played once more and told: in words, or step by step."""

from collections.abc import Callable
from typing import Any

from analysis.mice_and_mystics.contract import ANALYSIS, facts_of
from analysis.runs import Run, play_again
from simcore.mice_and_mystics.face.replay import replay_game
from simcore.mice_and_mystics.face.steps import step_through
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.narration import Replay, Stepped


def replay(run: Run, game: int) -> Replay:
    """Game number ``game`` of a run, told and checked against the record of that game.

    Raises RunError when the part or the facts are damaged, a player has other weights now, or this
    version plays the game otherwise; ValueError when the run has no such game.
    """
    found: Replay = _again(run, game, replay_game)
    return found


def stepped(run: Run, game: int) -> Stepped:
    """Game number ``game`` of a run step by step, checked as in `replay`, which says the errors."""
    found: Stepped = _again(run, game, step_through)
    return found


def _again(run: Run, game: int, play: Callable[..., Any]) -> Any:
    """One game with the facts of a run."""
    ANALYSIS.check_players(run)
    played, players = facts_of(run), tuple(run.manifest["policies"])
    table = compile_facts(played.data, played.settings)
    return play_again(
        run, game, lambda seed, number: play(table, seed=seed, game=number, players=players)
    )
