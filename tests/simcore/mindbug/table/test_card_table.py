"""Compiling cards: nothing that a card says is lost, and no card compiles a kernel anew."""

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given

from card_data.mindbug import load_sets
from card_data.mindbug.schema import Card, CardSet, ConstantAbility, Instruction, TriggeredAbility
from card_data.mindbug.vocabulary import Effect, Keyword, Rule, Trigger
from simcore.mindbug import CardTable, Game, compile_cards, play_games
from simcore.mindbug.table.card_table import MAX_CARDS, MAX_FACES
from simcore.mindbug.table.state import MAX_POOL
from support.fast_game import FastGame
from support.line_strategies import abilities
from support.positions import NEUTRAL, Position, Side
from support.purpose_made import made_set, made_table

SETS = load_sets(["first_contact"])


def plain_set(n_cards: int, copies: int = 1) -> CardSet:
    """A set of cards without abilities."""
    cards = [Card(f"card_{i}", f"Card {i}", 1 + i % 9, copies=copies) for i in range(n_cards)]
    return CardSet("plain", "Plain", tuple(cards))


def table_of(ability: TriggeredAbility | ConstantAbility) -> CardTable:
    """A table with one card that has one ability."""
    card = plain_set(1, 20).cards[0]
    if isinstance(ability, TriggeredAbility):
        card = evolve(card, triggered=(ability,))
    else:
        card = evolve(card, constant=(ability,))
    return compile_cards([CardSet("one", "One", (card,))])


def becomes(ability: TriggeredAbility | ConstantAbility) -> bool:
    """Whether an ability changes what is printed on its card (C45)."""
    lines = ability.instructions
    return any(do.effect == Effect.BECOME for line in lines for do in (line, *line.modes))


def test_rows_and_pool_are_the_cards_in_order() -> None:
    """R7: row i is card i of the sets in order, and the pool has every copy."""
    table = compile_cards(SETS)
    assert [card.card_id for card in table.cards] == [card.card_id for card in SETS[0].cards]
    assert table.set_ids == ("first_contact",) * 32
    assert table.pool_size == 48
    pool = table.rows[0]["pool"][:48]
    assert np.bincount(pool).tolist() == [card.copies for card in table.cards]
    powers = table.rows[0]["cards"]["power"][:32]
    assert powers.tolist() == [card.power for card in table.cards]


def test_sets_are_put_together() -> None:
    """R7: several sets make one pool; each card knows its set."""
    table = compile_cards([*SETS, made_set({"probe": {"copies": 3}})])
    assert table.pool_size == 51
    assert (table.cards[-1].card_id, table.set_ids[-1]) == ("probe", "made")


def test_printed_keywords_and_triggers_are_traits() -> None:
    """The lowest bits of a card's traits are its keywords, the next three its triggers."""
    table = compile_cards(SETS)
    for row, card in enumerate(table.cards):
        traits = int(table.rows[0]["cards"]["traits"][row])
        assert {keyword for keyword in Keyword if traits >> keyword & 1} == card.keywords
        first = (Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED)
        triggers = {trigger for trigger in first if traits >> len(Keyword) + trigger & 1}
        assert triggers == {ability.trigger for ability in card.triggered}


@given(abilities, abilities)
def test_different_abilities_compile_differently(
    one: TriggeredAbility | ConstantAbility, other: TriggeredAbility | ConstantAbility
) -> None:
    """No word or number of an ability is lost: two tables are equal only for equal abilities."""
    assume(one != other and not becomes(one) and not becomes(other))
    assert table_of(one).rows.tobytes() != table_of(other).rows.tobytes()


@given(abilities)
def test_compiling_is_repeatable(ability: TriggeredAbility | ConstantAbility) -> None:
    """The same cards give the same bytes."""
    assume(not becomes(ability))
    assert table_of(ability).rows.tobytes() == table_of(ability).rows.tobytes()


@given(abilities)
def test_any_ability_plays(ability: TriggeredAbility | ConstantAbility) -> None:
    """A pool of twenty equal cards with any ability plays to an end."""
    assume(not becomes(ability))
    games = play_games(table_of(ability), n_games=3, seed=1)
    assert (games["ending"] >= 0).all()


def test_the_same_instruction_may_stand_twice() -> None:
    """R43: an instruction that a card made in Python names twice is performed twice."""
    gain = Instruction(Effect.GAIN_LIFE, count=1)
    probe = Card("probe", "Probe", 5, triggered=(TriggeredAbility(Trigger.PLAY, (gain, gain)),))
    table = compile_cards([*SETS, CardSet("one", "One", (probe,))])
    position = Position(Side(hand=["probe", *NEUTRAL]), Side(hand=list(NEUTRAL)))
    game = FastGame.from_position(position, table=table)
    game.choose(("play", 0))
    assert game.snapshot()["players"][0]["life"] == 5


