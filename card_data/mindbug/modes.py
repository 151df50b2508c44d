"""How a pool is played: the modes, each declared once with what it can be and what it means."""

from typing import Any

from attrs import asdict, frozen

from card_data.mindbug.vocabulary import Ruling, WhoStarts
from card_data.schema.fields import Choice, Flag, Whole, Words
from card_data.schema.settings import setting, settings_of

#: The most life and Mindbugs that a player can begin with.
_MOST = 99


@frozen
class Modes:
    """The switches of the rules text and what a table may change: how a pool is played."""

    after_mindbug: str = setting(
        Choice(
            ("turn", "action"),
            default="turn",
            meaning="After a Mindbug: a whole extra turn (R37), or one more turn action (R38).",
        )
    )
    kot_parts: bool = setting(
        Flag(default=False, meaning="Whether dice, energy and power cards are in play (R108-R117).")
    )
    turn_cap: int = setting(
        Whole(
            *(1, 30_000),
            default=500,
            meaning="The number of turns after which a game is stopped (R20).",
        )
    )
    effect_cap: int = setting(
        Whole(
            *(1, 30_000),
            default=2000,
            meaning="The number of effects in one turn after which a game is a draw (R20).",
        )
    )
    life: int = setting(
        Whole(1, _MOST, default=3, meaning="The life that each player begins with (R9).")
    )
    mindbugs: int = setting(
        Whole(0, _MOST, default=2, meaning="The Mindbugs that each begins with (R9).")
    )
    hand_size: int = setting(
        Whole(1, 10, default=5, meaning="The size to which hands are refilled (R27).")
    )
    who_starts: str = setting(
        Choice(
            tuple(way.name.lower() for way in WhoStarts),
            default="higher_card",
            meaning="Who starts: the player with the higher or lower revealed card (R11), a random"
            " one, or the one whose first hand has less or more power in all.",
        )
    )
    at_turn_cap: str = setting(
        Choice(
            ("draw", "higher_life"),
            default="draw",
            meaning="The result of a game that hits the turn limit: a draw, or a win for the player"
            " with more life (R20).",
        )
    )
    rulings: frozenset[Ruling] = setting(
        Words(
            tuple(name.lower() for name in Ruling.__members__),
            default=frozenset(),
            of="rulings",
            meaning="Open points of the rules text to answer in the other way (section 17).",
        )
    )

    def as_json(self) -> dict[str, Any]:
        """All of them as values of JSON; rulings by name."""
        return asdict(self) | {"rulings": [ruling.name.lower() for ruling in sorted(self.rulings)]}


#: What each of the modes can be, and the modes of the rules text.
MODES = settings_of(Modes)
USUAL_MODES = Modes()
