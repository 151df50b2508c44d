"""Entries with other values, priced by a list: near a target, and as the numbers of a formula."""

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from analysis.mixed_model import FREE
from analysis.questions.price_batches import (
    ENTRY,
    NUMBER,
    PAIR,
    SQUARE,
    VALUE,
    EntryDescriber,
    Played,
    PriceBatches,
    is_number,
)
from analysis.questions.price_list import Price, Pricer
from card_data.schema.kinds import Kind
from simcore.arrays import Floats

# Designs whose intervals are asked for: the nearest by their means.
_NEAREST = 100


@frozen
class Design:
    """An entry with one or two other values, what it is instead of what, and its price."""

    changes: tuple[tuple[str, Any, Any], ...]
    price: Price


def designs(pricer: Pricer, played: Played, target: float, kept: Collection[str]) -> list[Design]:
    """An entry with up to two other values, those priced nearest to ``target`` points first.

    Of two that are as near to a tenth of a point, the one with fewer changes comes first.  ``kept``
    are the labels of values that stay.
    """
    describer = pricer.describer
    assert isinstance(describer, EntryDescriber)
    batches = describer.batches
    made: dict[Any, _Made] = {}
    for one in _changed(batches, played, kept, most=2):
        made.setdefault(one.entry, one)
    every = [*made.values()]
    described = [[*describer.features(Played(played.kind, one.entry))] for one in every]
    means = pricer.columns.matrix(described) @ pricer.model.effects

    def rank(at: int) -> tuple[float, int]:
        return round(abs(float(means[at]) - target), 1), len(every[at].changes)

    found = []
    for at in sorted(range(len(every)), key=rank)[:_NEAREST]:
        price = pricer.price(Played(played.kind, every[at].entry))
        if price.price is not None:
            found.append(Design(every[at].changes, price))
    return found


@frozen
class _Made:
    """An entry with changes: the label of each value, what it was and what it is."""

    entry: Any
    changes: tuple[tuple[str, Any, Any], ...]


def _changed(
    batches: PriceBatches[Any], played: Played, kept: Collection[str], most: int, after: str = ""
) -> Iterator[_Made]:
    """An entry with up to ``most`` other values, of those that come ``after`` a path."""
    values = [one for one in batches.values(played) if one.label not in kept]
    paths = [one.path for one in values]
    first = paths.index(after) + 1 if after in paths else 0
    for one in values[first:]:
        for to in one.others:
            entry, change = one.put(to), (one.label, one.value, to)
            yield _Made(entry, (change,))
            if most > 1:
                others = Played(played.kind, entry)
                for more in _changed(batches, others, kept, most - 1, one.path):
                    yield _Made(more.entry, (change, *more.changes))


class Coded(NamedTuple):
    """What a formula counts: a number with its range, or one of the values in a field.

    ``value`` is None for a number; ``path`` and ``label`` are those of the parameter.
    """

    path: str
    label: str
    value: Any
    low: float
    high: float


@frozen
class Formula:
    """What the price of entries of a kind is: constant + own + x @ linear + x @ pairs @ x, points.

    ``x`` has a place for each of ``coded``: where a number lies in its range, from -1 to 1, or 1
    for a value that the entry has; 0 where it has no such thing.  ``own`` is by the id of the
    entry, ``linear`` has shape (n,) and ``pairs`` (n, n), with squares on its diagonal.
    """

    coded: tuple[Coded, ...]
    constant: float
    own: dict[str, float]
    linear: Floats
    pairs: Floats


def formula_of(pricer: Pricer, kind: Kind) -> Formula:
    """The formula of a list for a kind of entries."""
    describer = pricer.describer
    assert isinstance(describer, EntryDescriber)
    word, mine = kind.word, [one for one in describer.batches.entries if one.kind.word == kind.word]
    names: dict[str, Coded] = {}
    for played in mine:
        for one in describer.batches.values(played):
            known = [one.value, *one.others]
            if not is_number(one):
                for value in known:
                    name = f"{word}.{one.path} = {value}"
                    names.setdefault(name, Coded(one.path, one.label, value, 0, 0))
            elif one.others:
                number = Coded(one.path, one.label, None, min(known), max(known))
                names.setdefault(f"{word}.{one.path}", number)

    def known_to_be(block: str, name: str) -> float:
        return pricer.points.get((block, name), 0.0)

    linear = [known_to_be(NUMBER, one) + known_to_be(VALUE, one) for one in names]
    pairs = np.diag(np.array([known_to_be(SQUARE, one) for one in names]))
    for (i, name), (j, other) in combinations(enumerate(names), 2):
        pairs[i, j] = known_to_be(PAIR, f"{name} with {other}")
    return Formula(
        tuple(names.values()),
        known_to_be(FREE, f"any {word}"),
        {one.entry.id: known_to_be(ENTRY, f"{word} {one.entry.id}") for one in mine},
        np.array(linear),
        pairs,
    )