def test_every_rule_has_a_trait() -> None:
    """Each constant rule marks its card, so that the engine looks at it at all."""
    lines = {
        Rule.POWER: "this has +1 power",
        Rule.KEYWORDS: "this has TOUGH",
        Rule.COPY_KEYWORDS: "this copies FRENZY from enemy creatures",
        Rule.CANNOT_ATTACK: "this cannot attack",
        Rule.CANNOT_BLOCK: "this cannot block",
        Rule.CANNOT_BLOCK_THIS: "enemy creatures cannot block this",
        Rule.NO_PLAY_EFFECTS: "the opponent's play effects do not trigger",
        Rule.CANNOT_BE_DEFEATED: "this cannot be defeated",
        Rule.EVOLVE_INSTEAD: "this evolves instead of being defeated",
        Rule.ONLY_BLOCK_THIS: "only enemy creatures can block this",
        Rule.CANNOT_HUNT: "this cannot hunt creatures with power <= 3",
        Rule.MUST_HUNT_THIS: "enemy creatures must hunt this",
        Rule.REVERSE_FIGHT: "the higher power loses fights with this",
        Rule.HAVE_ATTACK: "allied creatures have attack: gain 1 life",
        Rule.MORE_LIFE_LOSS: "the opponent loses 1 more life each time they lose life",
        Rule.NO_LIFE_LOSS: "you cannot lose life",
        Rule.NO_CARDS_TO_HAND: "the opponent cannot put cards into their hand",
        Rule.CANNOT_PLAY: "the opponent cannot play cards from their hand",
        Rule.NO_MINDBUGS: "Mindbugs cannot be used",
        Rule.MORE_DICE: "this has 1 more die",
        Rule.MORE_REROLLS: "you have 1 more reroll",
    }
    assert lines.keys() == set(Rule)
    traits = set()
    for line in lines.values():
        probe = {"constant": line, "evolves_to": "adult"}
        table = made_table({"adult": {"copies": 0}, "probe": probe})
        traits.add(int(table.rows[0]["cards"]["traits"][len(table.cards) - 1]))
    assert len(traits - {0}) == len(Rule)


def test_no_card_compiles_a_kernel_anew() -> None:
    """Cards are arguments: other cards, numbers and modes use the kernels that are there."""
    from simcore.mindbug.play.engine import _play_games, _play_plain_games, _run

    kernels = [_play_games, _play_plain_games, _run]
    tables = [
        compile_cards(SETS),
        compile_cards(SETS, after_mindbug="action", turn_cap=9),
        compile_cards([plain_set(30)]),
        made_table({"probe": {"play": "gain 2 life"}}),
        made_table({"probe": {"action": "gain 2 life"}}),
    ]
    for table in tables:
        play_games(table, n_games=2)
        Game(table).step(0)
    assert [len(kernel.signatures) for kernel in kernels] == [1, 1, 1]


def test_tables_do_not_change_while_they_are_played() -> None:
    """Two threads may share a table: playing does not write into it."""
    table = compile_cards(SETS)
    before = table.rows.tobytes()
    play_games(table, n_games=500, policies=("random", "greedy"))
    assert table.rows.tobytes() == before


@pytest.mark.parametrize(
    ("sets", "settings", "message"),
    [
        ([plain_set(19)], {}, "the pool has 19 cards"),
        ([plain_set(0)], {}, "the pool has 0 cards"),
        ([plain_set(MAX_CARDS - MAX_FACES + 1)], {}, f"at most {MAX_CARDS - MAX_FACES}"),
        ([plain_set(MAX_POOL // 20 + 1, 20)], {}, f"{MAX_POOL} fit"),
        (SETS, {"after_mindbug": "both"}, "must be one of turn, action"),
        (SETS, {"turn_cap": 0}, "turn_cap is 0"),
        (SETS, {"effect_cap": 10**6}, "effect_cap is 1000000"),
    ],
)
def test_what_cannot_be_played_is_refused(sets, settings, message) -> None:
    """R7, R20: too few or too many cards and unknown modes are ValueErrors that say so."""
    with pytest.raises(ValueError, match=message):
        compile_cards(sets, **settings)


def test_the_largest_pool_plays() -> None:
    """R8: 2000 cards can be dealt; a pool of exactly 20 deals all of them."""
    large = play_games(compile_cards([plain_set(MAX_CARDS - MAX_FACES, 2)]), n_games=200, seed=1)
    assert len(np.unique(large["cards"])) > MAX_CARDS / 2
    small = play_games(compile_cards([plain_set(20)]), n_games=200, seed=1)
    assert (np.sort(small["cards"], axis=1) == np.arange(20)).all()


def test_too_many_abilities_are_refused() -> None:
    """More abilities than the table holds are a ValueError, not a silent loss."""
    gain = TriggeredAbility(
        Trigger.PLAY, tuple(Instruction(Effect.GAIN_LIFE, count=n) for n in range(1, 9))
    )
    cards = [evolve(card, triggered=(gain,)) for card in plain_set(600).cards]
    with pytest.raises(ValueError, match="instructions"):
        compile_cards([CardSet("many", "Many", tuple(cards))])
