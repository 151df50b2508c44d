"""Worked examples W42 to W64: placement, track, minion movement, capture, search and rounds."""

import pytest

from card_data.mice_and_mystics.facts import Group
from support.mice_and_mystics.examples import Lay, changed, offered, words
from support.mice_and_mystics.table import PARTY, MinionAt, MouseAt, Table

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


# Placement


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


def test_w47_full_entry_spaces_spill_over(lay: Lay) -> None:
    """W47: two rats come next to entry spaces that are full."""
    roaches = [(ROACH, "a4")] * 4 + [(ROACH, "d4")] * 4
    table = lay("901", {}, rest="b1", minions=roaches, face_up="si_enc_01", **NOISE)
    surge_now(table)
    assert len(spaces(table, RAT)) == 2
    assert set(spaces(table, RAT)) <= {"a3", "b3", "b4", "c3", "c4", "d3"}


# Movement and targets


def test_w48_a_rat_comes_nearer(lay: Lay) -> None:
    """W48: with number 2 a rat three steps away ends next to the mice."""
    table = lay("901", {}, rest="b1", minions=[(RAT, "a4")])
    table.dice(1, 3, 3)
    table.act(RAT)
    assert table.distance(table.minions[0].space, "b1") == 1
    assert table.count("attacks_by_rat_warrior") == 1


@pytest.mark.parametrize("first", ["collin", "nez"])
def test_w49_the_higher_card_draws_the_rat(lay: Lay, first: str) -> None:
    """W49: at equal distance a rat goes toward the mouse higher on the track."""
    track = [first, *(name for name in PARTY if name != first), RAT]
    mice = {"collin": "c1", "nez": "c5"}
    table = lay("904", mice, minions=[(RAT, "c3")], track=tuple(track))
    table.dice(0, 3, 3)
    table.act(RAT)
    assert table.distance(table.minions[0].space, mice[first]) == 1


def test_w50_a_full_space_is_neared(lay: Lay) -> None:
    """W50: four mice fill b1; a rat with number 3 ends next to it."""
    table = lay("901", {}, rest="b1", minions=[(RAT, "d4")])
    table.dice(2, 3, 3)
    table.act(RAT)
    assert table.distance(table.minions[0].space, "b1") == 1


def test_w51_a_rat_with_a_mouse_stays(lay: Lay) -> None:
    """W51: in a mouse's space a rat does not move."""
    table = lay("901", {"filch": "c2"}, rest="b1", minions=[(RAT, "c2")])
    table.dice(2, 3, 3)
    table.act(RAT)
    assert table.minions[0].space == "c2"


def test_w52_a_card_spreads_its_attacks(lay: Lay) -> None:
    """W52: three rats attack Nez, Collin and Nez again, as the track says."""
    track = ("nez", "collin", "tilda", "filch", RAT)
    table = lay("3", {"collin": "K", "nez": "K"}, minions=[(RAT, "K")] * 3, track=track)
    hit, nez_defends, collin_defends = (0, 1, 3), (0,), (3, 3)
    table.dice(*hit, *nez_defends, *hit, *collin_defends, *hit, *nez_defends)
    table.act(RAT)
    assert table.dice_left == 0
    assert (table.mouse("nez").wounds, table.mouse("nez").cheese) == (2, 2)
    assert (table.mouse("collin").wounds, table.mouse("collin").cheese) == (1, 0)


@pytest.mark.parametrize(("face", "space"), [(2, "t13"), (0, "t12")])
def test_w53_an_elite_moves_until_it_sees_a_mouse(lay: Lay, face: int, space: str) -> None:
    """W53: from t10 it goes toward the mice on t18 until it sees them or has moved its number."""
    table = lay("2", {}, rest="t18", minions=[(ELITE, "t10")])
    table.dice(face)
    table.act(ELITE)
    assert table.minions[0].space == space
    assert table.count("attacks_by_elite_rat_warrior") == (space == "t13")


@pytest.mark.parametrize("space", ["t18", "t14"])
def test_w53_an_elite_with_a_mouse_in_sight_stays(lay: Lay, space: str) -> None:
    """W53: in a mouse's space or with a mouse in sight it stays and shoots."""
    table = lay("2", {"collin": "t18"}, rest="t18" if space == "t14" else "t1",
                minions=[(ELITE, space)])  # fmt: skip
    table.dice(2, 1, 1, 1)
    table.act(ELITE)
    assert table.minions[0].space == space
    assert table.count("attacks_by_elite_rat_warrior") == 1


