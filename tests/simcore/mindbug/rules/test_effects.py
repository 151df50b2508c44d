"""Every word of triggered abilities, each with a tiny card made for it, on both engines."""

from __future__ import annotations

import pytest

from card_data.mindbug.vocabulary import Choice, Effect, Extreme, Player, Side, Trigger, Zone
from support.positions import ALICE, BOB, NEUTRAL, Position, board
from support.positions import Side as Zones
from support.purpose_made import Covered

covers = Covered()


def playing(line: str, alice: Zones | None = None, bob: Zones | None = None) -> dict:
    """Arguments of ``new_table``: Alice is about to play a card with a Play effect."""
    alice, bob = alice or Zones(), bob or Zones()
    alice.hand = ["probe", *(alice.hand or NEUTRAL)]
    bob.hand = bob.hand or list(NEUTRAL)
    return {"position": Position(alice, bob), "cards": {"probe": {"play": line}}}


# Triggers -----------------------------------------------------------------------------------------


@covers(Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED)
def test_each_trigger_triggers_once_at_its_time(new_table):
    """R52: Play when it comes into play, Attack when it attacks, Defeated when it is defeated."""
    cards = {
        "probe": {
            "power": 3,
            "play": "gain 1 life",
            "attack": "gain 10 life",
            "defeated": "the opponent gains 1 life",
        }
    }
    table = new_table(
        Position(Zones(hand=["probe", *NEUTRAL]), Zones(play=["gorillion"], hand=list(NEUTRAL))),
        cards=cards,
    )
    table.choose("play probe")
    assert (table.life(ALICE), table.life(BOB)) == (4, 3)
    table.choose("play gorillion")
    table.choose("attack probe")
    assert (table.life(ALICE), table.life(BOB)) == (14, 3)
    table.choose("block bob gorillion")
    assert (table.life(ALICE), table.life(BOB)) == (14, 4)
    assert table.discard(ALICE) == ["probe"]


@covers(Trigger.PLAY, Trigger.ATTACK)
def test_a_combined_header_gives_both_triggers(new_table):
    """R52: Play/Attack triggers when the creature comes into play and when it attacks."""
    table = new_table(
        Position(Zones(hand=["probe", *NEUTRAL]), Zones(hand=list(NEUTRAL))),
        cards={"probe": {"play_attack": "gain 2 life"}},
    )
    table.choose("play probe")
    assert table.life(ALICE) == 5
    table.choose("play gorillion")
    table.choose("attack probe")
    assert table.life(ALICE) == 7


def test_a_change_of_control_triggers_nothing(new_table):
    """R42, R93: neither Play nor Defeated triggers when control changes."""
    table = new_table(
        Position(Zones(hand=["taker", *NEUTRAL]), Zones(play=["probe"], hand=list(NEUTRAL))),
        cards={
            "taker": {"play": "take control of all enemy creatures"},
            "probe": {"play": "lose 1 life", "defeated": "lose 1 life"},
        },
    )
    table.choose("play taker")
    assert table.in_play(ALICE) == ["probe", "taker"]
    assert (table.life(ALICE), table.life(BOB)) == (3, 3)


# Whom an instruction affects ----------------------------------------------------------------------

BOARD = ["gorillion", "shark_dog"], ["bee_bear", "turbo_bug", "luchataur"]


@covers(Side.ANY, Side.ALLIED, Side.ENEMY, Choice.EXACTLY)
@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("defeat a creature", "alice gorillion, alice probe, alice shark_dog, bob bee_bear, "
         "bob luchataur, bob turbo_bug"),
        ("defeat another creature", "alice gorillion, alice shark_dog, bob bee_bear, "
         "bob luchataur, bob turbo_bug"),
        ("defeat an allied creature", "alice gorillion, alice probe, alice shark_dog"),
        ("defeat another allied creature", "alice gorillion, alice shark_dog"),
        ("defeat an enemy creature", "bob bee_bear, bob luchataur, bob turbo_bug"),
        ("defeat a creature with power <= 5", "alice probe, alice shark_dog, bob turbo_bug"),
        ("defeat a creature with power >= 9", "alice gorillion, bob luchataur"),
        ("defeat an enemy creature with power 4 to 8", "bob bee_bear, bob turbo_bug"),
        ("defeat a creature with FRENZY or HUNTER", "alice shark_dog, bob luchataur"),
        ("defeat a creature with power 4", "alice shark_dog, bob turbo_bug"),
    ],
)  # fmt: skip
def test_one_target_of_those_that_fit(new_table, line, targets):
    """R1, R45, R87: D6 offers exactly the creatures that fit the description."""
    set_up = playing(line, Zones(play=list(BOARD[0])), Zones(play=list(BOARD[1])))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == [f"target {target}" for target in targets.split(", ")]
    table.choose(f"target {targets.split(', ')[-1]}")
    assert len(table.discard(ALICE)) + len(table.discard(BOB)) == 1


