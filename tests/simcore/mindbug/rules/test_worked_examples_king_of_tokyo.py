"""The worked examples (T1 ...) and rulings (C1 ...) that need Mindbug x King of Tokyo.

See ``test_worked_examples.py``; padding is the same. On which engines, and how the dice are known
beforehand: ``reference_examples.py``. A position starts with the purchases of the active player.
"""

from __future__ import annotations

from itertools import product

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side
from support.reference_examples import ENGINES, examples_on, faces


@pytest.fixture(params=ENGINES)
def example(request):
    """Set up a position on an engine."""
    return examples_on(request.param)


def kot(alice: Side, bob: Side, **more) -> Position:
    """A position with dice, energy and power cards, and ``after_mindbug = action``."""
    return Position(alice, bob, after_mindbug="action", kot_parts=True, **more)


def fight(alice: list[str], bob: list[str], *, energy: int = 0, **more) -> Position:
    """Two play areas; both players hold the padding."""
    return kot(
        Side(play=alice, hand=list(NEUTRAL), energy=energy),
        Side(play=bob, hand=list(NEUTRAL)),
        **more,
    )


# Power cards at the start of a turn ---------------------------------------------------------------


def test_t27_rage_lasts_for_the_extra_turn_action(example):
    """T27: Rage bought at the start works in the extra action, without a purchase (R38, R25)."""
    table = example(
        kot(
            Side(play=["gorillion"], hand=["luchataur", *NEUTRAL], energy=2),
            Side(hand=list(NEUTRAL), mindbugs=1),
            power_deck=["rage", "healing_bots"],
        )
    )
    assert (table.point, table.decider) == ("D15", ALICE)
    table.choose("buy rage")
    table.choose("stop")
    table.choose("play luchataur")
    table.choose("use")
    assert (table.point, table.turn, table.energy(ALICE)) == ("D1", 1, 1)
    table.choose("attack gorillion")
    table.choose("no_block")
    assert table.point == "D5"


def test_t55_hunting_ignores_bee_bear(example):
    """T55: Bee Bear with HUNTER from Pounce hunts Killer Bee, which could not block it (R67)."""
    table = example(fight(["bee_bear"], ["killer_bee"], energy=1, power_deck=["pounce"]))
    table.choose("buy pounce")
    table.choose("attack bee_bear")
    assert table.options() == ["hunt bob killer_bee", "no_hunt"]
    table.choose("hunt killer_bee")
    assert table.discard(BOB) == ["killer_bee"]


def test_t73_control_lost_between_the_attacks(example):
    """T73: Harpy Mother takes the attacking Mole Machine: no second attack (R95, R74)."""
    table = example(fight(["mole_machine"], ["harpy_mother"], energy=1, power_deck=["rage"]))
    table.choose("buy rage")
    table.choose("attack mole_machine")
    table.choose("block harpy_mother")
    table.choose("target mole_machine")
    assert table.in_play(BOB) == ["mole_machine"]
    assert table.exhausted("mole_machine")
    assert (table.point, table.active) == ("D1", BOB)


def test_t123_several_purchases(example):
    """T123: two cards bought one after another, resolved in that order (R109, R110)."""
    table = example(
        fight(
            ["gorillion"],
            [],
            energy=3,
            power_deck=["healing_bots", "railgun", "resurrection", "pounce", "ambush"],
        )
    )
    assert table.options() == ["buy healing_bots", "buy railgun", "buy resurrection", "stop"]
    table.choose("buy railgun")
    assert (table.life(BOB), table.energy(ALICE)) == (2, 1)
    assert table.options() == ["buy healing_bots", "buy pounce", "stop"]
    table.choose("buy healing_bots")
    assert (table.life(ALICE), table.energy(ALICE)) == (4, 0)
    assert table.power_cards("display") == ["ambush", "pounce", "resurrection"]
    assert sorted(table.power_cards("power_discard")) == ["healing_bots", "railgun"]
    assert (table.point, table.decider) == ("D1", ALICE)


def test_t124_the_power_deck_is_never_reshuffled(example):
    """T124: with an empty deck a purchase leaves a display of two (R111)."""
    table = example(
        fight(["gorillion"], [], energy=1, power_deck=["pounce", "ambush", "resurrection"])
    )
    table.choose("buy pounce")
    assert table.power_cards("display") == ["ambush", "resurrection"]
    assert table.power_cards("power_deck") == []
    assert table.power_cards("power_discard") == ["pounce"]