# Capture and rescue


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


def test_w55_a_captured_mouse_waits_while_minions_are_there(lay: Lay) -> None:
    """W55: with a minion on the tile the turn of a captured mouse is skipped."""
    captured = MouseAt(None, captured=True)
    table = lay("901", {"collin": captured}, rest="d4", minions=[(RAT, "a1")])
    table.act("collin")
    assert table.decider == "nez"
    assert table.mouse("collin").captured
    assert table.count("turns_skipped_captured") == 1


def test_w55_a_captured_mouse_comes_back(lay: Lay) -> None:
    """W55: it returns in or next to the others' space, and that is its turn."""
    table = lay("901", {"collin": MouseAt(None, captured=True)}, rest="d4")
    table.act("collin")
    assert table.labels == ["PLACE c3", "PLACE c4", "PLACE d3", "PLACE d4"]
    table.take("PLACE c3")
    assert table.mouse("collin").space == "c3"
    assert not table.mouse("collin").captured
    assert table.decider == "nez"
    assert table.count("rescues") == 1


def test_w56_all_captured_loses(lay: Lay) -> None:
    """W56: four captures from page 1 lose by capture on page 5."""
    table = lay("6", {}, rest="N1")
    table.act("collin")
    for name in PARTY:
        assert table.decider == name
        table.take("END")
    assert table.outcome == "loss_captured"
    assert table.page == 5


def test_w56_the_page_is_checked_first(lay: Lay) -> None:
    """W56: from page 4 the second capture loses by page."""
    table = lay("6", {}, rest="N1", page=4)
    table.act("collin")
    table.take("END")
    table.take("END")
    assert table.outcome == "loss_page"


# Search


def test_w57_a_found_card_is_kept_or_sold(lay: Lay) -> None:
    """W57: a star finds the cap; discarding it gives a cheese; this mouse is done here."""
    collin = MouseAt("b1", pack=("si_second_wind",))
    table = lay("901", {"collin": collin}, rest="d4", search_deck=("si_helmet",))
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    assert table.labels == ["KEEP", "DISCARD"]
    table.take("DISCARD")
    assert table.mouse("collin").cheese == 1
    assert table.search_discard == ["si_helmet"]
    table.take("USE si_second_wind")
    assert "SCURRY" not in table.labels
    assert "SEARCH" not in table.labels


def test_w57_without_a_star_it_may_be_tried_again(lay: Lay) -> None:
    """W57: a search that failed can be tried again in the next turn."""
    table = lay("901", {"collin": "b1"}, search_deck=("si_helmet",), minions=[(SPIDER, "d4")])
    table.dice(0, 0)
    table.act("collin")
    table.take("SEARCH")
    assert "SEARCH" not in table.labels
    table.dice(0, 3, 3, 0)  # the spider comes nearer
    table.take("END")
    assert (table.decider, table.round) == ("collin", 2)
    assert "SEARCH" in table.labels
    assert table.search_deck == ["si_helmet"]


def test_w58_the_pack_holds_three(lay: Lay) -> None:
    """W58: with three cards and a trick, a fourth card means one of four is dropped for nothing."""
    pack = ("si_balm", "si_boots", "si_charm", "si_lucky")
    table = lay("901", {"collin": MouseAt("b1", pack=pack)}, rest="d4", search_deck=("si_helmet",))
    table.dice(0, 1)
    table.act("collin")
    table.take("SEARCH")
    table.take("KEEP")
    assert offered(table, "DROP") == {"si_balm", "si_boots", "si_charm", "si_helmet"}
    assert len(table.labels) == 4
    table.take("DROP si_boots")
    assert table.mouse("collin").pack == ("si_balm", "si_charm", "si_helmet", "si_lucky")
    assert table.mouse("collin").cheese == 0
    assert table.count("cards_overflow") == 1


def test_w59_levelling_up(lay: Lay) -> None:
    """W59: nine abilities fit Collin while Nez owns Battle Squeak; one per turn."""
    mice = {
        "collin": MouseAt("b1", cheese=12),
        "nez": MouseAt("d4", abilities=("battle_squeak",)),
    }
    table = lay("901", mice, rest="d4")
    table.act("collin")
    assert len(offered(table, "LEVEL_UP")) == 9
    assert "battle_squeak" not in offered(table, "LEVEL_UP")
    table.take("LEVEL_UP feint")
    assert "LEVEL_UP" not in words(table)
    assert table.mouse("collin").abilities == ("feint",)
    assert table.mouse("collin").cheese == 6


