"""Nanoseconds a uniform-random game costs as parts of the cards are left out.

Run from the project's folder, with nothing else running::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_parts_of_cards.py
"""

import time
from typing import Any

from attrs import evolve

from card_data.mindbug import load_sets
from simcore.mindbug import compile_cards, play_games

GAMES, REPEATS = 300_000, 4
LEFT_OUT: dict[str, dict[str, Any]] = {
    "as they are": {},
    "without constant abilities": {"constant": ()},
    "without triggered abilities": {"triggered": ()},
    "without either": {"constant": (), "triggered": ()},
}


def main() -> None:
    """Print one line for each kind of cards: the best of some repeats."""
    (first_contact,) = load_sets(["first_contact"])
    for name, fields in LEFT_OUT.items():
        cards = tuple(evolve(card, **fields) for card in first_contact.cards)
        table = compile_cards([evolve(first_contact, cards=cards)])
        play_games(table, n_games=1)
        seconds = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            games = play_games(table, n_games=GAMES)
            seconds.append(time.perf_counter() - start)
        best = 1e9 * min(seconds) / GAMES
        decision = best / games["decisions"].mean()
        print(f"{name:28s} {best:5.0f} ns a game {decision:5.1f} ns a decision")


if __name__ == "__main__":
    main()
