"""Entries as text: examples to insert, changed ones for a file, and the form of files of entries.

They are made from the facts of the game, so that they say what it says.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from attrs import evolve

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import OF_ENTRIES
from card_data.mice_and_mystics.entries import GAME, KINDS, SCHEMA
from card_data.mice_and_mystics.facts import Effect, Encounter, Entry, Facts, Group, by_id
from card_data.mice_and_mystics.formatter import entry_text
from card_data.mice_and_mystics.loader import parse_changes, read_changes
from card_data.mice_and_mystics.operations import OPERATIONS, EntryId, Form, Number, OpField
from card_data.mice_and_mystics.values import Effects
from card_data.schema.kinds import Key
from card_data.toml_places import KeyPath
from reports.mice_and_mystics.entry_text import effect_text, entry_facts, entry_lines
from reports.studio.bench import Recipe
from reports.studio.form import Forms, forms_of

_CHANGES, _NEW = "Usual changes", "New entries"
#: Fields of powers, as a person writes them into an entry: section, field, place of the effects.
_POWERS = (
    ("Powers of heroes", "innate", "innate"),
    ("Powers of minions", "abilities", "minion"),
)
_NEW_ENTRIES = (
    (
        "a hero",
        """[hero.pip]
name = "Pip"
classes = ["scamp", "tinkerer"]
battle = 2
defense = 1
lore = 2
move = 3
life = 2
starting_gear = ["dagger"]
innate = [{ op = "immune_mousetrap" }]
""",
    ),
    (
        "a minion",
        """[minion.rat_scout]
name = "Rat Scout"
battle = 1
defense = 1
life = 1
attack = "ranged"
size = "small"
move_dice = 2
figure_pool = "rat"
figure_limit = 6
initiative_card = "rat_scout"
tags = ["rat"]
""",
    ),
    (
        "an encounter",
        """[encounter.cellar_watch]
name = "Cellar Watch"
bands = { "1-2" = { rat_warrior = 1, elite_rat_warrior = 1 }, "3-" = { rat_warrior = 3 } }
surge = { roach = 4 }
ambush = true
""",
    ),
    (
        "a weapon",
        """[search_card.needle]
name = "Needle"
type = "weapon"
count = 2
paws = 1
attack = "melee"
requires = ["scamp"]
effect = [{ op = "battle", delta = 1 }]
""",
    ),
    (
        "an ability",
        """[ability.rally]