# Track and rounds


def test_w60_exploring_by_the_flip_space(lay: Lay) -> None:
    """W60: all mice land in the water, minions come by the page, and a new round begins."""
    table = lay("5", {"collin": "C3"}, rest="D4", page=3, encounter_deck=("si_enc_02",))
    table.act("collin")
    table.take("EXPLORE flip")
    assert table.tile == "6"
    assert {table.mouse(name).space for name in PARTY} == {"S3"}
    assert len(spaces(table, RAT)) == 3
    assert len(spaces(table, ROACH)) == 2
    assert table.face_up == "si_enc_02"
    assert sorted(table.track) == sorted([*PARTY, RAT, ROACH])
    assert table.round == 2
    assert table.count("explores") == table.count("encounters") == 1


def test_w61_rats_move_up_the_track(lay: Lay) -> None:
    """W61: after its turn the rats' card is above Nez, and Tilda acts next."""
    track = ("collin", "nez", RAT, "tilda", "filch")
    table = lay("901", {}, rest="b1", minions=[(RAT, "d4")], track=track)
    table.act(RAT)
    assert table.track == ["collin", RAT, "nez", "tilda", "filch"]
    assert table.decider == "tilda"


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


@pytest.mark.parametrize("minions", [[], [(RAT, "d4")]])
def test_w63_idle_turns_feed_the_wheel(lay: Lay, minions) -> None:
    """W63: after the turn of the lowest mouse, and only without minions."""
    track = ("nez", "tilda", "collin", "filch", *([RAT] if minions else []))
    table = lay("901", {}, rest="b1", minions=minions, track=track)
    table.act("collin")
    table.take("END")
    assert table.wheel == 0
    table.dice(0, 0, 3)  # Filch's movement, the rat's or the next mouse's, and the attack
    table.take("END")
    assert table.count("wheel_in_idle") == (0 if minions else 1)


def test_w64_back_to_an_explored_room(lay: Lay) -> None:
    """W64: from 6 to the explored 4 all mice come on n1 and the turn goes on."""
    table = lay("6", {"collin": "D3"}, rest="A1", explored=("4",), encounter_deck=("si_enc_02",))
    table.act("collin")
    table.take("EXPLORE S")
    assert {table.mouse(name).space for name in PARTY} == {"n1"}
    assert table.minions == []
    assert table.track == list(PARTY)
    assert (table.decider, table.round) == ("collin", 1)
    assert words(table).isdisjoint({"SEARCH", "EXPLORE"})
    assert table.count("returns_to_explored") == 1


def test_a_minion_that_lies_stands_up(lay: Lay) -> None:
    """M112: a knocked down rat spends its movement on standing up."""
    table = lay("901", {}, rest="b1", minions=[MinionAt(RAT, "d4", knocked_down=True)])
    table.dice(2)
    table.act(RAT)
    assert (table.minions[0].space, table.minions[0].knocked_down) == ("d4", False)


def test_an_event_is_resolved_before_it_is_discarded(lay: Lay) -> None:
    """M62: what a mouse loses by the wound of a splinter lies below the splinter."""
    tilda = MouseAt("b1", wounds=2, equipped=("tildas_mace", "si_boots"))
    table = lay("901", {"tilda": tilda}, rest="b1", search_deck=("si_splinter",))
    table.dice(0, 1)
    table.act("tilda")
    table.take("SEARCH")
    assert table.mouse("tilda").captured
    assert table.search_discard == ["si_boots", "si_splinter"]


def test_a_figure_that_comes_by_a_surge_does_not_act(lay: Lay) -> None:
    """M22: the cheese of a rat in a set trap brings roaches, none of which takes its turn."""
    nez = MouseAt("b2", cheese=6, abilities=("set_trap",))
    table = lay(
        "901",
        {"nez": nez, "collin": "a4", "tilda": "d4"},
        rest="d1",
        minions=[(RAT, "a2")],
        track=("nez", RAT, "collin", "tilda", "filch"),
        wheel=5,
        face_up="si_enc_02",
    )
    table.act("nez")
    table.take("ABILITY set_trap")
    table.dice(2, 0, 3)
    table.take("END")
    assert table.count("kills_set_trap") == 1
    assert [minion.type for minion in table.minions] == ["roach"] * 3
    assert table.count("attacks_by_roach") == 0
