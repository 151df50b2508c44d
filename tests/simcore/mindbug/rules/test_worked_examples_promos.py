"""The worked examples (T1 ...) and rulings (C1 ...) that need promo cards.

See ``test_worked_examples.py``; padding is the same. On which engines: ``reference_examples.py``.
"""

from __future__ import annotations

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board
from support.reference_examples import ENGINES, examples_on


@pytest.fixture(params=ENGINES)
def example(request):
    """Set up a position on an engine."""
    return examples_on(request.param)


# Hands and piles ----------------------------------------------------------------------------------


def test_t10_cards_put_under_an_empty_draw_pile_are_drawn(example):
    """T10, C61: Future Eric puts 2 cards under Alice's empty pile: she holds 5 (R27)."""
    table = example(
        Position(
            Side(hand=["future_eric", *NEUTRAL]),
            Side(hand=list(NEUTRAL)),
            unused=["turbo_bug", "bee_bear", "brain_fly"],
        )
    )
    table.choose("play future_eric")
    assert table.hand(ALICE) == sorted(["turbo_bug", "bee_bear", *NEUTRAL])
    assert table.draw_size(ALICE) == 0


def test_c61_future_eric_keeps_the_order(example):
    """C61: the top card lies above the second, both below what was there."""
    table = example(
        Position(
            Side(hand=["future_eric", "killer_bee", *NEUTRAL], draw=["gorillion", "luchataur"]),
            Side(hand=list(NEUTRAL)),
            unused=["turbo_bug", "bee_bear"],
        )
    )
    table.choose("play future_eric")
    state = table.game.snapshot()
    assert [table.card_ids[i] for i in state["players"][ALICE]["draw"]] == [
        "luchataur",
        "turbo_bug",
        "bee_bear",
    ]


def test_t150_alien_brain_stops_the_refill(example):
    """T150: Bob holds 4 after playing; when Alien Brain has left he draws to 5 (R27, C44)."""
    table = example(
        Position(
            Side(play=["alien_brain", "gorillion"], hand=list(NEUTRAL)),
            Side(
                play=["luchataur"],
                hand=["bee_bear", "turbo_bug", *NEUTRAL],
                draw=["gorillion", "luchataur"],
            ),
            active=BOB,
        )
    )
    table.choose("play bee_bear")
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (4, 2)
    table.choose("attack alien_brain")
    table.choose("block bee_bear")
    assert table.discard(ALICE) == ["alien_brain"]
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 1)


