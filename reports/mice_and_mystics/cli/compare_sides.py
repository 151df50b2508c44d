"""What is compared: BASE and VARIANT of the command line become chapters or finished runs."""

from collections.abc import Sequence
from typing import Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.mice_and_mystics.experiments.usual import COMPARED_STRONGER_GAMES, PLAYER, STRONGER
from reports.cli.console import InputError
from reports.cli.options import stronger_of_both
from reports.mice_and_mystics.cli import options
from simcore.commands import option_words
from simcore.places import located


@Parameter(name="*", group=options.GROUP, help="How both sides are played, and by whom.")
@frozen(kw_only=True)
class CompareOptions:
    """Party, switches and player of ``compare``."""

    party: options.Party = None
    switches: options.Switches = None
    variant_party: Annotated[
        str | None, Parameter(help="The heroes of VARIANT, where they are others than in BASE.")
    ] = None
    variant_switches: Annotated[
        list[str] | None,
        Parameter(
            name="--variant-set",
            negative=(),
            help="A switch or number of VARIANT alone, as in 'page_end=7'. May be given several"
            " times.",
        ),
    ] = None
    policy: options.Policy = None

    stronger: Annotated[str | None, stronger_of_both(STRONGER, PLAYER, COMPARED_STRONGER_GAMES)] = (
        None
    )

    def rung(self, players: Sequence[str], games: int) -> tuple[str, int]:
        """The stronger player of both sides, "" for nobody, and their games.  Raises InputError."""
        return options.stronger_than(self.stronger, players), min(games, COMPARED_STRONGER_GAMES)

    def players(
        self, policy: str | None, _sides: Sequence[object], _threads: int | None, _learn: bool, /
    ) -> tuple[str, ...]:
        """Who plays on both sides.  Raises InputError."""
        return options.read_players(policy)

    def sides(
        self, base: str, variant: str | None
    ) -> tuple[options.PlayableChapter, options.PlayableChapter]:
        """Both sides.  Raises InputError and CardFileError."""
        changed = self.variant_party or self.variant_switches
        if variant is None and not changed:
            raise InputError(
                "what is different? Name a VARIANT, or say it with --variant-set or --variant-party"
            )
        if changed and located(variant or base).is_dir():
            raise InputError(
                f"{variant or base} is a run that has been played; name the chapter that it was"
                " played from"
            )
        # What is said of VARIANT alone takes the place of what is said of both.
        own = {one.partition("=")[0].strip() for one in self.variant_switches or ()}
        both = [one for one in self.switches or () if one.partition("=")[0].strip() not in own]
        switches = [*both, *(self.variant_switches or ())]
        players = options.read_players(self.policy)
        return (
            _side(base, self.party, self.switches or (), players),
            _side(variant or base, self.variant_party or self.party, switches, players),
        )

    def words(self) -> list[str]:
        """All but the player, as words of a command line."""
        return option_words(
            party=self.party or None,
            variant_party=self.variant_party or None,
            set=self.switches,
            variant_set=self.variant_switches,
        )


def _side(
    said: str, party: str | None, switches: Sequence[str], players: tuple[str, ...]
) -> options.PlayableChapter:
    """A chapter to be played, or the folder of a run."""
    if (folder := located(said)).is_dir():
        return options.PlayableChapter(said, run=folder)
    return options.load_chapter(said, party, switches, players)
