"""Every word of constant abilities and conditions, each with a tiny card, on both engines."""

from __future__ import annotations

import operator

import pytest

from card_data.mindbug.vocabulary import (
    Comparison,
    Extreme,
    Keyword,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
)
from support.positions import ALICE, BOB, NEUTRAL, Position, board
from support.positions import Side as Zones
from support.purpose_made import Covered

covers = Covered()


def with_rule(line: str, **fields: object) -> dict:
    """A card ``probe`` with one constant ability."""
    return {"probe": {"constant": line, **fields}}


# Rules --------------------------------------------------------------------------------------------


@covers(Rule.POWER, Side.ANY, Side.ALLIED, Side.ENEMY)
@pytest.mark.parametrize(
    ("line", "powers"),
    [
        ("this has +2 power", (7, 10, 8)),
        ("allied creatures have +2 power", (7, 12, 8)),
        ("other allied creatures have +2 power", (5, 12, 8)),
        ("enemy creatures have -2 power", (5, 10, 6)),
        ("creatures have +1 power", (6, 11, 9)),
        ("other creatures have +1 power", (5, 11, 9)),
        ("enemy creatures have -99 power", (5, 10, 1)),
    ],
)
def test_power(new_table, line, powers):
    """R1, R85, R86: power is added to the creatures that are meant, and is never below 1."""
    table = new_table(board(["probe", "gorillion"], ["bee_bear"]), cards=with_rule(line))
    assert tuple(map(table.power, ("probe", "gorillion", "bee_bear"))) == powers


@covers(Rule.POWER)
def test_power_of_several_sources_adds_up(new_table):
    """R85, R86: all modifiers are added before the total is raised to 1."""
    cards = {
        "probe": {"constant": ["other creatures have -4 power", "this has +1 power"]},
        "lifter": {"power": 1, "constant": "other allied creatures have +2 power"},
    }
    table = new_table(board(["probe", "lifter", "turbo_bug"], ["probe", "spider_owl"]), cards=cards)
    assert table.power("alice probe") == 5 + 1 + 2 - 4
    assert table.power("lifter") == 1  # 1 - 4 - 4
    assert table.power("turbo_bug") == 1  # 4 - 4 - 4 + 2 = -2
    assert table.power("spider_owl") == 1


@covers(Rule.POWER)
def test_power_with_keywords(new_table):
    """R85: keywords given together with power go to the same creatures, in layer L3."""
    cards = with_rule("enemy creatures have +1 power and FRENZY and TOUGH")
    table = new_table(board(["probe"], ["bee_bear"]), cards=cards)
    assert table.power("bee_bear") == 9
    assert table.keywords("bee_bear") == ["FRENZY", "TOUGH"]
    assert table.keywords("probe") == []


@covers(Rule.KEYWORDS, *Keyword)
@pytest.mark.parametrize("keyword", [keyword.name for keyword in Keyword])
def test_keywords_are_given(new_table, keyword):
    """R85, L3: each keyword can be given, to whom the words say."""
    cards = with_rule(f"other allied creatures with power >= 8 have {keyword}")
    table = new_table(board(["probe", "gorillion", "turbo_bug"], ["bee_bear"]), cards=cards)
    assert table.keywords("gorillion") == [keyword]
    assert (
        table.keywords("probe") == table.keywords("turbo_bug") == table.keywords("bee_bear") == []
    )


@covers(Rule.KEYWORDS)
def test_given_keywords_work(new_table):
    """R68, R71, R74, R81: a creature with given keywords attacks and fights with them."""
    cards = with_rule("other allied creatures have FRENZY, HUNTER, POISONOUS, SNEAKY and TOUGH")
    table = new_table(board(["probe", "turbo_bug"], ["gorillion", "bee_bear"]), cards=cards)
    table.choose("attack turbo_bug")
    table.choose("hunt gorillion")  # HUNTER
    assert table.discard(BOB) == ["gorillion"]  # POISONOUS
    assert table.exhausted("turbo_bug")  # TOUGH
    table.choose("attack again")  # FRENZY
    table.choose("no_hunt")
    assert (table.over, table.life(BOB)) == (True, 0)  # SNEAKY: Bee Bear could not block


