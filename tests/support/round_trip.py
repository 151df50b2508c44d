"""Cards made up at random, printed, read and printed again.

``python -m support.round_trip 100000`` tries so many.  Every card is written in both registers,
each is read, and both have to be the card that it was.
"""

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from card_data.mindbug.language.parser import LanguageError, parse_field, parse_piece
from card_data.mindbug.language.rules_box import pieces
from card_data.mindbug.language.rules_text import format_line, rules_text
from card_data.mindbug.schema import Card, ConstantAbility, TriggeredAbility
from card_data.mindbug.vocabulary import Trigger
from support.random_cards import STARTS, TRIGGER_FIELDS, derived

_FIELDS = [*TRIGGER_FIELDS, *STARTS]
_BATCH = 2_500


def random_card(rng: random.Random) -> Card:
    """A card with one to three made-up abilities, of different fields."""
    triggered: list[TriggeredAbility] = []
    constant: list[ConstantAbility] = []
    for field in rng.sample(_FIELDS, rng.choice((1, 1, 2, 3))):
        for ability in _abilities(rng, field):
            (constant if isinstance(ability, ConstantAbility) else triggered).append(ability)
    triggered = list({one.trigger: one for one in triggered}.values())
    ordered = sorted(triggered, key=lambda one: one.trigger)
    return Card("a", "A", 1, triggered=tuple(ordered), constant=tuple(constant))


def _abilities(rng: random.Random, field: str) -> list[TriggeredAbility | ConstantAbility]:
    while True:
        line = derived(rng, STARTS.get(field, "triggered"))
        while field == "exhausted" and not line.startswith("this becomes"):
            line = derived(rng, "effect")  # nothing else can be there (C45)
        try:
            read = parse_field(field, line)
        except LanguageError:
            continue
        if field in STARTS:
            return read
        names = ("play", "attack") if field == "play_attack" else (field,)
        return [TriggeredAbility(Trigger[name.upper()], read[0]) for name in names]


def faults(card: Card) -> Iterator[str]:
    """What is lost of a card on the way through both registers."""
    said = rules_text(card)
    triggered: list[TriggeredAbility] = []
    constant: list[ConstantAbility] = []
    try:
        for ability in (*card.triggered, *card.constant):
            if parse_field(_field(ability), format_line(ability)) != [_meant(ability)]:
                yield f"{said}: the short line {format_line(ability)!r} is another card"
        for piece in pieces(" ".join(said)):
            read = parse_piece(piece)
            if piece.field in STARTS:
                for one in read:
                    (constant if isinstance(one, ConstantAbility) else triggered).append(one)
            else:
                names = ("play", "attack") if piece.field == "play_attack" else (piece.field,)
                triggered += [TriggeredAbility(Trigger[name.upper()], read[0]) for name in names]
    except LanguageError as error:
        yield f"{said}: {error}"
        return
    ordered = tuple(sorted(triggered, key=lambda one: one.trigger))
    lying = [one for one in card.constant if one.in_discard]
    standing = [one for one in card.constant if not one.in_discard]
    again = Card("a", "A", 1, triggered=ordered, constant=tuple(constant))
    if (ordered, constant) != (card.triggered, standing + lying):
        yield f"{said}: the printed text is another card"
    elif rules_text(again) != said:
        yield f"{said}: printed again as {rules_text(again)}"


def _meant(ability: TriggeredAbility | ConstantAbility) -> object:
    """What a line of its field means."""
    in_field = isinstance(ability, TriggeredAbility) and ability.trigger is not Trigger.LIFE_LOST
    return ability.instructions if in_field else ability


def _field(ability: TriggeredAbility | ConstantAbility) -> str:
    if isinstance(ability, TriggeredAbility):
        lost = ability.trigger is Trigger.LIFE_LOST
        return "in_discard" if lost else ability.trigger.name.lower()
    return "in_discard" if ability.in_discard else "constant"


def tried(batch: int, n_cards: int) -> list[str]:
    """What is lost of so many cards, which a number decides."""
    rng = random.Random(batch)
    return [fault for _ in range(n_cards) for fault in faults(random_card(rng))]


def main(n_cards: int) -> int:
    """Try so many cards, on all processors; how many were not what they were."""
    sizes = [min(_BATCH, n_cards - done) for done in range(0, n_cards, _BATCH)]
    n_wrong = n_tried = 0
    with ProcessPoolExecutor() as workers:
        for size, found in zip(sizes, workers.map(tried, range(len(sizes)), sizes), strict=True):
            n_wrong, n_tried = n_wrong + len(found), n_tried + size
            print(*found, f"{n_tried:,} cards", sep="\n", flush=True)
    print(f"{n_cards:,} cards read in both registers, {n_wrong:,} wrong")
    return n_wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)))
