"""Somebody who types at a terminal: runs a command on a pseudo-terminal and answers its prompts."""

import os
import pty
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from reports.cli.app import run

#: What the terminal is called.
TERM = "xterm"
_PROMPT = b"> "
_END = b"\x04"  # Ctrl-D


class Typist:
    """Types ``lines``, one at each prompt, and then ends the input; ``text`` is what is seen."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._master, self._slave = pty.openpty()
        self._seen = b""

    @property
    def text(self) -> str:
        """Everything on the terminal so far."""
        return self._seen.decode().replace("\r\n", "\n")

    def _type(self) -> None:
        """Answer prompts until the terminal is closed."""
        answered = 0
        while True:
            try:
                self._seen += os.read(self._master, 65536)
            except OSError:  # nobody has the other side any more
                return
            if self._seen.endswith(_PROMPT) and len(self._seen) > answered:
                line = next(self._lines, None)
                answered = len(self._seen)
                os.write(self._master, _END if line is None else f"{line}\n".encode())

    @contextmanager
    def at_work(self, patch: pytest.MonkeyPatch) -> Iterator[None]:
        """Let standard input and output be the terminal while the block runs."""
        typing = threading.Thread(target=self._type)
        typing.start()
        # The side that is written closes the terminal, which ends the typing.
        with (
            os.fdopen(self._slave, closefd=False) as listened,
            os.fdopen(self._slave, "w") as spoken,
        ):
            patch.setattr(sys, "stdin", listened)
            patch.setattr(sys, "stdout", spoken)
            yield
        typing.join()
        os.close(self._master)


def typed(arguments: Iterable[object], lines: Iterable[str]) -> tuple[int, str]:
    """Run a command at a terminal of 80 columns; its exit status, and all that was seen there."""
    typist = Typist(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        patch.setenv("TERM", TERM)
        patch.delenv("NO_COLOR", raising=False)
        with typist.at_work(patch):
            status = run([str(word) for word in arguments])
    return status, typist.text


#: Runs a command with lines from a pipe (the fixture `piped`): status, output, complaints.
Piped = Callable[..., Any]


def plain(text: str) -> str:
    """What a terminal shows, without colour."""
    return re.sub(r"\x1b\[\d+m", "", text)
