"""Markdown that a wiki or GitHub shows as it is meant: texts that open nothing, and pipe tables."""

import re
from collections.abc import Iterable, Sequence

# What begins a link, tag, code, emphasis, cell or formula in one of the usual dialects.
_MARKS = re.compile(r"[\\`*_\[\]<>|~$#]")
_SPACES = re.compile(r"[^\S\N{NO-BREAK SPACE}\N{THIN SPACE}]+")


def plain(text: str) -> str:
    """A text in one line that is shown letter for letter, whatever is in it."""
    text = _SPACES.sub(" ", text).strip()
    return _MARKS.sub(r"\\\g<0>", text.replace("&", "&amp;"))


def code(text: str) -> str:
    """A text in one line as code; nothing but a backquote could end it."""
    return f"`{' '.join(text.replace('`', '').split())}`"


def pipe_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, words: Sequence[int] = (0,)
) -> list[str]:
    """The lines of a table of texts; the columns ``words`` are flush left, numbers flush right."""
    rules = ["---" if place in words else "---:" for place in range(len(headings))]
    lines = [[plain(heading) for heading in headings], rules]
    lines += [[plain(cell) for cell in row] for row in rows]
    return [f"| {' | '.join(line)} |" for line in lines]
