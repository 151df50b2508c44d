"""A game declares kinds with fields; reading, faults, one form, schema and steps follow from it."""

import copy
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from card_data.faults import CardFileError
from card_data.schema import (
    Change,
    Choice,
    Entries,
    Flag,
    Kind,
    ListOf,
    Real,
    Schema,
    Text,
    Whole,
    Words,
    changed,
    differences,
    entries_text,
    format_entries,
    json_schema,
    load_entries,
    read_entries,
    reference,
    steps,
    variables,
)
from card_data.schema.sheet import encode_entries, read_entry_table

CARD = Kind(
    "card",
    "cards",
    {
        "cost": Whole(0, 8, meaning="What it costs."),
        "strength": Whole(0, 9, default=0),
        "weight": Real(0, 2, default=1.0),
        "suit": Choice(["sun", "moon"], default="sun"),
        "swift": Flag(default=False),
        "words": Words(["burn", "guard"], default=[]),
        "says": Text(default=""),
        "rungs": ListOf(Whole(1, 6), default=()),
    },
    within="deck",
    alike=["suit"],
)
DECK = Kind("deck", "decks", {"cards": Entries("card")}, each_seat=True)
BRAWL = Schema([CARD, DECK], "brawl", "Brawl")
TEXT = """\
game = "brawl"

# It bites.
[card.wolf]
cost = 2
strength = 3
words = ["burn"]

[card.sun_bear]
name = "Bear"
cost = 4
weight = 0.5
swift = true
rungs = [1, 6]

[deck.rush]
cards = { wolf = 3, sun_bear = 1 }
"""


def faults_of(text: str, schema: Schema = BRAWL) -> list[str]:
    """The faults of a text."""
    with pytest.raises(CardFileError) as caught:
        read_entries(text, "my.toml", schema)
    return [str(fault) for fault in caught.value.faults]


def test_entries_have_their_fields() -> None:
    """An entry has its id, a name, its kind and its fields; a deck has entries with numbers."""
    table = read_entries(TEXT, "my.toml", BRAWL)
    wolf, bear = table["card"]
    assert (wolf.id, wolf.name, wolf.kind, wolf.cost, wolf.words) == (
        "wolf", "Wolf", "card", 2, ("burn",)
    )  # fmt: skip
    assert (bear.name, bear.weight, bear.swift, bear.suit) == ("Bear", 0.5, True, "sun")
    assert bear.rungs == (1, 6)
    (rush,) = table["deck"]
    assert dict(rush.cards) == {wolf: 3, bear: 1}
    assert rush.cards[wolf] == 3


def test_an_entry_never_changes_and_is_its_own_copy() -> None:
    """Rules can keep entries in sets and dicts, and copies of a state share them."""
    wolf, bear = read_entries(TEXT, "my.toml", BRAWL)["card"]
    with pytest.raises(AttributeError):
        wolf.cost = 1
    assert copy.deepcopy([wolf])[0] is wolf
    assert {wolf, bear, *read_entries(TEXT, "my.toml", BRAWL)["card"]} == {wolf, bear}


def test_every_fault_of_a_file_is_told_at_once() -> None:
    """Each has its line and column, and the nearest right word where there is one."""
    text = TEXT.replace("cost = 2", "cots = 2").replace('"burn"', '"brun"')
    text = text.replace("cost = 4", 'cost = "4"').replace("weight = 0.5", "weight = 3")
    text = text.replace("swift = true", "swift = 1\nsuit = 'mon'").replace("[1, 6]", "[1, 7]")
    text = text.replace("[deck.rush]", "[dekc.slow]\nx = 1\n\n[deck.rush]")
    assert faults_of(text) == [
        "my.toml:4:1: wolf.cost: the field 'cost' is missing.",
        "my.toml:5:1: wolf.cots: 'cots' is not a field of a card; did you mean 'cost'? Allowed"
        " here: name, cost, weight, suit, swift, says, rungs.",
        "my.toml:7:11: wolf.words: 'brun' is not a word that can stand here; did you mean 'burn'?"
        " Allowed here: burn, guard.",
        "my.toml:11:9: sun_bear.cost: '4' is a text; remove the quotes: cost = 4.",
        "my.toml:12:10: sun_bear.weight: 3 is not a number from 0 to 2.",
        "my.toml:13:9: sun_bear.swift: 1 is not true or false.",
        "my.toml:14:9: sun_bear.suit: 'mon' is not a word that can stand here; did you mean"
        " 'moon'? Allowed here: sun, moon.",
        "my.toml:15:13: sun_bear.rungs: 7 is not a whole number from 1 to 6.",
        "my.toml:17:1: dekc: [dekc.slow]: 'dekc' is not a kind of entry; did you mean 'deck'?"
        " Allowed here: card, deck.",
    ]


