"""The odds that players go by are those of section 23, and of any other die."""

from fractions import Fraction
from itertools import product

import pytest

from card_data.mice_and_mystics import load_facts
from simcore.mice_and_mystics.table.odds import attack_points, blocks_at_most, wounds_at_least

FACES = load_facts().die.faces
MELEE = [face.melee for face in FACES]
RANGED = [face.ranged for face in FACES]
SHIELDS = [face.shield for face in FACES]


@pytest.mark.parametrize(
    ("hits", "attack", "defense", "wounds"),
    [
        (MELEE, 3, 2, ("3/8", "25/72", "2/9", "1/18")),
        (MELEE, 2, 2, ("5/9", "1/3", "1/9")),
        (MELEE, 3, 1, ("1/4", "3/8", "7/24", "1/12")),
        (RANGED, 2, 2, ("19/27", "20/81", "4/81")),
    ],
)
def test_exact_distributions(
    hits: list[int], attack: int, defense: int, wounds: tuple[str, ...]
) -> None:
    """Wounds of an attack are distributed as M122 says."""
    odds = wounds_at_least(hits, SHIELDS)[attack, defense]
    for k, chance in enumerate(wounds):
        assert odds[k] - odds[k + 1] == pytest.approx(float(Fraction(chance)))


def test_odds_of_a_die_whose_faces_count_twice() -> None:
    """A die with double swords and double shields is added up as listing all its rolls does."""
    swords, shields = [0, 1, 2], [0, 0, 2]
    odds = wounds_at_least(swords, shields)[2, 2]
    rolls = list(product(product(swords, repeat=2), product(shields, repeat=2)))
    for k in range(5):
        n = sum(max(0, sum(attack) - sum(defense)) >= k for attack, defense in rolls)
        assert odds[k] == pytest.approx(n / len(rolls))


def test_the_score_of_an_attack() -> None:
    """Section 24: P(at least the life left) + 0.2 x the sum over k of P(at least k wounds)."""
    odds = wounds_at_least(MELEE, SHIELDS)[4, 3]
    expected = odds[3] + 0.2 * (odds[1] + odds[2] + odds[3])
    assert attack_points(MELEE, SHIELDS)[4, 3, 3] == pytest.approx(expected)


def test_hits_without_a_roll() -> None:
    """Two hits pass two defense dice whole with (2/3)^2, and lose at most one with 1 - (1/3)^2."""
    assert blocks_at_most(FACES)[2, :3] == pytest.approx([4 / 9, 8 / 9, 1])
