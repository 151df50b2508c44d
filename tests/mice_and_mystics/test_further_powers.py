"""Powers and rules that no entry of the base game has: webs, summoning, surges of a room."""

import attrs
import pytest

from card_data.mice_and_mystics.facts import Effect, Facts, Group, RoomRule
from support.mice_and_mystics.examples import Lay, changed, offered, words
from support.mice_and_mystics.table import STAND_IN, MouseAt, base_facts

RAT, ROACH, SPIDER = "rat_warrior", "roach", "spider"


def powers(minion: str, *effects: Effect, **fields: object) -> Facts:
    """The base game with one type of minion that has these powers."""
    return changed("minions", minion, abilities=effects, **fields)


WEAVER = powers(SPIDER, Effect("on_wound_status", (("status", "webbed"),)))


# Webbed


def test_a_web_holds_a_mouse(lay: Lay) -> None:
    """M109: a webbed mouse may neither move nor scurry; it fights and searches."""
    table = lay("901", {"collin": "b1"}, rest="d4", minions=[(SPIDER, "b2")], facts=WEAVER)
    table.dice(0, 1, 3, 3, 3)
    table.act(SPIDER)
    assert (table.mouse("collin").wounds, table.mouse("collin").poison) == (1, 0)
    assert table.mouse("collin").webbed
    assert table.decider == "collin"
    assert words(table) >= {"END", "BATTLE", "SEARCH", "RECOVER"}
    assert words(table).isdisjoint({"MOVE", "SCURRY"})
    assert table.labels.index("RECOVER") > table.labels.index("SEARCH")


@pytest.mark.parametrize(("face", "free"), [(1, True), (3, False)])
def test_recovering_from_a_web_takes_a_star(lay: Lay, face: int, free: bool) -> None:
    """M46: one die, a star takes the marker off; it is the action, and the move is still there."""
    table = lay("901", {"collin": MouseAt("b1", webbed=True)}, rest="d4")
    table.dice(0, face)
    table.act("collin")
    table.take("RECOVER")
    assert table.mouse("collin").webbed != free
    assert ("MOVE" in words(table)) == free
    assert words(table).isdisjoint({"SEARCH", "RECOVER"})
    assert table.count("recovers") == 1


def test_a_stun_goes_before_a_web(lay: Lay) -> None:
    """M46, M108: who is both may only recover, from the stun first, without a roll."""
    table = lay("901", {"collin": MouseAt("b1", webbed=True, stunned=True)}, rest="d4")
    table.dice(0)
    table.act("collin")
    assert words(table).isdisjoint({"MOVE", "SEARCH"})
    table.take("RECOVER")
    assert (table.mouse("collin").stunned, table.mouse("collin").webbed) == (False, True)


def test_capture_takes_a_web_off(lay: Lay) -> None:
    """M104: all markers are removed."""
    mice = {"collin": MouseAt("b1", wounds=2, webbed=True)}
    table = lay("901", mice, rest="d4", minions=[(SPIDER, "b2")], facts=WEAVER)
    table.dice(0, 1, 3, 3, 3)
    table.act(SPIDER)
    assert table.mouse("collin").captured
    assert not table.mouse("collin").webbed


def test_a_web_can_be_cured(lay: Lay) -> None:
    """Section 28: a status of a mouse in the space, poison first."""
    tilda = MouseAt("b1", cheese=3, abilities=("cure",), webbed=True, poison=1)
    table = lay("901", {"tilda": tilda}, rest="d4")
    table.act("tilda")
    assert [x for x in table.labels if "cure" in x] == [
        "ABILITY cure tilda poison",
        "ABILITY cure tilda webbed",
    ]
    table.take("ABILITY cure tilda webbed")
    assert not table.mouse("tilda").webbed


# Attack and defense


def test_a_victim_that_cannot_defend(lay: Lay) -> None:
    """Section 28: no defense roll at all, nor anything before it."""
    facts = powers(RAT, Effect("target_cannot_defend"))
    collin = MouseAt("b1", cheese=1, abilities=("dodge",), pack=("si_lucky",))
    table = lay("901", {"collin": collin}, rest="d4", minions=[(RAT, "b2")], facts=facts)
    table.dice(0, 1, 3)
    table.act(RAT)
    assert table.dice_left == 0
    assert table.mouse("collin").wounds == 1
    assert (table.count("minion_hits"), table.count("minion_hits_blocked")) == (1, 0)


