"""What manifests say about games of Mindbug, whatever they are played for: the pool, who plays.

Those of all folders say it in the same words.
"""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from card_data.faults import shown
from card_data.mindbug import pool_hash, read_pool
from card_data.mindbug.schema import Pool
from simcore.mindbug import RULES_VERSION, CardTable, compile_cards
from simcore.sealed import Shape
from simcore.setup import check_same
from simcore.work.folder import VERSIONS, difference, difference_of

# The names of the files of a pool.
_POOL_FILE = re.compile(r"pool\.toml|cards/[^/\0]{1,200}\.toml")


def pool_entries(pool: Pool) -> dict[str, Any]:
    """The entries of a manifest that say what is played with, but for the fingerprint."""
    return {
        "sets": [card_set.set_id for card_set in pool.sets],
        "set_names": [card_set.name for card_set in pool.sets],
        "modes": pool.modes.as_json(),
    }


def experiment_entries(pool: Pool) -> dict[str, Any]:
    """The entries with which the file of every experiment begins."""
    return {
        "game": "mindbug",
        "rules_version": RULES_VERSION,
        **pool_entries(pool),
        "pool_hash": pool_hash(pool),
    }


#: The shape of what every experiment writes down.
EXPERIMENT: dict[Any, Shape] = {
    "game": str,
    "rules_version": int,
    "sets": [str],
    "set_names": [str],
    "modes": dict,
    "pool_hash": str,
    "weights": {str: str},
    "seed": range(2**63),
    "versions": VERSIONS,
}


def differing(found: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Where two manifests part first, as `simcore.work.folder.difference` says it.

    Who plays is said as ``--policy`` says it.
    """
    key = next((key for key in {**asked, **found} if found.get(key) != asked.get(key)), "")
    there, wanted = found.get(key), asked.get(key)
    if key == "policies":
        return difference_of("policy", _policy(there), _policy(wanted))
    return difference(found, asked)


def _policy(policies: Any) -> Any:
    """One player for both sides, or two with a colon."""
    return ":".join(dict.fromkeys(policies)) if isinstance(policies, list) else policies


def read_asked(asked: Mapping[str, Any], files: Mapping[str, bytes]) -> CardTable:
    """The cards that `experiment_entries` name, compiled, from the files of `pool_files`.

    Raises RunError where this process has other rules or reads the cards otherwise, CardFileError,
    and ValueError for names that are not those of a pool's files.
    """
    if wrong := [name for name in files if not _POOL_FILE.fullmatch(name)]:
        raise ValueError(f"{shown(wrong[0])} is no file of a pool")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "cards").mkdir()
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        pool = read_pool(folder)
    check_same(asked, {"rules_version": RULES_VERSION, "pool_hash": pool_hash(pool)})
    return compile_cards(pool)
