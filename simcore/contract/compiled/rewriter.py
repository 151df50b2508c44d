"""Rules of a game, rewritten: functions over records in place of methods of a class."""

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

from card_data.faults import did_you_mean
from simcore.contract.compiled.expressions import Code, Expressions
from simcore.contract.compiled.floor import THING_BITS, WORD_BITS
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
    joined,
    named,
)
from simcore.contract.compiled.layout import Unfit
from simcore.contract.state import Cards, Choice, Number

_SELF = Is("self")
# Calls that do something, and may not be made twice.
_DOES = re.compile(r"\b(r_|g_|_draw|_move|_deal)")


class Body(Expressions):
    """Rewrites the statements of one function.  ``offers`` says that it gives options."""

    def __init__(self, program: Any, function: FunctionType, *, offers: bool) -> None:
        super().__init__(program, function)
        self.offers, self.gives = offers, UNKNOWN
        self.lines: list[str] = []
        self.problems: dict[tuple[str, int], str] = {}
        self._depth, self._temporaries = 1, 0

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self._depth + text)

    def temporary(self, text: str) -> str:
        """Keep what an expression gives under a name of its own."""
        self._temporaries += 1
        self.line(f"_{self._temporaries} = {text}")
        return f"_{self._temporaries}"

    # ------------------------------------------------------------ statements

    def block(self, statements: Iterable[ast.stmt]) -> bool:
        """Write statements; whether what comes behind them is reached."""
        self._depth += 1
        before, goes_on = len(self.lines), True
        for one in statements:
            try:
                goes_on = self.statement(one)
            except (Outside, Unfit) as error:
                self._refuse(error, one)
            if not goes_on:
                break
        if len(self.lines) == before:
            self.line("pass")
        self._depth -= 1
        return goes_on

    def _refuse(self, error: Outside | Unfit, statement: ast.stmt) -> None:
        """Keep why a statement has no compiled form; what it sets is not known from here on."""
        at = getattr(error, "node", None) or statement
        line = getattr(at, "lineno", statement.lineno)
        if str(error):
            self.problems.setdefault((self.function.__code__.co_filename, line), str(error))
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.kinds[node.id] = UNKNOWN
                self.given.add(node.id)

    def statement(self, node: ast.stmt) -> bool:
        """Write a statement; whether what comes behind it is reached.  Raises Outside."""
        method: Callable[[Any], bool | None] | None
        method = getattr(self, f"_do_{type(node).__name__.lower()}", None)
        if method is None:
            raise Outside(f"{ast.unparse(node).splitlines()[0]!r} has no compiled form", node)
        return method(node) is not False

    def _do_pass(self, _: ast.Pass) -> None:
        self.line("pass")

    def _do_break(self, _: ast.Break) -> bool:
        self.line("break")
        return False

    def _do_continue(self, _: ast.Continue) -> bool:
        self.line("continue")
        return False

    def _do_raise(self, _: ast.Raise) -> bool:
        self.line("raise ValueError")
        return False

    def _do_assert(self, node: ast.Assert) -> None:
        self.line(f"if not {self.truth(node.test)}: raise ValueError")

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Yield) and self.offers:
            self._offer(value.value)
        elif isinstance(value, ast.YieldFrom) and self.offers:
            self._offer_all(value.value)
        elif isinstance(value, ast.Call):
            self.line(self.code(value)[0])
        else:
            raise Outside(f"{ast.unparse(node)!r} has no compiled form", node)

    def _do_if(self, node: ast.If) -> bool:
        self.line(f"if {self._condition(node)}:")
        before = {*self.given}
        goes_on = self.block(node.body)
        after = self.given if goes_on else None
        self.given = {*before}
        if node.orelse:
            self.line("else:")
            if not self.block(node.orelse):
                self.given = before if after is None else after
                return goes_on
        if after is not None:
            self.given &= after
        return True

    def _condition(self, node: ast.If | ast.While) -> str:
        """The text of a condition; where it has none, what hangs on it is gone through as well."""
        try:
            return self.truth(node.test)
        except (Outside, Unfit) as error:
            self._refuse(error, ast.Expr(node.test, lineno=node.lineno))
            return "False"

    def _do_while(self, node: ast.While) -> bool:
        times = self.temporary("0")
        self.line(f"while {self._condition(node)}:")
        self.line(f"    {times} = _once_more({times})")
        self._looped(node)
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return not endless or any(isinstance(one, ast.Break) for one in ast.walk(node))

    def _do_for(self, node: ast.For) -> None:
        before = {*self.given}
        self.loop(node.target, node.iter)
        self._looped(node, before)

    def _looped(self, node: ast.For | ast.While, before: set[str] | None = None) -> None:
        """The body of a loop, and what is done where it ends by itself."""
        before = {*self.given} if before is None else before
        self.block(node.body)
        self.given = {*before}
        if node.orelse:
            self.line("else:")
            self.block(node.orelse)
            self.given = {*before}

    def loop(self, target: ast.expr, node: ast.expr) -> None:
        """Write the head of a loop, and what it gives its target."""
        counted = ""
        if self._is_call(node, "enumerate"):
            assert isinstance(node, ast.Call)
            if len(node.args) != 1 or not (isinstance(target, ast.Tuple) and len(target.elts) == 2):
                raise Outside("for place, thing in enumerate(things)", node)
            counted = self.temporary("-1")
            number, target = target.elts
            node = node.args[0]
        text, kind = self._head(node)
        self._depth += 1
        if counted:
            self.line(f"{counted} += 1")
            self.put(number, counted, NUMBER)
        self.put(target, text, kind)
        self._depth -= 1

    def _is_call(self, node: ast.expr, name: str) -> bool:
        """Whether something is a call of a function of Python."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == name
            and name not in self.kinds
        )

    def _head(self, node: ast.expr) -> Code:
        """Write the head of a loop over things, and give the code of each of them."""
        self._temporaries += 1
        k = f"_k{self._temporaries}"
        if self._is_call(node, "range"):
            assert isinstance(node, ast.Call)
            numbers = [self.number(one) for one in node.args]
            if len(numbers) == 3 and numbers[2].strip("()") in ("0", "-0"):
                raise Outside("range with steps of 0", node)
            self.line(f"for {k} in range({', '.join(numbers)}):")
            return k, NUMBER
        member = node.func if isinstance(node, ast.Call) else None
        if isinstance(member, ast.Attribute) and member.attr in ("values", "items"):
            text, kind = self.code(member.value)
            if kind.what == "array":
                return self._values(k, text, kind, member.attr)
        text, kind = self.code(node)
        if kind.what == "zone":
            return self._cards(k, text)
        if kind.what == "zones":
            self.line(f"for {k} in range(t.seats):")
            return f"({text} + {k})", ZONE
        if kind.what == "array":
            what, of = kind.of[0][0]
            # A row that is looked up: once, as the rules do.
            text = self.temporary(text) if "[" in text else text
            if what == "entries":
                return self._keys(k, of, node)
            if what == "words":
                return self._head(ast.copy_location(ast.Constant(of), node))
            self.line(f"for {k} in range({self.size((what, of))}):")
            return self.at(text, kind, k)
        if kind.what == "list":
            things = self.temporary(text)
            self.line(f"for {k} in range(len({things})):")
            return self.taken(f"{things}[{k}]", kind.of)
        if kind.what == "tuple":
            of = all_joined(kind.of, node)
            things = self.temporary(text)
            if of == REAL and {*kind.of} != {REAL}:  # Numba loops over things of one type
                each = ", ".join(f"float({things}[{at}])" for at in range(len(kind.of)))
                things = self.temporary(f"({each},)")
            self.line(f"for {k} in range({len(kind.of)}):")
            return f"{things}[{k}]", of
        raise Outside(f"a loop over {named(kind)}", node)

    def _cards(self, k: str, zone: str) -> Code:
        """A loop over the cards of a zone, which may not be changed meanwhile."""
        zone = self.temporary(zone)
        self.line(f"{k} = -1")
        changes = self.temporary(f"s.changes[{zone}]")
        self.line(f"while _more(s, {zone}, {k} + 1, {changes}):")
        self._depth += 1
        self.line(f"{k} += 1")
        self._depth -= 1
        return f"s.cards[t.start[{zone}] + {k}]", ENTRY

    def _keys(self, k: str, kinds: Sequence[str], node: ast.expr) -> Code:
        if len(kinds) != 1:
            raise Outside("a loop over numbers by entries of several kinds", node)
        return self._cards(k, str(self.layout.kinds[kinds[0]]))

    def _values(self, k: str, text: str, kind: Is, how: str) -> Code:
        """A loop over the numbers by entry or word, or over these with the numbers."""
        what, of = kind.of[0][0]
        if what not in ("entries", "words"):
            raise Outside(f"a row of numbers has no {how}")
        text = self.temporary(text) if "[" in text else text
        if what == "words":
            self.line(f"for {k} in range({len(of)}):")
            value, leaf = self.at(text, kind, k)
            words = self.constant(of, ast.Constant(0))[0]
            key, key_kind = f"{words}[{k}]", WORD
        else:
            entry, key_kind = self._keys(k, of, ast.Constant(0))
            self._depth += 1
            key = self.temporary(entry)
            self._depth -= 1
            value, leaf = self.at(text, kind, key)
        if how == "values":
            return value, leaf
        return f"({key}, {value},)", Is("tuple", (key_kind, leaf))

    def _do_match(self, node: ast.Match) -> bool:
        name = f"_match{node.lineno}"
        text, kind = self.code(node.subject)
        self.assign(name, text, kind)
        chain: list[ast.stmt] = []
        for case in reversed(node.cases):
            test = self._test(case.pattern, name, node)
            if case.guard is not None:
                test = ast.BoolOp(ast.And(), [test, case.guard])
            whole = ast.If(test, case.body, chain)
            chain = [ast.fix_missing_locations(ast.copy_location(whole, case.body[0]))]
        return self.statement(chain[0])

    def _test(self, pattern: ast.pattern, name: str, node: ast.Match) -> ast.expr:
        """The condition under which a pattern fits."""
        if isinstance(pattern, ast.MatchOr):
            return ast.BoolOp(ast.Or(), [self._test(one, name, node) for one in pattern.patterns])
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return ast.Constant(True)
        if not isinstance(pattern, ast.MatchValue | ast.MatchSingleton):
            raise Outside("'case' takes a word, a number or _", node)
        value = pattern.value if isinstance(pattern.value, ast.expr) else ast.Constant(None)
        word: ast.cmpop = ast.Eq() if isinstance(pattern, ast.MatchValue) else ast.Is()
        return ast.Compare(ast.Name(name, ast.Load()), [word], [value])

    # ------------------------------------------------------------ setting things

    def _do_assign(self, node: ast.Assign) -> None:
        if len(node.targets) == 1 and self._is_acting(node.targets[0]):
            self._act(node.value)
            return
        [first, *others] = node.targets
        if isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple):
            if others or len(first.elts) != len(node.value.elts):
                raise Outside("as many names as things", node)
            found = [self.code(one) for one in node.value.elts]
            kept = [(self.temporary(text), kind) for text, kind in found]
            for target, (text, kind) in zip(first.elts, kept, strict=True):
                self.put(target, text, kind)
            return
        text, kind = self.code(node.value)
        if others or not isinstance(first, ast.Name):
            literal = isinstance(node.value, ast.Constant)
            text = text if literal else self.temporary(text)
        for target in node.targets:
            self.put(target, text, kind)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            assign = ast.Assign([node.target], node.value)
            self._do_assign(ast.copy_location(assign, node))

    def _is_acting(self, target: ast.expr) -> bool:
        return (
            isinstance(target, ast.Attribute)
            and target.attr == "acting"
            and isinstance(target.value, ast.Name)
            and self.is_self(target.value.id)
        )

    def _act(self, node: ast.expr) -> None:
        """Write who acts."""
        if isinstance(node, ast.IfExp):
            self.line(f"if {self.truth(node.test)}:")
            for part, head in ((node.body, "else:"), (node.orelse, "")):
                self._depth += 1
                self._act(part)
                self._depth -= 1
                if head:
                    self.line(head)
            return
        if self._is_call(node, "range"):
            assert isinstance(node, ast.Call)
            numbers = [self.number(one) for one in node.args]
            if len(numbers) > 2:
                raise Outside("self.acting = range(…) takes no step", node)
            self.line(f"_act_in_range(s, t, {', '.join(['0', *numbers][-2:])})")
            return
        text, kind = self.code(node)
        if kind == NONE or kind.one == NUMBER:
            self.line(f"_act(s, t, {text})")
        elif kind in (Is("list", NUMBER), Is("tuple", (NUMBER,) * len(kind.of or ()))):
            self.line(f"_act_at_once(s, t, {text})")
        else:
            raise Outside(f"self.acting becomes {named(kind)}: a seat, seats or None", node)

    def put(self, target: ast.expr, text: str, kind: Is) -> None:
        """Write something into what stands on the left of an assignment."""
        if isinstance(target, ast.Name):
            self.assign(target.id, text, kind)
        elif isinstance(target, ast.Tuple):
            self._unpack(target, text, kind)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            self._store(target, text, kind)
        else:
            raise Outside(f"{ast.unparse(target)!r} has no compiled form", target)

    def _unpack(self, target: ast.Tuple, text: str, kind: Is) -> None:
        things = self.temporary(text)
        if kind.what in ("tuple", "row"):
            parts: Sequence[Is] = kind.of
        elif kind.what == "list":
            self.line(f"if len({things}) != {len(target.elts)}: raise ValueError")
            parts = [kind.of] * len(target.elts)
        else:
            raise Outside(f"{named(kind)} where several things are needed", target)
        if len(parts) != len(target.elts):
            raise Outside("as many names as things", target)
        for place, (one, part) in enumerate(zip(target.elts, parts, strict=True)):
            self.put(one, *self.taken(f"{things}[{place}]", part))

    def assign(self, name: str, text: str, kind: Is) -> None:
        """Write something into a local name."""
        if kind.what in ("thing", "method", "rng", "setup", "marks", "deck", "self", "zones"):
            raise Outside(f"{name} cannot stand for {named(kind)}: write it out where it is needed")
        before = self.kinds.get(name)
        if name in self.function.__code__.co_varnames[: self.function.__code__.co_argcount]:
            if before not in (kind, None) and before != Is(kind.what, kind.of, True):
                raise Outside(
                    f"{name} was given and becomes another kind of thing: take a new name"
                )
            wanted = before or kind
        else:
            wanted = kind if before is None else joined(before, kind, ast.Constant(0))
        self.kinds[name] = wanted
        self.given.add(name)
        self.line(f"v_{name} = {self.fitted(text, kind, wanted)}")

    def _store(self, target: ast.Attribute | ast.Subscript, text: str, kind: Is) -> None:
        """Write something into the state, a list or a mark."""
        name, one = "", None
        if isinstance(target, ast.Attribute):
            name = target.attr
            one = self.layout.declared.get(name)
            if not (isinstance(target.value, ast.Name) and self.is_self(target.value.id)):
                raise Outside(f"{ast.unparse(target)} cannot be changed", target)
            if one is None or isinstance(one, Cards) or self.layout.dims(name):
                what = (
                    "is not declared in the body of the class"
                    if one is None
                    else "cannot be put in place of as a whole"
                )
                raise Outside(f"self.{name} {what}", target)
            place = f"s.v_{name}"
        else:
            whole, of = self.code(target.value)
            if of.what == "list":
                self._store_in_list(target, whole, of, text, kind)
                return
            if of.what == "array":
                if len(of.of[0]) > 1:
                    raise Outside("a row stays the row that it is", target)
                one = self.layout.declared[of.of[2]]
                name = of.of[2]
                place = self.placed(whole, self.place(of, target.slice))
            elif of.what == "marks":
                one = Number()
                place = self.code(target)[0]
            else:
                raise Outside(f"{named(of)} has no places to write into", target)
        self.line(f"{place} = {self._checked(one, name, text, kind, target)}")

    def _store_in_list(
        self, target: ast.Subscript, whole: str, of: Is, text: str, kind: Is
    ) -> None:
        element = NUMBER if kind == FLAG else kind
        wanted = joined(of.of, element, target)
        if wanted != of.of:
            name = target.value.id if isinstance(target.value, ast.Name) else ""
            code = self.function.__code__
            handed = name in code.co_varnames[: code.co_argcount]  # the caller has it, too
            if not name or handed or wanted.maybe:
                raise Outside(f"{named(kind)} in a list of {named(of.of)}", target)
            self.kinds[name] = Is("list", wanted)
        place = f"_place({self.number(target.slice)}, len({whole}))"
        self.line(f"{whole}[{place}] = {self.fitted(text, kind, wanted)}")

    def _checked(self, one: Any, name: str, text: str, kind: Is, node: ast.AST) -> str:
        """The text of a value that may stand in declared state."""
        text, kind = self.there(text, kind)
        if isinstance(one, Number):
            if kind == REAL:
                raise Outside("whole numbers only; write // instead of /", node)
            if kind not in (NUMBER, FLAG):
                raise Outside(f"self.{name} becomes {named(kind)}: whole numbers only", node)
            text = f"int({text})" if kind == FLAG else text
            low, high = one.ends
            return f"_within({text}, {low}, {high})"
        if isinstance(one, Choice):
            if kind != WORD:
                raise Outside(f"self.{name} becomes {named(kind)}: one of its words", node)
            words = {self.layout.word(word): word for word in one.words}
            if text.isdecimal() and int(text) not in words:
                word = [*self.layout.words][int(text)]
                meant = did_you_mean(word, one.words, "")
                raise Outside(f"self.{name} becomes {word!r}: no word of it{meant}", node)
            return f"_among({self.program.positions(one.words)}, {text})"
        if kind != FLAG:
            raise Outside(f"self.{name} becomes {named(kind)}: True or False", node)
        return f"int({text})"

    def _do_augassign(self, node: ast.AugAssign) -> None:
        whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
        if isinstance(node.target, ast.Subscript) and _DOES.search(self.code(node.target)[0]):
            raise Outside("the place is worked out twice: give it a name before", node)
        self._do_assign(ast.copy_location(ast.Assign([node.target], whole), node))

    # ------------------------------------------------------------ giving things

    def _do_return(self, node: ast.Return) -> bool:
        if self.offers:
            if node.value is not None:
                self._offer_all(node.value)
            self.line("return")
            return False
        text, kind = ("", NONE) if node.value is None else self.code(node.value)
        if kind.what in ("zones", "thing", "method", "rng", "setup", "marks", "deck", "words"):
            raise Outside(f"a function cannot give {named(kind)}", node)
        self.gives = kind if self.gives == UNKNOWN else joined(self.gives, kind, node)
        if kind == NONE:
            self.line(f"return {NONES.get(self.gives.what, '')}")
        else:
            self.line(f"return {self.fitted(text, kind, self.gives)}")
        return False

    def _offer(self, node: ast.expr | None) -> None:
        """Write an option."""
        things = node.elts if isinstance(node, ast.Tuple) else [node]
        word = things[0].value if isinstance(things[0], ast.Constant) else None
        if not isinstance(word, str):
            raise Outside("an option begins with a word in quotes", node)
        found = [self.there(*self.code(one)) for one in things[1:] if one is not None]
        verb = self.program.option(word, tuple(kind for _, kind in found), node)
        texts = [str(verb)]
        for place, (text, kind) in enumerate(found):
            number = text if kind == ENTRY else f"_thing({text})"
            texts.append(f"({number} << {WORD_BITS + THING_BITS * place})")
        self.line(f"_offer(o, {' | '.join(texts)})")

    def _offer_all(self, node: ast.expr) -> None:
        """Write all options of a list, or of another function that gives options."""
        if isinstance(node, ast.List | ast.Tuple):
            for one in node.elts:
                self._offer(one)
        elif isinstance(node, ast.ListComp | ast.GeneratorExp):
            given = {*self.given}
            depth = self._depth
            names = {
                one.id
                for part in node.generators
                for one in ast.walk(part.target)
                if isinstance(one, ast.Name)
            }
            if names & given:
                raise Outside(f"{min(names & given)} has a value already: take another name", node)
            self._nested(node, lambda: self._offer(node.elt))
            self._depth, self.given = depth, given
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            self._offer_all(node.left)
            self._offer_all(node.right)
        elif isinstance(node, ast.Call):
            _, kind = self.code(node.func)
            if kind.what not in ("method", "thing") or not isinstance(kind.of, FunctionType):
                raise Outside("options are given with yield", node)
            first = [("", _SELF)] if kind.what == "method" else []
            arguments = self.bound(kind.of, first, node)
            kinds = [one for _, one in arguments]
            name, _ = self.program.function(kind.of, kinds, node, offers=True)
            self.called.add(name)
            texts = [text for text, one in arguments if one != _SELF]
            self.line(f"{name}({', '.join(['s', 't', 'c', 'o', *texts])})")
        else:
            raise Outside("options are given with yield, or in a list that is written out", node)

    # ------------------------------------------------------------ lists in one expression

    def _nested(self, node: ast.ListComp | ast.GeneratorExp, inside: Callable[[], None]) -> None:
        """Write the loops of a list in one expression, and something inside them."""
        for one in node.generators:
            for target in ast.walk(one.target):
                if isinstance(target, ast.Name):
                    self.kinds.pop(target.id, None)
            self.loop(one.target, one.iter)
            self._depth += 1
            for test in one.ifs:
                self.line(f"if {self.truth(test)}:")
                self._depth += 1
        inside()

    def gathered(self, how: str, node: ast.ListComp | ast.GeneratorExp, default: str = "") -> Code:
        """A function of its own for a list in one expression, or what is made of one."""
        names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        free = [
            name for name in sorted(names & self.given) if self.kinds[name] not in (_SELF, UNKNOWN)
        ]
        inner = Body(self.program, self.function, offers=False)
        inner.kinds, inner.given = {**self.kinds}, {*self.given}
        kind = inner.gather(how, node, default=bool(default))
        arguments = ["s", "t", "c", *(f"v_{name}" for name in free)]
        handed = [*arguments]
        if default:
            arguments.append("default")
            handed.append(default)
        name = self.program.gathered(how, arguments, inner)
        self.called.add(name)
        return f"{name}({', '.join(handed)})", kind

    def gather(self, how: str, node: ast.ListComp | ast.GeneratorExp, *, default: bool) -> Is:
        """Write the body of such a function; what it gives."""
        found = NUMBER
        head = len(self.lines)

        def inside() -> None:
            nonlocal found
            if how in ("any", "all"):
                test = self.truth(node.elt)
                self.line(
                    f"if {test}: return True" if how == "any" else f"if not {test}: return False"
                )
                found = FLAG
                return
            text, kind = self.code(node.elt)
            if how == "list":
                if kind.what not in ("number", "flag", "real", "word", "entry") or kind.maybe:
                    raise Outside(f"a list of {named(kind)}", node)
                found = Is("list", NUMBER if kind == FLAG else kind)
                self.line("found = _longer(found, n)")
                self.line(f"found[n] = {text}")
                self.line("n += 1")
                return
            self.check_folded(how, kind, node)
            found = NUMBER if kind == FLAG else kind
            text = f"int({text})" if kind == FLAG else text
            if how == "sum":
                self.line(f"found += {text}")
            else:
                self.line(f"one = {text}")
                word = ">" if how == "max" else "<"
                self.line(f"if n == 0 or one {word} found: found = one")
                self.line("n += 1")

        self._nested(node, inside)
        self._depth = 1
        zero = "0.0" if found == REAL else "0"
        starts = [f"found = {zero}", "n = 0"]
        if how == "list":
            dtype = "float64" if found.of == REAL else "int64"
            starts = [f"found = np.empty(8, np.{dtype})", "n = 0"]
            self.line("return found[:n]")
        elif how in ("any", "all"):
            starts = []
            self.line(f"return {how == 'all'}")
        elif how == "sum":
            self.line("return found")
        else:
            self.line(f"if n == 0: {'return default' if default else 'raise ValueError'}")
            self.line("return found")
        self.lines[head:head] = ["    " + one for one in starts]
        return found
