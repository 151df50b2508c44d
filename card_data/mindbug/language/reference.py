"""The reference page of the card language, made from its phrase table."""

import json
import re
from collections.abc import Iterable, Iterator

from card_data.mindbug.card_fields import CARD_FIELDS, MAX_CONSTANTS
from card_data.mindbug.language.checks import MAX_INSTRUCTIONS
from card_data.mindbug.language.phrases import table
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.loader import parse_set
from card_data.mindbug.schema import MAX_CARDS, CardSet
from card_data.phrases import CANONICAL, READ, Element, Maybe, Phrase, Word
from card_data.toml_files import MAX_FILE_BYTES, MAX_LINE

#: A file in which every field of a card occurs.
EXAMPLE = """\
name = "My Cards"

[marsh_lantern]
name = "Marsh Lantern"
power = 5
keywords = ["POISONOUS", "TOUGH"]
copies = 2
play = "gain 1 life"
attack = "if your life < the opponent's life, defeat an enemy creature with power <= 4"
defeated = "lose 1 life, then the opponent discards a card"
constant = "other allied creatures have +1 power"
in_discard = "enemy creatures with power >= 8 cannot block"

[moth_child]
name = "Moth Child"
power = 2
copies = 1
evolves_to = "moth_queen"
action = "the opponent loses 1 life, then evolve this"
discarded = "gain 1 life"
exhausted = "choose one: this becomes power 4; or this becomes power 1 with SNEAKY"
in_discard = [
    "allied creatures have +1 power",
    "when you lose life, you may play this",
]

[moth_queen]
name = "Moth Queen"
power = 9
copies = 0
dice = 1
end_of_turn = "if it is your turn, gain 1 life"
mindbug_used = "boost up to 1 card to this"

[tide_caller]
name = "Tide Caller"
power = 7
copies = 1
play_attack = "choose one: steal a random card; or a creature cannot block this turn"
constant = [
    "during your turn, other allied creatures have +1 power",
    "while your Mindbugs = 0, this has SNEAKY",
]

[sudden_fog]
name = "Sudden Fog"
copies = 2
cost = 3
bought = "allied creatures have SNEAKY this turn"
"""

_PAGE = """\
# The card language

*Made by `card_data.mindbug.language.reference` from the phrase table. Do not edit.*

A set of cards is one TOML file: the name of the set, then one table for each card, headed by the
card's id (letters a-z, digits and `_`). An ability is one line of the card language. Numbers such
as R45 are those of the rules text. The source of an ability is the creature that has it; "you" are
the player who controls it, or controlled it when the ability triggered (R53).

A card with a `cost` is a power card; it has `name`, `copies`, `cost` and `bought` and no other
fields. A power card, and a card in a discard pile, is not a creature, so in its lines there is no
`this` and no `other`. A line that makes a card evolve needs `evolves_to`; evolution lines have two
or three stages, and no two cards evolve into the same one.

```toml
{example}```

## Fields of a card

| field | meaning | in the example |
|---|---|---|
{fields}

At most {instructions} instructions and {characters} characters in a line, {constants} constant
lines on a card, {cards} cards and {size} bytes in a file.

## How to read the rest

The language has two registers that mean the same: short lines, which `fairdeal cards format`
writes, and what a card says, which it writes with `--as-printed`. Both are read everywhere, with or
without the trigger word in front, capitals, articles and full stop; numbers may be words. The
fields above hold one ability each, `text` a whole rules box.

A name in *italics* stands for any line of the part with that name, `x/y` for one of the two words.
*NUMBER* is a whole number from 1 to 99, *CARDINAL* one from 0, *SIGNED* has its sign, and *PAIRED*
has it twice, as in `+1/+1`.
What stands in (parentheses) may be left out, and what is followed by (…) may be repeated. Below
each short line stand further wordings that are read, an example, and what a card with it says.
{parts}"""


def documented() -> list[Phrase]:
    """The phrases of the table that the page describes, in its order."""
    return [phrase for phrase in table().phrases if phrase.meaning]


def language_reference() -> str:
    """The reference page, as Markdown; ``docs/card_language.md`` holds a copy."""
    return _PAGE.format(
        example=EXAMPLE,
        fields="\n".join(_field(name, field.meaning) for name, field in CARD_FIELDS.items()),
        instructions=MAX_INSTRUCTIONS,
        constants=MAX_CONSTANTS,
        characters=f"{MAX_LINE:,}",
        cards=f"{MAX_CARDS:,}",
        size=f"{MAX_FILE_BYTES:,}",
        parts="".join(_parts()),
    )


def _field(name: str, meaning: str) -> str:
    found = re.search(rf"^{name} = .+", EXAMPLE.partition("[")[2], re.MULTILINE)
    shown = (
        found[0] if found else 'text = "TOUGH. Play: Gain 1 life. Your creatures have +1 power."'
    )
    return f"| `{name}` | {meaning} | `{shown}` |"


def _parts() -> Iterator[str]:
    section = category = ""
    for phrase in documented():
        if phrase.section != section:
            section, category = phrase.section, ""
            yield f"\n## {section.capitalize()}\n"
        if phrase.category != category:
            category = phrase.category
            yield f"\n### {category}\n"
        words = " / ".join(map(_syntax, phrase.templates.get(CANONICAL, ["-"])))
        yield f"\n- {words}: {' '.join(phrase.meaning)}\n"
        if more := phrase.templates.get(READ):
            yield f"  Also read: {'; '.join(map(_syntax, more))}.\n"
        yield f"  `{_field_line(phrase)}` says: *{example_text(phrase)}*\n"


def example(phrase: Phrase) -> tuple[str, str]:
    """The field and the line of a phrase's example."""
    name, _, line = " ".join(phrase.example).partition(": ")
    return name, line


def _field_line(phrase: Phrase) -> str:
    name, line = example(phrase)
    return f"{name} = {json.dumps(line)}"


def _syntax(template: str) -> str:
    """A template as the page shows it."""
    return _shown(table().elements(template)) or "(nothing)"


def _shown(elements: Iterable[Element]) -> str:
    shown = ""
    for element in elements:
        if isinstance(element, Word):
            first = element.one.casefold(), "a"
            words = sorted(element.keys, key=lambda word: (word not in first, word))
            said = f"`{'/'.join(words if len(words) > 1 else [element.one])}`"
        elif isinstance(element, Maybe):
            said = f"({_shown(element.elements)})"
        else:
            said = f"*{element.category.replace('|', '* / *')}*"
            if element.many:
                said += " (…)" if not element.joined else f" (`{element.joined}` …)"
        shown += f" {said}" if shown else said
    return re.sub(r"` `(?![,:;.])", " ", shown).replace("` `", "")


def example_set(phrase: Phrase) -> CardSet:
    """A set with a card that has the example of a phrase, and its next stage if it evolves."""
    name, line = example(phrase)
    price = "cost" if name == "bought" else "power"
    text = f'name = "x"\n[x]\nname = "x"\n{price} = 1\n{_field_line(phrase)}\n'
    if "evolve" in line:
        text += 'evolves_to = "y"\n[y]\nname = "y"\npower = 1\ncopies = 0\n'
    return parse_set(text)


def example_text(phrase: Phrase) -> str:
    """What a card with the example of a phrase says."""
    card_set = example_set(phrase)
    cards = card_set.power_cards or card_set.cards
    return " ".join(rules_text(cards[0]))


if __name__ == "__main__":
    print(language_reference(), end="")
