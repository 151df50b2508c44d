"""Worked examples W42 to W64: placement, track, minion movement, capture, search and rounds."""

import pytest

from card_data.mice_and_mystics.facts import Group
from support.mice_and_mystics.examples import Lay, changed
from support.mice_and_mystics.table import MouseAt, Table
from support.mice_and_mystics.told_examples import play_example, told_examples

EXAMPLES = """
W47: two rats come next to entry spaces that are full.
  901; rest b1; minions roach a4, roach a4, roach a4, roach a4, roach d4, roach d4, roach d4,
    roach d4; face_up=si_enc_01; wheel=5; search_deck=si_noise+
  ! 0 1 @ collin > SEARCH = count surges: 1; minions: roach a4, roach a4, roach a4, roach a4,
    roach d4, roach d4, roach d4, roach d4, rat_warrior b4, rat_warrior c4
W48: with number 2 a rat three steps away ends next to the mice.
  901; rest b1; minions rat_warrior a4
  ! 1 3 3 @ rat_warrior
  = minions: rat_warrior b2; distance b2 b1: 1; count attacks_by_rat_warrior: 1
W49: at equal distance a rat goes toward the mouse higher on the track.
  904; collin c1; nez c5; minions rat_warrior c3; track=collin+nez+tilda+filch+rat_warrior+
  ! 0 3 3 @ rat_warrior = minions: rat_warrior c2; distance c2 c1: 1
  & 904; collin c1; nez c5; minions rat_warrior c3; track=nez+collin+tilda+filch+rat_warrior+
  ! 0 3 3 @ rat_warrior = minions: rat_warrior c4; distance c4 c5: 1
W50: four mice fill b1; a rat with number 3 ends next to it.
  901; rest b1; minions rat_warrior d4
  ! 2 3 3 @ rat_warrior = minions: rat_warrior c2; distance c2 b1: 1
W51: in a mouse's space a rat does not move.
  901; filch c2; rest b1; minions rat_warrior c2
  ! 2 3 3 @ rat_warrior = minions: rat_warrior c2
W52: three rats attack Nez, Collin and Nez again, as the track says.
  3; collin K; nez K; minions rat_warrior K, rat_warrior K, rat_warrior K;
    track=nez+collin+tilda+filch+rat_warrior+
  ! 0 1 3 0 0 1 3 3 3 0 1 3 0 @ rat_warrior
  = dice_left: 0; nez wounds: 2; nez cheese: 2; collin wounds: 1; collin cheese: 0
W53: from t10 it goes toward the mice on t18 until it sees them or has moved its number.
  2; rest t18; minions elite_rat_warrior t10
  ! 2 @ elite_rat_warrior = minions: elite_rat_warrior t13; count attacks_by_elite_rat_warrior: 1
  & 2; rest t18; minions elite_rat_warrior t10
  ! 0 @ elite_rat_warrior = minions: elite_rat_warrior t12; count attacks_by_elite_rat_warrior: 0
W53: in a mouse's space or with a mouse in sight it stays and shoots.
  2; collin t18; rest t1; minions elite_rat_warrior t18
  ! 2 1 1 1 @ elite_rat_warrior
  = minions: elite_rat_warrior t18; count attacks_by_elite_rat_warrior: 1
  & 2; collin t18; rest t18; minions elite_rat_warrior t14
  ! 2 1 1 1 @ elite_rat_warrior
  = minions: elite_rat_warrior t14; count attacks_by_elite_rat_warrior: 1
W55: with a minion on the tile the turn of a captured mouse is skipped.
  901; collin none captured=yes; rest d4; minions rat_warrior a1
  @ collin = decider: nez; collin captured: yes; count turns_skipped_captured: 1
W55: it returns in or next to the others' space, and that is its turn.
  901; collin none captured=yes; rest d4
  @ collin = labels: PLACE c3, PLACE c4, PLACE d3, PLACE d4
  > PLACE c3 = collin space: c3; collin captured: no; decider: nez; count rescues: 1
W56: four captures from page 1 lose by capture on page 5.
  6; rest N1
  @ collin = decider: collin
  > END = decider: nez
  > END = decider: tilda
  > END = decider: filch
  > END = outcome: loss_captured; page: 5
W56: from page 4 the second capture loses by page.
  6; rest N1; page=4
  @ collin > END > END = outcome: loss_page
W57: a star finds the cap; discarding it gives a cheese; this mouse is done here.
  901; collin b1 pack=si_second_wind+; rest d4; search_deck=si_helmet+
  ! 0 1 @ collin > SEARCH = labels: KEEP, DISCARD
  > DISCARD = collin cheese: 1; search_discard: si_helmet
  > USE si_second_wind = label SCURRY: no; label SEARCH: no
W57: a search that failed can be tried again in the next turn.
The spider comes nearer.
  901; collin b1; minions spider d4; search_deck=si_helmet+
  ! 0 0 @ collin > SEARCH = label SEARCH: no
  ! 0 3 3 0 > END = decider: collin; round: 2; label SEARCH: yes; search_deck: si_helmet
W58: with three cards and a trick, a fourth card means one of four is dropped for nothing.
  901; collin b1 pack=si_balm+si_boots+si_charm+si_lucky+; rest d4; search_deck=si_helmet+
  ! 0 1 @ collin > SEARCH > KEEP = offers DROP: si_balm, si_boots, si_charm, si_helmet;
    labels: DROP si_helmet, DROP si_boots, DROP si_charm, DROP si_balm
  > DROP si_boots
  = collin pack: si_balm, si_charm, si_helmet, si_lucky; collin cheese: 0; count cards_overflow: 1
W59: nine abilities fit Collin while Nez owns Battle Squeak; one per turn.
  901; collin b1 cheese=12; nez d4 abilities=battle_squeak+; rest d4
  @ collin = offers LEVEL_UP: backslash, battle_leader, feint, first_aid, give_order, inspire,
    protect, resolve, thundersqueak
  > LEVEL_UP feint = words: END, EQUIP, MOVE, SEARCH; collin abilities: feint; collin cheese: 6
W60: all mice land in the water, minions come by the page, and a new round begins.
  5; collin C3; rest D4; page=3; encounter_deck=si_enc_02+
  @ collin > EXPLORE flip = tile: 6; collin space: S3; nez space: S3; tilda space: S3;
    filch space: S3; minions: roach D1, roach D6, rat_warrior A6, rat_warrior B1, rat_warrior D6;
    face_up: si_enc_02; track: tilda, rat_warrior, nez, filch, roach, collin; round: 2;
    count explores: 1; count encounters: 1
W61: after its turn the rats' card is above Nez, and Tilda acts next.
  901; rest b1; minions rat_warrior d4; track=collin+nez+rat_warrior+tilda+filch+
  @ rat_warrior = track: collin, rat_warrior, nez, tilda, filch; decider: tilda
W63: after the turn of the lowest mouse, and only without minions.
Filch's movement, the rat's or the next mouse's, and the attack.
  901; rest b1; track=nez+tilda+collin+filch+
  @ collin > END = wheel: 0
  ! 0 0 3 > END = count wheel_in_idle: 1
  & 901; rest b1; minions rat_warrior d4; track=nez+tilda+collin+filch+rat_warrior+
  @ collin > END = wheel: 0
  ! 0 0 3 > END = count wheel_in_idle: 0
W64: from 6 to the explored 4 all mice come on n1 and the turn goes on.
  6; collin D3; rest A1; explored=4+; encounter_deck=si_enc_02+
  @ collin > EXPLORE S = collin space: n1; nez space: n1; tilda space: n1; filch space: n1;
    minions: none; track: collin, nez, tilda, filch; decider: collin; round: 1;
    words: END, EQUIP, MOVE, SHARE; count returns_to_explored: 1
M112: a knocked down rat spends its movement on standing up.
  901; rest b1; minions rat_warrior d4 knocked_down=yes
  ! 2 @ rat_warrior = minions: rat_warrior d4
M62: what a mouse loses by the wound of a splinter lies below the splinter.
  901; tilda b1 wounds=2 equipped=tildas_mace+si_boots+; rest b1; search_deck=si_splinter+
  ! 0 1 @ tilda > SEARCH = tilda captured: yes; search_discard: si_boots, si_splinter
M22: the cheese of a rat in a set trap brings roaches, none of which takes its turn.
  901; nez b2 cheese=6 abilities=set_trap+; collin a4; tilda d4; rest d1; minions rat_warrior a2;
    track=nez+rat_warrior+collin+tilda+filch+; wheel=5; face_up=si_enc_02
  @ nez > ABILITY set_trap ! 2 0 3 > END
  = count kills_set_trap: 1; minions: roach d4, roach a4, roach d4; count attacks_by_roach: 0
"""


