"""Worked examples W20 to W41: attacks of mice and of minions, and surges, of every engine."""

from support.mice_and_mystics.examples import Lay, changed
from support.mice_and_mystics.table import MinionAt
from support.mice_and_mystics.told_examples import play_example, told_examples

EXAMPLES = """
W20: three dice; cheese for Collin, one for the wheel, and the rat's card leaves too.
  901; collin b1; rest d4; minions rat_warrior b2
  ! 0 1 2 0 2 0 @ collin = offers BATTLE: collins_sword 0
  > BATTLE collins_sword 0
  = dice_left: 0; collin cheese: 1; wheel: 1; minions: none; track: collin, nez, tilda, filch;
    count attack_dice_collin: 3; count mouse_hits_blocked: 1; count kills_collin_rat_warrior: 1
W21: two bows and a cheese: no defense roll, one cheese.
  901; collin b1; rest d4; minions rat_warrior b2
  ! 0 3 4 0 0 0 @ collin > BATTLE collins_sword 0
  = dice_left: 2; collin cheese: 1; wheel: 0; minions: rat_warrior b2
W22: Nez's hammer has 3 dice in its own space and 4 against an adjacent one.
  901; nez b1; rest d4; minions rat_warrior b1
  @ nez > BATTLE nez_hammer 0 = count attack_dice_nez: 3
  & 901; nez b1; rest d4; minions rat_warrior b2
  @ nez > BATTLE nez_hammer 0 = count attack_dice_nez: 4
W23: Tilda has 2 dice, and 4 with two other mice in her space wounded or poisoned.
  901; collin b1; nez b1; tilda b1; filch d4; minions rat_warrior b2
  @ tilda > BATTLE tildas_mace 0 = count attack_dice_tilda: 2
  & 901; collin b1 wounds=1; nez b1 poison=1; tilda b1 wounds=1; filch d4 wounds=1;
    minions rat_warrior b2
  @ tilda > BATTLE tildas_mace 0 = count attack_dice_tilda: 4
W24: against Filch's dagger a rat rolls one die less if its card is below his.
And one pilfered (M134).
  901; filch b1; rest d4; minions rat_warrior b2; track=filch+rat_warrior+collin+nez+tilda+
  ! 0 1 3 0 @ filch > BATTLE dagger 0 = dice_left: 0; wheel: 0
  & 901; filch b1; rest d4; minions rat_warrior b2; track=rat_warrior+filch+collin+nez+tilda+
  ! 0 1 3 0 0 @ filch > BATTLE dagger 0 = dice_left: 0; wheel: 1
W25: a rat that Filch defeats brings a cheese from the wheel, a roach one from the supply.
  901; filch b1 pack=si_second_wind+; rest b1; minions rat_warrior b2, roach b2, rat_warrior d4;
    wheel=2
  ! 0 1 1 3 3 @ filch > BATTLE dagger 0 = wheel: 1; filch cheese: 1
  > USE si_second_wind ! 1 3 3 > BATTLE dagger 1 = wheel: 1; filch cheese: 2;
    minions: rat_warrior d4; count cheese_in_pilfer: 2; count wheel_out_pilfer: 1
W26: after two wounds the spider stays, the third removes it and its card.
  901; collin b1 pack=si_second_wind+; rest d4; minions spider b2, rat_warrior d1
  ! 0 1 1 3 3 3 3 @ collin > BATTLE collins_sword 0
  = dice_left: 0; minions: spider b2 wounds=2, rat_warrior d1;
    track: collin, nez, tilda, filch, rat_warrior, spider
  > USE si_second_wind ! 1 3 3 3 3 3 > BATTLE collins_sword 0
  = minions: rat_warrior d1; track: collin, nez, tilda, filch, rat_warrior
W27: the cheese that a rat rolls in defense goes to Lily.
  901; collin d4; nez d4; tilda d4; lily b1; minions rat_warrior b3
  ! 0 3 1 0 3 @ lily > BATTLE lilys_bow 0
  = dice_left: 0; minions: none; lily cheese: 1; wheel: 0; count cheese_in_bow: 1
W28: from 2 t1 a rat on t10 cannot be seen, one on t5 can.
  2; collin t18; nez t18; tilda t18; lily t1; minions rat_warrior t10, rat_warrior t5
  @ lily = offers BATTLE: lilys_bow 1
W29: with a rat on the next space the one far away is no target.
  901; collin d1; nez d1; tilda d1; lily d1; minions rat_warrior c1, rat_warrior a4
  @ lily = offers BATTLE: lilys_bow 0
W30: swords hit in Maginos' own space, bows in others; near minions come first.
  901; collin d1; nez d1; tilda d1; maginos b1;
    minions rat_warrior b1, rat_warrior b2, rat_warrior d4
  ! 0 1 2 @ maginos = offers BATTLE: maginos_staff 0, maginos_staff 1
  > BATTLE maginos_staff 0 = count mouse_hits: 2; count mouse_attacks_melee: 1
  & 901; collin d1; nez d1; tilda d1; maginos b1;
    minions rat_warrior b1, rat_warrior b2, rat_warrior d4
  ! 0 1 2 @ maginos = offers BATTLE: maginos_staff 0, maginos_staff 1
  > BATTLE maginos_staff 1 = count mouse_hits: 0; count mouse_attacks_melee: 0
W31: one hit is blocked; each side's cheese goes where it belongs.
  901; collin b1; rest d4; minions rat_warrior b1
  ! 0 0 1 0 2 @ rat_warrior
  = dice_left: 0; wheel: 1; collin cheese: 1; collin wounds: 0; count minion_hits_blocked: 1
W32: the first hit takes Collin's one cheese, the second wounds.
  901; collin b1 cheese=1; rest d4; minions roach b1
  ! 0 1 2 3 3 @ roach = collin cheese: 0; collin wounds: 1; wheel: 0; count cheese_out_theft: 1
W33: two hits move two of Collin's three cheese to the wheel.
  901; collin b1 cheese=3; rest d4; minions greedy_roach b1
  ! 0 1 2 3 3 @ roach = collin cheese: 1; collin wounds: 0; wheel: 2; count wheel_in_theft: 2
W34: its wound is poison, for which Balm is no use without a normal wound.
  901; collin b1 pack=si_balm+; rest d4; minions spider b2
  ! 0 1 3 3 3 @ spider
  = collin poison: 1; collin wounds: 0; decider: collin; label USE si_balm collin: no
  & 901; collin b1 wounds=1 pack=si_balm+; rest d4; minions spider b2
  ! 0 1 3 3 3 @ spider
  = collin poison: 1; collin wounds: 1; decider: collin; label USE si_balm collin: yes
W35: a stunned mouse may move and recover, and recovering is its action.
  901; collin b1; rest d4; minions cave_centipede b2
  ! 0 1 3 3 3 3 @ cave_centipede
  = collin wounds: 1; collin stunned: yes; decider: collin; words: END, EQUIP, MOVE, RECOVER
  > RECOVER = collin stunned: no; words: END, EQUIP, MOVE
W36: a cheese in the attack roll is another attack.
  904; collin a1; nez a1; tilda a1; filch a1; minions captain_vurst e5
  ! 0 0 1 1 1 1 1 @ captain_vurst
  = dice_left: 0; count attacks_by_captain_vurst: 2; count dice_by_captain_vurst: 6; wheel: 1
W37: with S2 = after_attack Collin's capture is page 2, the surge page 3.
  901; collin b1 wounds=2; rest d4; minions rat_warrior b1; wheel=5; face_up=si_enc_02;
    switches S2=after_attack
  ! 0 0 1 3 3 @ rat_warrior
  = collin captured: yes; page: 3; minions: rat_warrior b1, roach b4, roach d4, roach c4;
    track: collin, nez, tilda, rat_warrior, filch, roach; wheel: 0; face_up: None;
    count surges: 1; count captures_battle: 1; count surges_with_minions: 1
S2, M134: the sixth cheese surges at once; the rat's cheese then comes from the supply.
  901; filch b1; rest b1; minions rat_warrior b2, rat_warrior d4; wheel=5
  ! 0 1 1 0 3 @ filch > BATTLE dagger 0 = page: 2; wheel: 0; filch cheese: 1;
    minions: rat_warrior d4; count cheese_in_pilfer: 1; count wheel_out_pilfer: 0
W38: two cheese on a wheel of five turn one page and leave an empty wheel.
  901; collin b1; rest d4; minions rat_warrior b1; wheel=5
  ! 0 0 0 @ rat_warrior = page: 2; wheel: 0; count surges: 1
W39: the second surge, without a face-up card, only turns a page.
  901; collin b1; rest d1; minions rat_warrior b1, rat_warrior b1; wheel=1; face_up=si_enc_06;
    knobs wheel_size=2
  ! 0 0 0 0 0 0 @ rat_warrior = count surges: 2; count surges_with_minions: 1;
    minions: rat_warrior b1, rat_warrior b1, cave_centipede c2; page: 3
W40: a surge on page 5 loses the chapter before anything is placed.
  901; collin b1; rest d4; minions rat_warrior b1; wheel=5; page=5; face_up=si_enc_02
  ! 0 0 3 @ rat_warrior = outcome: loss_page; labels: none; minions: rat_warrior b1; page: 6
W41: its cheese turns the last page before the last elite falls, unless S2 says otherwise.
  904; collin c1; rest c1; minions elite_rat_warrior c2; wheel=5; page=5; switches S2=after_attack
  ! 0 1 1 3 0 3 @ collin > BATTLE collins_sword 0 = outcome: win
  & 904; collin c1; rest c1; minions elite_rat_warrior c2; wheel=5; page=5; switches S2=at_once
  ! 0 1 1 3 0 3 @ collin > BATTLE collins_sword 0 = outcome: loss_page
"""


@told_examples(EXAMPLES)
def test_worked_example(lay: Lay, body: str) -> None:
    """Each entry is offered, and what is seen is what the rules give."""
    play_example(body, lay)


RAT = "rat_warrior"


def test_a_wound_leaves_a_minion_with_more_life(lay: Lay) -> None:
    """M57: with the life of a rat raised to two, one wound leaves it on the tile."""
    facts = changed("minions", RAT, life=2)
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[MinionAt(RAT, "b2")], facts=facts)
    table.dice(0, 1, 3, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert [minion.wounds for minion in table.minions] == [1]
