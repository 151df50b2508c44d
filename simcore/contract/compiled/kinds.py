"""What an expression of rules stands for, known before they run."""

import ast
from collections.abc import Iterable
from functools import reduce
from typing import Any, NamedTuple

from simcore.contract.faults import short


class Outside(Exception):
    """Something in rules that has no compiled form; without a text where that was told already."""

    def __init__(self, text: str, node: ast.AST | None = None) -> None:
        super().__init__(text)
        self.node = node


class Problem(NamedTuple):
    """What keeps rules from being compiled, and the author's line, 0 where it is none."""

    text: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{short(self.file)}:{self.line}: {self.text}" if self.line else self.text


class Is(NamedTuple):
    """What an expression stands for: "number", "entry", "zone" and the like, and of what.

    ``maybe`` says that it may be None.
    """

    what: str
    of: Any = None
    maybe: bool = False

    @property
    def one(self) -> "Is":
        """The same, known not to be None."""
        return self._replace(maybe=False)


NUMBER, REAL, FLAG, WORD, ENTRY = map(Is, ("number", "real", "flag", "word", "entry"))
NONE, ZONE, RANGE, UNKNOWN = map(Is, ("none", "zone", "range", "unknown"))

#: What stands for None where such a thing may be None; others cannot be.
NONES = {"number": "NOTHING", "word": "NOTHING", "entry": "0"}
_NUMBERS = ("flag", "number", "real")
_NAMES = {
    "number": "a number",
    "real": "a fraction",
    "flag": "yes or no",
    "word": "a word",
    "entry": "an entry",
    "none": "None",
    "zone": "a zone",
    "list": "a list",
    "tuple": "several things",
    "array": "a declared row of numbers",
}


def named(kind: Is) -> str:
    """What something is, in words."""
    return _NAMES.get(kind.what, kind.what) + (" or None" if kind.maybe else "")


def is_numeric(kind: Is) -> bool:
    """Whether something can be reckoned with."""
    return kind.what in _NUMBERS and not kind.maybe


def joined(a: Is, b: Is, node: ast.AST) -> Is:
    """What something is that is the one or the other.  Raises Outside."""
    if UNKNOWN in (a, b):
        raise Outside("")
    if a == b:
        return a
    if NONE in (a, b):
        other = b if a == NONE else a
        if other.what not in NONES:
            raise Outside(f"None or {named(other)}: let it always be the same kind of thing", node)
        return other._replace(maybe=True)
    if a.what == b.what:
        if a.what == "list":
            return Is("list", joined(a.of, b.of, node))
        if a.what == "tuple":
            if len(a.of) == len(b.of):
                parts = zip(a.of, b.of, strict=True)
                return Is("tuple", tuple(joined(one, other, node) for one, other in parts))
        elif a.of == b.of or a.what == "zone":
            return a._replace(maybe=a.maybe or b.maybe)
    if a.what in _NUMBERS and b.what in _NUMBERS:
        wider = max(a.what, b.what, key=_NUMBERS.index)
        if (a.maybe or b.maybe) and wider != "number":
            raise Outside("None or yes, no or a fraction: let it be a whole number or None", node)
        return Is(wider, None, a.maybe or b.maybe)
    raise Outside(f"{named(a)} or {named(b)}: let it always be the same kind of thing", node)


def all_joined(kinds: Iterable[Is], node: ast.AST) -> Is:
    """What something is that is one of several things.  Raises Outside."""
    return reduce(lambda a, b: joined(a, b, node), kinds)
