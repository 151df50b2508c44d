"""Weights in files, and learning them: repeatable, resumable, and better than where it began."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from card_data.mindbug import load_pool
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Effect, Keyword
from simcore.evolution import Evolution, read_curve
from simcore.mindbug import compile_cards, play_games, players
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.training import PoolTraining, fit_positions, score
from simcore.mindbug.players.card_worth import worths
from simcore.mindbug.players.weights import own_weights, read_weights, write_weights
from simcore.mindbug.table.weight_names import N_WEIGHTS, POSITION, WEIGHTS, place_of
from simcore.training import train
from support.fast_game import SETS, card_table

FIRST_CONTACT = card_table(sets=SETS[:1])


def poor_weights() -> np.ndarray:
    """Weights of a player who knows no more than that creatures are good to have."""
    weights = np.zeros(N_WEIGHTS, np.float32)
    weights[place_of("creature.power")] = 10
    weights[place_of("play.worth")] = 1
    weights[place_of("life.second")] = weights[place_of("life.third")] = 20
    return weights


def test_weights_are_read_as_written(tmp_path: Path) -> None:
    """A file gives back every weight, whatever its place."""
    weights = np.arange(N_WEIGHTS).astype(np.float32) / np.float32(4)
    write_weights(weights, tmp_path / "w.toml", heading="made up\nin a test")
    np.testing.assert_allclose(read_weights(tmp_path / "w.toml"), weights, atol=1e-4)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("[creature]\npowr = 3\nsneeky = 2", ["'creature.power'", "'creature.sneaky'"]),
        ("[creature]\npower = 'x'", ["must be a number"]),
        ("[creature]\npower = nan", ["within a million"]),
        ("power = 3", ["section"]),
        ("[creature", ["cannot be read"]),
        ("[creature]\neach = 3", ["no value for creature.power, ", " and 142 more; write 0"]),
    ],
)
def test_wrong_weights_are_refused(tmp_path: Path, text: str, messages: list[str]) -> None:
    """All faults of a file are named at once, with the nearest word."""
    path = tmp_path / "w.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=str(path)) as refused:
        read_weights(path)
    assert all(message in str(refused.value) for message in messages)


def test_a_missing_weight_is_not_zero(tmp_path: Path) -> None:
    """A file from before there was a weight says nothing of it, and is not read as if it did."""
    path = tmp_path / "w.toml"
    write_weights(own_weights("heuristic"), path, heading="of an earlier version")
    lines = path.read_text("utf-8").splitlines()  # the checksum stands in a comment
    older = [line for line in lines if not line.startswith(("#", "defeat ="))]
    path.write_text("\n".join(older), "utf-8")
    with pytest.raises(ValueError, match=r"no value for effect\.defeat; write 0"):
        read_weights(path)


@pytest.mark.parametrize(
    ("first", "following"),
    [
        ("effect.defeat", [f"effect.{word.name.lower()}" for word in Effect]),
        ("creature.frenzy", [f"creature.{word.name.lower()}" for word in Keyword]),
        ("die.face_0", [f"die.face_{face}" for face in range(6)]),
        ("life.second", ["life.second", "life.third", "life.more"]),
        ("threat.unblocked_1", [f"threat.unblocked_{life}" for life in (1, 2, 3)]),
    ],
)
def test_kernels_find_the_weight_of_each_word(first: str, following: list[str]) -> None:
    """A kernel adds the number of a word to the place of the first: there is the word's weight."""
    assert [place_of(name) for name in following] == [
        place_of(first) + i for i in range(len(following))
    ]
    assert [*Effect] == [*range(len(Effect))] and [*Keyword] == [*range(len(Keyword))]


@pytest.mark.parametrize("policy", ["heuristic", "learned"])
def test_shipped_weights_are_complete(policy: str) -> None:
    """The files name every weight, so that nothing in them is forgotten by a new version."""
    own = own_weights(policy)
    assert own.shape == (N_WEIGHTS,)
    path = Path(players.__file__).with_name(f"{policy}.toml")
    lines = path.read_text("utf-8").splitlines()
    words = [line.split(" = ")[0] for line in lines if " = " in line and line[0] != "#"]
    assert words == [name.split(".")[1] for name in WEIGHTS]
    assert own[place_of("search.turns")] >= 1


