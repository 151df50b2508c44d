"""Worked examples W1 to W19: movement, water and mousetraps, asked of every engine."""

import pytest

from support.mice_and_mystics.examples import Lay, changed, offered
from support.mice_and_mystics.table import MouseAt
from support.mice_and_mystics.told_examples import play_example, told_examples

EXAMPLES = """
W1: allowance 3 reaches the 15 other spaces of tile 901.
  901; collin b1; rest b1
  ! 0 @ collin
  = decider: collin; offers MOVE: a1, a2, a3, a4, b2, b3, b4, c1, c2, c3, c4, d1, d2, d3, d4
W3: A1 and K are no neighbours for a mouse, but one step apart for minions.
  3; collin A1; rest D1
  ! 0 @ collin
  = offers MOVE: A2, A3, A4, B1, B2, B3, B4, C1, C2, C3, C4, D1, D2, D3, D4; distance A1 K: 1
W4: the roach's space is offered, the one behind it is not.
  2; collin t18; rest t1; minions roach t19
  ! 2 @ collin = offers MOVE: t10, t11, t12, t13, t14, t15, t16, t17, t19, t7, t8, t9
W5: alone with two roaches there is no MOVE; with a second mouse there is.
  901; collin b2; nez d1; rest d1; minions roach b2, roach b2
  ! 0 @ collin = words: BATTLE, END, EQUIP, SEARCH
  & 901; collin b2; nez b2; rest d1; minions roach b2, roach b2
  ! 0 @ collin = words: BATTLE, END, EQUIP, MOVE, SEARCH, SHARE
W6: four roaches fill t19, so neither it nor t20 is offered.
  2; collin t18; rest t1; minions roach t19, roach t19, roach t19, roach t19
  ! 2 @ collin = offers MOVE: t10, t11, t12, t13, t14, t15, t16, t17, t7, t8, t9;
    words: BATTLE, END, EQUIP, MOVE, SEARCH
W7: the spider's space cannot be entered, the spider can be fought.
  2; collin t18; rest t1; minions spider t19
  ! 2 @ collin = offers MOVE: t10, t11, t12, t13, t14, t15, t16, t17, t7, t8, t9;
    label BATTLE collins_sword 0: yes
W8: STAND takes the place of MOVE, and SCURRY is possible afterwards.
  901; collin b1 knocked_down=yes; rest d1
  ! 0 @ collin = label STAND: yes; words: END, EQUIP, SEARCH, STAND; label SCURRY: no
  > STAND = words: END, EQUIP, SCURRY, SEARCH; label SCURRY: yes; collin knocked_down: no
W9: N1 and N2 are in reach, S1 and S2 behind them are not.
  6; collin B1; rest A1
  ! 0 @ collin = offers MOVE: A1, A2, A3, A4, B2, B3, B4, N1, N2, N3
W10: it may swim anywhere but against the current, or try to leave the water.
  6; collin N2; rest A1
  ! 0 @ collin
  = offers SWIM: N1, S1, S2, S3; offers LEAVE_WATER: B2, B3; words: END, LEAVE_WATER, SEARCH, SWIM
W11: one die and one more for the mouse on land; without a star the movement is spent.
  6; collin N2; nez B2; rest A1
  ! 0 0 3 @ collin > LEAVE_WATER B2 = dice_left: 0; collin space: N2; words: END, SCURRY, SEARCH;
    count leave_tries: 1; count leave_success: 0
  & 6; collin N2; nez B2; rest A1
  ! 0 0 4 @ collin > LEAVE_WATER B2 = dice_left: 0; collin space: B2;
    words: END, EQUIP, SCURRY, SEARCH, SHARE; count leave_tries: 1; count leave_success: 1
W12: at the end of its turn a mouse drifts from N3 to N2.
  6; collin N3; rest A1
  @ collin > END = collin space: N2; count drifts: 1
W12: from N1 a mouse is carried off, loses its cheese and costs a page.
  6; collin N1 cheese=2; rest A1
  @ collin > END
  = collin captured: yes; collin space: None; collin cheese: 0; page: 2; count captures_drift: 1
W13: LEVEL_UP, SHARE and EQUIP are missing in water; SEARCH is there.
  6; collin N2 cheese=6 pack=si_helmet+; nez N2; rest A1
  ! 0 @ collin = words: END, LEAVE_WATER, SEARCH, SWIM; label SEARCH: yes
W14: four roaches on N2 keep a mouse on N3.
  6; collin N3; rest A1; minions roach N2, roach N2, roach N2, roach N2
  @ collin > END = collin space: N3
W15: two dice without a star: knocked down, a wound, a cheese, turn over, trap gone.
  902; collin a3; rest a1; mousetraps=a4+
  ! 0 0 3 @ collin > MOVE a4 = collin space: a4; collin wounds: 1; collin cheese: 1;
    collin knocked_down: yes; decider: nez; mousetraps: none; count traps_sprung: 1
W16: with a star the mouse goes on and the trap stays.
  2; collin t19; rest t1; mousetraps=t20+
  ! 2 1 0 @ collin > MOVE t21 = collin space: t21; mousetraps: t20; dice_left: 0; decider: collin
W17: Nez, move 1 and lore 2, rolls two dice.
  902; nez a3; rest a1; mousetraps=a4+
  ! 0 0 1 @ nez > MOVE a4 = dice_left: 0; mousetraps: a4
W18: Lily rolls no dice.
  902; collin a1; nez a1; tilda a1; lily a3; mousetraps=a4+
  ! 0 0 0 @ lily > MOVE a4 = dice_left: 2; lily space: a4; mousetraps: a4
W19: the third wound by the trap captures Collin, who is not knocked down.
  902; collin a3 wounds=2; rest a1; mousetraps=a4+
  ! 0 0 3 @ collin > MOVE a4 = collin captured: yes; collin cheese: 0; collin knocked_down: no;
    page: 2; count captures_trap: 1; count cheese_in_trap: 1; count cheese_out_capture: 1
Figures have the numbers in which a position lists them (section 24, Index).
  901; collin b1; rest b1; minions roach a1, spider d4 wounds=2
  @ collin = minions: roach a1, spider d4 wounds=2
"""


@told_examples(EXAMPLES)
def test_worked_example(lay: Lay, body: str) -> None:
    """Each entry is offered, and what is seen is what the rules give."""
    play_example(body, lay)


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
