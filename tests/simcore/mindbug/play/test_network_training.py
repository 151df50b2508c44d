"""Learning a network from play: right slopes, whole numbers, the same everywhere; it learns."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
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
from simcore.mindbug.play import network_training
from simcore.mindbug.play.network_fit import (
    Lessons,
    _slopes,
    arrays_of,
    fit_network,
    new_arrays,
    rounded,
    said_by,
)
from simcore.mindbug.play.network_samples import MOST_SAMPLES, SAMPLES
from simcore.mindbug.play.network_training import (
    NetworkTraining,
    score_network,
    train_network,
)
from simcore.mindbug.play.simulate import sample_games
from simcore.mindbug.players.network_files import SHAPES, Network, own_network, read_network
from simcore.mindbug.players.position_features import N_FEATURES, N_ZONES
from simcore.mindbug.players.seats import seat
from support.fast_game import SETS, card_table

FIRST_CONTACT = card_table(sets=SETS[:1])
EVERYTHING = card_table()
POOL = load_pool(["first_contact"])
#: Feature: the next turn action is that of the other player.
THEIR_TURN = 1
#: Two generations from nothing: the first learns from four times as many games of `learned`.
TINY = NetworkTraining(None, generations=2, games=160, seed=3)


def sampled(
    players: tuple[str, str], n_games: int, *, whose: int = -1, table: Any = FIRST_CONTACT
) -> npt.NDArray[np.void]:
    """Samples of games, shape (n_games,)."""
    out = np.zeros(n_games, SAMPLES)
    rows = seat(table, players)
    sample_games(rows, seed=5, games=np.arange(n_games), out=out, whose=whose)
    return out


def lessons_of(samples: npt.NDArray[np.void], *, trust: float = 0.7) -> Lessons:
    """Samples of First Contact to learn from."""
    there = samples["n"] > 0
    flat = {name: samples[name][there] for name in samples.dtype.names or ()}
    return Lessons.of([FIRST_CONTACT.faces], [flat], trust=trust)


def same(one: Network, other: Network) -> bool:
    """Whether two networks are the same in every number."""
    return one.digest == other.digest


# Samples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [FIRST_CONTACT, EVERYTHING], ids=["first_contact", "everything"])
def test_samples_are_positions_of_the_game(table: Any) -> None:
    """Features are those of the table and of faces, each list without one twice but faces."""
    samples = sampled(("expert", "learned"), 120, table=table)
    there = samples["n"] > 0
    assert there[:, 0].all()
    assert 4 < there.sum() / len(samples) <= MOST_SAMPLES
    assert set(np.unique(samples["won"][there])) <= {0.0, 0.5, 1.0}
    n_known = N_FEATURES + N_ZONES * len(table.faces)
    for sample in samples:
        for active, n in zip(sample["active"], sample["n"], strict=True):
            assert (active[:n] < n_known).all()
            assert n == 0 or (active[:n] < 2).sum() == 1  # whose turn it is


def test_samples_say_who_won() -> None:
    """Seen by one player, all positions of a game have been won or lost; `expert` wins most."""
    for whose, low, high in ((0, 0.9, 1.0), (1, 0.0, 0.1)):
        samples = sampled(("expert", "random"), 200, whose=whose)
        there = samples["n"] > 0
        won = np.where(there, samples["won"], np.nan)
        assert (np.nanmin(won, axis=1) == np.nanmax(won, axis=1)).all()
        assert low <= won[there].mean() <= high


def test_thoughts_are_of_those_who_look_ahead() -> None:
    """`learned` has none; `expert` has one of nearly each of their own turns, and it is right."""
    for players in (("learned", "learned"), ("random", "learned@0.05")):
        samples = sampled(players, 50)
        assert np.isnan(samples["thought"][samples["n"] > 0]).all()
    samples = sampled(("expert", "learned"), 300, whose=0)
    there = samples["n"] > 0
    mine = there & ~(samples["active"] == THEIR_TURN).any(axis=2)
    thought = samples["thought"][mine & ~np.isnan(samples["thought"])]
    assert len(thought) > 0.8 * mine.sum() > 0
    assert np.isnan(samples["thought"][there & ~mine]).all()
    known = there & ~np.isnan(samples["thought"])
    won = samples["won"][known]
    assert (
        won[samples["thought"][known] > 1].mean() > won[samples["thought"][known] < 0].mean() + 0.2
    )


def test_samples_do_not_depend_on_the_games_before() -> None:
    """One game at a time, or all in one go: also where players make mistakes, and think nothing."""
    samples = sampled(("expert@0.3", "expert@0.3"), 40)
    rows = seat(FIRST_CONTACT, ("expert@0.3", "expert@0.3"))
    for number, sample in enumerate(samples):
        alone = np.zeros(1, SAMPLES)
        sample_games(rows, seed=5, games=np.array([number]), out=alone)
        there = sample["n"] > 0
        for name in ("n", "won", "thought"):
            np.testing.assert_array_equal(sample[name][there], alone[0][name][there], name)


def test_lessons_mix_thoughts_and_outcomes() -> None:
    """What was thought counts by the trust in it, and nothing where nothing was thought."""
    samples = sampled(("expert", "learned"), 60)
    there = samples["n"] > 0
    thought, won = samples["thought"][there], samples["won"][there]
    target = lessons_of(samples, trust=0.7).target
    none = np.isnan(thought)
    assert none.any()
    assert (~none).any()
    np.testing.assert_array_equal(target[none], won[none])
    odds = 0.7 / (1 + np.exp(-thought[~none].astype(float).clip(-20, 20)))
    np.testing.assert_allclose(target[~none], odds + 0.3 * won[~none], atol=1e-6)


def test_faces_of_several_pools_have_rows_of_their_own() -> None:
    """The second pool's faces come behind those of the first."""
    samples = sampled(("learned", "learned"), 20)
    there = samples["n"] > 0

    def flat() -> dict[str, npt.NDArray[Any]]:
        return {name: samples[name][there].copy() for name in samples.dtype.names or ()}

    faces = FIRST_CONTACT.faces
    lessons = Lessons.of([faces, faces], [flat(), flat()], trust=0.5)
    one, other = np.split(lessons.active.astype(int), 2)
    moved = np.where(one >= N_FEATURES, one + N_ZONES * len(faces), one)
    for n, first, second in zip(samples["n"][there], moved, other, strict=True):
        np.testing.assert_array_equal(first[:n], second[:n])


