"""Where things stand in TOML text."""

import pytest

from card_data.toml_places import TomlPlaces

TEXT = """\
# top
name = "Set"  # [not] = "a header"

[ a . b ]
x = "one # two"
"quoted key" = [ # first
  'y', "z",
]  # last
t = { u = [1,
 2], v = "w" }
long = \"\"\"
[fake]
fake = "\\"\" \"\"\"
[[list]]
k='v'
# tail"""
PLACES = TomlPlaces(TEXT)


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("name",), (2, 1), (2, 8)),
        (("a", "b"), (4, 1), (4, 1)),
        (("a", "b", "x"), (5, 1), (5, 5)),
        (("a", "b", "quoted key"), (6, 1), (6, 16)),
        (("a", "b", "t"), (9, 1), (9, 5)),
        (("a", "b", "long"), (11, 1), (11, 8)),
        (("list",), (14, 1), (14, 1)),
        (("list", "k"), (15, 1), (15, 3)),
        (("a", "b", "none"), (4, 1), (4, 1)),
        (("none", "x"), (1, 1), (1, 1)),
    ],
)
def test_keys_and_values_are_found(path, key, value) -> None:
    """Keys, headers and values stand where they are written; unknown ones at the nearest place."""
    assert PLACES.line_column(PLACES.key(path)) == key
    assert PLACES.line_column(PLACES.value(path)) == value


@pytest.mark.parametrize(
    ("path", "word", "item", "place"),
    [
        (("a", "b", "quoted key"), "z", -1, (7, 9)),
        (("a", "b", "quoted key"), "z", 0, (7, 3)),
        (("a", "b", "quoted key"), "", 1, (7, 8)),
        (("a", "b", "t"), "v", -1, (10, 6)),
        (("a", "b", "t"), "nothing", -1, (9, 5)),
        (("a", "b", "long"), "k", -1, (11, 8)),
        (("a", "b", "none"), "k", -1, (4, 1)),
    ],
)
def test_words_of_values_are_found(path, word, item, place) -> None:
    """A word is found in its value or item, and nowhere else; else it is where that begins."""
    assert PLACES.line_column(PLACES.word(path, word, item)) == place


@pytest.mark.parametrize(
    ("path", "index", "content", "offset", "place"),
    [
        (("a", "b", "x"), 0, "one # two", 4, (5, 10)),
        (("a", "b", "quoted key"), 1, "z", 0, (7, 9)),
        (("a", "b", "quoted key"), 2, "none", 0, (6, 16)),
        (("a", "b", "long"), 0, '[fake]\nfake = """ ', 9, (12, 1)),
        (("list", "k"), 0, "v", 0, (15, 4)),
    ],
)
def test_characters_of_strings_are_found(path, index, content, offset, place) -> None:
    """A character of a string is found; in a string with escapes it is where the string begins."""
    assert PLACES.line_column(PLACES.in_string(path, index, content, offset)) == place


def test_comments_stay_with_their_statement() -> None:
    """Comments above, beside and inside a statement are its own; the last ones belong to none."""
    assert PLACES.statements[("name",)].above == ["# top"]
    assert PLACES.statements[("name",)].beside == ['# [not] = "a header"']
    assert PLACES.statements[("a", "b", "quoted key")].beside == ["# first", "# last"]
    assert PLACES.tail == ["# tail"]