def test_t125_the_no_action_check_comes_after_the_purchases(example):
    """T125: Mysterious Ally gives the empty-handed Alice a card; she does not lose (R18, R117).

    Her only action, to play it, is carried out silently.
    """
    table = example(
        kot(
            Side(energy=2),
            Side(play=["bee_bear"], hand=list(NEUTRAL)),
            power_deck=["mysterious_ally"],
            unused=["gorillion", "luchataur"],
        )
    )
    table.choose("buy mysterious_ally")
    assert not table.over
    assert table.in_play(ALICE) == ["gorillion"]


def test_t125_without_the_purchase_she_loses(example):
    """T125: if she stops she has no action (R18)."""
    table = example(
        kot(
            Side(energy=2),
            Side(play=["bee_bear"], hand=list(NEUTRAL)),
            power_deck=["mysterious_ally"],
        )
    )
    table.choose("stop")
    assert (table.over, table.winner, table.ending) == (True, BOB, "no_action")


@pytest.mark.parametrize(("power", "pile"), [("reanimation", "bob"), ("resurrection", "alice")])
def test_t139_reanimation_takes_a_card_into_the_hand(example, power, pile):
    """T139: Alice picks a card of Bob's pile and holds 6; nothing comes into play (R32, R28)."""
    piles: dict[str, list[str]] = {"alice": [], "bob": []}
    piles[pile] = ["killer_bee", "bee_bear"]
    table = example(
        kot(
            Side(
                play=["gorillion"],
                hand=["turbo_bug", "brain_fly", *NEUTRAL],
                discard=piles["alice"],
                energy=3,
            ),
            Side(hand=list(NEUTRAL), discard=piles["bob"]),
            power_deck=[power],
        )
    )
    table.choose("buy", power)
    assert (table.point, table.decider) == ("D6", ALICE)
    table.choose("target killer_bee")
    assert table.hand_size(ALICE) == 6
    assert table.in_play(ALICE) == ["gorillion"]
    assert table.life(BOB) == 3


def test_t140_a_creature_that_comes_back_may_attack_and_hunt(example):
    """T140: Pounce works for the Rabbit that Alice gets before her extra action (R60, R26, R38).

    Bob takes Radioactive Rabbit, whose effect gives it to Alice.
    """
    table = example(
        kot(
            Side(play=["gorillion"], hand=["radioactive_rabbit", *NEUTRAL], energy=1),
            Side(play=["turbo_bug"], hand=list(NEUTRAL), mindbugs=1),
            power_deck=["pounce"],
        )
    )
    table.choose("buy pounce")
    table.choose("play radioactive_rabbit")
    table.choose("use")
    assert table.in_play(ALICE) == ["gorillion", "radioactive_rabbit"]
    table.choose("attack radioactive_rabbit")
    assert table.options() == ["hunt bob turbo_bug", "no_hunt"]


def test_t142_frenzy_twice_is_frenzy_once(example):
    """T142: Explosive Toad under Rage attacks twice, not more (R83, R74)."""
    table = example(fight(["explosive_toad"], [], energy=1, power_deck=["rage"]))
    table.choose("buy rage")
    table.choose("attack explosive_toad")
    table.choose("attack again")
    assert table.life(BOB) == 1
    assert (table.point, table.active) == ("D1", BOB)


def test_t160_monster_buddies_under_deathweaver(example):
    """T160: Alice chooses one of two creatures, nothing triggers, the card is spent (C40, R90)."""
    table = example(
        fight(
            ["axolotl_healer", "killer_bee", "gorillion"],
            ["deathweaver"],
            energy=2,
            power_deck=["monster_buddies"],
        )
    )
    table.choose("buy monster_buddies")
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == ["target alice axolotl_healer", "target alice killer_bee"]
    table.choose("target killer_bee")
    assert table.life(BOB) == 3
    assert table.power_cards("power_discard") == ["monster_buddies"]


def test_c40_monster_buddies(example):
    """C40: the chosen creature's Play effect resolves for its controller (R57)."""
    table = example(
        fight(["killer_bee", "gorillion"], [], energy=2, power_deck=["monster_buddies"])
    )
    table.choose("buy monster_buddies")
    assert (table.life(BOB), table.point) == (2, "D1")


