"""Processor seconds for reading and checking a file of 1,000 cards, in both registers.

The cards are those of all sets that do not evolve, one after the other until there are 1,000; each
time all lines are read anew.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_cards.py
"""

import time
from itertools import cycle, islice

from attrs import evolve

from card_data.mindbug import available_sets, load_sets, parse_set
from card_data.mindbug.language.formatter import format_cards, format_set
from card_data.mindbug.schema import MAX_CARDS, CardSet

TURNS = 5


def card_file() -> str:
    """The text of a file with as many cards as one may have."""
    shipped = [
        card
        for card_set in load_sets(available_sets())
        for card in card_set.cards
        if card.evolves_to is None and card.copies
    ]
    cards = [
        evolve(card, card_id=f"card_{number}", name=f"Card {number}")
        for number, card in enumerate(islice(cycle(shipped), MAX_CARDS), 1)
    ]
    return format_cards(CardSet("many", "Many", tuple(cards)))


def main() -> None:
    """Print the seconds for short lines and for printed sentences, the first time and at best."""
    short = card_file()
    for what, text in (
        ("short lines", short),
        ("as printed", format_set(short, as_printed=True)),
    ):
        seconds = []
        for turn in range(TURNS):
            unseen = f"{text}# {turn}\n"  # a text that was read is remembered
            start = time.process_time()
            assert len(parse_set(unseen).cards) == MAX_CARDS
            seconds.append(time.process_time() - start)
        print(f"{what:12} {seconds[0]:5.2f} s at first, {min(seconds):5.2f} s at best")


if __name__ == "__main__":
    main()