@covers(Rule.COPY_KEYWORDS)
def test_keywords_are_copied_from_enemies(new_table):
    """R89: each named keyword is had while some enemy creature has it; TOUGH is not named."""
    cards = with_rule("this copies HUNTER and SNEAKY from enemy creatures", power=3)
    table = new_table(
        board(["probe", "killer_bee"], ["tiger_squirrel", "shield_bugs"]), cards=cards
    )
    assert table.keywords("probe") == ["SNEAKY"]
    table.choose("attack killer_bee")
    table.choose("hunt tiger_squirrel")
    assert table.keywords("probe") == []


@covers(Rule.COPY_KEYWORDS)
def test_copied_keywords_can_be_copied(new_table):
    """R89: a copier gets what an enemy copier has copied, and what was given to it."""
    cards = {
        "probe": {"constant": "this copies FRENZY and POISONOUS from enemy creatures"},
        "giver": {"constant": "other allied creatures have POISONOUS"},
    }
    table = new_table(board(["probe", "luchataur"], ["probe", "giver"]), cards=cards)
    # Bob's probe copies FRENZY of Luchataur and has POISONOUS; Alice's copies both from it.
    assert table.keywords("bob probe") == ["FRENZY", "POISONOUS"]
    assert table.keywords("alice probe") == ["FRENZY", "POISONOUS"]
    assert table.keywords("luchataur") == ["FRENZY"]


@covers(Rule.CANNOT_ATTACK, Extreme.LOWEST)
@pytest.mark.parametrize(
    ("line", "able"),
    [
        ("this cannot attack", ["gorillion", "turbo_bug"]),
        ("allied creatures with power <= 5 cannot attack", ["gorillion"]),
        ("other creatures cannot attack", ["probe"]),
        ("creatures with the lowest power cannot attack", ["gorillion", "probe"]),
        ("enemy creatures cannot attack", ["gorillion", "probe", "turbo_bug"]),
    ],
)
def test_cannot_attack(new_table, line, able):
    """R60, R85, L5: creatures that cannot attack are no options of D1."""
    table = new_table(
        board(["probe", "gorillion", "turbo_bug"], ["bee_bear"]), cards=with_rule(line)
    )
    attacks = [option.split()[-1] for option in table.options() if option.startswith("attack")]
    assert attacks == able


@covers(Rule.CANNOT_ATTACK)
def test_cannot_attack_a_second_time(new_table):
    """R74: FRENZY gives no second attack to a creature that is now prevented from attacking."""
    cards = with_rule("while your hand < 3, enemy creatures cannot attack", power=1)
    cards["biter"] = {"keywords": ["FRENZY"], "attack": "the opponent discards a card"}
    table = new_table(board(["biter"], ["probe"]), cards=cards)
    table.choose("attack biter")
    table.choose("discard gorillion")
    table.choose("no_block")
    assert (table.point, table.active, table.life(BOB)) == ("D1", BOB, 2)


@covers(Rule.CANNOT_BLOCK, Extreme.HIGHEST)
@pytest.mark.parametrize(
    ("line", "able"),
    [
        ("enemy creatures with power >= 8 cannot block", ["turbo_bug"]),
        ("enemy creatures with the highest power cannot block", ["bee_bear", "turbo_bug"]),
        ("enemy creatures with FRENZY cannot block", ["bee_bear", "turbo_bug"]),
        ("allied creatures cannot block", ["bee_bear", "luchataur", "turbo_bug"]),
    ],
)
def test_cannot_block(new_table, line, able):
    """R68, R87: creatures that cannot block any attacker are no options of D4."""
    table = new_table(
        board(["probe", "gorillion"], ["bee_bear", "luchataur", "turbo_bug"]), cards=with_rule(line)
    )
    table.choose("attack gorillion")
    assert table.options() == [*(f"block bob {blocker}" for blocker in able), "no_block"]


@covers(Rule.CANNOT_BLOCK)
def test_cannot_block_on_the_side_of_the_blocker(new_table):
    """R68: a creature may forbid its own controller to block, and be hunted all the same (R67)."""
    table = new_table(
        board(["killer_bee"], ["probe", "turbo_bug"]), cards=with_rule("this cannot block", power=1)
    )
    table.choose("attack killer_bee")
    assert table.options() == ["hunt bob probe", "hunt bob turbo_bug", "no_hunt"]
    table.choose("no_hunt")
    assert table.options() == ["block bob turbo_bug", "no_block"]


