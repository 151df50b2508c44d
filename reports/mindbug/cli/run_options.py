"""What `balancelab simulate` and `balance` are asked to do with Mindbug."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen
from cyclopts import Parameter

from reports.mindbug.cli.keywords import KeywordGames, Keywords, check_keywords, try_keywords
from reports.mindbug.cli.luck import Luck, try_luck
from reports.mindbug.cli.options import MINDBUG, Policy, PoolOptions, read_policies
from reports.mindbug.cli.questions import pool_name, pool_title
from reports.mindbug.cli.skill import (
    AskedPanel,
    Skill,
    SkillGames,
    compare_players,
    panel_of,
    parse_rungs,
)

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.stopping import PlayUntil
    from analysis.stopping import Goal
    from card_data.mindbug.schema import Pool
    from simcore.work.runs import Look, RunSpec


@frozen
class PlayablePool:
    """A pool and its players."""

    pool: "Pool"
    players: tuple[str, str]

    @property
    def name(self) -> str:
        """The pool in the name of a run folder."""
        return pool_name(self.pool)

    @property
    def title(self) -> str:
        """The pool in words."""
        return pool_title(self.pool)

    def spec(self, n_games: int, seed: int) -> "RunSpec":
        """The run of so many games.  Raises ValueError for what cannot be played."""
        from simcore.mindbug.play.run import new_run

        return new_run(self.pool, n_games=n_games, seed=seed, policies=self.players)

    def rule(
        self, goal: "Goal", *, anytime: bool, on_look: "Callable[[Look], None]"
    ) -> "PlayUntil":
        """The rule that ends the run at a goal.  Raises GoalError."""
        from analysis.mindbug.stopping import PlayUntil

        cards = [card for card_set in self.pool.sets for card in card_set.cards]
        return PlayUntil(goal, cards, self.players, anytime, on_look=on_look)


@Parameter(name="*", group=MINDBUG, help="What is played, how, and by whom.")
@frozen(kw_only=True)
class SimulateOptions(PoolOptions):
    """What is played, and who plays."""

    policy: Policy = "random"

    def players(self) -> tuple[str, str]:
        """Who plays.  Raises InputError."""
        return read_policies(self.policy)

    def read(self, named: Sequence[str]) -> PlayablePool:
        """The pool of all that was said.  Raises CardFileError and InputError."""
        return PlayablePool(self.load(named), self.players())


@Parameter(name="*", group=MINDBUG, help="What is played, how, by whom, and what else is tried.")
@frozen(kw_only=True)
class BalanceOptions(SimulateOptions):
    """What `balance` can do besides: players of different skill, what keywords do, and luck."""

    skill: Skill = None
    skill_games: SkillGames = None
    panel: AskedPanel = None
    keywords: Keywords = None
    keyword_games: KeywordGames = None
    luck: Luck = None

    def check(self) -> None:
        """Raise InputError for options that contradict each other, and unknown players."""
        panel_of(parse_rungs(self.skill, self.skill_games), self.panel)
        check_keywords(self.keywords, self.keyword_games)

    def do_more(
        self, folder: Path, tables: "dict[str, pd.DataFrame]", threads: int | None
    ) -> "dict[str, pd.DataFrame]":
        """Play what was asked for besides; the tables on skill, keywords and luck."""
        more: dict[str, pd.DataFrame] = {}
        if players := parse_rungs(self.skill, self.skill_games):
            panel = panel_of(players, self.panel)
            more |= compare_players(folder, tables, players, panel, self.skill_games, threads)
        trying = check_keywords(self.keywords, self.keyword_games)
        more |= try_keywords(folder, trying, self.keyword_games, threads)
        return more | try_luck(folder, self.luck, threads)
