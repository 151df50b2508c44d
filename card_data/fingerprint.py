"""One short text that stands for checked objects, so that results can say what was played."""

from enum import Enum
from functools import cache
from typing import Any

import attrs


def sha256_of(facts: object) -> str:
    """SHA-256, in hex, of plain data, however its dicts are ordered."""
    import hashlib
    import json

    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def plain(value: Any) -> Any:
    """An immutable object as dicts, lists, numbers and names.

    A field at its default is left out, so that a field which a later version adds leaves the hash
    of older objects alone.
    """
    kind: Any = type(value)
    if (fields := _fields(kind)) is not None:
        held = ((name, getattr(value, name), default) for name, default in fields)
        return {name: plain(one) for name, one, default in held if one != default}
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return sorted(plain(item) for item in value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a class of objects, each with its default; None for plain values."""
    if not attrs.has(kind):
        return None
    return tuple((field.name, field.default) for field in attrs.fields(kind))
