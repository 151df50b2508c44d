"""Faults of a game that somebody brings: what is wrong, in which game and line of theirs."""

import ast
import builtins
import gc
import linecache
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType, GeneratorType
from typing import Any

import attr

from card_data.faults import meant_word
from simcore.sealed import RunError

_HOUSE = Path(__file__).resolve().parents[2]
_ROOMS = tuple(
    f"{_HOUSE / room}/" for room in ("card_data", "simcore", "analysis", "reports", "fairdeal")
)
_LIBRARIES = (
    str(Path(traceback.__file__).parent),
    *(
        f"{Path(found.origin).parent}/"
        for name in ("attr", "numba", "numpy")
        if (found := find_spec(name)) and found.origin
    ),
)


class GameError(RunError):
    """A game cannot be loaded or played; the message names the file and line, and what to do."""


class RuleError(Exception):
    """A rule asks for what cannot be done; the game in which it happens is not known here.

    ``where`` is the function that is to be mended, if no line of it is running, and ``line`` the
    line of it that is wrong; 0 for the function as a whole.
    """

    def __init__(
        self, problem: str, where: Callable[..., Any] | None = None, line: int = 0
    ) -> None:
        super().__init__(problem)
        self.where, self.line = where, line


def place_of(error: BaseException) -> str:
    """The author's file and line that an error comes from: "my_game.py:41"; "" if none is known."""
    code: CodeType | None = getattr(getattr(error, "where", None), "__code__", None)
    if isinstance(error, RuleError) and code is not None:
        return f"{short(code.co_filename)}:{error.line or code.co_firstlineno}"
    if isinstance(error, SyntaxError):
        return f"{short(error.filename or '')}:{error.lineno}"
    calls = traceback.extract_tb(error.__traceback__)
    own = [call for call in calls if is_authors(call.filename)]
    return f"{short(own[-1].filename)}:{own[-1].lineno}" if own else ""


def line_of_answer(
    function: Callable[..., Any],
    ask: Callable[[], Any],
    is_wrong: Callable[[Any], bool] = lambda _: True,
) -> int:
    """The line on which a function returns or yields a wrong answer, which it is asked for again.

    0 where it gives none this time.
    """
    lines, before, code = [0], sys.gettrace(), getattr(function, "__code__", None)

    def watch(frame: Any, event: str, _: Any) -> Any:
        if event == "return" and frame.f_code is code:
            lines.append(frame.f_lineno)
        return watch

    sys.settrace(watch)
    try:
        answer = ask()
        if isinstance(answer, GeneratorType):
            return next((_line_of_yield(answer) for one in answer if is_wrong(one)), 0)
        return lines[-1] if is_wrong(answer) else 0
    except Exception:  # noqa: BLE001 - whatever somebody may have written
        return 0
    finally:
        sys.settrace(before)


def _line_of_yield(answers: Any) -> int:
    """The line on which a generator stands, or one to which it has handed on."""
    while isinstance(answers.gi_yieldfrom, GeneratorType):
        answers = answers.gi_yieldfrom
    return int(answers.gi_frame.f_lineno)


def is_authors(file: str) -> bool:
    """Whether a file of code belongs neither to fairdeal, nor to Python or a library of ours."""
    return not file.startswith((*_ROOMS, "<", *_LIBRARIES))


def problem_of(error: BaseException) -> str:
    """What is wrong, in a sentence, and what was probably meant."""
    if isinstance(error, RuleError) or (isinstance(error, ValueError) and _is_told_by_us(error)):
        return str(error)
    if isinstance(error, attr.exceptions.FrozenInstanceError):
        _, asked = _asked(error)
        return f"{asked or 'this'} cannot be changed: what changes in a game is declared, as Number"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}{_hint(error)}" if text else type(error).__name__


def _is_told_by_us(error: BaseException) -> bool:
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].startswith(_ROOMS)


