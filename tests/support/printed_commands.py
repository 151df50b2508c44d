"""Commands that the program prints as advice, read by its own parser."""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise

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
    """Have the parser read every command as it is written; the commands so far.

    Those that differ in the number of a game alone are read once: a page has hundreds of them.
    """
    read: set[tuple[str, ...]] = set()
    so_far: list[str] = []

    def join(words: Sequence[str]) -> str:
        so_far.append(shlex.join(words))
        alike = tuple(
            "7" if word.isdigit() and not before.startswith("-") else word
            for before, word in pairwise(words)
        )
        # What a test that trains was typed as is a command of pytest.
        if alike not in read and [*words[1:]] != sys.argv[1:]:
            options_of(words[1:])
            read.add(alike)
        return so_far[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "join", join)
        yield so_far
