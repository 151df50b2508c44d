"""Crowded positions, in which rules meet that rarely do in whole games, on two engines at once."""

import random
from collections import Counter
from functools import cache

import attrs

from card_data.mice_and_mystics.facts import BossCard, Effect, Facts, Group, Minion, RoomRule
from support.mice_and_mystics.counters import AT_THE_END, counter_names
from support.mice_and_mystics.game import base_box
from support.mice_and_mystics.lockstep import compare, seen
from support.mice_and_mystics.slow_table import SlowTable
from support.mice_and_mystics.state import PACK_LIMIT, SWITCHES, Box
from support.mice_and_mystics.table import (
    CHAPTER_1,
    STAND_IN,
    MinionAt,
    MouseAt,
    Position,
    SetUp,
    base_facts,
)

DECISIONS = 60  # after which a position is left


def play_position(seed: int, set_up: SetUp) -> Counter[str]:
    """Play a random position on both engines with random choices; how often each word was chosen.

    Both must offer the same entries on the same table, decision by decision.
    """
    rng = random.Random(seed)
    position = random_position(rng)
    other, slow = set_up(position, seed), SlowTable(position, seed)
    first = rng.choice([*position.mice, *slow.track])
    words: Counter[str] = Counter()
    history = [f"{first} acts"]
    for table in (other, slow):
        table.act(first)
    for _ in range(DECISIONS):
        compare(position, history, seen(other), seen(slow))
        if not slow.labels:
            break
        # A word first, so that the many places to go to do not crowd out the rest.
        words_now = sorted({label.split()[0] for label in slow.labels})
        word = rng.choice(words_now)
        if word in {"EQUIP", "SHARE"}:  # menus of their own, which take many decisions
            word = rng.choice(words_now)
        label = rng.choice([label for label in slow.labels if label.split()[0] == word])
        history.append(f"{slow.decider}: {label}")
        words[word] += 1
        other.take(label)
        slow.take(label)
    # The engines count an attack at its start and at its roll, and a position may stop in between.
    later = (*AT_THE_END, "attacks_by") if slow.labels else AT_THE_END
    names = [name for name in counter_names(base_box()) if not name.startswith(later)]
    compare(position, history, *({n: table.count(n) for n in names} for table in (other, slow)))
    return words


def random_position(rng: random.Random) -> Position:
    """Mice and minions close together, with gear, cards, abilities, cheese and wounds."""
    facts = powerful_facts() if rng.random() < 0.5 else None
    box = base_box() if facts is None else _powerful_box()
    chapter = box.chapters[rng.choice((CHAPTER_1, STAND_IN))]
    tile = rng.choice(chapter.tiles)
    party = rng.sample(list(box.heroes), chapter.mice)
    heroes = [name for name in box.heroes if name in party]
    cards = [card.id for card in box.cards.values() for _ in range(card.count)]
    for hero in heroes:
        for card in box.heroes[hero].starting_gear:
            cards.remove(card)
    rng.shuffle(cards)
    barred = {rule.space for rule in chapter.room_rules if rule.op == "minions_barred"}
    room = _Room(box, tile, rng)
    abilities = list(box.abilities)
    rng.shuffle(abilities)
    mice = {hero: _mouse(rng, box, hero, room, cards, abilities) for hero in heroes}
    if all(mouse.space is None for mouse in mice.values()):
        mice[heroes[0]] = MouseAt(room.space_for_small())
    minions = _minions(rng, box, room, barred)
    bosses = {name for name, kind in box.minions.items() if kind.cards}
    kinds = {box.minions[minion.type].initiative_card for minion in minions}
    track = [*heroes, *(card for card in box.initiative if card in kinds and card not in bosses)]
    for minion in minions:
        if cards_of_boss := [card.id for card in box.minions[minion.type].cards]:
            track += rng.sample(cards_of_boss, 2)
    rng.shuffle(track)
    encounters = list(box.encounters)
    rng.shuffle(encounters)
    others = [other for other in chapter.tiles if other != tile]
    return Position(
        chapter.id,
        tile,
        mice,
        minions,
        tuple(track),
        page=rng.randint(1, 4),
        wheel=rng.choice((0, 3, 5, 5)),
        face_up=encounters.pop() if rng.random() < 0.7 else None,
        search_deck=tuple(cards[: rng.choice((0, 2, 20))]),
        search_discard=tuple(cards[40:43]),
        encounter_deck=tuple(encounters[:3]),
        party_cards=tuple(c for c in ("disguises", "fish_hook", "grape") if rng.random() < 0.3),
        mousetraps=tuple(s for s in room.board_traps if rng.random() < 0.7),
        counter_cheese=rng.randint(0, 6) if tile == "3" else 0,
        explored=tuple(other for other in others if rng.random() < 0.3),
        switches={name: rng.choice(choices) for name, choices in SWITCHES.items()},
        knobs={"page_end": rng.choice((6, 12))},
        facts=facts,
    )


@cache
def _powerful_box() -> Box:
    return Box(powerful_facts())


