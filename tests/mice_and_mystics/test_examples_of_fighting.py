"""Worked examples W20 to W41: attacks of mice and of minions, and surges, of every engine."""

import pytest

from support.mice_and_mystics.examples import Lay, changed, offered, words
from support.mice_and_mystics.table import PARTY, MinionAt, MouseAt

RAT, ELITE, ROACH, SPIDER = "rat_warrior", "elite_rat_warrior", "roach", "spider"

# Attacks of mice


def test_w20_a_mouse_defeats_a_rat(lay: Lay) -> None:
    """W20: three dice; cheese for Collin, one for the wheel, and the rat's card leaves too."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b2")])
    table.dice(0, 1, 2, 0, 2, 0)
    table.act("collin")
    assert offered(table, "BATTLE") == {"collins_sword 0"}
    table.take("BATTLE collins_sword 0")
    assert table.dice_left == 0
    assert table.mouse("collin").cheese == 1
    assert table.wheel == 1
    assert table.minions == []
    assert table.track == list(PARTY)
    assert table.count("attack_dice_collin") == 3
    assert table.count("mouse_hits_blocked") == 1
    assert table.count("kills_collin_rat_warrior") == 1


def test_w21_without_a_hit_nobody_defends(lay: Lay) -> None:
    """W21: two bows and a cheese: no defense roll, one cheese."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b2")])
    table.dice(0, 3, 4, 0, 0, 0)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.dice_left == 2
    assert table.mouse("collin").cheese == 1
    assert table.wheel == 0
    assert len(table.minions) == 1


@pytest.mark.parametrize(("space", "dice"), [("b1", 3), ("b2", 4)])
def test_w22_the_hammer_reaches_further(lay: Lay, space: str, dice: int) -> None:
    """W22: Nez's hammer has 3 dice in its own space and 4 against an adjacent one."""
    table = lay("901", {"nez": "b1"}, rest="d4", minions=[(RAT, space)])
    table.act("nez")
    table.take("BATTLE nez_hammer 0")
    assert table.count("attack_dice_nez") == dice


@pytest.mark.parametrize("wounded", [False, True])
def test_w23_the_mace_counts_wounded_friends(lay: Lay, wounded: bool) -> None:
    """W23: Tilda has 2 dice, and 4 with two other mice in her space wounded or poisoned."""
    mice = {
        "collin": MouseAt("b1", wounds=wounded),
        "nez": MouseAt("b1", poison=wounded),
        "tilda": MouseAt("b1", wounds=wounded),
        "filch": MouseAt("d4", wounds=wounded),
    }
    table = lay("901", mice, minions=[(RAT, "b2")])
    table.act("tilda")
    table.take("BATTLE tildas_mace 0")
    assert table.count("attack_dice_tilda") == (4 if wounded else 2)


@pytest.mark.parametrize(("rat_is_below", "defense"), [(True, 1), (False, 2)])
def test_w24_a_dagger_catches_who_is_slower(lay: Lay, rat_is_below: bool, defense: int) -> None:
    """W24: against Filch's dagger a rat rolls one die less if its card is below his."""
    track = ("filch", RAT) if rat_is_below else (RAT, "filch")
    table = lay(
        "901",
        {"filch": "b1"},
        rest="d4",
        minions=[(RAT, "b2")],
        track=(*track, "collin", "nez", "tilda"),
    )
    table.dice(0, 1, 3, *[0] * defense)
    table.act("filch")
    table.take("BATTLE dagger 0")
    assert table.dice_left == 0
    assert table.wheel == defense - (1 if defense else 0)  # and one pilfered (M134)


def test_w25_filch_pilfers(lay: Lay) -> None:
    """W25: a rat that Filch defeats brings a cheese from the wheel, a roach one from the supply."""
    minions = [(RAT, "b2"), (ROACH, "b2"), (RAT, "d4")]
    filch = MouseAt("b1", pack=("si_second_wind",))
    table = lay("901", {"filch": filch}, rest="b1", minions=minions, wheel=2)
    table.dice(0, 1, 1, 3, 3)
    table.act("filch")
    table.take("BATTLE dagger 0")
    assert (table.wheel, table.mouse("filch").cheese) == (1, 1)
    table.take("USE si_second_wind")
    table.dice(1, 3, 3)
    table.take("BATTLE dagger 1")
    assert (table.wheel, table.mouse("filch").cheese) == (1, 2)
    assert [minion.number for minion in table.minions] == [2]
    assert table.count("cheese_in_pilfer") == 2
    assert table.count("wheel_out_pilfer") == 1


