"""A game that somebody brings as a judge sees it: by playouts of games that a seat may imagine.

Quick players of the game play them on, and random ones in place of those who look ahead.
"""

from collections.abc import Sequence

import numpy as np

from analysis.playtests import wins
from analysis.questions.story import Words
from analysis.story_games import Seen
from card_data.schema import Entry
from simcore.contract.luck import Luck, address_of
from simcore.contract.play import Play
from simcore.contract.rules import (
    MOST_DECISIONS,
    Option,
    Rules,
    carry_out,
    endless,
    options_of,
    shown,
)
from simcore.own_games.setup import OwnSetup
from simcore.setup import Games
from simcore.work.tasks import Task

# Playouts behind the option that is taken; behind each other one at most, and behind all together:
# half of them say which option is best, and the other half how good it is.
_TAKEN, _EACH, _ALL = 32, 8, 24
# A seat below this chance is beaten; playouts behind each of its options where others may win, and
# by how many standard errors these must differ to be told.
_BEATEN, _KINGS, _SHOWN = 0.05, 64, 2.0


def judge_of(task: Task, record: np.dtype) -> "_Judge":
    """The judge of the games of a run."""
    games = task.player(record)
    assert isinstance(games, Games)
    return _Judge(games)


class _Judge:
    def __init__(self, games: Games) -> None:
        setup = games.setup
        assert isinstance(setup, OwnSetup)
        self._table, self._seed, self._players = setup.table, games.seed, games.players
        game = self._table.game
        self._teams = game.teams_of(self._table.seats)
        self._functions = [game.players.get(player) for player in self._players]
        self.words = Words(
            cards=[card.id for card in self._table.cards],
            names=[card.name for card in self._table.cards],
            turn="decision",
            alone=len(self._teams) == 1,
        )

    def watch(self, number: int) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision; where there is one option nothing is asked."""
        play = Play(self._table, self._seed, number)
        seen: list[Seen] = []
        with play.telling():
            while not play.over:
                chosen = play.think(self._players[play.seat])
                if len(play.options) > 1:
                    seen.append(self._seen(play, chosen))
                play.choose(chosen)
        return seen, self._won(play.outcomes), play.decisions

    def _seen(self, play: Play, taken: int) -> Seen:
        """A decision with the playouts behind its options."""
        luck = Luck(address_of(self._seed, play.number)).fork("story", play.decisions)
        side = next(n for n, team in enumerate(self._teams) if play.seat in team)
        options = range(len(play.options))
        each = max(2, min(_EACH, _ALL // len(options) // 2 * 2))
        found = [
            self._playouts(play, one, luck, _TAKEN if one == taken else each) for one in options
        ]
        view = found[taken].mean(axis=0)
        moved = np.nan
        if len(self._teams) > 2:
            moved = 0.0
            if view[side] < _BEATEN:
                more = np.array([self._playouts(play, one, luck, _KINGS) for one in options])
                moved = max(map(_moves, np.moveaxis(np.delete(more, side, axis=2), 2, 0)))
        option = play.options[taken]
        things = option if isinstance(option, tuple) else ()
        entry = next((one for one in things if isinstance(one, Entry)), None)
        words = (one if isinstance(one, str) else one[0] for one in play.options)
        return Seen(
            turn=play.decisions + 1,
            seat=play.seat,
            kind=" or ".join(dict.fromkeys(words)).replace("_", " "),
            view=view,
            card=-1 if entry is None else self._table.places.get(entry, -1),
            loss=_loss(np.array([one[:each, side] for one in found])),
            moved=moved,
        )

    def _playouts(self, play: Play, option: int, luck: Luck, n: int) -> np.ndarray:
        """What each side wins in games behind an option, (n, n_sides)."""
        return np.array([self._played_out(play, play.options[option], luck) for _ in range(n)])

    def _played_out(self, play: Play, option: Option, luck: Luck) -> list[float]:
        """What each side wins in a game that the seat may take this one for."""
        rules = play.rules.imagined(play.seat, luck)
        chosen: list[tuple[int, Option]] = [
            (seat, option if seat == play.seat else self._picked(rules, seat, luck))
            for seat in play.together
        ]
        for _ in range(MOST_DECISIONS):
            carry_out(rules, chosen)
            acting = rules.__dict__["acting"]
            if acting is None:
                return self._won(self._table.game.outcomes(rules.scores(), rules.seats))
            seats = (acting,) if type(acting) is int else acting
            chosen = [(seat, self._picked(rules, seat, luck)) for seat in seats]
        raise endless(rules)

    def _picked(self, rules: Rules, seat: int, luck: Luck) -> Option:
        """What a quick player of the game chooses, or a random one in the place of others."""
        options, function = options_of(rules, seat), self._functions[seat]
        if function is None or len(options) == 1:
            return options[luck.below(len(options), "player", seat)]
        with shown(rules, seat, luck) as imagined:
            found: Option = function(imagined, seat, tuple(options), luck)
        return found

    def _won(self, outcomes: Sequence[int]) -> list[float]:
        """What each side wins: the best outcome wins, and a tie is shared."""
        if len(self._teams) == 1:
            won = float(outcomes[0] >= self._table.game.unit)
            return [won, 1 - won]
        found = wins(np.array([[outcomes[team[0]] for team in self._teams]], float))
        return [float(one) for one in found[0]]


def _loss(won: np.ndarray) -> float:
    """What a random option costs against the best, by playouts of each, (n_options, n).

    The best one of one half is judged by the other half: it was lucky in the first.
    """
    halves = won[:, ::2].mean(axis=1), won[:, 1::2].mean(axis=1)
    pairs = (halves, halves[::-1])
    return float(np.mean([two[one.argmax()] - two.mean() for one, two in pairs]))


def _moves(won: np.ndarray) -> float:
    """How far options differ for a side by playouts, (n_options, n), at least."""
    one, two = won[:, ::2].mean(axis=1), won[:, 1::2]
    best, worst = two[one.argmax()], two[one.argmin()]
    std_err = np.sqrt((best.var() + worst.var()) / len(best))
    return float(best.mean() - worst.mean() - _SHOWN * std_err)
