"""A position of Mice & Mystics on the table, and a game told move by move."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from math import isnan

from attrs import evolve

from card_data.mice_and_mystics.facts import OFF, Ability, Chapter, Entry, Facts, Space, Tile, by_id
from card_data.mice_and_mystics.limits import WIDTH
from reports.kit.words import capital, signed
from reports.mice_and_mystics.entry_text import ability_text, entry_lines
from reports.mice_and_mystics.rooms.room_shape import Shape
from reports.mice_and_mystics.rooms.room_text import leads_to
from reports.play.scene import (
    POINTS,
    Area,
    Moment,
    Move,
    Option,
    Piece,
    Plan,
    Scene,
    Side,
    Spot,
    Way,
)
from simcore.mice_and_mystics.face import steps
from simcore.mice_and_mystics.face.game import Thoughts
from simcore.mice_and_mystics.face.laid_out import LaidMinion, LaidMouse, Layout
from simcore.narration import Step

# What ratings of options mean.
_GAINS = (
    "By how many percentage points each option changes the chance of winning, compared with the"
    " first thought of {player}, which changes its mind only if it is sure"
)
_NEVER = -1e6  # points of what a player never does while there is something else

#: Signs at spaces.
_TRAP, _ENTRY, _FLIP = (
    "\N{MULTIPLICATION X}",
    "\N{BLACK DOWN-POINTING SMALL TRIANGLE}",
    "\N{CLOCKWISE OPEN CIRCLE ARROW}",
)


class Scenes:
    """Lays positions of a chapter out; ``own`` are the mice of a person, by party index."""

    def __init__(self, facts: Facts, chapter: str, own: Collection[int] = ()) -> None:
        self._own = own
        self._cards, self._abilities = by_id(facts.search_cards), by_id(facts.abilities)
        tiles, played = by_id(facts.tiles), by_id(facts.chapters)[chapter]
        self._room = cache(lambda tile: Room(facts, played, tiles[tile]))
        self._title = cache(lambda tile: f"Room {tile}, {tiles[tile].name}")

    def scene(self, layout: Layout) -> Scene:
        """A position: the room, and below it the party."""
        heading = f"Round {layout.round}" if layout.round else "Setting up"
        turn = f": {capital(layout.turn)}" if layout.turn else ""
        mice = [self._mouse(mouse, number) for number, mouse in enumerate(layout.mice)]
        return Scene(heading + turn, [self._tile(layout), *mice])

    def _tile(self, layout: Layout) -> Side:
        """The room: its plan, who acts when, and the minions."""
        track = [
            Piece(capital(name), marks=[state] if state else []) for name, state in layout.track
        ]
        areas = [
            Area("Initiative", track, row=True),
            Area("Minions", [*_minions(layout.minions)]),
        ]
        if layout.face_up is not None:
            areas.append(Area("Encounter card, whose surge comes next", [_card(layout.face_up)]))
        return Side(
            self._title(layout.room),
            [
                ("Page", f"{layout.page} of {layout.page_end}"),
                ("Cheese on the wheel", f"{layout.wheel} of {layout.wheel_size}"),
            ],
            areas,
            words=layout.goal,
            plan=self._room(layout.room).plan(layout),
        )

    def _mouse(self, mouse: LaidMouse, number: int) -> Side:
        """A mouse with what they wear, carry and can do."""
        hero, seen = mouse.hero, mouse.seen
        numbers = [
            ("Life", f"{seen.life - seen.wounds} of {seen.life}"),
            ("Cheese", f"{seen.cheese}"),
            *(
                (capital(name), _sum(getattr(hero, name), more))
                for name, more in mouse.more.items()
            ),
        ]
        abilities = [
            _ability(self._abilities[one], price)
            for one, price in zip(seen.abilities, mouse.prices, strict=True)
        ]
        return Side(
            f"{hero.name}, {seen.space}" if seen.space else hero.name,
            numbers,
            [
                Area("Equipped", [_card(self._cards[one]) for one in seen.equipped]),
                Area("Abilities", abilities),
                Area("Pack", [_card(self._cards[one]) for one in seen.pack], small=True),
            ],
            is_own=number in self._own,
            narrow=True,
            words=capital(", ".join(mouse.marks)) if mouse.marks else "",
        )

    def moments(self, told: Iterable[Step], players: Sequence[str]) -> list[Moment]:
        """A game told move by move; ``players`` decide for all mice, or each for one."""
        return [self._moment(step, players) for step in told]

    def _moment(self, step: Step, players: Sequence[str]) -> Moment:
        move, told = step.move, None
        if move is not None:
            told = _move(move, players[move.mouse % len(players)])
        return Moment(step.lines, self.scene(step.layout), told, step.layout.round)


def _minions(minions: Sequence[LaidMinion]) -> Iterator[Piece]:
    """The figures on the tile; what a type can do is said once."""
    told: set[str] = set()
    for one in minions:
        minion, seen = one.minion, one.seen
        dice = f"battle {minion.battle}, defense {minion.defense}, {minion.attack}"
        says = "" if minion.id in told else ". ".join([capital(dice), *entry_lines(minion)])
        told.add(minion.id)
        life = f"{seen.life - seen.wounds} of {seen.life}" if seen.life > 1 else ""
        marks = [seen.space, *(["knocked down"] if seen.down else [])]
        yield Piece(one.name, life, says, marks)


def _card(entry: Entry) -> Piece:
    """A search card or an encounter card."""
    return Piece(entry.name, words=". ".join(entry_lines(entry)))


def _ability(ability: Ability, price: int) -> Piece:
    """An ability with what it costs its owner."""
    return Piece(ability.name, f"{price}", capital(ability_text(ability).partition(", ")[2]))


def _sum(printed: int, more: int) -> str:
    """A number of a hero with what gear and the round add."""
    return f"{printed}{more:+}" if more else f"{printed}"


def _move(move: steps.Move, player: str) -> Move:
    """A decision with what the player thought."""
    texts = ratings(move.thoughts, len(move.options))
    options = [
        Option(*option, thought=text) for option, text in zip(move.options, texts, strict=True)
    ]
    return Move(
        move.asked, options, move.chosen, scale(move.thoughts, player) if any(texts) else ""
    )


def scale(thoughts: Thoughts | None, player: str) -> str:
    """What the ratings of a player mean."""
    searched = thoughts is not None and thoughts.searched
    return (_GAINS if searched else POINTS).format(player=player)


def ratings(thoughts: Thoughts | None, n_options: int) -> list[str]:
    """What a player thought of each option, in a few letters; "" for one that was not rated."""
    if thoughts is None:
        return [""] * n_options
    return [
        "" if isnan(value) else _rating(value, searched=thoughts.searched)
        for value in thoughts.values
    ]


def _rating(value: float, *, searched: bool) -> str:
    """A rating as text."""
    if searched:
        return signed(100 * value, 0)
    return signed(value, 1) if value > _NEVER else "never"


class Room:
    """The plan of a room in a chapter, for whoever stands in it."""

    def __init__(self, facts: Facts, chapter: Chapter, tile: Tile) -> None:
        self._facts = evolve(facts, chapters=(chapter,))
        self._shape, self._tile = Shape(tile), tile
        self._ways = [*self._paths(), *self._currents(), *self._bars(), *self._doors()]

    def plan(self, layout: Layout) -> Plan:
        """The room as it is in a position."""
        return Plan(
            self._tile.name,
            WIDTH,
            self._shape.radius,
            [self._spot(space, layout) for space in self._tile.spaces],
            self._ways,
            [*self._legend(layout), *self._meanings()],
        )

    def _legend(self, layout: Layout) -> Iterator[str]:
        """What stands in the room now."""
        if layout.legend:
            yield layout.legend
        if layout.traps:
            yield f"{_TRAP} a trap"

    def _spot(self, space: Space, layout: Layout) -> Spot:
        """A space with who stands there."""
        name = space.id
        mice = layout.mice_at.get(name, "")
        return Spot(
            name,
            space.x,
            space.y,
            "water" if space.water else "area" if space.special_area else "",
            [mice] if mice else [],
            layout.minions_at.get(name, ()),
            [*([_TRAP] if name in layout.traps else []), *self._marks(name)],
        )

    def _marks(self, space: str) -> Iterator[str]:
        """What a space is marked with, whoever stands there."""
        if space in self._tile.minion_entry:
            yield _ENTRY
        if self._tile.flip is not None and self._tile.flip.space == space:
            yield _FLIP

    def _paths(self) -> Iterator[Way]:
        """Lines between neighbours."""
        spaces = self._shape.spaces
        for edge in self._tile.edges:
            a, b = spaces[edge.a], spaces[edge.b]
            if edge.cost_ab == edge.cost_ba:
                yield Way(a.x, a.y, b.x, b.y)
            else:
                yield Way(*self._shape.line(a, (b.x, b.y), self._shape.size(b)), "arrow")

    def _currents(self) -> Iterator[Way]:
        """Where the water flows."""
        for one, target in self._tile.current:
            a = self._shape.spaces[one]
            if target == OFF:
                yield Way(*self._shape.line(a, self._shape.way_off(a), 0), "current")
            else:
                b = self._shape.spaces[target]
                yield Way(*self._shape.line(a, (b.x, b.y), self._shape.size(b)), "current")

    def _bars(self) -> Iterator[Way]:
        """Red lines."""
        spaces = self._shape.spaces
        for one, other in self._tile.red_lines:
            yield Way(*self._shape.bar(spaces[one], spaces[other]), "barrier")

    def _doors(self) -> Iterator[Way]:
        """Exits with the rooms to which they lead."""
        for way in self._tile.exits:
            leads = ", ".join(leads_to(self._facts, self._tile, way.edge))
            if leads:
                yield Way(*self._shape.door(way), "door", leads)

    def _meanings(self) -> Iterator[str]:
        """What lines and marks mean, as far as the room has them."""
        kinds = {way.kind for way in self._ways}
        if "arrow" in kinds:
            yield "yellow arrow: 1 space along it, 3 against it"
        if "barrier" in kinds:
            yield "red bar: minions cross it, mice do not"
        if "current" in kinds:
            yield "blue arrow: the current"
        if self._tile.minion_entry:
            yield f"{_ENTRY} minions enter here"
        if self._tile.flip is not None:
            rooms = " or ".join(leads_to(self._facts, self._tile, ""))
            yield f"{_FLIP} the tile is turned over here{f', to {rooms}' if rooms else ''}"
