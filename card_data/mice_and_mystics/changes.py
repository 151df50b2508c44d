"""Every number that a chapter is played with and every switch, and the game with one changed.

Numbers are found by the fields that ``entries.py`` registers, so that a new field is among them.
Those of tiles and of the die are not: they stay as they are.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from card_data.mice_and_mystics.checks import facts_faults
from card_data.mice_and_mystics.confidence import used_entries
from card_data.mice_and_mystics.entries import KINDS, SCHEMA, entries_of
from card_data.mice_and_mystics.facts import Entry, Facts, Minion, by_id
from card_data.mice_and_mystics.loader import load_facts
from card_data.mice_and_mystics.settings import SETTINGS, Settings
from card_data.schema import changes as schema
from card_data.schema.changes import Change, Difference, Variable, parameters, variable_of
from card_data.schema.fields import Choice, with_part
from card_data.schema.kinds import Kind

#: What variables are of: kinds of entries, or numbers and switches, which are fields of `Settings`.
OF_ENTRIES = ("heroes", "minions", "abilities", "search_cards", "encounters", "chapters")
RULES, SWITCHES = "rules", "switches"

# All types of a pool have the same number of figures (M6): the first of them stands for all.
_OF_THE_POOL = "figure_limit"


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
            for one in parameters(_kind(of), entry):
                if type(one.value) is not int:  # words and truth values stay as they are
                    continue
                if one.path == "page_end" and settings.page_end is not None:
                    continue
                if (of, one.path) == ("chapters", "mice"):
                    continue
                if one.path == _OF_THE_POOL and isinstance(entry, Minion):
                    if entry.figure_pool in pools:
                        continue
                    pools.add(entry.figure_pool)
                sure = _confidence(entry, one.path)
                found.append(variable_of(_kind(of), entry, one, sure))
    return [one for one in (*found, *_of_settings(settings)) if one.others]


def own_entries(facts: Facts) -> dict[tuple[str, str], str]:
    """The entries that are not as fairdeal ships them, by kind and id: "new" or "changed".

    Kinds are those of OF_ENTRIES.  Where a fact is from, and how sure it is, changes nothing.
    """
    shipped, own = load_facts(), {}
    for kind in OF_ENTRIES:
        known = {
            entry_id: as_played(one) for entry_id, one in by_id(getattr(shipped, kind)).items()
        }
        for entry in getattr(facts, kind):
            if entry.id not in known:
                own[kind, entry.id] = "new"
            elif as_played(entry) != known[entry.id]:
                own[kind, entry.id] = "changed"
    return own


def unused_entries(facts: Facts, settings: Settings) -> dict[tuple[str, str], str]:
    """The names of the entries of `own_entries` that can come up in no game, by kind and id."""
    used, found = used_entries(facts, settings), {}
    for kind, entry_id in own_entries(facts):
        if entry_id not in by_id(used[kind]):
            found[kind, entry_id] = by_id(getattr(facts, kind))[entry_id].name
    return found


def differences(base: Facts, variant: Facts) -> list[Difference]:
    """Everything in which the entries of a variant differ, in the order of the files.

    Where a fact is from, and how sure it is, is no difference.
    """
    before, after = ({word: entries_of(facts)[word] for word in KINDS} for facts in (base, variant))
    return schema.differences(SCHEMA, before, after)


def as_played(entry: Entry) -> Entry:
    """An entry without what is said about it."""
    return evolve(entry, confidence="", field_confidence=(), source="", note="")


def steps(
    facts: Facts, settings: Settings, wanted: Iterable[Variable] | None = None
) -> list[Change]:
    """One step on each variable, or on those ``wanted``, that gives something that can be played.

    A number one less and one more; a switch each other way.
    """
    changes = schema.steps(variables(facts, settings) if wanted is None else wanted)
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
    made = {entry.id: schema.changed_entry(kind, entry, one.number, to)}
    if one.number == _OF_THE_POOL and isinstance(entry, Minion):
        for other in facts.minions:
            if other.figure_pool == entry.figure_pool:
                made[other.id] = with_part(other, _OF_THE_POOL, to)
    new = tuple(made.get(other.id, other) for other in entries)
    return with_part(facts, kind.plural, new), settings


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


def _kind(plural: str) -> Kind:
    return next(kind for kind in KINDS.values() if kind.plural == plural)


def _confidence(entry: Entry, path: str) -> str:
    """How sure a number is: as said of it, of its field, or of the entry."""
    said = dict(entry.field_confidence)
    parts = path.split(".")
    return said.get(parts[-1]) or said.get(parts[0]) or entry.confidence


def _of_settings(settings: Settings) -> Iterator[Variable]:
    """The numbers beside the switches, then the switches."""
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        if value is not None:  # the chapter's own number
            of = SWITCHES if isinstance(setting, Choice) else RULES
            yield from schema.variables_of(of, name, setting, value)