def test_entries_that_a_deck_holds_must_be_there() -> None:
    """A card that nobody declared is told with the nearest id."""
    assert faults_of(TEXT.replace("{ wolf = 3", "{ wulf = 3")) == [
        "my.toml:17:11: rush.cards: there is no card 'wulf'; did you mean 'wolf'? Allowed here:"
        " wolf, sun_bear."
    ]
    assert faults_of(TEXT.replace("wolf = 3", "wolf = 0")) == [
        "my.toml:17:11: rush.cards: 0 is not a whole number from 1 to 99, of 'wolf'."
    ]


def test_another_game_is_told() -> None:
    """A file that says whose it is must say this game; one that holds nothing is told so."""
    assert 'write game = "brawl", or leave it out' in faults_of(TEXT.replace("brawl", "chess"))[0]
    assert "begins with a header: [card.my_card]" in faults_of("")[0]


def test_a_file_has_one_form() -> None:
    """Fields get their order and what is usual is left out; comments stay, and so does the form."""
    messy = TEXT.replace("strength = 3\n", "").replace(
        "cost = 2", "suit = 'sun'\nstrength = 3 # teeth\ncost=2"
    )
    assert format_entries(messy, "my.toml", BRAWL) == TEXT.replace(
        "strength = 3", "strength = 3  # teeth"
    )
    assert format_entries(TEXT, "my.toml", BRAWL) == TEXT
    table = read_entries(TEXT, "my.toml", BRAWL)
    assert read_entries(entries_text(BRAWL, table), "again.toml", BRAWL) == table


def test_the_schema_knows_what_the_reader_knows() -> None:
    """It is a JSON Schema that passes the file and finds wrong types, words and ranges."""
    validator = Draft7Validator(json_schema(BRAWL))
    Draft7Validator.check_schema(json_schema(BRAWL))
    assert list(validator.iter_errors(tomllib.loads(TEXT))) == []
    for old, new in (
        ("cost = 2", "cost = 9"), ("weight = 0.5", 'weight = "a"'), ('["burn"]', '["brun"]'),
        ("wolf = 3", "wolf = 0"), ("[1, 6]", "[0]"), ("cost = 4", ""), ("swift", "swfit"),
    ):  # fmt: skip
        text = TEXT.replace(old, new)
        assert text != TEXT
        assert list(validator.iter_errors(tomllib.loads(text)))
        assert faults_of(text)


def test_the_reference_names_every_field() -> None:
    """Each has its row, with what it holds and what it is if left out."""
    page = reference(BRAWL)
    assert "| `cost` | What it costs. | a whole number from 0 to 8 | must be there |" in page
    assert "| `suit` |  | one of `sun`, `moon` | `sun` |" in page
    assert "## `[deck.my_deck]`" in page


def test_everything_can_be_stepped_and_stepped_back() -> None:
    """Each step is another table, which a file can hold; stepped back it is the first one."""
    table = read_entries(TEXT, "my.toml", BRAWL)
    found = steps(variables(BRAWL, table))
    assert {one.variable.number for one in found if one.variable.entry == "sun_bear"} == {
        "cost", "strength", "weight", "suit", "swift", "words.burn", "words.guard", "rungs.1",
        "rungs.2",
    }  # fmt: skip
    for one in found:
        new = changed(BRAWL, table, one)
        assert new != table
        assert read_entries(entries_text(BRAWL, new), "again.toml", BRAWL) == new
        if one.changed_to != 0:  # one of several cards can be left out, and is then gone
            assert changed(BRAWL, new, Change(one.variable, one.variable.value)) == table


def test_a_changed_card_is_the_card_of_the_deck() -> None:
    """Decks hold the entries of their own table; what differs can be told."""
    table = read_entries(TEXT, "my.toml", BRAWL)
    cost = next(one for one in variables(BRAWL, table) if one.key == ("cards", "wolf", "cost"))
    assert [one.label for one in steps([cost])] == [
        "Wolf: cost 1 instead of 2", "Wolf: cost 3 instead of 2"
    ]  # fmt: skip
    new = changed(BRAWL, table, Change(cost, 3))
    assert [one.cost for one in new["deck"][0].cards] == [3, 4]
    (other,) = [one for one in differences(BRAWL, table, new) if one.name == "Wolf"]
    assert (other.what, other.before, other.after) == ("cost", "2", "3")


