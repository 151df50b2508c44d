"""One short text that stands for the facts that were played, so that results can say it."""

from card_data.fingerprint import plain, sha256_of
from card_data.mice_and_mystics.facts import Facts


def facts_hash(facts: Facts) -> str:
    """SHA-256, in hex, over everything that the facts say to the game or to a report.

    The order of entries matters, as it does in a game; comments and layout do not.
    """
    return sha256_of(plain(facts))
