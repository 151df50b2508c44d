"""Reading one line of the card language: text to schema objects, or the problems in it.

The grammar is ``language.lark``.  A line is parsed to a tree, ``_problems`` checks what a grammar
cannot say, and ``_Builder`` makes the objects; its methods bear the names in the grammar.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from lark import Lark, Token, Transformer, Tree, UnexpectedToken, v_args
from lark.common import LexerConf
from lark.lexer import Lexer, TerminalDef

from card_data.faults import nearest
from card_data.schema import (
    MAX_NUMBER,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    Value,
)
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

GRAMMAR = Path(__file__).with_name("language.lark").read_text(encoding="utf-8")

#: Instructions that one triggered ability may have.
MAX_INSTRUCTIONS = 8

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|(?P<number>[0-9]+)|<=|>=|\S")
_UNKNOWN = "UNKNOWN"
_END = "$END"


@frozen
class Problem:
    """Something wrong in a line; ``offset`` is the index of the offending character."""

    offset: int
    found: str
    message: str
    allowed: tuple[str, ...] = ()
    nearest: str = ""


class LanguageError(Exception):
    """A line that says nothing in the card language, with its problems."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.message for problem in problems))


def parse_triggered(line: str) -> tuple[Instruction, ...]:
    """The instructions of a triggered ability; raises LanguageError."""
    instructions: tuple[Instruction, ...] = _parse(line, "triggered")
    return instructions


def parse_constant(line: str) -> ConstantAbility:
    """The constant ability that a line describes; raises LanguageError."""
    ability: ConstantAbility = _parse(line, "constant")
    return ability


def _parse(line: str, start: str) -> Any:
    try:
        tree = _parser().parse(line.replace("\u2019", "'"), start)
    except UnexpectedToken as error:
        raise LanguageError([_unexpected(line, error)]) from None
    if problems := sorted(_problems(tree), key=lambda problem: problem.offset):
        raise LanguageError(problems)
    return _Builder().transform(tree)


# ---------------------------------------------------------------- words and parser


class _WordLexer(Lexer):
    """Cuts a line into whole words, so that ``gains`` is never read as ``gain`` and an ``s``."""

    def __init__(self, conf: LexerConf) -> None:
        self._terminal = {
            word.casefold(): terminal.name
            for terminal in conf.terminals
            for word in _words(terminal)
        }

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        for match in _WORD.finditer(text):
            word = match[0]
            name = self._terminal.get(word.casefold(), _UNKNOWN)
            if match["number"]:
                name = "NUMBER"
            yield Token(name, word, match.start(), end_pos=match.end())


def _words(terminal: TerminalDef) -> tuple[str, ...]:
    """The words that a terminal of the grammar stands for, as they are canonically written."""
    if terminal.name == "KEYWORD":
        return tuple(Keyword.__members__)
    return ("a number",) if terminal.name == "NUMBER" else (terminal.pattern.value.strip("\\"),)


@cache
def _parser() -> Lark:
    return Lark(
        GRAMMAR,
        parser="lalr",
        lexer=_WordLexer,
        start=["triggered", "constant"],
        propagate_positions=True,
        strict=True,
    )


def _unexpected(line: str, error: UnexpectedToken) -> Problem:
    """The problem behind a word that the grammar does not allow where it stands."""
    words = {terminal.name: _words(terminal) for terminal in _parser().terminals}
    words[_END] = ("the end of the line",)
    allowed = tuple(sorted(word for name in error.accepts for word in words[name]))
    if error.token.type == _END:
        return Problem(len(line), "", "the line ends too early", allowed)
    found = str(error.token)
    unknown = error.token.type == _UNKNOWN
    message = "is not a word of the card language here" if unknown else "cannot stand here"
    guess = nearest(found, allowed)
    return Problem(_start(error.token), found, f"{found!r} {message}", allowed, guess)


# ---------------------------------------------------------------- what the grammar cannot say

_FILTER_KINDS = {
    "power_at_most": "power",
    "power_at_least": "power",
    "power_between": "power",
    "power_exactly": "power",
    "has_keyword": "keywords",
    "highest": "highest or lowest power",
    "lowest": "highest or lowest power",
}

#: Filters by which a constant rule would depend on its own outcome (R85): which, and why.
_LAYERS = {
    "change_power": (
        {"power", "keywords", "highest or lowest power"},
        "a power change cannot depend on power or keywords, which are worked out from it (R85, L2)",
    ),
    "give_keywords": (
        {"keywords"},
        "given keywords cannot depend on keywords, which are worked out from them (R85, L3)",
    ),
    "copy_keywords": (
        {"keywords"},
        "copied keywords cannot depend on keywords, which are worked out from them (R85, L4)",
    ),
}


