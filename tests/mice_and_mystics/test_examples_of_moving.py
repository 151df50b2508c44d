"""Worked examples W1 to W19: movement, water and mousetraps, asked of every engine."""

import pytest

from support.mice_and_mystics.examples import Lay, changed, offered, words
from support.mice_and_mystics.table import MinionAt, MouseAt


def test_w1_every_space_within_the_allowance_is_offered(lay: Lay) -> None:
    """W1: allowance 3 reaches the 15 other spaces of tile 901."""
    table = lay("901", {"collin": "b1"}, rest="b1")
    table.dice(0)
    table.act("collin")
    assert table.decider == "collin"
    assert len(offered(table, "MOVE")) == 15


@pytest.mark.parametrize(("hero", "face", "is_offered"), [("nez", 1, True), ("nez", 0, False)])
def test_w2_against_a_yellow_arrow_costs_three(lay: Lay, hero, face, is_offered) -> None:
    """W2: from 3 A5 the counter is offered with allowance 3, but not with 2."""
    table = lay("3", {hero: "A5"}, rest="D1")
    table.dice(face)
    table.act(hero)
    assert ("K" in offered(table, "MOVE")) == is_offered


def test_w2_with_the_yellow_arrow_costs_one(lay: Lay) -> None:
    """W2: from the counter with allowance 1 the only way is down to A5."""
    facts = changed("heroes", "collin", move=0)
    table = lay("3", {"collin": "K"}, rest="D1", facts=facts)
    table.dice(0)
    table.act("collin")
    assert offered(table, "MOVE") == {"A5"}


def test_w3_a_red_line_stops_mice_alone(lay: Lay) -> None:
    """W3: A1 and K are no neighbours for a mouse, but one step apart for minions."""
    table = lay("3", {"collin": "A1"}, rest="D1")
    table.dice(0)
    table.act("collin")
    assert "K" not in offered(table, "MOVE")
    assert table.distance("A1", "K") == 1


def test_w3_levitation_crosses_red_lines(lay: Lay) -> None:
    """W3: with Levitation active, allowance 1 is enough for the counter."""
    facts = changed("heroes", "collin", move=0)
    collin = MouseAt("A1", pack=("levitation",))
    table = lay("3", {"collin": collin}, rest="D1", facts=facts)
    table.dice(0)
    table.act("collin")
    assert "K" not in offered(table, "MOVE")
    table.take("USE levitation")
    assert "K" in offered(table, "MOVE")
    assert "USE levitation" not in table.labels
    table.take("MOVE K")
    assert table.mouse("collin").space == "K"


def test_w4_a_space_with_a_minion_ends_the_movement(lay: Lay) -> None:
    """W4: the roach's space is offered, the one behind it is not."""
    table = lay("2", {"collin": "t18"}, rest="t1", minions=[("roach", "t19")])
    table.dice(2)
    table.act("collin")
    assert "t19" in offered(table, "MOVE")
    assert "t20" not in offered(table, "MOVE")


@pytest.mark.parametrize(("nez", "may_move"), [("d1", False), ("b2", True)])
def test_w5_more_minions_than_mice_hold_a_mouse(lay: Lay, nez: str, may_move: bool) -> None:
    """W5: alone with two roaches there is no MOVE; with a second mouse there is."""
    roaches = [("roach", "b2")] * 2
    table = lay("901", {"collin": "b2", "nez": nez}, rest="d1", minions=roaches)
    table.dice(0)
    table.act("collin")
    assert ("MOVE" in words(table)) == may_move


def test_w6_a_full_space_cannot_be_entered_or_passed(lay: Lay) -> None:
    """W6: four roaches fill t19, so neither it nor t20 is offered."""
    table = lay("2", {"collin": "t18"}, rest="t1", minions=[("roach", "t19")] * 4)
    table.dice(2)
    table.act("collin")
    assert offered(table, "MOVE").isdisjoint({"t19", "t20"})
    assert "MOVE" in words(table)


def test_w7_a_large_minion_fills_its_space(lay: Lay) -> None:
    """W7: the spider's space cannot be entered, the spider can be fought."""
    table = lay("2", {"collin": "t18"}, rest="t1", minions=[("spider", "t19")])
    table.dice(2)
    table.act("collin")
    assert "t19" not in offered(table, "MOVE")
    assert "BATTLE collins_sword 0" in table.labels


def test_w8_standing_up_is_the_whole_movement(lay: Lay) -> None:
    """W8: STAND takes the place of MOVE, and SCURRY is possible afterwards."""
    table = lay("901", {"collin": MouseAt("b1", knocked_down=True)}, rest="d1")
    table.dice(0)
    table.act("collin")
    assert "STAND" in table.labels
    assert "MOVE" not in words(table)
    assert "SCURRY" not in table.labels
    table.take("STAND")
    assert words(table).isdisjoint({"MOVE", "STAND"})
    assert "SCURRY" in table.labels
    assert not table.mouse("collin").knocked_down


def test_w9_water_ends_a_movement(lay: Lay) -> None:
    """W9: N1 and N2 are in reach, S1 and S2 behind them are not."""
    table = lay("6", {"collin": "B1"}, rest="A1")
    table.dice(0)
    table.act("collin")
    assert {"N1", "N2"} <= offered(table, "MOVE")
    assert offered(table, "MOVE").isdisjoint({"S1", "S2"})


def test_w10_entries_of_a_mouse_in_water(lay: Lay) -> None:
    """W10: it may swim anywhere but against the current, or try to leave the water."""
    table = lay("6", {"collin": "N2"}, rest="A1")
    table.dice(0)
    table.act("collin")
    assert offered(table, "SWIM") == {"N1", "S1", "S2", "S3"}
    assert offered(table, "LEAVE_WATER") == {"B2", "B3"}
    assert "MOVE" not in words(table)


