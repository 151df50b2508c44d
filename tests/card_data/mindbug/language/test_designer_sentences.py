"""Sentences as designers write them: read as they are meant, or refused with what is meant."""

import re
from collections.abc import Iterator
from pathlib import Path

from card_data.mindbug.language.foreign_wordings import facts_of
from card_data.mindbug.language.parser import LanguageError, parse_field
from card_data.mindbug.language.rules_text import format_ability

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
    assert len(found["read"]) + len(found["suggested"]) >= 0.95 * len(sayable)
