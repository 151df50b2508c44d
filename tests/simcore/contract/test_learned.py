"""The player ``learned``: what it sees, what it makes of that, and that it learns."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from simcore.contract import learning
from simcore.contract.compiled.form import Form, NotCompiled
from simcore.contract.faults import GameError
from simcore.contract.features import seen_by
from simcore.contract.finding import load_file
from simcore.contract.game import LEARNED, RANDOM
from simcore.contract.learning import Lessons, learn
from simcore.contract.network import Network, Samples, _returns, fit, network_of
from simcore.contract.play import Play, Table
from simcore.own_games.setup import OwnGames, record_at
from support.own_games import write_keep


@pytest.fixture
def keep(tmp_path: Path) -> Table:
    """That game, with eight cards."""
    write_keep(tmp_path)
    game = load_file(tmp_path / "keep.py")
    return Table(game, game.load(), {}, 2)


def row(rank: int) -> list[float]:
    """The row of a card: rank, whether it is red, which one it is."""
    return [rank, rank % 2 == 0, *np.eye(8)[rank - 1]]


def test_what_a_seat_sees_by_hand(keep: Table) -> None:
    """Itself first; nothing of what is hidden from it, but how much there is."""
    play = Play(keep, 3, 0)
    rules: Any = play.rules
    mine = [card.rank for card in rules.hand[0]]
    play.choose(0)
    left = mine[1]
    hand = [card.rank for card in rules.hand[1]]
    seen = {}
    for seat in range(2):
        numbers = seen_by(play.rules, seat, keep).tolist()
        parts = [1, 11, 11, 11, 12, 12, 1, 1, 2, 10, 2, 2]
        ends = np.cumsum(parts)
        assert len(numbers) == ends[-1]
        seen[seat] = [numbers[end - n : end] for n, end in zip(parts, ends, strict=True)]
    first, kept = row(mine[0]), [1.0, *row(mine[0]), 3.0]
    nothing = [0.0] * 10
    both = np.add(row(hand[0]), row(hand[1])).tolist()
    assert seen[0] == [
        *([0.0], [4.0, *nothing], [1.0, *row(left)], [2.0, *nothing]),
        *(kept, [0.0, *nothing, 0.0], [7.0], [0.0]),
        *([5.0, 5.0], first, [0.0, 1.0], [1.0, 0.0]),
    ]
    assert seen[1] == [
        *([1.0], [4.0, *nothing], [2.0, *both], [1.0, *nothing]),
        *([0.0, *nothing, 0.0], kept, [8.0], [0.0]),
        *([5.0, 5.0], first, [1.0, 0.0], [0.0, 1.0]),
    ]


def test_a_network_against_a_slow_one() -> None:
    """Odds from softsign units of what is seen, measured from its mean in its spread."""
    rng = np.random.default_rng(1)
    network = Network(*(rng.normal(size=size) for size in (5, 5, (5, 32), 32, 32, 1)))
    seen = rng.normal(size=5)
    units = ((seen - network.mean) * network.spread) @ network.across + network.bias
    odds = network.intercept[0] + (network.out * units / (1 + abs(units))).sum()
    assert network.value(seen) == pytest.approx(1 / (1 + np.exp(-odds)))


@pytest.mark.parametrize("weight", [1.0, 0.6, 0.0])
def test_what_samples_led_to(weight: float) -> None:
    """The mix of what came and of what the network said of a seat's next position, by hand."""
    rng = np.random.default_rng(2)
    network = evolve(Network.ignorant(3), spread=np.ones(3))
    seen = rng.normal(size=(5, 3))
    whose = np.array([[0, 0], [0, 1], [0, 0], [1, 1], [1, 1]])
    target = np.zeros(5)
    outcomes = np.array([[1.0, 0.0], [0.25, 0.75]])
    _returns(network.kernel_form, seen, whose, outcomes, weight, target)
    later = [network.value(one) for one in seen]
    first = weight * 1.0 + (1 - weight) * later[2]
    fourth = weight * 0.75 + (1 - weight) * later[4]
    assert target == pytest.approx([first, 0.0, 1.0, fourth, 0.75])


