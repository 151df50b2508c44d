"""Phrase tables: one table that reads sentences, makes objects of them and prints them again.

A table is a text.  ``## title`` begins a section, ``# name`` a category and ``name: fields`` a
phrase: one way to say something of its category.  Below a phrase stand its templates:

    canonical template      as files are written (indented by four characters)
  = printed template        as a card says it, where that differs
  ~ further template        also read, never written
  : meaning                 for the reference page
  > example

In a template ``a|b`` reads either word and prints the first; ``a/b`` prints the first where the
slot before names one thing, ``card(s)`` where a one stands before it, and ``a(n)`` the right
article.  What stands in (parentheses) may be left out and is never printed, what stands in
[brackets] is printed where there is something to say.  ``^`` begins with a capital letter; ``-`` is
an empty template.  Slots are filled by phrases of a category: ``{category}`` adds their fields,
``{field>category}`` adds them below a field, ``{field=category}`` makes them the value of a field,
``{field+category}`` one more item of it.  ``!`` asks for a value that is not the default, ``*`` or
``&and`` for any number of items, the latter with the word between them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

from attrs import NOTHING, Factory, define, field, frozen
from attrs import fields as attributes

CANONICAL, PRINTED, READ = 0, 1, 2
NUMBER, CARDINAL, SIGNED, PAIRED = "NUMBER", "CARDINAL", "SIGNED", "PAIRED"
NUMBERS = (NUMBER, CARDINAL, SIGNED, PAIRED)

Values = Mapping[str, Any]

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+|(?<=s)'(?!\w))?|[0-9]+|<=|>=|\S")
_ALIKE = str.maketrans("\u2019\u2018\u201c\u201d\u201e\u2212\u2013\u2014", '\'\'"""---')
COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_IN_WORDS = {word: number for number, word in enumerate(COUNTED, 1)}
_IRREGULAR = {"die": "dice"}
_ELEMENT = re.compile(
    r"\{[^}]*\}\*?|[\[\]()^]"
    r"|[^\s\[\]{}(),:;.\"]*\w\((?:s|n)\)|[^\s\[\]{}(),:;.\"]+|[,:;.\"]"
)
_SLOT = re.compile(r"\{(?:([\w.,]*)([>=+]))?([\w'|]+)(!?)(?:&(\w+|,))?\}(\*?)")
_ONE_BEFORE = re.compile(
    r"\b(?:1|an?|a\(n\)|another|each|every)(?: (?:other|allied|enemy|random|more|unused|dice))* ?$",
    re.IGNORECASE,
)
_ONE_BEGINS = re.compile(
    r"(?:up to )?(?:1|an?|a\(n\)|another|this|every|each)(?!\w)|(?:.*; )?it$", re.IGNORECASE
)


class Token(NamedTuple):
    """A word, number or sign of a line, and the index of its first character."""

    text: str
    start: int
    keys: tuple[str, ...]

    @property
    def number(self) -> int:
        """The number that it says; -1 for none."""
        if "#" in self.keys and self.text.isdigit():
            return int(self.text[:9])
        return _IN_WORDS.get(self.text.casefold(), -1)


_NOTHING = Token("", -1, ())


def tokens_of(line: str) -> list[Token]:
    """The words, numbers and signs of a line."""
    found = []
    for match in _TOKEN.finditer(line.translate(_ALIKE)):
        folded = match[0].casefold()
        if folded.isascii() and folded.isdigit():
            keys: tuple[str, ...] = ("#", folded)
        else:
            keys = (folded, "#") if folded in _IN_WORDS else (folded,)
        found.append(Token(line[match.start() : match.end()], match.start(), keys))
    return found


@frozen
class Word:
    """A word of a template: what it is read as, and what is printed for one and for several."""

    keys: frozenset[str]
    one: str
    many: str
    mark: str = ""


