"""What `fairdeal bench` measures of Mindbug."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen
from cyclopts import Parameter

from reports.mindbug.cli.options import MINDBUG, PoolOptions

if TYPE_CHECKING:
    import numpy as np

    from card_data.mindbug.schema import Pool
    from simcore.work.runs import RunSpec


class MeasuredPools:
    """Plays pools by their names, each policy against itself."""

    def __init__(self, pools: "dict[str, Pool]") -> None:
        from simcore.mindbug import RUNGS, compile_cards

        self.pools, self.policies = list(pools), RUNGS
        self._pools = pools
        self._tables = {name: compile_cards(one) for name, one in pools.items()}

    def play(self, pool: str, policy: str, n_games: int, first_game: int = 0) -> "np.ndarray":
        """Play games in one thread."""
        from simcore.mindbug import play_games

        return play_games(
            self._tables[pool], n_games=n_games, first_game=first_game, policies=(policy, policy)
        )

    def new_run(self, pool: str, policy: str, n_games: int) -> "RunSpec":
        """A run of the same games."""
        from simcore.mindbug.play.run import new_run

        return new_run(self._pools[pool], n_games=n_games, policies=(policy, policy))


@Parameter(name="*", group=MINDBUG, help="What is measured.")
@frozen(kw_only=True)
class BenchOptions(PoolOptions):
    """The pool that is measured."""

    def measured(self, named: Sequence[str]) -> MeasuredPools:
        """Several sets one by one and then together; own cards and a pool file only together."""
        from card_data.mindbug import available_sets

        if self.cards or self.pool:
            return MeasuredPools({"the pool": self.load(named)})
        names = named or available_sets()
        together = self.load(names)  # first, since it tells the faults of all of them
        if len(names) == 1:
            return MeasuredPools({Path(names[0]).stem: together})
        alone = {Path(name).stem: self.load([name]) for name in names}
        return MeasuredPools(alone | {"together" if named else "all sets": together})
