"""Canonical text: formatting changes how cards are written, never what they say."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import card_data.mindbug.loader
from card_data.mindbug import CardFileError, parse_set
from card_data.mindbug.language.formatter import format_line, format_set
from card_data.mindbug.schema import ConstantAbility, TriggeredAbility
from card_data.mindbug.vocabulary import Trigger
from support.card_lines import parse_constant, parse_in_discard, parse_triggered
from support.line_strategies import SOURCES, abilities

SHIPPED = (
    Path(card_data.mindbug.loader.__file__)
    .parent.joinpath("sets/first_contact.toml")
    .read_text("utf-8")
)

UNTIDY = """\
# My cards.
  name='Untidy' # for now

# --- rodents ---
[rat]   # the rat
constant=[ # two of them
  "THIS has  tough",
  # and
  'this cannot block' ]
# stronger?
power = 0x0A # was 9
keywords = [] # none
name = 'The "Rat"'
play = "Gain 1 life"
attack = "you gain 1 life" # same

[mole]
name = "Mole"
power = 1
keywords = ["TOUGH", # hard
  "frenzy"] # and wild
constant = ["enemy creatures have -1 power"]
# the end
"""

TIDY = """\
# My cards.
name = "Untidy"  # for now

[mole]
name = "Mole"
power = 1
# hard
# and wild
keywords = ["FRENZY", "TOUGH"]
copies = 1
constant = "enemy creatures have -1 power"

# --- rodents ---
[rat]  # the rat
name = "The \\"Rat\\""
# stronger?
power = 10  # was 9
# none
copies = 1
# same
play_attack = "gain 1 life"
# two of them
# and
constant = [
    "this has TOUGH",
    "this cannot block",
]

# the end
"""


@given(abilities)
def test_line_is_read_back_as_it_was(ability: TriggeredAbility | ConstantAbility) -> None:
    """Every ability that the language can say is written so that parsing gives it back."""
    line = format_line(ability)
    if isinstance(ability, ConstantAbility):
        parse = parse_in_discard if ability.in_discard else parse_constant
        assert parse(line) == ability
    elif ability.trigger is Trigger.LIFE_LOST:
        assert parse_in_discard(line) == ability
    else:
        assert parse_triggered(line, SOURCES[ability.trigger]) == ability.instructions


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("Defeat 1 creature", "defeat a creature"),
        ("defeat a enemy creature with TOUGH or frenzy and power 3 to 99",
         "defeat an enemy creature with power >= 3 and FRENZY or TOUGH"),
        ("you discard 1 cards, then steal 1 random card",
         "discard a card, then steal a random card"),
        ("defeat up to 1 creatures", "defeat up to 1 creature"),
        ("defeat 1 other allied creature", "defeat another allied creature"),
        ("defeat a creature with power 4 to 4", "defeat a creature with power 4"),
        ("if YOUR mindbugs=0,set your life to 3", "if your Mindbugs = 0, set your life to 3"),
        ("DISCARD up to 1 cards , If you do, you lose 2 life",
         "discard up to 1 card, if you do, lose 2 life"),
        ("play 1 card with an attack effect and power <= 3 from your hand",
         "play a card with power <= 3 and an Attack effect from your hand"),
        ("creatures has TOUGH this turn", "creatures have TOUGH this turn"),
        ("If your life=1 AND 2<=creatures with TOUGH and power>=3 And it is your turn,you lose "
         "all but 1 life",
         "if your life = 1 and 2 <= creatures with power >= 3 and TOUGH and it is your turn, "
         "lose all but 1 life"),
        ("if your hand=0 or 2<=creatures with TOUGH or HUNTER or your life=1,gain 1 life",
         "if your hand = 0 or 2 <= creatures with HUNTER or TOUGH or your life = 1, gain 1 life"),
        ("boost up to 1 cards to 	this", "boost up to 1 card to this"),
        ("defeat a creature with a boost and power within 1 of this and TOUGH and power 3",
         "defeat a creature with power 3 and power within 1 of this and TOUGH and a boost"),
        ("discard up to 99 cards", "discard any number of cards"),
    ],
)  # fmt: skip
def test_line_is_written_canonically(line: str, canonical: str) -> None:
    """Different spellings of one meaning are written in one way."""
    text = f'name = "T"\n[a]\nname = "A"\npower = 1\nplay = "{line}"\n'
    assert f'play = "{canonical}"\n' in format_set(text)


EVERY_FIELD = """\
name = "All"

[egg]
name = "Egg"
power = 1
copies = 1
dice = 2
evolves_to = "hen"
action = "evolve this"
in_discard = [
    "allied creatures have +1 power",
    "when you lose life, you may play this",
]