def test_cards_are_judged_by_their_features() -> None:
    """A card that nobody has seen is worth its power and keywords; a name counts nothing."""
    weights = own_weights("learned")
    plain = Card("one", "One", 5)
    same = evolve(plain, card_id="two", name="Two")
    sneaky = evolve(plain, card_id="three", keywords=frozenset({Keyword.SNEAKY}))
    strong = evolve(plain, card_id="four", power=6)
    one, two, three, four = worths([plain, same, sneaky, strong], weights)
    assert one == two
    assert three - one == pytest.approx(weights[place_of("creature.sneaky")], abs=0.01)
    assert four > one


def test_opponents_are_met_as_often_as_asked() -> None:
    """A score against several opponents is that of all games, some having more of them."""
    asked: dict[str, Any] = {"n_games": 200, "seed": 3}
    weights = own_weights("heuristic")
    one, other = (score([FIRST_CONTACT], weights, [who], **asked) for who in ("greedy", "random"))
    both = ["greedy", "random"]
    assert score([FIRST_CONTACT], weights, both, **asked) == pytest.approx((one + other) / 2)
    more = score([FIRST_CONTACT], weights, ["random"], n_games=600, seed=3)
    often = score([FIRST_CONTACT], weights, both, times=(1, 3), **asked)
    assert often == pytest.approx((one + 3 * more) / 4)
    assert one < other != more


def test_training_learns_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A dozen generations beat their start; interrupted and resumed, they end the same."""
    training = PoolTraining(
        start=poor_weights(), evolution=Evolution(12, 8, 1.0), games=60, panel=("greedy",)
    )
    seen: list[tuple[int, int]] = []
    pools = [PoolSetup(load_pool(SETS[:1]))]
    learned = train(
        pools, training, curve=tmp_path / "whole.csv", on_progress=lambda *done: seen.append(done)
    )
    assert list(dict.fromkeys(seen)) == [(number, 12) for number in range(13)]
    before = score([FIRST_CONTACT], training.start, ["greedy"], n_games=1000, seed=9)
    after = score([FIRST_CONTACT], learned, ["greedy"], n_games=1000, seed=9)
    assert after > before + 0.05
    for name in ("search.turns", "position.hand"):  # no game of a candidate depends on them
        assert learned[place_of(name)] == training.start[place_of(name)]
    lines = (tmp_path / "whole.csv").read_text("utf-8").splitlines(keepends=True)
    cut = tmp_path / "cut.csv"
    cut.write_text("".join(lines[:6]) + lines[6][:9], "utf-8")
    again = train(pools, training, curve=cut, threads=2)
    np.testing.assert_array_equal(again, learned)
    assert cut.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    damaged = "".join([lines[0], lines[1].replace("0.", "1.", 1), *lines[2:]])
    cut.write_text(damaged, "utf-8")  # that generation alone is played again
    assert sorted(read_curve(cut)) == list(range(1, 12))
    np.testing.assert_array_equal(train(pools, training, curve=cut), learned)
    assert cut.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    other = evolve(training, evolution=Evolution(12, 9, 1.0))
    with pytest.raises(
        ValueError, match="is of another training, or damaged; choose another folder"
    ):
        train(pools, other, curve=cut, identity="another")


def test_positions_are_fitted_to_who_won() -> None:
    """More creatures, life, Mindbugs and cards are judged better, and odds fit what happens."""
    fitted = fit_positions([FIRST_CONTACT], own_weights("heuristic"), n_games=4000, seed=2)
    named = {list(WEIGHTS)[place]: fitted[place] for place in POSITION}
    assert named["position.creatures"] > 0
    assert named["position.life_1"] < named["position.life_2"] < named["position.life_3"]
    assert named["position.mindbugs"] > 0
    assert named["position.hand"] > 0
    np.testing.assert_array_equal(
        np.delete(fitted, POSITION), np.delete(own_weights("heuristic"), POSITION)
    )


def test_a_new_card_is_played_with_sense() -> None:
    """`learned` beats random with cards that its training never saw."""
    sets = load_pool(["first_contact"]).sets
    cards = [
        evolve(card, card_id=f"new_{i}", name=f"New {i}", power=1 + (7 * i) % 10)
        for i, card in enumerate(sets[0].cards)
    ]
    table = compile_cards([evolve(sets[0], cards=tuple(sorted(cards, key=lambda c: c.card_id)))])
    games = play_games(table, n_games=2000, seed=1, policies=("learned", "random"))
    assert (games["winner"] == 0).mean() > 0.95