@covers(Extreme.NONE, Extreme.HIGHEST, Extreme.LOWEST, Choice.ALL)
@pytest.mark.parametrize(
    ("line", "defeated"),
    [
        ("defeat all creatures with the highest power", ["gorillion"]),
        ("defeat all enemy creatures with the highest power", ["luchataur"]),
        ("defeat all creatures with the lowest power", ["shark_dog", "turbo_bug"]),
        ("defeat all enemy creatures with the lowest power", ["turbo_bug"]),
        ("defeat all other allied creatures", ["gorillion", "shark_dog"]),
        ("defeat all enemy creatures with power <= 8", ["bee_bear", "turbo_bug"]),
        ("defeat all creatures with HUNTER", ["shark_dog"]),
        ("defeat all enemy creatures with power <= 8 and the highest power", ["bee_bear"]),
        ("defeat all enemy creatures with POISONOUS", []),
        ("defeat this", ["probe"]),
    ],
)
def test_all_that_fit(new_table, line, defeated):
    """R50, R88: the whole group is affected at once, and nobody chooses."""
    set_up = playing(line, Zones(play=list(BOARD[0])), Zones(play=list(BOARD[1])))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert sorted(table.discard(ALICE) + table.discard(BOB)) == defeated
    assert (table.point, table.decider) == ("D1", BOB)


@covers(Choice.EXACTLY)
def test_exactly_two_are_picked_one_after_another(new_table):
    """R49, R50, D7: two picks without replacement, then both are defeated together."""
    set_up = playing("defeat 2 enemy creatures", bob=Zones(play=list(BOARD[1])))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.point, table.decider) == ("D7", ALICE)
    table.choose("target turbo_bug")
    assert table.in_play(BOB) == sorted(BOARD[1])
    assert table.options() == ["target bob bee_bear", "target bob luchataur"]
    table.choose("target bee_bear")
    assert table.in_play(BOB) == ["luchataur"]


@covers(Choice.EXACTLY)
def test_exactly_two_of_one_is_skipped(new_table):
    """R49: with fewer targets than asked for the instruction is skipped, the next is not (R43)."""
    set_up = playing("defeat 2 enemy creatures, then gain 1 life", bob=Zones(play=["bee_bear"]))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.in_play(BOB) == ["bee_bear"]
    assert table.life(ALICE) == 4


@covers(Choice.UP_TO)
@pytest.mark.parametrize("picks", [[], ["bee_bear"], ["luchataur", "bee_bear"]])
def test_up_to_two_may_be_fewer(new_table, picks):
    """R49, D8: stop is offered before each pick, until two are picked."""
    set_up = playing("defeat up to 2 enemy creatures", bob=Zones(play=list(BOARD[1])))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    for pick in picks:
        assert (table.point, "stop" in table.options()) == ("D8", True)
        table.choose("target", pick)
    if len(picks) < 2:
        table.choose("stop")
    assert table.in_play(BOB) == sorted(set(BOARD[1]) - set(picks))


@covers(Choice.UP_TO)
def test_up_to_ends_when_nothing_is_left(new_table):
    """R49, D8: with one creature there is one pick, although more would be allowed."""
    set_up = playing("defeat up to 3 enemy creatures", bob=Zones(play=["bee_bear"]))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.options() == ["stop", "target bob bee_bear"]
    table.choose("target bee_bear")
    assert (table.point, table.decider, table.in_play(BOB)) == ("D1", BOB, [])


@covers(Choice.EXACTLY)
def test_a_mandatory_target_is_taken_even_if_it_hurts(new_table):
    """R46: the only creature that fits is the source itself, and it must be chosen."""
    set_up = playing("defeat a creature")
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.discard(ALICE) == ["probe"]


# Effects ------------------------------------------------------------------------------------------


@covers(Effect.DEFEAT)
def test_defeat(new_table):
    """R81, R92: a fresh TOUGH creature is exhausted, the others go to their controllers' piles."""
    set_up = playing(
        "defeat all other creatures",
        Zones(play=["gorillion", "rhino_turtle exhausted"]),
        Zones(play=["bee_bear", "shield_bugs"]),
    )
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.discard(ALICE) == ["gorillion", "rhino_turtle"]
    assert table.discard(BOB) == ["bee_bear"]
    assert table.exhausted("shield_bugs")
    assert table.in_play(ALICE) == ["probe"]


@covers(Effect.TAKE_CONTROL)
def test_take_control(new_table):
    """R45, R95: only creatures of the opponent can be taken, in their present state."""
    set_up = playing(
        "take control of all creatures with power >= 8",
        Zones(play=["gorillion"]),
        Zones(play=["rhino_turtle exhausted", "turbo_bug"]),
    )
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.in_play(ALICE) == ["gorillion", "probe", "rhino_turtle"]
    assert table.exhausted("rhino_turtle")
    assert table.in_play(BOB) == ["turbo_bug"]


@covers(Effect.PLAY_CARD, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("whose", "offered"),
    [
        ("your", ["target alice axolotl_healer", "target alice gorillion"]),
        ("the opponent's", ["target bob axolotl_healer", "target bob bee_bear"]),
    ],
)
def test_play_a_card_from_a_discard_pile(new_table, whose, offered):
    """R40, R41, C2: the card comes into play for the player of the effect, without a window."""
    set_up = playing(
        f"play a card from {whose} discard pile",
        Zones(discard=["gorillion", "axolotl_healer"]),
        Zones(discard=["bee_bear", "axolotl_healer"], mindbugs=1),
    )
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    table.choose("refuse")
    assert (table.point, table.decider, table.options()) == ("D6", ALICE, offered)
    table.choose(offered[0])
    assert table.in_play(ALICE) == ["axolotl_healer", "probe"]
    assert (table.life(ALICE), table.mindbugs(BOB)) == (5, 1)
    assert len(table.discard(ALICE)) + len(table.discard(BOB)) == 3


