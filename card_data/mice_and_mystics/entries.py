"""The kinds of entries, each with its fields: what they hold and what they mean.

A field is registered once; the reader, the formatter, its messages and the reference page are made
from it.  Fields are written in this order.
"""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import Factory, frozen

from card_data.mice_and_mystics import facts as of
from card_data.mice_and_mystics.facts import CONFIDENCES
from card_data.mice_and_mystics.graphs import Exits, LinkLines, PairLines, WayLines
from card_data.mice_and_mystics.limits import (
    ABILITIES,
    BOSS_CARDS,
    CAPACITY,
    ENCOUNTERS,
    FIGURES,
    GEAR,
    HEROES,
    MICE,
    MINIONS,
    NUMBER,
    PAGES,
    SEARCH_CARDS,
    SPACES,
    TILES,
    WIDTH,
)
from card_data.mice_and_mystics.values import (
    GROUPS,
    PRICES,
    Bands,
    Confidences,
    Cost,
    Effects,
    Field,
    Record,
    Records,
    Text,
    TileId,
    TileIds,
    Whole,
    Word,
    Words,
    YesNo,
)
from card_data.mice_and_mystics.words import (
    ATTACKS,
    CARD_TYPES,
    DECKS,
    FLIP_NEEDS,
    GEAR_TYPES,
    LOSSES,
    ROOM_RULES,
    SIZES,
    SLOTS,
    TIMINGS,
    WINS,
)
from card_data.table_reader import MAX_NAME

_Values = dict[str, Any]


def _same(values: Mapping[str, Any]) -> _Values:
    return dict(values)


@frozen(kw_only=True)
class EntryKind:
    """A kind of entry: the word in its header, where the facts have it, its fields.

    ``make`` turns what the fields hold into the arguments of ``cls``, ``take`` an entry into what
    its fields hold.  ``place`` is where its effects stand, a word of `operations.PLACES`.  ``most``
    is how many the engine plays.  ``example`` is one, for the reference page.
    """

    word: str
    plural: str
    cls: type[of.Entry]
    fields: tuple[Field, ...]
    most: int
    meaning: str
    make: Callable[[Mapping[str, Any]], _Values] = _same
    take: Callable[[Any], _Values] = Factory(
        lambda self: lambda entry: {one.name: getattr(entry, one.name) for one in self.fields},
        takes_self=True,
    )
    place: Callable[[Mapping[str, Any]], str] = lambda table: ""  # noqa: ARG005

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """The name, the fields of this kind, and those that every entry has at its end."""
        return (COMMON[0], *self.fields, *COMMON[1:])


#: The fields of every entry; the name stands first, the others last.
COMMON = (
    Field(name="name", kind=Text(MAX_NAME), meaning="The name that people read."),
    Field(
        name="confidence",
        kind=Word(CONFIDENCES),
        meaning="How sure the entry is: `verified`, `reported` or `assumed`.",
        default="assumed",
        always=True,
    ),
    Field(
        name="field_confidence",
        kind=Confidences(),
        meaning="The same for single fields.",
        default=(),
    ),
    Field(name="source", kind=Text(), meaning="Where it is known from.", default=""),
    Field(name="note", kind=Text(), meaning="What a reader should know.", default=""),
)


def _number(name: str, meaning: str, least: int = 0, most: int = NUMBER, reads: str = "") -> Field:
    return Field(name=name, kind=Whole(least, most), meaning=meaning, reads=reads)


# ---------------------------------------------------------------- heroes and minions

_HERO = EntryKind(
    word="hero",
    plural="heroes",
    cls=of.Hero,
    most=HEROES,
    meaning="A mouse that can be in the party (M2, M8).",
    place=lambda table: "innate",  # noqa: ARG005
    fields=(
        Field(
            name="classes",
            kind=Words("classes"),
            meaning="What abilities and cards ask for; a new word makes a new class.",
            reads="{}",
        ),
        _number("battle", "Dice of attack, without a weapon (M48)."),
        _number("defense", "Dice of defense (M51)."),
        _number("lore", "Dice of spells, and what scrolls ask for (M64)."),
        _number("move", "Added to the die of movement (M23); dice against mousetraps (M43)."),
        _number("life", "A mouse with this many wounds is captured (M60).", 1, 20),
        Field(
            name="starting_gear",
            kind=Words("ids of search cards", repeated=True, most=GEAR),
            meaning="Search cards that it begins with, equipped; named twice for two copies (M8).",
            reads="begins with {}",
        ),
        Field(name="innate", kind=Effects(), meaning="What it can do without a card.", default=()),
        Field(
            name="extra_ability_class",
            kind=Text(MAX_NAME),
            meaning="A class of abilities for this hero alone, its own id as a rule.",
            default="",
        ),
    ),
)

