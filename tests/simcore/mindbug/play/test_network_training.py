"""Learning a network from play: right slopes, whole numbers, the same everywhere; it learns."""

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from attrs import evolve

from card_data.mindbug import load_pool
from simcore.adam import Arrays
from simcore.evolution import read_curve
from simcore.jit import cached_kernel
from simcore.mindbug.play import network_training
from simcore.mindbug.play.network_fit import (
    Lessons,
    _slopes,
    arrays_of,
    fit_network,
    new_arrays,
    rounded,
)
from simcore.mindbug.play.network_samples import MOST_SAMPLES, SAMPLES, _say_worth
from simcore.mindbug.play.network_training import NetworkTraining, score_network, train_network
from simcore.mindbug.play.simulate import sample_games
from simcore.mindbug.players.card_features import CARD_UNIT, describe_cards
from simcore.mindbug.players.network_files import SHAPES, Network, own_network, read_network
from simcore.mindbug.players.position_features import N_JOINED, N_ZONES
from simcore.mindbug.players.seats import seat
from support.fast_game import SETS, card_table

FIRST_CONTACT = card_table(sets=SETS[:1])
EVERYTHING = card_table()
POOL = load_pool(["first_contact"])
#: The first rows, one of which says whose turn action is next: first mine, then theirs.
MOMENTS = 48
#: Two generations from nothing: the first learns from games of `learned`.
TINY = NetworkTraining(None, generations=2, games=300, seed=3)


@cached_kernel
def _say_worth_here(samples, thoughts, seats, turns, n, winner):
    """`_say_worth` of a sample."""
    _say_worth(samples[0], thoughts, seats, turns, n, winner)


def sampled(
    players: tuple[str, str], n_games: int, *, whose: int = -1, table: Any = FIRST_CONTACT
) -> npt.NDArray[np.void]:
    """Samples of games, shape (n_games,)."""
    out = np.zeros(n_games, SAMPLES)
    rows = seat(table, players)
    sample_games(rows, seed=5, games=np.arange(n_games), out=out, whose=whose)
    return out


def lessons_of(samples: npt.NDArray[np.void]) -> Lessons:
    """Samples of First Contact to learn from."""
    return Lessons.of([FIRST_CONTACT.faces], [[samples]])


def same(one: Network, other: Network) -> bool:
    """Whether two networks are the same in every number."""
    return one.digest == other.digest


# Samples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [FIRST_CONTACT, EVERYTHING], ids=["first_contact", "everything"])
def test_samples_are_positions_of_the_game(table: Any) -> None:
    """Rows are those of the table and of faces; one says whose turn it is."""
    samples = sampled(("expert", "learned"), 120, table=table)
    there = samples["n"] > 0
    assert there[:, 0].all()
    assert 16 < there.sum() / len(samples) <= MOST_SAMPLES
    assert 0 <= samples["worth"][there].min() < 0.1 < 0.9 < samples["worth"][there].max() <= 1
    for sample in samples:
        for active, n in zip(sample["active"], sample["n"], strict=True):
            assert (active[:n] < N_JOINED + N_ZONES * len(table.faces)).all()
            assert n == 0 or (active[:n] < MOMENTS).sum() == 1


def test_both_players_see_each_position() -> None:
    """What one wins the other loses; it is now the turn of one, and now that of the other."""
    samples = sampled(("expert", "expert"), 60)
    whole = (samples["n"] > 0).sum(axis=1) < MOST_SAMPLES
    for sample in samples[whole]:
        n = np.count_nonzero(sample["n"])
        worth, theirs = sample["worth"][:n], sample["active"][:n, 0] >= MOMENTS // 2
        np.testing.assert_allclose(worth[::2] + worth[1::2], 1, atol=1e-6)
        assert (theirs[::2] != theirs[1::2]).all()
    assert whole.sum() > 10


