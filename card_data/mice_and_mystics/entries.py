"""The kinds of entries, each with its fields: what they hold and what they mean.

A field is registered once; the reader, the formatter, its messages and the reference page are made
from it.  Fields are written in this order.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from card_data.mice_and_mystics import facts as of
from card_data.mice_and_mystics import limits, words
from card_data.mice_and_mystics.facts import CONFIDENCES
from card_data.mice_and_mystics.graphs import Exits, LinkLines, PairLines, WayLines, check_tile
from card_data.mice_and_mystics.values import (
    PRICES,
    Bands,
    Confidences,
    Cost,
    Effects,
    Groups,
    TileId,
)
from card_data.names import MAX_NAME
from card_data.schema.fields import Choice, Flag, ListOf, Record, Text, Whole, Words
from card_data.schema.kinds import Kind, Schema
from card_data.schema.value_reader import ValueReader
from card_data.toml_places import KeyPath

_Values = dict[str, Any]


#: The name of an entry, which stands first, and what is said about it, which stands last.
NAME = Text(MAX_NAME, meaning="The name that people read.")
ABOUT = {
    "confidence": Choice(
        CONFIDENCES,
        meaning="How sure the entry is: `verified`, `reported` or `assumed`.",
        default="assumed",
        always=True,
    ),
    "field_confidence": Confidences(meaning="The same for single fields.", default=()),
    "source": Text(meaning="Where it is known from.", default=""),
    "note": Text(meaning="What a reader should know.", default=""),
}


_kind = partial(Kind, name_field=NAME, about=ABOUT)


def _number(meaning: str, low: int = 0, high: int = limits.NUMBER, reads: str = "") -> Whole:
    return Whole(low, high, meaning=meaning, reads=reads)


# ---------------------------------------------------------------- heroes and minions

_HERO = _kind(
    word="hero",
    plural="heroes",
    cls=of.Hero,
    most=limits.HEROES,
    meaning="A mouse that can be in the party (M2, M8).",
    fields={
        "classes": Words(
            of="classes",
            meaning="What abilities and cards ask for; a new word makes a new class.",
            reads="{}",
        ),
        "battle": _number("Dice of attack, without a weapon (M48)."),
        "defense": _number("Dice of defense (M51)."),
        "lore": _number("Dice of spells, and what scrolls ask for (M64)."),
        "move": _number("Added to the die of movement (M23); dice against mousetraps (M43)."),
        "life": _number("A mouse with this many wounds is captured (M60).", 1, 20),
        "starting_gear": Words(
            of="ids of search cards",
            repeated=True,
            most=limits.GEAR,
            meaning="Search cards that it begins with, equipped; named twice for two copies (M8).",
            reads="begins with {}",
        ),
        "innate": Effects("innate", meaning="What it can do without a card.", default=()),
        "extra_ability_class": Text(
            MAX_NAME,
            meaning="A class of abilities for this hero alone, its own id as a rule.",
            default="",
        ),
    },
)

_OWN = "; the boss's own if it is left out."


def _own_number(meaning: str, low: int = 0, high: int = limits.NUMBER) -> Whole:
    return Whole(low, high, meaning=meaning + _OWN, default=None)


_BOSS_CARD = Record(
    of.BossCard,
    {
        "id": Text(MAX_NAME, meaning="Its id, another one than all others."),
        "battle": _own_number("Dice of attack"),
        "defense": _own_number("Dice of defense while it is the highest of the boss's cards"),
        "life": _own_number("Wounds that take the card off the track (M58)", 1, 20),
        "attack": Choice(words.ATTACKS, meaning=f"How it attacks{_OWN}", default=None),
        "move_dice": _own_number("Dice added up for movement", 1, 4),
        "abilities": Effects(
            "minion", meaning="Powers on this card besides those of the boss.", default=()
        ),
    },
    '{ id = "brodie_chase", abilities = [{ op = "chase" }] }',
    key=("id",),
)

_MINION = _kind(
    word="minion",
    plural="minions",
    cls=of.Minion,
    most=limits.MINIONS,
    meaning="A type of minion, or a boss (M3, M6).",
    fields={
        "boss": Flag(meaning="Whether it is a boss; bosses are placed last (M74).", default=False),
        "battle": _number("Dice of attack (M51)."),
        "defense": _number("Dice of defense (M49)."),
        "life": _number("A figure with this many wounds is defeated (M57).", 1, 20),
        "attack": Choice(words.ATTACKS, meaning="How it attacks (M92).", reads="{} attack"),
        "size": Choice(
            words.SIZES,
            meaning="What space it needs (M31, M32); a token needs none (M35).",
            reads="{}",
        ),
        "move_dice": _number(
            "Dice added up for its movement (M90).", 1, 4, reads="moves by {} die|moves by {} dice"
        ),
        "figure_pool": Text(
            MAX_NAME,
            meaning="The figures it uses, which several types may share (M6).",
            reads="figures of {}",
        ),
        "figure_limit": _number(
            "How many figures that pool has.",
            1,
            limits.FIGURES,
            reads="{} figure at most|{} figures at most",
        ),
        "token_limit": Whole(
            1,
            limits.FIGURES,
            meaning="How many of the pool this type may be; all of them if left out.",
            default=None,
            reads="{} of them at most",
        ),
        "initiative_card": Text(
            MAX_NAME,
            meaning="The card it acts on: its own id, or that of a type with the same card (M15).",
            reads="acts with {}",
        ),
        "tags": Words(
            of="tags",
            meaning="Words that rules and powers ask for, such as `rat` (M134).",
            default=(),
            reads="counts as {}",
        ),
        "cards": ListOf(
            _BOSS_CARD,
            limits.BOSS_CARDS,
            meaning="Initiative cards of a boss that has several, of which two are drawn (M16).",
            default=(),
        ),
        "rolls_cheese": Flag(
            meaning="Whether cheese of its attack dice goes to the wheel (M96).", default=True
        ),
        "abilities": Effects("minion", meaning="Its powers (M94).", default=()),
    },
)

# ---------------------------------------------------------------- cards


def _make_ability(values: Mapping[str, Any]) -> _Values:
    least, most = values["cost"]
    return {**values, "cost": least, "cost_most": most}


def _take_ability(ability: of.Ability) -> _Values:
    return {"cost": (ability.cost, ability.cost_most)}


_ABILITY = _kind(
    word="ability",
    plural="abilities",
    cls=of.Ability,
    most=limits.ABILITIES,
    meaning="An ability card; each exists once (M8).",
    make=_make_ability,
    take=_take_ability,
    fields={
        "classes": Words(
            of="classes or ids of heroes",
            meaning="Who may take it: `any`, a class or a hero; one of them is enough.",
            reads="for {}",
        ),
        "cost": Cost(meaning="The cheese it costs, printed on it (M103).", reads="costs {} cheese"),
        "cost_by_class": PRICES(
            meaning="Other prices for users of a class.", default=(), reads="other prices: {}"
        ),
        "timing": Choice(words.TIMINGS, meaning="When it may be used.", reads="{}"),
        "effect": Effects("ability", meaning="What it does."),
    },
)


def _card_place(table: Mapping[str, Any]) -> str:
    """Where the effects of a search card stand, by its type."""
    places = {"armor": "gear", "accessory": "gear", "item": "scroll"}
    kind = table.get("type")
    return places.get(kind, kind) if isinstance(kind, str) and kind in words.CARD_TYPES else ""


def _make_card(values: Mapping[str, Any]) -> _Values:
    slot = "paw" if values["type"] == "weapon" else values["slot"]
    return {**values, "slot": slot}


def _take_card(card: of.SearchCard) -> _Values:
    return {"slot": "" if card.type == "weapon" else card.slot}


#: The types of search cards that may have a field, and those that must.
CARD_FIELDS = {
    "slot": (("armor", "accessory"), ("armor", "accessory")),
    "paws": (words.GEAR_TYPES, ("weapon",)),
    "attack": (("weapon",), ("weapon",)),
    "tags": (("weapon",), ()),
    "requires": ((*words.GEAR_TYPES, "item", "scroll"), ()),
    "requires_lore": ((*words.GEAR_TYPES, "item", "scroll"), ()),
    "timing": (("trick",), ("trick",)),
}


def _only(name: str) -> str:
    """Which types of search cards have a field, and which need it."""
    may, must = CARD_FIELDS[name]
    said = f"only for {', '.join(may)}" + ("; must be there" if may == must else "")
    return said + (f"; must be there for {', '.join(must)}" if must and may != must else "")


def _check_card_fields(reader: ValueReader, path: KeyPath, table: Mapping[str, Any]) -> None:
    """Notes fields that a search card of its type does not have, or needs."""
    if not (card_type := table.get("type")) or not _card_place(table):
        return
    for name, (may, must) in CARD_FIELDS.items():
        here = (*path, name)
        if name in table and card_type not in may:
            problem = f"cards of the type '{card_type}' have no field '{name}'"
            reader.note(here, reader.places.key(here), problem, found=name)
        elif name not in table and card_type in must:
            reader.missing(here)
    if card_type in ("armor", "accessory") and ("paws" in table) != (table.get("slot") == "paw"):
        here = (*path, "paws")
        problem = "'paws' belongs to the slot 'paw', and that slot needs it"
        reader.note(here, reader.places.key(here), problem)


_SEARCH_CARD = _kind(
    word="search_card",
    plural="search_cards",
    cls=of.SearchCard,
    most=limits.SEARCH_CARDS,
    meaning="A kind of search card, starting gear included (M61-M65).",
    make=_make_card,
    take=_take_card,
    copies="count",
    check_table=_check_card_fields,
    fields={
        "type": Choice(words.CARD_TYPES, meaning="What kind of card it is (M62).", reads="{}"),
        "count": _number("How many copies there are.", 1, 20, reads="{} copy|{} copies"),
        "slot": Choice(
            words.SLOTS,
            meaning="Where armor or an accessory is worn (M64); weapons are held in paws.",
            default="",
            left_out=_only("slot"),
        ),
        "paws": Whole(
            1,
            2,
            meaning="How many paws a weapon or a card in the slot `paw` takes (M64).",
            default=0,
            reads="{} paw|{} paws",
            left_out=_only("paws"),
        ),
        "attack": Choice(
            words.ATTACKS,
            meaning="How a weapon attacks (M47, M53).",
            default="",
            reads="{} attack",
            left_out=_only("attack"),
        ),
        "tags": Words(
            of="tags",
            meaning="Words that abilities ask for, such as `knife`.",
            default=(),
            reads="{}",
            left_out=_only("tags"),
        ),
        "requires": Words(
            of="classes or ids of heroes",
            meaning="Who may equip or use it, one of them; everybody if left out (M64).",
            default=(),
            reads="for {}",
            left_out=_only("requires"),
        ),
        "requires_lore": Whole(
            1,
            limits.NUMBER,
            meaning="The lore it asks for (M64).",
            default=0,
            reads="asks for lore {}",
            left_out=_only("requires_lore"),
        ),
        "timing": Choice(
            tuple(words.TIMINGS),
            meaning="When a trick may be used; scrolls and items are used in the own turn.",
            default="",
            reads="{}",
            left_out=_only("timing"),
        ),
        "effect": Effects(_card_place, meaning="What it does.", default=()),
    },
)

_ENCOUNTER = _kind(
    word="encounter",
    plural="encounters",
    cls=of.Encounter,
    most=limits.ENCOUNTERS,
    meaning="An encounter card (M73).",
    fields={
        "bands": Bands(meaning="The minions that come, by page (M73)."),
        "surge": Groups(meaning="The minions of its surge (M83)."),
        "mousetraps": Flag(meaning="Whether traps are set (M42).", default=False),
        "ambush": Flag(meaning="Whether it is an ambush (M81).", default=False),
        "difficult": Flag(
            meaning="Whether only decks with difficult cards hold it (S14).", default=False
        ),
    },
)

# ---------------------------------------------------------------- rooms and chapters

_SPACE = Record(
    of.Space,
    {
        "id": Text(8, meaning="Letters and digits, 8 at most."),
        "x": Whole(0, limits.WIDTH, meaning="From the left edge, for pictures."),
        "y": Whole(0, limits.WIDTH, meaning="From the upper edge, for pictures."),
        "capacity": Whole(
            1, limits.CAPACITY, meaning="How many small figures it holds (M31).", default=4
        ),
        "water": Flag(meaning="Whether it is water (M37).", default=False),
        "special_area": Flag(meaning="Whether it is a special area (M31).", default=False),
    },
    '{ id = "A1", x = 132, y = 442 }',
    key=("id",),
)
_FLIP = Record(
    of.Flip,
    {
        "space": Text(8, meaning="Where the tile is turned over (M70)."),
        "requires": Choice(words.FLIP_NEEDS, meaning="What that takes.", default=""),
    },
    '{ space = "C4" }',
    meaning="Its flip space, if any (M70).",
    default=None,
)


def _make_tile(values: Mapping[str, Any]) -> _Values:
    plain = [of.Edge(a=a, b=b) for a, b in values["edges"]]
    arrows = [of.Edge(a=a, b=b, cost_ba=3) for a, b in values["arrows"]]
    fields = {name: value for name, value in values.items() if name != "arrows"}
    return {**fields, "edges": (*plain, *arrows)}


def _take_tile(tile: of.Tile) -> _Values:
    arrows = {edge: (edge.a, edge.b) for edge in tile.edges if edge.cost_ba != 1}
    plain = tuple((edge.a, edge.b) for edge in tile.edges if edge not in arrows)
    return {"edges": plain, "arrows": tuple(arrows.values())}


_TILE = _kind(
    word="tile",
    plural="tiles",
    cls=of.Tile,
    most=4 * limits.TILES,
    meaning="One side of a room tile, as a graph of spaces (M28).",
    make=_make_tile,
    take=_take_tile,
    has_numbers=True,
    check_entry=check_tile,
    fields={
        "side": Text(MAX_NAME, meaning="The colour of this side, for readers."),
        "physical_tile": _number("The tile of the box; both its sides have this number.", 1, 999),
        "spaces": ListOf(_SPACE, limits.SPACES, meaning="The spaces (M28)."),
        "edges": PairLines(
            meaning="Neighbours: either way costs 1. Each pair stands there once (M29)."
        ),
        "arrows": WayLines(
            meaning="Neighbours at a yellow line: 1 with its arrow, 3 against it (M29).", default=()
        ),
        "red_lines": PairLines(
            meaning="Pairs that mice cannot cross but minions can (M30, M89).", default=()
        ),
        "no_line_of_sight": PairLines(
            meaning="Pairs that do not see each other; all others do (M55).", default=()
        ),
        "exits": Exits(meaning="The spaces next to each exit (M68).", default=()),
        "minion_entry": Words(of="spaces", meaning="Where minions are placed (M74)."),
        "flip": _FLIP,
        "mousetrap_spaces": Words(
            of="spaces", meaning="Where encounters set mousetraps (M42).", default=()
        ),
        "current": WayLines(
            meaning="Where currents lead, `OFF` for off the tile (M39, M40).", default=()
        ),
    },
)

_START = Record(
    of.Start,
    {
        "tile": TileId(meaning="The first room.", reads="room {}"),
        "mice_spaces": Words(of="spaces", meaning="Where the mice may stand.", reads="mice on {}"),
        "minions": Groups(meaning="Who awaits them, on entry spaces.", default=(), reads="{}"),
        "explored": Flag(
            meaning="Whether coming back to it draws no encounter (M71).", default=True
        ),
    },
    '{ tile = 5, mice_spaces = ["C1", "D1"], minions = { rat_warrior = 3 } }',
    meaning="Where it begins (M11).",
)
_RULE = Record(
    of.RoomRule,
    {
        "tile": TileId(meaning="The room.", reads="room {}"),
        "op": Choice(words.ROOM_RULES, meaning="The rule (M72, M83, M128, M129).", reads="{}"),
        "space": Text(8, meaning="The space it is about.", default=""),
        "amount": Whole(1, 20, meaning="The cheese on the counter.", default=0, reads="{} cheese"),
        "minions": Groups(
            meaning="Who awaits the mice, or comes with every surge.", default=(), reads="{}"
        ),
    },
    '{ tile = 3, op = "counter_cheese", space = "K", amount = 6 }',
    key=("tile", "op"),
)
_WIN = Record(
    of.Win,
    {
        "op": Choice(words.WINS, meaning="What has to happen (M114).", reads="{}"),
        "tile": TileId(meaning="The room where.", reads="room {}"),
        "space": Text(8, meaning="The space where all mice are.", default=""),
        "requires_no_minions": Flag(
            meaning="Whether no minion may be on the tile.",
            default=False,
            reads="without minions there",
        ),
    },
    '{ op = "room_cleared", tile = 904 }',
    meaning="When it is won (M114).",
)

_CHAPTER = _kind(
    word="chapter",
    plural="chapters",
    cls=of.Chapter,
    most=2 * limits.TILES,
    meaning="What is played: rooms, party, pages and how it ends (M7).",
    fields={
        "mice": _number("How many mice there are, usually 4.", 1, limits.MICE, reads="{} mice"),
        "allowed": Words(
            of="ids of heroes", meaning="The heroes to choose from.", reads="heroes {}"
        ),
        "must_include": Words(
            of="ids of heroes",
            meaning="Heroes that every party has.",
            default=(),
            reads="always with {}",
        ),
        "page_start": _number(
            "The page of the hourglass at the start.", 1, limits.PAGES, reads="from page {}"
        ),
        "page_end": _number(
            "The page on which the chapter is lost (M115).", 2, limits.PAGES, reads="to page {}"
        ),
        "route": ListOf(
            TileId(),
            meaning="The shortest order of rooms from the start to the goal.",
            reads="rooms {}",
        ),
        "start": _START,
        "links": LinkLines(meaning="The ways between rooms (M68, M70)."),
        "encounter_deck": Choice(
            words.DECKS,
            meaning="The encounter deck; `standard` is what S14 says.",
            default="standard",
        ),
        "room_rules": ListOf(_RULE, limits.TILES, meaning="Special rules of rooms.", default=()),
        "win": _WIN,
        "lose": Words(
            words.LOSSES,
            of="ways to lose",
            meaning="When it is lost (M105, M115); both; S10 says otherwise of the second.",
            reads="lost by {}",
        ),
    },
)

# ---------------------------------------------------------------- the die

_FACE = Record(
    of.Face,
    {
        "symbol": Text(MAX_NAME, meaning="What is on it, for readers."),
        "number": _number("Its number, for movement (M23).", 1, 6),
        "star": Flag(meaning="Whether it has a star."),
        "melee": _number("Melee hits.", 0, 3),
        "ranged": _number("Ranged hits.", 0, 3),
        "shield": _number("Blocked hits.", 0, 3),
        "cheese": _number("Cheese.", 0, 3),
    },
    '{ symbol = "bow", number = 2, star = false, melee = 0, ranged = 1, shield = 0, cheese = 0 }',
)

#: The die is one table with the header [die].
DIE = _kind(
    word="die",
    plural="die",
    cls=of.Die,
    most=1,
    meaning="The action die; every face is as likely as any other (M118).",
    fields={
        "faces": ListOf(_FACE, 6, meaning="Its six faces."),
    },
    is_single=True,
)

#: All other kinds of entries by the word in their headers, in the order in which all is written.
KINDS = {
    kind.word: kind
    for kind in (_HERO, _MINION, _ABILITY, _SEARCH_CARD, _ENCOUNTER, _TILE, _CHAPTER)
}

#: What a file may say at its top, so that commands for several games know whose it is.
GAME = "mice_and_mystics"
SCHEMA = Schema((*KINDS.values(), DIE), GAME, "Mice & Mystics")


def entries_of(facts: of.Facts) -> dict[str, tuple[of.Entry, ...]]:
    """All entries by the words of their kinds, the die first."""
    return {
        DIE.word: (facts.die,),
        **{word: getattr(facts, kind.plural) for word, kind in KINDS.items()},
    }
