"""Cards made up for a price list, and what each is worth when it is played.

The folder holds ``prices.json`` (what was asked, and with which versions), the pool as a run folder
does, a lesson for each batch of cards in ``lessons/`` and its games in ``games/``.  In each game
one or two cards of ten are made up and the others are those of the pool, so that the pool stays
what it is; and the player knows the cards of the batch, since they had a lesson with them.

Lists of the sets come with fairdeal, so that cards have prices at once: ``price_lists`` has such
folders, without games and lessons, as ``make prices`` makes them.  What they say of the card
language is where the list of any other pool begins.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pandas as pd
from attrs import evolve, frozen

from analysis.experiments.trials import Trial, Trials
from analysis.experiments.watch import Watch, unwatched
from analysis.mindbug.experiments.price_features import CardDescriber
from analysis.mindbug.experiments.sensitivity_games import keep
from analysis.mindbug.experiments.usual import PLAYER
from analysis.mixed_model import FREE, OWN, effects_of_many, spread_of
from analysis.questions import price_list
from analysis.registry import Table
from analysis.tables import read_table
from card_data.mindbug import pool_files
from card_data.mindbug.invention import Inventor
from card_data.mindbug.schema import MAX_CARDS, CardSet, Pool
from card_data.mindbug.variants import dealt_cards
from simcore.arrays import Floats, Integers, Records
from simcore.mindbug import CardTable, parse_player
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.guests import GuestSetup
from simcore.mindbug.play.network_training import NetworkTraining, train_network
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.players.seats import fingerprints, seat, thinks_with, with_file
from simcore.mindbug.table.records import DEALT, DEALT_EACH
from simcore.places import RunError
from simcore.work.folder import FolderKind, identity, read_asked, versions_of
from simcore.work.hands import Who

#: What is played where nothing else is said.
BATCHES, CARDS, GAMES = 6, 125, 40_000
#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "price list",
    "prices.json",
    1,
    "games/*.parquet",
    {
        **EXPERIMENT,
        "policy": str,
        **dict.fromkeys(("batches", "cards", "games"), range(1, 2**63)),
    },
    differing=differing,
)

#: Where the lists are that come with fairdeal.
SHIPPED = Path(__file__).with_name("price_lists")

_KEPT = np.dtype(
    [("winner", np.int8), ("first_player", np.int8), ("cards", np.int16, (DEALT,))]
)  # fmt: skip
# The share of the cards in a game that are made up.
_PORTION = 1 / 7
_BLOCK = 4_000
_DIGITS = 3  # of points elsewhere, which are kept with each list


@frozen(kw_only=True)
class PriceGames:
    """What is played for a price list: batches of made-up cards, and games with each."""

    pool: Pool
    policy: str = PLAYER
    batches: int = BATCHES
    cards: int = CARDS
    games: int = GAMES
    seed: int = 0

    def asked(self) -> dict[str, Any]:
        """Everything that the games depend on, and the versions, as JSON values."""
        return {
            **experiment_entries(self.pool),
            "policy": self.policy,
            "weights": fingerprints([self.policy]),
            "batches": self.batches,
            "cards": self.cards,
            "games": self.games,
            "seed": self.seed,
            "versions": versions_of("numba", "numpy"),
        }

    @property
    def lesson(self) -> NetworkTraining | None:
        """The lesson that players have with each batch; None for those who have none."""
        network = thinks_with(parse_player(self.policy))
        if network is None:
            return None
        return NetworkTraining.teaching(network, self.pools[:1], seed=self.seed)

    def check(self) -> None:
        """Raise ValueError for a pool or player that cannot be played, or too many cards."""
        table = PoolSetup(self.pool).table
        fingerprints([self.policy])
        if self.shipped is None:  # else nobody plays, and nothing need be compiled
            seat(table, (self.policy, self.policy))
        if len(table.cards) + self.cards > MAX_CARDS:
            raise ValueError(
                f"the pool has {len(table.cards)} cards and a batch {self.cards}; at most"
                f" {MAX_CARDS} fit together, so make batches smaller"
            )

    @property
    def tables(self) -> list[CardTable]:
        """What is played, compiled; of all batches the first stands for the others."""
        return [PoolSetup(self.pools[0]).table]

    @property
    def pools(self) -> list[Pool]:
        """The pool with the cards of each batch."""
        return [evolve(self.pool, sets=(*self.pool.sets, one)) for one in self.made_up]

    @property
    def guests(self) -> int:
        """How many made-up cards are in the pool of a game."""
        n = sum(card.copies for card in dealt_cards(self.pool))
        return min(max(round(n * _PORTION / (1 - _PORTION)), 1), self.cards)

    @cached_property
    def shipped(self) -> Path | None:
        """The folder with this list, if it comes with fairdeal."""
        asked = self.asked()
        del asked["versions"]
        return next(iter(_finished(SHIPPED, asked)), None)

    @cached_property
    def made_up(self) -> list[CardSet]:
        """The cards of each batch."""
        inventor = Inventor(self.pool, self.seed)
        numbers = range(1, self.batches + 1)
        return [inventor.card_set(f"batch_{number}", self.cards) for number in numbers]


def lists_of(pool: Pool, runs: Path) -> list[Path]:
    """The folders of finished lists of a pool: of the usual player first.

    Of a player those below ``runs`` come first, the newest before others, and then fairdeal's.
    """
    wanted = experiment_entries(pool)
    found = [*_finished(runs, wanted), *_finished(SHIPPED, wanted)]
    return sorted(found, key=lambda one: read_asked(FOLDER, one)["policy"] != PLAYER)


def _finished(runs: Path, wanted: Mapping[str, Any]) -> list[Path]:
    """The folders of finished lists below ``runs`` that have these entries, newest first."""
    known = []
    for table in runs.glob("prices-*/tables/prices.parquet"):
        with suppress(RunError, OSError):
            folder = table.parent.parent
            asked = read_asked(FOLDER, folder)
            if all(asked.get(name) == value for name, value in wanted.items()):
                known.append((table.stat().st_mtime_ns, folder))
    return [folder for _, folder in sorted(known, reverse=True)]


def usual_numbers(pool: Pool, policies: Sequence[str]) -> dict[str, int]:
    """What is played for a pool where nothing else is said: what its list of fairdeal rests on.

    ``policies`` are those whose lists are wanted; fairdeal has lists of one player.
    """
    for policy in policies:
        for folder in _finished(SHIPPED, {**experiment_entries(pool), "policy": policy}):
            asked = read_asked(FOLDER, folder)
            return {name: asked[name] for name in ("batches", "cards", "games", "seed")}
    return {"batches": BATCHES, "cards": CARDS, "games": GAMES, "seed": 0}


def pricer_of(pool: Pool, folder: Path) -> price_list.Pricer | None:
    """What prices cards by the list of a pool in a folder; None where it is of something else."""
    try:
        asked = read_asked(FOLDER, folder)
    except RunError:
        return None
    tables = price_list.read_list(FOLDER, asked, folder)
    return None if tables is None else price_list.Pricer.read(CardDescriber.of(pool), tables)


def play_prices(
    asked: PriceGames, folder: Path, *, watch: Watch = unwatched, **who: Unpack[Who]
) -> price_list.Worths:
    """Play what is missing of the lessons and games of a price list.

    Whoever calls it holds the folder.  Raises RunError when it holds something else or cannot be
    written, and ValueError for a pool or player that cannot be played.
    """
    what = asked.asked(), pool_files(asked.pool), keep
    trials = Trials(FOLDER, folder, *what, seed=asked.seed, block=_BLOCK, **who)
    found = []
    for number, (made_up, pool) in enumerate(zip(asked.made_up, asked.pools, strict=True)):
        of = f"batch {number + 1} of {asked.batches}"
        with watch(f"{of}: learning its cards") as advance:
            player = _taught(asked, pool, trials.folder, on_progress=advance, **who)
        setup = GuestSetup(pool, asked.guests)
        trial = Trial(setup, (player, player), made_up.set_id, _KEPT)
        numbers = range(number * asked.games, (number + 1) * asked.games)
        with watch(f"{of}: playing") as advance:
            [games] = trials.play([(trial, numbers)], advance)
        found.append(worths_of(games, _copies(asked.pool), len(made_up.cards)))
    return _together(asked, found)


def list_of(asked: PriceGames, played: price_list.Worths) -> price_list.PriceList:
    """The list of a pool, by what its cards and those of its batches were worth when played."""
    return price_list.PriceList.fit(
        CardDescriber.of(asked.pool), played, elsewhere=prices_elsewhere(asked.pool)
    )


def made_again(asked: PriceGames, folder: Path) -> price_list.PriceList:
    """The finished list in a folder, from its worths: for another confidence level.

    Raises RunError.
    """
    fit, elsewhere = _tables_in(folder, price_list.PRICE_FIT, price_list.PRICE_ELSEWHERE)
    variances = dict(zip(fit["number"], fit["value"], strict=True))
    describer, played = CardDescriber.of(asked.pool), worths_in(asked, folder)
    return price_list.PriceList.fit(
        describer, played, variances, price_list.elsewhere_in(elsewhere)
    )


def worths_in(asked: PriceGames, folder: Path) -> price_list.Worths:
    """What was played for the finished list in a folder.  Raises RunError."""
    [worths] = _tables_in(folder, price_list.PRICE_WORTHS)
    known = {
        (batch, card.card_id): card
        for batch, sets in enumerate([asked.pool.sets, *([one] for one in asked.made_up)], -1)
        for one in sets
        for card in one.cards
    }
    batch = worths["batch"].to_numpy(np.int64)
    cards = [known[key] for key in zip(batch.tolist(), worths["card_id"], strict=True)]
    return price_list.Worths(
        cards, worths["worth"].to_numpy(), np.sqrt(worths["variance"].to_numpy()), batch
    )


def prices_elsewhere(pool: Pool) -> price_list.Elsewhere:
    """What features of cards are worth by the lists of other pools that come with fairdeal.

    By their made-up cards alone, so that it knows nothing of a card that both pools have.  Raises
    RunError.
    """
    from scipy.sparse import csr_array

    same = _finished(SHIPPED, experiment_entries(pool))
    parts, played, n = [], [], 0
    for folder in sorted({*SHIPPED.glob("prices-*")} - {*same}):
        worths, features = _tables_in(folder, price_list.PRICE_WORTHS, price_list.PRICE_FEATURES)
        made_up = worths["batch"].to_numpy() >= 0
        told = features[(features["block"] != FREE) & made_up[features["card"]]]
        parts.append(told.assign(row=n + np.cumsum(made_up)[told["card"]] - 1))
        # What the average card is worth is each list's own.
        rows = n + np.arange(made_up.sum())
        parts.append(pd.DataFrame({"row": rows, "block": FREE, "feature": folder.name, "times": 1}))
        played.append(worths[made_up])
        n += len(rows)
    worths = pd.concat(played)
    named = (features := pd.concat(parts)).groupby(["block", "feature"])
    keys: list[tuple[str, str]] = [*named.size().index]
    matrix = csr_array((features["times"], (features["row"], named.ngroup())), (n, len(keys)))
    start = CardDescriber.start
    effects = effects_of_many(
        matrix,
        worths["worth"].to_numpy(),
        worths["variance"].to_numpy() + start[OWN],
        spread_of([block for block, _ in keys], start),
    )
    points = zip(keys, effects.round(_DIGITS).tolist(), strict=True)
    return {key: one for key, one in points if one and key[0] != FREE}


def _tables_in(folder: Path, *tables: Table) -> list[pd.DataFrame]:
    """Tables of the finished list in a folder.  Raises RunError."""
    said = identity(FOLDER, read_asked(FOLDER, folder), "")
    return [read_table(FOLDER, folder, one, said, "repeat the command") for one in tables]


def _taught(asked: PriceGames, pool: Pool, folder: Path, **how: Any) -> str:
    """The player, after a lesson with the cards of a pool if they think with a network."""
    if (training := asked.lesson) is None:
        return asked.policy
    lesson = folder / "lessons" / pool.sets[-1].set_id
    lesson.mkdir(parents=True, exist_ok=True)
    train_network([pool], training, folder=lesson, curve=lesson / "curve.csv", **how)
    return with_file(asked.policy, str(lesson / f"generation-{training.generations:03}.npz"))


def _copies(pool: Pool) -> Integers:
    """The copies of each card of a pool, (n_cards,); 0 for those that are never dealt."""
    return np.array([card.copies for one in pool.sets for card in one.cards])


def worths_of(games: Records, copies: Integers, n_guests: int) -> tuple[Floats, Floats]:
    """What each card of a pool and each guest is worth in points, and the variance of that.

    Least squares over all games: the result is the worth of a player's cards minus that of the
    opponent's, and what it is worth to begin.  0 is the average card of the pool, by its
    ``copies``.  Cards that nobody was dealt are nan.
    """
    n = len(copies) + n_guests
    place = np.arange(len(games))[:, None]
    design = np.zeros((len(games), n + 1))
    for player, side in enumerate((1.0, -1.0)):
        cards = games["cards"][:, player * DEALT_EACH : (player + 1) * DEALT_EACH]
        np.add.at(design, (place, cards), side)
    design[:, n] = np.where(games["first_player"] == 0, 1.0, -1.0)
    result = np.where(games["winner"] < 0, 0.0, np.where(games["winner"] == 0, 0.5, -0.5))
    inverse = np.linalg.pinv(design.T @ design, hermitian=True)
    at = inverse @ (design.T @ result)
    noise = ((result - design @ at) ** 2).sum() / max(len(games) - n, 1)
    # Only differences of worths are known: the average card of the pool is taken off.
    centre = np.eye(n, n + 1)
    centre[:, : len(copies)] -= copies / copies.sum()
    worth, spread = centre @ at, centre @ inverse @ centre.T * noise
    dealt = np.abs(design[:, :n]).sum(axis=0) > 0
    variance = np.where(dealt, np.diag(spread), np.nan)
    return 100 * np.where(dealt, worth, np.nan), 100**2 * variance


def _together(asked: PriceGames, found: list[tuple[Floats, Floats]]) -> price_list.Worths:
    """The cards of the pool by the mean over the batches, then those of all batches."""
    cards = [card for one in asked.pool.sets for card in one.cards]
    n, k = len(cards), len(found)
    of_pool, noise = (np.array([one[part][:n] for one in found]) for part in (0, 1))
    # Players learned each batch anew, so a card of the pool is worth something else in each.
    spread = np.maximum(np.var(of_pool, axis=0, ddof=1), noise.mean(axis=0)) / k
    worth, variance, batch = [of_pool.mean(axis=0)], [spread], [np.full(n, -1)]
    for number, (one, errors) in enumerate(found):
        cards += asked.made_up[number].cards
        worth.append(one[n:])
        variance.append(errors[n:])
        batch.append(np.full(len(one) - n, number))
    every = np.concatenate(worth)
    known = np.isfinite(every)
    return price_list.Worths(
        [card for card, good in zip(cards, known, strict=True) if good],
        every[known],
        np.sqrt(np.concatenate(variance)[known]),
        np.concatenate(batch)[known],
    )
