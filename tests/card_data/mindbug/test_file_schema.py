"""The JSON Schema of card files agrees with the reader on everything that a schema can say."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from card_data.faults import CardFileError
from card_data.mindbug import parse_set
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.file_schema import card_file_schema, schema_text
from card_data.mindbug.language.reference import EXAMPLE

ROOT = Path(__file__).parents[3]
SCHEMA = Draft7Validator(card_file_schema())
FENCE = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETS = {path.stem: path.read_text() for path in ROOT.glob("card_data/mindbug/sets/*.toml")}
SHOWN = {
    f"{page.stem}-{number}": block
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    for number, block in enumerate(FENCE.findall(page.read_text()))
}
CARD = 'name = "S"\n[a]\nname = "A"\npower = 3\n'
POWER_CARD = 'name = "S"\n[a]\nname = "A"\ncost = 3\nbought = "gain 1 life"\n'


def complaints(text: str) -> list[str]:
    """What the schema says of a file."""
    return [error.message for error in SCHEMA.iter_errors(tomllib.loads(text))]


def is_read(text: str) -> bool:
    """Whether the reader takes a file."""
    try:
        parse_set(text)
    except CardFileError:
        return False
    return True


def test_the_schema_is_one_and_lies_in_the_docs() -> None:
    """It is a schema, knows every field, and docs/ has it as `cards schema` prints it."""
    Draft7Validator.check_schema(card_file_schema())
    assert (ROOT / "docs" / "card_file.schema.json").read_text() == schema_text()
    fields = card_file_schema()["additionalProperties"]["properties"]
    meanings = {name: field.meaning for name, field in CARD_FIELDS.items()}
    assert {name: field["description"] for name, field in fields.items()} == meanings


@pytest.mark.parametrize("name", [*SETS, "the reference"])
def test_card_files_of_the_project_pass(name: str) -> None:
    """No editor complains about a set that comes with fairdeal, nor about the reference."""
    assert complaints(SETS.get(name, EXAMPLE)) == []


def test_card_files_of_the_pages_pass() -> None:
    """Every card file on a page of the docs that the reader takes, the schema takes too."""
    taken = {name: text for name, text in SHOWN.items() if is_read(text)}
    assert len(taken) > 5
    assert {name: complaints(text) for name, text in taken.items() if complaints(text)} == {}


@pytest.mark.parametrize(
    "line",
    [
        "power = 0",
        "power = 100",
        'power = "3"',
        "power = 2.5",
        "copies = 21",
        "copies = -1",
        "dice = 3",
        "pwer = 3",
        'keywords = "TOUGH"',
        'keywords = ["TUOGH"]',
        'keywords = ["TOUGH", "TOUGH"]',
        "play = 7",
        'play = ""',
        'play = ["gain 1 life"]',
        "constant = []",
        "constant = 3",
        "evolves_to = 3",
        "cost = 3",
        'bought = "gain 1 life"',
        'name = ""',
        f'name = "{"n" * 61}"',
    ],
)
def test_faults_are_found_by_both(line: str) -> None:
    """A wrong field, type, range or word in a creature is a fault to the reader and the schema."""
    field = line.partition(" ")[0]
    kept = [one for one in CARD.splitlines()[2:] if one.partition(" ")[0] != field]
    text = "\n".join(['name = "S"', "[a]", *kept, line])
    assert not is_read(text)
    assert complaints(text)


@pytest.mark.parametrize(
    "text",
    [
        "[a]\nname = 'A'\npower = 3",
        "name = 'S'",
        "name = 'S'\npower = 3",
        "name = 'S'\n[Big]\nname = 'A'\npower = 3",
        "name = 'S'\n[a]\npower = 3",
        "name = 'S'\n[a]\nname = 'A'",
        POWER_CARD + "power = 3",
        POWER_CARD + "copies = 0",
        POWER_CARD.replace("cost = 3", "cost = 100"),
        POWER_CARD.replace("cost = 3\n", ""),
        POWER_CARD.replace('bought = "gain 1 life"', ""),
        POWER_CARD + 'keywords = ["TOUGH"]',
    ],
)
def test_faults_of_files_and_power_cards_are_found_by_both(text: str) -> None:
    """What a file or a power card lacks, or has too much, both refuse."""
    assert not is_read(text)
    assert complaints(text)


@pytest.mark.parametrize(
    "more",
    ["", "power = 1", "power = 99", "copies = 20", "dice = 2", 'keywords = ["tough"]']
    + [
        'constant = "other allied creatures have +1 power"',
        'in_discard = ["enemy creatures with power >= 8 cannot block"]',
    ],
)
def test_the_ends_of_ranges_pass(more: str) -> None:
    """What the reader takes at the ends of its ranges, the schema takes too."""
    field = more.partition(" ")[0]
    kept = [one for one in CARD.splitlines() if not field or one.partition(" ")[0] != field]
    text = "\n".join([*kept, more])
    assert is_read(text)
    assert complaints(text) == []
    assert complaints(POWER_CARD) == []
    assert is_read(POWER_CARD)


def test_editors_are_told_where_the_schema_is() -> None:
    """The line by which editors find the schema is a comment to the reader."""
    text = "#:schema ./card_file.schema.json\n" + CARD
    assert is_read(text)
    data: dict[str, Any] = tomllib.loads(text)
    assert data.keys() == {"name", "a"}