@covers(Rule.CANNOT_BLOCK_THIS)
@pytest.mark.parametrize(
    ("attacker", "able"), [("probe", ["turbo_bug"]), ("gorillion", ["bee_bear", "turbo_bug"])]
)
def test_cannot_block_this(new_table, attacker, able):
    """R68: the restriction concerns attacks of its source alone."""
    cards = with_rule("creatures with power >= 6 cannot block this")
    table = new_table(board(["probe", "gorillion"], ["bee_bear", "turbo_bug"]), cards=cards)
    table.choose("attack", attacker)
    assert table.options() == [*(f"block bob {blocker}" for blocker in able), "no_block"]


@covers(Rule.NO_PLAY_EFFECTS)
@pytest.mark.parametrize(("side", "life"), [(ALICE, 4), (BOB, 3)])
def test_no_play_effects(new_table, side, life):
    """R90, C1: the opponent's Play effects do not trigger, also when played by an effect."""
    cards = with_rule("the opponent's play effects do not trigger")
    cards["gainer"] = {"play": "gain 1 life"}
    play: list[list[str]] = [[], []]
    play[side] = ["probe"]
    table = new_table(
        Position(
            Zones(play=play[ALICE], hand=["gainer", *NEUTRAL]),
            Zones(play=play[BOB], hand=list(NEUTRAL)),
        ),
        cards=cards,
    )
    table.choose("play gainer")
    assert table.life(ALICE) == life


@covers(Rule.NO_PLAY_EFFECTS)
def test_play_effects_are_stopped_by_keywords_of_this_moment(new_table):
    """R34, R84, R90: the new creature's grant makes the condition hold before it would trigger."""
    table = new_table(
        Position(Zones(hand=["giver", *NEUTRAL]), Zones(play=["probe"], hand=list(NEUTRAL))),
        cards={
            "giver": {"constant": "enemy creatures have HUNTER", "play": "gain 5 life"},
            "probe": {
                "constant": "while allied creatures with HUNTER >= 1, "
                "the opponent's play effects do not trigger"
            },
        },
    )
    table.choose("play giver")
    assert table.life(ALICE) == 3


# Timing -------------------------------------------------------------------------------------------


@covers(*Timing)
@pytest.mark.parametrize(
    ("timing", "on_own_turn", "on_other_turn"),
    [("", True, True), ("during your turn, ", True, False),
     ("during the opponent's turn, ", False, True)],
)  # fmt: skip
def test_timing(new_table, timing, on_own_turn, on_other_turn):
    """R21, C7: whose turn it is decides, for power and for keywords."""
    cards = with_rule(f"{timing}this has +2 power and SNEAKY")
    table = new_table(board(["probe"], []), cards=cards)
    for works in (on_own_turn, on_other_turn, on_own_turn):
        assert table.power("probe") == (7 if works else 5)
        assert table.keywords("probe") == (["SNEAKY"] if works else [])
        table.choose(table.options()[-1])  # a card from hand


# Conditions ---------------------------------------------------------------------------------------

#: What each number is in the position below.
NUMBERS = {
    "your life": 3,
    "the opponent's life": 6,
    "your Mindbugs": 1,
    "the opponent's Mindbugs": 0,
    "your hand": 5,
    "the opponent's hand": 7,
    "your draw pile": 2,
    "the opponent's draw pile": 4,
    "your energy": 2,
    "the opponent's energy": 4,
    "your discard pile": 8,
    "the opponent's discard pile": 1,
    "allied creatures": 3,
    "other allied creatures": 2,
    "enemy creatures": 4,
    "creatures": 7,
    "other creatures": 6,
    "4": 4,
}
#: The quantities in it.
NAMED = set(Quantity) - {Quantity.DISCARDED, Quantity.MY_TURN, Quantity.DEFEATED_BY_THIS}
COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


