"""The worked examples (T1 ...) and rulings (C1 ...) that need Mindbug x King of Tokyo.

How to read them: ``told_examples.py``. A position starts with the purchases of the active player.
"""

from itertools import product

from support.positions import ALICE, NEUTRAL, Position, Side
from support.reference_examples import faces
from support.told_examples import play_example, told_examples

EXAMPLES = """
# Power cards at the start of a turn
T27: Rage bought at the start works in the extra action, without a purchase (R38, R25).
  alice play: gorillion; hand: luchataur, +; energy: 2 | bob mindbugs: 1 | King of Tokyo;
    power_deck: rage, healing_bots
  = D15 alice
  > buy rage > stop > play luchataur > use = D1; turn: 1; alice energy: 1
  > attack gorillion > no_block = D5
T55: Bee Bear with HUNTER from Pounce hunts Killer Bee, which could not block it (R67).
  alice play: bee_bear; energy: 1 | bob play: killer_bee | King of Tokyo; power_deck: pounce
  > buy pounce > attack bee_bear = offered: hunt bob killer_bee, no_hunt
  > hunt killer_bee = bob discard: killer_bee
T73: Harpy Mother takes the attacking Mole Machine: no second attack (R95, R74).
  alice play: mole_machine; energy: 1 | bob play: harpy_mother | King of Tokyo; power_deck: rage
  > buy rage > attack mole_machine > block harpy_mother > target mole_machine
  = bob play: mole_machine; exhausted mole_machine: yes; D1; active: bob
T123: two cards bought one after another, resolved in that order (R109, R110).
  alice play: gorillion; energy: 3 | King of Tokyo; power_deck: healing_bots, railgun,
    resurrection, pounce, ambush
  = offered: buy healing_bots, buy railgun, buy resurrection, stop
  > buy railgun = bob life: 2; alice energy: 1; offered: buy healing_bots, buy pounce, stop
  > buy healing_bots = alice life: 4; alice energy: 0; display: ambush, pounce, resurrection;
    power discard: healing_bots, railgun; D1 alice
T124: with an empty deck a purchase leaves a display of two (R111).
  alice play: gorillion; energy: 1 | King of Tokyo; power_deck: pounce, ambush, resurrection
  > buy pounce = display: ambush, resurrection; power deck: none; power discard: pounce
T125: Mysterious Ally gives the empty-handed Alice a card; she does not lose (R18, R117).
Her only action, to play it, is carried out silently.
  alice hand: none; energy: 2 | bob play: bee_bear | King of Tokyo; unused: gorillion, luchataur;
    power_deck: mysterious_ally
  > buy mysterious_ally = over: no; alice play: gorillion
T125: if she stops she has no action (R18).
  alice hand: none; energy: 2 | bob play: bee_bear | King of Tokyo; power_deck: mysterious_ally
  > stop = over: bob, no_action
T139: Alice picks a card of Bob's pile and holds 6; nothing comes into play (R32, R28).
  alice play: gorillion; hand: turbo_bug, brain_fly, +; energy: 3
    | bob discard: killer_bee, bee_bear | King of Tokyo; power_deck: reanimation
  > buy reanimation = D6 alice
  > target killer_bee = alice holds: 6; alice play: gorillion; bob life: 3
  & alice play: gorillion; hand: turbo_bug, brain_fly, +; discard: killer_bee, bee_bear; energy: 3
    | King of Tokyo; power_deck: resurrection
  > buy resurrection = D6 alice
  > target killer_bee = alice holds: 6; alice play: gorillion; bob life: 3
T140: Pounce works for the Rabbit that Alice gets before her extra action (R60, R26, R38).
Bob takes Radioactive Rabbit, whose effect gives it to Alice.
  alice play: gorillion; hand: radioactive_rabbit, +; energy: 1 | bob play: turbo_bug; mindbugs: 1
    | King of Tokyo; power_deck: pounce
  > buy pounce > play radioactive_rabbit > use = alice play: gorillion, radioactive_rabbit
  > attack radioactive_rabbit = offered: hunt bob turbo_bug, no_hunt
T142: Explosive Toad under Rage attacks twice, not more (R83, R74).
  alice play: explosive_toad; energy: 1 | King of Tokyo; power_deck: rage
  > buy rage > attack explosive_toad > attack again = bob life: 1; D1; active: bob
T160: Alice chooses one of two creatures, nothing triggers, the card is spent (C40, R90).
  alice play: axolotl_healer, killer_bee, gorillion; energy: 2 | bob play: deathweaver
    | King of Tokyo; power_deck: monster_buddies
  > buy monster_buddies = D6 alice; offered: target alice axolotl_healer, target alice killer_bee
  > target killer_bee = bob life: 3; power discard: monster_buddies
C40: the chosen creature's Play effect resolves for its controller (R57).
  alice play: killer_bee, gorillion; energy: 2 | King of Tokyo; power_deck: monster_buddies
  > buy monster_buddies = bob life: 2; D1
T161: A fills the gap; B is revealed and resolved; A can be bought next (R110, R112, C41).
  alice play: gorillion; energy: 2 | King of Tokyo; power_deck: random_mutation, ambush,
    resurrection, pounce, healing_bots
  > buy random_mutation = alice life: 4; offered: buy pounce, stop;
    power discard: healing_bots, random_mutation; power deck: none
R112: it does nothing (R109: it may be bought all the same).
  alice play: gorillion; energy: 1 | King of Tokyo; power_deck: random_mutation
  > buy random_mutation = power discard: random_mutation; D1
R43, R94: Portal Malfunction, Stomp, Revenge, Ambush and Subterranean Strike.
  alice play: deathweaver; hand: bee_bear, +; energy: 7
    | bob play: gorillion, spider_owl, turbo_bug; hand: killer_bee, + | King of Tokyo;
    power_deck: portal_malfunction, stomp, revenge, ambush, subterranean_strike
  > buy stomp > target spider_owl > buy revenge = bob discard: gorillion, spider_owl
  > buy ambush = bob play: none
  > buy portal_malfunction = alice play: none; alice hand: bee_bear, deathweaver, +
  > buy subterranean_strike > discard killer_bee > discard gorillion = bob holds: 2
# Power cards bought by effects
T127: in Alice's turn Bob gets Railgun; his opponent with 1 life loses (R112, R118, C41).
  alice hand: alienoid, +; life: 1 | bob mindbugs: 1 | King of Tokyo;
    power_deck: railgun, pounce, rage
  > play alienoid > use = D6 bob; offered: buy pounce, buy rage, buy railgun
  > buy railgun = over: bob, life
C41: the purchase is mandatory; the gap is filled before the card is resolved (R112).
  alice hand: alienoid, + | King of Tokyo; power_deck: railgun, pounce, random_mutation, rage,
    healing_bots
  > play alienoid > buy random_mutation
  = alice life: 4; display: pounce, rage, railgun; power discard: healing_bots, random_mutation
# Dice
T119: energy 1, rerolled to growth 3: power 12, no energy; then the block (R114, R115).
  alice play: kong | bob play: gorillion | King of Tokyo; dice: energy 1, growth 3
  > attack kong = D16 alice; offered: keep, reroll 0
  > reroll 0 = D4 bob; power kong: 12; alice energy: 0
T120: H.A.D.E.S. grows to 7; Bob discards and refills before he blocks (R115, R27).
  alice play: hades | bob play: bee_bear; hand: turbo_bug, +; draw: killer_bee, brain_fly
    | King of Tokyo; dice: growth 2, strike 1
  = bob holds: 5
  > attack hades = offered: keep, reroll 0, reroll 1, reroll_both
  > keep = D17; offered: first 0, first 1
  > first 0 = D10 bob; power hades: 7
  > discard turbo_bug = D4; bob holds: 5; bob pile: 0; power hades: 7
  & alice play: hades | bob play: bee_bear; hand: turbo_bug, +; draw: killer_bee, brain_fly
    | King of Tokyo; dice: growth 2, strike 1
  = bob holds: 5
  > attack hades = offered: keep, reroll 0, reroll 1, reroll_both
  > keep = D17; offered: first 0, first 1
  > first 1 = D10 bob; power hades: 5
  > discard turbo_bug = D4; bob holds: 5; bob pile: 0; power hades: 7
T121: energy 2 and energy 1, the second becomes energy 2: 4 cubes; no D17 (R114, R108).
  alice play: hades | bob play: gorillion | King of Tokyo; dice: energy 2, energy 1, energy 2
  > attack hades > reroll 1 = D4; alice energy: 4
R114: with both rerolled the first die is rolled first.
  alice play: hades | bob play: gorillion | King of Tokyo;
    dice: energy 2, energy 1, growth 1, energy 1
  > attack hades > reroll_both = D17
  > first 0 = power hades: 6; alice energy: 1
T122: Pagurah has 7, then 9, and 4 again on the next turn (R116, R74).
  alice play: pagurah | bob play: gorillion | King of Tokyo; dice: growth 3, growth 2
  > attack pagurah > keep = power pagurah: 7
  > no_block > attack again > keep = power pagurah: 9
  > no_block = D1; active: bob; power pagurah: 4
T126: Mechamster gives Tusked Extorter a die; its trigger waits for it (R62, R63).
  alice play: mechamster, tusked_extorter | bob play: gorillion | King of Tokyo; dice: energy 1
  > attack tusked_extorter = D16; waiting: 0; bob holds: 3
  > keep = D10 bob; alice energy: 1
T128: Gigazaur is SNEAKY all the time, Meka Dragon while its die makes it 8 (R87, R115).
  alice play: kraken, gigazaur, meka_dragon | bob play: gorillion, spider_owl | King of Tokyo;
    dice: growth 1
  = keywords gigazaur: SNEAKY; keywords meka_dragon: none
  > attack meka_dragon > keep
  = power meka_dragon: 8; keywords meka_dragon: SNEAKY; offered: block bob spider_owl, no_block
  > no_block = power meka_dragon: 7; keywords meka_dragon: none; keywords gigazaur: SNEAKY
T152: with Mechamster H.A.D.E.S. rolls two dice, a creature without a symbol one (C39).
  alice play: mechamster, hades, gorillion | King of Tokyo; dice: energy 1, energy 1
  > attack hades = D16; offered: keep, reroll 0, reroll 1, reroll_both
  & alice play: mechamster, hades, gorillion | King of Tokyo; dice: energy 1, energy 1
  > attack gorillion = D16; offered: keep, reroll 0
  & alice play: mechamster, hades, gorillion | King of Tokyo
  > attack mechamster = D1; active: bob; bob life: 2
C39: this turn a creature without a symbol gets one die, one with a symbol two (R26).
  alice play: gorillion, kong; energy: 1 | King of Tokyo; power_deck: extra_head;
    dice: energy 1, energy 1
  > buy extra_head > attack gorillion = D16; offered: keep, reroll 0
  & alice play: gorillion, kong; energy: 1 | King of Tokyo; power_deck: extra_head;
    dice: energy 1, energy 1
  > buy extra_head > attack kong = D16; offered: keep, reroll 0, reroll 1, reroll_both
T157: reroll, then keep the second result (R114, C38).
  alice play: kong, cybertooth | bob play: gorillion | King of Tokyo; dice: energy 1, growth 3
  > attack kong > reroll 0 = D16
  > keep = D4; power kong: 12
C38: two of them add up to three rerolls; keeping ends the rolling.
  alice play: kong, cybertooth, cybertooth | bob play: gorillion | King of Tokyo;
    dice: energy 1, energy 1, energy 1, growth 3
  > attack kong = D16
  > reroll 0 = D16
  > reroll 0 = D16
  > reroll 0 = D4; power kong: 12
Switch ``kot_parts``: off, creatures with a dice symbol attack without dice.
  alice play: kong; energy: 3 | bob play: gorillion | after_mindbug: action; power_deck: rage
  = D1
  > attack kong = D4; power kong: 9
# Creatures
T64: of a 3 and a 4 Sheriff may hunt the 4 only (C37).
  alice play: sheriff | bob play: tiger_squirrel, turbo_bug | King of Tokyo
  > attack sheriff = offered: hunt bob turbo_bug, no_hunt
  > no_hunt = offered: block bob tiger_squirrel, block bob turbo_bug, no_block
C20, C37: two Cursed Gorillions make Hippo a 3; Sheriff is obliged to nothing.
  alice play: captain_hippo; discard: cursed_gorillion, cursed_gorillion | bob play: sheriff
    | active: bob; King of Tokyo
  = power captain_hippo: 3; offered: attack bob sheriff, play bob gorillion, play bob luchataur,
    play bob plated_scorpion
T129: only The King can attack; his restriction does not bind himself (C36).
  alice play: the_king, bee_bear; hand: gorillion | King of Tokyo
  = offered: attack alice the_king, play alice gorillion
T149: the 8 must be played, Alice refills, no window, its Play effect resolves (R40, C15).
The 8 is Water Antler: Alice gains 1 life.
  alice hand: bookwyrm, water_antler, turbo_bug, spider_owl, brain_fly;
    draw: tiger_squirrel, deathweaver, gorillion | bob mindbugs: 2 | King of Tokyo
  > play bookwyrm > refuse = alice play: bookwyrm, water_antler; alice holds: 5; alice pile: 1;
    alice life: 4; bob mindbugs: 2
C15: Bob picks the card and refills; Alice has no choice and Bob no window (R40).
  alice hand: the_globe_smasher, + | bob hand: killer_bee, +; mindbugs: 1 | King of Tokyo
  > play the_globe_smasher > refuse = D10 bob
  > discard killer_bee = alice play: killer_bee, the_globe_smasher; bob life: 2; D1
C42: a Defeated effect of either pile; a Play effect (also Play/Attack) of the own pile.
  alice hand: boogie_woogie, pumpkin_jack; discard: explosive_toad, peacasus, goat_dragon,
    axolotl_healer | bob discard: harpy_mother, gorillion, killer_bee | King of Tokyo
  > play boogie_woogie = offered: target alice explosive_toad, target bob harpy_mother
  & alice hand: boogie_woogie, pumpkin_jack; discard: explosive_toad, peacasus, goat_dragon,
    axolotl_healer | bob discard: harpy_mother, gorillion, killer_bee | King of Tokyo
  > play pumpkin_jack = offered: target alice axolotl_healer, target alice goat_dragon
C49, C12: one gain, counted when the effect resolves.
  alice play: gorillion, bee_bear, turbo_bug | bob play: iron_back | King of Tokyo
  > attack gorillion > block iron_back = bob energy: 3
C5: creatures with power 6 or more cannot block it; under Pounce it hunts them (R67).
  alice play: purple_reign; energy: 1 | bob play: gorillion | King of Tokyo; power_deck: pounce;
    dice: energy 1
  > buy pounce > attack purple_reign > keep = offered: hunt bob gorillion, no_hunt
  > no_hunt = bob life: 2
T156: Bob takes Captain Hippo; Alice's Killer Bee must attack and hunt it (R24, C20).
  alice play: killer_bee, gorillion; hand: captain_hippo, + | bob mindbugs: 1 | King of Tokyo
  > play captain_hippo > use
  = alice discard: killer_bee; bob play: captain_hippo; D1; active: bob; turn: 2
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def test_t134_a_uniform_policy_keeps_the_die_uniform(new_table):
    """T134: each final result has probability 1/6 (R113, D16): 1/2 kept, 1/2 rerolled.

    36 equally likely pairs of rolls, each with both choices; the outcome is energy, growth or
    a discard.
    """
    sides = Side(play=["kong"], hand=[*NEUTRAL]), Side(play=["gorillion"], hand=[*NEUTRAL])
    position = Position(*sides, after_mindbug="action", kot_parts=True)
    names = ["growth 1", "growth 2", "growth 3", "energy 1", "energy 2", "strike 1"]
    outcomes: dict[str, int] = dict.fromkeys(names, 0)
    for first, second in product(names, names):
        for choice in ("keep", "reroll 0"):
            table = new_table(position, chance=faces(first, second))
            table.choose("attack kong")
            table.choose(choice)
            if table.point == "D10":
                outcomes["strike 1"] += 1
            elif table.energy(ALICE):
                outcomes[f"energy {table.energy(ALICE)}"] += 1
            else:
                outcomes[f"growth {table.power('kong') - 9}"] += 1
    assert set(outcomes.values()) == {2 * 36 // 6}