def _problems(tree: "Tree[Token]") -> Iterator[Problem]:
    for node in tree.iter_subtrees():
        yield from _number_problems(node)
        yield from _keyword_problems(node)
        if node.data == "triggered" and len(node.children) > MAX_INSTRUCTIONS:
            message = f"an ability has at most {MAX_INSTRUCTIONS} instructions"
            yield Problem(_start(node.children[MAX_INSTRUCTIONS]), "", message)
        elif node.data == "all_filters":
            yield from _filter_problems(node)
        elif node.data == "take_control":
            for side in node.find_data("allied"):
                message = "you control allied creatures already; they are no legal targets (R45)"
                yield Problem(_start(side), "allied", message)
        elif node.data in _LAYERS:
            kinds, message = _LAYERS[node.data]
            for part in tree.iter_subtrees():
                if _FILTER_KINDS.get(part.data) in kinds:
                    yield Problem(_start(part), "", message)


def _number_problems(node: "Tree[Token]") -> Iterator[Problem]:
    least = 0 if node.data == "number" else 1
    numbers = _tokens(node, "NUMBER")
    wrong = [token for token in numbers if len(token) > 2 or not least <= int(token) <= MAX_NUMBER]
    for token in wrong:
        message = f"'{token[:9]}' is not a number from {least} to {MAX_NUMBER}"
        yield Problem(_start(token), str(token), message)
    if node.data == "power_between" and not wrong and int(numbers[0]) > int(numbers[1]):
        message = f"no power lies between {numbers[0]} and {numbers[1]}"
        yield Problem(_start(numbers[0]), str(numbers[0]), message)


def _keyword_problems(node: "Tree[Token]") -> Iterator[Problem]:
    seen = set()
    for token in _tokens(node, "KEYWORD"):
        if token.upper() in seen:
            yield Problem(_start(token), str(token), f"'{token}' is named twice")
        seen.add(token.upper())


def _filter_problems(node: "Tree[Token]") -> Iterator[Problem]:
    seen = set()
    for part in node.children:
        assert isinstance(part, Tree)
        kind = _FILTER_KINDS[part.data]
        if kind in seen:
            yield Problem(_start(part), "", f"a second filter on {kind}; one is allowed")
        seen.add(kind)


def _tokens(node: "Tree[Token]", name: str) -> list[Token]:
    return [child for child in node.children if isinstance(child, Token) and child.type == name]


def _start(node: "Tree[Token] | Token") -> int:
    start = node.start_pos if isinstance(node, Token) else node.meta.start_pos
    assert start is not None
    return start


# ---------------------------------------------------------------- objects

#: Alternatives of the grammar that mean one word of the vocabulary.
_MEANING: dict[str, object] = {
    "your": Player.YOU,
    "opponents": Player.OPPONENT,
    "any": False,
    "other": True,
    "both": Side.ANY,
    "allied": Side.ALLIED,
    "enemy": Side.ENEMY,
    "less": Comparison.LESS,
    "at_most": Comparison.AT_MOST,
    "equal": Comparison.EQUAL,
    "at_least": Comparison.AT_LEAST,
    "more": Comparison.MORE,
    "always_on": Timing.ALWAYS,
    "your_turn": Timing.YOUR_TURN,
    "opponents_turn": Timing.OPPONENTS_TURN,
    "no_condition": None,
    "plus": 1,
    "minus": -1,
    "one_card": 1,
    "one_random_card": 1,
}