_OWN = "; the boss's own if it is left out."


def _own_number(name: str, meaning: str, least: int = 0, most: int = NUMBER) -> Field:
    return Field(name=name, kind=Whole(least, most), meaning=meaning + _OWN, default=None)


_BOSS_CARD = Record(
    of.BossCard,
    (
        Field(name="id", kind=Text(MAX_NAME), meaning="Its id, another one than all others."),
        _own_number("battle", "Dice of attack"),
        _own_number("defense", "Dice of defense while it is the highest of the boss's cards"),
        _own_number("life", "Wounds that take the card off the track (M58)", 1, 20),
        Field(name="attack", kind=Word(ATTACKS), meaning=f"How it attacks{_OWN}", default=None),
        _own_number("move_dice", "Dice added up for movement", 1, 4),
        Field(
            name="abilities",
            kind=Effects(),
            meaning="Powers on this card besides those of the boss.",
            default=(),
        ),
    ),
    '{ id = "brodie_chase", abilities = [{ op = "chase" }] }',
)

_MINION = EntryKind(
    word="minion",
    plural="minions",
    cls=of.Minion,
    most=MINIONS,
    meaning="A type of minion, or a boss (M3, M6).",
    place=lambda table: "minion",  # noqa: ARG005
    fields=(
        Field(
            name="boss",
            kind=YesNo(),
            meaning="Whether it is a boss; bosses are placed last (M74).",
            default=False,
        ),
        _number("battle", "Dice of attack (M51)."),
        _number("defense", "Dice of defense (M49)."),
        _number("life", "A figure with this many wounds is defeated (M57).", 1, 20),
        Field(
            name="attack", kind=Word(ATTACKS), meaning="How it attacks (M92).", reads="{} attack"
        ),
        Field(
            name="size",
            kind=Word(SIZES),
            meaning="What space it needs (M31, M32); a token needs none (M35).",
            reads="{}",
        ),
        _number(
            "move_dice",
            "Dice added up for its movement (M90).",
            1,
            4,
            reads="moves by {} die|moves by {} dice",
        ),
        Field(
            name="figure_pool",
            kind=Text(MAX_NAME),
            meaning="The figures it uses, which several types may share (M6).",
            reads="figures of {}",
        ),
        _number(
            "figure_limit",
            "How many figures that pool has.",
            1,
            FIGURES,
            reads="{} figure at most|{} figures at most",
        ),
        Field(
            name="token_limit",
            kind=Whole(1, FIGURES),
            meaning="How many of the pool this type may be; all of them if left out.",
            default=None,
            reads="{} of them at most",
        ),
        Field(
            name="initiative_card",
            kind=Text(MAX_NAME),
            meaning="The card it acts on: its own id, or that of a type with the same card (M15).",
            reads="acts with {}",
        ),
        Field(
            name="tags",
            kind=Words("tags"),
            meaning="Words that rules and powers ask for, such as `rat` (M134).",
            default=(),
            reads="counts as {}",
        ),
        Field(
            name="cards",
            kind=Records(_BOSS_CARD, BOSS_CARDS),
            meaning="Initiative cards of a boss that has several, of which two are drawn (M16).",
            default=(),
        ),
        Field(
            name="rolls_cheese",
            kind=YesNo(),
            meaning="Whether cheese of its attack dice goes to the wheel (M96).",
            default=True,
        ),
        Field(name="abilities", kind=Effects(), meaning="Its powers (M94).", default=()),
    ),
)

# ---------------------------------------------------------------- cards


def _make_ability(values: Mapping[str, Any]) -> _Values:
    least, most = values["cost"]
    return {**values, "cost": least, "cost_most": most}


def _take_ability(ability: of.Ability) -> _Values:
    fields = {one.name: getattr(ability, one.name) for one in _ABILITY.fields}
    return {**fields, "cost": (ability.cost, ability.cost_most)}


