"""The worked examples (T1 ...) and rulings (C1 ...) that need Beyond Evolution.

See ``test_worked_examples.py``; padding is the same. On which engines: ``reference_examples.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board
from support.reference_examples import ENGINES, examples_on


@pytest.fixture(params=ENGINES)
def example(request):
    """Set up a position on an engine."""
    return examples_on(request.param)


def playing(card: str, *, alice: Sequence[str] = (), bob: Sequence[str] = (), **more) -> Position:
    """Alice is about to play a card; both hold the padding. ``mindbugs``, ``life`` are Bob's."""
    return Position(
        Side(play=list(alice), hand=[card, *NEUTRAL]),
        Side(play=list(bob), hand=list(NEUTRAL), **more),
    )


# Mindbugs, SNEAKY, FRENZY -------------------------------------------------------------------------


def test_t26_the_active_player_orders_the_triggers_of_both_toads(example):
    """T26: Alice orders the triggers of her two Toads; both hit Turtle Toaster (R44, R57, R21)."""
    table = example(playing("turtle_toaster", alice=["explosive_toad"] * 2, mindbugs=1))
    table.choose("play turtle_toaster")
    table.choose("use")
    table.choose("target explosive_toad")
    table.choose("target explosive_toad")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    table.choose("resolve explosive_toad")
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert table.discard(BOB) == ["turtle_toaster"]
    assert (table.point, table.decider, table.turn) == ("D1", ALICE, 2)


def test_t49_sneaky_and_tough(example):
    """T49: fresh Robopup attacks, Tiger Squirrel blocks, Robopup is exhausted (R81)."""
    table = example(board(["robopup"], ["tiger_squirrel"]))
    table.choose("attack robopup")
    table.choose("block tiger_squirrel")
    assert table.exhausted("robopup")


def test_t86_all_other_allied_creatures(example):
    """T86: Radioactive Rabbit takes a fresh TOUGH 5 (exhausted) and a 7 (defeated) along (R50)."""
    table = example(board(["gorillion"], ["radioactive_rabbit", "mole_machine", "giraffodile"]))
    table.choose("attack gorillion")
    table.choose("block radioactive_rabbit")
    assert table.in_play(BOB) == ["mole_machine"]
    assert table.exhausted("mole_machine")
    assert table.discard(BOB) == ["giraffodile", "radioactive_rabbit"]


# Actions and evolution ----------------------------------------------------------------------------


def test_t102_an_action_without_a_target_is_not_offered(example):
    """T102: Infernostrich without an enemy of power 7 or more can only attack (R99)."""
    position = board(["infernostrich"], ["bee_bear"])
    assert "activate alice infernostrich" in example(position).options()
    position = board(["infernostrich"], ["killer_bee"])
    table = example(position)
    assert "attack alice infernostrich" in table.options()
    assert "activate alice infernostrich" not in table.options()


def test_t103_an_action_is_legal_if_only_the_evolution_is_possible(example):
    """T103: Cloud Lady without a target evolves to Typhoon Princess; turn over (R99, R101, R43)."""
    table = example(board(["cloud_lady"], ["gorillion"]))
    table.choose("activate cloud_lady")
    assert table.in_play(ALICE) == ["typhoon_princess"]
    assert table.power("typhoon_princess") == 6
    assert (table.point, table.active) == ("D1", BOB)


def test_cloud_lady_defeats_before_it_evolves(example):
    """R43, R101: the target is judged by stage I; the Princess on a later turn takes a 6."""
    table = example(board(["cloud_lady"], ["strange_barrel", "turbo_bug"]))
    table.choose("activate cloud_lady")
    assert table.discard(BOB) == ["turbo_bug"]
    table.choose("play luchataur")
    table.choose("activate typhoon_princess")
    assert "strange_barrel" in table.discard(BOB)
    assert table.in_play(ALICE) == ["thunder_queen"]


