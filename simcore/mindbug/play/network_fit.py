"""Fitting a network to samples: positions, and what they turned out to be worth.

Back-propagation by hand: for sums of a few dozen rows and two small layers a library for networks
is much to install and takes three times as long (docs/libraries.md).

The same samples give the same network on every machine.  Each step is one operation of IEEE 754, in
a fixed order: libraries add numbers up, and take powers of e, as the processor and their version
have it, and one bit is enough to change what is played after some generations.
"""

import math
import os
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import reduce

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.schema import Card
from simcore.adam import Adam, Arrays, size_of_step
from simcore.jit import cached_kernel, inline_kernel
from simcore.logistic import _exp, _logistic
from simcore.mindbug.play.network_samples import MOST_ROWS
from simcore.mindbug.players.card_features import CARD_UNIT, N_CARD_FEATURES, describe_cards
from simcore.mindbug.players.network import HIDDEN, UNIT, WEIGHT_UNIT, WIDTH
from simcore.mindbug.players.network_files import CARD_HIDDEN, SHAPES, Network
from simcore.mindbug.players.position_features import JOINED, N_FEATURES, N_JOINED, N_ZONES
from simcore.random_streams import DEAL, _random_below, _seed_streams

_MOST = np.float32(8.0 - 1.0 / UNIT)
_BATCH = 4096
_SHARES = 4  # of a batch, learned side by side
_TOGETHER = 1024  # positions of some games that are learned from, or are not
_ODD = tuple(1.0 / n for n in range(31, 2, -2))  # 1 / n, down to 1 / 3
# Which features are joined in which rows: features, and the rows that have them.
_PARTS, _WHOLES = JOINED[JOINED >= 0], np.nonzero(JOINED >= 0)[0]
#: Of the stream that new numbers come from; those of orders are the numbers of rounds.
_BEGINNING = -1

#: What 1 is in the arrays of whole numbers that are not in ``UNIT``.
_UNITS = {
    "hidden": WEIGHT_UNIT,
    "hidden_bias": UNIT * WEIGHT_UNIT,
    "out": WEIGHT_UNIT,
    "out_bias": UNIT * WEIGHT_UNIT,
    "card_hidden": WEIGHT_UNIT,
    "card_bias": CARD_UNIT * WEIGHT_UNIT,
    "card_rows": WEIGHT_UNIT,
}


@inline_kernel
def _forward(active, rows, bias, across, hidden_bias, out, out_bias, sums, units):
    """Log odds of one sample.  Modifies sums and units, which are not cut off yet."""
    none = np.float32(0.0)
    for column in range(WIDTH):
        sums[column] = bias[column]
    for i in range(len(active)):
        row = np.int64(active[i])
        for column in range(WIDTH):
            sums[column] += rows[row, column]
    for unit in range(HIDDEN):
        units[unit] = hidden_bias[unit]
    for column in range(WIDTH):
        value = min(max(sums[column], none), _MOST)
        for unit in range(HIDDEN):
            units[unit] += value * across[column, unit]
    odds = np.float64(out_bias[0])
    for unit in range(HIDDEN):
        odds += np.float64(min(max(units[unit], none), _MOST)) * np.float64(out[unit])
    return odds


@inline_kernel
def _backward(slope, hidden, out, sums, units, back, g_hidden, g_hidden_bias, g_out):
    """Slopes of a sample's loss in its sums: fills ``back``; adds those in the layers.

    What is cut off has none.  Modifies units and the last four.
    """
    none = np.float32(0.0)
    for unit in range(HIDDEN):
        value = units[unit]
        g_out[unit] += slope * min(max(value, none), _MOST)
        units[unit] = slope * out[unit] if value > none and value < _MOST else none
        g_hidden_bias[unit] += units[unit]
    for column in range(WIDTH):
        value = min(max(sums[column], none), _MOST)
        back[column] = none
        for unit in range(HIDDEN):
            g_hidden[column, unit] += value * units[unit]
    for unit in range(HIDDEN):
        value = units[unit]
        for column in range(WIDTH):
            back[column] += value * hidden[unit, column]
    for column in range(WIDTH):
        inside = sums[column] > none and sums[column] < _MOST
        back[column] = back[column] if inside else none


