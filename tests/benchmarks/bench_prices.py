"""Trials of a price list: more games, the cards of another seed, and other models.

As a program it takes the folders of two lists of the same pool with different seeds::

    make prices ONLY=first_contact
    fairdeal prices first_contact --seed 1 --batches 4 --out runs/seed_1
    python tests/benchmarks/bench_prices.py runs/price_lists/prices-first_contact runs/seed_1

It prints the variance of worths that is chance for a quarter and a half of the games, and how well
the first list prices the made-up cards of the second, which other players learned.  With one
folder, which needs no games, it prints how good fewer batches are on those that they never saw,
with and without the lists of other pools, and how good other models are: a Gaussian process on the
same features, and boosted trees (with scikit-learn, which is not installed along); and how many
intervals hold in each band of price::

    python -m pip install scikit-learn
    python tests/benchmarks/bench_prices.py analysis/mindbug/experiments/price_lists/prices-promos

With ``stretch`` before the folder of a list with its games and lessons, `search:400` plays a few
games of each batch, and it prints how many times as far as by the list made-up cards are from
average in the games of either player::

    python tests/benchmarks/bench_prices.py stretch runs/price_lists/prices-first_contact
"""

import sys
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from attrs import evolve

from analysis.mindbug.experiments.price_features import CardDescriber
from analysis.mindbug.experiments.prices import (
    FOLDER,
    PriceGames,
    prices_elsewhere,
    worths_in,
    worths_of,
)
from analysis.mixed_model import OWN, Forecast, spread_of
from analysis.questions.price_list import PriceList, Pricer, Worths, read_list
from analysis.questions.prices import WIDEST, Held, Quality, cross_calibrated
from card_data.mindbug import load_pool
from simcore.mindbug.play.guests import GuestSetup
from simcore.mindbug.players.seats import with_file
from simcore.mindbug.table.records import DEALT, GAME_RECORD
from simcore.records import decode_part, to_records
from simcore.work.folder import read_asked


def asked_in(folder: Path) -> PriceGames:
    """What a list was asked for."""
    said = read_asked(FOLDER, folder)
    numbers = {name: said[name] for name in ("policy", "batches", "cards", "games", "seed")}
    return PriceGames(pool=load_pool(said["sets"]), **numbers)


def games_of(folder: Path, asked: PriceGames) -> Iterator[npt.NDArray[np.void]]:
    """The games of each batch that are kept in a folder, in their order."""
    kept = np.dtype([("winner", np.int8), ("first_player", np.int8), ("cards", np.int16, (DEALT,))])
    for made_up in asked.made_up:
        paths = sorted(folder.glob(f"games/{made_up.set_id}-*.parquet"))
        yield np.concatenate(
            [to_records(decode_part(one.read_bytes()), kept, seats=2) for one in paths]
        )


def chance(folder: Path, parts: int) -> float:
    """The variance of a made-up card's worth between such parts of the games of its batch."""
    asked = asked_in(folder)
    copies = np.array([card.copies for one in asked.pool.sets for card in one.cards])
    found = []
    for games in games_of(folder, asked):
        worths = [
            worths_of(part, copies, asked.cards)[0][len(copies) :]
            for part in np.split(games, parts)
        ]
        found.append(np.nanvar(worths, axis=0, ddof=1))
    return float(np.nanmean(found))


def quality(folder: Path, other: Path) -> Quality:
    """How well the list in a folder prices the made-up cards of another that have a price in it."""
    asked, there = asked_in(folder), asked_in(other)
    tables = read_list(FOLDER, asked.asked(), folder)
    if tables is None:
        raise SystemExit(f"{folder} holds no finished list")
    describer = CardDescriber.of(asked.pool)
    pricer, worths = Pricer.read(describer, tables), worths_in(there, other)
    chosen: list[int] = np.flatnonzero(worths.batch >= 0).tolist()
    cards = [worths.cards[place] for place in chosen]
    features = pricer.columns.matrix([[*describer.features(card)] for card in cards])
    modifiers = np.array([describer.modifiers(card) for card in cards])
    price = pricer.model.forecast(features)
    held = Held(
        price, worths.worth[chosen], worths.std_err[chosen] ** 2, modifiers, worths.batch[chosen]
    )
    variance = pricer.calibration.variance(price, modifiers)
    times = np.full(len(chosen), pricer.calibration.times)
    told = times * np.sqrt(variance) <= WIDEST
    return Quality.of(held.where(told), variance[told], times[told])


