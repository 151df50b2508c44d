"""The command `fairdeal verdict`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.mindbug.experiments.usual import PLAYER, STRONG, STRONG_WITH_CARD, STRONGER
from reports.cli.console import say
from reports.cli.options import MAX_GAMES, Stronger, whole
from reports.cli.steps import say_compiling
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, known_player, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import COUNTING, SINGLE_GAMES, compile_engine, plan
from reports.mindbug.cli.strong import Strong, games_of_strong
from reports.mindbug.cli.taught import taught
from reports.mindbug.cli.verdict_pool import Named, read_cases
from reports.verdict.command import Asked, VerdictOptions, command_of

if TYPE_CHECKING:
    from simcore.work.cost import Plan


@Parameter(name="*")
@frozen(kw_only=True)
class CardOptions(VerdictOptions):
    """Those of a verdict on a card."""

    policy: Annotated[
        str,
        Parameter(help="Who plays the main games, as for balance; the same player on both sides."),
    ] = PLAYER
    stronger: Stronger = STRONGER
    strong: Strong = False
    strong_games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, MAX_GAMES),
            help=f"Games for --strong, all of them with the card; {STRONG_WITH_CARD:,} by default.",
        ),
    ] = None
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="Games to play with the pool as it is; everything else is in proportion. Default:"
            " 100,000, up to 300,000 in a pool of many cards, a fifth for players who search.",
        ),
    ] = None

    repeated = (*VerdictOptions.repeated, "strong", "strong_games")

    def times(self, factor: int) -> Self:
        """Of the strong player as well."""
        games = factor * (self.strong_games or STRONG_WITH_CARD)
        return evolve(self, strong_games=games) if self.strong else self


_USUAL = CardOptions()


@frozen
class CardAsked(Asked):
    """A card that is asked about."""

    found: Named

    def named(self, folder: Path) -> list[str]:
        """The sets and options that name the pool."""
        return self.found.options.words(self.found.sets, folder / "pool.toml")

    def named_with(self, proposal: Path, folder: Path) -> list[str]:
        """The same, and the changed card."""
        return [*self.named(folder), "--cards", str(proposal)]

    @property
    def kinds(self) -> tuple[Any, Any]:
        """Those of the card."""
        from analysis.mindbug.experiments.verdict import Experiment
        from reports.mindbug.verdict.page import CardVerdict

        return Experiment, CardVerdict

    def plan(self, player: str, games: int) -> "Plan":
        """Games of the pool."""
        return plan(self.case.pool, (player,), games, self.case.seed, bound="at least")

    def before_page(self) -> None:
        """Say what has to be compiled to tell games."""
        say_compiling(*SINGLE_GAMES)


def ask(
    card: Annotated[
        str,
        Parameter(
            name="CARD",
            help="The id or name of a card; or a card file of your own, whose cards are judged one"
            " after another.",
        ),
    ],
    /,
    *sets: Annotated[
        str,
        Parameter(
            name="SET",
            help="What the card is played with: the file that it is in, then sets, more card files"
            " or a pool file, as for balance. Default: the set that has the card; a card of your"
            " own is mixed into First Contact, or into the sets whose cards its file changes.",
        ),
    ],
    pool: PoolOptions = ONLY_SETS,
    options: CardOptions = _USUAL,
    threads: int | None = None,
    learn: bool = True,
) -> list[CardAsked]:
    """Find whether a card is too strong, why, and the smallest change that would fix it.

    Plays the card among those it belongs to, again with an average card in its place, and with each
    step of power and keywords, on the same deals. Says how far the answer holds over players, what
    the card works with and against, and which games ended differently without it.
    """
    found = read_cases(card, sets, pool, options.said())
    return [_ask(one, options, threads, learn=learn) for one in found]


verdict = command_of(ask)


def _ask(found: Named, options: CardOptions, threads: int | None, *, learn: bool) -> CardAsked:
    """What the command asks, by players who know the cards if they may ``learn`` them.

    Raises InputError, CardFileError and RunError.
    """
    from analysis.mindbug.experiments.verdict import Case

    both = options.players(read_one_policy, known_player)
    said = options.strong_games
    games = games_of_strong(options.strong, said, both[:1], STRONG_WITH_CARD)
    wanted = [*both, *[STRONG] * (games > 0)]
    known = taught(wanted, [found.pool], threads=threads, learn=learn)
    players = known[: len(both)]
    case = Case(found.pool, found.card, **options.of_case(players))
    if games:
        case = evolve(case, strong=known[-1], strong_games=games)
    card = found.card.card_id
    question = pool_question(
        *("verdict", case.pool, [*case.players]),
        of=card,
        games=case.sizes.run,
        seed=case.seed,
        band=options.band,
    )
    if found.note:
        say(found.note)
    compile_engine([*case.least_games], [case.setup.table], [COUNTING])
    question = evolve(question, named=("verdict", card), who=(both[0],))
    return CardAsked(question, case, "card", card, options, found)
