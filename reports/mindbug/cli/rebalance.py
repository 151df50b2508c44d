"""The command `fairdeal rebalance`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from analysis.mindbug.experiments.usual import CANDIDATE_PLAYER
from reports.mindbug.cli import costs
from reports.mindbug.cli.options import ONLY_SETS, OnePolicy, PoolOptions, Sets, read_one_policy
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.rebalance_options import USUAL, PoolGoals
from reports.mindbug.cli.steps import compile_engine
from reports.mindbug.cli.taught import taught
from reports.rebalance import command as shared
from simcore.commands import command

if TYPE_CHECKING:
    from analysis.questions.rebalance import Answer as Found
    from reports.kit.drawing import Charts
    from reports.mindbug.rebalance.text import PoolRebalancing
    from simcore.work.cost import Plan


@frozen
class PoolAsked(shared.Asked):
    """How a pool is balanced; the players know the cards by then."""

    pool: PoolOptions
    sets: tuple[str, ...]
    words: Sequence[str]

    def command(self, folder: Path) -> str:
        """The command that asks the same again."""
        words = self.pool.words(self.sets, folder / "search" / "pool.toml")
        return command("rebalance", *words, *self.words)

    def plan(self, games: int, seed: int, bound: str) -> "Plan":
        """Games of the pool."""
        one = self.balanced
        return costs.plan(one.pool, (one.policy,), games, seed, bound=bound)

    def told(self, found: "Found") -> "PoolRebalancing":
        """What was found of the pool."""
        from reports.mindbug.rebalance.text import PoolRebalancing

        shipped = self.sets if self.pool.is_shipped(self.sets) else None
        return PoolRebalancing(found.tables, found.manifest, shipped)

    @property
    def charts(self) -> "Charts":
        """Those of cards."""
        from reports.mindbug.rebalance.charts import REBALANCE_CHARTS

        return REBALANCE_CHARTS

    def compile_engine(self) -> None:
        """Compile what plays."""
        compile_engine((self.balanced.policy,))


def ask(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    options: PoolGoals = USUAL,
    policy: OnePolicy = CANDIDATE_PLAYER,
    threads: int | None = None,
    learn: bool = True,
) -> PoolAsked:
    """Find small changes that balance a pool, and confirm them with fresh games.

    Tries single changes on the same deals, combines the best, and shows what more or less change
    would bring. The proposal is a card file that can be played at once.
    """
    typed, cards = read_one_policy(policy), pool.load(sets)
    (player,) = taught([typed], [cards], threads=threads, learn=learn)
    balanced = options.question(cards, player)
    question = pool_question(
        *("rebalance", cards, (player,)),
        games=balanced.games,
        seed=options.seed,
        words=options.words(),
    )
    return PoolAsked(balanced, question, pool, sets, options.words(policy=typed, seed=options.seed))


rebalance = shared.command_of(ask)
