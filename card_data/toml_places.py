"""Where things stand in a TOML file: the places and comments that ``tomllib`` does not tell.

Only for text that ``tomllib`` accepts.  It knows the layout that card files have, ``[table]``
headers with ``key = value`` lines; for anything more exotic it gives the nearest place it knows.
"""

import re
from bisect import bisect_right
from functools import cached_property
from typing import Any

from attrs import Factory, define

from card_data.faults import Fault

KeyPath = tuple[str, ...]

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<newline>\n)
    |(?P<open>[\[{])
    |(?P<close>[\]}])
    |(?P<equals>=[\ \t]*)
    |(?P<bare>[^\s\#"'\[\]{}=]+)""",
    re.VERBOSE | re.DOTALL,
)


@define
class Statement:
    """A header or a ``key = value`` of a TOML text, with offsets into the text.

    ``value`` and ``value_end`` are where its value begins and ends, ``strings`` and ``string_ends``
    the same of the strings in it, ``items`` and ``item_ends`` of what is in it if it is a list,
    ``end`` where its last line ends; ``above`` are the comments between this statement and the one
    before, ``beside`` those inside it or behind it on its last line.
    """

    start: int
    is_header: bool
    names: list[str] = Factory(list)
    value: int = -1
    value_end: int = -1
    end: int = -1
    strings: list[int] = Factory(list)
    string_ends: list[int] = Factory(list)
    items: list[int] = Factory(list)
    item_ends: list[int] = Factory(list)
    above: list[str] = Factory(list)
    beside: list[str] = Factory(list)


class TomlPlaces:
    """The statements of a TOML text by their path, and the line and column of an offset.

    A path is (header,) or (header, key), or (key,) before the first header.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column, both counted from 1, of the character at ``offset``."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def fault(self, at: int, file: str, header: str, key: str, problem: str, **more: Any) -> Fault:
        """A fault at an offset of the text."""
        return Fault(file, *self.line_column(at), header, key, problem, **more)

    def key(self, path: KeyPath) -> int:
        """Where the key or header of ``path`` stands, else that of the longest known part of it."""
        while path and path not in self.statements:
            path = path[:-1]
        return self.statements[path].start if path else 0

    def value(self, path: KeyPath) -> int:
        """Where the value of ``path`` begins, else where the nearest key stands."""
        known = self.statements.get(path)
        return known.value if known and known.value >= 0 else self.key(path)

    def in_string(self, path: KeyPath, index: int, content: str, offset: int) -> int:
        """Where character ``offset`` of ``content`` stands, the ``index``-th string of a value.

        A string with escapes is not counted through: then it is where the string begins.
        """
        strings = self.statements[path].strings if path in self.statements else []
        if index >= len(strings):
            return self.value(path)
        quotes = 3 if self.text.startswith(('"""', "'''"), strings[index]) else 1
        inside = strings[index] + quotes
        if quotes > 1 and self.text.startswith("\n", inside):
            inside += 1
        return inside + (offset if self.text.startswith(content, inside) else 0)

    def word(self, path: KeyPath, word: str, item: int = -1) -> int:
        """Where a word first stands in a value, or in one item of a list; else where that begins.

        A word ends where no letter, digit, ``_`` or ``-`` follows.
        """
        known = self.statements.get(path)
        if known is None or known.value < 0:
            return self.key(path)
        begins = known.value
        if 0 <= item < len(known.items):
            begins = known.items[item]
        within = known.items[item + 1] if 0 <= item < len(known.items) - 1 else known.end
        found = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])").search(
            self.text, begins, within
        )
        return found.start() if word and found else begins

    def words(self, path: KeyPath, word: str) -> list[tuple[int, int]]:
        """Where a word begins and ends, wherever it is a whole string or a key in a value."""
        known = self.statements[path]
        found = []
        for match in _TOKEN.finditer(self.text, known.value, known.value_end):
            quotes = len(match[0]) - len(match[0].lstrip("\"'")) if match["string"] else 0
            start, end = match.start() + quotes, match.end() - quotes
            if self.text[start:end] == word and not match["comment"]:
                found.append((start, end))
        return found

    @property
    def statements(self) -> dict[KeyPath, Statement]:
        """The statements by their paths."""
        return self._scanned[0]

    @property
    def tail(self) -> list[str]:
        """The comments below the last statement."""
        return self._scanned[1]

    @cached_property
    def _scanned(self) -> tuple[dict[KeyPath, Statement], list[str]]:
        """The statements and the tail; scanning waits until somebody asks for a place."""
        statements: dict[KeyPath, Statement] = {}
        tail: list[str] = []
        header: KeyPath = ()
        statement: Statement | None = None
        depth = 0
        for match in _TOKEN.finditer(self.text + "\n"):
            kind, text = match.lastgroup, match[0]
            if kind == "comment":
                (statement.beside if statement else tail).append(text)
            elif statement is None:
                if kind != "newline":
                    names = [] if kind == "open" else [text]
                    statement = Statement(match.start(), kind == "open", names, above=tail)
                    tail = []
            elif kind == "newline" and depth == 0:
                path = tuple("".join(name.strip("\"'") for name in statement.names).split("."))
                if statement.is_header:
                    header, path = path, ()
                statement.end = match.start()
                statements.setdefault(header + path, statement)
                statement = None
            elif kind == "equals" and statement.value < 0:
                statement.value = statement.value_end = match.end()
            elif statement.value >= 0:
                if depth == 1 and kind in ("open", "string", "bare") and text != ",":
                    statement.items.append(match.start())
                depth += (kind == "open") - (kind == "close")
                if depth == 1 and kind in ("close", "string", "bare") and text != ",":
                    statement.item_ends.append(match.start() + len(text.rstrip(",")))
                if kind != "newline":
                    statement.value_end = match.end()
                if kind == "string":
                    statement.strings.append(match.start())
                    statement.string_ends.append(match.end())
            elif kind in ("bare", "string"):
                statement.names.append(text)
        return statements, tail