_Fields = dict[str, Any]


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Makes schema objects; a method or an entry of ``_MEANING`` for every name in the grammar."""

    def __default__(self, data: str, children: list[Any], meta: object) -> Any:
        """A name of ``_MEANING``; any other alternative without a method only wraps its child."""
        return _MEANING[data] if data in _MEANING else children[0]

    def NUMBER(self, token: Token) -> int:
        return int(token)

    def KEYWORD(self, token: Token) -> Keyword:
        return Keyword[token.upper()]

    def keywords(self, *keywords: Keyword) -> frozenset[Keyword]:
        return frozenset(keywords)

    # triggered abilities

    def triggered(self, *instructions: Instruction) -> tuple[Instruction, ...]:
        return instructions

    def if_condition(self, condition: Condition, instruction: Instruction) -> Instruction:
        return evolve(instruction, condition=condition)

    def defeat(self, targets: _Fields) -> Instruction:
        return Instruction(Effect.DEFEAT, **targets)

    def take_control(self, targets: _Fields) -> Instruction:
        return Instruction(Effect.TAKE_CONTROL, **targets)

    def play_card(self, player: Player) -> Instruction:
        return Instruction(Effect.PLAY_CARD, player)

    def draw_all(self, player: Player) -> Instruction:
        return Instruction(Effect.DRAW_ALL, player)

    def you_gain(self, count: int) -> Instruction:
        return Instruction(Effect.GAIN_LIFE, count=count)

    def opponent_gains(self, count: int) -> Instruction:
        return Instruction(Effect.GAIN_LIFE, Player.OPPONENT, count=count)

    def you_lose(self, count: int) -> Instruction:
        return Instruction(Effect.LOSE_LIFE, count=count)

    def opponent_loses(self, count: int) -> Instruction:
        return Instruction(Effect.LOSE_LIFE, Player.OPPONENT, count=count)

    def set_life(self, player: Player, value: Value) -> Instruction:
        return Instruction(Effect.SET_LIFE, player, value=value)

    def you_discard(self, count: int) -> Instruction:
        return Instruction(Effect.DISCARD, count=count)

    def opponent_discards(self, count: int) -> Instruction:
        return Instruction(Effect.DISCARD, Player.OPPONENT, count=count)

    def steal(self, count: int) -> Instruction:
        return Instruction(Effect.STEAL_RANDOM, count=count)

    # targets and groups

    def one(self, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, **filters)}

    def another(self, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, other=True, **filters)}

    def exactly(self, count: int, other: bool, side: Side, filters: _Fields) -> _Fields:
        return {"creatures": Creatures(side, other, **filters), "count": count}

    def up_to(self, count: int, other: bool, side: Side, filters: _Fields) -> _Fields:
        return {**self.exactly(count, other, side, filters), "choice": Choice.UP_TO}

    def all(self, creatures: Creatures) -> _Fields:
        return {"creatures": creatures, "choice": Choice.ALL, "count": 0}

    def this_only(self) -> _Fields:
        return self.all(self.this())

    def this(self) -> Creatures:
        return Creatures(this=True)

    def group(self, other: bool, side: Side, filters: _Fields) -> Creatures:
        return Creatures(side, other, **filters)

    def no_filter(self) -> _Fields:
        return {}

    def all_filters(self, *filters: _Fields) -> _Fields:
        return {name: value for fields in filters for name, value in fields.items()}

    def power_at_most(self, power: int) -> _Fields:
        return {"power_max": power}

    def power_at_least(self, power: int) -> _Fields:
        return {"power_min": power}

    def power_between(self, least: int, most: int) -> _Fields:
        return {"power_min": least, "power_max": most}

    def power_exactly(self, power: int) -> _Fields:
        return {"power_min": power, "power_max": power}

    def has_keyword(self, *keywords: Keyword) -> _Fields:
        return {"keywords": frozenset(keywords)}

    def highest(self) -> _Fields:
        return {"extreme": Extreme.HIGHEST}

    def lowest(self) -> _Fields:
        return {"extreme": Extreme.LOWEST}

    # conditions

    def condition(self, left: Value, comparison: Comparison, right: Value) -> Condition:
        return Condition(left, comparison, right)

    def number(self, number: int) -> Value:
        return Value(Quantity.NUMBER, number)

    def life(self, player: Player) -> Value:
        return Value(Quantity.LIFE, player=player)

    def mindbugs(self, player: Player) -> Value:
        return Value(Quantity.MINDBUGS, player=player)

    def hand(self, player: Player) -> Value:
        return Value(Quantity.HAND, player=player)

    def draw_pile(self, player: Player) -> Value:
        return Value(Quantity.DRAW_PILE, player=player)

    def discard_pile(self, player: Player) -> Value:
        return Value(Quantity.DISCARD_PILE, player=player)

    def count(self, creatures: Creatures) -> Value:
        return Value(Quantity.CREATURES, creatures=creatures)

    # constant abilities

    def constant(
        self, timing: Timing, condition: Condition | None, ability: ConstantAbility
    ) -> ConstantAbility:
        return evolve(ability, timing=timing, condition=condition)

    def change_power(
        self,
        creatures: Creatures,
        sign: int,
        power: int,
        keywords: frozenset[Keyword] = frozenset(),
    ) -> ConstantAbility:
        return ConstantAbility(Rule.POWER, creatures, sign * power, keywords)

    def give_keywords(self, creatures: Creatures, keywords: frozenset[Keyword]) -> ConstantAbility:
        return ConstantAbility(Rule.KEYWORDS, creatures, keywords=keywords)

    def copy_keywords(self, keywords: frozenset[Keyword]) -> ConstantAbility:
        return ConstantAbility(Rule.COPY_KEYWORDS, self.this(), keywords=keywords)

    def cannot_attack(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_ATTACK, creatures)

    def cannot_block(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_BLOCK, creatures)

    def cannot_block_this(self, creatures: Creatures) -> ConstantAbility:
        return ConstantAbility(Rule.CANNOT_BLOCK_THIS, creatures)

    def no_play_effects(self) -> ConstantAbility:
        return ConstantAbility(Rule.NO_PLAY_EFFECTS)
