"""A JSON Schema of files of entries.

``docs/mice_and_mystics_file.schema.json`` is written from it with ``python -m
card_data.mice_and_mystics.file_schema > docs/mice_and_mystics_file.schema.json``.
"""

from card_data.mice_and_mystics.entries import SCHEMA
from card_data.schema.file_schema import json_schema_text

if __name__ == "__main__":
    print(json_schema_text(SCHEMA), end="")
