"""Hypothesis strategies for everything that a line of the card language can say.

Lines are drawn from the phrase table that reads them, so a new word needs nothing here.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from card_data.mindbug.language.checks import Source
from card_data.mindbug.language.parser import (
    LanguageError,
    parse_constant,
    parse_in_discard,
    parse_triggered,
)
from card_data.mindbug.language.phrases import table
from card_data.mindbug.schema import ConstantAbility, TriggeredAbility
from card_data.mindbug.vocabulary import Trigger
from card_data.phrases import CANONICAL, NUMBERS, Element, Maybe, Word

_NUMBERS = st.sampled_from(["2", "3", "4", "5", "1", "99"])
_DEPTH = 9

#: Triggers with the source that their lines have.
SOURCES = {
    Trigger.PLAY: Source.CREATURE,
    Trigger.ATTACK: Source.CREATURE,
    Trigger.DEFEATED: Source.DEFEATED,
    Trigger.ACTION: Source.CREATURE,
    Trigger.DISCARDED: Source.DISCARD_PILE,
    Trigger.END_OF_TURN: Source.CREATURE,
    Trigger.MINDBUG_USED: Source.CREATURE,
}


class Symbol(str):
    """The name of a category, or of a built-in number, among the words of an expansion."""

    __slots__ = ()


@cache
def expansions() -> dict[str, list[tuple[int, tuple[str, ...]]]]:
    """By category: how deep each way to fill a canonical template must go, and its symbols."""
    phrases = table()
    rules: dict[str, list[tuple[str, ...]]] = {}
    for category, several in phrases.categories.items():
        rules[category] = [
            words
            for phrase in several
            for template in phrase.templates.get(CANONICAL, [])
            for words in _ways(phrases.elements(template))
        ]
    rules = {name: several for name, several in rules.items() if several}
    depth = dict.fromkeys(rules, 99) | dict.fromkeys(NUMBERS, 0)

    def needed(symbols: tuple[str, ...]) -> int:
        return 1 + max((depth[s] for s in symbols if isinstance(s, Symbol)), default=0)

    for _ in rules:
        depth |= {name: min(map(needed, several)) for name, several in rules.items()}
    return {name: [(needed(one), one) for one in several] for name, several in rules.items()}


def _ways(elements: Sequence[Element]) -> list[tuple[str, ...]]:
    """The symbols that a template can stand for, with one or several items of a list."""
    ways: list[list[tuple[str, ...]]] = []
    for element in elements:
        if isinstance(element, Word):
            ways.append([(element.one.replace("a(n)", "a"),)])
        elif isinstance(element, Maybe):
            ways.append([(), *_ways(element.elements)])
        else:
            item, between = Symbol(element.category), element.joined
            by = "and" if between == "," else between
            several = [(item,), (item, by, item)] if between else [(), (item,), (item, item)]
            if between == ",":
                several.append((item, ",", item, by, item))
            ways.append(several if element.many else [(item,)])
    return [tuple(symbol for part in way for symbol in part) for way in product(*ways)]


@st.composite
def lines(draw: st.DrawFn, start: str) -> str:
    """A line that the table allows, beginning with the category ``start``."""
    words: list[str] = []

    def derive(name: str, depth: int) -> None:
        several = expansions()[name]
        least = min(needed for needed, _ in several)
        allowed = [symbols for needed, symbols in several if needed <= max(depth, least)]
        for symbol in draw(st.sampled_from(allowed)):
            if symbol in NUMBERS:
                sign = draw(st.sampled_from("+-")) if symbol == "SIGNED" else ""
                words.append(sign + draw(_NUMBERS))
            elif isinstance(symbol, Symbol):
                derive(symbol, depth - 1)
            else:
                words.append(symbol)

    derive(start, _DEPTH)
    return " ".join(words)


@st.composite
def _parsed(draw: st.DrawFn, start: str, parse: Callable[[str], Any]) -> Any:
    """What a line means that means something; a few lines are drawn until one does."""
    for _ in range(6):
        try:
            return parse(draw(lines(start)))
        except LanguageError:
            continue
    return reject()


@st.composite
def triggered_abilities(draw: st.DrawFn) -> TriggeredAbility:
    """Any triggered ability of a card in play, or put into a discard pile."""
    trigger = draw(st.sampled_from(list(SOURCES)))
    source = SOURCES[trigger]
    instructions = draw(_parsed("triggered", lambda line: parse_triggered(line, source)))
    return TriggeredAbility(trigger, instructions)


constant_abilities: st.SearchStrategy[ConstantAbility] = _parsed("constant", parse_constant)
in_discard_abilities: st.SearchStrategy[ConstantAbility | TriggeredAbility] = _parsed(
    "in_discard", parse_in_discard
)
abilities: st.SearchStrategy[TriggeredAbility | ConstantAbility] = st.one_of(
    triggered_abilities(), constant_abilities, in_discard_abilities
)