def test_t104_an_evolving_creature_stays_exhausted_and_leaves_as_stage_one(example):
    """T104: exhausted Frog Prophet evolves and falls as Curious Tadpole (R101, R102)."""
    table = example(board(["frog_prophet exhausted"], ["gorillion"]))
    table.choose("activate frog_prophet")
    assert table.life(ALICE) == 4
    assert table.exhausted("world_eater")
    assert table.keywords("world_eater") == ["POISONOUS", "TOUGH"]
    table.choose("attack gorillion")
    table.choose("block world_eater")
    assert table.discard(ALICE) == ["curious_tadpole"]
    assert table.in_play(ALICE) == []


def test_t105_a_legal_action_saves_from_losing(example):
    """T105: the empty-handed Alice's Tadpole cannot attack but acts; she does not lose (R100).

    Bob's Hamster Lion stops her lowest creature.
    """
    table = example(
        Position(Side(play=["curious_tadpole"]), Side(play=["hamster_lion"], hand=list(NEUTRAL)))
    )
    assert not table.over
    assert table.in_play(ALICE) == ["frog_prophet"]
    assert (table.life(ALICE), table.point, table.active) == (4, "D1", BOB)


@pytest.mark.parametrize("enemies", [[], ["gorillion"]])
def test_t106_octocopter_may_defeat_itself_for_nothing(example, enemies):
    """T106: without enemies the Action is legal; Octocopter is defeated, else it pays (C22)."""
    table = example(board(["octocopter"], enemies))
    table.choose("activate octocopter")
    assert table.discard(ALICE) == ["octocopter"]
    assert table.in_play(ALICE) == enemies


def test_c22_octocopter_takes_control_after_its_defeat(example):
    """C22: first it is defeated, then control is taken of an enemy creature of choice (R43)."""
    table = example(board(["octocopter", "shield_bugs"], ["gorillion", "luchataur"]))
    table.choose("activate octocopter")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == ["target bob gorillion", "target bob luchataur"]
    table.choose("target gorillion")
    assert table.in_play(ALICE) == ["gorillion", "shield_bugs"]


def test_t107_an_ordered_attack(example):
    """T107: Bob's Killer Bee must attack: Bob hunts or not, Alice blocks; one attack (R76, R21)."""
    table = example(board(["cake_trickster"], ["killer_bee"]))
    table.choose("activate cake_trickster")
    assert (table.point, table.decider, table.active) == ("D3", BOB, ALICE)
    table.choose("no_hunt")
    assert (table.point, table.decider, table.active) == ("D4", ALICE, ALICE)
    table.choose("no_block")
    assert table.life(ALICE) == 2
    assert (table.point, table.active, table.turn) == ("D1", BOB, 2)


def test_c21_any_enemy_may_be_chosen_but_only_an_able_one_attacks(example):
    """C21: under Hamster Lion the lowest may be chosen and does not attack; FRENZY is no use."""
    position = board(["cake_trickster", "hamster_lion"], ["turbo_bug", "luchataur"])
    table = example(position)
    table.choose("activate cake_trickster")
    assert table.options() == ["target bob luchataur", "target bob turbo_bug"]
    table.choose("target turbo_bug")
    assert (table.point, table.active, table.life(ALICE)) == ("D1", BOB, 3)
    table = example(position)
    table.choose("activate cake_trickster")
    table.choose("target luchataur")
    table.choose("no_block")
    assert (table.point, table.active, table.life(ALICE)) == ("D1", BOB, 2)


def test_c21_the_action_needs_an_enemy_that_can_attack(example):
    """C21: with no enemy creature able to attack the Action is not legal (R99)."""
    table = example(board(["cake_trickster", "hamster_lion"], ["turbo_bug"]))
    assert "activate alice cake_trickster" not in table.options()


def test_c12_dragon_inn_counts_when_it_is_activated(example):
    """C12: legal, and of use, only with fewer creatures than the opponent (R99)."""
    table = example(board(["dragon_inn"], ["gorillion"]))
    assert "activate alice dragon_inn" not in table.options()
    table = example(board(["dragon_inn"], ["gorillion", "bee_bear"]))
    table.choose("activate dragon_inn")
    assert table.life(BOB) == 2


