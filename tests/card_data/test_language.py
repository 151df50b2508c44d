"""The card language: what lines mean, and what is said about lines that mean nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_data.mindbug.language import (
    MAX_INSTRUCTIONS,
    LanguageError,
    Problem,
    _parser,
    _words,
    parse_constant,
    parse_triggered,
)
from card_data.mindbug.language_reference import Entry, entries
from card_data.schema import Condition, ConstantAbility, Creatures, Instruction, Value
from card_data.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Keyword,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
)

ALL_WORDS = sorted(word for terminal in _parser().terminals for word in _words(terminal))
ENEMY = Creatures(Side.ENEMY)
OTHER_ALLIED = Creatures(Side.ALLIED, other=True)

INSTRUCTIONS = {
    "defeat a creature": Instruction(Effect.DEFEAT, creatures=Creatures()),
    "defeat another creature": Instruction(Effect.DEFEAT, creatures=Creatures(other=True)),
    "defeat 2 enemy creatures": Instruction(Effect.DEFEAT, creatures=ENEMY, count=2),
    "defeat up to 2 enemy creatures": Instruction(
        Effect.DEFEAT, creatures=ENEMY, choice=Choice.UP_TO, count=2
    ),
    "defeat all other allied creatures": Instruction(
        Effect.DEFEAT, creatures=OTHER_ALLIED, choice=Choice.ALL, count=0
    ),
    "defeat this": Instruction(
        Effect.DEFEAT, creatures=Creatures(this=True), choice=Choice.ALL, count=0
    ),
    "take control of an enemy creature with power 4 to 6 and FRENZY or HUNTER": Instruction(
        Effect.TAKE_CONTROL,
        creatures=Creatures(
            Side.ENEMY,
            power_min=4,
            power_max=6,
            keywords=frozenset({Keyword.FRENZY, Keyword.HUNTER}),
        ),
    ),
    "take control of a creature": Instruction(Effect.TAKE_CONTROL, creatures=Creatures()),
    "play a card from the opponent's discard pile": Instruction(Effect.PLAY_CARD, Player.OPPONENT),
    "draw all cards from your discard pile": Instruction(Effect.DRAW_ALL),
    "gain 2 life": Instruction(Effect.GAIN_LIFE, count=2),
    "the opponent loses 1 life": Instruction(Effect.LOSE_LIFE, Player.OPPONENT),
    "set the opponent's life to 1": Instruction(
        Effect.SET_LIFE, Player.OPPONENT, value=Value(Quantity.NUMBER, 1)
    ),
    "set your life to the opponent's life": Instruction(
        Effect.SET_LIFE, value=Value(Quantity.LIFE, player=Player.OPPONENT)
    ),
    "discard 2 cards": Instruction(Effect.DISCARD, count=2),
    "the opponent discards a card": Instruction(Effect.DISCARD, Player.OPPONENT),
    "steal 2 random cards": Instruction(Effect.STEAL_RANDOM, count=2),
    "if allied creatures < enemy creatures, lose 1 life": Instruction(
        Effect.LOSE_LIFE,
        condition=Condition(
            Value(Quantity.CREATURES, creatures=Creatures(Side.ALLIED)),
            Comparison.LESS,
            Value(Quantity.CREATURES, creatures=ENEMY),
        ),
    ),
}

CONSTANTS = {
    "other allied creatures have -2 power": ConstantAbility(Rule.POWER, OTHER_ALLIED, power=-2),
    "this has +5 power and FRENZY": ConstantAbility(
        Rule.POWER, Creatures(this=True), 5, frozenset({Keyword.FRENZY})
    ),
    "creatures have SNEAKY, TOUGH and HUNTER": ConstantAbility(
        Rule.KEYWORDS,
        Creatures(),
        keywords=frozenset({Keyword.SNEAKY, Keyword.TOUGH, Keyword.HUNTER}),
    ),
    "this copies TOUGH from enemy creatures": ConstantAbility(
        Rule.COPY_KEYWORDS, Creatures(this=True), keywords=frozenset({Keyword.TOUGH})
    ),
    "enemy creatures with the lowest power cannot attack": ConstantAbility(
        Rule.CANNOT_ATTACK, Creatures(Side.ENEMY, extreme=Extreme.LOWEST)
    ),
    "enemy creatures with SNEAKY cannot block": ConstantAbility(
        Rule.CANNOT_BLOCK, Creatures(Side.ENEMY, keywords=frozenset({Keyword.SNEAKY}))
    ),
    "creatures with power >= 6 cannot block this": ConstantAbility(
        Rule.CANNOT_BLOCK_THIS, Creatures(power_min=6)
    ),
    "the opponent's play effects do not trigger": ConstantAbility(Rule.NO_PLAY_EFFECTS),
    "during the opponent's turn, while your Mindbugs = 0, this cannot block": ConstantAbility(
        Rule.CANNOT_BLOCK,
        Creatures(this=True),
        timing=Timing.OPPONENTS_TURN,
        condition=Condition(Value(Quantity.MINDBUGS), Comparison.EQUAL, Value(Quantity.NUMBER, 0)),
    ),
}


def problems(line: str, parse=parse_triggered) -> tuple[Problem, ...]:
    """What is said about a line that is no sentence of the language."""
    with pytest.raises(LanguageError) as caught:
        parse(line)
    return caught.value.problems


@pytest.mark.parametrize("line", INSTRUCTIONS)
def test_instruction_means(line: str) -> None:
    """An instruction gives the object with exactly these fields."""
    assert parse_triggered(line) == (INSTRUCTIONS[line],)


@pytest.mark.parametrize("line", CONSTANTS)
def test_constant_means(line: str) -> None:
    """A constant line gives the object with exactly these fields."""
    assert parse_constant(line) == CONSTANTS[line]


def test_instructions_keep_their_order() -> None:
    """Instructions joined with ', then' are performed in the order written (R43)."""
    first, second = "lose 1 life, then defeat a creature".split(", then ")
    assert parse_triggered(f"{first}, then {second}") == (
        *parse_triggered(first),
        *parse_triggered(second),
    )


@pytest.mark.parametrize(
    "variant",
    [
        "DEFEAT AN ENEMY CREATURE WITH POWER <= 4 AND tough",
        "  defeat\tan enemy  creature with power<=4 and Tough ",
        "Defeat a enemy creature with TOUGH and power <= 4",
        "defeat 1 enemy creature with power <= 4 and TOUGH",
    ],
)
def test_case_space_article_and_order_of_filters_are_free(variant: str) -> None:
    """Lines that differ only in case, space, article or order of filters mean the same."""
    assert parse_triggered(variant) == parse_triggered(
        "defeat an enemy creature with power <= 4 and TOUGH"
    )


def test_typographic_apostrophe_is_an_apostrophe() -> None:
    """A line pasted from a word processor, with a curly apostrophe, means the same."""
    assert parse_triggered("set your life to the opponent\u2019s life") == parse_triggered(
        "set your life to the opponent's life"
    )


def test_unknown_word_is_named_with_place_nearest_and_allowed_words() -> None:
    """A misspelt word is pointed at, the nearest allowed word is offered, all others are listed."""
    [problem] = problems("lose 1 life, then gian 2 life")
    assert problem.offset == 18
    assert problem.found == "gian"
    assert problem.message == "'gian' is not a word of the card language here"
    assert problem.nearest == "gain"
    assert {"defeat", "gain", "if", "steal", "the"} <= set(problem.allowed)
    assert "creature" not in problem.allowed


def test_known_word_in_the_wrong_place_is_told_apart() -> None:
    """A word of the language that cannot stand where it stands is not called unknown."""
    [problem] = problems("defeat enemy creature")
    assert (problem.offset, problem.message) == (7, "'enemy' cannot stand here")
    assert problem.allowed == ("a", "a number", "all", "an", "another", "this", "up")


@pytest.mark.parametrize("digit", ["²", "٣", "９", "½"])
def test_only_plain_digits_are_numbers(digit: str) -> None:
    """Digits other than 0 to 9 are unknown words, not numbers and not a crash."""
    [problem] = problems(f"gain {digit} life")
    assert problem.message == f"'{digit}' is not a word of the card language here"


def test_message_shows_unprintable_characters_as_escapes() -> None:
    """A control character in a line cannot reach the terminal through the message."""
    [problem] = problems("gain \x1b[2J life")
    assert problem.message.startswith("'\\x1b' is not a word")


def test_words_are_read_whole() -> None:
    """'gains' is one word, not 'gain' followed by an s."""
    [problem] = problems("gains 2 life")
    assert (problem.offset, problem.found, problem.nearest) == (0, "gains", "gain")


@pytest.mark.parametrize(("line", "allowed"), [("", "defeat"), ("gain", "a number")])
def test_line_that_ends_too_early(line: str, allowed: str) -> None:
    """An unfinished line says so at its end, with what could follow."""
    [problem] = problems(line)
    assert (problem.offset, problem.message) == (len(line), "the line ends too early")
    assert allowed in problem.allowed


def test_keywords_are_offered_by_name() -> None:
    """Where a keyword is wanted all five are listed and the nearest is offered."""
    [problem] = problems("this has SNEEKY", parse_constant)
    assert problem.nearest == "SNEAKY"
    assert set(Keyword.__members__) < set(problem.allowed)


@pytest.mark.parametrize(
    ("parse", "line", "offset", "message"),
    [
        (parse_triggered, "gain 0 life", 5, "'0' is not a number from 1 to 99"),
        (parse_triggered, "gain 100 life", 5, "'100' is not a number from 1 to 99"),
        (parse_triggered, "if 100 < 3, gain 1 life", 3, "'100' is not a number from 0 to 99"),
        (parse_triggered, f"gain {'9' * 5000} life", 5, "'999999999' is not a number from 1 to 99"),
        (
            parse_triggered,
            "defeat a creature with power 6 to 4",
            29,
            "no power lies between 6 and 4",
        ),
        (
            parse_triggered,
            "defeat a creature with power 6 and SNEAKY and power >= 3",
            46,
            "a second filter on power; one is allowed",
        ),
        (
            parse_triggered,
            "defeat a creature with the highest power and the lowest power",
            45,
            "a second filter on highest or lowest power; one is allowed",
        ),
        (
            parse_triggered,
            "defeat a creature with SNEAKY and TOUGH",
            34,
            "a second filter on keywords; one is allowed",
        ),
        (parse_triggered, "defeat a creature with TOUGH or tough", 32, "'tough' is named twice"),
        (parse_constant, "this has TOUGH and TOUGH", 19, "'TOUGH' is named twice"),
        (
            parse_triggered,
            "take control of an allied creature",
            19,
            "you control allied creatures already; they are no legal targets (R45)",
        ),
        (
            parse_triggered,
            ", then ".join(["gain 1 life"] * (MAX_INSTRUCTIONS + 1)),
            18 * MAX_INSTRUCTIONS,
            "an ability has at most 8 instructions",
        ),
    ],
)
def test_meaningless_line_is_explained(parse, line: str, offset: int, message: str) -> None:
    """What the grammar lets through but means nothing is explained where it stands."""
    [problem] = problems(line, parse)
    assert (problem.offset, problem.message) == (offset, message)


@pytest.mark.parametrize(
    ("line", "offset"),
    [
        ("allied creatures with power <= 4 have +1 power", 22),
        ("allied creatures with TOUGH have +1 power", 22),
        ("creatures with the lowest power have +1 power", 15),
        ("while creatures with power >= 5 = 0, this has +1 power", 21),
        ("while 0 < enemy creatures with TOUGH, this has +1 power and HUNTER", 31),
    ],
)
def test_power_may_not_depend_on_power_or_keywords(line: str, offset: int) -> None:
    """A power modifier with a filter in its group or condition is refused, with the layer (R85)."""
    [problem] = problems(line, parse_constant)
    assert problem.offset == offset
    assert problem.message.startswith("a power change cannot depend on power or keywords")


@pytest.mark.parametrize(
    ("line", "offset", "rule"),
    [
        ("allied creatures with TOUGH have SNEAKY", 22, "given"),
        ("while enemy creatures with TOUGH > 0, this has SNEAKY", 27, "given"),
        (
            "while enemy creatures with TOUGH > 0, this copies SNEAKY from enemy creatures",
            27,
            "copied",
        ),
    ],
)
def test_keywords_may_not_depend_on_keywords(line: str, offset: int, rule: str) -> None:
    """Giving or copying keywords by keywords is refused, with the layer (R85)."""
    [problem] = problems(line, parse_constant)
    assert problem.offset == offset
    assert problem.message.startswith(f"{rule} keywords cannot depend on keywords")


def test_several_problems_of_a_line_are_told_together() -> None:
    """All that is meaningless in one line is reported, from left to right."""
    found = problems("gain 0 life, then defeat up to 100 creatures with TOUGH or TOUGH")
    assert [problem.offset for problem in found] == [5, 31, 59]


def prefixes() -> list[str]:
    """Beginnings of triggered lines, from the examples of the grammar."""
    lines = [e.line for e in entries() if isinstance(e, Entry) and e.field != "constant"]
    return sorted({line[: match.start()] for line in lines for match in re.finditer(r"\S+", line)})


@pytest.mark.parametrize("prefix", prefixes()[::4])
def test_allowed_words_are_really_allowed(prefix: str) -> None:
    """Each word that a message offers can follow, and every word that is not offered cannot."""
    [problem] = problems(f"{prefix}§")
    assert problem.offset == len(prefix)
    for word in ALL_WORDS:
        try:
            parse_triggered(f"{prefix}{word.replace('a number', '7')}")
        except LanguageError as error:
            refused = error.problems[0].message.endswith(" stand here")
        else:
            refused = False
        assert refused == (word not in problem.allowed)


WORDS = st.sampled_from(
    "a an the if then , 1 2 0 100 defeat take control of all other allied enemy creature creatures "
    "with power <= >= to and or FRENZY TOUGH highest gain lose life your opponent opponent's set "
    "this while during turn has have + - cannot block attack discard discards card gian ! é".split()
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=40))
def test_any_line_is_parsed_or_explained(line: str) -> None:
    """Whatever is written, the answer is an object or problems with places inside the line."""
    for parse in (parse_triggered, parse_constant):
        try:
            assert parse(line)
        except LanguageError as error:
            assert error.problems
            assert all(0 <= problem.offset <= len(line) for problem in error.problems)
            assert all(problem.message for problem in error.problems)