# Slopes -------------------------------------------------------------------------------------------


def some_arrays() -> Arrays:
    """Numbers of a network in which a few sums are cut off at both ends."""
    rng = np.random.default_rng(2)
    return {
        name: (array + 0.03 * rng.standard_normal(array.shape)).astype(np.float32)
        for name, array in arrays_of(own_network("expert")).items()
    }


def test_slopes_are_those_of_the_loss() -> None:
    """In every array, along the slope and in random directions, as differences measure it."""
    lessons = lessons_of(sampled(("learned", "learned"), 150))
    batch = np.arange(len(lessons))
    said = said_by(lessons)
    arrays, rng = some_arrays(), np.random.default_rng(7)
    slopes, total = _slopes(arrays, lessons, said, batch)
    assert 0.1 < total / len(batch) < 5
    for name, slope in slopes.items():
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
                _slopes({**arrays, name: arrays[name] + sign * step * along}, lessons, said, batch)[
                    1
                ]
                for sign in (1, -1)
            ]
            measured = (losses[0] - losses[1]) / (2 * step * len(batch))
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
    said = said_by(lessons)
    batch = np.arange(len(lessons))
    learned = new_arrays(3)
    _, before = _slopes(learned, lessons, said, batch)
    _, after = _slopes(arrays_of(rounded(learned)), lessons, said, batch)
    assert after / len(batch) == pytest.approx(before / len(batch), abs=0.01)


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
    """The same lessons in the same order make the same numbers; another seed shuffles anew."""
    samples = sampled(("learned", "learned"), 600)
    networks = []
    for seed in (1, 1, 2):
        arrays, _ = fit_network(
            new_arrays(9), lessons_of(samples.copy()), rounds=2, step=1e-3, seed=seed
        )
        networks.append(rounded(arrays))
    assert same(networks[0], networks[1])
    assert not same(networks[0], networks[2])