def test_wildsprout_evolves_before_the_played_card_takes_effect(example):
    """R57: Wildsprout's effect is finished before the Play effect of the card it plays."""
    table = example(
        Position(
            Side(play=["wildsprout"], hand=list(NEUTRAL), discard=["tiger_squirrel"]),
            Side(play=["gorillion", "luchataur"], hand=list(NEUTRAL)),
        )
    )
    table.choose("activate wildsprout")
    assert table.in_play(ALICE) == ["bigroot", "tiger_squirrel"]
    assert (table.point, table.decider, table.waiting) == ("D6", ALICE, 0)


def test_oakenmaster_strengthens_the_others(example):
    """R84: your other creatures have +5 power, whichever stage gives it."""
    table = example(board(["oakenmaster", "robopup"], ["gorillion"]))
    assert (table.power("robopup"), table.power("oakenmaster")) == (6, 7)


def test_penguins_make_the_opponent_discard_and_evolve(example):
    """R98, R101: two Actions turn Waddling Recruit into Frosty Fortress."""
    table = example(board(["waddling_recruit"], []))
    table.choose("activate waddling_recruit")
    table.choose("discard gorillion")
    assert table.in_play(ALICE) == ["veteran_penguin"]
    table.choose("play luchataur")
    table.choose("activate veteran_penguin")
    assert table.in_play(ALICE) == ["frosty_fortress"]
    assert table.hand_size(BOB) == 0


def test_t116_hand_and_draw_pile_at_the_same_time(example):
    """T116, C32: Frosty Fortress takes 5 cards of hand and 3 of the pile; no refill (R33)."""
    table = example(
        Position(
            Side(play=["frosty_fortress"], hand=list(NEUTRAL)),
            Side(play=["bee_bear"], hand=["turbo_bug", "brain_fly", *NEUTRAL], draw=list(NEUTRAL)),
        )
    )
    table.choose("attack frosty_fortress")
    assert len(table.discard(BOB)) == 8
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (0, 0)
    assert (table.point, table.decider) == ("D4", BOB)


# Changing control ---------------------------------------------------------------------------------


def test_t108_the_experiment_may_be_taken_back(example):
    """T108: Bob gets The Experiment, then Alice takes one of his, that one included (C18)."""
    table = example(playing("the_experiment", bob=["gorillion"]))
    table.choose("play the_experiment")
    assert table.in_play(BOB) == ["gorillion", "the_experiment"]
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == ["target bob gorillion", "target bob the_experiment"]
    table.choose("target the_experiment")
    assert table.in_play(ALICE) == ["the_experiment"]


def test_c18_a_mindbugged_rabbit_goes_to_the_player_who_showed_it(example):
    """C18: of a Radioactive Rabbit that Bob takes "the opponent" is Alice."""
    table = example(playing("radioactive_rabbit", mindbugs=1))
    table.choose("play radioactive_rabbit")
    table.choose("use")
    assert table.in_play(ALICE) == ["radioactive_rabbit"]


def test_t155_utility_bug_copies_the_experiment(example):
    """T155: Bob gets Utility Bug, then Alice takes one of his, Utility Bug included (C23, C18)."""
    table = example(playing("utility_bug", bob=["the_experiment"]))
    table.choose("play utility_bug")
    assert (table.point, table.decider) == ("D9", ALICE)
    table.choose("yes")
    assert table.options() == ["target bob the_experiment", "target bob utility_bug"]
    assert table.in_play(BOB) == ["the_experiment", "utility_bug"]


def test_c23_utility_bug_copies_again_and_again(example):
    """C23: with two Utility Bugs each pass is a new D9 and an effect; at the cap it is a loop."""
    table = example(playing("utility_bug", bob=["utility_bug"]), effect_cap=4)
    table.choose("play utility_bug")
    for _ in range(4):
        assert (table.point, table.decider) == ("D9", ALICE)
        table.choose("yes")
    assert (table.over, table.winner, table.ending) == (True, -1, "looped")


