"""The table ``keyword_effects``: what a keyword does, by experiment on the deals of a run.

Each keyword is added to each card that lacks it, and removed from each that has it, one card at a
time, on the first deals of the run and with their luck.  The result is the mean and spread over the
cards (`analysis.questions.worth`).  The games are kept in ``RUN/keywords/GAMES``, a folder of
`sensitivity_games`, so that the same command resumes after an interruption and `fairdeal
sensitivity` can use them.
"""

from collections.abc import Sequence
from math import prod
from typing import Unpack

import pandas as pd

from analysis.mindbug import tallies
from analysis.mindbug.experiments.sensitivity import BY_CHANGE, effects_by_change
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.mindbug.runs import Run
from analysis.registry import Table
from analysis.tables import Beside
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import KEYWORDS, Variant, dealt_cards, variants_of
from simcore.mindbug import compile_cards, parse_player
from simcore.mindbug.table.records import DEALT
from simcore.work.hands import Who
from simcore.work.lock import holding
from simcore.work.progress import Progress

#: Games of each change, unless something else is asked for.
KEYWORD_GAMES = 10_000
#: The folder of the games in that of a run.
KEYWORDS_FOLDER = "keywords"

# What a change costs besides its games (compiling the cards, naming the pool) for each card of the
# pool, in games of random players.
_FIXED_COST = 30
# An experiment that takes a third of the time of its run costs up to so many games for each game of
# the run: between random players, where counting and drawing take longer than playing, and others.
_AFFORDED, _AFFORDED_TO_OTHERS = 1.5, 1 / 3


def keyword_effects(
    run: Run, *, games: int = KEYWORD_GAMES, on_progress: Progress | None = None, **who: Unpack[Who]
) -> pd.DataFrame:
    """Play the experiment on keywords, or what is missing of it, and write its table.

    Parameters
    ----------
    run
        A finished run: its pool, players and seed are those of the experiment.
    games
        Games of the pool and of each change; fewer than 100 show nothing.
    threads
        Default: all processors.  The table does not depend on it.

    Returns
    -------
    DataFrame
        The table `KEYWORD_EFFECTS`; one without rows where
        nobody is dealt a card.

    Raises
    ------
    RunError
        When the folder of the games holds something else or cannot be written, or another process
        works there.
    """
    pool, policies = run.pool(), run.manifest["policies"]
    policy = ":".join(dict.fromkeys(policies))
    experiments = Experiments(pool, policy, games, run.seed)
    folder = run.folder / KEYWORDS_FOLDER / str(games)
    with holding(folder):
        laboratory = Laboratory(experiments, folder, **who)
        base = laboratory.play_base()
        variants = _variants(pool)
        faces = [variant.card for _, mine in variants for variant in mine]
        outcomes = iter(laboratory.play(faces, on_progress))
    tested = [
        Trials(card, card, mine, tuple(next(outcomes) for _ in mine)) for card, mine in variants
    ]
    by_policy = {
        policy: Scores(pool, base, players) for policy, players in tallies.groups(policies)
    }
    table = effects_by_change(by_policy, tested)
    _BESIDE.write(table, run)
    return table


def is_cheap(pool: Pool, policies: Sequence[str], n_games: int) -> bool:
    """Whether the experiment takes at most about a third of the time of a run of so many games."""
    players = [parse_player(policy) for policy in policies]
    if any(player.is_slow for player in players):
        return False
    quick = all(player.policy == "random" for player in players)
    return cost_of(pool, policies) <= n_games * (_AFFORDED if quick else _AFFORDED_TO_OTHERS)


def cost_of(pool: Pool, policies: Sequence[str]) -> int:
    """About how many games the experiment plays, the fixed costs of a change counted as games.

    A change is played only where somebody was dealt the card (`simcore.mindbug.play.affected`), in
    all games where effects reach cards that were not dealt or a player imagines.
    """
    table = compile_cards(pool)
    every = any(parse_player(policy).imagines for policy in policies)
    every = every or bool(table.rows[0]["uses_unused_pile"])
    cards = dealt_cards(pool)
    copies = sum(card.copies for card in cards)
    cost = 0.0
    for card, mine in _variants(pool):
        left = (copies - DEALT - place for place in range(card.copies))
        spared = prod(max(rest, 0) / (copies - place) for place, rest in enumerate(left))
        played = KEYWORD_GAMES * (1.0 if every else 1 - spared)
        cost += len(mine) * (_FIXED_COST * len(cards) + played)
    return round(cost)


def n_changes(pool: Pool) -> int:
    """How many changes of cards the experiment tries."""
    return sum(len(mine) for _, mine in _variants(pool))


def _variants(pool: Pool) -> list[tuple[Card, tuple[Variant, ...]]]:
    """Each card that is dealt, with each keyword added or taken away."""
    return [(card, tuple(variants_of(card, card, (KEYWORDS,)))) for card in dealt_cards(pool)]


KEYWORD_EFFECTS = Table(
    "keyword_effects",
    "One row per keyword, added or taken away",
    {**BY_CHANGE.columns}
    | {
        "change": "the keyword, with + (added to each card that lacks it) or - (taken away from "
        "each that has it)",
        "kind": "add_keyword or remove_keyword",
    },
    where="where the experiment on keywords was played (`fairdeal balance --keywords`)",
    differences=("effect",),
)
_BESIDE = Beside(KEYWORD_EFFECTS, "keywords", ("pool_hash",), "--keywords")
read_keyword_effects = _BESIDE.read
