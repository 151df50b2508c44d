"""How an experiment says what it is doing: the caller shows it, or nobody does."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

#: Called with (done, in all).
Advance = Callable[[int, int], None]
#: Called with what is being done; a context manager that gives the callback for progress.
Watch = Callable[[str], AbstractContextManager[Advance]]


@contextmanager
def unwatched(_: str) -> Iterator[Advance]:
    """Show nothing."""
    yield lambda _done, _total: None
