"""Files of networks: what training has learned, and how it becomes what a game needs.

A file is a NumPy archive of whole numbers.  The rows of features are in it as they are; those of
faces are made by two layers from what the cards say, in whole numbers too, so that they are the
same on every processor.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import evolve, field, frozen

from card_data.mindbug.schema import Card
from simcore.mindbug.players.card_features import (
    CARD_FEATURES,
    CARD_UNIT,
    N_CARD_FEATURES,
    describe_cards,
)
from simcore.mindbug.players.network import HIDDEN, NETWORK, UNIT, WEIGHT_UNIT, WIDTH
from simcore.mindbug.players.position_features import JOINED, N_FEATURES, N_JOINED, N_ZONES
from simcore.sealed import UNREADABLE, DamagedError, RunError, read_file, write_file

#: Version of what files hold: networks of another one cannot be played with.
VERSION = 2
#: The networks that come with fairdeal, trained alike from different seeds, so from other games.
#: A player thinks with the first unless another is named, as in 'expert=second'.
NETWORKS = ("expert", "second", "third")
CARD_HIDDEN = 64  # numbers of the layer between what a card says and its rows

#: Arrays of a file: their shapes and dtypes.
SHAPES: dict[str, tuple[tuple[int, ...], type]] = {
    "features": ((N_FEATURES, WIDTH), np.int16),
    "bias": ((WIDTH,), np.int16),
    "hidden": ((HIDDEN, WIDTH), np.int16),
    "hidden_bias": ((HIDDEN,), np.int32),
    "out": ((HIDDEN,), np.int16),
    "out_bias": ((), np.int64),
    "card_hidden": ((N_CARD_FEATURES, CARD_HIDDEN), np.int16),
    "card_bias": ((CARD_HIDDEN,), np.int32),
    "card_rows": ((CARD_HIDDEN, N_ZONES * WIDTH), np.int16),
    "card_rows_bias": ((N_ZONES * WIDTH,), np.int16),
}

# Bytes of all arrays of a file at most; a network has 400,000, and 8 for each card that it knows.
_MOST_BYTES = 4_000_000
_LINE = 64  # bytes of a cache line
_PACKINGS = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


def _numbers(values: Iterable[int]) -> frozenset[int]:
    return frozenset(values)


@frozen(eq=False)
class Network:
    """A network as training leaves it: the arrays of ``SHAPES`` and a digest of them.

    ``known`` are the cards that it was trained with, as `card_digests` gives them.
    """

    arrays: dict[str, npt.NDArray[np.integer]]
    digest: str
    known: frozenset[int] = field(default=(), converter=_numbers)

    @classmethod
    def of(cls, arrays: dict[str, npt.NDArray[np.integer]]) -> "Network":
        """The network of some arrays.  Raises ValueError for one of another shape."""
        digest = hashlib.sha256()
        for name, (shape, kind) in SHAPES.items():
            array = arrays.get(name)
            if array is None or array.shape != shape or array.dtype != kind:
                found = "missing" if array is None else f"{array.dtype} {array.shape}"
                raise ValueError(f"{name} is {found}; it must be {np.dtype(kind)} {shape}")
            digest.update(np.ascontiguousarray(array).tobytes())
        return cls({name: arrays[name] for name in SHAPES}, digest.hexdigest())

    def knowing(self, faces: Iterable[Card], before: Iterable[int] = ()) -> "Network":
        """The same network, trained with some faces and with those that it knew ``before``."""
        return evolve(self, known=(*before, *card_digests([*faces])))

    def unknown(self, faces: Sequence[Card]) -> list[Card]:
        """The faces that say what no card said that it was trained with, whatever their power."""
        digests = card_digests(faces)
        return [card for card, said in zip(faces, digests, strict=True) if said not in self.known]


def card_digests(faces: Sequence[Card]) -> list[int]:
    """A number for what each face says besides its power, 63 bits.

    Networks know all powers, so a card of another power is no new card to them.
    """
    said = describe_cards(faces)
    said[:, [name.startswith("power") for name in CARD_FEATURES]] = 0
    digests = (hashlib.sha256(row.astype("<i8").tobytes()) for row in said)
    return [int.from_bytes(digest.digest()[:8]) >> 1 for digest in digests]


def face_rows(network: Network, faces: Sequence[Card]) -> npt.NDArray[np.int16]:
    """The rows of faces, shape (len(faces) * N_ZONES, WIDTH), a face's zones one after another."""
    arrays = {name: array.astype(np.int64) for name, array in network.arrays.items()}
    sums = describe_cards(faces) @ arrays["card_hidden"] + arrays["card_bias"]
    hidden = np.maximum(sums, 0) // (CARD_UNIT * WEIGHT_UNIT // UNIT)
    rows = hidden @ arrays["card_rows"] // WEIGHT_UNIT + arrays["card_rows_bias"]
    most = np.iinfo(np.int16).max
    return np.clip(rows, -most, most).astype(np.int16).reshape(-1, WIDTH)


