"""The worked examples (T1 ...) and rulings (C1 ...) that need promo cards.

How to read them: ``told_examples.py``.
"""

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, board
from support.told_examples import play_example, told_examples

EXAMPLES = """
# Hands and piles
T10, C61: Future Eric puts 2 cards under Alice's empty pile: she holds 5 (R27).
  alice hand: future_eric, + | unused: turbo_bug, bee_bear, brain_fly
  > play future_eric = alice hand: bee_bear, turbo_bug, +; alice pile: 0
T150: Bob holds 4 after playing; when Alien Brain has left he draws to 5 (R27, C44).
  alice play: alien_brain, gorillion | bob play: luchataur; hand: bee_bear, turbo_bug, +;
    draw: gorillion, luchataur | active: bob
  > play bee_bear = bob holds: 4; bob pile: 2
  > attack alien_brain > block bee_bear = alice discard: alien_brain; bob holds: 5; bob pile: 1
C44: Bob cannot draw from his pile, steal, or get his creatures back; those parts skip.
  alice play: alien_brain | bob hand: giraffodile, +; discard: bee_bear | active: bob
  > play giraffodile = bob holds: 3; bob discard: bee_bear
  & alice play: alien_brain; hand: dr_orange_u_tan, + | bob play: gorillion
  > play dr_orange_u_tan > yes = alice life: 2; bob play: gorillion
  & alice play: gorillion, alien_brain | bob play: strange_barrel
  > attack gorillion > block strange_barrel = alice holds: 3; bob holds: 3
T168: Alice keeps the given Gorillion (hand 6) or plays it (hand 5) (C15, R28).
  alice hand: hungry_hungry_hamster, luchataur, +; draw: turbo_bug
  > play hungry_hungry_hamster > discard gorillion = D12; offered: keep, play
  > keep = alice holds: 6; alice play: hungry_hungry_hamster
  & alice hand: hungry_hungry_hamster, luchataur, +; draw: turbo_bug
  > play hungry_hungry_hamster > discard gorillion = D12; offered: keep, play
  > play = alice holds: 5; alice play: gorillion, hungry_hungry_hamster
T168: with Bob's Alien Brain there is no D12 (C15, C44).
  alice hand: hungry_hungry_hamster, + | bob play: alien_brain
  > play hungry_hungry_hamster > discard gorillion
  = alice play: gorillion, hungry_hungry_hamster; D1; active: bob
C54: both hands change places, then both refill; skipped as a whole under C44.
  alice play: macaw_dagon; hand: turbo_bug | bob play: gorillion; hand: bee_bear, brain_fly
  > attack macaw_dagon = alice hand: bee_bear, brain_fly; bob hand: turbo_bug
  & alice play: macaw_dagon; hand: turbo_bug | bob play: alien_brain; hand: bee_bear, brain_fly
  > attack macaw_dagon = alice hand: turbo_bug; bob hand: bee_bear, brain_fly
C51: two different cards of the own pile, D7, moved together.
  alice play: short_neck_giraffodile; discard: turbo_bug, bee_bear, brain_fly
  > attack short_neck_giraffodile = D7
  > target turbo_bug > target brain_fly = alice discard: bee_bear; alice holds: 5
T151: Bob holds cards with power 4 or less and has no creature: he loses (R18, C48).
  alice play: wolfman_steve | bob hand: turbo_bug, spider_owl | active: bob
  = over: alice, no_action
C48: Bob may play his 10 and his 9, not his 2; a given weak card is played (C15).
  alice play: wolfman_steve | active: bob
  = offered: play bob gorillion, play bob luchataur
  & alice hand: hungry_hungry_hamster, + | bob play: alien_brain; hand: turbo_bug, wolfman_steve
  > play hungry_hungry_hamster > discard turbo_bug = alice play: hungry_hungry_hamster, turbo_bug
# Mindbugs
T143: Bob with 1 life uses a Mindbug and loses before the card is played (R36, R14).
  alice play: mindbug_bug; hand: gorillion, + | bob life: 1; mindbugs: 1
  > play gorillion > use = over: alice, life; bob play: none
T163: Bob 2 to 1; X enters, then Hyenix, then X's Play effect resolves (C62, R57).
  alice play: mindbug_bug; hand: axolotl_healer, + | bob discard: hyenix; life: 2; mindbugs: 1
  > play axolotl_healer > use = D9 bob; bob life: 1; bob play: axolotl_healer; waiting: 1
  > yes = bob play: axolotl_healer, hyenix; bob life: 3
C62: two Mindbug Bugs are two losses, in an order that the active player picks (R57).
  alice play: mindbug_bug, mindbug_bug; hand: gorillion, + | bob mindbugs: 1
  > play gorillion > use = offered: resolve alice mindbug_bug mindbug_used,
    resolve alice mindbug_bug mindbug_used; limbo: gorillion
  > resolve mindbug_bug = bob life: 1; bob play: gorillion
C46: while Bug Catcher is in play neither player may use a Mindbug.
  alice play: bug_catcher; hand: turbo_bug, +; mindbugs: 1 | bob mindbugs: 1
  > play turbo_bug = alice play: bug_catcher, turbo_bug; D1; active: bob
  & alice hand: turbo_bug, +; mindbugs: 1 | bob play: bug_catcher; mindbugs: 1
  > play turbo_bug = alice play: turbo_bug; D1; active: bob
# Attack and Defeated effects
T87: Slugapult exhausts the fresh TOUGH ally, so no enemy is defeated (R48).
  alice play: slugapult, shield_bugs | bob play: gorillion, bee_bear
  > attack slugapult = D9 alice
  > yes = exhausted shield_bugs: yes; bob play: bee_bear, gorillion; D4
R48, R126: after a real defeat an enemy creature is chosen.
  alice play: slugapult, turbo_bug | bob play: gorillion, bee_bear
  > attack slugapult > yes = D6; offered: target bob bee_bear, target bob gorillion
  > target gorillion = bob discard: gorillion
T162: Count Draculeech costs no life; a creature is defeated (C52, R43).
  alice play: count_draculeech, knightmare; life: 1 | bob play: gorillion
  > attack count_draculeech = D6; alice life: 1
  > target gorillion = bob discard: gorillion
C52: Dr Orange U Tan offers nothing, Dragon Inn is not legal, Mermaid cannot lower (R99).
  alice play: knightmare; hand: dr_orange_u_tan, + | bob play: gorillion
  > play dr_orange_u_tan = D1; active: bob
  & alice play: dragon_inn | bob play: knightmare, gorillion
  = offered: attack alice dragon_inn, play alice gorillion, play alice luchataur,
    play alice plated_scorpion
  & alice play: knightmare; hand: mysterious_mermaid, +; life: 5
  > play mysterious_mermaid = alice life: 5
C52: its controller loses when the Defeated effect resolves.
  alice play: gorillion | bob play: knightmare exhausted
  > attack gorillion > block knightmare = over: alice, effect; bob life: 3
C59: with an empty hand; with three creatures more than the opponent (R14).
  alice play: unigon, gorillion; hand: none
  > attack unigon = over: alice, effect
  & alice play: steamforger, gorillion, luchataur, bee_bear | bob play: turbo_bug
  > attack steamforger = over: alice, effect
  & alice play: steamforger, gorillion, luchataur | bob play: turbo_bug
  > attack steamforger = over: no
C50: the opponent loses 2 life if both players have as many unused Mindbugs.
  alice play: battle_beetle; mindbugs: 1 | bob play: gorillion; mindbugs: 1
  > attack battle_beetle = D4; bob life: 1
  & alice play: battle_beetle; mindbugs: 1 | bob play: gorillion
  > attack battle_beetle = D4; bob life: 3
C55: 4, 6, 5 and 1: three defeats, a fresh TOUGH creature twice; also without an enemy.
The third defeat (Shield Bugs) and the fourth, without a target, are silent. Then the Toad's effect
finds Chuck alone.
  alice hand: chuck, + | bob play: shield_bugs, explosive_toad
    | chance: 3 of 6, 5 of 6, 4 of 6, 5 of 6, 0 of 6
  > play chuck > target shield_bugs = exhausted shield_bugs: yes
  > target explosive_toad
  = bob discard: explosive_toad, shield_bugs; exhausted chuck: yes; D1; active: bob
# Constant abilities
C5: they limit blocking; the boosted creature of either side cannot block (R105).
  alice play: gorillion | bob play: boar_zooka, turbo_bug
  > attack gorillion = offered: block bob turbo_bug, no_block
  & alice play: watts_dog | bob play: killer_bee, turbo_bug
  > attack watts_dog = offered: block bob turbo_bug, no_block
  & alice play: gorillion | bob play: ghost_hand, turbo_bug boosts:bee_bear
  > attack gorillion = offered: block bob ghost_hand, no_block
R106: in Alice's pile it keeps her creatures with FRENZY or HUNTER from attacking.
  alice play: luchataur, killer_bee, gorillion; hand: bee_bear; discard: cursed_goblin_werewolf
  = offered: attack alice gorillion, play alice bee_bear
C45: Kangasaurus Rex cannot reach it, Tornado Dragon can: D12 comes before its next pick.
  alice hand: tornado_dragon, + | bob play: sluggernaut, gorillion
  > play tornado_dragon > target gorillion > target luchataur > target sluggernaut = D12 bob
  > mode 1 = D6 alice; power sluggernaut: 8
# Evolution
T169: equal powers: Bomber falls, the Kitten evolves, and again at end of turn (C43, C56).
  alice play: kitten_crewmate | bob play: ferret_bomber
  > attack kitten_crewmate > block ferret_bomber
  = bob discard: ferret_bomber; alice play: silver_whiskers; D1; active: bob
C43: a Kitten that only loses becomes One-Eye Felix, whose turn end does nothing (R97).
  alice play: kitten_crewmate | bob play: spider_owl
  > attack kitten_crewmate > block spider_owl = alice play: one_eye_felix; power one_eye_felix: 7;
    keywords one_eye_felix: HUNTER; alice discard: none
C56: Felix fights a fresh TOUGH creature and does not evolve; then it does as a blocker.
  alice play: one_eye_felix | bob play: shield_bugs, killer_bee
  > attack one_eye_felix > hunt shield_bugs = alice play: one_eye_felix
  > attack killer_bee > no_hunt > block one_eye_felix = alice play: silver_whiskers; active: alice
C13: Attack: enemy creatures only (R45).
  alice play: silver_whiskers, turbo_bug | bob play: killer_bee, gorillion
  > attack silver_whiskers = alice play: killer_bee, silver_whiskers, turbo_bug; D4
R98, R103: boost and evolve; as Deckbox Mimic it may evolve (D9).
  alice play: tuckbox_mimic; discard: bee_bear, turbo_bug
  > activate tuckbox_mimic = D14
  > target bee_bear = alice play: deckbox_mimic; power deckbox_mimic: 6
  > play gorillion > activate deckbox_mimic > target turbo_bug = D9 alice
  > yes = alice play: big_box_mimic; power big_box_mimic: 8
T144: defeated as stage III it plays its boost cards; the pile has stage I (R54, R102).
  alice play: gorillion | bob play: big_box_mimic boosts:axolotl_healer,killer_bee, turbo_bug
  > attack gorillion > block big_box_mimic = D8 bob; offered: stop, target bob axolotl_healer,
    target bob killer_bee; bob discard: axolotl_healer, killer_bee, tuckbox_mimic
  > target axolotl_healer > target killer_bee
  = bob play: axolotl_healer, killer_bee, turbo_bug; alice life: 3; bob life: 3
C58: Fire Antler, resolved first, takes one of the fallen cards (R54).
Majestic Manticore defeats both at once; Alice orders Fire Antler first.
Bob's creatures have 6 + 2 - 2, 8 - 2 and 9 - 2.
  alice play: majestic_manticore, gorillion | bob play: big_box_mimic boosts:bee_bear,turbo_bug,
    fire_antler, luchataur; discard: cursed_gorillion
  = power big_box_mimic: 6; power fire_antler: 6
  > attack majestic_manticore > resolve fire_antler > target bee_bear > target luchataur
  = offered: stop, target bob turbo_bug
C58: any number of cards with printed power 4 or less enter together (D8, R6).
  alice hand: ratomancer, +; discard: axolotl_healer, ferret_bomber, killer_bee
  > play ratomancer = offered: stop, target alice axolotl_healer, target alice ferret_bomber
  > target axolotl_healer > target ferret_bomber
  = alice play: axolotl_healer, ferret_bomber, ratomancer; alice life: 3; bob holds: 3
# End of turn, setting aside
C47, C57: at its controller's turn end it takes the hunted and the blocking creature.
  alice play: jazz_dog, goreagle_alpha | bob play: shield_bugs, elephantopus, turbo_bug
  > attack goreagle_alpha > hunt shield_bugs > attack again > no_hunt > block elephantopus
  = alice play: elephantopus, goreagle_alpha, jazz_dog, shield_bugs; bob play: turbo_bug; D1;
    active: bob
C57: Bob's Jazz Dog does not trigger at the end of Alice's turn.
  alice play: gorillion, luchataur | bob play: jazz_dog
  > attack gorillion > no_block = alice play: gorillion, luchataur
T164: Bob's 7 leaves without a trigger, its boost card falls; it comes back fresh (C53).
  alice play: gorillion; hand: alpacoodle, + | bob play: steelhorn exhausted boosts:bee_bear;
    hand: luchataur, +
  > play alpacoodle
  = alice play: alpacoodle; bob play: none; set aside: gorillion, steelhorn; bob discard: bee_bear
  > play luchataur > attack alpacoodle > block luchataur
  = alice discard: alpacoodle; alice play: gorillion; bob play: luchataur, steelhorn;
    exhausted steelhorn: no; power steelhorn: 7; alice holds: 3
C53: what a Utility Bug sets aside does not come back; the Alpacoodle is among it.
  alice hand: utility_bug, + | bob play: alpacoodle, gorillion
  > play utility_bug > yes = set aside: alpacoodle, gorillion; alice play: utility_bug
C18: the opponent gets it; defeated, its controller loses 2 life (R92).
  alice play: gorillion; hand: suspicious_gift, + | bob play: luchataur
  > play suspicious_gift = bob play: luchataur, suspicious_gift
  > attack suspicious_gift > block gorillion = bob life: 1
C34, C13: the second mode needs a boosted creature that is not its controller's.
  alice play: solar_bear boosts:bee_bear | bob play: gorillion boosts:turbo_bug
  > attack solar_bear = alice play: gorillion, solar_bear; power gorillion: 11
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def test_c61_future_eric_keeps_the_order(new_table):
    """C61: the top card lies above the second, both below what was there."""
    table = new_table(
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


def test_t141_a_granted_attack_effect_resolves_without_the_attacker(new_table):
    """T141: Snail Hydra defeats itself; Alice still gains 1 life; the attack ends (R63, R55)."""
    table = new_table(
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


def test_c60_jean_claw_pandamme_makes_the_attackers_controller_discard(new_table):
    """C60: "you" is the attacker's controller; one trigger for each Jean-Claw Pandamme (R63)."""
    table = new_table(board(["gorillion"], ["jean_claw_pandamme", "jean_claw_pandamme"]))
    table.choose("attack gorillion")
    assert (table.point, len(table.options())) == ("D11", 2)
    table.game.choose(table.game.decision.options[0])
    assert (table.point, table.decider) == ("D10", ALICE)
    table.choose("discard gorillion")
    table.choose("discard luchataur")
    assert table.hand(ALICE) == ["plated_scorpion"]
    assert (table.point, table.decider) == ("D4", BOB)


@pytest.mark.parametrize(("mode", "profile"), [(0, (5, ["HUNTER"])), (1, (8, ["FRENZY"]))])
def test_c45_sluggernaut_chooses_a_profile(new_table, mode, profile):
    """C45: exhausted, its controller picks 5 with HUNTER or 8 with FRENZY, for good (D12)."""
    table = new_table(board(["gorillion"], ["sluggernaut"]))
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
