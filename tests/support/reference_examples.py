"""What the worked examples need: engines to run on, and chance that is known.

A file of examples gets a fixture that sets up positions on one engine after the other:

    @pytest.fixture(params=ENGINES)
    def example(request):
        return examples_on(request.param)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from support.positions import Position, Table
from support.random_twin import CHANCE, RandomStream
from support.reference_game import DIE_FACES, ReferenceGame, roll_lowest, take_lowest

ENGINES = ("reference", "fast")

#: Chance events: each a pair ``(n, k)``, where one of 0 .. n - 1 is drawn and it is k.
Chance = Sequence[tuple[int, int]]


def faces(*words: str) -> list[tuple[int, int]]:
    """The chance events of dice that show these faces, such as ``"growth 2"`` or ``"strike 1"``."""
    names = [f"{kind} {n}" for kind, n in DIE_FACES]
    return [(len(DIE_FACES), names.index(word)) for word in words]


def examples_on(engine: str) -> Callable[..., Table]:
    """A function that sets up a position on an engine: ``(position, chance=..., **caps)``."""

    def set_up(position: Position, *, chance: Chance = (), **caps: Any) -> Table:
        if engine == "fast":
            from support.fast_game import FastGame, card_table

            table = card_table(position.after_mindbug, kot_parts=position.kot_parts, **caps)
            game = FastGame.from_position(position, table=table, seed=seed_with(chance))
            return Table(game, position)
        known = _KnownChance(chance) if chance else None
        return Table(
            ReferenceGame.from_position(
                position,
                pick_random=known.pick if known else take_lowest,
                roll=known.below if known else roll_lowest,
                **caps,
            ),
            position,
        )

    return set_up


def seed_with(chance: Chance) -> int:
    """The lowest seed of the fast engine whose chance events begin like this."""
    for seed in count():
        stream = RandomStream(seed, 0, CHANCE)
        if all(stream.below(n) == k for n, k in chance):
            return seed
    raise AssertionError("unreachable")


class _KnownChance:
    """Chance events that are known beforehand, for the reference engine."""

    def __init__(self, chance: Chance) -> None:
        self._left = list(chance)

    def below(self, n: int) -> int:
        """The next event, one of 0 .. n - 1."""
        assert self._left, f"a chance event of {n} more than the example has"
        expected, k = self._left.pop(0)
        assert expected == n, f"the example expects one of {expected}, not one of {n}"
        return k

    def pick(self, candidates: list[int], n: int) -> list[int]:
        """``n`` different candidates, one by one."""
        left = sorted(candidates)
        return [left.pop(self.below(len(left))) for _ in range(n)]
