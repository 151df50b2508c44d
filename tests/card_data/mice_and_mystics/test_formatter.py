"""Files and facts as text, their fingerprint, and how sure entries are."""

from pathlib import Path

import pytest
from attrs import evolve

from card_data.faults import CardFileError
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.confidence import count_confidence, used_entries
from card_data.mice_and_mystics.facts import CONFIDENCES, Effect
from card_data.mice_and_mystics.formatter import entry_text, facts_hash, facts_text, format_file
from card_data.mice_and_mystics.loader import base_files, parse_changes, parse_facts
from card_data.mice_and_mystics.settings import Settings

FACTS = load_facts()
CHAPTER, STAND_IN = (chapter.id for chapter in FACTS.chapters)

WRITTEN = """\
# A title,
# of two lines.

# About Pip.
[hero.pip]  # a mouse
# Classes.
classes = ["scamp", # one
  "archer"]
battle=1
name = "Pip"
life = 3
defense = 1
lore = 1
move = 3
innate = [ {op = "heal", amount = 1, range = "same_space"} ]
starting_gear = []

[tile.shed]
name = "Shed"
side = "blue"
physical_tile = 9
spaces = [{ id = "A", x = 1, y = 1, capacity = 4 }, { y = 2, id = "B", x = 2 }, \
{ id = "C", x = 3, y = 3 }]
edges = ["A: B", "A: C"]
arrows = []
minion_entry = ["B"]
exits = {}
# The end.
"""
FORMATTED = """\
# A title,
# of two lines.

# About Pip.
[hero.pip]  # a mouse
name = "Pip"
# Classes.
classes = ["scamp", "archer"]  # one
battle = 1
defense = 1
lore = 1
move = 3
life = 3
starting_gear = []
innate = [{ op = "heal", amount = 1 }]
confidence = "assumed"

[tile.shed]
name = "Shed"
side = "blue"
physical_tile = 9
spaces = [
    { id = "A", x = 1, y = 1 },
    { id = "B", x = 2, y = 2 },
    { id = "C", x = 3, y = 3 },
]
edges = ["A: B C"]
minion_entry = ["B"]
confidence = "assumed"

# The end.
"""


def test_a_file_is_formatted() -> None:
    """Fields get their order and the usual is left out; comments stay where they belong."""
    assert format_file(WRITTEN) == FORMATTED
    assert format_file(FORMATTED) == FORMATTED
    assert parse_changes(FORMATTED) == parse_changes(WRITTEN)


@pytest.mark.parametrize("path", base_files(), ids=lambda path: path.name)
def test_base_files_are_formatted(path: Path) -> None:
    """The files of the base game are in canonical form."""
    assert format_file(path.read_text(), path.name) == path.read_text()


def test_files_with_faults_are_not_formatted() -> None:
    """A file that cannot be read in full is refused, so that nothing of it is lost."""
    with pytest.raises(CardFileError, match="did you mean 'battle'"):
        format_file(WRITTEN.replace("battle=1", "battel=1"))
    with pytest.raises(CardFileError, match="write: battle=1"):
        format_file(WRITTEN.replace("battle=1", "battle=1,"))


def test_facts_are_written_and_read_back() -> None:
    """One text holds everything, those of an own file too; it gives the same facts again."""
    for facts in (FACTS, parse_changes(WRITTEN)):
        assert parse_facts(facts_text(facts)) == facts


def test_changed_facts_are_written_and_read_back() -> None:
    """Facts that a program changed are read back, even if a class lost its only hero."""
    heroes = tuple(hero for hero in FACTS.heroes if hero.id != "nez")
    plain = tuple(evolve(hero, classes=("scamp",), battle=9) for hero in heroes)
    chapters = tuple(
        evolve(chapter, allowed=tuple(hero.id for hero in plain)) for chapter in FACTS.chapters
    )
    cards = tuple(evolve(card, requires=()) for card in FACTS.search_cards)
    facts = evolve(FACTS, heroes=plain, chapters=chapters, search_cards=cards)
    assert parse_facts(facts_text(facts)) == facts


def test_text_that_lacks_something_is_refused() -> None:
    """A text of facts without chapters, or without a die, is no whole."""
    text = facts_text(FACTS)
    with pytest.raises(CardFileError, match="there are no chapters, without which"):
        parse_facts(text[: text.index("[chapter.")])
    with pytest.raises(CardFileError, match="there is no die"):
        parse_facts(text[text.index("[hero.") :])


def test_an_entry_as_text() -> None:
    """One entry is written as it stands in its file."""
    hero = FACTS.heroes[0]
    text = next(path for path in base_files() if path.stem == "heroes").read_text()
    assert entry_text(hero) in text


def test_the_fingerprint_tells_facts_apart() -> None:
    """A changed number, effect or order gives another hash; reading again gives the same."""
    hashes = {facts_hash(FACTS), facts_hash(parse_facts(facts_text(FACTS)))}
    assert len(hashes) == 1
    first, *others = FACTS.heroes
    stronger = evolve(first, battle=3)
    gifted = evolve(first, innate=(Effect("immune_mousetrap"),))
    for heroes in ((stronger, *others), (gifted, *others), (*others, first)):
        hashes.add(facts_hash(evolve(FACTS, heroes=heroes)))
    assert len(hashes) == 4


def test_confidence_is_counted() -> None:
    """Only what can come up counts: heroes and rooms of the chapter, cards of the deck."""
    counts = count_confidence(FACTS, Settings(chapter=CHAPTER))
    assert {kind: count.total for kind, count in counts.items()} == {
        "die": 1,
        "heroes": 5,
        "minions": 6,
        "abilities": 24,
        "search_cards": 43,
        "encounters": 12,
        "tiles": 6,
        "chapters": 1,
    }
    assert (counts["tiles"].reported, counts["heroes"].assumed) == (6, 5)
    used = used_entries(FACTS, Settings(chapter=CHAPTER))
    slow = [entry.confidence for entries in used.values() for entry in entries]
    assert [sum(getattr(count, word) for count in counts.values()) for word in CONFIDENCES] == [
        slow.count(word) for word in CONFIDENCES
    ]


def test_what_is_used_follows_the_settings() -> None:
    """A party, its abilities and gear, and the deck are those that the settings say (S13, S14)."""
    party = ("collin", "nez", "tilda", "filch")
    settings = Settings(chapter=STAND_IN, party=party, unused_gear="removed", encounter_deck="all")
    used = used_entries(FACTS, settings)
    assert tuple(hero.id for hero in used["heroes"]) == party
    assert "meeps" not in [ability.id for ability in used["abilities"]]
    assert "lilys_bow" not in [card.id for card in used["search_cards"]]
    assert len(used["encounters"]) == 18
    assert "captain_vurst" in [minion.id for minion in used["minions"]]