def test_c23_a_stopped_play_effect_may_be_copied(example):
    """C23: Bob's Axolotl Healer, whose effect Alice's Deathweaver would stop, is copied."""
    table = example(playing("utility_bug", alice=["deathweaver"], bob=["axolotl_healer"]))
    table.choose("play utility_bug")
    table.choose("yes")
    assert table.life(ALICE) == 5


def test_c23_without_another_play_effect_nothing_is_offered(example):
    """C23: no other creature has a Play effect, so there is no D9."""
    table = example(playing("utility_bug", bob=["gorillion"]))
    table.choose("play utility_bug")
    assert (table.point, table.active) == ("D1", BOB)


# Obligations --------------------------------------------------------------------------------------


def test_t109_bob_must_hunt_captain_hippo(example):
    """T109: with Killer Bee Bob has nothing to decide: it attacks and hunts Hippo (R24, C20)."""
    table = example(
        Position(
            Side(play=["captain_hippo"], hand=list(NEUTRAL)),
            Side(play=["killer_bee", "gorillion"], hand=list(NEUTRAL)),
            active=BOB,
        )
    )
    assert table.discard(BOB) == ["killer_bee"]
    assert table.in_play(ALICE) == ["captain_hippo"]
    assert (table.point, table.active, table.turn) == ("D1", ALICE, 2)


def test_c20_several_hunters_and_several_hippos(example):
    """C20: D1 has the creatures with HUNTER, D3 the Hippos; the second attack is optional."""
    table = example(
        Position(
            Side(play=["captain_hippo", "captain_hippo", "gorillion"], hand=list(NEUTRAL)),
            Side(play=["goreagle_alpha", "killer_bee", "luchataur"], hand=list(NEUTRAL)),
            active=BOB,
        )
    )
    assert table.options() == ["attack bob goreagle_alpha", "attack bob killer_bee"]
    table.choose("attack goreagle_alpha")
    assert table.options() == ["hunt alice captain_hippo"] * 2
    table.choose("hunt captain_hippo")
    assert (table.point, table.decider) == ("D5", BOB)


def test_c20_a_hunter_that_cannot_attack_obliges_to_nothing(example):
    """C20: Bob's Compost Dragon is stopped by Hamster Lion, so his turn action is free."""
    table = example(
        Position(
            Side(play=["captain_hippo", "hamster_lion"], hand=list(NEUTRAL)),
            Side(play=["compost_dragon", "gorillion"], hand=["turbo_bug"]),
            active=BOB,
        )
    )
    assert table.options() == ["attack bob gorillion", "play bob turbo_bug"]


def test_c20_an_attack_ordered_on_alices_turn_is_free(example):
    """C20: on Alice's turn Bob's Killer Bee need not hunt Captain Hippo (OPEN 18)."""
    table = example(board(["captain_hippo", "cake_trickster"], ["killer_bee"]))
    table.choose("activate cake_trickster")
    assert table.options() == [
        "hunt alice cake_trickster",
        "hunt alice captain_hippo",
        "no_hunt",
    ]


# Fights -------------------------------------------------------------------------------------------


def test_t45_sawn_defeats_the_stronger_creature(example):
    """T45: Sawn attacks, Gorillion blocks and is defeated; Sawn is unharmed (C19)."""
    table = example(board(["sawn"], ["gorillion"]))
    table.choose("attack sawn")
    table.choose("block gorillion")
    assert table.discard(BOB) == ["gorillion"]
    assert not table.exhausted("sawn")


def test_t165_sawn_against_a_weaker_poisonous_creature(example):
    """T165: Sawn has the higher power and faces POISONOUS: exhausted; the Healer stays (C19)."""
    table = example(board(["sawn"], ["axolotl_healer"]))
    table.choose("attack sawn")
    table.choose("block axolotl_healer")
    assert table.exhausted("sawn")
    assert table.in_play(BOB) == ["axolotl_healer"]


