"""Reading one line of the card language: text to schema objects, or the problems in it.

The grammar is ``grammar.lark`` with the effects of ``effect_words.py``.  A line is parsed to a
tree, ``checks`` looks for what a grammar cannot say, and ``builder`` makes the objects.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer, TerminalDef
from lark.parsers.lalr_interactive_parser import InteractiveParser

from card_data.cache import keep, read_kept
from card_data.faults import nearest, shown
from card_data.mindbug.language.builder import build
from card_data.mindbug.language.checks import Problem, Source, problems, start_of
from card_data.mindbug.language.effect_words import with_effect_words
from card_data.mindbug.language.foreign_wordings import foreign_wording
from card_data.mindbug.schema import ConstantAbility, Instruction, TriggeredAbility
from card_data.mindbug.vocabulary import Keyword

GRAMMAR = with_effect_words(Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"))

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|(?P<number>[0-9]+)|<=|>=|\S")
#: Terminals that join filters, and what they are between conditions.
JOINING = {"AND": "_AND", "OR": "_OR"}
#: How a filter begins; a condition begins otherwise.
_FILTERS = (
    *([word] for word in ("power", "less", "equal", "no", "a")),
    *([keyword.casefold()] for keyword in Keyword.__members__),
    *(["the", word] for word in ("highest", "lowest", "same", "named")),
)
_UNKNOWN = "UNKNOWN"
_END = "$END"


class LanguageError(Exception):
    """A line that says nothing in the card language; its problems are looked for when asked for."""

    def __init__(self, explain: Callable[[], list[Problem]]) -> None:
        super().__init__()
        self._explain = explain

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the line."""
        return tuple(self._explain())

    def __str__(self) -> str:
        """The messages of all problems."""
        return "; ".join(problem.message for problem in self.problems)


def parse_triggered(line: str, source: Source = Source.CREATURE) -> tuple[Instruction, ...]:
    """The instructions of a triggered ability of ``source``; raises LanguageError."""
    instructions: tuple[Instruction, ...] = _parse(line, "triggered", source)
    return instructions


def parse_constant(line: str) -> ConstantAbility:
    """The constant ability of a creature that a line describes; raises LanguageError."""
    ability: ConstantAbility = _parse(line, "constant", Source.CREATURE)
    return ability


def parse_in_discard(line: str) -> ConstantAbility | TriggeredAbility:
    """The ability of a card in a discard pile that a line describes; raises LanguageError."""
    ability: ConstantAbility | TriggeredAbility = _parse(line, "in_discard", Source.DISCARD_PILE)
    return ability


def _parse(line: str, start: str, source: Source) -> Any:
    line = line.replace("\u2019", "'")
    try:
        tree = grammar_parser().parse(line, start)
    except UnexpectedToken as unexpected:
        error = unexpected  # that name ends with the block
        raise LanguageError(lambda: [_unexpected(line, error)]) from None
    if found := sorted(problems(tree, source), key=lambda problem: problem.offset):
        raise LanguageError(lambda: found)
    return build(tree)


# ---------------------------------------------------------------- words and parser


def words_in(line: str) -> Iterator[Token]:
    """The words of a line as the grammar knows them, up to one that it does not know at all."""
    return _WordLexer(grammar_parser().lexer_conf).lex(line)


def words_of(terminal: str) -> tuple[str, ...]:
    """The words that a terminal of the grammar stands for; none for the end of the line."""
    return _terminals().get(terminal, ())


@cache
def _terminals() -> dict[str, tuple[str, ...]]:
    return {terminal.name: _words(terminal) for terminal in grammar_parser().terminals}


class _WordLexer(Lexer):
    """Cuts a line into whole words, so that ``gains`` is never read as ``gain`` and an ``s``."""

    def __init__(self, conf: LexerConf) -> None:
        self._terminal = {
            word.casefold(): terminal.name
            for terminal in conf.terminals
            if terminal.name not in JOINING.values()
            for word in _words(terminal)
        }

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        matches = list(_WORD.finditer(text))
        folded = [match[0].casefold() for match in matches]
        in_conditions = False
        for place, match in enumerate(matches):
            name = self._terminal.get(folded[place], _UNKNOWN)
            if match["number"]:
                name = "NUMBER"
            if folded[place] in ("if", "while", ","):
                in_conditions = folded[place] != ","
            if in_conditions and not _is_filter(folded[place + 1 : place + 3]):
                name = JOINING.get(name, name)
            yield Token(name, match[0], match.start(), end_pos=match.end())


