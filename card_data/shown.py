"""Objects that a person looks at: at a prompt and in a notebook.

How an object looks is said in a module that knows more than the object does, and registered there
with ``as_text`` and ``as_html``.  So the object imports nothing of that.
"""

from functools import singledispatch
from typing import Any


@singledispatch
def as_text(thing: object) -> str:
    """What a person sees of an object at a prompt."""
    return object.__repr__(thing)


@singledispatch
def as_html(thing: object) -> str | None:  # noqa: ARG001 - what is registered looks at it
    """What a person sees of an object in a notebook; None for its text."""
    return None


class Shown:
    """An object that looks as ``as_text`` and ``as_html`` say."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Let IPython find this before the ``__repr__`` of the class itself."""
        super().__init_subclass__()
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def __str__(self) -> str:
        """The object in a few lines."""
        return as_text(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - asked for
        """The object as IPython shows it."""
        printer.text(str(self))

    def _repr_html_(self) -> str | None:
        """The object as a notebook shows it."""
        return as_html(self)