_ABILITY = EntryKind(
    word="ability",
    plural="abilities",
    cls=of.Ability,
    most=ABILITIES,
    meaning="An ability card; each exists once (M8).",
    make=_make_ability,
    take=_take_ability,
    place=lambda table: "ability",  # noqa: ARG005
    fields=(
        Field(
            name="classes",
            kind=Words("classes or ids of heroes"),
            meaning="Who may take it: `any`, a class or a hero; one of them is enough.",
            reads="for {}",
        ),
        Field(
            name="cost",
            kind=Cost(),
            meaning="The cheese it costs, printed on it (M103).",
            reads="costs {} cheese",
        ),
        Field(
            name="cost_by_class",
            kind=PRICES,
            meaning="Other prices for users of a class.",
            default=(),
            reads="other prices: {}",
        ),
        Field(name="timing", kind=Word(tuple(TIMINGS)), meaning="When it may be used.", reads="{}"),
        Field(name="effect", kind=Effects(), meaning="What it does."),
    ),
)


def _card_place(table: Mapping[str, Any]) -> str:
    """Where the effects of a search card stand, by its type."""
    places = {"armor": "gear", "accessory": "gear", "item": "scroll"}
    kind = table.get("type")
    return places.get(kind, kind) if isinstance(kind, str) and kind in CARD_TYPES else ""


def _make_card(values: Mapping[str, Any]) -> _Values:
    slot = "paw" if values["type"] == "weapon" else values["slot"]
    return {**values, "slot": slot}


def _take_card(card: of.SearchCard) -> _Values:
    fields = {one.name: getattr(card, one.name) for one in _SEARCH_CARD.fields}
    return {**fields, "slot": "" if card.type == "weapon" else card.slot}


#: The types of search cards that may have a field, and those that must.
CARD_FIELDS = {
    "slot": (("armor", "accessory"), ("armor", "accessory")),
    "paws": (GEAR_TYPES, ("weapon",)),
    "attack": (("weapon",), ("weapon",)),
    "tags": (("weapon",), ()),
    "requires": ((*GEAR_TYPES, "item", "scroll"), ()),
    "requires_lore": ((*GEAR_TYPES, "item", "scroll"), ()),
    "timing": (("trick",), ("trick",)),
}

_SEARCH_CARD = EntryKind(
    word="search_card",
    plural="search_cards",
    cls=of.SearchCard,
    most=SEARCH_CARDS,
    meaning="A kind of search card, starting gear included (M61-M65).",
    make=_make_card,
    take=_take_card,
    place=_card_place,
    fields=(
        Field(
            name="type", kind=Word(CARD_TYPES), meaning="What kind of card it is (M62).", reads="{}"
        ),
        _number("count", "How many copies there are.", 1, 20, reads="{} copy|{} copies"),
        Field(
            name="slot",
            kind=Word(SLOTS),
            meaning="Where armor or an accessory is worn (M64); weapons are held in paws.",
            default="",
        ),
        Field(
            name="paws",
            kind=Whole(1, 2),
            meaning="How many paws a weapon or a card in the slot `paw` takes (M64).",
            default=0,
            reads="{} paw|{} paws",
        ),
        Field(
            name="attack",
            kind=Word(ATTACKS),
            meaning="How a weapon attacks (M47, M53).",
            default="",
            reads="{} attack",
        ),
        Field(
            name="tags",
            kind=Words("tags"),
            meaning="Words that abilities ask for, such as `knife`.",
            default=(),
            reads="{}",
        ),
        Field(
            name="requires",
            kind=Words("classes or ids of heroes"),
            meaning="Who may equip or use it, one of them; everybody if left out (M64).",
            default=(),
            reads="for {}",
        ),
        Field(
            name="requires_lore",
            kind=Whole(1, NUMBER),
            meaning="The lore it asks for (M64).",
            default=0,
            reads="asks for lore {}",
        ),
        Field(
            name="timing",
            kind=Word(tuple(TIMINGS)),
            meaning="When a trick may be used; scrolls and items are used in the own turn.",
            default="",
            reads="{}",
        ),
        Field(name="effect", kind=Effects(), meaning="What it does.", default=()),
    ),
)

_ENCOUNTER = EntryKind(
    word="encounter",
    plural="encounters",
    cls=of.Encounter,
    most=ENCOUNTERS,
    meaning="An encounter card (M73).",
    fields=(
        Field(name="bands", kind=Bands(), meaning="The minions that come, by page (M73)."),
        Field(name="surge", kind=GROUPS, meaning="The minions of its surge (M83)."),
        Field(
            name="mousetraps",
            kind=YesNo(),
            meaning="Whether traps are set (M42).",
            default=False,
        ),
        Field(name="ambush", kind=YesNo(), meaning="Whether it is an ambush (M81).", default=False),
        Field(
            name="difficult",
            kind=YesNo(),
            meaning="Whether only decks with difficult cards hold it (S14).",
            default=False,
        ),
    ),
)