def counted_position(probe_in_play: bool) -> Position:
    """The position of NUMBERS; the probe is in play, or in a sixth card of the hand."""
    hand = ["gorillion"] * (5 if probe_in_play else 6)
    alice = Zones(play=["gorillion", "bee_bear"], hand=hand, discard=["brain_fly"] * 8, life=3)
    bob = Zones(play=["gorillion", "bee_bear", "tiger_squirrel", "shark_dog"], life=6)
    alice.draw, alice.mindbugs = ["spider_owl"] * 2, 1
    alice.energy, bob.energy = 2, 4
    bob.hand, bob.draw, bob.discard = ["spider_owl"] * 7, ["spider_owl"] * 4, ["brain_fly"]
    if probe_in_play:
        alice.play.append("probe")
    else:
        alice.hand[0] = "probe"
    return Position(alice, bob)


@covers(*NAMED, *Comparison, *Player)
@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("quantity", NUMBERS)
def test_conditions_of_constant_abilities(new_table, quantity, comparison):
    """R84: each quantity, compared in each way with a number just below, equal and above."""
    numbers = [n for n in (NUMBERS[quantity] + d for d in (-1, 0, 1)) if n >= 0]
    lines = [f"while {quantity} {comparison} {n}, this has +1 power" for n in numbers]
    table = new_table(counted_position(True), cards={"probe": {"constant": lines}})
    expected = sum(COMPARISONS[comparison](NUMBERS[quantity], number) for number in numbers)
    assert table.power("probe") == 5 + expected


@covers(*NAMED, *Comparison, *Player)
@pytest.mark.parametrize("comparison", COMPARISONS)
@pytest.mark.parametrize("quantity", NUMBERS)
def test_conditions_of_instructions(new_table, quantity, comparison):
    """R59: the same numbers, looked at when the effect resolves."""
    numbers = [n for n in (NUMBERS[quantity] + d for d in (-1, 0, 1)) if n >= 0]
    for number in numbers:
        line = f"if {quantity} {comparison} {number}, the opponent discards a card"
        table = new_table(counted_position(False), cards={"probe": {"play": line}})
        table.choose("play probe")
        holds = COMPARISONS[comparison](NUMBERS[quantity], number)
        assert table.point == ("D10" if holds else "D1")


JOINED = {
    "{} and {}": lambda a, b: a and b,
    "{} or {}": lambda a, b: a or b,
    "{} and {} and your life = your life": lambda a, b: a and b,
    "{} or {} or your life < your life": lambda a, b: a or b,
    "{0} and {0} and {1} and {0}": lambda a, b: a and b,
    "{1} or {0} or {1} or {1}": lambda a, b: a or b,
}
#: A condition that holds on the table of `counted_position`, and one that does not.
TRUE, FALSE = "the opponent's hand >= 1", "2 <= allied creatures with power >= 90"


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("form", JOINED)
def test_joined_conditions_of_constant_abilities(new_table, form, first, second):
    """R84: of conditions joined by "and" all have to hold, by "or" one."""
    words = [TRUE if holds else FALSE for holds in (first, second)]
    line = f"while {form.format(*words)}, this cannot attack"
    table = new_table(counted_position(True), cards={"probe": {"constant": line}})
    assert ("attack alice probe" not in table.options()) == JOINED[form](first, second)


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("form", JOINED)
def test_joined_conditions_of_instructions(new_table, form, first, second):
    """R59: the same, looked at when the effect resolves."""
    words = [TRUE if holds else FALSE for holds in (first, second)]
    line = f"if {form.format(*words)}, the opponent discards a card"
    table = new_table(counted_position(False), cards={"probe": {"play": line}})
    table.choose("play probe")
    assert (table.point == "D10") == JOINED[form](first, second)


def test_joined_conditions_of_power(new_table):
    """R84, R85: a power change with two conditions follows both, also that of whose turn it is."""
    lines = [
        "while it is your turn or your life = 9, this has +1 power",
        "while your life = 3 and your hand >= 1, this has +2 power",
        "while it is the opponent's turn or your hand = 0, this has +4 power",
    ]
    table = new_table(board(["probe"], []), cards={"probe": {"constant": lines}})
    assert table.power("probe") == 8
    table.choose("play gorillion")
    assert (table.active, table.power("probe")) == (BOB, 11)


