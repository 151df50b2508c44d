"""Changes of a TOML text at one place."""

import tomllib
from typing import Any

import pytest

from card_data.toml_editor import (
    NotEditable,
    with_copy,
    with_header,
    with_table,
    with_value,
    without_table,
)

TEXT = """\
# mine
name = "Set"  # of cards

# about a
[a]  # head
name = "A"
power = 5 # strong?
keywords = ["HUNTER", "TOUGH"]
constant = [
    "one two",  # first
    # between
    "three four",
]  # end

[b]
name = "B"
"""
ORDER = ("name", "power", "keywords", "copies", "play", "constant")


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("a", "power"), 6, "power = 5 # strong?", "power = 6 # strong?"),
        (("name",), 'A "set"', '"Set"', r'"A \"set\""'),
        (("a", "power"), None, "power = 5 # strong?\n", "# strong?\n"),
        (("a", "copies"), 2, '"TOUGH"]\n', '"TOUGH"]\ncopies = 2\n'),
        (("b", "play"), "x", 'name = "B"\n', 'name = "B"\nplay = "x"\n'),
        (("b", "constant"), ["x y", "z"], 'name = "B"\n',
         'name = "B"\nconstant = [\n    "x y",\n    "z",\n]\n'),
        (("b", "keywords"), ["X", "Y"], 'name = "B"\n', 'name = "B"\nkeywords = ["X", "Y"]\n'),
        (("a", "keywords"), ["TOUGH"], '["HUNTER", "TOUGH"]', '["TOUGH"]'),
        (("a", "keywords"), ["HUNTER"], '["HUNTER", "TOUGH"]', '["HUNTER"]'),
        (("a", "keywords"), ["HUNTER", "TOUGH", "X"], '"TOUGH"]', '"TOUGH", "X"]'),
        (("a", "keywords"), ["X", "HUNTER", "TOUGH"], '["HUNTER"', '["X", "HUNTER"'),
        (("a", "keywords"), ["HUNTER", "X", "TOUGH"], '"HUNTER", ', '"HUNTER", "X", '),
        (("a", "constant"), ["one", "three four"], '"one two"', '"one"'),
        (("a", "constant"), ["three four"], '    "one two",  # first\n', "    # first\n"),
        (("a", "constant"), ["one two"], '    "three four",\n', ""),
        (("a", "constant"), ["one two", "three four", "5"], '"three four",\n',
         '"three four",\n    "5",\n'),
        (("a", "constant"), ["one two", "5", "three four"], "# first\n", '# first\n    "5",\n'),
        (("a", "constant"), ["5", "one two", "three four"], '    "one', '    "5",\n    "one'),
        (("a", "constant"), ["one two", "3"], '"three four"', '"3"'),
    ],
)  # fmt: skip
def test_a_change_touches_its_place_alone(
    path: tuple[str, ...], value: Any, old: str, new: str
) -> None:
    """Comments and everything else stay as they are, byte for byte."""
    assert TEXT.count(old) == 1
    assert with_value(TEXT, path, value, ORDER) == TEXT.replace(old, new)


def test_a_list_without_a_comma_at_its_end() -> None:
    """An item goes behind the last one, whose comment stays with it."""
    text = 'a = [\n  "b c", # d\n  "e f" # g\n]\n'
    assert with_value(text, ("a",), ["b c", "e f", "h"]) == text.replace(
        '"e f" # g\n', '"e f", # g\n  "h"\n'
    )
    assert tomllib.loads(with_value(text, ("a",), ["b c"])) == {"a": ["b c"]}


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("", 'name = "N"\n'),
        ("[a]\n", 'name = "N"\n\n[a]\n'),
        ("#:schema x\n\n[a]\n", '#:schema x\nname = "N"\n\n[a]\n'),
        ("# about a\n[a]\n", 'name = "N"\n\n# about a\n[a]\n'),
    ],
)
def test_a_field_of_the_file_stands_before_all_tables(text: str, new: str) -> None:
    """A comment right above a table stays there."""
    assert with_value(text, ("name",), "N") == new


def test_a_table_is_added_copied_renamed_and_removed() -> None:
    """Each leaves the other tables as they are."""
    added = with_table(TEXT, '[c]\nname = "C"\n')
    assert added == TEXT + '\n[c]\nname = "C"\n'
    copied = with_copy(TEXT, ("a",), "a_2", "A 2")
    block = TEXT[TEXT.index("[a]") : TEXT.index("\n[b]")]
    twin = block.replace("[a]", "[a_2]").replace('"A"', '"A 2"')
    assert copied == TEXT.replace(block, f"{block}\n{twin}")
    assert with_header(TEXT, ("a",), "z") == TEXT.replace("[a]", "[z]")
    assert without_table(TEXT, ("a",)) == '# mine\nname = "Set"  # of cards\n\n[b]\nname = "B"\n'
    assert without_table(TEXT, ("b",)) == TEXT.partition("\n[b]")[0]


def test_tables_below_a_table() -> None:
    """A header of several parts names its table by all of them."""
    text = '[hero.a]\nname = "A"\n'
    assert with_value(text, ("hero", "a", "life"), 3) == text + "life = 3\n"
    added = with_table(text, '[hero.b]\nname = "B"\n')
    assert added == text + '\n[hero.b]\nname = "B"\n'
    assert without_table(added, ("hero", "b")) == text
    assert without_table(text, ("hero", "a")) == "\n"
    assert "[hero.c]" in with_copy(text, ("hero", "a"), "c", "C")


@pytest.mark.parametrize(
    "text",
    ["a = { name = 'A' }\n", "a.name = 'A'\n", "[a]\nname = 'A'\nx.power = 3\n", '["a"]\nx = 1\n'],
)
def test_what_is_written_otherwise_is_refused_or_right(text: str) -> None:
    """A layout that is not known is never garbled."""
    try:
        changed = with_value(text, ("a", "power"), 4)
    except NotEditable:
        return
    before = tomllib.loads(text)
    assert tomllib.loads(changed) == {"a": {**before["a"], "power": 4}}


def test_what_toml_cannot_hold_is_refused() -> None:
    """A character that a text cannot have ends in no text at all."""
    with pytest.raises(NotEditable):
        with_value('a = "b"\n', ("a",), "\x7f")