@cached_kernel
def _learn(
    active, start, target, order, rows, bias, hidden, across, hidden_bias, out, out_bias,
    g_rows, g_bias, g_hidden, g_hidden_bias, g_out, g_out_bias,
):  # fmt: skip
    """Add the slopes of the loss of some samples, ``order``, to the ``g_`` arrays; the loss.

    The loss of a sample is its cross entropy.  ``across`` is ``hidden`` transposed.
    """
    sums, back = np.zeros(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    units = np.zeros(HIDDEN, np.float32)
    loss = 0.0
    for sample in order:
        here = active[start[sample] : start[sample + 1]]
        odds = _forward(here, rows, bias, across, hidden_bias, out, out_bias, sums, units)
        wanted = np.float64(target[sample])
        loss += max(odds, 0.0) - odds * wanted + _log_1p(_exp(-abs(odds)))
        slope = np.float32(_logistic(odds) - wanted)
        g_out_bias[0] += slope
        _backward(slope, hidden, out, sums, units, back, g_hidden, g_hidden_bias, g_out)
        for column in range(WIDTH):
            g_bias[column] += back[column]
        for i in range(len(here)):
            row = np.int64(here[i])
            for column in range(WIDTH):
                g_rows[row, column] += back[column]
    return loss


@inline_kernel
def _log_1p(x):
    """The natural logarithm of 1 + x, of 0 to 1: twice the inverse hyperbolic tangent of z."""
    z = x / (2.0 + x)
    series = 0.0
    for coefficient in _ODD:
        series = series * (z * z) + coefficient
    return 2.0 * z * (1.0 + z * z * series)


@cached_kernel
def _times(left, right, out):
    """Add the product of two matrices to ``out``; what is zero in ``left`` costs nothing."""
    for i in range(left.shape[0]):
        for j in range(left.shape[1]):
            value = left[i, j]
            if value != 0.0:
                for k in range(right.shape[1]):
                    out[i, k] += value * right[j, k]


@cached_kernel
def _add_rows(source, places, target, to):
    """Add rows of ``source``, those at ``places``, to rows of ``target``, those at ``to``."""
    for i in range(len(places)):
        for column in range(WIDTH):
            target[to[i], column] += source[places[i], column]


@cached_kernel
def _shuffle(order, seed, number):
    """Put ``order`` into a random order, the one of this seed and number."""
    streams = np.zeros((1, 2), np.uint64)
    _seed_streams(streams, seed, number)
    for i in range(len(order) - 1, 0, -1):
        j = _random_below(streams, DEAL, i + 1)
        order[i], order[j] = order[j], order[i]


@cached_kernel
def _draw(numbers, seed):
    """Fill ``numbers`` with random ones of mean 0 and variance 1, those of this seed."""
    streams = np.zeros((1, 2), np.uint64)
    _seed_streams(streams, seed, _BEGINNING)
    steps = np.int64(1 << 24)
    for i in range(len(numbers)):
        even = (_random_below(streams, DEAL, steps) + 0.5) / steps
        numbers[i] = np.sqrt(12.0) * (even - 0.5)


@frozen
class Lessons:
    """Samples to learn from, of one pool after the other.

    ``said`` (faces, N_CARD_FEATURES) is what their faces say; those that say the same are one.  The
    rows of sample i are ``active[start[i] : start[i + 1]]``, those of faces numbered as in
    ``said``.  ``target`` (n,) is what is to be learned, the share won.
    """

    said: npt.NDArray[np.float32]
    active: npt.NDArray[np.uint16]
    start: npt.NDArray[np.int64]
    target: npt.NDArray[np.float32]

    @classmethod
    def of(
        cls, faces: Sequence[Sequence[Card]], samples: Sequence[Sequence[npt.NDArray[np.void]]]
    ) -> "Lessons":
        """Samples of several pools: of each some arrays of games, of SAMPLES."""
        described = [describe_cards(cards) for cards in faces]
        said, numbers = np.unique(np.concatenate(described), axis=0, return_inverse=True)
        ends = np.cumsum([len(cards) for cards in faces])
        found = []
        for places, of_pool in zip(np.split(numbers.ravel(), ends[:-1]), samples, strict=True):
            of_faces = N_JOINED + N_ZONES * places[:, None] + np.arange(N_ZONES)
            names = np.concatenate([np.arange(N_JOINED), of_faces.ravel()]).astype(np.uint16)
            found += [_flat(games, names) for games in of_pool]
        active, counts, target = map(np.concatenate, zip(*found, strict=True))
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])
        return cls((said / CARD_UNIT).astype(np.float32), active, start, target)

    def __len__(self) -> int:
        return len(self.target)


