"""What the heuristic player of section 24 finds best, rule by rule, in every engine."""

import pytest

from support.mice_and_mystics.examples import Lay
from support.mice_and_mystics.table import MouseAt, Table

RAT, ELITE, ROACH, SPIDER = "rat_warrior", "elite_rat_warrior", "roach", "spider"
MAGINOS = ("collin", "nez", "tilda", "maginos")


def best(table: Table) -> list[str]:
    """The labels that H chooses among."""
    return [table.labels[i] for i in table.best()]


def menu(table: Table, hero: str, face: int = 0) -> list[str]:
    """What H does first in a turn of this hero with this movement die."""
    table.dice(face)
    table.act(hero)
    return best(table)


def test_rules_1_to_3_stand_recover_level_up(lay: Lay) -> None:
    """H stands up, then recovers, then levels up by any ability, before it fights."""
    collin = MouseAt("b1", cheese=6, stunned=True, knocked_down=True)
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b1")])
    assert menu(table, "collin") == ["STAND"]
    table.take("STAND")
    assert best(table) == ["RECOVER"]
    table.take("RECOVER")
    assert best(table) == [label for label in table.labels if label.startswith("LEVEL_UP")]
    assert len(best(table)) == 10


def test_rule_4_puts_on_what_fits(lay: Lay) -> None:
    """H equips the cap and the shield, but not what would take the place of its armor."""
    collin = MouseAt("b1", pack=("button_shield", "si_helmet", "nutshell_armor"))
    table = lay("901", {"collin": collin}, rest="d4")
    assert menu(table, "collin") == ["EQUIP"]
    table.take("EQUIP")
    assert best(table) == ["PUT button_shield", "PUT si_helmet"]
    table.take("PUT button_shield")
    table.take("PUT si_helmet")
    assert best(table) == ["STOP"]


@pytest.mark.parametrize(("collin", "nez", "shares"), [(3, 3, True), (4, 3, False), (2, 3, False)])
def test_rule_5_shares_cheese_for_a_level(lay: Lay, collin: int, nez: int, shares: bool) -> None:
    """H gives to a mouse that has at least as much and with its help six."""
    mice = {"collin": MouseAt("b1", cheese=collin), "nez": MouseAt("b1", cheese=nez)}
    table = lay("901", mice, rest="d4")
    assert (menu(table, "collin") == ["SHARE nez"]) == shares
    if shares:
        table.take("SHARE nez")
        for _ in range(3):
            assert best(table) == ["GIVE_CHEESE"]
            table.take("GIVE_CHEESE")
        assert best(table) == ["STOP"]


def test_rule_6_heals_mice_in_danger(lay: Lay) -> None:
    """H keeps Balm for a mouse that is one wound short of capture."""
    mice = {
        "collin": MouseAt("b1", wounds=1, pack=("si_balm",)),
        "nez": MouseAt("b1", wounds=2, poison=1),
    }
    table = lay("901", mice, rest="d4")
    assert menu(table, "collin") == ["USE si_balm nez"]


@pytest.mark.parametrize(("nez", "chosen"), [("C1", "LEAVE_WATER C1"), ("D4", "LEAVE_WATER C2")])
def test_rule_7_leaves_water_toward_friends(lay: Lay, nez: str, chosen: str) -> None:
    """H leaves the water to the space with most mice, then to the one nearest to the exit."""
    table = lay("6", {"collin": "S1", "nez": nez}, rest="D4")
    assert menu(table, "collin") == [chosen]


def test_rule_7_swims_after_archers(lay: Lay) -> None:
    """Against archers alone, who will not come, H swims toward the nearest of them."""
    table = lay("6", {"collin": "S3"}, rest="D1", minions=[(ELITE, "B6")])
    assert menu(table, "collin") == ["SWIM N4"]


def test_rule_8_fights_where_it_counts(lay: Lay) -> None:
    """H attacks the roach rather than the rat or the spider, whose defense is better."""
    minions = [(SPIDER, "a1"), (RAT, "b2"), (ROACH, "c1")]
    table = lay("901", {"collin": "b1"}, rest="d4", minions=minions)
    assert menu(table, "collin") == ["BATTLE collins_sword 2"]


def test_rule_8_finds_figures_alike(lay: Lay) -> None:
    """Two roaches are equally good targets."""
    minions = [(ROACH, "b2"), (RAT, "b2"), (ROACH, "c1")]
    table = lay("901", {"collin": "b1"}, rest="d4", minions=minions)
    assert menu(table, "collin") == ["BATTLE collins_sword 0", "BATTLE collins_sword 2"]


@pytest.mark.parametrize(
    ("n", "chosen"), [(1, "BATTLE maginos_staff 0"), (3, "ABILITY mystic_blast b3")]
)
def test_rule_8_weighs_spells_by_their_cost(lay: Lay, n: int, chosen: str) -> None:
    """The blast with three dice for two cheese pays against three roaches, not against one."""
    mice = dict.fromkeys(MAGINOS, MouseAt("d1")) | {
        "maginos": MouseAt("b1", cheese=2, abilities=("mystic_blast",))
    }
    table = lay("901", mice, minions=[(ROACH, "b3")] * n)
    assert menu(table, "maginos")[0] == chosen


