"""Files of networks: read as they were written, and anything else refused in one clear sentence."""

import io
import re
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simcore.mindbug import Player, parse_player, play_games
from simcore.mindbug.players.network_files import (
    SHAPES,
    VERSION,
    Network,
    network_bytes,
    network_of,
    own_network,
    read_network,
    seat_network,
    write_network,
)
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.players.weights import own_weights, write_weights
from support.fast_game import SETS, card_table

FIRST_CONTACT = card_table(sets=SETS[:1])


def changed(**arrays: npt.ArrayLike) -> Network:
    """The network of ``expert`` with other arrays."""
    others: dict[str, npt.NDArray[Any]] = {
        name: np.asarray(array, SHAPES[name][1]) for name, array in arrays.items()
    }
    return Network.of({**own_network("expert").arrays, **others})


def archive(**changes: Any) -> bytes:
    """The contents of a file with some entries changed, None for those that are missing."""
    entries = {"version": np.int64(VERSION), **own_network("expert").arrays, **changes}
    there = {name: array for name, array in entries.items() if array is not None}
    file = io.BytesIO()
    np.savez_compressed(file, **there)
    return file.getvalue()


def test_networks_are_read_as_written(tmp_path: Path) -> None:
    """Every number, and the digest of them; the same network makes the same bytes."""
    network, path = changed(out_bias=12345).knowing(FIRST_CONTACT.faces), tmp_path / "some.npz"
    write_network(network, path)
    read = read_network(path)
    assert read.known == network.known
    assert 20 < len(read.known) <= len(FIRST_CONTACT.faces)
    assert read.digest == network.digest != own_network("expert").digest
    for name, (shape, kind) in SHAPES.items():
        assert read.arrays[name].shape == shape
        assert read.arrays[name].dtype == kind
        np.testing.assert_array_equal(read.arrays[name], network.arrays[name])
    assert path.read_bytes() == network_bytes(network) == network_bytes(read)
    assert network_of(archive(out_bias=np.int64(12345))).digest == network.digest


def test_rows_begin_with_a_cache_line() -> None:
    """A network that play uses begins with one, wherever memory is free."""
    table = card_table(sets=SETS[:1])
    for name in ("expert", "second"):
        assert seat_network(own_network(name), table.faces).ctypes.data % 64 == 0


def test_digests_tell_any_change() -> None:
    """One more in one number of any array is another network."""
    arrays = own_network("expert").arrays
    digests = {own_network("expert").digest}
    for name in SHAPES:
        array = arrays[name].copy()
        array[(0,) * array.ndim] += 1
        digests.add(changed(**{name: array}).digest)
    assert len(digests) == len(SHAPES) + 1


def flipped(part: bytes, place: int, bit: int) -> bytes:
    """The contents of a file with a bit changed some bytes behind where a part of it begins."""
    damaged = bytearray(OWN)
    damaged[OWN.index(part) + place] ^= 1 << bit
    return bytes(damaged)


