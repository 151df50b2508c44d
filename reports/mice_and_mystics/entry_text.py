"""What entries say, in words: from the fields and meanings that they are registered with."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from card_data.mice_and_mystics.entries import DIE, KINDS, EntryKind
from card_data.mice_and_mystics.facts import Ability, Effect, Entry, Group, Tile
from card_data.mice_and_mystics.operations import Number, form_of, is_fixed
from card_data.mice_and_mystics.values import (
    GROUPS,
    PRICES,
    Bands,
    Cost,
    Effects,
    Field,
    Record,
    Records,
    Text,
    TileId,
    TileIds,
    Whole,
    Word,
    Words,
    YesNo,
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
    kind = _kind(entry)
    held = kind.take(entry)
    # An entry that has figures or a card of its own names itself there.
    fields = [field for field in kind.fields if held[field.name] != entry.id]
    return DOT.join([_plain(kind.word), *_short_fields(fields, held)])


def entry_lines(entry: Entry) -> list[str]:
    """What takes more room: what it does, its minions, and where and how a chapter is played."""
    if isinstance(entry, Tile):
        return []
    kind = _kind(entry)
    held = kind.take(entry)
    place = kind.place(held)
    return [
        capital(line)
        for field in kind.fields
        for line in _lines(field, held[field.name], place)
        if held[field.name] != field.default
    ]


def _kind(entry: Entry) -> EntryKind:
    return next(kind for kind in (*KINDS.values(), DIE) if kind.cls is type(entry))


def _short_fields(fields: Sequence[Field], held: Mapping[str, Any]) -> Iterator[str]:
    """The fields that a word or a number tells, as far as they are not as usual."""
    for field in fields:
        value = held[field.name]
        if value != field.default and (text := _short(field, value)):
            yield text


def _short(field: Field, value: Any) -> str:
    """A field in a few words; "" for one that takes more."""
    name, kind = _plain(field.name), field.kind
    if isinstance(kind, YesNo):
        return field.reads or name if value else f"not {name}"
    if isinstance(kind, Whole | Word | Text | TileId):
        return _read(field, _plain(str(value)))
    if isinstance(kind, Words | TileIds):
        return _read(field, ", ".join(map(_plain, value)) or "none")
    if kind is PRICES:
        return _read(field, ", ".join(f"{_plain(who)} {cost}" for who, cost in value))
    return _read(field, _price(value)) if isinstance(kind, Cost) else ""


def _read(field: Field, value: str) -> str:
    """What a field holds, as people read it."""
    one, bar, many = field.reads.partition("|")
    words = many if bar and value != "1" else one
    return (words or f"{_plain(field.name)} {{}}").format(value)


def _lines(field: Field, value: Any, place: str) -> Iterator[str]:
    """The lines of a field that takes more."""
    name, kind = _plain(field.name), field.kind
    if isinstance(kind, Effects):
        yield from (effect_text(one, place) for one in value)
    elif isinstance(kind, Bands):
        for band in value:
            pages = f"{band.first} to {band.last}" if band.last else f"{band.first} and later"
            yield f"pages {pages}: {_minions(band.minions)}"
    elif kind is GROUPS:
        yield f"{name}: {_minions(value)}"
    elif isinstance(kind, Record):
        yield f"{name}: {_record(kind, value)}"
    elif isinstance(kind, Records):
        yield from (f"{name}: {_record(kind.one, one)}" for one in value)


def _record(kind: Record, value: Any) -> str:
    """A table inside an entry."""
    held = {field.name: getattr(value, field.name) for field in kind.fields}
    more = [
        _read(field, _minions(held[field.name]))
        for field in kind.fields
        if field.kind is GROUPS and held[field.name]
    ]
    return ", ".join([*_short_fields(kind.fields, held), *more])


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