def _hint(error: BaseException) -> str:
    """What was probably meant, or what the names in the author's expression stood for."""
    frame, expression = _asked(error)
    if isinstance(error, NameError):
        rules = frame.f_locals.get("self") if frame else None
        there = {*vars(builtins), *(frame.f_globals | frame.f_locals if frame else ())}
        if error.name in dir(rules):
            return f": write self.{error.name}"
        if error.name in dir(sys.modules.get("fairdeal")):
            return f": write from fairdeal import {error.name}"
        return _meant(error.name, there)
    if isinstance(error, AttributeError):
        return _meant(error.name, dir(error.obj))
    if isinstance(error, ImportError):
        name = re.search(r"import name '(\w+)'", str(error))  # Python 3.11 does not keep it
        return _meant(name and name[1], dir(sys.modules.get(error.name or "")))
    several = "; it has several numbers: say which, in […]" if _is_of_several(error) else ""
    return (_with_values(expression, frame.f_locals) if frame else "") + several


def _is_of_several(error: BaseException) -> bool:
    """Whether something was done with all numbers of seats or places as if they were one."""
    return isinstance(error, TypeError) and re.search("'(Checked|Keyed)'", str(error)) is not None


def _meant(name: str | None, there: Iterable[str]) -> str:
    return meant_word(name or "", [one for one in there if not one.startswith("_")])


def _with_values(expression: str, values: Mapping[str, Any]) -> str:
    """An expression and the numbers and words in it: " in self.life[foe], where foe is 2"."""
    try:
        names = [one.id for one in ast.walk(ast.parse(expression)) if isinstance(one, ast.Name)]
    except SyntaxError:
        return ""
    plain = {name: values[name] for name in names if type(values.get(name)) in (int, float, str)}
    told = " and ".join(f"{name} is {value!r}" for name, value in plain.items())
    return f" in {expression}{', where ' if told else ''}{told}" if expression else ""


def _asked(error: BaseException) -> tuple[FrameType | None, str]:
    """The author's innermost call that was running, and the expression that failed in it."""
    last, trace = None, error.__traceback__
    while trace is not None:
        last = trace if is_authors(trace.tb_frame.f_code.co_filename) else last
        trace = trace.tb_next
    if last is None:
        return None, ""
    code = last.tb_frame.f_code
    line, end, start, stop = [*code.co_positions()][last.tb_lasti // 2]
    text = linecache.getline(code.co_filename, line or 0).encode() if line == end else b""
    return last.tb_frame, text[start:stop].decode(errors="replace").strip()


def short(file: str) -> str:
    """A file as a person would name it."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and here in path.parents else file


class LuckWatch:
    """Finds calls of the clock and of random numbers that are not the game's own.

    While the block runs, a rule that makes such a call raises RuleError at its line.  What NumPy
    draws is seen at the end alone, and raises GameError.  The hooks of Python's collector rest:
    they may run in any line of a rule, and what they call is not the rule's.
    """

    _MODULES = ("random", "secrets", "time", "_random")

    def __enter__(self) -> None:
        self._before, self._drawn = sys.getprofile(), _state_of_numpy()
        self._hooks = gc.callbacks[:]
        gc.callbacks.clear()
        sys.setprofile(self._look)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        sys.setprofile(self._before)
        gc.callbacks[:0] = self._hooks
        if kind is None and _state_of_numpy() != self._drawn:
            raise GameError(_NOT_OURS.format("numpy.random"))

    def _look(self, frame: Any, event: str, called: Any) -> None:
        if event == "c_call" and is_authors(frame.f_code.co_filename):
            owner = getattr(called, "__self__", None)
            kind = owner if isinstance(owner, type) else type(owner)
            clock = kind.__module__ == "datetime" and called.__name__ in ("now", "today", "utcnow")
            for module in (getattr(called, "__module__", None), kind.__module__):
                if module in self._MODULES or clock:
                    self._refuse(f"{str(module).strip('_')}.{called.__name__}")
        elif event == "call" and frame.f_back is not None:
            module = frame.f_globals.get("__name__")
            if module in self._MODULES and is_authors(frame.f_back.f_code.co_filename):
                self._refuse(f"{module}.{frame.f_code.co_name}")

    @staticmethod
    def _refuse(name: str) -> None:
        sys.setprofile(None)
        raise RuleError(_NOT_OURS.format(name))


_NOT_OURS = "{} is not a part of the game: luck is self.rng, and no rule may read the clock"


def _state_of_numpy() -> tuple[Any, ...]:
    """Where NumPy's own random numbers stand."""
    import numpy as np

    state: Any = np.random.get_state()  # noqa: NPY002 - it is only looked at
    return state[2], bytes(state[1])
