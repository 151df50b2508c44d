"""The exact odds of section 23, from the dice of the data and from attacks that are played out."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from support.mice_and_mystics import attacks, odds
from support.mice_and_mystics.chance import LUCK, Numbers, Scripted
from support.mice_and_mystics.game import SlowGame, base_box
from support.mice_and_mystics.state import Figure
from support.mice_and_mystics.table import PARTY, STAND_IN

FACES = base_box().faces

# M120: chances of a wound with 1 to 6 dice against 0 to 4, melee then ranged.
A_WOUND = {
    "melee": """
.5000 .3333 .2222 .1481 .0988
.7500 .5833 .4444 .3333 .2469
.8750 .7500 .6250 .5093 .4074
.9375 .8542 .7569 .6551 .5556
.9688 .9167 .8472 .7662 .6794
.9844 .9531 .9062 .8461 .7760""",
    "ranged": """
.3333 .2222 .1481 .0988 .0658
.5556 .4074 .2963 .2140 .1536
.7037 .5556 .4321 .3320 .2524
.8025 .6708 .5501 .4440 .3536
.8683 .7586 .6488 .5452 .4512
.9122 .8244 .7293 .6334 .5413""",
}
# M121: mean wounds with 2 to 5 dice.
MEAN = {
    "melee": """
1.0000 .7500 .5556 .4074 .2963
1.5000 1.2083 .9583 .7500 .5802
2.0000 1.6875 1.4028 1.1505 .9321
2.5000 2.1771 1.8715 1.5891 1.3337""",
    "ranged": """
.6667 .4815 .3457 .2469 .1756
1.0000 .7654 .5802 .4362 .3256
1.3333 1.0658 .8422 .6589 .5109
1.6667 1.3772 1.1244 .9081 .7264""",
}


def cells(text: str, first: int):
    for dice, row in enumerate(text.split("\n")[1:], first):
        for defense, printed in enumerate(row.split()):
            yield dice, defense, float(printed)


def test_m118_one_die() -> None:
    """M118: chances of numbers, stars, hits, shields and cheese on one die."""
    n = len(FACES)
    assert Counter(face.number for face in FACES) == {1: n / 3, 2: n / 3, 3: n / 3}
    counts = {word: sum(getattr(face, word) for face in FACES) for word in ("star", "melee")}
    assert counts == {"star": n / 2, "melee": n / 2}
    counts = {word: sum(getattr(face, word) for face in FACES) for word in ("ranged", "shield")}
    assert counts == {"ranged": n / 3, "shield": n / 3}
    assert sum(face.cheese for face in FACES) == n / 6
    assert not any(face.cheese and (face.melee or face.ranged or face.shield) for face in FACES)


def test_m119_two_numbers() -> None:
    """M119: the sum of two numbers is 2 to 6 with 1, 2, 3, 2, 1 ninths."""
    pairs = odds.distribution(FACES, "number", 2)
    assert pairs[2:] == pytest.approx([1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9])


@pytest.mark.parametrize("kind", ["melee", "ranged"])
def test_m120_a_wound(kind: str) -> None:
    """M120: chance of at least one wound."""
    for dice, defense, printed in cells(A_WOUND[kind], 1):
        got = odds.at_least(odds.wounds(FACES, kind, dice, defense), 1)
        assert got == pytest.approx(printed, abs=5.1e-5), (dice, defense)


@pytest.mark.parametrize("kind", ["melee", "ranged"])
def test_m121_mean_wounds(kind: str) -> None:
    """M121: mean number of wounds."""
    for dice, defense, printed in cells(MEAN[kind], 2):
        chances = odds.wounds(FACES, kind, dice, defense)
        mean = sum(k * p for k, p in enumerate(chances))
        assert mean == pytest.approx(printed, abs=5.1e-5), (dice, defense)


def all_attacks(kind: str, dice: int, defense: int) -> Counter:
    """Play every roll of an attack of Nez on a rat; weights of (wounds, his cheese, wheel)."""
    dice_of = Scripted([], Numbers(0, 0, LUCK))
    game = SlowGame(STAND_IN, PARTY, dice_of)
    game.track = [*PARTY, "rat_warrior"]
    game.wheel_size = 100
    nez = game.mouse["nez"]
    nez.space = game.board.index["b1"]
    kind_of_rat = base_box().minions["rat_warrior"]
    found: Counter = Counter()
    for faces in product(range(6), repeat=dice + defense):
        rat = Figure(0, kind_of_rat, game.board.index["b2"], wounds=-100)
        rat.meeps = defense - kind_of_rat.defense
        game.figures = [rat]
        game.wheel = nez.cheese = 0
        dice_of.faces = list(faces)
        attack = attacks.Attack(nez, rat, kind, dice)
        assert list(attacks.strike(game, attack)) == []  # nobody is asked
        found[rat.wounds + 100, nez.cheese, game.wheel] += 1
    return found


@pytest.mark.parametrize(
    ("kind", "dice", "defense", "wounds", "cheese"),
    [
        ("melee", 3, 2, ("3/8", "25/72", "2/9", "1/18"), ("1/2", "7/24")),
        ("melee", 2, 2, ("5/9", "1/3", "1/9"), ("1/3", "1/4")),
        ("melee", 3, 1, ("1/4", "3/8", "7/24", "1/12"), None),
        ("melee", 2, 1, None, ("1/3", "1/8")),
        ("ranged", 2, 2, ("19/27", "20/81", "4/81"), ("1/3", "5/27")),
        ("ranged", 3, 2, None, ("1/2", "19/81")),
    ],
)
def test_m122_m123_every_roll_of_an_attack(kind, dice, defense, wounds, cheese) -> None:
    """M122, M123: wounds and cheese over all rolls of an attack as the engine plays it."""
    found = all_attacks(kind, dice, defense)
    n = found.total()
    if wounds is not None:
        weights: Counter = Counter()
        for (taken, _, _), weight in found.items():
            weights[taken] += weight
        expected = [Fraction(text) for text in wounds]
        assert [Fraction(weights[k], n) for k in range(len(expected))] == expected
    if cheese is not None:
        own = Fraction(sum(w * c for (_, c, _), w in found.items()), n)
        wheel = Fraction(sum(w * c for (_, _, c), w in found.items()), n)
        assert (own, wheel) == tuple(Fraction(text) for text in cheese)
