"""Every word of triggered abilities, each with a tiny card made for it, on both engines."""

import pytest

from card_data.mindbug.vocabulary import Choice, Effect, Extreme, Player, Side, Trigger, Zone
from support.positions import ALICE, BOB, NEUTRAL, Position, board
from support.positions import Side as Zones
from support.purpose_made import Covered
from support.told_examples import play_example, told_examples

covers = Covered()

EXAMPLES = """
# Triggers
R52: Play when it comes into play, Attack when it attacks, Defeated when it is defeated.
covers: Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED
  * {"probe": {"power": 3, "play": "gain 1 life", "attack": "gain 10 life", "defeated": "the
    opponent gains 1 life"}}
  alice hand: probe, + | bob play: gorillion
  > play probe = alice life: 4; bob life: 3
  > play gorillion > attack probe = alice life: 14; bob life: 3
  > block bob gorillion = alice life: 14; bob life: 4; alice discard: probe
R52: Play/Attack triggers when the creature comes into play and when it attacks.
covers: Trigger.PLAY, Trigger.ATTACK
  * {"probe": {"play_attack": "gain 2 life"}}
  alice hand: probe, +
  > play probe = alice life: 5
  > play gorillion > attack probe = alice life: 7
R42, R93: neither Play nor Defeated triggers when control changes.
  * {"taker": {"play": "take control of all enemy creatures"}}
  * {"probe": {"play": "lose 1 life", "defeated": "lose 1 life"}}
  alice hand: taker, + | bob play: probe
  > play taker = alice play: probe, taker; alice life: 3; bob life: 3
R49, R50, D7: two picks without replacement, then both are defeated together.
covers: Choice.EXACTLY
  * {"probe": {"play": "defeat 2 enemy creatures"}}
  alice hand: probe, + | bob play: bee_bear, turbo_bug, luchataur
  > play probe = D7 alice
  > target turbo_bug
  = bob play: bee_bear, luchataur, turbo_bug; offered: target bob bee_bear, target bob luchataur
  > target bee_bear = bob play: luchataur
R49: with fewer targets than asked for the instruction is skipped, the next is not (R43).
covers: Choice.EXACTLY
  * {"probe": {"play": "defeat 2 enemy creatures, then gain 1 life"}}
  alice hand: probe, + | bob play: bee_bear
  > play probe = bob play: bee_bear; alice life: 4
R49, D8: with one creature there is one pick, although more would be allowed.
covers: Choice.UP_TO
  * {"probe": {"play": "defeat up to 3 enemy creatures"}}
  alice hand: probe, + | bob play: bee_bear
  > play probe = offered: stop, target bob bee_bear
  > target bee_bear = D1 bob; bob play: none
R46: the only creature that fits is the source itself, and it must be chosen.
covers: Choice.EXACTLY
  * {"probe": {"play": "defeat a creature"}}
  alice hand: probe, +
  > play probe = alice discard: probe
# Effects
R81, R92: a fresh TOUGH creature is exhausted, the others go to their controllers' piles.
covers: Effect.DEFEAT
  * {"probe": {"play": "defeat all other creatures"}}
  alice play: gorillion, rhino_turtle exhausted; hand: probe, + | bob play: bee_bear, shield_bugs
  > play probe = alice discard: gorillion, rhino_turtle; bob discard: bee_bear;
    exhausted shield_bugs: yes; alice play: probe
R45, R95: only creatures of the opponent can be taken, in their present state.
covers: Effect.TAKE_CONTROL
  * {"probe": {"play": "take control of all creatures with power >= 8"}}
  alice play: gorillion; hand: probe, + | bob play: rhino_turtle exhausted, turbo_bug
  > play probe
  = alice play: gorillion, probe, rhino_turtle; exhausted rhino_turtle: yes; bob play: turbo_bug
R40, R41, C2: the card comes into play for the player of the effect, without a window.
covers: Effect.PLAY_CARD, Player.YOU, Player.OPPONENT
  * {"probe": {"play": "play a card from your discard pile"}}
  alice hand: probe, +; discard: gorillion, axolotl_healer
    | bob discard: bee_bear, axolotl_healer; mindbugs: 1
  > play probe > refuse = D6 alice; offered: target alice axolotl_healer, target alice gorillion
  > target alice axolotl_healer = alice play: axolotl_healer, probe; alice life: 5;
    bob mindbugs: 1; alice discard: gorillion; bob discard: axolotl_healer, bee_bear
  & * {"probe": {"play": "play a card from the opponent's discard pile"}}
  alice hand: probe, +; discard: gorillion, axolotl_healer
    | bob discard: bee_bear, axolotl_healer; mindbugs: 1
  > play probe > refuse = D6 alice; offered: target bob axolotl_healer, target bob bee_bear
  > target bob axolotl_healer = alice play: axolotl_healer, probe; alice life: 5; bob mindbugs: 1;
    alice discard: axolotl_healer, gorillion; bob discard: bee_bear
R43, R123: without a card nothing happens, and the next instruction is performed.
covers: Effect.PLAY_CARD
  * {"probe": {"play": "play a card from your discard pile, then gain 1 life"}}
  alice hand: probe, +
  > play probe = alice play: probe; alice life: 4
R28, R32, C17: the whole pile goes to the hand of the player of the effect.
covers: Effect.DRAW_ALL, Player.YOU, Player.OPPONENT
  * {"probe": {"play": "draw all cards from your discard pile"}}
  alice hand: probe, +; draw: spider_owl, spider_owl, spider_owl, spider_owl;
    discard: bee_bear, turbo_bug | bob discard: brain_fly, deathweaver, giraffodile
  > play probe
  = alice hand: bee_bear, spider_owl, spider_owl, turbo_bug, +; alice discard: none; bob holds: 3
  & * {"probe": {"play": "draw all cards from the opponent's discard pile"}}
  alice hand: probe, +; draw: spider_owl, spider_owl, spider_owl, spider_owl;
    discard: bee_bear, turbo_bug | bob discard: brain_fly, deathweaver, giraffodile
  > play probe = alice hand: brain_fly, deathweaver, giraffodile, spider_owl, spider_owl, +;
    bob discard: none; bob holds: 3
R14, R16: life of either player goes up or down.
covers: Effect.GAIN_LIFE, Effect.LOSE_LIFE, Player.YOU, Player.OPPONENT
  * {"probe": {"play": "gain 3 life"}}
  alice hand: probe, +
  > play probe = alice life: 6; bob life: 3; over: no
  & * {"probe": {"play": "the opponent gains 3 life"}}
  alice hand: probe, +
  > play probe = alice life: 3; bob life: 6; over: no
  & * {"probe": {"play": "lose 2 life"}}
  alice hand: probe, +
  > play probe = alice life: 1; bob life: 3; over: no
  & * {"probe": {"play": "the opponent loses 2 life"}}
  alice hand: probe, +
  > play probe = alice life: 3; bob life: 1; over: no
R14, R16: the rest of the effect does not happen, and life is never below 0.
covers: Effect.LOSE_LIFE
  * {"probe": {"play": "lose 9 life, then the opponent loses 9 life"}}
  alice hand: probe, +
  > play probe = over: bob, life; bob life: 3; alice life: 0
  & * {"probe": {"play": "the opponent loses 3 life, then lose 9 life"}}
  alice hand: probe, +
  > play probe = over: alice, life; alice life: 3; bob life: 0
R14, R17: a life total that becomes 0 loses the game.
covers: Effect.SET_LIFE
  * {"probe": {"play": "set the opponent's life to enemy creatures"}}
  alice hand: probe, +
  > play probe = over: alice, life
R84, R87: the new creature's grant counts when its own effect reads keywords.
covers: Effect.SET_LIFE
  * {"probe": {"constant": "enemy creatures have HUNTER", "play": "set your life to enemy
    creatures with HUNTER"}}
  alice hand: probe, + | bob play: gorillion
  > play probe = over: no; alice life: 1
R29, R30, R44, D10: the player who discards picks; both cards go together, then they draw.
covers: Effect.DISCARD, Player.YOU, Player.OPPONENT
  * {"probe": {"play": "discard 2 cards"}}
  alice hand: probe, +; draw: spider_owl, spider_owl, spider_owl, spider_owl
    | bob draw: spider_owl, spider_owl, spider_owl, spider_owl
  > play probe = D10 alice; alice discard: none
  > discard gorillion = D10 alice; alice discard: none
  > discard luchataur = alice discard: gorillion, luchataur; alice holds: 5; bob discard: none
  & * {"probe": {"play": "the opponent discards 2 cards"}}
  alice hand: probe, +; draw: spider_owl, spider_owl, spider_owl, spider_owl
    | bob draw: spider_owl, spider_owl, spider_owl, spider_owl
  > play probe = D10 bob; bob discard: none
  > discard gorillion = D10 bob; bob discard: none
  > discard luchataur = bob discard: gorillion, luchataur; bob holds: 5; alice discard: none
R29: all cards of the hand are discarded if more are asked for.
covers: Effect.DISCARD
  * {"probe": {"play": "the opponent discards 5 cards"}}
  alice hand: probe, + | bob hand: bee_bear, turbo_bug
  > play probe = D10 (the first of two picks (R120))
  > discard bee_bear = bob discard: bee_bear, turbo_bug
R30, R31: the cards change hands together; the robbed player refills, no discard pile.
covers: Effect.STEAL_RANDOM
  * {"probe": {"play": "steal a random card"}}
  alice hand: probe, + | bob draw: spider_owl, spider_owl, spider_owl, spider_owl
  > play probe = alice holds: 4; bob holds: 5; bob pile: 1; alice discard: none; bob discard: none
  & * {"probe": {"play": "steal 3 random cards"}}
  alice hand: probe, + | bob draw: spider_owl, spider_owl, spider_owl, spider_owl
  > play probe = alice holds: 6; bob holds: 4; bob pile: 0; alice discard: none; bob discard: none
R31: a whole hand is stolen if it has no more cards.
covers: Effect.STEAL_RANDOM
  * {"probe": {"play": "steal 9 random cards"}}
  alice hand: probe, +
  > play probe
  = alice holds: 6; over: alice, no_action (Bob has nothing left (R18))
# Several instructions
R43, R59: the second instruction sees what the first has done.
  * {"probe": {"play": "gain 2 life, then if your life = 5, gain 10 life, then if your life < 5,
    lose 9 life"}}
  alice hand: probe, +
  > play probe = alice life: 15
R27, R30: after the first discard Bob draws, so the new card can be discarded next.
  * {"probe": {"play": "the opponent discards a card, then the opponent discards a card"}}
  alice hand: probe, + | bob hand: gorillion, luchataur, bee_bear, turbo_bug, brain_fly;
    draw: spider_owl
  > play probe > discard gorillion = offered: discard bob bee_bear, discard bob brain_fly,
    discard bob luchataur, discard bob spider_owl, discard bob turbo_bug
  > discard spider_owl = bob discard: gorillion, spider_owl
R57, R59: two defeats of one effect make two batches, the older one resolved first.
  * {"probe": {"play": "defeat all enemy creatures with power 1, then defeat all enemy creatures
    with power 2, then gain 1 life"}}
  * {"first": {"power": 1, "defeated": "set your life to 9"}}
  * {"second": {"power": 2, "defeated": "if your life = 9, set your life to 7"}}
  alice hand: probe, + | bob play: first, second
  > play probe = D1 bob; waiting: 0; alice life: 4; bob life: 7
R55: "defeat this" does nothing after the source has left play, even if it came back.
  * {"probe": {"play": "if your life = 3, defeat this, then gain 1 life, then play a card from
    your discard pile, then defeat this"}}
  alice hand: probe, +
  > play probe = alice play: none; alice discard: probe; alice life: 5
R55: the returned card is a new object and so among "all other creatures".
The card in the pile is probe itself. It comes back, is defeated with Bee Bear, and so on: the
second time it finds Bee Bear in the pile as well.
  * {"probe": {"power": 1, "defeated": "play a card from your discard pile, then defeat all other
    allied creatures, then gain 1 life"}}
  alice play: gorillion | bob play: probe, bee_bear
  > attack gorillion > block probe = D6
  > target bee_bear = bob life: 5; bob play: none; bob discard: bee_bear, probe
R53: the effect of a creature that was defeated belongs to its last controller.
  * {"probe": {"defeated": "gain 5 life"}}
  alice play: gorillion; hand: probe, + | bob mindbugs: 1
  > play probe > use > attack gorillion > block probe = alice life: 3; bob life: 8
R95, C18: only creatures that you control are legal targets.
covers: Effect.GIVE_CONTROL
  * {"probe": {"play": "the opponent takes control of a creature"}}
  alice play: gorillion; hand: probe, + | bob play: bee_bear
  > play probe = offered: target alice gorillion, target alice probe
  > target gorillion = bob play: bee_bear, gorillion
R94, R104: to the hand of its controller; boosts fall, hands may exceed 5.
covers: Effect.RETURN_TO_HAND
  * {"probe": {"play": "return all enemy creatures from play"}}
  alice hand: probe, + | bob play: bee_bear boosts:turbo_bug;
    hand: gorillion, gorillion, gorillion, gorillion, gorillion
  > play probe = bob play: none; bob holds: 6; bob discard: turbo_bug
R26: whoever fits at the moment; over with the turn (R25).
covers: Effect.THIS_TURN
  * {"drum": {"attack": "allied creatures have FRENZY this turn, then play a card from your
    discard pile"}}
  alice play: drum; discard: turbo_bug
  > attack drum = D5 (FRENZY); keywords turbo_bug: FRENZY
  > stop = keywords turbo_bug: none
R26, R97: restrictions of this turn for chosen creatures and for groups.
covers: Effect.THIS_TURN
  * {"probe": {"attack": "an enemy creature cannot block this turn, then this cannot be defeated
    this turn", "power": 3}}
  alice play: probe | bob play: gorillion, bee_bear
  > attack probe > target bee_bear = offered: block bob gorillion, no_block
  > block gorillion = alice play: probe
  & * {"probe": {"end_of_turn": "gain 1 life", "action": "creatures cannot attack this turn"}}
  alice play: probe | bob play: gorillion
  > activate probe = offered: attack bob gorillion, play bob gorillion, play bob luchataur,
    play bob plated_scorpion (the turn is over)
R98, R101: the same object with the next stage's power, keywords and abilities.
covers: Effect.EVOLVE, Trigger.ACTION
  * {"child": {"power": 1, "evolves_to": "adult", "action": "evolve this"}}
  * {"adult": {"power": 9, "copies": 0, "keywords": ["SNEAKY"]}}
  alice play: child exhausted
  > activate child = power adult: 9; keywords adult: SNEAKY; exhausted adult: yes
C45, D12: what stands in place of the printed power and keywords, chosen at once.
covers: Effect.BECOME, Trigger.EXHAUSTED, Effect.CHOOSE_ONE
  * {"slug": {"power": 6, "keywords": ["TOUGH"], "exhausted": "choose one: this becomes power 2
    with HUNTER; or this becomes power 9"}}
  * {"probe": {"play": "defeat all enemy creatures, then gain 1 life"}}
  alice hand: probe, + | bob play: slug
  > play probe = D12 bob; alice life: 3
  > mode 1 = power slug: 9; keywords slug: none; alice life: 4
R103, D14: cards from any pile go under the creature; each gives +1 power.
covers: Effect.BOOST
  * {"probe": {"play": "boost up to 2 cards to this"}}
  alice play: gorillion; hand: probe, +; discard: turbo_bug | bob discard: bee_bear, luchataur
  > play probe = power probe: 5; D14
  > target bee_bear > target turbo_bug = boosts probe: bee_bear, turbo_bug; power probe: 7
  & * {"probe": {"play": "boost up to 2 cards to a creature"}}
  alice play: gorillion; hand: probe, +; discard: turbo_bug | bob discard: bee_bear, luchataur
  > play probe = power gorillion: 10; D14
  > target bee_bear > target gorillion > target turbo_bug
  = boosts gorillion: bee_bear, turbo_bug; power gorillion: 12
C34: any boost card goes to your hand.
covers: Effect.TAKE_BOOST
  * {"probe": {"play": "return a boost to your hand"}}
  alice hand: probe, + | bob play: gorillion boosts:turbo_bug
  > play probe = alice hand: turbo_bug, +; power gorillion: 10
R32, C51: cards of your choice from a pile, or the top ones of the unused pile.
covers: Effect.DRAW_CARDS, Zone.DISCARD_PILE, Zone.EITHER_DISCARD_PILE, Zone.UNUSED_PILE
  * {"probe": {"play": "draw a card from either discard pile"}}
  alice hand: probe, +; discard: turbo_bug, bee_bear | bob discard: luchataur
  > play probe = offered: target alice bee_bear, target alice turbo_bug, target bob luchataur
  > target luchataur = alice hand: luchataur, +
  & * {"probe": {"play": "draw 3 cards from your discard pile"}}
  alice hand: probe, +; discard: turbo_bug, bee_bear
  > play probe = D7
  > target turbo_bug = alice holds: 5
  & * {"probe": {"play": "draw 2 cards from the unused pile"}}
  alice hand: probe, + | unused: turbo_bug, bee_bear, brain_fly
  > play probe = alice hand: bee_bear, turbo_bug, +
R33: both at the same moment leave nothing to refill from.
covers: Effect.DISCARD_WHOLE, Zone.HAND, Zone.DRAW_PILE
  * {"probe": {"attack": "the opponent discards their hand"}}
  alice play: probe | bob play: bee_bear; draw: turbo_bug, turbo_bug
  = bob holds: 5
  > attack probe
  = bob discard: gorillion, luchataur, plated_scorpion, turbo_bug, turbo_bug; bob holds: 0
  & * {"probe": {"attack": "the opponent discards their draw pile"}}
  alice play: probe | bob play: bee_bear; draw: turbo_bug, turbo_bug
  = bob holds: 5
  > attack probe = bob discard: none; bob holds: 5
  & * {"probe": {"attack": "the opponent discards their hand and draw pile"}}
  alice play: probe | bob play: bee_bear; draw: turbo_bug, turbo_bug
  = bob holds: 5
  > attack probe
  = bob discard: gorillion, luchataur, plated_scorpion, turbo_bug, turbo_bug; bob holds: 0
C16, R107: the very card comes back from the pile where it lies.
covers: Effect.PLAY_THIS, Trigger.DISCARDED, Trigger.LIFE_LOST
  * {"probe": {"play": "the opponent loses 1 life, then the opponent discards a card"}}
  * {"ghost": {"in_discard": "when you lose life, play this"}}
  * {"cat": {"discarded": "you may play this"}}
  alice hand: probe, + | bob hand: cat; draw: gorillion; discard: ghost
  > play probe > discard cat = D9; bob play: ghost
  > yes = bob play: cat, ghost
C15, D10, D12: the opponent gives a card, which is played or kept.
covers: Effect.TAKE_GIVEN_CARD
  * {"probe": {"play": "the opponent gives you a card, which you play or keep"}}
  alice hand: probe, + | bob hand: turbo_bug, bee_bear
  > play probe = D10 bob
  > discard bee_bear = D12 alice
  > play = alice play: bee_bear, probe
  & * {"probe": {"play": "the opponent gives you a card, which you play or keep"}}
  alice hand: probe, + | bob hand: turbo_bug, bee_bear
  > play probe = D10 bob
  > discard bee_bear = D12 alice
  > keep = alice hand: bee_bear, +
C27, D6: into either player's discard pile.
covers: Effect.PUT_RANDOM_CARD
  * {"probe": {"play": "put a random card of the opponent's hand into either discard pile"}}
  alice hand: probe, + | bob hand: turbo_bug, turbo_bug, turbo_bug
  > play probe = offered: pile alice, pile bob
  > pile alice = alice discard: turbo_bug; bob holds: 2
C61, R27: the top cards go under the pile; here both are drawn at once.
covers: Effect.PUT_UNDER_DRAW_PILE
  * {"probe": {"play": "put 2 cards of the unused pile under your draw pile"}}
  alice hand: probe, + | unused: turbo_bug, bee_bear, brain_fly
  > play probe = alice hand: bee_bear, turbo_bug, +
C23: only of a creature that has one; "this" is the source.
covers: Effect.COPY_PLAY_EFFECT
  * {"probe": {"play": "you may copy the play effect of another creature"}}
  * {"model": {"play": "gain 2 life, then this has SNEAKY this turn"}}
  alice play: model, gorillion; hand: probe, +
  > play probe = D9
  > yes = alice life: 5
C40: it triggers as that of the allied creature and waits until this effect is finished.
covers: Effect.TRIGGER_PLAY_EFFECT
  * {"probe": {"play": "trigger the play effect of another allied creature, then if your life = 5,
    lose 1 life"}}
  * {"model": {"play": "gain 2 life"}}
  alice play: model, gorillion; hand: probe, +
  > play probe = alice life: 5
R76: the creature attacks after the effect; Alice blocks, Bob hunts, it stays her turn.
covers: Effect.FORCE_ATTACK
  * {"probe": {"play": "an enemy creature must attack now, then gain 1 life"}}
  alice play: gorillion; hand: probe, + | bob play: killer_bee
  > play probe = D3 bob; alice life: 4
  > no_hunt = D4 alice
  > block gorillion = bob discard: killer_bee
R48, C21: a creature that cannot attack may be chosen, but nothing has been done then.
Found by ``make lockstep``: "if you do" went on.
  * {"herald": {"play": "an enemy creature must attack now, if you do, gain 1 life"}}
  * {"statue": {"constant": "this cannot attack"}}
  alice play: luchataur; hand: herald, + | bob play: gorillion, statue
  > play herald > target statue = alice life: 3
  & * {"herald": {"play": "an enemy creature must attack now, if you do, gain 1 life"}}
  * {"statue": {"constant": "this cannot attack"}}
  alice play: luchataur; hand: herald, + | bob play: gorillion, statue
  > play herald > target gorillion = alice life: 4
C35, D13: any of the five, for the rest of the line.
covers: Effect.NAME_KEYWORD
  * {"probe": {"play": "name a keyword, then defeat all enemy creatures with the named keyword"}}
  alice hand: probe, + | bob play: luchataur, killer_bee
  > play probe
  = D13; offered: keyword FRENZY, keyword HUNTER, keyword POISONOUS, keyword SNEAKY, keyword TOUGH
  > keyword FRENZY = bob discard: luchataur
C54: both hands change places, then both refill.
covers: Effect.EXCHANGE_HANDS
  * {"probe": {"play": "exchange hands"}}
  alice hand: probe, turbo_bug | bob hand: bee_bear, bee_bear, bee_bear, bee_bear, bee_bear;
    draw: luchataur
  > play probe
  = alice hand: bee_bear, bee_bear, bee_bear, bee_bear, bee_bear; bob hand: luchataur, turbo_bug
C53: without triggers, and back as new objects under their former controllers.
covers: Effect.SET_ASIDE, Effect.RETURN_SET_ASIDE
  * {"paca": {"power": 1, "play": "set aside all other creatures", "defeated": "return the
    creatures set aside by this"}}
  alice play: turbo_bug; hand: paca, + | bob play: bee_bear exhausted; hand: gorillion, +
  > play paca = set aside: bee_bear, turbo_bug
  > play gorillion > attack paca > block gorillion
  = alice play: turbo_bug; bob play: bee_bear, gorillion; exhausted bee_bear: no
R22: at the end of every turn.
covers: Trigger.END_OF_TURN
  * {"probe": {"play": "gain 1 life"}}
  * {"bell": {"end_of_turn": "gain 5 life"}}
  alice hand: probe, + | bob play: bell
  > play probe = alice life: 4; bob life: 8
  > play gorillion = bob life: 13
R36: before the card is played by the user.
covers: Trigger.MINDBUG_USED
  * {"probe": {"play": "if your life = 2, gain 10 life"}}
  * {"bug": {"mindbug_used": "the opponent loses 1 life"}}
  alice play: bug; hand: probe, + | bob mindbugs: 1
  > play probe > use = bob life: 12
R54, C58: the boost cards come into play with their Play effects, or without.
covers: Zone.BOOSTS_OF_THIS
  * {"probe": {"action": "play any number of boosts of this"}}
  alice play: probe boosts:axolotl_healer,gorillion
  > activate probe = D8
  > target axolotl_healer > stop = alice play: axolotl_healer, probe; alice life: 5
  & * {"probe": {"action": "play any number of boosts of this without play effects"}}
  alice play: probe boosts:axolotl_healer,gorillion
  > activate probe = D8
  > target axolotl_healer > stop = alice play: axolotl_healer, probe; alice life: 3
C15, R40: no Mindbug; only cards that fit are offered.
covers: Effect.PLAY_CARD, Zone.HAND
  * {"probe": {"play": "play a card with power >= 9 from your hand"}}
  alice hand: probe, + | bob mindbugs: 1
  > play probe > refuse = offered: target alice gorillion, target alice luchataur
  > target gorillion = alice play: gorillion, probe
C31, D7: one pick among all pairs.
  * {"probe": {"play": "defeat 2 creatures with equal power"}}
  alice play: gorillion; hand: probe, + | bob play: turbo_bug, shark_dog, gorillion
  > play probe = D7; offered: pair alice gorillion bob gorillion, pair bob turbo_bug bob shark_dog
"""


