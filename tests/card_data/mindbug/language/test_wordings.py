"""Words of other card games: each gets advice, and every piece of advice is right."""

import re

import pytest

from card_data.mindbug import CardFileError, load_pool, parse_set
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.language.foreign_wordings import (
    FIELDS_ELSEWHERE,
    KEYWORDS_ELSEWHERE,
    WORDINGS,
    nearest_field,
)
from card_data.mindbug.language.parser import LanguageError, parse_field
from card_data.mindbug.language.rules_text import format_ability
from card_data.mindbug.modes import MODES
from card_data.mindbug.pool_reader import POOL_FIELDS
from card_data.mindbug.vocabulary import Keyword
from support.card_lines import parse_triggered

ROWS = (*WORDINGS, *KEYWORDS_ELSEWHERE.values())
HEAD = 'name = "T"\n[rat]\nname = "Rat"\npower = 1\n'

#: What a designer of another game might write, and a part of the advice.
SAID = {
    "draw a card": "write 'draw a card from your discard pile' or 'steal a random card'",
    "draw a creature": "write 'draw a card from your discard pile' or 'steal a random card'",
    "put a creature from any discard pile into play": "'play a card from either discard pile'",
    "gain 1 life, then draw two cards": "'draw two cards': hands are refilled",
    "deal 2 damage": "there is no damage",
    "deal 3 damage to target creature": "write 'defeat a creature with power <= 3'",
    "deal 1 damage to a player": "there is no damage: players lose life, creatures are defeated",
    "gain a Mindbug": "Mindbugs can be counted, and forbidden",
    "each player sacrifices a creature": "chooses whom it meets, on both sides; write 'defeat an",
    "an enemy creature loses TOUGH": "a line gives keywords, and takes none away",
    "this can block": "every creature can attack and block",
    "double your life": "none is multiplied",
    "whenever another creature dies, gain 1 life": "a card reacts to what happens to itself",
    "defeat no creature": "a constant line with 'cannot' says what cannot happen",
    "destroy target creature": "write 'defeat a creature'",
    "kill all creatures": "write 'defeat all creatures'",
    "tap target creature": "write 'a creature cannot attack this turn' or 'a creature",
    "exhaust an enemy creature": "write 'an enemy creature cannot attack this turn'",
    "freeze a creature": "cannot block this turn'",
    "sacrifice a creature": "write 'defeat an allied creature'",
    "mill 2 cards": "a draw pile is discarded as a whole",
    "the opponent mills 3": "a draw pile is discarded as a whole",
    "counter target spell": "the opponent's play effects do not trigger",
    "exile a creature": "write 'set aside a creature'",
    "banish target creature": "write 'set aside a creature'",
    "this has haste": "every creature may attack from its player's next turn action on (R60)",
    "this has flying": "only creatures with SNEAKY can block",
    "this has trample": "no damage is left over",
    "this has deathtouch": "write 'this has POISONOUS this turn'",
    "this has lifelink": "what an attack brings",
    "this has taunt": "the defending player chooses who blocks",
    "this has hexproof": "TOUGH saves a creature once",
    "this has double strike": "a creature may attack a second time",
    "this has vigilance": "attacking tires nobody",
    "heal 2": "write 'gain 2 life'",
    "restore 3 health": "write 'gain 3 life'",
    "gain 2 lives": "the word is 'life'",
    "drain 1 life": "write 'the opponent loses 1 life, then gain 1 life'",
    "summon a 2/2 token": "there are no tokens",
    "search your deck for a card": "nobody looks through a pile",
    "scry 2": "nobody looks through a pile",
    "shuffle your draw pile": "piles are shuffled before the game alone",
    "this gets +1/+1": "write 'this has +1 power this turn'",
    "+1/+1": "creatures have one number, their power",
    "battlecry: gain 1 life": 'write play = "gain 1 life"',
    "when this is played, gain 1 life": 'write play = "gain 1 life"',
    "deathrattle: gain 1 life": 'write defeated = "gain 1 life"',
    "when this dies, gain 1 life": 'write defeated = "gain 1 life"',
    "whenever this attacks, gain 1 life": 'write attack = "gain 1 life"',
    "at the end of your turn, gain 1 life": 'write end_of_turn = "if it is your turn, gain',
    "at the start of your turn, gain 1 life": "nothing happens at the start of a turn",
    "gain control of target creature": "write 'take control of a creature'",
    "steal a creature": "write 'take control of a creature'",
    "silence a creature": "abilities stay",
    "fight an enemy creature": "write 'an enemy creature must attack now'",
    "transform into a dragon": "the card that 'evolves_to' names",
    "take an extra turn": "only a Mindbug gives an extra turn",
    "flip a coin": "'as often as a die shows 4 or more",
    "pay 2": "nothing is paid for creatures",
    "defeat target creature": "write 'defeat a creature'",
    "defeat a minion": "write 'defeat a creature'",
    "play a card from your graveyard": "write 'play a card from your discard pile'",
    "if you have 1 life, gain 1 life": "or 'if your life >= 1, gain 1 life'",
    "if your life is 1, gain 1 life": "write 'if your life = 1, gain 1 life'",
    "if your life = 1 and if your hand = 0, gain 1 life": "'if your life = 1 and your hand = 0",
    "if your life = 1 && your hand = 0, gain 1 life": "joined by 'and' or 'or'",
    "if both your life = 1 and your hand = 0, gain 1 life": "joined by 'and' or 'or'",
    "when you win, gain 1 life": "the field says when something happens",
    "target opponent": "there is one opponent, called 'the opponent'",
    "this has -2 strength this turn": "write 'this has -2 power this turn'",
    "deal damage": "there is no damage",
    "set your health to 1": "write 'set your life to 1'",
    "this gets +2": "write 'this has +2 power this turn'",
    "this has +2 strength": "write 'this has +2 power this turn'",
    "bounce an enemy creature": "write 'return an enemy creature from play'",
    "return an enemy creature to the deck": "write 'return an enemy creature from play'",
    "gain 2 life points": "the word is 'life'",
    "lose all but 1 health": "write 'lose all but 1 life'",
    "the opponent sacrifices this": "one's own creatures are defeated like others",
    "at the end of each turn, gain 1 life": 'write end_of_turn = "gain 1 life"',
    "when this blocks, gain 1 life": "no field says when a creature blocks",
    "if your life = 1 || your hand = 0, gain 1 life": "write 'if your life = 1 or your hand = 0,",
    "both players lose 1 life": "write 'lose 1 life, then the opponent loses 1 life'",
    "each player discards a card": "write 'discard a card, then the opponent discards a card'",
    "each player wins": "one after the other",
    "defeat creatures": "write 'defeat all creatures'",
    "take control of enemy creatures": "write 'take control of all enemy creatures'",
    "defeat an ally": "write 'defeat an allied creature'",
    "defeat all allies": "write 'defeat all allied creatures'",
    "defeat a foe": "write 'defeat an enemy creature'",
    "defeat all enemies": "write 'defeat all enemy creatures'",
    "the opponent discards their deck": "write 'the opponent discards their draw pile'",
    "steal a card from your opponent's hand": "stolen by 'steal a random card'",
    "defeat a creature with more power than this": "by 'less power than this'",
    "defeat a creature with power less than 4": "write 'power <= …' or 'power >= …'",
    "defeat a creature with power > 4": "write 'power <= …' or 'power >= …'",
    "defeat all creatures without TOUGH": "keywords that they have, or for 'no keyword'",
}


