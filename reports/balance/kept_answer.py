"""The answer of a finished command, kept in its folder, and given again while nothing has changed.

``answer.json`` holds what ``--json`` prints, and a digest of all that it was made from: the code,
what was said on the command line, and every file of the folder.  So a file that is changed, damaged
or added leads to the answer being made anew.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from card_data.checksums import CHECKSUM, CHECKSUMS, checksum_of, open_json, seal_json
from reports.kit.made import code_of_reports
from simcore.places import StorePath, files_in
from simcore.sealed import RunError, read_file, write_file
from simcore.work.folder import ABOUT, ANSWER
from simcore.work.jobs import code_here
from simcore.work.lock import is_lock

_SOURCE = "made_of"
# What changes while all else stays as it is.
_OTHERS = (ABOUT, ANSWER, CHECKSUMS)


def read_answer(folder: Path, said: object) -> dict[str, Any] | None:
    """The answer in a folder, if it is that of what was ``said`` and nothing has changed since."""
    if isinstance(folder, StorePath):
        return None  # every file would have to be fetched
    with suppress(RunError, OSError, ValueError):
        kept = open_json(read_file(folder / ANSWER))
        if kept.pop(_SOURCE, None) == _source(folder, said):
            del kept[CHECKSUM]
            return kept
    return None


def keep_answer(folder: Path, said: object, answer: Mapping[str, Any]) -> None:
    """Keep the answer to what was ``said`` in its folder.  Raises RunError."""
    if not isinstance(folder, StorePath):
        write_file(folder / ANSWER, seal_json({_SOURCE: _source(folder, said), **answer}))


def _source(folder: Path, said: object) -> str:
    """A digest of all that an answer is made from.  ``said`` has a ``repr`` that tells all of it.

    Raises OSError.
    """
    here = {"code": code_here(), "reports": code_of_reports(), "said": repr(said)}
    digest = hashlib.sha256(json.dumps({**here, "folder": str(folder)}).encode())
    for path in files_in(folder):
        name = path.relative_to(folder).as_posix()
        if name not in _OTHERS and not is_lock(path):
            digest.update(f"{name}:{checksum_of(path)}\n".encode())
    return digest.hexdigest()