def _flat(
    games: npt.NDArray[np.void], names: npt.NDArray[np.uint16]
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int16], npt.NDArray[np.float32]]:
    """The rows of the positions of games under other ``names``, how many each has, its worth."""
    there = games["n"] > 0
    counts = games["n"][there]
    active = games["active"][there]
    return names[active[np.arange(MOST_ROWS) < counts[:, None]]], counts, games["worth"][there]


def new_arrays(seed: int) -> Arrays:
    """The numbers of a network that has learned nothing."""
    spread = {
        "features": (0.05, (N_FEATURES, WIDTH)),
        "hidden": (2.0 / WIDTH**0.5, (WIDTH, HIDDEN)),
        "out": (0.25, (HIDDEN,)),
        "card_hidden": (0.1, (N_CARD_FEATURES, CARD_HIDDEN)),
        "card_rows": (0.05, (CARD_HIDDEN, N_ZONES * WIDTH)),
    }
    ends = np.cumsum([math.prod(shape) for _, shape in spread.values()])
    numbers = np.zeros(ends[-1])
    _draw(numbers, np.int64(seed))
    drawn = {
        name: (size * part).astype(np.float32).reshape(shape)
        for (name, (size, shape)), part in zip(
            spread.items(), np.split(numbers, ends[:-1]), strict=True
        )
    }
    return drawn | {
        "bias": np.full(WIDTH, 0.5, np.float32),
        "hidden_bias": np.full(HIDDEN, 0.2, np.float32),
        "out_bias": np.zeros(1, np.float32),
        "card_bias": np.zeros(CARD_HIDDEN, np.float32),
        "card_rows_bias": np.zeros(N_ZONES * WIDTH, np.float32),
    }


def arrays_of(network: Network) -> Arrays:
    """The numbers of a network that has learned something, to go on from; `rounded` undone."""
    arrays = {}
    for name, array in network.arrays.items():
        numbers = (array / _UNITS.get(name, UNIT)).astype(np.float32)
        arrays[name] = (
            np.ascontiguousarray(numbers.T) if name == "hidden" else np.atleast_1d(numbers)
        )
    return arrays


