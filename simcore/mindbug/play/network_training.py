"""Learning a network from play: its player thinks, the network learns what that led to.

Each generation plays games with the network of the one before.  At the starts of turns it learns
what players thought after looking ahead, then and later, and who won (expert iteration: Anthony,
Tian and Barber 2017, "Thinking fast and slow with deep learning and tree search").  The first
generation of a network that knows nothing learns from the games of ``learned``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import frozen

from card_data.checksums import is_changed
from card_data.mindbug.schema import Pool
from simcore.evolution import Generation, keep_curve, read_curve
from simcore.mindbug.play.network_fit import Lessons, arrays_of, fit_network, new_arrays, rounded
from simcore.mindbug.play.network_samples import SAMPLES
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows, sample_games
from simcore.mindbug.players import network_files
from simcore.mindbug.players.seats import seat
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import SEATS
from simcore.sealed import RunError, read_file
from simcore.setup import new_task, read_task
from simcore.training import FIRST_GAME
from simcore.work.hands import Who
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: Share of random decisions in the games that are learned from: positions that differ more.
_MISTAKES = {"learned": "learned@0.05", "expert": "expert@0.03"}
_FIRST_STEP = 6e-3  # the largest step of Adam for a network that knows nothing
_PIECE = 2000  # games of a piece
# Learning from a game once, as a share of the time that playing it takes.
_LEARNING = 0.4
_TEST_EVERY = 5  # generations after which strength is measured
_TEST_GAMES = 2000


@frozen
class NetworkTraining:
    """A training of a network: everything that its outcome depends on, besides the cards.

    ``start`` is the network to begin with, None for one that knows nothing.  ``opponent`` is who
    the learner plays, a player as `players.parse_player` reads it; None for itself.  ``games`` are
    played in each pool by each generation, which learns ``rounds`` times from all its positions.
    ``steps`` are the largest steps of Adam in the first and in the last generation.
    """

    start: network_files.Network | None
    opponent: str | None = None
    generations: int = 15
    games: int = 30_000
    seed: int = 0
    rounds: int = 2
    steps: tuple[float, float] = (6e-3, 1e-3)

    @classmethod
    def teaching(
        cls,
        network: network_files.Network,
        pools: Sequence[Pool],
        *,
        generations: int | None = None,
        games: int | None = None,
        seed: int = 0,
    ) -> "NetworkTraining":
        """How a network that can play gets to know the cards of some pools, in seconds.

        It learns more from fewer games, and takes larger steps, than a network that has all to
        learn; docs/players.md says how well it plays then.  What is None depends on the pools.
        """
        faces = max(len(PoolSetup(pool).table.faces) for pool in pools)
        return cls(
            network,
            generations=generations or 5,
            games=games or max(6_000, 60 * faces),
            seed=seed,
            rounds=3,
            steps=(6e-3, 0.3e-3),
        )

    @property
    def all_games(self) -> int:
        """The games that are played in each pool to learn from."""
        return self.generations * self.games

    @property
    def tested_games(self) -> int:
        """The games that are played in each pool to measure what has been learned so far."""
        return -(-self.generations // _TEST_EVERY) * _TEST_GAMES

    @property
    def learning(self) -> float:
        """How long one processor learns from a game, as a share of the time of playing it."""
        return _LEARNING * self.rounds


def train_network(
    pools: Sequence[Pool],
    training: NetworkTraining,
    *,
    folder: Path,
    curve: Path,
    on_progress: Progress | None = None,
    identity: str = "",
    **who: Unpack[Who],
) -> network_files.Network:
    """The network that training ends with.

    ``folder`` gets a file for each generation, ``curve`` a line with the mean losses of positions
    learned from and not, and now and then the share of games won against ``learned``, or the
    opponent.  Both are the checkpoint: generations that are there are not played again.  The rest
    is as in `training.train`.  Raises ValueError as `players.seat` does, and when ``curve`` is of
    another training.
    """
    setups = [PoolSetup(pool) for pool in pools]
    tables = [setup.table for setup in setups]
    faces = [table.faces for table in tables]
    per_generation = training.games * len(pools)
    meter = Meter(training.generations * per_generation, on_progress)
    done = read_curve(curve, identity)
    network = training.start
    with Workers(meter, **who) as workers:
        for number in range(training.generations):
            file = folder / f"generation-{number + 1:03}.npz"
            found = _kept(file) if number in done else None
            if found is not None:
                network = found
                meter.advance(per_generation)
                continue
            match = Lecture(training, number, network)
            pieces = match.pieces(setups)
            samples = list(workers.finish(pieces, lambda played: played.found))
            by_pool = np.array_split(np.arange(len(samples)), len(pools))
            lessons = Lessons.of(faces, [[samples[i] for i in places] for places in by_pool])
            del samples
            arrays, losses = fit_network(
                new_arrays(training.seed) if network is None else arrays_of(network),
                lessons,
                rounds=training.rounds,
                step=_step(training, number, network),
                seed=_seed(training, number),
                threads=who.get("threads"),
            )
            known = () if network is None else network.known
            network = rounded(arrays).knowing((face for of in faces for face in of), known)
            network_files.write_network(network, file)
            strength = np.nan
            if (number + 1) % _TEST_EVERY == 0 or number + 1 == training.generations:
                strength = score_network(
                    tables,
                    network,
                    training.opponent or "learned",
                    n_games=_TEST_GAMES,
                    seed=training.seed ^ 1,
                )
            done[number] = Generation(
                number,
                round(strength, 6),
                tuple(round(loss, 6) for loss in losses),
            )
            keep_curve(curve, done, identity)
    assert network is not None
    return network


def _step(training: NetworkTraining, number: int, network: network_files.Network | None) -> float:
    """The largest step of a generation: smaller and smaller, so that the last one settles."""
    if network is None:
        return _FIRST_STEP
    first, last = training.steps
    return first + (last - first) * number / max(training.generations - 1, 1)


def _seed(training: NetworkTraining, number: int) -> int:
    """The seed of a generation."""
    return training.seed * 1_000_003 % 2**40 + number


def _kept(file: Path) -> network_files.Network | None:
    """The network of a generation that is done; None if its file is missing or damaged."""
    try:
        return None if is_changed(file, read_file(file)) else network_files.read_network(file)
    except (OSError, ValueError, RunError):
        return None


def score_network(
    tables: Sequence[CardTable],
    network: network_files.Network,
    opponent: str,
    *,
    n_games: int,
    seed: int,
) -> float:
    """Share of games that a network wins, draws counted half, in both seats of the same deals.

    ``n_games`` are played with each table.
    """
    won = []
    for table in tables:
        for place in range(2):
            players = ("expert", opponent) if place == 0 else (opponent, "expert")
            rows = seat(table, players, networks={place: network})
            numbers = np.arange(FIRST_GAME // 2, FIRST_GAME // 2 + n_games // 2)
            winner = play_rows(rows, seed=seed, games=numbers)["winner"]
            won.append(np.where(winner < 0, 0.5, winner == place).mean())
    return float(np.mean(won))


@frozen
class Lecture:
    """What a generation plays: ``network`` is that of the one before, None for `learned`."""

    training: NetworkTraining
    number: int
    network: network_files.Network | None

    def pieces(self, setups: Sequence[PoolSetup]) -> Iterator[Piece]:
        """The samples of all games, pool after pool."""
        training = self.training
        settings = {
            "opponent": training.opponent,
            "seed": _seed(training, self.number),
            "first_game": FIRST_GAME + self.number * 2**24,
        }
        files = (
            {} if self.network is None else {"network": network_files.network_bytes(self.network)}
        )
        players = () if training.opponent is None else (training.opponent,)
        games = training.games
        for setup in setups:
            built = _Sampler(setup.table, self.network, training.opponent, settings)
            task = new_task(
                f"{__name__}:rebuild", [setup], players, built, more_files=files, **settings
            )
            step = -(-games // max(games // _PIECE, 1))
            for first in range(0, games, step):
                rows = range(first, min(first + step, games))
                yield Piece(partial(_same, task), SAMPLES, SEATS, rows, first_batch=32)


class _Sampler:
    """Plays games to learn from: the `RowPlayer` of a lecture's task."""

    def __init__(
        self,
        table: CardTable,
        network: network_files.Network | None,
        opponent: str | None,
        settings: Mapping[str, Any],
    ) -> None:
        self._seed, self._first = settings["seed"], settings["first_game"]
        learner = _MISTAKES["learned" if network is None else "expert"]
        self._both = opponent is None
        self._seated = []
        for place in (0,) if opponent is None else (0, 1):
            players = [opponent or learner] * 2
            players[place] = learner
            seats = range(2) if opponent is None else (place,)
            networks = {} if network is None else dict.fromkeys(seats, network)
            self._seated.append(seat(table, (players[0], players[1]), networks=networks))

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with the samples of games ``first`` and following."""
        numbers = self._first + first + np.arange(len(out))
        if self._both:
            sample_games(self._seated[0], seed=self._seed, games=numbers, out=out)
            return
        for place, rows in enumerate(self._seated):
            turn = numbers % 2 == place
            part = np.empty(turn.sum(), SAMPLES)
            sample_games(rows, seed=self._seed, games=numbers[turn], out=part, whose=place)
            out[turn] = part


def _same(task: Task) -> Task:
    return task


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Sampler:
    """The player of a lecture's task in another process.  Raises RunError as `read_task` does."""
    network = network_files.network_of(files["network"]) if "network" in files else None
    (setup,), players = read_task(settings, files)
    return _Sampler(setup.table, network, players.get(settings["opponent"]), settings)