def test_rule_8_order_of_boosts(lay: Lay) -> None:
    """Battle Leader comes first, then Cheddar Golem, then the attack."""
    collin = MouseAt("b1", cheese=2, abilities=("battle_leader",), pack=("cheddar_golem",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2")])
    assert menu(table, "collin") == ["ABILITY battle_leader"]
    table.take("ABILITY battle_leader")
    assert best(table) == ["USE cheddar_golem"]
    table.take("USE cheddar_golem")
    assert best(table) == ["BATTLE collins_sword 0"]


def test_rule_8_takes_a_place_to_fight_from(lay: Lay) -> None:
    """Nez takes any space next to the lone rat for his hammer's fourth die, not the rat's own."""
    table = lay("901", {"nez": "b1"}, rest="d1", minions=[(RAT, "a3")])
    assert menu(table, "nez") == ["MOVE a2", "MOVE b2", "MOVE b3"]


def test_rule_8_comes_nearer(lay: Lay) -> None:
    """Out of reach of a fight H takes the spaces nearest to a minion."""
    table = lay("904", {"nez": "c1"}, rest="c1", minions=[(RAT, "c5")])
    assert menu(table, "nez") == ["MOVE a3", "MOVE b3", "MOVE c3", "MOVE d3", "MOVE e3"]


def test_rule_8_counts_its_present_space_when_it_scurries(lay: Lay) -> None:
    """In D3 staying next to the rat is as good as any other space next to it."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b2")])
    table.act("collin")
    table.take("MOVE a1")
    table.dice(0)
    table.take("SCURRY")
    assert "STAY" in best(table)


def test_rule_9_explores_when_nobody_is_captured(lay: Lay) -> None:
    """H goes on along the route; with a mouse captured only if the wheel holds 5."""
    mice = {"collin": "C3", "nez": MouseAt(None, captured=True)}
    assert menu(lay("5", {"collin": "C3"}, rest="C3"), "collin") == ["EXPLORE flip"]
    assert menu(lay("5", mice, rest="C3"), "collin") == ["SEARCH"]
    assert menu(lay("5", mice, rest="C3", wheel=5), "collin") == ["EXPLORE flip"]


def test_rule_9_keeps_to_the_route(lay: Lay) -> None:
    """From room 4 the way on is the south exit, from the kitchen the way back."""
    table = lay("4", {"collin": MouseAt("c2", searched=True)}, rest="c2")
    assert menu(table, "collin") == ["MOVE s3", "MOVE s4"]
    table = lay("3", {"collin": MouseAt("C4", searched=True)}, rest="C4", explored=("4",))
    assert menu(table, "collin") == ["EXPLORE flip"]


def test_rule_9_goes_to_the_tree(lay: Lay) -> None:
    """In the last room of chapter 1 the goal is T."""
    table = lay("1", {"collin": MouseAt("B2", searched=True)}, rest="C6")
    assert menu(table, "collin") == ["MOVE T"]


@pytest.mark.parametrize(
    ("card", "keeps"),
    [
        ("si_lucky", True),
        ("si_helmet", True),
        ("nutshell_armor", False),
        ("si_wand", False),
        ("si_balm", True),
        ("button_shield", True),
        ("toothpick", False),
        ("tinkerers_treasure", False),
    ],
)
def test_found_cards(lay: Lay, card: str, keeps: bool) -> None:
    """Collin, with sword and breastplate, keeps what fits, what he can read, and tricks."""
    table = lay("901", {"collin": "b1"}, rest="d4", search_deck=(card,))
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    assert best(table) == ["KEEP" if keeps else "DISCARD"]


@pytest.mark.parametrize(("faces", "chosen"), [((3, 3, 0), "TRICK si_lucky"), ((1, 3, 3), "PASS")])
def test_lucky_squeak_is_for_misses(lay: Lay, faces, chosen: str) -> None:
    """D9: a roll is repeated only if it has no hit at all."""
    table = lay(
        "901", {"collin": MouseAt("b1", pack=("si_lucky",))}, rest="d4", minions=[(RAT, "b2")]
    )
    table.dice(0, *faces)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert best(table) == [chosen]


@pytest.mark.parametrize(("wounds", "chosen"), [(2, "TRICK lurking_shadows"), (1, "PASS")])
def test_lurking_is_for_danger(lay: Lay, wounds: int, chosen: str) -> None:
    """D9: Lurking in Shadows is kept until one wound would capture."""
    collin = MouseAt("b1", wounds=wounds, pack=("lurking_shadows",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2")])
    table.dice(0)
    table.act(RAT)
    assert best(table) == [chosen]


@pytest.mark.parametrize(("wounds", "chosen"), [(0, "REACT protect"), (1, "PASS")])
def test_protect_is_for_weaker_mice(lay: Lay, wounds: int, chosen: str) -> None:
    """D9: Nez, with four lives, protects Collin as long as he has more left."""
    nez = MouseAt("b1", wounds=wounds, cheese=1, abilities=("protect",))
    table = lay("901", {"collin": "b1", "nez": nez}, rest="d4", minions=[(RAT, "b2")])
    table.dice(0)
    table.act(RAT)
    assert best(table) == [chosen]


def test_mice_come_out_dry(lay: Lay) -> None:
    """D6: H puts a rescued mouse on land."""
    table = lay("6", {"collin": MouseAt(None, captured=True)}, rest="C3")
    table.act("collin")
    assert {"PLACE S2", "PLACE S3", "PLACE C2"} <= set(table.labels)
    assert not any(label.startswith(("PLACE S", "PLACE N")) for label in best(table))