@covers(Quantity.CREATURES)
@pytest.mark.parametrize(
    ("group", "number"),
    [
        ("creatures with power >= 8", 4),
        ("enemy creatures with power <= 4", 2),
        ("enemy creatures with HUNTER", 1),
        ("creatures with the highest power", 2),
        ("other allied creatures with power 5 to 9 and the lowest power", 1),
        ("allied creatures with TOUGH", 0),
    ],
)
def test_counted_creatures_are_filtered(new_table, group, number):
    """R87, R88: creatures are counted with current powers and keywords."""
    lines = [f"while {group} = {n}, this cannot attack" for n in (number,)]
    table = new_table(counted_position(True), cards={"probe": {"constant": lines}})
    assert "attack alice probe" not in table.options()
    lines = [f"while {group} < {number}, this cannot attack",
             f"while {group} > {number}, this cannot attack"]  # fmt: skip
    lines = lines[1:] if number == 0 else lines
    table = new_table(counted_position(True), cards={"probe": {"constant": lines}})
    assert "attack alice probe" in table.options()


@pytest.mark.parametrize(
    ("condition", "before", "after"),
    [
        ("the opponent's life = 2", 5, 6),
        ("your life = 4", 5, 6),
        ("your hand = 2", 5, 6),
        ("the opponent's hand = 2", 5, 6),
        ("the opponent's discard pile = 1", 5, 6),
        ("your Mindbugs = 0", 6, 6),
        ("allied creatures = 2", 5, 6),
    ],
)
def test_conditions_follow_every_change(new_table, condition, before, after):
    """R84: nothing is locked in; the power changes in the turn in which the number does."""
    cards = with_rule(f"while {condition}, this has +1 power")
    cards["mover"] = {
        "play": "gain 1 life, then the opponent loses 1 life, then the opponent discards a card"
    }
    table = new_table(
        Position(
            Zones(play=["probe"], hand=["mover", "gorillion", "luchataur"]),
            Zones(play=["bee_bear"], hand=list(NEUTRAL)),
        ),
        cards=cards,
    )
    assert table.power("probe") == before
    table.choose("play mover")
    table.choose("discard gorillion")
    assert table.power("probe") == after


def test_power_conditions_of_grants_follow_power(new_table):
    """R85: power first (L2), then the keywords that ask for it (L3), recalculated at once."""
    cards = {
        "probe": {
            "constant": [
                "while the opponent's life < 3, other allied creatures have +3 power",
                "allied creatures with power >= 7 have FRENZY",
            ]
        },
    }
    table = new_table(board(["probe", "turbo_bug", "killer_bee"], []), cards=cards)
    assert table.keywords("killer_bee") == ["HUNTER"]
    table.choose("attack killer_bee")
    # Bob has 2 life now: Killer Bee has 8 and FRENZY, in time for a second attack (R74).
    assert (table.point, table.power("killer_bee")) == ("D5", 8)
    assert table.keywords("turbo_bug") == ["FRENZY"]


def test_copies_follow_conditions(new_table):
    """R84, R89: what is copied goes when the enemy's condition no longer holds."""
    cards = {
        "probe": {"constant": "this copies FRENZY from enemy creatures"},
        "rager": {"constant": "while your life = 3, this has FRENZY", "power": 1},
    }
    table = new_table(board(["probe"], ["rager"]), cards=cards)
    assert table.keywords("probe") == ["FRENZY"]
    table.choose("attack probe")
    table.choose("no_block")
    assert table.keywords("probe") == []
    assert (table.point, table.active) == ("D1", BOB)


def test_abilities_follow_control(new_table):
    """R95: constant abilities work for the new controller as soon as control has changed."""
    cards = {
        "probe": {"constant": "other allied creatures have +2 power"},
        "taker": {"play": "take control of an enemy creature with power 5"},
    }
    table = new_table(
        Position(
            Zones(play=["turbo_bug"], hand=["taker", *NEUTRAL]),
            Zones(play=["probe", "bee_bear"], hand=list(NEUTRAL)),
        ),
        cards=cards,
    )
    assert (table.power("turbo_bug"), table.power("bee_bear")) == (4, 10)
    table.choose("play taker")
    assert (table.power("turbo_bug"), table.power("bee_bear")) == (6, 8)
    assert (table.power("taker"), table.power("probe")) == (7, 5)


