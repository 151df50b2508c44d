"""A whole game of any engine, decision by decision: what lockstep and invariants look at.

A ``Setting`` says what is played.  An engine gives a ``Side`` for it: a ``Table`` (see ``table``)
that plays from the set-up on, and that knows what the players of section 24 would choose.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from card_data.mice_and_mystics.facts import Facts
from support.mice_and_mystics import counters, heuristic, players
from support.mice_and_mystics.chance import CHOICES, LUCK, Numbers
from support.mice_and_mystics.game import SlowGame, base_box
from support.mice_and_mystics.slow_table import SlowLook
from support.mice_and_mystics.state import Box
from support.mice_and_mystics.table import Look


@dataclass(frozen=True)
class Setting:
    """What is played: game ``game`` of a seed, by players "U", "C", "H" or "H@0.1".

    ``party`` None is drawn.  Switches are called S1 … S22, knobs as in ``table.Position``;
    ``abilities`` are starting abilities by hero, the others are chosen (D10); ``facts`` are those
    of the base game unless others are given.
    """

    chapter: str
    party: tuple[str, ...] | None
    player: str
    seed: int = 0
    game: int = 0
    switches: Mapping[str, str] = field(default_factory=dict)
    knobs: Mapping[str, int] = field(default_factory=dict)
    abilities: Mapping[str, str] = field(default_factory=dict)
    facts: Facts | None = None


class Side(Look, Protocol):
    """One engine's game of a setting, at its first decision once it is made."""

    def choose(self, index: int) -> None:
        """Take the entry with this index and run to the next decision."""

    def pick(self) -> int:
        """What the player of the setting chooses now, with the numbers of its own stream."""

    def record(self) -> dict[str, Any]:
        """The finished game as ``counters.record`` has it: same names, -1 for what never came."""


Start = Callable[[Setting], Side]


def player_of(name: str) -> Callable[[SlowGame, Numbers], int]:
    """The player with this name: U, C, H, or H@e with noise e."""
    kind, _, noise = name.partition("@")
    if noise:
        return heuristic.noisy(float(noise))
    return {"U": players.uniform, "C": players.by_category, "H": heuristic.heuristic}[kind]


class SlowSide(SlowLook):
    """A ``Side`` of the slow engine."""

    def __init__(self, setting: Setting) -> None:
        game = SlowGame(
            setting.chapter,
            setting.party,
            Numbers(setting.seed, setting.game, LUCK),
            switches=setting.switches,
            knobs=setting.knobs,
            abilities=setting.abilities,
            box=base_box() if setting.facts is None else Box(setting.facts),
        )
        super().__init__(game.start())
        self._player = player_of(setting.player)
        self._numbers = Numbers(setting.seed, setting.game, CHOICES)

    def choose(self, index: int) -> None:
        self.game.choose(index)

    def pick(self) -> int:
        return self._player(self.game, self._numbers)

    def record(self) -> dict[str, Any]:
        return counters.record(self.game)
