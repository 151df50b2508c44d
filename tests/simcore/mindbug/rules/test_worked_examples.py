"""The worked examples of the rules (T1 ...) that need only First Contact cards, on every engine.

An example is a position, choices, and the outcome that the rules give (``told_examples.py``). Where
the rules say nothing about hands, both players hold the padding ``NEUTRAL``: cards without
abilities that keep them from having a single (silent) turn action or none.
"""

from support.told_examples import play_example, told_examples

EXAMPLES = """
# Setup, hands, turn order
T3: Alice with 5 + 3 cards plays one and holds 5, pile 2, before Bob decides (R34, R27).
  alice hand: gorillion, killer_bee, +; draw: + | bob mindbugs: 1
  > play killer_bee
  = D2 bob; offered: refuse, use; alice holds: 5; alice pile: 2; limbo: killer_bee
T4: Alice with 5 cards and an empty pile plays one, holds 4 and does not lose (R27, R19).
  alice hand: gorillion, luchataur, +
  > play plated_scorpion = alice holds: 4; over: no
T5: Alice with 7 cards in hand plays one and draws nothing (R28).
  alice hand: +, +, luchataur; draw: + | bob mindbugs: 1
  > play gorillion = alice holds: 6; alice pile: 3
T6: Ferret Bomber makes Bob discard 2 of his 5 cards together, then he draws 2 (R30, R44).
  alice hand: ferret_bomber, + | bob hand: killer_bee, bee_bear, +;
    draw: spider_owl, brain_fly, turbo_bug
  > play ferret_bomber = D10 bob
  > discard killer_bee = bob holds: 5; bob pile: 3; offered: discard bob bee_bear,
    discard bob gorillion, discard bob luchataur, discard bob plated_scorpion
  > discard bee_bear = bob discard: bee_bear, killer_bee; bob holds: 5; bob pile: 1
T7: Bob's only card is discarded silently (R29, R120); padding: he has two creatures.
  alice hand: ferret_bomber, + | bob play: gorillion, luchataur; hand: killer_bee
  > play ferret_bomber = bob discard: killer_bee; bob holds: 0; D1 bob
T8: Bob's Strange Barrel steals 2 random cards: 7 in hand; Alice draws 1 (R31, C14).
  alice play: gorillion; hand: +, killer_bee, turbo_bug; draw: bee_bear
    | bob play: strange_barrel; hand: +, gorillion, luchataur; draw: luchataur, +
  > attack gorillion > block strange_barrel
  = bob discard: strange_barrel; bob holds: 7; bob pile: 4; alice holds: 4; alice pile: 0
T9: Giraffodile adds 4 discarded cards to a hand of 5, which makes 9 (R28, C17).
  alice hand: giraffodile, killer_bee, +; draw: turbo_bug;
    discard: brain_fly, bee_bear, deathweaver, spider_owl | bob mindbugs: 1
  > play giraffodile = alice holds: 5
  > refuse = alice holds: 9; alice discard: none
T11: Alice has no card and no creature when her turn starts and loses (R18).
Padding: the example starts with Bob's turn before it.
  alice hand: none | bob play: gorillion | active: bob
  > attack gorillion = over: bob, no_action; alice life: 2; turn: 2
# Mindbugs
T12: Bob takes Axolotl Healer and gains 2 life; Alice has an extra turn, then Bob (R37).
  alice hand: axolotl_healer, + | bob mindbugs: 2
  > play axolotl_healer > use = alice life: 3; bob life: 5; bob mindbugs: 1;
    bob play: axolotl_healer; D1 alice; active: alice; turn: 2
  > play gorillion > refuse = D1 bob; active: bob; turn: 3
T13: Bob takes X and Y, then Z is Alice's without a window: three turns (R35, R37, R20).
  alice hand: axolotl_healer, + | bob mindbugs: 2
  > play gorillion > use > play luchataur > use = active: alice; turn: 3
  > play axolotl_healer = bob play: gorillion, luchataur; alice play: axolotl_healer;
    alice life: 5; D1 bob; active: bob; turn: 4
T14, T15: Alice's only card is taken; she cannot act again and loses (R39, R18).
  alice hand: gorillion | bob mindbugs: 1
  = D2 bob
  > use = over: bob, no_action; turn: 2
  & alice hand: gorillion | bob mindbugs: 1 | after_mindbug: action
  = D2 bob
  > use = over: bob, no_action; turn: 1
T16: Bob takes Killer Bee, so Alice with 1 life loses at once (R36, R14).
  alice hand: killer_bee, +; life: 1 | bob mindbugs: 1
  > play killer_bee > use = over: bob, life; alice life: 0
T18: Compost Dragon plays Killer Bee, which Bob cannot take; he loses 1 life (R40, R41).
  alice hand: compost_dragon, +; discard: killer_bee | bob mindbugs: 2
  > play compost_dragon > refuse
  = alice play: compost_dragon, killer_bee; bob life: 2; bob mindbugs: 2; D1 bob
T19: Bob's Compost Dragon plays the card of his own pile, without a window (R36, R53).
  alice hand: compost_dragon, +; discard: gorillion; mindbugs: 1 | bob discard: axolotl_healer;
    mindbugs: 1
  > play compost_dragon > use = bob play: axolotl_healer, compost_dragon; bob life: 5;
    alice discard: gorillion; D1 alice; alice mindbugs: 1
T21: Bob's Goblin Werewolf has power 2 until Alice's extra turn is over, then 8 (R21, C7).
  alice hand: goblin_werewolf, + | bob mindbugs: 1
  > play goblin_werewolf > use = active: alice; turn: 2; power goblin_werewolf: 2
  > play gorillion = active: bob; power goblin_werewolf: 8
  & alice hand: goblin_werewolf, + | bob mindbugs: 1 | after_mindbug: action
  > play goblin_werewolf > use = active: alice; turn: 1; power goblin_werewolf: 2
  > play gorillion = active: bob; power goblin_werewolf: 8
T22: the Gorillion that Bob took goes to Bob's pile when it is defeated (R3, R92).
  alice play: plated_scorpion; hand: gorillion, + | bob mindbugs: 1
  > play gorillion > use > attack plated_scorpion > block gorillion
  = bob discard: gorillion; alice discard: none
T23, T24, T25: whose Axolotl Healer gains life under whose Deathweaver (R90, C1).
  alice hand: axolotl_healer, + | bob play: deathweaver; mindbugs: 1
  > play axolotl_healer > refuse = alice life: 3; bob life: 3; alice play: axolotl_healer
  & alice hand: axolotl_healer, + | bob play: deathweaver; mindbugs: 1
  > play axolotl_healer > use = alice life: 3; bob life: 5; bob play: axolotl_healer, deathweaver
  & alice play: deathweaver; hand: axolotl_healer, + | bob mindbugs: 1
  > play axolotl_healer > use = alice life: 3; bob life: 3; bob play: axolotl_healer
# Basic combat, POISONOUS, TOUGH
T28: Bee Bear blocks Gorillion and is defeated; no life is lost (R70).
  alice play: gorillion | bob play: bee_bear
  > attack gorillion = D4 bob
  > block bee_bear = bob discard: bee_bear; alice play: gorillion; bob life: 3
T29: Bob does not block Gorillion and loses 1 life (R69).
  alice play: gorillion | bob play: bee_bear
  > attack gorillion > no_block = bob life: 2; bob play: bee_bear
T30: a 7 attacks, a 7 blocks, both are defeated (R70, R73).
  alice play: giraffodile | bob play: mysterious_mermaid
  > attack giraffodile > block mysterious_mermaid
  = alice discard: giraffodile; bob discard: mysterious_mermaid
T31: Spider Owl hunts Luchataur and both are defeated (R71); Snail Thrower gives HUNTER.
  alice play: spider_owl, snail_thrower | bob play: luchataur
  > attack spider_owl > hunt luchataur = alice discard: spider_owl; bob discard: luchataur
T32: Compost Dragon does not hunt, Axolotl Healer blocks, only the Dragon falls (R71).
  alice play: compost_dragon | bob play: axolotl_healer
  > attack compost_dragon > no_hunt > block axolotl_healer
  = alice discard: compost_dragon; bob play: axolotl_healer
T33: a POISONOUS 4 attacks, a POISONOUS 2 blocks, both are defeated (R71, R79).
  alice play: axolotl_healer | bob play: deathweaver
  > attack axolotl_healer > block deathweaver
  = alice discard: axolotl_healer; bob discard: deathweaver
T34: fresh Rhino Turtle is exhausted by a POISONOUS blocker and may attack again (R81).
  alice play: rhino_turtle | bob play: axolotl_healer
  > attack rhino_turtle > block axolotl_healer = bob discard: axolotl_healer;
    exhausted rhino_turtle: yes; D5 alice; offered: attack_again, stop
T35: Shield Bugs, equal and facing POISONOUS, are only exhausted (R72).
  alice play: axolotl_healer | bob play: shield_bugs
  > attack axolotl_healer > block shield_bugs
  = alice discard: axolotl_healer; bob play: shield_bugs; exhausted shield_bugs: yes
T38: an exhausted Rhino Turtle attacks a POISONOUS blocker and both fall (R82, R71).
  alice play: rhino_turtle exhausted | bob play: axolotl_healer
  > attack rhino_turtle > block axolotl_healer
  = alice discard: rhino_turtle; bob discard: axolotl_healer
T39: two fresh Rhino Turtles fight, both are exhausted and nothing triggers (R73, R81).
  alice play: rhino_turtle | bob play: rhino_turtle
  > attack rhino_turtle > block rhino_turtle = exhausted alice rhino_turtle: yes;
    exhausted bob rhino_turtle: yes; alice discard: none; bob discard: none; waiting: 0
T40: two fresh Plated Scorpions exhaust each other, then defeat each other (R72, R82).
  alice play: plated_scorpion | bob play: plated_scorpion
  > attack plated_scorpion > block plated_scorpion
  = exhausted alice plated_scorpion: yes; exhausted bob plated_scorpion: yes; active: bob
  > attack plated_scorpion > block plated_scorpion
  = alice discard: plated_scorpion; bob discard: plated_scorpion
T41: Luchataur is defeated by the Plated Scorpion that blocks; it is exhausted (R71, R81).
  alice play: luchataur | bob play: plated_scorpion
  > attack luchataur > block plated_scorpion
  = alice discard: luchataur; bob play: plated_scorpion; exhausted plated_scorpion: yes; D1 bob
T42: fresh Shield Bugs are exhausted, Owl (4) defeated, Healer (5) survives (R50, R87).
  alice hand: kangasaurus_rex, + | bob play: shield_bugs, spider_owl, axolotl_healer
  = power axolotl_healer: 5
  > play kangasaurus_rex
  = bob play: axolotl_healer, shield_bugs; exhausted shield_bugs: yes; bob discard: spider_owl
T43: exhausted Shield Bugs fall with the Owl; Healer survives with power 4 (R50, R96).
  alice hand: kangasaurus_rex, + | bob play: shield_bugs exhausted, spider_owl, axolotl_healer
  > play kangasaurus_rex
  = bob play: axolotl_healer; bob discard: shield_bugs, spider_owl; power axolotl_healer: 4
T44: the exhausted Rhino Turtle that Brain Fly took falls into Alice's pile (R95, R82).
  alice hand: brain_fly, + | bob play: rhino_turtle exhausted, gorillion
  > play brain_fly > target rhino_turtle
  = alice play: brain_fly, rhino_turtle; exhausted alice rhino_turtle: yes; D1 bob; waiting: 0
  > attack gorillion > block rhino_turtle = alice discard: rhino_turtle; bob discard: none
# SNEAKY and HUNTER
T46: Spider Owl may be blocked by Tiger Squirrel, not by Elephantopus (R68).
  alice play: spider_owl | bob play: tiger_squirrel, elephantopus
  > attack spider_owl = offered: block bob tiger_squirrel, no_block
T47: Tiger Squirrel may block Gorillion and is defeated (R80).
  alice play: gorillion | bob play: tiger_squirrel
  > attack gorillion > block tiger_squirrel = bob discard: tiger_squirrel; bob life: 3
T48: Spider Owl blocks Tiger Squirrel and both are defeated (R68, R70).
  alice play: tiger_squirrel | bob play: spider_owl
  > attack tiger_squirrel > block spider_owl
  = alice discard: tiger_squirrel; bob discard: spider_owl
T51: Spider Owl hunts Gorillion, which must block (R67, R66); Snail Thrower gives HUNTER.
  alice play: spider_owl, snail_thrower | bob play: gorillion
  > attack spider_owl > hunt gorillion
  = alice discard: spider_owl; bob discard: gorillion; bob life: 3
T52: Spider Owl does not hunt, Gorillion cannot block, Bob loses 1 life (R65, R68, R69).
  alice play: spider_owl, snail_thrower | bob play: gorillion
  > attack spider_owl > no_hunt = D1 bob; bob life: 2
T53: Killer Bee hunts Spider Owl in spite of Elephantopus; both fall (R67, C5).
  alice play: killer_bee, elephantopus | bob play: spider_owl
  > attack killer_bee > hunt spider_owl = alice discard: killer_bee; bob discard: spider_owl
T54: Killer Bee does not hunt and Spider Owl may not block: Bob loses 1 life (C5).
  alice play: killer_bee, elephantopus | bob play: spider_owl
  > attack killer_bee > no_hunt = D1 bob; bob life: 2
T57: Killer Bee does not hunt, so Bob may block or not (R65, R68).
  alice play: killer_bee | bob play: bee_bear
  > attack killer_bee = offered: hunt bob bee_bear, no_hunt
  > no_hunt = D4 bob; offered: block bob bee_bear, no_block
T58: Shark Dog's effect defeats Gorillion first; only Ferret Bomber can be hunted (R61).
  alice play: shark_dog | bob play: gorillion, ferret_bomber
  > attack shark_dog = bob discard: gorillion; D3 alice; offered: hunt bob ferret_bomber, no_hunt
T59: Shark Dog's effect defeats the only enemy, and Bob loses 1 life (R65, R69).
  alice play: shark_dog | bob play: gorillion
  > attack shark_dog = bob discard: gorillion; bob life: 2; D1 bob
T61: Killer Bee hunts fresh Shield Bugs: exhausted, no life lost (R66, R81).
  alice play: killer_bee | bob play: shield_bugs
  > attack killer_bee > hunt shield_bugs
  = exhausted shield_bugs: yes; alice play: killer_bee; bob life: 3
T63: Killer Bee hunts Killer Bee and both are defeated (R78, R70).
  alice play: killer_bee | bob play: killer_bee
  > attack killer_bee > hunt killer_bee = alice discard: killer_bee; bob discard: killer_bee
# FRENZY and Attack triggers
T66: Luchataur attacks twice unblocked: Bob 3 to 1, turn over (R74).
  alice play: luchataur
  > attack luchataur = D5 alice
  > attack again = bob life: 1; D1; active: bob
T67: Luchataur attacks once and stops: Bob 3 to 2 (R74).
  alice play: luchataur
  > attack luchataur > stop = bob life: 2; D1; active: bob
T70: Luchataur blocks Rhino Turtle twice: exhausted, then defeated (R77, R74, R82).
  alice play: rhino_turtle | bob play: luchataur
  > attack rhino_turtle > block luchataur = exhausted rhino_turtle: yes
  > attack again > block luchataur
  = alice discard: rhino_turtle; bob play: luchataur; D1; active: bob
T71: two Toad triggers leave Lone Yeti alone, so it may attack again (R74, R57, C6).
  alice play: lone_yeti, explosive_toad | bob play: explosive_toad, gorillion
  > attack lone_yeti > block explosive_toad = D6 bob
  > target explosive_toad = D6 alice
  > target gorillion = alice play: lone_yeti; bob play: none; exhausted lone_yeti: yes;
    power lone_yeti: 10; keywords lone_yeti: FRENZY, TOUGH; D5 alice
T72: with Bob's Toad gone Sharky has no FRENZY and may not attack again (R89, R74).
  alice play: sharky_crab_dog_mummypus, shield_bugs | bob play: explosive_toad
  = power sharky_crab_dog_mummypus: 6; keywords sharky_crab_dog_mummypus: FRENZY
  > attack sharky_crab_dog_mummypus > block explosive_toad > target shield_bugs
  = exhausted shield_bugs: yes; bob discard: explosive_toad;
    keywords sharky_crab_dog_mummypus: none; D1 bob
T74: Snail Hydra defeats the Toad, whose trigger defeats Hydra: no block (R64, R58).
  alice play: snail_hydra | bob play: explosive_toad, gorillion
  > attack snail_hydra > target explosive_toad = D6 bob
  > target snail_hydra = alice play: none; bob play: gorillion; bob life: 3; D1 bob
T75: Snail Hydra may be its own target, and the attack ends (R45, R64, C11).
  alice play: snail_hydra | bob play: explosive_toad, gorillion
  > attack snail_hydra > target snail_hydra = alice discard: snail_hydra; bob life: 3; D1 bob
T76: Chameleon Sniper takes Bob's 2 lives; his Gorillion is not SNEAKY (R63, R69).
  alice play: chameleon_sniper | bob play: gorillion; life: 2
  > attack chameleon_sniper = over: alice, life; bob life: 0
T77: Turbo Bug takes Bob from 5 lives to 1, then the attack wins (C8, R69).
  alice play: turbo_bug | bob life: 5
  > attack turbo_bug = over: alice, life
# Triggers and simultaneity
T80: two Toads fight; Alice orders the triggers and no Toad is a target (R73, R57, R44).
  alice play: explosive_toad, giraffodile | bob play: explosive_toad, mysterious_mermaid
  > attack explosive_toad > block explosive_toad = D11 alice; waiting: 2;
    offered: resolve alice explosive_toad defeated, resolve bob explosive_toad defeated
  > resolve alice explosive_toad
  = D6 alice; waiting: 1; offered: target alice giraffodile, target bob mysterious_mermaid
  > target mysterious_mermaid = alice play: none; bob play: none;
    alice discard: explosive_toad, giraffodile; bob discard: explosive_toad, mysterious_mermaid
T83: Toad and Killer Bee defeat each other, no creature is left, nothing happens (R43).
  alice play: killer_bee | bob play: explosive_toad
  > attack killer_bee > hunt explosive_toad = alice play: none; bob play: none; D1 bob; waiting: 0
T84: only Gorillion is left for the trigger of Bob's Toad and must be chosen (R46).
  alice play: killer_bee | bob play: explosive_toad, gorillion
  > attack killer_bee > hunt explosive_toad
  = bob discard: explosive_toad, gorillion; bob play: none
T85: Bob's Harpy Mother takes 0, 1 or 2 creatures without Play effects (R49, R95).
  alice play: gorillion, axolotl_healer, killer_bee | bob play: harpy_mother
  > attack gorillion > block harpy_mother
  = D8 bob; offered: stop, target alice axolotl_healer, target alice killer_bee; bob play: none
  > stop = bob play: none; alice life: 3; bob life: 3; D1 bob
  & alice play: gorillion, axolotl_healer, killer_bee | bob play: harpy_mother
  > attack gorillion > block harpy_mother
  = D8 bob; offered: stop, target alice axolotl_healer, target alice killer_bee; bob play: none
  > target killer_bee = bob play: none
  > stop = bob play: killer_bee; alice life: 3; bob life: 3; D1 bob
  & alice play: gorillion, axolotl_healer, killer_bee | bob play: harpy_mother
  > attack gorillion > block harpy_mother
  = D8 bob; offered: stop, target alice axolotl_healer, target alice killer_bee; bob play: none
  > target killer_bee = bob play: none
  > target axolotl_healer
  = bob play: axolotl_healer, killer_bee; alice life: 3; bob life: 3; D1 bob
T89: Alice's life becomes Bob's life, up or down (R17).
  alice hand: mysterious_mermaid, +; life: 1 | bob life: 4
  > play mysterious_mermaid = alice life: 4; bob life: 4
  & alice hand: mysterious_mermaid, +; life: 6 | bob life: 2
  > play mysterious_mermaid = alice life: 2; bob life: 2
# Constant abilities
T90: Shield Bugs and Snail Thrower together: powers first, then keywords (R85, R87, C4).
  alice play: snail_thrower, shield_bugs, spider_owl, axolotl_healer | bob play: gorillion
  = power snail_thrower: 2; power shield_bugs: 4; power spider_owl: 4; power axolotl_healer: 5;
    keywords snail_thrower: POISONOUS; keywords shield_bugs: HUNTER, POISONOUS, TOUGH;
    keywords spider_owl: HUNTER, POISONOUS, SNEAKY; keywords axolotl_healer: POISONOUS
T91: Urchin Hurler lifts Tiger Squirrel above Snail Thrower's limit on Alice's turn (R85).
  alice play: snail_thrower, urchin_hurler, tiger_squirrel | bob play: gorillion
  = power tiger_squirrel: 5; keywords tiger_squirrel: SNEAKY
  > play gorillion
  = active: bob; power tiger_squirrel: 3; keywords tiger_squirrel: HUNTER, POISONOUS, SNEAKY
  > attack gorillion > block tiger_squirrel = alice discard: tiger_squirrel;
    bob discard: gorillion
T93: Sharky has what Ferret Bomber was granted and has printed, but no FRENZY (R89).
  alice play: sharky_crab_dog_mummypus | bob play: snail_thrower, ferret_bomber
  = keywords ferret_bomber: HUNTER, POISONOUS, SNEAKY; keywords snail_thrower: POISONOUS;
    keywords sharky_crab_dog_mummypus: HUNTER, POISONOUS, SNEAKY
T94: two Sharkys facing each other have no keyword (R89).
  alice play: sharky_crab_dog_mummypus | bob play: sharky_crab_dog_mummypus
  = keywords alice sharky_crab_dog_mummypus: none; keywords bob sharky_crab_dog_mummypus: none
T95: Sharky has FRENZY while Bob's Lone Yeti is alone and not afterwards (R84, R89).
  alice play: sharky_crab_dog_mummypus | bob play: lone_yeti | active: bob
  = keywords sharky_crab_dog_mummypus: FRENZY
  > play gorillion = keywords sharky_crab_dog_mummypus: none
C3: Sharky copies the SNEAKY of the attacking Tiger Squirrel and may block it (R89, R68).
  alice play: tiger_squirrel | bob play: sharky_crab_dog_mummypus, gorillion
  > attack tiger_squirrel = offered: block bob sharky_crab_dog_mummypus, no_block
T96: Lone Yeti has 5 with an ally and 10 with FRENZY after the ally has left (C6).
  alice play: lone_yeti, tiger_squirrel | bob play: spider_owl
  = power lone_yeti: 5; keywords lone_yeti: TOUGH
  > attack tiger_squirrel > block spider_owl
  = alice play: lone_yeti; power lone_yeti: 10; keywords lone_yeti: FRENZY, TOUGH
T97: Strange Barrel (6, now 7) may block Bee Bear, Shield Bugs (4) may not (R87, R68).
  alice play: bee_bear | bob play: strange_barrel, shield_bugs
  > attack bee_bear = offered: block bob strange_barrel, no_block
# Policy and caps, further cases
T131: Bob has no Mindbug, so he is not asked (R120).
  padding
  > play gorillion = alice play: gorillion; D1 bob
T132: "up to 2" of three targets offers 4 options, then 3 (D8); with Harpy Mother.
  alice play: gorillion, axolotl_healer, killer_bee, turbo_bug | bob play: harpy_mother
  > attack gorillion > block harpy_mother
  = offered: stop, target alice axolotl_healer, target alice killer_bee, target alice turbo_bug
  > target killer_bee = offered: stop, target alice axolotl_healer, target alice turbo_bug
T133: a game is a draw, capped, when its last turn has ended (R20); here the cap is 2.
  turn_cap: 2
  > play gorillion = over: no
  > play gorillion = over: nobody, capped; turn: 2
R20: as the publisher's tournament rules have it, if the pool says so.
  alice life: 2 | turn_cap: 2; at_turn_cap: higher_life
  > play gorillion > play gorillion = over: bob, capped
  & turn_cap: 2; at_turn_cap: higher_life
  > play gorillion > play gorillion = over: nobody, capped
  & alice life: 4 | turn_cap: 2; at_turn_cap: higher_life
  > play gorillion > play gorillion = over: alice, capped
T145: Compost Dragon plays a second one, which plays Ferret Bomber (R56, R57, R41).
  alice hand: compost_dragon, +; discard: ferret_bomber, compost_dragon
  > play compost_dragon = D6 alice
  > target compost_dragon
  = alice play: compost_dragon, compost_dragon, ferret_bomber; D10 bob; waiting: 0
  > discard gorillion > discard luchataur = bob discard: gorillion, luchataur; alice discard: none
T146: Tusked Extorter costs Bob a card and he draws before he blocks (R27, R61).
  alice play: tusked_extorter | bob play: bee_bear; hand: killer_bee, turbo_bug, +;
    draw: brain_fly
  > attack tusked_extorter > discard turbo_bug
  = D4 bob; bob holds: 5; bob pile: 0; bob hand: brain_fly, killer_bee, +
T147: exhausted Elephantopus attacks a fresh one: defeated and exhausted (R73, R82).
  alice play: elephantopus exhausted | bob play: elephantopus
  > attack elephantopus > block elephantopus
  = alice discard: elephantopus; bob play: elephantopus; exhausted bob elephantopus: yes
T148: Bob's mindbugged Brain Fly may take Alice's 6 or 9, not his own 8 (R45, R36, R37).
  alice play: strange_barrel, luchataur; hand: brain_fly, + | bob play: bee_bear; mindbugs: 1
  > play brain_fly > use = D6 bob; offered: target alice luchataur, target alice strange_barrel
  > target luchataur = bob play: bee_bear, brain_fly, luchataur; D1 alice; turn: 2
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)
