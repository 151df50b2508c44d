"""What is wrong with a file is told all at once, in place, with the nearest right word."""

from pathlib import Path

import pytest

from card_data.faults import CardFileError
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.loader import check_file, parse_changes

HERO = """\
[hero.pip]
name = "Pip"
classes = ["scamp"]
battle = 1
defense = 1
lore = 1
move = 3
life = 3
starting_gear = ["dagger"]
innate = [{ op = "pilfer", cheese = 1 }]
"""
MINION = """\
[minion.beetle]
name = "Beetle"
battle = 2
defense = 1
life = 1
attack = "melee"
size = "small"
move_dice = 1
figure_pool = "rat"
figure_limit = 6
initiative_card = "beetle"
"""
CARD_LINE = 'initiative_card = "beetle"'
BOSS_LINE = f'{CARD_LINE}\nboss = true\ncards = [{{ id = "x"'
ABILITY = """\
[ability.cry]
name = "Cry"
classes = ["warrior"]
cost = 1
timing = "before_melee_attack"
effect = [{ op = "battle", delta = 1, scope = "this_attack" }]
"""
CARD = """\
[search_card.ring]
name = "Ring"
type = "accessory"
count = 1
slot = "trinket"
effect = [{ op = "battle", delta = 1 }]
"""
ENCOUNTER = """\
[encounter.swarm]
name = "Swarm"
bands = { "1-3" = { roach = 4 }, "4-" = { roach = 6 } }
surge = { spider = 1 }
"""
TILE = """\
[tile.cellar]
name = "Cellar"
side = "blue"
physical_tile = 9
spaces = [
    { id = "A", x = 10, y = 10 },
    { id = "B", x = 20, y = 10, water = true },
    { id = "C", x = 30, y = 10, water = true },
    { id = "D", x = 40, y = 10, capacity = 8, special_area = true },
]
edges = ["A: B", "B: C"]
arrows = ["D > A"]
red_lines = ["D: B"]
no_line_of_sight = ["A: C"]
exits = { W = ["A"] }
minion_entry = ["D"]
flip = { space = "A" }
mousetrap_spaces = ["A"]
current = ["B > C > OFF"]
"""
CHAPTER = """\
[chapter.short]
name = "Short"
mice = 4
allowed = ["collin", "nez", "tilda", "filch"]
must_include = ["collin"]
page_start = 1
page_end = 5
route = [901, 902]
start = { tile = 901, mice_spaces = ["b1"], minions = { roach = 2 } }
links = ["901 E - W 902"]
room_rules = [{ tile = 902, op = "preset_minions", minions = { spider = 1 } }]
win = { op = "room_cleared", tile = 902 }
lose = ["page_end", "all_mice_captured"]
"""
ALL = [HERO, MINION, ABILITY, CARD, ENCOUNTER, TILE, CHAPTER]


def told(text: str) -> list[str]:
    """The faults of an own file."""
    with pytest.raises(CardFileError) as caught:
        parse_changes(text, "f.toml")
    return [str(fault) for fault in caught.value.faults]


def test_examples_are_sound() -> None:
    """The entries that the other tests spoil have no fault, all in one file."""
    facts = parse_changes("\n".join(ALL))
    assert [facts.heroes[-1].id, facts.tiles[-1].id] == ["pip", "cellar"]
    assert [chapter.id for chapter in facts.chapters][-1] == "short"
    assert facts.minions[-1].id == "captain_vurst"  # bosses stay last (M74)


