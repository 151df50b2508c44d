"""How the command line speaks: results on stdout, all else on stderr.

Progress is silent unless stderr is a terminal.  Whoever does the work of a command for somebody
else, such as a page in a browser, listens instead (`heard_by`).

Names of files and folders, cards, and errors of a person's own code come from anywhere.  Whatever
is printed goes through `PlainStream`, in which nothing that a terminal would obey is left.
"""

import errno
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from reports.kit.words import Finding

#: Called with (done, in all).
Advance = Callable[[int, int], None]

_NO_TERMINAL_WIDTH = 10_000
#: How wide sentences are, and what they need at least, in characters.
_TEXT_WIDTH, _LEAST_WIDTH = 100, 20
_INDENT = "      "

# Controls but tab and line feed, separators of lines, marks that turn the direction of writing,
# and halves of characters: what moves the cursor, changes colours or titles, or hides a text.
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)

# How loading a library ends where there is no room for it (glibc, _dl_map_segments).
_NO_ROOM = "failed to map segment from shared object", "annot allocate memory"


def printable(text: str) -> str:
    r"""A text in which what a terminal would obey is spelled, as in ``\\x1b``."""
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


class PlainStream:
    """A stream for texts, all of which are made printable."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write some texts."""
        for line in lines:
            self.write(line)


def print_plainly() -> None:
    """Let everything that this process prints be printable from now on, errors of Python too.

    Whoever puts other streams in the place of the standard ones calls it again: a bar does.
    """
    sys.stdout, sys.stderr = PlainStream(sys.stdout), PlainStream(sys.stderr)


def styled(stream: Any) -> Any:
    """The stream below one that is made plain, for programs that style texts that are printable."""
    return stream.stream if isinstance(stream, PlainStream) else stream


class Listener(Protocol):
    """Who is told, in place of stderr, what the steps of a command say and how far they are."""

    def say(self, text: str) -> None:
        """Something for the person."""

    def advance(self, doing: str, done: int, total: int, unit: str) -> None:
        """How many units of what is being done; of 0 in all nobody knows, and "" is no unit.

        Called from any thread.
        """


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Tell a listener all that the steps of the block, in this thread, have to say."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


class InputError(Exception):
    """What was asked for cannot be done; the message says why, and what can."""


@contextmanager
def as_input_error(option: str = "") -> Iterator[None]:
    """Turn a ValueError of the block into an InputError, about ``option`` if it is one's fault."""
    try:
        yield
    except ValueError as error:
        raise InputError(f"{option}: {error}" if option else str(error)) from None


def read_all(*readers: Callable[[], object]) -> None:
    """Call each, and raise InputError with everything that any of them refuses."""
    from card_data.faults import CardFileError

    refused = []
    for read in readers:
        try:
            read()
        except (InputError, CardFileError) as error:
            refused.append(str(error))
    if refused:
        raise InputError("\n".join(refused))