@told_examples(EXAMPLES, covers)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def played(new_table, line, alice=None, bob=None, **more):
    """The table after Alice has played a card with a Play effect."""
    alice, bob = alice or Zones(), bob or Zones()
    alice.hand = ["probe", *(alice.hand or NEUTRAL)]
    bob.hand = bob.hand or list(NEUTRAL)
    position = Position(alice, bob)
    position.kot_parts = more.pop("kot_parts", False)
    position.unused = more.pop("unused", [])
    position.power_deck = more.pop("power_deck", [])
    cards = {"probe": {"play": line}} | more.pop("cards", {})
    table = new_table(position, cards=cards, **more)
    table.choose("play probe")
    return table


BOARD = ["gorillion", "shark_dog"], ["bee_bear", "turbo_bug", "luchataur"]


@covers(Side.ANY, Side.ALLIED, Side.ENEMY, Choice.EXACTLY)
@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("defeat a creature", "alice gorillion, alice probe, alice shark_dog, bob bee_bear, "
         "bob luchataur, bob turbo_bug"),
        ("defeat another creature", "alice gorillion, alice shark_dog, bob bee_bear, "
         "bob luchataur, bob turbo_bug"),
        ("defeat an allied creature", "alice gorillion, alice probe, alice shark_dog"),
        ("defeat another allied creature", "alice gorillion, alice shark_dog"),
        ("defeat an enemy creature", "bob bee_bear, bob luchataur, bob turbo_bug"),
        ("defeat a creature with power <= 5", "alice probe, alice shark_dog, bob turbo_bug"),
        ("defeat a creature with power >= 9", "alice gorillion, bob luchataur"),
        ("defeat an enemy creature with power 4 to 8", "bob bee_bear, bob turbo_bug"),
        ("defeat a creature with FRENZY or HUNTER", "alice shark_dog, bob luchataur"),
        ("defeat a creature with power 4", "alice shark_dog, bob turbo_bug"),
    ],
)  # fmt: skip
def test_one_target_of_those_that_fit(new_table, line, targets):
    """R1, R45, R87: D6 offers exactly the creatures that fit the description."""
    table = played(new_table, line, Zones(play=list(BOARD[0])), Zones(play=list(BOARD[1])))
    assert (table.point, table.decider) == ("D6", ALICE)
    assert table.options() == [f"target {target}" for target in targets.split(", ")]
    table.choose(f"target {targets.split(', ')[-1]}")
    assert len(table.discard(ALICE)) + len(table.discard(BOB)) == 1


