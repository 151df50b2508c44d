"""Words in combinations that no shipped card has, on both engines: the smallest cases.

Cards made up at random (``test_lockstep.py``) found them.
"""

from __future__ import annotations

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, board
from support.positions import Side as Zones


def alice_plays(new_table, cards, alice=None, bob=None, **more):
    """A table on which Alice has just played the card ``probe``."""
    alice, bob = alice or Zones(), bob or Zones()
    alice.hand = ["probe", *(alice.hand or NEUTRAL)]
    bob.hand = bob.hand or list(NEUTRAL)
    table = new_table(Position(alice, bob, **more), cards=cards)
    table.choose("play probe")
    return table


def test_a_play_effect_that_changes_what_is_printed(new_table):
    """C45: "this becomes" may stand in any line; it lasts until the creature leaves play."""
    table = alice_plays(new_table, {"probe": {"play": "this becomes power 3 with SNEAKY"}})
    assert (table.power("probe"), table.keywords("probe")) == (3, ["SNEAKY"])


def test_what_a_later_stage_has_become_goes_back_to_stage_one(new_table):
    """R102, R107, C45: in the pile it is the stage I card, whatever it had become."""
    cards = {
        "child": {"evolves_to": "adult"},
        "adult": {
            "copies": 0,
            "keywords": ["TOUGH"],
            "exhausted": "this becomes power 2",
            "discarded": "gain 5 life",
        },
        "probe": {"play": "defeat all enemy creatures, then defeat all enemy creatures"},
    }
    table = alice_plays(new_table, cards, bob=Zones(play=["adult"]))
    assert (table.in_play(BOB), table.life(BOB)) == ([], 3)


def test_the_end_of_the_opponents_turn(new_table):
    """R22: "it is the opponent's turn" narrows an end-of-turn ability to the other turns."""
    cards = {"probe": {}, "owl": {"end_of_turn": "if it is the opponent's turn, gain 1 life"}}
    table = alice_plays(new_table, cards, bob=Zones(play=["owl"]))
    assert table.life(BOB) == 4


@pytest.mark.parametrize(
    ("condition", "life"),
    [
        ("it is your turn and your life = 3", 3),
        ("it is the opponent's turn and your life = 3", 4),
        ("it is your turn or your life = 3", 4),
    ],
)
def test_the_end_of_the_turn_with_another_condition(new_table, condition, life):
    """R22, C57: whose turn it is, and something else, on the turn of the other player."""
    cards = {"probe": {}, "owl": {"end_of_turn": f"if {condition}, gain 1 life"}}
    table = alice_plays(new_table, cards, bob=Zones(play=["owl"]))
    assert table.life(BOB) == life


def test_only_the_first_instruction_asks_whose_turn_it_is(new_table):
    """R43: the second instruction is performed at the end of every turn."""
    line = "if it is your turn, gain 5 life, then gain 1 life"
    cards = {"probe": {}, "owl": {"end_of_turn": line}}
    table = alice_plays(new_table, cards, bob=Zones(play=["owl"]))
    assert table.life(BOB) == 4


def test_evolving_instead_has_its_time(new_table):
    """R84, R97: on the opponent's turn it does not evolve instead."""
    cards = {
        "child": {
            "evolves_to": "adult",
            "constant": "during your turn, this evolves instead of being defeated",
        },
        "adult": {"copies": 0},
        "probe": {"play": "defeat all enemy creatures"},
    }
    table = alice_plays(new_table, cards, bob=Zones(play=["child"]))
    assert table.discard(BOB) == ["child"]