def _by_process(made: PriceList) -> npt.NDArray[np.float64]:
    """Prices of all cards without their batch, where whatever parts do together is looked for.

    The kernel of the list and one that falls with the distance in it; its size, width and what
    cards have of their own are the most likely of a few.
    """
    model, worths = made.model, made.worths
    linear = (model.features * spread_of(model.blocks, model.variances)) @ model.features.T
    own = np.diag(linear)
    distance = own[:, None] + own - 2 * linear

    def left_out(size: float, width: float, rest: float) -> tuple[float, npt.NDArray[np.float64]]:
        near = size * np.exp(-distance / (2 * width**2))
        covariance = linear + near + np.diag(rest + worths.std_err**2)
        inverse = np.linalg.inv(covariance)
        pull = inverse @ worths.worth
        price = np.empty(len(pull))
        for batch in np.unique(worths.batch):
            out = np.flatnonzero(worths.batch == batch)
            block = np.linalg.inv(inverse[np.ix_(out, out)])
            price[out] = worths.worth[out] - block @ pull[out]
        likelihood = -np.linalg.slogdet(covariance)[1] - worths.worth @ pull
        return float(likelihood), price

    sizes, widths = (0.1, 1.0, 2.0), (2.0, 4.0, 8.0)
    rests = [share * model.variances[OWN] for share in (0.6, 0.8, 1.0)]
    return max((left_out(*one) for one in product(sizes, widths, rests)), key=lambda one: one[0])[1]


def _by_trees(made: PriceList) -> npt.NDArray[np.float64]:
    """Prices of all cards without their batch by boosted trees, on what the list does not foretell.

    They may split on its price and on each feature that twenty cards have.
    """
    from sklearn.ensemble import HistGradientBoostingRegressor

    worths, listed = made.worths, made.held.price.mean
    often = (made.model.features != 0).sum(axis=0) >= 20
    features = np.column_stack([made.model.features[:, often], listed])
    price = listed.copy()
    for batch in np.unique(worths.batch):
        out = worths.batch == batch
        trees = HistGradientBoostingRegressor(
            max_iter=100, learning_rate=0.05, max_depth=4, min_samples_leaf=10, random_state=0
        )
        trees.fit(features[~out], (worths.worth - listed)[~out], 1 / worths.std_err[~out] ** 2)
        price[out] += trees.predict(features[out])
    return price


def bounds(folder: Path) -> None:
    """Print how good the list and other models are on batches that they never saw."""
    asked = asked_in(folder)
    played = worths_in(asked, folder)
    describer, elsewhere = CardDescriber.of(asked.pool), prices_elsewhere(asked.pool)

    def fitted(batches: int, *, others: bool = True) -> PriceList:
        chosen = (played.batch >= 0) & (played.batch < batches)
        cards = [card for card, mine in zip(played.cards, chosen, strict=True) if mine]
        worths = Worths(cards, played.worth[chosen], played.std_err[chosen], played.batch[chosen])
        return PriceList.fit(describer, worths, elsewhere=elsewhere if others else None)

    def tell(name: str, held: Held) -> None:
        found = Quality.of(held, held.price.variance, np.full(len(held.worth), 1.96))
        print(f"{name}: error {found.error:.2f}, correlation {found.correlation:.3f}", flush=True)

    for batches in (4, 8):
        tell(f"{batches} batches alone", fitted(batches, others=False).held)
        tell(f"{batches} batches and other lists", fitted(batches).held)
    tell("all batches alone", fitted(asked.batches, others=False).held)
    made = fitted(asked.batches)
    held = made.held
    tell("all batches and other lists", held)
    for name, model in (("a Gaussian process", _by_process), ("boosted trees", _by_trees)):
        tell(f"{name} on that", held._replace(price=Forecast(model(made), held.price.variance)))
    variance, times = cross_calibrated(held)
    told = times * np.sqrt(variance) <= WIDEST
    price, off = held.price.mean, np.abs(held.worth - held.price.mean)
    inside = off <= times * np.sqrt(variance + held.error)
    for low, high in pairwise((-20, -4, -2, 0, 2, 4, 20)):
        band = told & (price >= low) & (price < high)
        print(f"priced {low} to {high}: {band.sum()} cards, {inside[band].mean():.1%} hold")


