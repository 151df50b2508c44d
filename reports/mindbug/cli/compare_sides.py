"""What is compared: BASE and VARIANT of the command line become pools or finished runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.mindbug.experiments.usual import COMPARED_STRONGER_GAMES, PLAYER, STRONGER
from reports.cli.console import InputError
from reports.cli.options import stronger_of_both, usual_or_said
from reports.mindbug.cli.options import (
    MINDBUG,
    ModeOptions,
    OptionalPolicy,
    Ruling,
    known_player,
    read_policies,
)
from reports.mindbug.cli.taught import taught
from simcore.commands import option_words
from simcore.places import located

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool
    from simcore.work.runs import RunSpec


@Parameter(name="*", group=MINDBUG, help="How both sides are played, and by whom.")
@frozen(kw_only=True)
class CompareOptions(ModeOptions):
    """Modes of both sides, rulings of the variant, and who plays."""

    variant_ruling: Annotated[
        list[Ruling] | None,
        Parameter(
            negative=(),
            help="An open point of the rules text to answer in the other way in VARIANT alone."
            " May be given several times.",
        ),
    ] = None
    policy: OptionalPolicy = None
    stronger: Annotated[str | None, stronger_of_both(STRONGER, PLAYER, COMPARED_STRONGER_GAMES)] = (
        None
    )

    def players(
        self, policy: str | None, sides: Sequence[Any], threads: int | None, learn: bool, /
    ) -> tuple[str, ...]:
        """Who plays, knowing the cards of both sides; None is the usual player.

        Those of a run that has been played stay as they were.  Raises InputError.
        """
        players = read_policies(PLAYER if policy is None else policy, named=policy == self.policy)
        if any(side.run for side in sides):
            return players
        return taught(players, [side.pool for side in sides], threads=threads, learn=learn)

    def sides(self, base: str, variant: str | None) -> "tuple[PoolSide, PoolSide]":
        """Both sides.  Raises InputError, CardFileError and RunError."""
        if variant is None and not self.variant_ruling:
            raise InputError("what is different? Name a VARIANT, or a ruling with --variant-ruling")
        return read_sides(base, variant or base, self.modes(), self.variant_ruling or ())

    def rung(self, players: Sequence[str], games: int) -> tuple[str, int]:
        """The stronger player of both sides, "" for nobody, and their games.  Raises InputError."""
        from reports.mindbug.run_text import called

        found = usual_or_said(self.stronger, players, (PLAYER, STRONGER), called, known_player)
        return found, min(games, COMPARED_STRONGER_GAMES)

    def words(self) -> list[str]:
        """The modes and rulings as words of a command line."""
        return [*self.mode_words(), *option_words(variant_ruling=self.variant_ruling)]


@frozen
class PoolSide:
    """One side of a comparison: a pool to be played, or the folder of a finished run."""

    said: str
    pool: "Pool"
    run: Path | None = None

    def spec(
        self, n_games: int, seed: int, players: tuple[str, ...], beside: Path | None
    ) -> "RunSpec":
        """The run of this side, beside the other if that has been played."""
        from simcore.mindbug.play.run import new_run

        first, second = players
        return new_run(
            self.pool, n_games=n_games, seed=seed, policies=(first, second), beside=beside
        )


def read_sides(
    base: str, variant: str, modes: dict[str, Any], variant_rulings: Sequence[str]
) -> tuple[PoolSide, PoolSide]:
    """Both sides of a comparison.

    ``modes`` are those of both, by their names in a pool file; ``variant_rulings`` are answered
    otherwise in the variant alone.  A card file as the variant changes the cards of the base, in
    place, unless both are whole sets of the designer's own.  Raises InputError, CardFileError and
    RunError.
    """
    from card_data.mindbug.pool import change_cards

    first = _read(base, modes)
    if _is_card_file(variant) and not (_is_card_file(base) and _is_whole(variant)):
        second = PoolSide(variant, change_cards(first.pool, variant))
    else:
        second = _read(variant, modes)
    if variant_rulings:
        if second.run is not None:
            raise InputError(
                f"--variant-ruling: {variant} is a run that has been played; name the sets or the"
                " pool file that it was played from"
            )
        second = evolve(second, pool=_with_rulings(second.pool, variant_rulings))
    return first, second


def _read(said: str, modes: dict[str, Any]) -> PoolSide:
    """The pool of what is named, or the folder of a run."""
    from analysis.mindbug import open_run
    from card_data.mindbug import load_pool

    path = located(said)
    if path.is_dir():
        if modes:
            name = next(iter(modes)).replace("_", "-").replace("rulings", "ruling")
            raise InputError(f"--{name}: {said} is a run that has been played as it was")
        run = open_run(path)
        return PoolSide(said, run.pool(), path)
    return PoolSide(said, load_pool([said], modes=modes))


def _is_card_file(said: str) -> bool:
    from card_data.mindbug.loader import is_pool_file
    from card_data.mindbug.pool_reader import split_names

    path = located(said)
    if path.suffix != ".toml" or path.is_dir() or len(split_names([said])) > 1:
        return False
    return not is_pool_file(path)


def _is_whole(card_file: str) -> bool:
    """Whether a card file has enough cards to be played by itself."""
    from card_data.mindbug import load_set
    from card_data.mindbug.pool_reader import MIN_CARDS

    return sum(card.copies for card in load_set(Path(card_file)).cards) >= MIN_CARDS


def _with_rulings(pool: "Pool", names: Sequence[str]) -> "Pool":
    """The pool with some open points answered otherwise, besides those that are already."""
    from card_data.mindbug.vocabulary import Ruling

    rulings = pool.modes.rulings | {Ruling[name.upper()] for name in names}
    return evolve(pool, modes=evolve(pool.modes, rulings=frozenset(rulings)))
