"""The worked examples (T1 ...) that need New Servants cards, and single rules beside them.

How to read them: ``told_examples.py``.
"""

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
# Single rules that no worked example of these sets shows
R27 holds from the start: a hand of 3 with 3 cards in the pile is filled up to 5.
  alice draw: +
  = alice holds: 5; alice pile: 1
R20: the effect beyond ``effect_cap`` is not carried out; the game is a draw, looped.
  alice hand: compost_dragon, +; discard: axolotl_healer | effect_cap: 2
  > play compost_dragon = over: no; alice life: 5
  & alice hand: compost_dragon, +; discard: axolotl_healer | effect_cap: 1
  > play compost_dragon = over: nobody, looped; alice life: 3
R57, C16: each Hyenix in the pile has its own trigger; the active player orders them.
  alice play: luchataur | bob discard: hyenix, hyenix
  > attack luchataur
  = D11 alice; waiting: 2; offered: resolve bob hyenix life_lost, resolve bob hyenix life_lost
  > resolve hyenix = D9 bob; waiting: 1
  > no = D9 bob; waiting: 0
  > yes = bob play: hyenix; bob discard: hyenix
C16: a Hyenix in the other player's pile does not trigger.
  alice play: gorillion; discard: hyenix
  > attack gorillion = D1 bob
R17: Mermaid lowers Alice's life to Bob's 2, which triggers the Hyenix in her pile.
  alice hand: mysterious_mermaid, +; discard: hyenix | bob life: 2
  > play mysterious_mermaid = alice life: 2; D9 alice
  > yes = alice play: hyenix, mysterious_mermaid
R25: The Lurker has SNEAKY for this attack if Alice has more creatures; then no more.
  alice play: the_lurker, gorillion | bob play: bee_bear
  > attack the_lurker = bob life: 2; D1; active: bob; keywords the_lurker: TOUGH
R26: the creature chosen by Turf The Surfer may not block this turn; others may.
  alice play: turf_the_surfer | bob play: gorillion, luchataur
  > attack turf_the_surfer
  = offered: target alice turf_the_surfer, target bob gorillion, target bob luchataur
  > target gorillion = offered: block bob luchataur, no_block
R84: Froblin Instigator has +2 power for each other allied creature.
  alice play: froblin_instigator, gorillion, luchataur | bob play: bee_bear
  = power froblin_instigator: 5
R74: Harpy Mother takes Turbo Bug, so Luchataur is the lowest and cannot attack again.
  alice play: luchataur, turbo_bug | bob play: harpy_mother, hamster_lion
  > attack luchataur > block harpy_mother > target turbo_bug
  = alice play: luchataur; D1; active: bob
R38: with ``action`` Alice acts again in turn 1 and may attack; then Bob has turn 2.
  alice play: gorillion | bob mindbugs: 2 | after_mindbug: action
  > play luchataur > use = D1; active: alice; turn: 1; bob mindbugs: 1
  > play plated_scorpion > use = D1; active: alice; turn: 1; bob mindbugs: 0
  > attack gorillion > no_block = D1; active: bob; turn: 2
R57: three 5s fall together; the active player picks anew after each of their effects.
Toad, Toad and Harpy Mother (all 5) fall together and form one batch of three. The attacker
is gone, the attack ends (R64).
  alice play: majestic_manticore, gorillion, luchataur
    | bob play: explosive_toad, explosive_toad, harpy_mother
  > attack majestic_manticore = offered: resolve bob explosive_toad defeated,
    resolve bob explosive_toad defeated, resolve bob harpy_mother defeated; D11 alice; waiting: 3
  > resolve explosive_toad > target gorillion = D11; waiting: 2
  > resolve harpy_mother = D6 bob; waiting: 0
  > target majestic_manticore = bob life: 3; D1; active: bob
R57: the trigger of Alice's second Toad waits until Bob's older one has been resolved.
  alice play: explosive_toad, explosive_toad, gorillion
    | bob play: explosive_toad, luchataur, bee_bear
  > attack explosive_toad > block explosive_toad > resolve alice explosive_toad
    > target explosive_toad = D6 bob; waiting: 1
  > target gorillion = D6 alice; waiting: 0; offered: target bob bee_bear, target bob luchataur
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)