def stretch(folder: Path, policy: str = "search:400", games: int = 1_000) -> None:
    """Print by how much the prices of made-up cards are stretched for the player and another."""
    asked = asked_in(folder)
    n = sum(len(one.cards) for one in asked.pool.sets)
    made = PriceList.fit(
        CardDescriber.of(asked.pool),
        worths_in(asked, folder),
        elsewhere=prices_elsewhere(asked.pool),
    )
    prices, worths = made.held.price.mean, made.worths
    rows: dict[str, list[npt.NDArray[np.float64]]] = {asked.policy: [], policy: []}
    for number, (made_up, few) in enumerate(
        zip(asked.made_up, games_of(folder, asked), strict=False)
    ):
        pool = evolve(asked.pool, sets=(*asked.pool.sets, made_up))
        lesson = max((folder / "lessons" / made_up.set_id).glob("generation-*.npz"))
        setup, own = GuestSetup(pool, asked.guests), with_file(policy, str(lesson))
        records = np.zeros(games, GAME_RECORD)
        setup.play(
            setup.seat((own, own)), 99, np.arange(number * games, (number + 1) * games), records
        )
        price = np.zeros(n + asked.cards)
        price[:n][_places(asked, worths, -1)] = worths.worth[worths.batch == -1]
        price[n:][_places(asked, worths, number)] = prices[worths.batch == number]
        for name, some in ((asked.policy, few), (policy, records)):
            rows[name].append(_sides(some, price, n))
        print(f"{made_up.set_id}: played", flush=True)
    for name, several in rows.items():
        table = np.concatenate(several)
        design, result = table[:, :-1], table[:, -1]
        inverse = np.linalg.inv(design.T @ design)
        at = inverse @ (design.T @ result)
        error = np.sqrt(np.diag(inverse) * np.var(result - design @ at))
        for kind, one, half in zip(("pool", "made-up"), at, 1.96 * error, strict=False):
            print(f"{name}: {kind} cards {one:.2f} ({one - half:.2f} to {one + half:.2f}) times")


def _places(asked: PriceGames, worths: Worths, batch: int) -> list[int]:
    """Where the cards of a batch with a worth stand among all of it; -1 is the pool."""
    every = asked.pool.sets if batch < 0 else asked.made_up[batch : batch + 1]
    place = {card.card_id: at for at, card in enumerate(c for one in every for c in one.cards)}
    mine = np.flatnonzero(worths.batch == batch).tolist()
    return [place[worths.cards[at].card_id] for at in mine]


def _sides(
    games: npt.NDArray[np.void], price: npt.NDArray[np.float64], n: int
) -> npt.NDArray[np.float64]:
    """The points of both sides' cards of the pool, of made-up ones, who began, and the result."""
    points = price[games["cards"]] / 100
    guest = games["cards"] >= n
    side = np.repeat([1.0, -1.0], DEALT // 2)
    first = np.where(games["first_player"] == 0, 1.0, -1.0)
    result = np.where(games["winner"] < 0, 0.0, np.where(games["winner"] == 0, 0.5, -0.5))
    of_pool, made_up = ((points * side * mine).sum(axis=1) for mine in (~guest, guest))
    return np.column_stack([of_pool, made_up, first, result])


if __name__ == "__main__":
    if sys.argv[1] == "stretch":
        stretch(Path(sys.argv[2]))
        sys.exit()
    folders = [*map(Path, sys.argv[1:])]
    if len(folders) == 1:
        bounds(*folders)
        sys.exit()
    first, second = folders
    quarter, half = chance(first, 4), chance(first, 2)
    print(
        f"variance that is chance: {quarter:.2f} with a quarter of the games, {half:.2f} with half"
    )
    print(f"ratio {quarter / half:.2f}, by twice the games 2")
    for name, value in quality(first, second)._asdict().items():
        print(f"{name}: {value:.3g}")
