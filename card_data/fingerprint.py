"""One short text that stands for checked objects, so that results can say what was played."""

from enum import Enum
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
    if attrs.has(type(value)):
        return {
            field.name: plain(getattr(value, field.name))
            for field in attrs.fields(type(value))
            if getattr(value, field.name) != field.default
        }
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return sorted(plain(item) for item in value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value