@covers(Extreme.NONE, Extreme.HIGHEST, Extreme.LOWEST, Choice.ALL)
@pytest.mark.parametrize(
    ("line", "defeated"),
    [
        ("defeat all creatures with the highest power", ["gorillion"]),
        ("defeat all enemy creatures with the highest power", ["luchataur"]),
        ("defeat all creatures with the lowest power", ["shark_dog", "turbo_bug"]),
        ("defeat all enemy creatures with the lowest power", ["turbo_bug"]),
        ("defeat all other allied creatures", ["gorillion", "shark_dog"]),
        ("defeat all enemy creatures with power <= 8", ["bee_bear", "turbo_bug"]),
        ("defeat all creatures with HUNTER", ["shark_dog"]),
        ("defeat all enemy creatures with power <= 8 and the highest power", ["bee_bear"]),
        ("defeat all enemy creatures with POISONOUS", []),
        ("defeat this", ["probe"]),
    ],
)
def test_all_that_fit(new_table, line, defeated):
    """R50, R88: the whole group is affected at once, and nobody chooses."""
    table = played(new_table, line, Zones(play=list(BOARD[0])), Zones(play=list(BOARD[1])))
    assert sorted(table.discard(ALICE) + table.discard(BOB)) == defeated
    assert (table.point, table.decider) == ("D1", BOB)


