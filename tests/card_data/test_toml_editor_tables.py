"""Tables of a TOML text are put in place of others, and all else stays as it was typed."""

from __future__ import annotations

import tomllib

import pytest

from card_data.toml_editor import NotEditable, with_tables
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
