"""How `play` speaks and listens: plain lines for a pipe, colour and wrapping for a terminal."""

import os
import re
import shutil
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from textwrap import fill

from reports.cli.console import printable, styled

_WIDTH, _LEAST_WIDTH, _MOST_WIDTH = 80, 20, 100
#: A blank at which no line is broken.
NO_BREAK = "\N{NO-BREAK SPACE}"
#: What stands before a text: what follows a line break is indented as far.
_LABEL = re.compile(r" *\S+( \S+)? {2,}")
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Screen:
    """Standard input and output; ``typed`` says whether somebody types at a terminal."""

    def __init__(self) -> None:
        self._coloured = (
            sys.stdout.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        self.typed = sys.stdin.isatty()
        if isinstance(sys.stdin, TextIOWrapper):  # what is no text is no command either
            sys.stdin.reconfigure(errors="backslashreplace")

    def show(self, lines: Iterable[str]) -> None:
        """Print lines; what is not indented is a heading."""
        for line in lines:
            self._print(line, "" if line[:1] in ("", " ") else _BOLD)

    def add(self, lines: Iterable[str]) -> None:
        """Print lines of minor weight."""
        for line in lines:
            self._print(line, _DIM)

    def print(self, command: str) -> None:
        """Print a command in one line, so that it can be copied."""
        print(f"  {command}")

    def ask(self) -> str:
        """The next line that is typed, without blanks around it.  Raises EOFError at the end."""
        sys.stdout.flush()
        if self.typed:
            return input("> ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(f"> {line.strip()}")
        return line.strip()

    def _print(self, line: str, style: str) -> None:
        """Print a line, broken between words: what follows is indented a little more."""
        line = printable(line)
        label = _LABEL.match(line)
        indent = " " * (label.end() if label else len(line) - len(line.lstrip()) + 2)
        width = max(_LEAST_WIDTH, min(shutil.get_terminal_size((_WIDTH, 24)).columns, _MOST_WIDTH))
        text = fill(
            line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
        )
        text = text.replace(NO_BREAK, " ")
        if style and self._coloured:
            print(f"{style}{text}{_PLAIN}", file=styled(sys.stdout))
        else:
            print(text)
