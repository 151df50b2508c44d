"""The switches and knobs of section 22, one by one, asked of every engine."""

import re
from pathlib import Path

import pytest

from support.mice_and_mystics.engines import SIDES
from support.mice_and_mystics.examples import Lay, changed
from support.mice_and_mystics.sides import Setting
from support.mice_and_mystics.table import CHAPTER_1, PARTY, STAND_IN, MouseAt
from support.mice_and_mystics.told_examples import play_example, told_examples

EXAMPLES = """
S1: a new round begins, or the exploring mouse goes on with its turn.
  5; collin C3; rest D4; encounter_deck=si_enc_01+; switches S1=new_round
  @ collin > EXPLORE flip = round: 2
  & 5; collin C3; rest D4; encounter_deck=si_enc_01+; switches S1=continue_round
  @ collin > EXPLORE flip
  = round: 1; decider: collin; label SEARCH: no; words: END, LEAVE_WATER, SWIM
S2: the cheese of a rat in a set trap turns the last page after its defeat, or before.
  901; nez b2 cheese=6 abilities=set_trap+; rest d1; minions rat_warrior a2;
    track=nez+rat_warrior+collin+tilda+filch+; page=5; wheel=5; switches S2=at_once
  @ nez > ABILITY set_trap ! 2 0 3 > END = outcome: loss_page; count kills_set_trap: 0
  & 901; nez b2 cheese=6 abilities=set_trap+; rest d1; minions rat_warrior a2;
    track=nez+rat_warrior+collin+tilda+filch+; page=5; wheel=5; switches S2=after_attack
  @ nez > ABILITY set_trap ! 2 0 3 > END = outcome: loss_page; count kills_set_trap: 1
S3: against an adjacent space the staff hits with bows or with swords.
  901; collin d1; nez d1; tilda d1; maginos b1; minions rat_warrior b2; switches S3=ranged
  ! 0 1 2 @ maginos > BATTLE maginos_staff 0 = count mouse_hits: 0
  & 901; collin d1; nez d1; tilda d1; maginos b1; minions rat_warrior b2; switches S3=melee
  ! 0 1 2 @ maginos > BATTLE maginos_staff 0 = count mouse_hits: 2
S5: it goes as far as its number, or as far as it takes to see a mouse (W53).
  2; rest t18; minions elite_rat_warrior t10; switches S5=die
  ! 0 @ elite_rat_warrior = minions: elite_rat_warrior t12
  & 2; rest t18; minions elite_rat_warrior t10; switches S5=unlimited
  ! 0 @ elite_rat_warrior = minions: elite_rat_warrior t13
S6: si_enc_06 on page 3 brings two rat warriors and two elites, who stay away or come.
  5; collin C3; rest D4; page=3; encounter_deck=si_enc_06+; party_cards=disguises+; switches S6=no
  @ collin > EXPLORE flip > DISGUISES = minions: elite_rat_warrior B1, elite_rat_warrior D1
  & 5; collin C3; rest D4; page=3; encounter_deck=si_enc_06+; party_cards=disguises+;
    switches S6=yes
  @ collin > EXPLORE flip > DISGUISES = minions: none
S6: against elites alone they are offered if they cover them.
  5; collin C3; rest D4; encounter_deck=si_enc_11+; party_cards=disguises+; switches S6=no
  @ collin > EXPLORE flip = labels: END, LEAVE_WATER C3, LEAVE_WATER C4, LEAVE_WATER C5, SWIM N2,
    SWIM S2, SWIM N3, SWIM N4, SEARCH
  & 5; collin C3; rest D4; encounter_deck=si_enc_11+; party_cards=disguises+; switches S6=yes
  @ collin > EXPLORE flip = labels: PASS, DISGUISES
S10: the capture of all mice loses the chapter, or they come back on any space.
  6; nez none captured=yes; tilda none captured=yes; filch none captured=yes; collin N1;
    switches S10=yes
  @ collin > END = outcome: loss_captured
  & 6; nez none captured=yes; tilda none captured=yes; filch none captured=yes; collin N1;
    switches S10=no
  @ collin > END = decider: nez; offers PLACE: A1, A2, A3, A4, A5, A6, B1, B2, B3, B4, B5, B6, C1,
    C2, C3, C4, C5, C6, D1, D2, D3, D4, D5, D6, N1, N2, N3, N4, S1, S2, S3, S4
S15: with number 1 Nez has an allowance of 2, and of 3 once his new boots count (W2).
  3; nez A5 pack=si_boots+; rest A1; switches S15=from_next_turn
  ! 0 @ nez > EQUIP > PUT si_boots > STOP
    = offers MOVE: A3, A4, A6, B3, B4, B5, B6, C3, C4, C5, C6
  & 3; nez A5 pack=si_boots+; rest A1; switches S15=at_once
  ! 0 @ nez > EQUIP > PUT si_boots > STOP
  = offers MOVE: A2, A3, A4, A6, B2, B3, B4, B5, B6, C2, C3, C4, C5, C6, D2, D3, D4, D5, D6, K
S16: Collin on t13 keeps an elite on t12 from shooting the others on t16, or not.
  2; collin t13; rest t16; minions elite_rat_warrior t12; switches S16=shields
  @ elite_rat_warrior = count attacks_by_elite_rat_warrior: 0
  & 2; collin t13; rest t16; minions elite_rat_warrior t12; switches S16=ignored
  @ elite_rat_warrior = count attacks_by_elite_rat_warrior: 1
S18: with A1 full of roaches a rat goes round it to the mice on T, or straight on.
  1; rest T; minions rat_warrior B6, roach A1, roach A1, roach A1, roach A1; switches S18=open
  ! 2 @ rat_warrior = minions: rat_warrior B3, roach A1, roach A1, roach A1, roach A1
  & 1; rest T; minions rat_warrior B6, roach A1, roach A1, roach A1, roach A1; switches S18=closed
  ! 2 @ rat_warrior = minions: rat_warrior A2, roach A1, roach A1, roach A1, roach A1
S19: of boots, helmet and boots the boots can be picked twice, or once; all are drawn.
  901; nez b1 pack=tinkerers_treasure+; rest b1; search_deck=si_boots+si_helmet+si_boots+;
    switches S19=each
  @ nez > USE tinkerers_treasure = labels: PICK si_boots, PICK si_helmet, PICK si_boots
  > PICK si_boots = count cards_drawn: 3; search_discard: tinkerers_treasure, si_helmet, si_boots
  & 901; nez b1 pack=tinkerers_treasure+; rest b1; search_deck=si_boots+si_helmet+si_boots+;
    switches S19=once
  @ nez > USE tinkerers_treasure = labels: PICK si_boots, PICK si_helmet
  > PICK si_boots = count cards_drawn: 3; search_discard: tinkerers_treasure, si_helmet, si_boots
S20: a bow takes the place of dagger and shield, and of the dagger in the tail or not.
  901; filch b1 equipped=dagger+dagger+button_shield+ pack=si_bow+; rest b1; switches S20=yes
  @ filch > EQUIP > PUT si_bow all
  = filch equipped: si_bow; filch pack: button_shield, dagger, dagger
  & 901; filch b1 equipped=dagger+dagger+button_shield+ pack=si_bow+; rest b1; switches S20=no
  @ filch > EQUIP > PUT si_bow all
  = filch equipped: dagger, si_bow; filch pack: button_shield, dagger
S21: captured, Collin keeps his sword, and the dagger that Filch gave him or not.
  6; collin N1 equipped=collins_sword+dagger+; rest A1; switches S21=of_party
  @ collin > END = collin captured: yes; collin equipped: collins_sword, dagger
  & 6; collin N1 equipped=collins_sword+dagger+; rest A1; switches S21=own
  @ collin > END = collin captured: yes; collin equipped: collins_sword
S22: a search finds Nez alone, or Nez and then a card as well.
  901; nez none missing=yes; rest b1; search_deck=si_helmet+; switches S22=instead
  ! 0 1 @ collin > SEARCH > PLACE a1 = nez missing: no; labels: END, MOVE a1, MOVE a2, MOVE a3,
    MOVE a4, MOVE b2, MOVE b3, MOVE b4, MOVE c1, MOVE c2, MOVE c3, MOVE c4, MOVE d1, MOVE d2,
    MOVE d3, MOVE d4, SHARE nez, SHARE tilda, SHARE filch, EQUIP; count search_success: 0
  & 901; nez none missing=yes; rest b1; search_deck=si_helmet+; switches S22=as_well
  ! 0 1 @ collin > SEARCH > PLACE a1
  = nez missing: no; labels: KEEP, DISCARD; count search_success: 1
S22: who has searched with success may look for a friend only where that is another find.
  901; collin b1 searched=yes; nez none missing=yes; rest b1; switches S22=instead
  @ collin = label SEARCH: yes
  & 901; collin b1 searched=yes; nez none missing=yes; rest b1; switches S22=as_well
  @ collin = label SEARCH: no
"""