# ---------------------------------------------------------------- rooms and chapters

_SPACE = Record(
    of.Space,
    (
        Field(name="id", kind=Text(8), meaning="Letters and digits, 8 at most."),
        Field(name="x", kind=Whole(0, WIDTH), meaning="From the left edge, for pictures."),
        Field(name="y", kind=Whole(0, WIDTH), meaning="From the upper edge, for pictures."),
        Field(
            name="capacity",
            kind=Whole(1, CAPACITY),
            meaning="How many small figures it holds (M31).",
            default=4,
        ),
        Field(name="water", kind=YesNo(), meaning="Whether it is water (M37).", default=False),
        Field(
            name="special_area",
            kind=YesNo(),
            meaning="Whether it is a special area (M31).",
            default=False,
        ),
    ),
    '{ id = "A1", x = 132, y = 442 }',
)
_FLIP = Record(
    of.Flip,
    (
        Field(name="space", kind=Text(8), meaning="Where the tile is turned over (M70)."),
        Field(name="requires", kind=Word(FLIP_NEEDS), meaning="What that takes.", default=""),
    ),
    '{ space = "C4" }',
)


def _make_tile(values: Mapping[str, Any]) -> _Values:
    plain = [of.Edge(a=a, b=b) for a, b in values["edges"]]
    arrows = [of.Edge(a=a, b=b, cost_ba=3) for a, b in values["arrows"]]
    fields = {name: value for name, value in values.items() if name != "arrows"}
    return {**fields, "edges": (*plain, *arrows)}


def _take_tile(tile: of.Tile) -> _Values:
    fields = {one.name: getattr(tile, one.name, ()) for one in _TILE.fields}
    arrows = {edge: (edge.a, edge.b) for edge in tile.edges if edge.cost_ba != 1}
    plain = tuple((edge.a, edge.b) for edge in tile.edges if edge not in arrows)
    return {**fields, "edges": plain, "arrows": tuple(arrows.values())}


_TILE = EntryKind(
    word="tile",
    plural="tiles",
    cls=of.Tile,
    most=4 * TILES,
    meaning="One side of a room tile, as a graph of spaces (M28).",
    make=_make_tile,
    take=_take_tile,
    fields=(
        Field(name="side", kind=Text(MAX_NAME), meaning="The colour of this side, for readers."),
        _number("physical_tile", "The tile of the box; both its sides have this number.", 1, 999),
        Field(name="spaces", kind=Records(_SPACE, SPACES), meaning="The spaces (M28)."),
        Field(
            name="edges",
            kind=PairLines(),
            meaning="Neighbours: either way costs 1. Each pair stands there once (M29).",
        ),
        Field(
            name="arrows",
            kind=WayLines(),
            meaning="Neighbours at a yellow line: 1 with its arrow, 3 against it (M29).",
            default=(),
        ),
        Field(
            name="red_lines",
            kind=PairLines(),
            meaning="Pairs that mice cannot cross but minions can (M30, M89).",
            default=(),
        ),
        Field(
            name="no_line_of_sight",
            kind=PairLines(),
            meaning="Pairs that do not see each other; all others do (M55).",
            default=(),
        ),
        Field(
            name="exits", kind=Exits(), meaning="The spaces next to each exit (M68).", default=()
        ),
        Field(
            name="minion_entry",
            kind=Words("spaces"),
            meaning="Where minions are placed (M74).",
        ),
        Field(name="flip", kind=_FLIP, meaning="Its flip space, if any (M70).", default=None),
        Field(
            name="mousetrap_spaces",
            kind=Words("spaces"),
            meaning="Where encounters set mousetraps (M42).",
            default=(),
        ),
        Field(
            name="current",
            kind=WayLines(),
            meaning="Where currents lead, `OFF` for off the tile (M39, M40).",
            default=(),
        ),
    ),
)

