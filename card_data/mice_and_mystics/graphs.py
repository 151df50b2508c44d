"""The rooms as text: neighbours, arrows, currents, exits and links; and what is wrong with a room.

Spaces are named in lines: ``"A1: A2 B1"`` for a space and those it is paired with, ``"K > A5"``
for a way with a direction.
"""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any

from attrs import frozen

from card_data.faults import shown
from card_data.mice_and_mystics.facts import OFF, Exit, Link, Tile
from card_data.mice_and_mystics.limits import SPACES
from card_data.mice_and_mystics.words import EDGES
from card_data.schema.fields import Field, inline, several
from card_data.schema.value_reader import At, ValueReader

_NAME = r"[A-Za-z0-9_]{1,8}"
_TILE = r"[A-Za-z0-9_]+"
_MOST_LINES = 4 * SPACES
#: The fields that say how spaces are reached.
_WAYS = ("edges", "arrows", "red_lines")

Pairs = tuple[tuple[str, str], ...]


@frozen(eq=False)
class PairLines(Field):
    """Pairs of spaces, in lines with one space and those that it is paired with."""

    allowed = 'a list of lines such as `"A1: A2 B1"`: a space and those it is paired with'

    def read(self, reader: ValueReader, at: At, value: Any) -> Pairs:
        """The pairs; lines that cannot be read are left out."""
        return tuple(
            (parts[0], other)
            for parts in _lines(
                reader, at, value, rf"({_NAME})\s*:((?:\s+{_NAME})+)", '"A1: A2 B1"'
            )
            for other in parts[1].split()
        )

    def write(self, value: Pairs) -> str:
        """The value as TOML."""
        others: dict[str, list[str]] = {}
        for a, b in value:
            others.setdefault(a, []).append(b)
        return several([f'"{a}: {" ".join(paired)}"' for a, paired in others.items()])


@frozen(eq=False)
class WayLines(Field):
    """Ways with a direction, in lines with one or several of them."""

    allowed = 'a list of lines such as `"K > A5"` or `"N2 > N1 > OFF"`'

    def read(self, reader: ValueReader, at: At, value: Any) -> Pairs:
        """From where to where each leads; lines that cannot be read are left out."""
        return tuple(
            pair
            for parts in _lines(reader, at, value, rf"({_NAME}(?:\s*>\s*{_NAME})+)", '"K > A5"')
            for pair in pairwise(re.split(r"\s*>\s*", parts[0]))
        )

    def write(self, value: Pairs) -> str:
        """The value as TOML."""
        chains: list[list[str]] = []
        for a, b in value:
            for chain in chains:
                if chain[-1] == a:
                    chain.append(b)
                    break
            else:
                chains.append([a, b])
        return several([f'"{" > ".join(chain)}"' for chain in chains])


@frozen(eq=False)
class Exits(Field):
    """The spaces next to the exits of a tile, by its edges."""

    allowed = 'spaces by edges, such as `{ N = ["A3", "A4"] }`'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Exit, ...]:
        """The exits; what is faulty is left out."""
        if not isinstance(value, dict):
            reader.refuse(at, value, self.wanted)
            return ()
        found = []
        for edge, spaces in value.items():
            if edge not in EDGES:
                reader.word(at, edge, EDGES, "an edge")
            elif not isinstance(spaces, list) or not all(isinstance(one, str) for one in spaces):
                reader.refuse(at, spaces, 'a list of spaces, such as ["A3", "A4"]')
            elif not spaces:
                reader.fault(at, f"exit {edge} has no spaces; leave it out", word=edge)
            else:
                found.append(Exit(edge=edge, spaces=tuple(spaces)))
        return tuple(found)

    def write(self, value: tuple[Exit, ...]) -> str:
        """The value as TOML."""
        return inline({way.edge: list(way.spaces) for way in value})


