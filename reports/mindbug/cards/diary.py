"""What a diary of changes says of a card: entries that `compare --record` has written.

A diary outlives the folders of the runs that it tells of.
"""

import re
from collections.abc import Iterator

from attrs import frozen

from reports.mindbug.compare.measures import MEASURE_TEXT

DIARY_TABLE = ("day", "change", "before", "after", "verdict", "why")

_ENTRY = re.compile(r"^## (\d{4}-\d\d-\d\d): ", re.MULTILINE)
_WHY = re.compile(r"^\*\*Why\.\*\* (.*)$", re.MULTILINE)
# A bar between cells, not one that a name has.
_BAR = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)")
_DEALT = f", {MEASURE_TEXT['dealt']}"


@frozen
class Entry:
    """An entry on a change of a card, in the words of the diary; "" for what it does not say."""

    day: str
    change: str
    before: str
    after: str
    verdict: str
    why: str

    @property
    def row(self) -> tuple[str, ...]:
        """The cells of its row; the headings are `DIARY_TABLE`."""
        return (self.day, self.change, self.before, self.after, self.verdict, self.why)


def entries(diary: str, name: str) -> Iterator[Entry]:
    """The entries of a diary in which a card of that name was changed, in their order."""
    _, *parts = _ENTRY.split(diary)
    for day, text in zip(parts[::2], parts[1::2], strict=True):
        lines = text.splitlines()
        said = [_plain(line[2:]) for line in lines if line.startswith("- ")]
        starts = f"{name}, ", f"{name} is "
        changed = [one.removeprefix(starts[0]) for one in said if one.startswith(starts)]
        if not changed:
            continue
        before = after = verdict = ""
        for line in lines:
            cells = [_plain(cell) for cell in _BAR.split(line)[1:-1]]
            if len(cells) >= 6 and cells[0] == f"{name}{_DEALT}":
                before, after, verdict = cells[1], cells[2], cells[5]
        why = _WHY.search(text)
        yield Entry(day, "; ".join(changed), before, after, verdict, _plain(why[1]) if why else "")


def _plain(text: str) -> str:
    """Text without the marks that Markdown needs."""
    return _ESCAPED.sub(r"\1", text).replace("&amp;", "&").strip()
