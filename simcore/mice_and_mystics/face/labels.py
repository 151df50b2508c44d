"""What entries of a decision are called: the words of section 24, with the ids of the facts."""

from collections.abc import Callable

import numpy as np

from simcore.mice_and_mystics.table import words
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.table import Table

_BYTE = 255


def labels(table: Table, state: np.void) -> list[str]:
    """The labels of the entries that a state offers, such as ``BATTLE collins_sword 2``."""
    writer = _Labels(table, state)
    return [writer.of(int(option)) for option in state["options"][: int(state["n_options"])]]


class _Labels:
    """Labels of the entries of one state."""

    def __init__(self, table: Table, state: np.void) -> None:
        self._ids = table.ids
        self._spaces = table.spaces[int(state["tile"])]
        self._heroes = [table.ids["heroes"][hero] for hero in state["hero"][: table.n_mice]]
        self._more: dict[str, Callable[[list[int]], str]] = {
            **dict.fromkeys(("LEAVE_WATER", "SWIM", "MOVE", "GRAPE", "PLACE"), self._space),
            **dict.fromkeys(("LEVEL_UP", "START"), self._ability),
            **dict.fromkeys(("HEAL", "SHARE"), self._mouse),
            **dict.fromkeys(("DROP", "PICK", "TAKE_OFF", "GIVE", "TAKE"), self._card),
            "EXPLORE": lambda given: words.LINK_WORDS[given[0]],
            "BATTLE": lambda given: f"{self._card(given)} {given[1]}",
            "USE": lambda given: f"{self._card(given)}{self._target(given[1:])}",
            "TARGET": lambda given: self._target(given)[1:],
            "PUT": self._put,
            "WOUND": lambda given: self._ids["track"][given[0] - MICE],
        }

    def of(self, option: int) -> str:
        """The label of an entry."""
        kind = words.OPTION_WORDS[option & _BYTE]
        given = [option >> 8 * i & _BYTE for i in range(1, 8)]
        if kind == "ABILITY":
            if given[1] == words.AT_ORDER:
                mouse, order = self._heroes[given[2]], self.of(option >> 32)
                return f"ABILITY {self._ability(given)} {mouse} {order}"
            return f"ABILITY {self._ability(given)}{self._target(given[1:])}"
        if kind == "REACT":
            return self._reaction(given)
        if kind == "TRICK":
            gear = self._card(given) == "toothpick"
            return f"{'REACT' if gear else 'TRICK'} {self._card(given)}"
        more = self._more.get(kind)
        return f"{kind} {more(given)}" if more else kind

    def _reaction(self, given: list[int]) -> str:
        """An ability used in a window; those that attack name weapon and figure."""
        if given[0] == words.NO_CARD:
            return "REACT may_search_for_party_item"
        if given[1] == words.AT_FIGURE:
            return f"REACT {self._ability(given)} {self._card(given[3:])} {given[2]}"
        return f"REACT {self._ability(given)}{self._target(given[1:])}"

    def _target(self, given: list[int]) -> str:
        """What an ability or card is aimed at, after a blank; nothing for nothing."""
        kind, target, thing = given[:3]
        if kind == words.AT_NOTHING:
            return ""
        if kind == words.AT_MOUSE:
            return f" {self._heroes[target]}"
        if kind == words.AT_FIGURE:
            return f" {target}"
        if kind == words.AT_SPACE:
            return f" {self._spaces[target]}"
        if kind == words.AT_CARD:
            mouse = target < MICE
            return f" {self._heroes[target] if mouse else self._ids['track'][target - MICE]}"
        return f" {self._heroes[target]} {words.THING_WORDS[thing]}"

    def _put(self, given: list[int]) -> str:
        """What is put on, and what it replaces."""
        if given[1] == words.NO_CARD:
            return self._card(given)
        if given[1] == words.ALL_PAWS:
            return f"{self._card(given)} all"
        return f"{self._card(given)} {self._card(given[1:])}"

    def _space(self, given: list[int]) -> str:
        return self._spaces[given[0]]

    def _mouse(self, given: list[int]) -> str:
        return self._heroes[given[0]]

    def _card(self, given: list[int]) -> str:
        return self._ids["cards"][given[0]]

    def _ability(self, given: list[int]) -> str:
        return self._ids["abilities"][given[0]]
