"""Facts, chapter and settings as integers: `compile_facts` fills the record of ``table.py``.

The record is an *argument* of the compiled engine: a changed hero, card, room, page or switch
compiles nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from card_data.mice_and_mystics.facts import OFF, Chapter, Effect, Facts, Group, Tile, by_id
from card_data.mice_and_mystics.settings import Settings, legal_parties
from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.limits import LINKS, PAGES, SPACES
from simcore.mice_and_mystics.table.odds import attack_points, blocks_at_most
from simcore.mice_and_mystics.table.table import SHOWN, TABLE, Table

# Rules that no data change.
_LAST_ROUND, _PACK_LIMIT, _LEVEL_COST = 400, 3, 6
_RATS, _ELITES, _ROACH_CARD = "rat_warrior", "elite_rat_warrior", "roach"
_FAR = SPACES
# Tiles of which ways are kept.
_TILES_KEPT = 64


class TableError(Exception):
    """The engine has no kernel for something in the facts."""


def compile_facts(facts: Facts, settings: Settings) -> Table:
    """The table of a chapter.

    Raises TableError for an operation, or a place of one, that the engine does not perform.
    """
    chapter = by_id(facts.chapters)[settings.chapter]
    tiles = [by_id(facts.tiles)[tile] for tile in chapter.tiles]
    ids = {
        "heroes": tuple(hero.id for hero in facts.heroes),
        "minions": tuple(minion.id for minion in facts.minions),
        # Cards of the track, those of mice apart: types, then cards of bosses that have several.
        "track": tuple(
            [minion.id for minion in facts.minions]
            + [card.id for minion in facts.minions for card in minion.cards]
        ),
        "cards": tuple(card.id for card in facts.search_cards),
        "abilities": tuple(ability.id for ability in facts.abilities),
        "encounters": tuple(card.id for card in facts.encounters),
        "tiles": tuple(tile.id for tile in tiles),
    }
    spaces = tuple(tuple(space.id for space in tile.spaces) for tile in tiles)
    rows = np.zeros(1, TABLE)
    row = rows[0]
    compiler = _Compiler(facts, settings, chapter, row, ids)
    compiler.compile_numbers()
    compiler.compile_heroes()
    compiler.compile_minions()
    compiler.compile_abilities()
    compiler.compile_cards()
    compiler.compile_encounters()
    for number, tile in enumerate(tiles):
        _compile_tile(row["tiles"][number], tile)
    compiler.compile_chapter(tiles)
    return Table(rows, facts, settings, ids, spaces)


class _Compiler:
    """Fills one record of TABLE."""

    def __init__(
        self,
        facts: Facts,
        settings: Settings,
        chapter: Chapter,
        row: Any,
        ids: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._facts, self._settings, self._chapter = facts, settings, chapter
        self._row, self._ids = row, ids
        self._n_effects = 0
        names = [*ids["heroes"], *(word for hero in facts.heroes for word in hero.classes)]
        self._words = {word: 1 << i for i, word in enumerate(dict.fromkeys(names))}

    def _mask(self, required: Iterable[str]) -> int:
        """The words that a list names; those that no hero has are nobody's."""
        return sum(self._words.get(word, 1 << 62) for word in dict.fromkeys(required))

    def compile_numbers(self) -> None:
        """Switches, knobs and the die."""
        row, settings, chapter = self._row, self._settings, self._chapter
        row["replays"] = row["fresh_from"] = 1
        row["page_start"] = chapter.page_start
        row["page_end"] = chapter.page_end if settings.page_end is None else settings.page_end
        row["wheel_size"] = settings.wheel_size
        row["cheese_at_start"] = settings.cheese_at_start
        row["last_round"], row["hand_limit"] = _LAST_ROUND, _PACK_LIMIT
        row["level_cost"] = _LEVEL_COST
        row["continues_round"] = settings.after_encounter == "continue_round"
        row["surges_late"] = settings.surge_timing == "after_attack"
        row["staff_is_melee"] = settings.staff_adjacent == "melee"
        row["order_by_index"] = settings.minion_order == "index"
        row["unlimited_range"] = settings.ranged_movement == "unlimited"
        row["trap_dice_lore"] = settings.tinkerer_trap_dice == "lore"
        row["goes_on_captured"] = settings.all_captured == "goes_on"
        row["gear_removed"] = settings.unused_gear == "removed"
        row["gear_moves_at_once"] = settings.gear_moves == "at_once"
        row["ignores_unseen"] = settings.unseen_neighbour == "ignored"
        row["places_together"] = settings.ranged_placement == "together"
        row["closes_goal"] = settings.barred_goal == "closed"
        row["picks_alike_once"] = settings.alike_drawn == "once"
        row["keeps_tail"] = settings.tail_cleared == "no"
        row["keeps_own_gear"] = settings.kept_gear == "own"
        row["finds_friend_as_well"] = settings.abduction_found == "as_well"
        for number, face in enumerate(self._facts.die.faces):
            counts = (face.melee, face.ranged, face.shield, face.cheese, face.star, face.number)
            row["faces"][number] = sum(int(n) << SHOWN * i for i, n in enumerate(counts))
        faces = self._facts.die.faces
        shields = [face.shield for face in faces]
        row["attack_points"][0] = attack_points([face.melee for face in faces], shields)
        row["attack_points"][1] = attack_points([face.ranged for face in faces], shields)
        row["blocks_at_most"] = blocks_at_most(faces)

    def compile_heroes(self) -> None:
        """Heroes and the parties that may be played."""
        row, settings = self._row, self._settings
        row["n_heroes"] = len(self._facts.heroes)
        for number, hero in enumerate(self._facts.heroes):
            one = row["heroes"][number]
            one["words"] = self._mask([hero.id, *hero.classes])
            for field in ("battle", "defense", "lore", "move"):
                one[field] = getattr(hero, field)
            one["life"] = hero.life + settings.life
            one["tinkers"] = "tinkerer" in hero.classes
            one["flips"] = bool({"tinkerer", "scamp"} & set(hero.classes))
            one["n_gear"] = len(hero.starting_gear)
            gear = [self._ids["cards"].index(card) for card in hero.starting_gear]
            one["gear"][: len(gear)] = gear
            one["tail_card"] = -1
            for effect in hero.innate:
                self._innate(one, effect)
        parties = [settings.party] if settings.party else legal_parties(self._facts, settings)
        row["n_parties"] = len(parties)
        for number, party in enumerate(parties):
            heroes = [self._ids["heroes"].index(hero) for hero in party]
            row["n_mice"], row["parties"][number, : len(party)] = len(party), heroes

    def _innate(self, one: Any, effect: Effect) -> None:
        """Something that a hero can do by nature."""
        if effect.op == "heal":
            one["heals"] = _amount(effect["amount"])
        elif effect.op == "pilfer":
            one["pilfers"] = effect["cheese"]
            one["pilfers_rat_from_wheel"] = effect["rat_takes_from"] == "wheel_then_supply"
            one["pilfers_other_from_wheel"] = effect["other_takes_from"] == "wheel_then_supply"
        elif effect.op == "extra_paw_slot":
            one["tail_card"] = self._ids["cards"].index(str(effect["only"]))
        elif effect.op == "immune_mousetrap":
            one["ignores_traps"] = 1
        elif effect.op == "may_search_for_party_item":
            one["finds_party_items"] = 1
        else:
            raise TableError(f"no hero can have the operation '{effect.op}' in this engine")

    def compile_minions(self) -> None:
        """Types of minions; bosses are last in the facts (M74)."""
        row, settings, types = self._row, self._settings, self._ids["minions"]
        row["n_minions"] = len(types)
        row["n_rows"] = len(self._ids["track"])
        behind = len(types)
        of_cards = []
        for minion in self._facts.minions:
            one = row["minions"][types.index(minion.id)]
            one["n_cards"], one["first_card"] = len(minion.cards), behind
            behind += len(minion.cards)
            of_cards += [minion.on(card) for card in minion.cards]
        for number, minion in enumerate((*self._facts.minions, *of_cards)):
            one = row["minions"][number]
            one["battle"] = max(0, minion.battle + settings.minion_dice)
            for field in ("defense", "life", "move_dice", "boss"):
                one[field] = getattr(minion, field)
            one["ranged"] = minion.attack == "ranged"
            one["large"] = minion.size == "large"
            one["token"] = minion.size == "token"
            one["silent"] = not minion.rolls_cheese
            one["pool"] = sum(
                1 << i
                for i, other in enumerate(self._facts.minions)
                if other.figure_pool == minion.figure_pool
            )
            one["pool_limit"] = minion.figure_limit
            most = minion.figure_limit if minion.token_limit is None else minion.token_limit
            one["limit"] = most
            several = minion.id if minion.cards else minion.initiative_card
            one["card"] = types.index(several)
            one["rat"] = "rat" in minion.tags
            covered = (_RATS, _ELITES) if settings.disguises_cover_elites == "yes" else (_RATS,)
            one["disguised_from"] = minion.id in covered
            one["roach"] = minion.initiative_card == _ROACH_CARD
            for effect in minion.abilities:
                if effect.op == "summon":
                    one["summoned"] = types.index(str(effect["minion"]))
                    one["summons"] = effect["count"]
                else:
                    _minion_power(one, effect)

    def compile_abilities(self) -> None:
        """Ability cards."""
        row = self._row
        row["n_abilities"] = len(self._facts.abilities)
        for number, ability in enumerate(self._facts.abilities):
            one = row["abilities"][number]
            one["words"] = -1 if "any" in ability.classes else self._mask(ability.classes)
            for h, hero in enumerate(self._facts.heroes):
                prices = [
                    n for word, n in ability.cost_by_class if word in (*hero.classes, hero.id)
                ]
                one["cost"][h] = min(prices, default=ability.cost)
            one["cost_most"] = ability.cost_most
            one["timing"] = timing = words.TIMING_WORDS.index(ability.timing)
            row["by_timing"][timing] |= 1 << number
            self._effects(one, ability.effect)

    def compile_cards(self) -> None:
        """Search cards."""
        row = self._row
        row["n_cards"] = len(self._facts.search_cards)
        row["token_cards"] = -1
        for number, card in enumerate(self._facts.search_cards):
            one = row["cards"][number]
            one["type"] = words.CARD_WORDS.index(card.type)
            one["count"] = card.count
            one["words"] = self._mask(card.requires)
            one["lore"] = card.requires_lore
            one["slot"] = words.SLOT_WORDS.index(card.slot) if card.slot else -1
            one["paws"] = card.paws
            one["attack"] = words.ATTACK_WORDS.index(card.attack)
            one["knife"] = "knife" in card.tags
            one["timing"] = words.TIMING_WORDS.index(card.timing) if card.timing else -1
            one["token"] = -1
            if card.type in ("scroll", "item"):
                one["timing"] = words.T_OWN_TURN
            if card.slot:
                for effect in card.effect:
                    _gear_effect(one, effect)
            else:
                self._effects(one, card.effect)
            if card.type == "party":
                one["token"] = token = words.TOKEN_WORDS.index(str(card.effect[0]["token"]))
                if row["token_cards"][token] < 0:
                    row["token_cards"][token] = number

    def _effects(self, one: Any, effects: Sequence[Effect]) -> None:
        """Write the effects of an ability or card that is used."""
        one["first_effect"], one["n_effects"] = self._n_effects, len(effects)
        for effect in effects:
            row = self._row["effects"][self._n_effects]
            self._n_effects += 1
            if effect.op not in words.OP_WORDS:
                raise TableError(f"the engine has no kernel for the operation '{effect.op}'")
            row["op"] = words.OP_WORDS.index(effect.op)
            row["amount"], row["more"] = _numbers_of(effect)
            reach = str(effect.get("scope") or "")
            if reach in ("", "this_attack") and effect.get("until") == "end_of_round":
                reach = "end_of_round"
            row["reach"] = words.REACH_WORDS.index(reach)

    def compile_encounters(self) -> None:
        """Encounter cards and the deck of the chapter (S14)."""
        row = self._row
        deck = [
            number
            for number, card in enumerate(self._facts.encounters)
            if self._settings.encounter_deck == "all" or not card.difficult
        ]
        row["n_encounters"] = len(deck)
        row["encounter_deck"][: len(deck)] = deck
        for number, card in enumerate(self._facts.encounters):
            one = row["encounters"][number]
            for page in range(PAGES):
                fitting = [
                    band
                    for band in card.bands
                    if band.first <= page and (band.last is None or page <= band.last)
                ]
                band = fitting[0] if fitting else card.bands[-1 if page else 0]
                self._count(one["places"][page], band.minions)
            self._count(one["surge"], card.surge)
            one["mousetraps"], one["ambush"] = card.mousetraps, card.ambush

    def _count(self, row: npt.NDArray[np.int64], groups: Iterable[Group]) -> None:
        """Write numbers of minions by type."""
        for group in groups:
            row[self._ids["minions"].index(group.type)] += group.count

    def compile_chapter(self, tiles: Sequence[Tile]) -> None:
        """Start, rooms, links, the way along the route, and when the chapter is won."""
        row, chapter = self._row, self._chapter
        numbers = {tile.id: number for number, tile in enumerate(tiles)}
        places = {tile.id: [space.id for space in tile.spaces] for tile in tiles}
        row["n_tiles"], row["n_route"] = len(tiles), len(chapter.route)
        row["start_tile"] = numbers[chapter.start.tile]
        spaces = places[chapter.start.tile]
        row["start_spaces"] = sum(1 << spaces.index(s) for s in chapter.start.mice_spaces)
        self._count(row["start_minions"], chapter.start.minions)
        row["start_explored"] = chapter.start.explored
        row["win"] = words.WIN_WORDS.index(chapter.win.op)
        row["win_tile"] = numbers[chapter.win.tile]
        row["win_without_minions"] = chapter.win.requires_no_minions
        if chapter.win.space:
            row["win_space"] = places[chapter.win.tile].index(chapter.win.space)
        for tile in tiles:
            one = row["tiles"][numbers[tile.id]]
            one["counter_space"] = one["way_on"] = -1
            one["route_place"] = chapter.route.index(tile.id) if tile.id in chapter.route else -1
            per_tile = self._settings.search_once_per == "physical_tile"
            same = [numbers[t.id] for t in tiles if t.physical_tile == tile.physical_tile]
            one["searched_bit"] = 1 << (same[0] if per_tile else numbers[tile.id])
            for link in one["links"]:
                link["tile"] = -1
        for rule in chapter.room_rules:
            one = row["tiles"][numbers[rule.tile]]
            if rule.op == "counter_cheese":
                one["counter_space"] = places[rule.tile].index(rule.space)
                one["counter_amount"] = rule.amount
            elif rule.op == "minions_barred":
                one["barred"] |= 1 << places[rule.tile].index(rule.space)
            elif rule.op == "preset_minions":
                one["preset"] = 1
                self._count(one["presets"], rule.minions)
            elif rule.op == "surge_minions":
                one["own_surge"] = 1
                self._count(one["surge"], rule.minions)
            else:
                raise TableError(f"the engine has no kernel for the room rule '{rule.op}'")
        by_tile = {tile.id: tile for tile in tiles}
        for link in chapter.links:
            for here, there, edge, back in (
                (link.a, link.b, link.a_edge, link.b_edge),
                (link.b, link.a, link.b_edge, link.a_edge),
            ):
                _compile_link(
                    row["tiles"][numbers[here]], by_tile[here], by_tile[there], edge, back
                )["tile"] = numbers[there]
        for tile in tiles:
            self._compile_way(row["tiles"], numbers, tile)

    def _compile_way(self, rows: Any, numbers: Mapping[str, int], tile: Tile) -> None:
        """The link towards the next room of the route, and how far each space is from it."""
        row, route = self._row, [numbers[one] for one in self._chapter.route]
        here = numbers[tile.id]
        one = rows[here]
        # The next room; from a room off the route back to it.
        later = route[route.index(here) + 1 :][:1] if here in route else route
        for place in range(LINKS):
            if one["links"][place]["tile"] in later:
                one["way_on"] = place
                break
        if one["way_on"] >= 0:
            goal = int(one["links"][one["way_on"]]["spaces"])
        elif here == row["win_tile"] and row["win"] == words.WIN_ON_SPACE:
            goal = 1 << int(row["win_space"])
        else:
            one["exit_distance"] = 0
            return
        one["exit_distance"] = _exit_distances(tile, goal)


