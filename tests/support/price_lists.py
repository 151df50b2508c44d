"""Makes the price lists that come with fairdeal, and says how good they are, as CSV.

As a program it plays lists in a folder, where what is there is not played again, puts their tables
into `analysis.mindbug.experiments.prices.SHIPPED`, fits each anew with what all others say, and
prints rows for each::

    python -m support.price_lists runs/price_lists first_contact promos

Without names it takes every set, and then all of them together.  With ``-`` for the folder nothing
is played: lists are fitted anew to what they rest on.
"""

import csv
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from analysis.mindbug.experiments.prices import FOLDER, SHIPPED, PriceGames, list_of, worths_in
from analysis.questions.price_list import PRICE_TABLES, write_list
from card_data.mindbug import load_pool
from card_data.mindbug.loader import available_sets
from reports.cli.app import run
from simcore.work.folder import read_asked

ALL = "all sets"
#: Batches of made-up cards, and games with each.
BATCHES, GAMES = 6, 60_000


def play(folder: str, name: str) -> None:
    """Play the list of a set, and put it among those that come with fairdeal."""
    place, kept = f"{folder}/{_kept(name).name}", _kept(name)
    shutil.rmtree(kept, ignore_errors=True)  # else it counts as the list that is asked for
    much = "--batches", str(BATCHES), "--games", str(GAMES)
    with redirect_stdout(StringIO()):
        if run(["prices", *_sets(name), *much, "--out", place, "--json"]):
            raise SystemExit(f"no price list of {name}")
    (kept / "tables").mkdir(parents=True)
    for file in (FOLDER.file, *(f"tables/{table}.parquet" for table in PRICE_TABLES)):
        shutil.copy(f"{place}/{file}", kept / file)


def rows(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Fit the list of each set anew; the rows of its ``price_quality``."""
    for name in names:
        kept, pool = _kept(name), load_pool(_sets(name))
        said = read_asked(FOLDER, kept)
        numbers = {one: said[one] for one in ("policy", "batches", "cards", "games", "seed")}
        asked = PriceGames(pool=pool, **numbers)
        tables = list_of(asked, worths_in(asked, kept)).tables()
        write_list(FOLDER, tables, kept)
        for file in kept.glob("tables/*.csv"):
            file.unlink()
        for row in tables["price_quality"].to_dict("records"):
            yield {"set": name, **row}


def _kept(name: str) -> Path:
    return SHIPPED / f"prices-{name.replace(' ', '_')}"


def _sets(name: str) -> Sequence[str]:
    return available_sets() if name == ALL else [name]


if __name__ == "__main__":
    wanted = sys.argv[2:] or [*available_sets(), ALL]
    if sys.argv[1] != "-":
        for name in wanted:
            play(sys.argv[1], name)
    writer = None
    for row in rows(wanted):
        if writer is None:
            writer = csv.DictWriter(sys.stdout, [*row], lineterminator="\n")
            writer.writeheader()
        shown = {key: f"{one:.4g}" if isinstance(one, float) else one for key, one in row.items()}
        writer.writerow(shown)
        sys.stdout.flush()
