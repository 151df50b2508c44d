"""Tests of examples as texts: a wrong outcome fails, and so does a word that nobody knows."""

import pytest

from support.mice_and_mystics.examples import position
from support.mice_and_mystics.slow_table import SlowTable
from support.mice_and_mystics.told_examples import play_example as play_mice
from support.reference_examples import ENGINES
from support.told_examples import examples_of, play_example

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
    assert [*examples_of(text)] == [
        ("T1: one (R1).\nMore.\n", "padding = turn: 1"),
        ("T2: two.\n", "padding"),
    ]


def _lay(*given, **more):
    return SlowTable(position(*given, **more), 0)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("", "without an outcome"),
        ("= collin cheese: 2", "collin cheese: 1"),
        ("= minions: none", "minions: rat_warrior b2"),
        ("= count battles: 2", "count battles: 1"),
        ("= label SEARCH: yes", "label SEARCH: no"),
        ("> BATTLE dagger 0 = wheel: 0", "BATTLE dagger 0"),
        ("= colour: red", "colour"),
    ],
)
def test_examples_of_mice_and_mystics_fail_alike(told: str, fault: str) -> None:
    """What is not so, an entry that is not offered, a word that is unknown, nothing to see."""
    game = "901; collin b1; rest d4; minions rat_warrior b2 ! 0 3 4 0 @ collin"
    taken = f"{game} > BATTLE collins_sword 0"
    play_mice(f"{taken} = collin cheese: 1; minions: rat_warrior b2; label SEARCH: no", _lay)
    with pytest.raises((AssertionError, ValueError, AttributeError), match=fault):
        play_mice(f"{taken} {told}".strip(), _lay)
