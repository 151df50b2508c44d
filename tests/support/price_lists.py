"""Makes the price lists that come with fairdeal, and says how good they are, as CSV.

As a program it makes lists in a folder, where what is there is not played again, puts their tables
into `analysis.mindbug.experiments.prices.SHIPPED`, and prints rows for each::

    python -m support.price_lists runs/price_lists first_contact promos

Without names it takes every set, and then all of them together.
"""

import csv
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from analysis.mindbug.experiments.prices import FOLDER, SHIPPED
from analysis.questions.price_list import PRICE_TABLES
from card_data.mindbug.loader import available_sets
from reports.cli.app import run

ALL = "all sets"
#: Batches of made-up cards: most where own cards are mixed in unless something else is said.
BATCHES, OF_FIRST_CONTACT = 12, 24


def rows(folder: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of ``price_quality`` of each set."""
    for name in names:
        sets = available_sets() if name == ALL else [name]
        said = StringIO()
        place, kept = (f"{one}/prices-{name.replace(' ', '_')}" for one in (folder, SHIPPED))
        shutil.rmtree(kept, ignore_errors=True)  # else it is taken for the list that is asked for
        batches = str(OF_FIRST_CONTACT if name == "first_contact" else BATCHES)
        with redirect_stdout(said):
            if run(["prices", *sets, "--batches", batches, "--out", place, "--json"]):
                raise SystemExit(f"no price list of {name}")
        (Path(kept) / "tables").mkdir(parents=True)
        for file in (FOLDER.file, *(f"tables/{table}.parquet" for table in PRICE_TABLES)):
            shutil.copy(f"{place}/{file}", f"{kept}/{file}")
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
