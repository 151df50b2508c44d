"""Entries in words: their numbers, what they do, and who comes when."""

from __future__ import annotations

import pytest

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.facts import Effect, by_id
from reports.mice_and_mystics.entry_text import effect_text, entry_facts, entry_lines
from reports.mice_and_mystics.run_text import describe_run

FACTS = load_facts()


@pytest.mark.parametrize(("seed", "said"), [(7, "seed 7"), ([1, 2], "seeds 1, 2")])
def test_lines_name_every_seed(seed: int | list[int], said: str) -> None:
    """A run that was merged from others has the seeds of all of these."""
    manifest = {
        "chapter_name": "One",
        "settings": {"chapter": "one", "party": []},
        "games": 9,
        "policies": ["random"],
        "seed": seed,
    }
    assert describe_run(manifest).endswith(f" · {said}")


@pytest.mark.parametrize(
    ("kind", "entry_id", "facts", "lines"),
    [
        (
            "heroes",
            "filch",
            "hero · scamp · battle 2 · defense 1 · lore 1 · move 3 · life 3 · begins with dagger,"
            " dagger",
            [
                "1 cheese for each minion that the hero defeats (rat takes from wheel then"
                " supply, other takes from supply)",
                "One copy of that card uses no paw (only dagger)",
            ],
        ),
        (
            "abilities",
            "first_aid",
            "ability · for any · costs 2 cheese · other prices: healer 1 · free action",
            ["1 normal wound of a mouse in the user's space, or of each, is healed (targets one)"],
        ),
        ("abilities", "cure", "ability · for healer · costs 1 to 3 cheese · action", None),
        (
            "encounters",
            "si_enc_05",
            "encounter · mousetraps",
            [
                "Pages 1 to 2: 1 × spider",
                "Pages 3 to 4: 1 × spider and 3 × roach",
                "Pages 5 and later: 1 × spider and 3 × rat warrior",
                "Surge: 3 × roach",
            ],
        ),
        (
            "minions",
            "elite_rat_warrior",
            "minion · battle 3 · defense 2 · life 1 · ranged attack · small · moves by 1 die ·"
            " figures of rat · 6 figures at most · 4 of them at most · counts as rat",
            ["Its card climbs the track"],
        ),
        (
            "minions",
            "roach",
            "minion · battle 2 · defense 1 · life 1 · melee attack · small · moves by 1 die ·"
            " 8 figures at most",
            None,
        ),
        ("tiles", "5", "room 5 Guard Room: the orange side of tile 3, 36 spaces, reported", []),
        (
            "chapters",
            "standin_four_rooms",
            "chapter · 4 mice · heroes collin, nez, tilda, filch, lily, maginos · from page 1 · to"
            " page 6 · rooms 901, 902, 903, 904 · lost by page end, all mice captured",
            [
                "Start: room 901, mice on b1, 3 × rat warrior",
                "Room rules: room 904, preset minions, 1 × captain vurst and 2 × elite rat warrior",
                "Win: room cleared, room 904",
            ],
        ),
    ],
)
def test_entries_in_words(kind: str, entry_id: str, facts: str, lines: list[str] | None) -> None:
    """Fields that are as usual are left out; an operation is told with its numbers and words."""
    entry = by_id(getattr(FACTS, kind))[entry_id]
    assert entry_facts(entry) == facts
    assert lines is None or entry_lines(entry) == lines


def test_the_die_is_told() -> None:
    """The die has six faces."""
    assert entry_facts(FACTS.die) == "die"
    assert len(entry_lines(FACTS.die)) == 6


@pytest.mark.parametrize(
    ("delta", "words"),
    [
        (2, "2 more dice of defense for the target of this attack"),
        (1, "1 more die of defense for the target of this attack"),
        (-1, "1 fewer die of defense for the target of this attack"),
        (-3, "3 fewer dice of defense for the target of this attack"),
    ],
)
def test_one_and_fewer_read_well(delta: int, words: str) -> None:
    """A meaning is written for any number, and reads well with one and with less than none."""
    effect = Effect("target_defense", (("delta", delta), ("scope", "this_attack")))
    assert effect_text(effect, "ability") == words