FAULTS = [
    # fields and values
    (
        HERO,
        "battle = 1",
        "battel = 1",
        "f.toml:4:1: pip.battel: 'battel' is not a field of a hero;",
    ),
    (HERO, "battle = 1", "", "f.toml:1:1: pip.battle: the field 'battle' is missing."),
    (HERO, "battle = 1", 'battle = "1"', "4:11: pip.battle: '1' is a text; remove the quotes"),
    (HERO, "life = 3", "life = 0", "8:8: pip.life: 0 is not a whole number from 1 to 20."),
    (HERO, "life = 3", "life = true", "8:8: pip.life: True is not a whole number from 1 to 20."),
    (HERO, '"Pip"', '" Pip"', "2:9: pip.name: ' Pip' is not a text of 1 to 60"),
    (HERO, '["scamp"]', '"scamp"', "3:12: pip.classes: 'scamp' is not a list of classes"),
    (HERO, '["scamp"]', '["scamp", "scamp"]', "3:22: pip.classes: 'scamp' is named twice."),
    (HERO, "life = 3", 'life = 3\nconfidence = "sure"', "pip.confidence: 'sure' is not a word"),
    (
        HERO,
        "life = 3",
        'life = 3\nfield_confidence = { batle = "verified" }',
        "9:22: pip.field_confidence: 'batle' is not a field of this entry; did you mean 'battle'?",
    ),
    (HERO, "[hero.pip]", "[hero.Pip]", "hero.'Pip': 'Pip' is not an id: a-z, 0-9 and _"),
    (
        HERO,
        "[hero.pip]",
        "[heroo.pip]",
        "[heroo.pip]: 'heroo' is not a kind of entry; did you mean",
    ),
    (HERO, "[hero.pip]", "[hero]", "[hero] has no id; write [hero.my_hero]"),
    (HERO, "[hero.pip]", "[[hero]]", "an id stands in the header: [hero.my_hero], in one pair of"),
    (HERO, "[hero.pip]", "", "'name' stands in no entry; put it below a header such as [hero.x]"),
    (HERO, "[hero.pip]", 'game = "mice"\n[hero.pip]', 'game: write game = "mice_and_mystics"'),
    # effects
    (HERO, "pilfer", "pilfr", "10:19: pip.innate: 'pilfr' is not an operation; did you mean 'pilf"),
    (
        HERO,
        '"pilfer", cheese = 1',
        '"pilfer"',
        "'pilfer' needs 'cheese': a whole number from 1 to 9",
    ),
    (HERO, "cheese = 1", "cheese = 1, chese = 2", "10:40: pip.innate: 'chese' is not a field of"),
    (HERO, "cheese = 1", "cheese = 0", "'cheese': 0 is not a whole number from 1 to 9"),
    (HERO, "pilfer", "chase", "'chase' cannot stand in the innate powers of a hero. All"),
    (HERO, "pilfer", "aggressive", "'aggressive' cannot stand in the innate powers of a hero. All"),
    (HERO, 'op = "pilfer", ', "", "the field 'op' is missing here"),
    (ABILITY, "this_attack", "this_turn", 'needs scope = "this_attack" or scope = "other_mice'),
    (
        ABILITY,
        "before_melee_attack",
        "when_defending",
        "can do nothing with timing 'when_defending'",
    ),
    (ABILITY, "before_melee_attack", "before_mele_attack", "did you mean 'before_melee_attack'?"),
    (
        ABILITY,
        "cost = 1",
        'cost = "3..1"',
        "'3..1' is not a whole number from 0 to 9, or two as in",
    ),
    # cards
    (CARD, 'slot = "trinket"\n', "", "ring.slot: the field 'slot' is missing."),
    (CARD, "count = 1", "count = 1\npaws = 1", "'paws' belongs to the slot 'paw'"),
    (
        CARD,
        "count = 1",
        'count = 1\nattack = "melee"',
        "cards of the type 'accessory' have no field",
    ),
    (
        CARD,
        "accessory",
        "acessory",
        "'acessory' is not a word that can stand here; did you mean 'acce",
    ),
    # encounters
    (ENCOUNTER, '"4-"', '"5-"', "3:35: swarm.bands: page 4 is next, but a band begins on page 5."),
    (ENCOUNTER, '"4-"', '"4-6"', 'the last band has to be open, as in "4-"'),
    (ENCOUNTER, '"4-"', '"four"', "'four' is not a range of pages; write \"1-2\""),
    (ENCOUNTER, "roach = 6", "roach = 60", "60 is not a whole number from 1 to 20, of 'roach'"),
    # ids of other entries
    (
        HERO,
        '"dagger"',
        '"daggr"',
        "9:19: pip.starting_gear: there is no search card 'daggr'; did you",
    ),
    (HERO, '"dagger"', '"heal_all"', "'heal_all' is no gear: its type is 'scroll'"),
    (HERO, '"dagger"', '"tildas_mace"', "'tildas_mace' is for tilda alone."),
    (
        HERO,
        '"dagger"',
        '"leather_breastplate"',
        "'leather_breastplate' is for warrior, healer or tinkerer alone.",
    ),
    (
        HERO.replace('"dagger"', '"collins_sword"'),
        '"scamp"',
        '"leader", "warior"',
        "'collins_sword' is for warrior alone; the class 'warior' may be a slip for 'warrior'.",
    ),
    (
        HERO,
        '"dagger"',
        '"dagger", "dagger", "dagger"',
        "'dagger' is named 3 times; there are 2 copies",
    ),
    (HERO, '"dagger"', '"dagger", "toothpick"', "it does not fit into the slot 'paw' all at once"),
    (
        ABILITY,
        '"warrior"',
        '"warior"',
        "'warior' is neither a class of a hero nor the id of one; did",
    ),
    (MINION, '= "beetle"', '= "betle"', "there is no minion 'betle'; did you mean 'beetle'?"),
    (MINION, '= "beetle"', '= "greedy_roach"', "'greedy_roach' has the card of 'roach' itself"),
    (MINION, "figure_limit = 6", "figure_limit = 7", "of the same pool has 6 figures"),
    (MINION, CARD_LINE, f'{CARD_LINE}\ncards = [{{ id = "x" }}]', "only a boss has cards"),
    (MINION, CARD_LINE, f"{BOSS_LINE} }}]", "a boss has two cards or more"),
    (
        MINION,
        CARD_LINE,
        f'{BOSS_LINE} }}, {{ id = "roach" }}]',
        "'roach' is the id of another hero, minion or card, too",
    ),
    (
        MINION,
        CARD_LINE,
        f'{CARD_LINE}\nabilities = [{{ op = "summon", minion = "roch", count = 1 }}]',
        "there is no minion 'roch'; did you mean 'roach'?",
    ),
    (
        MINION,
        CARD_LINE,
        f'{CARD_LINE}\nabilities = [{{ op = "pounce" }}]',
        "'pounce' leads into full spaces, so it is for a token",
    ),
    (
        MINION,
        '"rat"\nfigure_limit = 6',
        '"bug"\nfigure_limit = 5',
        "have 21 figures; 20 are the most",
    ),
    (
        ENCOUNTER,
        "spider",
        "spidr",
        "4:11: swarm.surge: there is no minion 'spidr'; did you mean 'spi",
    ),
    # rooms
    (TILE, "x = 20", "x = 2000", "7:21: cellar.spaces: 2000 is not a whole number from 0 to 1000"),
    (
        TILE,
        'water = true },\n    { id = "C"',
        'watr = 1 },\n    { id = "C"',
        "'watr' is not a field here",
    ),
    (TILE, 'id = "D"', 'id = "A"', "there is a space 'A' already"),
    (TILE, "x = 40", "x = 30", "'D' stands where 'C' stands"),
    (TILE, ', "B: C"', "", "C is cut off from A; add edges"),
    (TILE, '"A: B"', '"A: B", "B: A"', "'B' and 'A' are paired twice; once is enough"),
    (TILE, '"A: B"', '"A: A B"', "'A' is paired with itself"),
    (TILE, '"A: B"', '"A - B"', "11:11: cellar.edges: 'A - B' is not a line such as \"A1: A2 B1\""),
    (TILE, '"D > A"', '"B > A"', "'B' and 'A' are an edge already"),
    (TILE, '"D: B"', '"D: A"', "'D' and 'A' are an edge, which no red line crosses"),
    (TILE, '["A: C"]', '["A: X"]', "14:25: cellar.no_line_of_sight: there is no space 'X' on this"),
    (TILE, "W = ", "Q = ", "'Q' is not an edge"),
    (TILE, 'W = ["A"]', "W = []", "exit W has no spaces; leave it out"),
    (TILE, 'W = ["A"]', 'W = ["E"]', "exit W: there is no space 'E' on this tile"),
    (TILE, '= ["D"]', "= []", "a tile needs a space where minions enter"),
    (TILE, '= ["D"]', '= ["D", "E"]', "cellar.minion_entry: there is no space 'E' on this tile"),
    (TILE, 'space = "A"', 'space = "E"', "cellar.flip: there is no space 'E' on this tile"),
    (TILE, "capacity = 8", "capacity = 0", "0 is not a whole number from 1 to 16"),
    (TILE, "B > C", "A > C", "'A' is no water, so it has no current"),
    (TILE, "C > OFF", "A > OFF", "the current of 'B' flows to 'A', which is no water"),
    (
        TILE,
        '"A: B", "B: C"',
        '"A: B C"',
        "the current of 'B' flows to 'C', which is not next to it",
    ),
    (TILE, "> OFF", "> OFF > A", "nothing follows OFF"),
    # chapters
    (
        CHAPTER,
        "route = [901, 902]",
        "route = [902]",
        "the route has to begin at the start, tile 901",
    ),
    (CHAPTER, "[901, 902]", "[901]", "the route has to end where the chapter is won, on tile 902"),
    (CHAPTER, "[901, 902]", "[901, 903, 902]", "no link leads from tile 901 to tile 903"),
    (CHAPTER, "[901, 902]", "[901, 9, 902]", "8:15: short.route: there is no tile '9'"),
    (CHAPTER, "E - W", "E - E", "E touches W, not E"),
    (CHAPTER, "E - W", "N - S", "tile 901 has no exit N; it has E"),
    (CHAPTER, "901 E - W 902", "901 flip 902", "tile 901 has no flip space"),
    (CHAPTER, '"901 E - W 902"', '"901 E - W 902", "5 flip 2"', "their physical tiles differ"),
    (
        CHAPTER,
        '"901 E - W 902"',
        '"901 E - W 902", "5 flip 6"',
        "no links lead from tile 901 to tile 5",
    ),
    (
        CHAPTER,
        '"901 E - W 902"',
        '"901 E - W 902", "901 E - W 903"',
        "exit E of tile 901 leads elsewhere",
    ),
    (CHAPTER, '"b1"', '"b9"', "9:39: short.start: tile 901 has no space 'b9'"),
    (CHAPTER, "roach = 2", "roch = 2", "there is no minion 'roch'; did you mean 'roach'?"),
    (CHAPTER, "page_end = 5", "page_end = 1", "1 is not a whole number from 2 to 20"),
    (CHAPTER, "page_start = 1", "page_start = 6", "begins on page 6 and has to end later"),
    (CHAPTER, '"nez", ', "", "3 heroes are allowed; a party has 4"),
    (CHAPTER, '["collin"]', '["lily"]', "'lily' is not among the heroes that are allowed"),
    (CHAPTER, ', "all_mice_captured"', "", "'all_mice_captured' is missing"),
    (CHAPTER, ", minions = { spider = 1 }", "", "'preset_minions' needs minions"),
    (CHAPTER, "preset_minions", "minions_barred", "tile 902 has no space ''"),
    (CHAPTER, "room_cleared", "room_clear", "did you mean 'room_cleared'?"),
    (CHAPTER, "mice = 4", "mice = 7", "7 is not a whole number from 1 to 6."),
]