def test_c44_alien_brain_stops_everything_that_goes_to_the_hand(example):
    """C44: Bob cannot draw from his pile, steal, or get his creatures back; those parts skip."""
    table = example(
        Position(
            Side(play=["alien_brain"], hand=list(NEUTRAL)),
            Side(hand=["giraffodile", *NEUTRAL], discard=["bee_bear"]),
            active=BOB,
        )
    )
    table.choose("play giraffodile")
    assert (table.hand_size(BOB), table.discard(BOB)) == (3, ["bee_bear"])
    table = example(
        Position(
            Side(play=["alien_brain"], hand=["dr_orange_u_tan", *NEUTRAL]),
            Side(play=["gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play dr_orange_u_tan")
    table.choose("yes")
    assert (table.life(ALICE), table.in_play(BOB)) == (2, ["gorillion"])
    table = example(board(["gorillion", "alien_brain"], ["strange_barrel"]))
    table.choose("attack gorillion")
    table.choose("block strange_barrel")
    assert (table.hand_size(ALICE), table.hand_size(BOB)) == (3, 3)


@pytest.mark.parametrize(
    ("choice", "hand_size", "in_play"),
    [
        ("keep", 6, ["hungry_hungry_hamster"]),
        ("play", 5, ["gorillion", "hungry_hungry_hamster"]),
    ],
)
def test_t168_keep_or_play_a_given_card(example, choice, hand_size, in_play):
    """T168: Alice keeps the given Gorillion (hand 6) or plays it (hand 5) (C15, R28)."""
    table = example(
        Position(
            Side(hand=["hungry_hungry_hamster", "luchataur", *NEUTRAL], draw=["turbo_bug"]),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("play hungry_hungry_hamster")
    table.choose("discard gorillion")
    assert (table.point, table.options()) == ("D12", ["keep", "play"])
    table.choose(choice)
    assert (table.hand_size(ALICE), table.in_play(ALICE)) == (hand_size, in_play)


def test_t168_under_alien_brain_the_given_card_is_played(example):
    """T168: with Bob's Alien Brain there is no D12 (C15, C44)."""
    table = example(
        Position(
            Side(hand=["hungry_hungry_hamster", *NEUTRAL]),
            Side(play=["alien_brain"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play hungry_hungry_hamster")
    table.choose("discard gorillion")
    assert table.in_play(ALICE) == ["gorillion", "hungry_hungry_hamster"]
    assert (table.point, table.active) == ("D1", BOB)


def test_c54_macaw_dagon_exchanges_hands(example):
    """C54: both hands change places, then both refill; skipped as a whole under C44."""
    table = example(
        Position(
            Side(play=["macaw_dagon"], hand=["turbo_bug"]),
            Side(play=["gorillion"], hand=["bee_bear", "brain_fly"]),
        )
    )
    table.choose("attack macaw_dagon")
    assert (table.hand(ALICE), table.hand(BOB)) == (["bee_bear", "brain_fly"], ["turbo_bug"])
    table = example(
        Position(
            Side(play=["macaw_dagon"], hand=["turbo_bug"]),
            Side(play=["alien_brain"], hand=["bee_bear", "brain_fly"]),
        )
    )
    table.choose("attack macaw_dagon")
    assert (table.hand(ALICE), table.hand(BOB)) == (["turbo_bug"], ["bee_bear", "brain_fly"])


def test_c51_short_neck_giraffodile_takes_two_of_its_own_pile(example):
    """C51: two different cards of the own pile, D7, moved together."""
    table = example(
        Position(
            Side(
                play=["short_neck_giraffodile"],
                hand=list(NEUTRAL),
                discard=["turbo_bug", "bee_bear", "brain_fly"],
            ),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("attack short_neck_giraffodile")
    assert table.point == "D7"
    table.choose("target turbo_bug")
    table.choose("target brain_fly")
    assert table.discard(ALICE) == ["bee_bear"]
    assert table.hand_size(ALICE) == 5


def test_t151_wolfman_steve_leaves_bob_without_an_action(example):
    """T151: Bob holds cards with power 4 or less and has no creature: he loses (R18, C48)."""
    table = example(
        Position(
            Side(play=["wolfman_steve"], hand=list(NEUTRAL)),
            Side(hand=["turbo_bug", "spider_owl"]),
            active=BOB,
        )
    )
    assert (table.over, table.winner, table.ending) == (True, ALICE, "no_action")


def test_c48_only_weak_cards_of_the_opponents_hand_are_bound(example):
    """C48: Bob may play his 10 and his 9, not his 2; a given weak card is played (C15)."""
    table = example(
        Position(
            Side(play=["wolfman_steve"], hand=list(NEUTRAL)), Side(hand=list(NEUTRAL)), active=BOB
        )
    )
    assert table.options() == ["play bob gorillion", "play bob luchataur"]
    table = example(
        Position(
            Side(hand=["hungry_hungry_hamster", *NEUTRAL]),
            Side(play=["alien_brain"], hand=["turbo_bug", "wolfman_steve"]),
        )
    )
    table.choose("play hungry_hungry_hamster")
    table.choose("discard turbo_bug")
    assert "turbo_bug" in table.in_play(ALICE)


# Mindbugs -----------------------------------------------------------------------------------------


def test_t143_mindbug_bug_takes_the_last_life_first(example):
    """T143: Bob with 1 life uses a Mindbug and loses before the card is played (R36, R14)."""
    table = example(
        Position(
            Side(play=["mindbug_bug"], hand=["gorillion", *NEUTRAL]),
            Side(hand=list(NEUTRAL), life=1, mindbugs=1),
        )
    )
    table.choose("play gorillion")
    table.choose("use")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")
    assert table.in_play(BOB) == []


def test_t163_hyenix_enters_between_the_card_and_its_play_effect(example):
    """T163: Bob 2 to 1; X enters, then Hyenix, then X's Play effect resolves (C62, R57)."""
    table = example(
        Position(
            Side(play=["mindbug_bug"], hand=["axolotl_healer", *NEUTRAL]),
            Side(hand=list(NEUTRAL), life=2, mindbugs=1, discard=["hyenix"]),
        )
    )
    table.choose("play axolotl_healer")
    table.choose("use")
    assert (table.point, table.decider, table.life(BOB)) == ("D9", BOB, 1)
    assert table.in_play(BOB) == ["axolotl_healer"]
    assert table.waiting == 1
    table.choose("yes")
    assert table.in_play(BOB) == ["axolotl_healer", "hyenix"]
    assert table.life(BOB) == 3


def test_c62_one_loss_for_each_mindbug_bug(example):
    """C62: two Mindbug Bugs are two losses, in an order that the active player picks (R57)."""
    table = example(
        Position(
            Side(play=["mindbug_bug", "mindbug_bug"], hand=["gorillion", *NEUTRAL]),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play gorillion")
    table.choose("use")
    assert table.options() == ["resolve alice mindbug_bug mindbug_used"] * 2
    assert table.limbo() == ["gorillion"]
    table.choose("resolve mindbug_bug")
    assert (table.life(BOB), table.in_play(BOB)) == (1, ["gorillion"])


def test_c46_bug_catcher_closes_the_window(example):
    """C46: while Bug Catcher is in play neither player may use a Mindbug."""
    for alice, bob in (["bug_catcher"], []), ([], ["bug_catcher"]):
        table = example(
            Position(
                Side(play=alice, hand=["turbo_bug", *NEUTRAL], mindbugs=1),
                Side(play=bob, hand=list(NEUTRAL), mindbugs=1),
            )
        )
        table.choose("play turbo_bug")
        assert "turbo_bug" in table.in_play(ALICE)
        assert (table.point, table.active) == ("D1", BOB)


# Attack and Defeated effects ----------------------------------------------------------------------


def test_t87_a_creature_exhausted_instead_was_not_defeated(example):
    """T87: Slugapult exhausts the fresh TOUGH ally, so no enemy is defeated (R48)."""
    table = example(board(["slugapult", "shield_bugs"], ["gorillion", "bee_bear"]))
    table.choose("attack slugapult")
    assert (table.point, table.decider) == ("D9", ALICE)
    table.choose("yes")
    assert table.exhausted("shield_bugs")
    assert table.in_play(BOB) == ["bee_bear", "gorillion"]
    assert table.point == "D4"


def test_slugapult_defeats_an_enemy_for_an_ally(example):
    """R48, R126: after a real defeat an enemy creature is chosen."""
    table = example(board(["slugapult", "turbo_bug"], ["gorillion", "bee_bear"]))
    table.choose("attack slugapult")
    table.choose("yes")
    assert (table.point, table.options()) == ("D6", ["target bob bee_bear", "target bob gorillion"])
    table.choose("target gorillion")
    assert table.discard(BOB) == ["gorillion"]


def test_t141_a_granted_attack_effect_resolves_without_the_attacker(example):
    """T141: Snail Hydra defeats itself; Alice still gains 1 life; the attack ends (R63, R55)."""
    table = example(
        Position(
            Side(play=["snail_hydra"], hand=list(NEUTRAL), discard=["blessed_axolotl_healer"]),
            Side(play=["gorillion", "bee_bear"], hand=list(NEUTRAL)),
        )
    )
    table.choose("attack snail_hydra")
    assert (table.point, table.decider) == ("D11", ALICE)
    assert table.options() == [
        "resolve alice snail_hydra attack",
        "resolve alice snail_hydra attack alice blessed_axolotl_healer",
    ]
    first = next(o for o in table.game.decision.options if len(o) == 3)
    table.game.choose(first)
    table.choose("target snail_hydra")
    assert (table.life(ALICE), table.life(BOB), table.in_play(ALICE)) == (4, 3, [])
    assert (table.point, table.active) == ("D1", BOB)


def test_c60_jean_claw_pandamme_makes_the_attackers_controller_discard(example):
    """C60: "you" is the attacker's controller; one trigger for each Jean-Claw Pandamme (R63)."""
    table = example(board(["gorillion"], ["jean_claw_pandamme", "jean_claw_pandamme"]))
    table.choose("attack gorillion")
    assert (table.point, len(table.options())) == ("D11", 2)
    table.game.choose(table.game.decision.options[0])
    assert (table.point, table.decider) == ("D10", ALICE)
    table.choose("discard gorillion")
    table.choose("discard luchataur")
    assert table.hand(ALICE) == ["plated_scorpion"]
    assert (table.point, table.decider) == ("D4", BOB)


def test_t162_knightmare_keeps_the_last_life(example):
    """T162: Count Draculeech costs no life; a creature is defeated (C52, R43)."""
    table = example(board(["count_draculeech", "knightmare"], ["gorillion"], alice_life=1))
    table.choose("attack count_draculeech")
    assert (table.point, table.life(ALICE)) == ("D6", 1)
    table.choose("target gorillion")
    assert table.discard(BOB) == ["gorillion"]


def test_c52_knightmare_and_what_would_cost_life(example):
    """C52: Dr Orange U Tan offers nothing, Dragon Inn is not legal, Mermaid cannot lower (R99)."""
    table = example(
        Position(
            Side(play=["knightmare"], hand=["dr_orange_u_tan", *NEUTRAL]),
            Side(play=["gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play dr_orange_u_tan")
    assert (table.point, table.active) == ("D1", BOB)
    table = example(board(["dragon_inn"], ["knightmare", "gorillion"]))
    assert "activate alice dragon_inn" not in table.options()
    table = example(
        Position(
            Side(play=["knightmare"], hand=["mysterious_mermaid", *NEUTRAL], life=5),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("play mysterious_mermaid")
    assert table.life(ALICE) == 5


def test_c52_losing_knightmare_loses_the_game(example):
    """C52: its controller loses when the Defeated effect resolves."""
    table = example(board(["gorillion"], ["knightmare exhausted"]))
    table.choose("attack gorillion")
    table.choose("block knightmare")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "effect")
    assert table.life(BOB) == 3


def test_c59_unigon_and_steamforger_win_at_once(example):
    """C59: with an empty hand; with three creatures more than the opponent (R14)."""
    table = example(Position(Side(play=["unigon", "gorillion"]), Side(hand=list(NEUTRAL))))
    table.choose("attack unigon")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "effect")
    team = ["steamforger", "gorillion", "luchataur", "bee_bear"]
    table = example(board(team, ["turbo_bug"]))
    table.choose("attack steamforger")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "effect")
    table = example(board(team[:3], ["turbo_bug"]))
    table.choose("attack steamforger")
    assert not table.over


@pytest.mark.parametrize(("mindbugs", "life"), [(1, 1), (0, 3)])
def test_c50_battle_beetle_compares_unused_mindbugs(example, mindbugs, life):
    """C50: the opponent loses 2 life if both players have as many unused Mindbugs."""
    table = example(
        Position(
            Side(play=["battle_beetle"], hand=list(NEUTRAL), mindbugs=1),
            Side(play=["gorillion"], hand=list(NEUTRAL), mindbugs=mindbugs),
        )
    )
    table.choose("attack battle_beetle")
    assert (table.point, table.life(BOB)) == ("D4", life)


def test_c55_chuck_rolls_again_and_again(example):
    """C55: 4, 6, 5 and 1: three defeats, a fresh TOUGH creature twice; also without an enemy."""
    table = example(
        Position(
            Side(hand=["chuck", *NEUTRAL]),
            Side(play=["shield_bugs", "explosive_toad"], hand=list(NEUTRAL)),
        ),
        chance=[(6, 3), (6, 5), (6, 4), (6, 5), (6, 0)],
    )
    table.choose("play chuck")
    table.choose("target shield_bugs")
    assert table.exhausted("shield_bugs")
    table.choose("target explosive_toad")
    # The third defeat (Shield Bugs) and the fourth, without a target, are silent. Then the Toad's
    # effect finds Chuck alone.
    assert table.discard(BOB) == ["explosive_toad", "shield_bugs"]
    assert table.exhausted("chuck")
    assert (table.point, table.active) == ("D1", BOB)


# Constant abilities -------------------------------------------------------------------------------


def test_c5_boar_zooka_watts_dog_and_ghost_hand(example):
    """C5: they limit blocking; the boosted creature of either side cannot block (R105)."""
    table = example(board(["gorillion"], ["boar_zooka", "turbo_bug"]))
    table.choose("attack gorillion")
    assert table.options() == ["block bob turbo_bug", "no_block"]
    table = example(board(["watts_dog"], ["killer_bee", "turbo_bug"]))
    table.choose("attack watts_dog")
    assert table.options() == ["block bob turbo_bug", "no_block"]
    table = example(board(["gorillion"], ["ghost_hand", "turbo_bug boosts:bee_bear"]))
    table.choose("attack gorillion")
    assert table.options() == ["block bob ghost_hand", "no_block"]


def test_cursed_goblin_werewolf_stops_frenzy_and_hunter(example):
    """R106: in Alice's pile it keeps her creatures with FRENZY or HUNTER from attacking."""
    table = example(
        Position(
            Side(
                play=["luchataur", "killer_bee", "gorillion"],
                hand=["bee_bear"],
                discard=["cursed_goblin_werewolf"],
            ),
            Side(hand=list(NEUTRAL)),
        )
    )
    assert table.options() == ["attack alice gorillion", "play alice bee_bear"]


@pytest.mark.parametrize(("mode", "profile"), [(0, (5, ["HUNTER"])), (1, (8, ["FRENZY"]))])
def test_c45_sluggernaut_chooses_a_profile(example, mode, profile):
    """C45: exhausted, its controller picks 5 with HUNTER or 8 with FRENZY, for good (D12)."""
    table = example(board(["gorillion"], ["sluggernaut"]))
    table.choose("attack gorillion")
    table.choose("block sluggernaut")
    assert (table.point, table.decider) == ("D12", BOB)
    table.choose("mode", str(mode))
    assert table.exhausted("sluggernaut")
    assert (table.power("sluggernaut"), table.keywords("sluggernaut")) == profile
    assert table.game.snapshot()["creatures"][4]["face"] == "sluggernaut"
    table.choose("attack sluggernaut")
    table.choose("no_hunt" if mode == 0 else "block gorillion")
    if mode == 0:
        table.choose("block gorillion")
    assert table.discard(BOB) == ["sluggernaut"]


def test_c45_the_profile_is_chosen_before_triggers(example):
    """C45: Kangasaurus Rex cannot reach it, Tornado Dragon can: D12 comes before its next pick."""
    table = example(
        Position(
            Side(hand=["tornado_dragon", *NEUTRAL]),
            Side(play=["sluggernaut", "gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play tornado_dragon")
    table.choose("target gorillion")
    table.choose("target luchataur")
    table.choose("target sluggernaut")
    assert (table.point, table.decider) == ("D12", BOB)
    table.choose("mode 1")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.power("sluggernaut") == 8


# Evolution ----------------------------------------------------------------------------------------


def test_t169_kitten_crewmate_becomes_felix_becomes_whiskers(example):
    """T169: equal powers: Bomber falls, the Kitten evolves, and again at end of turn (C43, C56)."""
    table = example(board(["kitten_crewmate"], ["ferret_bomber"]))
    table.choose("attack kitten_crewmate")
    table.choose("block ferret_bomber")
    assert table.discard(BOB) == ["ferret_bomber"]
    assert table.in_play(ALICE) == ["silver_whiskers"]
    assert (table.point, table.active) == ("D1", BOB)


def test_c43_evolving_comes_before_tough_and_is_no_defeat(example):
    """C43: a Kitten that only loses becomes One-Eye Felix, whose turn end does nothing (R97)."""
    table = example(board(["kitten_crewmate"], ["spider_owl"]))
    table.choose("attack kitten_crewmate")
    table.choose("block spider_owl")
    assert table.in_play(ALICE) == ["one_eye_felix"]
    assert (table.power("one_eye_felix"), table.keywords("one_eye_felix")) == (7, ["HUNTER"])
    assert table.discard(ALICE) == []


def test_c56_an_exhausted_enemy_was_not_defeated(example):
    """C56: Felix fights a fresh TOUGH creature and does not evolve; then it does as a blocker."""
    table = example(board(["one_eye_felix"], ["shield_bugs", "killer_bee"]))
    table.choose("attack one_eye_felix")
    table.choose("hunt shield_bugs")
    assert table.in_play(ALICE) == ["one_eye_felix"]
    table.choose("attack killer_bee")
    table.choose("no_hunt")
    table.choose("block one_eye_felix")
    assert table.in_play(ALICE) == ["silver_whiskers"]
    assert table.active == ALICE


def test_c13_silver_whiskers_takes_an_enemy_with_power_5_or_less(example):
    """C13: Attack: enemy creatures only (R45)."""
    table = example(board(["silver_whiskers", "turbo_bug"], ["killer_bee", "gorillion"]))
    table.choose("attack silver_whiskers")
    assert table.in_play(ALICE) == ["killer_bee", "silver_whiskers", "turbo_bug"]
    assert table.point == "D4"


def test_tuckbox_mimic_evolves_twice(example):
    """R98, R103: boost and evolve; as Deckbox Mimic it may evolve (D9)."""
    table = example(
        Position(
            Side(play=["tuckbox_mimic"], hand=list(NEUTRAL), discard=["bee_bear", "turbo_bug"]),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("activate tuckbox_mimic")
    assert table.point == "D14"
    table.choose("target bee_bear")
    assert (table.in_play(ALICE), table.power("deckbox_mimic")) == (["deckbox_mimic"], 6)
    table.choose("play gorillion")
    table.choose("activate deckbox_mimic")
    table.choose("target turbo_bug")
    assert (table.point, table.decider) == ("D9", ALICE)
    table.choose("yes")
    assert (table.in_play(ALICE), table.power("big_box_mimic")) == (["big_box_mimic"], 8)


def test_t144_big_box_mimic_knows_its_boost_cards(example):
    """T144: defeated as stage III it plays its boost cards; the pile has stage I (R54, R102)."""
    table = example(
        board(["gorillion"], ["big_box_mimic boosts:axolotl_healer,killer_bee", "turbo_bug"])
    )
    table.choose("attack gorillion")
    table.choose("block big_box_mimic")
    assert (table.point, table.decider) == ("D8", BOB)
    assert table.options() == ["stop", "target bob axolotl_healer", "target bob killer_bee"]
    assert table.discard(BOB) == ["axolotl_healer", "killer_bee", "tuckbox_mimic"]
    table.choose("target axolotl_healer")
    table.choose("target killer_bee")
    assert table.in_play(BOB) == ["axolotl_healer", "killer_bee", "turbo_bug"]
    assert (table.life(ALICE), table.life(BOB)) == (3, 3)


def test_c58_a_boost_card_that_has_left_the_pile_cannot_be_chosen(example):
    """C58: Fire Antler, resolved first, takes one of the fallen cards (R54).

    Majestic Manticore defeats both at once; Alice orders Fire Antler first.
    """
    table = example(
        Position(
            Side(play=["majestic_manticore", "gorillion"], hand=list(NEUTRAL)),
            Side(
                play=["big_box_mimic boosts:bee_bear,turbo_bug", "fire_antler", "luchataur"],
                hand=list(NEUTRAL),
                discard=["cursed_gorillion"],
            ),
        )
    )
    # Bob's creatures: 6 + 2 - 2, 8 - 2 and 9 - 2.
    assert (table.power("big_box_mimic"), table.power("fire_antler")) == (6, 6)
    table.choose("attack majestic_manticore")
    table.choose("resolve fire_antler")
    table.choose("target bee_bear")
    table.choose("target luchataur")
    assert table.options() == ["stop", "target bob turbo_bug"]


def test_c58_ratomancer_plays_weak_cards_without_effects(example):
    """C58: any number of cards with printed power 4 or less enter together (D8, R6)."""
    table = example(
        Position(
            Side(
                hand=["ratomancer", *NEUTRAL],
                discard=["axolotl_healer", "ferret_bomber", "killer_bee"],
            ),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("play ratomancer")
    assert table.options() == ["stop", "target alice axolotl_healer", "target alice ferret_bomber"]
    table.choose("target axolotl_healer")
    table.choose("target ferret_bomber")
    assert table.in_play(ALICE) == ["axolotl_healer", "ferret_bomber", "ratomancer"]
    assert (table.life(ALICE), table.hand_size(BOB)) == (3, 3)


# End of turn, setting aside -----------------------------------------------------------------------


def test_c47_c57_jazz_dog_takes_the_blockers_of_the_turn(example):
    """C47, C57: at its controller's turn end it takes the hunted and the blocking creature."""
    table = example(
        board(
            ["jazz_dog", "goreagle_alpha"],
            ["shield_bugs", "elephantopus", "turbo_bug"],
        )
    )
    table.choose("attack goreagle_alpha")
    table.choose("hunt shield_bugs")
    table.choose("attack again")
    table.choose("no_hunt")
    table.choose("block elephantopus")
    assert table.in_play(ALICE) == ["elephantopus", "goreagle_alpha", "jazz_dog", "shield_bugs"]
    assert table.in_play(BOB) == ["turbo_bug"]
    assert (table.point, table.active) == ("D1", BOB)


def test_c57_jazz_dog_does_nothing_on_the_other_turn(example):
    """C57: Bob's Jazz Dog does not trigger at the end of Alice's turn."""
    table = example(board(["gorillion", "luchataur"], ["jazz_dog"]))
    table.choose("attack gorillion")
    table.choose("no_block")
    assert table.in_play(ALICE) == ["gorillion", "luchataur"]


def test_t164_alpacoodle_sets_aside_and_brings_back(example):
    """T164: Bob's 7 leaves without a trigger, its boost card falls; it comes back fresh (C53)."""
    table = example(
        Position(
            Side(play=["gorillion"], hand=["alpacoodle", *NEUTRAL]),
            Side(play=["steelhorn exhausted boosts:bee_bear"], hand=["luchataur", *NEUTRAL]),
        )
    )
    table.choose("play alpacoodle")
    assert table.in_play(ALICE) == ["alpacoodle"]
    assert table.in_play(BOB) == []
    assert table.set_aside() == ["gorillion", "steelhorn"]
    assert table.discard(BOB) == ["bee_bear"]
    table.choose("play luchataur")
    table.choose("attack alpacoodle")
    table.choose("block luchataur")
    assert table.discard(ALICE) == ["alpacoodle"]
    assert table.in_play(ALICE) == ["gorillion"]
    assert table.in_play(BOB) == ["luchataur", "steelhorn"]
    assert (table.exhausted("steelhorn"), table.power("steelhorn")) == (False, 7)
    assert table.hand_size(ALICE) == 3


def test_c53_a_copied_effect_sets_aside_for_good(example):
    """C53: what a Utility Bug sets aside does not come back; the Alpacoodle is among it."""
    table = example(
        Position(
            Side(hand=["utility_bug", *NEUTRAL]),
            Side(play=["alpacoodle", "gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play utility_bug")
    table.choose("yes")
    assert table.set_aside() == ["alpacoodle", "gorillion"]
    assert table.in_play(ALICE) == ["utility_bug"]


def test_c18_suspicious_gift_changes_hands_and_costs_its_controller(example):
    """C18: the opponent gets it; defeated, its controller loses 2 life (R92)."""
    table = example(
        Position(
            Side(play=["gorillion"], hand=["suspicious_gift", *NEUTRAL]),
            Side(play=["luchataur"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play suspicious_gift")
    assert table.in_play(BOB) == ["luchataur", "suspicious_gift"]
    table.choose("attack suspicious_gift")
    table.choose("block gorillion")
    assert table.life(BOB) == 1


def test_c34_solar_bear_takes_a_boosted_enemy(example):
    """C34, C13: the second mode needs a boosted creature that is not its controller's."""
    table = example(board(["solar_bear boosts:bee_bear"], ["gorillion boosts:turbo_bug"]))
    table.choose("attack solar_bear")
    assert table.in_play(ALICE) == ["gorillion", "solar_bear"]
    assert table.power("gorillion") == 11