@frozen
class Slot:
    """A place for phrases of a category, and what their fields are to the phrase around it."""

    category: str
    fields: tuple[str, ...] = ()
    how: str = ""
    is_set: bool = False
    many: bool = False
    joined: str = ""


@frozen
class Maybe:
    """Elements that may be left out."""

    elements: "tuple[Element, ...]"
    printed: bool


Element = Word | Slot | Maybe


@frozen(eq=False)
class Phrase:
    """One way to say something of a category."""

    section: str
    category: str
    name: str
    fields: Values
    templates: dict[int, list[str]] = field(factory=dict)
    meaning: list[str] = field(factory=list)
    example: list[str] = field(factory=list)

    def template(self, register: int) -> str | None:
        """The template that is printed in a register; None where it is not used there."""
        if register == PRINTED and PRINTED in self.templates:
            return self.templates[PRINTED][0]
        return next(iter(self.templates.get(CANONICAL, [])), None)


@define(eq=False)
class Node:
    """A phrase that was read in a line, with what filled its slots."""

    category: str
    data: str
    start: int
    text: str
    children: "list[Node]"

    def walk(self) -> "Iterator[Node]":
        """The node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, name: str) -> "Iterator[Node]":
        """All nodes of a phrase."""
        return (node for node in self.walk() if node.data == name)


class Reading(NamedTuple):
    """A way to read a line: its fields and its parts."""

    fields: Values
    node: Node


class Expectation(NamedTuple):
    """A word or number that a line could go on with, and the words that follow of themselves."""

    word: str
    follow: tuple[str, ...]
    ends: bool
    phrase: Phrase
    register: int


class PhraseTable:
    """A phrase table, with the classes whose objects it speaks of."""

    def __init__(self, text: str, fields: Mapping[str, type], classes: Iterable[type]) -> None:
        """``fields`` are the classes and word lists of fields, ``classes`` those with defaults."""
        self.classes = fields
        self.defaults: dict[str, Any] = {}
        for one in classes:
            for attribute in attributes(one):
                default = attribute.default
                if default is not NOTHING:
                    made = default.factory() if isinstance(default, Factory) else default  # type: ignore[arg-type]
                    self.defaults.setdefault(attribute.name, made)
        self.phrases = list(self._phrases(text))
        self.categories: dict[str, list[Phrase]] = {}
        for phrase in self.phrases:
            self.categories.setdefault(phrase.category, []).append(phrase)
        for several in set(re.findall(r"[\w']+(?:\|[\w']+)+(?=[!&}])", text)):
            if set(several.split("|")) <= self.categories.keys():
                self.categories[several] = [
                    phrase for one in several.split("|") for phrase in self.categories[one]
                ]

    def _phrases(self, text: str) -> Iterator[Phrase]:
        section = category = ""
        phrase: Phrase | None = None
        for line in text.splitlines():
            if line.startswith("## "):
                section = line[3:]
            elif line.startswith("# "):
                category = line[2:]
            elif match := re.match(r"(\w+):(.*)", line):
                if phrase:
                    yield phrase
                phrase = Phrase(section, category, match[1], self._constants(match[2]))
            elif line.strip() and phrase and not line.startswith("//"):
                mark, said = line[:4].strip(), line[4:]
                lists = {":": phrase.meaning, ">": phrase.example}
                registers = {"": CANONICAL, "=": PRINTED, "~": READ}
                if mark in lists:
                    lists[mark].append(said.strip())
                else:
                    phrase.templates.setdefault(registers[mark], []).append(said.strip())
        if phrase:
            yield phrase

    def _constants(self, said: str) -> Values:
        values: dict[str, Any] = {}
        for path, word in re.findall(r"([\w.]+)=(\w+)", said):
            name = path.split(".")[-1]
            kind = self.classes.get(name)
            if isinstance(kind, type) and issubclass(kind, Enum):
                value: Any = kind[word]
            else:
                plain = {"True": True, "False": False, "None": None}
                value = plain[word] if word in plain else int(word)
            put(values, "" if path.startswith(".") else path, value)
        return values

    # templates

    def elements(self, template: str) -> tuple[Element, ...]:
        """The elements of a template."""
        return self._parsed(template)

    @cached_property
    def _cache(self) -> dict[str, tuple[Element, ...]]:
        return {}

    def _parsed(self, template: str) -> tuple[Element, ...]:
        if template not in self._cache:
            stack: list[list[Element]] = [[]]
            for said in [] if template == "-" else _ELEMENT.findall(template):
                if said in "[(":
                    stack.append([])
                elif said in "])":
                    inside = tuple(stack.pop())
                    stack[-1].append(Maybe(inside, said == "]"))
                elif said == "^":
                    stack[-1].append(Maybe((Word(frozenset(), "^", "^"),), True))
                elif slot := _SLOT.fullmatch(said):
                    paths, how, category, is_set, joined, many = slot.groups()
                    names = tuple(filter(None, (paths or "").split(",")))
                    stack[-1].append(
                        Slot(
                            category,
                            names,
                            how or "",
                            bool(is_set),
                            bool(many or joined),
                            joined or "",
                        )
                    )
                else:
                    stack[-1].append(_word(said))
            self._cache[template] = tuple(stack[0])
        return self._cache[template]

    @cached_property
    def _alternatives(self) -> dict[str, list[tuple[Phrase, int, tuple[Element, ...]]]]:
        return {
            category: [
                (phrase, register, self.elements(template))
                for phrase in phrases
                for register, several in sorted(phrase.templates.items())
                for template in several
            ]
            for category, phrases in self.categories.items()
        }

    @cached_property
    def _firsts(self) -> dict[str, tuple[frozenset[str], bool]]:
        """How phrases of each category can begin, and whether they can be empty."""
        firsts: dict[str, tuple[frozenset[str], bool]] = dict.fromkeys(
            self.categories, (frozenset(), False)
        )
        firsts |= {name: (frozenset("#"), False) for name in (NUMBER, CARDINAL)}
        firsts |= {name: (frozenset("+-"), False) for name in (SIGNED, PAIRED)}
        changed = True
        while changed:
            changed = False
            for category, several in self._alternatives.items():
                keys, empty = firsts[category]
                for _, _, elements in several:
                    more, can_be_empty = _first(elements, firsts)
                    keys, empty = keys | more, empty or can_be_empty
                changed |= (keys, empty) != firsts[category]
                firsts[category] = keys, empty
        return firsts

    @cached_property
    def _chosen(self) -> dict[tuple[str, tuple[str, ...]], list[Any]]:
        return {}

    def alternatives(
        self, category: str, keys: tuple[str, ...]
    ) -> list[tuple[Phrase, int, tuple[Element, ...]]]:
        """The templates of a category that can begin with a token, or be empty."""
        if (category, keys) not in self._chosen:
            chosen = []
            for one in self._alternatives[category]:
                firsts, empty = _first(one[2], self._firsts)
                if empty or not firsts.isdisjoint(keys):
                    chosen.append(one)
            self._chosen[category, keys] = chosen
        return self._chosen[category, keys]

    # reading

    def read(self, tokens: Sequence[Token], category: str) -> list[Reading]:
        """All different things that a line can mean."""
        found = _Reader(self, tokens).read(category, 0)
        return [Reading(values, node) for end, values, node in found if end == len(tokens)]

    def expected(self, tokens: Sequence[Token], category: str) -> tuple[int, list[Expectation]]:
        """How many tokens can begin a line, and what can stand behind them."""
        reader = _Reader(self, tokens, explain=True)
        ends = {end for end, _, _ in reader.read(category, 0)}
        at = max([*reader.expected, *ends, 0])
        return at, reader.expected.get(at, [])

    def reach(self, tokens: Sequence[Token], category: str) -> int:
        """How many tokens can begin a line."""
        reader = _Reader(self, tokens)
        reader.read(category, 0)
        return reader.reached

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that some template reads."""
        return frozenset(
            key
            for several in self._alternatives.values()
            for _, _, elements in several
            for word in _words(elements)
            for key in word.keys
        )

    # printing

    def say(self, category: str, values: Values, register: int) -> str:
        """The phrase for values; raises ValueError where the table has none."""
        said = self._say(category, values, register, True, "")
        if said is None:
            raise ValueError(f"no phrase of {category!r} says {values}")
        return said[0]

    def _say(
        self,
        category: str,
        values: Values,
        register: int,
        whole: bool,
        before: str,
        ahead: str = "",
    ) -> tuple[str, frozenset[str]] | None:
        if category in NUMBERS:
            number = values[""]
            if category == SIGNED:
                sign = "\N{MINUS SIGN}" if register == PRINTED else "-"
                return f"{number:+}".replace("-", sign), frozenset({""})
            return str(number), frozenset({""})
        wanted = frozenset(leaves(values, self.defaults)) if whole else frozenset()
        for phrase in self.categories[category]:
            template = phrase.template(register)
            constants = dict(paths(phrase.fields))
            if template is None or any(
                look(values, path, self.defaults) != value for path, value in constants.items()
            ):
                continue
            filled = self._fill(self.elements(template), values, register, before, ahead)
            if filled is None:
                continue
            text, covered = filled
            covered |= frozenset(
                path for path, value in constants.items() if value != self.default(path)
            )
            if wanted <= covered:
                return text, covered
        return None

    def default(self, path: str) -> Any:
        """The default of a field."""
        return self.defaults.get(path.rsplit(".", maxsplit=1)[-1])

    def _fill(
        self, elements: Iterable[Element], values: Values, register: int, before: str, ahead: str
    ) -> tuple[str, frozenset[str]] | None:
        """The text of a template, and the fields that it says; None where something is missing."""
        text, covered, taken = "", frozenset[str](), dict[str, int]()
        first = ""
        for element in elements:
            if isinstance(element, Word):
                several = element.mark == "s" and not _ONE_BEFORE.search(ahead + text)
                several |= element.mark == "/" and not _ONE_BEGINS.match(first or before)
                word = element.many if several else element.one
                text += f" {word}"
                continue
            if isinstance(element, Maybe):
                filled = self._fill(
                    element.elements, values, register, first or before, ahead + text
                )
                if not element.printed or filled is None or not (filled[1] or filled[0] == "^"):
                    continue
            else:
                filled = self._fill_slot(
                    element, values, register, first or before, taken, ahead + text
                )
                if filled is None:
                    return None
                first = first or filled[0]
            text += f" {filled[0]}" if filled[0] else ""
            covered |= filled[1]
        for name, n_taken in taken.items():
            if n_taken == len(look(values, name, self.defaults)):
                covered |= {name}
        return text.strip(), covered

    def _fill_slot(
        self,
        slot: Slot,
        values: Values,
        register: int,
        before: str,
        taken: dict[str, int],
        ahead: str,
    ) -> tuple[str, frozenset[str]] | None:
        if not slot.how:
            if slot.many:
                return self._fill_filters(slot, values, register)
            return self._say(slot.category, values, register, False, before, ahead)
        path = slot.fields[0]
        value = look(values, path, self.defaults)
        if slot.how == ">":
            inside = self._say(slot.category, value or {}, register, False, before, ahead)
            return inside and (
                inside[0],
                frozenset(f"{path}.{one}" if one else path for one in inside[1]),
            )
        if slot.how == "=":
            if any(look(values, other, self.defaults) != value for other in slot.fields):
                return None
            if value is None or (
                slot.is_set
                and all(
                    look(values, one, self.defaults) == self.default(one) for one in slot.fields
                )
            ):
                return None
            inner = value if isinstance(value, Mapping) else {"": value}
            said = self._say(slot.category, inner, register, True, before, ahead)
            return said and (
                said[0],
                frozenset(
                    leaf for one in slot.fields for leaf in _below(one, inner, self.defaults)
                ),
            )
        items = list(value or ())[taken.get(path, 0) :]
        said_items: list[str] = []
        for item in items if slot.many else items[:1]:
            inner = item if isinstance(item, Mapping) else {"": item}
            said = self._say(slot.category, inner, register, True, before, ahead)
            if said is None:
                break
            said_items.append(said[0])
        if not said_items and not (slot.many and not slot.joined):
            return None
        taken[path] = taken.get(path, 0) + len(said_items)
        return joined(said_items, slot.joined), frozenset()

    def _fill_filters(
        self, slot: Slot, values: Values, register: int
    ) -> tuple[str, frozenset[str]] | None:
        """Phrases of a category that say something, one behind the other."""
        texts, covered = [], frozenset[str]()
        for phrase in self.categories[slot.category]:
            template = phrase.template(register)
            if template is None or any(
                look(values, path, self.defaults) != value for path, value in paths(phrase.fields)
            ):
                continue
            filled = self._fill(self.elements(template), values, register, "", "")
            said = filled and filled[1] | frozenset(path for path, _ in paths(phrase.fields))
            if filled and said and not said <= covered:
                texts.append(filled[0])
                covered |= said
        return (joined(texts, slot.joined), covered) if texts else None