@covers(Choice.UP_TO)
@pytest.mark.parametrize("picks", [[], ["bee_bear"], ["luchataur", "bee_bear"]])
def test_up_to_two_may_be_fewer(new_table, picks):
    """R49, D8: stop is offered before each pick, until two are picked."""
    table = played(new_table, "defeat up to 2 enemy creatures", bob=Zones(play=list(BOARD[1])))
    for pick in picks:
        assert (table.point, "stop" in table.options()) == ("D8", True)
        table.choose("target", pick)
    if len(picks) < 2:
        table.choose("stop")
    assert table.in_play(BOB) == sorted(set(BOARD[1]) - set(picks))


@covers(Effect.SET_LIFE, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("set your life to 7", (7, 4)),
        ("set the opponent's life to 1", (3, 1)),
        ("set your life to the opponent's life", (4, 4)),
        ("set the opponent's life to your life", (3, 3)),
        ("set your life to enemy creatures", (2, 4)),
        ("set your life to enemy creatures with TOUGH", (1, 4)),
        ("set the opponent's life to your hand", (3, 3)),
    ],
)
def test_set_life(new_table, line, lives):
    """R17: a life total becomes a number, up or down, whatever the number is read off."""
    table = played(new_table, line, bob=Zones(play=["gorillion", "rhino_turtle"], life=4))
    assert (table.life(ALICE), table.life(BOB)) == lives


