"""What is counted of games: sums of whole numbers, in arrays whose size does not depend on them.

All sums are exact, so those of parts can be added in any order.  The *score* of a game is the one
of section 29, rooms of the route entered plus, for a win, 1 and the share of pages left; it is
counted in units of 1 / page_end, so that it is a whole number too.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from analysis.mice_and_mystics.run_facts import OUTCOMES, RunFacts
from simcore.mice_and_mystics.table.limits import PAGES, ROUTE
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome, counter_values

#: What is asked of the games in which something happened or was given.
RESULTS = ("win", "score", "pages_lost", "captures")

#: What is summed up of games that something can be said of; wins are their own squares.
GIVEN = ("n", *RESULTS, *(f"{name}²" for name in RESULTS[1:]))

# What some counters hold in a game of which they say nothing.
_MISSING = -1
_MAY_MISS = {"first_level_up_round", "page_at_entry", "page_at_entry_kitchen", "round_at_entry"}
_BLOCK = 1_024


def scores(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """The score of each game, in units of 1 / page_end."""
    end = facts.page_end
    won = games["outcome"] == Outcome.WIN
    return games["route_depth"].astype(np.int64) * end + won * (end + games["pages_left"])


def results(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """`RESULTS` of each game, shape (4, n_games) of int64; scores in units of 1 / page_end."""
    won = games["outcome"] == Outcome.WIN
    lost = games["page_final"].astype(np.int64) - facts.chapter.page_start
    return np.array([won, scores(games, facts), lost, games["captures"]], np.int64)


def tally_numbers(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """Sums over the games of one party, of each of its numbers; int64 of shape (n_numbers, 11).

    Games that have the number, its sum and the sum of its squares; then `GIVEN` of the games in
    which it is above 0.
    """
    sums = np.zeros((len(facts.numbers), 3 + len(GIVEN)), np.int64)
    # In floating point, which has a fast product; whole numbers of this size are exact there.
    memory = np.empty((len(sums), _BLOCK))
    for start in range(0, len(games), _BLOCK):
        block = games[start : start + _BLOCK]
        values = memory[:, : len(block)]
        sums[:, 0] += _fill_values(block, facts, values)
        sums[:, 1] += values.sum(axis=1).astype(np.int64)
        sums[:, 2] += np.einsum("ij,ij->i", values, values).astype(np.int64)
        there = np.minimum(values, 1, out=values)
        given = _given(results(block, facts)).astype(float)
        sums[:, 3:] += (there @ given.T).astype(np.int64)
    return sums


def tally_results(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """`GIVEN` of all games of one party; int64 of shape (8,)."""
    return _given(results(games, facts)).sum(axis=1)


def _given(result: np.ndarray) -> np.ndarray:
    """`GIVEN` of each game, shape (8, n_games), from `results`."""
    return np.concatenate([np.ones((1, result.shape[1]), np.int64), result, result[1:] ** 2])


def _fill_values(games: np.ndarray, facts: RunFacts, values: np.ndarray) -> np.ndarray:
    """Fill ``values``, shape (n_numbers, n_games), with the numbers of each game; none is negative.

    Where a game does not have a number, it is 0.  Returns how many games have each, (n_numbers,).
    """
    known = np.full(len(values), len(games))
    for place, number in enumerate(facts.numbers):
        if number.field == "first_e":
            values[place] = games["first_e"] == number.place
        elif number.field:
            found = counter_values(games, number.field, number.place)
            if number.field in _MAY_MISS:
                there = found != _MISSING
                known[place], found = there.sum(), found * there
            values[place] = found
        elif number.name in OUTCOMES:
            values[place] = games["outcome"] == Outcome[number.name.upper()]
        else:
            values[place] = scores(games, facts) if number.name == "score" else games[number.name]
    return known


def tally_endings(games: np.ndarray, _: RunFacts) -> np.ndarray:
    """Games of one party by outcome, deepest room of the route and last page.

    int64 of shape (4, `ROUTE` + 1, `PAGES` + 1).
    """
    shape = len(OUTCOMES), ROUTE + 1, PAGES + 1
    places = (games["outcome"] - 1, games["route_depth"], games["page_final"])
    return _counted([place.astype(np.int64) for place in places], shape)


def tally_clock(games: np.ndarray, _: RunFacts) -> np.ndarray:
    """Games of one party that were on each page, by the deepest room when they left it.

    int64 of shape (`PAGES` + 1, `ROUTE` + 1).
    """
    entered = games["page_at_entry"]
    counts = np.zeros((PAGES + 1, ROUTE + 1), np.int64)
    for page in range(1, int(games["page_final"].max(initial=0)) + 1):
        there = games["page_final"] >= page
        depth = ((entered[there] > 0) & (entered[there] <= page)).sum(axis=1)
        counts[page] = np.bincount(depth, minlength=ROUTE + 1)
    return counts


#: The ledgers of section 29: what comes in, and what goes out or is left.
LEDGERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "wheel": (
        tuple(
            f"wheel_in_{one}" for one in ("attack", "defense", "idle", "theft", "event", "counter")
        ),
        ("wheel_out_surge", "wheel_out_pilfer", "wheel_left"),
    ),
    "mice": (
        tuple(
            f"cheese_in_{one}"
            for one in (
                *("attack", "defense", "bow", "trap", "discard", "event", "pilfer", "start"),
            )
        ),
        (
            *(f"cheese_out_{one}" for one in ("ability", "level", "pay", "capture", "theft")),
            "cheese_left",
        ),
    ),
}


def tally_balances(games: np.ndarray, _: RunFacts) -> np.ndarray:
    """Games of one party in which a ledger does not balance; int64 of shape (n_ledgers,)."""

    def total(fields: Sequence[str]) -> np.ndarray:
        return np.stack([games[name] for name in fields]).sum(axis=0, dtype=np.int64)

    return np.array(
        [np.count_nonzero(total(into) != total(out)) for into, out in LEDGERS.values()], np.int64
    )


def _counted(places: Sequence[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """How many games are at each place of an array of that shape."""
    flat = np.ravel_multi_index(tuple(places), shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).reshape(shape)


Tally = Callable[[np.ndarray, RunFacts], np.ndarray]
#: Everything that is counted, of the games of one party at a time.
TALLIES: Mapping[str, Tally] = {
    "numbers": tally_numbers,
    "results": tally_results,
    "endings": tally_endings,
    "clock": tally_clock,
    "balances": tally_balances,
}
NO_GAMES = np.empty(0, GAME_RECORD)
