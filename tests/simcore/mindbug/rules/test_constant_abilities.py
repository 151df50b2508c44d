"""Every word of constant abilities and conditions, each with a tiny card, on both engines."""

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
from support.told_examples import play_example, told_examples

covers = Covered()

EXAMPLES = """
# Rules
R85, R86: all modifiers are added before the total is raised to 1.
covers: Rule.POWER
  * {"probe": {"constant": ["other creatures have -4 power", "this has +1 power"]}}
  * {"lifter": {"power": 1, "constant": "other allied creatures have +2 power"}}
  alice play: probe, lifter, turbo_bug | bob play: probe, spider_owl
  = power alice probe: 4; power lifter: 1 (1 - 4 - 4); power turbo_bug: 1 (4 - 4 - 4 + 2
  = -2); power spider_owl: 1
R85: keywords given together with power go to the same creatures, in layer L3.
covers: Rule.POWER
  * {"probe": {"constant": "enemy creatures have +1 power and FRENZY and TOUGH"}}
  alice play: probe | bob play: bee_bear
  = power bee_bear: 9; keywords bee_bear: FRENZY, TOUGH; keywords probe: none
R68, R71, R74, R81: a creature with given keywords attacks and fights with them.
covers: Rule.KEYWORDS
  * {"probe": {"constant": "other allied creatures have FRENZY, HUNTER, POISONOUS, SNEAKY and
    TOUGH"}}
  alice play: probe, turbo_bug | bob play: gorillion, bee_bear
  > attack turbo_bug > hunt gorillion (HUNTER)
  = bob discard: gorillion (POISONOUS); exhausted turbo_bug: yes (TOUGH)
  > attack again (FRENZY) > no_hunt
  = over: alice, life; bob life: 0 (SNEAKY: Bee Bear could not block)
R89: each named keyword is had while some enemy creature has it; TOUGH is not named.
covers: Rule.COPY_KEYWORDS
  * {"probe": {"constant": "this copies HUNTER and SNEAKY from enemy creatures", "power": 3}}
  alice play: probe, killer_bee | bob play: tiger_squirrel, shield_bugs
  = keywords probe: SNEAKY
  > attack killer_bee > hunt tiger_squirrel = keywords probe: none
R89: a copier gets what an enemy copier has copied, and what was given to it.
covers: Rule.COPY_KEYWORDS
Bob's probe copies FRENZY of Luchataur and has POISONOUS; Alice's copies both from it.
  * {"probe": {"constant": "this copies FRENZY and POISONOUS from enemy creatures"}}
  * {"giver": {"constant": "other allied creatures have POISONOUS"}}
  alice play: probe, luchataur | bob play: probe, giver
  = keywords bob probe: FRENZY, POISONOUS; keywords alice probe: FRENZY, POISONOUS;
    keywords luchataur: FRENZY
R74: FRENZY gives no second attack to a creature that is now prevented from attacking.
covers: Rule.CANNOT_ATTACK
  * {"probe": {"constant": "while your hand < 3, enemy creatures cannot attack", "power": 1}}
  * {"biter": {"keywords": ["FRENZY"], "attack": "the opponent discards a card"}}
  alice play: biter | bob play: probe
  > attack biter > discard gorillion > no_block = D1; active: bob; bob life: 2
R68, R87: creatures that cannot block any attacker are no options of D4.
covers: Rule.CANNOT_BLOCK, Extreme.HIGHEST
  * {"probe": {"constant": "enemy creatures with power >= 8 cannot block"}}
  alice play: probe, gorillion | bob play: bee_bear, luchataur, turbo_bug
  > attack gorillion = offered: block bob turbo_bug, no_block
  & * {"probe": {"constant": "enemy creatures with the highest power cannot block"}}
  alice play: probe, gorillion | bob play: bee_bear, luchataur, turbo_bug
  > attack gorillion = offered: block bob bee_bear, block bob turbo_bug, no_block
  & * {"probe": {"constant": "enemy creatures with FRENZY cannot block"}}
  alice play: probe, gorillion | bob play: bee_bear, luchataur, turbo_bug
  > attack gorillion = offered: block bob bee_bear, block bob turbo_bug, no_block
  & * {"probe": {"constant": "allied creatures cannot block"}}
  alice play: probe, gorillion | bob play: bee_bear, luchataur, turbo_bug
  > attack gorillion
  = offered: block bob bee_bear, block bob luchataur, block bob turbo_bug, no_block
R68: a creature may forbid its own controller to block, and be hunted all the same (R67).
covers: Rule.CANNOT_BLOCK
  * {"probe": {"constant": "this cannot block", "power": 1}}
  alice play: killer_bee | bob play: probe, turbo_bug
  > attack killer_bee = offered: hunt bob probe, hunt bob turbo_bug, no_hunt
  > no_hunt = offered: block bob turbo_bug, no_block
R68: the restriction concerns attacks of its source alone.
covers: Rule.CANNOT_BLOCK_THIS
  * {"probe": {"constant": "creatures with power >= 6 cannot block this"}}
  alice play: probe, gorillion | bob play: bee_bear, turbo_bug
  > attack probe = offered: block bob turbo_bug, no_block
  & * {"probe": {"constant": "creatures with power >= 6 cannot block this"}}
  alice play: probe, gorillion | bob play: bee_bear, turbo_bug
  > attack gorillion = offered: block bob bee_bear, block bob turbo_bug, no_block
R90, C1: the opponent's Play effects do not trigger, also when played by an effect.
covers: Rule.NO_PLAY_EFFECTS
  * {"probe": {"constant": "the opponent's play effects do not trigger"}}
  * {"gainer": {"play": "gain 1 life"}}
  alice play: probe; hand: gainer, +
  > play gainer = alice life: 4
  & * {"probe": {"constant": "the opponent's play effects do not trigger"}}
  * {"gainer": {"play": "gain 1 life"}}
  alice hand: gainer, + | bob play: probe
  > play gainer = alice life: 3
R34, R84, R90: the new creature's grant makes the condition hold before it would trigger.
covers: Rule.NO_PLAY_EFFECTS
  * {"giver": {"constant": "enemy creatures have HUNTER", "play": "gain 5 life"}}
  * {"probe": {"constant": "while allied creatures with HUNTER >= 1, the opponent's play effects
    do not trigger"}}
  alice hand: giver, + | bob play: probe
  > play giver = alice life: 3
# Timing
R84, R85: a power change with two conditions follows both, also that of whose turn it is.
  * {"probe": {"constant": ["while it is your turn or your life = 9, this has +1 power", "while
    your life = 3 and your hand >= 1, this has +2 power", "while it is the opponent's turn or your
    hand = 0, this has +4 power"]}}
  alice play: probe
  = power probe: 8
  > play gorillion = active: bob; power probe: 11
R85: power first (L2), then the keywords that ask for it (L3), recalculated at once.
Bob has 2 life now: Killer Bee has 8 and FRENZY, in time for a second attack (R74).
  * {"probe": {"constant": ["while the opponent's life < 3, other allied creatures have +3 power",
    "allied creatures with power >= 7 have FRENZY"]}}
  alice play: probe, turbo_bug, killer_bee
  = keywords killer_bee: HUNTER
  > attack killer_bee = D5; power killer_bee: 8; keywords turbo_bug: FRENZY
R84, R89: what is copied goes when the enemy's condition no longer holds.
  * {"probe": {"constant": "this copies FRENZY from enemy creatures"}}
  * {"rager": {"constant": "while your life = 3, this has FRENZY", "power": 1}}
  alice play: probe | bob play: rager
  = keywords probe: FRENZY
  > attack probe > no_block = keywords probe: none; D1; active: bob
R95: constant abilities work for the new controller as soon as control has changed.
  * {"probe": {"constant": "other allied creatures have +2 power"}}
  * {"taker": {"play": "take control of an enemy creature with power 5"}}
  alice play: turbo_bug; hand: taker, + | bob play: probe, bee_bear
  = power turbo_bug: 4; power bee_bear: 10
  > play taker = power turbo_bug: 6; power bee_bear: 8; power taker: 7; power probe: 5
R96: TOUGH given by a creature that leaves in the same event still protects the others.
  * {"probe": {"power": 1, "constant": "other allied creatures have TOUGH"}}
  * {"storm": {"play": "defeat all enemy creatures with power <= 4"}}
  alice hand: storm, + | bob play: probe, turbo_bug, shark_dog exhausted
  > play storm = bob discard: probe, shark_dog; exhausted turbo_bug: yes; keywords turbo_bug: none
# Rules of the other sets
R97: neither moved nor exhausted, but a legal target.
covers: Rule.CANNOT_BE_DEFEATED
  * {"probe": {"constant": "other allied creatures with power <= 8 cannot be defeated"}}
  * {"storm": {"play": "defeat all enemy creatures"}}
  alice hand: storm, + | bob play: probe, shield_bugs, gorillion
  > play storm = bob play: shield_bugs; exhausted shield_bugs: no
R97, C43: before TOUGH; it was not defeated.
covers: Rule.EVOLVE_INSTEAD
  * {"child": {"keywords": ["TOUGH"], "evolves_to": "adult", "constant": "this evolves instead of
    being defeated", "defeated": "gain 5 life"}}
  * {"adult": {"copies": 0}}
  alice play: gorillion | bob play: child
  > attack gorillion > block child = bob play: adult; bob life: 3; exhausted adult: no
R67, C26: a limit on the defender's choice alone.
covers: Rule.ONLY_BLOCK_THIS
  * {"probe": {"constant": "only creatures with power within 1 of this can block this", "power":
    8}}
  alice play: probe | bob play: bee_bear, turbo_bug, luchataur
  > attack probe = offered: block bob bee_bear, block bob luchataur, no_block
R67, C37: the source may not hunt these creatures.
covers: Rule.CANNOT_HUNT
  * {"probe": {"constant": "this cannot hunt creatures with power <= 4", "keywords": ["HUNTER"]}}
  alice play: probe | bob play: bee_bear, turbo_bug
  > attack probe = offered: hunt bob bee_bear, no_hunt
R24, C20: the only turn action is to attack with such a creature, which hunts the source.
covers: Rule.MUST_HUNT_THIS
  * {"probe": {"constant": "enemy creatures with power <= 5 must hunt this", "power": 3}}
  alice play: killer_bee, shark_dog, gorillion | bob play: probe, bee_bear
  = offered: attack alice killer_bee, attack alice shark_dog
  > attack killer_bee = bob discard: probe
C19: the higher power is defeated; equal powers defeat both.
covers: Rule.REVERSE_FIGHT
  * {"probe": {"constant": "the higher power loses fights with this", "power": 3}}
  alice play: gorillion, tiger_squirrel | bob play: probe
  > attack gorillion > block probe = alice discard: gorillion; bob discard: none
C60, R63: the granted effect is the attacker's own, beside the printed one.
covers: Rule.HAVE_ATTACK
  * {"probe": {"constant": "enemy creatures have attack: gain 1 life"}}
  * {"biter": {"attack": "gain 10 life"}}
  alice play: biter | bob play: probe
  > attack biter = D11; offered: resolve alice biter attack, resolve alice biter attack bob probe
  > resolve biter probe = alice life: 14; bob life: 3
R91: every loss of the opponent is greater; several add up.
covers: Rule.MORE_LIFE_LOSS
  * {"probe": {"constant": "the opponent loses 1 more life each time they lose life"}}
  * {"ghost": {"in_discard": "the opponent loses 1 more life each time they lose life"}}
  alice play: probe, gorillion; discard: ghost | bob life: 7
  > attack gorillion = bob life: 4
C52: life is never reduced.
covers: Rule.NO_LIFE_LOSS
  * {"probe": {"constant": "you cannot lose life"}}
  alice play: gorillion | bob play: probe
  > attack gorillion > no_block = bob life: 3
C44: no refill for the opponent of the source.
covers: Rule.NO_CARDS_TO_HAND
  * {"probe": {"constant": "the opponent cannot put cards into their hand"}}
  alice hand: gorillion, gorillion, gorillion, gorillion, gorillion; draw: gorillion, gorillion
    | bob play: probe
  > play gorillion = alice holds: 4; alice pile: 2
R27, C44: Bob may draw as soon as Alice's hand is small, before he decides on a Mindbug.
  * {"probe": {"constant": "while your hand >= 3, the opponent cannot put cards into their hand"}}
  alice play: probe; hand: gorillion, gorillion, gorillion | bob hand: gorillion; draw: gorillion,
    gorillion, gorillion, gorillion, gorillion, gorillion; mindbugs: 1
  = bob holds: 1
  > play gorillion = D2; bob holds: 5
R27, R36, C44: before the reactions to the Mindbug that kept his hand empty.
  * {"probe": {"constant": "while the opponent's Mindbugs >= 1, the opponent cannot put cards into
    their hand", "mindbug_used": "the opponent discards a card"}}
  alice play: probe; hand: gorillion, gorillion, gorillion | bob hand: none; draw: gorillion,
    gorillion, gorillion, gorillion, gorillion, gorillion; mindbugs: 1
  > play gorillion > use = D10 bob; bob holds: 5
R27, C15, C44: the giver's smaller hand lets the receiver draw before he plays or keeps.
  * {"probe": {"constant": "while your hand >= 3, the opponent cannot put cards into their hand"}}
  * {"beggar": {"play": "the opponent gives you a card, which you play or keep"}}
  alice hand: beggar; draw: gorillion, gorillion, gorillion, gorillion, gorillion, gorillion
    | bob play: probe; hand: gorillion, gorillion, gorillion
  > discard gorillion = D12 alice; alice holds: 5
C48: such cards are no options of D1.
covers: Rule.CANNOT_PLAY
  * {"probe": {"constant": "the opponent cannot play cards with power <= 9 from their hand"}}
  bob play: probe
  = active: bob
C46: no Mindbug window for either player.
covers: Rule.NO_MINDBUGS
  * {"probe": {"constant": "Mindbugs cannot be used"}}
  alice play: probe | bob mindbugs: 2
  > play gorillion = D1; active: bob
R21, R59: of the active player.
covers: Quantity.MY_TURN
  * {"probe": {"defeated": "if it is your turn, gain 1 life, then if it is the opponent's turn,
    gain 5 life"}}
  alice play: probe | bob play: gorillion
  > attack probe > block gorillion = alice life: 4
  & * {"probe": {"defeated": "if it is your turn, gain 1 life, then if it is the opponent's turn,
    gain 5 life"}}
  alice play: gorillion | bob play: probe
  > attack gorillion > block probe = bob life: 8
C56: an enemy creature that was defeated in combat with this, in this turn.
covers: Quantity.DEFEATED_BY_THIS
  * {"probe": {"constant": "while this defeated an enemy creature this turn, this has +3 power",
    "keywords": ["FRENZY"]}}
  alice play: probe | bob play: turbo_bug
  > attack probe > block turbo_bug = D5; power probe: 8
  > stop = power probe: 5
R51, C30: as often as the instruction before has discarded cards.
covers: Quantity.DISCARDED
  * {"probe": {"play": "discard up to 2 cards, then the opponent loses 1 life for each card
    discarded"}}
  alice hand: probe, +
  > play probe > target gorillion > target luchataur = bob life: 1
"""


@told_examples(EXAMPLES, covers)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def with_rule(line: str, **fields: object) -> dict:
    """A card ``probe`` with one constant ability."""
    return {"probe": {"constant": line, **fields}}


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


KEEPS_AWAY = "the opponent cannot put cards into their hand"


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