@covers(Effect.SET_LIFE, Player.YOU, Player.OPPONENT)
@pytest.mark.parametrize(
    ("line", "lives"),
    [
        ("the opponent loses all but 1 life", (3, 1)),
        ("the opponent loses all but 4 life", (3, 4)),
        ("the opponent loses all but 9 life", (3, 4)),
        ("lose all but 2 life", (2, 4)),
        ("lose all but 5 life, if you do, gain 9 life", (3, 4)),
        ("you may lose all but 5 life, then gain 1 life", (4, 4)),
    ],
)
def test_lose_all_but(new_table, line, lives):
    """C8: all life above a number is lost; with no more than that nothing happens."""
    table = played(new_table, line, bob=Zones(play=["gorillion"], life=4))
    assert (table.life(ALICE), table.life(BOB)) == lives


@covers(Effect.THIS_TURN)
@pytest.mark.parametrize(
    ("line", "power", "keywords"),
    [
        ("allied creatures have +2 power and FRENZY this turn", 7, ["FRENZY"]),
        ("an allied creature with power 5 has -3 power this turn", 2, []),
        ("allied creatures have SNEAKY this turn", 5, ["SNEAKY"]),
        ("this has HUNTER and TOUGH this turn", 5, ["HUNTER", "TOUGH"]),
        ("enemy creatures have +1 power this turn", 5, []),
    ],
)
def test_power_and_keywords_this_turn(new_table, line, power, keywords):
    """R25, R26: it lasts until the end of the turn."""
    table = new_table(board(["probe"], ["tiger_squirrel"]), cards={"probe": {"attack": line}})
    table.choose("attack probe")
    assert table.point in ("D3", "D4")
    assert (table.power("probe"), table.keywords("probe")) == (power, keywords)
    while table.active == ALICE:
        table.choose({"D3": "no_hunt", "D4": "no_block", "D5": "stop"}[table.point])
    assert (table.power("probe"), table.keywords("probe")) == (5, [])


