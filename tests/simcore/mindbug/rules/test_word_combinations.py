"""Words in combinations that no shipped card has, on both engines: the smallest cases.

Cards made up at random (``test_lockstep.py``) found them.
"""

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position
from support.positions import Side as Zones
from support.told_examples import play_example, told_examples

EXAMPLES = """
C45: "this becomes" may stand in any line; it lasts until the creature leaves play.
  * {"probe": {"play": "this becomes power 3 with SNEAKY"}}
  alice hand: probe, +
  > play probe = power probe: 3; keywords probe: SNEAKY
R102, R107, C45: in the pile it is the stage I card, whatever it had become.
  * {"child": {"evolves_to": "adult"}}
  * {"adult": {"copies": 0, "keywords": ["TOUGH"], "exhausted": "this becomes power 2",
    "discarded": "gain 5 life"}}
  * {"probe": {"play": "defeat all enemy creatures, then defeat all enemy creatures"}}
  alice hand: probe, + | bob play: adult
  > play probe = bob play: none; bob life: 3
R22: "it is the opponent's turn" narrows an end-of-turn ability to the other turns.
  * {"probe": {}}
  * {"owl": {"end_of_turn": "if it is the opponent's turn, gain 1 life"}}
  alice hand: probe, + | bob play: owl
  > play probe = bob life: 4
R22, C57: whose turn it is, and something else, on the turn of the other player.
  * {"probe": {}}
  * {"owl": {"end_of_turn": "if it is your turn and your life = 3, gain 1 life"}}
  alice hand: probe, + | bob play: owl
  > play probe = bob life: 3
  & * {"probe": {}}
  * {"owl": {"end_of_turn": "if it is the opponent's turn and your life = 3, gain 1 life"}}
  alice hand: probe, + | bob play: owl
  > play probe = bob life: 4
  & * {"probe": {}}
  * {"owl": {"end_of_turn": "if it is your turn or your life = 3, gain 1 life"}}
  alice hand: probe, + | bob play: owl
  > play probe = bob life: 4
R43: the second instruction is performed at the end of every turn.
  * {"probe": {}}
  * {"owl": {"end_of_turn": "if it is your turn, gain 5 life, then gain 1 life"}}
  alice hand: probe, + | bob play: owl
  > play probe = bob life: 4
R84, R97: on the opponent's turn it does not evolve instead.
  * {"child": {"evolves_to": "adult", "constant": "during your turn, this evolves instead of being
    defeated"}}
  * {"adult": {"copies": 0}}
  * {"probe": {"play": "defeat all enemy creatures"}}
  alice hand: probe, + | bob play: child
  > play probe = bob discard: child
R103, R45: the boosted creature has to fit the description.
  * {"probe": {"play": "boost up to 1 card to an enemy creature"}}
  alice play: gorillion, turbo_bug; hand: probe, +; discard: ferret_bomber
    | bob play: bee_bear, spider_owl
  > play probe > target ferret_bomber = offered: target bob bee_bear, target bob spider_owl
  & * {"probe": {"play": "boost up to 1 card to another allied creature"}}
  alice play: gorillion, turbo_bug; hand: probe, +; discard: ferret_bomber
    | bob play: bee_bear, spider_owl
  > play probe > target ferret_bomber = offered: target alice gorillion, target alice turbo_bug
  & * {"probe": {"play": "boost up to 1 card to creatures with power >= 8"}}
  alice play: gorillion, turbo_bug; hand: probe, +; discard: ferret_bomber
    | bob play: bee_bear, spider_owl
  > play probe > target ferret_bomber = offered: target alice gorillion, target bob bee_bear
R123: without a creature that fits there is no decision.
  * {"probe": {"play": "boost up to 1 card to an enemy creature"}}
  alice hand: probe, +; discard: ferret_bomber
  > play probe = D1 bob
D12, C34: "for each" of nothing can do nothing.
  * {"probe": {"play": "choose one: the opponent loses 1 life for each enemy creature; or gain 1
    life"}}
  alice hand: probe, +
  > play probe = D1; alice life: 4
C48, C42: the filter on effects counts.
  * {"probe": {"constant": "the opponent cannot play cards with a Play effect from their hand"}}
  * {"singer": {"play": "gain 1 life"}}
  alice hand: probe, + | bob hand: singer, +
  > play probe = offered: play bob gorillion, play bob luchataur, play bob plated_scorpion
R27, C44: on Alice's turn nothing stops Bob's hand any more.
  * {"probe": {"constant": "during the opponent's turn, the opponent cannot put cards into their
    hand"}}
  alice hand: probe, + | bob hand: gorillion, gorillion, gorillion, gorillion, gorillion;
    draw: gorillion, gorillion, gorillion
  > play probe > play gorillion = active: alice; bob holds: 5
R43, R59: the instruction after a copied effect looks at its own condition.
  * {"probe": {"play": "copy the play effect of another creature, then if your life = 9, gain 10
    life"}}
  * {"singer": {"play": "gain 1 life"}}
  alice play: singer; hand: probe, +
  > play probe = alice life: 4
R85, R105: a power change may ask for boosts.
  * {"probe": {"constant": "allied creatures with a boost have +5 power"}}
  alice play: turbo_bug; hand: probe, +
  > play probe = power turbo_bug: 4; power probe: 5
R84, R85: the power changes as soon as a Mindbug is spent.
  * {"probe": {}}
  * {"owl": {"constant": "allied creatures have -2 power for each of your Mindbugs"}}
  alice hand: probe, + | bob play: owl, bee_bear; mindbugs: 2
  > play probe = D2; power bee_bear: 4
  > use = power bee_bear: 6
R1, R26: "other creatures" excludes the source for the whole turn.
  * {"probe": {"play": "other creatures have +1 power this turn, then discard a card"}}
  alice play: turbo_bug; hand: probe, +
  > play probe = power turbo_bug: 5; power probe: 5
R99: with an empty hand nothing can be discarded, whatever was discarded before.
  * {"probe": {"action": "discard up to 2 cards, then gain 1 life for each card discarded"}}
  * {"jumper": {"action": "gain 1 life"}}
  * {"thief": {"play": "the opponent discards their hand"}}
  alice play: probe; hand: thief | bob play: jumper;
    hand: gorillion, gorillion, gorillion, gorillion
  > play thief > activate jumper = offered: attack alice probe, attack alice thief
R48: what changed nothing was not really carried out.
  * {"probe": {"play": "the opponent gains 1 life for each enemy creature, if you do, gain 1
    life"}}
  alice hand: probe, +
  > play probe = alice life: 3
  & * {"probe": {"play": "draw all cards from your discard pile, if you do, gain 1 life"}}
  alice hand: probe, +
  > play probe = alice life: 3
R48, R51: something was defeated, although the last time there was nothing left.
  * {"probe": {"play": "defeat another creature with power <= 4 for each other creature, if you
    do, gain 1 life"}}
  alice hand: probe, + | bob play: turbo_bug, gorillion
  > play probe = bob play: gorillion; alice life: 4
R41, R126: two cards are chosen (D7) and enter play together.
  * {"probe": {"play": "play 2 cards from your discard pile"}}
  alice hand: probe, +; discard: gorillion, bee_bear, turbo_bug
  > play probe = D7
  > target gorillion > target bee_bear = alice play: bee_bear, gorillion, probe
R103: the boost cards of a creature that was played in this game are known as its own.
  * {"probe": {"play": "boost up to 1 card to this", "attack": "play any number of boosts of this
    without play effects"}}
  alice hand: probe, +; discard: turbo_bug
  > play probe > target turbo_bug > play gorillion > attack probe
  = D8; offered: stop, target alice turbo_bug
R50, R96, R97: of creatures defeated together, keywords count as they were at that moment.
  * {"child": {"evolves_to": "adult", "constant": ["this evolves instead of being defeated",
    "other allied creatures have TOUGH"]}}
  * {"adult": {"copies": 0}}
  * {"probe": {"play": "defeat all enemy creatures"}}
  alice hand: probe, + | bob play: child, bee_bear
  > play probe = bob play: adult, bee_bear
  & * {"child": {"evolves_to": "adult", "constant": ["this evolves instead of being defeated"]}}
  * {"adult": {"copies": 0, "constant": "other allied creatures have TOUGH"}}
  * {"probe": {"play": "defeat all enemy creatures"}}
  alice hand: probe, + | bob play: child, bee_bear
  > play probe = bob play: adult
R68: of two lines with "only", both must allow a blocker.
  * {"probe": {"constant": ["only creatures with power <= 4 can block this", "only creatures with
    SNEAKY can block this"]}}
  * {"small": {"power": 2}}
  * {"sneak": {"power": 9, "keywords": ["SNEAKY"]}}
  * {"both": {"power": 2, "keywords": ["SNEAKY"]}}
  alice play: probe | bob play: small, sneak, both
  > attack probe = offered: block bob both, no_block
R50, R106: a boost that falls begins to work when all have left, whoever had it.
  * {"jinx": {"in_discard": "the opponent cannot put cards into their hand"}}
  * {"probe": {"play": "return all other creatures from play"}}
  alice play: bee_bear boosts:jinx; hand: probe, + | bob play: luchataur
  > play probe = alice play: probe; bob play: none
  & * {"jinx": {"in_discard": "the opponent cannot put cards into their hand"}}
  * {"probe": {"play": "return all other creatures from play"}}
  alice play: luchataur; hand: probe, + | bob play: bee_bear boosts:jinx
  > play probe = alice play: probe; bob play: none
C20: "must hunt this" binds in every attack; "during the opponent's turn" in theirs alone.
  * {"lure": {"constant": "enemy creatures with HUNTER must hunt this"}}
  * {"hunter": {"power": 9, "keywords": ["HUNTER"]}}
  * {"probe": {"play": "an enemy creature must attack now"}}
  alice play: lure, bee_bear; hand: probe, + | bob play: hunter
  > play probe = alice discard: lure
  & * {"lure": {"constant": "during the opponent's turn, enemy creatures with HUNTER must hunt
    this"}}
  * {"hunter": {"power": 9, "keywords": ["HUNTER"]}}
  * {"probe": {"play": "an enemy creature must attack now"}}
  alice play: lure, bee_bear; hand: probe, + | bob play: hunter
  > play probe = D3; offered: hunt alice bee_bear, hunt alice lure, hunt alice probe, no_hunt
C45, C56, R73: the fight is over when the creature that it exhausted does something.
  * {"slug": {"power": 6, "keywords": ["TOUGH"], "exhausted": "if this defeated an enemy creature
    this turn, this becomes power 1"}}
  * {"owl": {"power": 6}}
  alice play: slug | bob play: owl
  > attack slug > block owl = bob play: none; power slug: 1
"""