def test_granted_toughness_protects_the_group_it_leaves(new_table):
    """R96: TOUGH given by a creature that leaves in the same event still protects the others."""
    cards = {
        "probe": {"power": 1, "constant": "other allied creatures have TOUGH"},
        "storm": {"play": "defeat all enemy creatures with power <= 4"},
    }
    table = new_table(
        Position(
            Zones(hand=["storm", *NEUTRAL]),
            Zones(play=["probe", "turbo_bug", "shark_dog exhausted"], hand=list(NEUTRAL)),
        ),
        cards=cards,
    )
    table.choose("play storm")
    assert table.discard(BOB) == ["probe", "shark_dog"]
    assert table.exhausted("turbo_bug")
    assert table.keywords("turbo_bug") == []


# Rules of the other sets --------------------------------------------------------------------------


@covers(Rule.CANNOT_BE_DEFEATED)
def test_cannot_be_defeated(new_table):
    """R97: neither moved nor exhausted, but a legal target."""
    cards = with_rule("other allied creatures with power <= 8 cannot be defeated")
    cards["storm"] = {"play": "defeat all enemy creatures"}
    bob = Zones(play=["probe", "shield_bugs", "gorillion"], hand=list(NEUTRAL))
    table = new_table(Position(Zones(hand=["storm", *NEUTRAL]), bob), cards=cards)
    table.choose("play storm")
    assert table.in_play(BOB) == ["shield_bugs"]
    assert not table.exhausted("shield_bugs")


@covers(Rule.EVOLVE_INSTEAD)
def test_evolve_instead(new_table):
    """R97, C43: before TOUGH; it was not defeated."""
    cards = {
        "child": {
            "keywords": ["TOUGH"],
            "evolves_to": "adult",
            "constant": "this evolves instead of being defeated",
            "defeated": "gain 5 life",
        },
        "adult": {"copies": 0},
    }
    table = new_table(board(["gorillion"], ["child"]), cards=cards)
    table.choose("attack gorillion")
    table.choose("block child")
    assert (table.in_play(BOB), table.life(BOB)) == (["adult"], 3)
    assert not table.exhausted("adult")


@covers(Rule.ONLY_BLOCK_THIS)
def test_only_block_this(new_table):
    """R67, C26: a limit on the defender's choice alone."""
    cards = with_rule("only creatures with power within 1 of this can block this", power=8)
    table = new_table(board(["probe"], ["bee_bear", "turbo_bug", "luchataur"]), cards=cards)
    table.choose("attack probe")
    assert table.options() == ["block bob bee_bear", "block bob luchataur", "no_block"]


@covers(Rule.CANNOT_HUNT)
def test_cannot_hunt(new_table):
    """R67, C37: the source may not hunt these creatures."""
    cards = with_rule("this cannot hunt creatures with power <= 4", keywords=["HUNTER"])
    table = new_table(board(["probe"], ["bee_bear", "turbo_bug"]), cards=cards)
    table.choose("attack probe")
    assert table.options() == ["hunt bob bee_bear", "no_hunt"]


@covers(Rule.MUST_HUNT_THIS)
def test_must_hunt_this(new_table):
    """R24, C20: the only turn action is to attack with such a creature, which hunts the source."""
    cards = with_rule("enemy creatures with power <= 5 must hunt this", power=3)
    table = new_table(
        board(["killer_bee", "shark_dog", "gorillion"], ["probe", "bee_bear"]), cards=cards
    )
    assert table.options() == ["attack alice killer_bee", "attack alice shark_dog"]
    table.choose("attack killer_bee")
    assert table.discard(BOB) == ["probe"]


@covers(Rule.REVERSE_FIGHT)
def test_reverse_fight(new_table):
    """C19: the higher power is defeated; equal powers defeat both."""
    cards = with_rule("the higher power loses fights with this", power=3)
    table = new_table(board(["gorillion", "tiger_squirrel"], ["probe"]), cards=cards)
    table.choose("attack gorillion")
    table.choose("block probe")
    assert (table.discard(ALICE), table.discard(BOB)) == (["gorillion"], [])


@covers(Rule.HAVE_ATTACK)
def test_have_attack(new_table):
    """C60, R63: the granted effect is the attacker's own, beside the printed one."""
    cards = with_rule("enemy creatures have attack: gain 1 life")
    cards["biter"] = {"attack": "gain 10 life"}
    table = new_table(board(["biter"], ["probe"]), cards=cards)
    table.choose("attack biter")
    assert (table.point, len(table.options())) == ("D11", 2)
    table.choose("resolve biter probe")
    assert (table.life(ALICE), table.life(BOB)) == (14, 3)


