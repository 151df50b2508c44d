"""A chapter of Mice & Mystics as its judge sees it: one chance for the table, before each decision.

The judge is that of the player ``search``, a curve over what a position has that was fitted to
games of ``learned``.  What an option is worth is what comes of continuations, judged by that curve
after this round and the next.  That takes long, so in a story it is asked at some decisions only.
"""

from collections.abc import Sequence

import numpy as np

from analysis.questions.story import Words
from analysis.story_games import Seen
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.setup import Games
from simcore.work.tasks import Task

_KINDS = {
    int(point): kind
    for point, kind in (
        (words.D1, "action"),
        (words.D3, "move"),
        (words.D4, "card to keep"),
        (words.D5, "equipment"),
        (words.D6, "place"),
        (words.D9, "reaction"),
        (words.D10, "first ability"),
        (words.D11, "target"),
    )
}
# Parts of the continuations of each option; how many each has in a game that is looked at alone,
# and in a story, in which one in so many decisions has them.
_PARTS, _ALONE, _EACH, _ONE_IN = 8, 4, 2, 16


def judge_of(task: Task, record: np.dtype) -> "Judge":
    """The judge of the games of a run that is played."""
    games = task.player(record)
    assert isinstance(games, Games)
    assert isinstance(games.setup, ChapterSetup)
    return Judge(games.setup.table, games.seed, games.players)


class Judge:
    """Judges games of a table; the ``players`` decide where nobody says what was decided."""

    name = "search"
    words = Words(cards=[], names=[], turn="round", alone=True)

    def __init__(self, table: Table, seed: int, players: tuple[str, ...] = ("uniform",)) -> None:
        self._table, self._seed, self._players = table, seed, players

    def watch(
        self, number: int, taken: Sequence[int] | None = None
    ) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision."""
        game = Game(self._table, seed=self._seed, game=number, players=self._players)
        asked = np.random.default_rng((self._seed, number))
        seen, at = list[Seen](), 0
        while not game.over:
            chance = game.chance()
            chosen = game.choose() if taken is None else taken[at]
            view = np.array([chance, 1 - chance])
            one = Seen(at, int(game.state["round"]), 0, _KINDS.get(game.point, "a choice"), view)
            if taken is not None or asked.random() * _ONE_IN < 1:
                each = _EACH if taken is None else _ALONE
                lucks = [(self._seed, number, at, part) for part in range(_PARTS)]
                won = np.array([game.chances(each, luck) for luck in lucks])
                one = one.of_playouts(won, chosen)
            seen.append(one)
            game.step(chosen)
            at += 1
        result = float(game.outcome == Outcome.WIN)
        return seen, [result, 1 - result], int(game.state["round"])
