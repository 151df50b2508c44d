"""Sealed files with other contents than they were written with, and a seal that fits them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from card_data.checksums import CHECKSUM, open_json, seal_json
from simcore.sealed import open_table, seal_table


def edit_entries(path: Path, **changes: Any) -> None:
    """Replace entries of a sealed JSON file."""
    entries = open_json(path.read_bytes())
    del entries[CHECKSUM]
    path.write_bytes(seal_json({**entries, **changes}))


def lose_entry(path: Path, name: str) -> None:
    """Take an entry out of a sealed JSON file."""
    entries = open_json(path.read_bytes())
    del entries[CHECKSUM], entries[name]
    path.write_bytes(seal_json(entries))


def edit_table(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Write a changed table to a sealed Parquet file."""
    path.write_bytes(resealed(path.read_bytes(), change))


def resealed(data: bytes, change: Callable[[pa.Table], pa.Table]) -> bytes:
    """The bytes of a sealed Parquet file with a changed table."""
    table = open_table(data)
    said = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    said.pop(CHECKSUM, None)
    return seal_table(change(table).replace_schema_metadata(), said)


def edit_unsealed(path: Path, **changes: Any) -> None:
    """Replace entries as somebody with an editor would: the seal stays as it was."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}, indent=2))
