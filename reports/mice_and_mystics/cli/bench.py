"""What `fairdeal bench` measures of Mice & Mystics."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen
from cyclopts import Parameter

from card_data.mice_and_mystics.chapter_names import offered_chapters
from reports.mice_and_mystics.cli.options import GROUP, PlayableChapter, PlayOptions
from simcore.mice_and_mystics.players.registry import POLICIES

if TYPE_CHECKING:
    import numpy as np

    from simcore.work.runs import RunSpec

#: Players that need no number behind a colon.
RUNGS = [
    name for name, one in POLICIES.items() if one.number is None or one.number.default is not None
]


class MeasuredChapters:
    """Plays chapters by their names."""

    def __init__(self, played: Mapping[str, PlayableChapter], policies: Sequence[str]) -> None:
        from simcore.mice_and_mystics.table.compile_facts import compile_facts

        self.pools, self.policies = list(played), policies
        self._played = played
        self._tables = {name: compile_facts(*one.played()) for name, one in played.items()}

    def play(self, pool: str, policy: str, n_games: int, first_game: int = 0) -> "np.ndarray":
        """Play games in one thread."""
        from simcore.mice_and_mystics.play.simulate import play_games
        from simcore.mice_and_mystics.players.seats import split_players

        players = split_players(policy)
        return play_games(
            self._tables[pool], n_games=n_games, first_game=first_game, players=players
        )

    def new_run(self, pool: str, policy: str, n_games: int) -> "RunSpec":
        """A run of the same games."""
        from simcore.mice_and_mystics.players.seats import split_players

        return self._played[pool].spec(n_games, 0, split_players(policy))


@Parameter(name="*", group=GROUP, help="What is measured.")
@frozen(kw_only=True)
class BenchOptions(PlayOptions):
    """Party, switches and player that are measured; without a player all that need no number."""

    def measured(self, named: Sequence[str]) -> MeasuredChapters:
        """Every chapter that is named, or all, by itself."""
        played = {one: self.read([one]) for one in named or offered_chapters()}
        return MeasuredChapters(played, [":".join(self.players())] if self.policy else RUNGS)
