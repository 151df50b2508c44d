"""The other answers to open points of the rules text (O numbers), one by one (docs/pools.md).

The slow engine knows the chosen answers alone, so these are games of the fast one.
"""

import pytest

from card_data.mindbug.vocabulary import Ruling
from support.fast_game import FastGame
from support.positions import ALICE, BOB, NEUTRAL, Position, Side, Table, board
from support.purpose_made import Fields, made_table

TESTED: list[Ruling] = []


def with_and_without(ruling: Ruling) -> pytest.MarkDecorator:
    """Run a test with the ruling and without it."""
    TESTED.append(ruling)
    choices = [frozenset(), frozenset({ruling})]
    return pytest.mark.parametrize("rulings", choices, ids=["chosen", ruling.name.lower()])


def table_of(
    position: Position, rulings: frozenset[Ruling], cards: dict[str, Fields] | None = None
) -> Table:
    """The position, with some cards made for the test, played under the rulings."""
    made = made_table(cards or {"probe": {}}, rulings=rulings)
    return Table(FastGame.from_position(position, table=made), position)


def playing(card_id: str, alice: Side, bob: Side) -> Position:
    """A position in which Alice can play the card."""
    alice.hand = [card_id, *NEUTRAL]
    bob.hand = bob.hand or list(NEUTRAL)
    return Position(alice, bob)


@with_and_without(Ruling.SETTING_LIFE_IS_NO_LOSS)
def test_setting_life(rulings: frozenset[Ruling]) -> None:
    """O2: what is set lower triggers what looks at life lost, or nothing."""
    cards: dict[str, Fields] = {
        "probe": {"play": "set the opponent's life to 1"},
        "hyena": {"in_discard": "when you lose life, play this"},
    }
    table = table_of(playing("probe", Side(), Side(discard=["hyena"])), rulings, cards)
    table.choose("play probe")
    assert table.life(BOB) == 1
    assert table.in_play(BOB) == ([] if rulings else ["hyena"])


@with_and_without(Ruling.SETTING_LIFE_IS_NO_LOSS)
def test_turbo_bug_is_a_loss_all_the_same(rulings: frozenset[Ruling]) -> None:
    """C8, O2: its effect is written as a loss, so cards that look at life lost see it."""
    cards: dict[str, Fields] = {"hyena": {"in_discard": "when you lose life, play this"}}
    bob = Side(hand=list(NEUTRAL), discard=["hyena"])
    position = Position(Side(play=["turbo_bug"], hand=list(NEUTRAL)), bob)
    table = table_of(position, rulings, cards)
    table.choose("attack turbo_bug")
    assert (table.life(BOB), table.in_play(BOB)) == (1, ["hyena"])


@with_and_without(Ruling.SETTING_LIFE_IS_NO_LOSS)
def test_more_than_all_but_one_is_lost(rulings: frozenset[Ruling]) -> None:
    """C29, R91: what adds to each loss makes Turbo Bug's effect take the last life."""
    cards: dict[str, Fields] = {
        "bee": {"in_discard": "the opponent loses 1 more life each time they lose life"}
    }
    alice = Side(play=["turbo_bug"], hand=list(NEUTRAL), discard=["bee"])
    table = table_of(Position(alice, Side(hand=list(NEUTRAL))), rulings, cards)
    table.choose("attack turbo_bug")
    assert (table.over, table.winner) == (True, ALICE)


@pytest.mark.parametrize("card", ["mysterious_mermaid", "probe"])
def test_what_sets_life_is_no_loss_under_the_ruling(card: str) -> None:
    """O2, C9: a Mermaid, or any line that sets life, lowers it without a loss."""
    cards: dict[str, Fields] = {
        "probe": {"play": "set your life to 1"},
        "hyena": {"in_discard": "when you lose life, play this"},
    }
    rulings = frozenset({Ruling.SETTING_LIFE_IS_NO_LOSS})
    position = playing(card, Side(discard=["hyena"]), Side(life=1))
    table = table_of(position, rulings, cards)
    table.choose(f"play {card}")
    assert (table.life(ALICE), "hyena" in table.in_play(ALICE)) == (1, False)


@pytest.mark.parametrize(
    "line", ["the opponent loses all but 1 life", "set the opponent's life to 1"]
)
@with_and_without(Ruling.SETTING_LIFE_IS_NO_LOSS)
def test_life_that_is_never_reduced(rulings: frozenset[Ruling], line: str) -> None:
    """C52, O2: a loss is prevented, and what is set is a reduction, too."""
    cards: dict[str, Fields] = {
        "probe": {"play": line},
        "knight": {"constant": "you cannot lose life"},
    }
    table = table_of(playing("probe", Side(), Side(play=["knight"])), rulings, cards)
    table.choose("play probe")
    assert table.life(BOB) == 3