# ---------------------------------------------------------------- values


def put(values: dict[str, Any], path: str, value: Any) -> None:
    """Sets a field, or one of an object in a field.  Modifies values."""
    *outer, name = path.split(".")
    for one in outer:
        values = values.setdefault(one, {})
    values[name] = value


def look(values: Values, path: str, defaults: Values) -> Any:
    """A field, or one of an object in a field; its default where it is not there."""
    *outer, name = path.split(".")
    inside: Any = values
    for one in outer:
        inside = inside.get(one) or {}
    return inside[name] if name in inside else defaults.get(name)


def paths(values: Values, above: str = "") -> Iterator[tuple[str, Any]]:
    """All fields, those of objects below their field, with their values."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from paths(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def leaves(values: Values, defaults: Values) -> Iterator[str]:
    """The fields that differ from their defaults."""
    for path, value in paths(values):
        name = path.split(".")[-1]
        if name not in defaults or value != defaults[name]:
            yield path


def _below(path: str, inner: Values, defaults: Values) -> Iterator[str]:
    """The fields of an object that is a field's value."""
    for leaf in leaves(inner, defaults):
        yield f"{path}.{leaf}" if leaf else path


def merged(one: Values, other: Values, *, lenient: bool = False) -> Values | None:
    """Two sets of fields as one; None where they contradict each other."""
    both = dict(one)
    for name, value in other.items():
        if name in both and isinstance(value, Mapping) and isinstance(both[name], Mapping):
            inside = merged(both[name], value, lenient=lenient)
            if inside is None:
                return None
            both[name] = inside
        elif name in both and both[name] != value and not lenient:
            return None
        else:
            both[name] = value
    return both


