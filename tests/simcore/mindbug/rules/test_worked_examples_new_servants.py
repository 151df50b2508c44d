"""The worked examples of the rules (T1 ...) that need New Servants cards.

See ``test_worked_examples.py``; padding is the same. They run on every engine, except those with a
card that the card language cannot say yet, which run on the reference engine alone.
"""

from __future__ import annotations

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board

# Mindbugs -----------------------------------------------------------------------------------------


def test_t17_the_mindbug_user_pays(new_table):
    """T17: Bob with 1 life takes Goreagle Alpha, loses it and Alice wins (R36, R14, C10)."""
    table = new_table(
        Position(
            Side(hand=["goreagle_alpha", *NEUTRAL]),
            Side(hand=list(NEUTRAL), life=1, mindbugs=1),
        )
    )
    table.choose("play goreagle_alpha")
    table.choose("use")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")


def test_t20_a_given_card_is_played_without_a_window(new_table):
    """T20: Bob gives a card to Alice's Hungry Hungry Hamster and refills; she plays it (C15)."""
    table = new_table(
        Position(
            Side(hand=["hungry_hungry_hamster", *NEUTRAL]),
            Side(
                hand=["axolotl_healer", "killer_bee", *NEUTRAL],
                draw=["turbo_bug", "bee_bear"],
                mindbugs=1,
            ),
        )
    )
    table.choose("play hungry_hungry_hamster")
    table.choose("refuse")
    assert (table.point, table.decider) == ("D10", BOB)
    table.choose("discard axolotl_healer")
    assert (table.point, table.decider) == ("D12", ALICE)
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 1)
    assert table.limbo() == ["axolotl_healer"]
    table.choose("play")
    assert table.in_play(ALICE) == ["axolotl_healer", "hungry_hungry_hamster"]
    assert table.life(ALICE) == 5
    assert (table.point, table.decider, table.mindbugs(BOB)) == ("D1", BOB, 1)


# Basic combat, POISONOUS, TOUGH -------------------------------------------------------------------


def test_t36_hunting_a_tough_poisonous_creature(new_table):
    """T36: Creep From The Deep hunts fresh Plated Scorpion: Creep falls, Scorpion tires (R72)."""
    table = new_table(board(["creep_from_the_deep"], ["plated_scorpion"]))
    table.choose("attack creep_from_the_deep")
    table.choose("hunt plated_scorpion")
    assert table.discard(ALICE) == ["creep_from_the_deep"]
    assert table.in_play(BOB) == ["plated_scorpion"]
    assert table.exhausted("plated_scorpion")


def test_t37_weaker_and_poisoned_is_one_defeat(new_table):
    """T37: a weaker fresh TOUGH creature blocks a POISONOUS one and is exhausted once (R72).

    The blocker is Bugserker (power 3): no card of the two sets is TOUGH, of power 2 and harmless.
    """
    table = new_table(board(["axolotl_healer"], ["bugserker"]))
    table.choose("attack axolotl_healer")
    table.choose("block bugserker")
    assert table.in_play(ALICE) == ["axolotl_healer"]
    assert table.in_play(BOB) == ["bugserker"]
    assert table.exhausted("bugserker")


# SNEAKY and HUNTER --------------------------------------------------------------------------------


def test_t56_hunting_ignores_ferret_pacifier(new_table):
    """T56: all three of Bob's creatures may be hunted, only the 5 may block (R88, R67)."""
    table = new_table(
        board(["ferret_pacifier", "killer_bee"], ["luchataur", "luchataur", "harpy_mother"])
    )
    table.choose("attack killer_bee")
    assert table.options() == [
        "hunt bob harpy_mother",
        "hunt bob luchataur",
        "hunt bob luchataur",
        "no_hunt",
    ]
    table.choose("no_hunt")
    assert table.options() == ["block bob harpy_mother", "no_block"]


def test_t60_hunting_twice(new_table):
    """T60: Goreagle Alpha hunts a 4 and then a 5; Bob loses no life (R74, R65)."""
    table = new_table(board(["goreagle_alpha"], ["turbo_bug", "killer_bee"]))
    table.choose("attack goreagle_alpha")
    table.choose("hunt turbo_bug")
    table.choose("attack again")
    table.choose("hunt killer_bee")
    assert table.discard(BOB) == ["killer_bee", "turbo_bug"]
    assert table.life(BOB) == 3
    assert not table.exhausted("goreagle_alpha")