@cache
def powerful_facts() -> Facts:
    """The base game with powers and room rules that it does not have itself."""
    facts = base_facts()
    more = {
        "rat_warrior": (Effect("star_shields_block_two"),),
        "elite_rat_warrior": (Effect("target_cannot_defend"),),
        "spider": (Effect("on_wound_status", (("status", "webbed"),)),),
        "cave_centipede": (Effect("summon", (("minion", "roach"), ("count", 2))),),
        "captain_vurst": (Effect("summon", (("minion", "rat_warrior"), ("count", 1))),),
    }
    minions = tuple(
        attrs.evolve(one, abilities=(*one.abilities, *more.get(one.id, ())))
        for one in facts.minions
    )
    boss = Minion(
        id="brodie",
        name="Brodie",
        confidence="assumed",
        source="a test",
        boss=True,
        rolls_cheese=False,
        battle=3,
        defense=1,
        life=1,
        move_dice=2,
        attack="melee",
        size="token",
        figure_pool="brodie",
        figure_limit=1,
        initiative_card="brodie",
        cards=(
            BossCard(id="brodie_pounce", abilities=(Effect("pounce"),)),
            BossCard(id="brodie_chase", defense=2, abilities=(Effect("chase"),)),
            BossCard(id="brodie_prowl", battle=2, life=2, attack="ranged", move_dice=1),
        ),
    )
    minions = (*minions, boss)
    groups = {"spider": 1, "rat_warrior": 2, "brodie": 1}
    spiders = tuple(Group(type=name, count=count) for name, count in groups.items())
    chapters = tuple(
        attrs.evolve(
            chapter,
            room_rules=(
                *chapter.room_rules,
                *(
                    RoomRule(tile=tile, op="surge_minions", minions=spiders)
                    for tile in chapter.tiles[::2]
                ),
            ),
        )
        for chapter in facts.chapters
    )
    return attrs.evolve(facts, minions=minions, chapters=chapters)


class _Room:
    """The spaces of a tile and what has been put on them so far."""

    def __init__(self, box: Box, tile: str, rng: random.Random) -> None:
        self.board = box.boards[tile]
        self.board_traps = [self.board.spaces[space] for space in self.board.mousetraps]
        self._rng = rng
        self._taken: Counter[int] = Counter()
        heart = rng.randrange(len(self.board.spaces))
        near = self.board.distance[heart]
        self._close = [i for i in range(len(self.board.spaces)) if near[i] <= 2]
        self._exits = [space for way in self.board.exits.values() for space in way]
        self._exits += [] if self.board.flip is None else [self.board.flip]

    def _any(self) -> int:
        return self._rng.choice(self._close)

    def space_for_small(self) -> str:
        """A space near the heart of the matter or an exit, while it has room, else anywhere."""
        for _ in range(40):
            at_exit = self._exits and self._rng.random() < 0.15
            space = self._rng.choice(self._exits) if at_exit else self._any()
            if self._taken[space] < self.board.capacity[space]:
                self._taken[space] += 1
                return self.board.spaces[space]
        self._close = list(range(len(self.board.spaces)))
        return self.space_for_small()

    def space_for_large(self) -> str:
        """An empty normal space."""
        while True:
            space = self._any()
            if not self._taken[space] and not self.board.special[space]:
                self._taken[space] += self.board.capacity[space]
                return self.board.spaces[space]
            self._close = list(range(len(self.board.spaces)))


def _mouse(
    rng: random.Random, box: Box, hero: str, room: _Room, cards: list[str], abilities: list[str]
) -> MouseAt:
    facts = box.heroes[hero]
    fate = rng.random()
    if fate < 0.1:
        return MouseAt(None, captured=True, cheese=0)
    names = {"any", hero, *facts.classes}
    fitting = [a for a in abilities if not names.isdisjoint(box.abilities[a].classes)]
    owned = fitting[: rng.randint(0, 3)]
    for ability in owned:
        abilities.remove(ability)
    pack = _take(rng, box, cards, ("trick",), 2) + _take(
        rng, box, cards, ("weapon", "armor", "accessory", "item", "scroll"), PACK_LIMIT
    )
    missing = fate > 0.95
    wounds = rng.randint(0, facts.life - 1)
    return MouseAt(
        None if missing else room.space_for_small(),
        wounds=wounds,
        poison=rng.randint(0, facts.life - 1 - wounds),
        cheese=rng.choice((0, 1, 3, 6, 9)),
        pack=tuple(pack),
        abilities=tuple(owned),
        missing=missing,
        stunned=rng.random() < 0.15,
        webbed=rng.random() < 0.1,
        knocked_down=not missing and rng.random() < 0.1,
        searched=rng.random() < 0.2,
    )


def _take(
    rng: random.Random, box: Box, cards: list[str], types: tuple[str, ...], most: int
) -> list[str]:
    """Take up to so many cards of these types out of the deck."""
    found = [card for card in cards if box.cards[card].type in types][: rng.randint(0, most)]
    for card in found:
        cards.remove(card)
    return found


def _minions(rng: random.Random, box: Box, room: _Room, barred: set[str]) -> tuple[MinionAt, ...]:
    """A few minions within the supply, none for one position in five."""
    if rng.random() < 0.2:
        return ()
    found = []
    pools: Counter[str] = Counter()
    greedy = rng.random() < 0.5
    for kind in rng.sample(box.minion_order, rng.randint(1, 3)):
        facts = box.minions[kind]
        if facts.figure_pool == "roach" and (kind == "greedy_roach") != greedy:
            continue
        limit = min(4, facts.figure_limit - pools[facts.figure_pool])
        for _ in range(min(limit, 1 if facts.boss else rng.randint(1, 4))):
            pools[facts.figure_pool] += 1
            large = facts.size == "large"
            space = room.space_for_large() if large else room.space_for_small()
            if space in barred:
                continue
            wounds = rng.randint(0, facts.life - 1)
            found.append(MinionAt(kind, space, wounds, not large and rng.random() < 0.2))
    return tuple(found)
