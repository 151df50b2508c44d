"""Card files: what is read, and every fault with its exact place."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import card_data.mindbug.loader
from card_data.mindbug import (
    CardFileError,
    Fault,
    available_sets,
    check_file,
    load_set,
    load_sets,
    parse_set,
)
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.schema import MAX_COPIES, Card, CardSet, Instruction
from card_data.mindbug.vocabulary import Effect, Keyword, Trigger

SHIPPED = Path(card_data.mindbug.loader.__file__).parent / "sets" / "first_contact.toml"

HEAD = 'name = "Test"\n[rat]\nname = "Rat"\npower = 1\n'


def faults(text: str) -> tuple[Fault, ...]:
    """What is wrong with the text of a file called t.toml."""
    with pytest.raises(CardFileError) as caught:
        parse_set(text, "t.toml")
    return caught.value.faults


# ---------------------------------------------------------------- what is read


def test_every_field_reaches_the_card() -> None:
    """All fields of a card are read; keywords and copies may be left out."""
    card_set = parse_set(
        'name = "Two"\n[b]\nname = "B"\npower = 99\n'
        '[a]\nname = "A-é"\npower = 1\nkeywords = ["tough", "FRENZY"]\ncopies = 3\n'
        'play = "gain 1 life"\nattack = "lose 1 life"\ndefeated = "defeat this"\n'
        'constant = ["this cannot block", "this cannot attack"]\n',
        "folder/two.toml",
    )
    assert (card_set.set_id, card_set.name) == ("two", "Two")
    first, second = card_set.cards
    assert (first.card_id, first.name, first.power, first.copies) == ("a", "A-é", 1, 3)
    assert first.keywords == {Keyword.FRENZY, Keyword.TOUGH}
    triggers = [Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED]
    assert [ability.trigger for ability in first.triggered] == triggers
    assert len(first.constant) == 2
    assert second == Card("b", "B", 99)


def test_every_trigger_has_a_field() -> None:
    """Each trigger is that of the field with its name; losing life is one for the discard pile."""
    names = [trigger.name.lower() for trigger in Trigger if trigger is not Trigger.LIFE_LOST]
    lines = [f'{name} = "this becomes power 1"' for name in names if name != "discarded"]
    lines += ['discarded = "gain 1 life"', 'in_discard = "when you lose life, gain 1 life"']
    [card] = parse_set(HEAD + "\n".join(lines)).cards
    assert {ability.trigger for ability in card.triggered} == set(Trigger)


def test_lines_of_the_discard_pile_are_marked() -> None:
    """Constant abilities of the discard pile follow those in play; one event may trigger (R106)."""
    [card] = parse_set(
        f"{HEAD}in_discard = ['Mindbugs cannot be used', 'when you lose life, you may play this', "
        "'allied creatures have TOUGH']\nconstant = 'this cannot block'"
    ).cards
    assert [ability.in_discard for ability in card.constant] == [False, True, True]
    assert [ability.trigger for ability in card.triggered] == [Trigger.LIFE_LOST]


LINE = """
name = "T"
[egg]
name = "Egg"
power = 1
evolves_to = "hen"
[hen]
name = "Hen"
power = 2
copies = 0
evolves_to = "roc"
[roc]
name = "Roc"
power = 3
copies = 0
"""


def test_stages_are_counted() -> None:
    """The stage of a card is its place in the evolution line (R101)."""
    cards = {card.card_id: card for card in parse_set(LINE).cards}
    assert [cards[name].stage for name in ("egg", "hen", "roc")] == [1, 2, 3]
    assert [cards[name].evolves_to for name in ("egg", "hen", "roc")] == ["hen", "roc", None]
    assert [cards[name].copies for name in ("egg", "hen", "roc")] == [1, 0, 0]


def test_power_cards_are_read() -> None:
    """A table with a cost is a power card, kept apart from the creatures (R109)."""
    card_set = parse_set(
        f'{HEAD}dice = 2\n[fog]\nname = "Fog"\ncost = 0\nbought = "gain 1 life"\n'
        '[ash]\nname = "Ash"\ncopies = 2\ncost = 3\nbought = "lose 1 life"\n'
    )
    assert [card.dice for card in card_set.cards] == [2]
    assert [(card.card_id, card.cost, card.copies) for card in card_set.power_cards] == [
        ("ash", 3, 2),
        ("fog", 0, 1),
    ]
    assert card_set.power_cards[1].bought == (Instruction(Effect.GAIN_LIFE),)


def test_combined_header_gives_both_triggers() -> None:
    """A play_attack line is a Play and an Attack ability with the same instructions (R52)."""
    [card] = parse_set(f'{HEAD}play_attack = "gain 1 life"').cards
    play, attack = card.triggered
    assert (play.trigger, attack.trigger) == (Trigger.PLAY, Trigger.ATTACK)
    assert play.instructions == attack.instructions


def test_shipped_set_is_read_the_same_by_path_and_by_name() -> None:
    """load_set with the path and load_sets with the name give equal sets."""
    assert load_sets(["first_contact"]) == [load_set(SHIPPED)] == [load_set(str(SHIPPED))]
    assert "first_contact" in available_sets()


def test_order_of_the_names_does_not_matter(tmp_path: Path) -> None:
    """load_sets sorts by set id, so that the same cards are always played in the same order."""
    other = tmp_path / "a_set.toml"
    other.write_text(HEAD)
    names = [str(other), "first_contact"]
    assert load_sets(names) == load_sets(reversed(names))
    assert [card_set.set_id for card_set in load_sets(names)] == ["a_set", "first_contact"]


@pytest.mark.parametrize("change", [lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t])
def test_files_of_other_systems_are_read(tmp_path: Path, change: Callable[[str], str]) -> None:
    """Windows line ends and a byte order mark make no difference."""
    path = tmp_path / "first_contact.toml"
    path.write_bytes(change(SHIPPED.read_text("utf-8")).encode())
    assert load_set(path) == load_set(SHIPPED)


# ---------------------------------------------------------------- faults with their place

FAULTS = {
    "unknown word": (
        f'{HEAD}play = "gian 2 life"',
        "5:9: rat.play: 'gian' is not a word of the card language here; did you mean 'gain'?",
    ),
    "word in the wrong place": (
        f"{HEAD}attack   = 'gain life 2'",
        "5:18: rat.attack: 'life' cannot stand here. Allowed here: a number.",
    ),
    "unfinished line": (
        f'{HEAD}defeated = "gain 2"  # end',
        "5:19: rat.defeated: the line ends too early. Allowed here: energy, life.",
    ),
    "number out of range": (
        f'{HEAD}play = "gain 0 life"',
        "5:14: rat.play: '0' is not a number from 1 to 99.",
    ),
    "line of a list": (
        f'{HEAD}constant = [ # two\n  "this has TOUGH", # [\n  "this has TOGH"\n]',
        "7:13: rat.constant: 'TOGH' is not a word of the card language here; "
        "did you mean 'TOUGH'? Allowed here: +, -, FRENZY, HUNTER, POISONOUS, SNEAKY, TOUGH, "
        "a number, attack.",
    ),
    "line in three quotes": (
        f'{HEAD}play = """\ngain 1\nlive"""',
        "7:1: rat.play: 'live' is not a word of the card language here; did you mean 'life'?",
    ),
    "line with escapes": (
        f'{HEAD}play = "gain\\u00201 live"',
        "5:9: rat.play: 'live' is not a word of the card language here; did you mean 'life'?",
    ),
    "line that is no text": (
        f"{HEAD}play = 3",
        "5:8: rat.play: 3 is not a line of the card language.",
    ),
    "empty line": (f'{HEAD}play = ""', "5:9: rat.play: the line ends too early."),
    "constant of a wrong type": (
        f'{HEAD}constant = ["this has TOUGH", 1]',
        "5:12: rat.constant: ['this has TOUGH', 1] is not a line of the card language, "
        "or a list of 1 to 8 lines.",
    ),
    "empty list of lines": (
        f"{HEAD}constant = []",
        "5:12: rat.constant: [] is not a line of the card language, or a list of 1 to 8 lines.",
    ),
    "too many lines": (
        f"{HEAD}constant = {['this has TOUGH'] * 9}",
        "5:12: rat.constant: ",
    ),
    "trigger given twice": (
        f'{HEAD}play = "gain 1 life"\nplay_attack = "gain 1 life"',
        "6:1: rat.play_attack: the card has a Play ability already.",
    ),
    "unknown field": (
        f"{HEAD}copeis = 2",
        "5:1: rat.copeis: 'copeis' is not a field of a card; did you mean 'copies'? "
        "Allowed here: keywords, copies, dice, evolves_to, text, play, attack, play_attack, "
        "defeated, action, discarded, end_of_turn, mindbug_used, exhausted, constant, in_discard.",
    ),
    "field outside a card": (
        'power = 1\nname = "T"\n[rat]\nname = "R"\npower = 1',
        "1:1: power: 'power' is not a field of a card file.",
    ),
    "missing name of the set": (
        '# cards\n[rat]\nname = "R"\npower = 1',
        '1:1: name: the file has no name; write one above its cards: name = "My cards".',
    ),
    "cards as a list": (
        'name = "T"\n[[cards]]\nname = "Marsh Hare"\npower = 2',
        "2:1: cards: a card begins with its id in one pair of brackets: [marsh_hare].",
    ),
    "missing name": (
        'name = "T"\n\n  [rat]\npower = 1',
        "3:3: rat.name: the field 'name' is missing.",
    ),
    "missing power": (
        'name = "T"\n[rat]\nname = "R"',
        "2:1: rat.power: the field 'power' is missing.",
    ),
    "power too low": (
        'name = "T"\n[rat]\nname = "R"\npower = 0',
        "4:9: rat.power: 0 is not a whole number from 1 to 99.",
    ),
    "power too high": (
        'name = "T"\n[rat]\nname = "R"\npower = 100',
        "4:9: rat.power: 100 is not a whole number from 1 to 99.",
    ),
    "power of a wrong type": (
        'name = "T"\n[rat]\nname = "R"\npower = "5"',
        "4:10: rat.power: '5' is a text; remove the quotes: power = 5.",
    ),
    "power with a fraction": (
        'name = "T"\n[rat]\nname = "R"\npower = 5.0',
        "4:9: rat.power: 5.0 is not a whole number from 1 to 99.",
    ),
    "power that is a truth value": (
        'name = "T"\n[rat]\nname = "R"\npower = true',
        "4:9: rat.power: True is not a whole number from 1 to 99.",
    ),
    "no copies": (
        f"{HEAD}copies = 0",
        "5:10: rat.copies: 0 is not a whole number from 1 to 20; 0 is for later stages.",
    ),
    "too many copies": (
        f"{HEAD}copies = {MAX_COPIES + 1}",
        "5:10: rat.copies: 21 is not a whole number from 0 to 20.",
    ),
    "too many dice": (
        f"{HEAD}dice = 3",
        "5:8: rat.dice: 3 is not a whole number from 0 to 2.",
    ),
    "two lines for losing life": (
        f"{HEAD}in_discard = ['when you lose life, gain 1 life', 'when you lose life, play this']",
        "5:14: rat.in_discard: the card has a line for 'when you lose life' already.",
    ),
    "this in a discard pile": (
        f"{HEAD}in_discard = ['Mindbugs cannot be used', 'this has TOUGH']",
        "5:43: rat.in_discard: in a discard pile this card is not a creature: leave out 'this',",
    ),
    "this when it is discarded": (
        f"{HEAD}discarded = 'defeat this'",
        "5:21: rat.discarded: in a discard pile this card is not a creature: leave out 'this',",
    ),
    "defeating when it becomes exhausted": (
        f"{HEAD}exhausted = 'defeat this'",
        "5:14: rat.exhausted: 'exhausted' is performed in the middle of an event: only",
    ),
    "next stage that is not there": (
        LINE.replace('evolves_to = "roc"', 'evolves_to = "rok"'),
        "11:14: hen.evolves_to: there is no card 'rok' in this file; did you mean 'roc'?",
    ),
    "next stage of a wrong type": (
        LINE.replace('evolves_to = "roc"', "evolves_to = 3"),
        "11:14: hen.evolves_to: 3 is not the id of a card.",
    ),
    "next stage with copies": (
        LINE.replace("copies = 0\nevolves_to", "copies = 2\nevolves_to"),
        "10:10: hen.copies: egg evolves into this card: copies has to be 0.",
    ),
    "next stage without a number of copies": (
        LINE.replace("copies = 0\nevolves_to", "evolves_to"),
        "7:1: hen.copies: egg evolves into this card: copies has to be 0.",
    ),
    "stages in a circle": (
        LINE.replace('"roc"', '"egg"').replace(
            'evolves_to = "hen"', 'copies=0\nevolves_to = "hen"'
        ),
        "12:14: hen.evolves_to: the stages go round in a circle.",
    ),
    "card that evolves into itself": (
        f'{HEAD}copies = 0\nevolves_to = "rat"',
        "6:14: rat.evolves_to: the stages go round in a circle.",
    ),
    "two cards that evolve into one": (
        f'{LINE}[ant]\nname = "Ant"\npower = 1\nevolves_to = "hen"',
        "19:14: ant.evolves_to: egg evolves into hen already.",
    ),
    "fourth stage": (
        f'{LINE}evolves_to = "ant"\n[ant]\nname = "Ant"\npower = 1\ncopies = 0',
        "16:14: roc.evolves_to: this card is stage 3 already, the last one.",
    ),
    "evolving into a power card": (
        f'{HEAD}evolves_to = "fog"\n[fog]\nname = "Fog"\ncost = 1\nbought = "gain 1 life"',
        "5:14: rat.evolves_to: there is no card 'fog' in this file.",
    ),
    "evolving without a next stage": (
        f'{HEAD}action = "gain 1 life, then evolve this"',
        "5:10: rat.action: the card evolves, but has no field 'evolves_to'.",
    ),
    "evolving as a mode, without a next stage": (
        f'{HEAD}play_attack = "choose one: gain 1 life; or evolve this"',
        "5:15: rat.play_attack: the card evolves, but has no field 'evolves_to'.",
    ),
    "evolving instead, without a next stage": (
        f'{HEAD}constant = "this evolves instead of being defeated"',
        "5:12: rat.constant: the card evolves, but has no field 'evolves_to'.",
    ),
    "power card with power": (
        f'{HEAD}cost = 1\nbought = "gain 1 life"',
        "4:1: rat.power: 'power' is not a field of a power card. Allowed here: copies, text.",
    ),
    "creature with a cost": (
        f'{HEAD}cost = 1\nplay = "gain 1 life"\nkeywords = ["TOUGH"]',
        "5:1: rat.cost: 'cost' makes this a power card, which has the fields name, copies, cost,"
        " bought, text and no others; leave it out of a creature.",
    ),
    "power card without an effect": (
        'name = "T"\n[fog]\nname = "Fog"\ncost = 1',
        "2:1: fog.bought: the field 'bought' is missing.",
    ),
    "power card without a price": (
        'name = "T"\n[fog]\nname = "Fog"\nbought = "gain 1 life"',
        "2:1: fog.cost: the field 'cost' is missing.",
    ),
    "price out of range": (
        'name = "T"\n[fog]\nname = "Fog"\ncost = 100\nbought = "gain 1 life"',
        "4:8: fog.cost: 100 is not a whole number from 0 to 99.",
    ),
    "power card with no copies": (
        'name = "T"\n[fog]\nname = "Fog"\ncost = 1\ncopies = 0\nbought = "gain 1 life"',
        "5:10: fog.copies: 0 is not a whole number from 1 to 20.",
    ),
    "power card that speaks of itself": (
        'name = "T"\n[fog]\nname = "Fog"\ncost = 1\nbought = "defeat this"',
        "5:18: fog.bought: a power card is not a creature: leave out 'this', 'other' and"
        " 'another'.",
    ),
    "power card with the name of a creature": (
        f'{HEAD}[fog]\nname = "rat"\ncost = 1\nbought = "gain 1 life"',
        "6:8: fog.name: 'rat' is the name of rat already.",
    ),
    "unknown keyword": (
        f'{HEAD}keywords = ["TOUGH", "SNEEKY"]',
        "5:23: rat.keywords: 'SNEEKY' is not a keyword; did you mean 'SNEAKY'? "
        "Allowed here: FRENZY, HUNTER, POISONOUS, SNEAKY, TOUGH.",
    ),
    "keyword given twice": (
        f'{HEAD}keywords = ["TOUGH", "tough"]',
        "5:23: rat.keywords: 'tough' is named twice.",
    ),
    "keywords of a wrong type": (
        f'{HEAD}keywords = "TOUGH"',
        '5:12: rat.keywords: \'TOUGH\' is not a list of keywords such as ["FRENZY", "TOUGH"].',
    ),
    "name given twice": (
        f'{HEAD}[mole]\nname = "rat"\npower = 1',
        "6:8: mole.name: 'rat' is the name of rat already; for 2 copies of one card, rat alone has"
        " copies = 2.",
    ),
    "name too long": (
        f'name = "T"\n[rat]\nname = "{"x" * 61}"\npower = 1',
        "3:8: rat.name: 'xxxxxxxxxxxx...xxxxxxxxxxxxx' is not a name of 1 to 60 printable",
    ),
    "empty name": (
        'name = "T"\n[rat]\nname = ""\npower = 1',
        "3:8: rat.name: '' is not a name of 1 to 60 printable characters.",
    ),
    "name with a control character": (
        'name = "T"\n[rat]\nname = "R\\u001b"\npower = 1',
        "3:8: rat.name: 'R\\x1b' is not a name of 1 to 60 printable characters.",
    ),
    "name of a wrong type": (
        'name = 7\n[rat]\nname = "R"\npower = 1',
        "1:8: name: 7 is not a name of 1 to 60 printable characters.",
    ),
    "card that is called name": (
        "[name]\npower = 1",
        "1:1: name: {'power': 1} is not a name of 1 to 60 printable characters.",
    ),
    "bad card id": (
        'name = "T"\n[Rat-1]\nname = "R"\npower = 1',
        "2:1: 'Rat-1': 'Rat-1' is not a card id: a-z, 0-9 and _, a letter first.",
    ),
    "no cards": ('name = "T"', "1:1: there are no cards; a card begins with its id in brackets."),
    "card id given twice": (
        f'{HEAD}[rat]\nname = "R"\npower = 1',
        "5:1: the id 'rat' stands in line 2 already; give this card one of its own, for instance"
        " [rat_2].",
    ),
    "not TOML": (
        'name = "T"\n[rat]\nname = "R"\n? = 1\n',
        "4:1: this line cannot be read",
    ),
    "nested too deeply": (
        f"x = {'[' * 1500}",
        " this is not valid TOML: brackets are nested too deeply.",
    ),
    "endless line": (
        f'name = "T"\n{"a." * 5000}a = 1',
        "2:2000: the line is longer than 2,000 characters.",
    ),
    "inline table": (
        'name = "T"\nrat = {name = "R", power = 0}',
        "2:1: rat.power: 0 is not a whole number from 1 to 99.",
    ),
    "dotted key": (
        'name = "T"\nrat.name = "R"\nrat.power = 0',
        "3:13: rat.power: 0 is not a whole number from 1 to 99.",
    ),
    "list of tables": (
        'name = "T"\n[[rat]]\nname = "R"',
        "2:1: rat: a card begins with its id in one pair of brackets: [r].",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_fault_is_told_with_its_place(kind: str) -> None:
    """The message names file, line, column, card and field, what was found and what would do."""
    text, expected = FAULTS[kind]
    messages = [str(fault) for fault in faults(text)]
    assert any(message.startswith(f"t.toml:{expected}") for message in messages), messages


@pytest.mark.parametrize("kind", FAULTS)
def test_line_ends_do_not_move_a_fault(kind: str) -> None:
    """The same text with Windows line ends has the same faults in the same places."""
    text, _ = FAULTS[kind]
    assert faults(text.replace("\n", "\r\n")) == faults(text)


def test_all_faults_of_a_file_come_together_in_its_order() -> None:
    """Every card and every line is checked, whatever is wrong with the ones before."""
    text = (
        'name = "T"\n'
        '[rat]\nname = "R"\npower = 0\nplay = "gian 1 life"\nconstant = ["this", "that"]\n'
        '[mole]\nnmae = "M"\nkeywords = ["X", "Y"]\ncopies = -1\n'
    )
    assert [(fault.line, fault.column, fault.card_id, fault.field) for fault in faults(text)] == [
        (4, 9, "rat", "power"),
        (5, 9, "rat", "play"),
        (6, 18, "rat", "constant"),
        (6, 22, "rat", "constant"),
        (7, 1, "mole", "name"),
        (7, 1, "mole", "power"),
        (8, 1, "mole", "nmae"),
        (9, 14, "mole", "keywords"),
        (9, 19, "mole", "keywords"),
        (10, 10, "mole", "copies"),
    ]


def test_error_prints_all_its_faults() -> None:
    """CardFileError shows one line for every fault."""
    with pytest.raises(CardFileError) as caught:
        parse_set('name = "T"\n[rat]\n')
    assert str(caught.value).splitlines() == [str(fault) for fault in caught.value.faults]
    assert len(caught.value.faults) == 2


# ---------------------------------------------------------------- files


def only_fault(path: str | os.PathLike[str]) -> str:
    """The single message about a file, without its name."""
    [fault] = check_file(path)
    with pytest.raises(CardFileError) as caught:
        load_set(path)
    assert caught.value.faults == (fault,)
    assert not fault.card_id
    return str(fault).removeprefix(str(path))


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there gives one clear fault."""
    assert only_fault(tmp_path / "none.toml") == ": there is no such file."