def test_t161_random_mutation(example):
    """T161: A fills the gap; B is revealed and resolved; A can be bought next (R110, R112, C41)."""
    table = example(
        fight(
            ["gorillion"],
            [],
            energy=2,
            power_deck=["random_mutation", "ambush", "resurrection", "pounce", "healing_bots"],
        )
    )
    table.choose("buy random_mutation")
    assert table.life(ALICE) == 4
    assert table.options() == ["buy pounce", "stop"]
    assert sorted(table.power_cards("power_discard")) == ["healing_bots", "random_mutation"]
    assert table.power_cards("power_deck") == []


def test_r112_random_mutation_with_an_empty_deck(example):
    """R112: it does nothing (R109: it may be bought all the same)."""
    table = example(fight(["gorillion"], [], energy=1, power_deck=["random_mutation"]))
    table.choose("buy random_mutation")
    assert table.power_cards("power_discard") == ["random_mutation"]
    assert table.point == "D1"


def test_the_other_power_cards(example):
    """R43, R94: Portal Malfunction, Stomp, Revenge, Ambush and Subterranean Strike."""
    deck = ["portal_malfunction", "stomp", "revenge", "ambush", "subterranean_strike"]
    table = example(
        kot(
            Side(play=["deathweaver"], hand=["bee_bear", *NEUTRAL], energy=7),
            Side(
                play=["gorillion", "spider_owl", "turbo_bug"],
                hand=["killer_bee", *NEUTRAL],
            ),
            power_deck=deck,
        )
    )
    table.choose("buy stomp")
    table.choose("target spider_owl")
    table.choose("buy revenge")
    assert table.discard(BOB) == ["gorillion", "spider_owl"]
    table.choose("buy ambush")
    assert table.in_play(BOB) == []
    table.choose("buy portal_malfunction")
    assert table.in_play(ALICE) == []
    assert "deathweaver" in table.hand(ALICE)
    table.choose("buy subterranean_strike")
    table.choose("discard killer_bee")
    table.choose("discard gorillion")
    assert table.hand_size(BOB) == 2


# Power cards bought by effects --------------------------------------------------------------------


def test_t127_a_mindbugged_alienoid(example):
    """T127: in Alice's turn Bob gets Railgun; his opponent with 1 life loses (R112, R118, C41)."""
    table = example(
        kot(
            Side(hand=["alienoid", *NEUTRAL], life=1),
            Side(hand=list(NEUTRAL), mindbugs=1),
            power_deck=["railgun", "pounce", "rage"],
        )
    )
    table.choose("play alienoid")
    table.choose("use")
    assert (table.point, table.decider) == ("D6", BOB)
    assert table.options() == ["buy pounce", "buy rage", "buy railgun"]
    table.choose("buy railgun")
    assert (table.over, table.winner, table.ending) == (True, BOB, "life")


def test_c41_alienoid_fills_the_gap_first(example):
    """C41: the purchase is mandatory; the gap is filled before the card is resolved (R112)."""
    table = example(
        kot(
            Side(hand=["alienoid", *NEUTRAL]),
            Side(hand=list(NEUTRAL)),
            power_deck=["railgun", "pounce", "random_mutation", "rage", "healing_bots"],
        )
    )
    table.choose("play alienoid")
    table.choose("buy random_mutation")
    assert table.life(ALICE) == 4
    assert table.power_cards("display") == ["pounce", "rage", "railgun"]
    assert sorted(table.power_cards("power_discard")) == ["healing_bots", "random_mutation"]


# Dice ---------------------------------------------------------------------------------------------


def test_t119_kong_rerolls_its_die(example):
    """T119: energy 1, rerolled to growth 3: power 12, no energy; then the block (R114, R115)."""
    table = example(fight(["kong"], ["gorillion"]), chance=faces("energy 1", "growth 3"))
    table.choose("attack kong")
    assert (table.point, table.decider) == ("D16", ALICE)
    assert table.options() == ["keep", "reroll 0"]
    table.choose("reroll 0")
    assert (table.point, table.decider) == ("D4", BOB)
    assert (table.power("kong"), table.energy(ALICE)) == (12, 0)


