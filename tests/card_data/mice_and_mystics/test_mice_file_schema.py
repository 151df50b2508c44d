"""The JSON Schema of files of Mice & Mystics agrees with the reader on what a schema can say."""

import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from card_data.faults import CardFileError
from card_data.mice_and_mystics.entries import SCHEMA as MICE
from card_data.mice_and_mystics.loader import parse_changes
from card_data.schema.formatter import json_schema, json_schema_text

ROOT = Path(__file__).parents[3]
SCHEMA = Draft7Validator(json_schema(MICE))
BASE = sorted(ROOT.glob("card_data/mice_and_mystics/base/*.toml"))
HERO = """
[hero.mouse]
name = "Mouse"
classes = ["warrior"]
battle = 2
defense = 1
lore = 2
move = 2
life = 3
starting_gear = []
"""


def complaints(text: str) -> list[str]:
    """What the schema says of a file."""
    return [error.message for error in SCHEMA.iter_errors(tomllib.loads(text))]


@pytest.mark.parametrize("path", BASE, ids=lambda path: path.stem)
def test_files_of_the_base_game_pass(path: Path) -> None:
    """No editor complains about a file that comes with fairdeal."""
    assert complaints(path.read_text()) == []


def test_the_schema_is_one_and_lies_in_the_docs() -> None:
    """It is a schema of its dialect, and docs/ has it as it is printed."""
    Draft7Validator.check_schema(json_schema(MICE))
    shown = ROOT / "docs" / "mice_and_mystics_file.schema.json"
    assert shown.read_text() == json_schema_text(MICE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("battle = 2", "battle = -1"),
        ("battle = 2", "battel = 2"),
        ("battle = 2", 'battle = "2"'),
        ("battle = 2", ""),
        ('classes = ["warrior"]', 'classes = ["warrior", "warrior"]'),
        ('classes = ["warrior"]', 'classes = "warrior"'),
        ('name = "Mouse"', 'name = ""'),
        ("life = 3", 'life = 3\nconfidence = "certain"'),
        ("[hero.mouse]", "[hreo.mouse]"),
        ("\n[hero.mouse]", 'game = "mindbug"\n[hero.mouse]'),
    ],
)
def test_faults_are_found_by_both(old: str, new: str) -> None:
    """A wrong kind, field, type, range or word is a fault to the reader and the schema."""
    text = HERO.replace(old, new)
    assert text != HERO
    with pytest.raises(CardFileError):
        parse_changes(text)
    assert complaints(text)


@pytest.mark.parametrize("first", ["", 'game = "mice_and_mystics"\n'])
def test_a_hero_passes(first: str) -> None:
    """What the faults above are made from is sound, also below the line that names the game."""
    assert complaints(first + HERO) == []
    parse_changes(first + HERO)
