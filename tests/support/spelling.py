"""How numbers are spelled wherever a person reads them: one way, `reports.kit.words.interval`."""

import re

# An interval with a dash ("53.5-53.9%" with an en dash), or begun with "from" or "between".
_ODD_INTERVALS = re.compile(
    r"\d+\.\d+–\d+\.\d+"
    r"|\d–\d+\s?%"
    r"|\b(?:from|between) [+\u2212]\d+(?:\.\d+)? (?:to|and) [+\u2212]?\d+(?:\.\d+)?"
)


def odd_intervals(text: str) -> list[str]:
    """Every interval of a text that is not written "53.5 to 53.9%" or "+1.1 to +1.5"."""
    return _ODD_INTERVALS.findall(" ".join(text.split()).replace("\N{WORD JOINER}", ""))
