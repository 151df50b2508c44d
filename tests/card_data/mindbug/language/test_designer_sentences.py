"""Sentences as designers write them: read as they are meant, or refused with what is meant."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_data.mindbug import CardFileError, parse_set
from card_data.mindbug.language.foreign_wordings import facts_of
from card_data.mindbug.language.parser import LanguageError, parse_field
from card_data.mindbug.language.rules_text import format_ability

PAGE = Path(__file__).parents[4] / "docs" / "card_language_design.md"
SENTENCES = Path(__file__).parents[3] / "data" / "designer_sentences.txt"
_ONE = re.compile(r"(?:(\w+) = )?(['\"])(.+?)\2(?= or (?:\w+ = )?['\"]|$)")


def sentences() -> Iterator[tuple[str, str, str]]:
    """Field, what is meant and what is written."""
    field = meant = ""
    for line in SENTENCES.read_text("utf-8").splitlines():
        if found := re.fullmatch(r"\[(\w+)\] (.+)", line):
            field, meant = found.groups()
        elif line and not line.startswith("#"):
            yield field, meant, line


def suggestions(error: LanguageError) -> list[tuple[str, str]]:
    """The lines that a message tells to write, with their fields."""
    [problem] = error.problems
    lines = problem.message.partition("; write ")[2]
    return [(found[1] or "", found[3]) for found in _ONE.finditer(lines)]


def slips(line: str, error: LanguageError) -> list[tuple[str, str]]:
    """The line with its word put right that a message asks about: did you mean …?"""
    [problem] = error.problems
    if not problem.nearest:
        return []
    mended = (
        f"{line[: problem.offset]}{problem.nearest}{line[problem.offset + len(problem.found) :]}"
    )
    return [("", mended)]


def answer(field: str, meant: str, line: str) -> str:
    """How a sentence is answered: read, suggested, refused, or wrong in either way."""
    try:
        read = format_ability(*parse_field(field, line))
    except LanguageError as error:
        lines = suggestions(error)
        for name, one in lines:
            if format_ability(*parse_field(name or field, one)) != one:
                return "wrong suggestion"
            if not facts_of(line) <= facts_of(one):
                return "wrong suggestion"
        for name, one in [*lines, *slips(line, error)]:
            try:
                if format_ability(*parse_field(name or field, one)) == meant:
                    return "suggested"
            except LanguageError:
                continue
        return "wrong suggestion" if lines and meant != "-" else "refused"
    return "read" if read == meant else "wrong"


def test_what_no_card_can_say_gets_a_reason() -> None:
    """A sentence of another game is told why it cannot be, not at which word the reader gave up."""
    unexplained = []
    for field, meant, line in sentences():
        if meant == "-" and line != "Creatures cannot.":  # half a sentence: what can follow is told
            with pytest.raises(LanguageError) as caught:
                parse_field(field, line)
            if re.search("cannot stand here|ends too early|here$", str(caught.value)):
                unexplained.append((line, str(caught.value)))
    assert not unexplained


NEAREST = {
    ("play", "Deal 2 damage to an enemy creature."): "'defeat an enemy creature with power <= 2'",
    ("play", "Deal three damage to all creatures."): "'defeat all creatures with power <= 3'",
    ("play", "Draw two cards from your deck."): "'draw 2 cards from your discard pile'",
    ("play", "Each player sacrifices a creature."): (
        "'defeat an allied creature, then defeat an enemy creature'"
    ),
    ("play", "Each player sacrifices a creature with TOUGH, then you gain 1 life."): (
        "'defeat an allied creature with TOUGH, then defeat an enemy creature with TOUGH, "
        "then gain 1 life'"
    ),
    ("play", "Your opponent sacrifices two creatures."): "'defeat 2 enemy creatures'",
    ("constant", "At the start of your turn, gain 1 life."): (
        'end_of_turn = "if it is your turn, gain 1 life"'
    ),
    ("constant", "At the beginning of each turn, lose 1 life."): 'end_of_turn = "lose 1 life"',
    ("play", "This cannot be blocked."): 'constant = "enemy creatures cannot block this"',
}


@pytest.mark.parametrize(("field", "line"), NEAREST)
def test_the_nearest_line_is_made_of_the_sentence(field: str, line: str) -> None:
    """What cannot be said comes back as the nearest that can, with its own numbers and sides."""
    with pytest.raises(LanguageError) as caught:
        parse_field(field, line)
    assert f"; write {NEAREST[field, line]}" in str(caught.value)
    for name, one in suggestions(caught.value):
        assert format_ability(*parse_field(name or field, one)) == one


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("play", "Deal 2 damage to a creature with power 4 or more."),
        ("play", "This cannot be blocked this turn."),
        ("play", "Each player sacrifices a creature of their choice."),
        ("play", "Gain two Mindbugs."),
        ("constant", "At the start of your turn, this has +2 power this turn."),
        ("constant", "At the start of each turn, a creature cannot block until end of turn."),
        ("constant", "Whenever an enemy creature attacks, gain 1 life."),
    ],
)
def test_no_line_is_suggested_that_says_less(field: str, line: str) -> None:
    """Where a number, a side or a limit of the sentence would be lost there is no suggestion."""
    with pytest.raises(LanguageError) as caught:
        parse_field(field, line)
    assert "; write " not in str(caught.value)


def test_a_line_of_the_wrong_field_is_told_so() -> None:
    """What is so all the time goes into ``constant``, what happens once behind a trigger word."""
    with pytest.raises(LanguageError) as caught:
        parse_field("play", "Your other creatures have +1 power.")
    assert suggestions(caught.value) == [
        ("", "other allied creatures have +1 power this turn"),
        ("constant", "other allied creatures have +1 power"),
    ]
    text = 'name = "T"\n[rat]\nname = "Rat"\npower = 1\ntext = "TOUGH. Gain two life."\n'
    for wrong in (text, text.replace("text", "constant").replace("TOUGH. ", "")):
        with pytest.raises(CardFileError, match="happens at a moment") as told:
            parse_set(wrong)
        [fault] = told.value.faults
        assert (fault.line, fault.nearest) == (5, "")
        assert fault.column == wrong.splitlines()[4].index("Gain") + 1
    with pytest.raises(LanguageError) as caught:
        parse_field("bought", "Your other creatures have +1 power.")
    assert not suggestions(caught.value)


def test_a_keyword_before_and_behind_a_creature_is_no_choice() -> None:
    """``TOUGH or SNEAKY`` is another creature than a tough one with SNEAKY."""
    with pytest.raises(LanguageError):
        parse_field("play", "defeat a tough creature with SNEAKY")


def test_designers_are_understood() -> None:
    """Most sentences are read at once, others come back put right, and none comes back wrong."""
    found: dict[str, list[str]] = {}
    for field, meant, line in sentences():
        found.setdefault(answer(field, meant, line), []).append(f"{line} ({meant})")
    total = sum(map(len, found.values()))
    assert total >= 300
    assert not found.get("wrong")
    assert not found.get("wrong suggestion")
    sayable = [line for _, meant, line in sentences() if meant != "-"]
    refused = [line for line in found["refused"] if not line.endswith("(-)")]
    print({how: len(lines) for how, lines in found.items()}, *refused, sep="\n")
    assert len(found["read"]) >= 0.8 * len(sayable)
    assert len(found["read"]) + len(found["suggested"]) == len(sayable)
    page = " ".join(PAGE.read_text("utf-8").split())
    assert f"Of {total} sentences as designers write them" in page
    assert f"{len(found['read'])} are read at once and {len(found['suggested'])} come back" in page
    assert f"the {len(found['refused'])} that no card can say" in page
