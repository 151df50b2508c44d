"""What tables say of their columns is complete, and counters are those of the rules text."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from analysis.mice_and_mystics.counters import COUNTERS
from analysis.mice_and_mystics.game_records import GAMES
from analysis.mice_and_mystics.registry import TABLES
from analysis.mice_and_mystics.tables import RUN_TABLES
from simcore.mice_and_mystics.play.setup import SEATS
from simcore.mice_and_mystics.table.limits import ROUTE
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.records import columns_of
from support.planted_mice import Planted, count, play, run_facts

DOCS = Path(__file__).parents[3] / "docs"
RULES = (DOCS / "mice_and_mystics_rules.md").read_text()
CHAPTER = run_facts(chapter="ch1_flight_to_barksburg")
#: Words of section 29 that name no counter.
NO_COUNTERS = {"any", "route"}
#: Counters that it has in words alone: "(and per hero)", "kept + discarded + events + …".
IN_WORDS = (
    "level_ups_H",
    *(f"cards_{word}" for word in ("kept", "discarded", "events", "party", "unchosen")),
)
#: What stands for an id in the names of counters.
PLACEHOLDERS = {
    "H": CHAPTER.ids["heroes"],
    "M": CHAPTER.ids["minions"],
    "c": CHAPTER.ids["cards"],
    "a": CHAPTER.ids["abilities"],
    "e": CHAPTER.ids["encounters"],
    "roomK": [f"room{place + 1}" for place in range(ROUTE)],
}


def test_every_field_of_the_record_is_documented() -> None:
    """The table of games has every column of a part, in its order."""
    columns = [column for column, *_ in columns_of(GAME_RECORD, SEATS)]
    assert columns == list(GAMES.columns) == list(GAMES.types)


@pytest.mark.parametrize("table", RUN_TABLES.values(), ids=list(RUN_TABLES))
def test_what_is_observed_is_told_as_observed(table) -> None:
    """Win rates given something that came about in the game say that it is not the cause."""
    came_about = ("drawn", "used", "owned", "equipped", "entered", "lucky", "unlucky")
    for column, meaning in table.columns.items():
        given = column.removesuffix("_win_rate")
        if given in came_about or (table.name == "captures" and column.startswith("win_rate")):
            assert "bserved" in meaning or column.endswith(("_low", "_high")), column


def _in_the_rules() -> Iterator[list[str]]:
    """The names that each word of section 29 may stand for; ``_x`` goes on from a name before."""
    section = RULES.partition("\n## 29.")[2].partition("\n## 30.")[0]
    graded = section[section.index("**Outcome:**") :]
    stem = ""
    for word in re.findall(r"`(\w+)`", graded):
        if word in NO_COUNTERS:
            continue
        if word.startswith("_"):
            parts = stem.split("_")
            begins = ["_".join(parts[:n]) for n in range(1, len(parts) + 1)]
            yield [name for begin in begins for name in _filled_in(f"{begin}{word}")]
        else:
            stem = word
            yield list(_filled_in(word))


def _filled_in(word: str) -> Iterator[str]:
    """A name with ids for what stands for them."""
    parts = [PLACEHOLDERS.get(part, [part]) for part in word.split("_")]
    yield from ("_".join(chosen) for chosen in product(*parts))


def test_counters_are_those_of_the_rules() -> None:
    """Every name of section 29 is a line of the table ``counters``, and every line is one."""
    make = COUNTERS.make
    assert make is not None
    counters = set(make(count(CHAPTER, play(CHAPTER, Planted(), 20, 0)))["counter"]) - {"score"}
    words = list(_in_the_rules())
    assert len(words) > 110
    for names in words:
        assert counters & set(names), f"no counter is called {names[0]}"
    in_words = [list(_filled_in(word)) for word in IN_WORDS]
    assert counters <= {name for names in words + in_words for name in names}
    assert "+ discarded + events + party + unchosen" in RULES and "(and per hero)" in RULES


def test_verdicts_on_encounters_say_that_their_sign_is_turned() -> None:
    """An encounter is strong where the mice win less; what is theirs is strong where they win."""
    turned = {name for name, table in TABLES.items() if "sign turned" in str(table.columns)}
    assert {"encounters", "verdict"} <= turned
    assert not {"abilities", "search_cards", "heroes", "parties"} & turned


def test_every_counter_is_explained() -> None:
    """Each line of ``counters`` is a word of its dictionary, or one with an id for a letter."""
    make = COUNTERS.make
    assert make is not None
    letters = {"H": "heroes", "M": "minions", "C": "cards", "A": "abilities", "E": "encounters"}
    explained = set()
    for word in COUNTERS.words:
        parts = [
            CHAPTER.ids[letters[part]] if part in letters else PLACEHOLDERS.get(part, [part])
            for part in word.split("_")
        ]
        explained |= {"_".join(chosen) for chosen in product(*parts)}
    assert set(make(count(CHAPTER, play(CHAPTER, Planted(), 20, 0)))["counter"]) == explained
