"""Worked examples of Mice & Mystics as texts: a position, dice and choices, and what is seen then.

An example is a title, with the numbers of its rules, and lines that begin with a space:

    W21: two bows and a cheese: no defense roll, one cheese.
      901; collin b1; rest d4; minions rat_warrior b2
      ! 0 3 4 0 0 0 @ collin > BATTLE collins_sword 0
      = dice_left: 2; collin cheese: 1; wheel: 0; minions: rat_warrior b2

The first says what lies where: the tile, mice with what is not as usual (``cheese=1``,
``pack=si_boots+si_lucky+``), minions, and fields of a position.  ``!`` are faces that come next,
``@`` is who acts next in this round, ``>`` an entry that is taken, and what follows ``=`` is seen.
What follows ``&`` is another game of the same example.
"""

import re
from typing import Any

import pytest

from support.mice_and_mystics.examples import Lay, offered, words
from support.mice_and_mystics.table import MinionAt, MinionSeen, MouseAt, Table
from support.told_examples import examples_of


def told_examples(text: str) -> pytest.MarkDecorator:
    """Run a test with the ``body`` of each example of a text; ``lay`` has the engines."""
    found = [*examples_of(text)]
    names = [title.partition(":")[0] for title, _ in found]
    return pytest.mark.parametrize("body", [body for _, body in found], ids=names)


def play_example(body: str, lay: Lay) -> None:
    """Play the games of an example; an assertion quotes what came out otherwise."""
    for game in body.split(" & "):
        start, *steps = re.split(r" (?=[!@>=] )", game)
        table = _laid(start, lay)
        assert any(step.startswith("=") for step in steps), "an example without an outcome"
        for step in steps:
            mark, _, told = step.partition(" ")
            if mark == "!":
                table.dice(*map(int, told.split()))
            elif mark == "@":
                table.act(told)
            elif mark == ">":
                table.take(told)
            else:
                for one in told.split("; "):
                    key, _, value = one.rpartition(": ")
                    seen = _text(_seen(table, key))
                    assert seen == value, f"{key}: {seen}, told as {value}: {game}"


def _laid(start: str, lay: Lay) -> Table:
    """The table that the first line describes."""
    tile, *parts = start.split("; ")
    mice: dict[str, MouseAt] = {}
    more: dict[str, Any] = {}
    for part in parts:
        first, _, rest = part.partition(" ")
        if first == "minions":
            more[first] = [
                MinionAt(kind, space, **_fields(fields))
                for kind, space, *fields in (one.split() for one in rest.split(", "))
            ]
        elif first == "switches":
            more[first] = dict(word.split("=") for word in rest.split())
        elif first == "knobs":
            more[first] = _fields(rest.split())
        elif first == "rest":
            more[first] = rest
        elif "=" in first:
            more |= _fields([part])
        else:
            space, *fields = rest.split()
            mice[first] = MouseAt(None if space == "none" else space, **_fields(fields))
    return lay(tile, mice, **more)


def _fields(words: list[str]) -> dict[str, Any]:
    """Fields by name: ``page=3``, ``captured=yes``, and lists with ``+`` behind each item."""
    found: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if value in ("yes", "no"):
            found[name] = value == "yes"
        elif value == "()" or "+" in value:
            found[name] = tuple(value.strip("()").rstrip("+").split("+")) if value != "()" else ()
        else:
            found[name] = int(value) if value.isdigit() else value
    return found


def _seen(table: Table, key: str) -> Any:
    """What a table says: of a mouse, of a counter, of its menu, or as an attribute is called."""
    first, _, rest = key.partition(" ")
    if first in table.heroes:
        return getattr(table.mouse(first), rest)
    if first == "count":
        return table.count(rest)
    if first == "offers":
        return sorted(offered(table, rest))
    if first == "distance":
        return table.distance(*rest.split())
    if first == "label":
        return rest in table.labels
    if key == "words":
        return sorted(words(table))
    if key == "minions":
        return [_told(minion) for minion in table.minions]
    return getattr(table, key)


def _told(minion: MinionSeen) -> str:
    down = " down" * minion.knocked_down
    return f"{minion.type} {minion.space}" + f" wounds={minion.wounds}" * bool(minion.wounds) + down


def _text(seen: Any) -> str:
    if isinstance(seen, bool):
        return "yes" if seen else "no"
    return (", ".join(seen) or "none") if isinstance(seen, list | tuple) else str(seen)
