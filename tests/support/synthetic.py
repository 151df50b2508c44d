"""Made-up games with known truths, for tests of the analysis and the report."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from scipy.stats import hypergeom

from card_data.mindbug import cards_hash, parse_set, pool_files, pool_hash
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import RULES_VERSION
from simcore.mindbug.play.asked import pool_entries
from simcore.mindbug.play.run import count_games
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.compile_cards import compile_cards
from simcore.mindbug.table.records import DEALT, DEALT_EACH, GAME_RECORD, SEATS, Ending
from simcore.work.runs import RunSpec, run_games
from simcore.work.tasks import Task
from support.fake_game import Played


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
    synergy: np.ndarray | None = None,
    counter: np.ndarray | None = None,
    edge: float = 0.0,
) -> np.ndarray:
    """Games whose winner depends on the cards dealt.

    Player 0 wins with probability 1/2 + (worth of their cards - worth of the opponent's) +-
    ``first_player_advantage``; ``worth`` (default 0) is a number for each row of the card table,
    small enough to keep the probability between 0 and 1.  ``synergy[a, b]`` is added for each pair
    of a's and b's copies in their hand and subtracted for each in the opponent's (symmetric),
    ``counter[a, b]`` added for each copy of a that they have and each of b that the opponent has
    (antisymmetric), ``edge`` added always.  All else is luck.
    """
    rng = np.random.default_rng(seed)
    pool = card_table.rows[0]["pool"][: card_table.pool_size]
    games = np.zeros(n_games, GAME_RECORD)
    games["unused_cards"] = -1
    games["game"] = np.arange(n_games)
    order = rng.random((n_games, len(pool))).argpartition(DEALT, axis=1)[:, :DEALT]
    games["cards"] = pool[rng.permuted(order, axis=1)]
    games["first_player"] = rng.integers(0, 2, n_games)
    slot_worth = (np.zeros(len(card_table.cards)) if worth is None else worth)[games["cards"]]
    difference = slot_worth[:, :DEALT_EACH].sum(axis=1) - slot_worth[:, DEALT_EACH:].sum(axis=1)
    hands = games["cards"][:, :DEALT_EACH], games["cards"][:, DEALT_EACH:]
    if synergy is not None:
        mine, theirs = (synergy[hand[:, :, None], hand[:, None, :]] for hand in hands)
        difference += np.triu(mine - theirs, 1).sum(axis=(1, 2))
    if counter is not None:
        difference += counter[hands[0][:, :, None], hands[1][:, None, :]].sum(axis=(1, 2))
    chance = 0.5 + edge + difference + first_player_advantage * (1 - 2.0 * games["first_player"])
    assert ((chance >= 0) & (chance <= 1)).all()
    games["winner"] = rng.random(n_games) >= chance
    games["winner"][rng.random(n_games) < draw_rate] = -1
    games["ending"] = np.where(
        games["winner"] < 0,
        rng.choice([Ending.CAPPED, Ending.LOOPED], n_games),
        rng.choice([Ending.LIFE, Ending.NO_ACTION, Ending.EFFECT], n_games, p=[0.75, 0.2, 0.05]),
    )
    games["turns"] = 5 + rng.poisson(12, n_games)
    games["decisions"] = 2 * games["turns"] + rng.integers(0, 20, n_games)
    for name in ("attacks", "second_attacks", "hunts", "blocks", "defeats", "tough_saves"):
        games[name] = rng.poisson(4, n_games)
    games["mindbugs"] = rng.integers(0, 3, (n_games, 2))
    games["life"] = rng.integers(1, 4, (n_games, 2))
    _add_fates(games, rng)
    return games


def true_dealt_win_rate(card: int, worth: np.ndarray) -> float:
    """Exact win rate of players dealt one of the synthetic cards, 16 with two copies of each."""
    own = hypergeom(32, 2, 10)
    copies = own.mean() / (1 - own.pmf(0))  # of the card, among the player's ten
    opposing = (2 - copies) * 10 / 22
    others = worth.sum() - worth[card]
    mine = copies * worth[card] + (10 - copies) * 2 / 30 * others
    return 0.5 + mine - opposing * worth[card] - (10 - opposing) * 2 / 30 * others


def kept(games: np.ndarray, record: np.dtype) -> np.ndarray:
    """What is kept of games."""
    found = np.zeros(len(games), record)
    for name in record.names or ():
        found[name] = games[name]
    return found


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


#: Sets with every expansion feature: a line of three stages, Actions, boosts, dice, power cards.
_ALPHA = """
name = "Alpha"

[seed]
name = "Seed"
power = 2
copies = 2
evolves_to = "sprout"
action = "gain 1 life, then evolve this"

[sprout]
name = "Sprout"
power = 5
evolves_to = "tree"
copies = 0
action = "gain 1 life, then evolve this"

[tree]
name = "Tree"
power = 9
copies = 0
"""
_BETA = """
name = "Beta"

[roller]
name = "Roller"
power = 4
copies = 2
dice = 2

[booster]
name = "Booster"
power = 4
copies = 2
play = "choose one: boost up to 1 card to a creature; or return a boost to your hand"

[gift]
name = "Gift"
cost = 1
copies = 2
bought = "gain 1 life"

[bolt]
name = "Bolt"
cost = 2
copies = 1
bought = "the opponent loses 1 life"
"""


def expansions_pool() -> Pool:
    """Two sets, Alpha and Beta, with 16 plain cards each and every expansion feature."""

    def plain(set_id: str) -> str:
        lines = [
            f'[{set_id}_{n}]\nname = "{set_id} {n}"\npower = {n % 9 + 1}\ncopies = 1'
            + '\nkeywords = ["SNEAKY"]' * (n % 3 == 0)
            for n in range(16)
        ]
        return "\n\n".join(lines) + "\n"

    sets = [
        parse_set(text + "\n" + plain(set_id), f"{set_id}.toml")
        for set_id, text in (("alpha", _ALPHA), ("beta", _BETA))
    ]
    return Pool(tuple(sets), Modes(after_mindbug="action", kot_parts=True))


def expansions_games(
    pool: Pool,
    n_games: int,
    *,
    seed: int = 0,
    alpha_worth: float = 0.0,
    first_player_advantage: float = 0.0,
    draw_rate: float = 0.0,
    stage_odds: Sequence[Sequence[float]] = ((0.6, 0.2, 0.2), (0.4, 0.4, 0.2)),
    bought_odds: Sequence[Sequence[float]] = ((0.3, 0.1), (0.1, 0.1)),
    faces: Sequence[float] = (1 / 6,) * 6,
) -> np.ndarray:
    """Games of `expansions_pool` with known truths about everything that it has.

    ``alpha_worth`` is the change of the win rate by one more dealt card of Alpha instead of one of
    Beta.  ``stage_odds[won]`` are the chances of stage I, II and III of each card Seed that came
    into play, by whether the player won to whom it had been dealt; a Seed not played was never in
    play.  ``bought_odds[won]`` are the chances that a player bought each power card.  Dice follow
    ``faces`` in a number of 0 to 12, more in games won by player 0.
    """
    card_table = compile_cards(pool.sets, pool.modes)
    rng = np.random.default_rng([seed, 1])
    in_alpha = np.array([of_set == "alpha" for of_set in card_table.set_ids])
    games = synthetic_games(
        card_table,
        n_games,
        seed=seed,
        worth=alpha_worth * (in_alpha - 0.5),
        first_player_advantage=first_player_advantage,
        draw_rate=draw_rate,
    )
    won = games["winner"][:, None] == np.arange(2)
    games["best_stage"] = 1
    seeds = games["cards"] == [card.card_id for card in card_table.cards].index("seed")
    entered = games["played"] | games["taken"]
    bits = np.uint64(1) << np.arange(DEALT, dtype=np.uint64)
    in_play = (entered[:, :1] | entered[:, 1:]) & bits != 0
    odds = np.cumsum(np.array(stage_odds), axis=1)[np.repeat(won, DEALT_EACH, axis=1).astype(int)]
    stage = 1 + (rng.random((n_games, DEALT, 1)) >= odds).sum(axis=2)
    games["best_stage"] = np.where(seeds, stage, 1) * in_play
    n_dice = rng.integers(0, 7, n_games) + 6 * (games["winner"] == 0) * rng.integers(0, 2, n_games)
    games["dice"] = rng.multinomial(n_dice, faces)
    games["energy"] = rng.poisson(2, (n_games, 2))
    games["actions"], games["boosted"] = rng.poisson(1.5, n_games), rng.poisson(0.4, n_games)
    games["open_points"] = (rng.random(n_games) < 0.25) * (1 << 3) + (1 << 9)
    gift, bolt = np.moveaxis(
        rng.random((n_games, 2, 2)) < np.array(bought_odds)[won.astype(int)], 2, 0
    )
    copy = rng.integers(1, 4, (n_games, 2))  # the first copy of Gift, the second, or both
    games["power_bought"] = bolt + 2 * gift * copy  # bit 0 is Bolt, 1 and 2 are Gift
    return games


def synthetic_run(folder: Path, card_table: CardTable, games: np.ndarray, **asked: Any) -> Path:
    """A finished run folder with the given games, as `fairdeal simulate` would leave it."""
    return run_of_pool(folder, _pool_of(card_table), games, **asked)


def run_of_pool(folder: Path, pool: Pool, games: np.ndarray, **asked: Any) -> Path:
    """A finished run folder of a pool with the given games; the rest is as in `spec_of_pool`."""
    run_games(spec_of_pool(pool, games, **asked), folder, threads=1)
    return folder


def made_up_spec(card_table: CardTable, games: np.ndarray, **asked: Any) -> RunSpec:
    """A run of at most the given games, still to be played."""
    return spec_of_pool(_pool_of(card_table), games, **asked)


def _pool_of(card_table: CardTable) -> Pool:
    return Pool((CardSet("synthetic", "Synthetic", card_table.cards),), card_table.modes)


def made_up_task(play: Callable[[int, np.ndarray], None]) -> Task:
    """A task that this process alone can play."""
    return Task("made up in this process", {}, built=Played(play))


def spec_of_pool(
    pool: Pool,
    games: np.ndarray,
    *,
    policies: tuple[str, str] = ("random", "random"),
    seed: int = 0,
) -> RunSpec:
    """A run of a pool with the given games, still to be played."""

    def play(first_game: int, out: np.ndarray) -> None:
        out[...] = games[first_game : first_game + len(out)]

    return RunSpec(
        game="mindbug",
        rules_version=RULES_VERSION,
        settings={
            **pool_entries(pool),
            "cards_hash": cards_hash(pool.sets),
            "pool_hash": pool_hash(pool),
            "cards": [card.card_id for card_set in pool.sets for card in card_set.cards],
            "power_cards": [
                card.card_id
                for card_set in pool.sets
                for card in card_set.power_cards
                for _ in range(card.copies)
            ],
            "seed": seed,
            "policies": list(policies),
        },
        n_games=len(games),
        record=GAME_RECORD,
        seats=SEATS,
        task=made_up_task(play),
        count=count_games,
        files=pool_files(pool),
    )
