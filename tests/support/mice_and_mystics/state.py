"""What a game of Mice & Mystics consists of, and questions about it that change nothing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from card_data.mice_and_mystics.facts import (
    Ability,
    Chapter,
    Effect,
    Encounter,
    Facts,
    Hero,
    Minion,
    SearchCard,
    by_id,
)
from support.mice_and_mystics.board import FAR, Board
from support.mice_and_mystics.chance import Chance

ROUND_LIMIT = 400  # M116
PACK_LIMIT = 3  # M63
PAWS = 2  # M64
LEVEL_PRICE = 6  # M102

SWITCHES: dict[str, tuple[str, ...]] = {  # section 22, the default first
    "S1": ("new_round", "continue_round"),
    "S2": ("at_once", "after_attack"),
    "S3": ("ranged", "melee"),
    "S4": ("random", "index"),
    "S5": ("die", "unlimited"),
    "S6": ("no", "yes"),
    "S9": ("max(move,lore)", "lore"),
    "S10": ("yes", "no"),
    "S11": ("side", "physical_tile"),
    "S12": ("chapter", "any"),
    "S13": ("in_search_deck", "removed"),
    "S14": ("without_difficult", "all"),
    "S15": ("from_next_turn", "at_once"),
    "S16": ("shields", "ignored"),
    "S17": ("each", "together"),
    "S18": ("open", "closed"),
    "S19": ("each", "once"),
    "S20": ("yes", "no"),
    "S21": ("of_party", "own"),
    "S22": ("instead", "as_well"),
}
KNOBS: dict[str, int | None] = {  # the numbers of section 22; None is what the chapter says
    "page_end": None,
    "wheel_size": 6,
    "start_cheese": 0,
    "life": 0,
    "minion_dice": 0,
}


class GameOver(Exception):
    """Ends a game wherever it stands, with its outcome (section 29)."""

    def __init__(self, outcome: str) -> None:
        self.outcome = outcome


class Box:
    """The facts by id and by index: everything that does not change during a game."""

    def __init__(self, facts: Facts) -> None:
        self.faces = facts.die.faces
        self.heroes: dict[str, Hero] = by_id(facts.heroes)
        self.minions: dict[str, Minion] = by_id(facts.minions)
        self.abilities: dict[str, Ability] = by_id(facts.abilities)
        self.cards: dict[str, SearchCard] = by_id(facts.search_cards)
        self.encounters: dict[str, Encounter] = by_id(facts.encounters)
        self.chapters: dict[str, Chapter] = by_id(facts.chapters)
        self.boards = {tile.id: Board(tile) for tile in facts.tiles}
        self.hero_index = {name: i for i, name in enumerate(self.heroes)}
        self.card_index = {name: i for i, name in enumerate(self.cards)}
        self.ability_index = {name: i for i, name in enumerate(self.abilities)}
        ordered = sorted(self.minions.values(), key=lambda minion: minion.boss)
        self.minion_order = [minion.id for minion in ordered]  # bosses last (M74)
        own = (minion.initiative_card for minion in ordered)
        #: Bosses as they are on each of their cards (M16).
        self.boss_cards = {card.id: minion.on(card) for minion in ordered for card in minion.cards}
        self.initiative = [*dict.fromkeys(own), *self.boss_cards]
        self.totals: dict[tuple[str, str], int] = {}

    def in_order(self, cards: list[str]) -> list[str]:
        """The different ones of some search cards, in the order of the data."""
        return sorted(set(cards), key=self.card_index.__getitem__)

    def total(self, card: str, op: str) -> int:
        """All that the effects of one kind on a card give together."""
        if (card, op) not in self.totals:
            effects = self.cards[card].effect
            amounts = [int(effect["delta"]) for effect in effects if effect.op == op]
            self.totals[card, op] = sum(amounts)
        return self.totals[card, op]

    def has(self, card: str, op: str) -> bool:
        """Whether a search card has an effect of this kind."""
        return any(effect.op == op for effect in self.cards[card].effect)


def effect_of(effects: tuple[Effect, ...], op: str) -> Effect | None:
    """The effect of this kind, if there is one."""
    return next((effect for effect in effects if effect.op == op), None)


@dataclass(eq=False)
class Mouse:
    """A mouse (M2); ``space`` is an index of the board, None while it has no figure."""

    hero: Hero
    index: int
    space: Any = None
    wounds: int = 0
    poison: int = 0
    cheese: int = 0
    equipped: list[str] = field(default_factory=list)
    pack: list[str] = field(default_factory=list)  # tricks too
    abilities: list[str] = field(default_factory=list)
    captured: bool = False
    missing: bool = False
    stunned: bool = False
    webbed: bool = False
    knocked_down: bool = False
    searched: set[object] = field(default_factory=set)
    ability_used: bool = False
    paid_for_action: int = 0  # this round

    @property
    def id(self) -> str:
        return self.hero.id


@dataclass(eq=False)
class Figure:
    """A minion (M3)."""

    number: int
    kind: Minion
    space: int
    wounds: int = 0
    knocked_down: bool = False
    cards: dict[str, int] = field(default_factory=dict)  # of a boss, in play, with their wounds
    meeps: int = 0  # change of its defense until the round ends


@dataclass(eq=False)
class Lasting:
    """An effect that stays for a while (M132): until end_of_round, end_of_turn or own_turn."""

    source: str
    user: Mouse
    effect: Effect
    until: str


@dataclass(eq=False)
class Turn:
    """What the acting mouse has done in its turn (M24-M26)."""

    mouse: Mouse
    number: int  # of the movement die
    allowance: int
    moved: bool = False
    actions: int = 1
    entries_taken: int = 0
    free_used: set[str] = field(default_factory=set)
    over: bool = False  # ended before END
    cut: bool = False  # by a new encounter: no drift, no idle cheese (M40)


class State:
    """A game as it stands, and what can be asked of it."""

    def __init__(
        self,
        box: Box,
        chapter: str,
        heroes: tuple[str, ...],
        chance: Chance,
        switches: Mapping[str, str] | None = None,
        knobs: Mapping[str, int] | None = None,
    ) -> None:
        self.box = box
        self.chapter = box.chapters[chapter]
        self.chance = chance
        self.switch = {name: choices[0] for name, choices in SWITCHES.items()} | dict(
            switches or {}
        )
        knob = KNOBS | dict(knobs or {})
        self.page_end = knob["page_end"] or self.chapter.page_end
        self.wheel_size = int(knob["wheel_size"] or 0)
        self.start_cheese = int(knob["start_cheese"] or 0)
        self.more_life = int(knob["life"] or 0)
        self.more_minion_dice = int(knob["minion_dice"] or 0)
        self.mice = [Mouse(hero, i) for i, hero in enumerate(self._in_order(heroes))]
        self.mouse = {mouse.id: mouse for mouse in self.mice}
        self.board = box.boards[self.chapter.start.tile]
        self.page = self.chapter.page_start
        self.wheel = 0
        self.figures: list[Figure] = []
        self.greedy = False
        self.face_up: str | None = None
        self.encounter_deck: list[str] = []
        self.encounter_discard: list[str] = []
        self.search_deck: list[str] = []
        self.search_discard: list[str] = []
        self.party_cards: list[str] = []
        self.mousetraps: set[int] = set()
        self.set_traps: dict[int, tuple[Mouse, int]] = {}
        self.explored: set[str] = set()
        self.counter_cheese = 0
        self.track: list[str] = []
        self.acted: set[str] = set()
        self.slowed: set[str] = set()
        self.lasting: list[Lasting] = []
        self.inspire: Any = None  # the Effect while it lasts
        self.rounds = 0
        self.turn: Turn | None = None
        self.acting = ""  # the card whose turn it is
        self.attacked: set[Mouse] = set()  # by the card that acts
        self.round_over = False  # a new encounter cut the round short (M21)
        self.outcome: str | None = None
        self.counts: Counter[str] = Counter()
        self.marks: dict[str, int] = {}  # what is not counted but noted once

    def _in_order(self, heroes: tuple[str, ...]) -> list[Hero]:
        return [hero for name, hero in self.box.heroes.items() if name in heroes]

    # ---------------------------------------------------------------------------------------------
    # Mice
    # ---------------------------------------------------------------------------------------------

    def mice_here(self) -> list[Mouse]:
        """Mice with a figure, all on the current tile (M5)."""
        return [mouse for mouse in self.mice if mouse.space is not None]

    def targets_of_minions(self) -> list[Mouse]:
        """Mice that minions do not ignore (M95, untargetable)."""
        return [mouse for mouse in self.mice_here() if not self.is_active(mouse, "untargetable")]

    def mice_at(self, space: int) -> list[Mouse]:
        return [mouse for mouse in self.mice if mouse.space == space]

    def life(self, mouse: Mouse) -> int:
        return mouse.hero.life + self.more_life

    def life_left(self, mouse: Mouse) -> int:
        return self.life(mouse) - mouse.wounds - mouse.poison

    def in_danger(self, mouse: Mouse) -> bool:
        """One wound short of capture."""
        return self.life_left(mouse) == 1

    def gear(self, mouse: Mouse, op: str) -> int:
        """What all equipped cards give."""
        return sum(self.box.total(card, op) for card in mouse.equipped)

    def lore(self, mouse: Mouse) -> int:
        return mouse.hero.lore + self.gear(mouse, "lore")

    def move(self, mouse: Mouse) -> int:
        return mouse.hero.move + self.gear(mouse, "move")

    def innate(self, mouse: Mouse, op: str) -> Effect | None:
        return effect_of(mouse.hero.innate, op)

    def meets(self, mouse: Mouse, card: str) -> bool:
        """Whether a mouse meets what is printed on a card (M64)."""
        facts = self.box.cards[card]
        names = {mouse.id, *mouse.hero.classes}
        fits = not facts.requires or not names.isdisjoint(facts.requires)
        return fits and self.lore(mouse) >= facts.requires_lore

    def fits(self, mouse: Mouse, ability: str) -> bool:
        """Whether a mouse may own an ability (M8)."""
        names = {"any", mouse.id, *mouse.hero.classes}
        return not names.isdisjoint(self.box.abilities[ability].classes)

    def free_abilities(self, mouse: Mouse) -> list[str]:
        """Fitting abilities that nobody owns, in the order of the data."""
        owned = {ability for other in self.mice for ability in other.abilities}
        return [name for name in self.box.abilities if name not in owned and self.fits(mouse, name)]

    def own_abilities(self, mouse: Mouse) -> list[str]:
        return sorted(mouse.abilities, key=self.box.ability_index.__getitem__)

    def cost(self, mouse: Mouse, ability: str) -> int:
        facts = self.box.abilities[ability]
        own = [price for name, price in facts.cost_by_class if name in mouse.hero.classes]
        return own[0] if own else facts.cost

    def can_pay(self, mouse: Mouse, ability: str) -> bool:
        """One ability per turn of any card, and enough cheese (M26)."""
        return not mouse.ability_used and mouse.cheese >= self.cost(mouse, ability)

    def is_trick(self, card: str) -> bool:
        return self.box.cards[card].type == "trick"

    def pack_load(self, mouse: Mouse) -> int:
        """Cards that count towards the limit of the pack (M63)."""
        return sum(not self.is_trick(card) for card in mouse.pack)

    def in_water(self, mouse: Mouse) -> bool:
        return mouse.space is not None and self.board.water[mouse.space]

    def can_find_friend(self) -> bool:
        """Whether a search can bring a missing mouse back (M126)."""
        return not self.figures and any(mouse.missing for mouse in self.mice)

    def search_key(self) -> object:
        """What can be searched with success once (S11)."""
        return self.board.id if self.switch["S11"] == "side" else self.board.physical

    def holds(self, token: str) -> str | None:
        """A card of the party with this token."""
        for card in self.box.in_order(self.party_cards):
            effect = effect_of(self.box.cards[card].effect, "party_token")
            if effect and effect["token"] == token:
                return card
        return None

    # ---------------------------------------------------------------------------------------------
    # Lasting effects
    # ---------------------------------------------------------------------------------------------

    def is_active(self, mouse: Mouse, op: str) -> bool:
        """Whether an effect of this kind of this mouse lasts."""
        return any(last.user is mouse and last.effect.op == op for last in self.lasting)

    def source_active(self, mouse: Mouse, source: str) -> bool:
        """Whether a mouse's own use of an ability or card lasts."""
        return any(last.user is mouse and last.source == source for last in self.lasting)

    def lasting_bonus(self, mouse: Mouse, op: str) -> int:
        """Dice that lasting effects of anybody give to a mouse (battle or defense)."""
        bonus = 0
        for last in self.lasting:
            if last.effect.op == op:
                scope = last.effect.get("scope")
                own = last.user is mouse
                if scope == "all_mice_on_tile" or own != (scope == "other_mice_on_tile"):
                    bonus += int(last.effect["delta"])
        return bonus

    # ---------------------------------------------------------------------------------------------
    # Spaces and minions
    # ---------------------------------------------------------------------------------------------

    def figures_at(self, space: int) -> list[Figure]:
        return [figure for figure in self.figures if figure.space == space]

    def figure(self, number: int) -> Figure:
        return next(figure for figure in self.figures if figure.number == number)

    def load(self, space: int) -> int:
        """Room taken in a space by small figures' measure (M31)."""
        large = 4 if self.board.special[space] else self.board.capacity[space]
        room = {"large": large, "small": 1, "token": 0}
        minions = sum(room[figure.kind.size] for figure in self.figures_at(space))
        return minions + len(self.mice_at(space))

    def is_full(self, space: int) -> bool:
        return self.load(space) >= self.board.capacity[space]

    def full_spaces(self) -> set[int]:
        """All spaces that no small figure can enter (M32)."""
        taken = {figure.space for figure in self.figures}
        taken |= {mouse.space for mouse in self.mice_here()}
        return {space for space in taken if self.is_full(space)}

    def has_room_for_large(self, space: int) -> bool:
        if self.board.special[space]:
            return self.load(space) + 4 <= self.board.capacity[space]
        return self.load(space) == 0

    @cached_property
    def barred_spaces(self) -> dict[str, int]:
        """The space of each tile where minions may not be (M129)."""
        rules = [rule for rule in self.chapter.room_rules if rule.op == "minions_barred"]
        return {rule.tile: self.box.boards[rule.tile].index[rule.space] for rule in rules}

    def barred(self, space: int) -> bool:
        return self.barred_spaces.get(self.board.id) == space

    def may_enter(self, figure: Figure, space: int) -> bool:
        """Whether a minion may be in a space (M31, M129)."""
        if self.barred(space):
            return False
        if figure.kind.size == "token":  # M35
            return True
        large = figure.kind.size == "large"
        return self.has_room_for_large(space) if large else not self.is_full(space)

    def may_leave(self, mouse: Mouse) -> bool:
        """M34: a space with minions can be left if mice there are no fewer."""
        figures = [one for one in self.figures_at(mouse.space) if one.kind.size != "token"]
        return len(self.mice_at(mouse.space)) >= len(figures)

    def distance_to_mice(self, space: int, mice: list[Mouse]) -> int:
        row = self.board.distance[space]
        return min((row[mouse.space] for mouse in mice), default=FAR)

    def track_place(self, mouse: Mouse) -> int:
        return self.track.index(mouse.id)

    def mice_on_track(self) -> list[Mouse]:
        """All mice in the order of the track."""
        return [self.mouse[card] for card in self.track if card in self.mouse]

    def minion_cards(self) -> list[str]:
        return [card for card in self.track if card not in self.mouse]

    def near_figures(self, space: int) -> list[Figure]:
        """Minions in a space or an adjacent one (M47, M131)."""
        near = self.board.near[space]
        return [figure for figure in self.figures if figure.space in near]

    def ranged_targets(self, space: int, *, blindly: bool = False) -> list[Figure]:
        """M53 and M54: what can be shot from a space."""
        sees = self.board.sees[space]
        near = self.near_figures(space)
        if self.switch["S16"] == "ignored":
            near = [figure for figure in near if blindly or sees[figure.space]]
        targets = near or self.figures
        return [figure for figure in targets if blindly or sees[figure.space]]

    def cards_of(self, figure: Figure) -> list[str]:
        """The cards of the track by which a figure acts, in the order of the data."""
        cards = [card for card in self.box.boss_cards if card in figure.cards]
        return cards if figure.kind.cards else [figure.kind.initiative_card]

    def top_card(self, figure: Figure) -> str:
        """The highest of them on the track."""
        return min(self.cards_of(figure), key=self.track.index)

    def guard(self, figure: Figure) -> Minion:
        """The values by which a figure defends: a boss's are those of its highest card."""
        return self.box.boss_cards[self.top_card(figure)] if figure.cards else figure.kind

    def fury(self, figure: Figure) -> Minion:
        """The values by which a figure acts in the present turn."""
        return self.box.boss_cards.get(self.acting, figure.kind) if figure.cards else figure.kind

    def goes_on(self, figure: Figure) -> bool:
        """Whether a figure is there, and the card on which it acts still on the track."""
        return figure in self.figures and self.acting in self.cards_of(figure)

    def life_left_of(self, figure: Figure) -> int:
        """Wounds that defeat a figure, all its cards together."""
        wounds = figure.cards.items()
        of_boss = (self.box.boss_cards[card].life - taken for card, taken in wounds)
        return sum(of_boss) if figure.cards else figure.kind.life - figure.wounds

    def defense_of(self, figure: Figure) -> int:
        return self.guard(figure).defense + figure.meeps

    def rule_here(self, op: str) -> Any:
        """The chapter's rule of this kind for the current tile."""
        for rule in self.chapter.room_rules:
            if rule.tile == self.board.id and rule.op == op:
                return rule
        return None
