"""What is played: the options of every command that plays games, besides the sets named."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from attrs import asdict, frozen
from cyclopts import Group, Parameter

from reports.console import whole

if TYPE_CHECKING:
    from card_data.schema import Pool

#: `card_data.vocabulary.Ruling`, written out so that help needs nothing else.
Ruling = Literal[
    "setting_life_is_no_loss",
    "own_creatures_can_be_taken",
    "triggers_need_their_source",
    "newest_triggers_first",
    "frenzy_in_forced_attacks",
    "printed_power_counts",
]

#: `card_data.vocabulary.WhoStarts`, written out as well.
WhoStarts = Literal["higher_card", "lower_card", "random", "weaker_hand", "stronger_hand"]

_MODES = Group(
    "Modes", sort_key=1, help="How the pool is played; these take the place of what its file says."
)
_LONGEST_NAME = 100


def _mode(text: str, least: int | None = None, most: int = 0) -> Parameter:
    """An option for a mode; a whole number if it has a least and a most."""
    if least is None:
        return Parameter(group=_MODES, help=text)
    return Parameter(group=_MODES, help=f"{text}: {least} to {most}.", converter=whole(least, most))


@Parameter(name="*", help="How the pool is played.")
@frozen(kw_only=True)
class ModeOptions:
    """Modes; what is None was not said."""

    after_mindbug: Annotated[
        Literal["turn", "action"] | None,
        _mode("After a Mindbug: a whole extra turn (R37), or one more turn action (R38)."),
    ] = None
    kot_parts: Annotated[
        bool | None, _mode("Whether dice, energy and power cards are in play.")
    ] = None
    life: Annotated[int | None, _mode("The life that each player begins with", 1, 99)] = None
    mindbugs: Annotated[int | None, _mode("The Mindbugs that each begins with", 0, 99)] = None
    hand_size: Annotated[int | None, _mode("Up to how many cards a hand is refilled", 1, 10)] = None
    who_starts: Annotated[
        WhoStarts | None,
        _mode(
            "Who starts: the player with the higher or lower revealed card (R11), a random one, or"
            " the one whose first hand has less or more power in all."
        ),
    ] = None
    turn_cap: Annotated[
        int | None, _mode("After how many turns a game is stopped as a draw (R20)", 1, 30_000)
    ] = None
    effect_cap: Annotated[
        int | None, _mode("After how many effects in one turn it is (R20)", 1, 30_000)
    ] = None
    ruling: Annotated[
        list[Ruling] | None,
        Parameter(
            group=_MODES,
            negative=(),
            help="An open point of the rules text that is answered otherwise (docs/pools.md)."
            " May be given several times.",
        ),
    ] = None

    def modes(self) -> dict[str, Any]:
        """The modes that were said, by their names in a pool file."""
        return {
            "rulings" if name == "ruling" else name: value
            for name, value in asdict(self).items()
            if name not in ("cards", "pool") and value is not None
        }


@Parameter(name="*", help="What is played, and how.")
@frozen(kw_only=True)
class PoolOptions(ModeOptions):
    """Own cards, a pool file, and modes; what is None was not said."""

    cards: Annotated[
        list[Path] | None,
        Parameter(
            negative=(),
            help="A card file of your own. Its cards are mixed in, and take the place of cards of"
            " the sets and of the pool file with the same id. May be given several times.",
        ),
    ] = None
    pool: Annotated[
        Path | None,
        Parameter(
            help="A pool file: sets, cards left out, copies, modes. Its cards come to those named."
        ),
    ] = None

    def load(self, sets: Sequence[str]) -> "Pool":
        """The pool of sets and everything that was said.  Raises CardFileError."""
        from card_data import load_pool

        return load_pool(sets, card_files=self.cards or (), pool_file=self.pool, modes=self.modes())

    def name(self, sets: Sequence[str], pool: "Pool") -> str:
        """The name of the pool in the name of a run folder.

        What is more than sets that come with balancelab has a part of its fingerprint in it, so
        that every version of a card or a mode gets a folder of its own.
        """
        from card_data import pool_hash

        name = "+".join(card_set.set_id for card_set in pool.sets)
        shipped = not any(name.endswith(".toml") for name in sets)
        if shipped and self == PoolOptions() and len(name) <= _LONGEST_NAME:
            return name
        return f"{name[:_LONGEST_NAME]}@{pool_hash(pool)[:8]}"
