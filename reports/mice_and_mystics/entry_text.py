"""What entries say, in words: from the fields and meanings that they are registered with."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from card_data.mice_and_mystics.entries import SCHEMA
from card_data.mice_and_mystics.facts import Ability, Effect, Entry, Group, Tile
from card_data.mice_and_mystics.operations import Number, form_of, is_fixed
from card_data.mice_and_mystics.values import Bands, Cost, Effects, Groups, TileId
from card_data.schema.fields import (
    Choice,
    Counts,
    Field,
    Flag,
    ListOf,
    Record,
    Text,
    Whole,
    Words,
)
from reports.kit.words import DOT, capital, listed
from reports.mice_and_mystics.rooms.room_text import room_title

# A meaning names the rule that it follows, which no card does.
_RULE = re.compile(r" \(M\d+\)")
# How a meaning, which is written for any number, reads for one and for less than none.
_OF_NUMBERS = (
    ("; less than 0 takes them", ""),
    (r"-(\d+) more (move|lore)", r"\1 less \2"),
    (r"-(\d+) more", r"\1 fewer"),
    (r"\b1 (more|fewer) dice", r"1 \1 die"),
    (r"\b1 (normal )?wounds\b(.*)\bare\b", r"1 \1wound\2is"),
    (r"\b1 (normal )?wounds\b", r"1 \1wound"),
)


def ability_text(ability: Ability) -> str:
    """What an ability costs, when it can be used, and what it does."""
    price = _price((ability.cost, ability.cost_most))
    does = ", ".join(_meaning(effect, "ability") for effect in ability.effect)
    return f"{price} cheese, {_plain(ability.timing)}: {does}"


def effect_text(effect: Effect, place: str) -> str:
    """What an operation does in one of `operations.PLACES`, with its numbers and words."""
    form = form_of(effect, place)
    words = [
        f"{_plain(one.name)} {_plain(str(effect.get(one.name, one.default)).lower())}"
        for one in form.fields
        if not (isinstance(one, Number) or is_fixed(one) or one in form.marks)
    ]
    said = _meaning(effect, place)
    return f"{said} ({', '.join(words)})" if words else said


def _meaning(effect: Effect, place: str) -> str:
    """What an operation does, with its numbers."""
    form = form_of(effect, place)
    numbers = {one.name: one.default for one in form.fields if isinstance(one, Number)}
    numbers |= dict(effect.given)
    meaning = _RULE.sub("", form.meaning)
    said = re.sub(r"`(\w+)`", lambda found: str(numbers[found[1]]), meaning)
    for pattern, words in _OF_NUMBERS:
        said = re.sub(pattern, words, said)
    return said


def entry_facts(entry: Entry) -> str:
    """An entry in one line: "hero · warrior · battle 2 · defense 1"."""
    if isinstance(entry, Tile):
        return f"room {room_title(entry)}"
    kind = SCHEMA.kind_of(entry)
    held = kind.held(entry)
    # An entry that has figures or a card of its own names itself there.
    fields = {name: field for name, field in kind.fields.items() if held[name] != entry.id}
    return DOT.join([_plain(kind.word), *_short_fields(fields, held)])


def entry_lines(entry: Entry) -> list[str]:
    """What takes more room: what it does, its minions, and where and how a chapter is played."""
    if isinstance(entry, Tile):
        return []
    kind = SCHEMA.kind_of(entry)
    held = kind.held(entry)
    return [
        capital(line)
        for name, field in kind.fields.items()
        for line in _lines(_plain(name), field, held[name], held)
        if held[name] != field.default
    ]


def _short_fields(fields: Mapping[str, Field], held: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a word or a number tells, as far as they are not as usual."""
    for name, field in fields.items():
        value = held[name]
        if value != field.default and (text := _short(_plain(name), field, value)):
            yield text


def _short(name: str, field: Field, value: Any) -> str:
    """A field in a few words; "" for one that takes more."""
    if isinstance(field, Flag):
        return field.reads or name if value else f"not {name}"
    if isinstance(field, Whole | Choice | Text | TileId):
        return _read(name, field, _plain(str(value)))
    if isinstance(field, Words) or (isinstance(field, ListOf) and isinstance(field.one, TileId)):
        return _read(name, field, ", ".join(map(_plain, value)) or "none")
    if isinstance(field, Counts) and not isinstance(field, Groups):
        return _read(name, field, ", ".join(f"{_plain(who)} {cost}" for who, cost in value))
    return _read(name, field, _price(value)) if isinstance(field, Cost) else ""


def _read(name: str, field: Field, value: str) -> str:
    """What a field holds, as people read it."""
    one, bar, many = field.reads.partition("|")
    words = many if bar and value != "1" else one
    return (words or f"{name} {{}}").format(value)


def _lines(name: str, field: Field, value: Any, held: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a field that takes more."""
    if isinstance(field, Effects):
        yield from (effect_text(one, field.place_in(held)) for one in value)
    elif isinstance(field, Bands):
        for band in value:
            pages = f"{band.first} to {band.last}" if band.last else f"{band.first} and later"
            yield f"pages {pages}: {_minions(band.minions)}"
    elif isinstance(field, Groups):
        yield f"{name}: {_minions(value)}"
    elif isinstance(field, Record):
        yield f"{name}: {_record(field, value)}"
    elif isinstance(field, ListOf) and isinstance(field.one, Record):
        yield from (f"{name}: {_record(field.one, one)}" for one in value)


def _record(record: Record, value: Any) -> str:
    """A table inside an entry."""
    held = {name: getattr(value, name) for name in record.fields}
    more = [
        _read(_plain(name), field, _minions(held[name]))
        for name, field in record.fields.items()
        if isinstance(field, Groups) and held[name]
    ]
    return ", ".join([*_short_fields(record.fields, held), *more])


def _minions(groups: tuple[Group, ...]) -> str:
    """Some minions: "4 × roach and 1 × spider"."""
    return (
        listed(f"{group.count} \N{MULTIPLICATION SIGN} {_plain(group.type)}" for group in groups)
        or "nobody"
    )


def _price(cost: tuple[int, int]) -> str:
    """A price in cheese."""
    least, most = cost
    return f"{least} to {most}" if most > least else f"{least}"


def _plain(word: str) -> str:
    return word.replace("_", " ")