def joined(words: Sequence[str], by: str) -> str:
    """Words as one phrase: ``A, B and C`` by a comma, ``A or B or C`` by "or"."""
    if by == ",":
        return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
    return (f" {by} " if by else " ").join(words)


_VOWEL = re.compile(r"\b(a)\(n\)(?= ([aeiou])?)", re.IGNORECASE)


def tidy(text: str) -> str:
    """A text made of templates with its articles, quotes, spaces and capitals."""
    text = _VOWEL.sub(lambda found: found[1] + ("n" if found[2] else ""), text)
    text = re.sub(r" ([,:;.])", r"\1", text)
    text = re.sub(r'" (.*?) "', r'"\1"', text)
    return re.sub(r"\^ *(\w)", lambda found: found[1].upper(), text)


# ---------------------------------------------------------------- templates


def _word(said: str) -> Word:
    if said.endswith("(n)"):
        return Word(frozenset({"a", "an"}), "a(n)", "a(n)")
    if said.endswith("(s)"):
        one = said[:-3]
        many = _IRREGULAR.get(one, f"{one}s")
        return Word(frozenset({one.casefold(), many.casefold()}), one, many, "s")
    if "/" in said and len(said) > 1:
        one, many = said.split("/")
        return Word(frozenset({one.casefold(), many.casefold()}), one, many, "/")
    several = said.split("|")
    return Word(frozenset(map(str.casefold, several)), several[0], several[0])


