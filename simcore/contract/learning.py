"""How the player ``learned`` gets to know a game: by playing it against itself.

The first games are random ones; then it plays generations of games, with some mistakes so that it
sees more, and learns from the latest of them what its positions led to (temporal differences, as
[Tesauro 1995] did for backgammon).  Everything follows from the game and a seed.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from attrs import evolve, frozen

from simcore.contract.compiled.form import Form, NotCompiled
from simcore.contract.features import seen_by
from simcore.contract.game import LEARNED, RANDOM
from simcore.contract.network import Network, Samples, fit
from simcore.contract.play import Play, Table
from simcore.work.progress import Progress

# Decisions in a thousand that are taken at random in games that are learned from.
_MISTAKES = 50
# The weight of what came later, in games after the random ones.
_LATER = 0.8
# Generations whose games are learned from, how often, and the largest step of Adam.
_LATEST, _ROUNDS, _STEP = 3, 2, 3e-3
# Games of learning never meet those that are played with what was learned.
_FIRST_GAME = 1 << 40
# Games that show how many decisions a game has, and games of a piece of work.
_TRIED, _AT_ONCE = 20, 250


@frozen
class Lessons:
    """How much is learned: generations, and the positions of each that are learned from."""

    generations: int
    positions: int


#: By whether the rules are compiled: ten seconds or so in either case, once that is done.
LESSONS = {True: Lessons(8, 20_000), False: Lessons(3, 2_000)}


def learn(
    table: Table,
    lessons: Lessons | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    advance: Progress | None = None,
) -> Network:
    """What is to be known of a game, learned by playing it.  Raises GameError.

    ``advance`` is told how many generations are done, of how many.
    """
    n_features = len(seen_by(Play(table, seed, _FIRST_GAME).rules, 0, table))
    network = Network.ignorant(n_features, seed)
    try:
        form: Form | None = Form(table, [LEARNED] * table.seats)
    except NotCompiled:
        form = None
    lessons = lessons or LESSONS[form is not None]
    latest: list[tuple[Samples, float]] = []
    first = _FIRST_GAME
    for number in range(lessons.generations):
        knowing = evolve(table, network=network.learning(_MISTAKES))
        players = [LEARNED if number else RANDOM] * table.seats
        games = _Games(knowing, players, form and form.knowing(knowing, players), seed)
        samples = games.samples(first, lessons.positions, threads)
        latest = [*latest[1 - _LATEST :], (samples, _LATER if number else 1.0)]
        network = fit(network, latest, rounds=_ROUNDS, step=_STEP, seed=number)
        first += len(samples.outcomes)
        if advance:
            advance(number + 1, lessons.generations)
    return network


@frozen
class _Games:
    """Games to learn from, played in the compiled form where there is one."""

    table: Table
    players: Sequence[str]
    form: Form | None
    seed: int

    def samples(self, first: int, positions: int, threads: int | None) -> Samples:
        """What seats saw in games ``first`` and following, until it is so much."""
        some = self._samples(first, _TRIED)
        n_games = _TRIED * positions // max(len(some.seen), 1)
        firsts = range(first + _TRIED, first + n_games, _AT_ONCE)
        with ThreadPoolExecutor(threads) as workers:
            pieces = [some, *workers.map(lambda one: self._samples(one, _AT_ONCE), firsts)]
        return _joined(pieces)

    def _samples(self, first: int, n_games: int) -> Samples:
        if self.form is not None:
            return self.form.samples(self.seed, first, n_games)
        found = [self._by_the_rules(number) for number in range(first, first + n_games)]
        return _joined(found)

    def _by_the_rules(self, number: int) -> Samples:
        """What seats saw in a game that is played by its rules as they are."""
        play = Play(self.table, self.seed, number)
        seen, seats = list[np.ndarray](), list[tuple[int, int]]()
        while not play.over:
            together = play.together
            for seat in together:
                play.choose(play.think(self.players[seat]))
            for seat in together if not play.over else ():
                seen.append(seen_by(play.rules, seat, self.table))
                seats.append((0, seat))
        outcomes = np.array([play.outcomes]) / self.table.game.unit
        assert self.table.network is not None
        rows = np.array(seen).reshape(-1, len(self.table.network.mean))
        return Samples(rows, np.array(seats, int).reshape(-1, 2), outcomes)


def _joined(pieces: Sequence[Samples]) -> Samples:
    """Samples of games one after the other."""
    games = np.cumsum([0, *(len(one.outcomes) for one in pieces[:-1])])
    return Samples(
        np.concatenate([one.seen for one in pieces]),
        np.concatenate(
            [one.whose + np.array([n, 0]) for n, one in zip(games, pieces, strict=True)]
        ),
        np.concatenate([one.outcomes for one in pieces]),
    )