def test_folder(tmp_path: Path) -> None:
    """A folder gives one clear fault."""
    assert only_fault(tmp_path) == ": this is a folder, not a file."


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not be read gives one clear fault."""
    path = tmp_path / "secret.toml"
    path.write_text(HEAD)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("card_data.toml_files._without_waiting", refuse)
    assert only_fault(path) == ": the file cannot be read: Permission denied."


def test_huge_file(tmp_path: Path) -> None:
    """A file of more than a megabyte gives one clear fault."""
    path = tmp_path / "huge.toml"
    path.write_text(HEAD + "#\n" * 500_000)
    assert only_fault(path) == ": the file is larger than 1,000,000 bytes."


@pytest.mark.parametrize(
    "text", ['sets = ["first_contact"]\n[copies]\nrat = 1\n', "[modes]\nlife = 4\n"]
)
def test_pool_file_is_no_card_file(tmp_path: Path, text: str) -> None:
    """A pool file gives one fault that says where it belongs, and not one for each field."""
    path = tmp_path / "summer.toml"
    path.write_text(text)
    assert only_fault(path) == ": this is a pool file, not a card file; name it with --pool."


def test_cards_may_be_called_like_fields_of_pool_files() -> None:
    """With the name of a set, a card with the id of such a field is a card."""
    text = 'name = "T"\n[modes]\nname = "Modes"\npower = 1\n[copies]\nname = "C"\npower = 1\n'
    assert [card.card_id for card in parse_set(text).cards] == ["copies", "modes"]


def test_file_that_is_not_text(tmp_path: Path) -> None:
    """A file that is not UTF-8 gives one clear fault at the first bad byte."""
    path = tmp_path / "binary.toml"
    path.write_bytes(b'name = "T"\n[rat]\nname = "\xff"\n')
    assert only_fault(path) == ":3:9: the file is not UTF-8 text; save it as UTF-8."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe gives one clear fault at once instead of waiting for a writer."""
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    assert only_fault(path) == ": this is not an ordinary file."


