"""The reference page of the files of Mice & Mystics, made from what the reader uses."""

from collections.abc import Iterator

from card_data.mice_and_mystics import limits
from card_data.mice_and_mystics.entries import ABOUT, NAME, SCHEMA
from card_data.mice_and_mystics.operations import OPERATIONS, PLACES, Form, is_fixed
from card_data.mice_and_mystics.settings import RULE_OF, SETTINGS
from card_data.mice_and_mystics.words import OWN_TURN, TIMINGS
from card_data.schema.fields import Choice
from card_data.schema.reference_page import field_table, kind_section
from card_data.toml_files import MAX_FILE_BYTES, MAX_LINE

#: An own file with several kinds of entries.
EXAMPLE = """\
# Collin hits harder, a new mouse can be chosen, and there is one more encounter.
game = "mice_and_mystics"

[hero.collin]
name = "Prince Collin"
classes = ["leader", "warrior"]
battle = 3
defense = 1
lore = 2
move = 2
life = 3
starting_gear = ["collins_sword", "leather_breastplate"]
confidence = "assumed"
note = "one die more than printed"

[hero.pip]
name = "Pip"
classes = ["scamp", "tinkerer"]
battle = 1
defense = 2
lore = 2
move = 3
life = 2
starting_gear = ["si_boots"]
innate = [{ op = "immune_mousetrap" }]
confidence = "assumed"

[ability.rally]
name = "Rally"
classes = ["leader", "pip"]
cost = 2
timing = "own_turn"
effect = [{ op = "battle", delta = 1, scope = "other_mice_on_tile", until = "end_of_round" }]
confidence = "assumed"

[search_card.needle]
name = "Needle"
type = "weapon"
count = 2
paws = 1
attack = "melee"
requires = ["scamp"]
effect = [{ op = "battle", delta = 1 }]
confidence = "assumed"

[encounter.swarm]
name = "Swarm"
bands = { "1-3" = { roach = 5 }, "4-" = { roach = 8 } }
surge = { spider = 1 }
ambush = true
confidence = "assumed"

[tile.pantry]
name = "Pantry"
side = "orange"
physical_tile = 99
spaces = [
    { id = "A", x = 200, y = 300 },
    { id = "B", x = 500, y = 300 },
    { id = "C", x = 800, y = 300, water = true },
    { id = "S", x = 500, y = 700, capacity = 16, special_area = true },
]
edges = [
    "A: B",
    "B: C",
]
arrows = ["S > A"]
red_lines = ["S: B"]
no_line_of_sight = ["A: C"]
exits = { W = ["A"] }
minion_entry = ["B", "S"]
mousetrap_spaces = ["B"]
current = ["C > OFF"]
confidence = "assumed"

[chapter.to_the_pantry]
name = "To the pantry"
mice = 4
allowed = ["collin", "nez", "tilda", "filch", "pip"]
page_start = 1
page_end = 4
route = [901, "pantry"]
start = { tile = 901, mice_spaces = ["b1"], minions = { rat_warrior = 2 } }
links = ["901 E - W pantry"]
room_rules = [{ tile = "pantry", op = "preset_minions", minions = { captain_vurst = 1 } }]
win = { op = "room_cleared", tile = "pantry" }
lose = ["page_end", "all_mice_captured"]
confidence = "assumed"
"""

