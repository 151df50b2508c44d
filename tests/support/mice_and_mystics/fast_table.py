"""The fast engine behind the façade of ``table.py``: positions are written into its state."""

from functools import lru_cache
from typing import Any

import numpy as np

from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import RULE_OF, Settings, read_settings
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.records import counter_names
from simcore.mice_and_mystics.table.steps import NEXT_CARD
from simcore.mice_and_mystics.table.table import Table
from support.mice_and_mystics.table import (
    MinionAt,
    MinionSeen,
    MouseAt,
    MouseSeen,
    Position,
    base_facts,
)
from support.random_twin import RandomStream, _mix

PLAYERS = {"U": "uniform", "C": "category", "H": "heuristic"}
_KNOBS = {"start_cheese": "cheese_at_start"}
# Words of section 22 that are called otherwise in settings.
_VALUES = {"max(move,lore)": "higher"}


@lru_cache(32)
def compiled(facts: Facts | None, settings: Settings) -> Table:
    return compile_facts(base_facts() if facts is None else facts, settings)


@lru_cache(32)
def _places(table: Table) -> dict[str, tuple[str, int]]:
    """Where the record holds each counter."""
    return {name: (field, place) for name, field, place in counter_names(table.ids)}


def table_of(chapter: str, *switches: str) -> Table:
    """The table of a chapter of the base game with some switches and knobs, as in "page_end=7"."""
    return compiled(None, read_settings(base_facts(), chapter, (), switches))


def settings_of(
    chapter: str, party: tuple[str, ...], switches: dict[str, str], knobs: dict[str, int]
) -> Settings:
    """Settings whose switches are called S1 … S22."""
    by_rule = {rule: name for name, rule in RULE_OF.items()}
    given: dict[str, Any] = {_KNOBS.get(name, name): value for name, value in knobs.items()}
    for rule, value in switches.items():
        words = {"yes": "loses", "no": "goes_on"} if rule == "S10" else _VALUES
        given[by_rule[rule]] = words.get(value, value)
    return Settings(chapter=chapter, party=party, **given)


