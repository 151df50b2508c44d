"""docs/cookbook.md: each recipe says what the page shows, and does it on both engines."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from card_data.mindbug.cookbook import cookbook_page, recipes
from card_data.mindbug.language.rules_text import rules_text
from support.positions import ALICE, BOB, NEUTRAL, Position, Table
from support.positions import Side as Zones
from support.purpose_made import made_set

PAGE = (Path(__file__).parents[4] / "docs" / "cookbook.md").read_text("utf-8")
NEAREST = re.findall(r"^\|.*\| `(.+)` \|$", PAGE, re.MULTILINE)

Cards = dict[str, dict[str, Any]]


def cards_of(toml: str) -> Cards:
    """The cards of a recipe by their ids; one that is lines alone is called ``probe``."""
    found = tomllib.loads(toml)
    return found if all(isinstance(part, dict) for part in found.values()) else {"probe": found}


RECIPES = {one.title: (cards_of(one.lines), one.says) for one in recipes()}


def test_the_page_is_the_one_of_the_package() -> None:
    """docs/cookbook.md is what `python -m card_data.mindbug.cookbook` prints."""
    assert cookbook_page() == PAGE
    assert len(recipes()) == PAGE.count("\n### "), "no recipe is left out"


@frozen
class Case:
    """A position in which a recipe matters, what is chosen in it, and what must be so then.

    The card of the recipe is ``probe``, in Alice's hand unless the position says otherwise.
    """

    choices: str
    then: Callable[[Table], bool]
    alice: Zones = field(factory=Zones)
    bob: Zones = field(factory=Zones)
    active: int = ALICE
    also: Cards = field(factory=dict)

    def play(self, new_table: Callable[..., Table], cards: Cards) -> Table:
        """The table after the choices, with these cards."""
        first = next(iter(cards))
        alice, bob = (
            Zones(**{name: _named(part, first) for name, part in vars(side).items()})
            for side in (self.alice, self.bob)
        )
        there = [side.play + side.hand + side.discard for side in (alice, bob)]
        if not any(first in zones for zones in there):
            alice.hand.insert(0, first)
        for side in (alice, bob):
            side.hand += NEUTRAL if side.hand in ([], [first]) else ()
        table = new_table(Position(alice, bob, active=self.active), cards=cards | self.also)
        for words in self.choices.split("; "):
            table.choose(words.replace("probe", first))
        return table


def _named(part: Any, first: str) -> Any:
    """A zone with the card of the recipe under its own id."""
    return [card.replace("probe", first) for card in part] if isinstance(part, list) else part


BOARD = ["turbo_bug", "gorillion"]  # power 4 and 10
PROBE = Zones(play=["probe"])

CASES = {
    "When played, destroy a small enemy creature.": Case(
        "play probe", lambda t: t.discard(BOB) == ["turbo_bug"], bob=Zones(play=BOARD)
    ),
    "When played, destroy the strongest enemy creature.": Case(
        "play probe", lambda t: t.discard(BOB) == ["gorillion"], bob=Zones(play=BOARD)
    ),
    "When played, destroy everything else.": Case(
        "play probe",
        lambda t: (t.in_play(ALICE), t.in_play(BOB)) == (["probe"], []),
        alice=Zones(play=["bee_bear"]),
        bob=Zones(play=BOARD),
    ),
    "When it attacks, destroy every weaker enemy first.": Case(
        "attack probe", lambda t: t.discard(BOB) == ["turbo_bug"], PROBE, Zones(play=BOARD)
    ),
    "Sacrifice another of your creatures to destroy an enemy creature.": Case(
        "play probe; yes; target gorillion",
        lambda t: (t.discard(ALICE), t.discard(BOB)) == (["bee_bear"], ["gorillion"]),
        alice=Zones(play=["bee_bear"]),
        bob=Zones(play=BOARD),
    ),
    "When it dies, it takes an enemy creature with it.": Case(
        "attack probe; block gorillion; target gorillion",
        lambda t: (t.discard(ALICE), t.discard(BOB)) == (["probe"], ["gorillion"]),
        PROBE,
        Zones(play=BOARD),
    ),
    "When played, bounce an enemy creature.": Case(
        "play probe; target gorillion",
        lambda t: (t.in_play(BOB), t.hand_size(BOB)) == (["turbo_bug"], 4),
        bob=Zones(play=BOARD),
    ),
    "Exile an enemy creature until this one dies.": Case(
        "play probe; target turbo_bug; attack gorillion; block probe",
        lambda t: (t.in_play(ALICE), t.in_play(BOB)) == ([], ["gorillion", "turbo_bug"]),
        bob=Zones(play=BOARD),
    ),
    "When played, seize a large enemy creature.": Case(
        "play probe", lambda t: t.in_play(ALICE) == ["gorillion", "probe"], bob=Zones(play=BOARD)
    ),
    "When played, heal 2.": Case("play probe", lambda t: t.life(ALICE) == 5),
    "Whenever it attacks, deal 1 damage to the opponent.": Case(
        "attack probe; block gorillion", lambda t: t.life(BOB) == 2, PROBE, Zones(play=BOARD)
    ),
    "When played, drain 1 life.": Case(
        "play probe", lambda t: (t.life(ALICE), t.life(BOB)) == (4, 2)
    ),
    "When played, heal 2 if you are behind.": Case(
        "play probe", lambda t: t.life(ALICE) == 3, alice=Zones(life=1)
    ),
    "You may pay 1 life to destroy an enemy creature.": Case(
        "play probe; yes; target gorillion",
        lambda t: (t.life(ALICE), t.discard(BOB)) == (2, ["gorillion"]),
        bob=Zones(play=BOARD),
    ),
    "Heal 1 at the end of each of your turns.": Case(
        "play luchataur; play luchataur", lambda t: (t.life(ALICE), t.life(BOB)) == (4, 3), PROBE
    ),
    "When played, 1 damage for each of your other creatures.": Case(
        "play probe", lambda t: t.life(BOB) == 1, alice=Zones(play=BOARD)
    ),
    "When played, take back a card.": Case(
        "play probe; target bee_bear",
        lambda t: "bee_bear" in t.hand(ALICE),
        alice=Zones(discard=["bee_bear", "turbo_bug"]),
    ),
    "When played, the opponent discards a card.": Case(
        "play probe; discard luchataur", lambda t: t.discard(BOB) == ["luchataur"]
    ),
    "When played, the opponent discards 2 cards at random.": Case(
        "play probe", lambda t: (len(t.discard(BOB)), t.point) == (2, "D1")
    ),
    "When it attacks, steal a card from the opponent's hand.": Case(
        "attack probe",
        lambda t: (t.hand_size(ALICE), t.hand_size(BOB)) == (4, 2),
        PROBE,
        Zones(play=["gorillion"]),
    ),
    "Discard up to 2 cards, and destroy as many creatures.": Case(
        "play probe; target luchataur; target gorillion; target bee_bear; target bob gorillion",
        lambda t: t.discard(BOB) == ["bee_bear", "gorillion"],
        bob=Zones(play=["bee_bear", "gorillion", "turbo_bug"]),
    ),
    "When played, revive a small creature of yours.": Case(
        "play probe",
        lambda t: (t.in_play(ALICE), t.life(ALICE)) == (["axolotl_healer", "probe"], 5),
        alice=Zones(discard=["axolotl_healer", "gorillion"]),
    ),
    "When played, play a second card at once.": Case(
        "play probe", lambda t: t.in_play(ALICE) == ["plated_scorpion", "probe"]
    ),
    "It returns from the discard pile when you are hurt.": Case(
        "attack gorillion; yes",
        lambda t: t.in_play(BOB) == ["probe"],
        alice=Zones(play=["gorillion"]),
        bob=Zones(discard=["probe"]),
    ),
    "If it is discarded, it comes into play instead.": Case(
        "play robber; discard probe",
        lambda t: (t.in_play(BOB), t.discard(BOB)) == (["probe"], []),
        alice=Zones(hand=["robber", *NEUTRAL]),
        bob=Zones(hand=["probe", *NEUTRAL]),
        also={"robber": {"play": "the opponent discards a card"}},
    ),
    "When played, throw your hand away and draw a new one.": Case(
        "play probe",
        lambda t: t.hand(ALICE) == ["turbo_bug"] * 5,
        alice=Zones(hand=["probe", *["gorillion"] * 4], draw=["bee_bear", *["turbo_bug"] * 5]),
    ),
    "Flying, stealth: most creatures cannot block it.": Case(
        "attack probe", lambda t: t.life(BOB) == 2, PROBE, Zones(play=BOARD)
    ),
    "Deathtouch: whatever fights it dies.": Case(
        "attack probe; block gorillion",
        lambda t: t.discard(BOB) == ["gorillion"],
        PROBE,
        Zones(play=BOARD),
    ),
    "It may attack twice.": Case("attack probe; attack again", lambda t: t.life(BOB) == 1, PROBE),
    "It chooses whom it fights.": Case(
        "attack probe; hunt turbo_bug",
        lambda t: t.discard(BOB) == ["turbo_bug"],
        PROBE,
        Zones(play=BOARD),
    ),
    "It survives the first time it would die.": Case(
        "attack probe; block gorillion",
        lambda t: t.in_play(ALICE) == ["probe"] and t.exhausted("probe"),
        PROBE,
        Zones(play=BOARD),
    ),
    "Small creatures cannot block it.": Case(
        "attack probe",
        lambda t: t.options() == ["block bob gorillion", "no_block"],
        PROBE,
        Zones(play=BOARD),
    ),
    "A wall: a strong creature that cannot attack.": Case(
        "play luchataur",
        lambda t: "attack alice probe" not in t.options() and t.power("probe") == 9,
        PROBE,
        active=BOB,
    ),
    "When it attacks, an enemy creature cannot block this turn.": Case(
        "attack probe; target gorillion",
        lambda t: t.options() == ["block bob turbo_bug", "no_block"],
        PROBE,
        Zones(play=BOARD),
    ),
    "Weak enemy creatures cannot attack.": Case(
        "play probe",
        lambda t: [words for words in t.options() if "attack" in words] == ["attack bob gorillion"],
        bob=Zones(play=BOARD),
    ),
    "Taunt: enemy hunters have to attack it.": Case(
        "play probe",
        lambda t: t.options() == ["attack bob killer_bee", "attack bob shark_dog"],
        bob=Zones(play=["killer_bee", "shark_dog", "gorillion"]),
    ),
    "When played, provoke an enemy creature into attacking.": Case(
        "play probe; target turbo_bug; block probe",
        lambda t: t.discard(BOB) == ["turbo_bug"],
        bob=Zones(play=BOARD),
    ),
    "Your other creatures are stronger.": Case(
        "play probe",
        lambda t: (t.power("bee_bear"), t.power("probe"), t.power("gorillion")) == (9, 5, 10),
        alice=Zones(play=["bee_bear"]),
        bob=Zones(play=BOARD),
    ),
    "Enemy creatures are weaker.": Case(
        "play probe",
        lambda t: (t.power("turbo_bug"), t.power("gorillion")) == (3, 9),
        bob=Zones(play=BOARD),
    ),
    "When it attacks, all your creatures are hard to block this turn.": Case(
        "attack probe",
        lambda t: (t.life(BOB), t.keywords("bee_bear"), t.active) == (2, [], BOB),
        Zones(play=["probe", "bee_bear"]),
        Zones(play=BOARD),
    ),
    "It is stronger for each other creature of yours.": Case(
        "play probe", lambda t: t.power("probe") == 9, alice=Zones(play=BOARD)
    ),
    "Cornered: at 1 life it goes wild.": Case(
        "attack gorillion; no_block",
        lambda t: (t.power("probe"), t.keywords("probe")) == (10, ["FRENZY"]),
        Zones(play=["gorillion"]),
        Zones(play=["probe"], life=2),
    ),
    "It grows with each attack.": Case(
        "attack probe; target bee_bear",
        lambda t: (t.power("probe"), t.boosts("probe")) == (6, ["bee_bear"]),
        Zones(play=["probe"], discard=["bee_bear"]),
    ),
    "It hatches into something bigger.": Case(
        "activate probe", lambda t: t.power("old_oak") == 9, PROBE
    ),
    "When played, repeat the Play effect of another creature.": Case(
        "play probe", lambda t: t.life(ALICE) == 5, alice=Zones(play=["axolotl_healer"])
    ),
    "If the opponent uses a Mindbug, they pay for it.": Case(
        "play gorillion; use",
        lambda t: (t.life(BOB), t.mindbugs(BOB)) == (2, 0),
        PROBE,
        Zones(mindbugs=1),
    ),
    "Nobody can use a Mindbug.": Case(
        "play gorillion",
        lambda t: (t.in_play(ALICE), t.mindbugs(BOB)) == (["gorillion", "probe"], 1),
        PROBE,
        Zones(mindbugs=1),
    ),
    "What the opponent plays has no effect when played.": Case(
        "play axolotl_healer",
        lambda t: (t.in_play(BOB), t.life(BOB)) == (["axolotl_healer"], 3),
        PROBE,
        Zones(hand=["axolotl_healer", *NEUTRAL]),
        active=BOB,
    ),
    "When played, choose: heal 1 or make the opponent discard.": Case(
        "play probe; mode 1; discard luchataur",
        lambda t: (t.discard(BOB), t.life(ALICE)) == (["luchataur"], 3),
    ),
    "You win if your hand is empty when it attacks.": Case(
        "play bee_bear; play gorillion; attack probe",
        lambda t: (t.winner, t.ending) == (ALICE, "effect"),
        Zones(play=["probe"], hand=["bee_bear"]),
    ),
}


def test_fifty_recipes_are_tried() -> None:
    """The page has fifty recipes, and each has a position here."""
    assert len(RECIPES) == PAGE.count("\n### ") == 50
    assert list(RECIPES) == list(CASES)


@pytest.mark.parametrize("title", CASES)
def test_a_recipe_says_what_the_page_shows(title: str) -> None:
    """Its lines are read without a fault, and the card says what stands below them."""
    cards, text = RECIPES[title]
    (card,) = (card for card in made_set(cards).cards if card.card_id == next(iter(cards)))
    keywords = ", ".join(keyword.name for keyword in sorted(card.keywords))
    assert " ".join([f"{keywords}."] * bool(keywords) + rules_text(card)) == text


@pytest.mark.parametrize("title", CASES)
def test_a_recipe_does_what_it_says(new_table, title: str) -> None:
    """R43, R52, R84: in a position where it matters the card has its effect."""
    assert CASES[title].then(CASES[title].play(new_table, RECIPES[title][0]))


@pytest.mark.parametrize("title", CASES)
def test_it_is_the_recipe_that_does_it(new_table, title: str) -> None:
    """A card without the lines of the recipe does not have that effect in the same position."""
    plain: Cards = {card_id: {} for card_id in RECIPES[title][0]}
    try:
        table = CASES[title].play(new_table, plain)
    except ValueError:  # a choice that the recipe brings is not offered
        return
    assert not CASES[title].then(table)


@pytest.mark.parametrize("line", NEAREST)
def test_what_cannot_be_said_has_a_neighbour_that_can(line: str) -> None:
    """Every line in the table at the end of the page can be put into a card."""
    assert made_set({"probe": tomllib.loads(line)}).cards


def test_every_wording_that_cannot_be_said_has_one() -> None:
    """No row of that table is without a line."""
    assert len(NEAREST) == len(re.findall(r"^\| ", PAGE, re.MULTILINE)) - 1 > 10