@pytest.mark.parametrize(("entry", "old", "new", "message"), FAULTS)
def test_fault_is_told(entry: str, old: str, new: str, message: str) -> None:
    """One spoiled place of a sound entry is told with what is wrong and what is allowed."""
    assert old in entry
    faults = told(entry.replace(old, new, 1))
    assert any(message in fault for fault in faults), "\n".join(faults)


def test_a_word_that_is_class_and_hero_is_allowed_once() -> None:
    """Maginos is a hero, and the class of abilities that he alone may have."""
    [fault] = told(ABILITY.replace('"warrior"', '"warior"', 1))
    allowed = fault.partition("Allowed here: ")[2].rstrip(".").split(", ")
    assert "maginos" in allowed and len({*allowed}) == len(allowed)


def test_all_faults_come_at_once() -> None:
    """Faults of several entries, inside them and between them, are told in the file's order."""
    spoiled = [
        HERO.replace("battle", "battel").replace("dagger", "daggr"),
        TILE.replace('"A: B"', '"A: B X"'),
        CHAPTER.replace("901, 902", "901, 903, 902"),
    ]
    lines = [fault.split(":")[1] for fault in told("\n".join(spoiled))]
    assert len(lines) == 6
    assert lines == sorted(lines, key=int)


def test_slips_of_the_pen_are_mended() -> None:
    """What is no TOML is explained, and what else is wrong is told as well."""
    faults = told(HERO.replace("battle = 1", "battle: 1").replace('"dagger"', '"daggr"'))
    assert "f.toml:4:7: the sign is '='; write: battle = 1" in faults[0]
    assert "there is no search card 'daggr'" in faults[1]
    [fault] = told(HERO.replace("[hero.pip]", "[hero.Pip Squeak]"))
    assert "an id has no spaces and no capital letters; write: [hero.pip_squeak]" in fault
    faults = told(HERO + HERO)
    assert (
        "the id 'pip' stands in line 1 already; give this entry one of its own, for instance"
        in (faults[0])
    )