def _bits(mask: int) -> list[int]:
    """The numbers in a mask, rising."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


class FastLook:
    """What can be seen of a game of the fast engine."""

    def __init__(self, table: Table, game: Game) -> None:
        self._compiled, self._game = table, game
        self._ids = table.ids
        self._thinker: Game | None = None
        self._state: Any = game.state
        self._party = tuple(
            self._ids["heroes"][hero] for hero in self._state["hero"][: table.n_mice]
        )

    def best(self) -> list[int]:
        """The entries among which H chooses, by index."""
        if self._thinker is None:
            self._thinker = Game(self._compiled, players=("heuristic",))
        self._thinker.states[:] = self._game.states
        self._thinker.choose()
        points = self._thinker.state["points"][: len(self._game.options)]
        return [int(i) for i in np.flatnonzero(points > points.max() - 1e-9)]

    @property
    def heroes(self) -> tuple[str, ...]:
        return self._party

    @property
    def labels(self) -> list[str]:
        return self._game.labels

    @property
    def decider(self) -> str | None:
        if self._game.labels[1:2] == ["DISGUISES"]:
            return None
        return self._game.decider

    @property
    def outcome(self) -> str | None:
        outcome = self._game.outcome
        return None if outcome is None else outcome.name.lower()

    def mouse(self, hero: str) -> MouseSeen:
        state, mouse, cards = self._state, self._party.index(hero), self._ids["cards"]
        space = int(state["space"][mouse])
        packed = state["pack"][mouse, : state["n_pack"][mouse]].tolist()
        owned = int(state["abilities"][mouse])
        return MouseSeen(
            space=self._spaces[space] if space >= 0 else None,
            wounds=int(state["wounds"][mouse]),
            poison=int(state["poison"][mouse]),
            cheese=int(state["cheese"][mouse]),
            equipped=tuple(
                sorted(cards[card] for card in state["slots"][mouse].tolist() if card >= 0)
            ),
            pack=tuple(sorted(cards[card] for card in packed)),
            abilities=tuple(sorted(self._ids["abilities"][i] for i in _bits(owned))),
            captured=bool(int(state["captured"]) >> mouse & 1),
            missing=bool(int(state["missing"]) >> mouse & 1),
            stunned=bool(int(state["stunned"]) >> mouse & 1),
            webbed=bool(int(state["webbed"]) >> mouse & 1),
            knocked_down=bool(int(state["down"]) >> mouse & 1),
        )

    @property
    def _spaces(self) -> tuple[str, ...]:
        return self._compiled.spaces[int(self._state["tile"])]

    @property
    def minions(self) -> list[MinionSeen]:
        state, spaces, types = self._state, self._spaces, self._ids["minions"]
        knocked = int(state["knocked"])
        return [
            MinionSeen(
                figure,
                types[state["type"][figure]],
                spaces[state["figure_space"][figure]],
                int(state["damage"][figure]),
                bool(knocked >> figure & 1),
            )
            for figure in _bits(int(state["figures"]))
        ]

    @property
    def tile(self) -> str:
        return self._ids["tiles"][int(self._state["tile"])]

    @property
    def track(self) -> list[str]:
        cards = self._state["track"][: self._state["n_track"]]
        return [
            self._party[card] if card < MICE else self._ids["track"][card - MICE] for card in cards
        ]

    @property
    def page(self) -> int:
        return int(self._state["page"])

    @property
    def wheel(self) -> int:
        return int(self._state["wheel"])

    @property
    def round(self) -> int:
        return int(self._state["round"])

    @property
    def face_up(self) -> str | None:
        card = int(self._state["face_up"])
        return self._ids["encounters"][card] if card >= 0 else None

    @property
    def party_cards(self) -> list[str]:
        row = self._compiled.rows[0]
        cards = zip(row["token_cards"], self._state["tokens"], strict=True)
        return sorted(self._ids["cards"][card] for card, n in cards for _ in range(n))

    @property
    def mousetraps(self) -> list[str]:
        return self._mask("mousetraps")

    @property
    def set_traps(self) -> list[str]:
        return self._mask("set_traps")

    def _mask(self, field: str) -> list[str]:
        return [self._spaces[i] for i in _bits(int(self._state[field]))]

    @property
    def counter_cheese(self) -> int:
        return int(self._state["counter"].sum())

    @property
    def search_deck(self) -> list[str]:
        state = self._state
        cards = state["deck"][state["deck_first"] : state["deck_end"]]
        return [self._ids["cards"][card] for card in cards]

    @property
    def search_discard(self) -> list[str]:
        cards = self._state["discards"][: self._state["n_discards"]]
        return [self._ids["cards"][card] for card in cards]

    def distance(self, a: str, b: str) -> int:
        tile = self._compiled.rows[0]["tiles"][int(self._state["tile"])]
        spaces = self._spaces
        return int(tile["d0"][spaces.index(a), spaces.index(b)])

    def count(self, name: str) -> int:
        field, place = _places(self._compiled)[name]
        return int(counter_values(self._game.records, field, place)[0])


def counter_values(games: np.ndarray, field: str, place: int) -> np.ndarray:
    """The values of a counter of `counter_names` in some games, shape (n_games,)."""
    values = games[field]
    if field in ("dealt", "owned"):  # a bit for each ability
        return values >> place & 1
    if field == "first_e":
        return (values == place).astype(np.int64)
    return values if place < 0 else values[:, place]


class FastTable(FastLook):
    """A game of the fast engine that goes on from a position."""

    def __init__(self, position: Position, seed: int) -> None:
        facts = base_facts() if position.facts is None else position.facts
        heroes = [hero.id for hero in facts.heroes]
        party = tuple(sorted(position.mice, key=heroes.index))
        settings = settings_of(
            position.chapter, party, dict(position.switches), dict(position.knobs)
        )
        table = compiled(position.facts, settings)
        super().__init__(table, Game(table, seed=seed))
        number = self._ids["tiles"].index(position.tile)
        self._row: Any = self._compiled.rows[0]["tiles"][number]
        self._names = list(self._compiled.spaces[number])
        self._empty(position, seed, number)
        self._track = position.track
        for mouse, hero in enumerate(party):
            self._lay_mouse(mouse, position.mice[hero])
        for figure, minion in enumerate(position.minions):
            self._lay_minion(figure, minion)
        self._lay_track(position)

    def _empty(self, position: Position, seed: int, tile: int) -> None:
        """Everything but figures and the track."""
        state, cards = self._state, self._ids["cards"]
        self._game.states[0] = np.zeros((), state.dtype)
        self._game.records[0] = np.zeros((), self._game.records.dtype)
        for purpose in (1, 2):
            counter = RandomStream(seed, 0, purpose)._counter
            state["streams"][purpose] = counter, _mix(counter)
        state["page"], state["wheel"], state["round"] = position.page, position.wheel, 1
        state["tile"] = tile
        state["explored"] = 1 << tile
        for other in position.explored:
            state["explored"] |= 1 << self._ids["tiles"].index(other)
        place = int(self._row["route_place"])
        state["route_depth"] = place + 1 if place >= 0 else 1
        state["greedy"] = state["acting"] = state["pay_cost"] = state["face_up"] = -1
        encounters = self._ids["encounters"]
        if position.face_up is not None:
            state["face_up"] = encounters.index(position.face_up)
        for card, cards_of in (("deck", position.search_deck), ("events", position.encounter_deck)):
            ids = cards if card == "deck" else encounters
            state[card][: len(cards_of)] = [ids.index(one) for one in cards_of]
            state[f"{card}_end"] = len(cards_of)
        state["discards"][: len(position.search_discard)] = [
            cards.index(one) for one in position.search_discard
        ]
        state["n_discards"] = len(position.search_discard)
        for card in position.party_cards:
            state["tokens"][self._compiled.rows[0]["cards"][cards.index(card)]["token"]] += 1
        for space in position.mousetraps:
            state["mousetraps"] |= 1 << self._names.index(space)
        state["counter"][tile] = position.counter_cheese
        state["hero"] = state["space"] = -1
        state["slots"] = words.EMPTY
        state["frame"][0, 0] = NEXT_CARD
        record = self._game.records[0]
        record["rounds"] = 1
        for name in ("first_e", "first_level_up_round", "page_at_entry_kitchen"):
            record[name] = -1
        record["page_at_entry"] = record["round_at_entry"] = -1

    def _lay_mouse(self, mouse: int, at: MouseAt) -> None:
        state, cards, row = self._state, self._ids["cards"], self._compiled.rows[0]
        hero = self._ids["heroes"].index(self._party[mouse])
        state["hero"][mouse] = hero
        for field in ("wounds", "poison", "cheese"):
            state[field][mouse] = getattr(at, field)
        flags = (
            ("captured", "captured"),
            ("missing", "missing"),
            ("stunned", "stunned"),
            ("webbed", "webbed"),
        )
        for field, name in (*flags, ("down", "knocked_down")):
            state[field] |= getattr(at, name) << mouse
        for ability in at.abilities:
            state["abilities"][mouse] |= 1 << self._ids["abilities"].index(ability)
        if at.searched:
            state["searched"][mouse] |= self._row["searched_bit"]
        state["slots"][mouse] = words.EMPTY
        gear = row["heroes"][hero]
        worn = [cards[card] for card in gear["gear"][: gear["n_gear"]]]
        for card in worn if at.equipped is None else at.equipped:
            self._equip(mouse, cards.index(card), int(gear["tail_card"]))
        pack = sorted(cards.index(card) for card in at.pack)
        state["pack"][mouse, : len(pack)] = pack
        state["n_pack"][mouse] = len(pack)
        for card in pack:
            if row["cards"][card]["type"] == words.A_TRICK:
                state["trick_timings"][mouse] |= 1 << int(row["cards"][card]["timing"])
            else:
                state["n_things"][mouse] += 1
        state["space"][mouse] = -1
        if at.space is not None:
            space = self._names.index(at.space)
            state["space"][mouse] = space
            state["active"] |= 1 << mouse
            state["mice_at"][space] |= 1 << mouse
            state["with_mice"] |= 1 << space
            self._weigh(space, 1)

    def _equip(self, mouse: int, card: int, tail_card: int) -> None:
        """Put a card where it fits."""
        state, row = self._state, self._compiled.rows[0]["cards"][card]
        slots, slot = state["slots"][mouse], int(row["slot"])
        if slot == words.PAW:
            if card == tail_card and slots[words.TAIL] == words.EMPTY:
                slot = int(words.TAIL)
            elif slots[words.PAW] != words.EMPTY:
                slot = int(words.OTHER_PAW)
        assert slots[slot] == words.EMPTY
        slots[slot] = card
        if row["paws"] == 2:
            slots[words.OTHER_PAW] = words.TAKEN
        if row["type"] != words.WEAPON:
            state["gear_battle"][mouse] += row["battle"]
        state["gear_defense"][mouse] += row["defense"]
        state["gear_move"][mouse] += row["move"]
        state["gear_lore"][mouse] += row["adds_lore"]

    def _lay_minion(self, figure: int, at: MinionAt) -> None:
        state = self._state
        kind, space = self._ids["minions"].index(at.type), self._names.index(at.space)
        rows = self._compiled.rows[0]["minions"]
        if rows[kind]["card"] != kind:
            state["greedy"] = kind
            for other in range(figure):
                if rows[state["type"][other]]["card"] == rows[kind]["card"]:
                    state["of_type"][state["type"][other]] -= 1
                    state["of_type"][kind] += 1
                    state["type"][other] = kind
        elif state["greedy"] >= 0 and rows[state["greedy"]]["card"] == kind:
            kind = int(state["greedy"])
        state["figures"] |= 1 << figure
        state["knocked"] |= at.knocked_down << figure
        state["type"][figure] = kind
        state["figure_space"][figure] = space
        state["damage"][figure] = at.wounds
        state["of_type"][kind] += 1
        state["minions_at"][space] |= 1 << figure
        state["with_minions"] |= 1 << space
        special = int(self._row["special"]) >> space & 1
        large = 4 if special else int(self._row["capacity"][space])
        if rows[kind]["token"]:
            state["tokens_there"] |= 1 << figure
        else:
            self._weigh(space, large if rows[kind]["large"] else 1)
        first, n = int(rows[kind]["first_card"]), int(rows[kind]["n_cards"])
        own = [*range(first, first + n)]
        listed = [row for row in own if self._ids["track"][row] in (self._track or ())]
        for row in listed or own[:2]:
            state["boss_cards"] |= 1 << MICE + row

    def _weigh(self, space: int, more: int) -> None:
        self._state["load"][space] += more
        if self._state["load"][space] >= self._row["capacity"][space]:
            self._state["full"] |= 1 << space

    def _lay_track(self, position: Position) -> None:
        state = self._state
        track = position.track
        if track is None:
            kinds = self._state["of_type"].nonzero()[0]
            rows = self._compiled.rows[0]["minions"]
            cards = {int(rows[kind]["card"]) for kind in kinds if not rows[kind]["n_cards"]}
            cards |= {card - MICE for card in _bits(int(state["boss_cards"]))}
            minions = [self._ids["track"][card] for card in sorted(cards)]
            track = (*position.mice, *minions)
        state["track"][: len(track)] = [self._card(card) for card in track]
        state["n_track"] = len(track)

    def _card(self, name: str) -> int:
        """The number of a card of the track."""
        if name in self._party:
            return self._party.index(name)
        return MICE + self._ids["track"].index(name)

    def act(self, card: str) -> None:
        track = self.track
        above = [self._card(one) for one in track[: track.index(card)]]
        self._state["acted"] = sum(1 << one for one in above)
        self._game.go_on()

    def take(self, label: str) -> None:
        labels = self.labels
        if label not in labels:
            raise ValueError(f"{label!r} is not among {labels}")
        self._game.step(labels.index(label))

    def dice(self, *faces: int) -> None:
        state = self._state
        first, n = int(state["next_scripted"]), int(state["n_scripted"])
        coming = [*state["scripted"][first : first + n], *faces]
        state["scripted"][: len(coming)] = coming
        state["next_scripted"], state["n_scripted"] = 0, len(coming)

    @property
    def dice_left(self) -> int:
        return int(self._state["n_scripted"])


class FastSide(FastLook):
    """A whole game of the fast engine."""

    def __init__(self, setting: Any) -> None:
        party = setting.party or ()
        settings = settings_of(
            setting.chapter, tuple(party), dict(setting.switches), dict(setting.knobs)
        )
        table = compiled(setting.facts, settings)
        player = f"{PLAYERS[setting.player[0]]}{setting.player[1:]}"
        game = Game(table, seed=setting.seed, game=setting.game, players=(player,))
        super().__init__(table, game)

    def choose(self, index: int) -> None:
        self._game.step(index)

    def pick(self) -> int:
        return self._game.choose()

    def record(self) -> dict[str, Any]:
        record = self._game.record
        named = {name: self.count(name) for name in _places(self._compiled)}
        for name in ("route_depth", "rooms_explored", "page_final", "pages_left"):
            named[name] = int(record[name])
        return named | {"outcome": self.outcome}
