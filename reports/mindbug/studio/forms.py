"""The form of card files, made of their schema, and what can be written in their fields."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

from card_data.toml_places import KeyPath
from reports.studio.form import Field, Forms, Kind, Offer, Offers, fields_of

_CREATURE, _POWER_CARD = "creature", "power card"
_NEW = "[{id}]\nname = {name}\npower = 5\ncopies = 2\n"
_NEW_POWER_CARD = '[{id}]\nname = {name}\ncopies = 1\ncost = 3\nbought = "gain 1 life"\n'
_TABLE = re.compile(r"^\[\w+\]\n(?:.+\n)+", re.MULTILINE)


@cache
def forms() -> Forms:
    """The forms of card files."""
    from card_data.mindbug.card_fields import CREATURE_FIELDS, POWER_CARD_FIELDS
    from card_data.mindbug.file_schema import card_file_schema

    schema = card_file_schema()
    card = schema["additionalProperties"]
    fields = {one.name: one for one in fields_of(card, _offers(card["properties"]))}
    return Forms(
        fields_of(schema, {}),
        {
            _CREATURE: _kind(_CREATURE, fields, CREATURE_FIELDS, _NEW, creatures=True),
            _POWER_CARD: _kind(
                _POWER_CARD, fields, POWER_CARD_FIELDS, _NEW_POWER_CARD, creatures=False
            ),
        },
        _kind_of,
        {_CREATURE: [(_CREATURE, "evolves_to")]},
    )


def _kind(
    title: str, fields: Mapping[str, Field], names: Sequence[str], lines: str, *, creatures: bool
) -> Kind:
    return Kind(
        title, [fields[name] for name in names], lines, partial(shipped, creatures=creatures)
    )


def _kind_of(data: Mapping[str, Any]) -> dict[KeyPath, str]:
    """Whether each card is a creature, by the fields that only power cards have."""
    found: dict[KeyPath, str] = {}
    for card_id, table in data.items():
        if isinstance(table, dict):
            marks = len(table.keys() & {"cost", "bought"})
            is_creature = not marks or (marks == 1 and "power" in table)
            found[card_id,] = _CREATURE if is_creature else _POWER_CARD
    return found


@cache
def shipped(*, creatures: bool) -> Mapping[str, str]:
    """The lines of all cards that come with fairdeal by their names."""
    import tomllib

    from card_data.mindbug import available_sets, load_sets
    from card_data.mindbug.language.formatter import format_cards

    found: dict[str, str] = {}
    for card_set in load_sets(available_sets()):
        for lines in _TABLE.findall(format_cards(card_set)):
            ((path, kind),) = _kind_of(data := tomllib.loads(lines)).items()
            if (kind == _CREATURE) == creatures:
                found[data[path[0]]["name"]] = lines
    return dict(sorted(found.items()))


def _offers(names: Sequence[str]) -> Mapping[str, Offers]:
    """What the texts of cards can say: lines of the language, names and ids of cards."""
    from card_data.mindbug.card_fields import CARD_FIELDS, CardLine, CardLines

    lines = [name for name, one in CARD_FIELDS.items() if isinstance(one, CardLine | CardLines)]
    return {name: _line(name) for name in lines if name in names} | {
        "name": _names,
        "evolves_to": _ids,
    }


def _line(field: str) -> Offers:
    def offers(content: str, _ids: Sequence[str]) -> list[Offer]:
        from card_data.mindbug.language.next_words import next_in_box, next_words

        words = next_in_box(content) if field == "text" else next_words(content, field)
        return [Offer(*one) for one in words]

    return offers


def _names(content: str, _ids: Sequence[str]) -> list[Offer]:
    return _going_on(content, [*shipped(creatures=True), *shipped(creatures=False)])


def _ids(content: str, ids: Sequence[str]) -> list[Offer]:
    return _going_on(content, ids)


def _going_on(content: str, words: Sequence[str]) -> list[Offer]:
    """Those of the words that begin with what is there."""
    begun = content.casefold()
    return [
        Offer(len(content), word)
        for word in words
        if word.casefold().startswith(begun) and word != content
    ]