_PAGE = """\
# The files of Mice & Mystics

*Made by `card_data.mice_and_mystics.reference` from what the reader uses. Do not edit.*

Heroes, minions, cards, rooms and chapters are entries in TOML files. An entry begins with a
header, its kind and its id: `[hero.collin]`. The base game lies in
`card_data/mice_and_mystics/base`. Ids are made of a-z, 0-9 and `_`, a letter first; those of tiles
may be numbers. Rule numbers such as M57 and section numbers are those of
[mice_and_mystics_rules.md](mice_and_mystics_rules.md).

To play a file of your own, name it behind a chapter: `ch1_flight_to_barksburg+my_changes.toml`. It
may hold entries of any kind. One whose kind and id are known takes the place of the old entry, as a
whole; one with a new id is added; everything else stays where it is. So begin with a copy of the
entry that you want to change. The line with `game` may be left out.

`fairdeal rooms check my_changes.toml` tells all faults at once, with their places and the nearest
right words; `fairdeal rooms format my_changes.toml` writes the file in its one form; `fairdeal
rooms show 5 --picture room.png` draws a room.

The base game lacks Brodie, Skitter-Clak and Vanestra, whose numbers no source gives, and rooms 7 to
16, whose spaces are not known (section 29).
Whoever owns the game can fill in what is marked `assumed`: overwrite the entry, set `confidence` to
`verified` and say in `source` where it is from. A report says how many entries of each kind it
rests on.

```toml
{example}```

## Every entry

{common}

{kinds}
## Effects

An effect is an operation with its fields: `{{ op = "battle", delta = 1 }}`. What it does depends on
where it stands; section 28 has the exact meaning. A field with a default ("else") may be left out,
and so may words of section 28 that have a single value, such as `range = "same_space"`. Abilities
and tricks say when they are used; "own turn" in the table is any of the timings
{own_turn}.

| operation | stands in | does | fields | timings |
|---|---|---|---|---|
{operations}

## Timings

| timing | when |
|---|---|
{timings}

## Switches and numbers

What the rules leave open, and numbers that are worth trying, are set for a run: `--set page_end=7`.
S7 and S8 are changes of a room and made in its file.

| name | rule | values, the usual one first | meaning |
|---|---|---|---|
{settings}

## Limits

At most {heroes} heroes with {gear} pieces of starting gear, {minions} types of minions with \
{figures} figures together, {abilities} abilities,
{search_cards} kinds of search cards with {copies} copies together, {encounters} encounter cards, \
{tiles} rooms in a
chapter, {spaces} spaces in a room, {effects} effects on a card; {size} bytes in a file, \
{characters} characters in a line.
"""


def data_reference() -> str:
    """The reference page, as Markdown; ``docs/mice_and_mystics_data.md`` holds a copy."""
    return _PAGE.format(
        example=EXAMPLE,
        common=field_table({"name": NAME, **ABOUT}),
        kinds="".join(kind_section(kind, kind.fields) for kind in SCHEMA.kinds.values()),
        own_turn=", ".join(f"`{timing}`" for timing in OWN_TURN),
        operations="\n".join(_operations()),
        timings="\n".join(f"| `{name}` | {meaning} |" for name, meaning in TIMINGS.items()),
        settings="\n".join(_settings()),
        heroes=limits.HEROES,
        gear=limits.GEAR,
        minions=limits.MINIONS,
        figures=limits.FIGURES,
        abilities=limits.ABILITIES,
        search_cards=limits.SEARCH_CARDS,
        copies=limits.COPIES,
        encounters=limits.ENCOUNTERS,
        tiles=limits.TILES,
        spaces=limits.SPACES,
        effects=limits.EFFECTS,
        size=f"{MAX_FILE_BYTES:,}",
        characters=f"{MAX_LINE:,}",
    )


def _operations() -> Iterator[str]:
    """The rows of all operations, one for each form."""
    for op, forms in OPERATIONS.items():
        for form in forms:
            places = ", ".join(PLACES[place] for place in form.places)
            row = [f"`{op}`", places, form.meaning, _fields(form), _timings(form)]
            yield f"| {' | '.join(row)} |"


def _fields(form: Form) -> str:
    """The fields of a form, with what they hold."""
    parts = []
    for field in form.fields:
        if is_fixed(field):
            continue
        default = "" if field.default is None else f", else `{str(field.default).lower()}`"
        allowed = field.allowed.replace("a whole number from ", "")
        parts.append(f"`{field.name}`: {allowed}{default}")
    return "; ".join(parts)


def _timings(form: Form) -> str:
    """When a form can be used."""
    if form.timings == OWN_TURN:
        return "own turn"
    return ", ".join(f"`{timing}`" for timing in form.timings)


def _settings() -> Iterator[str]:
    """The rows of all switches and numbers."""
    for name, setting in SETTINGS.items():
        if isinstance(setting, Choice):
            values = ", ".join(f"`{word}`" for word in setting.words)
        else:
            usual = "" if setting.default is None else f"`{setting.default}`; "
            values = usual + setting.allowed.removeprefix("a whole number from ")
        yield f"| `{name}` | {RULE_OF[name]} | {values} | {setting.meaning} |"


if __name__ == "__main__":
    print(data_reference(), end="")
