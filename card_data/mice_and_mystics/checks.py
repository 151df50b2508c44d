"""What is wrong between entries: ids that nothing has, rooms that do not fit, numbers too large."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from card_data.faults import Fault, nearest, shown
from card_data.mice_and_mystics.entries import DIE, KINDS, SCHEMA, entries_of
from card_data.mice_and_mystics.facts import (
    Ability,
    Chapter,
    Effect,
    Encounter,
    Entry,
    Facts,
    Group,
    Hero,
    Link,
    Minion,
    RoomRule,
    SearchCard,
    Tile,
)
from card_data.mice_and_mystics.graphs import link_text
from card_data.mice_and_mystics.limits import BOSS_CARDS, COPIES, FIGURES, MAX_CLASSES, TILES
from card_data.mice_and_mystics.words import CLASSES, LOSSES, OPPOSITE
from card_data.names import plain_key
from card_data.schema.entry_reader import EntryReader
from card_data.schema.kinds import Key
from card_data.schema.loader import Found
from card_data.schema.value_reader import At
from card_data.toml_places import TomlPlaces

#: What an ability says that everybody may take.
ANY = "any"


def check_facts(found: Mapping[Key, Found], *, any_class: bool = False) -> None:
    """Notes everything that is wrong between entries at the reader of the entry that has it.

    With ``any_class`` cards may be for classes that no hero has any more.
    """
    checks = _Checks(found)
    checks.all_heroes &= not any_class
    checks.check_numbers()
    for key, one in found.items():
        if one.entry is not None:
            checks.check(key, one.entry)


def facts_faults(facts: Facts) -> list[Fault]:
    """What is wrong between the entries of facts that come from no file."""
    reader = EntryReader("", TomlPlaces(""), SCHEMA)
    found = {
        (word, entry.id): Found(reader, entry)
        for word, entries in entries_of(facts).items()
        for entry in entries
    }
    check_facts(found, any_class=True)
    return reader.faults


class _Checks:
    """The checks of one entry after the other, against all that there are."""

    def __init__(self, found: Mapping[Key, Found]) -> None:
        self.found = found
        #: Fields that could not be read in full, so that nothing may be lacking in them.
        self.faulty = {
            (fault.card_id, fault.field)
            for reader in {one.reader for one in found.values()}
            for fault in reader.faults
        }
        self.ids: dict[str, list[str]] = {word: [] for word in (*KINDS, DIE.word)}
        for word, entry_id in found:
            self.ids[word].append(entry_id)
        cards = [
            (("minion", one.entry.id), card.id)
            for one in found.values()
            if isinstance(one.entry, Minion)
            for card in one.entry.cards
        ]
        self.boss_cards = cards
        #: How often each name that a card of the track can have is given.
        self.cards_named = Counter((*self.ids["hero"], *self.ids["minion"], *(c for _, c in cards)))
        heroes = [one.entry for one in found.values() if isinstance(one.entry, Hero)]
        words = [word for hero in heroes for word in (*hero.classes, hero.extra_ability_class)]
        self.classes = list(dict.fromkeys((*CLASSES, *filter(None, words))))
        #: Whether all heroes can be read, so that an unknown class is a fault.
        self.all_heroes = len(heroes) == len(self.ids["hero"])

    def entry(self, word: str, entry_id: str) -> Entry | None:
        """An entry, as far as it could be read."""
        one = self.found.get((word, entry_id))
        return one.entry if one else None

    def fault(self, key: Key, field: str, problem: str, word: str = "", **more: object) -> None:
        """Notes a fault of a field of an entry, where a word stands in it."""
        path = (*key, field)
        if (plain_key(key[1]), field) in self.faulty:
            return
        allowed = more.get("allowed", ())
        assert isinstance(allowed, tuple)
        self.found[key].reader.fault(At(path), problem, word=word, allowed=allowed)

    def is_known(self, key: Key, field: str, word: str, kind: str, what: str = "") -> bool:
        """Whether there is an entry of a kind; noted if not."""
        if word in self.ids[kind]:
            return True
        problem = f"there is no {what or kind.replace('_', ' ')} {shown(word)}"
        self.fault(key, field, problem, word, allowed=tuple(self.ids[kind]))
        return False

    # ------------------------------------------------------------ all together

    def check_numbers(self) -> None:
        """Notes more entries of a kind than the engine has room for, and kinds without any."""
        for kind in (*KINDS.values(), DIE):
            ids = self.ids[kind.word]
            reader = next(iter(self.found.values())).reader
            if not ids:
                nothing = f"there are no {kind.plural.replace('_', ' ')}"
                nothing = "there is no die" if kind is DIE else nothing
                reader.note((), 0, f"{nothing}, without which nothing can be played")
            elif len(ids) > kind.most:
                self.too_many(kind.word, ids, kind.most, kind.plural.replace("_", " "))
        cards = [one.entry for one in self.found.values() if isinstance(one.entry, SearchCard)]
        if (copies := sum(card.count for card in cards)) > COPIES:
            problem = f"there are {copies} copies of search cards; {COPIES} are the most"
            self.fault(("search_card", cards[-1].id), "count", problem)
        if len(self.classes) > MAX_CLASSES:
            problem = f"the heroes have {len(self.classes)} classes; {MAX_CLASSES} are the most"
            self.fault(("hero", self.ids["hero"][-1]), "classes", problem)
        if len(self.boss_cards) > BOSS_CARDS:
            n = len(self.boss_cards)
            problem = f"bosses have {n} initiative cards together; {BOSS_CARDS} are the most"
            self.fault(self.boss_cards[-1][0], "cards", problem)
        self.check_pools()

    def too_many(self, word: str, ids: list[str], most: int, plural: str) -> None:
        """Notes that there are too many of a kind, at the first that is too much."""
        problem = f"there are {len(ids)} {plural}; the engine plays {most} at most"
        self.fault((word, ids[most]), "", problem)

    def check_pools(self) -> None:
        """Notes pools of figures that types do not agree on, or that are too large (M6)."""
        pools: dict[str, Minion] = {}
        for one in self.found.values():
            if isinstance(minion := one.entry, Minion):
                key = ("minion", minion.id)
                first = pools.setdefault(minion.figure_pool, minion)
                if first.figure_limit != minion.figure_limit:
                    problem = f"'{first.id}' of the same pool has {first.figure_limit} figures"
                    self.fault(key, "figure_limit", problem)
                if minion.token_limit is not None and minion.token_limit > minion.figure_limit:
                    problem = f"the pool has {minion.figure_limit} figures alone"
                    self.fault(key, "token_limit", problem)
        if (total := sum(minion.figure_limit for minion in pools.values())) > FIGURES:
            last = list(pools.values())[-1]
            problem = f"all pools together have {total} figures; {FIGURES} are the most (M6)"
            self.fault(("minion", last.id), "figure_limit", problem)

    # ------------------------------------------------------------ one by one

    def check(self, key: Key, entry: Entry) -> None:
        """Notes what is wrong with an entry in view of the others."""
        if isinstance(entry, Hero):
            self.check_hero(key, entry)
        elif isinstance(entry, Minion):
            self.check_minion(key, entry)
        elif isinstance(entry, Ability):
            self.check_classes(key, "classes", [one for one in entry.classes if one != ANY], ANY)
            self.check_classes(key, "cost_by_class", dict(entry.cost_by_class))
        elif isinstance(entry, SearchCard):
            self.check_classes(key, "requires", entry.requires)
        elif isinstance(entry, Encounter):
            for band in entry.bands:
                self.check_groups(key, "bands", band.minions)
            self.check_groups(key, "surge", entry.surge)
        elif isinstance(entry, Chapter):
            self.check_chapter(key, entry)

    def check_classes(self, key: Key, field: str, words: Iterable[str], *further: str) -> None:
        """Notes words that are neither a class of a hero nor a hero."""
        if self.all_heroes:
            allowed = tuple(dict.fromkeys((*further, *self.classes, *self.ids["hero"])))
            for word in words:
                if word not in allowed:
                    problem = f"{shown(word)} is neither a class of a hero nor the id of one"
                    self.fault(key, field, problem, word, allowed=allowed)

    def check_groups(self, key: Key, field: str, groups: Iterable[Group]) -> None:
        """Notes minions that nobody is."""
        for group in groups:
            self.is_known(key, field, group.type, "minion")

    def check_minion(self, key: Key, minion: Minion) -> None:
        """Notes an initiative card that no minion has, and who is summoned but nobody."""
        for effect in minion.abilities:
            if effect.op == "summon":
                self.is_known(key, "abilities", str(effect["minion"]), "minion")
        if minion.cards and (not minion.boss or len(minion.cards) == 1):
            problem = "a boss has two cards or more" if minion.boss else "only a boss has cards"
            self.fault(key, "cards", problem)
        powers = {"abilities": minion.abilities}
        powers["cards"] = tuple(one for card in minion.cards for one in card.abilities)
        for field, effects in powers.items():
            for one in effects:
                if one.op in {"pounce", "chase"} and minion.size != "token":
                    problem = f"'{one.op}' leads into full spaces, so it is for a token (M35)"
                    self.fault(key, field, problem, one.op)
        for card in minion.cards:
            if self.cards_named[card.id] > 1:
                problem = f"{shown(card.id)} is the id of another hero, minion or card, too"
                self.fault(key, "cards", problem, card.id)
        if self.is_known(key, "initiative_card", minion.initiative_card, "minion"):
            other = self.entry("minion", minion.initiative_card)
            if isinstance(other, Minion) and other.initiative_card != other.id:
                problem = f"'{other.id}' has the card of '{other.initiative_card}' itself"
                self.fault(key, "initiative_card", problem, other.id)

    def check_hero(self, key: Key, hero: Hero) -> None:
        """Notes gear that is not there, that the hero may not hold, or has no room for (M64)."""
        tail = [str(one["only"]) for one in hero.innate if one.op == "extra_paw_slot"]
        for card_id in tail:
            self.is_known(key, "innate", card_id, "search_card")
        slots: Counter[str] = Counter()
        lore = hero.lore + sum(self.worn(hero, "lore"))
        for card_id, copies in Counter(hero.starting_gear).items():
            if not self.is_known(key, "starting_gear", card_id, "search_card"):
                continue
            card = self.entry("search_card", card_id)
            if not isinstance(card, SearchCard):
                continue
            problem = ""
            if not card.slot:
                problem = f"'{card_id}' is no gear: its type is '{card.type}'"
            elif copies > card.count:
                problem = f"'{card_id}' is named {copies} times; there are {card.count} copies"
            elif card.requires and not {hero.id, *hero.classes} & set(card.requires):
                *others, last = card.requires
                whom = f"{', '.join(others)} or {last}" if others else last
                problem = f"'{card_id}' is for {whom} alone"
                for word in hero.classes:
                    if word not in CLASSES and (meant := nearest(word, card.requires)):
                        problem += f"; the class {shown(word)} may be a slip for '{meant}'"
            elif card.requires_lore > lore:
                problem = f"'{card_id}' asks for lore {card.requires_lore}"
            if problem:
                self.fault(key, "starting_gear", problem, card_id)
            held = max(0, copies - tail.count(card_id))
            slots[card.slot] += held * card.paws if card.slot == "paw" else copies
        full = [slot for slot, n in slots.items() if slot and n > (2 if slot == "paw" else 1)]
        for slot in full:
            problem = f"it does not fit into the slot '{slot}' all at once"
            self.fault(key, "starting_gear", problem)

    def worn(self, hero: Hero, op: str) -> Iterator[int]:
        """What the starting gear of a hero adds to a number."""
        for card_id in hero.starting_gear:
            card = self.entry("search_card", card_id)
            effects: tuple[Effect, ...] = card.effect if isinstance(card, SearchCard) else ()
            yield from (int(one["delta"]) for one in effects if one.op == op)

    # ------------------------------------------------------------ chapters

    def check_chapter(self, key: Key, chapter: Chapter) -> None:
        """Notes a chapter that cannot be played, or not to its end."""
        for field in ("allowed", "must_include"):
            for hero in getattr(chapter, field):
                self.is_known(key, field, hero, "hero")
        for hero in chapter.must_include:
            if hero in self.ids["hero"] and hero not in chapter.allowed:
                problem = f"'{hero}' is not among the heroes that are allowed"
                self.fault(key, "must_include", problem, hero, allowed=chapter.allowed)
        if len(chapter.allowed) < chapter.mice:
            problem = f"{len(chapter.allowed)} heroes are allowed; a party has {chapter.mice}"
            self.fault(key, "allowed", problem)
        if len(chapter.must_include) > chapter.mice:
            self.fault(key, "must_include", f"a party has {chapter.mice} heroes alone")
        if chapter.page_end <= chapter.page_start:
            problem = f"the chapter begins on page {chapter.page_start} and has to end later"
            self.fault(key, "page_end", problem)
        for way in LOSSES:
            if way not in chapter.lose:
                problem = f"'{way}' is missing; chapters that are not lost by it are not played yet"
                self.fault(key, "lose", problem)
        self.check_rooms(key, chapter)

    def check_rooms(self, key: Key, chapter: Chapter) -> None:
        """Notes rooms, links and spaces of a chapter that are not there or do not fit."""
        fields = {
            "start": [chapter.start.tile],
            "links": [tile for link in chapter.links for tile in (link.a, link.b)],
            "room_rules": [rule.tile for rule in chapter.room_rules],
            "win": [chapter.win.tile],
        }
        known = [self.is_known(key, "route", tile, "tile") for tile in chapter.route]
        known += [
            self.is_known(key, field, tile, "tile")
            for field, tiles in fields.items()
            for tile in dict.fromkeys(tiles)
            if tile not in chapter.route
        ]
        if len(chapter.tiles) > TILES:
            problem = f"the chapter has {len(chapter.tiles)} rooms; {TILES} are the most"
            self.fault(key, "links", problem)
        if all(known):
            self.check_links(key, chapter)
            self.check_route(key, chapter)
            self.check_groups(key, "start", chapter.start.minions)
            self.check_start(key, chapter)
            for rule in chapter.room_rules:
                self.check_rule(key, rule)
            win = chapter.win
            if win.op == "all_uncaptured_mice_on_space":
                self.check_space(key, "win", win.tile, win.space)
            elif win.space:
                self.fault(key, "win", f"'{win.op}' has no space", "space")

    def tile(self, tile_id: str) -> Tile | None:
        """A tile, as far as it could be read."""
        entry = self.entry("tile", tile_id)
        return entry if isinstance(entry, Tile) else None

    def check_space(self, key: Key, field: str, tile_id: str, space: str) -> None:
        """Notes a space that a tile does not have."""
        if tile := self.tile(tile_id):
            spaces = tuple(one.id for one in tile.spaces)
            if space not in spaces:
                problem = f"tile {tile_id} has no space {shown(space)}"
                self.fault(key, field, problem, space, allowed=spaces)

    def check_start(self, key: Key, chapter: Chapter) -> None:
        """Notes start spaces that are not there or do not hold the party."""
        start = chapter.start
        for space in start.mice_spaces:
            self.check_space(key, "start", start.tile, space)
        if tile := self.tile(start.tile):
            room = sum(one.capacity for one in tile.spaces if one.id in start.mice_spaces)
            there = {one.id for one in tile.spaces} >= set(start.mice_spaces)
            if there and room < chapter.mice:
                problem = f"the start spaces hold {room} mice; there are {chapter.mice}"
                self.fault(key, "start", problem, "mice_spaces")

    def check_rule(self, key: Key, rule: RoomRule) -> None:
        """Notes what a rule of a room lacks."""
        self.check_groups(key, "room_rules", rule.minions)
        if rule.op in {"preset_minions", "surge_minions"}:
            if not rule.minions:
                self.fault(key, "room_rules", f"'{rule.op}' needs minions", rule.op)
            return
        self.check_space(key, "room_rules", rule.tile, rule.space)
        if rule.op == "counter_cheese" and not rule.amount:
            self.fault(key, "room_rules", f"'{rule.op}' needs an amount", rule.op)

    def check_links(self, key: Key, chapter: Chapter) -> None:
        """Notes links that the tiles do not have, or that lead out by one exit twice."""
        used: dict[tuple[str, str], Link] = {}
        for link in chapter.links:
            for problem in self.link_problems(link):
                self.fault(key, "links", f"'{link_text(link)}': {problem}", link.a)
            for end in ((link.a, link.a_edge), (link.b, link.b_edge)):
                first = used.setdefault(end, link)
                if first is not link:
                    way = f"exit {end[1]}" if end[1] else "the flip space"
                    problem = f"{way} of tile {end[0]} leads elsewhere already"
                    self.fault(key, "links", f"'{link_text(link)}': {problem}", end[0])
        reached = {chapter.start.tile}
        for _ in chapter.links:
            for link in chapter.links:
                if reached & {link.a, link.b}:
                    reached |= {link.a, link.b}
        for tile in chapter.tiles:
            if tile not in reached:
                problem = f"no links lead from tile {chapter.start.tile} to tile {tile}"
                self.fault(key, "links", problem, tile)

    def link_problems(self, link: Link) -> Iterator[str]:
        """Why two tiles cannot be linked so."""
        a, b = self.tile(link.a), self.tile(link.b)
        if link.a == link.b:
            yield "a tile leads to itself"
        elif link.kind == "exit":
            if OPPOSITE[link.a_edge] != link.b_edge:
                yield f"{link.a_edge} touches {OPPOSITE[link.a_edge]}, not {link.b_edge}"
            for tile, edge in ((a, link.a_edge), (b, link.b_edge)):
                if tile is not None and edge not in [way.edge for way in tile.exits]:
                    has = ", ".join(way.edge for way in tile.exits) or "none"
                    yield f"tile {tile.id} has no exit {edge}; it has {has}"
        elif a is not None and b is not None:
            for tile in (a, b):
                if tile.flip is None:
                    yield f"tile {tile.id} has no flip space"
            if a.physical_tile != b.physical_tile:
                yield f"{a.id} and {b.id} are not sides of one tile: their physical tiles differ"

    def check_route(self, key: Key, chapter: Chapter) -> None:
        """Notes a route that does not lead from the start to the goal by links."""
        route = chapter.route
        if not route or route[0] != chapter.start.tile:
            problem = f"the route has to begin at the start, tile {chapter.start.tile}"
            self.fault(key, "route", problem)
        elif route[-1] != chapter.win.tile:
            problem = f"the route has to end where the chapter is won, on tile {chapter.win.tile}"
            self.fault(key, "route", problem)
        for tile, n in Counter(route).items():
            if n > 1:
                self.fault(key, "route", f"tile {tile} is there {n} times", tile)
        if (plain_key(key[1]), "links") in self.faulty:
            return
        linked = {frozenset((link.a, link.b)) for link in chapter.links}
        for a, b in pairwise(route):
            if a != b and frozenset((a, b)) not in linked:
                self.fault(key, "route", f"no link leads from tile {a} to tile {b}", b)