def _amount(value: Any) -> int:
    return int(words.ALL) if value == "all" else int(value)


def _numbers_of(effect: Effect) -> tuple[int, int]:
    """``amount`` and ``more`` of an effect, by its operation.

    ``more`` is: for `heal` 1 where it heals each mouse; for `draw_keep` how many are kept; for the
    bolt 1 where it needs no line of sight; for inspiring how often each mouse may pay; for
    `magic_attack_each` the dice; for cheese of an event, to whom.
    """
    op, get = effect.op, effect.get
    if op in ("battle", "defense", "target_defense", "search_dice"):
        return int(effect["delta"]), 0
    if op == "battle_multiply":
        return int(effect["factor"]), 0
    if op == "heal":
        return _amount(effect["amount"]), int(get("targets") == "each")
    if op == "cure_poison_or_status":
        return int(effect["per_cheese"]), 0
    if op == "draw_keep":
        return int(effect["draw"]), int(get("keep", 1) or 1)
    if op == "magic_ranged_attack":
        return 0, int(bool(get("ignore_los")))
    if op == "magic_attack_each":
        return 0, int(effect["battle"])
    if op in ("magic_hits", "place_trap_on_space"):
        return int(effect["hits"]), 0
    if op == "party_may_pay_for_action":
        return int(effect["cheese"]), int(get("times_per_mouse", 1) or 1)
    if op == "minion_type_skips_turn":
        return int(get("times", 1) or 1), 0
    if op in ("prevent_wounds", "wound"):
        return int(effect["amount"]), 0
    if op == "cheese":
        to_wheel = effect["to"] == "wheel"
        return int(effect["amount"]), int(words.TO_WHEEL if to_wheel else words.TO_SEARCHER)
    if op == "party_token":
        return words.TOKEN_WORDS.index(str(effect["token"])), 0
    return 0, 0


