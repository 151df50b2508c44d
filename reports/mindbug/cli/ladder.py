"""The command `fairdeal ladder`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from analysis.confidence import confidence_said
from analysis.mindbug.experiments.usual import LADDER, PAIR_GAMES, SEARCHING_PAIR_GAMES
from reports.cli.console import as_input_error
from reports.cli.options import MAX_GAMES, Seed, whole
from reports.ladder.command import Asked, command_of
from reports.mindbug.cli.options import ONLY_SETS, PoolOptions, Sets, check_even, use_players
from reports.mindbug.cli.questions import pool_question
from reports.mindbug.cli.steps import compile_engine, plans_of_pairs
from reports.mindbug.cli.taught import taught
from simcore.commands import command

if TYPE_CHECKING:
    from reports.ladder.page import LadderWords


def ask(
    *sets: Sets,
    pool: PoolOptions = ONLY_SETS,
    players: Annotated[
        str,
        Parameter(
            help="Two or more players, separated by commas and spelled as for --policy:"
            " 'random,greedy', 'learned,learned@0.1', 'heuristic,search:100'.",
        ),
    ] = LADDER,
    games: Annotated[
        int | None,
        Parameter(
            converter=whole(2, MAX_GAMES),
            help="How many games each pair plays, an even number: every deal is played from both"
            f" sides. Default: {PAIR_GAMES:,}, which show a score to 0.7 points either way, or"
            f" {SEARCHING_PAIR_GAMES:,} (2.2 points) where a player searches.",
        ),
    ] = None,
    seed: Seed = 0,
    threads: int | None = None,
    learn: bool = True,
) -> Asked:
    """Play several players against each other, and rate them.

    Every player meets every other, each deal from both sides. Prints who is best and by how much,
    and writes a page with ratings, charts and tables.
    """
    from analysis.experiments.pair_games import check_players
    from analysis.mindbug.experiments.ladder import Ladder, check_known
    from simcore.mindbug import compile_cards
    from simcore.mindbug.players.seats import thinking_of

    names = tuple(name.strip() for name in players.split(","))
    with as_input_error("--players"):
        check_known(names)
        use_players(names)
    check_even(games)
    cards = pool.load(sets)
    known = dict(zip(names, taught(names, [cards], threads=threads, learn=learn), strict=True))
    with as_input_error("--players"):  # one may have learned what another had learned already
        check_players(names, lambda name: thinking_of(known[name]))
    names = (*known.values(),)
    asked = Ladder(cards, names, games or PAIR_GAMES, games or SEARCHING_PAIR_GAMES, seed)
    pairs = [games for *_, games in asked.pairs]
    question = pool_question("ladder", cards, names, games=games, seed=seed, pairs=pairs)

    def again(folder: Path) -> str:
        words = pool.words(sets, folder / "pool.toml")
        how = {"games": games, "seed": seed, "confidence": confidence_said()}
        return command("ladder", *words, players=players, **how)

    def compile_all() -> None:
        compile_engine(names, [compile_cards(cards)])

    return Asked(asked, question, lambda: plans_of_pairs(asked), _words, again, compile_all)


ladder = command_of(ask)


def _words(manifest: Mapping[str, Any]) -> "LadderWords":
    from reports.mindbug.ladder import ladder_words

    return ladder_words(manifest)
