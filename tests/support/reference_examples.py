"""What the worked examples need: engines to run on, and chance that is known.

The fixture ``new_table`` sets up positions on one engine after the other.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from support.positions import Position, Table
from support.random_twin import CHANCE, RandomStream
from support.reference_cards import ALL_CARDS, POWER_CARDS
from support.reference_game import DIE_FACES, ReferenceGame, roll_lowest, take_lowest

ENGINES = ("reference", "fast")

#: Chance events: each a pair ``(n, k)``, where one of 0 .. n - 1 is drawn and it is k.
Chance = Sequence[tuple[int, int]]


def faces(*words: str) -> list[tuple[int, int]]:
    """The chance events of dice that show these faces, such as ``"growth 2"`` or ``"strike 1"``."""
    names = [f"{kind} {n}" for kind, n in DIE_FACES]
    return [(len(DIE_FACES), names.index(word)) for word in words]


def examples_on(engine: str) -> Callable[..., Table]:
    """What sets up a position on an engine: ``(position, cards=..., chance=..., **caps)``.

    ``cards`` are cards made for the test: for each id its fields, as in a card file.
    """

    def set_up(
        position: Position,
        *,
        cards: Mapping[str, Mapping[str, Any]] | None = None,
        chance: Chance = (),
        **caps: Any,
    ) -> Table:
        from support.fast_game import FastGame, card_table
        from support.lockstep import reference_cards, reference_power_cards
        from support.purpose_made import made_table

        kind = {"after_mindbug": position.after_mindbug, "kot_parts": position.kot_parts, **caps}
        table = card_table(**kind) if cards is None else made_table(cards, **kind)
        if engine == "fast":
            game = FastGame.from_position(position, table=table, seed=seed_with(chance))
            return Table(game, position)
        known = _KnownChance(chance) if chance else None
        return Table(
            ReferenceGame.from_position(
                position,
                pick_random=known.pick if known else take_lowest,
                roll=known.below if known else roll_lowest,
                cards=ALL_CARDS | reference_cards(table),
                power_cards=POWER_CARDS | reference_power_cards(table),
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
