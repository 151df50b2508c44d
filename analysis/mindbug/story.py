"""Mindbug as a judge sees it: each decision with the chances of its options."""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from analysis.mindbug.runs import open_run
from analysis.questions.story import Words
from analysis.runs import Run
from analysis.story_games import Seen
from simcore.mindbug.face.game import Game
from simcore.mindbug.play.run import PoolGames
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import parse_player
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.compile_cards import compile_cards
from simcore.mindbug.table.state import Decision
from simcore.work.parts import deal_of
from simcore.work.tasks import Task

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


def judge_of(task: Task, record: np.dtype) -> "Judge":
    """The judge of the games of a run that is played."""
    games = task.player(record)
    assert isinstance(games, PoolGames)
    return Judge(games.setup.table, games.seed, games.players)


def judge_in(run: Run, game: int) -> "Judge":
    """The judge of a game of a run."""
    found = open_run(run.folder)
    return Judge(compile_cards(found.pool()), deal_of(run.manifest, game)[0])


class Judge:
    """Those of the ``players`` who think in chances, where they decide; else ``expert``."""

    #: Who judges games of players who know no chances.
    name = "expert"

    def __init__(self, table: CardTable, seed: int, players: Sequence[str] = ()) -> None:
        self._table, self._seed, self._players = table, seed, players
        self._places = {card.card_id: n for n, card in enumerate(table.cards)}
        self.words = Words(
            cards=[card.card_id for card in table.cards],
            names=[card.name for card in table.cards],
        )

    def watch(
        self, number: int, taken: Sequence[int] | None = None
    ) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision."""
        game, seen, at = Game(self._table, seed=self._seed, game=number), list[Seen](), 0
        while not game.over:
            player = self.name if taken is not None else self._players[game.decider]
            judges = taken is None and _says_chances(player)
            if judges:
                chosen = game.choose(player)
            else:
                game.choose(self.name, luck=(self._seed, number, at))
            chances = _chances(game)
            if not judges:
                chosen = game.choose(player) if taken is None else taken[at]
            if chances is not None:
                seen.append(self._seen(game, at, chances, chosen))
            game.step(chosen)
            at += 1
        turns = max(int(game.snapshot()["turn"]), seen[-1].turn if seen else 1)
        won = game.winner
        return seen, [0.5, 0.5] if won < 0 else [float(won == 0), float(won == 1)], turns

    def _seen(self, game: Game, at: int, chances: np.ndarray, chosen: int) -> Seen:
        option, turn, seat = game.options[chosen], int(game._states[0]["turn"]), game.decider
        own = np.nanmax(chances) if np.isnan(chances[chosen]) else chances[chosen]
        view = np.array([own, 1 - own] if seat == 0 else [1 - own, own])
        card = self._places.get(game.card(option.slot).card_id, -1) if option.word == "play" else -1
        kind = _KINDS.get(game.decision, _TARGETS)
        return Seen(at, turn, seat, kind, view, seat, card).of_options(chances, chosen)


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