def test_samples_say_who_won() -> None:
    """Without thoughts all positions of a game are worth what came of it: `learned` has none."""
    for players in (("learned", "random"), ("random", "learned@0.05")):
        samples = sampled(players, 200, whose=0)
        worth = np.where(samples["n"] > 0, samples["worth"], np.nan)
        assert (np.nanmin(worth, axis=1) == np.nanmax(worth, axis=1)).all()
        assert set(worth[:, 0]) <= {0.0, 0.5, 1.0}
        assert (worth[:, 0].mean() > 0.9) == (players[0] == "learned")


def test_worth_goes_from_outcomes_to_thoughts() -> None:
    """The last position is nearest to what came of the game; thoughts before it count as well."""
    samples = sampled(("expert", "expert"), 200, whose=0)
    n = np.count_nonzero(samples["n"], axis=1)
    whole = n < MOST_SAMPLES
    first, last = samples["worth"][whole, 0], samples["worth"][whole, n[whole] - 1]
    assert np.abs(last - np.rint(last)).mean() < 0.1 < np.abs(first - np.rint(first)).mean()


@pytest.mark.parametrize(
    ("thoughts", "winner", "expected"),
    [
        ([math.nan, math.nan], 0, [1, 1]),
        ([math.nan, math.nan], -1, [0.5, 0.5]),
        ([0.6, math.nan], 1, [0.15 * 0.6, 0]),
        ([0.6, 0.2], 0, [0.85 * (0.85 + 0.15 * 0.2) + 0.15 * 0.6, 0.85 + 0.15 * 0.2]),
    ],
)
def test_worth_by_hand(thoughts: list[float], winner: int, expected: list[float]) -> None:
    """Fifteen hundredths of each thought, and the rest of what came later (Sutton 1988)."""
    sample, seats, turns = np.zeros(1, SAMPLES), np.array([0, 0, 1]), np.array([0, 1, 1])
    _say_worth_here(sample, np.array(thoughts), seats, turns, 3, winner)
    np.testing.assert_allclose(sample[0]["worth"][:3], [*expected, 1 - expected[1]], atol=1e-6)


def test_samples_do_not_depend_on_the_games_before() -> None:
    """One game at a time, or all in one go: also where players make mistakes, and think nothing."""
    samples = sampled(("expert@0.3", "expert@0.3"), 40)
    rows = seat(FIRST_CONTACT, ("expert@0.3", "expert@0.3"))
    for number, sample in enumerate(samples):
        alone = np.zeros(1, SAMPLES)
        sample_games(rows, seed=5, games=np.array([number]), out=alone)
        there = sample["n"] > 0
        for name in ("n", "worth"):
            np.testing.assert_array_equal(sample[name][there], alone[0][name][there], name)