def test_own_entries_take_places() -> None:
    """An entry with a known id stands where the old one stood; the others do not move."""
    before = load_facts()
    after = parse_changes(HERO.replace("hero.pip", "hero.nez").replace('"dagger"', '"nez_hammer"'))
    assert [hero.id for hero in after.heroes] == [hero.id for hero in before.heroes]
    assert after.heroes[1].name == "Pip"
    assert after.tiles == before.tiles


def test_own_entries_that_break_the_base_game() -> None:
    """A changed room that a chapter of the base game cannot use is told at that chapter."""
    faults = told(TILE.replace("tile.cellar", "tile.5").replace("= 9", "= 3"))
    assert any(
        "chapters.toml:" in fault and "tile 5 has no space 'C1'" in fault for fault in faults
    )
    assert load_facts().chapters  # the faults are not kept


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.partition("]")[0][1:])
@pytest.mark.parametrize("value", ["[{ op = [] }]", "{ a = 1.5 }", "[1979-05-27]"])
def test_values_of_any_kind_are_refused_in_words(entry: str, value: str) -> None:
    """Whatever TOML can hold stands in each field in turn; the fault names the field."""
    lines = entry.split("\n")
    for number, line in enumerate(lines):
        field, equals, old = line.partition(" = ")
        if equals and not line.startswith(" "):
            n_lines = lines[number:].index("]") + 1 if old == "[" else 1
            text = "\n".join([*lines[:number], f"{field} = {value}", *lines[number + n_lines :]])
            assert any(f".{field}: " in fault for fault in told(text)), (field, value)


