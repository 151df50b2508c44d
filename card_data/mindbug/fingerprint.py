"""One short text that stands for a choice of cards, so that results can say what was played."""

from collections.abc import Iterable

from card_data.fingerprint import plain, sha256_of
from card_data.mindbug.schema import CardSet, Pool


def cards_hash(sets: Iterable[CardSet]) -> str:
    """SHA-256, in hex, over everything that the cards say to the game or to a report.

    The order of sets and cards, comments and layout do not matter.  A field at its default is left
    out, so that a field which a later version adds leaves the hash of older cards alone.
    """
    return sha256_of(sorted(map(plain, sets), key=lambda facts: facts["set_id"]))


def pool_hash(pool: Pool) -> str:
    """SHA-256, in hex, over the cards of a pool, as in ``cards_hash``, and its modes."""
    import hashlib
    import json

    facts = {"cards": cards_hash(pool.sets), "modes": plain(pool.modes)}
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