def test_t62_hunter_and_poisonous(new_table):
    """T62: Creep From The Deep hunts Gorillion and both are defeated (R71, R65)."""
    table = new_table(board(["creep_from_the_deep"], ["gorillion"]))
    table.choose("attack creep_from_the_deep")
    table.choose("hunt gorillion")
    assert table.discard(ALICE) == ["creep_from_the_deep"]
    assert table.discard(BOB) == ["gorillion"]


# FRENZY and Attack triggers -----------------------------------------------------------------------


def test_t78_losing_the_last_life_ends_the_effect(new_table):
    """T78: Count Draculeech's controller has 1 life and loses; nothing is defeated (R14, C10)."""
    table = new_table(board(["count_draculeech"], ["gorillion"], alice_life=1))
    table.choose("attack count_draculeech")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")
    assert table.in_play(ALICE) == ["count_draculeech"]
    assert table.in_play(BOB) == ["gorillion"]


def test_t79_hyenix_comes_in_time_to_block_the_second_attack(new_table):
    """T79: Bob plays Hyenix from his pile before the FRENZY choice and may block (R58, C16)."""
    table = new_table(
        Position(
            Side(play=["luchataur"], hand=list(NEUTRAL)),
            Side(hand=list(NEUTRAL), discard=["hyenix"]),
        )
    )
    table.choose("attack luchataur")
    assert (table.point, table.decider) == ("D9", BOB)
    assert table.life(BOB) == 2
    table.choose("yes")
    assert (table.point, table.decider) == ("D5", ALICE)
    assert table.in_play(BOB) == ["hyenix"]
    table.choose("attack again")
    assert table.options() == ["block bob hyenix", "no_block"]


# Constant abilities -------------------------------------------------------------------------------


def test_t98_majestic_manticore_defeats_all_the_lowest(new_table):
    """T98: Majestic Manticore (6) defeats Bob's 3 and Alice's 3 and stays (R88)."""
    table = new_table(board(["majestic_manticore", "tiger_squirrel"], ["spider_owl"]))
    table.choose("attack majestic_manticore")
    assert table.in_play(ALICE) == ["majestic_manticore"]
    assert table.discard(ALICE) == ["tiger_squirrel"]
    assert table.discard(BOB) == ["spider_owl"]


def test_t99_majestic_manticore_may_be_the_lowest(new_table):
    """T99: Majestic Manticore (6) alone against a 7 defeats itself; the attack ends (R88, R64)."""
    table = new_table(board(["majestic_manticore"], ["giraffodile"]))
    table.choose("attack majestic_manticore")
    assert table.discard(ALICE) == ["majestic_manticore"]
    assert table.in_play(BOB) == ["giraffodile"]
    assert table.life(BOB) == 3
    assert (table.point, table.decider) == ("D1", BOB)


def test_t100_hamster_lion_stops_the_lowest(new_table):
    """T100: under Hamster Lion only the 9 of Bob's 4, 4 and 9 can attack (R88).

    Padding: Bob holds one card, so that his turn action is a decision.
    """
    table = new_table(
        Position(
            Side(play=["hamster_lion"], hand=list(NEUTRAL)),
            Side(play=["turbo_bug", "brain_fly", "luchataur"], hand=["gorillion"]),
            active=BOB,
        )
    )
    assert table.options() == ["attack bob luchataur", "play bob gorillion"]


def test_t101_bugserker_follows_the_life_total(new_table):
    """T101: Bugserker has 3, 11, 3 while Alice's life goes 2, 1, 2 (R84).

    Gorillion takes the life; Mysterious Mermaid gives it back, because Bob has 2.
    """
    table = new_table(
        Position(
            Side(play=["bugserker"], hand=["mysterious_mermaid", *NEUTRAL], life=2),
            Side(play=["gorillion"], hand=list(NEUTRAL), life=2),
            active=BOB,
        )
    )
    assert table.power("bugserker") == 3
    table.choose("attack gorillion")
    table.choose("no_block")
    assert (table.life(ALICE), table.power("bugserker")) == (1, 11)
    table.choose("play mysterious_mermaid")
    assert (table.life(ALICE), table.power("bugserker")) == (2, 3)
