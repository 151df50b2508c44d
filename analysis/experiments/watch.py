"""How an experiment says what it is doing: the caller shows it, or nobody does."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

#: Called with (done, in all).
Advance = Callable[[int, int], None]


class Watch(Protocol):
    """Called with what is being done, and what is counted meanwhile."""

    def __call__(self, doing: str, /, unit: str = "games") -> AbstractContextManager[Advance]:
        """A context manager that gives the callback for progress."""
        ...


@contextmanager
def unwatched(_: str, /, unit: str = "games") -> Iterator[Advance]:  # noqa: ARG001
    """Show nothing."""
    yield lambda _done, _total: None
