"""Sealed files with other contents than they were written with, and a seal that fits them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from simcore.sealed import CHECKSUM, open_json, seal_json


def edit_entries(path: Path, **changes: Any) -> None:
    """Replace entries of a sealed JSON file."""
    entries = open_json(path.read_bytes())
    del entries[CHECKSUM]
    path.write_bytes(seal_json({**entries, **changes}))


def edit_unsealed(path: Path, **changes: Any) -> None:
    """Replace entries as somebody with an editor would: the seal stays as it was."""
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}, indent=2))
