"""Learning from play how to choose.

The weights of ``heuristic.py`` evolve (`simcore.evolution`) against frozen players.  A candidate's
fitness is its score against a panel: the players asked for, and its own past.  All candidates of a
generation play the same deals with the same luck, from both sides, so that what differs is how they
play.

How good a position is, `fit_positions` learns by logistic regression of who won on what it had.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen

from simcore.jit import cached_kernel
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.play_out import _answer
from simcore.mindbug.players.position_points import _describe_position
from simcore.mindbug.players.seats import seat, seat_weights
from simcore.mindbug.players.weights import Weights
from simcore.mindbug.rules.new_game import _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.mindbug.table.unknown_words import check_words
from simcore.mindbug.table.weight_names import POSITION, SEARCHING, SECTIONS, WEIGHTS
from simcore.random_streams import DEAL, _random_below
from simcore.training import FIRST_GAME, Candidates, Training

# Weights of positions are thousandths of odds.
_THOUSAND = 1000.0


@frozen(kw_only=True)
class PoolTraining(Training):
    """A training with the cards of some pools.

    ``panel`` are players as `players.parse_player` reads them; ``games`` are played by a candidate
    against each of them in each pool, half from either seat, and ``times`` as many against some,
    all 1 if not given; ``self_play`` adds the learner's past, once.  ``only`` are the sections of
    weights that are learned, as `weights.SECTIONS` names them; the others stay as they are.
    """

    panel: tuple[str, ...] = ("heuristic",)
    times: tuple[int, ...] | None = None
    self_play: bool = True
    only: tuple[str, ...] = SECTIONS

    @property
    def often(self) -> tuple[int, ...]:
        """How many times the games are played against each of the panel."""
        return self.times or (1,) * len(self.panel)

    @property
    def steps(self) -> dict[int, float]:
        """Half of each weight, at least a little; 0 for those that games do not show."""
        least = {"creature": 5.0, "rule": 8.0, "effect": 0.2, "ability": 0.2}
        floor = [least.get(name.split(".")[0], 5.0) for name in WEIGHTS]
        small = [0.2 if text.startswith("share") else 5.0 for text in WEIGHTS.values()]
        steps = np.maximum(np.abs(self.start) * 0.5, np.minimum(floor, small)).astype(float)
        learned = learned_places(self.only)
        return {at: float(steps[at]) if at in learned else 0.0 for at in _places(self.only)}

    def play(
        self,
        setups: Sequence[PoolSetup],
        number: int,
        weights: Weights,
        past: Weights,
        measured: bool,
    ) -> Iterator[Candidates]:
        """Candidates against the panel and their past, and that against the panel."""
        # No generation plays games of another.
        first_game = FIRST_GAME + number * self.games * max(self.often)
        games = {"n_games": self.games, "seed": self.seed, "first_game": first_game}
        met = games | {"times": self.often, "past": past if self.self_play else None}
        yield Candidates(setups, score, weights, met, self.panel)
        if measured:
            yield Candidates(setups, score, past[None], games, self.panel)


def learned_places(only: Sequence[str]) -> npt.NDArray[np.intp]:
    """Places of the weights of these sections that are learned: what games of a candidate show.

    What positions are worth and how far a search looks is not: no such game depends on it.
    """
    return np.setdiff1d(_places(only), POSITION + SEARCHING)


def _places(sections: Sequence[str]) -> npt.NDArray[np.intp]:
    return np.flatnonzero([name.split(".")[0] in sections for name in WEIGHTS])


def score(
    tables: Sequence[CardTable],
    weights: Weights,
    opponents: Sequence[str],
    *,
    n_games: int,
    seed: int,
    first_game: int = 0,
    times: Sequence[int] | None = None,
    past: Weights | None = None,
) -> float:
    """Share of games that weights win against opponents, draws counted half, seats balanced.

    ``opponents`` are players as text; ``n_games`` are played against each with each table, or
    ``times`` as many, and as many against weights of the ``past``.  Raises ValueError as
    `players.seat` does.
    """
    won = played = 0.0
    met: list[tuple[str | Weights, int]] = [
        *zip(opponents, times or [1] * len(opponents), strict=True)
    ]
    met += [] if past is None else [(past, 1)]
    for table in tables:
        for opponent, often in met:
            numbers = np.arange(first_game, first_game + often * (n_games // 2))
            for place in range(2):
                name = opponent if isinstance(opponent, str) else "heuristic"
                players = ("heuristic", name) if place == 0 else (name, "heuristic")
                rows = seat(table, players)
                seat_weights(table, rows, place, weights)
                if not isinstance(opponent, str):
                    seat_weights(table, rows, 1 - place, opponent)
                games = play_rows(rows, seed=seed, games=numbers)
                winner = games["winner"]
                won += (winner == place).sum() + 0.5 * (winner == -1).sum()
                played += len(games)
    return won / played


@cached_kernel
def _sample_positions(tables, seed, first_game, states, dealings, features, result):
    """Play games; of each, one turn action taken at random: what the position had, and who won.

    Modifies states, dealings, features (one row a game) and result, of the player whose turn it is
    in even games, of the other one in odd games.
    """
    state, table = states[0], tables[0]
    for i in range(len(features)):
        _new_game(state, table, seed, first_game + i, dealings[0])
        phase = Phase.START_TURN
        seen = player = np.int64(0)
        while phase != Phase.OVER:
            if phase == Phase.ACTION:
                seen += 1
                if _random_below(state.streams, DEAL, seen) == 0:
                    player = (state.active + i) & 1
                    _describe_position(state, table, player, features[i])
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                phase = _take(state, table, _answer(state, table))
        result[i] = 0.5 if state.winner < 0 else np.float64(state.winner == player)


def fit_positions(
    tables: Sequence[CardTable], weights: Weights, *, n_games: int, seed: int
) -> Weights:
    """The same weights, with those of positions fitted to games in which they play both sides.

    ``n_games`` are played with each table, and one position of each counts.  It is a logistic
    regression of what was seen in units of its spread, with a touch of ridge: what hardly varies
    gets no wild weight.
    """
    described, results = [], []
    for table in tables:
        rows = seat(table, ("heuristic", "heuristic"))
        for place in range(2):
            seat_weights(table, rows, place, weights)
        features, result = np.zeros((n_games, len(POSITION))), np.zeros(n_games)
        states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
        games = np.int64(seed), np.int64(FIRST_GAME)
        _sample_positions(rows, *games, states, dealings, features, result)
        check_words(states)
        described.append(features)
        results.append(result)
    seen, won = np.concatenate(described), np.concatenate(results)
    import statsmodels.api as sm

    spread = seen.std(axis=0)
    used = spread > 0
    model = sm.GLM(won, seen[:, used] / spread[used], family=sm.families.Binomial())
    odds = model.fit_regularized(alpha=1e-4, L1_wt=0.0).params / spread[used]
    fitted = weights.copy()
    fitted[np.array(POSITION)] = 0.0
    fitted[np.array(POSITION)[used]] = _THOUSAND * odds
    return fitted
