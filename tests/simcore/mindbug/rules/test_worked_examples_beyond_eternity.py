"""The worked examples (T1 ...) and rulings (C1 ...) that need Beyond Eternity.

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


def with_piles(
    alice: list[str],
    bob: list[str],
    alice_pile: Sequence[str] = (),
    bob_pile: Sequence[str] = (),
    **more,
) -> Position:
    """Two play areas and two discard piles; both hold the padding, ``life`` is Bob's."""
    return Position(
        Side(play=alice, hand=list(NEUTRAL), discard=list(alice_pile)),
        Side(play=bob, hand=list(NEUTRAL), discard=list(bob_pile), **more),
    )


# SNEAKY, HUNTER, FRENZY ---------------------------------------------------------------------------


def test_t50_frenzy_and_sneaky(example):
    """T50: Tiger Wasp attacks twice past a Gorillion that is never asked (R68, R74)."""
    table = example(board(["tiger_wasp"], ["gorillion"]))
    table.choose("attack tiger_wasp")
    assert (table.point, table.decider) == ("D5", ALICE)
    table.choose("attack again")
    assert table.life(BOB) == 1


def test_t65_the_only_creature_cannot_attack(example):
    """T65: Blessed Tiger Squirrel in Bob's pile stops Luchataur; Alice loses (R106, R18)."""
    table = example(
        Position(
            Side(play=["luchataur"]),
            Side(hand=list(NEUTRAL), discard=["blessed_tiger_squirrel"]),
        )
    )
    assert (table.over, table.winner, table.ending) == (True, BOB, "no_action")


def test_t68_no_second_attack_after_death(example):
    """T68: Hiss Holiness and the blocking Gorillion defeat each other; no D5 (R74, R71)."""
    table = example(board(["hiss_holiness"], ["gorillion"]))
    table.choose("attack hiss_holiness")
    table.choose("block gorillion")
    assert table.discard(ALICE) == ["hiss_holiness"]
    assert table.discard(BOB) == ["gorillion"]
    assert (table.point, table.active) == ("D1", BOB)


def test_t69_frenzy_and_poisonous(example):
    """T69: Hiss Holiness beats a 4, attacks again and falls with Gorillion (R74, R71)."""
    table = example(board(["hiss_holiness"], ["turbo_bug", "gorillion"]))
    table.choose("attack hiss_holiness")
    table.choose("block turbo_bug")
    table.choose("attack again")
    table.choose("block gorillion")
    assert table.discard(ALICE) == ["hiss_holiness"]
    assert table.discard(BOB) == ["gorillion", "turbo_bug"]


# Triggers and simultaneity ------------------------------------------------------------------------


