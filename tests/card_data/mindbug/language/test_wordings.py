"""Words of other card games: each gets advice, and every piece of advice is right."""

import pytest

from card_data.mindbug import CardFileError, load_pool, parse_set
from card_data.mindbug.card_reader import CARD_FIELDS
from card_data.mindbug.language.foreign_wordings import (
    FIELDS_ELSEWHERE,
    KEYWORDS_ELSEWHERE,
    WORDINGS,
    foreign_wording,
    nearest_field,
)
from card_data.mindbug.language.parser import LanguageError, parse_constant, parse_triggered
from card_data.mindbug.pool_reader import MODE_FIELDS, POOL_FIELDS

ROWS = (*WORDINGS, *KEYWORDS_ELSEWHERE.values())
HEAD = 'name = "T"\n[rat]\nname = "Rat"\npower = 1\n'

#: What a designer of another game might write, and a part of the advice.
SAID = {
    "draw a card": "write 'draw a card from your discard pile' or 'steal a random card'",
    "gain 1 life, then draw two cards": "'draw two cards': hands are refilled",
    "deal 2 damage": "there is no damage",
    "deal 3 damage to target creature": "write 'the opponent loses 2 life' or 'defeat an enemy",
    "destroy target creature": "'destroy': the word is 'defeat'",
    "kill all creatures": "the word is 'defeat'",
    "tap target creature": "write 'an enemy creature cannot attack this turn'",
    "exhaust an enemy creature": "no effect exhausts a creature",
    "freeze a creature": "cannot block this turn'",
    "sacrifice a creature": "write 'defeat an allied creature' or 'defeat this'",
    "mill 2 cards": "write 'the opponent discards their draw pile'",
    "the opponent mills 3": "a draw pile is discarded as a whole",
    "counter target spell": "the opponent's play effects do not trigger",
    "exile a creature": "write 'set aside an enemy creature'",
    "banish target creature": "write 'set aside an enemy creature'",
    "this has haste": "every creature may attack from its player's next turn action on (R60)",
    "this gains FRENZY this turn": "the word is 'has'",
    "this has flying": "only creatures with SNEAKY can block",
    "this has trample": "no damage is left over",
    "this has deathtouch": "write 'this has POISONOUS this turn'",
    "this has lifelink": 'write attack = "gain 1 life"',
    "this has taunt": "the defending player chooses who blocks",
    "this has hexproof": "TOUGH saves a creature once",
    "this has double strike": "a creature may attack a second time",
    "this has vigilance": "attacking tires nobody",
    "heal 2": "write 'gain 2 life'",
    "restore 3 health": "write 'gain 2 life'",
    "gain 2 lives": "the word is 'life'",
    "drain 1 life": "write 'the opponent loses 1 life, then gain 1 life'",
    "summon a 2/2 token": "there are no tokens",
    "discard a card at random": "write 'discard a random card'",
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
    "this has FRENZY until end of turn": "the words are 'this turn'",
    "return a creature to its owner's hand": "write 'return an enemy creature from play'",
    "gain control of target creature": "write 'take control of an enemy creature'",
    "steal a creature": "the words are 'take control of'",
    "silence a creature": "abilities stay",
    "fight an enemy creature": "write 'an enemy creature must attack now'",
    "transform into a dragon": 'write action = "evolve this"',
    "take an extra turn": "only a Mindbug gives an extra turn",
    "flip a coin": "write 'as often as a die shows 4 or more, gain 1 life'",
    "pay 2": "nothing is paid for creatures",
    "each opponent loses 1 life": "there is one opponent",
    "defeat target creature": "whoever plays the effect chooses",
    "defeat each enemy creature": "the words are 'all' and 'creatures'",
    "defeat an opposing creature": "the words are 'enemy creature'",
    "your creatures have +1 power this turn": "the words are 'allied creatures'",
    "defeat a minion": "the word is 'creature'",
    "play a card from your graveyard": "the piles are the draw pile and the discard pile",
    "gain two life": "numbers are written in digits",
    "defeat a creature with power 4 or less": "the sign is '<='",
    "defeat a creature with at least 6 power": "the sign is '>='",
    "if you have 1 life, gain 1 life": "a condition compares two amounts",
    "if your life is 1, gain 1 life": "a condition compares two amounts",
    "if your life = 1 and if your hand = 0, gain 1 life": "joined by 'and' or 'or', behind one",
    "if your life = 1 && your hand = 0, gain 1 life": "joined by 'and' or 'or'",
    "if both your life = 1 and your hand = 0, gain 1 life": "joined by 'and' or 'or'",
    "when you win, gain 1 life": "the field says when something happens",
    "target opponent": "there is one opponent, who is called so",
    "this has -2 strength this turn": "creatures have one number, their power",
}


def message(line: str) -> str:
    """What is said of a line that says nothing in the card language."""
    with pytest.raises(LanguageError) as caught:
        parse_triggered(line)
    [problem] = caught.value.problems
    assert line[problem.offset :].startswith(problem.found)
    return problem.message


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.said[:30])
def test_advice_is_right(row) -> None:
    """Every advised sentence can be read in the field that it is for."""
    assert row.advice
    for field, line in row.advised():
        assert field in {"", *CARD_FIELDS}
        lines = f"{field or 'play'} = {line!r}\n"
        if "evolve" in line:
            lines += 'evolves_to = "b"\n[b]\nname = "B"\npower = 1\ncopies = 0\n'
        assert parse_set(HEAD + lines.replace("'the opponent's", "\"the opponent's"))


@pytest.mark.parametrize("line", SAID)
def test_wording_gets_its_advice(line: str) -> None:
    """What is said elsewhere is answered with what this game says instead."""
    assert SAID[line] in message(line)


def test_every_row_is_tried() -> None:
    """No row of the table is without a line above, and none hides behind another."""
    answers = [message(line) for line in SAID]
    for row in ROWS:
        assert any(row.why in answer for answer in answers), row.said


def test_lines_of_the_language_are_no_foreign_words() -> None:
    """The table is asked where a line cannot be read; advice never stands in its own way."""
    for row in ROWS:
        for field, line in row.advised():
            parse = parse_constant if field == "constant" else parse_triggered
            assert parse(line)
    assert foreign_wording("gian 1 life, then deal 2 damage", 0) is None
    assert "'gian' is not a word" in message("gian 1 life, then deal 2 damage")


def test_keywords_of_other_games_are_known() -> None:
    """In the list of keywords as well, unless it is a slip of the pen."""
    with pytest.raises(CardFileError) as caught:
        parse_set(f'{HEAD}keywords = ["Flying", "FRENZI", "Zap"]')
    flying, frenzy, zap = caught.value.faults
    assert "'Flying' is not a keyword of this game; 'Flying': only creatures with" in str(flying)
    assert frenzy.nearest == "FRENZY"
    assert "is not a keyword" in zap.problem


def test_fields_have_other_names_elsewhere(tmp_path) -> None:
    """A likely name of a field is answered with its name here, in cards, pools and modes."""
    known = {*CARD_FIELDS, *POOL_FIELDS, *MODE_FIELDS, "card_id"}
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
