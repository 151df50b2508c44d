"""What is counted of games: sums of whole numbers, in arrays whose size does not depend on them.

All sums are exact, so those of parts can be added in any order.  The *score* of a game is the one
of section 29, rooms of the route entered plus, for a win, 1 and the share of pages left; it is
counted in units of 1 / page_end, so that it is a whole number too.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.mice_and_mystics.run_facts import AHEAD, ON_TOP, OUTCOMES, RunFacts
from simcore.mice_and_mystics.table.limits import HEROES, MICE, PAGES, ROUTE
from simcore.mice_and_mystics.table.records import GAME_RECORD, ROLLED, Outcome

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
    for field, rows, places in facts.fields:
        found = values_of(games, facts, field, places)
        if field in _MAY_MISS:
            there = found != _MISSING
            known[rows], found = there.sum(axis=1), found * there
        values[rows] = found
    return known


def values_of(games: np.ndarray, facts: RunFacts, field: str, places: np.ndarray) -> np.ndarray:
    """The numbers that are made from one field, shape (n_numbers, n_games); see `Number`."""
    if field == "score":
        return scores(games, facts)[None]
    if field == AHEAD:
        return np.equal(_mice_ahead(games), places)
    if field == ON_TOP:
        return np.equal(_on_top(games), places)
    values = games[field]
    if field in {"outcome", "first_e"}:
        return np.equal(values, places)
    if field in {"dealt", "owned"}:
        return values >> places & 1
    return values.T[places[:, 0]] if values.ndim > 1 else values[None]


def _mice_ahead(games: np.ndarray) -> np.ndarray:
    """How many cards of mice lie above the first one of minions on the first track, (n_games,)."""
    minions, mice = games["first_track"] >= MICE, (games["party"] >= 0).sum(axis=1)
    return np.where(minions.any(axis=1), minions.argmax(axis=1), mice)


def _on_top(games: np.ndarray) -> np.ndarray:
    """Whose card lies on top of the first track, (n_games,): a hero, or `HEROES` + a minion."""
    card = games["first_track"][:, 0].astype(np.int64)
    hero = np.take_along_axis(games["party"], np.clip(card, 0, MICE - 1)[:, None], axis=1)[:, 0]
    return np.where(card < MICE, hero, HEROES + card - MICE)


def tally_endings(games: np.ndarray, _: RunFacts) -> np.ndarray:
    """Games of one party by outcome, deepest room of the route and last page.

    int64 of shape (4, `ROUTE` + 1, `PAGES` + 1).
    """
    shape = len(OUTCOMES), ROUTE + 1, PAGES + 1
    places = (games["outcome"] - 1, games["route_depth"], games["page_final"])
    return _counted([place.astype(np.int64) for place in places], shape)


def tally_final(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """Games of one party by outcome, room in which they ended and last page.

    int64 of shape (4, n_tiles, `PAGES` + 1).
    """
    shape = len(OUTCOMES), len(facts.ids["tiles"]), PAGES + 1
    places = (games["outcome"] - 1, games["tile_final"], games["page_final"])
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


#: What is counted of each room: games that entered it, wins of these, games lost in it, and sums
#: and sums of squares of what happened there.
OF_ROOM = ("rounds", "rounds_fought", "surges", "captures", "pages_lost")
ROOM = ("n", "win", "lost_here", *OF_ROOM, *(f"{name}²" for name in OF_ROOM))


def tally_rooms(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """`ROOM` of each room, of the games of one party; int64 of shape (n_tiles, 13)."""
    n_tiles = len(facts.ids["tiles"])
    won = (games["outcome"] == Outcome.WIN)[:, None]
    here = games["tile_final"][:, None] == np.arange(n_tiles)
    entered = here | (games["rounds_in"][:, :n_tiles] > 0) | (games["mice_ahead"][:, :n_tiles] >= 0)
    there = _happened_there(games, n_tiles)
    counted = [entered, entered & won, here & ~won, *there, *(one * one for one in there)]
    return np.stack([one.sum(axis=0, dtype=np.int64) for one in counted], axis=1)


def _happened_there(games: np.ndarray, n_tiles: int) -> list[np.ndarray]:
    """`OF_ROOM` of each game and room, each int64 of shape (n_games, n_tiles)."""
    fields = ("rounds_in", "rounds_fought", "surges_in", "captures_in")
    found = [games[field][:, :n_tiles].astype(np.int64) for field in fields]
    return [*found, found[2] + found[3]]


#: What is counted of the rooms in which an encounter card was drawn: their number, how many were
#: cleared, and sums and sums of squares of what happened there.
OF_MEETING = ("rounds_fought", "rounds_to_clear", "captures", "pages_lost")
MEETING = ("n", "cleared", *OF_MEETING, *(f"{name}²" for name in OF_MEETING))


def tally_meetings(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """`MEETING` of each encounter card, of the games of one party; int64 of shape (2, n_cards, 10).

    Of all rooms in which it was drawn, then of the first room with an encounter alone, whose card
    is the top one of the first deck.
    """
    n_tiles, n_cards = len(facts.ids["tiles"]), len(facts.ids["encounters"])
    drawn = games["encounter_in"][:, :n_tiles]
    over = (games["outcome"] == Outcome.WIN) | (games["fights_left"] == 0)
    cleared = (games["tile_final"][:, None] != np.arange(n_tiles)) | over[:, None]
    _, fought, _, captures, pages_lost = _happened_there(games, n_tiles)
    there = [fought, fought * cleared, captures, pages_lost]
    values = [np.ones_like(fought), cleared, *there, *(one * one for one in there)]
    first = drawn == games["first_e"][:, None]
    first &= first.cumsum(axis=1) == 1
    sums = np.empty((2, n_cards, len(MEETING)), np.int64)
    for place, chosen in enumerate((drawn >= 0, first & (drawn >= 0))):
        cards = drawn[chosen].astype(np.int64)
        for column, value in enumerate(values):
            # In floating point, but whole numbers of this size are exact there.
            sums[place, :, column] = np.bincount(cards, value[chosen], minlength=n_cards)
    return sums


def tally_ahead(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """Games of one party by room and cards of mice above the first one of minions on its track.

    int64 of shape (n_tiles, `MICE` + 1, 4): games, wins, captures there and their squares.
    """
    n_tiles = len(facts.ids["tiles"])
    ahead = games["mice_ahead"][:, :n_tiles].astype(np.int64)
    known = ahead >= 0
    places = (np.arange(n_tiles) * (MICE + 1) + ahead)[known]
    won = np.broadcast_to((games["outcome"] == Outcome.WIN)[:, None], ahead.shape)
    captures = games["captures_in"][:, :n_tiles].astype(np.int64)
    values = (np.ones_like(ahead), won, captures, captures * captures)
    sums = [
        np.bincount(places, value[known], minlength=n_tiles * (MICE + 1)).astype(np.int64)
        for value in values
    ]
    return np.stack(sums, axis=1).reshape(n_tiles, MICE + 1, len(values))


class Roll(NamedTuple):
    """Dice of one kind: who rolls them, for what, the symbol that counts, and where they stand.

    ``face`` is what a face says of the symbol; ``dice`` and ``successes`` are names in `ROLLED`, or
    fields of the record.
    """

    who: str
    roll: str
    symbol: str
    face: str
    dice: tuple[str, ...]
    successes: tuple[str, ...]


#: All dice that are counted.  The cheese that mice roll is not: that of a roll which is rerolled
#: does not count.
ROLLS = (
    Roll("mice", "melee attack", "sword", "melee", ("mouse_melee_dice",), ("mouse_melee_hits",)),
    Roll("mice", "ranged attack", "bow", "ranged", ("mouse_ranged_dice",), ("mouse_ranged_hits",)),
    Roll("mice", "defense", "shield", "shield", ("mouse_defense_dice",), ("mouse_shields",)),
    Roll("mice", "search", "star", "star", ("search_dice",), ("search_stars",)),
    Roll(
        *("minions", "melee attack", "sword", "melee"),
        *(("minion_melee_dice",), ("minion_melee_hits",)),
    ),
    Roll(
        *("minions", "ranged attack", "bow", "ranged"),
        *(("minion_ranged_dice",), ("minion_ranged_hits",)),
    ),
    Roll(
        *("minions", "attack", "cheese", "cheese"),
        *(("minion_melee_dice", "minion_ranged_dice"), ("wheel_in_attack",)),
    ),
    Roll("minions", "defense", "shield", "shield", ("minion_defense_dice",), ("minion_shields",)),
    Roll(
        *("minions", "defense", "cheese", "cheese"),
        *(("minion_defense_dice",), ("wheel_in_defense", "cheese_in_bow")),
    ),
)
#: What is counted of each: games with such dice, sums and products of dice and successes, and games
#: and wins with more and with fewer successes than expected.
ROLLED_SUMS = (
    *("games", "n", "s", "nn", "ns", "ss"),
    *("lucky", "lucky_win", "unlucky", "unlucky_win"),
)


def tally_dice(games: np.ndarray, facts: RunFacts) -> np.ndarray:
    """`ROLLED_SUMS` of each of `ROLLS`, of the games of one party; int64 of shape (9, 10)."""
    won = games["outcome"] == Outcome.WIN
    faces = facts.data.die.faces
    sums = np.empty((len(ROLLS), len(ROLLED_SUMS)), np.int64)
    for row, roll in enumerate(ROLLS):
        n, s = (_total(games, names) for names in (roll.dice, roll.successes))
        luck = len(faces) * s - sum(int(getattr(face, roll.face)) for face in faces) * n
        columns = (n > 0, n, s, n * n, n * s, s * s)
        more = (luck > 0, (luck > 0) & won, luck < 0, (luck < 0) & won)
        sums[row] = [column.sum() for column in (*columns, *more)]
    return sums


def _total(games: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """The sum of some fields, or of dice in ``rolled``: int64 of shape (n_games,)."""
    found = [
        games["rolled"][:, ROLLED.index(name)] if name in ROLLED else games[name] for name in names
    ]
    return np.stack(found).sum(axis=0, dtype=np.int64)


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
    off = [_total(games, into) != _total(games, out) for into, out in LEDGERS.values()]
    return np.array([np.count_nonzero(one) for one in off], np.int64)


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
    "final": tally_final,
    "rooms": tally_rooms,
    "meetings": tally_meetings,
    "ahead": tally_ahead,
    "dice": tally_dice,
    "clock": tally_clock,
    "balances": tally_balances,
}
NO_GAMES = np.empty(0, GAME_RECORD)
