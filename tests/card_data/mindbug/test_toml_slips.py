"""Slips of the pen in TOML: each is told by what was done, with its place and the mended line."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_data.faults import MAX_TOLD
from card_data.mindbug import CardFileError, Fault, load_pool, parse_set
from card_data.mindbug.loader import LAYOUT
from card_data.toml_slips import find_slips, mended

HEAD = 'name = "T"\n[rat]\nname = "Rat"\npower = 1\n'

#: What was written below the head, and the first fault: its column, what is told, the mended line.
SLIPS = {
    "[Grave Choir]": (2, "an id has no spaces and no capital letters", "[grave_choir]"),
    "[grave_choir": (13, "the bracket after the id is missing", "[grave_choir]"),
    "[grave_choir)": (13, "the bracket after the id is missing", "[grave_choir]"),
    "[grave_choir]]": (14, "there is a bracket too many", "[grave_choir]"),
    'play = "gain 1 life': (20, "the quote after the text is missing", 'play = "gain 1 life"'),
    'play = gain 1 life"': (8, "the quote before the text is missing", 'play = "gain 1 life"'),
    "play = gain 1 life": (8, "a text needs quotes", 'play = "gain 1 life"'),
    "play = \"gain 1 life'": (20, "a text needs quotes", 'play = "gain 1 life"'),
    "play = \u201cgain 1 life\u201d": (8, "these are typographic quotes", 'play = "gain 1 life"'),
    "play = \u2018gain 1 life\u2019": (8, "these are typographic quotes", "play = 'gain 1 life'"),
    'play: "gain 1 life"': (5, "the sign is '='", 'play = "gain 1 life"'),
    "copies == 2": (9, "the sign is '='", "copies = 2"),
    'play "gain 1 life"': (6, "there is no '=' after the field", 'play = "gain 1 life"'),
    "copies\t2": (7, "there is no '=' after the field", "copies = 2"),
    "play gain 1 life": (
        6,
        "there is no '=' after the field and a text needs quotes",
        'play = "gain 1 life"',
    ),
    "keywords = [FRENZY, TOUGH]": (13, "a list has texts", 'keywords = ["FRENZY", "TOUGH"]'),
    'keywords = ["FRENZY" "TOUGH"]': (21, "a list has texts", 'keywords = ["FRENZY", "TOUGH"]'),
    "keywords = FRENZY": (12, "a text needs quotes", 'keywords = ["FRENZY"]'),
    'keywords = ["TOUGH"': (20, "the bracket after the list is missing", 'keywords = ["TOUGH"]'),
    "copies = 2,": (11, "a field ends with its line, without ',' or ';'", "copies = 2"),
    "copies = 2;": (11, "a field ends with its line", "copies = 2"),
    "copies = 2, dice = 1": (
        11,
        "every field has a line of its own",
        "copies = 2 and, on a line of its own, dice = 1",
    ),
    "copies = 2 // two": (12, "a comment begins with '#'", "copies = 2 # two"),
    "-- two of them": (1, "a comment begins with '#'", "# two of them"),
    'end of turn = "gain 1 life"': (
        4,
        "a field has no spaces in its name",
        'end_of_turn = "gain 1 life"',
    ),
    "copies = 02": (10, "a number has no zeros before it", "copies = 2"),
    "copies = 2.": (11, "a number has no point after it", "copies = 2"),
    'play = "say "hi""': (8, "a text with quotes", "play = 'say \"hi\"'"),
    "kot_parts = True": (13, "it is 'true' or 'false', in small letters", "kot_parts = true"),
}

#: What can be told of, but not mended.
TOLD = {
    "copies =": "there is no value after 'copies ='",
    "copies = two": "'copies' is a whole number, for instance copies = 1",
    "gain 1 life": "write a field, '=' and its value, as in play = \"gain 1 life\"",
    "power = 2": "the field 'power' of this card stands in line 4 already; leave one of them out",
    '[rat]\nname = "Rot"\npower = 2': "the id 'rat' stands in line 2 already; give this card one",
    'constant = [\n"this cannot block"\n"this cannot attack",\n]': "the list that begins here",
    'constant = [\n"this cannot block",\ncopies = 2': "the list that begins here cannot be read",
    '[[hog]]\nname = "Hog"\npower = 2': "a card begins with its id in one pair of brackets: [hog]",
    'play = """\ngain 1 life\ncopies: 2\n': 'not closed; put """ after its end',
    'copies = "2"': "'2' is a text; remove the quotes: copies = 2",
}


def faults(text: str) -> tuple[Fault, ...]:
    """What is wrong with the text of a file called t.toml."""
    with pytest.raises(CardFileError) as caught:
        parse_set(text, "t.toml")
    return caught.value.faults


@pytest.mark.parametrize("line", SLIPS)
def test_slip_is_told_with_the_mended_line(line: str) -> None:
    """Line and column are those of the slip, and what is advised can be read."""
    column, problem, advice = SLIPS[line]
    [slip] = find_slips(HEAD + line, LAYOUT)
    assert (slip.line, slip.column) == (5, column)
    assert slip.problem.startswith(problem)
    assert slip.problem.endswith(f"; write: {advice}")
    assert tomllib.loads(slip.mended) or slip.mended.startswith("#")
    assert slip.mended.replace("\n", " and, on a line of its own, ").strip() == advice


@pytest.mark.parametrize("line", TOLD)
def test_what_only_its_writer_knows(line: str) -> None:
    """What cannot be mended is told in words of card files, and nothing is told of what follows."""
    [fault] = [fault for fault in faults(HEAD + line) if "no cards" not in fault.problem]
    assert TOLD[line] in fault.problem
    assert fault.line == 5


def test_every_slip_and_every_fault_come_together() -> None:
    """Several slips are told at once, and so is what is wrong with the mended text."""
    text = f'{HEAD}copies: 2\nplay = "gian 1 life"\n[Big Hog]\nname = Hog\npower = 200\n'
    told = [(fault.line, fault.problem.partition(";")[0]) for fault in faults(text)]
    assert told == [
        (5, "the sign is '='"),
        (6, "'gian' is not a word of the card language here"),
        (7, "an id has no spaces and no capital letters"),
        (8, "a text needs quotes, one before it and one after it"),
        (9, "200 is not a whole number from 1 to 99"),
    ]


def test_slips_of_a_pool_file(tmp_path) -> None:
    """A pool file is told of in the same way."""
    path = tmp_path / "summer.toml"
    path.write_text("sets = [first_contact]\n[modes]\nlife: 4\n")
    with pytest.raises(CardFileError) as caught:
        load_pool(pool_file=path)
    assert [str(fault).partition(": ")[2] for fault in caught.value.faults] == [
        'a list has texts in quotes and commas between them; write: sets = ["first_contact"].',
        "the sign is '='; write: life = 4.",
    ]


def test_of_many_slips_the_first_are_found() -> None:
    """A file that is no TOML at all costs a bounded number of repairs."""
    assert len(find_slips("what is this\n" * 10_000, LAYOUT)) == MAX_TOLD + 1


@given(st.text(alphabet="ab =[]\"'{},.#\n1:\u201c\u2019", max_size=60))
def test_any_text_is_mended_or_told(text: str) -> None:
    """Whatever is written, slips stand inside the text, and none is found where there is none."""
    lines = text.split("\n")
    slips = find_slips(text, LAYOUT)
    for slip in slips:
        assert 1 <= slip.line <= len(lines)
        assert 1 <= slip.column <= len(lines[slip.line - 1]) + 1
    assert len(mended(text, slips).split("\n")) == len(lines)