def _gear_effect(one: Any, effect: Effect) -> None:
    """What a piece of gear adds while it is equipped."""
    fields = {
        "battle": "battle",
        "defense": "defense",
        "move": "move",
        "lore": "adds_lore",
        "battle_if_target_other_space": "battle_elsewhere",
        "battle_vs_large": "battle_vs_large",
        "battle_per_other_wounded_mouse_same_space": "battle_per_wounded",
        "target_defense_if_lower_on_track": "lower_defense",
    }
    flags = {
        "melee_when_same_space": "melee_in_space",
        "defender_cheese_to_attacker": "cheese_to_attacker",
        "cheese_in_defense_may_wound_attacker": "cheese_wounds",
    }
    if effect.op in fields:
        one[fields[effect.op]] += int(effect["delta"])
    elif effect.op in flags:
        one[flags[effect.op]] = 1
    else:
        raise TableError(f"no gear can have the operation '{effect.op}' in this engine")


def _minion_power(one: Any, effect: Effect) -> None:
    """What a type of minion can do."""
    flags = {
        "poison_wounds": "poisons",
        "target_cannot_defend": "cannot_be_blocked",
        "star_shields_block_two": "doubles_shields",
        "pounce": "pounces",
        "chase": "chases",
        "aggressive": "aggressive",
        "cheese_rolled_attacking_is_extra_attack": "attacks_by_cheese",
    }
    if effect.op == "steal_cheese":
        one["steals"] = effect["per_wound"]
        one["steals_for_wheel"] = effect["to"] == "wheel"
    elif effect.op == "on_wound_status":
        one["webs" if effect["status"] == "webbed" else "stuns"] = 1
    elif effect.op in flags:
        one[flags[effect.op]] = 1
    else:
        raise TableError(f"no minion can have the operation '{effect.op}' in this engine")


