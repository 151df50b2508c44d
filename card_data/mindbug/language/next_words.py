"""What can be written next in a line of the card language: for completion while one types."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lark import Token, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from card_data.mindbug.language.parser import JOINING, grammar_parser, words_in, words_of

#: Numbers that are offered where any can stand.
_NUMBERS = ("1", "2", "3")
#: Words that follow of themselves, at most.
_MOST_TOGETHER = 6
_TYPED = re.compile(r"[A-Za-z][A-Za-z']*\Z|[0-9]+\Z|\Z")
_END = "$END"
#: Signs that stand right behind a word, and those that stand right before one.
_BEHIND, _BEFORE = (",", ":", ";"), ("+", "-")


class Word(NamedTuple):
    """A word that can stand next, with those that must follow it.

    ``typed`` is how many characters at the end of the line it takes the place of.  Behind a space
    that ends it, more has to come.
    """

    typed: int
    text: str


def next_words(line: str, field: str) -> list[Word]:
    """What can stand at the end of a line in a field of a card, by the alphabet, signs last.

    Nothing, where what stands before is no line.
    """
    line = line.replace("\u2019", "'")
    found = _TYPED.search(line)
    typed = found[0] if found else ""
    start = field if field in ("constant", "in_discard") else "triggered"
    words = {
        word
        for parser in _parsers(line[: len(line) - len(typed)], start)
        for terminal in parser.accepts() - {_END}
        for word in _words_from(parser, terminal)
        if word.casefold().startswith(typed.casefold()) and word.strip() != typed
    }
    space = len(line) - len(line.rstrip())
    return [
        Word(space if word[0] in _BEHIND else len(typed), word) for word in sorted(words, key=_rank)
    ]


def _rank(word: str) -> tuple[bool, bool, str]:
    return not word[0].isalnum(), word[0].isdigit(), word.casefold()


def _parsers(line: str, start: str) -> list[InteractiveParser]:
    """Parsers that have read a line: two where "and" can join filters as well as conditions."""
    parsers = [grammar_parser().parse_interactive("", start=start)]
    for token in words_in(line):
        names = next((pair for pair in JOINING.items() if token.type in pair), (token.type,))
        parsers = [
            read for parser in parsers for name in names for read in _fed(parser, name, str(token))
        ]
    return parsers


def _fed(parser: InteractiveParser, name: str, word: str) -> Iterator[InteractiveParser]:
    """A parser that has read one word more, if it can."""
    begun = parser.copy()
    try:
        begun.feed_token(Token(name, word))
    except UnexpectedToken:
        return
    yield begun


def _words_from(parser: InteractiveParser, terminal: str) -> Iterator[str]:
    """The words of a terminal, with those that must follow."""
    for word in _NUMBERS if terminal == "NUMBER" else words_of(terminal):
        [begun] = _fed(parser, terminal, word)
        said, accepted = word, begun.accepts()
        for _ in range(_MOST_TOGETHER):
            if len(accepted) != 1 or accepted & {_END, "NUMBER", "KEYWORD"}:
                break
            [only] = accepted
            [following] = words_of(only)
            [begun] = _fed(begun, only, following)
            said += following if following in _BEHIND else f" {following}"
            accepted = begun.accepts()
        can_end = _END in accepted or any(
            sign in words_of(one) for one in accepted for sign in _BEHIND
        )
        yield said if can_end or said in _BEFORE else f"{said} "
