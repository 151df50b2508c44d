"""The worked examples of the rules (T1 ...) that need only First Contact cards, on every engine.

An example is a position in words, choices in words, and the outcome that the rules give. Where the
rules say nothing about hands, both players hold the padding ``NEUTRAL``: cards without abilities
that keep them from having a single (silent) turn action or none.
"""

from __future__ import annotations

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board

# Setup, hands, turn order -------------------------------------------------------------------------


def test_t3_hand_is_refilled_before_the_mindbug_decision(new_table):
    """T3: Alice with 5 + 3 cards plays one and holds 5, pile 2, before Bob decides (R34, R27)."""
    table = new_table(
        Position(
            Side(hand=["gorillion", "killer_bee", *NEUTRAL], draw=list(NEUTRAL)),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play killer_bee")
    assert (table.point, table.decider) == ("D2", BOB)
    assert table.options() == ["refuse", "use"]
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (5, 2)
    assert table.limbo() == ["killer_bee"]


def test_t4_empty_pile_is_no_loss(new_table):
    """T4: Alice with 5 cards and an empty pile plays one, holds 4 and does not lose (R27, R19)."""
    table = new_table(
        Position(Side(hand=["gorillion", "luchataur", *NEUTRAL]), Side(hand=list(NEUTRAL)))
    )
    table.choose("play plated_scorpion")
    assert table.hand_size(ALICE) == 4
    assert not table.over


def test_t5_hand_above_five_is_not_refilled(new_table):
    """T5: Alice with 7 cards in hand plays one and draws nothing (R28)."""
    hand = [*NEUTRAL, *NEUTRAL, "luchataur"]
    table = new_table(
        Position(Side(hand=hand, draw=list(NEUTRAL)), Side(hand=list(NEUTRAL), mindbugs=1))
    )
    table.choose("play gorillion")
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (6, 3)


def test_t6_two_cards_are_discarded_together_then_refilled(new_table):
    """T6: Ferret Bomber makes Bob discard 2 of his 5 cards together, then he draws 2 (R30, R44)."""
    table = new_table(
        Position(
            Side(hand=["ferret_bomber", *NEUTRAL]),
            Side(
                hand=["killer_bee", "bee_bear", *NEUTRAL],
                draw=["spider_owl", "brain_fly", "turbo_bug"],
            ),
        )
    )
    table.choose("play ferret_bomber")
    assert (table.point, table.decider) == ("D10", BOB)
    table.choose("discard killer_bee")
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 3)
    assert table.options() == [
        "discard bob bee_bear",
        "discard bob gorillion",
        "discard bob luchataur",
        "discard bob plated_scorpion",
    ]
    table.choose("discard bee_bear")
    assert table.discard(BOB) == ["bee_bear", "killer_bee"]
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 1)


def test_t7_a_single_card_is_discarded_without_a_decision(new_table):
    """T7: Bob's only card is discarded silently (R29, R120); padding: he has two creatures."""
    table = new_table(
        Position(
            Side(hand=["ferret_bomber", *NEUTRAL]),
            Side(play=["gorillion", "luchataur"], hand=["killer_bee"]),
        )
    )
    table.choose("play ferret_bomber")
    assert table.discard(BOB) == ["killer_bee"]
    assert table.hand_size(BOB) == 0
    assert (table.point, table.decider) == ("D1", BOB)


def test_t8_stolen_cards_take_the_hand_above_five(new_table):
    """T8: Bob's Strange Barrel steals 2 random cards: 7 in hand; Alice draws 1 (R31, C14)."""
    table = new_table(
        Position(
            Side(play=["gorillion"], hand=[*NEUTRAL, "killer_bee", "turbo_bug"], draw=["bee_bear"]),
            Side(
                play=["strange_barrel"],
                hand=[*NEUTRAL, "gorillion", "luchataur"],
                draw=["luchataur", *NEUTRAL],
            ),
        )
    )
    table.choose("attack gorillion")
    table.choose("block strange_barrel")
    assert table.discard(BOB) == ["strange_barrel"]
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (7, 4)
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (4, 0)


