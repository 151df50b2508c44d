"""The card language: what lines mean, and what is said about lines that mean nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_data.mindbug.language import foreign_wordings
from card_data.mindbug.language.checks import MAX_INSTRUCTIONS, MAX_MODES, Problem, Source
from card_data.mindbug.language.parser import LanguageError
from card_data.mindbug.language.phrases import table
from card_data.mindbug.language.reference import documented, example
from card_data.mindbug.schema import (
    MAX_NUMBER,
    Cards,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
)
from card_data.mindbug.vocabulary import (
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
    Trigger,
    Zone,
)
from card_data.phrases import tokens_of
from support.card_lines import parse_constant, parse_in_discard, parse_triggered

ALL_WORDS = sorted(table().words)
ENEMY = Creatures(Side.ENEMY)
ALLIED = Creatures(Side.ALLIED)
OTHER_ALLIED = Creatures(Side.ALLIED, other=True)
THIS = Creatures(this=True)
LAST_LIFE = Condition(Value(Quantity.LIFE), Comparison.EQUAL, Value(Quantity.NUMBER, 1))
NO_HAND = Condition(
    Value(Quantity.HAND, player=Player.OPPONENT), Comparison.EQUAL, Value(Quantity.NUMBER, 0)
)
MY_TURN = Condition(Value(Quantity.MY_TURN), Comparison.EQUAL, Value(Quantity.NUMBER, 1))
SOME_CREATURES = Condition(
    Value(Quantity.NUMBER, 1),
    Comparison.LESS,
    Value(
        Quantity.CREATURES,
        creatures=Creatures(
            power_min=2,
            extreme=Extreme.HIGHEST,
            keywords=frozenset({Keyword.HUNTER, Keyword.TOUGH}),
        ),
    ),
)
YOUR_PILE = Cards(Zone.DISCARD_PILE)
HUNTER = frozenset({Keyword.HUNTER})

CONDITIONS: dict[str, Condition | Conditions] = {
    "it is your turn": Condition(
        Value(Quantity.MY_TURN), Comparison.EQUAL, Value(Quantity.NUMBER, 1)
    ),
    "it is the opponent's turn": Condition(
        Value(Quantity.MY_TURN), Comparison.EQUAL, Value(Quantity.NUMBER, 0)
    ),
    "this defeated an enemy creature this turn": Condition(
        Value(Quantity.DEFEATED_BY_THIS), Comparison.AT_LEAST, Value(Quantity.NUMBER, 1)
    ),
    "allied creatures >= enemy creatures + 3": Condition(
        Value(Quantity.CREATURES, creatures=ALLIED),
        Comparison.AT_LEAST,
        Value(Quantity.CREATURES, 3, creatures=ENEMY),
    ),
    "the opponent's energy > 2": Condition(
        Value(Quantity.ENERGY, player=Player.OPPONENT),
        Comparison.MORE,
        Value(Quantity.NUMBER, 2),
    ),
    # What "and" and "or" join is told by the word that follows.
    "your life = 1 AND the opponent's hand = 0": Conditions((LAST_LIFE, NO_HAND)),
    "your life = 1 or the opponent's hand = 0": Conditions((LAST_LIFE, NO_HAND), True),
    "your life = 1 and your life = 1 and the opponent's hand = 0": Conditions(
        (LAST_LIFE, LAST_LIFE, NO_HAND)
    ),
    "1 < creatures with power >= 2 and the highest power and HUNTER or TOUGH and "
    "the opponent's hand = 0": Conditions((SOME_CREATURES, NO_HAND)),
    "1 < creatures with TOUGH or HUNTER and power >= 2 and the highest power or "
    "the opponent's hand = 0": Conditions((SOME_CREATURES, NO_HAND), True),
}

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
    "play a card from the opponent's discard pile": Instruction(
        Effect.PLAY_CARD, Player.OPPONENT, cards=Cards(Zone.DISCARD_PILE, Player.OPPONENT)
    ),
    "draw all cards from your discard pile": Instruction(Effect.DRAW_ALL),
    "gain 2 life": Instruction(Effect.GAIN_LIFE, count=2),
    "the opponent loses 1 life": Instruction(Effect.LOSE_LIFE, Player.OPPONENT),
    "set the opponent's life to 1": Instruction(
        Effect.SET_LIFE, Player.OPPONENT, value=Value(Quantity.NUMBER, 1)
    ),
    "set your life to the opponent's life": Instruction(
        Effect.SET_LIFE, value=Value(Quantity.LIFE, player=Player.OPPONENT)
    ),
    "the opponent loses all but 1 life": Instruction(
        Effect.SET_LIFE, Player.OPPONENT, value=Value(Quantity.NUMBER, 1), as_loss=True
    ),
    "you lose all but 2 life": Instruction(
        Effect.SET_LIFE, value=Value(Quantity.NUMBER, 2), as_loss=True
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
    # How an instruction is performed.
    "you may defeat a creature": Instruction(Effect.DEFEAT, creatures=Creatures(), may=True),
    "if your hand = 0, you may gain 1 life": Instruction(
        Effect.GAIN_LIFE,
        may=True,
        condition=Condition(Value(Quantity.HAND), Comparison.EQUAL, Value(Quantity.NUMBER)),
    ),
    "choose one: gain 1 life; or exchange hands": Instruction(
        Effect.CHOOSE_ONE,
        modes=(Instruction(Effect.GAIN_LIFE), Instruction(Effect.EXCHANGE_HANDS)),
    ),
    "as often as a die shows 4 or more, defeat an enemy creature": Instruction(
        Effect.DEFEAT, creatures=ENEMY, die_from=4
    ),
    "gain 2 life for each other allied creature": Instruction(
        Effect.GAIN_LIFE, count=2, per=Value(Quantity.CREATURES, creatures=OTHER_ALLIED)
    ),
    "the opponent loses 1 life for each of the opponent's Mindbugs": Instruction(
        Effect.LOSE_LIFE, Player.OPPONENT, per=Value(Quantity.MINDBUGS, player=Player.OPPONENT)
    ),
    "the opponent discards a card for each enemy creature": Instruction(
        Effect.DISCARD, Player.OPPONENT, per=Value(Quantity.CREATURES, creatures=ENEMY)
    ),
    # Effects on creatures.
    "the opponent takes control of this": Instruction(
        Effect.GIVE_CONTROL, creatures=THIS, choice=Choice.ALL, count=0
    ),
    "return an allied creature from play": Instruction(Effect.RETURN_TO_HAND, creatures=ALLIED),
    "set aside all other creatures": Instruction(
        Effect.SET_ASIDE, creatures=Creatures(other=True), choice=Choice.ALL, count=0
    ),
    "return the creatures set aside by this": Instruction(Effect.RETURN_SET_ASIDE),
    "an enemy creature must attack now": Instruction(Effect.FORCE_ATTACK, creatures=ENEMY),
    "this has SNEAKY, TOUGH and HUNTER this turn": Instruction(
        Effect.THIS_TURN,
        creatures=THIS,
        choice=Choice.ALL,
        count=0,
        rule=ConstantAbility(
            Rule.KEYWORDS, keywords=frozenset({Keyword.SNEAKY, Keyword.TOUGH, Keyword.HUNTER})
        ),
    ),
    "allied creatures have HUNTER this turn": Instruction(
        Effect.THIS_TURN, rule=ConstantAbility(Rule.KEYWORDS, ALLIED, keywords=HUNTER)
    ),
    "another creature has -2 power and HUNTER this turn": Instruction(
        Effect.THIS_TURN,
        creatures=Creatures(other=True),
        rule=ConstantAbility(Rule.POWER, power=-2, keywords=HUNTER),
    ),
    "allied creatures have 1 more die this turn": Instruction(
        Effect.THIS_TURN, rule=ConstantAbility(Rule.MORE_DICE, ALLIED, amount=1)
    ),
    "enemy creatures cannot attack this turn": Instruction(
        Effect.THIS_TURN, rule=ConstantAbility(Rule.CANNOT_ATTACK, ENEMY)
    ),
    "a creature cannot block this turn": Instruction(
        Effect.THIS_TURN, creatures=Creatures(), rule=ConstantAbility(Rule.CANNOT_BLOCK)
    ),
    "up to 2 enemy creatures cannot block this turn": Instruction(
        Effect.THIS_TURN,
        creatures=ENEMY,
        choice=Choice.UP_TO,
        count=2,
        rule=ConstantAbility(Rule.CANNOT_BLOCK),
    ),
    "this cannot be defeated this turn": Instruction(
        Effect.THIS_TURN,
        creatures=THIS,
        choice=Choice.ALL,
        count=0,
        rule=ConstantAbility(Rule.CANNOT_BE_DEFEATED),
    ),
    "evolve this": Instruction(Effect.EVOLVE, creatures=THIS, choice=Choice.ALL, count=0),
    "this becomes power 5 with HUNTER": Instruction(
        Effect.BECOME, creatures=THIS, choice=Choice.ALL, count=5, keywords=HUNTER
    ),
    "this becomes power 5": Instruction(Effect.BECOME, creatures=THIS, choice=Choice.ALL, count=5),
    "boost up to 2 cards to this": Instruction(
        Effect.BOOST, creatures=THIS, choice=Choice.ALL, count=2
    ),
    "boost up to 3 cards to an allied creature": Instruction(
        Effect.BOOST, creatures=ALLIED, count=3
    ),
    "boost up to 4 cards to creatures": Instruction(
        Effect.BOOST, creatures=Creatures(), choice=Choice.ALL, count=4
    ),
    "return a boost to your hand": Instruction(Effect.TAKE_BOOST),
    "copy the play effect of another creature": Instruction(
        Effect.COPY_PLAY_EFFECT, creatures=Creatures(other=True)
    ),
    "trigger the play effect of an allied creature": Instruction(
        Effect.TRIGGER_PLAY_EFFECT, creatures=ALLIED
    ),
    # Effects on cards.
    "play a card with power >= 7 from your hand": Instruction(
        Effect.PLAY_CARD, cards=Cards(Zone.HAND, power_min=7)
    ),
    "play a card with a Defeated effect from either discard pile": Instruction(
        Effect.PLAY_CARD, cards=Cards(Zone.EITHER_DISCARD_PILE, ability=Trigger.DEFEATED)
    ),
    "play any number of cards with power <= 4 from your discard pile without play effects": (
        Instruction(
            Effect.PLAY_CARD,
            choice=Choice.UP_TO,
            count=MAX_NUMBER,
            cards=Cards(Zone.DISCARD_PILE, power_max=4),
            without_play_effects=True,
        )
    ),
    "play up to 2 cards with power 3 and an Action effect from your discard pile": Instruction(
        Effect.PLAY_CARD,
        choice=Choice.UP_TO,
        count=2,
        cards=Cards(Zone.DISCARD_PILE, power_min=3, power_max=3, ability=Trigger.ACTION),
    ),
    "play any number of boosts of this": Instruction(
        Effect.PLAY_CARD,
        choice=Choice.UP_TO,
        count=MAX_NUMBER,
        cards=Cards(Zone.BOOSTS_OF_THIS),
    ),
    "the opponent gives you a card, which you play": Instruction(Effect.TAKE_GIVEN_CARD),
    "the opponent gives you a card, which you play or keep": Instruction(
        Effect.TAKE_GIVEN_CARD, or_keep=True
    ),
    "draw a card from the unused pile": Instruction(
        Effect.DRAW_CARDS, cards=Cards(Zone.UNUSED_PILE)
    ),
    "draw 2 cards from the opponent's discard pile": Instruction(
        Effect.DRAW_CARDS,
        Player.OPPONENT,
        count=2,
        cards=Cards(Zone.DISCARD_PILE, Player.OPPONENT),
    ),
    "draw up to 2 cards with an Attack effect from your discard pile": Instruction(
        Effect.DRAW_CARDS,
        choice=Choice.UP_TO,
        count=2,
        cards=Cards(Zone.DISCARD_PILE, ability=Trigger.ATTACK),
    ),
    "discard up to 2 cards": Instruction(Effect.DISCARD, choice=Choice.UP_TO, count=2),
    "the opponent discards any number of cards": Instruction(
        Effect.DISCARD, Player.OPPONENT, choice=Choice.UP_TO, count=MAX_NUMBER
    ),
    "discard a random card": Instruction(Effect.DISCARD_RANDOM),
    "the opponent discards 2 random cards": Instruction(
        Effect.DISCARD_RANDOM, Player.OPPONENT, count=2
    ),
    "discard your hand": Instruction(Effect.DISCARD_WHOLE, cards=Cards(Zone.HAND)),
    "the opponent discards their draw pile": Instruction(
        Effect.DISCARD_WHOLE, Player.OPPONENT, cards=Cards(Zone.DRAW_PILE, Player.OPPONENT)
    ),
    "the opponent discards their hand and draw pile": Instruction(
        Effect.DISCARD_WHOLE, Player.OPPONENT
    ),
    "put a random card of the opponent's hand into either discard pile": Instruction(
        Effect.PUT_RANDOM_CARD
    ),
    "put 2 cards of the unused pile under your draw pile": Instruction(
        Effect.PUT_UNDER_DRAW_PILE, count=2
    ),
    "exchange hands": Instruction(Effect.EXCHANGE_HANDS),
    # Effects on the game.
    "win the game": Instruction(Effect.WIN),
    "lose the game": Instruction(Effect.LOSE),
    "you gain 2 energy": Instruction(Effect.GAIN_ENERGY, count=2),
    "buy a power card for free": Instruction(Effect.BUY_FREE),
    "buy the top power card for free": Instruction(Effect.BUY_TOP),
    # Filters.
    **{
        f"defeat a creature with {words}": Instruction(Effect.DEFEAT, creatures=creatures)
        for words, creatures in {
            "power within 2 of this": Creatures(within_of_this=2),
            "less power than this": Creatures(weaker_than_this=True),
            "the same power as another creature": Creatures(twin_side=Side.ANY),
            "the same power as another enemy creature": Creatures(twin_side=Side.ENEMY),
            "no keyword": Creatures(no_keyword=True),
            "a boost": Creatures(boosted=True),
            "a block this turn and SNEAKY": Creatures(
                has_blocked=True, keywords=frozenset({Keyword.SNEAKY})
            ),
        }.items()
    },
    "defeat 02 enemy creatures with equal power": Instruction(
        Effect.DEFEAT, creatures=Creatures(Side.ENEMY, equal_power=True), count=2
    ),
    # Conditions.
    **{
        f"if {words}, win the game": Instruction(Effect.WIN, condition=condition)
        for words, condition in CONDITIONS.items()
    },
}

CONSTANTS = {
    "during your turn, while your life = 1 or the opponent's hand = 0, this cannot block": (
        ConstantAbility(
            Rule.CANNOT_BLOCK,
            THIS,
            timing=Timing.YOUR_TURN,
            condition=Conditions((LAST_LIFE, NO_HAND), any_of=True),
        )
    ),
    "while it is your turn or your life = 1, this cannot block": ConstantAbility(
        Rule.CANNOT_BLOCK, THIS, condition=Conditions((MY_TURN, LAST_LIFE), any_of=True)
    ),
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
    "this has +2 power for each other allied creature": ConstantAbility(
        Rule.POWER, THIS, 2, per=Value(Quantity.CREATURES, creatures=OTHER_ALLIED)
    ),
    "this cannot be defeated": ConstantAbility(Rule.CANNOT_BE_DEFEATED, THIS),
    "this evolves instead of being defeated": ConstantAbility(Rule.EVOLVE_INSTEAD, THIS),
    "only creatures with no keyword can block this": ConstantAbility(
        Rule.ONLY_BLOCK_THIS, Creatures(no_keyword=True)
    ),
    "this cannot hunt creatures with power <= 3": ConstantAbility(
        Rule.CANNOT_HUNT, Creatures(power_max=3)
    ),
    "during the opponent's turn, enemy creatures with HUNTER must hunt this": ConstantAbility(
        Rule.MUST_HUNT_THIS,
        Creatures(Side.ENEMY, keywords=HUNTER),
        timing=Timing.OPPONENTS_TURN,
    ),
    "the higher power loses fights with this": ConstantAbility(Rule.REVERSE_FIGHT, THIS),
    "enemy creatures have attack: discard a card, then lose 1 life": ConstantAbility(
        Rule.HAVE_ATTACK,
        ENEMY,
        instructions=(Instruction(Effect.DISCARD), Instruction(Effect.LOSE_LIFE)),
    ),
    "the opponent loses 2 more life each time they lose life": ConstantAbility(
        Rule.MORE_LIFE_LOSS, amount=2
    ),
    "you cannot lose life": ConstantAbility(Rule.NO_LIFE_LOSS),
    "the opponent cannot put cards into their hand": ConstantAbility(Rule.NO_CARDS_TO_HAND),
    "the opponent cannot play cards with power <= 4 from their hand": ConstantAbility(
        Rule.CANNOT_PLAY, cards=Cards(Zone.HAND, Player.OPPONENT, power_max=4)
    ),
    "Mindbugs cannot be used": ConstantAbility(Rule.NO_MINDBUGS),
    "other allied creatures have 2 more dice": ConstantAbility(
        Rule.MORE_DICE, OTHER_ALLIED, amount=2
    ),
    "you have 1 more reroll": ConstantAbility(Rule.MORE_REROLLS, amount=1),
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


def test_if_you_do_belongs_to_the_instruction_before() -> None:
    """', if you do,' joins instructions like ', then', and marks the second (R48)."""
    first, second, third = parse_triggered(
        "you may discard a card, if you do, defeat a creature, then gain 1 life"
    )
    assert (first.effect, first.may, first.if_done) == (Effect.DISCARD, True, False)
    assert (second.effect, second.may, second.if_done) == (Effect.DEFEAT, False, True)
    assert third == Instruction(Effect.GAIN_LIFE)


def test_amounts_of_the_instruction_before() -> None:
    """A later instruction counts what was discarded, or uses the keyword that was named."""
    _, defeat = parse_triggered(
        "discard up to 2 cards, then defeat a creature for each card discarded"
    )
    assert defeat.per == Value(Quantity.DISCARDED)
    _, defeat = parse_triggered("name a keyword, then defeat all creatures with the named keyword")
    assert defeat.creatures == Creatures(named_keyword=True)


def test_lines_for_the_discard_pile() -> None:
    """A constant line works in the discard pile; losing life triggers the other kind (R106)."""
    assert parse_in_discard("allied creatures have -2 power") == ConstantAbility(
        Rule.POWER, ALLIED, -2, in_discard=True
    )
    assert parse_in_discard("when you lose life, you may play this") == TriggeredAbility(
        Trigger.LIFE_LOST, (Instruction(Effect.PLAY_THIS, may=True),)
    )


def test_attack_effect_that_is_given_speaks_of_the_attacker() -> None:
    """In an Attack effect given to others, 'this' is the attacker, also from a discard pile."""
    ability = parse_in_discard("allied creatures have attack: this has HUNTER this turn")
    assert isinstance(ability, ConstantAbility)
    assert ability.instructions[0].creatures == THIS


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


@pytest.mark.parametrize(
    ("free", "canonical"),
    [
        ("opponent discards a card", "the opponent discards a card"),
        ("set opponent's life to 1", "set the opponent's life to 1"),
        ("defeat enemy creature with power <= 4", "defeat an enemy creature with power <= 4"),
        ("gain 1 life then defeat a creature", "gain 1 life, then defeat a creature"),
        ("Gain two life.", "gain 2 life"),
        ("Your opponent loses a life.", "the opponent loses 1 life"),
    ],
)
def test_articles_and_full_stops_are_no_faults(free: str, canonical: str) -> None:
    """What an editor would mend without asking is read as it is meant."""
    assert parse_triggered(free) == parse_triggered(canonical)


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
    assert "SNEAKY" not in problem.allowed


def test_known_word_in_the_wrong_place_is_told_apart() -> None:
    """A word of the language that cannot stand where it stands is not called unknown."""
    [problem] = problems("defeat life")
    assert (problem.offset, problem.message) == (7, "'life' cannot stand here")
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


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("^oponent loses 1 life", "opponent"),
        ("^xyzzy", ""),
    ],
)
def test_a_missing_word_is_offered_with_the_next(line: str, meant: str) -> None:
    """Where the right word stands, but not the one before it, both are offered, not a long list."""
    [problem] = problems(line.replace("^", ""))
    assert (problem.offset, problem.nearest) == (line.index("^"), meant)
    if meant:
        found, *_ = line[line.index("^") + 1 :].split(" ")
        parse_triggered(line.replace(f"^{found}", meant))


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


#: Lines that mean nothing, with a ^ where they stop to mean something, and what is said.
MEANINGLESS = {
    "gain ^0 life": "'0' is not a number from 1 to 99",
    "gain ^100 life": "'100' is not a number from 1 to 99",
    f"gain ^1{'0' * 22} life": f"'1{'0' * 22}' is not a number from 1 to 99",
    "if ^100 < 3, gain 1 life": "'100' is not a number from 0 to 99",
    "defeat a creature with power ^6 to 4": "no power lies between 6 and 4",
    "defeat a creature with power 6 and SNEAKY and ^power >= 3": (
        "a second filter on power; one is allowed"
    ),
    "defeat a creature with the highest power and ^the lowest power": (
        "a second filter on highest or lowest power; one is allowed"
    ),
    "defeat a creature with SNEAKY and ^TOUGH": "a second filter on keywords; one is allowed",
    "defeat a creature with TOUGH or ^tough": "'tough' is named twice",
    "take control of an ^allied creature": (
        "you control allied creatures already; they are no legal targets (R45)"
    ),
    "as often as a die shows ^7 or more, gain 1 life": "'7' is not a number from 2 to 6",
    "choose one: gain 1 life; or lose 1 life^, then gain 1 life": (
        "'choose one' has to be the last instruction of the line"
    ),
    "as often as a die shows 2 or more, gain 1 life^, then gain 1 life": (
        "'as often as' has to be the last instruction of the line"
    ),
    "defeat ^all creatures for each enemy creature": (
        "'for each' needs a number of targets or cards"
    ),
    "discard ^up to 99 cards for each enemy creature": (
        "'for each' needs a number of targets or cards"
    ),
    "gain 1 life, then gain 1 life for each ^card discarded": (
        "the instruction before discards no cards"
    ),
    "defeat a creature with ^the named keyword": (
        "no instruction before names a keyword; begin with 'name a keyword, then …' (C35)"
    ),
    "defeat a creature with ^equal power": (
        "this is for two chosen creatures: '2 creatures with equal power' (C31)"
    ),
    "defeat 3 creatures with ^equal power": (
        "this is for two chosen creatures: '2 creatures with equal power' (C31)"
    ),
    "defeat up to 2 creatures with ^equal power": (
        "this is for two chosen creatures: '2 creatures with equal power' (C31)"
    ),
    "defeat all creatures with ^equal power": (
        "this is for two chosen creatures: '2 creatures with equal power' (C31)"
    ),
    "defeat a creature with less power than this and ^power within 2 of this": (
        "a second filter on the power of the source; one is allowed"
    ),
    "play a card with power 2 and ^power 3 from your hand": (
        "a second filter on power; one is allowed"
    ),
    "draw a card ^with power 2 from the unused pile": (
        "the top cards of the unused pile are taken: no filter, no 'up to' (R32)"
    ),
    "put ^up to 2 cards of the unused pile under your draw pile": (
        "the top cards of the unused pile are taken: no filter, no 'up to' (R32)"
    ),
    "the opponent takes control of an ^enemy creature": (
        "the opponent controls enemy creatures already; they are no legal targets"
    ),
    "name a keyword, then creatures with ^the named keyword cannot block this turn": (
        "what holds for a group cannot ask for a named keyword; choose creatures"
    ),
    "take control of an enemy creature, then defeat ^it": (
        "only the card itself can be meant, not what was named before: write 'this'"
    ),
    "draw a card from your discard pile. You may evolve ^it": (
        "only the card itself can be meant, not what was named before: write 'this'"
    ),
    "you may lose 1 life ^and defeat an enemy creature": (
        "'and' leaves open whether 'may' is for both; write ', if you do, …', or ', then …' for "
        "what happens in any case"
    ),
    "if your Mindbugs = 0, gain 1 life ^and defeat a creature": (
        "'and' leaves open whether 'if' is for both; write it before each, or ', then …' for what "
        "happens in any case"
    ),
    "gain 1 life ^and defeat a creature if you have no Mindbugs left": (
        "'and' leaves open whether 'if' is for both; write it before each, or ', then …' for what "
        "happens in any case"
    ),
    "^take control of a friendly tough creature": (
        "you control allied creatures already; they are no legal targets (R45); this was read as "
        "'take control of an allied creature with TOUGH'"
    ),
    "^your tough creatures get +1 power this turn": (
        "a power change cannot depend on power or keywords, which are worked out from it (R85, "
        "L2); this was read as 'allied creatures with TOUGH have +1 power this turn'"
    ),
    "^defeat all tough creatures with no keyword": (
        "a second filter on keywords; one is allowed; this was read as 'defeat all creatures with "
        "TOUGH and no keyword'"
    ),
    "^trigger the play effect of a creature": (
        "only the Play effect of 'an allied creature' can be triggered (C40)"
    ),
}
MEANINGLESS_CONSTANTS = {
    "creatures have attack: ^play this": (
        "this card is in no discard pile then; 'play this' is for 'in_discard', 'discarded' and "
        "'defeated'"
    ),
    "this has TOUGH and ^TOUGH": "'TOUGH' is named twice",
    "creatures with ^the named keyword cannot block": (
        "no instruction before names a keyword; begin with 'name a keyword, then …' (C35)"
    ),
    "only ^allied creatures can block this": "allied creatures never block this",
    "^allied creatures with HUNTER must hunt this": "allied creatures never hunt this",
    "^only allied tough creatures can block this": (
        "allied creatures never block this; this was read as 'only allied creatures with TOUGH can "
        "block this'"
    ),
    "^creatures cannot hunt creatures": (
        "only the source can be kept from hunting: 'this cannot hunt …'"
    ),
    "while ^it is your turn, this has SNEAKY": "begin the line with 'during …' instead",
    "while your life = 1 and ^it is your turn, this has SNEAKY": (
        "begin the line with 'during …' instead"
    ),
}


@pytest.mark.parametrize("marked", [*MEANINGLESS, *MEANINGLESS_CONSTANTS])
def test_meaningless_line_is_explained(marked: str) -> None:
    """What the grammar lets through but means nothing is explained where it stands."""
    parse = parse_triggered if marked in MEANINGLESS else parse_constant
    [problem] = problems(marked.replace("^", ""), parse)
    assert problem.offset == marked.index("^")
    assert problem.message == (MEANINGLESS | MEANINGLESS_CONSTANTS)[marked]


def test_line_that_is_too_long_is_explained() -> None:
    """Huge numbers, too many instructions and too many modes are told briefly."""
    [problem] = problems(f"gain {'9' * 5000} life")
    assert problem.message == "'999999999…' (5,000 digits) is not a number from 1 to 99"
    [problem] = problems(", then ".join(["gain 1 life"] * (MAX_INSTRUCTIONS + 1)))
    assert problem.message == "an ability has at most 8 instructions"
    [problem] = problems("choose one: gain 1 life" + "; or lose 1 life" * MAX_MODES)
    assert problem.message == "a choice has at most 4 modes"
    [problem] = problems(f"if {' and '.join(['your life = 1'] * 5)}, gain 1 life")
    assert problem.message == "at most 4 conditions are joined"


@pytest.mark.parametrize(
    ("line", "message", "meant"),
    [
        ("if your life = 1 and your hand = 0 ^or your hand = 9, gain 1 life", "join", ""),
        ("if your life = 1 or your hand = 0 ^and your hand = 9, gain 1 life", "join", ""),
        ("if your life = 1 or ^less = 3, gain 1 life", "cannot stand here", ""),
        ("if your life = 1 and^, gain 1 life", "cannot stand here", ""),
        ("while your life = 1 ^aand your hand = 0, this has TOUGH", "is not a word", "and"),
    ],
)  # fmt: skip
def test_conditions_that_cannot_be_joined(line: str, message: str, meant: str) -> None:
    """What follows "and" is a condition; "and" and "or" do not mix; the message says which."""
    parse = parse_constant if line.startswith("while") else parse_triggered
    [problem] = problems(line.replace("^", ""), parse)
    assert (problem.offset, problem.nearest) == (line.index("^"), meant)
    assert message in problem.message


@pytest.mark.parametrize(
    ("line", "offset"),
    [
        ("allied creatures with power <= 4 have +1 power", 22),
        ("allied creatures with TOUGH have +1 power", 22),
        ("creatures with the lowest power have +1 power", 15),
        ("while creatures with power >= 5 = 0, this has +1 power", 21),
        ("while 0 < enemy creatures with TOUGH, this has +1 power and HUNTER", 31),
        ("while your life = 1 or 0 < enemy creatures with TOUGH, this has +1 power", 48),
        ("creatures with the same power as another creature have +1 power", 15),
        ("creatures with power within 1 of this have +1 power", 15),
        ("creatures with less power than this have +1 power", 15),
        ("creatures with no keyword have +1 power", 15),
        ("this has +1 power for each other allied creature with power >= 5", 54),
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
        ("creatures with no keyword have SNEAKY", 15, "given"),
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


@pytest.mark.parametrize(
    ("line", "offset"),
    [
        ("creatures with TOUGH have SNEAKY this turn", 15),
        ("creatures with no keyword have +1 power this turn", 15),
        ("creatures with power >= 5 have +1 power this turn", 15),
    ],
)
def test_group_of_this_turn_is_bound_by_the_layers(line: str, offset: int) -> None:
    """What holds this turn for a group is recalculated like a constant ability (R26, R85)."""
    [problem] = problems(line)
    assert problem.offset == offset
    assert "cannot depend on" in problem.message


@pytest.mark.parametrize(
    "line",
    [
        "a creature with TOUGH has SNEAKY this turn",
        "a creature with the lowest power has +5 power this turn",
        "if enemy creatures with TOUGH > 0, allied creatures have TOUGH this turn",
        "creatures with the same power as another creature have HUNTER this turn",
        "creatures with a boost have +1 power this turn",
    ],
)
def test_what_is_looked_at_once_may_depend_on_anything(line: str) -> None:
    """Chosen creatures and the condition of an instruction are looked at only once (R59)."""
    assert parse_triggered(line)[0].effect is Effect.THIS_TURN


NEEDS_CREATURE = [
    "defeat this",
    "defeat another creature",
    "defeat all other creatures",
    "defeat a creature with less power than this",
    "defeat a creature with power within 1 of this",
    "this has SNEAKY this turn",
    "boost up to 1 card to this",
    "evolve this",
    "this becomes power 5",
    "copy the play effect of an enemy creature",
    "play any number of boosts of this",
    "return the creatures set aside by this",
    "if this defeated an enemy creature this turn, gain 1 life",
]


@pytest.mark.parametrize("line", NEEDS_CREATURE)
def test_source_that_is_no_creature_cannot_be_spoken_of(line: str) -> None:
    """Power cards and cards in a discard pile are no creatures: no 'this', no 'other'."""
    assert parse_triggered(line)
    with pytest.raises(LanguageError, match="a power card is not a creature"):
        parse_triggered(line, Source.POWER_CARD)
    with pytest.raises(LanguageError, match="in a discard pile this card is not a creature"):
        parse_triggered(line, Source.DISCARD_PILE)


@pytest.mark.parametrize(
    "line",
    [
        "this has +1 power",
        "other allied creatures have +1 power",
        "creatures cannot block this",
        "only enemy creatures can block this",
        "enemy creatures must hunt this",
        "this cannot hunt creatures",
        "this copies TOUGH from enemy creatures",
        "the higher power loses fights with this",
        "this evolves instead of being defeated",
    ],
)
def test_constant_line_of_the_discard_pile_is_about_others(line: str) -> None:
    """A card in a discard pile has no power, does not fight and has no other creatures."""
    assert parse_constant(line)
    with pytest.raises(LanguageError, match="in a discard pile this card is not a creature"):
        parse_in_discard(line)


def test_this_is_played_from_the_discard_pile_only() -> None:
    """'play this' stands where the card can lie in a discard pile."""
    for source in (Source.DISCARD_PILE, Source.DEFEATED):
        assert parse_triggered("play this", source) == (Instruction(Effect.PLAY_THIS),)
    for source in (Source.CREATURE, Source.POWER_CARD):
        with pytest.raises(LanguageError, match="is in no discard pile then"):
            parse_triggered("play this", source)


def test_what_was_defeated_is_no_longer_in_play() -> None:
    """It cannot return to a hand from there (R55), which other games print of such cards."""
    with pytest.raises(LanguageError, match="this has left play by then"):
        parse_triggered("return it to your hand", Source.DEFEATED)
    assert parse_triggered("return it to your hand") == parse_triggered("return this from play")


def test_only_becoming_something_is_possible_while_becoming_exhausted() -> None:
    """What happens in the middle of an event cannot touch anything else (C45)."""
    line = "choose one: this becomes power 5; or gain 1 life"
    with pytest.raises(LanguageError) as caught:
        parse_triggered(line, Source.EXHAUSTED)
    [problem] = caught.value.problems
    assert problem.offset == line.index("gain")
    assert "only 'this becomes …'" in problem.message


def test_several_problems_of_a_line_are_told_together() -> None:
    """All that is meaningless in one line is reported, from left to right."""
    found = problems("gain 0 life, then defeat up to 100 creatures with TOUGH or TOUGH")
    assert [problem.offset for problem in found] == [5, 31, 59]


def prefixes() -> list[str]:
    """Beginnings of triggered lines, from the examples of the reference page."""
    examples = [example(phrase) for phrase in documented()]
    lines = [line for field, line in examples if field not in ("constant", "in_discard")]
    return sorted({line[: match.start()] for line in lines for match in re.finditer(r"\S+", line)})


@pytest.mark.parametrize("prefix", prefixes()[::9])
def test_allowed_words_are_really_allowed(prefix: str, monkeypatch) -> None:
    """Each word that a message offers can follow what stands before."""
    monkeypatch.setattr(foreign_wordings, "foreign_wording", lambda *_: None)
    [problem] = problems(f"{prefix}§")
    assert problem.offset == len(prefix)
    assert problem.allowed
    for word in problem.allowed:
        begun = tokens_of(f"{prefix}{word.replace('a number', '7')}")
        assert table().reach(begun, "triggered") == len(begun)


WORDS = st.sampled_from(
    "a an the if then , 1 2 0 100 defeat take control of all other allied enemy creature creatures "
    "with power <= >= to and or FRENZY TOUGH highest gain lose life your opponent opponent's set "
    "this while during turn has have + - cannot block attack discard discards card gian ! é you "
    "may do ; : choose one for each named keyword same as another equal evolve boost from pile "
    "play discarded cards any number less than unused win game must now".split()
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=40))
def test_any_line_is_parsed_or_explained(line: str) -> None:
    """Whatever is written, the answer is an object or problems with places inside the line."""
    for parse in (parse_triggered, parse_constant, parse_in_discard):
        try:
            assert parse(line)
        except LanguageError as error:
            assert error.problems
            assert all(0 <= problem.offset <= len(line) for problem in error.problems)
            assert all(problem.message for problem in error.problems)
