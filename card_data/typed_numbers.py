"""Numbers as people type them: 100k, 1e5 and 100,000; 0.5%, 0,5 and 0.5 points."""

import math
import re
from decimal import Decimal

#: What may stand behind a number of percentage points.
_UNITS = re.compile(r"\s*(?:%|per ?cent|(?:percentage )?points?|pp)$")
#: With marks between thousands, and decimals behind another mark.
_THOUSANDS = re.compile(
    r"[+-]?[1-9]\d{0,2}(?P<mark>[,.'’ \u00a0\u202f])\d{3}(?:(?P=mark)\d{3})*"
    r"(?P<decimals>(?!(?P=mark))[.,]\d+)?"
)
_DECIMALS = re.compile(r"[+-]?\d*([.,])\d+")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,_'’ \u00a0\u202f]\d{3})+")
_SCALED = re.compile(r"([+-]?\d{1,15}(?:[.,]\d{1,9})?)(?: ?(k|m)|e\+?(\d{1,2}))")
_SCALES = {"k": 3, "m": 6}


class TwoNumbersError(ValueError):
    """A text that can be read as two numbers, such as "1,234"."""


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


def decimal_mark(text: str) -> str:
    """What stands before the decimals of a number: "," of "23,5" and "1.234,5".

    It is empty for a text that does not tell: "23", and "1,234", which can be read in two ways.
    """
    if grouped := _THOUSANDS.fullmatch(text):
        if grouped["decimals"]:
            return grouped["decimals"][0]
        several = text.count(grouped["mark"]) > 1
        return {",": ".", ".": ","}.get(grouped["mark"], "") if several else ""
    found = _DECIMALS.fullmatch(text)
    return found[1] if found else ""


def decimal_number(text: str, mark: str | None = None) -> float:
    """The number that a text spells, in per cent where it says so: "0.5", "0,5", "0.5%".

    In a table whose decimals stand behind a ``mark``, the other one parts thousands; "" where that
    is not known of the table.

    Raises ValueError where the text spells no number that is finite, TwoNumbersError where it
    spells two.
    """
    typed = _UNITS.sub("", text.strip().lower()).lstrip("±")
    if mark is not None and (grouped := _THOUSANDS.fullmatch(typed)):
        mark, plain = decimal_mark(typed) or mark, typed.replace(grouped["mark"], "")
        if not mark and grouped["mark"] in ",.":
            decimal = typed.replace(",", ".")
            raise TwoNumbersError(
                f"'{text}' may be {plain} or {decimal}; write {plain} or {decimal}0"
            )
        typed = typed if mark == grouped["mark"] else plain
    if typed.count(",") == 1 and "." not in typed:
        typed = typed.replace(",", ".")
    try:
        number = float(typed)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"'{text}' is not a number")
    return number