def message(line: str) -> str:
    """What is said of a line that says nothing in the card language."""
    with pytest.raises(LanguageError) as caught:
        parse_triggered(line)
    [problem] = caught.value.problems
    assert line[problem.offset :].startswith(problem.found)
    return problem.message


@pytest.mark.parametrize("line", SAID)
def test_wording_gets_its_advice(line: str) -> None:
    """What is said elsewhere is answered with what this game says instead."""
    assert SAID[line] in message(line)


def test_every_row_is_tried() -> None:
    """No row of the table is without a line above, and none hides behind another."""
    answers = [message(line) for line in SAID]
    for row in ROWS:
        assert any(row.why in answer for answer in answers), row.said


@pytest.mark.parametrize("line", SAID)
def test_suggestions_say_the_same(line: str) -> None:
    """Each suggested line is read, and holds every number and keyword of the writer's line."""
    said = message(line)
    suggestions = said.partition("; write ")[2]
    one = re.compile(r"(?:(\w+) = )?['\"](.+?)['\"](?: or (?=(?:\w+ = )?['\"])|$)")
    for field, suggested in one.findall(suggestions):
        assert format_ability(*parse_field(field or "play", suggested)) == suggested
        assert set(re.findall(r"\d+", line)) <= set(re.findall(r"\d+", suggested))
        assert {word for word in Keyword.__members__ if word in line} <= set(suggested.split())


def test_lines_of_the_language_are_no_foreign_words() -> None:
    """A slip of the pen before foreign words is told first."""
    assert "'gian' is not a word" in message("gian 1 life, then deal 2 damage")


