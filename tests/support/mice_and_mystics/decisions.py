"""How the engine asks: one list of entries, each a tuple of words and numbers."""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from support.mice_and_mystics.state import Mouse, State

Entry = tuple[Any, ...]


@dataclass(frozen=True)
class Decision:
    """A point of section 24 ("D1" … "D11"), who decides (None: the party) and the entries.

    ``about`` holds what a player that looks at more than the entries wants to know.
    """

    point: str
    mouse: Mouse | None
    entries: list[Entry]
    about: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def labels(self) -> list[str]:
        return [label(entry) for entry in self.entries]


Asking = Generator[Decision, int, Any]
"""What a rule that may have to ask returns: decisions out, indices of entries in."""


def label(entry: Entry) -> str:
    return " ".join(map(str, entry))


def ask(
    game: State, point: str, mouse: Mouse | None, entries: list[Entry], **about: Any
) -> Generator[Decision, int, Entry]:
    """The entry that is chosen; one alone is taken without asking (section 24)."""
    if len(entries) == 1:
        return entries[0]
    game.counts["decisions"] += 1
    chosen = yield Decision(point, mouse, entries, about)
    return entries[chosen]