def _words(elements: Iterable[Element]) -> Iterator[Word]:
    for element in elements:
        if isinstance(element, Maybe):
            yield from _words(element.elements)
        elif isinstance(element, Word):
            yield element


def _first(
    elements: Iterable[Element], firsts: Mapping[str, tuple[frozenset[str], bool]]
) -> tuple[frozenset[str], bool]:
    keys: frozenset[str] = frozenset()
    for element in elements:
        if isinstance(element, Word):
            return keys | element.keys, False
        if isinstance(element, Maybe):
            more, empty = _first(element.elements, firsts)[0], True
        else:
            more, empty = firsts[element.category]
            empty |= element.many and not element.joined
        keys |= more
        if not empty:
            return keys, False
    return keys, True


# ---------------------------------------------------------------- reading

_Found = tuple[int, Values, Node]
_State = tuple[int, tuple[tuple[Slot, Values, Node], ...]]
_SEPARATORS = {",": ((",",), ("and",), (",", "and")), "and": (("and",),), "or": (("or",),)}


class _Reader:
    """Reads one line; every category is read once at each place."""

    def __init__(self, table: PhraseTable, tokens: Sequence[Token], explain: bool = False) -> None:
        self.table, self.tokens, self.explain = table, tokens, explain
        self.expected: dict[int, list[Expectation]] = {}
        self.reached = 0
        self._read: dict[tuple[str, int, int], list[_Found]] = {}

    def read(
        self, category: str, at: int, register: int = CANONICAL, phrase: Phrase | None = None
    ) -> list[_Found]:
        """What a category can be at a place: where it ends, its fields and its node.

        Where it is to explain, ``register`` and ``phrase`` are those that it stands in.
        """
        key = category, at, register
        if category in NUMBERS:
            return self._built_in(category, at, register, phrase)
        if key not in self._read:
            self._read[key] = self._phrases(category, at, register)
        return self._read[key]

    def _phrases(self, category: str, at: int, around: int) -> list[_Found]:
        found: list[_Found] = []
        keys = self.tokens[at].keys if at < len(self.tokens) else ()
        if self.explain:
            alternatives = self.table._alternatives[category]
        else:
            alternatives = self.table.alternatives(category, keys)
        for phrase, own, elements in alternatives:
            register = max(own, around) if self.explain else CANONICAL
            for end, parts in self._match(elements, [(at, ())], phrase, register):
                if end == at and elements and all(isinstance(one, Maybe) for one in elements):
                    continue
                values = _built(phrase.fields, parts)
                if values is not None and not any(
                    end == other and values == theirs for other, theirs, _ in found
                ):
                    children = [node for _, _, node in parts]
                    token = self.tokens[at] if end > at else _NOTHING
                    node = Node(category, phrase.name, token.start, token.text, children)
                    found.append((end, values, node))
        return found

    def _match(
        self, elements: Sequence[Element], states: list[_State], phrase: Phrase, register: int
    ) -> list[_State]:
        for number, element in enumerate(elements):
            if isinstance(element, Word):
                following = []
                for at, parts in states:
                    if at < len(self.tokens) and not element.keys.isdisjoint(self.tokens[at].keys):
                        following.append((at + 1, parts))
                        self.reached = max(self.reached, at + 1)
                    if self.explain:
                        self._expect(at, elements, number, phrase, register)
                states = following
            elif isinstance(element, Maybe):
                around = register if element.printed or not self.explain else READ
                inside = self._match(element.elements, states, phrase, around)
                states = [*states, *(state for state in inside if state not in states)]
            else:
                states = [
                    state for one in states for state in self._slot(element, one, phrase, register)
                ]
            if not states:
                break
        return states

    def _slot(self, slot: Slot, state: _State, phrase: Phrase, register: int) -> Iterator[_State]:
        at, parts = state
        if slot.many and not slot.joined:
            yield state
        for end, values, node in self.read(slot.category, at, register, phrase):
            reached = end, (*parts, (slot, values, node))
            if not slot.many:
                yield reached
            elif not slot.joined:
                if end > at:
                    yield from self._slot(slot, reached, phrase, register)
            else:
                yield reached
                for words in _SEPARATORS[slot.joined]:
                    between = [Word(frozenset({word}), word, word) for word in words]
                    for behind in self._match(between, [reached], phrase, register):
                        yield from self._slot(slot, behind, phrase, register)

    def _built_in(
        self, category: str, at: int, register: int, phrase: Phrase | None
    ) -> list[_Found]:
        rest = self.tokens[at : at + 5]
        texts = [token.keys[0] for token in rest]
        length, number = 0, 0
        if category in (NUMBER, CARDINAL):
            if rest and "#" in rest[0].keys:
                length, number = 1, rest[0].number
            else:
                self._expect_word(at, "#", register, phrase)
        elif len(rest) > 1 and texts[0] in "+-" and "#" in rest[1].keys:
            sign = -1 if texts[0] == "-" else 1
            length, number = 2, sign * rest[1].number
            if category == PAIRED:
                paired = len(rest) == 5 and texts[2] == "/" and texts[3] == texts[0]
                length = 5 if paired and rest[4].number == rest[1].number else 0
        elif category == SIGNED:
            if rest and texts[0] in "+-":
                self._expect_word(at + 1, "#", register, phrase)
            else:
                self._expect_word(at, "+", register, phrase)
                self._expect_word(at, "-", register, phrase)
        if not length:
            return []
        self.reached = max(self.reached, at + length)
        token = rest[min(length, 2) - 1]
        text = token.text if token.text.isdigit() else str(token.number)
        node = Node(category, category, token.start, text, [])
        return [(at + length, {"": number}, node)]

    def _expect_word(self, at: int, word: str, register: int, phrase: Phrase | None) -> None:
        if self.explain and phrase:
            one = Expectation(word, (), False, phrase, register)
            self.expected.setdefault(at, []).append(one)

    def _expect(
        self, at: int, elements: Sequence[Element], number: int, phrase: Phrase, register: int
    ) -> None:
        word = elements[number]
        assert isinstance(word, Word)
        follow = []
        for element in elements[number + 1 :]:
            if isinstance(element, Maybe) and not element.printed:
                continue
            if not isinstance(element, Word) or "(" in element.one:
                break
            follow.append(element.one)
        ends = len(follow) == len(elements) - number - 1
        for said in dict.fromkeys((word.one, word.many)):
            one = Expectation(said, tuple(follow), ends, phrase, register)
            self.expected.setdefault(at, []).append(one)


def _built(constants: Values, parts: Iterable[tuple[Slot, Values, Node]]) -> Values | None:
    """The fields of a phrase with what fills its slots; None where they contradict each other."""
    values = constants
    for slot, inside, _ in parts:
        new: dict[str, Any] = {}
        if not slot.how:
            new = dict(inside)
        elif slot.how == "+":
            (path,) = slot.fields
            put(new, path, (*(look(values, path, {}) or ()), inside.get("", inside)))
        else:
            for path in slot.fields:
                put(new, path, inside[""] if "" in inside and slot.how == "=" else dict(inside))
        both = merged(values, new, lenient=slot.how == "+" or (slot.many and not slot.how))
        if both is None:
            return None
        values = both
    return values