def test_faces_that_say_the_same_are_one() -> None:
    """Of two pools with the same cards the second has the same rows; other faces have others."""
    samples = sampled(("learned", "learned"), 20)
    faces = FIRST_CONTACT.faces
    once = lessons_of(samples)
    twice = Lessons.of([faces, faces[::-1]], [[samples[:5], samples[5:]], [samples]])
    assert len(twice.said) == len(once.said) <= len(faces)
    half = len(twice.active) // 2
    np.testing.assert_array_equal(twice.active[:half], once.active)
    one, other = once.active.astype(int), twice.active[half:].astype(int)
    table = one < N_JOINED
    np.testing.assert_array_equal(other[table], one[table])
    assert (other[~table] != one[~table]).any()
    np.testing.assert_array_equal(twice.start[len(once) :] - half, once.start)
    # A row of a face is that of what its card says.
    said = describe_cards(faces)
    first = samples[0]["active"][0][: samples[0]["n"][0]].astype(int)
    for row, learned in zip(first, one, strict=False):
        if row >= N_JOINED:
            np.testing.assert_array_equal(
                once.said[(learned - N_JOINED) // N_ZONES] * CARD_UNIT,
                said[(row - N_JOINED) // N_ZONES],
            )


# Slopes -------------------------------------------------------------------------------------------


def some_arrays() -> Arrays:
    """Numbers of a network in which a few sums are cut off at both ends."""
    rng = np.random.default_rng(2)
    return {
        name: (array + 0.03 * rng.standard_normal(array.shape)).astype(np.float32)
        for name, array in arrays_of(own_network("expert")).items()
    }


def slopes(arrays: Arrays, lessons: Lessons) -> tuple[Arrays, float]:
    """The slopes of the loss of all samples, and the loss."""
    with ThreadPoolExecutor(2) as pool:
        return _slopes(arrays, lessons, np.arange(len(lessons)), pool)


def test_slopes_are_those_of_the_loss() -> None:
    """In every array, along the slope and in random directions, as differences measure it."""
    lessons = lessons_of(sampled(("learned", "learned"), 60))
    arrays, rng = some_arrays(), np.random.default_rng(7)
    found, total = slopes(arrays, lessons)
    assert 0.1 < total / len(lessons) < 5
    for name, slope in found.items():
        assert slope.shape == arrays[name].shape
        steep = np.sign(slope) * (np.abs(slope) > 0.3 * np.abs(slope).max())
        noisy = slope * rng.random(slope.shape) * (rng.random(slope.shape) < 0.5)
        single = np.zeros_like(slope)
        single.flat[np.abs(slope).argmax()] = 1.0
        for direction in (slope, steep, noisy, single):
            along = direction / np.linalg.norm(direction)
            expected = float((slope.astype(float) * along).sum())
            assert expected != 0
            step = min(5e-4 / abs(expected), 4e-3)
            losses = [
                slopes({**arrays, name: arrays[name] + sign * step * along}, lessons)[1]
                for sign in (1, -1)
            ]
            measured = (losses[0] - losses[1]) / (2 * step * len(lessons))
            assert measured == pytest.approx(expected, rel=0.03), name


# Whole numbers ------------------------------------------------------------------------------------


def test_whole_numbers_are_a_fixed_point() -> None:
    """A network that goes on from its file is the same network: nothing is lost by rounding."""
    for network in (own_network("expert"), rounded(new_arrays(4))):
        again = rounded(arrays_of(network))
        assert same(again, network)
        for name, (shape, kind) in SHAPES.items():
            assert again.arrays[name].shape == shape
            assert again.arrays[name].dtype == kind
    start = new_arrays(4)
    for name, array in arrays_of(rounded(start)).items():
        assert array.shape == start[name].shape
        np.testing.assert_allclose(array, start[name], atol=0.5 / 256 + 1e-6)


def test_large_numbers_are_cut_off() -> None:
    """What does not fit into the whole numbers of a file becomes the largest that does."""
    arrays = new_arrays(1)
    arrays["out"][:2] = 1e6, -1e6
    assert rounded(arrays).arrays["out"][:2].tolist() == [2**15 - 1, -(2**15) + 1]


def test_the_network_that_learns_is_the_one_that_plays() -> None:
    """The loss of the rounded network's own judgement is that of the numbers it was made from."""
    lessons = lessons_of(sampled(("learned", "learned"), 100))
    learned = new_arrays(3)
    _, before = slopes(learned, lessons)
    _, after = slopes(arrays_of(rounded(learned)), lessons)
    assert after / len(lessons) == pytest.approx(before / len(lessons), abs=0.01)


# Training -----------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strength is measured with a few games only."""
    monkeypatch.setattr(network_training, "_TEST_GAMES", 40)
    monkeypatch.setattr(network_training, "_PIECE", 100)


def trained(folder: Path, training: NetworkTraining = TINY, **settings: Any) -> Network:
    """The network that a training in a folder ends with."""
    folder.mkdir(exist_ok=True)
    return train_network(
        [POOL], training, folder=folder, curve=folder / "curve.csv", identity="test", **settings
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """What a training has left."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_training_is_the_same_everywhere_and_goes_on(tmp_path: Path, quick: None) -> None:
    """One thread, two, another process; a generation whose file is gone or damaged is made anew."""
    seen: list[tuple[int, int]] = []
    network = trained(
        tmp_path / "one", threads=1, on_progress=lambda done, of: seen.append((done, of))
    )
    files = files_of(tmp_path / "one")
    assert sorted(files) == ["curve.csv", "generation-001.npz", "generation-002.npz"]
    assert same(read_network(tmp_path / "one" / "generation-002.npz"), network)
    assert seen == sorted(seen)
    assert same(trained(tmp_path / "two", threads=2), network)
    assert files_of(tmp_path / "two") == files
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        trained(tmp_path / "processes", executor=executor)
    assert files_of(tmp_path / "processes") == files
    second = tmp_path / "two" / "generation-002.npz"
    for spoil in (second.unlink, lambda: second.write_bytes(b"damaged")):
        spoil()
        assert same(trained(tmp_path / "two"), network)
        assert files_of(tmp_path / "two") == files
    lines = (tmp_path / "two" / "curve.csv").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "two" / "curve.csv").write_text("".join(lines[:2]) + lines[2][:9], "utf-8")
    second.unlink()
    assert same(trained(tmp_path / "two"), network)
    assert files_of(tmp_path / "two") == files
    with pytest.raises(
        ValueError, match="is of another training, or damaged; choose another folder"
    ):
        train_network(
            [POOL], TINY, folder=tmp_path, curve=tmp_path / "one" / "curve.csv", identity="other"
        )
    other = trained(tmp_path / "other", evolve(TINY, seed=4, generations=1))
    assert not same(other, read_network(tmp_path / "one" / "generation-001.npz"))


def test_a_network_learns_who_wins(tmp_path: Path, quick: None) -> None:
    """From nothing: positions that it has not learned from are judged better than by a coin."""
    trained(tmp_path, NetworkTraining(None, generations=1, games=1500, seed=1))
    (generation,) = read_curve(tmp_path / "curve.csv", "test").values()
    learned_from, apart = generation.scores
    assert learned_from < 0.66
    assert apart < 0.66 < math.log(2)
    assert 0.0 <= generation.strength <= 1.0


def test_few_games_are_enough_to_go_on(tmp_path: Path, quick: None) -> None:
    """A handful of games is learned from as well; a little of it is kept apart."""
    for games in (1, 20):
        training = NetworkTraining(own_network("expert"), generations=1, games=games)
        network = trained(tmp_path / str(games), training)
        assert not same(network, own_network("expert"))
        curve = read_curve(tmp_path / str(games) / "curve.csv", "test")
        assert np.isfinite(curve[0].scores).all()
        assert network.known == own_network("expert").known


def test_a_network_knows_what_it_was_trained_with(tmp_path: Path, quick: None) -> None:
    """One that knew nothing knows the faces of its pools afterwards, and no others."""
    network = trained(tmp_path, TINY)
    assert network.unknown(FIRST_CONTACT.faces) == []
    assert len(network.known) < len(own_network("expert").known)


def test_learning_forgets_nothing(tmp_path: Path, quick: None) -> None:
    """A designer who goes on from the network that comes with fairdeal does not spoil it."""
    training = NetworkTraining(own_network("expert"), generations=1, games=600)
    network = trained(tmp_path, training)
    score = score_network([FIRST_CONTACT], network, "learned", n_games=600, seed=3)
    assert score > 0.7


def test_an_opponent_is_learned_against(tmp_path: Path, quick: None) -> None:
    """The learner meets that opponent in both seats, and strength is measured against them."""
    training = NetworkTraining(own_network("expert"), opponent="random", generations=1, games=200)
    network = trained(tmp_path, training)
    curve = read_curve(tmp_path / "curve.csv", "test")
    assert curve[0].strength >= 0.9
    assert not same(network, trained(tmp_path / "self", evolve(training, opponent=None)))
    with pytest.raises(ValueError, match="did you mean 'random'"):
        trained(tmp_path / "nobody", evolve(training, opponent="rndom"))


def test_fitting_is_repeatable() -> None:
    """The same lessons make the same numbers, whatever threads; another seed shuffles anew."""
    samples = sampled(("learned", "learned"), 600)
    networks = []
    for seed, threads in ((1, 1), (1, 3), (2, 1)):
        arrays, _ = fit_network(
            new_arrays(9), lessons_of(samples), rounds=2, step=1e-3, seed=seed, threads=threads
        )
        networks.append(rounded(arrays))
    assert same(networks[0], networks[1])
    assert not same(networks[0], networks[2])