@pytest.mark.parametrize(
    ("whom", "offered"),
    [
        ("an enemy creature", ["bob bee_bear", "bob spider_owl"]),
        ("another allied creature", ["alice gorillion", "alice turbo_bug"]),
        ("creatures with power >= 8", ["alice gorillion", "bob bee_bear"]),
    ],
)
def test_boosts_for_some_creatures_only(new_table, whom, offered):
    """R103, R45: the boosted creature has to fit the description."""
    table = alice_plays(
        new_table,
        {"probe": {"play": f"boost up to 1 card to {whom}"}},
        Zones(play=["gorillion", "turbo_bug"], discard=["ferret_bomber"]),
        Zones(play=["bee_bear", "spider_owl"]),
    )
    table.choose("target ferret_bomber")
    assert table.options() == [f"target {creature}" for creature in offered]


def test_no_boost_without_a_creature_that_fits(new_table):
    """R123: without a creature that fits there is no decision."""
    cards = {"probe": {"play": "boost up to 1 card to an enemy creature"}}
    table = alice_plays(new_table, cards, Zones(discard=["ferret_bomber"]))
    assert (table.point, table.decider) == ("D1", BOB)


def test_a_mode_that_counts_nothing_is_not_offered(new_table):
    """D12, C34: "for each" of nothing can do nothing."""
    line = "choose one: the opponent loses 1 life for each enemy creature; or gain 1 life"
    table = alice_plays(new_table, {"probe": {"play": line}})
    assert (table.point, table.life(ALICE)) == ("D1", 4)


def test_only_cards_with_an_effect_cannot_be_played(new_table):
    """C48, C42: the filter on effects counts."""
    cards = {
        "probe": {"constant": "the opponent cannot play cards with a Play effect from their hand"},
        "singer": {"play": "gain 1 life"},
    }
    table = alice_plays(new_table, cards, bob=Zones(hand=["singer", *NEUTRAL]))
    assert "play bob gorillion" in table.options()
    assert "play bob singer" not in table.options()


def test_hands_are_refilled_when_they_may_be_again(new_table):
    """R27, C44: on Alice's turn nothing stops Bob's hand any more."""
    line = "during the opponent's turn, the opponent cannot put cards into their hand"
    cards = {"probe": {"constant": line}}
    table = alice_plays(new_table, cards, bob=Zones(hand=["gorillion"] * 5, draw=["gorillion"] * 3))
    table.choose("play gorillion")
    assert (table.active, table.hand_size(BOB)) == (ALICE, 5)


def test_conditions_after_a_copied_effect(new_table):
    """R43, R59: the instruction after a copied effect looks at its own condition."""
    line = "copy the play effect of another creature, then if your life = 9, gain 10 life"
    cards = {"probe": {"play": line}, "singer": {"play": "gain 1 life"}}
    table = alice_plays(new_table, cards, Zones(play=["singer"]))
    assert table.life(ALICE) == 4


def test_more_dice_for_a_chosen_creature(new_table):
    """R26, R113: a creature without symbols rolls as well."""
    table = alice_plays(
        new_table,
        {"probe": {"play": "an enemy creature has 1 more die this turn, "
                           "then an enemy creature must attack now"}},
        bob=Zones(play=["gorillion"]),
        kot_parts=True,
    )  # fmt: skip
    assert (table.point, table.decider) == ("D16", BOB)


def test_power_for_boosted_creatures_only(new_table):
    """R85, R105: a power change may ask for boosts."""
    cards = {"probe": {"constant": "allied creatures with a boost have +5 power"}}
    table = alice_plays(new_table, cards, Zones(play=["turbo_bug"]))
    assert (table.power("turbo_bug"), table.power("probe")) == (4, 5)


def test_power_for_each_mindbug_follows_mindbugs(new_table):
    """R84, R85: the power changes as soon as a Mindbug is spent."""
    cards = {
        "probe": {},
        "owl": {"constant": "allied creatures have -2 power for each of your Mindbugs"},
    }
    table = alice_plays(new_table, cards, bob=Zones(play=["owl", "bee_bear"], mindbugs=2))
    assert (table.point, table.power("bee_bear")) == ("D2", 4)
    table.choose("use")
    assert table.power("bee_bear") == 6


