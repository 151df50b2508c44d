"""The odds of section 23 from the compiled engine: every roll of an attack, and a million dice."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simcore.mice_and_mystics.play.engine import STEP, _run
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.records import ROLLED
from support.mice_and_mystics.examples import position
from support.mice_and_mystics.fast_table import FastTable, table_of
from support.mice_and_mystics.table import MouseAt

MELEE, RANGED = "collins_sword", "scorching_wand"  # both of one die more
FACES = 6
RULES = (Path(__file__).parents[4] / "docs" / "mice_and_mystics_rules.md").read_text("utf-8")
_ZERO = np.int64(0)

Rolls = Counter[tuple[int, int, int]]


class Attack:
    """An attack of Collin on a minion that lives through it, as often as it is asked for."""

    def __init__(self, weapon: str, dice: int, defense: int) -> None:
        collin = MouseAt("b1", equipped=(weapon,))
        laid = position("901", {"collin": collin}, rest="d4", minions=[("spider", "b2")])
        table = FastTable(laid, 0)
        self._game, ids = table._game, table._ids
        rows = self._game.rows
        rows["heroes"]["battle"][0, ids["heroes"].index("collin")] = dice - 1
        spider = ids["minions"].index("spider")
        rows["minions"]["defense"][0, spider] = defense
        rows["minions"]["life"][0, spider] = 99
        rows["wheel_size"] = 99
        table.act("collin")
        self._option = np.int64(table.labels.index(f"BATTLE {weapon} 0"))
        self._start = self._game.states.copy()

    def play(self, faces: Sequence[int] = ()) -> tuple[int, int, int]:
        """Wounds, cheese of the attacker and cheese on the wheel; dice fall anyhow after faces."""
        states = self._game.states
        streams = states["streams"].copy()
        states[:] = self._start
        states["streams"] = streams
        state = states[0]
        state["scripted"][: len(faces)] = faces
        state["n_scripted"], state["next_scripted"] = len(faces), 0
        game = self._game
        _run(STEP, states, game.rows, game.records, game.works, _ZERO, self._option)
        return int(state["damage"][0]), int(state["cheese"][0]), int(state["wheel"])


def every_roll(weapon: str, dice: int, defense: int) -> Rolls:
    """Wounds, cheese of the attacker and cheese on the wheel, of each roll of an attack."""
    attack = Attack(weapon, dice, defense)
    return Counter(attack.play(faces) for faces in product(range(FACES), repeat=dice + defense))


def mean(rolls: Rolls, what: Callable[[tuple[int, int, int]], int]) -> Fraction:
    """The exact mean of something over all rolls."""
    return Fraction(sum(n * what(roll) for roll, n in rolls.items()), sum(rolls.values()))


@pytest.mark.parametrize(
    ("weapon", "dice", "defense", "wounds", "cheese", "wheel"),
    [
        (MELEE, 3, 2, "3/8 25/72 2/9 1/18", "1/2", "7/24"),
        (MELEE, 2, 2, "5/9 1/3 1/9", "1/3", "1/4"),
        (MELEE, 3, 1, "1/4 3/8 7/24 1/12", "1/2", "7/48"),
        (MELEE, 2, 1, "5/12 5/12 1/6", "1/3", "1/8"),
        (RANGED, 2, 2, "19/27 20/81 4/81", "1/3", "5/27"),
        (RANGED, 3, 2, None, "1/2", "19/81"),
    ],
)
def test_every_roll_of_an_attack(
    weapon: str, dice: int, defense: int, wounds: str | None, cheese: str, wheel: str
) -> None:
    """M122, M123: wounds and cheese of an attack, from all rolls there can be."""
    rolls = every_roll(weapon, dice, defense)
    if wounds is not None:
        number = Counter[int]()
        for roll, n in rolls.items():
            number[roll[0]] += n
        chances = [Fraction(number[k], rolls.total()) for k in sorted(number)]
        assert chances == [Fraction(chance) for chance in wounds.split()]
    assert mean(rolls, lambda roll: roll[1]) == Fraction(cheese)
    assert mean(rolls, lambda roll: roll[2]) == Fraction(wheel)


@pytest.mark.parametrize(
    ("weapon", "chances", "means"),
    [
        (MELEE, ".7500 .5833 .4444 .3333", "1.0000 .7500 .5556 .4074"),
        (RANGED, ".5556 .4074 .2963 .2140", ".6667 .4815 .3457 .2469"),
    ],
)
def test_two_dice_against_more_and_more(weapon: str, chances: str, means: str) -> None:
    """M120, M121: P(a wound) and mean wounds of two dice against none to three."""
    for defense, (chance, average) in enumerate(zip(chances.split(), means.split(), strict=True)):
        rolls = every_roll(weapon, 2, defense)
        assert float(mean(rolls, lambda roll: roll[0] > 0)) == pytest.approx(
            float(chance), abs=5e-5
        )
        assert float(mean(rolls, lambda roll: roll[0])) == pytest.approx(float(average), abs=5e-5)


def test_a_million_dice() -> None:
    """M118: hits, shields and stars of all dice that games roll are as frequent as on the die."""
    games = play_games(table_of("ch1_flight_to_barksburg"), n_games=20_000, players=("category",))
    rolled = dict(zip(ROLLED, games["rolled"].sum(axis=0, dtype=np.int64), strict=True))
    chances = {"melee_hits": 1 / 2, "ranged_hits": 1 / 3, "shields": 1 / 3, "stars": 1 / 2}
    assert sum(n for name, n in rolled.items() if name.endswith("_dice")) > 1_000_000
    for dice, successes in zip(ROLLED[::2], ROLLED[1::2], strict=True):
        chance = next(p for name, p in chances.items() if successes.endswith(name))
        n = rolled[dice]
        error = (rolled[successes] - n * chance) / np.sqrt(n * chance * (1 - chance))
        assert abs(error) < 4, successes


def printed(rule: str) -> list[tuple[int, int, list[float]]]:
    """The cells of a table of section 23: attack and defense dice, melee and ranged number."""
    table = re.search(rf"\*\*{rule}\*\*.*?\n\n(.*?)\n\n", RULES, re.DOTALL)
    assert table is not None
    rows = [line.strip("|").split("|") for line in table[1].splitlines()[2:]]
    return [
        (int(row[0]), defense, [float(number) for number in re.findall(r"[.\d]+", cell)])
        for row in rows
        for defense, cell in enumerate(row[1:])
    ]


@pytest.mark.parametrize("weapon", [MELEE, RANGED])
def test_a_million_dice_in_attacks(weapon: str) -> None:
    """M119 to M121, M123: wounds and cheese of attacks with one to six dice against none to four.

    105,000 attacks with each weapon, a million dice in all; means are within 4.5 standard errors of
    what is printed.
    """
    means = {(dice, defense): pair for dice, defense, pair in printed("M121")}
    cells = printed("M120")
    assert (len(cells), len(means)) == (30, 20)
    n = 3_500
    for dice, defense, chances in cells:
        attack = Attack(weapon, dice, defense)
        wounds, gained, on_wheel = np.array([attack.play() for _ in range(n)]).T
        expected = [(wounds > 0, chances[weapon == RANGED]), (gained, dice / 6)]
        hit = 1 - (2 / 3 if weapon == RANGED else 1 / 2) ** dice
        expected.append((on_wheel, defense / 6 * hit))
        if (dice, defense) in means:
            expected.append((wounds, means[dice, defense][weapon == RANGED]))
        for values, truth in expected:
            error = max(values.std(), 1e-3) / np.sqrt(n)
            assert abs(values.mean() - truth) < 4.5 * error + 5e-5, (dice, defense)