def fit_network(
    arrays: Arrays,
    lessons: Lessons,
    *,
    rounds: int,
    step: float,
    seed: int,
    threads: int | None = None,
) -> tuple[Arrays, tuple[float, float]]:
    """The numbers after learning from all samples ``rounds`` times, and two mean losses.

    These are the loss in the last round, and that of samples that are not learned from, one in
    thirty.  ``threads`` is how many learn, None for one on each processor; it changes nothing.
    """
    arrays = {name: array.copy() for name, array in arrays.items()}
    # Positions of a game lie together, and who won one is known from the others.
    together = max(min(_TOGETHER, len(lessons) // 60), 1)
    apart = np.arange(len(lessons)) // together % 30 == 0
    kept, learned = np.flatnonzero(apart), np.flatnonzero(~apart)
    adam = Adam.of(arrays)
    size = min(_BATCH, len(learned))
    steps = rounds * (len(learned) // size)
    with ThreadPoolExecutor(min(threads or os.cpu_count() or 1, _SHARES)) as pool:
        for number in range(rounds):
            shuffled, total = learned.copy(), 0.0
            _shuffle(shuffled, np.int64(seed), np.int64(number))
            for first in range(0, len(learned) - size + 1, size):
                batch = shuffled[first : first + size]
                slopes, loss = _slopes(arrays, lessons, batch, pool)
                total += loss
                adam.take_step(arrays, slopes, step * size_of_step((adam.number + 1) / steps))
        _, loss = _slopes(arrays, lessons, kept, pool)
    return arrays, (total / (len(learned) // size * size), loss / len(kept))


def _slopes(
    arrays: Arrays, lessons: Lessons, batch: npt.NDArray[np.int64], pool: Executor
) -> tuple[Arrays, float]:
    """The slopes of the mean loss of some samples in all numbers, and the sum of their losses.

    Shares of the samples are learned side by side, and their slopes are added up in order.
    """
    said = lessons.said
    before = _product(said, arrays["card_hidden"]) + arrays["card_bias"]
    middle = np.maximum(before, np.float32(0.0))
    of_faces = _product(middle, arrays["card_rows"]) + arrays["card_rows_bias"]
    rows = np.zeros((N_JOINED + N_ZONES * len(said), WIDTH), np.float32)
    _add_rows(arrays["features"], _PARTS, rows, _WHOLES)
    rows[N_JOINED:] = of_faces.reshape(-1, WIDTH)
    across, numbers = arrays["hidden"], (arrays["bias"], np.ascontiguousarray(arrays["hidden"].T))
    layers = (*numbers, across, arrays["hidden_bias"], arrays["out"], arrays["out_bias"])
    names = ("bias", "hidden", "hidden_bias", "out", "out_bias")

    def learn(share: npt.NDArray[np.int64]) -> tuple[list[npt.NDArray[np.float32]], float]:
        found = [np.zeros_like(array) for array in (rows, *(arrays[name] for name in names))]
        return found, _learn(
            lessons.active, lessons.start, lessons.target, share, rows, *layers, *found
        )

    learned = [*pool.map(learn, np.array_split(batch, _SHARES))]
    parts = zip(*(found for found, _ in learned), strict=True)
    of_rows, *of_layers = (reduce(np.add, slopes) for slopes in parts)
    loss = sum(loss for _, loss in learned)
    slopes = dict(zip(names, of_layers, strict=True))
    slopes["features"] = np.zeros_like(arrays["features"])
    _add_rows(of_rows, _WHOLES, slopes["features"], _PARTS)
    back = of_rows[N_JOINED:].reshape(said.shape[0], N_ZONES * WIDTH)
    slopes["card_rows"] = _product(middle.T, back)
    slopes["card_rows_bias"] = _column_sums(back)
    back = _product(back, arrays["card_rows"].T) * (before > 0.0)
    slopes["card_hidden"] = _product(said.T, back)
    slopes["card_bias"] = _column_sums(back)
    scale = np.float32(1.0 / len(batch))
    return {name: slope * scale for name, slope in slopes.items()}, float(loss)


def _product(
    left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """The product of two matrices, added up row by row of the right one."""
    product = np.zeros((left.shape[0], right.shape[1]), np.float32)
    _times(np.ascontiguousarray(left), np.ascontiguousarray(right), product)
    return product


def _column_sums(matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The sums of the columns of a matrix."""
    return _product(np.ones((1, len(matrix)), np.float32), matrix)[0]


def rounded(arrays: Arrays) -> Network:
    """The network of whole numbers that plays."""
    found: dict[str, npt.NDArray[np.integer]] = {}
    for name, (shape, kind) in SHAPES.items():
        array = arrays[name].T if name == "hidden" else arrays[name]
        most = np.iinfo(kind).max
        whole = np.rint(array.astype(np.float64) * _UNITS.get(name, UNIT)).clip(-most, most)
        found[name] = np.ascontiguousarray(whole.reshape(shape)).astype(kind).reshape(shape)
    return Network.of(found)


def compile_fitting() -> None:
    """Compile what `fit_network` calls, where that has not been done."""
    said = np.zeros((1, N_CARD_FEATURES), np.float32)
    nothing = np.zeros(1, np.uint16), np.zeros(2, np.int64), np.zeros(1, np.float32)
    one = np.zeros(1, np.int64)
    with ThreadPoolExecutor(1) as pool:
        _slopes(new_arrays(0), Lessons(said, *nothing), one, pool)
    _shuffle(one, np.int64(0), np.int64(0))