@told_examples(EXAMPLES)
def test_worked_example(lay: Lay, body: str) -> None:
    """Each entry is offered, and what is seen is what the rules give."""
    play_example(body, lay)


RAT, ELITE, ROACH, SPIDER = "rat_warrior", "elite_rat_warrior", "roach", "spider"
NOISE = {"wheel": 5, "search_deck": ("si_noise",)}  # a successful search brings a surge


def surge_now(table: Table) -> None:
    """Collin finds Noise, which fills the wheel."""
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    assert table.count("surges") == 1


def surge_of(**groups: int):
    """Facts in which si_enc_01 surges with these minions."""
    listed = tuple(Group(type=kind, count=count) for kind, count in groups.items())
    return changed("encounters", "si_enc_01", surge=listed)


def spaces(table: Table, kind: str) -> list[str]:
    return sorted(minion.space for minion in table.minions if minion.type == kind)


def test_w42_small_melee_minions_spread(lay: Lay) -> None:
    """W42: three rats come as two and one on the entry spaces, which way at random."""
    seen = set()
    for seed in range(12):
        table = lay("901", {}, rest="b1", face_up="si_enc_12", seed=seed, **NOISE)
        surge_now(table)
        seen.add(tuple(spaces(table, RAT)))
    assert seen == {("a4", "a4", "d4"), ("a4", "d4", "d4")}