def _compile_tile(one: Any, tile: Tile) -> None:
    """Fill the record of a side of a tile with its graph."""
    number = {space.id: i for i, space in enumerate(tile.spaces)}
    n = len(number)
    one["n_spaces"], one["spaces"] = n, (1 << n) - 1
    one["current"] = -1
    one["has_red_lines"] = bool(tile.red_lines)
    for i, space in enumerate(tile.spaces):
        one["capacity"][i] = space.capacity
        one["water"] |= space.water << i
        one["special"] |= space.special_area << i
    if tile.red_lines:
        one["bordered"] = one["special"]
    one["traps"] = sum(1 << number[space] for space in tile.mousetrap_spaces)
    one["entries"] = sum(1 << number[space] for space in tile.minion_entry)
    for edge in tile.edges:
        for a, b, cost in ((edge.a, edge.b, edge.cost_ab), (edge.b, edge.a, edge.cost_ba)):
            field = {1: "cheap", 3: "dear"}.get(cost)
            if field is None:
                raise TableError(f"tile {tile.id}: an edge costs 1 or 3, not {cost}")
            one[field][number[a]] |= 1 << number[b]
            one["near"][number[a]] |= 1 << number[b]
            one["around"][number[a]] |= 1 << number[b]
    for a, b in tile.red_lines:
        for c, d in ((number[a], number[b]), (number[b], number[a])):
            one["red"][c] |= 1 << d
            one["around"][c] |= 1 << d
    one["seen"][:n] = (1 << n) - 1
    for a, b in tile.no_line_of_sight:
        one["seen"][number[a]] &= ~(1 << number[b])
        one["seen"][number[b]] &= ~(1 << number[a])
    for a, b in tile.current:
        one["current"][number[a]] = SPACES if b == OFF else number[b]
        if b != OFF:
            one["flows_from"][number[b]] |= 1 << number[a]
    for entry in tile.minion_entry:
        one["near_entries"] |= one["around"][number[entry]]
    one["near_entries"] &= ~one["entries"]
    one["d0"][:n] = _all_steps(tuple(one["around"].tolist()), n)


