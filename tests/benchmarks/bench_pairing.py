"""How many games pairing saves: one more power for each card of First Contact.

Two independent runs need so many times the games that a base and its variant need on the same
deals, to know the change of the card's win rate dealt equally well.  Counted are games that are
played: a variant plays only those that the changed card can touch.  Run from the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_pairing.py heuristic 20000

Takes less than a minute.  The last columns are millions of games for an interval of ±0.2 points.
"""

import sys

import numpy as np
import pandas as pd
from attrs import evolve

from analysis.confidence import normal_z
from analysis.mindbug.experiments.sensitivity_games import BASE_GAME
from analysis.mindbug.experiments.trials import Scores
from card_data.mindbug import load_pool
from card_data.mindbug.schema import MAX_POWER
from card_data.mindbug.variants import dealt_cards, with_card
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import seat

SEED = 9
PRECISION = 0.002


def main() -> None:
    """Print a line for each card, and the median."""
    policy, n_games = sys.argv[1], int(sys.argv[2])
    policies = (policy, policy)
    pool = load_pool(["first_contact"])
    table = compile_cards(pool.sets, pool.modes)
    base = play_games(table, n_games=n_games, seed=SEED, policies=policies)
    scores = Scores(pool, base[list(BASE_GAME.names or ())].astype(BASE_GAME))
    lines = []
    for card in dealt_cards(pool):
        if card.power == MAX_POWER:
            continue
        changed = with_card(pool, evolve(card, power=card.power + 1))
        other = compile_cards(changed.sets, changed.modes)
        touched = affected_games(
            other, table, base, seed=SEED, games=np.arange(n_games), policies=policies
        )
        variant = base.copy()
        variant[touched] = play_rows(
            seat(other, policies), seed=SEED, games=np.flatnonzero(touched)
        )
        dealt = scores.dealt(card)
        held = dealt.sum(axis=1)
        influences = []
        for games in (base, variant):
            points = scores.of(games, dealt)
            influences.append((points - points.sum() / held.sum() * held) / held.sum())
        independent = sum(influence @ influence for influence in influences)
        moved = influences[1] - influences[0]
        paired, played = moved @ moved, 1 + touched.mean()
        millions = n_games * (normal_z() / PRECISION) ** 2 / 1e6
        lines.append(
            {
                "card": card.name,
                "copies": card.copies,
                "touched": touched.mean(),
                "variance reduction": independent / paired,
                "fewer games": 2 * independent / (played * paired),
                "independent": 2 * millions * independent,
                "paired": played * millions * paired,
            }
        )
    found = pd.DataFrame(lines).sort_values("fewer games").set_index("card")
    print(found.to_string(float_format="{:.2f}".format))
    print(f"\nmedian\n{found.drop(columns='copies').median().round(2).to_string()}")


if __name__ == "__main__":
    main()
