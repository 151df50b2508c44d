"""Tests of examples as texts: what is told otherwise than it is fails, and so do unknown words."""

from __future__ import annotations

import pytest

from support.reference_examples import ENGINES
from support.told_examples import _examples, play_example

GAME = "alice play: gorillion | bob play: bee_bear > attack gorillion > no_block"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "seen",
    [
        "bob life: 1",
        "D4 bob",
        "D2",
        "bob hand: +, gorillion",
        "alice play: none",
        "exhausted gorillion: yes",
        "over: alice, life",
        "offered: stop",
    ],
)
def test_an_outcome_that_is_not_so_fails(seen: str, engine: str) -> None:
    """Whatever is said of a table, in any game of an example."""
    play_example(f"{GAME} = bob life: 2; D1 bob; bob hand: +; over: no", engine)
    with pytest.raises(AssertionError):
        play_example(f"{GAME} = bob life: 2 & {GAME} = {seen}", engine)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (GAME, "without an outcome"),
        (f"{GAME} > block bee_bear = bob life: 2", "no option fits"),
        ("alice plays: gorillion = turn: 1", "says nothing of a position"),
        ("alice play: gorillon = turn: 1", "gorillon"),
        ("padding = round: 1", "round"),
    ],
)
def test_what_means_nothing_is_refused(body: str, fault: str) -> None:
    """A choice that is not offered, a word that is unknown, an example that could not fail."""
    with pytest.raises((AssertionError, ValueError, KeyError), match=fault):
        play_example(body, "reference")


def test_a_text_has_titles_bodies_and_headings() -> None:
    """A body goes on over several lines, a title too."""
    text = "\n# Fights\nT1: one (R1).\nMore.\n  padding\n  = turn:\n    1\nT2: two.\n  padding\n"
    assert [*_examples(text)] == [
        ("T1: one (R1).\nMore.\n", "padding = turn: 1"),
        ("T2: two.\n", "padding"),
    ]
