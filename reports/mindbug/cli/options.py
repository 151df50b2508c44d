"""What several commands are asked to play: sets, cards, modes, players."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from attrs import fields, frozen
from cyclopts import Group, Parameter

from analysis.mindbug.experiments.usual import PLAYER
from card_data.mindbug.modes import MODES
from card_data.schema.fields import Whole
from reports.cli.console import InputError, as_input_error
from reports.cli.options import whole
from reports.games import reports_of
from simcore.commands import option_words
from simcore.mindbug.players.registry import POLICIES

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool

#: Load those of some players who are functions.  Raises OwnCodeError.
use_players = reports_of("mindbug").use_players

# "'random', 'greedy' or 'search:N'".
*_OTHERS, _STRONGEST = (f"'{name}{':N' * policy.searches}'" for name, policy in POLICIES.items())
_POLICIES = f"{', '.join(_OTHERS)} or {_STRONGEST}"

#: What is named, in every command that plays or shows cards; `card_data.mindbug.load_pool` reads
#: it.
NAMED = (
    "A set that comes with fairdeal ('fairdeal cards list'), or the path of a card file or pool"
    " file of your own (.toml); or several, joined with '+'."
)
Sets = Annotated[
    str,
    Parameter(
        name="SET",
        help=f"{NAMED} Several are played together.",
    ),
]
Policy = Annotated[
    str,
    Parameter(
        help=f"Who plays, from weak to strong: {_POLICIES} (N simulations a decision), for both"
        " players, or one for each seat, as in 'greedy:random'. 'learned@0.1'"
        " makes a tenth of its decisions at random; 'learned=FILE' takes its weights from a file of"
        " train; 'learned-blocks' never blocks; 'FILE.py:FUNCTION' is a player of your own"
        " (docs/programs.md). Who starts is decided game by game."
    ),
]
OptionalPolicy = Annotated[
    str | None,
    Parameter(
        help=f"Who plays on both sides, as for balance. Default: {PLAYER}, or as in a run folder."
    ),
]
OnePolicy = Annotated[
    str, Parameter(help="Who plays, as for balance; the same player on both sides.")
]
if TYPE_CHECKING:
    AfterMindbug = str
    WhoStarts = str
    AtTurnCap = str
    Ruling = str
else:  # so that help lists the words
    AfterMindbug, WhoStarts, AtTurnCap, Ruling = (
        Literal[MODES[name].words]
        for name in ("after_mindbug", "who_starts", "at_turn_cap", "rulings")
    )

#: The group of the options of Mindbug.
MINDBUG = Group("Mindbug", sort_key=1)
_MODES = Group(
    "Mindbug: modes",
    sort_key=2,
    help="How the pool is played; these override its file.",
)


def _mode(name: str) -> Parameter:
    """An option for a mode."""
    mode = MODES[name]
    if not isinstance(mode, Whole):
        return Parameter(group=_MODES, help=mode.meaning)
    text = f"{mode.meaning.removesuffix('.')}: {mode.low} to {mode.high}."
    return Parameter(group=_MODES, help=text, converter=whole(mode.low, mode.high))


@Parameter(name="*", help="How the pool is played.")
@frozen(kw_only=True)
class ModeOptions:
    """Modes; what is None was not said."""

    after_mindbug: Annotated[AfterMindbug | None, _mode("after_mindbug")] = None
    kot_parts: Annotated[bool | None, _mode("kot_parts")] = None
    life: Annotated[int | None, _mode("life")] = None
    mindbugs: Annotated[int | None, _mode("mindbugs")] = None
    hand_size: Annotated[int | None, _mode("hand_size")] = None
    who_starts: Annotated[WhoStarts | None, _mode("who_starts")] = None
    turn_cap: Annotated[int | None, _mode("turn_cap")] = None
    effect_cap: Annotated[int | None, _mode("effect_cap")] = None
    at_turn_cap: Annotated[AtTurnCap | None, _mode("at_turn_cap")] = None
    ruling: Annotated[
        list[Ruling] | None,
        Parameter(
            group=_MODES,
            negative=(),
            help="An open point of the rules text to answer in the other way (docs/pools.md)."
            " May be given several times.",
        ),
    ] = None

    def modes(self) -> dict[str, Any]:
        """The modes that were said, by their names in a pool file."""
        said = {one.name: getattr(self, one.name) for one in fields(ModeOptions)}
        return {
            "rulings" if name == "ruling" else name: value
            for name, value in said.items()
            if value is not None
        }

    def mode_words(self) -> list[str]:
        """The modes that were said, as words of a command line."""
        said = {one.name: getattr(self, one.name) for one in fields(ModeOptions)}
        return option_words(
            **{
                f"no_{name}" if value is False else name: True if value is False else value
                for name, value in said.items()
            }
        )


@Parameter(name="*", group=MINDBUG, help="What is played, and how.")
@frozen(kw_only=True)
class PoolOptions(ModeOptions):
    """Own cards, a pool file, and modes; what is None was not said."""

    cards: Annotated[
        list[Path] | None,
        Parameter(
            negative=(),
            help="A card file of your own. Its cards join the pool, and replace any with the same"
            " id; the file replaces one of the same name"
            " in the pool file. May be given several times.",
        ),
    ] = None
    pool: Annotated[
        Path | None,
        Parameter(
            help="A pool file: sets, cards left out, copies, modes. Its cards join those named."
        ),
    ] = None

    def load(self, sets: Sequence[str]) -> "Pool":
        """The pool of sets and everything that was said.  Raises CardFileError."""
        from card_data.mindbug import load_pool

        return load_pool(sets, card_files=self.cards or (), pool_file=self.pool, modes=self.modes())

    def is_shipped(self, sets: Sequence[str]) -> bool:
        """Whether nothing is played but sets that come with fairdeal, as they come."""
        from card_data.mindbug import available_sets
        from card_data.mindbug.pool_reader import split_names

        more = self.modes() or self.cards or self.pool
        return not more and {*split_names(sets)} <= {*available_sets()}

    def words(self, sets: Sequence[str], pool_file: Path) -> list[str]:
        """The words of a command line that name the pool again.

        What is more than sets that come with fairdeal is played from ``pool_file``, where the
        pool that was played is kept.
        """
        return [*sets] if self.is_shipped(sets) else option_words(pool=pool_file)

    def typed(self, sets: Sequence[str]) -> list[str]:
        """The words of a command line that name the same cards, without modes."""
        return [*sets, *option_words(cards=self.cards, pool=self.pool)]


#: What a command has where none of these options is said.
ONLY_SETS = PoolOptions()
USUAL_MODES = ModeOptions()


def read_policies(text: str, *, named: bool = True) -> tuple[str, str]:
    """The policy of each player, whose weights can be read.  Raises InputError.

    A function of a person's own is loaded if it was ``named`` on this command line, not if some
    run names it.
    """
    from simcore.mindbug import split_players
    from simcore.mindbug.players.seats import fingerprints

    with as_input_error("--policy"):
        policies = split_players(text)
        if named:
            use_players(policies)
        fingerprints(policies)
    return policies


def known_player(text: str) -> str:
    """A player by themselves, whose weights can be read.  Raises ValueError and OwnCodeError."""
    from simcore.mindbug.players.seats import fingerprints, parse_player

    parse_player(text)
    use_players([text])
    fingerprints([text])
    return text


def read_one_policy(text: str) -> str:
    """The policy of both players.  Raises InputError where there are two, or none."""
    one, other = read_policies(text)
    if one != other:
        raise InputError(f"--policy is {text}; name one player, who plays on both sides")
    return one


def check_even(games: int | None) -> None:
    """Raise InputError for ``--games`` that cannot be played from both sides of each deal."""
    if games is not None and games % 2:
        raise InputError(
            f"--games is {games:,}; it must be even, since every deal is played from both sides,"
            f" for instance {games + 1:,}"
        )
