"""Hypothesis strategies for everything that a line of the card language can say.

Lines are drawn from the rules of the parser itself, so a new word needs nothing here.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st
from lark.grammar import NonTerminal

from card_data.mindbug.language.checks import Source
from card_data.mindbug.language.parser import (
    LanguageError,
    _words,
    grammar_parser,
    parse_constant,
    parse_in_discard,
    parse_triggered,
)
from card_data.mindbug.schema import ConstantAbility, TriggeredAbility
from card_data.mindbug.vocabulary import Keyword, Trigger

_NUMBERS = st.sampled_from(["2", "3", "4", "5", "1", "99"])
_KEYWORDS = st.sampled_from(list(Keyword.__members__))
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


@cache
def _expansions() -> dict[str, list[tuple[int, tuple[Any, ...]]]]:
    """By the name of a rule: how deep each of its alternatives must go, and its symbols."""
    rules: dict[str, list[tuple[Any, ...]]] = {}
    for rule in grammar_parser().rules:
        rules.setdefault(rule.origin.name, []).append(tuple(rule.expansion))
    depth = dict.fromkeys(rules, 99)

    def needed(symbols: tuple[Any, ...]) -> int:
        inner = [depth[s.name] for s in symbols if isinstance(s, NonTerminal)]
        return 1 + max(inner, default=0)

    for _ in rules:
        depth = {name: min(map(needed, several)) for name, several in rules.items()}
    return {
        name: [(needed(symbols), symbols) for symbols in several] for name, several in rules.items()
    }


@st.composite
def lines(draw: st.DrawFn, start: str) -> str:
    """A line that the grammar allows, beginning with the rule ``start``."""
    terminals = {terminal.name: _words(terminal)[0] for terminal in grammar_parser().terminals}
    words: list[str] = []

    def derive(name: str, depth: int) -> None:
        several = _expansions()[name]
        least = min(needed for needed, _ in several)
        allowed = [symbols for needed, symbols in several if needed <= max(depth, least)]
        for symbol in draw(st.sampled_from(allowed)):
            if isinstance(symbol, NonTerminal):
                derive(symbol.name, depth - 1)
            elif symbol.name in ("NUMBER", "KEYWORD"):
                words.append(draw(_NUMBERS if symbol.name == "NUMBER" else _KEYWORDS))
            else:
                words.append(terminals[symbol.name])

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
