"""The reference page says what the reader uses, and its example can be played."""

import re
from pathlib import Path

from card_data.mice_and_mystics.entries import SCHEMA
from card_data.mice_and_mystics.formatter import format_file
from card_data.mice_and_mystics.loader import load_facts, parse_changes
from card_data.mice_and_mystics.operations import OPERATIONS
from card_data.mice_and_mystics.reference import EXAMPLE, data_reference
from card_data.mice_and_mystics.settings import RULE_OF, SETTINGS
from card_data.mice_and_mystics.words import TIMINGS
from card_data.schema import Choice

DOCS = Path(__file__).parents[3] / "docs"
RULES = (DOCS / "mice_and_mystics_rules.md").read_text()


def test_the_page_is_up_to_date() -> None:
    """``python -m card_data.mice_and_mystics.reference > docs/mice_and_mystics_data.md``."""
    assert data_reference() == (DOCS / "mice_and_mystics_data.md").read_text()


def test_everything_is_on_the_page() -> None:
    """Every kind of entry, field, operation, timing and switch has its row."""
    page = data_reference()
    rows = {name for row in re.findall(r"^\| (`\w+`)", page, re.MULTILINE) for name in [row[1:-1]]}
    fields = {name for kind in SCHEMA.kinds.values() for name in kind.all_fields}
    assert {*fields, *OPERATIONS, *TIMINGS, *SETTINGS} <= rows


def test_the_example_can_be_played() -> None:
    """The file on the page has no fault, stands in its one form, and changes the base game."""
    facts = parse_changes(EXAMPLE)
    assert facts.heroes[0].battle == load_facts().heroes[0].battle + 1
    assert facts.chapters[-1].id == "to_the_pantry"
    assert format_file(EXAMPLE) == EXAMPLE


def test_operations_and_timings_are_those_of_the_rules() -> None:
    """The closed lists of section 25 are all there."""
    listed = re.search(r"^- Effect operations \(closed list[^:]*: (.*)\.$", RULES, re.MULTILINE)
    assert listed is not None
    assert set(OPERATIONS) == set(listed[1].split(", "))
    timings = re.search(r"^- \*\*timing\*\* words: (.*)$", RULES, re.MULTILINE)
    assert timings is not None
    assert set(TIMINGS) == set(re.findall(r"`(\w+)`", timings[1]))


def test_switches_have_their_names_in_the_rules() -> None:
    """Section 22 names each switch as the command line does, with its default first."""
    for name, setting in SETTINGS.items():
        if isinstance(setting, Choice):
            pattern = rf"^- \*\*{RULE_OF[name]}\*\* \(`{name}`\) (.*)$"
            line = re.search(pattern, RULES, re.MULTILINE)
            assert line is not None, name
            words = [word for word in re.findall(r"`(\w+)`", line[1]) if word in setting.words]
            assert tuple(words) == setting.words
