"""Exact odds of dice, and what the heuristic makes of them (M118-M124, section 24)."""

from collections.abc import Iterable
from functools import cache

from card_data.mice_and_mystics.facts import Face

Faces = tuple[Face, ...]


@cache
def distribution(faces: Faces, symbol: str, n: int) -> tuple[float, ...]:
    """Chances of 0, 1, … of a symbol among n dice."""
    odds = [1.0]
    for _ in range(n):
        odds = list(_one_more(odds, [getattr(face, symbol) for face in faces]))
    return tuple(odds)


def _one_more(odds: list[float], counts: list[int]) -> Iterable[float]:
    more = [0.0] * (len(odds) + max(counts))
    for have, chance in enumerate(odds):
        for count in counts:
            more[have + count] += chance / len(counts)
    return more


@cache
def wounds(faces: Faces, kind: str, dice: int, defense: int) -> tuple[float, ...]:
    """Chances of 0, 1, … unblocked hits of an attack; kind is "melee" or "ranged"."""
    return _unblocked(distribution(faces, kind, dice), distribution(faces, "shield", defense))


@cache
def wounds_of_hits(faces: Faces, hits: int, defense: int) -> tuple[float, ...]:
    """Chances of 0, 1, … unblocked ones of a fixed number of hits."""
    return _unblocked((0.0,) * hits + (1.0,), distribution(faces, "shield", defense))


def _unblocked(hits: tuple[float, ...], shields: tuple[float, ...]) -> tuple[float, ...]:
    odds = [0.0] * len(hits)
    for hit, p in enumerate(hits):
        for shield, q in enumerate(shields):
            odds[max(0, hit - shield)] += p * q
    return tuple(odds)


def at_least(odds: tuple[float, ...], k: int) -> float:
    return sum(odds[k:])


@cache
def score(faces: Faces, kind: str, dice: int, defense: int, life: int) -> float:
    """Worth of an attack to the heuristic: P(defeat) + 0.2 for each wound that may count."""
    odds = wounds(faces, kind, dice, defense)
    return at_least(odds, life) + 0.2 * sum(at_least(odds, k) for k in range(1, life + 1))