@covers(Effect.PLAY_CARD)
def test_play_a_card_from_an_empty_pile(new_table):
    """R43, R123: without a card nothing happens, and the next instruction is performed."""
    set_up = playing("play a card from your discard pile, then gain 1 life")
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.in_play(ALICE), table.life(ALICE)) == (["probe"], 4)


@covers(Effect.DRAW_ALL, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize("whose", ["your", "the opponent's"])
def test_draw_all_cards_from_a_discard_pile(new_table, whose):
    """R28, R32, C17: the whole pile goes to the hand of the player of the effect."""
    set_up = playing(
        f"draw all cards from {whose} discard pile",
        Zones(discard=["bee_bear", "turbo_bug"], draw=["spider_owl"] * 4),
        Zones(discard=["brain_fly", "deathweaver", "giraffodile"]),
    )
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    yours = whose == "your"
    drawn = ["bee_bear", "turbo_bug"] if yours else ["brain_fly", "deathweaver", "giraffodile"]
    assert table.hand(ALICE) == sorted([*NEUTRAL, "spider_owl", "spider_owl", *drawn])
    assert table.discard(ALICE if yours else BOB) == []
    assert table.hand_size(BOB) == 3


@covers(Effect.GAIN_LIFE, Effect.LOSE_LIFE, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("gain 3 life", (6, 3)),
        ("the opponent gains 3 life", (3, 6)),
        ("lose 2 life", (1, 3)),
        ("the opponent loses 2 life", (3, 1)),
    ],
)
def test_gain_and_lose_life(new_table, line, lives):
    """R14, R16: life of either player goes up or down."""
    set_up = playing(line)
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.life(ALICE), table.life(BOB)) == lives
    assert not table.over


@covers(Effect.LOSE_LIFE)
@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("lose 9 life, then the opponent loses 9 life", BOB),
        ("the opponent loses 3 life, then lose 9 life", ALICE),
    ],
)
def test_the_last_life_ends_the_game_at_once(new_table, line, winner):
    """R14, R16: the rest of the effect does not happen, and life is never below 0."""
    set_up = playing(line)
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.over, table.winner, table.ending) == (True, winner, "life")
    assert (table.life(winner), table.life(1 - winner)) == (3, 0)


@covers(Effect.SET_LIFE, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("set your life to 7", (7, 4)),
        ("set the opponent's life to 1", (3, 1)),
        ("set your life to the opponent's life", (4, 4)),
        ("set the opponent's life to your life", (3, 3)),
        ("set your life to enemy creatures", (2, 4)),
        ("set your life to enemy creatures with TOUGH", (1, 4)),
        ("set the opponent's life to your hand", (3, 3)),
    ],
)
def test_set_life(new_table, line, lives):
    """R17: a life total becomes a number, up or down, whatever the number is read off."""
    set_up = playing(line, bob=Zones(play=["gorillion", "rhino_turtle"], life=4))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.life(ALICE), table.life(BOB)) == lives


@covers(Effect.SET_LIFE, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("the opponent loses all but 1 life", (3, 1)),
        ("the opponent loses all but 4 life", (3, 4)),
        ("the opponent loses all but 9 life", (3, 4)),
        ("lose all but 2 life", (2, 4)),
        ("lose all but 5 life, if you do, gain 9 life", (3, 4)),
        ("you may lose all but 5 life, then gain 1 life", (4, 4)),
    ],
)
def test_lose_all_but(new_table, line, lives):
    """C8: all life above a number is lost; with no more than that nothing happens."""
    set_up = playing(line, bob=Zones(play=["gorillion"], life=4))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.life(ALICE), table.life(BOB)) == lives


@covers(Effect.SET_LIFE)
def test_life_set_to_nothing_ends_the_game(new_table):
    """R14, R17: a life total that becomes 0 loses the game."""
    set_up = playing("set the opponent's life to enemy creatures")
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")


@covers(Effect.SET_LIFE)
def test_life_is_set_with_keywords_of_this_moment(new_table):
    """R84, R87: the new creature's grant counts when its own effect reads keywords."""
    table = new_table(
        Position(Zones(hand=["probe", *NEUTRAL]), Zones(play=["gorillion"], hand=list(NEUTRAL))),
        cards={
            "probe": {
                "constant": "enemy creatures have HUNTER",
                "play": "set your life to enemy creatures with HUNTER",
            }
        },
    )
    table.choose("play probe")
    assert (table.over, table.life(ALICE)) == (False, 1)