_START = Record(
    of.Start,
    (
        Field(name="tile", kind=TileId(), meaning="The first room.", reads="room {}"),
        Field(
            name="mice_spaces",
            kind=Words("spaces"),
            meaning="Where the mice may stand.",
            reads="mice on {}",
        ),
        Field(
            name="minions",
            kind=GROUPS,
            meaning="Who awaits them, on entry spaces.",
            default=(),
            reads="{}",
        ),
        Field(
            name="explored",
            kind=YesNo(),
            meaning="Whether coming back to it draws no encounter (M71).",
            default=True,
        ),
    ),
    '{ tile = 5, mice_spaces = ["C1", "D1"], minions = { rat_warrior = 3 } }',
)
_RULE = Record(
    of.RoomRule,
    (
        Field(name="tile", kind=TileId(), meaning="The room.", reads="room {}"),
        Field(
            name="op", kind=Word(ROOM_RULES), meaning="The rule (M72, M83, M128, M129).", reads="{}"
        ),
        Field(name="space", kind=Text(8), meaning="The space it is about.", default=""),
        Field(
            name="amount",
            kind=Whole(1, 20),
            meaning="The cheese on the counter.",
            default=0,
            reads="{} cheese",
        ),
        Field(
            name="minions",
            kind=GROUPS,
            meaning="Who awaits the mice, or comes with every surge.",
            default=(),
            reads="{}",
        ),
    ),
    '{ tile = 3, op = "counter_cheese", space = "K", amount = 6 }',
)
_WIN = Record(
    of.Win,
    (
        Field(name="op", kind=Word(WINS), meaning="What has to happen (M114).", reads="{}"),
        Field(name="tile", kind=TileId(), meaning="The room where.", reads="room {}"),
        Field(name="space", kind=Text(8), meaning="The space where all mice are.", default=""),
        Field(
            name="requires_no_minions",
            kind=YesNo(),
            meaning="Whether no minion may be on the tile.",
            default=False,
            reads="without minions there",
        ),
    ),
    '{ op = "room_cleared", tile = 904 }',
)

_CHAPTER = EntryKind(
    word="chapter",
    plural="chapters",
    cls=of.Chapter,
    most=2 * TILES,
    meaning="What is played: rooms, party, pages and how it ends (M7).",
    fields=(
        _number("mice", "How many mice there are, usually 4.", 1, MICE, reads="{} mice"),
        Field(
            name="allowed",
            kind=Words("ids of heroes"),
            meaning="The heroes to choose from.",
            reads="heroes {}",
        ),
        Field(
            name="must_include",
            kind=Words("ids of heroes"),
            meaning="Heroes that every party has.",
            default=(),
            reads="always with {}",
        ),
        _number(
            "page_start", "The page of the hourglass at the start.", 1, PAGES, reads="from page {}"
        ),
        _number(
            "page_end",
            "The page on which the chapter is lost (M115).",
            2,
            PAGES,
            reads="to page {}",
        ),
        Field(
            name="route",
            kind=TileIds(),
            meaning="The shortest order of rooms from the start to the goal.",
            reads="rooms {}",
        ),
        Field(name="start", kind=_START, meaning="Where it begins (M11)."),
        Field(name="links", kind=LinkLines(), meaning="The ways between rooms (M68, M70)."),
        Field(
            name="encounter_deck",
            kind=Word(DECKS),
            meaning="The encounter deck; `standard` is what S14 says.",
            default="standard",
        ),
        Field(
            name="room_rules",
            kind=Records(_RULE, TILES),
            meaning="Special rules of rooms.",
            default=(),
        ),
        Field(name="win", kind=_WIN, meaning="When it is won (M114)."),
        Field(
            name="lose",
            kind=Words("ways to lose", LOSSES),
            meaning="When it is lost (M105, M115); both; S10 says otherwise of the second.",
            reads="lost by {}",
        ),
    ),
)

# ---------------------------------------------------------------- the die

_FACE = Record(
    of.Face,
    (
        Field(name="symbol", kind=Text(MAX_NAME), meaning="What is on it, for readers."),
        _number("number", "Its number, for movement (M23).", 1, 6),
        Field(name="star", kind=YesNo(), meaning="Whether it has a star."),
        _number("melee", "Melee hits.", 0, 3),
        _number("ranged", "Ranged hits.", 0, 3),
        _number("shield", "Blocked hits.", 0, 3),
        _number("cheese", "Cheese.", 0, 3),
    ),
    '{ symbol = "bow", number = 2, star = false, melee = 0, ranged = 1, shield = 0, cheese = 0 }',
)

#: The die is one table with the header [die].
DIE = EntryKind(
    word="die",
    plural="die",
    cls=of.Die,
    most=1,
    meaning="The action die; every face is as likely as any other (M118).",
    fields=(Field(name="faces", kind=Records(_FACE, 6), meaning="Its six faces."),),
)

#: All other kinds of entries by the word in their headers, in the order in which all is written.
KINDS = {
    kind.word: kind
    for kind in (_HERO, _MINION, _ABILITY, _SEARCH_CARD, _ENCOUNTER, _TILE, _CHAPTER)
}
