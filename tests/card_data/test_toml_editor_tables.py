"""Tables of a TOML text are put in place of others, and all else stays as it was typed."""

import tomllib

import pytest

from card_data.toml_editor import NotEditable, with_tables, with_word
from card_data.toml_files import Unreadable

TEXT = """# my cards
name = "Mine"

# an ogre
[ogre]
name = "Ogre"
power   = 9  # too much?
keywords = ["TOUGH", "HUNTER"]
play = "gain 1 life"
copies = 2

[imp] # small
power = 1
"""


def test_what_differs_is_written_anew() -> None:
    """A changed value keeps its comment, a field that is gone goes, a new one has its place."""
    ogre = (
        '[ogre]\nname = "Ogre"\ncopies = 2\npower = 8\nkeywords = ["TOUGH", "HUNTER"]\ndice = 1\n'
    )
    found = with_tables(TEXT, ogre)
    assert found == (
        TEXT.replace("power   = 9", "power   = 8")
        .replace('play = "gain 1 life"\n', "")
        .replace("copies = 2\n", "copies = 2\ndice = 1\n")
    )
    assert with_tables(found, ogre) == found


def test_several_lines_give_way_to_one_and_come_back() -> None:
    """A list over several lines is one field, whatever is written in it."""
    several = '[imp]\npower = 1\nconstant = [\n    "a # b",\n    "[c]",\n]\ncopies = 2\n'
    found = with_tables(TEXT, several)
    assert found.startswith(TEXT) and found[len(TEXT) :] == several.partition("power = 1\n")[2]
    assert tomllib.loads(found)["imp"]["constant"] == ["a # b", "[c]"]
    assert with_tables(found, "[imp]\npower = 1\n") == TEXT


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n"])
def test_new_tables_come_last(end: str) -> None:
    """A table that is not there is added below the others, whatever the text ends with."""
    new = '[wolf]\nname = "Wolf"\n\n[yeti]\nname = "Yeti"\n'
    assert with_tables(TEXT.rstrip() + end, new) == f"{TEXT}\n{new}"


def test_all_fields_of_a_table_can_be_others() -> None:
    """Where no field stays, the header does, with its comment."""
    found = with_tables(TEXT, '[imp]\nname = "Imp"\ncopies = 3\n')
    assert found.endswith('[imp] # small\nname = "Imp"\ncopies = 3\n')


@pytest.mark.parametrize("text", ["[ogre\n", 'name = "x"\nname = "y"\n'])
def test_what_is_not_toml_is_refused(text: str) -> None:
    """A text with faults is not changed by guessing."""
    with pytest.raises((NotEditable, Unreadable)):
        with_tables(text, "[ogre]\npower = 1\n")


NESTED = """game = "mice"

[hero.nez]
name = 'Nez'
life = 4      # tough
paws = 1      # as usual
innate = [
    { op = "heal", amount = 1 },  # his own
    # and more
    { op = "pilfer", cheese = 1 },
]

[minion.nez]
bands = { "1-2" = { roach = 4 } }
tiles = [3, 5]
"""


def test_tables_below_a_kind_and_values_with_tables_in_them() -> None:
    """Headers of two words are found; of a list with tables the item that differs is written."""
    new = (
        '[hero.nez]\nname = "Nez"\nlife = 5\ninnate = [\n    { op = "heal", amount = 1 },\n'
        '    { op = "pilfer", cheese = 2 },\n]\n\n'
        '[minion.nez]\nbands = { "1-2" = { roach = 5 } }\ntiles = [3, 6]\n\n'
        '[hero.pip]\ninnate = [{ op = "swim" }]\n'
    )
    usual = NESTED.replace("paws = 1      # as usual\n", "")
    found = with_tables(NESTED, new, usual)
    wanted = NESTED.replace("life = 4", "life = 5").replace("cheese = 1", "cheese = 2")
    wanted = wanted.replace("roach = 4", "roach = 5").replace("[3, 5]", "[3, 6]")
    assert found == f'{wanted}\n[hero.pip]\ninnate = [{{ op = "swim" }}]\n'
    assert "paws" not in with_tables(NESTED, new), "what is usual is known from its spelling alone"


def test_comments_inside_a_value_that_is_written_anew_stay() -> None:
    """Where a list has more or fewer tables, its comments come above it."""
    found = with_tables(NESTED, '[hero.nez]\nname = "Nez"\nlife = 4\npaws = 1\ninnate = []\n')
    above = "paws = 1      # as usual\n# his own\n# and more\ninnate = []\n"
    assert above in found and found.startswith(NESTED.partition("innate")[0])


def test_a_word_is_another_one_wherever_it_is_a_string_or_a_key() -> None:
    """Comments, and longer words in which it stands, stay as they are."""
    text = '[x]\na = { rat = 1, rat_2 = 2 }  # rat\nb = [\'rat\', "rat", "a rat"]\nc = "rat"\n'
    found = with_word(text, [("x", "a"), ("x", "b")], "rat", "mouse")
    assert found == text.replace("{ rat ", "{ mouse ").replace(
        "'rat', \"rat\"", "'mouse', \"mouse\""
    )
    with pytest.raises(NotEditable):
        with_word("[x.a]\nrat = 1\n", [("x", "a")], "rat", "mouse")