@covers(Effect.DISCARD_RANDOM)
def test_discard_random(new_table):
    """R29, R122: cards of the whole hand, without a decision."""
    table = played(new_table, "the opponent discards 2 random cards")
    assert (len(table.discard(BOB)), table.point) == (2, "D1")


@covers(Effect.WIN, Effect.LOSE)
@pytest.mark.parametrize(("line", "winner"), [("win the game", ALICE), ("lose the game", BOB)])
def test_win_and_lose(new_table, line, winner):
    """C52, C59: the game ends at once."""
    table = played(new_table, line)
    assert (table.over, table.winner, table.ending) == (True, winner, "effect")


@covers(Effect.GAIN_ENERGY)
@pytest.mark.parametrize("kot_parts", [False, True])
def test_gain_energy(new_table, kot_parts):
    """R108: cubes, where the game has them."""
    table = played(new_table, "gain 2 energy", kot_parts=kot_parts)
    assert table.energy(ALICE) == (2 if kot_parts else 0)


@covers(Effect.CHOOSE_ONE)
def test_a_mode_that_can_do_nothing_is_not_offered(new_table):
    """D12, C34: with one possible mode there is no decision."""
    line = "choose one: defeat an enemy creature; or gain 1 life"
    assert played(new_table, line).life(ALICE) == 4
    table = played(new_table, line, bob=Zones(play=["bee_bear"]))
    assert (table.point, table.options()) == ("D12", ["mode 0", "mode 1"])


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("you may defeat an enemy creature with power >= 9", False),
        ("you may defeat an enemy creature", True),
        ("you may draw a card from your discard pile", False),
        ("you may lose 1 life", True),
        ("you may steal a random card", True),
        ("you may return a boost to your hand", False),
    ],
)
def test_may_is_asked_if_it_can_be_done(new_table, line, asked):
    """R47, D9: "you may" is offered only if it can be done at least in part."""
    table = played(new_table, line, bob=Zones(play=["bee_bear"]))
    assert table.point == ("D9" if asked else "D1")


def test_as_often_as_a_die_shows(new_table):
    """C55: the reference's die shows 1 without chance, so that nothing happens."""
    line = "as often as a die shows 2 or more, gain 1 life"
    table = played(new_table, line)
    assert (table.life(ALICE) >= 3, table.point) == (True, "D1")


def test_every_word_has_a_test():
    """Each effect, choice, trigger, side, extreme and player is the subject of a test above."""
    assert covers.missing(Effect, Choice, Trigger, Side, Extreme, Player, Zone) == [
        Effect.BUY_FREE,  # test_worked_examples_king_of_tokyo.py: C41
        Effect.BUY_TOP,
    ]
