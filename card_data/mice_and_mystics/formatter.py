"""Entries as text: as files are written, a JSON Schema of these, and a fingerprint for results.

``docs/mice_and_mystics_file.schema.json`` is written with ``python -m
card_data.mice_and_mystics.formatter > docs/mice_and_mystics_file.schema.json``.
"""

from card_data.fingerprint import plain, sha256_of
from card_data.mice_and_mystics.entries import KINDS, SCHEMA, entries_of
from card_data.mice_and_mystics.facts import Entry, Facts
from card_data.schema import formatter
from card_data.schema.formatter import json_schema_text


def format_file(text: str, file: str = "changes.toml") -> str:
    """The text of a file in canonical form.  Raises CardFileError if entries have faults."""
    return formatter.format_entries(text, file, SCHEMA)


def facts_text(facts: Facts) -> str:
    """All facts as one text, which `parse_facts` reads back: what a run folder keeps."""
    return formatter.entries_text(SCHEMA, entries_of(facts))


def entry_text(entry: Entry) -> str:
    """One entry as it would stand in a file."""
    return formatter.entry_text(SCHEMA, entry)


def changes_text(facts: Facts, base: Facts) -> str:
    """What is other in facts than in a base, as an own file that is named behind it; "" if nothing.

    The die is the same in all facts.
    """
    entries = {word: some for word, some in entries_of(facts).items() if word in KINDS}
    return formatter.changes_text(SCHEMA, entries, entries_of(base))


def facts_hash(facts: Facts) -> str:
    """SHA-256, in hex, over everything that the facts say to the game or to a report.

    The order of entries matters, as it does in a game; comments and layout do not.
    """
    return sha256_of(plain(facts))


if __name__ == "__main__":
    print(json_schema_text(SCHEMA), end="")