def test_t81_alice_orders_and_bob_names_the_keywords(example):
    """T81: Bob's two Madam Mystiques fall together: two effects one after the other (R50, R57)."""
    table = example(
        Position(
            Side(play=["luchataur"], hand=["kangasaurus_rex", *NEUTRAL]),
            Side(play=["madam_mystique", "madam_mystique"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play kangasaurus_rex")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    table.choose("resolve madam_mystique")
    assert (table.point, table.decider, table.waiting) == ("D13", BOB, 1)
    table.choose("keyword FRENZY")
    assert table.in_play(ALICE) == ["kangasaurus_rex"]
    assert (table.point, table.decider, table.waiting) == ("D13", BOB, 0)


def test_c35_a_keyword_that_nobody_has_may_be_named(example):
    """C35: the five keywords are offered whatever the creatures have (D13)."""
    table = example(board(["gorillion"], ["madam_mystique"]))
    table.choose("attack gorillion")
    table.choose("block madam_mystique")
    assert table.options() == [
        f"keyword {word}" for word in ("FRENZY", "HUNTER", "POISONOUS", "SNEAKY", "TOUGH")
    ]
    table.choose("keyword TOUGH")
    assert table.in_play(ALICE) == ["gorillion"]


def test_t82_older_triggers_first(example):
    """T82: Puffermech's trigger is older than the Toad's, which then has one target (R57, R46)."""
    table = example(
        Position(
            Side(play=["explosive_toad", "gorillion"], hand=["kangasaurus_rex", *NEUTRAL]),
            Side(play=["madam_mystique", "puffermech"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play kangasaurus_rex")
    assert (table.point, table.decider) == ("D11", ALICE)
    table.choose("resolve madam_mystique")
    table.choose("keyword FRENZY")
    assert table.in_play(ALICE) == table.in_play(BOB) == []
    assert table.discard(ALICE) == ["explosive_toad", "gorillion", "kangasaurus_rex"]


def test_t88_the_last_life_ends_the_effect(example):
    """T88: Bob's Fire Antler takes Alice's last life; there is no boost decision (R14)."""
    table = example(board(["gorillion", "bee_bear"], ["fire_antler"], alice_life=1))
    table.choose("attack gorillion")
    table.choose("block fire_antler")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")


def test_c33_a_defeated_card_may_be_its_own_boost_card(example):
    """C33: Fire Antler lies in Bob's pile when its effect resolves and may be taken (R103)."""
    table = example(board(["gorillion"], ["fire_antler", "bee_bear"]))
    table.choose("attack gorillion")
    table.choose("block fire_antler")
    assert table.life(ALICE) == 2
    assert (table.point, table.decider) == ("D14", BOB)
    assert table.options() == ["stop", "target bob fire_antler"]
    table.choose("target fire_antler")
    assert table.options() == ["target alice gorillion", "target bob bee_bear"]
    table.choose("target bee_bear")
    assert (table.boosts("bee_bear"), table.power("bee_bear")) == (["fire_antler"], 9)


def _hyenix_against_fire_antler() -> Position:
    """T137, T159: Hyenix (8 with Shield Bugs) is about to attack; Fire Antler may block."""
    return board(["hyenix", "shield_bugs"], ["fire_antler", "gorillion"])


def test_t137_a_hyenix_that_came_back_does_not_attack_again(example):
    """T137: Alice plays Hyenix again, a new object: no second attack (R75, R5, C16)."""
    table = example(_hyenix_against_fire_antler())
    table.choose("attack hyenix")
    table.choose("block fire_antler")
    assert table.life(ALICE) == 2
    assert (table.point, table.decider) == ("D14", BOB)
    table.choose("stop")
    assert (table.point, table.decider) == ("D9", ALICE)
    table.choose("yes")
    assert "hyenix" in table.in_play(ALICE)
    assert (table.point, table.active) == ("D1", BOB)


def test_t159_a_hyenix_taken_as_a_boost_card_is_not_asked(example):
    """T159: Bob takes Hyenix as the boost card; its trigger does nothing (R56, C16, C33)."""
    table = example(_hyenix_against_fire_antler())
    table.choose("attack hyenix")
    table.choose("block fire_antler")
    table.choose("target hyenix")
    table.choose("target gorillion")
    assert table.boosts("gorillion") == ["hyenix"]
    assert (table.point, table.active, table.life(ALICE)) == ("D1", BOB, 2)


# Constant and In Discard Pile abilities -----------------------------------------------------------


@pytest.mark.parametrize("allies", [[], ["shield_bugs"]])
def test_t92_power_is_never_below_one(example, allies):
    """T92: Chameleon Sniper has 1 - 2, and 1 - 2 + 1, which are 1 (R86)."""
    table = example(with_piles(["chameleon_sniper", *allies], [], ["cursed_gorillion"]))
    assert table.power("chameleon_sniper") == 1


def test_t113_blessed_killer_bee_adds_to_a_loss(example):
    """T113: with the Bee in Alice's pile an unblocked attack costs Bob 3 life (R91)."""
    table = example(with_piles(["gorillion"], [], ["blessed_killer_bee"]))
    table.choose("attack gorillion")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")


def test_t114_a_boost_card_has_no_ability(example):
    """T114: under a creature the Bee adds nothing (R103)."""
    table = example(board(["gorillion boosts:blessed_killer_bee"], []))
    table.choose("attack gorillion")
    assert table.life(BOB) == 2


def test_c29_blessed_killer_bee_and_turbo_bug(example):
    """C29: Turbo Bug takes 2 of Bob's 3 life and the Bee 2 more: he loses; with 1 life nothing."""
    table = example(with_piles(["turbo_bug"], [], ["blessed_killer_bee"]))
    table.choose("attack turbo_bug")
    assert (table.over, table.winner) == (True, ALICE)
    table = example(with_piles(["turbo_bug"], ["bee_bear"], ["blessed_killer_bee"], life=1))
    table.choose("attack turbo_bug")
    assert (table.point, table.life(BOB)) == ("D4", 1)


def test_t153_chuckling_chimpborg_with_blessed_killer_bee(example):
    """T153: one loss of 2 + 2 = 4 (R51, R91, C49)."""
    table = example(
        Position(
            Side(hand=["chuckling_chimpborg", *NEUTRAL], discard=["blessed_killer_bee"]),
            Side(hand=list(NEUTRAL), mindbugs=2),
        )
    )
    table.choose("play chuckling_chimpborg")
    table.choose("refuse")
    assert (table.over, table.winner, table.ending) == (True, ALICE, "life")


def test_c9_lowering_life_is_a_loss_that_is_increased(example):
    """C9: Mermaid sets Alice from 7 to Bob's 3; his Blessed Killer Bee takes 2 more (R17)."""
    table = example(
        Position(
            Side(hand=["mysterious_mermaid", *NEUTRAL], life=7),
            Side(hand=list(NEUTRAL), life=3, discard=["blessed_killer_bee"]),
        )
    )
    table.choose("play mysterious_mermaid")
    assert table.life(ALICE) == 1


def test_t118_hypnotic_mouse(example):
    """T118, C25: creatures that share their power, across both sides, cannot attack."""
    table = example(
        board(["giraffodile", "mysterious_mermaid"], ["hypnotic_mouse", "elephantopus", "bee_bear"])
    )
    assert not [option for option in table.options() if option.startswith("attack")]
    table.choose("play gorillion")
    attacks = [option for option in table.options() if option.startswith("attack")]
    assert attacks == ["attack bob bee_bear", "attack bob hypnotic_mouse"]


def test_c26_agile_rooster(example):
    """C26, C5: only creatures whose power differs by at most 1 can block it."""
    table = example(board(["agile_rooster"], ["killer_bee", "giraffodile", "turbo_bug"]))
    table.choose("attack agile_rooster")
    assert table.options() == ["block bob giraffodile", "block bob killer_bee", "no_block"]


def test_c5_squirtoise_scout_and_blessed_tiger_squirrel(example):
    """C5: two equal powers forbid every block; the Squirrel in the pile that of the strong."""
    table = example(board(["squirtoise_scout", "spider_owl", "tiger_squirrel"], ["gorillion"]))
    table.choose("attack squirtoise_scout")
    assert table.life(BOB) == 2
    table = example(with_piles(["bee_bear"], ["gorillion"], ["blessed_tiger_squirrel"]))
    table.choose("attack bee_bear")
    assert table.life(BOB) == 2


def test_cave_lizard_blocks_and_never_attacks(example):
    """R60: it is not offered as an attacker."""
    table = example(board(["cave_lizard"], []))
    assert "attack alice cave_lizard" not in table.options()


def test_c6_berserker_rabbit_follows_the_pile(example):
    """C6: +4 power while its controller's discard pile is empty (R84)."""
    assert example(with_piles(["berserker_rabbit"], [])).power("berserker_rabbit") == 10
    table = example(with_piles(["berserker_rabbit"], [], ["gorillion"]))
    assert table.power("berserker_rabbit") == 6


def test_ghostly_underdog_defeats_the_weaker(example):
    """R87: all enemy creatures with less power, which is its own current power."""
    table = example(
        board(["ghostly_underdog boosts:gorillion", "bee_bear"], ["turbo_bug", "killer_bee"])
    )
    table.choose("attack ghostly_underdog")
    assert table.discard(BOB) == ["turbo_bug"]


# Boosts -------------------------------------------------------------------------------------------


def test_t110_sea_rex_takes_a_card_from_bobs_pile(example):
    """T110: power 6 from now on; that card is in no pile (R103, R61)."""
    table = example(with_piles(["sea_rex"], ["turbo_bug"], ["gorillion"], ["bee_bear"]))
    table.choose("attack sea_rex")
    assert (table.point, table.decider) == ("D14", ALICE)
    assert table.options() == ["stop", "target alice gorillion", "target bob bee_bear"]
    table.choose("target bee_bear")
    assert (table.power("sea_rex"), table.boosts("sea_rex")) == (6, ["bee_bear"])
    assert (table.discard(ALICE), table.discard(BOB)) == (["gorillion"], [])
    assert table.point == "D3"


def test_t111_boost_cards_change_control_and_fall_with_the_creature(example):
    """T111: Bob takes the boosted Sea-Rex; later both cards go to his pile (R104, R95)."""
    table = example(
        Position(
            Side(play=["sea_rex boosts:bee_bear", "gorillion"], hand=list(NEUTRAL)),
            Side(hand=["brain_fly", *NEUTRAL]),
            active=BOB,
        )
    )
    table.choose("play brain_fly")
    table.choose("target sea_rex")
    assert (table.power("bob sea_rex"), table.boosts("sea_rex")) == (6, ["bee_bear"])
    table.choose("attack gorillion")
    table.choose("block sea_rex")
    assert table.discard(BOB) == ["bee_bear", "sea_rex"]
    assert table.discard(ALICE) == []


def test_t112_peacasus_falls_from_under_a_creature(example):
    """T112, C28: the player into whose pile it falls gains 1 life (R107, R104)."""
    table = example(board(["gorillion"], ["bee_bear boosts:peacasus"]))
    table.choose("attack gorillion")
    table.choose("block bee_bear")
    assert (table.life(ALICE), table.life(BOB)) == (3, 4)
    assert table.discard(BOB) == ["bee_bear", "peacasus"]


def test_c28_peacasus_from_play_hand_and_draw_pile(example):
    """C28: defeated, discarded and put down by Catalisk it triggers alike (R107)."""
    table = example(board(["gorillion"], ["peacasus"]))
    table.choose("attack gorillion")
    table.choose("block peacasus")
    assert table.life(BOB) == 4
    table = example(
        Position(Side(play=["tusked_extorter"], hand=list(NEUTRAL)), Side(hand=["peacasus"]))
    )
    table.choose("attack tusked_extorter")
    assert table.life(BOB) == 3  # 3 + 1 for Peacasus, - 1 for the attack.
    table = example(
        Position(
            Side(play=["catalisk"], hand=list(NEUTRAL)),
            Side(hand=[*NEUTRAL, *NEUTRAL], draw=["peacasus", "gorillion"]),
        )
    )
    table.choose("attack catalisk")
    assert (table.life(BOB), table.draw_size(BOB)) == (3, 0)


def test_t115_goat_dragon_with_nothing_to_do(example):
    """T115: no card in a pile and no boosted creature: no decision (R123, C34)."""
    table = example(
        Position(Side(hand=["goat_dragon", *NEUTRAL]), Side(play=["gorillion"], hand=list(NEUTRAL)))
    )
    table.choose("play goat_dragon")
    assert (table.point, table.active) == ("D1", BOB)


def test_c34_only_modes_that_can_do_something_are_offered(example):
    """C34: both modes of Soul Manipulator; then the boost card goes to Alice's hand (D12)."""
    table = example(with_piles(["soul_manipulator"], ["bee_bear boosts:gorillion"], ["killer_bee"]))
    table.choose("attack soul_manipulator")
    assert (table.point, table.options()) == ("D12", ["mode 0", "mode 1"])
    table.choose("mode 1")
    assert table.hand(ALICE) == sorted([*NEUTRAL, "gorillion"])
    assert table.power("bee_bear") == 8
    table = example(with_piles(["soul_manipulator"], ["bee_bear"], ["killer_bee"]))
    table.choose("attack soul_manipulator")
    assert table.point == "D14"


def test_c34_goat_dragon_defeats_a_boosted_creature(example):
    """C34: without a card in a pile only the second mode is left, on either side (R105)."""
    table = example(board(["goat_dragon"], ["bee_bear boosts:gorillion", "luchataur"]))
    table.choose("attack goat_dragon")
    assert table.discard(BOB) == ["bee_bear", "gorillion"]


def test_hiss_holiness_spreads_its_boost_cards(example):
    """R103, D14: each of up to four cards goes under any creature; they move together."""
    table = example(
        Position(
            Side(hand=["hiss_holiness", *NEUTRAL], discard=["peacasus", "rockyphant"]),
            Side(play=["gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play hiss_holiness")
    table.choose("target peacasus")
    table.choose("target gorillion")
    assert table.power("gorillion") == 10
    table.choose("target rockyphant")
    assert table.power("gorillion") == 10
    table.choose("target hiss_holiness")
    assert (table.power("gorillion"), table.power("hiss_holiness")) == (11, 6)
    assert table.discard(ALICE) == []


def test_t135_returned_to_hand_and_played_again(example):
    """T135: exhaustion and boosts are lost, nothing triggers, the hand has 6 (R94, R93, R104)."""
    table = example(
        Position(
            Side(
                play=["strange_barrel exhausted boosts:bee_bear,brain_fly"],
                hand=["turbo_bug", "killer_bee", *NEUTRAL],
            ),
            Side(hand=["dr_orange_u_tan", *NEUTRAL]),
            active=BOB,
        )
    )
    table.choose("play dr_orange_u_tan")
    table.choose("yes")
    assert table.hand_size(ALICE) == 6
    assert table.discard(ALICE) == ["bee_bear", "brain_fly"]
    assert table.hand_size(BOB) == 3
    table.choose("play strange_barrel")
    assert (table.exhausted("strange_barrel"), table.power("strange_barrel")) == (False, 6)


def test_t158_two_boosted_creatures_fall_together(example):
    """T158: both boost cards fall at that moment; Bob gains 1 life, his others +1 (R96, R106)."""
    table = example(
        Position(
            Side(hand=["kangasaurus_rex", *NEUTRAL]),
            Side(
                play=[
                    "spider_owl boosts:peacasus",
                    "robopup exhausted boosts:blessed_shield_bugs",
                    "luchataur",
                ],
                hand=list(NEUTRAL),
            ),
        )
    )
    assert (table.power("spider_owl"), table.power("robopup")) == (4, 2)
    table.choose("play kangasaurus_rex")
    assert table.discard(BOB) == ["blessed_shield_bugs", "peacasus", "robopup", "spider_owl"]
    assert (table.life(BOB), table.power("luchataur")) == (4, 10)


# Other effects ------------------------------------------------------------------------------------


def test_t117_tornado_dragon(example):
    """T117: two discards, refill, then one defeat after another; TOUGH twice (R51, C30)."""
    table = example(
        Position(
            Side(hand=["tornado_dragon", "turbo_bug", *NEUTRAL], draw=["bee_bear", "brain_fly"]),
            Side(play=["shield_bugs", "gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play tornado_dragon")
    assert (table.point, table.decider) == ("D8", ALICE)
    table.choose("target turbo_bug")
    table.choose("target gorillion")
    assert table.discard(ALICE) == ["gorillion", "turbo_bug"]
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (4, 0)
    assert table.point == "D6"
    table.choose("target shield_bugs")
    assert table.exhausted("shield_bugs")
    table.choose("target shield_bugs")
    assert table.discard(BOB) == ["shield_bugs"]


@pytest.mark.parametrize("pile", ["alice", "bob"])
def test_t166_koibra_reveals_rockyphant(example, pile):
    """T166: Bob draws 1 first; then the player of the chosen pile hits the other (C27, C28)."""
    bob_hand = ["rockyphant", "killer_bee", *NEUTRAL]
    table = example(
        Position(
            Side(hand=["koibra", "turbo_bug", *NEUTRAL]),
            Side(hand=bob_hand, draw=["bee_bear", "brain_fly"]),
        ),
        chance=[(5, 0)],
    )
    table.choose("play koibra")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == ["pile alice", "pile bob"]
    assert "rockyphant" in table.hand(BOB)
    table.choose("pile", pile)
    assert table.discard(pile) == ["rockyphant"]
    assert (table.hand_size(BOB), table.draw_size(BOB)) == (5, 1)
    assert (table.point, table.decider) == ("D10", BOB if pile == "alice" else ALICE)
    table.choose("discard gorillion")
    sizes = (table.hand_size(ALICE), table.hand_size(BOB), table.draw_size(BOB))
    assert sizes == ((4, 5, 0) if pile == "alice" else (3, 5, 1))


def test_tiger_wasp_discards_a_random_card(example):
    """R29, R122: the card is drawn by chance, not chosen."""
    table = example(
        Position(Side(hand=["tiger_wasp", "turbo_bug", "bee_bear"]), Side(hand=list(NEUTRAL))),
        chance=[(2, 1)],
    )
    table.choose("play tiger_wasp")
    assert table.discard(ALICE) == ["bee_bear"]


def test_c31_pyro_salamancer_picks_one_pair(example):
    """C31: one pick among all pairs of equal power on either side; both fall together (D7)."""
    table = example(
        Position(
            Side(play=["turbo_bug"], hand=["pyro_salamancer", *NEUTRAL]),
            Side(play=["brain_fly", "axolotl_healer", "bee_bear"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play pyro_salamancer")
    assert table.point == "D7"
    assert table.options() == [
        "pair alice turbo_bug bob axolotl_healer",
        "pair alice turbo_bug bob brain_fly",
        "pair bob brain_fly bob axolotl_healer",
    ]
    table.choose("pair brain_fly axolotl_healer")
    assert table.in_play(BOB) == ["bee_bear"]
    assert table.in_play(ALICE) == ["pyro_salamancer", "turbo_bug"]


def test_c31_without_a_pair_the_instruction_is_skipped(example):
    """C31: exactly 2 or none (R49)."""
    table = example(
        Position(
            Side(hand=["pyro_salamancer", *NEUTRAL]),
            Side(play=["bee_bear", "gorillion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("play pyro_salamancer")
    assert table.in_play(BOB) == ["bee_bear", "gorillion"]


@pytest.mark.parametrize(
    ("pile", "n_decisions"),
    [
        (["bee_bear", "brain_fly", "spider_owl"], 2),
        (["bee_bear", "brain_fly"], 1),
        (["bee_bear"], 0),
    ],
)
def test_c51_trash_diver_takes_two_different_cards(example, pile, n_decisions):
    """C51: two cards chosen one after the other and moved together; one if there is one (D7)."""
    table = example(with_piles(["trash_diver"], [], [], pile))
    table.choose("attack trash_diver")
    for _ in range(n_decisions):
        assert (table.point, len(table.discard(BOB))) == ("D7", len(pile))
        table.choose(table.options()[0])
    assert len(table.discard(BOB)) == max(0, len(pile) - 2)
    assert table.hand_size(ALICE) == 3 + min(2, len(pile))


def test_duckdra_may_defeat_a_poisonous_creature(example):
    """R126: yes or no, then the target; not offered without one (R47)."""
    table = example(board(["duckdra"], ["axolotl_healer", "spider_owl", "gorillion"]))
    table.choose("attack duckdra")
    assert table.point == "D9"
    table.choose("yes")
    assert table.options() == ["target bob axolotl_healer", "target bob spider_owl"]
    table.choose("target spider_owl")
    assert table.discard(BOB) == ["spider_owl"]


def test_c2_trash_flier_plays_a_card_of_the_other_pile(example):
    """C2: mandatory; the card is simply controlled by the player of the effect (R41, R3)."""
    table = example(with_piles(["gorillion"], ["trash_flier"], ["axolotl_healer"], []))
    table.choose("attack gorillion")
    table.choose("block trash_flier")
    assert table.in_play(BOB) == ["axolotl_healer"]
    assert table.life(BOB) == 5


def test_c13_spirits_take_only_enemy_creatures(example):
    """C13: Spirit Maki takes a creature with power 9 or more that is not its controller's."""
    table = example(board(["gorillion"], ["spirit_maki", "luchataur"]))
    table.choose("attack gorillion")
    table.choose("block spirit_maki")
    assert table.in_play(BOB) == ["gorillion", "luchataur"]
    assert table.in_play(ALICE) == []
