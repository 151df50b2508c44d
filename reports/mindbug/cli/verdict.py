"""The command `fairdeal verdict`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from attrs import evolve, frozen
from cyclopts import Parameter

from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import say
from reports.cli.dry_run import DryRun
from reports.cli.options import (
    Json,
    Seed,
    Stronger,
    changed_options,
    check_band,
    decimal,
    read_stronger,
    to_place,
    whole,
    with_confidence,
)
from reports.cli.steps import say_compiling
from reports.cli.verdict import Asked, answer_all
from reports.mindbug.cli.costs import plan
from reports.mindbug.cli.options import (
    ONLY_SETS,
    PoolOptions,
    known_player,
    read_one_policy,
)
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import COUNTING, SINGLE_GAMES, compile_engine
from reports.mindbug.cli.taught import taught
from reports.mindbug.cli.verdict_pool import Named, read_cases

#: Who plays first, and the stronger player who plays beside.
FIRST, NEXT = "expert", "search:16"

if TYPE_CHECKING:
    from reports.mindbug.verdict.page import CardVerdict
    from simcore.work.cost import Plan


@with_confidence
def verdict(
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
    band: Annotated[
        float,
        Parameter(
            converter=decimal,
            help="Up to this many percentage points from half of the games are fair.",
        ),
    ] = 2.0,
    policy: Annotated[
        str, Parameter(help="Who plays first, as for balance; the same player on both sides.")
    ] = FIRST,
    stronger: Stronger = NEXT,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1_000, 100_000_000),
            help="How many games to play of the pool as it is; all else is in proportion. Default:"
            " 100,000, up to 300,000 in a pool of many cards, a fifth for players who search.",
        ),
    ] = None,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the verdict. Default: runs/verdict-CARD-POLICY-DAY."
            " Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find whether a card is too strong, why, and which smallest change mends it.

    Plays the card among those it belongs to, again with an average card in its place, and with each
    step of power and keywords, on the same deals. Says how far the answer holds over players, what
    the card works with and against, and which games came out otherwise without it.
    """
    said: dict[str, Any] = {
        "band": band,
        "policy": policy,
        "stronger": stronger,
        "games": games,
        "seed": seed,
    }
    found = read_cases(card, sets, pool, changed_options(verdict, **said))
    asked = [_ask(one, **said, compute=compute, learn=not dry_run) for one in found]
    answer_all(asked, out, dry_run=dry_run, as_json=as_json)


def ask(card: str, sets: Sequence[str], pool: PoolOptions, **options: Any) -> "CardAsked":
    """What the command asks of one card; ``options`` as the command has them.

    Raises InputError, CardFileError and RunError.
    """
    [found] = read_cases(card, sets, pool)
    return _ask(found, **options)


def _ask(
    found: Named,
    *,
    band: float = 2.0,
    policy: str = FIRST,
    stronger: str = NEXT,
    games: int | None = None,
    seed: int = 0,
    compute: Compute = HERE,
    learn: bool = True,
) -> "CardAsked":
    """What the command asks, by players who know the cards if they may ``learn`` them.

    Raises InputError, CardFileError and RunError.
    """
    from analysis.mindbug.experiments.verdict import Case
    from simcore.mindbug import compile_cards

    check_band(band)
    player = read_one_policy(policy)
    beyond = read_stronger(stronger, player, known_player)
    both = [player, *filter(None, [beyond])]
    ready = taught(both, [found.pool], threads=compute.threads, learn=learn)
    typed = dict(zip(ready, both, strict=True))
    player, beyond = ready[0], "".join(ready[1:])
    case = Case(
        found.pool,
        found.card,
        policy=player,
        stronger=beyond,
        band=band / 100,
        games=games or 0,
        seed=seed,
    )
    question = pool_question(
        *("verdict", case.pool, [*case.players]),
        of=case.card.card_id,
        games=case.run_games,
        seed=seed,
        band=band,
    )
    if found.note:
        say(found.note)
    compile_engine([*case.players], [compile_cards(case.pool)], [COUNTING])
    question = evolve(question, named=("verdict", case.card.card_id), who=(both[0],))
    return CardAsked(question, case, "card", case.card.card_id, compute, typed, found)


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

    def play(self, folder: Path, crew: Crew) -> "CardVerdict":
        """Play what is missing of the games."""
        from analysis.mindbug.experiments.verdict import play_case
        from reports.mindbug.verdict.page import CardVerdict

        evidence = play_case(
            self.case,
            folder,
            watch=crew.watch,
            threads=crew.threads,
            executor=crew.executor,
        )
        return CardVerdict(evidence)

    def play_few(self, player: str, few: int) -> None:
        """Play a few games of the pool."""
        from simcore.mindbug import compile_cards, play_games

        table = compile_cards(self.case.pool)
        play_games(table, n_games=few, seed=self.case.seed, policies=(player, player))

    def plan(self, player: str, games: int) -> "Plan":
        """Games of the pool."""
        return plan(self.case.pool, (player,), games, self.case.seed, bound="at least")

    def before_page(self) -> None:
        """Say what has to be compiled to tell games."""
        say_compiling(*SINGLE_GAMES)
