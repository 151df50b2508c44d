"""What `fairdeal play` is asked to do with Mindbug."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from attrs import frozen
from cyclopts import Parameter

from reports.cli.console import InputError, as_input_error
from reports.cli.options import whole
from reports.mindbug.cli.named_cards import read_cards
from reports.mindbug.cli.options import MINDBUG, PoolOptions, use_players
from reports.mindbug.cli.questions import pool_name
from reports.mindbug.cli.taught import taught

if TYPE_CHECKING:
    from card_data.mindbug.schema import Pool
    from reports.play.log import GameLog

#: Who plays against a person: strong, and quick.
OPPONENT = "expert"


@Parameter(name="*", group=MINDBUG, help="What is played, how, and from which side.")
@frozen(kw_only=True)
class MatchOptions(PoolOptions):
    """A pool, and the person's seat."""

    seat: Annotated[
        int,
        Parameter(
            converter=whole(0, 1),
            help="Your seat, 0 or 1: the other one plays the same deal from the other side.",
        ),
    ] = 0

    def log(
        self, named: Sequence[str], *, player: str | None, seed: int, start_with: str | None
    ) -> "tuple[str, GameLog]":
        """The game of which nothing has been played yet.  Raises CardFileError and InputError."""
        from card_data.mindbug import pool_files
        from reports.play.log import GameLog
        from simcore.mindbug.play.asked import experiment_entries

        pool = self.load(named)
        who = OPPONENT if player is None else player
        _weights(who)  # there is such a player
        number, card = 0, None
        if start_with is not None:
            number, card = self._deal_with(pool, start_with, seed)
        (who,) = taught([who], [pool])
        log = GameLog(
            game="mindbug",
            title=" + ".join(card_set.name for card_set in pool.sets),
            asked=experiment_entries(pool),
            files={name: data.decode() for name, data in pool_files(pool).items()},
            seed=seed,
            number=number,
            start_with=card,
            players=(who,),
            weights=_weights(who),
            person=(self.seat,),
        )
        return pool_name(pool), log

    def _deal_with(self, pool: "Pool", name: str, seed: int) -> tuple[int, str]:
        """The first game of the seed in which the person begins with a card, and what is dealt."""
        from simcore.mindbug import compile_cards
        from simcore.mindbug.face.game import first_game_with

        with as_input_error("--start-with"):
            try:
                cards = read_cards(pool, name)
            except InputError as error:
                raise ValueError(str(error)) from None
            if len(cards) > 1:
                raise ValueError(f"'{name}' stands for every card; name one")
            table = compile_cards(pool.sets, pool.modes)
            card = cards[0]
            number = first_game_with(table, card.card_id, seat=self.seat, seed=seed)
            return number, f"{card.name} in your hand"


def _weights(player: str) -> dict[str, str]:
    """What a player thinks with.  Raises InputError for one that there is not."""
    from simcore.mindbug.players.seats import fingerprints, parse_player

    with as_input_error("--player"):
        parse_player(player)
        use_players([player])
        return fingerprints([player])