def test_limits_of_the_engine() -> None:
    """More of a kind than the engine has room for is one fault at the first that is too much."""
    heroes = [HERO.replace("hero.pip", f"hero.pip{n}") for n in range(3)]
    faults = told("\n".join(heroes))
    assert faults == ["f.toml:23:1: pip2: there are 9 heroes; the engine plays 8 at most."]
    cards = [CARD.replace("ring]", f"ring{n}]").replace("= 1", "= 20", 1) for n in range(5)]
    assert any(
        "171 copies of search cards; 160 are the most" in one for one in told("\n".join(cards))
    )


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file, a folder, one that is empty, and two files with one entry."""
    assert "there is no such file" in str(check_file(tmp_path / "none.toml")[0])
    assert "this is a folder" in str(check_file(tmp_path)[0])
    empty = tmp_path / "empty.toml"
    empty.write_text("# nothing\n")
    assert "there is nothing in this file" in str(check_file(empty)[0])
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    for path in (one, other):
        path.write_text(HERO)
    with pytest.raises(CardFileError, match=r"other.toml:1:1: .*has an entry with this id already"):
        load_facts([one, other])


def test_the_die_has_a_table_of_its_own() -> None:
    """There is one die, so its header has no id; a number in its place is told so."""
    assert told("die = 3") == ["f.toml:1:1: die: there is one die, in a table: [die]."]
