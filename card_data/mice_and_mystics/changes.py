"""Every number that a chapter is played with and every switch, and the game with one changed.

Numbers are found by the fields that ``entries.py`` registers, so that a new field is among them.
Those of tiles and of the die are not: they stay as they are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import evolve, frozen

from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.confidence import used_entries
from card_data.mice_and_mystics.entries import COMMON, KINDS, EntryKind
from card_data.mice_and_mystics.facts import Effect, Entry, Facts, Minion, by_id
from card_data.mice_and_mystics.limits import NUMBER
from card_data.mice_and_mystics.loader import load_facts
from card_data.mice_and_mystics.operations import Number as EffectNumber
from card_data.mice_and_mystics.operations import form_of
from card_data.mice_and_mystics.settings import SETTINGS, Knob, Settings
from card_data.mice_and_mystics.values import (
    GROUPS,
    Bands,
    Cost,
    Counts,
    Effects,
    Record,
    Records,
    Whole,
)

#: What variables belong to: kinds of entries, the numbers beside the switches, the switches.
OF_ENTRIES = ("heroes", "minions", "abilities", "search_cards", "encounters", "chapters")
RULES, SWITCHES = "rules", "switches"

# All types of a pool have the same number of figures (M6): the first of them stands for all.
_OF_THE_POOL = "figure_limit"


@frozen(kw_only=True)
class Variable:
    """Something about a chapter that can be changed: a number, or a switch.

    Attributes
    ----------
    of
        A word of OF_ENTRIES, RULES or SWITCHES.
    entry, name
        The id and the name of the entry; "" for RULES and SWITCHES.
    number
        Which one it is: a field and, where that holds several numbers, which of them, as in "life",
        "bands.1-2.roach" and "effect.battle.delta"; or a field of `Settings`.
    value
        What it is in the chapter.
    others
        Everything else that it can be: numbers upwards.
    confidence
        How sure the value is, one of CONFIDENCES; "" for RULES and SWITCHES.
    label
        What it is in words, without the name.
    """

    of: str
    entry: str = ""
    name: str = ""
    number: str
    value: int | str
    others: tuple[int | str, ...]
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
    changed_to: int | str

    @property
    def label(self) -> str:
        """The change in words: "Prince Collin: life 4 instead of 3"."""
        one = self.variable
        whose = f"{one.name}: " if one.name else ""
        return f"{whose}{one.label} {self.changed_to} instead of {one.value}"


def variables(facts: Facts, settings: Settings) -> list[Variable]:
    """Everything about a chapter that can be changed, in the order of the files.

    Entries that cannot come up in what is played are left out (`confidence.used_entries`), and so
    are the number of mice, which other parties have, and the chapter's last page where the settings
    have another.
    """
    found: list[Variable] = []
    pools: set[str] = set()
    used = used_entries(facts, settings)
    for of in OF_ENTRIES:
        for entry in used[of]:
            for one in _numbers_of(_kind(of), entry):
                if one.path == "page_end" and settings.page_end is not None:
                    continue
                if (of, one.path) == ("chapters", "mice"):
                    continue
                if one.path == _OF_THE_POOL and isinstance(entry, Minion):
                    if entry.figure_pool in pools:
                        continue
                    pools.add(entry.figure_pool)
                variable = Variable(
                    of=of,
                    entry=entry.id,
                    name=entry.name,
                    number=one.path,
                    value=one.value,
                    others=one.others,
                    confidence=_confidence(entry, one.path),
                    label=one.label,
                )
                found.append(variable)
    return [one for one in (*found, *_of_settings(settings)) if one.others]


def own_entries(facts: Facts) -> dict[tuple[str, str], str]:
    """The entries that are not as fairdeal ships them, by kind and id: "new" or "changed".

    Kinds are those of OF_ENTRIES.  Where a fact is from, and how sure it is, changes nothing.
    """
    shipped, own = load_facts(), {}
    for kind in OF_ENTRIES:
        known = {entry_id: _played(one) for entry_id, one in by_id(getattr(shipped, kind)).items()}
        for entry in getattr(facts, kind):
            if entry.id not in known:
                own[kind, entry.id] = "new"
            elif _played(entry) != known[entry.id]:
                own[kind, entry.id] = "changed"
    return own


@frozen
class Difference:
    """One thing in which an entry differs: a field, or "entry" where only one side has it.

    ``before`` and ``after`` are values as files say them, "" for nothing.
    """

    name: str
    what: str
    before: str
    after: str


def differences(base: Facts, variant: Facts) -> list[Difference]:
    """Everything in which the entries of a variant differ, in the order of the files.

    Where a fact is from, and how sure it is, is no difference.
    """
    found = []
    for kind in KINDS.values():
        fields = (COMMON[0], *kind.fields)
        before, after = (by_id(getattr(facts, kind.plural)) for facts in (base, variant))
        for entry_id in dict.fromkeys([*before, *after]):
            old, new = before.get(entry_id), after.get(entry_id)
            if old is None:
                found.append(Difference(after[entry_id].name, "entry", "", entry_id))
            elif new is None:
                found.append(Difference(old.name, "entry", entry_id, ""))
            elif old != new:
                held = [{"name": entry.name, **kind.take(entry)} for entry in (old, new)]
                for field in fields:
                    sides = [one.get(field.name, field.default) for one in held]
                    if sides[0] != sides[1]:
                        words = map(field.kind.write, sides)
                        found.append(Difference(old.name, _words(field.name), *words))
    return found


def _played(entry: Entry) -> Entry:
    """An entry without what is said about it."""
    return evolve(entry, confidence="", field_confidence=(), source="", note="")


def steps(
    facts: Facts, settings: Settings, wanted: Iterable[Variable] | None = None
) -> list[Change]:
    """One step on each variable, or on those ``wanted``, that gives something that can be played.

    A number one less and one more; a switch each other way.
    """
    changes = []
    for one in variables(facts, settings) if wanted is None else wanted:
        near: Sequence[int | str] = one.others
        if isinstance(one.value, int):
            near = [to for to in (one.value - 1, one.value + 1) if to in one.others]
        changes += [Change(one, to) for to in near]
    return [change for change in changes if is_sound(facts, settings, change)]


def changed(facts: Facts, settings: Settings, change: Change) -> tuple[Facts, Settings]:
    """The facts and settings with a change; several can be made one after the other."""
    one, to = change.variable, change.changed_to
    if one.of in (RULES, SWITCHES):
        setting: dict[str, Any] = {one.number: to}
        return facts, evolve(settings, **setting)
    kind = _kind(one.of)
    entries: tuple[Entry, ...] = getattr(facts, kind.plural)
    entry = by_id(entries)[one.entry]
    number = next(found for found in _numbers_of(kind, entry) if found.path == one.number)
    made = {entry.id: number.put(to)}
    if one.number == _OF_THE_POOL and isinstance(entry, Minion):
        for other in facts.minions:
            if other.figure_pool == entry.figure_pool:
                made[other.id] = _with(other, _OF_THE_POOL, to)
    new = tuple(made.get(other.id, other) for other in entries)
    return _with(facts, kind.plural, new), settings


def is_sound(facts: Facts, settings: Settings, change: Change) -> bool:
    """Whether what a change makes can be played; a chapter cannot end before it begins."""
    facts, settings = changed(facts, settings, change)
    chapter = by_id(facts.chapters)[settings.chapter]
    if settings.page_end is not None and settings.page_end <= chapter.page_start:
        return False
    played = {hero.id for hero in used_entries(facts, settings)["heroes"]}
    if any(hero.life + settings.life < 1 for hero in facts.heroes if hero.id in played):
        return False
    return not facts_faults(facts)


# ---------------------------------------------------------------- the numbers of an entry


@frozen
class _Number:
    """A number in a value; ``put`` makes the value with another number there."""

    path: str
    label: str
    value: int
    least: int
    most: int
    put: Callable[[Any], Any]

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(n for n in range(self.least, self.most + 1) if n != self.value)

    def inside(self, path: str, label: str, whole: Callable[[Any], Any]) -> "_Number":
        """The same number of something larger, which ``whole`` makes from this value."""
        return _Number(
            ".".join(filter(None, (path, self.path))),
            ", ".join(filter(None, (label, self.label))),
            *(self.value, self.least, self.most),
            put=lambda to: whole(self.put(to)),
        )


def _kind(plural: str) -> EntryKind:
    return next(kind for kind in KINDS.values() if kind.plural == plural)


def _numbers_of(kind: EntryKind, entry: Entry) -> Iterator[_Number]:
    """The numbers of an entry; ``put`` makes the entry with another one."""
    held = kind.take(entry)
    common = {one.name: getattr(entry, one.name) for one in kind.all_fields if one.name not in held}

    def whole(name: str, value: Any) -> Entry:
        return kind.cls(id=entry.id, **kind.make({**common, **held, name: value}))

    for field in kind.fields:
        label = "" if isinstance(field.kind, Bands | Effects | Records) else _words(field.name)
        for number in _numbers(field.kind, held[field.name], kind.place(held)):
            yield number.inside(field.name, label, partial(whole, field.name))


def _numbers(kind: Any, value: Any, place: str) -> Iterator[_Number]:
    """The numbers in what a field of some kind holds."""
    if isinstance(kind, Whole):
        # Else the default of a field that was left out, such as None or no paws.
        if type(value) is int and kind.least <= value <= kind.most:
            yield _Number("", "", value, kind.least, kind.most, lambda to: to)
    elif isinstance(kind, Counts):
        yield from _of_counts(kind, dict(kind.take(value)))
    elif isinstance(kind, Cost):
        yield from _of_cost(*value)
    elif isinstance(kind, Effects):
        yield from _of_effects(value, place)
    elif isinstance(kind, Bands):
        for at, band in enumerate(value):
            pages = f"{band.first}-{band.last or ''}"
            for number in _numbers(GROUPS, band.minions, place):
                of_band = number.inside("", "", partial(_with, band, "minions"))
                yield of_band.inside(pages, f"pages {pages}", partial(_replaced, value, at))
    elif isinstance(kind, Record) and value is not None:
        yield from _of_record(kind, value, place)
    elif isinstance(kind, Records):
        for at, rule in enumerate(value):
            for number in _of_record(kind.one, rule, place):
                where = f"room {rule.tile}, {_words(rule.op)}"
                yield number.inside(f"{rule.tile}.{rule.op}", where, partial(_replaced, value, at))


def _of_record(kind: Record, value: Any, place: str) -> Iterator[_Number]:
    """The numbers of a table inside an entry."""
    for field in kind.fields:
        for number in _numbers(field.kind, getattr(value, field.name), place):
            label = "" if number.label else _words(field.name)
            yield number.inside(field.name, label, partial(_with, value, field.name))


def _with(whole: Any, name: str, part: Any) -> Any:
    """An object with another part."""
    return evolve(whole, **{name: part})


def _replaced(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    """A list with another object at a place."""
    return (*items[:at], item, *items[at + 1 :])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _of_counts(kind: Counts, counts: Mapping[str, int]) -> Iterator[_Number]:
    """Numbers of things by their ids; of several kinds of minions one can be left out."""
    groups = kind is GROUPS

    def put(word: str, to: int) -> Any:
        new = {**counts, word: to}
        return kind.make({one: n for one, n in new.items() if n or not groups})

    least = 0 if groups and len(counts) > 1 else kind.least
    for word, count in counts.items():
        yield _Number(word, _words(word), count, least, kind.most, partial(put, word))


def _of_cost(least: int, most: int) -> Iterator[_Number]:
    """A price, or the two ends of a price that the user chooses."""
    if least == most:
        yield _Number("", "", least, 0, NUMBER, lambda to: (to, to))
    else:
        yield _Number("least", "least", least, 1, most - 1, lambda to: (to, most))
        yield _Number("most", "most", most, least + 1, NUMBER, lambda to: (least, to))


def _of_effects(effects: tuple[Effect, ...], place: str) -> Iterator[_Number]:
    """The numbers of effects that their operations let be another."""
    names = [effect.op for effect in effects]

    def put(at: int, name: str, to: int) -> tuple[Effect, ...]:
        given = tuple((one, to if one == name else old) for one, old in effects[at].given)
        return _replaced(effects, at, Effect(effects[at].op, given))

    for at, effect in enumerate(effects):
        which = "" if names.count(effect.op) == 1 else f".{at + 1}"
        for field in form_of(effect, place).fields:
            value = effect.get(field.name)
            if isinstance(field, EffectNumber) and type(value) is int:
                yield _Number(
                    f"{effect.op}{which}.{field.name}",
                    f"{_words(field.name)} of {_words(effect.op)}",
                    *(value, field.least, field.most),
                    put=partial(put, at, field.name),
                )


def _confidence(entry: Entry, path: str) -> str:
    """How sure a number is: as said of it, of its field, or of the entry."""
    said = dict(entry.field_confidence)
    parts = path.split(".")
    return said.get(parts[-1]) or said.get(parts[0]) or entry.confidence


def _of_settings(settings: Settings) -> Iterator[Variable]:
    """The numbers beside the switches, then the switches."""
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        if value is None:  # the chapter's own number
            continue
        numbers = isinstance(setting, Knob)
        every = (
            range(setting.least, setting.most + 1) if isinstance(setting, Knob) else setting.values
        )
        yield Variable(
            of=RULES if numbers else SWITCHES,
            number=name,
            value=value,
            others=tuple(other for other in every if other != value),
            label=_words(name),
        )
