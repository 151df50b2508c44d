"""Prices from batches whose truth is planted."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from analysis.questions.price_batches import EntryDescriber, Played, PriceBatches
from analysis.questions.price_list import PriceList
from card_data.schema import Entry, Kind, Whole
from card_data.schema.changes import parameters
from card_data.schema.fields import Parameter
from simcore.work.runs import RunSpec

KIND = Kind("card", "cards", {"power": Whole(0, 6), "cost": Whole(0, 4)})
N, NOISE = 12, 1.0
TRUE = {"one more power": 2.0, "one more cost": -1.0}
Game = Mapping[str, Entry]


def game() -> Game:
    """Cards as they are."""
    made = ({"name": "", "power": n % 5 + 1, "cost": n % 3 + 1} for n in range(N))
    return {f"c{n}": KIND.new(f"c{n}", one) for n, one in enumerate(made)}


def value(card: Any) -> float:
    """What a card is worth to whoever has it."""
    return float(TRUE["one more power"] * card.power + TRUE["one more cost"] * card.cost)


@frozen(slots=False)
class Planted(PriceBatches[Game]):
    """Cards whose worth is known, against the average of all others."""

    some: int = field(kw_only=True)
    title = "Planted"

    @property
    def entries(self) -> list[Played]:
        """All cards."""
        return [Played(KIND, one) for one in self.game.values()]

    def values(self, played: Played) -> Iterator[Parameter]:
        """Both numbers."""
        return parameters(*played)

    def made(self, changed: Mapping[tuple[str, str], Entry]) -> Game:
        """Any card can be played."""
        return {name: changed.get(("card", name), one) for name, one in self.game.items()}

    def spec(self, game: Game, games: int) -> RunSpec:
        """Nothing is played."""
        raise AssertionError("nothing is played")

    def entry_of(self, game: Game, played: Played) -> Entry:
        """The card of the same name."""
        return game[played.entry.id]

    @property
    def n_drawn(self) -> int:
        """As the test has it."""
        return self.some

    @property
    def moves_others(self) -> bool:
        """Whether others change as well."""
        return self.some > 1


@pytest.mark.parametrize("some", [1, N // 2])
def test_a_planted_price_is_found(some: int) -> None:
    """What one more is worth, whether one card changes or half of them do, which moves all."""
    rng = np.random.default_rng(some)
    held = []
    for seed in range(6):
        asked = Planted(game(), 60 if some == 1 else 12, seed, some=some)
        worth = []
        for cards in asked.games:
            values = np.array([value(one) for one in cards.values()])
            others = (values.sum() - values) / (N - 1)
            worth.append(values - others + rng.normal(0, NOISE, N))
        found = asked.together(np.array(worth), np.full((len(worth), N), NOISE))
        prices = PriceList.fit(EntryDescriber(asked), found).tables()["prices"]
        rows = prices.set_index("thing")
        # Against half that changed with it, a card gains a little more than its worth.
        for thing, true in TRUE.items():
            row = rows.loc[thing]
            assert abs(row["price"] - true) < 0.45
            held.append(row["price_ci_low"] <= true * (1 + 1 / N) and row["price_ci_high"] >= true)
    assert np.mean(held) >= 0.85


def test_what_others_change_moves_no_price() -> None:
    """A card that stays as it is is in no batch, and the average one as it is has price 0."""
    asked = Planted(game(), 3, 0, some=4)
    worth = np.zeros((4, N)) + np.arange(4)[:, None]
    found = asked.together(worth, np.ones((4, N)))
    assert (found.batch >= 0).sum() <= 3 * 4
    assert np.allclose(found.worth, 0)