@pytest.mark.parametrize(("face", "space"), [(3, "N2"), (4, "B2")])
def test_w11_leaving_water_takes_a_star(lay: Lay, face: int, space: str) -> None:
    """W11: one die and one more for the mouse on land; without a star the movement is spent."""
    table = lay("6", {"collin": "N2", "nez": "B2"}, rest="A1")
    table.dice(0, 0, face)
    table.act("collin")
    table.take("LEAVE_WATER B2")
    assert table.dice_left == 0
    assert table.mouse("collin").space == space
    assert words(table).isdisjoint({"SWIM", "LEAVE_WATER", "MOVE"})
    assert table.count("leave_tries") == 1
    assert table.count("leave_success") == (space == "B2")


def test_w12_a_current_carries_a_mouse(lay: Lay) -> None:
    """W12: at the end of its turn a mouse drifts from N3 to N2."""
    table = lay("6", {"collin": "N3"}, rest="A1")
    table.act("collin")
    table.take("END")
    assert table.mouse("collin").space == "N2"
    assert table.count("drifts") == 1


def test_w12_drifting_off_the_tile_is_capture(lay: Lay) -> None:
    """W12: from N1 a mouse is carried off, loses its cheese and costs a page."""
    table = lay("6", {"collin": MouseAt("N1", cheese=2)}, rest="A1")
    table.act("collin")
    table.take("END")
    collin = table.mouse("collin")
    assert (collin.captured, collin.space, collin.cheese) == (True, None, 0)
    assert table.page == 2
    assert table.count("captures_drift") == 1


def test_w13_no_free_actions_in_water(lay: Lay) -> None:
    """W13: LEVEL_UP, SHARE and EQUIP are missing in water; SEARCH is there."""
    collin = MouseAt("N2", cheese=6, pack=("si_helmet",))
    table = lay("6", {"collin": collin, "nez": "N2"}, rest="A1")
    table.dice(0)
    table.act("collin")
    assert words(table).isdisjoint({"LEVEL_UP", "SHARE", "EQUIP"})
    assert "SEARCH" in table.labels


def test_w14_no_drift_into_a_full_space(lay: Lay) -> None:
    """W14: four roaches on N2 keep a mouse on N3."""
    table = lay("6", {"collin": "N3"}, rest="A1", minions=[("roach", "N2")] * 4)
    table.act("collin")
    table.take("END")
    assert table.mouse("collin").space == "N3"


def test_w15_a_mousetrap_springs(lay: Lay) -> None:
    """W15: two dice without a star: knocked down, a wound, a cheese, turn over, trap gone."""
    table = lay("902", {"collin": "a3"}, rest="a1", mousetraps=("a4",))
    table.dice(0, 0, 3)
    table.act("collin")
    table.take("MOVE a4")
    collin = table.mouse("collin")
    assert (collin.space, collin.wounds, collin.cheese) == ("a4", 1, 1)
    assert collin.knocked_down
    assert table.decider == "nez"
    assert table.mousetraps == []
    assert table.count("traps_sprung") == 1


def test_w16_a_star_passes_a_mousetrap(lay: Lay) -> None:
    """W16: with a star the mouse goes on and the trap stays."""
    table = lay("2", {"collin": "t19"}, rest="t1", mousetraps=("t20",))
    table.dice(2, 1, 0)
    table.act("collin")
    table.take("MOVE t21")
    assert table.mouse("collin").space == "t21"
    assert table.mousetraps == ["t20"]
    assert table.dice_left == 0
    assert table.decider == "collin"


def test_w17_a_tinkerer_uses_lore_against_traps(lay: Lay) -> None:
    """W17: Nez, move 1 and lore 2, rolls two dice."""
    table = lay("902", {"nez": "a3"}, rest="a1", mousetraps=("a4",))
    table.dice(0, 0, 1)
    table.act("nez")
    table.take("MOVE a4")
    assert table.dice_left == 0
    assert table.mousetraps == ["a4"]


def test_w18_lily_ignores_traps(lay: Lay) -> None:
    """W18: Lily rolls no dice."""
    mice = {"collin": "a1", "nez": "a1", "tilda": "a1", "lily": "a3"}
    table = lay("902", mice, mousetraps=("a4",))
    table.dice(0, 0, 0)
    table.act("lily")
    table.take("MOVE a4")
    assert table.dice_left == 2
    assert table.mouse("lily").space == "a4"
    assert table.mousetraps == ["a4"]


def test_w19_a_mousetrap_captures(lay: Lay) -> None:
    """W19: the third wound by the trap captures Collin, who is not knocked down."""
    table = lay("902", {"collin": MouseAt("a3", wounds=2)}, rest="a1", mousetraps=("a4",))
    table.dice(0, 0, 3)
    table.act("collin")
    table.take("MOVE a4")
    collin = table.mouse("collin")
    assert (collin.captured, collin.cheese, collin.knocked_down) == (True, 0, False)
    assert table.page == 2
    assert table.count("captures_trap") == 1
    assert table.count("cheese_in_trap") == table.count("cheese_out_capture") == 1


def test_minions_keep_their_numbers(lay: Lay) -> None:
    """Figures have the numbers in which a position lists them (section 24, Index)."""
    table = lay(
        "901", {"collin": "b1"}, rest="b1", minions=[("roach", "a1"), MinionAt("spider", "d4", 2)]
    )
    table.act("collin")
    assert [(m.number, m.type, m.space, m.wounds) for m in table.minions] == [
        (0, "roach", "a1", 0),
        (1, "spider", "d4", 2),
    ]
