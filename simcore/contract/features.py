"""What a seat sees of a game, as numbers in a fixed order: what the player ``learned`` goes by.

They follow from the declarations.  Seats come in their order from the one that looks; what it does
not see counts as nothing.  Whatever has to do with entries, such as the cards in a hand, is the sum
of their rows: numbers, flags and words of their fields and, where entries are few, which ones they
are.  The compiled form has the same numbers (`simcore.contract.compiled.sight`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from card_data.schema import Entry
from card_data.schema.fields import Choice as WordField
from card_data.schema.fields import Flag as FlagField
from card_data.schema.fields import Real, Whole, Words
from simcore.contract.state import Cards, Choice, Number, is_seen

#: The most entries that have a number each, beside what they have.
MOST_SINGLE = 64


def rows_of(kinds: Sequence[Any], cards: Sequence[Entry]) -> np.ndarray:
    """The row of each entry: shape (entries, numbers)."""
    columns: list[list[float]] = []
    for name in dict.fromkeys(name for kind in kinds for name in kind.fields):
        fields = {kind.word: kind.fields[name] for kind in kinds if name in kind.fields}
        there = [
            _numbers_in(fields[card.kind], getattr(card, name)) if card.kind in fields else {}
            for card in cards
        ]
        words = dict.fromkeys(word for one in fields.values() for word in _words_of(one))
        columns += [[one.get(word, 0.0) for one in there] for word in words]
    columns += _single(kinds, cards)
    return np.array(columns).reshape(len(columns), len(cards)).T.copy()


def _single(kinds: Sequence[Any], cards: Sequence[Entry]) -> list[list[float]]:
    """A column for each entry, and for some that may be added; none where they are many."""
    columns: list[list[float]] = []
    for kind in kinds:
        ids = [card.id for card in cards if card.kind == kind.word]
        ids += [""] * (rounded_up(len(ids)) - len(ids))
        columns += [
            [float((card.kind, card.id) == (kind.word, one)) for card in cards] for one in ids
        ]
    return columns if len(columns) <= MOST_SINGLE else []


def rounded_up(n: int) -> int:
    """The next power of two: a few entries more change nothing of what is as large."""
    return 1 << max(n - 1, 0).bit_length()


def _words_of(field: Any) -> Sequence[str]:
    """What a field has a number for: its words, or "" where it is a number itself."""
    if isinstance(field, Whole | Real | FlagField):
        return [""]
    return field.words if isinstance(field, WordField | Words) else ()


def _numbers_in(field: Any, value: Any) -> dict[str, float]:
    """What a field of an entry says, as numbers by word."""
    if isinstance(field, Whole | Real | FlagField):
        return {"": float(value)} if isinstance(value, int | float) else {}
    return dict.fromkeys([value] if isinstance(value, str) else value, 1.0) if value else {}


def seen_by(rules: Any, seat: int, table: Any) -> np.ndarray:
    """The numbers that a seat sees of a game of a table."""
    acting = rules.__dict__["acting"]
    acts = seat == acting or (type(acting) is tuple and seat in acting)
    order = [(seat + ahead) % rules.seats for ahead in range(rules.seats)]
    found = [float(acts)]
    for kind in table.game.kinds:
        if kind.each_seat:
            for one in order:
                found += _sum_of_rows(table, [(rules.setup.of(one, kind.word), 1)])
    for name, one in rules._declared.items():
        value = rules.__dict__[name]
        for owner in order if one.per_seat else [None]:
            held = value if owner is None else value[owner]
            if isinstance(one, Cards):
                found += _of_zone(table, held, seat)
            else:
                there = [*_flat(table, one, held)]
                sees = not isinstance(one, Number) or is_seen(one.seen_by, owner, seat)
                found += there if sees else [0.0] * len(there)
    return np.array(found)


def _of_zone(table: Any, zone: Any, seat: int) -> list[float]:
    """How many cards a zone has, the rows of those that a seat sees, and their marks."""
    places = [place for place in range(len(zone)) if zone.sees(seat, place)]
    rows = _sum_of_rows(table, [(zone[place], 1) for place in places])
    marks = [
        float(sum(getattr(zone, mark)[place] for place in places)) for mark in zone.declared.marks
    ]
    return [float(len(zone)), *rows, *marks]


def _sum_of_rows(table: Any, cards: Sequence[tuple[Entry, int]]) -> list[float]:
    found = np.zeros(table.rows.shape[1])
    for card, n in cards:
        found += n * table.rows[table.places[card]]
    return found.tolist()


def _flat(table: Any, one: Any, value: Any) -> Iterator[float]:
    """The numbers of a declared number or word."""
    if isinstance(value, dict) and any(isinstance(key, Entry) for key in value):
        yield from _sum_of_rows(table, [*value.items()])
    elif isinstance(value, dict):
        yield from map(float, value.values())
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(table, one, inner)
    elif isinstance(one, Choice):
        yield from (float(word == value) for word in one.words)
    else:
        yield float(value)