def test_c19_two_sawns_and_equal_powers(example):
    """C19: with two Sawns it is still reversed once; equal powers defeat (here exhaust) both."""
    table = example(board(["sawn", "shield_bugs"], ["sawn"]))
    table.choose("attack sawn")
    table.choose("block sawn")
    assert (table.exhausted("alice sawn"), table.exhausted("bob sawn")) == (True, False)
    table = example(board(["sawn"], ["sawn"]))
    table.choose("attack sawn")
    table.choose("block sawn")
    assert (table.exhausted("alice sawn"), table.exhausted("bob sawn")) == (True, True)


def test_t136_blastfish_cannot_be_defeated(example):
    """T136: Blastfish attacks, Gorillion blocks and falls; Blastfish stays, fresh (R97, C24)."""
    table = example(board(["blastfish"], ["gorillion"]))
    table.choose("attack blastfish")
    table.choose("block gorillion")
    assert table.discard(BOB) == ["gorillion"]
    assert table.in_play(ALICE) == ["blastfish"]
    assert not table.exhausted("blastfish")


def test_c24_only_until_the_end_of_the_turn(example):
    """C24: on the next turn Blastfish is defeated like any other creature (R25)."""
    table = example(board(["blastfish"], ["bee_bear", "luchataur"]))
    table.choose("attack blastfish")
    table.choose("block bee_bear")
    table.choose("attack luchataur")
    table.choose("block blastfish")
    assert table.discard(ALICE) == ["blastfish"]


# Play effects -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("life", "answer", "outcome"),
    [(2, "no", (2, ["gorillion"], 3)), (2, "yes", (1, [], 7))],
)
def test_t138_dr_orange_u_tan(example, life, answer, outcome):
    """T138: for 1 life Bob's creatures go to his hand, which may exceed 5 (R47, R94, R48)."""
    bob_hand = [*NEUTRAL, "turbo_bug", "brain_fly", "bee_bear"] if answer == "yes" else NEUTRAL
    table = example(
        Position(
            Side(hand=["dr_orange_u_tan", *NEUTRAL], life=life),
            Side(play=["gorillion"], hand=list(bob_hand)),
        )
    )
    table.choose("play dr_orange_u_tan")
    assert (table.point, table.decider) == ("D9", ALICE)
    table.choose(answer)
    assert (table.life(ALICE), table.in_play(BOB), table.hand_size(BOB)) == outcome


def test_t167_dr_orange_u_tan_without_enemies(example):
    """T167: the payment is offered with nothing to return (R47)."""
    table = example(playing("dr_orange_u_tan"))
    table.choose("play dr_orange_u_tan")
    assert table.point == "D9"
    table.choose("yes")
    assert table.life(ALICE) == 2