@covers(Effect.DISCARD, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(("line", "player"), [("discard 2 cards", ALICE),
                                              ("the opponent discards 2 cards", BOB)])  # fmt: skip
def test_discard(new_table, line, player):
    """R29, R30, R44, D10: the player who discards picks; both cards go together, then they draw."""
    zones = [Zones(draw=["spider_owl"] * 4, hand=list(NEUTRAL)) for _ in range(2)]
    set_up = playing(line, *zones)
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    for card in ("gorillion", "luchataur"):
        assert (table.point, table.decider) == ("D10", player)
        assert table.discard(player) == []
        table.choose("discard", card)
    assert table.discard(player) == ["gorillion", "luchataur"]
    assert table.hand_size(player) == 5
    assert table.discard(1 - player) == []


@covers(Effect.DISCARD)
def test_discarding_more_than_there_are(new_table):
    """R29: all cards of the hand are discarded if more are asked for."""
    set_up = playing("the opponent discards 5 cards", bob=Zones(hand=["bee_bear", "turbo_bug"]))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.point == "D10"  # the first of two picks (R120)
    table.choose("discard bee_bear")
    assert table.discard(BOB) == ["bee_bear", "turbo_bug"]


@covers(Effect.STEAL_RANDOM)
@pytest.mark.parametrize(("n", "stolen"), [("a random card", 1), ("3 random cards", 3)])
def test_steal_random_cards(new_table, n, stolen):
    """R30, R31: the cards change hands together; the robbed player refills, no discard pile."""
    set_up = playing(f"steal {n}", bob=Zones(draw=["spider_owl"] * 4))
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.hand_size(ALICE) == 3 + stolen
    assert table.hand_size(BOB) + table.draw_size(BOB) == 7 - stolen
    assert table.hand_size(BOB) == min(5, 7 - stolen)
    assert table.discard(ALICE) == table.discard(BOB) == []


@covers(Effect.STEAL_RANDOM)
def test_stealing_more_than_there_are(new_table):
    """R31: a whole hand is stolen if it has no more cards."""
    set_up = playing("steal 9 random cards")
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert (table.hand_size(ALICE), table.over) == (6, True)
    assert (table.winner, table.ending) == (ALICE, "no_action")  # Bob has nothing left (R18)


# Several instructions -----------------------------------------------------------------------------


def test_conditions_are_looked_at_when_their_turn_has_come(new_table):
    """R43, R59: the second instruction sees what the first has done."""
    line = "gain 2 life, then if your life = 5, gain 10 life, then if your life < 5, lose 9 life"
    set_up = playing(line)
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    assert table.life(ALICE) == 15


def test_hands_are_refilled_between_two_instructions(new_table):
    """R27, R30: after the first discard Bob draws, so the new card can be discarded next."""
    set_up = playing(
        "the opponent discards a card, then the opponent discards a card",
        bob=Zones(hand=["gorillion", "luchataur", "bee_bear", "turbo_bug", "brain_fly"],
                  draw=["spider_owl"]),
    )  # fmt: skip
    table = new_table(set_up["position"], cards=set_up["cards"])
    table.choose("play probe")
    table.choose("discard gorillion")
    assert "discard bob spider_owl" in table.options()
    table.choose("discard spider_owl")
    assert table.discard(BOB) == ["gorillion", "spider_owl"]


def test_two_instructions_are_two_events(new_table):
    """R57, R59: two defeats of one effect make two batches, the older one resolved first."""
    table = new_table(
        Position(
            Zones(hand=["probe", *NEUTRAL]),
            Zones(play=["first", "second"], hand=list(NEUTRAL)),
        ),
        cards={
            "probe": {"play": "defeat all enemy creatures with power 1, then "
                              "defeat all enemy creatures with power 2, then gain 1 life"},
            "first": {"power": 1, "defeated": "set your life to 9"},
            "second": {"power": 2, "defeated": "if your life = 9, set your life to 7"},
        },
    )  # fmt: skip
    table.choose("play probe")
    assert (table.point, table.decider, table.waiting) == ("D1", BOB, 0)
    assert (table.life(ALICE), table.life(BOB)) == (4, 7)


def test_this_is_skipped_when_it_has_left_play(new_table):
    """R55: "defeat this" does nothing after the source has left play, even if it came back."""
    table = new_table(
        Position(Zones(hand=["probe", *NEUTRAL]), Zones(hand=list(NEUTRAL))),
        cards={
            "probe": {"play": "if your life = 3, defeat this, then gain 1 life, then "
                              "play a card from your discard pile, then defeat this"},
        },
    )  # fmt: skip
    table.choose("play probe")
    assert table.in_play(ALICE) == []
    assert table.discard(ALICE) == ["probe"]
    assert table.life(ALICE) == 5


def test_other_creatures_include_a_source_that_came_back(new_table):
    """R55: the returned card is a new object and so among "all other creatures"."""
    table = new_table(
        board(["gorillion"], ["probe", "bee_bear"]),
        cards={
            "probe": {
                "power": 1,
                "defeated": "play a card from your discard pile, "
                            "then defeat all other allied creatures, then gain 1 life",
            }
        },
    )  # fmt: skip
    table.choose("attack gorillion")
    table.choose("block probe")
    # The card in the pile is probe itself. It comes back, is defeated with Bee Bear, and so on:
    # the second time it finds Bee Bear in the pile as well.
    assert table.point == "D6"
    table.choose("target bee_bear")
    assert table.life(BOB) == 5
    assert table.in_play(BOB) == []
    assert table.discard(BOB) == ["bee_bear", "probe"]


def test_you_is_who_controlled_the_source(new_table):
    """R53: the effect of a creature that was defeated belongs to its last controller."""
    table = new_table(
        Position(
            Zones(play=["gorillion"], hand=["probe", *NEUTRAL]),
            Zones(hand=list(NEUTRAL), mindbugs=1),
        ),
        cards={"probe": {"defeated": "gain 5 life"}},
    )
    table.choose("play probe")
    table.choose("use")
    table.choose("attack gorillion")
    table.choose("block probe")
    assert (table.life(ALICE), table.life(BOB)) == (3, 8)


# Effects of the other sets ------------------------------------------------------------------------


def played(new_table, line, alice=None, bob=None, **more):
    """The table after Alice has played a card with a Play effect."""
    set_up = playing(line, alice, bob)
    position = set_up["position"]
    position.kot_parts = more.pop("kot_parts", False)
    position.unused = more.pop("unused", [])
    position.power_deck = more.pop("power_deck", [])
    table = new_table(position, cards=set_up["cards"] | more.pop("cards", {}), **more)
    table.choose("play probe")
    return table


@covers(Effect.GIVE_CONTROL)
def test_give_control(new_table):
    """R95, C18: only creatures that you control are legal targets."""
    line = "the opponent takes control of a creature"
    table = played(new_table, line, Zones(play=["gorillion"]), Zones(play=["bee_bear"]))
    assert table.options() == ["target alice gorillion", "target alice probe"]
    table.choose("target gorillion")
    assert table.in_play(BOB) == ["bee_bear", "gorillion"]


@covers(Effect.RETURN_TO_HAND)
def test_return_to_hand(new_table):
    """R94, R104: to the hand of its controller; boosts fall, hands may exceed 5."""
    bob = Zones(play=["bee_bear boosts:turbo_bug"], hand=["gorillion"] * 5)
    table = played(new_table, "return all enemy creatures from play", bob=bob)
    assert (table.in_play(BOB), table.hand_size(BOB)) == ([], 6)
    assert table.discard(BOB) == ["turbo_bug"]


@covers(Effect.THIS_TURN)
@pytest.mark.parametrize(
    ("line", "power", "keywords"),
    [
        ("allied creatures have +2 power and FRENZY this turn", 7, ["FRENZY"]),
        ("an allied creature with power 5 has -3 power this turn", 2, []),
        ("allied creatures have SNEAKY this turn", 5, ["SNEAKY"]),
        ("this has HUNTER and TOUGH this turn", 5, ["HUNTER", "TOUGH"]),
        ("enemy creatures have +1 power this turn", 5, []),
    ],
)
def test_power_and_keywords_this_turn(new_table, line, power, keywords):
    """R25, R26: it lasts until the end of the turn."""
    table = new_table(board(["probe"], ["tiger_squirrel"]), cards={"probe": {"attack": line}})
    table.choose("attack probe")
    assert table.point in ("D3", "D4")
    assert (table.power("probe"), table.keywords("probe")) == (power, keywords)
    while table.active == ALICE:
        table.choose({"D3": "no_hunt", "D4": "no_block", "D5": "stop"}[table.point])
    assert (table.power("probe"), table.keywords("probe")) == (5, [])


@covers(Effect.THIS_TURN)
def test_a_group_this_turn_and_its_end(new_table):
    """R26: whoever fits at the moment; over with the turn (R25)."""
    line = "allied creatures have FRENZY this turn, then play a card from your discard pile"
    cards = {"drum": {"attack": line}}
    alice = Zones(play=["drum"], hand=list(NEUTRAL), discard=["turbo_bug"])
    table = new_table(Position(alice, Zones(hand=list(NEUTRAL))), cards=cards)
    table.choose("attack drum")
    assert table.point == "D5"  # FRENZY
    assert table.keywords("turbo_bug") == ["FRENZY"]
    table.choose("stop")
    assert table.keywords("turbo_bug") == []


@covers(Effect.THIS_TURN)
def test_cannot_attack_block_or_be_defeated_this_turn(new_table):
    """R26, R97: restrictions of this turn for chosen creatures and for groups."""
    line = "an enemy creature cannot block this turn, then this cannot be defeated this turn"
    cards = {"probe": {"attack": line, "power": 3}}
    bob = Zones(play=["gorillion", "bee_bear"], hand=list(NEUTRAL))
    table = new_table(Position(Zones(play=["probe"], hand=list(NEUTRAL)), bob), cards=cards)
    table.choose("attack probe")
    table.choose("target bee_bear")
    assert table.options() == ["block bob gorillion", "no_block"]
    table.choose("block gorillion")
    assert table.in_play(ALICE) == ["probe"]
    cards = {"probe": {"end_of_turn": "gain 1 life", "action": "creatures cannot attack this turn"}}
    bob = Zones(play=["gorillion"], hand=list(NEUTRAL))
    table = new_table(Position(Zones(play=["probe"], hand=list(NEUTRAL)), bob), cards=cards)
    table.choose("activate probe")
    assert "attack bob gorillion" in table.options()  # the turn is over


@covers(Effect.EVOLVE, Trigger.ACTION)
def test_evolve(new_table):
    """R98, R101: the same object with the next stage's power, keywords and abilities."""
    cards = {
        "child": {"power": 1, "evolves_to": "adult", "action": "evolve this"},
        "adult": {"power": 9, "copies": 0, "keywords": ["SNEAKY"]},
    }
    alice = Zones(play=["child exhausted"], hand=list(NEUTRAL))
    table = new_table(Position(alice, Zones(hand=list(NEUTRAL))), cards=cards)
    table.choose("activate child")
    assert (table.power("adult"), table.keywords("adult")) == (9, ["SNEAKY"])
    assert table.exhausted("adult")


@covers(Effect.BECOME, Trigger.EXHAUSTED, Effect.CHOOSE_ONE)
def test_become(new_table):
    """C45, D12: what stands in place of the printed power and keywords, chosen at once."""
    line = "choose one: this becomes power 2 with HUNTER; or this becomes power 9"
    cards = {"slug": {"power": 6, "keywords": ["TOUGH"], "exhausted": line}}
    cards |= {"probe": {"play": "defeat all enemy creatures, then gain 1 life"}}
    set_up = Position(Zones(hand=["probe", *NEUTRAL]), Zones(play=["slug"], hand=list(NEUTRAL)))
    table = new_table(set_up, cards=cards)
    table.choose("play probe")
    assert (table.point, table.decider, table.life(ALICE)) == ("D12", BOB, 3)
    table.choose("mode 1")
    assert (table.power("slug"), table.keywords("slug"), table.life(ALICE)) == (9, [], 4)


@covers(Effect.BOOST)
@pytest.mark.parametrize(("whom", "under"), [("this", "probe"), ("a creature", "gorillion")])
def test_boost(new_table, whom, under):
    """R103, D14: cards from any pile go under the creature; each gives +1 power."""
    alice = Zones(play=["gorillion"], discard=["turbo_bug"])
    line = f"boost up to 2 cards to {whom}"
    table = played(new_table, line, alice, Zones(discard=["bee_bear", "luchataur"]))
    before = table.power(under)
    assert table.point == "D14"
    table.choose("target bee_bear")
    if whom != "this":
        table.choose("target gorillion")
    table.choose("target turbo_bug")
    assert table.boosts(under) == ["bee_bear", "turbo_bug"]
    assert table.power(under) == before + 2


@covers(Effect.TAKE_BOOST)
def test_take_boost(new_table):
    """C34: any boost card goes to your hand."""
    bob = Zones(play=["gorillion boosts:turbo_bug"])
    table = played(new_table, "return a boost to your hand", bob=bob)
    assert "turbo_bug" in table.hand(ALICE)
    assert table.power("gorillion") == 10


@covers(Effect.DRAW_CARDS, Zone.DISCARD_PILE, Zone.EITHER_DISCARD_PILE, Zone.UNUSED_PILE)
def test_draw_cards(new_table):
    """R32, C51: cards of your choice from a pile, or the top ones of the unused pile."""
    piles = Zones(discard=["turbo_bug", "bee_bear"]), Zones(discard=["luchataur"])
    table = played(new_table, "draw a card from either discard pile", *piles)
    assert table.options() == [
        "target alice bee_bear", "target alice turbo_bug", "target bob luchataur"
    ]  # fmt: skip
    table.choose("target luchataur")
    assert table.hand(ALICE).count("luchataur") == 2
    piles = Zones(discard=["turbo_bug", "bee_bear"]), Zones()
    table = played(new_table, "draw 3 cards from your discard pile", *piles)
    assert table.point == "D7"
    table.choose("target turbo_bug")
    assert table.hand_size(ALICE) == 5
    unused = ["turbo_bug", "bee_bear", "brain_fly"]
    table = played(new_table, "draw 2 cards from the unused pile", unused=unused)
    assert table.hand(ALICE) == sorted([*NEUTRAL, "turbo_bug", "bee_bear"])


@covers(Effect.DISCARD_RANDOM)
def test_discard_random(new_table):
    """R29, R122: cards of the whole hand, without a decision."""
    table = played(new_table, "the opponent discards 2 random cards")
    assert (len(table.discard(BOB)), table.point) == (2, "D1")


@covers(Effect.DISCARD_WHOLE, Zone.HAND, Zone.DRAW_PILE)
@pytest.mark.parametrize(
    ("whole", "discarded", "hand"),
    [("hand", 3, 2), ("draw pile", 2, 3), ("hand and draw pile", 5, 0)],
)
def test_discard_whole(new_table, whole, discarded, hand):
    """R33: both at the same moment leave nothing to refill from."""
    bob = Zones(play=["bee_bear"], hand=list(NEUTRAL), draw=["turbo_bug"] * 2)
    table = new_table(
        Position(Zones(play=["probe"], hand=list(NEUTRAL)), bob),
        cards={"probe": {"attack": f"the opponent discards their {whole}"}},
    )
    bob_had = table.hand_size(BOB)
    table.choose("attack probe")
    assert bob_had == 5
    assert len(table.discard(BOB)) == {"hand": 5, "draw pile": 0}.get(whole, 5)
    assert table.hand_size(BOB) == {"draw pile": 5}.get(whole, 0)


@covers(Effect.PLAY_THIS, Trigger.DISCARDED, Trigger.LIFE_LOST)
def test_play_this(new_table):
    """C16, R107: the very card comes back from the pile where it lies."""
    cards = {"probe": {"play": "the opponent loses 1 life, then the opponent discards a card"}}
    cards |= {
        "ghost": {"in_discard": "when you lose life, play this"},
        "cat": {"discarded": "you may play this"},
    }
    bob = Zones(hand=["cat"], discard=["ghost"], draw=["gorillion"])
    table = new_table(Position(Zones(hand=["probe", *NEUTRAL]), bob), cards=cards)
    table.choose("play probe")
    table.choose("discard cat")
    assert (table.point, table.in_play(BOB)) == ("D9", ["ghost"])
    table.choose("yes")
    assert table.in_play(BOB) == ["cat", "ghost"]


@covers(Effect.TAKE_GIVEN_CARD)
@pytest.mark.parametrize("keep", [False, True])
def test_take_a_given_card(new_table, keep):
    """C15, D10, D12: the opponent gives a card, which is played or kept."""
    line = "the opponent gives you a card, which you play or keep"
    table = played(new_table, line, bob=Zones(hand=["turbo_bug", "bee_bear"]))
    assert (table.point, table.decider) == ("D10", BOB)
    table.choose("discard bee_bear")
    assert (table.point, table.decider) == ("D12", ALICE)
    table.choose("keep" if keep else "play")
    zone = table.hand(ALICE) if keep else table.in_play(ALICE)
    assert "bee_bear" in zone


@covers(Effect.PUT_RANDOM_CARD)
def test_put_a_random_card_into_a_pile(new_table):
    """C27, D6: into either player's discard pile."""
    line = "put a random card of the opponent's hand into either discard pile"
    table = played(new_table, line, bob=Zones(hand=["turbo_bug"] * 3))
    assert table.options() == ["pile alice", "pile bob"]
    table.choose("pile alice")
    assert (table.discard(ALICE), table.hand_size(BOB)) == (["turbo_bug"], 2)


@covers(Effect.PUT_UNDER_DRAW_PILE)
def test_put_cards_under_the_draw_pile(new_table):
    """C61, R27: the top cards go under the pile; here both are drawn at once."""
    line = "put 2 cards of the unused pile under your draw pile"
    table = played(new_table, line, unused=["turbo_bug", "bee_bear", "brain_fly"])
    assert table.hand(ALICE) == sorted([*NEUTRAL, "turbo_bug", "bee_bear"])


@covers(Effect.COPY_PLAY_EFFECT)
def test_copy_a_play_effect(new_table):
    """C23: only of a creature that has one; "this" is the source."""
    cards = {"model": {"play": "gain 2 life, then this has SNEAKY this turn"}}
    alice = Zones(play=["model", "gorillion"])
    line = "you may copy the play effect of another creature"
    table = played(new_table, line, alice, cards=cards)
    assert table.point == "D9"
    table.choose("yes")
    assert table.life(ALICE) == 5


@covers(Effect.TRIGGER_PLAY_EFFECT)
def test_trigger_a_play_effect(new_table):
    """C40: it triggers as that of the allied creature and waits until this effect is finished."""
    cards = {"model": {"play": "gain 2 life"}}
    line = "trigger the play effect of another allied creature, then if your life = 5, lose 1 life"
    alice = Zones(play=["model", "gorillion"])
    table = played(new_table, line, alice, cards=cards)
    assert table.life(ALICE) == 5


@covers(Effect.FORCE_ATTACK)
def test_force_an_attack(new_table):
    """R76: the creature attacks after the effect; Alice blocks, Bob hunts, it stays her turn."""
    line = "an enemy creature must attack now, then gain 1 life"
    table = played(new_table, line, Zones(play=["gorillion"]), Zones(play=["killer_bee"]))
    assert (table.point, table.decider, table.life(ALICE)) == ("D3", BOB, 4)
    table.choose("no_hunt")
    assert (table.point, table.decider) == ("D4", ALICE)
    table.choose("block gorillion")
    assert table.discard(BOB) == ["killer_bee"]


@pytest.mark.parametrize(("chosen", "life"), [("statue", 3), ("gorillion", 4)])
def test_an_attack_that_cannot_be_made_is_not_carried_out(new_table, chosen, life):
    """R48, C21: a creature that cannot attack may be chosen, but nothing has been done then.

    Found by ``make lockstep``: "if you do" went on.
    """
    cards = {
        "herald": {"play": "an enemy creature must attack now, if you do, gain 1 life"},
        "statue": {"constant": "this cannot attack"},
    }
    alice = Zones(play=["luchataur"], hand=["herald", *NEUTRAL])
    bob = Zones(play=["gorillion", "statue"], hand=list(NEUTRAL))
    table = new_table(Position(alice, bob), cards=cards)
    table.choose("play herald")
    table.choose("target", chosen)
    assert table.life(ALICE) == life


@covers(Effect.NAME_KEYWORD)
def test_name_a_keyword(new_table):
    """C35, D13: any of the five, for the rest of the line."""
    line = "name a keyword, then defeat all enemy creatures with the named keyword"
    table = played(new_table, line, bob=Zones(play=["luchataur", "killer_bee"]))
    assert (table.point, len(table.options())) == ("D13", 5)
    table.choose("keyword FRENZY")
    assert table.discard(BOB) == ["luchataur"]


@covers(Effect.EXCHANGE_HANDS)
def test_exchange_hands(new_table):
    """C54: both hands change places, then both refill."""
    alice = Zones(hand=["turbo_bug"], draw=[])
    bob = Zones(hand=["bee_bear"] * 5, draw=["luchataur"])
    table = played(new_table, "exchange hands", alice, bob)
    assert table.hand(ALICE) == ["bee_bear"] * 5
    assert table.hand(BOB) == ["luchataur", "turbo_bug"]


@covers(Effect.SET_ASIDE, Effect.RETURN_SET_ASIDE)
def test_set_aside_and_return(new_table):
    """C53: without triggers, and back as new objects under their former controllers."""
    cards = {
        "paca": {
            "power": 1,
            "play": "set aside all other creatures",
            "defeated": "return the creatures set aside by this",
        }
    }
    alice = Zones(hand=["paca", *NEUTRAL], play=["turbo_bug"])
    bob = Zones(play=["bee_bear exhausted"], hand=["gorillion", *NEUTRAL])
    table = new_table(Position(alice, bob), cards=cards)
    table.choose("play paca")
    assert table.set_aside() == ["bee_bear", "turbo_bug"]
    table.choose("play gorillion")
    table.choose("attack paca")
    table.choose("block gorillion")
    assert (table.in_play(ALICE), table.in_play(BOB)) == (["turbo_bug"], ["bee_bear", "gorillion"])
    assert not table.exhausted("bee_bear")


@covers(Effect.WIN, Effect.LOSE)
@pytest.mark.parametrize(("line", "winner"), [("win the game", ALICE), ("lose the game", BOB)])
def test_win_and_lose(new_table, line, winner):
    """C52, C59: the game ends at once."""
    table = played(new_table, line)
    assert (table.over, table.winner, table.ending) == (True, winner, "effect")


@covers(Effect.GAIN_ENERGY)
@pytest.mark.parametrize("kot_parts", [False, True])
def test_gain_energy(new_table, kot_parts):
    """R108: cubes, where the game has them."""
    table = played(new_table, "gain 2 energy", kot_parts=kot_parts)
    assert table.energy(ALICE) == (2 if kot_parts else 0)


@covers(Trigger.END_OF_TURN)
def test_end_of_turn(new_table):
    """R22: at the end of every turn."""
    table = played(new_table, "gain 1 life", cards={"bell": {"end_of_turn": "gain 5 life"}},
                   bob=Zones(play=["bell"]))  # fmt: skip
    assert (table.life(ALICE), table.life(BOB)) == (4, 8)
    table.choose("play gorillion")
    assert table.life(BOB) == 13


@covers(Trigger.MINDBUG_USED)
def test_mindbug_used(new_table):
    """R36: before the card is played by the user."""
    cards = {"bug": {"mindbug_used": "the opponent loses 1 life"}}
    alice = Zones(play=["bug"])
    table = played(
        new_table, "if your life = 2, gain 10 life", alice, Zones(mindbugs=1), cards=cards
    )
    table.choose("use")
    assert table.life(BOB) == 12


@covers(Zone.BOOSTS_OF_THIS)
def test_play_boosts(new_table):
    """R54, C58: the boost cards come into play with their Play effects, or without."""
    for silent, life in ((False, 5), (True, 3)):
        line = "play any number of boosts of this" + " without play effects" * silent
        table = new_table(
            Position(
                Zones(play=["probe boosts:axolotl_healer,gorillion"], hand=list(NEUTRAL)),
                Zones(hand=list(NEUTRAL)),
            ),
            cards={"probe": {"action": line}},
        )
        table.choose("activate probe")
        assert table.point == "D8"
        table.choose("target axolotl_healer")
        table.choose("stop")
        assert table.in_play(ALICE) == ["axolotl_healer", "probe"]
        assert table.life(ALICE) == life


@covers(Effect.PLAY_CARD, Zone.HAND)
def test_play_a_card_from_the_hand(new_table):
    """C15, R40: no Mindbug; only cards that fit are offered."""
    line = "play a card with power >= 9 from your hand"
    table = played(new_table, line, bob=Zones(mindbugs=1))
    table.choose("refuse")
    assert table.options() == ["target alice gorillion", "target alice luchataur"]
    table.choose("target gorillion")
    assert table.in_play(ALICE) == ["gorillion", "probe"]


@covers(Effect.CHOOSE_ONE)
def test_a_mode_that_can_do_nothing_is_not_offered(new_table):
    """D12, C34: with one possible mode there is no decision."""
    line = "choose one: defeat an enemy creature; or gain 1 life"
    assert played(new_table, line).life(ALICE) == 4
    table = played(new_table, line, bob=Zones(play=["bee_bear"]))
    assert (table.point, table.options()) == ("D12", ["mode 0", "mode 1"])


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("you may defeat an enemy creature with power >= 9", False),
        ("you may defeat an enemy creature", True),
        ("you may draw a card from your discard pile", False),
        ("you may lose 1 life", True),
        ("you may steal a random card", True),
        ("you may return a boost to your hand", False),
    ],
)
def test_may_is_asked_if_it_can_be_done(new_table, line, asked):
    """R47, D9: "you may" is offered only if it can be done at least in part."""
    table = played(new_table, line, bob=Zones(play=["bee_bear"]))
    assert table.point == ("D9" if asked else "D1")


def test_a_pair_of_equal_power(new_table):
    """C31, D7: one pick among all pairs."""
    bob = Zones(play=["turbo_bug", "shark_dog", "gorillion"])
    table = played(new_table, "defeat 2 creatures with equal power", Zones(play=["gorillion"]), bob)
    assert (table.point, len(table.options())) == ("D7", 2)


def test_as_often_as_a_die_shows(new_table):
    """C55: the reference's die shows 1 without chance, so that nothing happens."""
    line = "as often as a die shows 2 or more, gain 1 life"
    table = played(new_table, line)
    assert (table.life(ALICE) >= 3, table.point) == (True, "D1")


def test_every_word_has_a_test():
    """Each effect, choice, trigger, side, extreme and player is the subject of a test above."""
    assert covers.missing(Effect, Choice, Trigger, Side, Extreme, Player, Zone) == [
        Effect.BUY_FREE,  # test_worked_examples_king_of_tokyo.py: C41
        Effect.BUY_TOP,
    ]
