"""What the steps of commands compile of Mindbug and are going to play, and what that costs."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from reports.cli.steps import compiling_all
from reports.games import Compiled, Kernels

if TYPE_CHECKING:
    from analysis.mindbug.experiments.ladder import PoolContest
    from card_data.mindbug.schema import Card, Pool
    from simcore.mindbug import CardTable
    from simcore.mindbug.play.network_training import NetworkTraining
    from simcore.work.cost import Plan

# Bytes that are kept of a game of an experiment, whose results are a few small numbers.
_KEPT = 8


def _compile_counting() -> None:
    from analysis.mindbug.counts import compile_counting

    compile_counting()


#: What counting games compiles: kernels, what they are, and about how many seconds it takes.
ANALYSIS: Kernels = (
    (
        "analysis.mindbug.pair_tallies._count_pairs",
        *(f"analysis.mindbug.tallies._tally_{what}" for what in ("games", "cards", "keywords")),
        "analysis.mindbug.tallies._sum_pair_products",
    ),
    "what counts games",
    5,
)
#: The same, to be compiled with the engine.
COUNTING: Compiled = ANALYSIS[0][0], ANALYSIS[2], _compile_counting
#: What telling single games, and asking players in them, compiles.
SINGLE_GAMES: Kernels = ("simcore.mindbug.play.engine._run",), "the engine for single games", 25
#: What comparing runs compiles.
COMPARISON: Kernels = ("analysis.mindbug.paired_sums._add_pairs",), "the comparison", 10


def compile_engine(
    players: Sequence[str] = (),
    tables: "Sequence[CardTable] | None" = None,
    more: Sequence[Compiled] = (),
) -> None:
    """Compile the engine, with what ``players`` need of it, and ``more``, where not done yet.

    For games with the cards of ``tables``, None for any.
    """
    from simcore.jit import compile_all, prune
    from simcore.mindbug import parse_player
    from simcore.mindbug.play import simulate
    from simcore.mindbug.players.policies import thinking

    asked = [parse_player(player) for player in players]
    play, think = "simcore.mindbug.play.engine.", "simcore.mindbug.players.policies."
    wanted: list[Compiled] = []
    if any(player.considers for player in asked):
        wanted.append((f"{play}_run", 25, simulate.compile_considered))
    for plain in {True, False} if tables is None else {table.plain for table in tables}:
        if not asked or not all(player.considers or player.function for player in asked):
            name = f"{play}_play_plain_games" if plain else f"{play}_play_games"
            wanted.append((name, 20, partial(simulate.compile_engine, plain=plain)))
        if any(player.policy != "random" for player in asked):
            name = f"{think}_think_plainly" if plain else f"{think}_think_of_any"
            wanted.append((name, 15, partial(thinking, plain)))
    if any(player.function for player in asked):
        wanted.append((f"{play}_play_to_function", 25, simulate.compile_with_functions))
    with compiling_all("the engine", [*wanted, *more]) as families:
        compile_all(families)
    prune()


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


def plans_of_lessons(pool: "Pool", lesson: "NetworkTraining", n: int = 1) -> "list[Plan]":
    """What ``n`` lessons of a network with a pool play: to learn, and to be measured."""
    seed, whom = lesson.seed, lesson.opponent
    learned = plan(pool, ("expert", whom or "expert"), n * lesson.all_games, seed, kept=0)
    return [
        evolve(learned, learning=lesson.learning),
        plan(pool, ("expert", whom or "learned"), n * lesson.tested_games, seed, kept=0),
    ]


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
