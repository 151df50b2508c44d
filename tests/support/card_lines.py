"""Single lines of the card language as objects, whatever field they would stand in."""

from card_data.mindbug.language.checks import Source
from card_data.mindbug.language.parser import parse_line
from card_data.mindbug.schema import ConstantAbility, Instruction, TriggeredAbility


def parse_triggered(line: str, source: Source = Source.CREATURE) -> tuple[Instruction, ...]:
    """The instructions of a triggered ability of ``source``; raises LanguageError."""
    (instructions,) = parse_line(line, "triggered", source)
    return instructions


def parse_constant(line: str) -> ConstantAbility:
    """The constant ability of a creature that a line describes; raises LanguageError."""
    return parse_line(line, "constant", Source.CREATURE)[0]


def parse_in_discard(line: str) -> ConstantAbility | TriggeredAbility:
    """The ability of a card in a discard pile that a line describes; raises LanguageError."""
    return parse_line(line, "in_discard", Source.DISCARD_PILE)[0]