name = "Rally"
classes = ["leader"]
cost = 2
timing = "own_turn"
effect = [{ op = "battle", delta = 1, scope = "other_mice_on_tile", until = "end_of_round" }]
""",
    ),
)

#: The fields that name a hero, a minion or a search card by its id.
_REFERENCES = {
    "hero": (
        *(("hero", "extra_ability_class"), ("search_card", "requires")),
        *(("ability", "classes"), ("ability", "cost_by_class")),
        *(("chapter", "allowed"), ("chapter", "must_include")),
    ),
    "minion": (
        *(("minion", "initiative_card"), ("encounter", "bands"), ("encounter", "surge")),
        *(("chapter", "start"), ("chapter", "room_rules"), ("minion", "abilities")),
    ),
    "search_card": (("hero", "starting_gear"), ("hero", "innate")),
}

_Any = TypeVar("_Any", bound=Entry)


def template() -> str:
    """A new file: a hero of the first chapter with one number changed."""
    nez = by_id(load_facts().heroes)["nez"]
    entry = unsourced(nez, battle=nez.battle + 1)
    about = f"{{name}}: {entry.name} with battle {entry.battle} instead of {nez.battle}."
    return f'game = "{GAME}"\n\n# {about}\n{entry_text(entry)}'


@cache
def recipes() -> tuple[Recipe, ...]:
    """All examples, those that are wanted most first."""
    return (*_changes(), *_new(), *_powers(), *_copies())


def _changes() -> Iterator[Recipe]:
    """One number of an entry changed; an entry takes the place of the old one as a whole."""
    facts = load_facts()
    collin, roach = facts.heroes[0], facts.minions[0]
    rat = by_id(facts.minions)["rat_warrior"]
    encounter = facts.encounters[0]
    chapter, everybody = facts.chapters[0], tuple(hero.id for hero in facts.heroes)
    changes: list[tuple[str, Entry]] = [
        (f"{collin.name} with one life more", unsourced(collin, life=collin.life + 1)),
        (f"{rat.name} with one die of attack more", unsourced(rat, battle=rat.battle + 1)),
        (f"{rat.name} with one die of defense less", unsourced(rat, defense=rat.defense - 1)),
        (f"{roach.name} that wounds at once", unsourced(roach, abilities=())),
        (f"{encounter.name} with one rat warrior more", _with_one_more(encounter, rat.id)),
        (f"{chapter.name}, a page longer", unsourced(chapter, page_end=chapter.page_end + 1)),
        (f"{chapter.name} with every hero", unsourced(chapter, allowed=everybody)),
    ]
    return (_whole(_CHANGES, title, entry) for title, entry in changes)


def _new() -> Iterator[Recipe]:
    """Entries that the game does not have."""
    for title, text in _NEW_ENTRIES:
        kind, _, entry_id = text[1 : text.index("]")].partition(".")
        entries = getattr(parse_changes(text), KINDS[kind].plural)
        yield Recipe(_NEW, title, text, _says(by_id(entries)[entry_id]), is_whole=True)


def _powers() -> Iterator[Recipe]:
    """Lines with a power of a hero or a minion."""
    for section, field, place in _POWERS:
        for effect in _effects(place):
            line = f"{field} = {Effects(place).write((effect,))}\n"
            said = effect_text(effect, place)
            yield Recipe(section, effect.op.replace("_", " "), line, said, is_whole=False)


def _effects(place: str) -> Iterator[Effect]:
    """Everything that can stand in one of `operations.PLACES`."""
    for op, forms in OPERATIONS.items():
        yield from (Effect(op, _given(form)) for form in forms if place in form.places)


def _given(form: Form) -> tuple[tuple[str, Any], ...]:
    """The least that an operation can be given."""
    return tuple((one.name, _least(one)) for one in form.fields if one.default is None)


def _least(field: OpField) -> int | str | bool:
    """A usual value of a field of an operation."""
    if isinstance(field, Number):
        return max(field.least, 1)
    if isinstance(field, EntryId):
        entries: tuple[Entry, ...] = getattr(load_facts(), KINDS[field.of.replace(" ", "_")].plural)
        return entries[0].id
    return str(field.words[0])


def _copies() -> Iterator[Recipe]:
    """Every entry as the game has it."""
    facts = load_facts()
    for kind in KINDS.values():
        for entry in getattr(facts, kind.plural):
            section = f"As they are: {kind.plural.replace('_', ' ')}"
            yield _whole(section, entry.name, unsourced(entry))


def _whole(section: str, title: str, entry: Entry) -> Recipe:
    return Recipe(section, title, entry_text(entry), _says(entry), is_whole=True)


def _says(entry: Entry) -> str:
    """What an entry says."""
    return ". ".join([entry_facts(entry), *entry_lines(entry)])


def _with_one_more(encounter: Encounter, minion: str) -> Encounter:
    """An encounter with one more of a minion on all pages."""
    bands = []
    for band in encounter.bands:
        counts = {group.type: group.count for group in band.minions}
        counts[minion] = counts.get(minion, 0) + 1
        groups = tuple(Group(type=one, count=count) for one, count in counts.items())
        bands.append(evolve(band, minions=groups))
    return unsourced(encounter, bands=tuple(bands))


@cache
def forms() -> Forms:
    """The forms of files of entries."""
    from card_data.mice_and_mystics.entries import SCHEMA

    return forms_of(SCHEMA, _known, _REFERENCES)


@cache
def _known(word: str) -> Mapping[str, str]:
    """The lines of all entries of a kind that the game has, by their names."""
    from card_data.mice_and_mystics import load_facts
    from card_data.mice_and_mystics.formatter import entry_text

    return {one.name: entry_text(one) for one in getattr(load_facts(), KINDS[word].plural)}


def unsourced(entry: _Any, **fields: Any) -> _Any:
    """An entry with other numbers, for which its sources do not speak."""
    return evolve(entry, confidence="assumed", field_confidence=(), source="", note="", **fields)


def changed_text(facts: Facts, changed: Facts, own: Collection[Key]) -> str:
    """The entries in which facts differ from others, as they stand in a file.

    ``own`` are those of the file already, which keep their sources and notes.
    """
    entries = (
        entry if SCHEMA.key_of(entry) in own else unsourced(entry)
        for entry in _changed(facts, changed)
    )
    return "\n".join(map(entry_text, entries))


def own_entries(text: str, file: str) -> Mapping[KeyPath, str]:
    """The entries in the text of a file by kind and id, each as it stands in one."""
    return {SCHEMA.key_of(entry): entry_text(entry) for entry in read_changes(text, file)[0]}


def _changed(facts: Facts, changed: Facts) -> Iterator[Entry]:
    for kind in OF_ENTRIES:
        if getattr(facts, kind) is not getattr(changed, kind):
            old = set(getattr(facts, kind))
            yield from (entry for entry in getattr(changed, kind) if entry not in old)
