"""What a page sends to the studio, read and checked."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from card_data.typed_numbers import whole_number
from reports.cli.console import InputError
from reports.studio.bench import Choice

_MOST_DIGITS = 20
# Half a character, of which no text can consist.
_HALF = re.compile("[\ud800-\udfff]")


def text_of(said: Mapping[str, Any], name: str) -> str:
    """A text that the page sent.  Raises InputError for none, and for anything else."""
    value = said.get(name)
    if not isinstance(value, str) or _HALF.search(value):
        raise InputError(f"{name} must be a text")
    return value


def value_of(choice: Choice, values: Mapping[str, Any]) -> str:
    """What was chosen.  Raises InputError for what there is not."""
    value = values.get(choice.name, choice.usual)
    if not isinstance(value, str) or value not in choice.options:
        raise InputError(f"{choice.label}: choose one of the list")
    return value


def whole_of(said: Mapping[str, Any], name: str, most: int) -> int:
    """A whole number from 0 to ``most``, as a number or its digits.  Raises InputError."""
    value = said.get(name)
    number = value
    if isinstance(value, str) and len(value) <= _MOST_DIGITS:
        with suppress(ValueError):
            number = whole_number(value)
    if not isinstance(number, int) or not 0 <= number <= most:
        raise InputError(f"{name} must be a whole number from 0 to {most:,}")
    return number