@contextmanager
def resumable(kept: str, folder: Path) -> Iterator[None]:
    """When the block is interrupted, say what is ``kept`` in the folder and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"{kept} in {folder}; run the same command again to resume"
        ) from None


def say(text: str) -> None:
    """Print something for the person, not for the program that reads the results."""
    if listener := _listener.get():
        listener.say(text)
        return
    print(text, file=sys.stderr)


def print_json(answer: Any) -> None:
    """Print a result as JSON, each row of a table in one line."""
    print(_json_text(answer))


def _json_text(value: Any, indent: str = "") -> str:
    """A value as JSON over several lines, but what a list holds in one line if it is flat."""
    more = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{_flat(str(name))}: {_json_text(one, more)}" for name, one in value.items()]
        marks = "{}"
    elif isinstance(value, list) and value:
        lines = [_flat(one) if _is_flat(one) else _json_text(one, more) for one in value]
        marks = "[]"
    else:
        return _flat(value)
    body = ",\n".join(f"{more}{line}" for line in lines)
    return f"{marks[0]}\n{body}\n{indent}{marks[1]}"


def _flat(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _is_flat(value: Any) -> bool:
    members = value.values() if isinstance(value, dict) else value
    return not isinstance(value, dict | list) or not any(
        isinstance(member, dict | list) for member in members
    )


def print_wrapped(lines: Iterable[str]) -> None:
    """Print lines, the long ones broken between words and indented.

    A command is in a line of its own and stays in one piece, to be copied.
    """
    import shutil
    from textwrap import fill

    columns = _TEXT_WIDTH
    if sys.stdout.isatty():
        columns = shutil.get_terminal_size((_TEXT_WIDTH, 24)).columns
    width = max(_LEAST_WIDTH, min(columns, _TEXT_WIDTH))
    for line in lines:
        first, *more = line.split("\n")
        print(fill(first, width, subsequent_indent=_INDENT, break_on_hyphens=False))
        for one in more:
            whole = one.startswith("fairdeal ")
            print(f"{_INDENT}  {one}" if whole else fill(one, width, initial_indent=_INDENT))


def print_findings(findings: "Iterable[Finding]") -> None:
    """Print what is worth knowing first, each with its topic before it."""
    print_wrapped(f"{finding.topic}: {finding.text}" for finding in findings)


def print_overview(findings: "Iterable[Finding]") -> None:
    """Print the one sentence of each finding that a first screen has room for."""
    print_wrapped(f"{finding.topic}: {finding.brief or finding.text}" for finding in findings)


#: Findings that the terminal has room for; the page and --json have all.
_MOST_FINDINGS = 5


def print_answer(
    played: str, findings: "Sequence[Finding]", table: Callable[[], None] | None = None
) -> None:
    """Print the first finding, a table, what else is worth knowing, and what was played."""
    print_wrapped(f"{one.topic}: {one.text}" for one in findings[:1])
    if table is not None:
        print()
        table()
    print()
    print_overview(findings[1:_MOST_FINDINGS])
    print_wrapped(["", played])


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()
) -> None:
    """Print rows in columns, those of ``right`` flush right; wrapped only on a terminal."""
    from io import StringIO

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place in right else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    width = None if sys.stdout.isatty() else _NO_TERMINAL_WIDTH
    # Not printed by rich, which would end the program when a pipe is closed.
    text = StringIO()
    Console(file=text, width=width).print(table)
    print("\n".join(line.rstrip() for line in text.getvalue().splitlines()))


def is_progress_shown() -> bool:
    """Whether somebody sees how far the work is: on a terminal, or in a page that listens."""
    return _listener.get() is not None or bool(styled(sys.stderr).isatty())


@contextmanager
def progress(doing: str | Callable[[], str], unit: str = "") -> Iterator[Advance]:
    """A bar with the speed, in ``unit`` a second, and the time left, while the block runs.

    The speed is left out where there is no ``unit``.  What is being done can change on the way.
    """
    if listener := _listener.get():
        now = doing if callable(doing) else lambda: doing
        yield lambda done, total: listener.advance(now(), done, total, unit)
        return
    if not is_progress_shown():  # Rich takes a fifth of a second to import
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Speed(ProgressColumn):
        """How many units a second."""

        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None or not unit else f"{task.speed:,.0f} {unit}/s")

    class Doing(ProgressColumn):
        """What is being done now."""

        def render(self, task: Task) -> Text:  # noqa: ARG002 - asked for by rich
            return Text(printable(doing if isinstance(doing, str) else doing()))

    console = Console(file=styled(sys.stderr))
    columns = Doing(), BarColumn(), Speed(), TimeRemainingColumn(compact=True)
    with Progress(*columns, console=console, transient=True) as bar:
        print_plainly()
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """A line with the time that has passed, while the block runs."""
    if listener := _listener.get():
        listener.advance(doing, 0, 0, "")
    if not is_progress_shown() or listener:
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(file=styled(sys.stderr))
    columns = SpinnerColumn(), TextColumn(printable(doing), markup=False), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        print_plainly()
        bar.add_task(doing, total=None)
        yield


def lacks_memory(error: BaseException | None) -> bool:
    """Whether an error, or what it comes from, is that there is too little memory."""
    while error is not None:
        if (
            isinstance(error, MemoryError)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or (isinstance(error, RuntimeError) and "start new thread" in str(error))
            or str(error).endswith(_NO_ROOM)
        ):
            return True
        error = error.__cause__ or error.__context__
    return False
