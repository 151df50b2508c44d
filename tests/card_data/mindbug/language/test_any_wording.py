"""Any wording of the phrase table: what is read of it can be said, and says the same again."""

import random
from collections.abc import Iterable, Iterator

import pytest

from card_data.mindbug.language.parser import LanguageError, parse_field
from card_data.mindbug.language.phrases import table
from card_data.mindbug.language.rules_text import format_ability
from card_data.phrases import CARDINAL, NUMBER, PAIRED, SIGNED, Element, Maybe, Word

FIELDS = ("play", "attack", "defeated", "end_of_turn", "bought", "constant", "in_discard")
_NUMBERS = {NUMBER: "{0}", CARDINAL: "{0}", SIGNED: "+{0}", PAIRED: "+{0}/+{0}"}
_DEEP = 7  # so far down short templates are preferred, so that lines end


def _words(category: str, luck: random.Random, depth: int) -> Iterator[str]:
    """Words of a random template of a category."""
    if category in _NUMBERS:
        yield _NUMBERS[category].format(luck.randint(1, 5))
        return
    templates = [
        table().elements(template)
        for phrase in table().categories[category]
        for several in phrase.templates.values()
        for template in several
    ]
    weights = [1.0 if depth < _DEEP else 1 / (1 + len(one)) ** 2 for one in templates]
    yield from _filled(luck.choices(templates, weights)[0], luck, depth)


def _filled(elements: Iterable[Element], luck: random.Random, depth: int) -> Iterator[str]:
    for element in elements:
        if isinstance(element, Word):
            yield luck.choice(sorted(element.keys) or [""])
        elif isinstance(element, Maybe):
            yield from _filled(element.elements, luck, depth) if luck.random() < 0.5 else ()
        else:
            least = 0 if element.many and not element.joined else 1
            for number in range(luck.choice([least, 1, 1, 2]) if element.many else 1):
                yield element.joined if number else ""
                yield from _words(element.category, luck, depth + 1)


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_read_can_be_said_and_says_the_same(field: str) -> None:
    """A side, a number or a check that some wording loses would be lost without a word."""
    luck, n_read = random.Random(field), 0
    category = field if field in ("constant", "in_discard") else "triggered"
    for _ in range(400):
        try:
            line = " ".join(filter(None, _words(category, luck, 0)))
            read = parse_field(field, line)
        except (LanguageError, RecursionError):
            continue
        n_read += 1
        for ability in read:
            assert parse_field(field, format_ability(ability)) == [ability], line
    assert n_read >= 40
