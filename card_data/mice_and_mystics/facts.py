"""The facts of Mice & Mystics as checked objects: what the files say, in the order of the files.

The objects are immutable and know nothing of files, arrays or the engine.  Fields are named as in
section 25 of ``docs/mice_and_mystics_rules.md``; ids are text, those of tiles too.  Rule numbers
such as M57 are those of that text.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from attrs import evolve, frozen

from card_data.schema import kinds

#: How sure an entry is: read off the real game, told by somebody, or made up for want of better.
CONFIDENCES = ("verified", "reported", "assumed")

#: Where a current leads that leaves the tile (M40).
OFF = "OFF"


@frozen
class Effect:
    """One operation of section 28 with what it is given: numbers, words and truth values.

    A field that may be left out and is left out is not in ``given``; ``get`` asks with a default.
    """

    op: str
    given: tuple[tuple[str, int | str | bool], ...] = ()

    def __getitem__(self, field: str) -> int | str | bool:
        """What a field is; KeyError if it was not given."""
        return dict(self.given)[field]

    def get(self, field: str, default: int | str | bool | None = None) -> int | str | bool | None:
        """What a field is, or the default where it was not given."""
        return dict(self.given).get(field, default)


@frozen(kw_only=True)
class Entry(kinds.Entry):
    """What all entries have.

    ``confidence`` is one of CONFIDENCES, ``field_confidence`` that of single fields where it is
    another; neither these nor ``source`` and ``note`` ever change a game.
    """

    confidence: str = "assumed"
    field_confidence: tuple[tuple[str, str], ...] = ()
    source: str = ""
    note: str = ""


@frozen(kw_only=True)
class Face:
    """One face of the die: its number, its star, and how often it counts for what (M118)."""

    symbol: str
    number: int
    star: bool
    melee: int
    ranged: int
    shield: int
    cheese: int


@frozen(kw_only=True)
class Die(Entry):
    """The action die; every face is as likely as any other."""

    faces: tuple[Face, ...]


@frozen(kw_only=True)
class Hero(Entry):
    """A mouse of the party (M2, M8).

    ``starting_gear`` are ids of search cards, once for each copy.  ``extra_ability_class`` is a
    class of abilities that this hero alone may take, its own id as a rule; "" for none.
    """

    classes: tuple[str, ...]
    battle: int
    defense: int
    lore: int
    move: int
    life: int
    starting_gear: tuple[str, ...]
    innate: tuple[Effect, ...]
    extra_ability_class: str = ""


@frozen(kw_only=True)
class BossCard:
    """One of several initiative cards of a boss (M16, M58).

    A number that is None is the boss's own; ``abilities`` are added to those of the boss.
    """

    id: str
    battle: int | None = None
    defense: int | None = None
    life: int | None = None
    attack: str | None = None
    move_dice: int | None = None
    abilities: tuple[Effect, ...] = ()


@frozen(kw_only=True)
class Minion(Entry):
    """A type of minion, or a boss (M3, M6).

    ``figure_limit`` is the number of figures of the ``figure_pool``, which several types share;
    ``token_limit`` the most figures of this type, None for no limit of its own.  Types with the
    same ``initiative_card`` share that card (M15).  ``move_dice`` are added up for movement.  A
    boss with ``cards`` acts on two of them instead.  Without ``rolls_cheese`` its dice add none to
    the wheel (M96).
    """

    boss: bool = False
    battle: int
    defense: int
    life: int
    attack: str
    size: str
    move_dice: int
    figure_pool: str
    figure_limit: int
    token_limit: int | None = None
    initiative_card: str
    cards: tuple[BossCard, ...] = ()
    rolls_cheese: bool = True
    tags: tuple[str, ...] = ()
    abilities: tuple[Effect, ...] = ()

    def on(self, card: BossCard) -> "Minion":
        """The boss as it is on the turn of one of its cards."""
        names = ("battle", "defense", "life", "attack", "move_dice")
        own = {name: getattr(card, name) for name in names}
        given: dict[str, Any] = {name: value for name, value in own.items() if value is not None}
        return evolve(self, **given, abilities=(*self.abilities, *card.abilities))


@frozen(kw_only=True)
class Ability(Entry):
    """An ability card: who may own it, what it costs, when it may be used and what it does.

    ``classes`` holds "any", classes or ids of heroes, of which one suffices.  The user pays
    ``cost`` cheese to start and up to ``cost_most`` in all; ``cost_by_class`` has other prices.
    """

    classes: tuple[str, ...]
    cost: int
    cost_most: int
    timing: str
    effect: tuple[Effect, ...]
    cost_by_class: tuple[tuple[str, int], ...] = ()


@frozen(kw_only=True)
class SearchCard(Entry):
    """A kind of search card with its number of copies in the box (M61-M65).

    ``requires`` are classes or ids of heroes of which one suffices, empty for everybody.  ``slot``
    is "" for what is not equipped; a weapon is held in paws.  ``attack`` is "" for what is no
    weapon, ``timing`` for what is no trick.
    """

    type: str
    count: int
    requires: tuple[str, ...] = ()
    requires_lore: int = 0
    slot: str = ""
    paws: int = 0
    attack: str = ""
    tags: tuple[str, ...] = ()
    timing: str = ""
    effect: tuple[Effect, ...] = ()


@frozen(kw_only=True)
class Group:
    """A number of minions of one type."""

    type: str
    count: int


@frozen(kw_only=True)
class Band:
    """The minions of an encounter while the hourglass is on pages ``first`` to ``last`` (M73).

    ``last`` is None in a band that is open at its end.
    """

    first: int
    last: int | None
    minions: tuple[Group, ...]


@frozen(kw_only=True)
class Encounter(Entry):
    """An encounter card: minions by page, its surge, traps and ambush (M73, M42, M81, M83)."""

    bands: tuple[Band, ...]
    surge: tuple[Group, ...]
    mousetraps: bool = False
    ambush: bool = False
    difficult: bool = False


@frozen(kw_only=True)
class Space:
    """A space of a tile; ``x`` and ``y`` run from 0 to 1000 and serve the eye alone."""

    id: str
    x: int
    y: int
    capacity: int = 4
    water: bool = False
    special_area: bool = False


@frozen(kw_only=True)
class Edge:
    """Two adjacent spaces, with the cost of either way: 3 against a yellow arrow, else 1 (M29)."""

    a: str
    b: str
    cost_ab: int = 1
    cost_ba: int = 1


@frozen(kw_only=True)
class Exit:
    """The spaces next to an exit on one edge of the tile: N, E, S or W (M68)."""

    edge: str
    spaces: tuple[str, ...]


@frozen(kw_only=True)
class Flip:
    """Where the tile can be turned over (M70).

    ``requires`` is "" for nothing, "fish_hook" or "tinkerer_or_scamp".
    """

    space: str
    requires: str = ""


@frozen(kw_only=True)
class Tile(Entry):
    """One side of a room tile as a graph (M28-M31, M39, M55, M70, M74).

    ``red_lines`` and ``no_line_of_sight`` are pairs of spaces, ``current`` pairs of a water space
    and where its current leads, a space or OFF.
    """

    side: str
    physical_tile: int
    spaces: tuple[Space, ...]
    edges: tuple[Edge, ...]
    red_lines: tuple[tuple[str, str], ...] = ()
    no_line_of_sight: tuple[tuple[str, str], ...] = ()
    exits: tuple[Exit, ...] = ()
    minion_entry: tuple[str, ...] = ()
    flip: Flip | None = None
    mousetrap_spaces: tuple[str, ...] = ()
    current: tuple[tuple[str, str], ...] = ()


@frozen(kw_only=True)
class Link:
    """A way between two tiles of a chapter, both ways.

    ``kind`` is "exit" with the edges of both tiles, or "flip" with edges "".
    """

    kind: str
    a: str
    b: str
    a_edge: str = ""
    b_edge: str = ""


@frozen(kw_only=True)
class Start:
    """Where a chapter begins: the mice on ``mice_spaces``, the minions on entry spaces (M11).

    ``explored`` says whether the tile counts as explored from the start.
    """

    tile: str
    mice_spaces: tuple[str, ...]
    minions: tuple[Group, ...]
    explored: bool = True


@frozen(kw_only=True)
class RoomRule:
    """A rule of one tile in a chapter.

    By ``op``: ``counter_cheese`` has ``space`` and ``amount`` (M128); ``minions_barred`` has
    ``space`` (M129); ``preset_minions`` has ``minions``, bosses included, which are placed in place
    of a drawn encounter when the room is first entered (M72, M130); ``surge_minions`` has
    ``minions``, which every surge in the room brings in place of the face-up card's (M83).
    """

    tile: str
    op: str
    space: str = ""
    amount: int = 0
    minions: tuple[Group, ...] = ()


@frozen(kw_only=True)
class Win:
    """When a chapter is won (M114).

    ``all_uncaptured_mice_on_space`` has ``tile``, ``space`` and ``requires_no_minions``;
    ``room_cleared`` has ``tile``.
    """

    op: str
    tile: str
    space: str = ""
    requires_no_minions: bool = False


@frozen(kw_only=True)
class Chapter(Entry):
    """A chapter: the party, the tiles and their links, pages, encounters and how it ends (M7).

    ``route`` is the shortest order of rooms to the goal.  ``encounter_deck`` is "standard" (S14) or
    a list of encounter ids is not offered yet.  It is lost by ``lose``: "page_end" and
    "all_mice_captured" (M105, M115).
    """

    mice: int
    allowed: tuple[str, ...]
    must_include: tuple[str, ...]
    page_start: int
    page_end: int
    route: tuple[str, ...]
    start: Start
    links: tuple[Link, ...]
    encounter_deck: str = "standard"
    room_rules: tuple[RoomRule, ...] = ()
    win: Win
    lose: tuple[str, ...]

    @property
    def tiles(self) -> tuple[str, ...]:
        """The ids of all tiles of the chapter: those of the route, then the others it links."""
        linked = (tile for link in self.links for tile in (link.a, link.b))
        return tuple(dict.fromkeys((*self.route, *linked)))


@frozen(kw_only=True)
class Facts:
    """Everything that games are played with, each kind in the order of the files."""

    die: Die
    heroes: tuple[Hero, ...]
    minions: tuple[Minion, ...]
    abilities: tuple[Ability, ...]
    search_cards: tuple[SearchCard, ...]
    encounters: tuple[Encounter, ...]
    tiles: tuple[Tile, ...]
    chapters: tuple[Chapter, ...]


_AnyEntry = TypeVar("_AnyEntry", bound=Entry)


def by_id(entries: Iterable[_AnyEntry]) -> dict[str, _AnyEntry]:
    """Entries by their ids, in their order."""
    return {entry.id: entry for entry in entries}