def test_a_network_learns_what_it_sees() -> None:
    """Of made-up positions a network says what came of those that it has not seen."""
    rng = np.random.default_rng(3)
    seen = rng.normal(size=(6_000, 4))
    truth = 0.5 + 0.3 * np.tanh(seen[:, 0] * seen[:, 1]) - 0.1 * np.sign(seen[:, 2])
    whose = np.stack([np.arange(6_000), np.zeros(6_000, int)], axis=1)
    samples = Samples(seen[:5_000], whose[:5_000], truth[:5_000, None])
    found = fit(Network.ignorant(4), [(samples, 1.0)], rounds=12, step=1e-2, seed=0)
    said = np.array([found.value(one) for one in seen[5_000:]])
    left = ((said - truth[5_000:]) ** 2).mean()
    assert left < 0.1 * truth.var()


def score(table: Table, network: Network, n_games: int = 300) -> float:
    """The share of games that the first seat wins with what was learned, against random play."""
    games = OwnGames(evolve(table, network=network), 5, [LEARNED, RANDOM], 0)
    played = np.zeros(n_games, record_at(table))
    games.play(0, played)
    return float(played["outcome"][:, 0].mean() / table.game.unit)


def test_it_learns_to_keep_the_higher_card(keep: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rules as they are; what it learned is the same again, and in any number of threads."""
    monkeypatch.setattr(learning, "Form", _no_form)
    lessons = Lessons(2, 600)
    steps: list[tuple[int, int]] = []
    network = learn(keep, lessons, advance=lambda *done: steps.append(done))
    assert steps == [(1, 2), (2, 2)]
    assert learn(keep, lessons, threads=2).content == network.content
    # Whoever always keeps the higher of two wins 2 of 3 games against one of two by lot.
    assert score(keep, network) > 0.6 > score(keep, Network.ignorant(len(network.mean)))


def test_it_learns_the_same_from_compiled_games(keep: Table) -> None:
    """What seats see, and so what is learned, is the same in both forms."""
    lessons = Lessons(2, 600)
    compiled = learn(keep, lessons, threads=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "Form", _no_form)
        assert learn(keep, lessons).content == compiled.content


def _no_form(*_: object) -> Form:
    raise NotCompiled([])


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gives the same network; others are refused, and so are several at one table."""
    monkeypatch.chdir(tmp_path)
    network = evolve(Network.ignorant(3), lesson="of Keep")
    Path("mine.npz").write_bytes(network.content)
    found = network_of(["random", "learned=mine.npz"])
    assert found is not None and found.content == network.content and found.lesson == "of Keep"
    assert network_of(["random", "learned", "search:10"]) is None
    with pytest.raises(GameError, match=r"there is no file other\.npz"):
        network_of(["learned=other.npz"])
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    flipped = network.content.replace("of Keep".encode("utf-32-le"), bytes(28))
    whole = network.content
    for other in (b"no arrays", whole[: len(whole) // 2], flipped, array.getvalue()):
        Path("text.npz").write_bytes(other)
        with pytest.raises(GameError, match=r"text\.npz: it is no file of what this"):
            network_of(["learned=text.npz"])
    Path("nan.npz").write_bytes(evolve(network, intercept=np.full(1, np.nan)).content)
    with pytest.raises(GameError, match=r"nan\.npz: it is no file"):
        network_of(["learned=nan.npz"])
    with pytest.raises(GameError, match="name one"):
        network_of(["learned=mine.npz", "learned=text.npz"])


def test_what_was_learned_of_another_game_is_refused(
    keep: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both forms: it would read numbers that stand for something else."""
    monkeypatch.chdir(tmp_path)
    Path("mine.npz").write_bytes(Network.ignorant(3).content)
    with pytest.raises(GameError, match="was learned of another game"):
        Play(keep, 0, 0).play(["learned=mine.npz"] * 2)
    with pytest.raises(NotCompiled, match="what was learned is of another game"):
        Form(keep, ["learned=mine.npz"] * 2)
    with pytest.raises(GameError, match="has not learned it yet"):
        Play(keep, 0, 0).play([LEARNED] * 2)