def test_t9_giraffodile_takes_the_whole_pile(new_table):
    """T9: Giraffodile adds 4 discarded cards to a hand of 5, which makes 9 (R28, C17)."""
    table = new_table(
        Position(
            Side(
                hand=["giraffodile", "killer_bee", *NEUTRAL],
                draw=["turbo_bug"],
                discard=["brain_fly", "bee_bear", "deathweaver", "spider_owl"],
            ),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play giraffodile")
    assert table.hand_size(ALICE) == 5
    table.choose("refuse")
    assert table.hand_size(ALICE) == 9
    assert table.discard(ALICE) == []


def test_t11_no_turn_action_loses(new_table):
    """T11: Alice has no card and no creature when her turn starts and loses (R18).

    Padding: the example starts with Bob's turn before it.
    """
    table = new_table(Position(Side(), Side(play=["gorillion"], hand=list(NEUTRAL)), active=BOB))
    table.choose("attack gorillion")
    assert (table.over, table.winner, table.ending) == (True, BOB, "no_action")
    assert (table.life(ALICE), table.turn) == (2, 2)


# Mindbugs -----------------------------------------------------------------------------------------


def test_t12_mindbugged_play_and_extra_turn(new_table):
    """T12: Bob takes Axolotl Healer and gains 2 life; Alice has an extra turn, then Bob (R37)."""
    table = new_table(
        Position(Side(hand=["axolotl_healer", *NEUTRAL]), Side(hand=list(NEUTRAL), mindbugs=2))
    )
    table.choose("play axolotl_healer")
    table.choose("use")
    assert (table.life(ALICE), table.life(BOB)) == (3, 5)
    assert table.mindbugs(BOB) == 1
    assert table.in_play(BOB) == ["axolotl_healer"]
    assert (table.point, table.decider, table.active, table.turn) == ("D1", ALICE, ALICE, 2)
    table.choose("play gorillion")
    table.choose("refuse")
    assert (table.point, table.decider, table.active, table.turn) == ("D1", BOB, BOB, 3)


def test_t13_two_mindbugs_in_a_row(new_table):
    """T13: Bob takes X and Y, then Z is Alice's without a window: three turns (R35, R37, R20)."""
    table = new_table(
        Position(Side(hand=["axolotl_healer", *NEUTRAL]), Side(hand=list(NEUTRAL), mindbugs=2))
    )
    for card in ("gorillion", "luchataur"):
        table.choose("play", card)
        table.choose("use")
    assert (table.active, table.turn) == (ALICE, 3)
    table.choose("play axolotl_healer")
    assert table.in_play(BOB) == ["gorillion", "luchataur"]
    assert table.in_play(ALICE) == ["axolotl_healer"]
    assert table.life(ALICE) == 5
    assert (table.point, table.decider, table.active, table.turn) == ("D1", BOB, BOB, 4)


@pytest.mark.parametrize(("mode", "turn"), [("turn", 2), ("action", 1)])
def test_t14_t15_extra_turn_or_action_without_an_action_loses(new_table, mode, turn):
    """T14, T15: Alice's only card is taken; she cannot act again and loses (R39, R18)."""
    table = new_table(
        Position(
            Side(hand=["gorillion"]),
            Side(hand=list(NEUTRAL), mindbugs=1),
            after_mindbug=mode,
        )
    )
    assert (table.point, table.decider) == ("D2", BOB)
    table.choose("use")
    assert (table.over, table.winner, table.ending) == (True, BOB, "no_action")
    assert table.turn == turn


def test_t16_the_opponent_of_a_mindbug_user_is_the_player_of_the_card(new_table):
    """T16: Bob takes Killer Bee, so Alice with 1 life loses at once (R36, R14)."""
    table = new_table(
        Position(Side(hand=["killer_bee", *NEUTRAL], life=1), Side(hand=list(NEUTRAL), mindbugs=1))
    )
    table.choose("play killer_bee")
    table.choose("use")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")
    assert table.life(ALICE) == 0


def test_t18_a_card_played_by_an_effect_has_no_window(new_table):
    """T18: Compost Dragon plays Killer Bee, which Bob cannot take; he loses 1 life (R40, R41)."""
    table = new_table(
        Position(
            Side(hand=["compost_dragon", *NEUTRAL], discard=["killer_bee"]),
            Side(hand=list(NEUTRAL), mindbugs=2),
        )
    )
    table.choose("play compost_dragon")
    table.choose("refuse")
    assert table.in_play(ALICE) == ["compost_dragon", "killer_bee"]
    assert table.life(BOB) == 2
    assert table.mindbugs(BOB) == 2
    assert (table.point, table.decider) == ("D1", BOB)


def test_t19_a_mindbugged_compost_dragon_uses_its_users_pile(new_table):
    """T19: Bob's Compost Dragon plays the card of his own pile, without a window (R36, R53)."""
    table = new_table(
        Position(
            Side(hand=["compost_dragon", *NEUTRAL], discard=["gorillion"], mindbugs=1),
            Side(hand=list(NEUTRAL), discard=["axolotl_healer"], mindbugs=1),
        )
    )
    table.choose("play compost_dragon")
    table.choose("use")
    assert table.in_play(BOB) == ["axolotl_healer", "compost_dragon"]
    assert table.life(BOB) == 5
    assert table.discard(ALICE) == ["gorillion"]
    assert (table.point, table.decider, table.mindbugs(ALICE)) == ("D1", ALICE, 1)


@pytest.mark.parametrize(("mode", "turn"), [("turn", 2), ("action", 1)])
def test_t21_a_taken_werewolf_is_strong_on_its_controllers_turn_only(new_table, mode, turn):
    """T21: Bob's Goblin Werewolf has power 2 until Alice's extra turn is over, then 8 (R21, C7)."""
    table = new_table(
        Position(
            Side(hand=["goblin_werewolf", *NEUTRAL]),
            Side(hand=list(NEUTRAL), mindbugs=1),
            after_mindbug=mode,
        )
    )
    table.choose("play goblin_werewolf")
    table.choose("use")
    assert (table.active, table.turn) == (ALICE, turn)
    assert table.power("goblin_werewolf") == 2
    table.choose("play gorillion")
    assert table.active == BOB
    assert table.power("goblin_werewolf") == 8


def test_t22_a_defeated_creature_goes_to_its_controllers_pile(new_table):
    """T22: the Gorillion that Bob took goes to Bob's pile when it is defeated (R3, R92)."""
    table = new_table(
        Position(
            Side(play=["plated_scorpion"], hand=["gorillion", *NEUTRAL]),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play gorillion")
    table.choose("use")
    table.choose("attack plated_scorpion")
    table.choose("block gorillion")
    assert table.discard(BOB) == ["gorillion"]
    assert table.discard(ALICE) == []


@pytest.mark.parametrize(
    ("weaver", "answer", "lives"),
    [(BOB, "refuse", (3, 3)), (BOB, "use", (3, 5)), (ALICE, "use", (3, 3))],
    ids=["t23", "t24", "t25"],
)
def test_t23_t24_t25_deathweaver_stops_the_opponents_play_effects(new_table, weaver, answer, lives):
    """T23, T24, T25: whose Axolotl Healer gains life under whose Deathweaver (R90, C1)."""
    weavers = [["deathweaver"] if player == weaver else [] for player in (ALICE, BOB)]
    table = new_table(
        Position(
            Side(play=weavers[ALICE], hand=["axolotl_healer", *NEUTRAL]),
            Side(play=weavers[BOB], hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play axolotl_healer")
    table.choose(answer)
    assert (table.life(ALICE), table.life(BOB)) == lives
    assert "axolotl_healer" in table.in_play(BOB if answer == "use" else ALICE)


# Basic combat, POISONOUS, TOUGH -------------------------------------------------------------------


def test_t28_the_lower_power_is_defeated(new_table):
    """T28: Bee Bear blocks Gorillion and is defeated; no life is lost (R70)."""
    table = new_table(board(["gorillion"], ["bee_bear"]))
    table.choose("attack gorillion")
    assert (table.point, table.decider) == ("D4", BOB)
    table.choose("block bee_bear")
    assert table.discard(BOB) == ["bee_bear"]
    assert table.in_play(ALICE) == ["gorillion"]
    assert table.life(BOB) == 3


def test_t29_an_unblocked_attack_costs_one_life(new_table):
    """T29: Bob does not block Gorillion and loses 1 life (R69)."""
    table = new_table(board(["gorillion"], ["bee_bear"]))
    table.choose("attack gorillion")
    table.choose("no_block")
    assert table.life(BOB) == 2
    assert table.in_play(BOB) == ["bee_bear"]


def test_t30_equal_powers_defeat_both(new_table):
    """T30: a 7 attacks, a 7 blocks, both are defeated (R70, R73)."""
    table = new_table(board(["giraffodile"], ["mysterious_mermaid"]))
    table.choose("attack giraffodile")
    table.choose("block mysterious_mermaid")
    assert table.discard(ALICE) == ["giraffodile"]
    assert table.discard(BOB) == ["mysterious_mermaid"]


def test_t31_poisonous_defeats_the_stronger_creature(new_table):
    """T31: Spider Owl hunts Luchataur and both are defeated (R71); Snail Thrower gives HUNTER."""
    table = new_table(board(["spider_owl", "snail_thrower"], ["luchataur"]))
    table.choose("attack spider_owl")
    table.choose("hunt luchataur")
    assert table.discard(ALICE) == ["spider_owl"]
    assert table.discard(BOB) == ["luchataur"]


def test_t32_a_weaker_attacker_without_poison_is_defeated_alone(new_table):
    """T32: Compost Dragon does not hunt, Axolotl Healer blocks, only the Dragon falls (R71)."""
    table = new_table(board(["compost_dragon"], ["axolotl_healer"]))
    table.choose("attack compost_dragon")
    table.choose("no_hunt")
    table.choose("block axolotl_healer")
    assert table.discard(ALICE) == ["compost_dragon"]
    assert table.in_play(BOB) == ["axolotl_healer"]


def test_t33_poisonous_against_poisonous(new_table):
    """T33: a POISONOUS 4 attacks, a POISONOUS 2 blocks, both are defeated (R71, R79)."""
    table = new_table(board(["axolotl_healer"], ["deathweaver"]))
    table.choose("attack axolotl_healer")
    table.choose("block deathweaver")
    assert table.discard(ALICE) == ["axolotl_healer"]
    assert table.discard(BOB) == ["deathweaver"]


def test_t34_tough_saves_from_poison_and_frenzy_goes_on(new_table):
    """T34: fresh Rhino Turtle is exhausted by a POISONOUS blocker and may attack again (R81)."""
    table = new_table(board(["rhino_turtle"], ["axolotl_healer"]))
    table.choose("attack rhino_turtle")
    table.choose("block axolotl_healer")
    assert table.discard(BOB) == ["axolotl_healer"]
    assert table.exhausted("rhino_turtle")
    assert (table.point, table.decider) == ("D5", ALICE)
    assert table.options() == ["attack_again", "stop"]


def test_t35_two_reasons_are_one_defeat(new_table):
    """T35: Shield Bugs, equal and facing POISONOUS, are only exhausted (R72)."""
    table = new_table(board(["axolotl_healer"], ["shield_bugs"]))
    table.choose("attack axolotl_healer")
    table.choose("block shield_bugs")
    assert table.discard(ALICE) == ["axolotl_healer"]
    assert table.in_play(BOB) == ["shield_bugs"]
    assert table.exhausted("shield_bugs")


def test_t38_an_exhausted_tough_creature_is_defeated(new_table):
    """T38: an exhausted Rhino Turtle attacks a POISONOUS blocker and both fall (R82, R71)."""
    table = new_table(board(["rhino_turtle exhausted"], ["axolotl_healer"]))
    table.choose("attack rhino_turtle")
    table.choose("block axolotl_healer")
    assert table.discard(ALICE) == ["rhino_turtle"]
    assert table.discard(BOB) == ["axolotl_healer"]


def test_t39_two_fresh_tough_creatures_are_both_exhausted(new_table):
    """T39: two fresh Rhino Turtles fight, both are exhausted and nothing triggers (R73, R81)."""
    table = new_table(board(["rhino_turtle"], ["rhino_turtle"]))
    table.choose("attack rhino_turtle")
    table.choose("block rhino_turtle")
    assert table.exhausted("alice rhino_turtle")
    assert table.exhausted("bob rhino_turtle")
    assert table.discard(ALICE) == table.discard(BOB) == []
    assert table.waiting == 0


def test_t40_the_second_fight_defeats_both_scorpions(new_table):
    """T40: two fresh Plated Scorpions exhaust each other, then defeat each other (R72, R82)."""
    table = new_table(board(["plated_scorpion"], ["plated_scorpion"]))
    table.choose("attack plated_scorpion")
    table.choose("block plated_scorpion")
    assert table.exhausted("alice plated_scorpion")
    assert table.exhausted("bob plated_scorpion")
    assert table.active == BOB
    table.choose("attack plated_scorpion")
    table.choose("block plated_scorpion")
    assert table.discard(ALICE) == table.discard(BOB) == ["plated_scorpion"]


def test_t41_a_poisonous_tough_blocker(new_table):
    """T41: Luchataur is defeated by the Plated Scorpion that blocks; it is exhausted (R71, R81)."""
    table = new_table(board(["luchataur"], ["plated_scorpion"]))
    table.choose("attack luchataur")
    table.choose("block plated_scorpion")
    assert table.discard(ALICE) == ["luchataur"]
    assert table.in_play(BOB) == ["plated_scorpion"]
    assert table.exhausted("plated_scorpion")
    assert (table.point, table.decider) == ("D1", BOB)


def _kangasaurus_rex_against(shield_bugs: str) -> Position:
    """T42, T43: Alice is about to play Kangasaurus Rex."""
    return Position(
        Side(hand=["kangasaurus_rex", *NEUTRAL]),
        Side(play=[shield_bugs, "spider_owl", "axolotl_healer"], hand=list(NEUTRAL)),
    )


def test_t42_the_group_is_fixed_with_current_power(new_table):
    """T42: fresh Shield Bugs are exhausted, Owl (4) defeated, Healer (5) survives (R50, R87)."""
    table = new_table(_kangasaurus_rex_against("shield_bugs"))
    assert table.power("axolotl_healer") == 5
    table.choose("play kangasaurus_rex")
    assert table.in_play(BOB) == ["axolotl_healer", "shield_bugs"]
    assert table.exhausted("shield_bugs")
    assert table.discard(BOB) == ["spider_owl"]


def test_t43_a_bonus_lost_with_the_group_does_not_widen_it(new_table):
    """T43: exhausted Shield Bugs fall with the Owl; Healer survives with power 4 (R50, R96)."""
    table = new_table(_kangasaurus_rex_against("shield_bugs exhausted"))
    table.choose("play kangasaurus_rex")
    assert table.in_play(BOB) == ["axolotl_healer"]
    assert table.discard(BOB) == ["shield_bugs", "spider_owl"]
    assert table.power("axolotl_healer") == 4


def test_t44_a_taken_creature_stays_exhausted(new_table):
    """T44: the exhausted Rhino Turtle that Brain Fly took falls into Alice's pile (R95, R82)."""
    table = new_table(
        Position(
            Side(hand=["brain_fly", *NEUTRAL]),
            Side(play=["rhino_turtle exhausted", "gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play brain_fly")
    table.choose("target rhino_turtle")
    assert table.in_play(ALICE) == ["brain_fly", "rhino_turtle"]
    assert table.exhausted("alice rhino_turtle")
    assert (table.point, table.decider, table.waiting) == ("D1", BOB, 0)
    table.choose("attack gorillion")
    table.choose("block rhino_turtle")
    assert table.discard(ALICE) == ["rhino_turtle"]
    assert table.discard(BOB) == []


# SNEAKY and HUNTER --------------------------------------------------------------------------------


def test_t46_only_sneaky_creatures_block_a_sneaky_attacker(new_table):
    """T46: Spider Owl may be blocked by Tiger Squirrel, not by Elephantopus (R68)."""
    table = new_table(board(["spider_owl"], ["tiger_squirrel", "elephantopus"]))
    table.choose("attack spider_owl")
    assert table.options() == ["block bob tiger_squirrel", "no_block"]


def test_t47_a_sneaky_creature_blocks_normally(new_table):
    """T47: Tiger Squirrel may block Gorillion and is defeated (R80)."""
    table = new_table(board(["gorillion"], ["tiger_squirrel"]))
    table.choose("attack gorillion")
    table.choose("block tiger_squirrel")
    assert table.discard(BOB) == ["tiger_squirrel"]
    assert table.life(BOB) == 3


def test_t48_sneaky_against_sneaky(new_table):
    """T48: Spider Owl blocks Tiger Squirrel and both are defeated (R68, R70)."""
    table = new_table(board(["tiger_squirrel"], ["spider_owl"]))
    table.choose("attack tiger_squirrel")
    table.choose("block spider_owl")
    assert table.discard(ALICE) == ["tiger_squirrel"]
    assert table.discard(BOB) == ["spider_owl"]


def test_t51_hunting_ignores_sneaky(new_table):
    """T51: Spider Owl hunts Gorillion, which must block (R67, R66); Snail Thrower gives HUNTER."""
    table = new_table(board(["spider_owl", "snail_thrower"], ["gorillion"]))
    table.choose("attack spider_owl")
    table.choose("hunt gorillion")
    assert table.discard(ALICE) == ["spider_owl"]
    assert table.discard(BOB) == ["gorillion"]
    assert table.life(BOB) == 3


def test_t52_without_hunting_sneaky_counts(new_table):
    """T52: Spider Owl does not hunt, Gorillion cannot block, Bob loses 1 life (R65, R68, R69)."""
    table = new_table(board(["spider_owl", "snail_thrower"], ["gorillion"]))
    table.choose("attack spider_owl")
    table.choose("no_hunt")
    assert (table.point, table.decider) == ("D1", BOB)
    assert table.life(BOB) == 2


def test_t53_hunting_ignores_elephantopus(new_table):
    """T53: Killer Bee hunts Spider Owl in spite of Elephantopus; both fall (R67, C5)."""
    table = new_table(board(["killer_bee", "elephantopus"], ["spider_owl"]))
    table.choose("attack killer_bee")
    table.choose("hunt spider_owl")
    assert table.discard(ALICE) == ["killer_bee"]
    assert table.discard(BOB) == ["spider_owl"]


def test_t54_elephantopus_forbids_blocking(new_table):
    """T54: Killer Bee does not hunt and Spider Owl may not block: Bob loses 1 life (C5)."""
    table = new_table(board(["killer_bee", "elephantopus"], ["spider_owl"]))
    table.choose("attack killer_bee")
    table.choose("no_hunt")
    assert (table.point, table.decider) == ("D1", BOB)
    assert table.life(BOB) == 2


def test_t57_hunter_not_used_is_a_normal_attack(new_table):
    """T57: Killer Bee does not hunt, so Bob may block or not (R65, R68)."""
    table = new_table(board(["killer_bee"], ["bee_bear"]))
    table.choose("attack killer_bee")
    assert table.options() == ["hunt bob bee_bear", "no_hunt"]
    table.choose("no_hunt")
    assert (table.point, table.decider) == ("D4", BOB)
    assert table.options() == ["block bob bee_bear", "no_block"]


def test_t58_attack_triggers_come_before_the_hunt_choice(new_table):
    """T58: Shark Dog's effect defeats Gorillion first; only Ferret Bomber can be hunted (R61)."""
    table = new_table(board(["shark_dog"], ["gorillion", "ferret_bomber"]))
    table.choose("attack shark_dog")
    assert table.discard(BOB) == ["gorillion"]
    assert (table.point, table.decider) == ("D3", ALICE)
    assert table.options() == ["hunt bob ferret_bomber", "no_hunt"]


def test_t59_nothing_left_to_hunt_or_block(new_table):
    """T59: Shark Dog's effect defeats the only enemy, and Bob loses 1 life (R65, R69)."""
    table = new_table(board(["shark_dog"], ["gorillion"]))
    table.choose("attack shark_dog")
    assert table.discard(BOB) == ["gorillion"]
    assert table.life(BOB) == 2
    assert (table.point, table.decider) == ("D1", BOB)


def test_t61_a_hunted_tough_creature(new_table):
    """T61: Killer Bee hunts fresh Shield Bugs: exhausted, no life lost (R66, R81)."""
    table = new_table(board(["killer_bee"], ["shield_bugs"]))
    table.choose("attack killer_bee")
    table.choose("hunt shield_bugs")
    assert table.exhausted("shield_bugs")
    assert table.in_play(ALICE) == ["killer_bee"]
    assert table.life(BOB) == 3


def test_t63_hunter_does_nothing_for_the_blocker(new_table):
    """T63: Killer Bee hunts Killer Bee and both are defeated (R78, R70)."""
    table = new_table(board(["killer_bee"], ["killer_bee"]))
    table.choose("attack killer_bee")
    table.choose("hunt killer_bee")
    assert table.discard(ALICE) == table.discard(BOB) == ["killer_bee"]


# FRENZY and Attack triggers -----------------------------------------------------------------------


def test_t66_two_unblocked_attacks(new_table):
    """T66: Luchataur attacks twice unblocked: Bob 3 to 1, turn over (R74)."""
    table = new_table(board(["luchataur"], []))
    table.choose("attack luchataur")
    assert (table.point, table.decider) == ("D5", ALICE)
    table.choose("attack again")
    assert table.life(BOB) == 1
    assert (table.point, table.active) == ("D1", BOB)


def test_t67_the_second_attack_is_optional(new_table):
    """T67: Luchataur attacks once and stops: Bob 3 to 2 (R74)."""
    table = new_table(board(["luchataur"], []))
    table.choose("attack luchataur")
    table.choose("stop")
    assert table.life(BOB) == 2
    assert (table.point, table.active) == ("D1", BOB)


def test_t70_frenzy_does_nothing_for_the_blocker(new_table):
    """T70: Luchataur blocks Rhino Turtle twice: exhausted, then defeated (R77, R74, R82)."""
    table = new_table(board(["rhino_turtle"], ["luchataur"]))
    table.choose("attack rhino_turtle")
    table.choose("block luchataur")
    assert table.exhausted("rhino_turtle")
    table.choose("attack again")
    table.choose("block luchataur")
    assert table.discard(ALICE) == ["rhino_turtle"]
    assert table.in_play(BOB) == ["luchataur"]
    assert (table.point, table.active) == ("D1", BOB)


def test_t71_frenzy_gained_between_the_attacks(new_table):
    """T71: two Toad triggers leave Lone Yeti alone, so it may attack again (R74, R57, C6)."""
    table = new_table(board(["lone_yeti", "explosive_toad"], ["explosive_toad", "gorillion"]))
    table.choose("attack lone_yeti")
    table.choose("block explosive_toad")
    assert (table.point, table.decider) == ("D6", BOB)
    table.choose("target explosive_toad")
    assert (table.point, table.decider) == ("D6", ALICE)
    table.choose("target gorillion")
    assert table.in_play(ALICE) == ["lone_yeti"]
    assert table.in_play(BOB) == []
    assert table.exhausted("lone_yeti")
    assert table.power("lone_yeti") == 10
    assert table.keywords("lone_yeti") == ["FRENZY", "TOUGH"]
    assert (table.point, table.decider) == ("D5", ALICE)


def test_t72_frenzy_lost_between_the_attacks(new_table):
    """T72: with Bob's Toad gone Sharky has no FRENZY and may not attack again (R89, R74)."""
    table = new_table(board(["sharky_crab_dog_mummypus", "shield_bugs"], ["explosive_toad"]))
    assert table.power("sharky_crab_dog_mummypus") == 6
    assert table.keywords("sharky_crab_dog_mummypus") == ["FRENZY"]
    table.choose("attack sharky_crab_dog_mummypus")
    table.choose("block explosive_toad")
    table.choose("target shield_bugs")
    assert table.exhausted("shield_bugs")
    assert table.discard(BOB) == ["explosive_toad"]
    assert table.keywords("sharky_crab_dog_mummypus") == []
    assert (table.point, table.decider) == ("D1", BOB)


def test_t74_the_attack_ends_when_the_attacker_is_gone(new_table):
    """T74: Snail Hydra defeats the Toad, whose trigger defeats Hydra: no block (R64, R58)."""
    table = new_table(board(["snail_hydra"], ["explosive_toad", "gorillion"]))
    table.choose("attack snail_hydra")
    table.choose("target explosive_toad")
    assert (table.point, table.decider) == ("D6", BOB)
    table.choose("target snail_hydra")
    assert table.in_play(ALICE) == []
    assert table.in_play(BOB) == ["gorillion"]
    assert table.life(BOB) == 3
    assert (table.point, table.decider) == ("D1", BOB)


def test_t75_snail_hydra_may_defeat_itself(new_table):
    """T75: Snail Hydra may be its own target, and the attack ends (R45, R64, C11)."""
    table = new_table(board(["snail_hydra"], ["explosive_toad", "gorillion"]))
    table.choose("attack snail_hydra")
    table.choose("target snail_hydra")
    assert table.discard(ALICE) == ["snail_hydra"]
    assert table.life(BOB) == 3
    assert (table.point, table.decider) == ("D1", BOB)


def test_t76_attack_trigger_and_unblocked_attack(new_table):
    """T76: Chameleon Sniper takes Bob's 2 lives; his Gorillion is not SNEAKY (R63, R69)."""
    table = new_table(board(["chameleon_sniper"], ["gorillion"], bob_life=2))
    table.choose("attack chameleon_sniper")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")
    assert table.life(BOB) == 0


def test_t77_turbo_bug_leaves_one_life(new_table):
    """T77: Turbo Bug takes Bob from 5 lives to 1, then the attack wins (C8, R69)."""
    table = new_table(board(["turbo_bug"], [], bob_life=5))
    table.choose("attack turbo_bug")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")


# Triggers and simultaneity ------------------------------------------------------------------------


def test_t80_two_toads_fall_together(new_table):
    """T80: two Toads fight; Alice orders the triggers and no Toad is a target (R73, R57, R44)."""
    table = new_table(
        board(["explosive_toad", "giraffodile"], ["explosive_toad", "mysterious_mermaid"])
    )
    table.choose("attack explosive_toad")
    table.choose("block explosive_toad")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    assert table.options() == [
        "resolve alice explosive_toad defeated",
        "resolve bob explosive_toad defeated",
    ]
    table.choose("resolve alice explosive_toad")
    assert (table.point, table.decider, table.waiting) == ("D6", ALICE, 1)
    assert table.options() == ["target alice giraffodile", "target bob mysterious_mermaid"]
    table.choose("target mysterious_mermaid")
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert table.discard(ALICE) == ["explosive_toad", "giraffodile"]
    assert table.discard(BOB) == ["explosive_toad", "mysterious_mermaid"]


def test_t83_a_toad_without_a_target(new_table):
    """T83: Toad and Killer Bee defeat each other, no creature is left, nothing happens (R43)."""
    table = new_table(board(["killer_bee"], ["explosive_toad"]))
    table.choose("attack killer_bee")
    table.choose("hunt explosive_toad")
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert (table.point, table.decider, table.waiting) == ("D1", BOB, 0)


def test_t84_an_allied_creature_must_be_chosen(new_table):
    """T84: only Gorillion is left for the trigger of Bob's Toad and must be chosen (R46)."""
    table = new_table(board(["killer_bee"], ["explosive_toad", "gorillion"]))
    table.choose("attack killer_bee")
    table.choose("hunt explosive_toad")
    assert table.discard(BOB) == ["explosive_toad", "gorillion"]
    assert table.in_play(BOB) == []


@pytest.mark.parametrize(
    ("choices", "taken"),
    [
        (["stop"], []),
        (["target killer_bee", "stop"], ["killer_bee"]),
        (["target killer_bee", "target axolotl_healer"], ["axolotl_healer", "killer_bee"]),
    ],
)
def test_t85_harpy_mother_takes_up_to_two(new_table, choices, taken):
    """T85: Bob's Harpy Mother takes 0, 1 or 2 creatures without Play effects (R49, R95)."""
    table = new_table(board(["gorillion", "axolotl_healer", "killer_bee"], ["harpy_mother"]))
    table.choose("attack gorillion")
    table.choose("block harpy_mother")
    assert (table.point, table.decider) == ("D8", BOB)
    assert table.options() == ["stop", "target alice axolotl_healer", "target alice killer_bee"]
    for choice in choices:
        assert table.in_play(BOB) == []
        table.choose(choice)
    assert table.in_play(BOB) == taken
    assert (table.life(ALICE), table.life(BOB)) == (3, 3)
    assert (table.point, table.decider) == ("D1", BOB)


@pytest.mark.parametrize(("alice_life", "bob_life", "outcome"), [(1, 4, 4), (6, 2, 2)])
def test_t89_mysterious_mermaid_sets_the_life_total(new_table, alice_life, bob_life, outcome):
    """T89: Alice's life becomes Bob's life, up or down (R17)."""
    table = new_table(
        Position(
            Side(hand=["mysterious_mermaid", *NEUTRAL], life=alice_life),
            Side(hand=list(NEUTRAL), life=bob_life),
        )
    )
    table.choose("play mysterious_mermaid")
    assert (table.life(ALICE), table.life(BOB)) == (outcome, bob_life)


# Constant abilities -------------------------------------------------------------------------------


def test_t90_grants_look_at_current_power(new_table):
    """T90: Shield Bugs and Snail Thrower together: powers first, then keywords (R85, R87, C4)."""
    table = new_table(
        board(["snail_thrower", "shield_bugs", "spider_owl", "axolotl_healer"], ["gorillion"])
    )
    assert table.power("snail_thrower") == 2
    assert table.power("shield_bugs") == 4
    assert table.power("spider_owl") == 4
    assert table.power("axolotl_healer") == 5
    assert table.keywords("snail_thrower") == ["POISONOUS"]
    assert table.keywords("shield_bugs") == ["HUNTER", "POISONOUS", "TOUGH"]
    assert table.keywords("spider_owl") == ["HUNTER", "POISONOUS", "SNEAKY"]
    assert table.keywords("axolotl_healer") == ["POISONOUS"]


def test_t91_grants_come_and_go_with_the_turn(new_table):
    """T91: Urchin Hurler lifts Tiger Squirrel above Snail Thrower's limit on Alice's turn (R85)."""
    table = new_table(board(["snail_thrower", "urchin_hurler", "tiger_squirrel"], ["gorillion"]))
    assert table.power("tiger_squirrel") == 5
    assert table.keywords("tiger_squirrel") == ["SNEAKY"]
    table.choose("play gorillion")
    assert table.active == BOB
    assert table.power("tiger_squirrel") == 3
    assert table.keywords("tiger_squirrel") == ["HUNTER", "POISONOUS", "SNEAKY"]
    table.choose("attack gorillion")
    table.choose("block tiger_squirrel")
    assert table.discard(ALICE) == ["tiger_squirrel"]
    assert table.discard(BOB) == ["gorillion"]


def test_t93_sharky_copies_granted_keywords(new_table):
    """T93: Sharky has what Ferret Bomber was granted and has printed, but no FRENZY (R89)."""
    table = new_table(board(["sharky_crab_dog_mummypus"], ["snail_thrower", "ferret_bomber"]))
    assert table.keywords("ferret_bomber") == ["HUNTER", "POISONOUS", "SNEAKY"]
    assert table.keywords("snail_thrower") == ["POISONOUS"]
    assert table.keywords("sharky_crab_dog_mummypus") == ["HUNTER", "POISONOUS", "SNEAKY"]


def test_t94_two_sharkys_have_nothing_to_copy(new_table):
    """T94: two Sharkys facing each other have no keyword (R89)."""
    table = new_table(board(["sharky_crab_dog_mummypus"], ["sharky_crab_dog_mummypus"]))
    assert table.keywords("alice sharky_crab_dog_mummypus") == []
    assert table.keywords("bob sharky_crab_dog_mummypus") == []


def test_t95_sharky_follows_lone_yeti(new_table):
    """T95: Sharky has FRENZY while Bob's Lone Yeti is alone and not afterwards (R84, R89)."""
    table = new_table(board(["sharky_crab_dog_mummypus"], ["lone_yeti"], active=BOB))
    assert table.keywords("sharky_crab_dog_mummypus") == ["FRENZY"]
    table.choose("play gorillion")
    assert table.keywords("sharky_crab_dog_mummypus") == []


def test_c3_sharky_blocks_with_copied_sneaky(new_table):
    """C3: Sharky copies the SNEAKY of the attacking Tiger Squirrel and may block it (R89, R68)."""
    table = new_table(board(["tiger_squirrel"], ["sharky_crab_dog_mummypus", "gorillion"]))
    table.choose("attack tiger_squirrel")
    assert table.options() == ["block bob sharky_crab_dog_mummypus", "no_block"]


def test_t96_lone_yeti_becomes_alone(new_table):
    """T96: Lone Yeti has 5 with an ally and 10 with FRENZY after the ally has left (C6)."""
    table = new_table(board(["lone_yeti", "tiger_squirrel"], ["spider_owl"]))
    assert table.power("lone_yeti") == 5
    assert table.keywords("lone_yeti") == ["TOUGH"]
    table.choose("attack tiger_squirrel")
    table.choose("block spider_owl")
    assert table.in_play(ALICE) == ["lone_yeti"]
    assert table.power("lone_yeti") == 10
    assert table.keywords("lone_yeti") == ["FRENZY", "TOUGH"]


def test_t97_block_limits_look_at_current_power(new_table):
    """T97: Strange Barrel (6, now 7) may block Bee Bear, Shield Bugs (4) may not (R87, R68)."""
    table = new_table(board(["bee_bear"], ["strange_barrel", "shield_bugs"]))
    table.choose("attack bee_bear")
    assert table.options() == ["block bob strange_barrel", "no_block"]


# Policy and caps, further cases -------------------------------------------------------------------


def test_t131_no_window_without_a_mindbug(new_table):
    """T131: Bob has no Mindbug, so he is not asked (R120)."""
    table = new_table(board([], []))
    table.choose("play gorillion")
    assert table.in_play(ALICE) == ["gorillion"]
    assert (table.point, table.decider) == ("D1", BOB)


def test_t132_up_to_two_is_asked_pick_by_pick(new_table):
    """T132: "up to 2" of three targets offers 4 options, then 3 (D8); with Harpy Mother."""
    table = new_table(
        board(["gorillion", "axolotl_healer", "killer_bee", "turbo_bug"], ["harpy_mother"])
    )
    table.choose("attack gorillion")
    table.choose("block harpy_mother")
    assert table.options() == [
        "stop",
        "target alice axolotl_healer",
        "target alice killer_bee",
        "target alice turbo_bug",
    ]
    table.choose("target killer_bee")
    assert table.options() == ["stop", "target alice axolotl_healer", "target alice turbo_bug"]


def test_t133_the_turn_cap_makes_a_draw(new_table):
    """T133: a game is a draw, capped, when its last turn has ended (R20); here the cap is 2."""
    table = new_table(board([], []), turn_cap=2)
    table.choose("play gorillion")
    assert not table.over
    table.choose("play gorillion")
    assert (table.over, table.winner, table.ending) == (True, -1, "capped")
    assert table.turn == 2


@pytest.mark.parametrize(("life", "winner"), [(2, BOB), (3, -1), (4, ALICE)])
def test_more_life_at_the_turn_cap(new_table, life, winner):
    """R20: as the publisher's tournament rules have it, if the pool says so."""
    position = Position(Side(hand=list(NEUTRAL), life=life), Side(hand=list(NEUTRAL)))
    table = new_table(position, turn_cap=2, at_turn_cap="higher_life")
    table.choose("play gorillion")
    table.choose("play gorillion")
    assert (table.over, table.winner, table.ending) == (True, winner, "capped")


def test_t145_an_effect_is_finished_before_the_next(new_table):
    """T145: Compost Dragon plays a second one, which plays Ferret Bomber (R56, R57, R41)."""
    table = new_table(
        Position(
            Side(
                hand=["compost_dragon", *NEUTRAL],
                discard=["ferret_bomber", "compost_dragon"],
            ),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("play compost_dragon")
    assert (table.point, table.decider) == ("D6", ALICE)
    table.choose("target compost_dragon")
    assert table.in_play(ALICE) == ["compost_dragon", "compost_dragon", "ferret_bomber"]
    assert (table.point, table.decider, table.waiting) == ("D10", BOB, 0)
    table.choose("discard gorillion")
    table.choose("discard luchataur")
    assert table.discard(BOB) == ["gorillion", "luchataur"]
    assert table.discard(ALICE) == []


def test_t146_refill_comes_before_the_block_choice(new_table):
    """T146: Tusked Extorter costs Bob a card and he draws before he blocks (R27, R61)."""
    table = new_table(
        Position(
            Side(play=["tusked_extorter"], hand=list(NEUTRAL)),
            Side(
                play=["bee_bear"],
                hand=["killer_bee", "turbo_bug", *NEUTRAL],
                draw=["brain_fly"],
            ),
        )
    )
    table.choose("attack tusked_extorter")
    table.choose("discard turbo_bug")
    assert (table.point, table.decider) == ("D4", BOB)
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 0)
    assert "brain_fly" in table.hand(BOB)


def test_t147_exhausted_against_fresh(new_table):
    """T147: exhausted Elephantopus attacks a fresh one: defeated and exhausted (R73, R82)."""
    table = new_table(board(["elephantopus exhausted"], ["elephantopus"]))
    table.choose("attack elephantopus")
    table.choose("block elephantopus")
    assert table.discard(ALICE) == ["elephantopus"]
    assert table.in_play(BOB) == ["elephantopus"]
    assert table.exhausted("bob elephantopus")


def test_t148_own_creatures_cannot_be_taken(new_table):
    """T148: Bob's mindbugged Brain Fly may take Alice's 6 or 9, not his own 8 (R45, R36, R37)."""
    table = new_table(
        Position(
            Side(play=["strange_barrel", "luchataur"], hand=["brain_fly", *NEUTRAL]),
            Side(play=["bee_bear"], hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play brain_fly")
    table.choose("use")
    assert (table.point, table.decider) == ("D6", BOB)
    assert table.options() == ["target alice luchataur", "target alice strange_barrel"]
    table.choose("target luchataur")
    assert table.in_play(BOB) == ["bee_bear", "brain_fly", "luchataur"]
    assert (table.point, table.decider, table.turn) == ("D1", ALICE, 2)