# Variants of a game have the same tiles.
@lru_cache(_TILES_KEPT)
def _all_steps(around: tuple[int, ...], n: int) -> list[list[int]]:
    """Steps from each of ``n`` spaces to every space."""
    return [_steps(around, start) for start in range(n)]


def _steps(around: Sequence[int], start: int) -> list[int]:
    """Steps from a space to each other one, _FAR where there is no way."""
    steps = [_FAR] * SPACES
    steps[start] = 0
    waiting = [start]
    for space in waiting:
        left = around[space]
        while left:
            other = (left & -left).bit_length() - 1
            left &= left - 1
            if steps[other] == _FAR:
                steps[other] = steps[space] + 1
                waiting.append(other)
    return steps


@lru_cache(_TILES_KEPT)
def _exit_distances(tile: Tile, goal: int) -> list[int]:
    """Cheapest cost of a mouse from each space to the goals (section 24), _FAR = no way.

    Over listed edges, ignoring figures and traps; water is only where a way starts, or ends.
    """
    number = {space.id: i for i, space in enumerate(tile.spaces)}
    distance = [0 if goal >> i & 1 else _FAR for i in range(SPACES)]
    ways = [
        (number[a], number[b], cost)
        for edge in tile.edges
        for a, b, cost in ((edge.a, edge.b, edge.cost_ab), (edge.b, edge.a, edge.cost_ba))
        if goal >> number[b] & 1 or not tile.spaces[number[b]].water
    ]
    nearer = True
    while nearer:
        nearer = False
        for a, b, cost in ways:
            if distance[b] < _FAR and distance[b] + cost < distance[a]:
                distance[a], nearer = distance[b] + cost, True
    return distance


def _compile_link(one: Any, here: Tile, there: Tile, edge: str, back: str) -> Any:
    """Fill the record of a way out of ``here``, which leads into ``there``; the record."""
    spaces = {space.id: i for i, space in enumerate(here.spaces)}
    arrivals = {space.id: i for i, space in enumerate(there.spaces)}
    if edge:
        row = one["links"][words.LINK_WORDS.index(edge)]
        out = next(way.spaces for way in here.exits if way.edge == edge)
        into = next(way.spaces for way in there.exits if way.edge == back)
    else:
        assert here.flip is not None
        assert there.flip is not None
        row = one["links"][words.FLIP]
        out, into = (here.flip.space,), (there.flip.space,)
        row["requires"] = words.FLIP_WORDS.index(here.flip.requires)
        row["flip"] = 1
    row["spaces"] = sum(1 << spaces[space] for space in out)
    row["arrival"] = sum(1 << arrivals[space] for space in into)
    for edge_of in there.edges:
        for a, b in ((edge_of.a, edge_of.b), (edge_of.b, edge_of.a)):
            if a in into and b not in into:
                row["near_arrival"] |= 1 << arrivals[b]
    return row