@with_and_without(Ruling.OWN_CREATURES_CAN_BE_TAKEN)
def test_taking_control_of_ones_own(rulings: frozenset[Ruling]) -> None:
    """O6: Brain Fly may choose a creature that its controller has already, without effect."""
    position = playing(
        "brain_fly", Side(play=["gorillion"]), Side(play=["luchataur", "plated_scorpion"])
    )
    table = table_of(position, rulings)
    table.choose("play brain_fly")
    theirs = ["target bob luchataur"]
    if not rulings:
        assert table.in_play(ALICE) == ["brain_fly", "gorillion", "luchataur"]
        return
    assert table.options() == ["target alice gorillion", *theirs]
    table.choose("target gorillion")
    assert table.in_play(ALICE) == ["brain_fly", "gorillion"]
    assert table.in_play(BOB) == ["luchataur", "plated_scorpion"]


@pytest.mark.parametrize("policy", ["greedy", "heuristic", "learned", "search=learned:100"])
def test_no_player_who_thinks_takes_his_own(policy: str) -> None:
    """O6: the player has the best creature already and takes the best of the others."""
    cards: dict[str, Fields] = {
        "probe": {"play": "take control of an enemy creature"},
        "dragon": {"power": 10, "keywords": ["SNEAKY", "POISONOUS", "TOUGH", "FRENZY"]},
        "mouse": {"power": 2},
        "ox": {"power": 7},
    }
    position = playing("probe", Side(play=["dragon"]), Side(play=["mouse", "ox"]))
    made = made_table(cards, rulings=frozenset({Ruling.OWN_CREATURES_CAN_BE_TAKEN}))
    game = FastGame.from_position(position, table=made)
    table = Table(game, position)
    table.choose("play probe")
    assert "target alice dragon" in table.options()
    game.game.step(game.game.choose(policy))
    assert table.in_play(BOB) == ["mouse"]


@with_and_without(Ruling.OWN_CREATURES_CAN_BE_TAKEN)
def test_an_attacker_taken_by_its_controller_goes_on(rulings: frozenset[Ruling]) -> None:
    """O6, R75: "without effect" means that it attacks again with FRENZY, too."""
    cards: dict[str, Fields] = {
        "probe": {
            "power": 9,
            "keywords": ["FRENZY"],
            "attack": "take control of an enemy creature with power >= 9",
        }
    }
    table = table_of(board(["probe"], ["bee_bear"]), rulings, cards)
    table.choose("attack probe")
    table.choose("no_block")
    assert table.point == "D5"


@with_and_without(Ruling.TRIGGERS_NEED_THEIR_SOURCE)
def test_a_source_that_is_gone(rulings: frozenset[Ruling]) -> None:
    """O8: the second Attack effect of a creature that the first has defeated."""
    cards: dict[str, Fields] = {
        "probe": {"attack": "gain 1 life"},
        "owl": {"constant": "allied creatures have attack: defeat this"},
    }
    table = table_of(board(["probe", "owl"], []), rulings, cards)
    table.choose("attack probe")
    table.choose("resolve owl")
    assert table.in_play(ALICE) == ["owl"]
    assert table.life(ALICE) == (3 if rulings else 4)


@with_and_without(Ruling.NEWEST_TRIGGERS_FIRST)
def test_which_batch_comes_first(rulings: frozenset[Ruling]) -> None:
    """O9: what a Defeated effect defeats comes after the others that waited, or before them."""
    cards: dict[str, Fields] = {
        "probe": {"play": "defeat all enemy creatures with power <= 3"},
        "first": {"power": 1, "defeated": "defeat all allied creatures"},
        "second": {"power": 2, "defeated": "set your life to 7"},
        "third": {"power": 4, "defeated": "set your life to 9"},
    }
    table = table_of(
        playing("probe", Side(), Side(play=["first", "second", "third"])), rulings, cards
    )
    table.choose("play probe")
    assert table.point == "D11"
    table.choose("resolve first")
    assert table.life(BOB) == (7 if rulings else 9)


@with_and_without(Ruling.FRENZY_IN_FORCED_ATTACKS)
def test_frenzy_in_a_forced_attack(rulings: frozenset[Ruling]) -> None:
    """O11: a creature that has to attack attacks once, or may attack again."""
    cards: dict[str, Fields] = {
        "probe": {"play": "an enemy creature must attack now"},
        "fury": {"keywords": ["FRENZY"]},
    }
    table = table_of(playing("probe", Side(), Side(play=["fury"])), rulings, cards)
    table.choose("play probe")
    table.choose("no_block")
    assert (table.point == "D5") == bool(rulings)
    assert table.life(ALICE) == 2


@with_and_without(Ruling.PRINTED_POWER_COUNTS)
def test_printed_power(rulings: frozenset[Ruling]) -> None:
    """O13: a creature of power 5 with 2 more is one of 7, or still one of 5."""
    cards: dict[str, Fields] = {
        "probe": {"play": "defeat all enemy creatures with power >= 6"},
        "chief": {"power": 4, "constant": "other allied creatures have +2 power"},
        "owl": {"power": 5},
    }
    table = table_of(playing("probe", Side(), Side(play=["chief", "owl"])), rulings, cards)
    table.choose("play probe")
    assert table.in_play(BOB) == (["chief", "owl"] if rulings else ["chief"])


def test_every_ruling_is_tested() -> None:
    """A new ruling needs a test here."""
    assert set(TESTED) == set(Ruling)
