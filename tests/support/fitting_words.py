"""Words beside intervals: what of a page, a text or an answer in JSON contradicts its interval.

Numbers are read as they are printed, so ends may be off by what rounding takes.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from typing import Any

from analysis.verdicts import LESS, MORE, NEEDS_GAMES, NOT_SETTLED, SAME, VERDICTS, verdict

#: Words of verdict systems that there were.
OLD = re.compile(
    r"above average|below average|\b(?:is|are|seems?|stays?) balanced|stands? out|unchanged"
    r"|no clear (?:difference|change|effect)|not enough games\b(?! yet)|shown balanced",
    re.IGNORECASE,
)
_BAND = 2.0
_NUMBER = r"([+\u2212-]?\d+(?:\.\d+)?)"
_INTERVAL = re.compile(rf"{_NUMBER}(?:\s?%)? to {_NUMBER}")
#: What the studio says of more and of fewer wins.
_CHANGED = ("stronger", "weaker", "more", "fewer", "worth more", "worth less")
#: The headings of the columns that verdicts are about; of any other table it is the first interval.
_HEADS = (
    *("Over average", "Another player", "Decided", "Decided, points"),
    *("Dealt", "Won, %", "Won when dealt it, %"),
)
#: "+4.2 (+1.3 to +7.2), not settled"
_DOUBTED = re.compile(rf"[(,] ?{_NUMBER} to {_NUMBER}\)?(?:\s?%\))?(, {NOT_SETTLED})?")
#: "X is too strong: players dealt it win 53.9% (53.5 to 54.3%)"
_JUDGED = re.compile(
    rf"\b(?:is|are|it is|it|needs) ?({'|'.join(VERDICTS)}|more games)[^.;()]*?:"
    rf" [^.;()]*?[\d.]+\s?%[^.;()]*?\({_NUMBER} to {_NUMBER}\s?%\)"
)


def old_words(text: str) -> list[str]:
    """The words of other verdict systems in a text."""
    return OLD.findall(text)


def contradictions(text: str) -> list[str]:
    """The sentences of a text in which a word contradicts the interval beside it."""
    plain = " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())
    found = []
    for one in _DOUBTED.finditer(plain):
        low, high, step = _ends(one[1], one[2])
        signed = one[1][0] in "+\u2212-" or one[2][0] in "+\u2212-"
        if one[3] and signed and (low > step or high < -step):
            found.append(one[0])
    for one in _JUDGED.finditer(plain):
        low, high, step = _ends(one[2], one[3])
        word = one[1] if one[1] in VERDICTS else NEEDS_GAMES
        if word not in _possible(low, high, step, 50.0):
            found.append(one[0])
    return found


def page_contradictions(html: str, *, equals: bool = True) -> list[str]:
    """The rows of the tables of a page whose verdict contradicts the interval that it is about.

    Only ``equals`` win half of their games with an average card.
    """
    body = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL)
    page = _Tables()
    page.feed(body)
    found = []
    for heads, rows in page.tables:
        if "Verdict" not in heads:
            continue
        for row in rows:
            if len(row) != len(heads):
                continue
            judged = [row[heads.index(head)] for head in _HEADS if head in heads]
            cells = map(_INTERVAL.search, [*judged, *row])
            ends = next(filter(None, cells), None)
            word = row[heads.index("Verdict")].partition(":")[0].strip()
            if ends is None:
                continue
            low, high, step = _ends(ends[1], ends[2])
            middle = 0.0 if ends[1][0] in "+\u2212" or ends[2][0] in "+\u2212" else 50.0
            if word in VERDICTS and (equals or not middle):
                turned = "Encounter" in heads
                if word not in _possible(low, high, step, middle, of_foe=turned):
                    found.append(f"{row}: {word}")
            elif word in (LESS, NOT_SETTLED, *_CHANGED) or word.startswith(SAME):
                is_out = low > step or high < -step
                is_in = low < -step and high > step
                is_settled = word in (LESS, *_CHANGED)
                if (is_settled and is_in) or (not is_settled and is_out):
                    found.append(f"{row}: {word}")
    text = unescape(
        re.sub(r"<[^>]*>", " ", re.sub(r"</?(?:a|em|strong|small|span)\b[^>]*>", "", body))
    )
    return found + contradictions(text)


def json_contradictions(answer: Any) -> Iterator[str]:
    """The rows of an answer in JSON whose verdict contradicts the interval that it is about."""
    if isinstance(answer, Mapping):
        yield from _row_contradictions(answer)
        for value in answer.values():
            yield from json_contradictions(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from json_contradictions(value)


#: Of each table the first of these columns that a row has is the one that is judged, around what.
_JUDGED_COLUMNS = {"worth": 0, "win_effect": 0, "over_average": 0, "effect": 0, "advantage": 0,
                   "win_rate": 0.5}  # fmt: skip


def _row_contradictions(row: Mapping[str, Any]) -> Iterator[str]:
    word, band = row.get("verdict"), row.get("band", 0.02)
    if not isinstance(word, str):  # a table of that name
        return
    if word in (MORE, LESS, SAME, NOT_SETTLED) and row.get("difference_ci_low") is not None:
        is_out = row["difference_ci_low"] > 0 or row["difference_ci_high"] < 0
        if is_out != (word in (MORE, LESS)):
            yield f"{row}"
    for column, middle in _JUDGED_COLUMNS.items():
        ends = [row.get(f"{column}_ci_{end}") for end in ("low", "high")]
        if word in VERDICTS and None not in ends:
            of_foe = row.get("kind") in ("minions", "encounters") or "encounter" in row
            if word != verdict(*ends, band=band, null=middle, of_foe=of_foe):
                yield f"{row}"
            return


def _ends(*texts: str) -> tuple[float, float, float]:
    """The ends of an interval, and what rounding may have taken of either."""
    low, high = (float(text.replace("\N{MINUS SIGN}", "-")) for text in texts)
    digits = len(texts[0].partition(".")[2])
    return low, high, 0.5 * 10.0**-digits + 1e-9


def _possible(
    low: float, high: float, step: float, middle: float, *, of_foe: bool = False
) -> set[str]:
    """The verdicts that an interval allows, its ends being what they are but for rounding."""
    off = (-step, 0.0, step)
    return {
        verdict(low + a, high + b, band=_BAND, null=middle, of_foe=of_foe) for a in off for b in off
    }


class _Tables(HTMLParser):
    """The tables of a page: the words of the heads, and of each cell of each row."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[tuple[list[str], list[list[str]]]] = []
        self._row: list[str] | None = None
        self._in_head = self._is_word = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where tables, rows and cells begin."""
        if tag == "table":
            self.tables.append(([], []))
        elif tag == "tr" and self.tables:
            self._row = []
        elif tag in ("td", "th") and self._row is not None:
            about = dict(attrs)
            self._in_head = about.get("scope") == "col"
            # Charts of the studio have intervals as titles, and their words under any heading.
            self._is_word = self._in_head and about.get("class") == "word"
            self._row.append("Verdict" if self._is_word else about.get("title") or "")

    def handle_endtag(self, tag: str) -> None:
        """Keep a row that is whole."""
        if tag == "tr" and self._row is not None:
            heads, rows = self.tables[-1]
            if self._in_head:
                heads.extend(cell.strip() for cell in self._row)
            else:
                rows.append([" ".join(cell.split()) for cell in self._row])
            self._row = None

    def handle_data(self, data: str) -> None:
        """Words of a cell."""
        if self._row and not self._is_word:
            self._row[-1] += f" {data}"
