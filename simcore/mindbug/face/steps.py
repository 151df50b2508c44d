"""A game from decision to decision: how it lay, what had happened, and what was decided."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from attrs import asdict

from simcore.mindbug.face import replay_text as words
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.laid_out import Layout, laid_out
from simcore.mindbug.face.options import Option
from simcore.mindbug.face.replay import _Narrator
from simcore.mindbug.table.card_table import CardTable
from simcore.narration import Step, StepNarrator, Stepped


class Move(NamedTuple):
    """A decision: who takes it, what is asked, the options in words, and the one that was chosen.

    ``thoughts`` says what the player thought of each option, as chances of a victory or in points;
    it is empty where nothing is known of that.
    """

    player: int
    asked: str
    options: tuple[str, ...]
    chosen: int
    thoughts: tuple[str, ...] = ()
    in_points: bool = False


def step_through(
    table: CardTable, *, seed: int, game: int, policies: Sequence[str] = ("random", "random")
) -> Stepped:
    """Play game number ``game`` of a seed once more, step by step.

    Raises
    ------
    ValueError
        For a policy that does not exist.
    """
    played = Game(table, seed=seed, game=game, to_decision=False)
    found = steps(played, lambda game: game.choose(policies[game.decider]))
    return Stepped(found, played.record())


def steps(game: Game, choose: Callable[[Game], int]) -> tuple[Step, ...]:
    """Play a game on; nothing is hidden.

    ``game`` stands before a turn: it was made with ``to_decision=False``.  ``choose`` gives the
    number of the option to take at each decision.
    """
    return _Stepping(game, choose).steps()


class _Stepping(StepNarrator, _Narrator):
    """Notes where the game stands at each decision."""

    def _layout(self) -> Layout:
        return laid_out(self)

    def _decided(self, options: Sequence[Option], chosen: int) -> Iterator[str]:
        """Note the decision; nothing is told of it."""
        game = self.game
        texts = [self._option(game.decision, option, options) for option in options]
        thoughts, in_points = list[str](), False
        if game.thoughts is not None:
            thoughts = words.thoughts_text(**asdict(game.thoughts))
            in_points = not (game.thoughts.searched or game.thoughts.looked_ahead)
        for number in game.barred:
            texts[number] += words.NEVER
            thoughts[number : number + 1] = [""]
        move = game.decider, self._asked_in_full(), tuple(texts), chosen, tuple(thoughts), in_points
        self._close(Move(*move))
        yield from ()
