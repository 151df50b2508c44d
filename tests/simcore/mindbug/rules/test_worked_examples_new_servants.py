"""The worked examples of the rules (T1 ...) that need New Servants cards.

How to read them: ``told_examples.py``.
"""

from __future__ import annotations

from support.told_examples import play_example, told_examples

EXAMPLES = """
# Mindbugs
T17: Bob with 1 life takes Goreagle Alpha, loses it and Alice wins (R36, R14, C10).
  alice hand: goreagle_alpha, + | bob life: 1; mindbugs: 1
  > play goreagle_alpha > use = over: alice, life
T20: Bob gives a card to Alice's Hungry Hungry Hamster and refills; she plays it (C15).
  alice hand: hungry_hungry_hamster, + | bob hand: axolotl_healer, killer_bee, +;
    draw: turbo_bug, bee_bear; mindbugs: 1
  > play hungry_hungry_hamster > refuse = D10 bob
  > discard axolotl_healer = D12 alice; bob holds: 5; bob pile: 1; limbo: axolotl_healer
  > play
  = alice play: axolotl_healer, hungry_hungry_hamster; alice life: 5; D1 bob; bob mindbugs: 1
# Basic combat, POISONOUS, TOUGH
T36: Creep From The Deep hunts fresh Plated Scorpion: Creep falls, Scorpion tires (R72).
  alice play: creep_from_the_deep | bob play: plated_scorpion
  > attack creep_from_the_deep > hunt plated_scorpion
  = alice discard: creep_from_the_deep; bob play: plated_scorpion; exhausted plated_scorpion: yes
T37: a weaker fresh TOUGH creature blocks a POISONOUS one and is exhausted once (R72).
The blocker is Bugserker (power 3): no card of the two sets is TOUGH, of power 2 and harmless.
  alice play: axolotl_healer | bob play: bugserker
  > attack axolotl_healer > block bugserker
  = alice play: axolotl_healer; bob play: bugserker; exhausted bugserker: yes
# SNEAKY and HUNTER
T56: all three of Bob's creatures may be hunted, only the 5 may block (R88, R67).
  alice play: ferret_pacifier, killer_bee | bob play: luchataur, luchataur, harpy_mother
  > attack killer_bee
  = offered: hunt bob harpy_mother, hunt bob luchataur, hunt bob luchataur, no_hunt
  > no_hunt = offered: block bob harpy_mother, no_block
T60: Goreagle Alpha hunts a 4 and then a 5; Bob loses no life (R74, R65).
  alice play: goreagle_alpha | bob play: turbo_bug, killer_bee
  > attack goreagle_alpha > hunt turbo_bug > attack again > hunt killer_bee
  = bob discard: killer_bee, turbo_bug; bob life: 3; exhausted goreagle_alpha: no
T62: Creep From The Deep hunts Gorillion and both are defeated (R71, R65).
  alice play: creep_from_the_deep | bob play: gorillion
  > attack creep_from_the_deep > hunt gorillion
  = alice discard: creep_from_the_deep; bob discard: gorillion
# FRENZY and Attack triggers
T78: Count Draculeech's controller has 1 life and loses; nothing is defeated (R14, C10).
  alice play: count_draculeech; life: 1 | bob play: gorillion
  > attack count_draculeech = over: bob, life; alice play: count_draculeech; bob play: gorillion
T79: Bob plays Hyenix from his pile before the FRENZY choice and may block (R58, C16).
  alice play: luchataur | bob discard: hyenix
  > attack luchataur = D9 bob; bob life: 2
  > yes = D5 alice; bob play: hyenix
  > attack again = offered: block bob hyenix, no_block
# Constant abilities
T98: Majestic Manticore (6) defeats Bob's 3 and Alice's 3 and stays (R88).
  alice play: majestic_manticore, tiger_squirrel | bob play: spider_owl
  > attack majestic_manticore
  = alice play: majestic_manticore; alice discard: tiger_squirrel; bob discard: spider_owl
T99: Majestic Manticore (6) alone against a 7 defeats itself; the attack ends (R88, R64).
  alice play: majestic_manticore | bob play: giraffodile
  > attack majestic_manticore
  = alice discard: majestic_manticore; bob play: giraffodile; bob life: 3; D1 bob
T100: under Hamster Lion only the 9 of Bob's 4, 4 and 9 can attack (R88).
Padding: Bob holds one card, so that his turn action is a decision.
  alice play: hamster_lion | bob play: turbo_bug, brain_fly, luchataur; hand: gorillion
    | active: bob
  = offered: attack bob luchataur, play bob gorillion
T101: Bugserker has 3, 11, 3 while Alice's life goes 2, 1, 2 (R84).
Gorillion takes the life; Mysterious Mermaid gives it back, because Bob has 2.
  alice play: bugserker; hand: mysterious_mermaid, +; life: 2 | bob play: gorillion; life: 2
    | active: bob
  = power bugserker: 3
  > attack gorillion > no_block = alice life: 1; power bugserker: 11
  > play mysterious_mermaid = alice life: 2; power bugserker: 3
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)