@pytest.mark.parametrize("first", [0, 1])
def test_t120_two_dice_in_any_order(example, first):
    """T120: H.A.D.E.S. grows to 7; Bob discards and refills before he blocks (R115, R27)."""
    table = example(
        kot(
            Side(play=["hades"], hand=list(NEUTRAL)),
            Side(play=["bee_bear"], hand=["turbo_bug", *NEUTRAL], draw=["killer_bee", "brain_fly"]),
        ),
        chance=faces("growth 2", "strike 1"),
    )
    assert table.hand_size(BOB) == 5
    table.choose("attack hades")
    assert table.options() == ["keep", "reroll 0", "reroll 1", "reroll_both"]
    table.choose("keep")
    assert (table.point, table.options()) == ("D17", ["first 0", "first 1"])
    table.choose("first", str(first))
    assert (table.point, table.decider) == ("D10", BOB)
    assert table.power("hades") == (7 if first == 0 else 5)
    table.choose("discard turbo_bug")
    assert (table.point, table.hand_size(BOB), table.draw_size(BOB)) == ("D4", 5, 0)
    assert table.power("hades") == 7


def test_t121_only_the_second_die_is_rerolled(example):
    """T121: energy 2 and energy 1, the second becomes energy 2: 4 cubes; no D17 (R114, R108)."""
    table = example(
        fight(["hades"], ["gorillion"]), chance=faces("energy 2", "energy 1", "energy 2")
    )
    table.choose("attack hades")
    table.choose("reroll 1")
    assert (table.point, table.energy(ALICE)) == ("D4", 4)


def test_r114_both_dice_are_rerolled_in_order(example):
    """R114: with both rerolled the first die is rolled first."""
    table = example(
        fight(["hades"], ["gorillion"]),
        chance=faces("energy 2", "energy 1", "growth 1", "energy 1"),
    )
    table.choose("attack hades")
    table.choose("reroll_both")
    assert table.point == "D17"
    table.choose("first 0")
    assert (table.power("hades"), table.energy(ALICE)) == (6, 1)


def test_t122_growth_stays_for_the_second_attack(example):
    """T122: Pagurah has 7, then 9, and 4 again on the next turn (R116, R74)."""
    table = example(fight(["pagurah"], ["gorillion"]), chance=faces("growth 3", "growth 2"))
    table.choose("attack pagurah")
    table.choose("keep")
    assert table.power("pagurah") == 7
    table.choose("no_block")
    table.choose("attack again")
    table.choose("keep")
    assert table.power("pagurah") == 9
    table.choose("no_block")
    assert (table.point, table.active, table.power("pagurah")) == ("D1", BOB, 4)


def test_t126_dice_come_before_the_attack_trigger(example):
    """T126: Mechamster gives Tusked Extorter a die; its trigger waits for it (R62, R63)."""
    table = example(
        fight(["mechamster", "tusked_extorter"], ["gorillion"]), chance=faces("energy 1")
    )
    table.choose("attack tusked_extorter")
    assert (table.point, table.waiting, table.hand_size(BOB)) == ("D16", 0, 3)
    table.choose("keep")
    assert (table.point, table.decider, table.energy(ALICE)) == ("D10", BOB, 1)


def test_t128_sneaky_by_growth(example):
    """T128: Gigazaur is SNEAKY all the time, Meka Dragon while its die makes it 8 (R87, R115)."""
    table = example(
        fight(["kraken", "gigazaur", "meka_dragon"], ["gorillion", "spider_owl"]),
        chance=faces("growth 1"),
    )
    assert (table.keywords("gigazaur"), table.keywords("meka_dragon")) == (["SNEAKY"], [])
    table.choose("attack meka_dragon")
    table.choose("keep")
    assert (table.power("meka_dragon"), table.keywords("meka_dragon")) == (8, ["SNEAKY"])
    assert table.options() == ["block bob spider_owl", "no_block"]
    table.choose("no_block")
    assert (table.power("meka_dragon"), table.keywords("meka_dragon")) == (7, [])
    assert table.keywords("gigazaur") == ["SNEAKY"]


