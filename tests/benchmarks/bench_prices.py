"""Two trials of a price list: more games, and the cards of another seed.

As a program it takes the folders of two lists of the same pool with different seeds::

    make prices ONLY=first_contact
    fairdeal prices first_contact --seed 1 --batches 4 --out runs/seed_1
    python tests/benchmarks/bench_prices.py runs/price_lists/prices-first_contact runs/seed_1

It prints the variance of worths that is chance for a quarter and a half of the games, and how well
the first list prices the made-up cards of the second, which other players learned.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from analysis.mindbug.experiments.price_features import CardDescriber
from analysis.mindbug.experiments.prices import FOLDER, PriceGames, made_again, worths_of
from analysis.questions.price_list import Pricer, read_list
from analysis.questions.prices import WIDEST, Held, Quality
from card_data.mindbug import load_pool
from simcore.mindbug.table.records import DEALT
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
    pricer, worths = Pricer.read(describer, tables), made_again(there, other).worths
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


if __name__ == "__main__":
    first, second = map(Path, sys.argv[1:])
    quarter, half = chance(first, 4), chance(first, 2)
    print(
        f"variance that is chance: {quarter:.2f} with a quarter of the games, {half:.2f} with half"
    )
    print(f"ratio {quarter / half:.2f}, by twice the games 2")
    for name, value in quality(first, second)._asdict().items():
        print(f"{name}: {value:.3g}")
