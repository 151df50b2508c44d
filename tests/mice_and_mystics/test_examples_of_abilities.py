"""Worked examples W65 to W85: abilities, cards and chapter rules, asked of every engine."""

from support.mice_and_mystics.examples import Lay
from support.mice_and_mystics.table import PARTY
from support.mice_and_mystics.told_examples import play_example, told_examples

EXAMPLES = """
W65: four dice instead of three for one cheese.
  901; collin b1 cheese=1 abilities=battle_squeak+; rest d4; minions rat_warrior b2
  ! 0 3 3 3 3 @ collin > BATTLE collins_sword 0 = labels: PASS, REACT battle_squeak
  > REACT battle_squeak = dice_left: 0; count attack_dice_collin: 4; collin cheese: 0;
    count cheese_ability_battle_squeak: 1
W66: against two hits Filch may roll three dice; without a hit he is not asked.
  901; filch b1 cheese=1 abilities=dodge+; rest d4; minions rat_warrior b1
  ! 0 1 1 2 2 3 @ rat_warrior = decider: filch; labels: PASS, REACT dodge
  > REACT dodge = dice_left: 0; filch wounds: 0; count minion_hits_blocked: 2
  & 901; filch b1 cheese=1 abilities=dodge+; rest d4; minions rat_warrior b1
  ! 0 3 3 @ rat_warrior = dice_left: 0; filch wounds: 0; count minion_hits_blocked: 0
W67: two daggers are two attacks with two dice each, and two pilfered cheese.
A dagger leaves roaches no defense (W24).
  901; filch b1 cheese=2 abilities=knife_strike+; rest d1; minions roach b2, roach c1, spider d4
  ! 0 1 3 1 3 @ filch > ABILITY knife_strike = labels: TARGET 0, TARGET 1
  > TARGET 1 = dice_left: 0; minions: spider d4; count attack_dice_filch: 4; filch cheese: 2;
    count cheese_in_pilfer: 2; count cheese_out_ability: 2
W68: three mice can fight or search for Collin; Nez rolls four dice next door.
  901; collin a1 cheese=2 abilities=give_order+; nez b1; rest a1; minions rat_warrior b2
  @ collin = labels: END, MOVE a2, MOVE a3, MOVE a4, MOVE b1, MOVE b2, MOVE b3, MOVE b4, MOVE c1,
    MOVE c2, MOVE c3, MOVE c4, MOVE d1, MOVE d2, MOVE d3, MOVE d4, BATTLE collins_sword 0, SEARCH,
    ABILITY give_order nez BATTLE nez_hammer 0, ABILITY give_order nez SEARCH,
    ABILITY give_order tilda BATTLE tildas_mace 0, ABILITY give_order tilda SEARCH,
    ABILITY give_order filch BATTLE dagger 0, ABILITY give_order filch SEARCH, SHARE nez,
    SHARE tilda, SHARE filch, EQUIP
  > ABILITY give_order nez BATTLE nez_hammer 0
  = count attack_dice_nez: 4; count battles: 1; collin cheese: 0; decider: collin
W69: the rat that steps into Nez's trap defends against two hits and is Nez's kill.
  2; nez t20 cheese=2 abilities=set_trap+; rest t1; minions rat_warrior t22;
    track=nez+rat_warrior+tilda+collin+filch+
  @ nez > ABILITY set_trap = set_traps: t20
  ! 2 2 3 > END = dice_left: 0; minions: none; set_traps: none; count kills_nez_rat_warrior: 1;
    count kills_set_trap: 1; count mouse_hits_blocked: 1
W70: without its rat warriors si_enc_02 brings two roaches on page 3.
  5; collin C3; rest D4; page=3; encounter_deck=si_enc_02+; party_cards=disguises+
  @ collin > EXPLORE flip = decider: None; labels: PASS, DISGUISES
  > DISGUISES
  = minions: roach C3, roach C5; track: roach, nez, collin, filch, tilda; party_cards: none
W71: cheese can be given and a trick taken; one SHARE in a turn.
  901; collin b1 cheese=1 equipped=(); nez b2 equipped=() pack=si_lucky+; rest d4
  @ collin = offers SHARE: nez
  > SHARE nez = labels: STOP, GIVE_CHEESE, TAKE si_lucky
  > TAKE si_lucky = labels: STOP, GIVE_CHEESE, GIVE si_lucky
  > STOP
  = collin pack: si_lucky; words: END, MOVE, SEARCH; count shares: 1; count share_transfers: 1
D5, M100: equipped cards change hands too, into the pack while it has room.
A full pack takes tricks alone.
  901; collin b1 pack=button_shield+si_boots+si_lucky+; filch b1; rest d4
  @ collin > SHARE filch = filch equipped: dagger, dagger; labels: STOP, GIVE collins_sword,
    GIVE leather_breastplate, GIVE button_shield, GIVE si_boots, GIVE si_lucky, TAKE dagger
  > TAKE dagger = label TAKE dagger: no; collin pack: button_shield, dagger, si_boots, si_lucky;
    filch equipped: dagger
  > GIVE collins_sword
  = collin equipped: leather_breastplate; filch pack: collins_sword; count share_transfers: 2
D5: a card that is worn and in the pack too is one entry, and the pack gives it.
  901; collin b1; nez b1 equipped=button_shield+ pack=button_shield+; rest d4
  @ collin > SHARE nez > TAKE button_shield = nez equipped: button_shield; nez pack: none
D5: two cards come off for one of a full pack; one of the four is discarded at once.
  901;
    collin b1 equipped=collins_sword+button_shield+ pack=si_boots+si_helmet+toothpick+si_lucky+;
    rest d4
  @ collin > EQUIP > PUT toothpick all = offers DROP: button_shield, collins_sword, si_boots,
    si_helmet; labels: DROP collins_sword, DROP button_shield, DROP si_helmet, DROP si_boots
  > DROP si_helmet
  = collin equipped: toothpick; collin pack: button_shield, collins_sword, si_boots, si_lucky;
    search_discard: si_helmet; collin cheese: 0; count cards_overflow: 1; label PUT si_boots: yes
D5: three cards that come off for one of a full pack are too many.
  901; filch b1 equipped=dagger+dagger+button_shield+ pack=si_bow+si_boots+si_helmet+; rest d4
  @ filch > EQUIP = labels: STOP, PUT si_helmet, PUT si_boots
W72: shield and armor can be put on, the wand is for mystics, nothing can be taken off.
  901; collin b1 pack=button_shield+nutshell_armor+scorching_wand+; rest d4
  @ collin > EQUIP = labels: STOP, PUT button_shield, PUT nutshell_armor
  > PUT nutshell_armor
  = collin equipped: collins_sword, nutshell_armor; collin pack: button_shield,
    leather_breastplate, scorching_wand; count equipped_nutshell_armor: 1
W72: the Toothpick takes the sword's place.
  901; collin b1 pack=toothpick+; rest d4
  @ collin > EQUIP = labels: STOP, PUT toothpick collins_sword, TAKE_OFF collins_sword,
    TAKE_OFF leather_breastplate
D5: with sword and shield in the paws, the Toothpick takes the place of both.
  901; collin b1 equipped=collins_sword+button_shield+ pack=toothpick+; rest d4
  @ collin > EQUIP > PUT toothpick all
  = collin equipped: toothpick; collin pack: button_shield, collins_sword
W72: his two daggers use one paw, so the shield fits beside them.
  901; filch b1 pack=button_shield+; rest d4
  @ filch > EQUIP = label PUT button_shield: yes
W73: Nez becomes the victim for one cheese; both count as attacked by the rats.
  901; collin b1; nez b1 cheese=1 abilities=protect+; tilda b1; filch d4;
    minions rat_warrior b2, rat_warrior b2
  ! 0 1 3 @ rat_warrior = decider: nez; labels: PASS, REACT protect
  ! 3 0 1 3 3 > REACT protect = collin wounds: 0; nez wounds: 1; tilda wounds: 1; nez cheese: 0
W74: three mice in the tree are no win while Filch is elsewhere; his capture is.
  1; filch B2 wounds=2; rest T; search_deck=si_splinter+
  @ tilda ! 0 1 > END = decider: filch
  > SEARCH = outcome: win; count captures_event: 1
W75: alone on the counter a roach moves cheese to the wheel, with a mouse it attacks.
  3; collin A5; rest D1; minions roach K; counter_cheese=6
  ! 0 @ roach = count attacks_by_roach: 0; counter_cheese: 5; wheel: 1
  & 3; collin K; rest D1; minions roach K; counter_cheese=6
  ! 0 3 3 @ roach = count attacks_by_roach: 1; counter_cheese: 6; wheel: 0
W76: Lily shoots one of three roaches that a surge has just placed.
  901; collin b1; nez b1; tilda b1; lily b1 cheese=1 abilities=preemptive_shot+; wheel=5;
    face_up=si_enc_02; search_deck=si_noise+
  ! 0 1 @ collin > SEARCH = decider: lily; labels: PASS, REACT preemptive_shot lilys_bow 0,
    REACT preemptive_shot lilys_bow 1, REACT preemptive_shot lilys_bow 2
  ! 3 3 4 = labels: PASS, REACT preemptive_shot lilys_bow 0, REACT preemptive_shot lilys_bow 1,
    REACT preemptive_shot lilys_bow 2
  > REACT preemptive_shot lilys_bow 0
  = dice_left: 0; minions: roach d4, roach d4; count kills_lily_roach: 1
W77: a successful search brings Nez back instead of a card, and is no success.
  901; nez none missing=yes; rest b1; search_deck=si_helmet+
  ! 0 1 @ collin > SEARCH = offers PLACE: a1, a2, b1, b2, c1, c2
  > PLACE a1 = nez space: a1; nez missing: no; decider: collin; label END: yes;
    search_deck: si_helmet; count search_tries: 1; count search_success: 0; round: 1
  > END = decider: nez; label END: yes
  > END = decider: tilda; label END: yes
  > END = decider: filch; label END: yes
  > END = decider: collin; round: 2; label SEARCH: yes
M126: after a success a mouse may search while another is missing, not among minions.
  901; collin b1 searched=yes; nez none missing=yes; rest b1
  @ collin = label SEARCH: yes
  & 901; collin b1 searched=yes; nez none missing=yes; rest b1; minions rat_warrior d4
  @ collin = label SEARCH: no
  & 901; collin b1 searched=yes; nez b1; rest b1
  @ collin = label SEARCH: no
W78: small minions in the space fall, others do not, and the rat's movement stands it up.
  901; nez b1 cheese=2 abilities=thundersqueak+; rest d1;
    minions rat_warrior b1, roach b1, spider d4;
    track=nez+rat_warrior+collin+tilda+filch+roach+spider+
  @ nez > ABILITY thundersqueak = minions: rat_warrior b1 down, roach b1 down, spider d4
  ! 2 3 3 > END = minions: rat_warrior b1, roach b1 down, spider d4
W79: one roll of two hits, against which rat and roach defend separately.
  901; collin d4; nez d4; tilda d4; maginos b1 cheese=2 abilities=mystic_blast+;
    minions rat_warrior b3, roach b3, spider a4
  @ maginos = offers ABILITY: mystic_blast a4, mystic_blast b3
  ! 3 4 1 2 1 3 > ABILITY mystic_blast b3
  = dice_left: 0; minions: spider a4; count attacks_maginos: 1; count attack_dice_maginos: 3
W80: for one cheese each mouse gets one more action until the round ends.
  901; collin b1 cheese=4 abilities=inspire+; nez b1 cheese=1; rest d4
  @ collin > ABILITY inspire = label PAY_ACTION: no
  ! 0 > SEARCH > PAY_ACTION ! 0 > SEARCH = collin cheese: 1; label PAY_ACTION: no
  > END ! 0 > SEARCH = decider: nez; label PAY_ACTION: yes
  > END > END > END = decider: collin; round: 2
  ! 0 > SEARCH = label PAY_ACTION: no
Timing start_of_own_turn: it is offered only before any other entry (section 25).
  901; collin b1 cheese=2 abilities=inspire+; rest d4
  @ collin = label ABILITY inspire: yes
  > MOVE a1 = label ABILITY inspire: no
W81: the rat stops at invisible Collin, has no victim, and later passes on to Nez.
  2; collin t19 cheese=4 abilities=invisibility+; nez t21; minions rat_warrior t18;
    track=collin+nez+rat_warrior+tilda+filch+
  @ collin > ABILITY invisibility > END ! 2 > END
  = minions: rat_warrior t19; count attacks_by_rat_warrior: 0; decider: collin; round: 2
  > ABILITY invisibility ! 2 3 3 > END
  = minions: rat_warrior t21; count attacks_by_rat_warrior: 1; nez wounds: 0; decider: nez
W82: in place of the cheese the rat takes a wound, and leaves.
  901; collin b1 equipped=toothpick+leather_breastplate+; rest d4;
    minions rat_warrior b2, spider d1
  ! 0 1 3 0 3 @ rat_warrior = decider: collin; labels: PASS, REACT toothpick
  > REACT toothpick
  = collin wounds: 1; collin cheese: 0; minions: spider c2; count kills_toothpick: 1
W83: all dice are rolled again and the first cheese is not gained.
  901; collin b1 pack=si_lucky+; rest d4; minions rat_warrior b2, spider d1
  ! 0 3 3 0 @ collin > BATTLE collins_sword 0 = labels: PASS, TRICK si_lucky
  ! 1 1 1 3 3 > TRICK si_lucky = dice_left: 0; collin cheese: 0; count attack_dice_collin: 6;
    count attacks_collin: 1; minions: spider d1
W84: after one roach the next one falls too, for two cheese.
  901; collin b1 cheese=2 abilities=backslash+; rest d1; minions roach b1, roach b2, spider d4
  ! 0 1 3 3 3 @ collin > BATTLE collins_sword 0 = labels: PASS, REACT backslash collins_sword 1
  ! 3 1 3 3 > REACT backslash collins_sword 1 = dice_left: 0; minions: spider d4; collin cheese: 0
W85: Nez finds Abduction for Collin, who goes missing; his turn ends, no page is lost.
  901; collin b1 cheese=2 abilities=give_order+; nez b1; tilda none captured=yes;
    filch none captured=yes; minions spider d4; search_deck=abduction+
  ! 0 1 @ collin > ABILITY give_order nez SEARCH = collin missing: yes; decider: nez;
    track: collin, nez, tilda, filch, spider; page: 1; collin cheese: 0
Section 28: the loss of defense stays on the figure until the round ends.
  901; collin b1; nez b1; tilda b1; maginos d4 cheese=2 abilities=meeps+;
    minions spider b2, rat_warrior d1
  ! 0 1 3 3 @ collin > BATTLE collins_sword 0 = decider: maginos; labels: PASS, REACT meeps
  ! 3 3 > REACT meeps = dice_left: 0
  > END ! 1 3 3 > BATTLE nez_hammer 0 ! 3 > REACT meeps = count mouse_hits: 2; dice_left: 0
"""


@told_examples(EXAMPLES)
def test_worked_example(lay: Lay, body: str) -> None:
    """Each entry is offered, and what is seen is what the rules give."""
    play_example(body, lay)


ROACH = "roach"


def test_w74_a_minion_holds_up_the_win_outside_the_tree(lay: Lay) -> None:
    """W74: with a minion on the tile there is no win, and it never enters the tree."""
    table = lay("1", {}, rest="T", minions=[(ROACH, "F6")], track=(*PARTY, ROACH))
    table.act("collin")
    for _ in range(8):
        for name in PARTY:
            assert table.decider == name
            if name == "filch":
                table.dice(2, 3, 3)  # the roach's number and no hit
            table.take("END")
    assert table.outcome is None
    assert table.distance(table.minions[0].space, "T") == 1
    assert table.count("attacks_by_roach") > 0
