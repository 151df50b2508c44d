"""How good the price lists of the sets that come with fairdeal are, as CSV.

As a program it makes the lists in a folder, where what is there is not played again, and prints
rows for each::

    python -m support.price_lists runs/price_lists first_contact promos

Without names it takes every set, and then all of them together.
"""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from card_data.mindbug.loader import available_sets
from reports.cli.app import run

ALL = "all sets"


def rows(folder: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of ``price_quality`` of each set."""
    for name in names:
        sets = available_sets() if name == ALL else [name]
        said = StringIO()
        place = f"{folder}/{name.replace(' ', '_')}"
        with redirect_stdout(said):
            if run(["prices", *sets, "--out", place, "--json"]):
                raise SystemExit(f"no price list of {name}")
        for row in json.loads(said.getvalue())["price_quality"]:
            yield {"set": name, **row}


if __name__ == "__main__":
    wanted = sys.argv[2:] or [*available_sets(), ALL]
    writer = None
    for row in rows(sys.argv[1], wanted):
        if writer is None:
            writer = csv.DictWriter(sys.stdout, [*row], lineterminator="\n")
            writer.writeheader()
        shown = {key: f"{one:.4g}" if isinstance(one, float) else one for key, one in row.items()}
        writer.writerow(shown)
        sys.stdout.flush()
