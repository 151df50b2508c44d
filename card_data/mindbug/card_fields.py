"""The fields of cards, each declared once: what it holds, how it is read, and what it means."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from attrs import frozen

from card_data.faults import shown
from card_data.mindbug import schema
from card_data.mindbug.language.foreign_wordings import foreign_keyword
from card_data.mindbug.language.rules_box import keyword_named
from card_data.mindbug.vocabulary import Keyword, Trigger
from card_data.names import ID_PATTERN, MAX_NAME, is_name
from card_data.schema.fields import Field, Json, Whole
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_files import MAX_LINE
from card_data.toml_places import KeyPath

MAX_CONSTANTS = 8
_LINE = {"type": "string", "minLength": 1, "maxLength": MAX_LINE}

_Parsed = TypeVar("_Parsed")


@frozen(eq=False)
class Name(Field):
    """A printed name."""

    allowed = f"a name of 1 to {MAX_NAME} printable characters"

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The name; empty where there is no proper one."""
        if isinstance(value, str) and is_name(value):
            return value
        reader.wrong(at.path, value, self.allowed)
        return ""

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_NAME,
            "pattern": r"^\S(.*\S)?$",
        }


@frozen(eq=False)
class CardId(Field):
    """The id of another card, which is looked up when all cards are read."""

    allowed = "the id of a card"

    def read(self, reader: ValueReader, at: At, value: Any) -> str | None:
        """The id, None where there is none."""
        if isinstance(value, str):
            return value
        reader.wrong(at.path, value, self.allowed)
        return None

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "string", "pattern": ID_PATTERN}


@frozen(eq=False)
class Keywords(Field):
    """Printed keywords."""

    allowed = 'a list of keywords such as ["FRENZY", "TOUGH"]'

    def read(self, reader: ValueReader, at: At, value: Any) -> frozenset[Keyword]:
        """The keywords; what is none is left out."""
        path, words = at.path, value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            reader.wrong(path, words, self.allowed)
            return frozenset()
        allowed = tuple(Keyword.__members__)
        found = set()
        for index, word in enumerate(words):
            where = reader.places.in_string(path, index, word, 0)
            keyword = keyword_named(word)
            if keyword is None:
                problem, guess = f"{shown(word)} is not a keyword", reader.nearest(word, allowed)
                if not guess:
                    foreign, guess = foreign_keyword(word)
                    problem += f" of this game; {foreign}" if foreign else ""
                reader.note(path, where, problem, found=word, allowed=allowed, nearest=guess)
            elif keyword in found:
                reader.note(path, where, f"'{word}' is named twice", found=word)
            else:
                found.add(keyword)
        return frozenset(found)

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        words = [spelled for word in Keyword.__members__ for spelled in (word, word.lower())]
        return {"type": "array", "items": {"enum": words}, "uniqueItems": True}


@frozen(eq=False)
class CardLine(Field):
    """A line of the card language with one ability."""

    allowed = "a line of the card language"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[schema.Instruction, ...]:
        """The instructions; none where there is no proper line."""
        from card_data.mindbug.language.parser import parse_field

        if not isinstance(value, str):
            reader.wrong(at.path, value, self.allowed)
            return ()
        field = "bought" if at.field == "text" else at.field
        read = read_line(reader, at.path, 0, value, partial(parse_field, field))
        return read[0] if read else ()

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return _LINE


@frozen(eq=False)
class CardLines(Field):
    """One or several lines of the card language, with an ability each."""

    allowed = f"a line of the card language, or a list of 1 to {MAX_CONSTANTS} lines"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Any, ...]:
        """The abilities; lines that cannot be read are left out."""
        from card_data.mindbug.language.parser import parse_field

        lines = value if isinstance(value, list) else [value]
        if not 1 <= len(lines) <= MAX_CONSTANTS or not all(isinstance(one, str) for one in lines):
            reader.wrong(at.path, value, self.allowed)
            return ()
        parse = partial(parse_field, at.field)
        read = [read_line(reader, at.path, index, line, parse) for index, line in enumerate(lines)]
        return tuple(ability for several in read for ability in several or ())

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        several = {"type": "array", "items": _LINE, "minItems": 1, "maxItems": MAX_CONSTANTS}
        return {"anyOf": [_LINE, several]}


