"""The network of the player ``learned``: from what a seat sees, how well it is going to do.

One hidden layer of softsign units (x / (1 + |x|)) adds up to odds; what a seat sees (`features`) is
measured from its mean, in its spread.  Each step is one operation of IEEE 754 in a fixed order, so
that the same games are played, and the same is learned, on every processor and in both forms of the
rules.
"""

import hashlib
import io
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from attrs import evolve, field, frozen

from simcore.adam import Adam, size_of_step
from simcore.contract.faults import GameError
from simcore.contract.game import LEARNED
from simcore.jit import cached_kernel, kernel
from simcore.logistic import _logistic
from simcore.places import TAUGHT
from simcore.random_streams import _below, _mix
from simcore.sealed import UNREADABLE

#: Games that a player imagines at each decision who looks one step ahead.
IMAGINED = 4
HIDDEN = 32
_BATCH = 64
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LEARNED = "across", "bias", "out", "intercept"
_FIELDS = "mean", "spread", *_LEARNED


@frozen(eq=False)
class Network:
    """What was learned of a game.

    ``mean`` and ``spread`` (features,) measure what is seen, ``across`` (features, hidden),
    ``bias`` (hidden,), ``out`` (hidden,) and ``intercept`` (1,) are the layers; all float64.  A
    player takes ``mistakes`` of a thousand options at random, which is for learning, and imagines
    so many games at each decision.  ``lesson`` says of what it was learned.
    """

    mean: np.ndarray
    spread: np.ndarray
    across: np.ndarray
    bias: np.ndarray
    out: np.ndarray
    intercept: np.ndarray
    mistakes: int = field(default=0, kw_only=True)
    imagined: int = field(default=IMAGINED, kw_only=True)
    lesson: str = field(default="", kw_only=True)

    @classmethod
    def ignorant(cls, n_features: int, seed: int = 0) -> "Network":
        """A network that has learned nothing."""
        numbers = np.zeros((n_features + 1) * HIDDEN)
        _draw(numbers, np.uint64(seed))
        across = numbers[:-HIDDEN].reshape(n_features, HIDDEN) * (0.5 / max(n_features, 1) ** 0.5)
        return cls(
            np.zeros(n_features),
            np.zeros(n_features),  # measured by the first samples
            across,
            np.zeros(HIDDEN),
            numbers[-HIDDEN:] * 0.05,
            np.zeros(1),
        )

    @property
    def kernel_form(self) -> tuple[np.ndarray, ...]:
        """The network as kernels take it."""
        how = np.array([self.mistakes, self.imagined])
        return (*(getattr(self, name) for name in _FIELDS), how)

    def value(self, seen: np.ndarray) -> float:
        """How well a seat is going to do, from 0 to 1, by what it sees."""
        return float(_value_from_python(self.kernel_form, seen))

    @cached_property
    def content(self) -> bytes:
        """The bytes of its file, the same for the same numbers."""
        file = io.BytesIO()
        arrays = {name: getattr(self, name) for name in _FIELDS}
        np.savez(file, lesson=np.array(self.lesson), **arrays)
        return file.getvalue()

    @cached_property
    def digest(self) -> str:
        """The digest of that file."""
        return hashlib.sha256(self.content).hexdigest()

    @classmethod
    def of(cls, content: bytes) -> "Network":
        """The network of a file.  Raises ValueError for one that is none."""
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                arrays = [np.asarray(file[name], np.float64) for name in _FIELDS]
                lesson = str(file["lesson"])
        except UNREADABLE as error:
            raise ValueError("it is no file of what this fairdeal learns of a game") from error
        n = len(arrays[0].ravel())
        shapes = [(n,), (n,), (n, HIDDEN), (HIDDEN,), (HIDDEN,), (1,)]
        if [one.shape for one in arrays] != shapes or not all(
            np.isfinite(one).all() for one in arrays
        ):
            raise ValueError("it is no file of what this fairdeal learns of a game")
        return cls(*map(np.ascontiguousarray, arrays), lesson=lesson)

    def learning(self, mistakes: int) -> "Network":
        """The same for a player who learns: with mistakes, and quick."""
        return evolve(self, mistakes=mistakes, imagined=1)


@frozen(eq=False)
class Samples:
    """What seats saw after their decisions: ``seen`` (n, features), in the order of the games.

    ``whose`` (n, 2) has the place of the game and the seat, ``outcomes`` (games, seats) what the
    seats of each game had in the end, 0 to 1.
    """

    seen: np.ndarray
    whose: np.ndarray
    outcomes: np.ndarray


def is_learned(player: str) -> bool:
    """Whether a player is one who has learned: "learned", or "learned=NAME" by a file."""
    return player.partition("=")[0] == LEARNED


def file_of(player: str) -> Path | None:
    """The file that a player goes by, None for one without: that of a lesson, or any file."""
    name = player.partition("=")[2] if is_learned(player) else ""
    if not name:
        return None
    taught = TAUGHT / f"{name}.npz"
    return taught if taught.is_file() else Path(name)


def network_of(players: Iterable[str]) -> Network | None:
    """What those of some players go by who have learned, None where none of them names a file.

    Raises GameError where the file is missing or another kind of file, or they go by several.
    """
    files = {file for file in map(file_of, players) if file is not None}
    if len(files) > 1:
        raise GameError(f"{LEARNED} goes by {' and '.join(map(str, sorted(files)))}; name one")
    remedy = f"name {LEARNED} alone, and it learns the game before it plays"
    for file in files:
        try:
            return _read(file, file.stat().st_mtime_ns)
        except OSError:
            raise GameError(f"there is no file {file} for the player {LEARNED}; {remedy}") from None
        except ValueError as error:
            raise GameError(f"{file}: {error}; {remedy}") from None
    return None


