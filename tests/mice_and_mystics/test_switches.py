"""The switches and knobs of section 22, one by one, asked of every engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.mice_and_mystics.engines import SIDES
from support.mice_and_mystics.examples import Lay, changed, offered, words
from support.mice_and_mystics.sides import Setting
from support.mice_and_mystics.table import CHAPTER_1, PARTY, STAND_IN, MouseAt

RAT, ELITE = "rat_warrior", "elite_rat_warrior"


@pytest.mark.parametrize("rule", ["new_round", "continue_round"])
def test_s1_after_a_new_encounter(lay: Lay, rule: str) -> None:
    """S1: a new round begins, or the exploring mouse goes on with its turn."""
    table = lay(
        "5", {"collin": "C3"}, rest="D4", encounter_deck=("si_enc_01",), switches={"S1": rule}
    )
    table.act("collin")
    table.take("EXPLORE flip")
    assert table.round == (2 if rule == "new_round" else 1)
    if rule == "continue_round":
        assert table.decider == "collin"
        assert "SEARCH" not in table.labels
        assert "SWIM" in words(table)


@pytest.mark.parametrize(("rule", "kills"), [("at_once", 0), ("after_attack", 1)])
def test_s2_a_surge_by_a_set_trap(lay: Lay, rule: str, kills: int) -> None:
    """S2: the cheese of a rat in a set trap turns the last page after its defeat, or before."""
    nez = MouseAt("b2", cheese=6, abilities=("set_trap",))
    table = lay(
        "901",
        {"nez": nez},
        rest="d1",
        minions=[(RAT, "a2")],
        track=("nez", RAT, "collin", "tilda", "filch"),
        page=5,
        wheel=5,
        switches={"S2": rule},
    )
    table.act("nez")
    table.take("ABILITY set_trap")
    table.dice(2, 0, 3)
    table.take("END")
    assert table.outcome == "loss_page"
    assert table.count("kills_set_trap") == kills


@pytest.mark.parametrize(("rule", "hits"), [("ranged", 0), ("melee", 2)])
def test_s3_the_staff_next_door(lay: Lay, rule: str, hits: int) -> None:
    """S3: against an adjacent space the staff hits with bows or with swords."""
    mice = dict.fromkeys(("collin", "nez", "tilda", "maginos"), "d1") | {"maginos": "b1"}
    table = lay("901", mice, minions=[(RAT, "b2")], switches={"S3": rule})
    table.dice(0, 1, 2)
    table.act("maginos")
    table.take("BATTLE maginos_staff 0")
    assert table.count("mouse_hits") == hits


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


@pytest.mark.parametrize(("rule", "space"), [("die", "t12"), ("unlimited", "t13")])
def test_s5_how_far_an_elite_goes(lay: Lay, rule: str, space: str) -> None:
    """S5: it goes as far as its number, or as far as it takes to see a mouse (W53)."""
    table = lay("2", {}, rest="t18", minions=[(ELITE, "t10")], switches={"S5": rule})
    table.dice(0)
    table.act(ELITE)
    assert table.minions[0].space == space


@pytest.mark.parametrize("rule", ["no", "yes"])
def test_s6_disguises_and_elites(lay: Lay, rule: str) -> None:
    """S6: si_enc_06 on page 3 brings two rat warriors and two elites, who stay away or come."""
    table = lay(
        "5",
        {"collin": "C3"},
        rest="D4",
        page=3,
        encounter_deck=("si_enc_06",),
        party_cards=("disguises",),
        switches={"S6": rule},
    )
    table.act("collin")
    table.take("EXPLORE flip")
    table.take("DISGUISES")
    assert [minion.type for minion in table.minions] == ([] if rule == "yes" else [ELITE, ELITE])


@pytest.mark.parametrize("rule", ["no", "yes"])
def test_s6_disguises_against_elites_alone(lay: Lay, rule: str) -> None:
    """S6: against elites alone they are offered if they cover them."""
    table = lay(
        "5",
        {"collin": "C3"},
        rest="D4",
        encounter_deck=("si_enc_11",),
        party_cards=("disguises",),
        switches={"S6": rule},
    )
    table.act("collin")
    table.take("EXPLORE flip")
    assert (table.labels == ["PASS", "DISGUISES"]) == (rule == "yes")


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


@pytest.mark.parametrize("rule", ["yes", "no"])
def test_s10_all_captured(lay: Lay, rule: str) -> None:
    """S10: the capture of all mice loses the chapter, or they come back on any space."""
    captured = MouseAt(None, captured=True)
    mice = dict.fromkeys(PARTY[1:], captured) | {"collin": "N1"}
    table = lay("6", mice, switches={"S10": rule})
    table.act("collin")
    table.take("END")
    if rule == "yes":
        assert table.outcome == "loss_captured"
    else:
        assert table.decider == "nez"
        assert len(offered(table, "PLACE")) == 32


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


@pytest.mark.parametrize(("rule", "far"), [("from_next_turn", False), ("at_once", True)])
def test_s15_boots_put_on_before_moving(lay: Lay, rule: str, far: bool) -> None:
    """S15: with number 1 Nez has an allowance of 2, and of 3 once his new boots count (W2)."""
    nez = MouseAt("A5", pack=("si_boots",))
    table = lay("3", {"nez": nez}, rest="A1", switches={"S15": rule})
    table.dice(0)
    table.act("nez")
    table.take("EQUIP")
    table.take("PUT si_boots")
    table.take("STOP")
    assert ("K" in offered(table, "MOVE")) == far


@pytest.mark.parametrize(("rule", "targets"), [("shields", set()), ("ignored", {"1"})])
def test_s16_a_rat_next_door_that_is_not_seen(lay: Lay, rule: str, targets: set[str]) -> None:
    """S16: the rat on t13 keeps Lily on t12 from shooting the one on t16, or does not count."""
    mice = dict.fromkeys(("collin", "nez", "tilda", "lily"), "t12")
    rats = [(RAT, "t13"), (RAT, "t16")]
    table = lay("2", mice, minions=rats, switches={"S16": rule})
    table.act("lily")
    assert {label.split()[-1] for label in table.labels if "lilys_bow" in label} == targets


@pytest.mark.parametrize(("rule", "attacks"), [("shields", 0), ("ignored", 1)])
def test_s16_a_mouse_next_door_that_is_not_seen(lay: Lay, rule: str, attacks: int) -> None:
    """S16: Collin on t13 keeps an elite on t12 from shooting the others on t16, or not."""
    elite = [(ELITE, "t12")]
    table = lay("2", {"collin": "t13"}, rest="t16", minions=elite, switches={"S16": rule})
    table.act(ELITE)
    assert table.count(f"attacks_by_{ELITE}") == attacks


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


@pytest.mark.parametrize(("rule", "space"), [("open", "B3"), ("closed", "A2")])
def test_s18_towards_mice_on_the_tree(lay: Lay, rule: str, space: str) -> None:
    """S18: with A1 full of roaches a rat goes round it to the mice on T, or straight on."""
    minions = [(RAT, "B6"), *[("roach", "A1")] * 4]
    table = lay("1", {}, rest="T", minions=minions, switches={"S18": rule})
    table.dice(2)
    table.act(RAT)
    assert table.minions[0].space == space


@pytest.mark.parametrize(("rule", "picks"), [("each", 3), ("once", 2)])
def test_s19_two_alike_among_the_cards_drawn(lay: Lay, rule: str, picks: int) -> None:
    """S19: of boots, helmet and boots the boots can be picked twice, or once; all are drawn."""
    nez = MouseAt("b1", pack=("tinkerers_treasure",))
    deck = ("si_boots", "si_helmet", "si_boots")
    table = lay("901", {"nez": nez}, rest="b1", search_deck=deck, switches={"S19": rule})
    table.act("nez")
    table.take("USE tinkerers_treasure")
    assert table.labels == ["PICK si_boots", "PICK si_helmet", "PICK si_boots"][:picks]
    table.take("PICK si_boots")
    assert table.count("cards_drawn") == 3
    assert sorted(table.search_discard) == ["si_boots", "si_helmet", "tinkerers_treasure"]


@pytest.mark.parametrize(("rule", "kept"), [("yes", 0), ("no", 1)])
def test_s20_clearing_paws_for_a_bow(lay: Lay, rule: str, kept: int) -> None:
    """S20: a bow takes the place of dagger and shield, and of the dagger in the tail or not."""
    gear = ("dagger", "dagger", "button_shield")
    filch = MouseAt("b1", equipped=gear, pack=("si_bow",))
    table = lay("901", {"filch": filch}, rest="b1", switches={"S20": rule})
    table.act("filch")
    table.take("EQUIP")
    table.take("PUT si_bow all")
    assert table.mouse("filch").equipped == ("dagger",) * kept + ("si_bow",)
    assert table.mouse("filch").pack == ("button_shield",) + ("dagger",) * (2 - kept)


@pytest.mark.parametrize(("rule", "kept"), [("of_party", True), ("own", False)])
def test_s21_what_another_started_with(lay: Lay, rule: str, kept: bool) -> None:
    """S21: captured, Collin keeps his sword, and the dagger that Filch gave him or not."""
    collin = MouseAt("N1", equipped=("collins_sword", "dagger"))
    table = lay("6", {"collin": collin}, rest="A1", switches={"S21": rule})
    table.act("collin")
    table.take("END")
    assert table.mouse("collin").captured
    assert ("dagger" in table.mouse("collin").equipped) == kept
    assert "collins_sword" in table.mouse("collin").equipped


@pytest.mark.parametrize("rule", ["instead", "as_well"])
def test_s22_what_is_found_with_a_friend(lay: Lay, rule: str) -> None:
    """S22: a search finds Nez alone, or Nez and then a card as well."""
    mice = {"nez": MouseAt(None, missing=True)}
    rules = {"S22": rule}
    table = lay("901", mice, rest="b1", search_deck=("si_helmet",), switches=rules)
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    table.take("PLACE a1")
    assert not table.mouse("nez").missing
    assert (table.labels == ["KEEP", "DISCARD"]) == (rule == "as_well")
    assert table.count("search_success") == (rule == "as_well")


@pytest.mark.parametrize("rule", ["instead", "as_well"])
def test_s22_searching_again_for_a_friend(lay: Lay, rule: str) -> None:
    """S22: who has searched with success may look for a friend only where that is another find."""
    mice = {"collin": MouseAt("b1", searched=True), "nez": MouseAt(None, missing=True)}
    table = lay("901", mice, rest="b1", switches={"S22": rule})
    table.act("collin")
    assert ("SEARCH" in table.labels) == (rule == "instead")


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
    """W1 to W85 each stand in the docstring of a test."""
    cited: set[int] = set()
    for path in Path(__file__).parent.glob("test_examples_*.py"):
        docstrings = re.findall(r'"""(W\d+[^"]*)"""', path.read_text(encoding="utf-8"))
        cited |= {int(n) for text in docstrings for n in re.findall(r"\bW(\d+)", text)}
    assert cited >= set(range(1, 86))
