"""The worked examples (T1 ...) and rulings (C1 ...) that need Beyond Eternity.

How to read them: ``told_examples.py``.
"""

from support.told_examples import play_example, told_examples

EXAMPLES = """
# SNEAKY, HUNTER, FRENZY
T50: Tiger Wasp attacks twice past a Gorillion that is never asked (R68, R74).
  alice play: tiger_wasp | bob play: gorillion
  > attack tiger_wasp = D5 alice
  > attack again = bob life: 1
T65: Blessed Tiger Squirrel in Bob's pile stops Luchataur; Alice loses (R106, R18).
  alice play: luchataur; hand: none | bob discard: blessed_tiger_squirrel
  = over: bob, no_action
T68: Hiss Holiness and the blocking Gorillion defeat each other; no D5 (R74, R71).
  alice play: hiss_holiness | bob play: gorillion
  > attack hiss_holiness > block gorillion
  = alice discard: hiss_holiness; bob discard: gorillion; D1; active: bob
T69: Hiss Holiness beats a 4, attacks again and falls with Gorillion (R74, R71).
  alice play: hiss_holiness | bob play: turbo_bug, gorillion
  > attack hiss_holiness > block turbo_bug > attack again > block gorillion
  = alice discard: hiss_holiness; bob discard: gorillion, turbo_bug
# Triggers and simultaneity
T81: Bob's two Madam Mystiques fall together: two effects one after the other (R50, R57).
  alice play: luchataur; hand: kangasaurus_rex, + | bob play: madam_mystique, madam_mystique
  > play kangasaurus_rex = D11 alice; waiting: 2
  > resolve madam_mystique = D13 bob; waiting: 1
  > keyword FRENZY = alice play: kangasaurus_rex; D13 bob; waiting: 0
C35: the five keywords are offered whatever the creatures have (D13).
  alice play: gorillion | bob play: madam_mystique
  > attack gorillion > block madam_mystique
  = offered: keyword FRENZY, keyword HUNTER, keyword POISONOUS, keyword SNEAKY, keyword TOUGH
  > keyword TOUGH = alice play: gorillion
T82: Puffermech's trigger is older than the Toad's, which then has one target (R57, R46).
  alice play: explosive_toad, gorillion; hand: kangasaurus_rex, +
    | bob play: madam_mystique, puffermech
  > play kangasaurus_rex = D11 alice
  > resolve madam_mystique > keyword FRENZY
  = alice play: none; bob play: none; alice discard: explosive_toad, gorillion, kangasaurus_rex
T88: Bob's Fire Antler takes Alice's last life; there is no boost decision (R14).
  alice play: gorillion, bee_bear; life: 1 | bob play: fire_antler
  > attack gorillion > block fire_antler = over: bob, life
C33: Fire Antler lies in Bob's pile when its effect resolves and may be taken (R103).
  alice play: gorillion | bob play: fire_antler, bee_bear
  > attack gorillion > block fire_antler
  = alice life: 2; D14 bob; offered: stop, target bob fire_antler
  > target fire_antler = offered: target alice gorillion, target bob bee_bear
  > target bee_bear = boosts bee_bear: fire_antler; power bee_bear: 9
T137: Alice plays Hyenix again, a new object: no second attack (R75, R5, C16).
  alice play: hyenix, shield_bugs | bob play: fire_antler, gorillion
  > attack hyenix > block fire_antler = alice life: 2; D14 bob
  > stop = D9 alice
  > yes = alice play: hyenix, shield_bugs; D1; active: bob
T159: Bob takes Hyenix as the boost card; its trigger does nothing (R56, C16, C33).
  alice play: hyenix, shield_bugs | bob play: fire_antler, gorillion
  > attack hyenix > block fire_antler > target hyenix > target gorillion
  = boosts gorillion: hyenix; D1; active: bob; alice life: 2
# Constant and In Discard Pile abilities
T92: Chameleon Sniper has 1 - 2, and 1 - 2 + 1, which are 1 (R86).
  alice play: chameleon_sniper; discard: cursed_gorillion
  = power chameleon_sniper: 1
  & alice play: chameleon_sniper, shield_bugs; discard: cursed_gorillion
  = power chameleon_sniper: 1
T113: with the Bee in Alice's pile an unblocked attack costs Bob 3 life (R91).
  alice play: gorillion; discard: blessed_killer_bee
  > attack gorillion = over: alice, life
T114: under a creature the Bee adds nothing (R103).
  alice play: gorillion boosts:blessed_killer_bee
  > attack gorillion = bob life: 2
C29: Turbo Bug takes 2 of Bob's 3 life and the Bee 2 more: he loses; with 1 life nothing.
  alice play: turbo_bug; discard: blessed_killer_bee
  > attack turbo_bug = over: alice, life
  & alice play: turbo_bug; discard: blessed_killer_bee | bob play: bee_bear; life: 1
  > attack turbo_bug = D4; bob life: 1
T153: one loss of 2 + 2 = 4 (R51, R91, C49).
  alice hand: chuckling_chimpborg, +; discard: blessed_killer_bee | bob mindbugs: 2
  > play chuckling_chimpborg > refuse = over: alice, life
C9: Mermaid sets Alice from 7 to Bob's 3; his Blessed Killer Bee takes 2 more (R17).
  alice hand: mysterious_mermaid, +; life: 7 | bob discard: blessed_killer_bee
  > play mysterious_mermaid = alice life: 1
T118, C25: creatures that share their power, across both sides, cannot attack.
  alice play: giraffodile, mysterious_mermaid | bob play: hypnotic_mouse, elephantopus, bee_bear
  = offered: play alice gorillion, play alice luchataur, play alice plated_scorpion
  > play gorillion = offered: attack bob bee_bear, attack bob hypnotic_mouse, play bob gorillion,
    play bob luchataur, play bob plated_scorpion
C26, C5: only creatures whose power differs by at most 1 can block it.
  alice play: agile_rooster | bob play: killer_bee, giraffodile, turbo_bug
  > attack agile_rooster = offered: block bob giraffodile, block bob killer_bee, no_block
C5: two equal powers forbid every block; the Squirrel in the pile that of the strong.
  alice play: squirtoise_scout, spider_owl, tiger_squirrel | bob play: gorillion
  > attack squirtoise_scout = bob life: 2
  & alice play: bee_bear; discard: blessed_tiger_squirrel | bob play: gorillion
  > attack bee_bear = bob life: 2
R60: it is not offered as an attacker.
  alice play: cave_lizard
  = offered: play alice gorillion, play alice luchataur, play alice plated_scorpion
C6: +4 power while its controller's discard pile is empty (R84).
  alice play: berserker_rabbit
  = power berserker_rabbit: 10
  & alice play: berserker_rabbit; discard: gorillion
  = power berserker_rabbit: 6
R87: all enemy creatures with less power, which is its own current power.
  alice play: ghostly_underdog boosts:gorillion, bee_bear | bob play: turbo_bug, killer_bee
  > attack ghostly_underdog = bob discard: turbo_bug
# Boosts
T110: power 6 from now on; that card is in no pile (R103, R61).
  alice play: sea_rex; discard: gorillion | bob play: turbo_bug; discard: bee_bear
  > attack sea_rex = D14 alice; offered: stop, target alice gorillion, target bob bee_bear
  > target bee_bear
  = power sea_rex: 6; boosts sea_rex: bee_bear; alice discard: gorillion; bob discard: none; D3
T111: Bob takes the boosted Sea-Rex; later both cards go to his pile (R104, R95).
  alice play: sea_rex boosts:bee_bear, gorillion | bob hand: brain_fly, + | active: bob
  > play brain_fly > target sea_rex = power bob sea_rex: 6; boosts sea_rex: bee_bear
  > attack gorillion > block sea_rex = bob discard: bee_bear, sea_rex; alice discard: none
T112, C28: the player into whose pile it falls gains 1 life (R107, R104).
  alice play: gorillion | bob play: bee_bear boosts:peacasus
  > attack gorillion > block bee_bear = alice life: 3; bob life: 4;
    bob discard: bee_bear, peacasus
C28: defeated, discarded and put down by Catalisk it triggers alike (R107).
Against Tusked Extorter Bob has 3 + 1 for Peacasus - 1 for the attack.
  alice play: gorillion | bob play: peacasus
  > attack gorillion > block peacasus = bob life: 4
  & alice play: tusked_extorter | bob hand: peacasus
  > attack tusked_extorter = bob life: 3
  & alice play: catalisk | bob hand: +, +; draw: peacasus, gorillion
  > attack catalisk = bob life: 3; bob pile: 0
T115: no card in a pile and no boosted creature: no decision (R123, C34).
  alice hand: goat_dragon, + | bob play: gorillion
  > play goat_dragon = D1; active: bob
C34: both modes of Soul Manipulator; then the boost card goes to Alice's hand (D12).
  alice play: soul_manipulator; discard: killer_bee | bob play: bee_bear boosts:gorillion
  > attack soul_manipulator = D12; offered: mode 0, mode 1
  > mode 1 = alice hand: gorillion, +; power bee_bear: 8
  & alice play: soul_manipulator; discard: killer_bee | bob play: bee_bear
  > attack soul_manipulator = D14
C34: without a card in a pile only the second mode is left, on either side (R105).
  alice play: goat_dragon | bob play: bee_bear boosts:gorillion, luchataur
  > attack goat_dragon = bob discard: bee_bear, gorillion
R103, D14: each of up to four cards goes under any creature; they move together.
  alice hand: hiss_holiness, +; discard: peacasus, rockyphant | bob play: gorillion
  > play hiss_holiness > target peacasus > target gorillion = power gorillion: 10
  > target rockyphant = power gorillion: 10
  > target hiss_holiness = power gorillion: 11; power hiss_holiness: 6; alice discard: none
T135: exhaustion and boosts are lost, nothing triggers, the hand has 6 (R94, R93, R104).
  alice play: strange_barrel exhausted boosts:bee_bear,brain_fly; hand: turbo_bug, killer_bee, +
    | bob hand: dr_orange_u_tan, + | active: bob
  > play dr_orange_u_tan > yes = alice holds: 6; alice discard: bee_bear, brain_fly; bob holds: 3
  > play strange_barrel = exhausted strange_barrel: no; power strange_barrel: 6
T158: both boost cards fall at that moment; Bob gains 1 life, his others +1 (R96, R106).
  alice hand: kangasaurus_rex, + | bob play: spider_owl boosts:peacasus,
    robopup exhausted boosts:blessed_shield_bugs, luchataur
  = power spider_owl: 4; power robopup: 2
  > play kangasaurus_rex = bob discard: blessed_shield_bugs, peacasus, robopup, spider_owl;
    bob life: 4; power luchataur: 10
# Other effects
T117: two discards, refill, then one defeat after another; TOUGH twice (R51, C30).
  alice hand: tornado_dragon, turbo_bug, +; draw: bee_bear, brain_fly
    | bob play: shield_bugs, gorillion
  > play tornado_dragon = D8 alice
  > target turbo_bug > target gorillion
  = alice discard: gorillion, turbo_bug; alice holds: 4; alice pile: 0; D6
  > target shield_bugs = exhausted shield_bugs: yes
  > target shield_bugs = bob discard: shield_bugs
T166: Bob draws 1 first; then the player of the chosen pile hits the other (C27, C28).
  alice hand: koibra, turbo_bug, + | bob hand: rockyphant, killer_bee, +;
    draw: bee_bear, brain_fly | chance: 0 of 5
  > play koibra = D6 alice; offered: pile alice, pile bob; bob hand: killer_bee, rockyphant, +
  > pile alice = alice discard: rockyphant; bob holds: 5; bob pile: 1; D10 bob
  > discard gorillion = alice holds: 4; bob holds: 5; bob pile: 0
  & alice hand: koibra, turbo_bug, + | bob hand: rockyphant, killer_bee, +;
    draw: bee_bear, brain_fly | chance: 0 of 5
  > play koibra = D6 alice; offered: pile alice, pile bob; bob hand: killer_bee, rockyphant, +
  > pile bob = bob discard: rockyphant; bob holds: 5; bob pile: 1; D10 alice
  > discard gorillion = alice holds: 3; bob holds: 5; bob pile: 1
R29, R122: the card is drawn by chance, not chosen.
  alice hand: tiger_wasp, turbo_bug, bee_bear | chance: 1 of 2
  > play tiger_wasp = alice discard: bee_bear
C31: one pick among all pairs of equal power on either side; both fall together (D7).
  alice play: turbo_bug; hand: pyro_salamancer, + | bob play: brain_fly, axolotl_healer, bee_bear
  > play pyro_salamancer = D7; offered: pair alice turbo_bug bob axolotl_healer,
    pair alice turbo_bug bob brain_fly, pair bob brain_fly bob axolotl_healer
  > pair brain_fly axolotl_healer = bob play: bee_bear; alice play: pyro_salamancer, turbo_bug
C31: exactly 2 or none (R49).
  alice hand: pyro_salamancer, + | bob play: bee_bear, gorillion
  > play pyro_salamancer = bob play: bee_bear, gorillion
C51: two cards chosen one after the other and moved together; one if there is one (D7).
  alice play: trash_diver | bob discard: bee_bear, brain_fly, spider_owl
  > attack trash_diver = D7; bob discard: bee_bear, brain_fly, spider_owl;
    offered: target bob bee_bear, target bob brain_fly, target bob spider_owl
  > target bob bee_bear = D7; bob discard: bee_bear, brain_fly, spider_owl;
    offered: target bob brain_fly, target bob spider_owl
  > target bob brain_fly = bob discard: spider_owl; alice holds: 5
  & alice play: trash_diver | bob discard: bee_bear, brain_fly
  > attack trash_diver
  = D7; bob discard: bee_bear, brain_fly; offered: target bob bee_bear, target bob brain_fly
  > target bob bee_bear = bob discard: none; alice holds: 5
  & alice play: trash_diver | bob discard: bee_bear
  > attack trash_diver = bob discard: none; alice holds: 4
R126: yes or no, then the target; not offered without one (R47).
  alice play: duckdra | bob play: axolotl_healer, spider_owl, gorillion
  > attack duckdra = D9
  > yes = offered: target bob axolotl_healer, target bob spider_owl
  > target spider_owl = bob discard: spider_owl
C2: mandatory; the card is simply controlled by the player of the effect (R41, R3).
  alice play: gorillion; discard: axolotl_healer | bob play: trash_flier
  > attack gorillion > block trash_flier = bob play: axolotl_healer; bob life: 5
C13: Spirit Maki takes a creature with power 9 or more that is not its controller's.
  alice play: gorillion | bob play: spirit_maki, luchataur
  > attack gorillion > block spirit_maki = bob play: gorillion, luchataur; alice play: none
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)
