"""Mindbug as a judge sees it: each decision with the chances of its options."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.special import expit

from analysis.questions.story import Words
from analysis.story_games import Seen
from simcore.mindbug.face.game import Game
from simcore.mindbug.play.run import PoolGames
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import parse_player
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import Decision
from simcore.work.tasks import Task

#: Who judges games of players who know no chances.
JUDGE = "expert"
_KINDS = {
    Decision.ACTION: "play or attack",
    Decision.MINDBUG: "Mindbug",
    Decision.HUNT: "whom the hunter hunts",
    Decision.BLOCK: "block",
    Decision.SECOND_ATTACK: "attack again",
    Decision.DISCARD: "discard",
    Decision.ORDER: "order of effects",
    Decision.BOOST: "boost",
    Decision.BUY: "power to buy",
    Decision.REROLL: "roll again",
    Decision.DICE_ORDER: "order of dice",
}
_TARGETS = "target of an effect"


def judge_of(task: Task, record: np.dtype) -> "_Judge":
    """The judge of the games of a run."""
    games = task.player(record)
    assert isinstance(games, PoolGames)
    return _Judge(games)


class _Judge:
    def __init__(self, games: PoolGames) -> None:
        self._table, self._seed, self._players = games.setup.table, games.seed, games.players
        self._places = {card.card_id: n for n, card in enumerate(self._table.cards)}

    @cached_property
    def words(self) -> Words:
        """What the numbers mean."""
        return Words(
            cards=[card.card_id for card in self._table.cards],
            names=[card.name for card in self._table.cards],
        )

    def watch(self, number: int) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision."""
        game = Game(self._table, seed=self._seed, game=number)
        seen: list[Seen] = []
        while not game.over:
            seat, player = game.decider, self._players[game.decider]
            if not _says_chances(player):
                game.choose(JUDGE, luck=(self._seed, number, len(seen)))
                chances, chosen = _chances(game), game.choose(player)
            else:
                chosen = game.choose(player)
                chances = _chances(game)
            if chances is not None:
                seen.append(self._seen(game, seat, chances, chosen))
            game.step(chosen)
        turns = max(int(game.snapshot()["turn"]), seen[-1].turn if seen else 1)
        won = game.winner
        return seen, [0.5, 0.5] if won < 0 else [float(won == 0), float(won == 1)], turns

    def _seen(self, game: Game, seat: int, chances: np.ndarray, chosen: int) -> Seen:
        option, turn = game.options[chosen], int(game._states[0]["turn"])
        if np.isnan(chances[chosen]):
            chances = np.where(np.isnan(chances), np.nanmax(chances), chances)
        card = self._places.get(game.card(option.slot).card_id, -1) if option.word == "play" else -1
        kind = _KINDS.get(game.decision, _TARGETS)
        return Seen.of_options(turn, seat, kind, chances, chosen, card)


def chances_in(
    table: CardTable, seed: int, number: int, taken: Sequence[int]
) -> list[tuple[int, np.ndarray | None]]:
    """Whose each decision of a game is, and the chances that its options give them.

    ``taken`` are the options that were taken.  A chance is nan for an option that is barred, and
    there are none where there was nothing to think about.
    """
    game, found = Game(table, seed=seed, game=number), list[tuple[int, np.ndarray | None]]()
    for place, option in enumerate(taken):
        game.choose(JUDGE, luck=(seed, number, place))
        found.append((game.decider, _chances(game)))
        game.step(option)
    return found


def _chances(game: Game) -> np.ndarray | None:
    """The chances that whoever has just been asked sees in their options; None for no thought."""
    if (thoughts := game.thoughts) is None:
        return None
    values = np.array(thoughts.values)
    return values if thoughts.searched else np.asarray(expit(values))


def _says_chances(player: str) -> bool:
    """Whether a player thinks in chances of a victory."""
    policy = POLICIES[parse_player(player).policy]
    return policy.searches or policy.levels > 0
