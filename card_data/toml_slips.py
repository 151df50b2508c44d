"""Slips of the pen in a TOML file, described as what a designer did, not what a parser wanted.

A line that TOML cannot read is repaired by the usual means, one or two of them at a time, until it
can be read; what helped is what was wrong, and the repaired line is the advice.  So no advice is
given that TOML would not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations

from attrs import frozen

from card_data.faults import MAX_TOLD, shown
from card_data.names import plain_words

#: Lines of one statement that are looked at together.
_MAX_TOGETHER = 60
_MAX_SHOWN = 160

_KEY = r"[A-Za-z_][\w-]*"
_BEGINS = re.compile(
    rf"\s*(?:\[|#|$|(?:{_KEY}|\"{_KEY}\"|'{_KEY}')(?:[ \t]+{_KEY}){{0,3}}[ \t]*[=:])"
)
_OPEN = re.compile(r"=[^#]*(?:\[|\{|\"\"\"|''')")
_LONG_TEXT = re.compile(r"=\s*(\"\"\"|''')")
_VALUE = re.compile(r"(\s*[^=]*?=\s*)(.*?)(\s*|\s+#[^\"']*)$")


@frozen(kw_only=True)
class Layout:
    """What the files of a game look like, as far as advice about slips needs to know.

    ``thing`` is what a table describes.  ``numbers`` and ``lists`` are fields that hold one,
    ``words`` the lists of single words, ``fields`` all others.  ``header`` and ``field`` are
    examples of such lines, ``text`` one of a field that holds a text.  An id is the last part of a
    header, behind a dot if they are ``dotted``.
    """

    thing: str
    header: str
    field: str
    text: str
    fields: tuple[str, ...]
    numbers: tuple[str, ...]
    lists: tuple[str, ...]
    words: tuple[str, ...] = ()
    dotted: bool = False


@frozen
class Slip:
    """What is wrong in one place of a file; line and column count from 1.

    ``mended`` is what the line would be: two lines where two fields stand in it, nothing where only
    its writer knows.
    """

    line: int
    column: int
    problem: str
    mended: str = ""


@frozen
class _Repair:
    """A way to mend a line: what is said of it, and what gives the line without that."""

    message: str
    mend: Callable[[str], str]


def find_slips(text: str, layout: Layout) -> list[Slip]:
    """The slips of a text that ``tomllib`` refuses, in its order; empty where none is known.

    Of very many the first are found.
    """
    slips: list[Slip] = []
    for slip in _slips(text.split("\n"), layout):
        slips.append(slip)
        if len(slips) > MAX_TOLD:
            break
    return slips


def mended(text: str, slips: Iterable[Slip]) -> str:
    """The text without its slips; a line that would become two keeps them, so that none moves."""
    lines = text.split("\n")
    for slip in slips:
        if slip.line and "\n" not in slip.mended:
            lines[slip.line - 1] = slip.mended
    return "\n".join(lines)


def _slips(lines: list[str], layout: Layout) -> Iterator[Slip]:
    first_at: dict[tuple[str, ...], int] = {}
    header: tuple[str, ...] = ()
    number = 0
    while number < len(lines):
        together = _statement(lines, number)
        statement = "\n".join(lines[number : number + together])
        slip = None
        if _read(statement) is None:
            slip = _slip(lines[number], number + 1, layout)
            if not slip.mended and _OPEN.search(lines[number]):
                while number + 1 < len(lines) and not _BEGINS.match(lines[number + 1]):
                    number += 1
        for said in [statement] if slip is None else slip.mended.split("\n"):
            path = _path(_read(said) or {}, said)
            if not path or said.lstrip().startswith("[["):
                continue
            if is_header := said.lstrip().startswith("["):
                header = path
            else:
                path = header + path
            first = first_at.setdefault(path, number + 1)
            if first != number + 1 and slip is None:
                at = (number + 1, first)
                slip = _twice(path, at, statement, layout, is_header=is_header)
                if is_header:
                    header = tuple(slip.mended.strip("[]").split("."))
        if slip is not None:
            yield slip
        number += together


def _statement(lines: list[str], first: int) -> int:
    """How many lines the statement in a line has; 1 where none of them makes a whole of it.

    A text over several lines that is never closed has all that are left.
    """
    if _read(lines[first]) is not None or not _OPEN.search(lines[first]):
        return 1
    if match := _LONG_TEXT.search(lines[first]):
        for number in range(first, len(lines)):
            if match[1] in lines[number][match.end() if number == first else 0 :]:
                is_whole = _read("\n".join(lines[first : number + 1])) is not None
                return number - first + 1 if is_whole else 1
        return len(lines) - first
    text = lines[first]
    for number in range(first + 1, min(first + _MAX_TOGETHER, len(lines))):
        text += "\n" + lines[number]
        if _read(text) is not None:
            return number - first + 1
        if _BEGINS.match(lines[number]) and lines[number].strip() and "#" not in lines[number]:
            break
    return 1


def _read(text: str) -> dict[str, object] | None:
    import tomllib  # not needed until a file has slips

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _path(data: dict[str, object], statement: str) -> tuple[str, ...]:
    """The keys that a single statement makes."""
    path: list[str] = []
    inside: object = data
    while isinstance(inside, dict) and len(inside) == 1:
        ((key, inside),) = inside.items()
        path.append(key)
        if not statement.lstrip().startswith("[") and "." not in statement.partition("=")[0]:
            break
    return tuple(path)


def _twice(
    path: tuple[str, ...], at: tuple[int, int], text: str, layout: Layout, *, is_header: bool
) -> Slip:
    """The slip of a table or field that stands in a file twice: in the lines ``at``."""
    column = len(text) - len(text.lstrip()) + 1
    name, (line, first) = shown(path[-1]), at
    if is_header:
        mended = f"[{'.'.join((*path[:-1], path[-1][:40]))}_2]"
        problem = f"the id {name} stands in line {first} already"
        problem += f"; give this {layout.thing} one of its own"
        return Slip(line, column, f"{problem}, for instance {mended}", mended)
    problem = f"the field {name} of this {layout.thing} stands in line {first} already"
    return Slip(line, column, f"{problem}; leave one of them out")


def _slip(line: str, number: int, layout: Layout) -> Slip:
    """What is wrong with a line that cannot be read."""
    if (match := _LONG_TEXT.search(line)) and match[1] not in line[match.end() :]:
        problem = f"the text that begins here is not closed; put {match[1]} after its end"
        return Slip(number, match.start(1) + 1, problem)
    if found := _mended(line, layout):
        message, mended = found
        same = (one == other for one, other in zip(line, mended, strict=False))
        shorter = min(len(line), len(mended))
        column = next((at for at, is_same in enumerate(same) if not is_same), shorter)
        return Slip(number, column + 1, f"{message}; write: {_short(mended)}", mended)
    column = len(line) - len(line.lstrip()) + 1
    if match := re.fullmatch(r"\s*([\w-]+)\s*=\s*(?:#.*)?", line):
        return Slip(number, len(line.rstrip()) + 1, f"there is no value after '{match[1]} ='")
    if _OPEN.search(line):
        column = len(line.partition("=")[0]) + 2
        problem = "put commas between its texts and ']' after the last one"
        return Slip(number, column, f"the list that begins here cannot be read; {problem}")
    if match := re.match(rf"\s*({'|'.join(layout.numbers)})\s*=", line):
        example = f"for instance {match[1]} = 1"
        return Slip(number, match.end() + 1, f"'{match[1]}' is a whole number, {example}")
    if "=" not in line:
        advice = f"write a field, '=' and its value, as in {layout.text}"
        return Slip(number, column, f"this line has no '='; {advice}")
    advice = f"a line is an id in brackets, {layout.header}, or a field: {layout.field}"
    return Slip(number, column, f"this line cannot be read; {advice}")


def _mended(line: str, layout: Layout) -> tuple[str, str] | None:
    """What is wrong with a line and the line without that; None if no repair helps."""
    known = _repairs(layout)
    for repairs in (*((one,) for one in known), *permutations(known, 2)):
        mended = line
        for repair in repairs:
            before, mended = mended, repair.mend(mended)
            if mended == before:
                break
        else:
            if _read(mended) is not None:
                return " and ".join(repair.message for repair in repairs), mended
    return None


def _short(mended: str) -> str:
    """A mended line, or two of them, as it may appear in a message."""
    text = " and, on a line of its own, ".join(part.strip() for part in mended.split("\n"))
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


# ---------------------------------------------------------------- repairs


def _header(match: re.Match[str], layout: Layout) -> str:
    """A header as it would be with an id: "[Grave Choir]" -> "[grave_choir]"."""
    parts = match[1].split(".", 1) if layout.dotted else [match[1]]
    names = [plain_words(part) for part in parts]
    first = "[a-z0-9]" if layout.dotted else "[a-z]"
    return f"[{'.'.join(names)}]" if all(re.match(first, one) for one in names) else match[0]


def _straight(line: str) -> str:
    """Typographic quotes, dashes and spaces as a keyboard has them."""
    line = re.sub("[\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02]", '"', line)
    line = re.sub("[\u00a0\u2007\u202f\u200b\ufeff]", " ", line).replace("\uff1d", "=")
    if '"' not in line:
        line = re.sub("[\u2018\u2019\u201a\u201b\u2032\uff07`\u00b4]", "'", line)
    return line


def _quoted(line: str, layout: Layout) -> str:
    """The value as a text, or as a list of texts where that is wanted."""
    match = _VALUE.fullmatch(line)
    if not match or not match[2] or match[2][0] in "[{" or match[1].strip(" =") in layout.numbers:
        return line
    text = _as_text(match[2].strip().strip("\"'").strip())
    return match[1] + (f"[{text}]" if match[1].strip(" =") in layout.lists else text) + match[3]


def _requoted(line: str) -> str:
    """A text with quotes or backslashes in it, in single quotes."""
    match = _VALUE.fullmatch(line)
    if not match or not re.fullmatch(r"\"[^,=]*[\"\\][^,=]*\"", match[2]):
        return line
    return match[1] + _as_text(match[2][1:-1]) + match[3]


def _as_text(content: str) -> str:
    """A text of TOML."""
    quote = "'" if ('"' in content or "\\" in content) and "'" not in content else '"'
    if quote == '"':
        content = content.replace("\\", "\\\\").replace('"', '\\"')
    return f"{quote}{content}{quote}"


def _list(line: str, layout: Layout) -> str:
    """The value as a list of texts: [FRENZY TOUGH] -> ["FRENZY", "TOUGH"]."""
    match = _VALUE.fullmatch(line)
    if not match or match[2][:1] not in ("[", "(") or re.search(r"[\[({].*[\[({]", match[2]):
        return line
    inside = match[2].strip("[]() ")
    if not inside:
        return line
    words = re.findall(r"\"[^\"]*\"|'[^']*'|[^\s,;\"']+", inside)
    if match[1].strip(" =") not in layout.words and not re.search(r"[\"']", inside):
        words = [word for word in (part.strip() for part in inside.split(",")) if word]
    return f"{match[1]}[{', '.join(_as_text(word.strip(chr(34) + chr(39))) for word in words)}]"


def _apart(line: str) -> str:
    """Two fields of one line on two lines."""
    return re.sub(rf"[,;]?[ \t]*(?<=[\"'\]\d,; \t])({_KEY}[ \t]*=(?!=))", r"\n\1", line, count=0)


def _joined_key(line: str) -> str:
    """A key of several words as one: "end of turn = …"."""
    match = re.match(r"(\s*)([A-Za-z][\w -]*?)(\s*=.*)", line)
    return line if not match else match[1] + re.sub(r"[ -]+", "_", match[2]).lower() + match[3]


def _with_sign(line: str, layout: Layout) -> str:
    """A field with the '=' that is missing behind it."""
    match = re.match(rf"(\s*)({_KEY})[ \t]+([^\s=:].*)", line)
    if not match or match[2] not in {*layout.fields, *layout.numbers, *layout.lists}:
        return line
    return f"{match[1]}{match[2]} = {match[3]}"


def _truth(line: str) -> str:
    """A truth value as TOML spells it."""
    match = re.fullmatch(r"(.*=\s*)(true|yes|on|false|no|off)\s*", line, re.IGNORECASE)
    if not match:
        return line
    return match[1] + ("true" if match[2].casefold() in ("true", "yes", "on") else "false")


def _sub(pattern: str, by: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    return lambda line: re.sub(pattern, by, line, count=1)


@cache
def _repairs(layout: Layout) -> tuple[_Repair, ...]:
    """The usual means; what is likelier stands first."""

    def knowing(mend: Callable[[str, Layout], str]) -> Callable[[str], str]:
        return lambda line: mend(line, layout)

    return (
        _Repair("these are typographic quotes, where TOML has straight ones", _straight),
        _Repair(
            "an id has no spaces and no capital letters",
            _sub(r"^\s*\[([^\[\]=#\"']+)\][ \t]*$", lambda match: _header(match, layout)),
        ),
        _Repair(
            "the bracket after the id is missing", _sub(r"^(\s*\[[\w. -]+?)\s*[)}>]?\s*$", r"\1]")
        ),
        _Repair("there is a bracket too many", _sub(r"^(\s*)\[+([\w.-]+)\]+\s*$", r"\1[\2]")),
        _Repair("a field ends with its line, without ',' or ';'", _sub(r"\s*[,;]+\s*$", "")),
        _Repair(
            "a comment begins with '#'", _sub(r"(?<![:\w\"'/])(?://|--|/\*)(.*?)(?:\*/)?$", r"#\1")
        ),
        _Repair("the sign is '='", _sub(rf"^(\s*{_KEY})\s*(?::=|==+|=>|->|<-|:|=:)\s*", r"\1 = ")),
        _Repair("there is no '=' after the field", knowing(_with_sign)),
        _Repair("a field has no spaces in its name", _joined_key),
        _Repair("every field has a line of its own", _apart),
        _Repair(
            "the quote after the text is missing",
            _sub(r"(=\s*)([\"'])([^\"']+?)\s*$", r"\1\2\3\2"),
        ),
        _Repair(
            "the quote before the text is missing",
            _sub(r"(=\s*)([^\s\"'\[][^\"']*)([\"'])\s*$", r"\1\3\2\3"),
        ),
        _Repair("a text with quotes or '\\' in it stands in single quotes", _requoted),
        _Repair("the bracket after the list is missing", _sub(r"(=\s*\[[^\]]+?),?\s*$", r"\1]")),
        _Repair("a list has texts in quotes and commas between them", knowing(_list)),
        _Repair("a number has no zeros before it", _sub(r"(=\s*[+-]?)0+(?=\d)", r"\1")),
        _Repair("a number has no point after it", _sub(r"(=\s*\d+)\.\s*$", r"\1")),
        _Repair("it is 'true' or 'false', in small letters", _truth),
        _Repair("a text needs quotes, one before it and one after it", knowing(_quoted)),
    )
