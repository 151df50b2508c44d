"""Everything in entries that can be stepped, and entries with one thing changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen

from card_data.schema.fields import Field, Parameter, plain_words
from card_data.schema.kinds import Kind, Schema
from card_data.schema.loader import EntryTable, linked


@frozen(kw_only=True)
class Variable:
    """Something that can be changed: of an entry, or of how the game is played.

    Attributes
    ----------
    of
        The plural of a kind of entries, or another word.
    entry, name
        The id and the name of the entry; "" where it is of none.
    number
        Which one it is: a field and, where that holds several things, which of them, as in "life",
        "bands.1-2.roach" and "effect.battle.delta".
    value
        What it is.
    others
        Everything else that it can be: numbers upwards.
    confidence
        How sure the value is, in a word of its game; "" where it does not say.
    label
        What it is in words, without the name.
    """

    of: str
    entry: str = ""
    name: str = ""
    number: str
    value: Any
    others: tuple[Any, ...]
    confidence: str = ""
    label: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What no other variable has."""
        return self.of, self.entry, self.number


@frozen
class Change:
    """A variable with another value."""

    variable: Variable
    changed_to: Any

    @property
    def label(self) -> str:
        """The change in words: "Prince Collin: life 4 instead of 3"."""
        one = self.variable
        whose = f"{one.name}: " if one.name else ""
        return f"{whose}{one.label} {said(self.changed_to)} instead of {said(one.value)}"


def said(value: Any) -> Any:
    """A value for a reader: a number as it is, all else as words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int | float) else str(value)


def variables(schema: Schema, table: Mapping[str, Iterable[Any]]) -> list[Variable]:
    """Everything in entries that can be changed, in the order of the files."""
    return [
        variable_of(kind, entry, one)
        for word, kind in schema.kinds.items()
        for entry in table[word]
        for one in parameters(kind, entry)
        if one.others
    ]


def variable_of(kind: Kind, entry: Any, one: Parameter, confidence: str = "") -> Variable:
    """A parameter of an entry as a variable."""
    return Variable(
        of=kind.plural,
        entry=entry.id,
        name=entry.name,
        number=one.path,
        value=one.value,
        others=one.others,
        confidence=confidence,
        label=one.label,
    )


def variables_of(of: str, name: str, setting: Field, value: Any) -> Iterator[Variable]:
    """Everything in a setting that can be changed; ``of`` is the word for settings."""
    for one in setting.parameters(value, {}):
        if one.others:
            label = plain_words(name)
            yield Variable(of=of, number=name, value=value, others=one.others, label=label)


def steps(wanted: Iterable[Variable]) -> list[Change]:
    """One step on each variable: a number to its neighbours, all else each other way."""
    return [Change(one, to) for one in wanted for to in _near(one)]


def _near(one: Variable) -> Sequence[Any]:
    if isinstance(one.value, bool) or not isinstance(one.value, int | float):
        return one.others
    below = [other for other in one.others if other < one.value]
    above = [other for other in one.others if other > one.value]
    return [*below[-1:], *above[:1]]


def changed(schema: Schema, table: Mapping[str, tuple[Any, ...]], change: Change) -> EntryTable:
    """The entries with a change; several can be made one after the other."""
    one = change.variable
    kind = next(kind for kind in schema.kinds.values() if kind.plural == one.of)
    made = tuple(
        changed_entry(kind, entry, one.number, change.changed_to)
        if entry.id == one.entry
        else entry
        for entry in table[kind.word]
    )
    return linked(schema, {**table, kind.word: made})


def changed_entry(kind: Kind, entry: Any, number: str, to: Any) -> Any:
    """An entry with another value of a parameter."""
    return next(one for one in parameters(kind, entry) if one.path == number).put(to)


def parameters(kind: Kind, entry: Any) -> Iterator[Parameter]:
    """The parameters of an entry that are not fixed; ``put`` makes it with another value."""
    held = kind.held(entry)

    def whole(name: str, value: Any) -> Any:
        return kind.new(entry.id, {**held, name: value})

    for name, field in kind.fields.items():
        if name in kind.fixed:
            continue
        label = "" if field.tells_parameters else plain_words(name)
        for one in field.parameters(held[name], held):
            yield one.inside(name, label, partial(whole, name))


@frozen
class Difference:
    """One thing in which an entry differs: a field, or "entry" where only one side has it.

    ``before`` and ``after`` are values as files say them, "" for nothing.
    """

    name: str
    what: str
    before: str
    after: str


def differences(
    schema: Schema, base: Mapping[str, Iterable[Any]], variant: Mapping[str, Iterable[Any]]
) -> list[Difference]:
    """Everything in which the entries of a variant differ, in the order of the files.

    What is said about an entry is no difference.
    """
    found = []
    for word in variant:
        kind = schema.kinds[word]
        before, after = ({one.id: one for one in table[word]} for table in (base, variant))
        for entry_id in dict.fromkeys([*before, *after]):
            old, new = before.get(entry_id), after.get(entry_id)
            if old is None:
                found.append(Difference(after[entry_id].name, "entry", "", entry_id))
            elif new is None:
                found.append(Difference(old.name, "entry", entry_id, ""))
            elif old != new:
                sides = [kind.held(entry) for entry in (old, new)]
                for name in ("name", *kind.fields):
                    values = [held[name] for held in sides]
                    if values[0] != values[1]:
                        words = map(kind.all_fields[name].write, values)
                        found.append(Difference(old.name, plain_words(name), *words))
    return found