@lru_cache(8)
def _read(file: Path, _changed: int) -> Network:
    """The network of a file as it was last changed; what it judges by is compiled."""
    found = Network.of(file.read_bytes())
    found.value(found.mean)
    return found


def fit(
    network: Network,
    lessons: Sequence[tuple[Samples, float]],
    *,
    rounds: int,
    step: float,
    seed: int,
) -> Network:
    """The network after learning from samples ``rounds`` times, each with a weight.

    The weight is the lambda of temporal differences [Sutton 1988]: 1 learns from outcomes alone, 0
    from what the network says of the next position of the seat.  ``step`` is Adam's largest.
    """
    seen = np.concatenate([samples.seen for samples, _ in lessons])
    if not len(seen):
        return network
    target, ends = np.zeros(len(seen)), np.cumsum([len(samples.seen) for samples, _ in lessons])
    for (samples, weight), part in zip(lessons, np.split(target, ends[:-1]), strict=True):
        _returns(network.kernel_form, samples.seen, samples.whose, samples.outcomes, weight, part)
    if not network.spread.any():
        mean, spread = np.zeros((2, seen.shape[1]))
        _measure(seen, mean, spread)
        network = evolve(network, mean=mean, spread=spread)
    arrays = {name: getattr(network, name).copy() for name in _LEARNED}
    adam, order = Adam.of(arrays), np.arange(len(seen))
    steps = rounds * -(-len(seen) // _BATCH)
    for number in range(rounds):
        _shuffle(order, np.uint64(seed + number))
        for first in range(0, len(seen), _BATCH):
            batch = order[first : first + _BATCH]
            slopes = {name: np.zeros_like(array) for name, array in arrays.items()}
            _slopes(
                (network.mean, network.spread, *arrays.values()),
                *(seen, target, batch),
                tuple(slopes.values()),
            )
            adam.take_step(arrays, slopes, step * size_of_step((adam.number + 1) / steps))
    found: Network = evolve(network, **arrays)
    return found


@kernel
def _value(network, seen):
    """How well a seat is going to do that sees this."""
    mean, spread, across, bias, out, intercept, _ = network
    units = bias.copy()
    for number in range(len(seen)):
        value = (seen[number] - mean[number]) * spread[number]
        if value != 0.0:
            for unit in range(len(units)):
                units[unit] += value * across[number, unit]
    total = intercept[0]
    for unit in range(len(units)):
        total += out[unit] * units[unit] / (1.0 + abs(units[unit]))
    return _logistic(total)


@cached_kernel
def _value_from_python(network, seen):
    return _value(network, seen)


@cached_kernel
def _returns(network, seen, whose, outcomes, weight, target):
    """Fill ``target``: what came of each sample, and what the network says of what came next."""
    seats = outcomes.shape[1]
    said, later, known = np.zeros(seats), np.zeros(seats), np.full(seats, -1)
    for sample in range(len(seen) - 1, -1, -1):
        game, seat = whose[sample]
        if known[seat] != game:
            known[seat] = game
            target[sample] = outcomes[game, seat]
        else:
            target[sample] = (1.0 - weight) * said[seat] + weight * later[seat]
        later[seat] = target[sample]
        if weight < 1.0:
            said[seat] = _value(network, seen[sample])


@cached_kernel
def _measure(seen, mean, spread):
    """Fill the mean of each number that is seen, and what makes its deviation 1; 0 for none."""
    n = len(seen)
    for sample in range(n):
        for number in range(len(mean)):
            mean[number] += seen[sample, number] / n
    for sample in range(n):
        for number in range(len(mean)):
            off = seen[sample, number] - mean[number]
            spread[number] += off * off / n
    for number in range(len(mean)):
        spread[number] = 1.0 / np.sqrt(spread[number]) if spread[number] > 1e-12 else 0.0


@cached_kernel
def _slopes(network, seen, target, order, slopes):
    """Add the slopes of the mean cross entropy of some samples."""
    mean, spread, across, bias, out, intercept = network
    of_across, of_bias, of_out, of_intercept = slopes
    hidden = len(bias)
    units, back = np.zeros(hidden), np.zeros(hidden)
    values = np.zeros(len(mean))
    for sample in order:
        for unit in range(hidden):
            units[unit] = bias[unit]
        for number in range(len(mean)):
            value = (seen[sample, number] - mean[number]) * spread[number]
            values[number] = value
            if value != 0.0:
                for unit in range(hidden):
                    units[unit] += value * across[number, unit]
        total = intercept[0]
        for unit in range(hidden):
            total += out[unit] * units[unit] / (1.0 + abs(units[unit]))
        slope = (_logistic(total) - target[sample]) / len(order)
        of_intercept[0] += slope
        for unit in range(hidden):
            below = 1.0 + abs(units[unit])
            of_out[unit] += slope * units[unit] / below
            back[unit] = slope * out[unit] / (below * below)
            of_bias[unit] += back[unit]
        for number in range(len(mean)):
            value = values[number]
            if value != 0.0:
                for unit in range(hidden):
                    of_across[number, unit] += value * back[unit]


@cached_kernel
def _draw(numbers, seed):
    """Fill with random numbers from -1 to 1."""
    for i in range(len(numbers)):
        numbers[i] = (_mix(seed + np.uint64(i + 1) * _GOLDEN) >> np.uint64(11)) / 2.0**52 - 1.0


@cached_kernel
def _shuffle(order, seed):
    """Put numbers into a random order [Fisher and Yates 1938]."""
    for last in range(len(order) - 1, 0, -1):
        other = _below(_mix(seed + np.uint64(last) * _GOLDEN), last + 1)
        order[last], order[other] = order[other], order[last]
