"""The formats of a report, and its files in the folder of a run."""

import os
from collections.abc import Sequence
from pathlib import Path

from card_data.faults import unknown_word
from simcore.places import located

#: What a report can be written as; the first is the usual one.
FORMATS = ("html", "md", "xlsx")
#: Those that show the charts.
CHARTED = {"html", "md"}


def check_formats(words: Sequence[str]) -> tuple[str, ...]:
    """The words, if each is a format and none is named twice.  Raises ValueError."""
    for place, word in enumerate(words):
        if word not in FORMATS:
            raise ValueError(unknown_word("format", word, FORMATS))
        if word in words[:place]:
            raise ValueError(f"'{word}' is named twice")
    if not words:
        raise ValueError(f"name a format: {', '.join(FORMATS)}")
    return tuple(words)


def reports_in(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """The files of the report that are in a run folder, by format."""
    paths = {name: located(folder) / f"report.{name}" for name in FORMATS}
    return {name: path for name, path in paths.items() if path.exists()}
