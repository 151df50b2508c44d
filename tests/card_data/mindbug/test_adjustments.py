"""Small changes: what is allowed, what it counts, what pool it makes."""

import pytest
from attrs import evolve

from card_data.mindbug import load_pool, parse_set
from card_data.mindbug.adjustments import (
    COPIES,
    HAND_SIZE,
    KEYWORDS,
    LEVERS,
    LIFE,
    MINDBUGS,
    OF_CARDS,
    POWER,
    WHO_STARTS,
    Adjustment,
    adjusted,
    adjustments_of,
)
from card_data.mindbug.modes import Modes
from card_data.mindbug.pool import changes
from card_data.mindbug.schema import MAX_COPIES, Pool
from card_data.mindbug.variants import dealt_alike, dealt_cards
from card_data.mindbug.vocabulary import Keyword

TWO = """name = "Two"

[full]
name = "Full"
power = 1
copies = 20
keywords = ["TOUGH"]

[single]
name = "Single"
power = 9
copies = 1
"""
POOL = Pool((parse_set(TWO, "two.toml"),), Modes(life=1, mindbugs=0, hand_size=10))


def named(*levers: str, **more: object) -> list[str]:
    """The names of what is allowed."""
    return [change.name for change in adjustments_of(POOL, levers, **more)]  # type: ignore[arg-type]


def test_what_is_allowed_stays_within_its_limits() -> None:
    """No power below 1, no card without copies, no player without life."""
    assert named(POWER) == [
        *("full.power=2", "full.power=3"),
        *("single.power=7", "single.power=8", "single.power=10", "single.power=11"),
    ]
    assert named(POWER, power_step=1)[0] == "full.power=2" and len(named(POWER, power_step=1)) == 3
    assert named(COPIES) == ["full.copies=19", "single.copies=2"]
    assert MAX_COPIES == 20
    assert named(LIFE, MINDBUGS, HAND_SIZE) == ["life=2", "mindbugs=1", "hand_size=9"]
    keywords = named(KEYWORDS, cards=[dealt_cards(POOL)[0]])
    assert keywords[-1] == "full.TOUGH=0" and keywords[0] == "full.FRENZY=1" and len(keywords) == 5


@pytest.mark.parametrize(
    ("now", "others"),
    [
        ("higher_card", ["weaker_hand", "stronger_hand"]),
        ("lower_card", ["weaker_hand", "stronger_hand"]),
        ("random", ["weaker_hand", "stronger_hand"]),
        ("weaker_hand", ["higher_card", "stronger_hand"]),
        ("stronger_hand", ["higher_card", "weaker_hand"]),
    ],
)
def test_other_ways_to_start(now: str, others: list[str]) -> None:
    """One way by chance is not put for another, since nobody's chances change with that."""
    pool = evolve(POOL, modes=evolve(POOL.modes, who_starts=now))
    found = adjustments_of(pool, [WHO_STARTS])
    assert [one.name for one in found] == [f"who_starts={way}" for way in others]
    assert len({one.thing for one in found}) == 1
    assert [adjusted(pool, [one]).modes.who_starts for one in found] == others


def test_how_much_it_counts() -> None:
    """Steps of power add up; the weights are those that were asked for."""
    found = adjustments_of(POOL, LEVERS, weights=dict.fromkeys(LEVERS, 3))
    assert {one.name: one.amount for one in found}["single.power=11"] == 6
    assert {one.name: one.amount for one in found}["life=2"] == 3


@pytest.mark.parametrize("set_id", ["first_contact", "beyond_evolution"])
def test_every_change_changes_one_thing(set_id: str) -> None:
    """Of a real set: one change of the pool each, and the same deals unless copies are changed."""
    pool = load_pool([set_id])
    found = adjustments_of(pool, LEVERS)
    assert len({one.name for one in found}) == len(found)
    for one in found:
        pool_after = adjusted(pool, [one])
        (change,) = changes(pool, pool_after)
        assert change.card_id == one.card_id
        assert dealt_alike(pool, pool_after) == (one.lever != COPIES)
        if one.lever in OF_CARDS and one.keyword is None:
            assert change.after == str(one.value)


def test_changes_together() -> None:
    """Several things of one card, and a rule; two of one thing are told by what they change."""
    changed = adjusted(
        POOL,
        [
            Adjustment(POWER, 7, 2, "single"),
            Adjustment(KEYWORDS, 1, 2, "single", Keyword.SNEAKY),
            Adjustment(LIFE, 2, 2),
        ],
    )
    single = dealt_cards(changed)[1]
    assert (single.power, single.keywords, changed.modes.life) == (
        7,
        frozenset({Keyword.SNEAKY}),
        2,
    )
    one, other, third = adjustments_of(POOL, [POWER])[:3]
    assert one.thing == other.thing != third.thing
