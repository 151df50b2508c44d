"""Faults of a game that somebody brings: what is wrong, in which game and line of theirs."""

import gc
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType, GeneratorType
from typing import Any

from simcore.sealed import RunError

_HOUSE = Path(__file__).resolve().parents[2]
_ROOMS = tuple(
    f"{_HOUSE / room}/" for room in ("card_data", "simcore", "analysis", "reports", "fairdeal")
)
_LIBRARY = str(Path(traceback.__file__).parent)


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
    """Whether a file of code belongs neither to fairdeal nor to Python."""
    return not file.startswith((*_ROOMS, "<", _LIBRARY))


def problem_of(error: BaseException) -> str:
    """What is wrong, in a sentence."""
    if isinstance(error, RuleError):
        return str(error)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


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