def test_w26_a_spider_takes_three_wounds(lay: Lay) -> None:
    """W26: after two wounds the spider stays, the third removes it and its card."""
    collin = MouseAt("b1", pack=("si_second_wind",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(SPIDER, "b2"), (RAT, "d1")])
    table.dice(0, 1, 1, 3, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.dice_left == 0
    assert table.minions[0].wounds == 2
    assert SPIDER in table.track
    table.take("USE si_second_wind")
    table.dice(1, 3, 3, 3, 3, 3)
    table.take("BATTLE collins_sword 0")
    assert [minion.type for minion in table.minions] == [RAT]
    assert SPIDER not in table.track


LILYS = ("collin", "nez", "tilda", "lily")


def lilys(lily: str, rest: str) -> dict[str, str]:
    """A party with Lily on one space and the others on another."""
    return dict.fromkeys(LILYS, rest) | {"lily": lily}


def test_w27_lilys_bow_takes_the_defenders_cheese(lay: Lay) -> None:
    """W27: the cheese that a rat rolls in defense goes to Lily."""
    table = lay("901", lilys("b1", "d4"), minions=[(RAT, "b3")])
    table.dice(0, 3, 1, 0, 3)
    table.act("lily")
    table.take("BATTLE lilys_bow 0")
    assert table.dice_left == 0
    assert table.minions == []
    assert table.mouse("lily").cheese == 1
    assert table.wheel == 0
    assert table.count("cheese_in_bow") == 1


def test_w28_walls_hide_minions(lay: Lay) -> None:
    """W28: from 2 t1 a rat on t10 cannot be seen, one on t5 can."""
    table = lay("2", lilys("t1", "t18"), minions=[(RAT, "t10"), (RAT, "t5")])
    table.act("lily")
    assert offered(table, "BATTLE") == {"lilys_bow 1"}


def test_w29_an_adjacent_minion_must_be_the_target(lay: Lay) -> None:
    """W29: with a rat on the next space the one far away is no target."""
    table = lay("901", lilys("d1", "d1"), minions=[(RAT, "c1"), (RAT, "a4")])
    table.act("lily")
    assert offered(table, "BATTLE") == {"lilys_bow 0"}


@pytest.mark.parametrize(("number", "hits"), [(0, 2), (1, 0)])
def test_w30_the_staff_is_a_club_in_its_own_space(lay: Lay, number: int, hits: int) -> None:
    """W30: swords hit in Maginos' own space, bows in others; near minions come first."""
    mice = dict.fromkeys(("collin", "nez", "tilda", "maginos"), "d1") | {"maginos": "b1"}
    table = lay("901", mice, minions=[(RAT, "b1"), (RAT, "b2"), (RAT, "d4")])
    table.dice(0, 1, 2)
    table.act("maginos")
    assert offered(table, "BATTLE") == {"maginos_staff 0", "maginos_staff 1"}
    table.take(f"BATTLE maginos_staff {number}")
    assert table.count("mouse_hits") == hits
    assert table.count("mouse_attacks_melee") == (number == 0)


# Attacks of minions; the first die of a figure is that of its movement


def test_w31_a_rat_attacks_collin(lay: Lay) -> None:
    """W31: one hit is blocked; each side's cheese goes where it belongs."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b1")])
    table.dice(0, 0, 1, 0, 2)
    table.act(RAT)
    assert table.dice_left == 0
    assert table.wheel == 1
    assert (table.mouse("collin").cheese, table.mouse("collin").wounds) == (1, 0)
    assert table.count("minion_hits_blocked") == 1


def test_w32_a_roach_takes_cheese_first(lay: Lay) -> None:
    """W32: the first hit takes Collin's one cheese, the second wounds."""
    table = lay("901", {"collin": MouseAt("b1", cheese=1)}, rest="d4", minions=[(ROACH, "b1")])
    table.dice(0, 1, 2, 3, 3)
    table.act(ROACH)
    assert (table.mouse("collin").cheese, table.mouse("collin").wounds) == (0, 1)
    assert table.wheel == 0
    assert table.count("cheese_out_theft") == 1


def test_w33_a_greedy_roach_feeds_the_wheel(lay: Lay) -> None:
    """W33: two hits move two of Collin's three cheese to the wheel."""
    collin = MouseAt("b1", cheese=3)
    table = lay("901", {"collin": collin}, rest="d4", minions=[("greedy_roach", "b1")])
    table.dice(0, 1, 2, 3, 3)
    table.act(ROACH)
    assert (table.mouse("collin").cheese, table.mouse("collin").wounds) == (1, 0)
    assert table.wheel == 2
    assert table.count("wheel_in_theft") == 2


@pytest.mark.parametrize("wounds", [0, 1])
def test_w34_a_spider_poisons(lay: Lay, wounds: int) -> None:
    """W34: its wound is poison, for which Balm is no use without a normal wound."""
    collin = MouseAt("b1", wounds=wounds, pack=("si_balm",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(SPIDER, "b2")])
    table.dice(0, 1, 3, 3, 3)
    table.act(SPIDER)
    assert (table.mouse("collin").poison, table.mouse("collin").wounds) == (1, wounds)
    assert table.decider == "collin"
    assert ("USE si_balm collin" in table.labels) == bool(wounds)


def test_w35_a_centipede_stuns(lay: Lay) -> None:
    """W35: a stunned mouse may move and recover, and recovering is its action."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[("cave_centipede", "b2")])
    table.dice(0, 1, 3, 3, 3, 3)
    table.act("cave_centipede")
    assert table.mouse("collin").wounds == 1
    assert table.mouse("collin").stunned
    assert table.decider == "collin"
    assert {"MOVE", "RECOVER"} <= words(table)
    assert words(table).isdisjoint({"BATTLE", "SEARCH"})
    table.take("RECOVER")
    assert not table.mouse("collin").stunned
    assert words(table).isdisjoint({"BATTLE", "SEARCH", "RECOVER"})


def test_w36_vurst_attacks_again_for_cheese(lay: Lay) -> None:
    """W36: a cheese in the attack roll is another attack."""
    table = lay("904", dict.fromkeys(PARTY, "a1"), minions=[("captain_vurst", "e5")])
    table.dice(0, 0, 1, 1, 1, 1, 1)
    table.act("captain_vurst")
    assert table.dice_left == 0
    assert table.count("attacks_by_captain_vurst") == 2
    assert table.count("dice_by_captain_vurst") == 6
    assert table.wheel == 1


# Surges


def test_w37_a_capture_comes_before_the_surge(lay: Lay) -> None:
    """W37: with S2 = after_attack Collin's capture is page 2, the surge page 3."""
    table = lay(
        "901",
        {"collin": MouseAt("b1", wounds=2)},
        rest="d4",
        minions=[(RAT, "b1")],
        wheel=5,
        face_up="si_enc_02",
        switches={"S2": "after_attack"},
    )
    table.dice(0, 0, 1, 3, 3)
    table.act(RAT)
    assert table.mouse("collin").captured
    assert table.page == 3
    assert [minion.type for minion in table.minions] == [RAT, ROACH, ROACH, ROACH]
    assert table.track[-1] == ROACH
    assert table.wheel == 0
    assert table.face_up is None
    assert table.count("surges") == table.count("captures_battle") == 1
    assert table.count("surges_with_minions") == 1


def test_pilfer_takes_from_the_supply_after_a_surge_in_defence(lay: Lay) -> None:
    """S2, M134: the sixth cheese surges at once; the rat's cheese then comes from the supply."""
    table = lay("901", {"filch": "b1"}, rest="b1", minions=[(RAT, "b2"), (RAT, "d4")], wheel=5)
    table.dice(0, 1, 1, 0, 3)
    table.act("filch")
    table.take("BATTLE dagger 0")
    assert (table.page, table.wheel, table.mouse("filch").cheese) == (2, 0, 1)
    assert [minion.number for minion in table.minions] == [1]
    assert (table.count("cheese_in_pilfer"), table.count("wheel_out_pilfer")) == (1, 0)


def test_w38_several_cheese_are_one_surge(lay: Lay) -> None:
    """W38: two cheese on a wheel of five turn one page and leave an empty wheel."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b1")], wheel=5)
    table.dice(0, 0, 0)
    table.act(RAT)
    assert (table.page, table.wheel) == (2, 0)
    assert table.count("surges") == 1


def test_w39_a_card_surges_once(lay: Lay) -> None:
    """W39: the second surge, without a face-up card, only turns a page."""
    table = lay(
        "901",
        {"collin": "b1"},
        rest="d1",
        minions=[(RAT, "b1"), (RAT, "b1")],
        wheel=1,
        face_up="si_enc_06",
        knobs={"wheel_size": 2},
    )
    table.dice(0, 0, 0, 0, 0, 0)
    table.act(RAT)
    assert table.count("surges") == 2
    assert table.count("surges_with_minions") == 1
    assert [minion.type for minion in table.minions] == [RAT, RAT, "cave_centipede"]
    assert table.page == 3


def test_w40_the_last_page_comes_before_the_minions(lay: Lay) -> None:
    """W40: a surge on page 5 loses the chapter before anything is placed."""
    table = lay(
        "901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b1")],
        wheel=5, page=5, face_up="si_enc_02",
    )  # fmt: skip
    table.dice(0, 0, 3)
    table.act(RAT)
    assert table.outcome == "loss_page"
    assert table.labels == []
    assert len(table.minions) == 1
    assert table.page == 6


@pytest.mark.parametrize(("timing", "outcome"), [("after_attack", "win"), ("at_once", "loss_page")])
def test_w41_the_win_comes_before_the_surge(lay: Lay, timing: str, outcome: str) -> None:
    """W41: its cheese turns the last page before the last elite falls, unless S2 says otherwise."""
    table = lay(
        "904",
        {"collin": "c1"},
        rest="c1",
        minions=[(ELITE, "c2")],
        wheel=5,
        page=5,
        switches={"S2": timing},
    )
    table.dice(0, 1, 1, 3, 0, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.outcome == outcome


def test_a_wound_leaves_a_minion_with_more_life(lay: Lay) -> None:
    """M57: with the life of a rat raised to two, one wound leaves it on the tile."""
    facts = changed("minions", RAT, life=2)
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[MinionAt(RAT, "b2")], facts=facts)
    table.dice(0, 1, 3, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert [minion.wounds for minion in table.minions] == [1]
