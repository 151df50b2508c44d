"""In one call: play a pool, and try changes of cards, from Python or for a command."""

import os
import warnings
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Unpack

import pandas as pd

from analysis.experiments.watch import Watch, unwatched
from analysis.mindbug.experiments.sensitivity import TriedCards, choose_reference
from analysis.mindbug.experiments.sensitivity_games import Experiments, Laboratory
from analysis.mindbug.experiments.trials import CardChange, Scores
from analysis.mindbug.experiments.usual import PLAYER, VARIANT_GAMES
from analysis.mindbug.runs import Run, open_run
from card_data.faults import did_you_mean
from card_data.mindbug.pool import as_pool
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import CHANGES, dealt_cards, variants_of
from simcore.mindbug import compile_cards, parse_player, split_players
from simcore.mindbug.play.run import new_run
from simcore.mindbug.players.seats import thinks_with
from simcore.places import located
from simcore.work.hands import Who
from simcore.work.lock import holding
from simcore.work.runs import run_games


def play_run(
    pool: Pool | str | Iterable[str],
    folder: str | os.PathLike[str],
    *,
    games: int = VARIANT_GAMES,
    policy: str = PLAYER,
    seed: int = 0,
    **who: Unpack[Who],
) -> Run:
    """Play a pool into a run folder, or what is missing of it, and open the run.

    Parameters
    ----------
    pool
        What `card_data.mindbug.load_pool` or `card_data.mindbug.change_cards` gives, or names as
        for the former.
    folder
        The run folder; one that holds part of the same run is continued.
    policy
        Who plays, as on the command line: "learned", or "greedy:random" for one each.
    threads
        Default: all processors.  The games do not depend on it.
    executor
        Who plays in place of threads of this process, and is sent as many tasks at once as
        ``threads`` says: a `concurrent.futures.ProcessPoolExecutor`, or the executor of a cluster.

    Raises
    ------
    ValueError
        For a pool, policy, seed or number of games that cannot be played.
    CardFileError
        For cards that cannot be read.
    RunError
        When the folder holds something else or cannot be written.
    """
    pool, players = as_pool(pool), split_players(policy)
    _warn_of_unknown_cards(pool, players)
    spec = new_run(pool, n_games=games, seed=seed, policies=players)
    run_games(spec, located(folder), **who)
    return open_run(folder)


def _warn_of_unknown_cards(pool: Pool, players: Sequence[str]) -> None:
    """Warn of cards that the network of a player was not trained with."""
    faces = compile_cards(pool).faces
    for one in dict.fromkeys(players):
        network = thinks_with(parse_player(one))
        if network is not None and (new := network.unknown(faces)):
            names = ", ".join(dict.fromkeys(card.name for card in new))
            warnings.warn(
                f"{one} was not trained with {names}, and may play badly with them; commands teach"
                " it first, and keep what it learned in runs/players: name it here then, as in"
                " policy='expert=my_cards'",
                stacklevel=3,
            )


def card_sensitivity(
    pool: Pool | str | Iterable[str],
    card_id: str,
    folder: str | os.PathLike[str],
    *,
    changes: Iterable[str] = CHANGES,
    reference: str | None = None,
    games: int = VARIANT_GAMES,
    policy: str = PLAYER,
    seed: int = 0,
    **who: Unpack[Who],
) -> dict[str, pd.DataFrame]:
    """What a card is worth, and what changes of it would do, on the same deals with the same luck.

    Parameters
    ----------
    pool, policy, seed, threads
        As for `play_run`; the same player on both sides.
    card_id
        The card that is changed.
    folder
        Where the games are kept; later calls with the same pool, games, policy and seed reuse them.
    changes
        Of `card_data.mindbug.variants.CHANGES`: "value" (the reference in its place), "power",
        "keywords", "lines" (each line of text left out) and "parts" (what each part adds).
    reference
        The id of the card that takes its place; default: the average card, whose win rate when
        dealt is nearest to one half.
    games
        Games of the pool and of each variant.

    Returns
    -------
    dict
        The tables "sensitivity", "values", "by_copies" and "parts"; see ``docs/columns.md``.

    Raises
    ------
    ValueError
        For a card or change that there is not, and for what cannot be played.
    RunError
        When the folder holds something else or cannot be written, or another process works there.
    """
    pool = as_pool(pool)
    wanted = [changes] if isinstance(changes, str) else list(changes)
    if unknown := [change for change in wanted if change not in CHANGES]:
        raise ValueError(f"there is no change {unknown[0]!r}; there are: {', '.join(CHANGES)}")
    card = _dealt(pool, card_id)
    middle = None if reference is None else _dealt(pool, reference)
    _warn_of_unknown_cards(pool, [policy])
    what = Experiments(pool, policy, games, seed), [card], located(folder)
    *_, tried = try_changes(*what, changes=wanted, reference=middle, **who)
    return tried.tables()


def try_changes(
    experiments: Experiments,
    cards: Sequence[Card],
    folder: Path,
    *,
    changes: Sequence[str],
    reference: Card | None = None,
    watch: Watch = unwatched,
    **who: Unpack[Who],
) -> Generator[TriedCards]:
    """Play each change of each card, or what is missing of it, on the same deals.

    What is known comes once the pool is played, and again after each variant.  ``changes`` are of
    `card_data.mindbug.variants.CHANGES`; ``reference`` is the card that takes the place of others,
    by default the average one.  Games are played inside contexts of ``watch``.

    Raises RunError when the folder holds something else or cannot be written, or another process
    works there, and ValueError for a pool or player that cannot be played.
    """
    with holding(folder):
        laboratory = Laboratory(experiments, folder, **who)
        with watch("playing the pool") as advance:
            base = laboratory.play_base(advance)
        pool, policy, scores = experiments.pool, experiments.policy, Scores(experiments.pool, base)
        middle = reference or choose_reference(pool, base)
        wanted = [
            CardChange(card, variant, policy, scores)
            for card in cards
            for variant in variants_of(card, middle, changes)
        ]
        tried = TriedCards(
            changes=wanted,
            pool=pool,
            policy=policy,
            base=base,
            cards=cards,
            reference=middle,
            manifest=laboratory.manifest,
        )
        faces = [change.variant.card for change in wanted]
        with (
            watch("playing variants") as advance,
            closing(laboratory.play_each(faces, advance)) as coming,
        ):
            yield from tried.each(coming)


def _dealt(pool: Pool, card_id: str) -> Card:
    """The card of that id, if it is dealt.  Raises ValueError."""
    cards = {card.card_id: card for card in dealt_cards(pool)}
    if card_id not in cards:
        meant = did_you_mean(card_id, cards, "")
        raise ValueError(f"no card {card_id!r} is dealt in this pool{meant}")
    return cards[card_id]
