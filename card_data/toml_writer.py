"""TOML as a program writes it: statements in a fixed order, each with the comments it had."""

import json

from card_data.toml_places import KeyPath, Statement


class TomlWriter:
    """Lines of a file, with the comments of the statements that they come from."""

    def __init__(self, statements: dict[KeyPath, Statement]) -> None:
        self.lines: list[str] = []
        self._statements = dict(statements)
        self._waiting: list[str] = []

    def put(self, path: KeyPath, line: str | None) -> None:
        """Writes a statement; without a ``line`` its comments wait for the next one."""
        old = self._statements.pop(path, None)
        above, beside = (old.above, old.beside) if old else ([], [])
        if line is None or "\n" in line or len(beside) > 1:
            above, beside = above + beside, []
        self._waiting += above
        if line is not None:
            self.lines += [*self._waiting, "  ".join([line, *beside])]
            self._waiting = []

    def text(self, tail: list[str]) -> str:
        """The whole file; comments that found no place come last."""
        lost = [comment for old in self._statements.values() for comment in old.above + old.beside]
        end = [*self._waiting, *lost, *tail]
        lines = [*self.lines, "", *end] if end else self.lines
        return "\n".join(line.rstrip() for line in lines) + "\n"


def quoted(value: object) -> str:
    """A printable text, number, truth value or list of them as TOML."""
    return json.dumps(value, ensure_ascii=False)
