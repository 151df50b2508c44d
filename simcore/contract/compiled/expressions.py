"""Expressions of rules, rewritten: each is a text of Python for the compiler, and what it is."""

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from types import FunctionType, ModuleType
from typing import Any

from card_data.schema import Kind
from card_data.schema.fields import Choice as WordField
from card_data.schema.fields import Entries as EntriesField
from card_data.schema.fields import Flag as FlagField
from card_data.schema.fields import Real, Whole, Words
from simcore.contract.compiled.kinds import (
    ENTRY,
    FLAG,
    NONE,
    NONES,
    NUMBER,
    REAL,
    UNKNOWN,
    WORD,
    ZONE,
    Is,
    Outside,
    all_joined,
    is_numeric,
    joined,
    named,
)
from simcore.contract.rules import CHOSEN, DEALT, INCLUDED
from simcore.contract.state import Cards, Choice, Flag

#: An expression: its text, and what it is.
Code = tuple[str, Is]

_OPERATORS: dict[type[Any], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_CHECKED: dict[type[Any], str] = {ast.FloorDiv: "_over", ast.Mod: "_rest", ast.Div: "_ratio"}
_COMPARED: dict[type[Any], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_MOST_WHOLE = 2**62
_LIST = ("list", "array")
# What is made of several things.
_FOLDED = ("sum", "any", "all", "max", "min")
# Words of purposes that are the program's own, by whose luck it is.
_OWN_LUCK = {
    "address": ("shuffle", "lot", "swap", "players"),
    "players": ("player", "search", "playout", "luck", "imagine"),
}
_NO_NUMBER = "an entry, such as a card, is no number: compare or add a field of it, as in card.rank"


class Expressions(ABC):
    """Rewrites the expressions of one function of a program, which rewrites what it calls."""

    def __init__(self, program: Any, function: FunctionType) -> None:
        self.program, self.layout, self.function = program, program.layout, function
        self.kinds: dict[str, Is] = {}
        self.given: set[str] = set()  # locals that have a value here
        self.called: set[str] = set()

    # ------------------------------------------------------------ in general

    def code(self, node: ast.expr) -> Code:
        """The code of an expression.  Raises Outside."""
        method: Callable[[Any], Code] | None = getattr(
            self, f"_as_{type(node).__name__.lower()}", None
        )
        if method is None:
            raise Outside(f"{ast.unparse(node)!r} has no compiled form", node)
        try:
            found = method(node)
        except Outside as error:
            error.node = error.node or node
            raise
        if found[1] == UNKNOWN:
            raise Outside("")
        return found

    def truth(self, node: ast.expr) -> str:
        """The text of a condition."""
        if isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.And) else " or "
            return f"({word.join(map(self.truth, node.values))})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"(not {self.truth(node.operand)})"
        text, kind = self.code(node)
        if kind.what == "flag":
            return text
        if kind.what == "zone":
            return f"(s.n[{text}] > 0)"
        if kind.what in _LIST:
            return f"({self.length(text, kind)} > 0)"
        if kind.what == "entry":
            return f"({text} != 0)"
        if is_numeric(kind):
            return f"({text} != 0)"
        if kind.maybe:
            raise Outside("it may be None, or 0: write 'is not None'", node)
        raise Outside(f"{named(kind)} cannot be asked whether it is true", node)

    def number(self, node: ast.expr) -> str:
        """The text of a whole number."""
        text, kind = self.code(node)
        if kind == ENTRY:
            raise Outside(_NO_NUMBER, node)
        if kind == NUMBER._replace(maybe=True):
            return f"_there({text}, NOTHING)"
        if kind not in (NUMBER, FLAG):
            raise Outside(f"{named(kind)} where a whole number is needed", node)
        return text

    def of_kind(self, node: ast.expr, wanted: Is) -> str:
        """The text of something that must be of a kind."""
        text, kind = self.code(node)
        if kind.what != wanted.what:
            raise Outside(f"{named(kind)} where {named(wanted)} is needed", node)
        return self.there(text, kind)[0]

    @staticmethod
    def there(text: str, kind: Is) -> Code:
        """The code of something that may not be None here."""
        return (f"_there({text}, {NONES[kind.what]})" if kind.maybe else text), kind.one

    def length(self, text: str, kind: Is) -> str:
        """The text of how many things there are."""
        if kind.what == "zone":
            return f"s.n[{text}]"
        if kind.what == "array":
            return self.size(kind.of[0][0])
        return f"len({text})"

    def number_of(self, text: str, kind: Is) -> str:
        """The text of how many things there are beside these, -1 for as many as a list has.

        What a list is made by is not written twice: it may draw luck.
        """
        return "-1" if kind.what == "list" else self.length(text, kind)

    @staticmethod
    def size(dim: tuple[str, Any]) -> str:
        """The text of how many values lie along a dimension."""
        if dim[0] == "entries":
            raise Outside("numbers by entry are looked up with an entry, and looped over by name")
        return (
            "t.seats" if dim[0] == "seats" else str(dim[1] if dim[0] == "places" else len(dim[1]))
        )

    def element(self, kind: Is) -> Is:
        """What the things in a list or row are."""
        if kind.what == "list":
            found: Is = kind.of
            return found
        dims, leaf, name = kind.of
        return leaf if len(dims) == 1 else Is("array", (dims[1:], leaf, name))

    # ------------------------------------------------------------ constants and names

    def _as_constant(self, node: ast.Constant) -> Code:
        return self.constant(node.value, node)

    def constant(self, value: Any, node: ast.AST) -> Code:
        """The code of a value that is known."""
        if value is None:
            return "NOTHING", NONE
        if isinstance(value, bool):
            return str(value), FLAG
        if isinstance(value, int) and abs(value) < _MOST_WHOLE:
            return (str(value) if value >= 0 else f"({value})"), NUMBER
        if isinstance(value, float):
            odd = {inf: "np.inf", -inf: "(-np.inf)"}.get(value, "np.nan" if value != value else "")
            return odd or repr(value), REAL
        if isinstance(value, str):
            return str(self.layout.word(value)), WORD
        if isinstance(value, list | tuple | range) and len(value):
            return self._constant_list([*value], node)
        raise Outside(f"{value!r} has no compiled form", node)

    def _constant_list(self, values: list[Any], node: ast.AST) -> Code:
        if all(isinstance(one, list | tuple) for one in values):
            rows = [[self.constant(one, node) for one in row] for row in values]
            kinds = {tuple(kind for _, kind in row) for row in rows}
            if len(kinds) != 1 or not rows[0]:
                raise Outside("rows of a list need equal lengths and kinds", node)
            columns = kinds.pop()
            kind = Is("list", columns[0]) if len({*columns}) == 1 else Is("row", columns)
            if kind.what == "list" and kind.of not in (NUMBER, WORD, FLAG):
                raise Outside("a list of lists of whole numbers or words, not deeper", node)
            texts = [f"[{', '.join(text for text, _ in row)}]" for row in rows]
            return self.program.array(f"[{', '.join(texts)}]", "int64"), Is("list", kind)
        found = [self.constant(one, node) for one in values]
        kind = all_joined([one for _, one in found], node)
        if kind.what not in ("number", "word", "flag", "real") or kind.maybe:
            raise Outside("a list of numbers or words", node)
        texts = [text for text, _ in found]
        dtype = "float64" if kind == REAL else "int64"
        kind = NUMBER if kind == FLAG else kind
        return self.program.array(f"[{', '.join(texts)}]", dtype), Is("list", kind)

    def _as_name(self, node: ast.Name) -> Code:
        name = node.id
        if name in self.kinds:
            if name not in self.given:
                raise Outside(f"{name} may have no value here: give it one before", node)
            return f"v_{name}", self.kinds[name]
        return self.thing(self.global_value(name, node), node)

    def global_value(self, name: str, node: ast.AST) -> Any:
        """What a name of the author's file stands for."""
        space = self.function.__globals__
        if name in space:
            return space[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise Outside(f"{name} is not known", node)

    def thing(self, value: Any, node: ast.AST) -> Code:
        """A constant, a function, a class or a module."""
        if isinstance(value, FunctionType | ModuleType | type) or callable(value):
            return "", Is("thing", value)
        return self.constant(value, node)

    # ------------------------------------------------------------ members

    def _as_attribute(self, node: ast.Attribute) -> Code:
        name = node.attr
        if isinstance(node.value, ast.Name) and self.is_self(node.value.id):
            return self._of_self(name, node)
        text, kind = self.code(node.value)
        if kind.what == "setup":
            return self._setting(name, node)
        if kind.what == "entry":
            return self._field(text, kind, name, node)
        if kind.what == "zone":
            if name not in self.layout.marks:
                raise Outside(f"a zone has no {name}", node)
            return text, Is("marks", self.layout.marks[name])
        if kind.what == "zones":
            raise Outside("each seat has its own zone: write [seat]", node)
        if kind.what == "thing" and isinstance(kind.of, ModuleType | type):
            return self.thing(getattr(kind.of, name, None), node)
        raise Outside(f"{named(kind)} has no .{name} that could be compiled", node)

    def is_self(self, name: str) -> bool:
        """Whether a name stands for the game."""
        return self.kinds.get(name) == Is("self")

    def _of_self(self, name: str, node: ast.AST) -> Code:
        layout = self.layout
        given: dict[str, Code] = {
            "seats": ("t.seats", NUMBER),
            "setup": ("", Is("setup")),
            "rng": ("s", Is("rng", "address")),
            "acting": ("_acting(s)", NUMBER._replace(maybe=True)),
        }
        if name in given:
            return given[name]
        one = layout.declared.get(name)
        if isinstance(one, Cards):
            first = layout.zones[name]
            return (str(first), Is("zones", name)) if one.per_seat else (str(first), ZONE)
        if one is not None:
            leaf = WORD if isinstance(one, Choice) else FLAG if isinstance(one, Flag) else NUMBER
            if isinstance(one, Choice):
                for word in one.words:
                    layout.word(word)
            if dims := layout.dims(name):
                return f"s.v_{name}", Is("array", (tuple(dims), leaf, name))
            return self.loaded(f"s.v_{name}", leaf)
        value = getattr(layout.table.game.rules, name, None)
        if isinstance(value, FunctionType):
            return "", Is("method", value)
        if value is None:
            raise Outside(f"self.{name} is not declared in the body of the class", node)
        return self.constant(value, node)

    @staticmethod
    def loaded(text: str, leaf: Is) -> Code:
        """The code of a value in a record."""
        return (f"({text} != 0)" if leaf == FLAG else text), leaf

    def _setting(self, name: str, node: ast.AST) -> Code:
        fields = {one.name: one.field for one in self.layout.table.game.settings}
        if name not in fields:
            raise Outside(f"there is no setting {name}", node)
        kind = self._kind_of_field(fields[name], node)
        self.layout.settings.add(name)
        return self.loaded(f"t.set_{name}", kind)

    def _kind_of_field(self, field: Any, node: ast.AST) -> Is:
        if isinstance(field, WordField):
            for word in field.words:
                self.layout.word(word)
            return WORD
        for kind, found in ((Whole, NUMBER), (Real, REAL), (FlagField, FLAG)):
            if isinstance(field, kind):
                return found
        raise Outside(f"a field {type(field).__name__} has no compiled form", node)

    def _field(self, text: str, kind: Is, name: str, node: ast.AST) -> Code:
        """A field of an entry."""
        if name in ("name", "id"):
            raise Outside(f"rules may not ask for the {name} of an entry: give the kind a field")
        if name == "kind":
            return f"t.kind_word[{text}]", WORD
        fields = self.layout.field_of(name)
        if not fields:
            raise Outside(f"no entry has a field {name}", node)
        self.layout.fields.add(name)
        if kind.maybe or len(fields) < len(self.layout.kinds):
            text = f"_with_field(t.has_{name}, {text})"
        if all(isinstance(one, EntriesField) for one in fields):
            return text, Is("counts", name)
        if all(isinstance(one, Words) for one in fields):
            self.layout.mask_words(name)
            return f"t.f_{name}[{text}]", Is("words", name)
        [found, *others] = {self._kind_of_field(one, node) for one in fields}
        if others:
            raise Outside(f"the field {name} is one thing here and another there", node)
        return self.loaded(f"t.f_{name}[{text}]", found)

    # ------------------------------------------------------------ places

    def _as_subscript(self, node: ast.Subscript) -> Code:
        if isinstance(node.slice, ast.Slice):
            raise Outside("[…] takes one place", node)
        text, kind = self.code(node.value)
        if kind.what == "zones":
            return f"({text} + _place({self.number(node.slice)}, t.seats))", ZONE
        if kind.what == "zone":
            return f"_card(s, t, {text}, {self.number(node.slice)})", ENTRY
        if kind.what == "marks":
            place = self.number(node.slice)
            return f"s.marks[{kind.of}, _at(s, t, {text}, {place})]", NUMBER
        if kind.what == "array":
            return self.at(text, kind, self.place(kind, node.slice))
        if kind.what == "list":
            return self.taken(f"_item({text}, {self.number(node.slice)})", kind.of)
        if kind.what in ("row", "tuple"):
            at = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if type(at) is int and at < len(kind.of):
                return self.taken(f"{text}[{at}]", kind.of[at])
            raise Outside("things of several kinds take a written place, as in [0]", node)
        raise Outside(f"{named(kind)} has no places", node)

    @staticmethod
    def taken(text: str, kind: Is) -> Code:
        """The code of a thing out of a list."""
        return (f"({text} != 0)" if kind == FLAG else text), kind

    def place(self, kind: Is, node: ast.expr) -> str:
        """The text of a place along the first dimension of a row."""
        what, of = kind.of[0][0]
        if what == "entries":
            bits = sum(1 << self.layout.kinds[word] for word in of)
            return f"_keyed(t, {bits}, {self.of_kind(node, ENTRY)})"
        if what == "words":
            positions = self.program.positions(of)
            return f"_position({positions}, {self.of_kind(node, WORD)})"
        return f"_place({self.number(node)}, {self.size((what, of))})"

    def at(self, text: str, kind: Is, place: str) -> Code:
        """The code of what is at a place of a row."""
        dims, leaf, name = kind.of
        found = self.placed(text, place)
        if len(dims) > 1:
            return found, Is("array", (dims[1:], leaf, name))
        return self.loaded(found, leaf)

    @staticmethod
    def placed(text: str, place: str) -> str:
        """The text of what is at one more place of a row."""
        return f"{text[:-1]}, {place}]" if text.endswith("]") else f"{text}[{place}]"

    # ------------------------------------------------------------ operators

    def _as_binop(self, node: ast.BinOp) -> Code:
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            return self._repeated(node)
        (left, a), (right, b) = self.code(node.left), self.code(node.right)
        for kind in (a, b):
            if kind.what == "entry":
                raise Outside(_NO_NUMBER, node)
            if not is_numeric(kind):
                raise Outside(f"{named(kind)} cannot be reckoned with", node)
        if type(node.op) in _CHECKED:
            name = _CHECKED[type(node.op)]
            kind = REAL if name == "_ratio" or REAL in (a, b) else NUMBER
            return f"{name}({left}, {right})", kind
        if isinstance(node.op, ast.LShift | ast.RShift):
            name = "_shifted_up" if isinstance(node.op, ast.LShift) else "_shifted_down"
            return f"{name}({left}, {right})", NUMBER
        if isinstance(node.op, ast.Pow):
            power = node.right
            if isinstance(power, ast.Constant) and type(power.value) is int and power.value >= 0:
                if a == REAL:
                    return f"({left} ** {power.value})", REAL
                return f"_power({left}, {power.value})", NUMBER
        if type(node.op) not in _OPERATORS:
            raise Outside(f"{ast.unparse(node)!r} has no compiled form", node)
        word = _OPERATORS[type(node.op)]
        kind = REAL if REAL in (a, b) else NUMBER
        if word in "&|^" and a == b == FLAG:
            kind = FLAG
        elif FLAG in (a, b):
            left = f"int({left})" if a == FLAG else left
            right = f"int({right})" if b == FLAG else right
        if word == "*" and kind == NUMBER:
            return f"_times({left}, {right})", kind
        return f"({left} {word} {right})", kind

    def _repeated(self, node: ast.BinOp) -> Code:
        assert isinstance(node.left, ast.List)
        if len(node.left.elts) != 1:
            raise Outside("[x] * n repeats one thing", node)
        text, kind = self.code(node.left.elts[0])
        n = self.number(node.right)
        if not is_numeric(kind) and kind not in (ENTRY, WORD):
            raise Outside(f"a list of {named(kind)}", node)
        more = "_real" if kind == REAL else ""
        return f"_repeated{more}({text}, {n})", Is("list", NUMBER if kind == FLAG else kind)

    def _as_unaryop(self, node: ast.UnaryOp) -> Code:
        if isinstance(node.op, ast.Not):
            return self.truth(node), FLAG
        text, kind = self.code(node.operand)
        if not is_numeric(kind):
            raise Outside(f"{named(kind)} cannot be reckoned with", node)
        word = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        text = f"int({text})" if kind == FLAG else text
        return f"({word}{text})", NUMBER if kind == FLAG else kind

    def _as_boolop(self, node: ast.BoolOp) -> Code:
        """``a or b`` as a value: of numbers, or of truths."""
        found = [self.code(one) for one in node.values]
        kinds = [kind for _, kind in found]
        if all(kind == FLAG for kind in kinds):
            return self.truth(node), FLAG
        kind = all_joined(kinds, node)
        if not is_numeric(kind) and kind.what != "entry":
            raise Outside(f"'and', 'or' of {named(kind)} as a value: write it with 'if'", node)
        word = " and " if isinstance(node.op, ast.And) else " or "
        return f"({word.join(text for text, _ in found)})", kind

    def _as_ifexp(self, node: ast.IfExp) -> Code:
        test = self.truth(node.test)
        (yes, a), (no, b) = self.code(node.body), self.code(node.orelse)
        kind = joined(a, b, node)
        if kind.what not in ("flag", "number", "real", "word", "entry", "zone", "list"):
            raise Outside(f"'if' between {named(kind)}: write it as a statement", node)
        yes, no = self.fitted(yes, a, kind), self.fitted(no, b, kind)
        return f"({yes} if {test} else {no})", kind

    @staticmethod
    def fitted(text: str, kind: Is, wanted: Is) -> str:
        """The text of something as another kind that it can be."""
        if kind == NONE and wanted.what in NONES:
            return NONES[wanted.what]
        if kind == FLAG and wanted.what == "number":
            return f"int({text})"
        if kind.what in ("flag", "number") and wanted.what == "real":
            return f"float({text})"
        if kind == Is("list", NUMBER) and wanted == Is("list", REAL):
            return f"_reals({text})"
        return text

    def _as_compare(self, node: ast.Compare) -> Code:
        parts = [node.left, *node.comparators]
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            text = self.within(*parts)
            return (f"(not {text})" if isinstance(node.ops[0], ast.NotIn) else text), FLAG
        found = [self.code(one) for one in parts]
        if len(node.ops) == 1 and NONE in (found[0][1], found[1][1]):
            text, kind = found[0] if found[1][1] == NONE else found[1]
            is_none = isinstance(node.ops[0], ast.Is | ast.Eq)
            if not kind.maybe:
                return str(is_none == (kind == NONE)), FLAG
            return f"({text} {'==' if is_none else '!='} {NONES[kind.what]})", FLAG
        texts = [found[0][0]]
        for op, (_, a), (text, b) in zip(node.ops, found, found[1:], strict=False):
            if type(op) not in _COMPARED:
                raise Outside(f"{ast.unparse(node)!r} has no compiled form", node)
            self._check_comparable(op, a, b, node)
            texts += [_COMPARED[type(op)], text]
        return f"({' '.join(texts)})", FLAG

    @staticmethod
    def _check_comparable(op: ast.cmpop, a: Is, b: Is, node: ast.AST) -> None:
        """Refuse to compare what has no order, or is never equal."""
        if "entry" in (a.what, b.what) and not (
            a.what == b.what and isinstance(op, ast.Eq | ast.NotEq)
        ):
            raise Outside(_NO_NUMBER, node)
        same = a.what == b.what or (is_numeric(a) and is_numeric(b))
        equal = isinstance(op, ast.Eq | ast.NotEq)
        numeric = all(one.what in ("number", "flag", "real") for one in (a, b))
        known = a.what in ("entry", "word", "zone") and same and equal
        if not (known or (numeric and (equal or not (a.maybe or b.maybe)))):
            what = f"{named(a)} and {named(b)}"
            raise Outside(f"{what} cannot be compared", node)

    def within(self, thing: ast.expr, whole: ast.expr) -> str:
        """The text of ``thing in whole``."""
        if isinstance(whole, ast.Tuple | ast.List | ast.Set):
            found = [self.code(one) for one in whole.elts]
            text, kind = self.code(thing)
            for _, other in found:
                self._check_comparable(ast.Eq(), kind, other, thing)
            name = self.program.helper_in(len(found))
            return f"{name}({', '.join([text, *(one for one, _ in found)])})"
        text, kind = self.code(whole)
        if kind.what == "zone":
            return f"(_find(s, t, {text}, {self.of_kind(thing, ENTRY)}) >= 0)"
        if kind.what == "words":
            word, found_kind = self.code(thing)
            if found_kind != WORD:
                raise Outside(f"{named(found_kind)} in a list of words", thing)
            words = self.program.positions(self.layout.mask_words(kind.of))
            return f"_has_word({text}, {words}, {word})"
        if kind.what in _LIST:
            return f"({self._counted(text, kind, thing)} > 0)"
        raise Outside(f"'in' {named(kind)}", whole)

    def _counted(self, text: str, kind: Is, thing: ast.expr) -> str:
        """How often a thing is in a list."""
        wanted, of = self.code(thing)
        self._check_comparable(ast.Eq(), self.element(kind), of, thing)
        return f"_count_in({text}, {self.number_of(text, kind)}, {wanted})"

    # ------------------------------------------------------------ several things

    def _as_tuple(self, node: ast.Tuple) -> Code:
        found = [self.code(one) for one in node.elts]
        if not found or any(kind.what in ("thing", "array") for _, kind in found):
            raise Outside(f"{ast.unparse(node)!r} has no compiled form", node)
        texts = [f"int({text})" if kind == FLAG else text for text, kind in found]
        kinds = tuple(NUMBER if kind == FLAG else kind for _, kind in found)
        return f"({', '.join(texts)},)", Is("tuple", kinds)

    def _as_list(self, node: ast.List) -> Code:
        found = [self.code(one) for one in node.elts]
        if not found:
            return "np.empty(0, np.int64)", Is("list", NUMBER)
        kind = all_joined([one for _, one in found], node)
        if kind.what not in ("number", "flag", "real", "word", "entry") or kind.maybe:
            raise Outside(f"a list of {named(kind)}", node)
        name = self.program.helper_list(len(found), "float64" if kind == REAL else "int64")
        kind = NUMBER if kind == FLAG else kind
        return f"{name}({', '.join(text for text, _ in found)})", Is("list", kind)

    def _as_listcomp(self, node: ast.ListComp) -> Code:
        return self.gathered("list", node)

    @abstractmethod
    def gathered(self, how: str, node: ast.ListComp | ast.GeneratorExp, default: str = "") -> Code:
        """A function of its own for a list in one expression, or what is made of one."""

    # ------------------------------------------------------------ calls

    def _as_call(self, node: ast.Call) -> Code:
        if isinstance(node.func, ast.Attribute):
            of = node.func.value
            if not (isinstance(of, ast.Name) and self.is_self(of.id)):
                text, kind = self.code(of)
                if kind.what != "thing":
                    return self._of_member(text, kind, node.func.attr, node)
            elif node.func.attr == "note":
                return self._note(node)
        _, kind = self.code(node.func)
        if kind.what == "method":
            return self.call(kind.of, [("", Is("self"))], node)
        if kind.what == "thing":
            if isinstance(kind.of, FunctionType):
                return self.call(kind.of, [], node)
            name = getattr(kind.of, "__name__", "")
            folded = partial(self._folded, name) if name in _FOLDED else None
            method = getattr(self, f"_call_{name}", folded)
            if method is not None and getattr(builtins, name, None) is kind.of:
                found: Code = method(node)
                return found
        raise Outside(f"{ast.unparse(node.func)}(…) has no compiled form", node)

    def call(self, function: FunctionType, first: Sequence[Code], node: ast.Call) -> Code:
        """A call of one of the author's functions."""
        arguments = self.bound(function, first, node)
        name, kind = self.program.function(function, [kind for _, kind in arguments], node)
        self.called.add(name)
        texts = [text for text, one in arguments if one != Is("self")]
        return f"{name}({', '.join(['s', 't', 'c', *texts])})", kind

    def bound(self, function: FunctionType, first: Sequence[Code], node: ast.Call) -> list[Code]:
        """The arguments of a call, in their order."""
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        if code.co_flags & 12 or code.co_kwonlyargcount:
            raise Outside("functions with *, such as def f(*cards), have no compiled form", node)
        given: dict[str, Code] = dict(zip(names, first, strict=False))
        for name, one in zip(names[len(first) :], node.args, strict=False):
            given[name] = self.argument(one)
        for keyword in node.keywords:
            given[str(keyword.arg)] = self.argument(keyword.value)
        for name, value in zip(
            reversed(names), reversed(function.__defaults__ or ()), strict=False
        ):
            if name not in given:
                given[name] = self.constant(value, node)
        n_given = len(first) + len(node.args) + len(node.keywords)
        if {*given} != {*names} or n_given > len(names):
            raise Outside(f"{function.__name__} takes {len(names)} things", node)
        return [given[name] for name in names]

    def argument(self, node: ast.expr) -> Code:
        """Something that is handed to a function."""
        text, kind = self.code(node)
        if kind.what in ("thing", "method", "setup", "marks", "deck", "range"):
            raise Outside(f"{ast.unparse(node)!r} cannot be handed on", node)
        return text, kind

    def _of_member(self, text: str, kind: Is, name: str, node: ast.Call) -> Code:
        method = getattr(self, f"_{kind.what}_{name}", None)
        if kind.what in _LIST and name in ("count", "index"):
            method = getattr(self, f"_list_{name}")
        if method is None or node.keywords:
            raise Outside(f"{ast.unparse(node.func)}(…) has no compiled form", node)
        wanted = method.__code__.co_argcount - 3
        if method.__code__.co_flags & 4 == 0 and not (
            wanted - len(method.__defaults__ or ()) <= len(node.args) <= wanted
        ):
            raise Outside(f"{name} takes {wanted} things", node)
        found: Code = method(text, kind, *node.args)
        return found

    def _note(self, node: ast.Call) -> Code:
        names = ("what", "seat", "entry", "n")
        given = dict(zip(names, node.args, strict=False))
        given |= {str(one.arg): one.value for one in node.keywords}
        if not {"what", "seat", "entry"} <= {*given} <= {*names}:
            raise Outside("note(what, seat, entry, n)", node)
        what, events = given["what"], self.layout.table.game.events
        ours = DEALT, CHOSEN, INCLUDED
        if not (isinstance(what, ast.Constant) and what.value in {*events}.difference(ours)):
            raise Outside("the first thing that note is given is a word in quotes", node)
        seat, entry = self.number(given["seat"]), self.of_kind(given["entry"], ENTRY)
        n = self.number(given["n"]) if "n" in given else "1"
        event = events.index(what.value)
        return f"_note(t, c, {event}, {seat}, {entry}, {n})", NONE

    # zones

    def _zone_move(self, text: str, _: Is, card: ast.expr, other: ast.expr) -> Code:
        card_text, to = self.of_kind(card, ENTRY), self.of_kind(other, ZONE)
        return f"_move(s, t, {text}, {card_text}, {to})", ENTRY

    def _zone_move_at(self, text: str, _: Is, place: ast.expr, other: ast.expr) -> Code:
        at, to = self.number(place), self.of_kind(other, ZONE)
        return f"_move_at(s, t, {text}, {at}, {to})", ENTRY

    def _zone_deal(self, text: str, _: Is, n: ast.expr, other: ast.expr) -> Code:
        return f"_deal(s, t, {text}, {self.number(n)}, {self.of_kind(other, ZONE)})", NUMBER

    def _zone_move_all(self, text: str, _: Is, other: ast.expr) -> Code:
        return f"_move_all(s, t, {text}, {self.of_kind(other, ZONE)})", NUMBER

    def _zone_swap(self, text: str, _: Is, other: ast.expr) -> Code:
        return f"_swap(s, t, {text}, {self.of_kind(other, ZONE)})", NONE

    def _zone_add(self, text: str, _: Is, card: ast.expr, n: ast.expr | None = None) -> Code:
        many = "1" if n is None else self.number(n)
        return f"_add(s, t, {text}, {self.of_kind(card, ENTRY)}, {many})", NONE

    def _zone_shuffle(self, text: str, _: Is) -> Code:
        return f"_shuffle(s, t, {text})", NONE

    def _zone_reveal(self, text: str, _: Is, seat: ast.expr) -> Code:
        return f"_reveal(s, t, {text}, {self.number(seat)})", NONE

    def _zone_count(self, text: str, _: Is, card: ast.expr) -> Code:
        return f"_count(s, t, {text}, {self.of_kind(card, ENTRY)})", NUMBER

    def _zone_fill(self, text: str, _: Is, cards: ast.expr) -> Code:
        found, kind = self.code(cards)
        if kind.what == "deck":
            return f"_fill_deck(s, t, {text}, {found})", NONE
        if kind.what == "counts":
            lists = f"t.which_{kind.of}, t.many_{kind.of}"
            return f"_fill_counts(s, t, {text}, {found}, {lists})", NONE
        if kind.what == "zone":
            return f"_fill_zone(s, t, {text}, {found})", NONE
        if kind == Is("list", ENTRY):
            return f"_fill_list(s, t, {text}, {found})", NONE
        raise Outside(f"fill with {named(kind)}", cards)

    # lists, entries, settings

    def _list_count(self, text: str, kind: Is, thing: ast.expr) -> Code:
        return self._counted(text, kind, thing), NUMBER

    def _list_index(self, text: str, kind: Is, thing: ast.expr) -> Code:
        wanted, of = self.code(thing)
        self._check_comparable(ast.Eq(), self.element(kind), of, thing)
        return f"_index({text}, {self.number_of(text, kind)}, {wanted})", NUMBER

    def _setup_entries(self, _text: str, _: Is, word: ast.expr) -> Code:
        return str(self.layout.kinds[self._kind_named(word).word]), ZONE

    def _setup_deck(self, _text: str, _: Is, word: ast.expr) -> Code:
        return str(self.layout.kinds[self._kind_named(word).word]), Is("deck")

    def _setup_of(self, _text: str, _: Is, seat: ast.expr, word: ast.expr) -> Code:
        kind = self._kind_named(word)
        if not kind.each_seat:
            raise Outside(f"no seat has a {kind.word} of its own", word)
        place = self.layout.kinds[kind.word]
        return f"s.has[{place}, _place({self.number(seat)}, t.seats)]", ENTRY

    def _kind_named(self, node: ast.expr) -> Kind:
        kinds = {kind.word: kind for kind in self.layout.table.game.kinds}
        word = node.value if isinstance(node, ast.Constant) else None
        if word not in kinds:
            raise Outside("the word of a kind, in quotes", node)
        return kinds[str(word)]

    # luck

    def _rng_below(self, luck: str, of: Is, n: ast.expr, *purpose: ast.expr) -> Code:
        return f"_draw({self._stream(luck, of, purpose)}, {self.number(n)})", NUMBER

    def _rng_roll(self, luck: str, of: Is, n: ast.expr, *purpose: ast.expr) -> Code:
        return f"(1 + _draw({self._stream(luck, of, purpose)}, {self.number(n)}))", NUMBER

    def _rng_choice(self, luck: str, of: Is, things: ast.expr, *purpose: ast.expr) -> Code:
        text, kind = self.code(things)
        stream = self._stream(luck, of, purpose)
        if kind.what == "zone":
            return f"_drawn_card({stream}, s, {text})", ENTRY
        if kind.what == "list" or (kind.what == "array" and len(kind.of[0]) == 1):
            n = self.number_of(text, kind)
            return self.taken(f"_drawn({stream}, {text}, {n})", self.element(kind))
        raise Outside(f"a choice of {named(kind)}", things)

    def _rng_shuffled(self, luck: str, of: Is, things: ast.expr, *purpose: ast.expr) -> Code:
        text, kind = self._listed(*self.code(things), things)
        return f"_drawn_order({self._stream(luck, of, purpose)}, {text})", kind

    def _stream(self, luck: str, of: Is, purpose: Sequence[ast.expr]) -> str:
        """The text of where numbers of a purpose come from."""
        words: list[Any] = []
        behind = ""
        for one in purpose:
            if isinstance(one, ast.Constant) and isinstance(one.value, str | int):
                words.append(one.value)
            elif behind:
                raise Outside("a purpose of luck has one number besides its words", one)
            else:
                behind = self.number(one)
                words.append(None)
        if words and words[0] in _OWN_LUCK[of.of]:
            raise Outside(f"luck in {words[0]!r} is the program's own: take another word")
        first = self.layout.stream(tuple(words), of.of)
        stream = f"_behind({first}, {behind})" if behind else str(first)
        return f"{luck}, {luck}.{of.of}, t, {stream}"

    # functions of Python

    def _call_len(self, node: ast.Call) -> Code:
        text, kind = self.only(node)
        if kind.what == "zones":
            return "t.seats", NUMBER
        if kind.what == "tuple":
            return str(len(kind.of)), NUMBER
        if kind.what not in ("zone", *_LIST):
            raise Outside(f"len of {named(kind)}", node)
        return self.length(text, kind), NUMBER

    def only(self, node: ast.Call) -> Code:
        """The one thing that a function is given."""
        if len(node.args) != 1 or node.keywords:
            raise Outside(f"{ast.unparse(node.func)} of one thing", node)
        return self.code(node.args[0])

    def _call_int(self, node: ast.Call) -> Code:
        text, kind = self.only(node)
        if not is_numeric(kind):
            raise Outside(f"int of {named(kind)}", node)
        return f"int({text})", NUMBER

    def _call_bool(self, node: ast.Call) -> Code:
        self.only(node)
        return self.truth(node.args[0]), FLAG

    def _call_abs(self, node: ast.Call) -> Code:
        text, kind = self.only(node)
        if not is_numeric(kind):
            raise Outside(f"abs of {named(kind)}", node)
        return f"abs({text})", NUMBER if kind == FLAG else kind

    def _call_list(self, node: ast.Call) -> Code:
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.gathered("list", node.args[0])
        return self._listed(*self.only(node), node)

    def _listed(self, text: str, kind: Is, node: ast.AST) -> Code:
        """The code of a new list of things."""
        if kind.what == "zone":
            return f"_cards_of(s, t, {text})", Is("list", ENTRY)
        if kind.what not in _LIST:
            raise Outside(f"list of {named(kind)}", node)
        element = self.element(kind)
        if element.what in (*_LIST, "row"):
            raise Outside("a list of rows", node)
        found = Is("list", NUMBER if element == FLAG else element)
        return f"_copy({text}, {self.number_of(text, kind)})", found

    _call_tuple = _call_list

    def _folded(self, how: str, node: ast.Call) -> Code:
        """What is made of several things: their sum, the highest, whether there is one."""
        default = ""
        for keyword in node.keywords:
            if keyword.arg != "default" or how not in ("max", "min"):
                raise Outside(f"{how}(…, {keyword.arg}=…) has no compiled form", node)
            default = self.number(keyword.value)
        if len(node.args) > 1 and how in ("max", "min"):
            found = [self.code(one) for one in node.args]
            for _, kind in found:
                if kind.what == "entry":
                    raise Outside(_NO_NUMBER, node)
                if not is_numeric(kind):
                    raise Outside(f"{how} of {named(kind)}", node)
            kind = REAL if any(one == REAL for _, one in found) else NUMBER
            texts = [self.fitted(text, one, kind) for text, one in found]
            return f"{how}({', '.join(texts)})", kind
        if len(node.args) != 1:
            raise Outside(f"{how} of one thing", node)
        [whole] = node.args
        if isinstance(whole, ast.GeneratorExp | ast.ListComp):
            return self.gathered(how, whole, default)
        text, kind = self.code(whole)
        if kind.what not in _LIST or default or (kind.what == "array" and len(kind.of[0]) > 1):
            raise Outside(f"{how} of {named(kind)}: write {how}(… for one in …)", node)
        of = self.element(kind)
        self.check_folded(how, of, node)
        found_kind = FLAG if how in ("any", "all") else NUMBER if of == FLAG else of
        return f"_{how}({text}, {self.number_of(text, kind)})", found_kind

    @staticmethod
    def check_folded(how: str, of: Is, node: ast.AST) -> None:
        """Refuse to add, or compare, what is no number."""
        if how not in ("any", "all") and of.what == "entry":
            raise Outside(_NO_NUMBER, node)
        if not is_numeric(of) or (how == "sum" and of == REAL):
            raise Outside(f"{how} of {named(of)}", node)