def _is_filter(words: Sequence[str]) -> bool:
    """Whether words after "and" or "or" are those of a filter, and not of a condition."""
    return words[:1] in _FILTERS or words in _FILTERS


def _words(terminal: TerminalDef) -> tuple[str, ...]:
    """The words that a terminal of the grammar stands for, as they are canonically written."""
    if terminal.name == "KEYWORD":
        return tuple(Keyword.__members__)
    return ("a number",) if terminal.name == "NUMBER" else (terminal.pattern.value.strip("\\"),)


_SETTINGS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": _WordLexer,
    "start": ["triggered", "constant", "in_discard"],
    "propagate_positions": True,
    "strict": True,
}


@cache
def grammar_parser() -> Lark:
    """The parser; its tables are kept on disk, since they are a tenth of the shortest start."""
    made_of = GRAMMAR, _SETTINGS, lark.__version__, sys.version_info
    name = f"grammar/{hashlib.sha256(repr(made_of).encode()).hexdigest()[:16]}"
    if (kept := read_kept(name)) is not None:
        return Lark.load(BytesIO(kept))
    parser, tables = Lark(GRAMMAR, **_SETTINGS), BytesIO()
    parser.save(tables)
    with suppress(OSError):  # a tenth of a second is not worth a word
        keep(name, tables.getvalue())
    return parser


def _unexpected(line: str, error: UnexpectedToken) -> Problem:
    """The problem behind a word that the grammar does not allow where it stands."""
    joining = JOINING.get(error.token.type)
    if joining in error.accepts:  # no condition follows, and so nothing is joined
        begun = error.interactive_parser.copy()
        begun.feed_token(Token(joining, ""))
        tokens = [*words_in(line), Token(_END, "", len(line))]
        after = next(t for t in tokens if start_of(t) > start_of(error.token))
        return _unexpected(line, UnexpectedToken(after, begun.accepts(), interactive_parser=begun))
    words = {**_terminals(), _END: ("the end of the line",)}
    allowed = tuple(sorted(word for name in error.accepts for word in words[name]))
    at = len(line) if error.token.type == _END else start_of(error.token)
    if foreign := foreign_wording(line, at):
        return Problem(*foreign)
    if error.token.type == _END:
        return Problem(len(line), "", "the line ends too early", allowed)
    found = str(error.token)
    unknown = error.token.type == _UNKNOWN
    if error.accepts & (mixed := {*JOINING.values()} - {error.token.type}) and len(mixed) == 1:
        message = (
            "'and' and 'or' cannot join conditions of one line; write 'and' between all of them, "
            "or 'or'"
        )
        return Problem(start_of(error.token), found, message)
    message = "is not a word of the card language here" if unknown else "cannot stand here"
    guess = nearest(found, allowed) or _phrase(line, error)
    return Problem(start_of(error.token), found, f"{shown(found)} {message}", allowed, guess)


def _phrase(line: str, error: UnexpectedToken) -> str:
    """What was probably meant where a word is missing before the unexpected one: "the opponent".

    Of all words that could be missing it is the one with which most of the line can be read; empty
    if there is none.
    """
    found = str(error.token)
    rest = [token for token in words_in(line) if start_of(token) > start_of(error.token)]
    words = {name: words for name, words in _terminals().items() if name != "NUMBER"}
    best, phrase = (0, False, False), ""
    for missing in sorted(error.accepts & words.keys() - {"KEYWORD"}):
        begun = error.interactive_parser.copy()
        begun.feed_token(Token(missing, ""))
        following = {word: name for name in begun.accepts() & words.keys() for word in words[name]}
        if guess := nearest(found, following):
            read = _n_read(begun, [Token(following[guess], ""), *rest])
            both = f"{words[missing][0]} {guess}"
            fit = read, guess.casefold() == found.casefold(), not re.match("a [aeiou]", both)
            best, phrase = max((best, phrase), (fit, both), key=lambda one: one[0])
    return phrase


def _n_read(parser: InteractiveParser, tokens: Iterable[Token]) -> int:
    """How many of the tokens a parser takes.  Modifies parser."""
    n_read = 0
    for token in tokens:
        try:
            parser.feed_token(token)
        except UnexpectedToken:
            break
        n_read += 1
    return n_read
