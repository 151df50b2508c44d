"""The options, words and pages of the game: ``REPORTS``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Self

from attrs import frozen
from cyclopts import Group, Parameter

from reports.cli.compute import Crew
from reports.cli.console import InputError, as_input_error
from reports.cli.options import whole
from reports.games import GoalWords, Reports

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from analysis.experiments.comparison import Comparison
    from analysis.runs import Run
    from analysis.stopping import Goal, PlayUntil
    from reports.balance.report import Report
    from reports.kit.words import Finding
    from simcore.work.cost import Plan
    from simcore.work.runs import Look, RunSpec
    from support.harvest.fairs import Fair

_GROUP = Group("Harvest", sort_key=3)
Policy = Annotated[
    str | None,
    Parameter(help="Who bids: 'random', 'careful' or 'bold', for all seats or one for each."),
]


@frozen
class PlayableFair:
    """A fair, or a run of one that has been played, and its players."""

    said: str
    fair: Fair | None
    rounds: int
    policies: tuple[str, ...] = ()
    run: Path | None = None

    @property
    def name(self) -> str:
        """The fair in the name of a folder."""
        from hashlib import sha256

        assert self.fair is not None
        return f"{self.fair.name.lower()}@{sha256(self.fair.text).hexdigest()[:8]}-r{self.rounds}"

    @property
    def title(self) -> str:
        """The fair in words."""
        return self.said

    @property
    def precision(self) -> str:
        """What is asked for where nothing is said."""
        return "5"

    def spec(
        self,
        n_games: int,
        seed: int,
        players: tuple[str, ...] = (),
        beside: Path | None = None,
    ) -> RunSpec:
        """The run of so many games."""
        from support.harvest.play import new_run

        assert self.fair is not None
        policies = players or self.policies
        return new_run(self.fair, rounds=self.rounds, n_games=n_games, seed=seed, policies=policies)

    def rule(self, goal: Goal, *, anytime: bool, on_look: Callable[[Look], None]) -> PlayUntil:
        """The rule that ends the run at a goal."""
        from support.harvest.tables import UntilLots

        assert self.fair is not None
        return UntilLots(goal, [*self.fair.lots], anytime, on_look=on_look)


class MeasuredFair:
    """Plays a fair as bench wants it."""

    policies = ("random", "bold")

    def __init__(self, fair: PlayableFair) -> None:
        self.pools, self._fair = [fair.name], fair

    def play(self, _pool: str, policy: str, n_games: int, first_game: int = 0) -> np.ndarray:
        """Play games."""
        import numpy as np

        from support.harvest.play import RECORD, Farmers

        assert self._fair.fair is not None
        games = np.zeros(n_games, RECORD)
        rounds = self._fair.rounds
        Farmers(self._fair.fair, rounds=rounds, seed=0, policies=[policy] * 3).play(
            first_game, games
        )
        return games

    def new_run(self, _pool: str, policy: str, n_games: int) -> RunSpec:
        """A run of the same games."""
        return self._fair.spec(n_games, 0, (policy,) * 3)


@Parameter(name="*", group=_GROUP)
@frozen(kw_only=True)
class HarvestOptions:
    """How a fair is played."""

    rounds: Annotated[
        int | None, Parameter(converter=whole(3, 6), help="Lots in a game. Default: 5.")
    ] = None
    policy: Policy = None

    def ready(
        self, _named: Sequence[str], _before: Path | None, _threads: int | None, _learn: bool, /
    ) -> Self:
        """The same: nobody has to learn."""
        return self

    def players(
        self,
        policy: str | None = None,
        _sides: Sequence[object] = (),
        _threads: int | None = None,
        _learn: bool = False,
        /,
    ) -> tuple[str, ...]:
        """Who plays."""
        from support.harvest.play import split_players

        with as_input_error("--policy"):
            return split_players(policy or self.policy or "random")

    def read(self, named: Sequence[str]) -> PlayableFair:
        """The fair that is named."""
        if len(named) != 1:
            raise InputError("name one fair")
        return self._one(named[0], self.players())

    def sides(self, base: str, variant: str | None) -> tuple[PlayableFair, PlayableFair]:
        """Both sides of a comparison."""
        if variant is None:
            raise InputError("what is different? Name a VARIANT")
        return self._one(base), self._one(variant)

    def words(self) -> list[str]:
        """The rounds as words of a command line."""
        return [] if self.rounds is None else ["--rounds", str(self.rounds)]

    stronger = None

    def rung(self, _players: Sequence[str], _games: int) -> tuple[str, int]:
        """Nobody is stronger."""
        return "", 0

    def measured(self, named: Sequence[str]) -> MeasuredFair:
        """What bench measures."""
        return MeasuredFair(self.read(named or ["village"]))

    def check(self) -> None:
        """Nothing can be wrong yet."""

    def more_plans(self, *_asked: Any, **_more: Any) -> list[Plan]:
        """Nothing more."""
        return []

    def do_more(
        self, _folder: Path, _tables: dict[str, pd.DataFrame], _crew: Crew
    ) -> dict[str, pd.DataFrame]:
        """Nothing more."""
        return {}

    def _one(self, named: str, policies: tuple[str, ...] = ()) -> PlayableFair:
        from support.harvest.fairs import load_fair

        rounds = self.rounds or 5
        if Path(named).is_dir():
            return PlayableFair(named, None, rounds, run=Path(named))
        return PlayableFair(named, load_fair(named), rounds, policies)


class Told(NamedTuple):
    """A game, told."""

    record: np.void
    lines: list[str]


class _Harvest(Reports):
    title = "Harvest"
    compared_games = 1_000
    help: Mapping[str, str] = {
        "named": "A fair: 'village', or a file that says game = \"harvest\".",
        "variant": "Another fair.",
        "until": "Play until what those score who take each lot is known to so many points.",
    }
    simulate = balance = compare = bench = HarvestOptions

    @property
    def offered(self) -> Collection[str]:
        from support.harvest.fairs import SHIPPED

        return SHIPPED.keys()

    def describe(self, manifest: Mapping[str, Any]) -> str:
        who = " against ".join(manifest["policies"])
        fair, rounds, games = manifest["sets"][0], manifest["rounds"], manifest["games"]
        return f"{fair}, {rounds} lots · {games:,} games · {who} · seed {manifest['seed']}"

    def findings(self, tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
        from reports.kit.words import Finding, percent

        best = tables["lots"].sort_values("score").iloc[-1]
        return [Finding("Lots", f"Best to take: {best['lot']} ({percent(best['score'])}).")]

    def report(self, folder: Path, before: Comparison | None) -> Report:
        from analysis.runs import open_run
        from analysis.tables import read_tables
        from support.harvest.page import HarvestReport

        return HarvestReport(open_run(folder), read_tables(folder), before)

    def tell(self, run: Run, game: int) -> Told:
        part, place = divmod(game, run.manifest["part_games"])
        record = run.part(part)[place]
        lots = run.manifest["lots"]
        return Told(
            record,
            [
                f"{lots[lot]}: {'nobody' if seat < 0 else f'player {seat}'} takes the lot"
                for lot, seat in zip(record["lots"], record["taken_by"], strict=True)
                if lot >= 0
            ],
        )

    def goal_words(self, manifest: Mapping[str, Any]) -> GoalWords:
        of = manifest["until"]["of"]
        what = "every lot's score" if of == "lots" else f"the score of who takes {of}"
        worst = manifest["stopped"]["worst_name"]
        return GoalWords(what, worst, "Their intervals", many=of == "lots", plural=True)


REPORTS = _Harvest()
