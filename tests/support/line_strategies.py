"""Hypothesis strategies for everything that a line of the card language can say.

Lines are drawn from the phrase table that reads them, so a new word needs nothing here.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from card_data.mindbug.language.checks import Source
from card_data.mindbug.language.made_up import Symbol, expansions
from card_data.mindbug.language.parser import LanguageError
from card_data.mindbug.schema import ConstantAbility, TriggeredAbility
from card_data.mindbug.vocabulary import Trigger
from card_data.phrases import NUMBERS
from support.card_lines import parse_constant, parse_in_discard, parse_triggered

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