def seat_network(network: Network, faces: Sequence[Card]) -> npt.NDArray[np.void]:
    """A network made ready for the faces of a table, as the kernels want it: (1,) of NETWORK.

    It begins with a cache line, so that a row takes four of them and not five.
    """
    room = np.zeros(NETWORK.itemsize + _LINE, np.uint8)
    skipped = -room.ctypes.data % _LINE
    seated = room[skipped : skipped + NETWORK.itemsize].view(NETWORK)
    for name in ("bias", "hidden_bias", "out", "out_bias"):
        seated[0][name] = network.arrays[name]
    pairs = network.arrays["hidden"].reshape(HIDDEN, WIDTH // 2, 2)
    seated[0]["pairs"] = pairs.transpose(1, 0, 2)
    rows = seated[0]["rows"]
    none = np.zeros((1, WIDTH), np.int16)  # the last, which -1 means
    single = np.concatenate([network.arrays["features"], none])
    rows[:N_JOINED] = single[JOINED].sum(axis=1, dtype=np.int16)
    of_faces = face_rows(network, faces)
    rows[N_JOINED : N_JOINED + len(of_faces)] = of_faces
    return seated


def read_network(path: Path) -> Network:
    """The network of a file.

    Raises
    ------
    DamagedError
        For a file that cannot be read, is damaged or holds something else, or is of another
        version of fairdeal.
    """
    try:
        return network_of(read_file(path))
    except (RunError, OSError, ValueError) as error:
        raise DamagedError(f"{path} is not a network to play with: {error}") from error


def network_of(data: bytes) -> Network:
    """The network of a file's contents.  Raises ValueError as `read_network` does."""
    arrays = _unpacked(data)
    version, known = arrays.pop("version", np.int64(0)), arrays.pop("known", np.zeros(0, np.int64))
    if version.shape != () or version != VERSION:
        raise ValueError("it is of another version of fairdeal; train it anew")
    if known.ndim != 1 or known.dtype != np.int64:
        raise ValueError(f"known is {known.dtype} {known.shape}; it must be int64 (cards,)")
    return evolve(Network.of(arrays), known=known.tolist())


def _unpacked(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays in a file's contents by their names.  Raises ValueError.

    Names and sizes are read first, so that nothing is unpacked that no network has.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {part.filename.removesuffix(".npy"): part for part in archive.infolist()}
            if len(parts) < len(archive.infolist()) or not {*parts} <= {
                "version",
                "known",
                *SHAPES,
            }:
                raise zipfile.BadZipFile("other names")
            if any(part.compress_type not in _PACKINGS for part in parts.values()):
                raise zipfile.BadZipFile("another packing")
            size = sum(part.file_size for part in parts.values())
            if size <= _MOST_BYTES:
                return {name: _array(archive.read(part)) for name, part in parts.items()}
    except UNREADABLE as error:
        raise ValueError("it is damaged, or 'fairdeal train' did not write it") from error
    raise ValueError(
        f"it holds {size:,} bytes when unpacked, and no network has more than {_MOST_BYTES:,}"
    )


def _array(content: bytes) -> npt.NDArray[Any]:
    """The array in a file of NumPy's, which has as many numbers as it says.  Raises ValueError."""
    file = io.BytesIO(content)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("it has another format")
    shape, in_columns, kind = np.lib.format.read_array_header_1_0(file)
    numbers = np.frombuffer(file.read(), kind)  # which refuses objects
    return numbers.reshape(shape, order="F" if in_columns else "C")


def write_network(network: Network, path: Path) -> None:
    """Write a network as a file that `read_network` reads.  Raises RunError if the disk is full."""
    write_file(path, network_bytes(network))


def network_bytes(network: Network) -> bytes:
    """The contents of the file of a network: the same network, the same bytes."""
    archive = io.BytesIO()
    arrays: dict[str, Any] = {**network.arrays}
    known = np.array(sorted(network.known), np.int64)
    np.savez_compressed(archive, version=np.int64(VERSION), known=known, **arrays)
    return archive.getvalue()


@cache
def own_network(name: str) -> Network:
    """The network of a policy as it comes with fairdeal."""
    return read_network(Path(__file__).parent / f"{name}.npz")
