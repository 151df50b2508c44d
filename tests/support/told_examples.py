"""Examples of Mindbug as texts: a position, choices, and what is seen then, on every engine.

An example is a title, with the numbers of its rules, and lines that begin with a space:

    T42: fresh Shield Bugs are exhausted, Owl (4) defeated, Healer (5) survives (R50, R87).
      alice hand: kangasaurus_rex, + | bob play: shield_bugs, spider_owl, axolotl_healer
      = power axolotl_healer: 5
      > play kangasaurus_rex
      = bob play: axolotl_healer, shield_bugs; exhausted shield_bugs: yes; bob discard: spider_owl

Lines before that begin with ``*`` have cards that are made for the example, as JSON; what stands in
round brackets is a note. A line ``covers: Effect.DEFEAT`` of a title has words of the vocabulary
that the example is about.

The first says what lies where, in parts between ``|`` and ``;``; ``+`` are the three cards of
``NEUTRAL``, which a hand has of which nothing is said. What follows ``>`` is chosen
(:meth:`Table.choose`), what follows ``=`` is seen. Of a list nothing is ``none``; cards are sorted.
What follows ``&`` is another game of the same example.
"""

import json
import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import pytest

from card_data.mindbug import vocabulary
from support.positions import NAMES, NEUTRAL, ZONES, Position, Side, Table
from support.purpose_made import Covered
from support.reference_examples import ENGINES, examples_on, faces

#: What a player has, and what a table says of it.
_OF_A_PLAYER: dict[str, Callable[..., Any]] = {
    "play": Table.in_play,
    "hand": Table.hand,
    "discard": Table.discard,
    "life": Table.life,
    "mindbugs": Table.mindbugs,
    "energy": Table.energy,
    "holds": Table.hand_size,
    "pile": Table.draw_size,
}
_OF_A_CREATURE: dict[str, Callable[..., Any]] = {
    "power": Table.power,
    "keywords": Table.keywords,
    "exhausted": Table.exhausted,
    "boosts": Table.boosts,
}
_OF_THE_TABLE: dict[str, Callable[[Table], Any]] = {
    "asked": lambda table: f"{table.point} {_name(table.decider)}",
    "point": lambda table: table.point,
    "active": lambda table: _name(table.active),
    "over": lambda table: [_name(table.winner), table.ending] if table.over else False,
    "turn": lambda table: table.turn,
    "waiting": lambda table: table.waiting,
    "limbo": Table.limbo,
    "set aside": Table.set_aside,
    "offered": Table.options,
    "options": lambda table: len(table.options()),
    "display": lambda table: table.power_cards("display"),
    "power deck": lambda table: table.power_cards("power_deck"),
    "power discard": lambda table: table.power_cards("power_discard"),
}
#: What stands in round brackets, which may have others inside.
_NOTE = re.compile(r" \((?:[^()]|\([^()]*\))*\)")


def told_examples(
    text: str, covers: Covered | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with the ``body`` of each example of a text, on each ``engine``.

    Which words of the vocabulary they are about goes into ``covers``.
    """
    found = [*examples_of(text)]
    names = [title.partition(":")[0] for title, _ in found]
    told = ", ".join(re.findall(r"^covers: (.*)", text, re.MULTILINE))
    words = [attrgetter(word)(vocabulary) for word in told.split(", ")] if told else []

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        if covers is not None:
            covers(*words)(test)
        examples = pytest.mark.parametrize("body", [body for _, body in found], ids=names)
        return pytest.mark.parametrize("engine", ENGINES)(examples(test))

    return decorate


def examples_of(text: str) -> Iterator[tuple[str, str]]:
    """Titles and bodies; lines with ``#`` are headings of several."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for found in re.finditer(r"((?:\S.*\n)+)((?: .*\n)+)", "\n".join(lines) + "\n"):
        yield found[1], " ".join(found[2].split())


def play_example(body: str, engine: str) -> None:
    """Play the games of an example on one engine; an assertion quotes what came out otherwise."""
    for game in body.split(" & "):
        _play(game, engine)


def _play(game: str, engine: str) -> None:
    cards: dict[str, Any] = {}
    while game.startswith("* "):
        made, end = json.JSONDecoder().raw_decode(game, 2)
        cards, game = cards | made, game[end + 1 :]
    start, *steps = re.split(r" (?=[>=] )", _NOTE.sub("", game))
    position, more = _position(start)
    if cards:
        more["cards"] = cards
    table = examples_on(engine)(position, **more)
    assert any(step.startswith("=") for step in steps), "an example without an outcome"
    for step in steps:
        mark, _, words = step.partition(" ")
        if mark == ">":
            table.choose(words)
            continue
        for told in words.split("; "):
            key, _, value = told.rpartition(": ")
            if not key:
                key = "asked" if " " in told else "point"
            seen = _text(_seen(table, key))
            assert seen == _spread(value), f"{key}: {seen}, told as {value}: {game}"


def _position(text: str) -> tuple[Position, dict[str, Any]]:
    """What the first line says, and further arguments of who sets it up."""
    sides = {name: Side(hand=[*NEUTRAL]) for name in NAMES}
    more: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    who = ""
    for part in re.split(r" \| |; ", text):
        key, _, value = part.partition(": ")
        first, _, field = key.partition(" ")
        if first in NAMES:
            who, key = first, field
        if key in ZONES:
            setattr(sides[who], key, _cards(value))
        elif key in ("life", "mindbugs", "energy"):
            setattr(sides[who], key, int(value))
        elif key in ("unused", "power_deck"):
            more[key] = _cards(value)
        elif key == "active":
            more[key] = NAMES.index(value)
        elif key == "after_mindbug":
            more[key] = value
        elif key == "King of Tokyo":
            more |= {"kot_parts": True, "after_mindbug": "action"}
        elif key in ("turn_cap", "effect_cap"):
            rest[key] = int(value)
        elif key == "at_turn_cap":
            rest[key] = value
        elif key == "dice":
            rest["chance"] = faces(*value.split(", "))
        elif key == "chance":
            rest[key] = [(int(n), int(k)) for k, n in re.findall(r"(\d+) of (\d+)", value)]
        elif part != "padding":
            raise ValueError(f"{part!r} says nothing of a position")
    return Position(sides["alice"], sides["bob"], **more), rest


def _seen(table: Table, key: str) -> Any:
    if key in _OF_THE_TABLE:
        return _OF_THE_TABLE[key](table)
    first, _, rest = key.partition(" ")
    if first in NAMES:
        return _OF_A_PLAYER[rest](table, first)
    return _OF_A_CREATURE[first](table, rest)


def _cards(value: str) -> list[str]:
    """The cards of a list, the padding written out."""
    cards = [] if value == "none" else value.split(", ")
    return [card for one in cards for card in (NEUTRAL if one == "+" else (one,))]


def _spread(value: str) -> str:
    """What should be seen, the padding written out."""
    return ", ".join(sorted(_cards(value))) if "+" in value.split(", ") else value


def _text(seen: Any) -> str:
    if isinstance(seen, bool):
        return "yes" if seen else "no"
    return (", ".join(seen) or "none") if isinstance(seen, list) else str(seen)


def _name(player: int | None) -> str:
    """A player by name; nobody where a game is over, or has no winner."""
    return "nobody" if player in (None, -1) else NAMES[player]
