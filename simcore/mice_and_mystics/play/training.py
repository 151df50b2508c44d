"""Learning from play what the player ``learned`` goes by.

The weights evolve (`simcore.evolution`) from those that ``weight_names.py`` begins with.  A
candidate's fitness is the share of games that it wins, and a little for how far it comes in those
that it does not.  All candidates of a generation play the same games: the same decks and, as long
as they decide alike, the same dice.

How good a position is, a network learns (`fit_positions`) from who won on what it had.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve as evolve_settings
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings, legal_parties
from simcore.contract.network import Network, Samples, fit
from simcore.mice_and_mystics.play.engine import SAMPLE, _run
from simcore.mice_and_mystics.play.setup import ChapterSetup
from simcore.mice_and_mystics.play.simulate import play_rows
from simcore.mice_and_mystics.players.search import N_STATES, SEARCH
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.players.weights import Weights
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.state import GAME_STATE
from simcore.mice_and_mystics.table.table import Table
from simcore.mice_and_mystics.table.unknown_words import check_words
from simcore.mice_and_mystics.table.weight_names import (
    N_FEATURES,
    N_LEARNED,
    N_WEIGHTS,
    START,
    WEIGHTS,
)
from simcore.training import FIRST_GAME, Candidates, Training

# What a room of the route is worth beside a game won.
_EACH_ROOM = 0.03
# Positions of each game that the network of positions learns from.
_OF_EACH = 8
# Weights of which a candidate tries smaller changes, since what they count is larger.
_SMALL = ("walk.", "place.far", "place.exit", "search.wheel", "search.room", "explore.wheel")


@frozen(kw_only=True)
class ChapterTraining(Training):
    """A training in ``worlds``, each a chapter with its settings."""

    worlds: tuple[Settings, ...]

    @property
    def steps(self) -> dict[int, float]:
        """Half of each weight, within bounds; none for those that games do not show."""
        learned = [*WEIGHTS][:N_LEARNED]
        least = np.array([0.1 if name.startswith(_SMALL) else 0.3 for name in learned])
        steps = np.clip(np.abs(self.start[:N_LEARNED]) / 2, least, 5 * least).astype(float)
        return dict(enumerate(map(float, steps)))

    def play(
        self,
        setups: Sequence[ChapterSetup],
        number: int,
        weights: Weights,
        past: Weights,
        measured: bool,
    ) -> Iterator[Candidates]:
        """Candidates and their past in the same games."""
        first_game = FIRST_GAME + number * self.games
        games = {"n_games": self.games, "seed": self.seed, "first_game": first_game}
        yield Candidates(
            setups, _fitness, np.vstack([weights, past]) if measured else weights, games
        )


def worlds_of(facts: Facts, chapters: Sequence[Settings]) -> tuple[Settings, ...]:
    """Chapters with their own parties and, where those are not all, with any party (S12)."""
    worlds = []
    for chapter in chapters:
        wide = evolve_settings(chapter, parties="any")
        worlds.append(chapter)
        if not chapter.party and len(legal_parties(facts, wide)) > len(
            legal_parties(facts, chapter)
        ):
            worlds.append(wide)
    return tuple(worlds)


def first_weights() -> Weights:
    """The weights to begin with, shape (N_WEIGHTS,)."""
    return np.array([*START, *[0.0] * (N_WEIGHTS - N_LEARNED)], np.float32)


def score(
    tables: Sequence[Table], weights: Weights, *, n_games: int, seed: int, first_game: int = 0
) -> tuple[float, list[float]]:
    """The fitness of weights in ``n_games`` of each table, and the share won with each."""
    fitness, won = 0.0, []
    for table in tables:
        rows = seat(table, ("learned",))
        rows[0]["players"]["weights"] = weights
        games = np.zeros(n_games, GAME_RECORD)
        play_rows(rows, seed=seed, first_game=first_game, out=games)
        won.append(float((games["outcome"] == Outcome.WIN).mean()))
        fitness += won[-1] + _EACH_ROOM * float(games["route_depth"].mean())
    return fitness / len(tables), won


def _fitness(
    tables: Sequence[Table], weights: Weights, _opponents: Sequence[str], **games: int
) -> float:
    return score(tables, weights, **games)[0]


def fit_positions(tables: Sequence[Table], weights: Weights, *, n_games: int, seed: int) -> Weights:
    """The same weights, with those of positions fitted to games of the player ``learned``.

    ``n_games`` are played with each table, and a network learns from some positions of each; its
    measures (mean and spread) go into the weights of its first layer.
    """
    described, won = [], []
    for table in tables:
        rows = seat(table, ("learned",))
        rows[0]["players"]["weights"] = weights
        states, games = np.zeros(N_STATES, GAME_STATE), np.zeros(n_games, GAME_RECORD)
        works = np.zeros(n_games * _OF_EACH, SEARCH)
        _run(SAMPLE, states, rows, games, works, np.int64(seed), np.int64(FIRST_GAME))
        check_words(states)
        described.append(works["features"])
        won.append(games["outcome"] == Outcome.WIN)
    seen, wins = np.concatenate(described), np.concatenate(won).astype(float)
    whose = np.stack([np.repeat(np.arange(len(wins)), _OF_EACH), np.zeros(len(seen), int)], 1)
    samples = Samples(seen, whose, wins[:, None])
    network = fit(Network.ignorant(N_FEATURES), [(samples, 1.0)], rounds=4, step=3e-3, seed=seed)
    across = network.across * network.spread[:, None]
    across[0] = network.bias - network.mean @ across
    return np.concatenate(
        [weights[:N_LEARNED], across.ravel(), network.out, network.intercept], dtype=np.float32
    )
