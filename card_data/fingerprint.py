"""One short text that stands for checked objects, so that results can say what was played."""

from enum import Enum
from functools import cache, partial
from typing import Any
from weakref import ref

import attrs


def sha256_of(facts: object) -> str:
    """SHA-256, in hex, of plain data, however its dicts are ordered."""
    import hashlib
    import json

    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def plain(value: Any) -> Any:
    """An immutable object as dicts, lists, numbers and names, which are to be read only.

    A field at its default is left out, so that a field which a later version adds leaves the hash
    of older objects alone.
    """
    kind: Any = type(value)
    if (fields := _fields(kind)) is not None:
        known, held = _known.get(id(value), (None, None))
        if known is None or known() is not value:
            parts = ((name, getattr(value, name), default) for name, default in fields)
            held = {name: plain(one) for name, one, default in parts if one != default}
            _known[id(value)] = ref(value, partial(_forget, id(value))), held
        return held
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return sorted(plain(item) for item in value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value


# What `plain` made of each object that still lives: experiments ask for hundreds of objects that
# differ in a single part.  Not by value, since what is equal may be written otherwise (1 and True).
_known: dict[int, tuple[ref[Any], Any]] = {}


def _forget(place: int, gone: ref[Any]) -> None:
    """Drop what is known of an object that has ended, unless another one has its place by now."""
    if _known.get(place, (None, None))[0] is gone:
        del _known[place]


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a class of objects, each with its default; None for plain values."""
    if not attrs.has(kind):
        return None
    return tuple((field.name, field.default) for field in attrs.fields(kind))
