"""What can be written next in a line of the card language: for completion while one types."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from card_data.mindbug.language.phrases import table
from card_data.mindbug.language.rules_box import HEADERS, Piece, pieces
from card_data.mindbug.vocabulary import Keyword
from card_data.phrases import READ, Expectation, tokens_of

#: Numbers that are offered where any can stand.
_NUMBERS = ("1", "2", "3")
_TYPED = re.compile(r"[A-Za-z][A-Za-z']*\Z|[0-9]+\Z|\Z")
#: The first word of a sentence, which may be begun.
_BEGUN = re.compile(r"(?:^|[.!\n]|\b[A-Z]{5,9},?)\s*(\w*)\Z")
#: Signs that stand right behind a word, and those that stand right before one.
_BEHIND, _BEFORE = (",", ":", ";", "."), ("+", "-")


class Word(NamedTuple):
    """A word that can stand next, with those that must follow it.

    ``typed`` is how many characters at the end of the line it takes the place of.  Behind a space
    that ends it, more has to come.
    """

    typed: int
    text: str


def next_words(line: str, field: str) -> list[Word]:
    """What can stand at the end of a line in a field of a card, by the alphabet, signs last.

    Words of the short lines and of the sentences of cards.  Nothing, where what stands before is no
    line.
    """
    line = line.replace("\u2019", "'")
    found = _TYPED.search(line)
    typed = found[0] if found else ""
    category = field if field in ("constant", "in_discard") else "triggered"
    tokens = tokens_of(line[: len(line) - len(typed)])
    at, expected = table().expected(tokens, category)
    if at < len(tokens):
        return []
    space = len(line) - len(line.rstrip())
    words = {
        said
        if table().read([*tokens, *tokens_of(said)], category) or said in _BEFORE
        else f"{said} "
        for said in _words(expected)
        if said.casefold().startswith(typed.casefold()) and said != typed
    }
    return [
        Word(space if word[0] in _BEHIND else len(typed), word) for word in sorted(words, key=_rank)
    ]


def next_in_box(text: str) -> list[Word]:
    """What can stand at the end of a rules box: words of its last line, else trigger words."""
    found = []
    begun = _BEGUN.search(text)
    if begun:
        names = (*HEADERS, *(f"{keyword.name} " for keyword in Keyword))
        typed = begun[1].casefold()
        found = [Word(len(typed), one) for one in names if one.casefold().startswith(typed)]
    *_, last = Piece("", "", 0), *pieces(text)
    if last.field not in ("", "keywords"):
        found += next_words(text[last.start :], last.field)
    return found


def _rank(word: str) -> tuple[bool, bool, str]:
    return not word[0].isalnum(), word[0].isdigit(), word.casefold()


def _words(expected: Sequence[Expectation]) -> list[str]:
    """Words that are expected, each with what follows of itself wherever it can stand."""
    begun: dict[str, list[Expectation]] = {}
    for one in expected:
        for word in (
            _NUMBERS if one.word == "#" else ("a", "an") if one.word == "a(n)" else (one.word,)
        ):
            if one.register < READ:
                begun.setdefault(word, []).append(one)
    found = []
    for word, several in begun.items():
        first = min(one.register for one in several)
        follows = [one.follow for one in several if one.register == first]
        follow = [words[0] for words in takewhile(_equal, zip(*follows, strict=False))]
        found.append(word + "".join(one if one in _BEHIND else f" {one}" for one in follow))
    return found


def _equal(words: Sequence[str]) -> bool:
    return len(set(words)) == 1