def test_c10_dr_orange_u_tan_may_cost_the_game(example):
    """C10: paying the last life ends the game before anything returns (R14)."""
    table = example(
        Position(
            Side(hand=["dr_orange_u_tan", *NEUTRAL], life=1),
            Side(play=["gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play dr_orange_u_tan")
    table.choose("yes")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")
    assert table.in_play(BOB) == ["gorillion"]


def test_t153_chuckling_chimpborg_is_one_loss(example):
    """T153: Bob with 2 unused Mindbugs refuses and goes from 3 to 1 life (R51, C49)."""
    table = example(playing("chuckling_chimpborg", mindbugs=2))
    table.choose("play chuckling_chimpborg")
    table.choose("refuse")
    assert table.life(BOB) == 1


def test_c50_mindbugs_are_counted_after_the_one_just_spent(example):
    """C50: Bob spends a Mindbug on Spiky Shinobi and then has none: power 3 + 5."""
    table = example(playing("spiky_shinobi", mindbugs=1))
    table.choose("play spiky_shinobi")
    table.choose("use")
    assert table.power("spiky_shinobi") == 8


def test_c50_a_mindbugged_chuckling_chimpborg_counts_alices_mindbugs(example):
    """C50: Bob takes the card; the opponent is Alice, who has 2 unused Mindbugs."""
    table = example(
        Position(
            Side(hand=["chuckling_chimpborg", *NEUTRAL], mindbugs=2),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play chuckling_chimpborg")
    table.choose("use")
    assert (table.life(ALICE), table.life(BOB)) == (1, 3)


def test_t154_cheeky_chimpborg_is_one_discard(example):
    """T154: Bob with 2 creatures discards two of his five together, then draws 2 (R51, C49)."""
    table = example(
        Position(
            Side(hand=["cheeky_chimpborg", *NEUTRAL]),
            Side(
                play=["bee_bear", "turbo_bug"],
                hand=["killer_bee", "brain_fly", *NEUTRAL],
                draw=["spider_owl", "deathweaver", "shark_dog"],
                mindbugs=2,
            ),
        )
    )
    table.choose("play cheeky_chimpborg")
    table.choose("refuse")
    assert (table.point, table.decider) == ("D10", BOB)
    table.choose("discard killer_bee")
    table.choose("discard brain_fly")
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 1)
    assert table.discard(BOB) == ["brain_fly", "killer_bee"]


def test_c30_earwig_assassin_discards_refills_and_then_defeats(example):
    """C30: the discard and the refill come first, then any creature is chosen (R45)."""
    table = example(
        Position(
            Side(hand=["earwig_assassin", "turbo_bug", *NEUTRAL], draw=["bee_bear", "brain_fly"]),
            Side(play=["gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play earwig_assassin")
    table.choose("yes")
    table.choose("discard turbo_bug")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (5, 0)
    assert table.options() == ["target alice earwig_assassin", "target bob gorillion"]


# Constant abilities, policy -----------------------------------------------------------------------


def test_t170_two_coach_pandas(example):
    """T170: each of two Coach Pandas gives the other +3 power and FRENZY (C63)."""
    table = example(board(["coach_panda", "coach_panda"], ["coach_panda", "gorillion"]))
    creatures = [c for c in table.game.snapshot()["creatures"].values() if c["power"] == 9]
    assert [creature["keywords"] for creature in creatures] == [["FRENZY"], ["FRENZY"]]
    assert (table.power("gorillion"), table.keywords("gorillion")) == (13, ["FRENZY"])


def test_c6_cheery_chimpborg_follows_the_number_of_enemies(example):
    """C6: +5 power while the opponent has three creatures, re-evaluated all the time (R84)."""
    table = example(board(["cheery_chimpborg"], ["gorillion", "bee_bear"]))
    assert table.power("cheery_chimpborg") == 5
    table = example(board(["cheery_chimpborg"], ["gorillion", "bee_bear", "turbo_bug"]))
    assert table.power("cheery_chimpborg") == 10


def test_c5_mole_machine_limits_blocking_not_hunting(example):
    """C5: creatures with power 7 or more cannot block, but a hunter may hunt them (R67)."""
    table = example(board(["mole_machine", "killer_bee"], ["gorillion", "turbo_bug"]))
    table.choose("attack killer_bee")
    assert "hunt bob gorillion" in table.options()
    table.choose("no_hunt")
    assert table.options() == ["block bob turbo_bug", "no_block"]


def test_westside_monster_stops_sneaky_creatures(example):
    """R68: enemy creatures with SNEAKY neither attack nor block."""
    table = example(board(["westside_monster"], ["spider_owl", "kitsunsei", "turbo_bug"]))
    table.choose("attack westside_monster")
    assert table.options() == ["block bob kitsunsei", "no_block"]


def test_t130_actions_are_options_of_the_same_list(example):
    """T130: A, A, B, one attack and one Action: five options of equal probability (R23, R124, D1).

    Bob's Hamster Lion keeps Curious Tadpole, the lowest, from attacking.
    """
    table = example(
        Position(
            Side(
                play=["gorillion", "curious_tadpole"],
                hand=["shark_dog", "shark_dog", "brain_fly"],
            ),
            Side(play=["hamster_lion"], hand=list(NEUTRAL)),
        )
    )
    assert table.options() == [
        "activate alice curious_tadpole",
        "attack alice gorillion",
        "play alice brain_fly",
        "play alice shark_dog",
        "play alice shark_dog",
    ]