@told_examples(EXAMPLES)
def test_worked_example(lay: Lay, body: str) -> None:
    """Each entry is offered, and what is seen is what the rules give."""
    play_example(body, lay)


RAT, ELITE = "rat_warrior", "elite_rat_warrior"


@pytest.mark.parametrize(("rule", "last"), [("index", {1}), ("random", {0, 1})])
def test_s4_who_acts_first(lay: Lay, rule: str, last: set[int]) -> None:
    """S4: of two rats equally near, the first moves one space and the second all the way."""
    seen = set()
    for seed in range(16):
        rats = [(RAT, "a3"), (RAT, "d2")]
        table = lay("901", {"collin": "b1"}, minions=rats, switches={"S4": rule}, seed=seed)
        table.dice(0, 3, 3, 2, 3, 3)
        table.act(RAT)
        seen |= {minion.number for minion in table.minions if minion.space == "b1"}
    assert seen == last


@pytest.mark.parametrize(("rule", "dice"), [("max(move,lore)", 3), ("lore", 2)])
def test_s9_dice_of_a_tinkerer_against_traps(lay: Lay, rule: str, dice: int) -> None:
    """S9: with move 3 and lore 2 Nez rolls three dice against a trap, or two."""
    facts = changed("heroes", "nez", move=3)
    rules = {"S9": rule}
    table = lay("902", {"nez": "a3"}, rest="a1", mousetraps=("a4",), switches=rules, facts=facts)
    table.dice(0, *[0] * dice)
    table.act("nez")
    table.take("MOVE a4")
    assert table.dice_left == 0
    assert table.mousetraps == []
    assert table.count("traps_sprung") == 1


