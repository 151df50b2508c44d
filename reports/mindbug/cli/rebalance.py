"""The command `fairdeal rebalance`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import CANDIDATE_PLAYER
from reports.cli.compute import HERE, Compute, Crew
from reports.cli.console import (
    print_json,
)
from reports.cli.dry_run import DryRun, tell_cost
from reports.cli.options import Json, Seed, to_place, with_confidence
from reports.mindbug.cli.answers import found_json
from reports.mindbug.cli.costs import plans_of_rebalancing
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.rebalance_options import USUAL, RebalanceOptions
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught
from reports.rebalance import answer
from reports.rebalance.answer import Answer, print_answer
from simcore.commands import command, option_words

if TYPE_CHECKING:
    from analysis.mindbug.experiments.rebalance import Question
    from analysis.questions.rebalance import Answer as Found
    from analysis.questions.rebalance import FrontSoFar
    from reports.kit.words import Finding
    from simcore.work.about import Question as AskedFolder


@with_confidence
def rebalance(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    options: RebalanceOptions = USUAL,
    policy: OnePolicy = CANDIDATE_PLAYER,
    seed: Seed = 0,
    compute: Compute = HERE,
    out: Annotated[
        Path | None,
        Parameter(
            converter=to_place,
            help="The folder of the search. Default:"
            " runs/rebalance-SETS-POLICY-DAY. Run the same command again to resume.",
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, combines the best, and shows what more or less change
    would bring. The proposal is a card file that can be played at once.
    """
    asked = ask(
        sets, pool, options, policy=policy, seed=seed, threads=compute.threads, learn=not dry_run
    )
    if dry_run:
        plans = plans_of_rebalancing(asked.balanced, asked.balanced.policy)
        tell_cost(plans, compute, as_json=as_json)
        return
    with compute.start() as crew:
        told = find_out(asked, crew, out)
    if as_json:
        folder, found = told.page.parent, told.found
        facts = {"folder": str(folder), "page": str(told.page), **found.manifest}
        print_json(facts | found_json(told.findings, found.tables, folder))
    else:
        from reports.mindbug.rebalance.text import describe

        manifest = told.found.manifest
        proposal = manifest["card_file"] or (manifest["proposal"] and manifest["pool_file"])
        print_answer(describe(manifest), told, proposal or "")


@frozen
class Asked:
    """How a pool is balanced: ``balanced`` says by what; the players know the cards by then."""

    balanced: "Question"
    question: "AskedFolder"
    pool: PoolOptions
    sets: tuple[str, ...]
    options: tuple[str, ...]

    def command(self, folder: Path) -> str:
        """The command that asks the same again."""
        words = self.pool.words(self.sets, folder / "search" / "pool.toml")
        return command("rebalance", *words, *self.options)


def ask(
    sets: Sequence[str],
    pool: PoolOptions,
    options: RebalanceOptions = USUAL,
    *,
    policy: str = CANDIDATE_PLAYER,
    seed: int = 0,
    threads: int | None = None,
    learn: bool = True,
) -> Asked:
    """What the command asks; the players learn new cards first if they may.

    Raises InputError, CardFileError and RunError.
    """
    typed, cards = read_one_policy(policy), pool.load(sets)
    (player,) = taught([typed], [cards], threads=threads, learn=learn)
    balanced = options.question(cards, player, seed)
    question = pool_question(
        *("rebalance", cards, (player,)),
        games=balanced.games,
        seed=seed,
        words=options.words(),
    )
    words = (*options.words(), *option_words(policy=typed, seed=seed, confidence=confidence_said()))
    return Asked(balanced, question, pool, (*sets,), words)


def find_out(
    asked: Asked,
    crew: Crew,
    out: Path | None = None,
    see: "Callable[[FrontSoFar], None] | None" = None,
) -> Answer:
    """Play what is missing of the search, and write the page; see `reports.rebalance.answer`."""
    from reports.mindbug.rebalance.page import write_rebalance_page
    from reports.mindbug.rebalance.text import commands_to_play, findings

    def tell(found: "Found", folder: Path) -> "tuple[Sequence[Finding], Sequence[str]]":
        tables, manifest = found.tables, found.manifest
        shipped = asked.sets if asked.pool.is_shipped(asked.sets) else None
        to_play = commands_to_play(tables, manifest, folder, shipped)
        again = asked.command(folder)
        write_rebalance_page(tables, manifest, folder, command=again, to_play=to_play)
        return findings(tables, manifest), to_play

    compile_engine((asked.balanced.policy,))
    return answer.find_out(asked.balanced, asked.question, crew, out, see, tell)
