"""A chapter of Mice & Mystics as its judge sees it: one chance for the table, before each decision.

The judge is that of the player ``search``, a curve over what a position has that was fitted to
games of ``learned``.  It sees no options, so what a choice is worth is not known.
"""

from collections.abc import Sequence

import numpy as np

from analysis.questions.story import Words
from analysis.story_games import Seen
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.table.records import Outcome
from simcore.setup import Games
from simcore.work.tasks import Task


def judge_of(task: Task, record: np.dtype) -> "_Judge":
    """The judge of the games of a run."""
    games = task.player(record)
    assert isinstance(games, Games)
    return _Judge(games)


class _Judge:
    words = Words(cards=[], names=[], turn="round", alone=True)

    def __init__(self, games: Games) -> None:
        setup = games.setup
        assert isinstance(setup, ChapterSetup)
        self._table, self._seed, self._players = setup.table, games.seed, games.players

    def watch(self, number: int) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision."""
        game = Game(self._table, seed=self._seed, game=number, players=self._players)
        seen = []
        while not game.over:
            chance = game.chance()
            view = np.array([chance, 1 - chance])
            seen.append(Seen(int(game.state["round"]), 0, "a choice", view))
            game.step(game.choose())
        won = float(game.outcome == Outcome.WIN)
        return seen, [won, 1 - won], int(game.state["round"])
