"""Every word of triggered abilities, each with a tiny card made for it, on both engines."""

from __future__ import annotations

import pytest

from card_data.vocabulary import Choice, Effect, Extreme, Player, Side, Trigger
from support.positions import ALICE, BOB, NEUTRAL, Position, board
from support.positions import Side as Zones
from support.purpose_made import Covered
from support.random_cards import EFFECTS, TRIGGERS

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
    """R29, R30, R44, D10: the player who discards picks; both cards go together, then he draws."""
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


def test_every_word_has_a_test():
    """Each effect, choice, trigger, side, extreme and player is the subject of a test above."""
    assert covers.missing(EFFECTS, Choice, TRIGGERS, Side, Extreme, Player) == []