#: What a newcomer wrote, and a part of the advice that they can follow.
NEWCOMER = {
    ("constant", "this has flying"): "write 'this has SNEAKY'",
    ("play", "draw two cards"): "write 'draw 2 cards from your discard pile'",
    ("play", "both players lose 1 life"): "'lose 1 life, then the opponent loses 1 life'",
    ("attack", "when this blocks, gain 1 life"): "no field says when a creature blocks",
}
#: What a newcomer wrote that is read now.
READ_NOW = {
    "if you have no Mindbugs left, gain 1 life": "if your Mindbugs = 0, gain 1 life",
    "if your life is less than 2, gain 1 life": "if your life < 2, gain 1 life",
    "defeat an enemy creature with a power 4 or less": "defeat an enemy creature with power <= 4",
    "defeat an enemy creature with power 7 or more": "defeat an enemy creature with power >= 7",
    "Gain one life.": "gain 1 life",
    "deal 2 damage to the opponent": "the opponent loses 2 life",
    "this gains FRENZY this turn": "this has FRENZY this turn",
    "discard a card at random": "discard a random card",
    "return a creature to its owner's hand": "return a creature from play",
    "each opponent loses 1 life": "the opponent loses 1 life",
    "defeat each enemy creature": "defeat all enemy creatures",
    "defeat an opposing creature": "defeat an enemy creature",
    "your creatures have +1 power this turn": "allied creatures have +1 power this turn",
    "defeat a creature with at least 6 power": "defeat a creature with power >= 6",
    "this has FRENZY until end of turn": "this has FRENZY this turn",
}


@pytest.mark.parametrize(("field", "line"), NEWCOMER)
def test_advice_to_a_newcomer_is_right(field: str, line: str) -> None:
    """What is advised can be written in the very field that it is advised for."""
    with pytest.raises(LanguageError) as caught:
        parse_field(field, line)
    assert NEWCOMER[field, line] in str(caught.value)


def test_power_that_is_written_twice_is_read() -> None:
    """Where both numbers of another game are one, it is the power."""
    [ability] = parse_field("constant", "your creatures gain +1/+1")
    assert format_ability(ability) == "allied creatures have +1 power"
    assert format_ability(*parse_field("play", "This gets +2/+2 until end of turn.")) == (
        "this has +2 power this turn"
    )
    with pytest.raises(LanguageError):
        parse_field("constant", "your creatures gain +1/+2")


@pytest.mark.parametrize("line", READ_NOW)
def test_natural_wordings_are_read(line: str) -> None:
    """What can mean one thing alone is read, whatever game the words come from."""
    assert format_ability(*parse_field("play", line)) == READ_NOW[line]


def test_keywords_of_other_games_are_known() -> None:
    """In the list of keywords as well, unless it is a slip of the pen."""
    with pytest.raises(CardFileError) as caught:
        parse_set(f'{HEAD}keywords = ["Flying", "FRENZI", "Zap"]')
    flying, frenzy, zap = caught.value.faults
    assert "'Flying' is not a keyword of this game; 'Flying': only creatures with" in str(flying)
    assert flying.nearest == "SNEAKY"
    assert frenzy.nearest == "FRENZY"
    assert "is not a keyword" in zap.problem


def test_fields_have_other_names_elsewhere(tmp_path) -> None:
    """A likely name of a field is answered with its name here, in cards, pools and modes."""
    known = {*CARD_FIELDS, *POOL_FIELDS, *MODES, "card_id"}
    assert {field for _, field in FIELDS_ELSEWHERE} <= known
    assert {*POOL_FIELDS} < {field for _, field in FIELDS_ELSEWHERE} | {"copies"}
    assert nearest_field("Without", POOL_FIELDS) == "leave_out"
    assert nearest_field("leave_ot", POOL_FIELDS) == "leave_out"
    path = tmp_path / "t.toml"
    path.write_text('sets = ["first_contact"]\nwithout = ["bee_bear"]\n[modes]\nlives = 4\n')
    with pytest.raises(CardFileError) as caught:
        load_pool(pool_file=path)
    assert [fault.nearest for fault in caught.value.faults] == ["leave_out", "life"]
    with pytest.raises(CardFileError, match="did you mean 'copies'"):
        parse_set(f"{HEAD}amount = 2")


def test_signs_among_allowed_words_are_quoted() -> None:
    """Where a comma is one of the words that can stand, they are told apart by quotes."""
    with pytest.raises(CardFileError, match=r"Allowed here: ',', .*'for'"):
        parse_set(f'{HEAD}play = "gain 1 life xyzzy"')
    with pytest.raises(CardFileError, match=r"Allowed here: a number[.,]"):
        parse_set(f'{HEAD}play = "gain xyzzy life"')