@pytest.mark.parametrize(("rule", "again"), [("side", True), ("physical_tile", False)])
def test_s11_what_is_searched_once(lay: Lay, rule: str, again: bool) -> None:
    """S11: the other side of a tile can be searched too, or not."""
    collin = MouseAt("C3", searched=True, pack=("si_second_wind",))
    table = lay("5", {"collin": collin}, rest="D4", explored=("6",), switches={"S11": rule})
    table.act("collin")
    assert "SEARCH" not in table.labels
    table.take("EXPLORE flip")
    table.take("LEAVE_WATER C3")
    while table.decider != "collin" or table.round == 1:
        table.take("END" if "END" in table.labels else table.labels[0])
    assert ("SEARCH" in table.labels) == again


@pytest.mark.parametrize("engine", sorted(SIDES))
@pytest.mark.parametrize(("rule", "cards"), [("in_search_deck", 65), ("removed", 63)])
def test_s13_gear_of_who_stays_at_home(engine: str, rule: str, cards: int) -> None:
    """S13: the search deck has the gear of Lily and Maginos, or not."""
    side = SIDES[engine](Setting(CHAPTER_1, PARTY, "U", switches={"S13": rule}))
    assert len(side.search_deck) == cards
    assert ("lilys_bow" in side.search_deck) == (rule == "in_search_deck")


