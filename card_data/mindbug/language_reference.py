"""The reference page of the card language, made from the grammar that the parser uses."""

import json
import re
from collections.abc import Iterator

from attrs import frozen

from card_data.card_reader import CARD_FIELDS, MAX_CONSTANTS
from card_data.loader import MAX_FILE_BYTES, parse_set
from card_data.mindbug.language import GRAMMAR, MAX_INSTRUCTIONS
from card_data.mindbug.rules_text import rules_text

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

[tide_caller]
name = "Tide Caller"
power = 7
copies = 1
play_attack = "steal a random card"
constant = [
    "during your turn, other allied creatures have +1 power",
    "while your Mindbugs = 0, this has SNEAKY",
]
"""

_PAGE = """\
# The card language

*Made by `card_data.mindbug.language_reference` from the grammar of the parser. Do not edit.*

A set of cards is one TOML file: the name of the set, then one table for each card, headed by the
card's id (letters a-z, digits and `_`). An ability is one line of the card language. Numbers such
as R45 are those of the rules text. The source of an ability is the creature that has it; "you" are
the player who controls it, or controlled it when the ability triggered (R53).

```toml
{example}```

## Fields of a card

| field | meaning | in the example |
|---|---|---|
{fields}

At most {instructions} instructions in a line, {constants} constant lines on a card and {size} bytes
in a file.

## How to read the rest

Words may be written in any case and with any white space; `balancelab cards format` writes them
canonically. A name in *italics* stands for any line of the part with that name, `x` / `y` for one
of the two. What stands in (parentheses) may be left out, with an asterisk also be repeated. Below
each line is an example, and what a card with it says.
{parts}"""


@frozen
class Entry:
    """One alternative of the grammar with its documentation; ``name`` is that of its tree node."""

    rule: str
    name: str
    words: str
    meaning: str
    field: str
    line: str


def entries() -> Iterator[str | Entry]:
    """The titles and the documented alternatives of the grammar, in its order."""
    rule, meaning, example = "", "", ""
    for line in map(str.strip, GRAMMAR.splitlines()):
        if title := re.match(r"// -+ (.+)", line):
            yield title[1]
        elif line.startswith("//:"):
            meaning = " ".join([meaning, *line[3:].split()]).strip()
        elif line.startswith("//>"):
            example = line[3:].strip()
        elif meaning:
            match = re.fullmatch(r"(?:(\w+):|\|)? *(.*?) *(?:-> (\w+))?", line)
            assert match is not None
            rule = match[1] or rule
            field, _, text = example.partition(": ")
            yield Entry(rule, match[3] or rule, match[2], meaning, field, text)
            meaning = ""


def language_reference() -> str:
    """The reference page, as Markdown; ``docs/card_language.md`` holds a copy."""
    return _PAGE.format(
        example=EXAMPLE,
        fields="\n".join(_field(name, meaning) for name, meaning in CARD_FIELDS.items()),
        instructions=MAX_INSTRUCTIONS,
        constants=MAX_CONSTANTS,
        size=f"{MAX_FILE_BYTES:,}",
        parts="".join(_parts()),
    )


def _field(name: str, meaning: str) -> str:
    example = re.search(rf"^{name} = .+", EXAMPLE.partition("[")[2], re.MULTILINE)
    assert example is not None
    return f"| `{name}` | {meaning} | `{example[0]}` |"


def _parts() -> Iterator[str]:
    rule = ""
    for entry in entries():
        if isinstance(entry, str):
            yield f"\n## {entry.capitalize()}\n"
            continue
        if entry.rule != rule:
            rule = entry.rule
            yield f"\n### {rule}\n"
        yield f"\n- {_syntax(entry.words)}: {entry.meaning}\n"
        yield f"  `{_field_line(entry)}` says: *{example_text(entry)}*\n"


def _field_line(entry: Entry) -> str:
    return f"{entry.field} = {json.dumps(entry.line)}"


def _syntax(words: str) -> str:
    """An alternative of the grammar, as the page shows it."""
    if words.startswith("/"):
        return "digits"
    words = re.sub(r"\(([^()]*\|[^()]*)\)(?![?*])", r"\1", words)
    words = re.sub(r'("\w+")\?', r"(\1)", words).replace(")?", ")").replace("|", "/")
    words = words.replace(")*", r")\*")
    words = re.sub(r'(?<!["\w])(\w+)(?!["\w])', r"*\1*", words)
    words = re.sub(r'"([^"]*)"', r"`\1`", words).replace("` `", " ").replace(" ,", ",")
    return words or "(nothing)"


def example_text(entry: Entry) -> str:
    """What a card with the example of an entry says."""
    card_set = parse_set(f'name = "x"\n[x]\nname = "x"\npower = 1\n{_field_line(entry)}\n')
    return " ".join(rules_text(card_set.cards[0]))