@pytest.mark.parametrize("path", ["a\0b.toml", "x" * 5000 + ".toml"])
def test_impossible_path(path: str) -> None:
    """A path that no file can have gives one clear fault."""
    assert ": the file cannot be read: " in only_fault(path)


def test_file_name_is_checked(tmp_path: Path) -> None:
    """The file's name becomes the set's id, so it may not hold control characters."""
    path = tmp_path / "a\tb.toml"
    path.write_text(HEAD)
    assert only_fault(path) == ":1:1: the file name has to be 1 to 60 printable characters."


# ---------------------------------------------------------------- several sets


def sets_faults(names: list[str]) -> list[str]:
    """What is said about a choice of sets."""
    with pytest.raises(CardFileError) as caught:
        load_sets(names)
    return [str(fault) for fault in caught.value.faults]


def test_unknown_set_is_named_with_the_nearest() -> None:
    """An unknown set name is told with the nearest shipped one and all of them."""
    [message] = sets_faults(["frist_contact"])
    assert message.startswith(
        "frist_contact: there is no set 'frist_contact'; did you mean 'first_contact'? "
        "Allowed here: "
    )


def test_card_file_named_without_its_ending(tmp_path: Path, monkeypatch) -> None:
    """Where a file of that name lies, it is what was meant."""
    monkeypatch.chdir(tmp_path)
    Path("swamp.toml").write_text(HEAD)
    [message] = sets_faults(["swamp"])
    assert message.startswith("swamp: there is no set 'swamp'; did you mean 'swamp.toml'? ")
    [message] = sets_faults(["first_contcat"])
    assert "did you mean 'first_contact'?" in message
    for impossible in ("x" * 5000, "a\0b", ""):
        [message] = sets_faults([impossible])
        assert f"there is no set '{impossible}'. Allowed here: " in message