def test_t134_a_uniform_policy_keeps_the_die_uniform(example):
    """T134: each final result has probability 1/6 (R113, D16): 1/2 kept, 1/2 rerolled.

    36 equally likely pairs of rolls, each with both choices; the outcome is energy, growth or
    a discard.
    """
    names = ["growth 1", "growth 2", "growth 3", "energy 1", "energy 2", "strike 1"]
    outcomes: dict[str, int] = dict.fromkeys(names, 0)
    for first, second in product(names, names):
        for choice in ("keep", "reroll 0"):
            table = example(fight(["kong"], ["gorillion"]), chance=faces(first, second))
            table.choose("attack kong")
            table.choose(choice)
            if table.point == "D10":
                outcomes["strike 1"] += 1
            elif table.energy(ALICE):
                outcomes[f"energy {table.energy(ALICE)}"] += 1
            else:
                outcomes[f"growth {table.power('kong') - 9}"] += 1
    assert set(outcomes.values()) == {2 * 36 // 6}


def test_t152_never_more_than_two_dice(example):
    """T152: with Mechamster H.A.D.E.S. rolls two dice, a creature without a symbol one (C39)."""
    position = fight(["mechamster", "hades", "gorillion"], [])
    for attacker, n_options in (("hades", 4), ("gorillion", 2)):
        table = example(position, chance=faces("energy 1", "energy 1"))
        table.choose("attack", attacker)
        assert (table.point, len(table.options())) == ("D16", n_options)
    table = example(position)
    table.choose("attack mechamster")
    assert (table.point, table.active, table.life(BOB)) == ("D1", BOB, 2)


def test_c39_extra_head(example):
    """C39: this turn a creature without a symbol gets one die, one with a symbol two (R26)."""
    position = fight(["gorillion", "kong"], [], energy=1, power_deck=["extra_head"])
    for attacker, n_options in (("gorillion", 2), ("kong", 4)):
        table = example(position, chance=faces("energy 1", "energy 1"))
        table.choose("buy extra_head")
        table.choose("attack", attacker)
        assert (table.point, len(table.options())) == ("D16", n_options)


def test_t157_cybertooth_gives_another_reroll(example):
    """T157: reroll, then keep the second result (R114, C38)."""
    table = example(
        fight(["kong", "cybertooth"], ["gorillion"]), chance=faces("energy 1", "growth 3")
    )
    table.choose("attack kong")
    table.choose("reroll 0")
    assert table.point == "D16"
    table.choose("keep")
    assert (table.point, table.power("kong")) == ("D4", 12)


def test_c38_two_cybertooths(example):
    """C38: two of them add up to three rerolls; keeping ends the rolling."""
    table = example(
        fight(["kong", "cybertooth", "cybertooth"], ["gorillion"]),
        chance=faces("energy 1", "energy 1", "energy 1", "growth 3"),
    )
    table.choose("attack kong")
    for _ in range(3):
        assert table.point == "D16"
        table.choose("reroll 0")
    assert (table.point, table.power("kong")) == ("D4", 12)


def test_without_the_parts_no_die_is_rolled(example):
    """Switch ``kot_parts``: off, creatures with a dice symbol attack without dice."""
    position = fight(["kong"], ["gorillion"], energy=3, power_deck=["rage"])
    position.kot_parts = False
    table = example(position)
    assert table.point == "D1"
    table.choose("attack kong")
    assert (table.point, table.power("kong")) == ("D4", 9)


# Creatures ----------------------------------------------------------------------------------------


def test_t64_sheriff_cannot_hunt_the_weak(example):
    """T64: of a 3 and a 4 Sheriff may hunt the 4 only (C37)."""
    table = example(fight(["sheriff"], ["tiger_squirrel", "turbo_bug"]))
    table.choose("attack sheriff")
    assert table.options() == ["hunt bob turbo_bug", "no_hunt"]
    table.choose("no_hunt")
    assert len(table.options()) == 3


def test_c20_sheriff_and_a_captain_hippo_that_it_may_not_hunt(example):
    """C20, C37: two Cursed Gorillions make Hippo a 3; Sheriff is obliged to nothing."""
    table = example(
        kot(
            Side(
                play=["captain_hippo"],
                hand=list(NEUTRAL),
                discard=["cursed_gorillion", "cursed_gorillion"],
            ),
            Side(play=["sheriff"], hand=list(NEUTRAL)),
            active=BOB,
        )
    )
    assert table.power("captain_hippo") == 3
    assert len(table.options()) == 4


def test_t129_the_king_attacks_alone(example):
    """T129: only The King can attack; his restriction does not bind himself (C36)."""
    table = example(
        kot(Side(play=["the_king", "bee_bear"], hand=["gorillion"]), Side(hand=list(NEUTRAL)))
    )
    assert table.options() == ["attack alice the_king", "play alice gorillion"]


def test_t149_bookwyrm_plays_a_strong_card(example):
    """T149: the 8 must be played, Alice refills, no window, its Play effect resolves (R40, C15).

    The 8 is Water Antler: Alice gains 1 life.
    """
    table = example(
        kot(
            Side(
                hand=["bookwyrm", "water_antler", "turbo_bug", "spider_owl", "brain_fly"],
                draw=["tiger_squirrel", "deathweaver", "gorillion"],
            ),
            Side(hand=list(NEUTRAL), mindbugs=2),
        )
    )
    table.choose("play bookwyrm")
    table.choose("refuse")
    assert table.in_play(ALICE) == ["bookwyrm", "water_antler"]
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (5, 1)
    assert (table.life(ALICE), table.mindbugs(BOB)) == (4, 2)


def test_c15_the_globe_smasher_must_play_the_given_card(example):
    """C15: Bob picks the card and refills; Alice has no choice and Bob no window (R40)."""
    table = example(
        kot(
            Side(hand=["the_globe_smasher", *NEUTRAL]),
            Side(hand=["killer_bee", *NEUTRAL], mindbugs=1),
        )
    )
    table.choose("play the_globe_smasher")
    table.choose("refuse")
    assert (table.point, table.decider) == ("D10", BOB)
    table.choose("discard killer_bee")
    assert table.in_play(ALICE) == ["killer_bee", "the_globe_smasher"]
    assert (table.life(BOB), table.point) == (2, "D1")


def test_c42_boogie_woogie_and_pumpkin_jack_look_at_printed_effects(example):
    """C42: a Defeated effect of either pile; a Play effect (also Play/Attack) of the own pile."""
    sides = (
        Side(
            hand=["boogie_woogie", "pumpkin_jack"],
            discard=["explosive_toad", "peacasus", "goat_dragon", "axolotl_healer"],
        ),
        Side(hand=list(NEUTRAL), discard=["harpy_mother", "gorillion", "killer_bee"]),
    )
    table = example(kot(*sides))
    table.choose("play boogie_woogie")
    assert table.options() == ["target alice explosive_toad", "target bob harpy_mother"]
    table = example(kot(*sides))
    table.choose("play pumpkin_jack")
    assert table.options() == ["target alice axolotl_healer", "target alice goat_dragon"]


def test_c49_iron_back_gains_energy_for_each_enemy(example):
    """C49, C12: one gain, counted when the effect resolves."""
    table = example(fight(["gorillion", "bee_bear", "turbo_bug"], ["iron_back"]))
    table.choose("attack gorillion")
    table.choose("block iron_back")
    assert table.energy(BOB) == 3


def test_c5_purple_reign_limits_blocking(example):
    """C5: creatures with power 6 or more cannot block it; under Pounce it hunts them (R67)."""
    table = example(
        fight(["purple_reign"], ["gorillion"], energy=1, power_deck=["pounce"]),
        chance=faces("energy 1"),
    )
    table.choose("buy pounce")
    table.choose("attack purple_reign")
    table.choose("keep")
    assert table.options() == ["hunt bob gorillion", "no_hunt"]
    table.choose("no_hunt")
    assert table.life(BOB) == 2


def test_t156_the_obligation_binds_the_extra_turn_action(example):
    """T156: Bob takes Captain Hippo; Alice's Killer Bee must attack and hunt it (R24, C20)."""
    table = example(
        kot(
            Side(play=["killer_bee", "gorillion"], hand=["captain_hippo", *NEUTRAL]),
            Side(hand=list(NEUTRAL), mindbugs=1),
        )
    )
    table.choose("play captain_hippo")
    table.choose("use")
    assert table.discard(ALICE) == ["killer_bee"]
    assert table.in_play(BOB) == ["captain_hippo"]
    assert (table.point, table.active, table.turn) == ("D1", BOB, 2)
