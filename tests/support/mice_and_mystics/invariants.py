"""The invariants I1 to I8 of section 26, asked of any engine at every decision."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from card_data.mice_and_mystics import by_id
from support.mice_and_mystics.state import KNOBS, ROUND_LIMIT
from support.mice_and_mystics.table import Look, base_facts

if TYPE_CHECKING:
    from support.mice_and_mystics.sides import Setting

_CHEESE_IN = "attack defense bow trap discard event pilfer start".split()
_CHEESE_OUT = "ability level pay capture theft".split()
_WHEEL_IN = "attack defense idle theft event counter".split()
_WHEEL_OUT = "surge pilfer".split()


class Invariants:
    """What must hold in a game of a setting; ``check`` is called at every decision and the end."""

    def __init__(self, look: Look, setting: Setting) -> None:
        self._look = look
        facts = setting.facts or base_facts()
        self._kinds = by_id(facts.minions)
        self._tiles = {tile.id: {space.id: space for space in tile.spaces} for tile in facts.tiles}
        knobs = KNOBS | dict(setting.knobs)
        self._wheel_size = int(knobs["wheel_size"] or 0)
        self._page_start = by_id(facts.chapters)[setting.chapter].page_start
        self._page = self._page_start

    def check(self) -> None:
        """Raise AssertionError for the first invariant that does not hold."""
        self._mice = [self._look.mouse(hero) for hero in self._look.heroes]
        self._minions = self._look.minions
        self._clock()
        self._spaces()
        self._figures()
        self._track()
        self._cheese()

    def _clock(self) -> None:
        look = self._look
        settling = "PASS" in look.labels or look.outcome is not None
        assert look.wheel >= 0, "I1: the wheel is below 0"
        assert settling or look.wheel < self._wheel_size, f"I1: the wheel is at {look.wheel}"
        assert look.page >= self._page, "I1: the page has gone back"
        self._page = look.page
        advances = look.count("surges") + look.count("captures")
        assert look.page - self._page_start == advances, "I2: pages without a reason"
        assert look.round <= ROUND_LIMIT, "I8: more rounds than a game has"
        assert bool(look.labels) != (look.outcome is not None), "I8: neither decision nor end"

    def _spaces(self) -> None:
        look = self._look
        spaces = self._tiles[look.tile]
        small: Counter[str] = Counter()
        large: Counter[str] = Counter()
        for mouse in self._mice:
            assert mouse.space is None or mouse.space in spaces, "I6: a mouse on another tile"
            assert not (mouse.space and (mouse.captured or mouse.missing)), "I6: a captured figure"
            if mouse.space:
                small[mouse.space] += 1
        for minion in self._minions:
            assert minion.space in spaces, "I6: a minion on another tile"
            is_large = self._kinds[minion.type].size == "large"
            (large if is_large else small)[minion.space] += 1
        for name in small.keys() | large.keys():
            space = spaces[name]
            room = 4 if space.special_area else space.capacity
            taken = small[name] + large[name] * room
            assert taken <= space.capacity, f"I3: {name} holds more than fits"

    def _figures(self) -> None:
        look = self._look
        pools = Counter(self._kinds[minion.type].figure_pool for minion in self._minions)
        kinds = Counter(minion.type for minion in self._minions)
        for name, n in kinds.items():
            kind = self._kinds[name]
            assert pools[kind.figure_pool] <= kind.figure_limit, f"I4: too many of {name}"
            assert n <= (kind.token_limit or n), f"I4: too many of {name}"
        offered = {word for label in look.labels for word in label.split()}
        assert not (self._minions and "EXPLORE" in offered), "I6: EXPLORE with minions"

    def _track(self) -> None:
        look = self._look
        cards = {self._kinds[minion.type].initiative_card for minion in self._minions}
        if look.labels and not look.labels[0].startswith(("START", "PLACE")):
            assert sorted(look.track) == sorted([*look.heroes, *cards]), "I5: cards on the track"

    def _cheese(self) -> None:
        look = self._look
        held = sum(mouse.cheese for mouse in self._mice)
        came = sum(look.count(f"cheese_in_{name}") for name in _CHEESE_IN)
        went = sum(look.count(f"cheese_out_{name}") for name in _CHEESE_OUT)
        assert came - went == held, "I7: cheese of mice out of nothing"
        came = sum(look.count(f"wheel_in_{name}") for name in _WHEEL_IN)
        went = sum(look.count(f"wheel_out_{name}") for name in _WHEEL_OUT)
        assert came - went == look.wheel, "I7: cheese of the wheel out of nothing"