def test_set_named_twice() -> None:
    """The same set cannot be chosen twice."""
    [message] = sets_faults(["first_contact", "first_contact"])
    assert message.endswith("set 'first_contact' is named twice.")


def test_card_id_in_two_sets(tmp_path: Path) -> None:
    """A card id that two chosen sets share is told at the header of the second card."""
    path = tmp_path / "mine.toml"
    path.write_text(f'{HEAD}[killer_bee]\nname = "K"\npower = 1')
    assert sets_faults(["first_contact", str(path)]) == [
        f"{path}:5:1: killer_bee: set 'first_contact' has a card with this id already."
    ]


def test_power_card_id_in_two_sets(tmp_path: Path) -> None:
    """The ids of power cards count as those of creatures do."""
    path = tmp_path / "mine.toml"
    path.write_text(f'{HEAD}[railgun]\nname = "R"\ncost = 1\nbought = "gain 1 life"')
    assert sets_faults(["king_of_tokyo", str(path)]) == [
        f"{path}:5:1: railgun: set 'king_of_tokyo' has a card with this id already."
    ]


def test_faults_of_all_sets_come_together(tmp_path: Path) -> None:
    """Unknown names and faults inside files are reported in one go."""
    path = tmp_path / "bad.toml"
    path.write_text('name = "B"')
    assert len(sets_faults(["none", str(path), "first_contact", "nowhere.toml"])) == 3


