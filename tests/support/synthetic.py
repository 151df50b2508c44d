"""Made-up games with known truths, for tests of the analysis and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import evolve

from card_data import cards_hash, pool_files, pool_hash
from card_data.schema import Card, CardSet, Pool
from card_data.vocabulary import Keyword
from simcore.mindbug import RULES_VERSION
from simcore.mindbug.card_table import CardTable, compile_cards
from simcore.mindbug.records import DEALT, DEALT_EACH, GAME_RECORD, Ending
from simcore.mindbug.run import count_games, plain_modes
from simcore.runner import RunSpec, run_games


def synthetic_cards(n_cards: int = 16, copies: int = 2) -> CardTable:
    """A pool of cards without abilities; powers 1-10 and up to two keywords each."""
    cards = []
    for number in range(n_cards):
        keywords = {Keyword(number % 5)} if number % 3 else set()
        if number % 4 == 1:
            keywords.add(Keyword((number + 2) % 5))
        cards.append(
            Card(
                card_id=f"card_{number:02}",
                name=f"Card {number}",
                power=number % 10 + 1,
                keywords=frozenset(keywords),
                copies=copies,
            )
        )
    return compile_cards([CardSet("synthetic", "Synthetic", tuple(cards))])


def synthetic_games(
    card_table: CardTable,
    n_games: int,
    *,
    seed: int = 0,
    worth: np.ndarray | None = None,
    first_player_advantage: float = 0.0,
    draw_rate: float = 0.0,
) -> np.ndarray:
    """Games whose winner depends on the cards dealt.

    Player 0 wins with probability 1/2 + (worth of his cards - worth of the opponent's) +-
    ``first_player_advantage``; ``worth`` (default 0) is a number for each row of the card table,
    small enough to keep the probability between 0 and 1.  All else is luck.
    """
    rng = np.random.default_rng(seed)
    pool = card_table.rows[0]["pool"][: card_table.pool_size]
    games = np.zeros(n_games, GAME_RECORD)
    games["game"] = np.arange(n_games)
    order = rng.random((n_games, len(pool))).argpartition(DEALT, axis=1)[:, :DEALT]
    games["cards"] = pool[rng.permuted(order, axis=1)]
    games["first_player"] = rng.integers(0, 2, n_games)
    slot_worth = (np.zeros(len(card_table.cards)) if worth is None else worth)[games["cards"]]
    difference = slot_worth[:, :DEALT_EACH].sum(axis=1) - slot_worth[:, DEALT_EACH:].sum(axis=1)
    chance = 0.5 + difference + first_player_advantage * (1 - 2.0 * games["first_player"])
    assert ((chance >= 0) & (chance <= 1)).all()
    games["winner"] = rng.random(n_games) >= chance
    games["winner"][rng.random(n_games) < draw_rate] = -1
    games["ending"] = np.where(
        games["winner"] < 0,
        rng.choice([Ending.CAPPED, Ending.LOOPED], n_games),
        rng.choice([Ending.LIFE, Ending.NO_ACTION], n_games, p=[0.8, 0.2]),
    )
    games["turns"] = 5 + rng.poisson(12, n_games)
    games["decisions"] = 2 * games["turns"] + rng.integers(0, 20, n_games)
    for name in ("attacks", "second_attacks", "hunts", "blocks", "defeats", "tough_saves"):
        games[name] = rng.poisson(4, n_games)
    games["mindbugs"] = rng.integers(0, 3, (n_games, 2))
    games["life"] = rng.integers(1, 4, (n_games, 2))
    _add_fates(games, rng)
    return games


def _add_fates(games: np.ndarray, rng: np.random.Generator) -> None:
    """What became of the cards: drawn in order, then played, stolen from the hand or nothing."""
    n_games = len(games)
    n_drawn = rng.integers(5, DEALT_EACH + 1, (n_games, 2))
    drawn = np.concatenate([np.arange(DEALT_EACH) < n_drawn[:, [p]] for p in (0, 1)], axis=1)
    owner = np.arange(DEALT) // DEALT_EACH
    robbed = drawn & (rng.random(drawn.shape) < 0.05)  # played by the other player
    by = np.where(robbed, 1 - owner, owner)
    shown = drawn & (rng.random(drawn.shape) < 0.7)
    offered = shown & (rng.random(drawn.shape) < 0.6)
    stolen = offered & (rng.random(drawn.shape) < 0.4)
    kept = shown & ~stolen
    bits = np.uint64(1) << np.arange(DEALT, dtype=np.uint64)
    games["drawn"] = drawn @ bits
    for player in (0, 1):
        games["played"][:, player] = (kept & (by == player)) @ bits
        games["taken"][:, player] = (stolen & (by == 1 - player)) @ bits
    games["defeated"] = (shown & (rng.random(drawn.shape) < 0.5)) @ bits
    games["turn_played"] = np.where(kept, rng.integers(1, 20, drawn.shape), 0)
    games["offers"] = offered + (offered & (rng.random(drawn.shape) < 0.05))
    games["thefts"] = stolen


def hostile_cards(names: Sequence[str], n_cards: int = 16) -> CardTable:
    """The synthetic cards, the first of them with the given names."""
    cards = synthetic_cards(n_cards).cards
    renamed = [evolve(card, name=name) for card, name in zip(cards, names, strict=False)]
    return compile_cards([CardSet("synthetic", "Synthetic", (*renamed, *cards[len(renamed) :]))])


def synthetic_run(
    folder: Path,
    card_table: CardTable,
    games: np.ndarray,
    *,
    policies: tuple[str, str] = ("random", "random"),
    seed: int = 0,
) -> Path:
    """A finished run folder with the given games, as `balancelab simulate` would leave it."""

    def play(first_game: int, out: np.ndarray) -> None:
        out[...] = games[first_game : first_game + len(out)]

    card_set = CardSet("synthetic", "Synthetic", card_table.cards)
    pool = Pool((card_set,))
    spec = RunSpec(
        game="mindbug",
        rules_version=RULES_VERSION,
        settings={
            "sets": [card_set.set_id],
            "modes": plain_modes(pool.modes),
            "cards_hash": cards_hash(pool.sets),
            "pool_hash": pool_hash(pool),
            "cards": [card.card_id for card in card_table.cards],
            "power_cards": [],
            "seed": seed,
            "policies": list(policies),
        },
        n_games=len(games),
        record=GAME_RECORD,
        play=play,
        count=count_games,
        files=pool_files(pool),
    )
    run_games(spec, folder, threads=1)
    return folder
