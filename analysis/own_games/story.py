"""A game that somebody brings as a judge sees it: by playouts of games that a seat may imagine.

Quick players that a game brings play them on, by its rules as they are.  Where others play, all
choose at random, and the rules are compiled if many games are judged.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from analysis.playtests import wins
from analysis.questions.story import Words
from analysis.runs import Run
from analysis.story_games import Seen
from card_data.schema import Entry
from simcore.contract.compiled.form import TAKEN, Judged, Stopped, form_of
from simcore.contract.loops import LoopWatch
from simcore.contract.luck import Luck, address_of
from simcore.contract.play import Play, Table
from simcore.contract.rules import (
    MOST_DECISIONS,
    Option,
    Rules,
    carry_out,
    endless,
    options_of,
    shown,
)
from simcore.own_games.setup import ENTRIES, OwnSetup, table_of
from simcore.sealed import read_file
from simcore.setup import Games
from simcore.work.parts import deal_of
from simcore.work.tasks import Task

# Games from which on rules are compiled.  By rules as they are: playouts behind the option that is
# taken, behind each other one at most and behind all together, and their parts; twice as many for
# a game that is judged alone, and so many behind each option where a seat may make others win.
_COMPILED_FROM = 50
_TAKEN, _EACH, _ALL, _PARTS, _KINGS = 32, 8, 24, 8, 64
# A seat below this chance is beaten; by how many standard errors options must differ to be told.
_BEATEN, _SHOWN = 0.05, 2.0


def judge_of(task: Task, record: np.dtype) -> "Judge":
    """The judge of the games of a run that is played."""
    games = task.player(record)
    assert isinstance(games, Games)
    assert isinstance(games.setup, OwnSetup)
    return Judge(games.setup.table, games.seed, games.players, games.setup.n_games)


def judge_in(run: Run, game: int) -> "Judge":
    """The judge of a game of a run.  Raises GameError."""
    manifest = run.manifest
    text = read_file(run.folder / ENTRIES) if manifest["kinds"] else b""
    table = table_of(manifest, text, as_played=False)
    return Judge(table, deal_of(manifest, game)[0], manifest["policies"])


class Judge:
    """Judges games of a table and its players, of which there are so many."""

    name = "the mean of playouts"

    def __init__(self, table: Table, seed: int, players: Sequence[str], n_games: int = 0) -> None:
        self._table, self._seed, self._players = table, seed, players
        game = table.game
        self._teams = game.teams_of(table.seats)
        self._functions = [game.players.get(player) for player in players]
        self._form = None
        if n_games >= _COMPILED_FROM and not any(self._functions):
            self._form = form_of(table, players, seed, judges=True)
        self._times = 1 if n_games else 2
        self.words = Words(
            cards=[card.id for card in table.cards],
            names=[card.name for card in table.cards],
            turn="decision",
            alone=len(self._teams) == 1,
            playouts=TAKEN if self._form else _TAKEN * self._times,
        )

    def side_of(self, seat: int) -> int:
        """The side of a seat: its team."""
        return next(n for n, team in enumerate(self._teams) if seat in team)

    def watch(
        self, number: int, taken: Sequence[int] | None = None
    ) -> tuple[list[Seen], Sequence[float], int]:
        """A game, decision by decision; where there is one option nothing is asked."""
        if self._form is not None:
            try:
                found, outcomes, n = self._form.judged(self._seed, number, taken or ())
            except Stopped:  # the rules say why, or else the two forms differ
                self._form = None
            else:
                return [*map(self._seen, found)], self._won(outcomes), n
        play = Play(self._table, self._seed, number)
        with play.telling(), LoopWatch():
            seen = [*map(self._seen, self._interpreted(play, taken))]
        return seen, self._won(play.outcomes), play.decisions

    def _interpreted(self, play: Play, taken: Sequence[int] | None) -> Iterator[Judged]:
        """The decisions of a game with the playouts behind their options."""
        while not play.over:
            at, options = play.decisions, play.options
            chosen = play.think(self._players[play.seat]) if taken is None else taken[at]
            if len(options) > 1:
                luck = Luck(address_of(self._seed, play.number)).fork("story", at)
                each = max(_PARTS, min(_EACH, _ALL // len(options)) * self._times)
                n = [_TAKEN * self._times if one == chosen else each for one in range(len(options))]
                won = self._playouts(play, luck, n)
                side = self.side_of(play.seat)
                if len(self._teams) > 2 and won[:, chosen, side].mean() < _BEATEN:
                    won = self._playouts(play, luck, [max(one, _KINGS) for one in n])
                yield Judged(at, play.seat, options, chosen, won)
            play.choose(chosen)

    def _playouts(self, play: Play, luck: Luck, n: Sequence[int]) -> np.ndarray:
        """The share that sides win in so many games behind each option, in `_PARTS` parts."""
        found = []
        for option, many in zip(play.options, n, strict=True):
            each = many // _PARTS
            won = [self._played_out(play, option, luck) for _ in range(each * _PARTS)]
            found.append(np.reshape(won, (_PARTS, each, -1)).mean(axis=1))
        return np.stack(found, axis=1)

    def _seen(self, judged: Judged) -> Seen:
        """A decision by the playouts behind its options."""
        option, side, won = judged.options[judged.taken], self.side_of(judged.seat), judged.won
        view, moved = won[:, judged.taken].mean(axis=0), np.nan
        if len(self._teams) > 2:
            others = np.moveaxis(np.delete(won, side, axis=2), 2, 0)
            moved = max(map(_moves, others)) if view[side] < _BEATEN else 0.0
        things = option if isinstance(option, tuple) else ()
        entry = next((one for one in things if isinstance(one, Entry)), None)
        words = (one if isinstance(one, str) else one[0] for one in judged.options)
        return Seen(
            at=judged.at,
            turn=judged.at + 1,
            seat=judged.seat,
            kind=" or ".join(dict.fromkeys(words)).replace("_", " "),
            view=view,
            side=side,
            card=-1 if entry is None else self._table.places.get(entry, -1),
            moved=moved,
        ).of_playouts(won[:, :, side], judged.taken)

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


def _moves(won: np.ndarray) -> float:
    """How far options differ for a side by parts of playouts, (n_parts, n_options), at least."""
    one, two = won[::2].mean(axis=0), won[1::2]
    best, worst = two[:, one.argmax()], two[:, one.argmin()]
    return float((best - worst).mean() - _SHOWN * (best - worst).std(ddof=1) / len(two) ** 0.5)