@covers(Rule.MORE_LIFE_LOSS)
def test_more_life_loss(new_table):
    """R91: every loss of the opponent is greater; several add up."""
    line = "the opponent loses 1 more life each time they lose life"
    cards = {"probe": {"constant": line}, "ghost": {"in_discard": line}}
    alice = Zones(play=["probe", "gorillion"], hand=list(NEUTRAL), discard=["ghost"])
    table = new_table(Position(alice, Zones(hand=list(NEUTRAL), life=7)), cards=cards)
    table.choose("attack gorillion")
    assert table.life(BOB) == 4


@covers(Rule.NO_LIFE_LOSS)
def test_no_life_loss(new_table):
    """C52: life is never reduced."""
    table = new_table(board(["gorillion"], ["probe"]), cards=with_rule("you cannot lose life"))
    table.choose("attack gorillion")
    table.choose("no_block")
    assert table.life(BOB) == 3


@covers(Rule.NO_CARDS_TO_HAND)
def test_no_cards_to_hand(new_table):
    """C44: no refill for the opponent of the source."""
    cards = with_rule("the opponent cannot put cards into their hand")
    alice = Zones(hand=["gorillion"] * 5, draw=["gorillion"] * 2)
    table = new_table(Position(alice, Zones(play=["probe"], hand=list(NEUTRAL))), cards=cards)
    table.choose("play gorillion")
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (4, 2)


KEEPS_AWAY = "the opponent cannot put cards into their hand"


def test_a_card_played_lets_the_opponent_draw(new_table):
    """R27, C44: Bob may draw as soon as Alice's hand is small, before he decides on a Mindbug."""
    cards = with_rule(f"while your hand >= 3, {KEEPS_AWAY}")
    alice = Zones(play=["probe"], hand=["gorillion"] * 3)
    bob = Zones(hand=["gorillion"], draw=["gorillion"] * 6, mindbugs=1)
    table = new_table(Position(alice, bob), cards=cards)
    assert table.hand_size(BOB) == 1
    table.choose("play gorillion")
    assert (table.point, table.hand_size(BOB)) == ("D2", 5)


def test_a_mindbug_used_lets_its_user_draw(new_table):
    """R27, R36, C44: before the reactions to the Mindbug that kept his hand empty."""
    cards = with_rule(
        f"while the opponent's Mindbugs >= 1, {KEEPS_AWAY}",
        mindbug_used="the opponent discards a card",
    )
    alice = Zones(play=["probe"], hand=["gorillion"] * 3)
    bob = Zones(draw=["gorillion"] * 6, mindbugs=1)
    table = new_table(Position(alice, bob), cards=cards)
    table.choose("play gorillion")
    table.choose("use")
    assert (table.point, table.decider, table.hand_size(BOB)) == ("D10", BOB, 5)


def test_a_given_card_lets_the_receiver_draw(new_table):
    """R27, C15, C44: the giver's smaller hand lets the receiver draw before he plays or keeps."""
    cards = with_rule("while your hand >= 3, " + KEEPS_AWAY)
    cards["beggar"] = {"play": "the opponent gives you a card, which you play or keep"}
    alice = Zones(hand=["beggar"], draw=["gorillion"] * 6)
    bob = Zones(play=["probe"], hand=["gorillion"] * 3)
    table = new_table(Position(alice, bob), cards=cards)
    table.choose("discard gorillion")
    assert (table.point, table.decider, table.hand_size(ALICE)) == ("D12", ALICE, 5)


@covers(Rule.CANNOT_PLAY)
def test_cannot_play(new_table):
    """C48: such cards are no options of D1."""
    cards = with_rule("the opponent cannot play cards with power <= 9 from their hand")
    table = new_table(board([], ["probe"]), cards=cards)
    assert table.active == BOB or table.options() == ["play alice gorillion"]


@covers(Rule.NO_MINDBUGS)
def test_no_mindbugs(new_table):
    """C46: no Mindbug window for either player."""
    alice, bob = Zones(hand=list(NEUTRAL), play=["probe"]), Zones(hand=list(NEUTRAL), mindbugs=2)
    table = new_table(Position(alice, bob), cards=with_rule("Mindbugs cannot be used"))
    table.choose("play gorillion")
    assert (table.point, table.active) == ("D1", BOB)


