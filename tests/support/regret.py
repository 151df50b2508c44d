"""What players give away in single decisions, as a much longer search judges: `make regret`.

Games between `expert` players stop at decisions drawn at random.  A referee rates every option
there, and each player that is asked about chooses: their regret is what the referee's best option
wins more often than theirs.  The referee judges positions by the same network, so errors that both
share stay unseen, and the best of several noisy ratings is a little too good: the referee asked
again, with other luck, shows by how much.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from attrs import frozen

from analysis.estimates import estimate_share
from card_data.mindbug import load_pool
from reports.kit.words import bare_percent
from simcore.mindbug import Game, compile_cards
from support.verdicts_of_record import SETS

REFEREE = "search:6400"
#: A decision that gives away so much of a game is a blunder.
BLUNDER = 0.2
POOLS = {"first_contact": ["first_contact"], "king_of_tokyo": ["king_of_tokyo"], "all_sets": SETS}
_SEED, _ONE_IN, _AT_ONCE = 9119, 12, 25


@frozen
class Asked:
    """A decision: what is decided, and what each player who was asked gives away."""

    game: int
    point: str
    regrets: dict[str, float]


def asked_in(
    sets: Sequence[str], players: Sequence[str], referee: str, one_in: int, numbers: Sequence[int]
) -> list[Asked]:
    """What players give away in some games: one in ``one_in`` of the decisions with a choice."""
    table, found = compile_cards(load_pool(sets)), list[Asked]()
    for number in numbers:
        game, n = Game(table, seed=_SEED, game=number), 0
        chance = np.random.default_rng([_SEED, number])
        while not game.over:
            n += 1
            if len(game.options) > 1 and chance.integers(one_in) == 0:
                game.choose(referee, luck=[number, n])
                if game.thoughts is not None:
                    values, point = game.thoughts.values, str(game.decision.name)
                    chosen = {who: game.choose(who, luck=[number, n, 1]) for who in players}
                    lost = {who: max(values) - values[one] for who, one in chosen.items()}
                    found.append(Asked(number, point, lost))
            game.step(game.choose("expert"))
    return found


def rows(name: str, players: Sequence[str], n_games: int, referee: str = REFEREE) -> Iterator[str]:
    """A row for each player: mean regret, and how many decisions are blunders, and which."""
    parts = [range(first, first + _AT_ONCE) for first in range(0, n_games, _AT_ONCE)]
    ask = partial(asked_in, POOLS[name], players, referee, _ONE_IN)
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        found = [one for part in workers.map(ask, parts) for one in part]
    for player in players:
        regrets = np.array([one.regrets[player] for one in found])
        blunders = regrets >= BLUNDER
        share = estimate_share(int(blunders.sum()), len(found))
        points = defaultdict[str, int](int)
        for one, is_blunder in zip(found, blunders, strict=True):
            points[one.point] += int(is_blunder)
        most = sorted(((n, point) for point, n in points.items() if n), reverse=True)
        cells = (
            *(name.replace("_", " "), f"`{player}`", f"{len(found):,}"),
            bare_percent(float(regrets.mean()), 2),
            "{} ({} to {})".format(*(bare_percent(float(one), 2) for one in share[:3])),
            ", ".join(f"{point} {n}" for n, point in most),
        )
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Print a table for the players that are named."""
    n_games, players = int(sys.argv[1]), sys.argv[2:]
    print("| | player | decisions | mean regret, points | blunders, % of decisions | which |")
    print("|---" * 6 + "|")
    for name in POOLS:
        for row in rows(name, players, n_games):
            print(row, flush=True)


if __name__ == "__main__":
    main()
