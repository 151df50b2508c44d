"""The program of a game: its rewritten functions and all that a kernel needs, as one text."""

import ast
import inspect
import re
from collections.abc import Collection, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from attrs import define, field

from simcore.contract.compiled import floor, tree
from simcore.contract.compiled.expressions import Expressions
from simcore.contract.compiled.floor import MOST_NUMBER, THING_BITS, WORD_BITS
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
    Problem,
    joined,
    named,
)
from simcore.contract.compiled.layout import Layout
from simcore.contract.compiled.players import (
    BEHIND,
    BEST_BEHIND,
    CHOOSE,
    CUT_OFF,
    IMAGINE,
    JUDGED,
    JUDGES,
    LEAD,
    LOOK,
    NOTHING_IMAGINED,
    PLAY,
    SEARCH,
    STAND,
    STEPS,
    VALUE,
)
from simcore.contract.compiled.rewriter import Body
from simcore.contract.compiled.sight import Sight
from simcore.contract.game import GREEDY, LEARNED, simulations_of
from simcore.contract.network import IMAGINED, is_learned
from simcore.contract.play import Table
from simcore.contract.rules import MOST_DECISIONS, Rules
from simcore.contract.search import PLAYOUT, TRUST, may_be_open
from simcore.contract.state import Cards, Choice, Flag

_SELF = Is("self")
# What players ask who imagine games, where the rules answer it.
_ASKED = {
    "standing": [NUMBER],
    "could_hold": [NUMBER, ENTRY, ZONE, NUMBER],
    "possible": [NUMBER],
    "hidden": [NUMBER, Is("rng", "players")],
}
_MOST_PASSES, _MOST_THINGS = 8, 4
_LOOK = """edges = _with_room(edges, tree, work[0].n)
    look_behind(states, t, work, c, tree, edges, seat, found)"""
_UNSEEN = (
    "unseen exchanges lists that are not declared, and these have no compiled form: declare what"
    " they hold, and write other values over it in hidden(self, seat, rng)"
)


@define
class _Function:
    """A function of the rules as it is rewritten: its text, what it gives, what it calls."""

    text: str = ""
    gives: Is = NONE
    calls: set[str] = field(factory=set)
    problems: dict[tuple[str, int], str] = field(factory=dict)


