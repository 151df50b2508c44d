"""CPU time and size of a part of Mindbug games, for the settings that were considered.

Run from the project's folder::

    PYTHONPATH=.:tests .venv/bin/python tests/benchmarks/bench_parts.py
"""

import io
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simcore.mindbug.table.records import GAME_RECORD, SEATS
from simcore.records import decode_part, encode_part, to_records
from support.synthetic import synthetic_cards, synthetic_games

N_GAMES = 65_536
REPEATS = 5


def cpu_seconds(work: Callable[[], Any]) -> float:
    """CPU seconds for a million games, the best of a few repeats."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / N_GAMES * 1e6


def write(table: pa.Table, **settings: Any) -> io.BytesIO:
    """The table as Parquet in memory."""
    stream = io.BytesIO()
    pq.write_table(table, stream, write_statistics=False, write_page_checksum=True, **settings)
    return stream


def main() -> None:
    """Print one line for each setting."""
    games = synthetic_games(synthetic_cards(32, 2), N_GAMES)
    data = bytes(encode_part(games, {}, seats=SEATS))
    lists = decode_part(data)
    packed = pq.read_table(io.BytesIO(data), use_threads=False)
    flat = pa.table(
        {
            f"{name}_{slot}": pa.array(games[name][:, slot].copy())
            for name in ("cards", "turn_played", "offers", "thefts")
            for slot in range(20)
        }
    )
    for column in packed.column_names:
        if not pa.types.is_fixed_size_binary(packed[column].type):
            flat = flat.append_column(column, packed[column])
    print(f"{'what is written':28}{'bytes/game':>12}{'CPU s per million':>20}")
    for label, table in (("lists", lists), ("packed", packed), ("a column a slot", flat)):
        for compression in ("none", "lz4", "zstd"):
            for use_dictionary in (False, True):
                settings = {"compression": compression, "use_dictionary": use_dictionary}
                size = len(write(table, **settings).getvalue()) / N_GAMES
                seconds = cpu_seconds(partial(write, table, **settings))
                dictionary = " dictionary" if use_dictionary else ""
                print(f"{label + ' ' + compression + dictionary:28}{size:12.1f}{seconds:20.2f}")
    print(f"{'encode_part':28}{len(data) / N_GAMES:12.1f}", end="")
    print(
        f"{cpu_seconds(lambda: encode_part(games, {}, seats=SEATS)):20.2f}"
        "  (taking the records apart included)"
    )
    for name, work in (
        ("decode_part", lambda: decode_part(data)),
        ("to_records", lambda: to_records(lists, GAME_RECORD, seats=SEATS)),
    ):
        print(f"{name:40}{cpu_seconds(work):20.2f}")


if __name__ == "__main__":
    main()
