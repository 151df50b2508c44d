"""What `fairdeal simulate` and `balance` are asked to do with Mindbug."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import evolve, frozen
from cyclopts import Parameter

from analysis.mindbug.experiments.usual import PLAYER, STRONG, precision
from reports.cli.compute import Crew
from reports.mindbug.cli import experiments
from reports.mindbug.cli.options import MINDBUG, Policy, PoolOptions, read_policies
from reports.mindbug.cli.questions import pool_name, pool_title
from reports.mindbug.cli.skill import (
    AskedPanel,
    Skill,
    SkillGames,
    compare_players,
    games_of,
    panel_of,
    parse_rungs,
)
from reports.mindbug.cli.strong import Strong, StrongGames, ask_strong, games_of_strong
from reports.mindbug.cli.taught import taught
from simcore.commands import as_policy

if TYPE_CHECKING:
    import pandas as pd

    from analysis.mindbug.stopping import PlayUntil
    from analysis.stopping import Goal
    from card_data.mindbug.schema import Pool
    from simcore.work.cost import Plan
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

    @property
    def precision(self) -> str:
        """What ``--until`` asks for where nothing is said."""
        return precision(self.pool)

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
        goal = goal.called({card.card_id: card.name for card in cards})
        return PlayUntil(goal, cards, self.players, anytime=anytime, on_look=on_look)


@Parameter(name="*", group=MINDBUG, help="What is played, how, and by whom.")
@frozen(kw_only=True)
class SimulateOptions(PoolOptions):
    """What is played, and who plays."""

    policy: Policy = PLAYER

    def players(self) -> tuple[str, str]:
        """Who plays.  Raises InputError."""
        return read_policies(self.policy)

    def ready(
        self, named: Sequence[str], before: Path | None, threads: int | None, learn: bool, /
    ) -> Self:
        """The same with players who have learned new cards, or who played the run ``before``."""
        pool, players = self.load(named), self.players()
        if before is None:
            ready = taught(players, [pool], threads=threads, learn=learn)
            return evolve(self, policy=as_policy(ready))
        from reports.mindbug.run_text import called
        from simcore.work.parts import read_manifest

        earlier = read_manifest(before)["policies"]
        same = tuple(map(called, earlier)) == players
        return evolve(self, policy=as_policy(earlier)) if same else self

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
    strong: Strong = False
    strong_games: StrongGames = None
    keywords: experiments.Keywords = None
    keyword_games: experiments.KeywordGames = None
    luck: experiments.Luck = None

    def check(self) -> None:
        """Raise InputError for options that contradict each other, and unknown players."""
        panel_of(self._rungs(), self.panel)
        experiments.check_keywords(self.keywords, self.keyword_games)
        experiments.check_luck(self.luck, self.players())
        self._strong_games()

    def _strong_games(self) -> int:
        """Games of the strong player.  Raises InputError."""
        return games_of_strong(self.strong, self.strong_games, self.players())

    def _rungs(self) -> list[str]:
        """Who is compared.  Raises InputError."""
        return parse_rungs(self.skill, self.skill_games, self.players())

    def more_plans(self, playable: PlayablePool, n_games: int, seed: int) -> "list[Plan]":
        """The games of other players, of the experiment on keywords, and of luck."""
        from reports.mindbug.cli.steps import plan

        pool, players = playable.pool, playable.players
        strong = [STRONG] if self._strong_games() else []
        taught([*self._rungs(), *strong], [pool], learn=False)  # their lessons are foreseen
        plans = [
            plan(pool, (one, one), games_of(one, n_games, self.skill_games), seed, kept=None)
            for one in self._rungs()
            if players != (one, one)
        ]
        if games := self._strong_games():
            plans.append(plan(pool, (STRONG, STRONG), games, seed, kept=None))
        trying = experiments.check_keywords(self.keywords, self.keyword_games)
        for games in (
            experiments.games_of_keywords(pool, players, n_games, trying, self.keyword_games),
            experiments.games_of_luck(n_games, self.luck, players),
        ):
            plans += [plan(pool, players, games, seed)] if games else []
        return plans

    def do_more(
        self, folder: Path, tables: "dict[str, pd.DataFrame]", crew: Crew
    ) -> "dict[str, pd.DataFrame]":
        """Play what was asked for besides; the tables on skill, keywords and luck."""
        from analysis.mindbug import open_run

        more: dict[str, pd.DataFrame] = {}
        panel: list[str] = []
        if rungs := self._rungs():
            panel = panel_of(rungs, self.panel)
            players = taught(rungs, [open_run(folder).pool()], threads=crew.threads)
            known = dict(zip(rungs, players, strict=True))
            panel = [known[player] for player in panel]
            more |= compare_players(folder, tables, players, panel, self.skill_games, crew)
        more |= ask_strong(folder, panel, self._strong_games(), crew)
        trying = experiments.check_keywords(self.keywords, self.keyword_games)
        more |= experiments.try_keywords(folder, trying, self.keyword_games, crew)
        return more | experiments.try_luck(folder, self.luck, crew)