@pytest.mark.parametrize(("powerful", "blocked"), [(False, 1), (True, 2)])
def test_a_shield_with_a_star_blocks_two(lay: Lay, powerful: bool, blocked: int) -> None:
    """Section 28: of three hits a sword-shield with a star blocks two, one without a star one."""
    effects = [Effect("star_shields_block_two")] if powerful else []
    facts = powers(RAT, *effects, life=3)
    for face, n in ((5, blocked), (2, 1)):
        table = lay("901", {"collin": "b1"}, rest="d4", minions=[(RAT, "b2")], facts=facts)
        table.dice(0, 1, 1, 1, face, 3)
        table.act("collin")
        table.take("BATTLE collins_sword 0")
        assert table.minions[0].wounds == 3 - n if n else not table.minions
        assert table.count("mouse_hits_blocked") == n


# Summoning


def test_minions_are_summoned_as_the_turn_begins(lay: Lay) -> None:
    """Section 28, M74, M22: two roaches come before the attack and act in the same round."""
    summon = Effect("summon", (("minion", ROACH), ("count", 2)))
    table = lay("901", dict.fromkeys(("collin",), "b1"), rest="b1", minions=[(SPIDER, "b2")],
                facts=powers(SPIDER, summon))  # fmt: skip
    table.dice(0, 3, 3)
    table.act(SPIDER)
    assert [minion.type for minion in table.minions] == [SPIDER, ROACH, ROACH]
    assert table.track[-1] == ROACH
    assert (table.count("placed_roach"), table.count("placed_by_surge_roach")) == (2, 0)
    assert table.count("attacks_by_roach") == 2 or table.round == 1


def test_who_is_summoned_on_its_own_card_waits(lay: Lay) -> None:
    """M22: rats that a rat summons do not act in that turn; each type of the card summons once."""
    summon = Effect("summon", (("minion", RAT), ("count", 1)))
    rats = [(RAT, "b2"), (RAT, "b2")]
    table = lay("901", {}, rest="b1", minions=rats, facts=powers(RAT, summon))
    table.dice(0, 3, 3, 0, 3, 3)
    table.act(RAT)
    assert table.dice_left == 0
    assert len(table.minions) == 3
    assert table.count(f"attacks_by_{RAT}") == 2


def test_a_slow_card_summons_nobody(lay: Lay) -> None:
    """P4: a card under Slow loses its turn, summoning too."""
    summon = Effect("summon", (("minion", ROACH), ("count", 2)))
    maginos = MouseAt("b1", pack=("slow_scroll",))
    track = ("maginos", SPIDER, "nez", "tilda", "filch")
    mice = dict.fromkeys(("nez", "tilda", "filch"), "b1") | {"maginos": maginos}
    table = lay("901", mice, minions=[(SPIDER, "d4")], track=track,
                facts=powers(SPIDER, summon))  # fmt: skip
    table.act("maginos")
    table.take("USE slow_scroll spider")
    table.take("END")
    assert [minion.type for minion in table.minions] == [SPIDER]


# A room's own surge


def room_surges(**groups: int) -> Facts:
    """The base game with a surge of its own in room 901."""
    facts = base_facts()
    listed = tuple(Group(type=kind, count=n) for kind, n in groups.items())
    rule = RoomRule(tile="901", op="surge_minions", minions=listed)
    chapters = tuple(
        attrs.evolve(one, room_rules=(*one.room_rules, rule)) if one.id == STAND_IN else one
        for one in facts.chapters
    )
    return attrs.evolve(facts, chapters=chapters)


@pytest.mark.parametrize("face_up", [None, "si_enc_02"])
def test_a_room_may_have_its_own_surge(lay: Lay, face_up: str | None) -> None:
    """M83: the chapter's rule comes instead of the face-up card, which stays; again each time."""
    table = lay("901", {"collin": "b1"}, rest="b1", minions=[(RAT, "b2"), (RAT, "b2")], wheel=1,
                face_up=face_up, knobs={"wheel_size": 2}, facts=room_surges(spider=1, roach=1)
                )  # fmt: skip
    table.dice(0, 0, 0, 0, 0, 0)
    table.act(RAT)
    assert table.count("surges") == 2
    assert table.face_up == face_up
    kinds = sorted(minion.type for minion in table.minions)
    assert kinds == [RAT, RAT, ROACH, ROACH, SPIDER]  # there is one spider (M6)
    assert (table.count("surges_with_minions"), table.count("minions_not_placed")) == (2, 1)
    assert {ROACH, SPIDER} <= set(table.track)


def test_other_rooms_surge_as_ever(lay: Lay) -> None:
    """M83: in another room the face-up card surges and is discarded."""
    table = lay("902", {"collin": "a1"}, rest="a1", minions=[(RAT, "a1")], wheel=5,
                face_up="si_enc_02", facts=room_surges(spider=1))  # fmt: skip
    table.dice(0, 0, 3)
    table.act(RAT)
    assert table.face_up is None
    assert [minion.type for minion in table.minions] == [RAT, ROACH, ROACH, ROACH]
    assert offered(table, "MOVE") or table.labels