@pytest.mark.parametrize(("blocker", "expected"), [("b1", {"a1"}), ("a1", {"a4", "d4"})])
def test_w43_a_large_minion_takes_the_nearest_empty_space(lay: Lay, blocker, expected) -> None:
    """W43: the spider comes on a1, or with a mouse there on one of the two far corners."""
    seen = set()
    for seed in range(12):
        mice = {"filch": blocker}
        table = lay("903", mice, rest="b1", face_up="si_enc_04", seed=seed, **NOISE)
        surge_now(table)
        seen |= set(spaces(table, SPIDER))
    assert seen == expected


def test_w44_small_ranged_minions_go_behind_red_lines(lay: Lay) -> None:
    """W44: in the kitchen elites come on the counter and the first rat warrior elsewhere."""
    for seed in range(6):
        facts = surge_of(elite_rat_warrior=2, rat_warrior=1)
        table = lay("3", {}, rest="D3", face_up="si_enc_01", facts=facts, seed=seed, **NOISE)
        surge_now(table)
        assert spaces(table, ELITE) == ["K", "K"]
        assert spaces(table, RAT)[0] in {"C6", "D1"}


def test_w45_small_ranged_minions_come_far_away(lay: Lay) -> None:
    """W45: with the mice on c1 of 904 each elite comes on a5 or e5."""
    seen = set()
    for seed in range(20):
        table = lay("904", {}, rest="c1", minions=[(ROACH, "c2")], face_up="si_enc_07",
                    seed=seed, **NOISE)  # fmt: skip
        surge_now(table)
        seen.add(tuple(spaces(table, ELITE)))
    assert seen == {("a5", "a5"), ("a5", "e5"), ("e5", "e5")}


def test_w46_figures_beyond_the_supply_are_ignored(lay: Lay) -> None:
    """W46: with 8 roaches in play come no roach, 4 elites and 2 rat warriors."""
    facts = surge_of(roach=3, rat_warrior=4, elite_rat_warrior=5)
    roaches = [(ROACH, "c1")] * 4 + [(ROACH, "c2")] * 4
    table = lay("901", {}, rest="b1", minions=roaches, face_up="si_enc_01", facts=facts, **NOISE)
    surge_now(table)
    assert [len(spaces(table, kind)) for kind in (ROACH, ELITE, RAT)] == [8, 4, 2]
    assert table.count("minions_not_placed") == 6


def test_w54_what_a_captured_mouse_loses_and_keeps(lay: Lay) -> None:
    """W54: cheese, found gear and markers go; starting gear, pack and initiative card stay."""
    collin = MouseAt(
        "b1",
        poison=1,
        cheese=4,
        equipped=("collins_sword", "leather_breastplate", "si_helmet"),
        pack=("si_charm",),
        stunned=True,
    )
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b1")])
    table.dice(0, 1, 1, 3, 3, 3)
    table.act(RAT)
    seen = table.mouse("collin")
    assert (seen.captured, seen.space, seen.cheese) == (True, None, 0)
    assert (seen.wounds, seen.poison, seen.stunned) == (0, 0, False)
    assert seen.equipped == ("collins_sword", "leather_breastplate")
    assert seen.pack == ("si_charm",)
    assert table.search_discard == ["si_helmet"]
    assert table.page == 2
    assert "collin" in table.track


AMBUSH_SEED = 345  # with which the track is dealt as in W62


def ambush_facts(ambush: bool):
    return changed("encounters", "si_enc_12", ambush=ambush)


def enter_next_room(lay: Lay, ambush: bool, seed: int, *faces: int) -> Table:
    """Collin explores from 902 to 903, where an encounter with rats and roaches waits."""
    table = lay(
        "902",
        {"collin": "a6"},
        rest="b5",
        page=3,
        encounter_deck=("si_enc_12",),
        facts=ambush_facts(ambush),
        seed=seed,
    )
    table.dice(0, *faces)
    table.act("collin")
    table.take("EXPLORE E")
    while table.labels[0].startswith("PLACE"):
        table.take(table.labels[0])
    return table


def test_w62_an_ambush_moves_minion_cards_up(lay: Lay) -> None:
    """W62: with dice of 2 and 3 the rats come first and the roaches third.

    The same seed without the ambush gives the track that the minions move up on.
    """
    before = enter_next_room(lay, False, AMBUSH_SEED)
    assert before.track == ["collin", "nez", RAT, "tilda", "filch", ROACH]
    after = enter_next_room(lay, True, AMBUSH_SEED, 1, 2)
    assert after.track == [RAT, "collin", ROACH, "nez", "tilda", "filch"]