def packed(entries: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The contents of an archive with these entries."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as parts:
        for name, content in entries.items():
            parts.writestr(name, content)
    return file.getvalue()


def header(shape: tuple[int, ...]) -> bytes:
    """How an array of this shape begins that has no numbers."""
    file = io.BytesIO()
    entries = {"descr": "<i8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, entries)
    return file.getvalue()


OWN = archive()
WRONG = {
    "nothing at all": (b"", "it is damaged, or 'fairdeal train' did not write it"),
    "a cut file": (OWN[: len(OWN) // 2], "it is damaged"),
    "a damaged file": (OWN[:5000] + bytes(200) + OWN[5200:], "it is damaged"),
    "a single array": (b"\x93NUMPY\x01\x00", "it is damaged"),
    "objects": (archive(out=np.array([{}], object)), "it is damaged"),
    "an unknown packing": (flipped(b"PK\x01\x02", 11, 7), "it is damaged"),
    "a password": (flipped(b"PK\x01\x02", 8, 0), "it is damaged"),
    "weights": (b"[creature]\npower = 3\n", "it is damaged, or 'fairdeal train'"),
    "another version": (archive(version=np.int64(VERSION + 1)), "of another version of fairdeal"),
    "no version": (archive(version=None), "of another version of fairdeal; train it anew"),
    "versions": (archive(version=np.array([1, 1])), "of another version of fairdeal"),
    "another shape": (archive(out=np.zeros(17, np.int16)), r"out is int16 \(17,\); it must be"),
    "another dtype": (archive(out=np.zeros(16)), r"out is float64 \(16,\); it must be int16"),
    "known as text": (archive(known=np.array(["cards"])), r"known is <U5 \(1,\); it must be int64"),
    "known as halves": (archive(known=np.array([0.5])), "known is float64"),
    "200 MB in 0.2 MB": (
        archive(known=np.zeros(25_000_000, np.int64)),
        "it holds 200,[0-9,]* bytes when unpacked",
    ),
    "200 MB elsewhere": (
        archive(more=np.zeros(25_000_000, np.int64)),
        "it is damaged, or 'fairdeal train'",
    ),
    "80 GB in its words": (packed({"known.npy": header((10**10,))}), "it is damaged"),
    "bytes in bzip2": (packed({"known.npy": header((0,))}, zipfile.ZIP_BZIP2), "it is damaged"),
    "an array missing": (archive(bias=None), "bias is missing; it must be int16"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_other_files_are_refused(tmp_path: Path, wrong: str) -> None:
    """One message that names the file and says what is wrong, also to who sits down with it."""
    contents, message = WRONG[wrong]
    path = tmp_path / "some.npz"
    path.write_bytes(contents)
    whole = f"{re.escape(str(path))} is not a network to play with: .*{message}"
    with pytest.raises(ValueError, match=whole):
        read_network(path)
    with pytest.raises(ValueError, match=whole):
        play_games(FIRST_CONTACT, n_games=1, policies=(f"expert={path}", "random"))
    with pytest.raises(ValueError, match=whole):
        fingerprints([f"expert={path}"])


@pytest.mark.parametrize("wrong", [name for name in WRONG if "B " in name])
def test_nothing_is_unpacked_that_no_network_has(wrong: str) -> None:
    """Names and sizes are read first: what would take gigabytes takes some megabytes."""
    contents, _ = WRONG[wrong]
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"unpacked|damaged"):
        network_of(contents)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000


def test_any_damage_is_found_or_harmless(tmp_path: Path) -> None:
    """Whichever byte of a file is changed: it is refused, or it is still the same network."""
    rng, refused = np.random.default_rng(1), 0
    for place in rng.integers(len(OWN), size=60).tolist():
        damaged = bytearray(OWN)
        damaged[place] ^= 1 << int(rng.integers(8))
        try:
            assert network_of(bytes(damaged)).digest == own_network("expert").digest
        except ValueError as error:
            assert str(error)
            refused += 1
    assert refused > 50


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    """The message says where networks come from, and what can be written without a file."""
    for path in (tmp_path / "none.npz", tmp_path):
        message = f"no file {re.escape(str(path))} .*'fairdeal train'.*'expert' alone"
        with pytest.raises(ValueError, match=message):
            seat(FIRST_CONTACT, (f"expert={path}", "random"))
        with pytest.raises(ValueError, match=f"{re.escape(str(path))} is not a network to play"):
            read_network(path)


def test_weights_and_networks_are_not_each_other(tmp_path: Path) -> None:
    """A file of weights for ``expert`` is refused by its name, a network for ``learned`` too."""
    weights, network = tmp_path / "own.toml", tmp_path / "own.npz"
    write_weights(own_weights("learned"), weights, heading="for a test")
    write_network(own_network("expert"), network)
    for player, path in (("expert", weights), ("learned", network)):
        with pytest.raises(ValueError, match=re.escape(str(path))):
            seat(FIRST_CONTACT, (f"{player}={path}", "random"))


def test_a_file_plays_as_what_is_in_it(tmp_path: Path) -> None:
    """A copy of the network of ``expert`` plays the same games, another network does not."""
    same, other = tmp_path / "same.npz", tmp_path / "other.npz"
    write_network(own_network("expert"), same)
    write_network(changed(features=-own_network("expert").arrays["features"]), other)
    games = [
        play_games(FIRST_CONTACT, n_games=50, policies=(player, "learned"))
        for player in ("expert", f"expert={same}", f"expert={other}")
    ]
    np.testing.assert_array_equal(games[0], games[1])
    assert (games[0] != games[2]).any()


def test_fingerprints_are_of_what_is_in_the_files(tmp_path: Path) -> None:
    """The same contents have the same fingerprint, whatever the name; others another one."""
    paths = [tmp_path / name for name in ("one.npz", "two.npz", "other.npz")]
    for path, network in zip(
        paths, (own_network("expert"), own_network("expert"), changed(out_bias=7)), strict=True
    ):
        write_network(network, path)
    players = ["expert", *(f"expert={path}" for path in paths), "learned", "random"]
    told = fingerprints(players)
    assert list(told) == players[:-1]
    assert told["expert"] == told[players[1]] == told[players[2]]
    assert len({told["expert"], told[players[3]], told["learned"]}) == 3
    assert all(re.fullmatch("[0-9a-f]{16}", digest) for digest in told.values())


def test_experts_are_spelled() -> None:
    """``expert`` takes a file, restrictions and mistakes, and no number of simulations."""
    assert parse_player("expert=a/b.npz-blocks@0.1") == Player(
        "expert", "a/b.npz", mistakes=0.1, never=("blocks",)
    )
    assert parse_player("expert-blocks@1") == Player("expert", mistakes=1.0, never=("blocks",))
    assert parse_player("expert").considers
    with pytest.raises(ValueError, match="expert does not simulate; write 'expert' alone"):
        parse_player("expert:4")
    with pytest.raises(ValueError, match=r"share of mistakes is '0\.1-blocks'"):
        parse_player("expert=a/b.npz@0.1-blocks")
    with pytest.raises(ValueError, match="did you mean 'expert'"):
        parse_player("expret")