@pytest.mark.parametrize("engine", sorted(SIDES))
@pytest.mark.parametrize("rule", ["without_difficult", "all"])
def test_s14_difficult_encounters(engine: str, rule: str) -> None:
    """S14: difficult cards lie in the encounter deck, or not."""
    first = set()
    for game in range(60):
        setting = Setting(CHAPTER_1, PARTY, "U", game=game, switches={"S14": rule})
        side = SIDES[engine](setting)
        first |= {n for n in range(1, 19) if side.count(f"first_si_enc_{n:02}")}
    assert (max(first) > 12) == (rule == "all")


@pytest.mark.parametrize(("rule", "targets"), [("shields", set()), ("ignored", {"1"})])
def test_s16_a_rat_next_door_that_is_not_seen(lay: Lay, rule: str, targets: set[str]) -> None:
    """S16: the rat on t13 keeps Lily on t12 from shooting the one on t16, or does not count."""
    mice = dict.fromkeys(("collin", "nez", "tilda", "lily"), "t12")
    rats = [(RAT, "t13"), (RAT, "t16")]
    table = lay("2", mice, minions=rats, switches={"S16": rule})
    table.act("lily")
    assert {label.split()[-1] for label in table.labels if "lilys_bow" in label} == targets


@pytest.mark.parametrize(("rule", "apart"), [("each", True), ("together", False)])
def test_s17_elites_at_equal_distance(lay: Lay, rule: str, apart: bool) -> None:
    """S17: two elites come to 904 on a5 or e5 (W45), each by itself or both to one of them."""
    seen = set()
    for seed in range(16):
        table = lay(
            "903",
            {"collin": "b4"},
            rest="c4",
            switches={"S17": rule},
            seed=seed,
        )
        table.act("collin")
        table.take("EXPLORE E")
        while table.labels[0].startswith("PLACE"):
            table.take("PLACE c1" if "PLACE c1" in table.labels else table.labels[0])
        seen.add(tuple(sorted(m.space for m in table.minions if m.type == ELITE)))
    assert {("a5", "a5"), ("e5", "e5")} <= seen
    assert (("a5", "e5") in seen) == apart


@pytest.mark.parametrize("engine", sorted(SIDES))
def test_knobs(engine: str) -> None:
    """Section 22: end page, wheel, cheese at the start, life and attack dice of minions."""
    knobs = {"page_end": 9, "wheel_size": 3, "start_cheese": 2, "life": 1, "minion_dice": 2}
    side = SIDES[engine](Setting(STAND_IN, PARTY, "U", knobs=knobs))
    assert [side.mouse(hero).cheese for hero in PARTY] == [2, 2, 2, 2]
    while side.labels:
        assert side.wheel < 3 or "PASS" in side.labels
        assert all(side.mouse(h).wounds + side.mouse(h).poison < 5 for h in PARTY)
        side.choose(side.pick())
    record = side.record()
    assert record["outcome"] != "loss_page" or record["page_final"] == 9
    assert record["cheese_in_start"] == 8
    assert record["dice_by_rat_warrior"] == 4 * record["attacks_by_rat_warrior"] > 0


def test_every_worked_example_is_cited() -> None:
    """W1 to W85 each stand in the title of an example or the docstring of a test."""
    cited: set[int] = set()
    for path in Path(__file__).parent.glob("test_examples_*.py"):
        told = re.findall(r'^(?: *""")?(W\d+.*)', path.read_text(encoding="utf-8"), re.MULTILINE)
        cited |= {int(n) for text in told for n in re.findall(r"\bW(\d+)", text)}
    assert cited >= set(range(1, 86))
