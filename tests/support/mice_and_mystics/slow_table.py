"""The slow engine behind the façade of the worked examples."""

from functools import lru_cache

from card_data.mice_and_mystics.facts import Facts
from support.mice_and_mystics import heuristic
from support.mice_and_mystics.chance import LUCK, Numbers, Scripted
from support.mice_and_mystics.decisions import Asking
from support.mice_and_mystics.game import SlowGame, base_box
from support.mice_and_mystics.state import Box, Figure
from support.mice_and_mystics.table import MinionSeen, MouseAt, MouseSeen, Position


@lru_cache(maxsize=4)
def _box_of(facts: Facts) -> Box:
    return Box(facts)


class SlowLook:
    """What can be seen of a slow game: a ``Look``."""

    def __init__(self, game: SlowGame) -> None:
        self.game = game

    @property
    def heroes(self) -> tuple[str, ...]:
        return tuple(mouse.id for mouse in self.game.mice)

    @property
    def labels(self) -> list[str]:
        return self.game.decision.labels if self.game.decision else []

    @property
    def decider(self) -> str | None:
        decision = self.game.decision
        return decision.mouse.id if decision and decision.mouse else None

    def best(self) -> list[int]:
        return heuristic.best(self.game)

    @property
    def outcome(self) -> str | None:
        return self.game.outcome

    def _name(self, space: int | None) -> str | None:
        return None if space is None else self.game.board.spaces[space]

    def mouse(self, hero: str) -> MouseSeen:
        mouse = self.game.mouse[hero]
        return MouseSeen(
            self._name(mouse.space),
            mouse.wounds,
            mouse.poison,
            mouse.cheese,
            tuple(sorted(mouse.equipped)),
            tuple(sorted(mouse.pack)),
            tuple(sorted(mouse.abilities)),
            mouse.captured,
            mouse.missing,
            mouse.stunned,
            mouse.webbed,
            mouse.knocked_down,
        )

    @property
    def minions(self) -> list[MinionSeen]:
        spaces = self.game.board.spaces
        return [
            MinionSeen(f.number, f.kind.id, spaces[f.space], f.wounds, f.knocked_down)
            for f in self.game.figures
        ]

    @property
    def tile(self) -> str:
        return self.game.board.id

    @property
    def track(self) -> list[str]:
        return list(self.game.track)

    @property
    def page(self) -> int:
        return self.game.page

    @property
    def wheel(self) -> int:
        return self.game.wheel

    @property
    def round(self) -> int:
        return self.game.rounds

    @property
    def face_up(self) -> str | None:
        return self.game.face_up

    @property
    def party_cards(self) -> list[str]:
        return sorted(self.game.party_cards)

    @property
    def mousetraps(self) -> list[str]:
        return [self.game.board.spaces[space] for space in sorted(self.game.mousetraps)]

    @property
    def set_traps(self) -> list[str]:
        return [self.game.board.spaces[space] for space in sorted(self.game.set_traps)]

    @property
    def counter_cheese(self) -> int:
        return self.game.counter_cheese

    @property
    def search_deck(self) -> list[str]:
        return list(self.game.search_deck)

    @property
    def search_discard(self) -> list[str]:
        return list(self.game.search_discard)

    def distance(self, a: str, b: str) -> int:
        index = self.game.board.index
        return self.game.board.distance[index[a]][index[b]]

    def count(self, name: str) -> int:
        return self.game.counts[name]


class SlowTable(SlowLook):
    """A ``Table`` of the slow engine."""

    def __init__(self, position: Position, seed: int = 0) -> None:
        self._chance = Scripted([], Numbers(seed, 0, LUCK))
        game = SlowGame(
            position.chapter,
            tuple(position.mice),
            self._chance,
            switches=position.switches,
            knobs=position.knobs,
            box=base_box() if position.facts is None else _box_of(position.facts),
        )
        super().__init__(game)
        box = game.box
        game.board = box.boards[position.tile]
        for name, at in position.mice.items():
            self._put_mouse(name, at)
        kinds = [box.minions[minion.type] for minion in position.minions]
        game.greedy = any(kind.id == "greedy_roach" for kind in kinds)
        for i, (kind, minion) in enumerate(zip(kinds, position.minions, strict=True)):
            if game.greedy and kind.id == "roach":
                kind = box.minions["greedy_roach"]
            space = game.board.index[minion.space]
            figure = Figure(i, kind, space, minion.wounds, minion.knocked_down)
            boss_cards = [card.id for card in kind.cards]
            listed = [card for card in boss_cards if card in (position.track or ())]
            figure.cards = dict.fromkeys(listed or boss_cards[:2], 0)
            game.figures.append(figure)
        present = {card for figure in game.figures for card in game.cards_of(figure)}
        cards = [card for card in box.initiative if card in present]
        game.track = list(position.track or [*position.mice, *cards])
        game.page, game.wheel, game.face_up = position.page, position.wheel, position.face_up
        game.search_deck = list(position.search_deck)
        game.search_discard = list(position.search_discard)
        game.encounter_deck = list(position.encounter_deck)
        game.party_cards = list(position.party_cards)
        game.mousetraps = {game.board.index[space] for space in position.mousetraps}
        game.counter_cheese = position.counter_cheese
        game.explored = {position.tile, *position.explored}
        game.rounds = 1

    def _put_mouse(self, name: str, at: MouseAt) -> None:
        mouse = self.game.mouse[name]
        mouse.space = at.space and self.game.board.index[at.space]
        mouse.wounds, mouse.poison, mouse.cheese = at.wounds, at.poison, at.cheese
        mouse.equipped = list(mouse.hero.starting_gear if at.equipped is None else at.equipped)
        mouse.pack, mouse.abilities = list(at.pack), list(at.abilities)
        mouse.captured, mouse.missing = at.captured, at.missing
        mouse.stunned, mouse.webbed = at.stunned, at.webbed
        mouse.knocked_down = at.knocked_down
        if at.searched:
            mouse.searched.add(self.game.search_key())

    def act(self, card: str) -> None:
        above = self.game.track[: self.game.track.index(card)]

        def flow() -> Asking:
            self.game.acted = set(above)
            yield from self.game.go_on()

        self.game.run(flow())

    def take(self, label: str) -> None:
        self.game.choose(self.labels.index(label))

    def dice(self, *faces: int) -> None:
        self._chance.faces += faces

    @property
    def dice_left(self) -> int:
        return len(self._chance.faces)
