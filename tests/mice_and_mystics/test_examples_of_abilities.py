"""Worked examples W65 to W85: abilities, cards and chapter rules, asked of every engine."""

from dataclasses import replace

import pytest

from support.mice_and_mystics.examples import Lay, offered, words
from support.mice_and_mystics.table import PARTY, MinionAt, MouseAt

RAT, ROACH, SPIDER = "rat_warrior", "roach", "spider"
CAPTURED = MouseAt(None, captured=True)


def test_w65_battle_squeak_adds_a_die(lay: Lay) -> None:
    """W65: four dice instead of three for one cheese."""
    collin = MouseAt("b1", cheese=1, abilities=("battle_squeak",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2")])
    table.dice(0, 3, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.labels == ["PASS", "REACT battle_squeak"]
    table.take("REACT battle_squeak")
    assert table.dice_left == 0
    assert table.count("attack_dice_collin") == 4
    assert table.mouse("collin").cheese == 0
    assert table.count("cheese_ability_battle_squeak") == 1


@pytest.mark.parametrize("hits", [2, 0])
def test_w66_dodge_is_asked_for_after_a_hit(lay: Lay, hits: int) -> None:
    """W66: against two hits Filch may roll three dice; without a hit he is not asked."""
    filch = MouseAt("b1", cheese=1, abilities=("dodge",))
    table = lay("901", {"filch": filch}, rest="d4", minions=[(RAT, "b1")])
    table.dice(0, *([1, 1, 2, 2, 3] if hits else [3, 3]))
    table.act(RAT)
    if hits:
        assert (table.decider, table.labels) == ("filch", ["PASS", "REACT dodge"])
        table.take("REACT dodge")
    assert table.dice_left == 0
    assert table.mouse("filch").wounds == 0
    assert table.count("minion_hits_blocked") == hits


def test_w67_knife_strike(lay: Lay) -> None:
    """W67: two daggers are two attacks with two dice each, and two pilfered cheese."""
    filch = MouseAt("b1", cheese=2, abilities=("knife_strike",))
    minions = [(ROACH, "b2"), (ROACH, "c1"), (SPIDER, "d4")]
    table = lay("901", {"filch": filch}, rest="d1", minions=minions)
    table.dice(0, 1, 3, 1, 3)  # a dagger leaves roaches no defense (W24)
    table.act("filch")
    table.take("ABILITY knife_strike")
    assert table.labels == ["TARGET 0", "TARGET 1"]
    table.take("TARGET 1")
    assert table.dice_left == 0
    assert [minion.type for minion in table.minions] == [SPIDER]
    assert table.count("attack_dice_filch") == 4
    assert table.mouse("filch").cheese == 2
    assert table.count("cheese_in_pilfer") == table.count("cheese_out_ability") == 2


def test_w68_give_order(lay: Lay) -> None:
    """W68: three mice can fight or search for Collin; Nez rolls four dice next door."""
    collin = MouseAt("a1", cheese=2, abilities=("give_order",))
    mice = {"collin": collin, "nez": "b1"}
    table = lay("901", mice, rest="a1", minions=[(RAT, "b2")])
    table.act("collin")
    assert [label for label in table.labels if label.startswith("ABILITY")] == [
        "ABILITY give_order nez BATTLE nez_hammer 0",
        "ABILITY give_order nez SEARCH",
        "ABILITY give_order tilda BATTLE tildas_mace 0",
        "ABILITY give_order tilda SEARCH",
        "ABILITY give_order filch BATTLE dagger 0",
        "ABILITY give_order filch SEARCH",
    ]
    table.take("ABILITY give_order nez BATTLE nez_hammer 0")
    assert table.count("attack_dice_nez") == 4
    assert table.count("battles") == 1
    assert table.mouse("collin").cheese == 0
    assert table.decider == "collin"


def test_w69_a_trap_for_minions(lay: Lay) -> None:
    """W69: the rat that steps into Nez's trap defends against two hits and is Nez's kill."""
    nez = MouseAt("t20", cheese=2, abilities=("set_trap",))
    table = lay(
        "2",
        {"nez": nez},
        rest="t1",
        minions=[(RAT, "t22")],
        track=("nez", RAT, "tilda", "collin", "filch"),
    )
    table.act("nez")
    table.take("ABILITY set_trap")
    assert table.set_traps == ["t20"]
    table.dice(2, 2, 3)
    table.take("END")
    assert table.dice_left == 0
    assert table.minions == []
    assert table.set_traps == []
    assert table.count("kills_nez_rat_warrior") == table.count("kills_set_trap") == 1
    assert table.count("mouse_hits_blocked") == 1


def test_w70_disguises(lay: Lay) -> None:
    """W70: without its rat warriors si_enc_02 brings two roaches on page 3."""
    table = lay(
        "5",
        {"collin": "C3"},
        rest="D4",
        page=3,
        encounter_deck=("si_enc_02",),
        party_cards=("disguises",),
    )
    table.act("collin")
    table.take("EXPLORE flip")
    assert (table.decider, table.labels) == (None, ["PASS", "DISGUISES"])
    table.take("DISGUISES")
    assert [minion.type for minion in table.minions] == [ROACH, ROACH]
    assert sorted(table.track) == sorted([*PARTY, ROACH])
    assert table.party_cards == []


def test_w71_sharing(lay: Lay) -> None:
    """W71: cheese can be given and a trick taken; one SHARE in a turn."""
    collin = MouseAt("b1", cheese=1, equipped=())
    mice = {"collin": collin, "nez": MouseAt("b2", equipped=(), pack=("si_lucky",))}
    table = lay("901", mice, rest="d4")
    table.act("collin")
    assert offered(table, "SHARE") == {"nez"}
    table.take("SHARE nez")
    assert table.labels == ["STOP", "GIVE_CHEESE", "TAKE si_lucky"]
    table.take("TAKE si_lucky")
    assert table.labels == ["STOP", "GIVE_CHEESE", "GIVE si_lucky"]
    table.take("STOP")
    assert table.mouse("collin").pack == ("si_lucky",)
    assert "SHARE" not in words(table)
    assert (table.count("shares"), table.count("share_transfers")) == (1, 1)


def test_sharing_what_is_worn(lay: Lay) -> None:
    """D5, M100: equipped cards change hands too, into the pack while it has room."""
    collin = MouseAt("b1", pack=("button_shield", "si_boots", "si_lucky"))
    mice = {"collin": collin, "filch": MouseAt("b1")}
    table = lay("901", mice, rest="d4")
    table.act("collin")
    table.take("SHARE filch")
    assert table.labels == [
        "STOP",
        "GIVE collins_sword",
        "GIVE leather_breastplate",
        "GIVE button_shield",
        "GIVE si_boots",
        "GIVE si_lucky",
        "TAKE dagger",
        *(f"TAKE {card}" for card in table.mouse("filch").equipped if card != "dagger"),
    ]
    table.take("TAKE dagger")
    assert "TAKE dagger" not in table.labels  # a full pack takes tricks alone
    assert table.mouse("collin").pack == ("button_shield", "dagger", "si_boots", "si_lucky")
    assert table.mouse("filch").equipped.count("dagger") == 1
    table.take("GIVE collins_sword")
    assert table.mouse("collin").equipped == ("leather_breastplate",)
    assert table.mouse("filch").pack == ("collins_sword",)
    assert table.count("share_transfers") == 2


def test_of_two_alike_the_one_in_the_pack_is_shared(lay: Lay) -> None:
    """D5: a card that is worn and in the pack too is one entry, and the pack gives it."""
    nez = MouseAt("b1", equipped=("button_shield",), pack=("button_shield",))
    table = lay("901", {"collin": "b1", "nez": nez}, rest="d4")
    table.act("collin")
    table.take("SHARE nez")
    assert table.labels.count("TAKE button_shield") == 1
    table.take("TAKE button_shield")
    assert (table.mouse("nez").equipped, table.mouse("nez").pack) == (("button_shield",), ())


def test_equipping_over_the_limit_of_the_pack(lay: Lay) -> None:
    """D5: two cards come off for one of a full pack; one of the four is discarded at once."""
    gear, pack = ("collins_sword", "button_shield"), ("si_boots", "si_helmet", "toothpick")
    collin = MouseAt("b1", equipped=gear, pack=(*pack, "si_lucky"))
    table = lay("901", {"collin": collin}, rest="d4")
    table.act("collin")
    table.take("EQUIP")
    table.take("PUT toothpick all")
    drops = {"button_shield", "collins_sword", "si_boots", "si_helmet"}
    assert offered(table, "DROP") == drops
    assert len(table.labels) == 4
    table.take("DROP si_helmet")
    assert table.mouse("collin").equipped == ("toothpick",)
    assert table.mouse("collin").pack == ("button_shield", "collins_sword", "si_boots", "si_lucky")
    assert table.search_discard == ["si_helmet"]
    assert table.mouse("collin").cheese == 0
    assert table.count("cards_overflow") == 1
    assert "PUT si_boots" in table.labels


def test_equipping_never_discards_two(lay: Lay) -> None:
    """D5: three cards that come off for one of a full pack are too many."""
    filch = MouseAt("b1", pack=("si_bow", "si_boots", "si_helmet"))
    filch = replace(filch, equipped=("dagger", "dagger", "button_shield"))
    table = lay("901", {"filch": filch}, rest="d4")
    table.act("filch")
    table.take("EQUIP")
    assert not any("si_bow" in label for label in table.labels)


def test_w72_equipping_from_a_full_pack(lay: Lay) -> None:
    """W72: shield and armor can be put on, the wand is for mystics, nothing can be taken off."""
    collin = MouseAt("b1", pack=("button_shield", "nutshell_armor", "scorching_wand"))
    table = lay("901", {"collin": collin}, rest="d4")
    table.act("collin")
    table.take("EQUIP")
    assert table.labels == ["STOP", "PUT button_shield", "PUT nutshell_armor"]
    table.take("PUT nutshell_armor")
    assert table.mouse("collin").equipped == ("collins_sword", "nutshell_armor")
    assert "leather_breastplate" in table.mouse("collin").pack
    assert table.count("equipped_nutshell_armor") == 1


def test_w72_a_weapon_for_two_paws(lay: Lay) -> None:
    """W72: the Toothpick takes the sword's place."""
    table = lay("901", {"collin": MouseAt("b1", pack=("toothpick",))}, rest="d4")
    table.act("collin")
    table.take("EQUIP")
    assert table.labels == [
        "STOP",
        "PUT toothpick collins_sword",
        "TAKE_OFF collins_sword",
        "TAKE_OFF leather_breastplate",
    ]


def test_w72_all_paws_are_emptied_where_one_is_not_enough(lay: Lay) -> None:
    """D5: with sword and shield in the paws, the Toothpick takes the place of both."""
    gear = ("collins_sword", "button_shield")
    collin = MouseAt("b1", equipped=gear, pack=("toothpick",))
    table = lay("901", {"collin": collin}, rest="d4")
    table.act("collin")
    table.take("EQUIP")
    table.take("PUT toothpick all")
    assert table.mouse("collin").equipped == ("toothpick",)
    assert table.mouse("collin").pack == ("button_shield", "collins_sword")


def test_w72_filchs_tail_holds_a_dagger(lay: Lay) -> None:
    """W72: his two daggers use one paw, so the shield fits beside them."""
    table = lay("901", {"filch": MouseAt("b1", pack=("button_shield",))}, rest="d4")
    table.act("filch")
    table.take("EQUIP")
    assert "PUT button_shield" in table.labels


def test_w73_protect(lay: Lay) -> None:
    """W73: Nez becomes the victim for one cheese; both count as attacked by the rats."""
    nez = MouseAt("b1", cheese=1, abilities=("protect",))
    mice = {"collin": "b1", "nez": nez, "tilda": "b1", "filch": "d4"}
    table = lay("901", mice, minions=[(RAT, "b2"), (RAT, "b2")])
    table.dice(0, 1, 3)
    table.act(RAT)
    assert (table.decider, table.labels) == ("nez", ["PASS", "REACT protect"])
    table.dice(3, 0, 1, 3, 3)
    table.take("REACT protect")
    assert (table.mouse("collin").wounds, table.mouse("nez").wounds) == (0, 1)
    assert table.mouse("tilda").wounds == 1
    assert table.mouse("nez").cheese == 0


def test_w74_filch_in_the_way_of_the_win(lay: Lay) -> None:
    """W74: three mice in the tree are no win while Filch is elsewhere; his capture is."""
    filch = MouseAt("B2", wounds=2)
    table = lay("1", {"filch": filch}, rest="T", search_deck=("si_splinter",))
    table.act("tilda")
    table.dice(0, 1)
    table.take("END")
    assert table.decider == "filch"
    table.take("SEARCH")
    assert table.outcome == "win"
    assert table.count("captures_event") == 1


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


@pytest.mark.parametrize(("collin", "attacks"), [("A5", 0), ("K", 1)])
def test_w75_the_cheese_of_the_counter(lay: Lay, collin: str, attacks: int) -> None:
    """W75: alone on the counter a roach moves cheese to the wheel, with a mouse it attacks."""
    table = lay("3", {"collin": collin}, rest="D1", minions=[(ROACH, "K")], counter_cheese=6)
    table.dice(0, *[3] * 2 * attacks)
    table.act(ROACH)
    assert table.count("attacks_by_roach") == attacks
    assert (table.counter_cheese, table.wheel) == ((6, 0) if attacks else (5, 1))


def test_w76_a_preemptive_shot(lay: Lay) -> None:
    """W76: Lily shoots one of three roaches that a surge has just placed."""
    mice = dict.fromkeys(("collin", "nez", "tilda"), MouseAt("b1"))
    mice["lily"] = MouseAt("b1", cheese=1, abilities=("preemptive_shot",))
    table = lay("901", mice, wheel=5, face_up="si_enc_02", search_deck=("si_noise",))
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    assert table.decider == "lily"
    assert len(table.labels) == 4
    table.dice(3, 3, 4)
    table.take(table.labels[1])
    assert table.dice_left == 0
    assert len(table.minions) == 2
    assert table.count("kills_lily_roach") == 1


def test_w77_a_missing_mouse_is_found(lay: Lay) -> None:
    """W77: a successful search brings Nez back instead of a card, and is no success."""
    mice = {"nez": MouseAt(None, missing=True)}
    table = lay("901", mice, rest="b1", search_deck=("si_helmet",))
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    assert offered(table, "PLACE") == {"a1", "a2", "b1", "b2", "c1", "c2"}
    table.take("PLACE a1")
    assert (table.mouse("nez").space, table.mouse("nez").missing) == ("a1", False)
    assert table.decider == "collin"
    assert "END" in table.labels
    assert table.search_deck == ["si_helmet"]
    assert (table.count("search_tries"), table.count("search_success")) == (1, 0)
    while table.decider != "collin" or table.round == 1:
        table.take("END" if "END" in table.labels else table.labels[0])
    assert "SEARCH" in table.labels


def test_who_has_searched_looks_for_a_friend(lay: Lay) -> None:
    """M126: after a success a mouse may search while another is missing, not among minions."""
    mice = {"collin": MouseAt("b1", searched=True), "nez": MouseAt(None, missing=True)}
    for minions in ((), ((RAT, "d4"),)):
        table = lay("901", mice, rest="b1", minions=minions)
        table.act("collin")
        assert ("SEARCH" in table.labels) == (not minions)
    table = lay("901", mice | {"nez": "b1"}, rest="b1")
    table.act("collin")
    assert "SEARCH" not in table.labels


def test_w78_thundersqueak(lay: Lay) -> None:
    """W78: small minions in the space fall, others do not, and the rat's movement stands it up."""
    nez = MouseAt("b1", cheese=2, abilities=("thundersqueak",))
    minions = [(RAT, "b1"), (ROACH, "b1"), (SPIDER, "d4")]
    track = ("nez", RAT, "collin", "tilda", "filch", ROACH, SPIDER)
    table = lay("901", {"nez": nez}, rest="d1", minions=minions, track=track)
    table.act("nez")
    table.take("ABILITY thundersqueak")
    assert [minion.knocked_down for minion in table.minions] == [True, True, False]
    table.dice(2, 3, 3)
    table.take("END")
    assert [minion.knocked_down for minion in table.minions] == [False, True, False]


def test_w79_mystic_blast(lay: Lay) -> None:
    """W79: one roll of two hits, against which rat and roach defend separately."""
    mice = dict.fromkeys(("collin", "nez", "tilda"), MouseAt("d4"))
    mice["maginos"] = MouseAt("b1", cheese=2, abilities=("mystic_blast",))
    minions = [(RAT, "b3"), (ROACH, "b3"), (SPIDER, "a4")]
    table = lay("901", mice, minions=minions)
    table.act("maginos")
    assert offered(table, "ABILITY") == {"mystic_blast b3", "mystic_blast a4"}
    table.dice(3, 4, 1, 2, 1, 3)
    table.take("ABILITY mystic_blast b3")
    assert table.dice_left == 0
    assert [minion.type for minion in table.minions] == [SPIDER]
    assert table.count("attacks_maginos") == 1
    assert table.count("attack_dice_maginos") == 3


def test_w80_inspire(lay: Lay) -> None:
    """W80: for one cheese each mouse gets one more action until the round ends."""
    collin = MouseAt("b1", cheese=4, abilities=("inspire",))
    nez = MouseAt("b1", cheese=1)
    table = lay("901", {"collin": collin, "nez": nez}, rest="d4")
    table.act("collin")
    table.take("ABILITY inspire")
    assert "PAY_ACTION" not in table.labels
    table.dice(0)
    table.take("SEARCH")
    table.take("PAY_ACTION")
    table.dice(0)
    table.take("SEARCH")
    assert table.mouse("collin").cheese == 1
    assert "PAY_ACTION" not in table.labels
    table.take("END")
    table.dice(0)
    table.take("SEARCH")
    assert table.decider == "nez"
    assert "PAY_ACTION" in table.labels
    for _ in range(3):
        table.take("END")
    assert (table.decider, table.round) == ("collin", 2)
    table.dice(0)
    table.take("SEARCH")
    assert "PAY_ACTION" not in table.labels


def test_inspire_begins_a_turn(lay: Lay) -> None:
    """Timing start_of_own_turn: it is offered only before any other entry (section 25)."""
    collin = MouseAt("b1", cheese=2, abilities=("inspire",))
    table = lay("901", {"collin": collin}, rest="d4")
    table.act("collin")
    assert "ABILITY inspire" in table.labels
    table.take("MOVE a1")
    assert "ABILITY inspire" not in table.labels


def test_w81_an_invisible_mouse_stops_a_rat(lay: Lay) -> None:
    """W81: the rat stops at invisible Collin, has no victim, and later passes on to Nez."""
    collin = MouseAt("t19", cheese=4, abilities=("invisibility",))
    mice = {"collin": collin, "nez": "t21"}
    track = ("collin", "nez", RAT, "tilda", "filch")
    table = lay("2", mice, minions=[(RAT, "t18")], track=track)
    table.act("collin")
    table.take("ABILITY invisibility")
    table.take("END")
    table.dice(2)
    table.take("END")
    assert table.minions[0].space == "t19"
    assert table.count("attacks_by_rat_warrior") == 0
    assert (table.decider, table.round) == ("collin", 2)
    table.take("ABILITY invisibility")
    table.dice(2, 3, 3)
    table.take("END")
    assert table.minions[0].space == "t21"
    assert table.count("attacks_by_rat_warrior") == 1
    assert table.mouse("nez").wounds == 0
    assert table.decider == "nez"


def test_w82_the_toothpick_strikes_back(lay: Lay) -> None:
    """W82: in place of the cheese the rat takes a wound, and leaves."""
    collin = MouseAt("b1", equipped=("toothpick", "leather_breastplate"))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2"), (SPIDER, "d1")])
    table.dice(0, 1, 3, 0, 3)
    table.act(RAT)
    assert (table.decider, table.labels) == ("collin", ["PASS", "REACT toothpick"])
    table.take("REACT toothpick")
    assert (table.mouse("collin").wounds, table.mouse("collin").cheese) == (1, 0)
    assert [minion.type for minion in table.minions] == [SPIDER]
    assert table.count("kills_toothpick") == 1


def test_w83_lucky_squeak(lay: Lay) -> None:
    """W83: all dice are rolled again and the first cheese is not gained."""
    collin = MouseAt("b1", pack=("si_lucky",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2"), (SPIDER, "d1")])
    table.dice(0, 3, 3, 0)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.labels == ["PASS", "TRICK si_lucky"]
    table.dice(1, 1, 1, 3, 3)
    table.take("TRICK si_lucky")
    assert table.dice_left == 0
    assert table.mouse("collin").cheese == 0
    assert table.count("attack_dice_collin") == 6
    assert table.count("attacks_collin") == 1
    assert [minion.type for minion in table.minions] == [SPIDER]


def test_w84_backslash(lay: Lay) -> None:
    """W84: after one roach the next one falls too, for two cheese."""
    collin = MouseAt("b1", cheese=2, abilities=("backslash",))
    minions = [(ROACH, "b1"), (ROACH, "b2"), (SPIDER, "d4")]
    table = lay("901", {"collin": collin}, rest="d1", minions=minions)
    table.dice(0, 1, 3, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert table.labels == ["PASS", "REACT backslash collins_sword 1"]
    table.dice(3, 1, 3, 3)
    table.take("REACT backslash collins_sword 1")
    assert table.dice_left == 0
    assert [minion.type for minion in table.minions] == [SPIDER]
    assert table.mouse("collin").cheese == 0


def test_w85_abduction_of_the_acting_mouse(lay: Lay) -> None:
    """W85: Nez finds Abduction for Collin, who goes missing; his turn ends, no page is lost."""
    mice = {
        "collin": MouseAt("b1", cheese=2, abilities=("give_order",)),
        "nez": "b1",
        "tilda": CAPTURED,
        "filch": CAPTURED,
    }
    table = lay("901", mice, minions=[(SPIDER, "d4")], search_deck=("abduction",))
    table.dice(0, 1)
    table.act("collin")
    table.take("ABILITY give_order nez SEARCH")
    assert table.mouse("collin").missing
    assert table.decider == "nez"
    assert "collin" in table.track
    assert table.page == 1
    assert table.mouse("collin").cheese == 0


def test_two_meeps_add_up(lay: Lay) -> None:
    """Section 28: the loss of defense stays on the figure until the round ends."""
    mice = dict.fromkeys(("collin", "nez", "tilda"), MouseAt("b1"))
    mice["maginos"] = MouseAt("d4", cheese=2, abilities=("meeps",))
    minions = [MinionAt(SPIDER, "b2"), MinionAt(RAT, "d1")]
    table = lay("901", mice, minions=minions)
    table.dice(0, 1, 3, 3)
    table.act("collin")
    table.take("BATTLE collins_sword 0")
    assert (table.decider, table.labels) == ("maginos", ["PASS", "REACT meeps"])
    table.dice(3, 3)
    table.take("REACT meeps")
    assert table.dice_left == 0
    table.take("END")
    table.dice(1, 3, 3)
    table.take("BATTLE nez_hammer 0")
    table.dice(3)
    table.take("REACT meeps")
    assert table.count("mouse_hits") == 2
    assert table.dice_left == 0
