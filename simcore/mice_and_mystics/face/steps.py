"""A game from decision to decision: how it lay, what had happened, and what was decided."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from simcore.mice_and_mystics.face.game import Game, Thoughts
from simcore.mice_and_mystics.face.laid_out import Layout, laid_out
from simcore.mice_and_mystics.face.replay import _Narrator
from simcore.mice_and_mystics.face.seen import asked
from simcore.mice_and_mystics.table.table import Table
from simcore.narration import Step, StepNarrator, Stepped


class Move(NamedTuple):
    """A decision: the mouse by party index, what is asked, the options, the number of one chosen.

    ``options`` say what is done, and to which of several things, or "" where there are not several.
    ``thoughts`` is None where nothing is known of what the player thought.
    """

    mouse: int
    asked: str
    options: tuple[tuple[str, str], ...]
    chosen: int
    thoughts: Thoughts | None


def step_through(
    table: Table, *, seed: int, game: int, players: tuple[str, ...] = ("uniform",)
) -> Stepped:
    """Play game number ``game`` of a seed once more, step by step.

    Raises
    ------
    ValueError
        For a player that does not exist.
    """
    played = Game(table, seed=seed, game=game, players=players, to_decision=False)
    return Stepped(steps(played, Game.choose), played.record)


def steps(game: Game, choose: Callable[[Game], int]) -> tuple[Step, ...]:
    """Play a new game, made with ``to_decision=False``, to its end.

    ``choose`` gives the number of the option to take at each decision.
    """
    return _Stepping(game, choose).steps()


class _Stepping(StepNarrator, _Narrator):
    """Notes where the game stands at each decision."""

    def _layout(self) -> Layout:
        return laid_out(self)

    def _decided(self, chosen: int) -> Iterator[str]:
        """Note the decision; nothing is told of it."""
        options = tuple(self._book.phrases(self._now, self._figure_in_place))
        mouse = self._now["decider"]
        self._close(Move(mouse, asked(self), options, chosen, self.game.thoughts))
        yield from ()
