"""Places that rules count from the end without saying so: ``self.lane[k - 1]`` where k is 0."""

import ast
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import RLock
from typing import Any

from simcore.contract.faults import short
from simcore.contract.game import Game
from simcore.contract.state import Checked, Zone

_LOCK = RLock()
_METHODS = ((Checked, "__getitem__"), (Checked, "__setitem__"), (Zone, "__getitem__"))


@contextmanager
def from_the_end(game: Game) -> Iterator[dict[int, str]]:
    """Lines of the rules that come to such a place while games are played, and what each asks.

    A number that is written there, as in ``zone[-1]``, says what it means.
    """
    found, meant = dict[int, str](), _written(game.text)
    file = str(game.file)

    def see(of: Zone | Checked, place: Any) -> None:
        frame = sys._getframe(2)
        line = frame.f_lineno
        is_here = frame.f_code.co_filename == file and line not in meant
        if is_here and isinstance(place, int) and place < 0:
            name = of.name if isinstance(of, Zone) else of._name
            found[line] = (
                f"{short(file)}:{line}: self.{name}[{place}] is counted from the end: if that is"
                f" meant, write % and the length; if not, ask first whether the place is below 0"
            )

    with _LOCK, ExitStack() as watched:
        for kind, name in _METHODS:
            watched.callback(_watch(kind, name, see))
        yield found


def _watch(kind: type, name: str, see: Any) -> Any:
    """Have a method tell of each call; what ends that."""
    own, method = kind.__dict__.get(name), getattr(kind, name)

    def watched(self: Any, place: Any, *value: Any) -> Any:
        see(self, place)
        return method(self, place, *value)

    setattr(kind, name, watched)
    return (lambda: delattr(kind, name)) if own is None else (lambda: setattr(kind, name, own))


def _written(text: str) -> set[int]:
    """The lines with a place that is a negative number as it stands."""
    places = [one.slice for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Subscript)]
    return {one.lineno for one in places if isinstance(one, ast.UnaryOp)}