@frozen(eq=False)
class LinkLines(Field):
    """The links of a chapter, one in a line."""

    allowed = 'a list of lines such as `"6 S - N 4"` (an exit) or `"5 flip 6"`'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Link, ...]:
        """The links; lines that cannot be read are left out."""
        edge = "|".join(EDGES)
        pattern = rf"({_TILE})\s+(?:(flip)|({edge})\s*-\s*({edge}))\s+({_TILE})"
        links = []
        for a, flip, a_edge, b_edge, b in _lines(reader, at, value, pattern, '"6 S - N 4"'):
            kind = "flip" if flip else "exit"
            links.append(Link(kind=kind, a=a, b=b, a_edge=a_edge or "", b_edge=b_edge or ""))
        return tuple(links)

    def write(self, value: tuple[Link, ...]) -> str:
        """The value as TOML."""
        return several([f'"{link_text(link)}"' for link in value])


def link_text(link: Link) -> str:
    """A link as its line says it."""
    middle = "flip" if link.kind == "flip" else f"{link.a_edge} - {link.b_edge}"
    return f"{link.a} {middle} {link.b}"


def _lines(
    reader: ValueReader, at: At, value: Any, pattern: str, example: str
) -> Iterator[tuple[str, ...]]:
    """What a pattern finds in each line of a list; lines that it does not fit are noted."""
    if not isinstance(value, list) or len(value) > _MOST_LINES:
        reader.refuse(at, value, f"a list of lines such as {example}")
        return
    for item, line in enumerate(value):
        match = re.fullmatch(rf"\s*{pattern}\s*", line) if isinstance(line, str) else None
        if match:
            yield match.groups()
        else:
            reader.refuse(At(at.path, item), line, f"a line such as {example}")


# ---------------------------------------------------------------- checks


def check_tile(reader: ValueReader, tile: Tile, faulty: AbstractSet[str]) -> None:
    """Notes everything that is wrong with the graph of a tile.

    Fields that are ``faulty`` could not be read in full, so that nothing may be lacking in them.
    """
    if "spaces" not in faulty:
        _TileChecks(reader, tile, faulty).check()