def read_line(
    reader: ValueReader, path: KeyPath, index: int, line: str, parse: Callable[[str], _Parsed]
) -> _Parsed | None:
    """One line of the card language: the ``index``-th string of its field."""
    from card_data.mindbug.language.parser import LanguageError

    if len(line) > MAX_LINE:
        at = reader.places.in_string(path, index, line, MAX_LINE)
        reader.note(path, at, f"the line is longer than {MAX_LINE:,} characters")
        return None
    try:
        return parse(line)
    except LanguageError as error:
        if not reader.guesses:
            at = reader.places.in_string(path, index, line, 0)
            reader.note(path, at, "this is not a line of the card language")
            return None
        for problem in error.problems:
            reader.note(
                path,
                reader.places.in_string(path, index, line, problem.offset),
                problem.message,
                found=problem.found,
                allowed=problem.allowed,
                nearest=problem.nearest,
            )
        return None


#: What the fields with a triggered ability mean.
_TRIGGERED = {
    "play": "Triggers when the creature comes into play (R52).",
    "attack": "Triggers when the creature attacks (R52).",
    "play_attack": "The combined header, in place of `play` and `attack`: both triggers (R52).",
    "defeated": "Triggers when the creature is defeated (R52).",
    "action": "Can be activated as a turn action, if it would do something (R98, R99).",
    "discarded": "Triggers when the card is put into your discard pile from anywhere (R107).",
    "end_of_turn": "Triggers at the end of every turn; `if it is your turn,` narrows it (R22).",
    "mindbug_used": "Triggers when the opponent uses a Mindbug, before it takes effect (R36).",
    "exhausted": "Performed as soon as it becomes exhausted (C45); only `this becomes …` can be.",
}
#: The fields of a card in the order in which they are written.
CARD_FIELDS: dict[str, Field] = {
    "name": Name(
        meaning="The printed name: 1 to 60 printable characters, different for every card of the"
        " file."
    ),
    "power": Whole(schema.MIN_POWER, schema.MAX_POWER, meaning="The printed power: 1 to 99."),
    "keywords": Keywords(
        default=frozenset(), meaning="The printed keywords, a list; may be left out."
    ),
    "copies": Whole(
        *(0, schema.MAX_COPIES),
        default=1,
        meaning="How many copies are in the pool (R7): 1 to 20, 0 for a later stage; 1 if left"
        " out.",
    ),
    "dice": Whole(
        *(0, schema.MAX_DICE),
        default=0,
        meaning="How many dice symbols the card has (R113): 0 to 2; 0 if left out.",
    ),
    "evolves_to": CardId(
        default=None,
        meaning="The id of the next stage, a card of this file with `copies = 0` (R101).",
    ),
    "text": CardLine(
        default=(),
        meaning="The rules box as printed, trigger words and all, in place of the fields below.",
    ),
    "cost": Whole(
        *(0, schema.MAX_COST),
        meaning="The price of a power card in energy (R109): 0 to 99, in place of `power`.",
    ),
    **{name: CardLine(default=(), meaning=meaning) for name, meaning in _TRIGGERED.items()},
    "constant": CardLines(
        default=(),
        meaning="Works all the time that the creature is in play (R84); a line or a list.",
    ),
    "in_discard": CardLines(
        default=(),
        meaning="Works while the card lies in a discard pile (R106); a line or a list.",
    ),
    "bought": CardLine(meaning="The effect of a power card (R110)."),
}

#: The fields of a power card; all others belong to creatures.
POWER_CARD_FIELDS = ("name", "copies", "cost", "bought", "text")
CREATURE_FIELDS = tuple(name for name in CARD_FIELDS if name not in ("cost", "bought"))

#: Fields that hold a triggered ability, with its triggers; a combined header gives both (R52).
TRIGGER_FIELDS = {
    "play": (Trigger.PLAY,),
    "attack": (Trigger.ATTACK,),
    "play_attack": (Trigger.PLAY, Trigger.ATTACK),
    "defeated": (Trigger.DEFEATED,),
    "action": (Trigger.ACTION,),
    "discarded": (Trigger.DISCARDED,),
    "end_of_turn": (Trigger.END_OF_TURN,),
    "mindbug_used": (Trigger.MINDBUG_USED,),
    "exhausted": (Trigger.EXHAUSTED,),
}
