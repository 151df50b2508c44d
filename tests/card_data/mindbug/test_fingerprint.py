"""cards_hash: the same cards, the same hash; anything else, another one."""

from pathlib import Path

import attrs
import pytest

import card_data.mindbug.loader
from card_data.mindbug import cards_hash, parse_set
from card_data.mindbug.language.formatter import format_set

SETS = Path(card_data.mindbug.loader.__file__).parent / "sets"
TEXT = """\
name = "Test"
[rat]
name = "Rat"
power = 1
keywords = ["TOUGH"]
play = "defeat a creature with power <= 4 and FRENZY or HUNTER"
constant = ["this has +1 power", "this cannot block"]
[mole]
name = "Mole"
power = 2
"""
HASH = cards_hash([parse_set(TEXT)])


def test_hash_is_a_sha256_that_never_changes() -> None:
    """The hash of these cards is this very text, in every process and version."""
    assert HASH == "d3f29496b5aa37c1118c745a45b46c1fbf43d6e8c30f9ab82dc119b5d6f3dd8e"


def test_layout_comments_and_order_do_not_matter() -> None:
    """A formatted and commented file has the hash of the original."""
    assert cards_hash([parse_set(format_set(f"# note\n{TEXT}"))]) == HASH


def test_order_of_the_sets_does_not_matter() -> None:
    """Two sets have one hash, in whichever order they are given."""
    one, two = parse_set(TEXT, "one.toml"), parse_set(TEXT, "two.toml")
    assert cards_hash([one, two]) == cards_hash([two, one]) != cards_hash([one])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"Test"', '"Tests"'),
        ("[rat]", "[rats]"),
        ('"Rat"', '"Rats"'),
        ("power = 1", "power = 3"),
        ("TOUGH", "SNEAKY"),
        ("power = 2", "power = 2\ncopies = 2"),
        ("<= 4", "<= 5"),
        ("FRENZY or HUNTER", "FRENZY"),
        ("play =", "attack ="),
        ("+1", "+2"),
        ('"this has +1 power", "this cannot block"', '"this cannot block", "this has +1 power"'),
    ],
)
def test_every_change_of_the_cards_changes_the_hash(old: str, new: str) -> None:
    """Ids, names, numbers, keywords and every part of an ability count."""
    assert old in TEXT
    assert cards_hash([parse_set(TEXT.replace(old, new, 1))]) != HASH


def test_field_at_its_default_does_not_count() -> None:
    """Writing out what is the default leaves the hash alone, so later fields do not change it."""
    assert cards_hash([parse_set(TEXT.replace("power = 2", "power = 2\ncopies = 1"))]) == HASH


def test_set_id_counts() -> None:
    """The same cards under another set id are told apart, because reports name the set."""
    assert cards_hash([attrs.evolve(parse_set(TEXT), set_id="other")]) != HASH
