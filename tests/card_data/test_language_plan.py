"""The plan of the card language keeps step with the grammar."""

import re
from pathlib import Path

import pytest

from card_data.card_reader import CARD_FIELDS, TRIGGER_FIELDS
from card_data.mindbug.language import LanguageError, parse_constant, parse_triggered

PLAN = Path(__file__).parents[2] / "docs" / "card_language_plan.md"
ROW = re.compile(r"\| (\w+)(?: \(I+\))? \| `(\w+)` \| `(.+)` \| (now|field|words) \|")
ROWS = [
    match.groups() for match in map(ROW.fullmatch, PLAN.read_text("utf-8").splitlines()) if match
]


def is_read(field: str, line: str) -> bool:
    """Whether the grammar has all the words of a line."""
    constant = field in ("constant", "in_discard")
    try:
        parse_constant(line) if constant else parse_triggered(line)
    except LanguageError:
        return False
    return True


@pytest.mark.parametrize(("card", "field", "line", "state"), ROWS)
def test_state_of_a_line_is_true(card: str, field: str, line: str, state: str) -> None:
    """A line marked as read is read; one marked as planned is not, so the mark must be changed."""
    known_field = field in {*TRIGGER_FIELDS, "constant"} & CARD_FIELDS.keys()
    assert state == ("words" if not is_read(field, line) else "now" if known_field else "field")


def test_plan_has_lines_of_every_state() -> None:
    """The table is found and large, so that the test above cannot pass for want of rows."""
    assert len(ROWS) > 180
    assert {state for *_, state in ROWS} == {"now", "field", "words"}