@told_examples(EXAMPLES)
def test_worked_example(body: str, engine: str) -> None:
    """Each choice is offered, and what is seen is what the rules give."""
    play_example(body, engine)


def alice_plays(new_table, cards, alice=None, bob=None, **more):
    """A table on which Alice has just played the card ``probe``."""
    alice, bob = alice or Zones(), bob or Zones()
    alice.hand = ["probe", *(alice.hand or NEUTRAL)]
    bob.hand = bob.hand or list(NEUTRAL)
    table = new_table(Position(alice, bob, **more), cards=cards)
    table.choose("play probe")
    return table


def test_more_dice_for_a_chosen_creature(new_table):
    """R26, R113: a creature without symbols rolls as well."""
    table = alice_plays(
        new_table,
        {"probe": {"play": "an enemy creature has 1 more die this turn, "
                           "then an enemy creature must attack now"}},
        bob=Zones(play=["gorillion"]),
        kot_parts=True,
    )  # fmt: skip
    assert (table.point, table.decider) == ("D16", BOB)


NAMED = "defeat all allied creatures with the named keyword"


@pytest.mark.parametrize(
    ("between", "inner"),
    [
        ("defeat all enemy creatures with the named keyword", {}),
        ("copy the play effect of another creature", {"play": "gain 1 life"}),
        ("copy the play effect of another creature", {"play": "name a keyword"}),
        ("buy a power card for free", {}),
    ],
)
def test_a_named_keyword_is_remembered(new_table, between, inner):
    """C35: whatever another ability does in between, the effect looks at the keyword it named."""
    cards = {
        "slug": {"keywords": ["TOUGH"], "exhausted": "this becomes power 5 with HUNTER"},
        "owl": {"keywords": ["SNEAKY"]},
        "healer": inner,
        "bought": {"cost": 1, "bought": "gain 1 life"},
        "probe": {"play": f"name a keyword, then {between}, then {NAMED}"},
    }
    table = alice_plays(
        new_table,
        cards,
        alice=Zones(play=["owl", "healer"]),
        bob=Zones(play=["slug"]),
        kot_parts=True,
        power_deck=["bought"],
    )
    table.choose("keyword TOUGH")
    if inner.get("play") == "name a keyword":
        table.choose("keyword SNEAKY")
    assert table.in_play(ALICE) == ["healer", "owl", "probe"]
