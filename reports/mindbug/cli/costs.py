"""What the commands of Mindbug are going to play, for ``--dry-run``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.mindbug.experiments.ladder import PoolContest
    from card_data.mindbug.schema import Card, Pool
    from simcore.work.cost import Plan

# Bytes that are kept of a game of an experiment, whose results are a few small numbers.
_KEPT = 8


def plan(
    pool: "Pool",
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    kept: int | None = _KEPT,
    bound: str = "",
) -> "Plan":
    """Games of a pool, as `simcore.work.cost.Plan`.  Raises InputError for who cannot play."""
    from reports.cli.console import as_input_error
    from simcore.mindbug.play.run import new_run
    from simcore.work.cost import Plan

    first, second = players[0], players[-1]
    with as_input_error():
        spec = new_run(pool, n_games=games, seed=seed, policies=(first, second))
    return Plan(spec, kept, bound)


def plans_of_pairs(contest: "PoolContest") -> "list[Plan]":
    """The games of a ladder, or of players who must do without something."""
    return [plan(contest.pool, (one, other), n, contest.seed) for one, other, n in contest.pairs]


def plan_of_changes(
    pool: "Pool",
    players: Sequence[str],
    games: int,
    seed: int,
    *,
    cards: "Sequence[Card]",
    changes: Sequence[str],
    reference: "Card | None",
) -> "Plan":
    """The pool as it is and every change of some cards.

    Which card is the reference may be found on the way: then it is one less at most.
    """
    from card_data.mindbug import pool_hash
    from card_data.mindbug.variants import dealt_cards, variants_of, with_card

    middle = reference or next(
        (one for one in dealt_cards(pool) if one not in cards), dealt_cards(pool)[0]
    )
    pools = [
        pool,
        *(
            with_card(pool, one.card)
            for card in cards
            for one in variants_of(card, middle, changes)
        ),
    ]
    n = len({pool_hash(one) for one in pools})
    return plan(pool, players, games * n, seed, bound="" if reference else "at most")
