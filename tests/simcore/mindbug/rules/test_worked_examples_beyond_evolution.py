"""The worked examples (T1 ...) and rulings (C1 ...) that need Beyond Evolution.

How to read them: ``told_examples.py``.
"""

from support.positions import board
from support.told_examples import play_example, told_examples

EXAMPLES = """
# Mindbugs, SNEAKY, FRENZY
T26: Alice orders the triggers of her two Toads; both hit Turtle Toaster (R44, R57, R21).
  alice play: explosive_toad, explosive_toad; hand: turtle_toaster, + | bob mindbugs: 1
  > play turtle_toaster > use > target explosive_toad > target explosive_toad
  = D11 alice; waiting: 2
  > resolve explosive_toad
  = alice play: none; bob play: none; bob discard: turtle_toaster; D1 alice; turn: 2
T49: fresh Robopup attacks, Tiger Squirrel blocks, Robopup is exhausted (R81).
  alice play: robopup | bob play: tiger_squirrel
  > attack robopup > block tiger_squirrel = exhausted robopup: yes
T86: Radioactive Rabbit takes a fresh TOUGH 5 (exhausted) and a 7 (defeated) along (R50).
  alice play: gorillion | bob play: radioactive_rabbit, mole_machine, giraffodile
  > attack gorillion > block radioactive_rabbit = bob play: mole_machine;
    exhausted mole_machine: yes; bob discard: giraffodile, radioactive_rabbit
# Actions and evolution
T102: Infernostrich without an enemy of power 7 or more can only attack (R99).
  alice play: infernostrich | bob play: bee_bear
  = offered: activate alice infernostrich, attack alice infernostrich, play alice gorillion,
    play alice luchataur, play alice plated_scorpion
  & alice play: infernostrich | bob play: killer_bee
  = offered: attack alice infernostrich, play alice gorillion, play alice luchataur,
    play alice plated_scorpion
T103: Cloud Lady without a target evolves to Typhoon Princess; turn over (R99, R101, R43).
  alice play: cloud_lady | bob play: gorillion
  > activate cloud_lady = alice play: typhoon_princess; power typhoon_princess: 6; D1; active: bob
R43, R101: the target is judged by stage I; the Princess on a later turn takes a 6.
  alice play: cloud_lady | bob play: strange_barrel, turbo_bug
  > activate cloud_lady = bob discard: turbo_bug
  > play luchataur > activate typhoon_princess
  = bob discard: strange_barrel, turbo_bug; alice play: thunder_queen
T104: exhausted Frog Prophet evolves and falls as Curious Tadpole (R101, R102).
  alice play: frog_prophet exhausted | bob play: gorillion
  > activate frog_prophet
  = alice life: 4; exhausted world_eater: yes; keywords world_eater: POISONOUS, TOUGH
  > attack gorillion > block world_eater = alice discard: curious_tadpole; alice play: none
T105: the empty-handed Alice's Tadpole cannot attack but acts; she does not lose (R100).
Bob's Hamster Lion stops her lowest creature.
  alice play: curious_tadpole; hand: none | bob play: hamster_lion
  = over: no; alice play: frog_prophet; alice life: 4; D1; active: bob
T106: without enemies the Action is legal; Octocopter is defeated, else it pays (C22).
  alice play: octocopter
  > activate octocopter = alice discard: octocopter; alice play: none
  & alice play: octocopter | bob play: gorillion
  > activate octocopter = alice discard: octocopter; alice play: gorillion
C22: first it is defeated, then control is taken of an enemy creature of choice (R43).
  alice play: octocopter, shield_bugs | bob play: gorillion, luchataur
  > activate octocopter = D6 alice; offered: target bob gorillion, target bob luchataur
  > target gorillion = alice play: gorillion, shield_bugs
T107: Bob's Killer Bee must attack: Bob hunts or not, Alice blocks; one attack (R76, R21).
  alice play: cake_trickster | bob play: killer_bee
  > activate cake_trickster = D3 bob; active: alice
  > no_hunt = D4 alice; active: alice
  > no_block = alice life: 2; D1; active: bob; turn: 2
C21: under Hamster Lion the lowest may be chosen and does not attack; FRENZY is no use.
  alice play: cake_trickster, hamster_lion | bob play: turbo_bug, luchataur
  > activate cake_trickster = offered: target bob luchataur, target bob turbo_bug
  > target turbo_bug = D1; active: bob; alice life: 3
  & alice play: cake_trickster, hamster_lion | bob play: turbo_bug, luchataur
  > activate cake_trickster > target luchataur > no_block = D1; active: bob; alice life: 2
C21: with no enemy creature able to attack the Action is not legal (R99).
  alice play: cake_trickster, hamster_lion | bob play: turbo_bug
  = offered: attack alice cake_trickster, attack alice hamster_lion, play alice gorillion,
    play alice luchataur, play alice plated_scorpion
C12: legal, and of use, only with fewer creatures than the opponent (R99).
  alice play: dragon_inn | bob play: gorillion
  = offered: attack alice dragon_inn, play alice gorillion, play alice luchataur,
    play alice plated_scorpion
  & alice play: dragon_inn | bob play: gorillion, bee_bear
  > activate dragon_inn = bob life: 2
R57: Wildsprout's effect is finished before the Play effect of the card it plays.
  alice play: wildsprout; discard: tiger_squirrel | bob play: gorillion, luchataur
  > activate wildsprout = alice play: bigroot, tiger_squirrel; D6 alice; waiting: 0
R84: your other creatures have +5 power, whichever stage gives it.
  alice play: oakenmaster, robopup | bob play: gorillion
  = power robopup: 6; power oakenmaster: 7
R98, R101: two Actions turn Waddling Recruit into Frosty Fortress.
  alice play: waddling_recruit
  > activate waddling_recruit > discard gorillion = alice play: veteran_penguin
  > play luchataur > activate veteran_penguin = alice play: frosty_fortress; bob holds: 0
T116, C32: Frosty Fortress takes 5 cards of hand and 3 of the pile; no refill (R33).
  alice play: frosty_fortress | bob play: bee_bear; hand: turbo_bug, brain_fly, +; draw: +
  > attack frosty_fortress = bob discard: brain_fly, gorillion, gorillion, luchataur, luchataur,
    plated_scorpion, plated_scorpion, turbo_bug; bob holds: 0; bob pile: 0; D4 bob
# Changing control
T108: Bob gets The Experiment, then Alice takes one of his, that one included (C18).
  alice hand: the_experiment, + | bob play: gorillion
  > play the_experiment = bob play: gorillion, the_experiment; D6 alice;
    offered: target bob gorillion, target bob the_experiment
  > target the_experiment = alice play: the_experiment
C18: of a Radioactive Rabbit that Bob takes "the opponent" is Alice.
  alice hand: radioactive_rabbit, + | bob mindbugs: 1
  > play radioactive_rabbit > use = alice play: radioactive_rabbit
T155: Bob gets Utility Bug, then Alice takes one of his, Utility Bug included (C23, C18).
  alice hand: utility_bug, + | bob play: the_experiment
  > play utility_bug = D9 alice
  > yes = offered: target bob the_experiment, target bob utility_bug;
    bob play: the_experiment, utility_bug
C23: with two Utility Bugs each pass is a new D9 and an effect; at the cap it is a loop.
  alice hand: utility_bug, + | bob play: utility_bug | effect_cap: 4
  > play utility_bug = D9 alice
  > yes = D9 alice
  > yes = D9 alice
  > yes = D9 alice
  > yes = over: nobody, looped
C23: Bob's Axolotl Healer, whose effect Alice's Deathweaver would stop, is copied.
  alice play: deathweaver; hand: utility_bug, + | bob play: axolotl_healer
  > play utility_bug > yes = alice life: 5
C23: no other creature has a Play effect, so there is no D9.
  alice hand: utility_bug, + | bob play: gorillion
  > play utility_bug = D1; active: bob
# Obligations
T109: with Killer Bee Bob has nothing to decide: it attacks and hunts Hippo (R24, C20).
  alice play: captain_hippo | bob play: killer_bee, gorillion | active: bob
  = bob discard: killer_bee; alice play: captain_hippo; D1; active: alice; turn: 2
C20: D1 has the creatures with HUNTER, D3 the Hippos; the second attack is optional.
  alice play: captain_hippo, captain_hippo, gorillion
    | bob play: goreagle_alpha, killer_bee, luchataur | active: bob
  = offered: attack bob goreagle_alpha, attack bob killer_bee
  > attack goreagle_alpha = offered: hunt alice captain_hippo, hunt alice captain_hippo
  > hunt captain_hippo = D5 bob
C20: Bob's Compost Dragon is stopped by Hamster Lion, so his turn action is free.
  alice play: captain_hippo, hamster_lion | bob play: compost_dragon, gorillion; hand: turbo_bug
    | active: bob
  = offered: attack bob gorillion, play bob turbo_bug
C20: on Alice's turn Bob's Killer Bee need not hunt Captain Hippo (OPEN 18).
  alice play: captain_hippo, cake_trickster | bob play: killer_bee
  > activate cake_trickster = offered: hunt alice cake_trickster, hunt alice captain_hippo,
    no_hunt
# Fights
T45: Sawn attacks, Gorillion blocks and is defeated; Sawn is unharmed (C19).
  alice play: sawn | bob play: gorillion
  > attack sawn > block gorillion = bob discard: gorillion; exhausted sawn: no
T165: Sawn has the higher power and faces POISONOUS: exhausted; the Healer stays (C19).
  alice play: sawn | bob play: axolotl_healer
  > attack sawn > block axolotl_healer = exhausted sawn: yes; bob play: axolotl_healer
C19: with two Sawns it is still reversed once; equal powers defeat (here exhaust) both.
  alice play: sawn, shield_bugs | bob play: sawn
  > attack sawn > block sawn = exhausted alice sawn: yes; exhausted bob sawn: no
  & alice play: sawn | bob play: sawn
  > attack sawn > block sawn = exhausted alice sawn: yes; exhausted bob sawn: yes
T136: Blastfish attacks, Gorillion blocks and falls; Blastfish stays, fresh (R97, C24).
  alice play: blastfish | bob play: gorillion
  > attack blastfish > block gorillion
  = bob discard: gorillion; alice play: blastfish; exhausted blastfish: no
C24: on the next turn Blastfish is defeated like any other creature (R25).
  alice play: blastfish | bob play: bee_bear, luchataur
  > attack blastfish > block bee_bear > attack luchataur > block blastfish
  = alice discard: blastfish
# Play effects
T138: for 1 life Bob's creatures go to his hand, which may exceed 5 (R47, R94, R48).
  alice hand: dr_orange_u_tan, +; life: 2 | bob play: gorillion
  > play dr_orange_u_tan = D9 alice
  > no = alice life: 2; bob play: gorillion; bob holds: 3
  & alice hand: dr_orange_u_tan, +; life: 2 | bob play: gorillion;
    hand: +, turbo_bug, brain_fly, bee_bear
  > play dr_orange_u_tan = D9 alice
  > yes = alice life: 1; bob play: none; bob holds: 7
T167: the payment is offered with nothing to return (R47).
  alice hand: dr_orange_u_tan, +
  > play dr_orange_u_tan = D9
  > yes = alice life: 2
C10: paying the last life ends the game before anything returns (R14).
  alice hand: dr_orange_u_tan, +; life: 1 | bob play: gorillion
  > play dr_orange_u_tan > yes = over: bob, life; bob play: gorillion
T153: Bob with 2 unused Mindbugs refuses and goes from 3 to 1 life (R51, C49).
  alice hand: chuckling_chimpborg, + | bob mindbugs: 2
  > play chuckling_chimpborg > refuse = bob life: 1
C50: Bob spends a Mindbug on Spiky Shinobi and then has none: power 3 + 5.
  alice hand: spiky_shinobi, + | bob mindbugs: 1
  > play spiky_shinobi > use = power spiky_shinobi: 8
C50: Bob takes the card; the opponent is Alice, who has 2 unused Mindbugs.
  alice hand: chuckling_chimpborg, +; mindbugs: 2 | bob mindbugs: 1
  > play chuckling_chimpborg > use = alice life: 1; bob life: 3
T154: Bob with 2 creatures discards two of his five together, then draws 2 (R51, C49).
  alice hand: cheeky_chimpborg, + | bob play: bee_bear, turbo_bug; hand: killer_bee, brain_fly, +;
    draw: spider_owl, deathweaver, shark_dog; mindbugs: 2
  > play cheeky_chimpborg > refuse = D10 bob
  > discard killer_bee > discard brain_fly
  = bob holds: 5; bob pile: 1; bob discard: brain_fly, killer_bee
C30: the discard and the refill come first, then any creature is chosen (R45).
  alice hand: earwig_assassin, turbo_bug, +; draw: bee_bear, brain_fly | bob play: gorillion
  > play earwig_assassin > yes > discard turbo_bug = D6 alice; alice holds: 5; alice pile: 0;
    offered: target alice earwig_assassin, target bob gorillion
# Constant abilities, policy
C6: +5 power while the opponent has three creatures, re-evaluated all the time (R84).
  alice play: cheery_chimpborg | bob play: gorillion, bee_bear
  = power cheery_chimpborg: 5
  & alice play: cheery_chimpborg | bob play: gorillion, bee_bear, turbo_bug
  = power cheery_chimpborg: 10
C5: creatures with power 7 or more cannot block, but a hunter may hunt them (R67).
  alice play: mole_machine, killer_bee | bob play: gorillion, turbo_bug
  > attack killer_bee = offered: hunt bob gorillion, hunt bob turbo_bug, no_hunt
  > no_hunt = offered: block bob turbo_bug, no_block
R68: enemy creatures with SNEAKY neither attack nor block.
  alice play: westside_monster | bob play: spider_owl, kitsunsei, turbo_bug
  > attack westside_monster = offered: block bob kitsunsei, no_block
T130: A, A, B, one attack and one Action: five options of equal probability (R23, R124, D1).
Bob's Hamster Lion keeps Curious Tadpole, the lowest, from attacking.
  alice play: gorillion, curious_tadpole; hand: shark_dog, shark_dog, brain_fly
    | bob play: hamster_lion
  = offered: activate alice curious_tadpole, attack alice gorillion, play alice brain_fly,
    play alice shark_dog, play alice shark_dog
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def test_t170_two_coach_pandas(new_table):
    """T170: each of two Coach Pandas gives the other +3 power and FRENZY (C63)."""
    table = new_table(board(["coach_panda", "coach_panda"], ["coach_panda", "gorillion"]))
    creatures = [c for c in table.game.snapshot()["creatures"].values() if c["power"] == 9]
    assert [creature["keywords"] for creature in creatures] == [["FRENZY"], ["FRENZY"]]
    assert (table.power("gorillion"), table.keywords("gorillion")) == (13, ["FRENZY"])
