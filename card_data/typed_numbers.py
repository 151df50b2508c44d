"""Numbers as people type them: 100k, 1e5 and 100,000; 0.5%, 0,5 and 0.5 points."""

import math
import re
from decimal import Decimal

#: What may stand behind a number of percentage points.
_UNITS = re.compile(r"\s*(?:%|per ?cent|(?:percentage )?points?|pp)$")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,_'’ \u00a0\u202f]\d{3})+")
_SCALED = re.compile(r"([+-]?\d{1,15}(?:[.,]\d{1,9})?)(?: ?(k|m)|e\+?(\d{1,2}))")
_SCALES = {"k": 3, "m": 6}


def whole_number(text: str) -> int:
    """The whole number that a text spells: "20000", "20,000", "20k", "2e4".

    Raises ValueError where it spells none.
    """
    typed = text.strip().lower()
    if _GROUPED.fullmatch(typed):
        return int(re.sub(r"[^\d+-]", "", typed))
    if scaled := _SCALED.fullmatch(typed):
        number, letter, power = scaled.groups()
        value = Decimal(number.replace(",", ".")).scaleb(_SCALES[letter] if letter else int(power))
        if value != int(value):
            raise ValueError(f"'{text}' is not a whole number")
        return int(value)
    return int(typed)


def decimal_number(text: str) -> float:
    """The number that a text spells, in per cent where it says so: "0.5", "0,5", "0.5%".

    Raises ValueError where it spells none that is finite.
    """
    typed = _UNITS.sub("", text.strip().lower()).lstrip("±")
    if typed.count(",") == 1 and "." not in typed:
        typed = typed.replace(",", ".")
    try:
        number = float(typed)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"'{text}' is not a number")
    return number