def test_own_files_take_the_place_of_entries(tmp_path: Path) -> None:
    """An entry of an own file replaces the one with its id; a new one comes behind the others."""
    base, own = tmp_path / "cards.toml", tmp_path / "mine.toml"
    base.write_text(TEXT)
    own.write_text("[card.wolf]\ncost = 1\n\n[card.owl]\ncost = 3\n")
    table = load_entries([base], BRAWL, [own])
    assert [(one.id, one.cost) for one in table["card"]] == [
        ("wolf", 1), ("sun_bear", 4), ("owl", 3)
    ]  # fmt: skip
    with pytest.raises(CardFileError, match="has an entry with this id already"):
        load_entries([base, own], BRAWL)
    with pytest.raises(CardFileError, match="there is no such file"):
        load_entries([tmp_path / "no.toml"], BRAWL)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_entries_go_into_a_spreadsheet_and_back(suffix: str, tmp_path: Path) -> None:
    """Words, numbers and lists are cells; what is usual is left out; ids can be made of names."""
    table = read_entries(TEXT, "my.toml", BRAWL)
    path = tmp_path / f"cards{suffix}"
    path.write_bytes(encode_entries(CARD, table["card"], suffix))
    assert read_entry_table(path, "card", BRAWL) == ([*table["card"]], [])
    path.write_bytes(encode_entries(DECK, table["deck"], suffix))
    ((deck,), _) = read_entry_table(path, "deck", BRAWL)
    assert dict(deck.cards) == {"wolf": 3, "sun_bear": 1}
    names = tmp_path / "names.csv"
    names.write_text("name,cost,words\nSea Owl,3,burn guard\n")
    ((owl,), notes) = read_entry_table(names, "card", BRAWL)
    assert (owl.id, owl.name, owl.words) == ("sea_owl", "Sea Owl", ("burn", "guard"))
    assert notes == ["there are no card ids; they are made of the names: sea_owl"]


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (Whole(1, 9), "4", 4),
        (Whole(0, 100_000), "20k", 20_000),
        (Real(0, 1), "0,5", 0.5),
        (Flag(), "yes", True),
        (Choice(["a", "b"]), "b", "b"),
        (Words(["a", "b"]), "a, b", ("a", "b")),
        (ListOf(Whole(0, 9)), "[1, 2]", (1, 2)),
    ],
)
def test_a_command_line_spells_values(field, text, value) -> None:
    """What a person types is read as the file would have it."""
    assert field.typed(text) == value


def test_a_typed_slip_is_told() -> None:
    """The message says what is allowed, and the nearest word."""
    with pytest.raises(ValueError, match="10 is not a whole number from 1 to 9"):
        Whole(1, 9).typed("10")
    with pytest.raises(ValueError, match=r"did you mean 'moon'\? Allowed here: sun, moon"):
        Choice(["sun", "moon"]).typed("mon")


@pytest.mark.parametrize(
    ("declare", "problem"),
    [
        (lambda: Whole(9, 0), "a range from 9 to 0 is empty"),
        (lambda: Choice([]), "nothing to choose from"),
        (lambda: Words("burn"), r'words are a list, such as \["burn"\]'),
        (
            lambda: Kind("card", "cards", {"cost": cast("Any", 3)}),
            "field 'cost' is 3; write",
        ),
        (lambda: Kind("card", "cards", {"id": Text()}), "has 'id' already"),
        (lambda: Kind("my card", "cards", {}), "'my card' is not a name"),
        (
            lambda: Kind("card", "cards", {"cost": Whole(0, 8, default=9)}),
            "its default 9 is not a whole number from 0 to 8",
        ),
        (lambda: Kind("card", "cards", {}, copies="n"), "there is no field 'n'"),
        (lambda: Kind("card", "cards", {"suit": Text()}, alike=["siut"]), "mean 'suit'"),
        (lambda: Kind("card", "cards", {}, measure="luck"), "'luck' is none of share"),
        (lambda: Schema([CARD]), "needs a kind 'deck' with a field"),
        (lambda: Schema([DECK]), "holds entries of 'card', which is not a kind"),
        (
            lambda: Schema([Kind("card", "cards", {"next": Entries("card")})]),
            "in a circle: card → card",
        ),
    ],
)
def test_a_wrong_declaration_is_told(declare, problem) -> None:
    """What cannot be declared is one sentence, before any file is read."""
    with pytest.raises(ValueError, match=problem):
        declare()


TOML_VALUES = st.recursive(
    st.sampled_from(["1", "-3", "1e400", "nan", "true", '"wolf"', '""', "1979-05-27", "0.5"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, max_size=2).map(
            lambda items: f"{{{', '.join(f'wolf{i} = {item}' for i, item in enumerate(items))}}}"
        ),
    ),
    max_leaves=5,
)
HEADERS = ["card", "card.wolf", "deck.rush", "deck.rush.cards", "game", "x.y", '"".""']


@given(
    st.lists(
        st.tuples(
            st.sampled_from(HEADERS),
            st.dictionaries(st.sampled_from([*CARD.all_fields, "cards", "x"]), TOML_VALUES),
        ),
        max_size=3,
    )
)
def test_arbitrary_values_are_told(tables: list[tuple[str, dict[str, str]]]) -> None:
    """Values of any type in any field are told, not tripped over; what is read has one form."""
    text = "\n".join(
        f"[{header}]\n" + "".join(f"{name} = {value}\n" for name, value in fields.items())
        for header, fields in tables
    )
    try:
        table = read_entries(text, "my.toml", BRAWL)
    except CardFileError as error:
        assert str(error)
        return
    form = format_entries(text, "my.toml", BRAWL)
    assert format_entries(form, "my.toml", BRAWL) == form
    assert read_entries(form, "my.toml", BRAWL) == table