def test_others_this_turn_leave_out_the_source(new_table):
    """R1, R26: "other creatures" excludes the source for the whole turn."""
    line = "other creatures have +1 power this turn, then discard a card"
    table = alice_plays(new_table, {"probe": {"play": line}}, Zones(play=["turbo_bug"]))
    assert (table.power("turbo_bug"), table.power("probe")) == (5, 5)


def test_an_action_that_counts_what_was_discarded(new_table):
    """R99: with an empty hand nothing can be discarded, whatever was discarded before."""
    line = "discard up to 2 cards, then gain 1 life for each card discarded"
    table = new_table(
        Position(
            Zones(play=["probe"], hand=["thief"]),
            Zones(play=["jumper"], hand=["gorillion"] * 4),
        ),
        cards={
            "probe": {"action": line},
            "jumper": {"action": "gain 1 life"},
            "thief": {"play": "the opponent discards their hand"},
        },
    )
    table.choose("play thief")
    table.choose("activate jumper")
    assert table.options() == ["attack alice probe", "attack alice thief"]


@pytest.mark.parametrize(
    "line",
    [
        "the opponent gains 1 life for each enemy creature, if you do, gain 1 life",
        "draw all cards from your discard pile, if you do, gain 1 life",
    ],
)
def test_nothing_was_done(new_table, line):
    """R48: what changed nothing was not really carried out."""
    assert alice_plays(new_table, {"probe": {"play": line}}).life(ALICE) == 3


def test_any_of_several_defeats_counts(new_table):
    """R48, R51: something was defeated, although the last time there was nothing left."""
    line = "defeat another creature with power <= 4 for each other creature, if you do, gain 1 life"
    table = alice_plays(
        new_table, {"probe": {"play": line}}, bob=Zones(play=["turbo_bug", "gorillion"])
    )
    assert (table.in_play(BOB), table.life(ALICE)) == (["gorillion"], 4)


def test_two_cards_of_a_pile_are_played(new_table):
    """R41, R126: two cards are chosen (D7) and enter play together."""
    table = alice_plays(
        new_table,
        {"probe": {"play": "play 2 cards from your discard pile"}},
        Zones(discard=["gorillion", "bee_bear", "turbo_bug"]),
    )
    assert table.point == "D7"
    table.choose("target gorillion")
    table.choose("target bee_bear")
    assert table.in_play(ALICE) == ["bee_bear", "gorillion", "probe"]


def test_boosts_that_an_effect_has_put_there(new_table):
    """R103: the boost cards of a creature that was played in this game are known as its own."""
    cards = {
        "probe": {
            "play": "boost up to 1 card to this",
            "attack": "play any number of boosts of this without play effects",
        }
    }
    table = alice_plays(new_table, cards, Zones(discard=["turbo_bug"]))
    table.choose("target turbo_bug")
    table.choose("play gorillion")
    table.choose("attack probe")
    assert (table.point, table.options()) == ("D8", ["stop", "target alice turbo_bug"])


EVOLVES_INSTEAD = "this evolves instead of being defeated"
GIVES_TOUGH = "other allied creatures have TOUGH"


@pytest.mark.parametrize("at_stage", [1, 2])
def test_tough_is_looked_at_before_anything_evolves(new_table, at_stage):
    """R50, R96, R97: of creatures defeated together, keywords count as they were at that moment."""
    cards = {
        "child": {
            "evolves_to": "adult",
            "constant": [EVOLVES_INSTEAD, *([GIVES_TOUGH] if at_stage == 1 else [])],
        },
        "adult": {"copies": 0, **({"constant": GIVES_TOUGH} if at_stage == 2 else {})},
        "probe": {"play": "defeat all enemy creatures"},
    }
    table = alice_plays(new_table, cards, bob=Zones(play=["child", "bee_bear"]))
    saved = ["bee_bear"] if at_stage == 1 else []
    assert table.in_play(BOB) == ["adult", *saved]


NAMED = "defeat all allied creatures with the named keyword"