[hen]
name = "Hen"
power = 2
copies = 0
discarded = "gain 1 life"
end_of_turn = "if it is your turn, gain 1 life"
mindbug_used = "gain 1 life"
exhausted = "this becomes power 5"
constant = "you cannot lose life"
in_discard = "Mindbugs cannot be used"

[cage]
name = "Cage"
copies = 1
cost = 0
bought = "gain 1 life"
"""


def test_fields_are_written_in_their_order() -> None:
    """Whatever the order of fields, it becomes that of the reference; power cards come last."""
    head, *cards = EVERY_FIELD.replace("    ", "").replace("[\n", "[ ").split("\n\n")
    untidy = [head]
    for card in reversed(cards):
        lines = card.replace(",\n", ", ").strip().split("\n")
        untidy += ["", lines[0], *reversed(lines[1:])]
    assert format_set("\n".join(untidy)) == EVERY_FIELD


def test_untidy_file_is_tidied() -> None:
    """Cards are sorted, fields ordered, lines canonical, and comments stay where they belong."""
    assert format_set(UNTIDY) == TIDY


@pytest.mark.parametrize("text", [SHIPPED, TIDY, EVERY_FIELD], ids=["shipped", "tidy", "all"])
def test_formatted_text_is_left_alone(text: str) -> None:
    """A canonical file is not changed."""
    assert format_set(text) == text


def test_faulty_file_is_refused() -> None:
    """A file with faults is not rewritten; the faults are raised."""
    with pytest.raises(CardFileError):
        format_set('name = "T"')


@st.composite
def layouts(draw: st.DrawFn) -> str:
    """The shipped set's first cards, with lines shuffled, spaced and commented at random."""
    blocks = [block.split("\n") for block in SHIPPED.strip().split("\n\n")[1:7]]
    lines = ['name = "Shuffled"']
    for header, *fields in draw(st.permutations(blocks)):
        lines += [header, *draw(st.permutations(fields))]
    text = ""
    for number, line in enumerate(lines):
        text += draw(st.sampled_from(["", "\n", f"# above {number}\n", f"\n  # a {number}\n#\n"]))
        line = line.replace(" = ", draw(st.sampled_from([" = ", "=", "  =\t"])))
        text += line + draw(st.sampled_from(["", " ", f" # beside {number}"])) + "\n"
    return text + draw(st.sampled_from(["", "\n# end\n"]))


@given(layouts())
def test_formatting_keeps_cards_and_comments_and_is_done_once(text: str) -> None:
    """Cards and comments survive, and formatting a second time changes nothing."""
    formatted = format_set(text)
    assert parse_set(formatted) == parse_set(text)
    assert format_set(formatted) == formatted
    comments = re.compile("#.*")
    assert sorted(comments.findall(formatted)) == sorted(comments.findall(text))


@pytest.mark.parametrize(
    "layout",
    [
        'name = "T" # one\na = {name = "A", power = 1} # two\n# three',
        'name = "T" # one\n# two\na.name = "A"\na.power = 1 # three',
        'name = "T"\n# one\n["\\u0061"] # two\n# three\nname = "A"\npower = 1',
        'name = "T"\n[a]\nname = """A""" # one\npower = 1\n'
        "play = '''\ngain 1 life''' # two # three",
    ],
)
def test_exotic_layouts_lose_no_comment(layout: str) -> None:
    """TOML that no card file needs is rewritten plainly, with every comment somewhere."""
    formatted = format_set(layout)
    assert parse_set(formatted) == parse_set(layout)
    assert format_set(formatted) == formatted
    assert all(f"# {word}" in formatted for word in ("one", "two", "three") if word in layout)


def test_what_formatting_does_is_what_its_help_says() -> None:
    """Order of cards and fields, spelling, spacing, one copy said, and the places of comments."""
    untidy = (
        '# set\nname = "Mine" # mine\n[zebra]\npower=0x4\nname = "Zebra"\n# play\n'
        'play = "GAIN 1   life" # beside\n# ant\n[ant]\nname = "Ant"\npower = 3\n'
        'keywords = ["tough", "FRENZY"]\n'
        'constant = ["this has +1 power", # inside\n  "this has SNEAKY"]\n# tail\n'
    )
    assert format_set(untidy) == (
        '# set\nname = "Mine"  # mine\n\n# ant\n[ant]\nname = "Ant"\npower = 3\n'
        'keywords = ["FRENZY", "TOUGH"]\ncopies = 1\n# inside\nconstant = [\n'
        '    "this has +1 power",\n    "this has SNEAKY",\n]\n\n'
        '[zebra]\nname = "Zebra"\npower = 4\ncopies = 1\n# play\n'
        'play = "gain 1 life"  # beside\n\n# tail\n'
    )