@covers(Rule.MORE_DICE, Rule.MORE_REROLLS)
@pytest.mark.parametrize("kot_parts", [False, True])
def test_more_dice_and_rerolls(new_table, kot_parts):
    """R113, R114, C38, C39: at most two dice; one reroll more for each such creature."""
    cards = with_rule("other allied creatures have 1 more die", dice=1)
    cards["tooth"] = {"constant": "you have 2 more rerolls"}
    position = board(["probe", "tooth"], [])
    position.kot_parts = kot_parts
    table = new_table(position, cards=cards)
    table.choose("attack tooth")
    if not kot_parts:
        assert table.point == "D1"
        return
    for _ in range(3):
        assert table.options() == ["keep", "reroll 0"]
        table.choose("reroll 0")
    assert table.point != "D16"


@covers(Quantity.MY_TURN)
def test_whose_turn_it_is(new_table):
    """R21, R59: of the active player."""
    line = "if it is your turn, gain 1 life, then if it is the opponent's turn, gain 5 life"
    cards = {"probe": {"defeated": line}}
    for attacker, life in (("probe", 4), ("gorillion", 8)):
        sides = (["probe"], ["gorillion"])
        position = board(*(sides if attacker == "probe" else sides[::-1]))
        table = new_table(position, cards=cards)
        table.choose("attack", attacker)
        table.choose("block", "gorillion" if attacker == "probe" else "probe")
        assert table.life(ALICE if attacker == "probe" else BOB) == life


@covers(Quantity.DEFEATED_BY_THIS)
def test_what_this_has_defeated(new_table):
    """C56: an enemy creature that was defeated in combat with this, in this turn."""
    cards = with_rule("while this defeated an enemy creature this turn, this has +3 power")
    cards["probe"] |= {"keywords": ["FRENZY"]}
    table = new_table(board(["probe"], ["turbo_bug"]), cards=cards)
    table.choose("attack probe")
    table.choose("block turbo_bug")
    assert (table.point, table.power("probe")) == ("D5", 8)
    table.choose("stop")
    assert table.power("probe") == 5


@covers(Quantity.DISCARDED)
def test_for_each_card_discarded(new_table):
    """R51, C30: as often as the instruction before has discarded cards."""
    line = "discard up to 2 cards, then the opponent loses 1 life for each card discarded"
    table = new_table(
        Position(Zones(hand=["probe", *NEUTRAL]), Zones(hand=list(NEUTRAL))),
        cards={"probe": {"play": line}},
    )
    table.choose("play probe")
    table.choose("target gorillion")
    table.choose("target luchataur")
    assert table.life(BOB) == 1


@pytest.mark.parametrize(
    ("group", "fit"),
    [
        ("creatures with no keyword", ["bee_bear", "gorillion", "probe"]),
        ("creatures with a boost", ["luchataur"]),
        ("creatures with less power than this", ["tiger_squirrel"]),
        ("creatures with the same power as another creature", ["gorillion", "luchataur"]),
        ("creatures with the same power as another enemy creature", ["gorillion"]),
        ("creatures with power within 3 of this", ["bee_bear", "probe", "tiger_squirrel"]),
    ],
)
def test_filters(new_table, group, fit):
    """R87, R105, C25, C26: each filter picks the creatures that it says, by current power."""
    table = new_table(
        board(["probe", "gorillion"], ["bee_bear", "tiger_squirrel", "luchataur boosts:turbo_bug"]),
        cards={"probe": {"action": f"defeat all {group}"}},
    )
    assert table.power("luchataur") == 10
    table.choose("activate probe")
    left = [*table.in_play(ALICE), *table.in_play(BOB)]
    everybody = {"probe", "gorillion", "bee_bear", "tiger_squirrel", "luchataur"}
    assert sorted(everybody - set(left)) == fit


def test_every_word_has_a_test():
    """Each rule, timing, quantity, comparison and keyword is the subject of a test above."""
    lists = (Rule, Timing, Quantity, Comparison, Keyword, Side, Player)
    assert covers.missing(*lists, [Extreme.HIGHEST, Extreme.LOWEST]) == []