@pytest.mark.parametrize(
    ("between", "inner"),
    [
        ("defeat all enemy creatures with the named keyword", {}),
        ("copy the play effect of another creature", {"play": "gain 1 life"}),
        ("copy the play effect of another creature", {"play": "name a keyword"}),
        ("buy a power card for free", {}),
    ],
)
def test_a_named_keyword_is_remembered(new_table, between, inner):
    """C35: whatever another ability does in between, the effect looks at the keyword it named."""
    cards = {
        "slug": {"keywords": ["TOUGH"], "exhausted": "this becomes power 5 with HUNTER"},
        "owl": {"keywords": ["SNEAKY"]},
        "healer": inner,
        "bought": {"cost": 1, "bought": "gain 1 life"},
        "probe": {"play": f"name a keyword, then {between}, then {NAMED}"},
    }
    table = alice_plays(
        new_table,
        cards,
        alice=Zones(play=["owl", "healer"]),
        bob=Zones(play=["slug"]),
        kot_parts=True,
        power_deck=["bought"],
    )
    table.choose("keyword TOUGH")
    if inner.get("play") == "name a keyword":
        table.choose("keyword SNEAKY")
    assert table.in_play(ALICE) == ["healer", "owl", "probe"]


def test_every_line_about_blockers_holds(new_table):
    """R68: of two lines with "only", both must allow a blocker."""
    only = (
        "only creatures with power <= 4 can block this",
        "only creatures with SNEAKY can block this",
    )
    cards = {
        "probe": {"constant": list(only)},
        "small": {"power": 2},
        "sneak": {"power": 9, "keywords": ["SNEAKY"]},
        "both": {"power": 2, "keywords": ["SNEAKY"]},
    }
    table = new_table(board(["probe"], ["small", "sneak", "both"]), cards=cards)
    table.choose("attack probe")
    assert table.options() == ["block bob both", "no_block"]


@pytest.mark.parametrize("player", [ALICE, BOB])
def test_all_return_at_the_same_moment(new_table, player):
    """R50, R106: a boost that falls begins to work when all have left, whoever had it."""
    cards = {
        "jinx": {"in_discard": "the opponent cannot put cards into their hand"},
        "probe": {"play": "return all other creatures from play"},
    }
    sides = [["bee_bear boosts:jinx"], ["luchataur"]]
    if player == BOB:
        sides.reverse()
    table = alice_plays(new_table, cards, alice=Zones(play=sides[0]), bob=Zones(play=sides[1]))
    assert (table.in_play(ALICE), table.in_play(BOB)) == (["probe"], [])


@pytest.mark.parametrize("when", ["", "during the opponent's turn, "])
def test_must_hunt_in_which_turns(new_table, when):
    """C20: "must hunt this" binds in every attack; "during the opponent's turn" in theirs alone."""
    cards = {
        "lure": {"constant": f"{when}enemy creatures with HUNTER must hunt this"},
        "hunter": {"power": 9, "keywords": ["HUNTER"]},
        "probe": {"play": "an enemy creature must attack now"},
    }
    zones = Zones(play=["lure", "bee_bear"])
    table = alice_plays(new_table, cards, alice=zones, bob=Zones(play=["hunter"]))
    if when:
        assert table.point == "D3"
        assert table.options() == [
            *(f"hunt alice {card}" for card in ("bee_bear", "lure", "probe")),
            "no_hunt",
        ]
    else:
        assert table.discard(ALICE) == ["lure"]


def test_a_victory_counts_before_what_exhausting_does(new_table):
    """C45, C56, R73: the fight is over when the creature that it exhausted does something."""
    line = "if this defeated an enemy creature this turn, this becomes power 1"
    cards = {"slug": {"power": 6, "keywords": ["TOUGH"], "exhausted": line}, "owl": {"power": 6}}
    table = new_table(board(["slug"], ["owl"]), cards=cards)
    table.choose("attack slug")
    table.choose("block owl")
    assert (table.in_play(BOB), table.power("slug")) == ([], 1)