class _TileChecks:
    """The checks of one tile; its spaces are known by their ids."""

    def __init__(self, reader: ValueReader, tile: Tile, faulty: AbstractSet[str]) -> None:
        self.reader, self.tile, self.faulty = reader, tile, faulty
        self.spaces = {space.id: space for space in tile.spaces}
        self.edges = {frozenset((edge.a, edge.b)) for edge in tile.edges}

    def at(self, field: str) -> At:
        return At(("tile", self.tile.id, field))

    def check(self) -> None:
        """Notes everything that is wrong."""
        tile = self.tile
        self.check_spaces()
        plain = [(edge.a, edge.b) for edge in tile.edges if edge.cost_ab == edge.cost_ba]
        arrows = [(edge.a, edge.b) for edge in tile.edges if edge.cost_ab != edge.cost_ba]
        known = self.check_pairs("edges", plain, set())
        known = self.check_pairs("arrows", arrows, known, "an edge already")
        self.check_pairs("red_lines", tile.red_lines, known, "an edge, which no red line crosses")
        self.check_pairs("no_line_of_sight", tile.no_line_of_sight, set())
        for way in tile.exits:
            self.check_names("exits", way.spaces, f"exit {way.edge}")
        if not tile.minion_entry and "minion_entry" not in self.faulty:
            self.reader.fault(self.at("minion_entry"), "a tile needs a space where minions enter")
        self.check_names("minion_entry", tile.minion_entry, "")
        self.check_names("mousetrap_spaces", tile.mousetrap_spaces, "")
        if tile.flip is not None:
            self.check_names("flip", [tile.flip.space], "")
        self.check_currents()
        if len(self.spaces) == len(tile.spaces) and self.faulty.isdisjoint(_WAYS):
            self.check_reach()

    def check_spaces(self) -> None:
        """Notes spaces that are there twice, and places where several stand."""
        places: dict[tuple[int, int], str] = {}
        seen: set[str] = set()
        for item, space in enumerate(self.tile.spaces):
            at = At(self.at("spaces").path, item)
            if not re.fullmatch(_NAME, space.id) or space.id == OFF:
                problem = (
                    f"{shown(space.id)} is not the id of a space: letters and digits, 8 at most"
                )
                self.reader.fault(at, problem, word=space.id)
            elif space.id in seen:
                self.reader.fault(at, f"there is a space '{space.id}' already", word=space.id)
            elif other := places.get((space.x, space.y)):
                problem = f"'{space.id}' stands where '{other}' stands"
                self.reader.fault(at, problem, word=space.id)
            seen.add(space.id)
            places.setdefault((space.x, space.y), space.id)

    def is_known(self, field: str, word: str, what: str = "") -> bool:
        """Whether there is such a space; noted if not."""
        if word in self.spaces:
            return True
        problem = f"{what + ': ' if what else ''}there is no space {shown(word)} on this tile"
        self.reader.fault(self.at(field), problem, word=word, allowed=tuple(self.spaces))
        return False

    def check_names(self, field: str, words: Iterable[str], what: str) -> None:
        """Notes spaces that are not there, or named twice."""
        seen: set[str] = set()
        for word in words:
            if self.is_known(field, word, what) and word in seen:
                self.reader.fault(self.at(field), f"'{word}' is named twice", word=word)
            seen.add(word)

    def check_pairs(
        self,
        field: str,
        pairs: Iterable[tuple[str, str]],
        known: set[frozenset[str]],
        why: str = "",
    ) -> set[frozenset[str]]:
        """Notes pairs that cannot be, stand there twice, or are among those known for a reason.

        Returns all of them.
        """
        found: set[frozenset[str]] = set()
        for a, b in pairs:
            pair = frozenset((a, b))
            problem = ""
            if not all([self.is_known(field, a), self.is_known(field, b)]):
                continue
            if a == b:
                problem = f"'{a}' is paired with itself"
            elif pair in known:
                problem = f"'{a}' and '{b}' are {why}"
            elif pair in found:
                problem = f"'{a}' and '{b}' are paired twice; once is enough for both ways"
            if problem:
                self.reader.fault(self.at(field), problem, word=f"{a}:" if a != b else a)
            found.add(pair)
        return found | known

    def check_currents(self) -> None:
        """Notes currents that do not flow from water to a neighbour that is water, or off."""
        flows: dict[str, str] = {}
        for a, b in self.tile.current:
            if a == OFF or not self.is_known("current", a):
                if a == OFF:
                    problem = f"nothing follows {OFF}, where a current leaves the tile"
                    self.reader.fault(self.at("current"), problem, word=OFF)
                continue
            problem = ""
            if a in flows:
                problem = f"the current of '{a}' flows to '{flows[a]}' already"
            elif not self.spaces[a].water:
                problem = f"'{a}' is no water, so it has no current"
            elif b != OFF and self.is_known("current", b):
                if not self.spaces[b].water:
                    problem = f"the current of '{a}' flows to '{b}', which is no water"
                elif frozenset((a, b)) not in self.edges:
                    problem = f"the current of '{a}' flows to '{b}', which is not next to it"
            if problem:
                self.reader.fault(self.at("current"), problem, word=a)
            flows.setdefault(a, b)

    def check_reach(self) -> None:
        """Notes spaces that nobody can reach from the first one."""
        near: dict[str, set[str]] = {space: set() for space in self.spaces}
        pairs = [tuple(pair) for pair in self.edges if len(pair) == 2]
        for a, b in [*pairs, *self.tile.red_lines]:
            if a in near and b in near:
                near[a].add(b)
                near[b].add(a)
        waiting = list(self.spaces)[:1]
        reached = set(waiting)
        while waiting:
            for other in near[waiting.pop()] - reached:
                reached.add(other)
                waiting.append(other)
        lonely = [space for space in self.spaces if space not in reached]
        if lonely:
            names = ", ".join(lonely)
            verb = "is" if len(lonely) == 1 else "are"
            problem = f"{names} {verb} cut off from {next(iter(self.spaces))}; add edges"
            self.reader.fault(self.at("edges"), problem)
