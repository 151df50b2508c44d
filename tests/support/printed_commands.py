"""Commands that the program prints as advice, read by its own parser."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pytest

from simcore import commands


def options_of(words: Sequence[str]) -> Mapping[str, Sequence[str | float]]:
    """The options that the words of a command say; raises what the parser raises."""
    from reports.cli.app import command_line

    command_line(words).parse_args(words, exit_on_error=False, print_error=False)
    said: dict[str, list[str | float]] = {}
    for word, behind in zip(words, [*words[1:], "--"], strict=True):
        if word.startswith("--"):
            said.setdefault(word, []).append("" if behind.startswith("--") else _number(behind))
    return said


def _number(text: str) -> str | float:
    """A number as that, whatever its digits or its sign for a share; a text as it is."""
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        return text


@contextmanager
def read_as_written() -> Iterator[list[str]]:
    """Have the parser read every command as it is written; the commands so far."""
    written: dict[str, None] = {}
    so_far: list[str] = []

    def join(words: Sequence[str]) -> str:
        text = shlex.join(words)
        so_far.append(text)
        # What a test that trains was typed as is a command of pytest.
        if text not in written and [*words[1:]] != sys.argv[1:]:
            options_of(words[1:])
            written[text] = None
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "join", join)
        yield so_far