class Program:
    """The rewritten rules of a table: their text, and what keeps them from having one.

    ``players`` are those who play; the program can also be one that ``judges`` their games.
    """

    def __init__(
        self, table: Table, players: Collection[str] = (), *, judges: bool = False
    ) -> None:
        self._judges = judges
        self._greedy, self._learned = GREEDY in players, any(map(is_learned, players))
        self._searches = any(map(simulations_of, players))
        self.layout = Layout(table)
        self._functions: dict[str, _Function] = {}
        self._made: dict[Any, str] = {}
        self._running: list[FunctionType] = []
        self._arrays: dict[tuple[str, str], str] = {}
        self._positions: dict[tuple[str, ...], str] = {}
        self._helpers: dict[str, str] = {}
        self.options: dict[str, tuple[int, tuple[Is, ...]]] = {}
        rules: Any = table.game.rules
        self.roots = {
            "start": self._root(rules.start, [_SELF]),
            "options": self._root(rules.options, [_SELF, NUMBER], offers=True),
            "scores": self._root(rules.scores, [_SELF]),
        }
        if hasattr(rules, "all_chosen"):
            self.roots["all_chosen"] = self._root(rules.all_chosen, [_SELF])
        self._others = self.layout.stream(("greedy",)) if self._steps else 0
        if self.imagines:
            for name, given in _ASKED.items():
                if hasattr(rules, name):
                    self.roots[name] = self._root(getattr(rules, name), [_SELF, *given])
        for name, function in table.game.observe.items():
            self.roots[f"observe {name}"] = self._root(function, [_SELF])
        for word, (_, kinds) in [*self.options.items()]:
            self.roots[f"take {word}"] = self._root(getattr(rules, word), [_SELF, NUMBER, *kinds])

    @cached_property
    def sight(self) -> Sight:
        """What seats see, as numbers."""
        return Sight(self.layout, self.positions)

    @property
    def imagines(self) -> bool:
        """Whether somebody who plays or judges imagines games."""
        return self._greedy or self._learned or self._searches or self._judges

    @property
    def _steps(self) -> bool:
        """Whether somebody looks one step ahead."""
        looks = self._searches and hasattr(self.layout.table.game.rules, "standing")
        return self._greedy or self._learned or looks

    def _root(self, function: Any, kinds: Sequence[Is], *, offers: bool = False) -> str:
        name, _ = self.function(function, kinds, None, offers=offers)
        return name

    # ------------------------------------------------------------ functions

    def function(
        self,
        function: Any,
        kinds: Sequence[Is],
        node: ast.AST | None,
        *,
        offers: bool = False,
    ) -> tuple[str, Is]:
        """The name of a rewritten function for things of some kinds, and what it gives."""
        if function in self._running:
            raise Outside(f"{function.__name__} calls itself", node)
        key = function, tuple(kinds), offers
        if key not in self._made:
            self._running.append(function)
            try:
                name = f"r_{function.__name__.strip('<>')}_{len(self._made)}"
                self._functions[name] = self._rewritten(name, function, kinds, offers=offers)
                self._made[key] = name
            finally:
                self._running.pop()
        name = self._made[key]
        if self._functions[name].gives == UNKNOWN:
            raise Outside("")
        return name, self._functions[name].gives

    def _rewritten(
        self, name: str, function: FunctionType, kinds: Sequence[Is], *, offers: bool
    ) -> _Function:
        tree = self._tree_of(function)
        if tree.decorator_list:
            text = f"@{ast.unparse(tree.decorator_list[0])} has no compiled form"
            place = function.__code__.co_filename, tree.lineno
            return _Function(gives=UNKNOWN, problems={place: text})
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        is_generator = bool(function.__code__.co_flags & inspect.CO_GENERATOR)
        gives, known = UNKNOWN, dict(zip(names, kinds, strict=True))
        for _ in range(_MOST_PASSES):
            body = Body(self, function, offers=offers)
            body.kinds, body.given, body.gives = {**known}, {*names}, gives
            body._depth = 0
            if is_generator and not offers:
                body.problems[function.__code__.co_filename, tree.lineno] = "yield outside options"
            if body.block(tree.body) and not offers:
                if body.gives == UNKNOWN:
                    body.gives = NONE
                elif body.gives != NONE:
                    try:
                        body.gives = joined(body.gives, NONE, tree)
                    except Outside as error:
                        body._refuse(error, tree)
                    body._depth = 1
                    body.line(f"return {NONES.get(body.gives.what, '')}")
            if offers:
                body.gives = NONE
            again = {name: kind for name, kind in body.kinds.items() if kind != UNKNOWN}
            if again == known and body.gives == gives:
                break
            known, gives = again, body.gives
        handed = [f"v_{one}" for one, kind in zip(names, kinds, strict=True) if kind != _SELF]
        arguments = ["s", "t", "c", *(["o"] if offers else []), *handed]
        text = f"@kernel\ndef {name}({', '.join(arguments)}):\n" + "\n".join(body.lines)
        return _Function(text, body.gives, body.called, body.problems)

    def _tree_of(self, function: FunctionType) -> ast.FunctionDef:
        """The syntax tree of a function."""
        code, game = function.__code__, self.layout.table.game
        file = Path(code.co_filename)
        own = file == game.file
        try:
            text = game.text if own else file.read_text(encoding="utf-8")
            if function.__name__ == "<lambda>":
                return _lambda_in(text, code)
            return _functions_in(text)[code.co_firstlineno]
        except (OSError, LookupError):
            raise Outside(f"the source of {function.__name__} is not there") from None

    def gathered(self, how: str, arguments: Sequence[str], body: Body) -> str:
        """The name of a function for a list in one expression."""
        name = f"g_{how}_{len(self._functions)}"
        text = f"@kernel\ndef {name}({', '.join(arguments)}):\n" + "\n".join(body.lines)
        self._functions[name] = _Function(text, NUMBER, body.called, body.problems)
        return name

    def option(self, word: str, kinds: tuple[Is, ...], node: ast.AST | None) -> int:
        """The number of the word of an option, which is given things of some kinds."""
        method = getattr(self.layout.table.game.rules, word, None)
        if not isinstance(method, FunctionType) or word in vars(Rules):
            raise Outside(f"there is no method {word} for this option", node)
        if method.__code__.co_argcount - 2 != len(kinds) or len(kinds) > _MOST_THINGS:
            raise Outside(
                f"def {word} takes {method.__code__.co_argcount - 2} after the seat", node
            )
        for kind in kinds:
            if kind not in (NUMBER, ENTRY, WORD):
                raise Outside(f"an option gives {named(kind)}: an entry, a word, a number", node)
        number, before = self.options.setdefault(word, (len(self.options), kinds))
        if before != kinds:
            raise Outside(f"option {word} is given one kind of thing here, another there", node)
        return number

    # ------------------------------------------------------------ constants

    def array(self, text: str, dtype: str) -> str:
        """The name of a list that never changes."""
        return self._arrays.setdefault((text, dtype), f"C_{len(self._arrays)}")

    def positions(self, words: Sequence[str]) -> str:
        """The name of a list: by the number of a word its place among some words, or -1."""
        for word in words:
            self.layout.word(word)
        return self._positions.setdefault(tuple(words), f"P_{len(self._positions)}")

    def helper_in(self, n: int) -> str:
        """The name of a function: whether something is one of so many."""
        names = [f"a{place}" for place in range(n)]
        test = " or ".join(f"one == {name}" for name in names) or "False"
        text = f"@kernel\ndef in_{n}({', '.join(['one', *names])}):\n    return {test}"
        self._helpers[f"in_{n}"] = text
        return f"in_{n}"

    def helper_list(self, n: int, dtype: str) -> str:
        """The name of a function that makes a list of so many things."""
        names = [f"a{place}" for place in range(n)]
        lines = [f"found[{place}] = {name}" for place, name in enumerate(names)]
        body = "\n    ".join([f"found = np.empty({n}, np.{dtype})", *lines, "return found"])
        name = f"list_{n}_{dtype}"
        self._helpers[name] = f"@kernel\ndef {name}({', '.join(names)}):\n    {body}"
        return name

    # ------------------------------------------------------------ the whole

    def _reached(self) -> dict[str, _Function]:
        """The functions that are called, directly or not, each behind those that it calls."""
        found: dict[str, _Function] = {}

        def visit(name: str) -> None:
            if name not in found:
                one = self._functions[name]
                for called in sorted(one.calls):
                    visit(called)
                found[name] = one

        for root in self.roots.values():
            visit(root)
        return found

    @property
    def problems(self) -> list[Problem]:
        """What keeps the rules from being compiled."""
        found = dict[tuple[str, int], str]()
        for one in self._reached().values():
            found |= one.problems
        problems = [Problem(text, file, line) for (file, line), text in sorted(found.items())]
        rules = self.layout.table.game.rules
        problems += [
            Problem(f"{name} in observe gives no whole number")
            for name in self.layout.table.game.observe
            if self._functions[self.roots[f"observe {name}"]].gives not in (NUMBER, FLAG)
        ]
        if self.imagines:
            if unseen := getattr(rules, "unseen", None):
                code = unseen.__code__
                problems.append(Problem(_UNSEEN, code.co_filename, code.co_firstlineno))
            standing = self.roots.get("standing")
            if standing and self._functions[standing].gives not in (NUMBER, REAL):
                problems.append(Problem("standing gives no number"))
        return problems

    @property
    def text(self) -> str:
        """The text of the rewritten rules."""
        functions = [one.text for one in self._reached().values()]
        parts = [
            *self._helpers.values(),
            *functions,
            self._begin(),
            self._take(),
            self._count_chosen(),
            self._leave_out(),
            self._observe(),
            self._scores(),
            self._all_chosen(),
        ]
        if self.imagines:
            parts += [
                self._asked("could_hold", "seat, card, zone, place"),
                self._asked("possible", "seat"),
                self._asked("hidden", "seat, luck"),
            ]
        if self._searches:
            parts.append(self._position())
        if self._learned:
            parts.append(self.sight.text)
        body = "\n\n\n".join(parts) + PLAY.replace("PLAYERS", self._players()).replace(
            "KEEP",
            "keep(s, t, acting, row, at, seen, whose)" if self._learned else "pass",
        )
        body += JUDGED * self._judges
        for name in {"start", "options", "standing"} & {*self.roots}:
            body = body.replace(f"r_{name}(", f"{self.roots[name]}(")
        numbers = {
            "MOST_DECISIONS": MOST_DECISIONS,
            "IMAGINED": IMAGINED,
            "N_POOLS": len(self.layout.pools),
            "STEP_STREAM": self._others,
            "SEES_ALL": may_be_open(self.layout.table.game.rules),
            "PLAYOUT": PLAYOUT,
            "TRUST": TRUST,
        }
        for name, number in numbers.items():
            body = body.replace(name, str(number))
        names = {*re.findall(r"\b(?:_[a-z]\w+|TREE|EDGE|NODE)\b", body)}
        of_floor = sorted(names & {*vars(floor)})
        of_tree = sorted((names & {*vars(tree)}) - {*of_floor})
        judged = ["from simcore.contract.network import _value"] * self._learned
        head = [
            "import numpy as np",
            "from simcore.contract.compiled.floor import (NOTHING, " + ", ".join(of_floor) + ")",
            *(f"from simcore.contract.compiled.tree import {name}" for name in of_tree),
            *judged,
            "from simcore.jit import cached_kernel, kernel",
            *(
                f"{name} = np.array({text}, np.{dtype})"
                for (text, dtype), name in self._arrays.items()
            ),
            *(
                f"{name} = np.array({self._places(words)})"
                for words, name in self._positions.items()
            ),
        ]
        return "\n".join(head) + "\n\n\n" + body

    def _players(self) -> str:
        """The players, and how they choose."""
        parts = [IMAGINE if self.imagines else NOTHING_IMAGINED]
        stands = "standing" in self.roots
        if stands:
            parts.append(STAND)
        parts += [LEAD] * self._greedy + [VALUE] * self._learned
        if self._steps:
            parts.append(BEHIND)
        if judge := JUDGES.get((self._greedy, self._learned)):
            parts.append(BEST_BEHIND.replace("JUDGE", judge))
        if self._searches:
            look = _LOOK if stands else "pass"
            parts += [CUT_OFF[stands], LOOK[stands], SEARCH.replace("LOOK", look)]
        parts.append(CHOOSE)
        given = "states, t, work, np.zeros_like(c), seat"
        steps = [STEPS[GREEDY]] * self._greedy + [STEPS[LEARNED]] * self._learned
        parts += [step.replace("GIVEN", given) for step in steps]
        last = f"return search({given}, who - 1)" if self._searches else "raise ValueError"
        return "".join([*parts, f"    {last}\n"])

    def _position(self) -> str:
        """What tells a position from others: where all cards lie, and all that is declared."""
        lines = ["found = _position_of_cards(s, t)"]
        for name, one in self.layout.declared.items():
            if not isinstance(one, Cards):
                value = f"s.v_{name}"
                if self.layout.shape_of(name):
                    lines.append(f"for one in {value}.flat:")
                    value = "one"
                indent = "    " * (value == "one")
                lines.append(f"{indent}found = _mix(found + np.uint64({value}))")
        return "\n    ".join(
            ["@kernel\ndef position(s, t):", *lines, "return found | np.uint64(1)"]
        )

    def _places(self, words: tuple[str, ...]) -> list[int]:
        return [words.index(word) if word in words else -1 for word in self.layout.words]

    def _begin(self) -> str:
        lines = []
        for name, one in self.layout.declared.items():
            if isinstance(one, Cards):
                continue
            value = int(one.default is True) if isinstance(one, Flag) else one.default
            if isinstance(one, Choice):
                value = self.layout.word(value if value in one.words else one.words[0])
            shape = self.layout.shape_of(name)
            for depth, n in enumerate(shape):
                lines.append("    " * depth + f"for i{depth} in range({n}):")
            places = ", ".join(f"i{depth}" for depth in range(len(shape)))
            place = f"[{places}]" if places else ""
            lines.append("    " * len(shape) + f"s.v_{name}{place} = {value}")
        return "@kernel\ndef begin(s):\n    " + "\n    ".join(lines or ["pass"])

    def _things(self, kinds: Sequence[Is]) -> list[str]:
        shifts = [WORD_BITS + THING_BITS * place for place in range(len(kinds))]
        return [f"(option >> {shift}) & {MOST_NUMBER}" for shift in shifts]

    def _take(self) -> str:
        lines = [f"word = option & {(1 << WORD_BITS) - 1}"]
        for word, (number, kinds) in self.options.items():
            things = ["s", "t", "c", "seat", *self._things(kinds)]
            lines.append(f"if word == {number}:")
            lines.append(f"    {self.roots[f'take {word}']}({', '.join(things)})")
        return "@kernel\ndef take(s, t, c, seat, option):\n    " + "\n    ".join(lines)

    def _count_chosen(self) -> str:
        """Count the entries that an option names."""
        lines = [f"word = option & {(1 << WORD_BITS) - 1}"]
        for number, kinds in self.options.values():
            for kind, thing in zip(kinds, self._things(kinds), strict=True):
                if kind == ENTRY:
                    lines.append(f"if word == {number}:")
                    lines.append(f"    _note(t, c, {floor.CHOSEN}, seat, {thing}, 1)")
        return "@kernel\ndef count_chosen(t, c, seat, option):\n    " + "\n    ".join(lines)

    def _leave_out(self) -> str:
        """Leave out the options that name an entry, unless there are no others."""
        lines = [
            "kept = 0",
            "for place in range(o.n):",
            "    option, named = o.options[place], False",
            f"    word = option & {(1 << WORD_BITS) - 1}",
        ]
        for number, kinds in self.options.values():
            for kind, thing in zip(kinds, self._things(kinds), strict=True):
                if kind == ENTRY:
                    lines.append(f"    if word == {number} and {thing} == t.without:")
                    lines.append("        named = True")
        lines += [
            "    if not named:",
            "        o.options[kept] = option",
            "        kept += 1",
            "o.n = kept or o.n",
        ]
        return "@kernel\ndef leave_out(t, o):\n    " + "\n    ".join(lines)

    def _observe(self) -> str:
        """Keep what a game is asked when it is over."""
        names = [self.roots[f"observe {name}"] for name in self.layout.table.game.observe]
        lines = [
            f"found[{place}] = _number_observed({name}(s, t, c))"
            for place, name in enumerate(names)
        ]
        return "@kernel\ndef observe(s, t, c, found):\n    " + "\n    ".join(lines or ["pass"])

    def _scores(self) -> str:
        name = self.roots["scores"]
        kind = self._functions[name].gives
        call = f"{name}(s, t, c)"
        if kind.what == "array":
            call = f"_copy({call}, {Expressions.size(kind.of[0][0])})"
        return f"@kernel\ndef score(s, t, c):\n    _score(s, t, {call})"

    def _asked(self, name: str, given: str) -> str:
        """What is asked of an imagined game: yes where the rules do not answer it."""
        call = f"{self.roots[name]}(s, t, c, {given})" if name in self.roots else "True"
        return f"@kernel\ndef {name}(s, t, c, {given}):\n    return {call}"

    def _all_chosen(self) -> str:
        call = f"{self.roots['all_chosen']}(s, t, c)" if "all_chosen" in self.roots else "pass"
        return f"@kernel\ndef all_chosen(s, t, c):\n    {call}"


@cache
def _functions_in(text: str) -> dict[int, ast.FunctionDef]:
    """The functions of a source by their first lines."""
    return {
        min([node.lineno, *(one.lineno for one in node.decorator_list)]): node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    }


def _lambda_in(text: str, code: CodeType) -> ast.FunctionDef:
    """The lambda of a source that has this code, as a function.  Raises IndexError."""

    def is_it(node: ast.Lambda) -> bool:
        [made] = (
            one
            for one in compile(ast.Expression(node), "", "eval").co_consts
            if isinstance(one, CodeType)
        )
        return (made.co_code, made.co_consts, made.co_names) == (
            *(code.co_code, code.co_consts, code.co_names),
        )

    [first, *_] = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda) and is_it(node)
    )
    made = ast.FunctionDef(
        name="observed", args=first.args, body=[ast.Return(first.body)], decorator_list=[]
    )
    return ast.fix_missing_locations(ast.copy_location(made, first))
