"""The command `fairdeal sensitivity`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import EVERY_CARD_GAMES, PLAYER, VARIANT_GAMES
from card_data.faults import unknown_word
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    InputError,
    as_input_error,
    print_findings,
    print_json,
    print_table,
    print_wrapped,
    resumable,
    waiting,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.formats import print_report
from reports.cli.options import Json, Seed, to_place, whole, with_confidence
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.costs import plan_of_changes
from reports.mindbug.cli.named_cards import ALL, read_cards
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught
from simcore.commands import command, option_words

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.experiments.pool_experiments import TriedChanges
    from analysis.mindbug.experiments.sensitivity_games import Experiments
    from card_data.mindbug.schema import Card, Pool
    from reports.kit.words import Finding
    from simcore.work.about import Question


@with_confidence
def sensitivity(
    card: Annotated[
        str,
        Parameter(
            name="CARD", help="The id or name of a card of the pool, or 'all' for every card."
        ),
    ],
    /,
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    changes: Annotated[
        str | None,
        Parameter(
            help="What to try, with commas between: 'value' (the reference in its place), 'power',"
            " 'keywords', 'copies', 'lines' (each line of text removed) and 'parts' (what each part"
            " adds). Default: everything for one card, 'value' for all."
        ),
    ] = None,
    reference: Annotated[
        str | None,
        Parameter(
            help="The card that takes the place of others. Default: the average card, whose"
            " win rate when dealt is nearest to one half."
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(1, 2_000_000),
            help="How many games to play with the pool and with each variant. Default:"
            f" {VARIANT_GAMES:,}, which show an effect to about 0.9 points either way, or"
            f" {EVERY_CARD_GAMES:,} for all cards.",
        ),
    ] = None,
    policy: OnePolicy = PLAYER,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the analysis. Default:"
            " runs/sensitivity-CARD-SETS-POLICY-DAY. Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find what a card is worth, and what each part of it does, by experiments on the same deals.

    Each variant changes one card in its place: another card there, a different power, a keyword or
    a copy more or less, a line of text removed. In every game the deal and the luck are the same,
    so the difference is what the change does.
    """
    asked = ask(
        card,
        sets,
        pool,
        changes=changes,
        reference=reference,
        games=games,
        policy=policy,
        seed=seed,
        threads=compute.threads,
        learn=not dry_run,
    )
    if dry_run:
        played = asked.experiments
        plan = plan_of_changes(
            *(played.pool, (played.policy,), played.games, seed),
            cards=asked.cards,
            changes=asked.changes,
            reference=asked.reference,
        )
        tell_cost([plan], compute, as_json=as_json)
        return
    with compute.start() as crew:
        answer = find_out(asked, crew, out)
    if as_json:
        said = {"folder": str(answer.page.parent), "page": str(answer.page)}
        print_json(said | found_json(answer.findings, answer.tables, answer.page.parent))
    else:
        _print(answer)


@frozen
class Asked:
    """Which changes of which cards are tried, and how; the players know the cards by then.

    ``command`` are the words of the command but for the pool, which ``pool`` and ``sets`` name.
    """

    experiments: "Experiments"
    cards: "Sequence[Card]"
    changes: tuple[str, ...]
    reference: "Card | None"
    question: "Question"
    pool: PoolOptions
    sets: tuple[str, ...]
    card: str
    options: tuple[str, ...]

    def command(self, folder: Path) -> str:
        """The command that asks the same again."""
        words = self.pool.words(self.sets, folder / "pool.toml")
        return command("sensitivity", self.card, *words, *self.options)


@frozen
class Answer:
    """What was found, its tables, and the page."""

    played: "TriedChanges"
    tables: "dict[str, pd.DataFrame]"
    findings: "list[Finding]"
    page: Path


def ask(
    card: str,
    sets: Sequence[str],
    pool: PoolOptions,
    *,
    changes: str | None = None,
    reference: str | None = None,
    games: int | None = None,
    policy: str = PLAYER,
    seed: int = 0,
    threads: int | None = None,
    learn: bool = True,
) -> Asked:
    """What the command asks; the players learn new cards first if they may.

    Raises InputError, CardFileError and RunError.
    """
    from analysis.mindbug.experiments.sensitivity_games import Experiments

    typed, tried, cards = read_one_policy(policy), _read_changes(changes, card), pool.load(sets)
    wanted, middle = read_cards(cards, card), _read_reference(cards, reference)
    (player,) = taught([typed], [cards], threads=threads, learn=learn)
    games = games or (EVERY_CARD_GAMES if card == ALL else VARIANT_GAMES)
    question = pool_question(
        *("sensitivity", cards, (player,)),
        of=ALL if card == ALL else wanted[0].card_id,
        games=games,
        seed=seed,
        changes=tried,
        reference=middle and middle.card_id,
    )
    options = option_words(
        changes=changes,
        reference=reference,
        games=games,
        policy=typed,
        seed=seed,
        confidence=confidence_said(),
    )
    return Asked(
        experiments=Experiments(cards, player, games, seed),
        cards=wanted,
        changes=tried,
        reference=middle,
        question=question,
        pool=pool,
        sets=(*sets,),
        card=card,
        options=(*options,),
    )


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[TriedChanges], None] | None" = None,
) -> Answer:
    """Play what is missing of the variants, and write the page.

    ``see`` is shown what is known after each variant, as `try_changes` does.  Raises InputError and
    RunError.
    """
    from analysis.mindbug.experiments.pool_experiments import try_changes
    from reports.kit.words import headline
    from reports.mindbug.sensitivity.page import write_sensitivity_page
    from reports.mindbug.sensitivity.text import findings
    from simcore.work.about import working_on

    compile_engine((asked.experiments.policy,))
    with working_on(asked.question, out) as work:
        folder = work.folder
        with as_input_error(), resumable("finished variants stay", folder):
            played = try_changes(
                asked.experiments,
                asked.cards,
                folder,
                changes=asked.changes,
                reference=asked.reference,
                watch=crew.watch,
                see=see,
                threads=crew.threads,
                executor=crew.executor,
            )
        with waiting("drawing the charts"):
            tables, names = played.tables(), played.card_names
            page = write_sensitivity_page(
                tables, played.manifest, names, folder, asked.command(folder)
            )
        found = findings(tables, names)
        work.finish(headline(found), page.name)
    return Answer(played, tables, found, page)


def _read_changes(text: str | None, wanted: str) -> tuple[str, ...]:
    """The changes to try; by default the value of all cards, or everything for one card."""
    from card_data.mindbug.variants import CHANGES, VALUE

    if text is None:
        return (VALUE,) if wanted == ALL else CHANGES
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in CHANGES:
            raise InputError(f"--changes: {unknown_word('change', word, CHANGES)}")
    return tuple(change for change in CHANGES if change in words)


def _read_reference(pool: "Pool", reference: str | None) -> "Card | None":
    """The card that takes the place of others, if one was named.  Raises InputError."""
    if reference is None:
        return None
    if reference == ALL:
        raise InputError(f"--reference is one card, not {ALL}")
    return read_cards(pool, reference)[0]


def _print(answer: Answer) -> None:
    """What was played, a table, and what is worth knowing first."""
    from reports.mindbug.run_text import Q_TEXT
    from reports.mindbug.sensitivity.text import console_table, describe

    print(f"{describe(answer.played.manifest)}\n")
    headings, rows = console_table(answer.tables)
    print_table(headings, rows, right=(1, 2, 3, 4, 5))
    print_wrapped(["", Q_TEXT, ""])
    print_findings(answer.findings)
    print()
    print_report(answer.page.parent, {"html": answer.page}, tables=True)