def test_single_name_is_taken_as_one_set() -> None:
    """A plain text in place of a list is one name, not a list of letters."""
    assert load_sets("first_contact") == load_sets(["first_contact"])


# ---------------------------------------------------------------- anything at all


def survives(text: str) -> None:
    """A text gives a set, or a CardFileError with printable faults."""
    try:
        assert isinstance(parse_set(text), CardSet)
    except CardFileError as error:
        assert error.faults
        lines = text.count("\n") + 1
        for fault in error.faults:
            assert 0 <= fault.line <= lines
            assert fault.problem
            assert str(fault).encode()


@given(st.text(max_size=200) | st.text("[]{}=.\"'#\n ab1,\\", max_size=60))
def test_arbitrary_text_never_raises_anything_else(text: str) -> None:
    """Whatever is in a file, the answer is a set or a CardFileError."""
    survives(text)


@given(st.binary(max_size=100))
def test_arbitrary_bytes_never_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    """Whatever bytes a file holds, check_file answers with faults."""
    path = tmp_path_factory.getbasetemp() / "bytes.toml"
    path.write_bytes(content)
    assert all(isinstance(fault, Fault) for fault in check_file(path))


@given(st.randoms(use_true_random=False), st.integers(1, 5))
def test_damaged_valid_file_never_raises_anything_else(rng: random.Random, times: int) -> None:
    """A shipped file with characters or lines lost, doubled, swapped or changed is survived."""
    text = SHIPPED.read_text("utf-8")[:2000]
    for _ in range(times):
        start = rng.randrange(len(text))
        end = start + rng.choice((1, 1, 3, 40))
        piece = rng.choice(("", text[start:end] * 2, text[start:end][::-1], *"'\"[]{}=#\n\\\0é9-"))
        text = text[:start] + piece + text[end:]
    survives(text)


toml_values = st.recursive(
    st.one_of(
        st.booleans().map(lambda value: str(value).lower()),
        st.integers().map(str),
        st.floats().map(repr),
        st.sampled_from(["1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", '"gain 1 life"']),
        st.text("abc FRENZY", max_size=8).map(lambda text: f'"{text}"'),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=2).map(
            lambda items: f"{{{', '.join(f'k{i} = {item}' for i, item in enumerate(items))}}}"
        ),
    ),
    max_leaves=5,
)
FIELDS = [*CARD_FIELDS, "other"]


@given(st.dictionaries(st.sampled_from(FIELDS), toml_values), toml_values)
def test_arbitrary_values_never_raise_anything_else(table: dict[str, str], name: str) -> None:
    """Values of any type in any field are told, not tripped over."""
    fields = "\n".join(f"{key} = {value}" for key, value in table.items())
    survives(f"name = {name}\n[rat]\n{fields}\n")
