"""Records and Parquet: nothing is lost, and no flipped bit goes unnoticed."""

import importlib
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simcore.mice_and_mystics.table.records import GAME_RECORD as MICE_RECORD
from simcore.mindbug.table.records import GAME_RECORD
from simcore.records import columns_of, decode_part, encode_part, layout_of, to_records
from simcore.sealed import seal_table
from support.fake_game import FAKE_RECORD, fake_games


@pytest.mark.parametrize("record", [FAKE_RECORD, GAME_RECORD])
@pytest.mark.parametrize("n_games", [0, 1, 4096, 10_001])
def test_records_survive(record: np.dtype, n_games: int) -> None:
    """Any bytes in the fields of any number of records come back unchanged."""
    games = np.frombuffer(np.random.default_rng(n_games).bytes(n_games * record.itemsize), record)
    table = decode_part(bytes(encode_part(games, {"run": "x"}, seats=2)))
    back = to_records(table, record, seats=2)
    assert record.names is not None
    for field in record.names:
        np.testing.assert_array_equal(back[field], games[field])
    assert table.schema.metadata == {b"run": b"x"}


def test_columns_are_named_by_rule() -> None:
    """Pairs become two columns, longer vectors fixed-size lists, and scalars keep their type."""
    table = decode_part(bytes(encode_part(fake_games(0, 0, 3), {"run": "x"}, seats=2)))
    assert [f"{field.name}: {field.type}" for field in table.schema] == [
        "game: int64",
        "winner: int8",
        "life_0: int16",
        "life_1: int16",
        "cards: fixed_size_list<item: int16>[20]",
        "played_0: uint64",
        "played_1: uint64",
        "offers: fixed_size_list<item: uint8>[20]",
    ]
    assert table.column_names == [column for column, *_ in columns_of(FAKE_RECORD, 2)]
    data = bytes(encode_part(fake_games(0, 0, 3), {}, seats=2))
    assert decode_part(data, ["cards"]).column_names == ["cards"]


@pytest.mark.parametrize("seats", [1, 3])
def test_each_player_has_a_column(seats: int) -> None:
    """Fields of one value for each seat become columns, however many seats there are."""
    record = np.dtype([("score", np.int32, (seats,)), ("dice", np.int8, (2,)), ("x", "u1", (3, 4))])
    games = np.frombuffer(np.random.default_rng(7).bytes(50 * record.itemsize), record)
    table = decode_part(bytes(encode_part(games, {}, seats=seats)))
    assert table.column_names == [*(f"score_{player}" for player in range(seats)), "dice", "x"]
    back = to_records(table, record, seats=seats)
    assert back.tobytes() == games.tobytes()


def test_same_games_give_the_same_bytes() -> None:
    """A part's bytes depend on its games and metadata alone."""
    first, second = (encode_part(fake_games(1, 7, 900), {"run": "x"}, seats=2) for _ in range(2))
    assert first == second
    assert first != encode_part(fake_games(1, 7, 900), {"run": "y"}, seats=2)


def test_every_flipped_bit_is_noticed() -> None:
    """Each single bit of a part is covered by its checksum, footer and checksum included."""
    data = bytearray(encode_part(fake_games(0, 0, 20), {"run": "x"}, seats=2))
    for bit in range(8 * len(data)):
        data[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ValueError, match="do not match its checksum"):
            decode_part(bytes(data))
        data[bit // 8] ^= 1 << bit % 8
    decode_part(bytes(data))


@pytest.mark.parametrize("most_rows", [None, 3_000])
def test_a_table_is_not_read_that_is_larger_than_it_may_be(most_rows: int | None) -> None:
    """A file below a megabyte with 200 million equal numbers takes no memory."""
    rows, one = 200_000_000, pa.array([7], pa.int8())
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), one)
    data = seal_table(pa.table({"winner": column}), {"run": "x"}, compression="zstd")
    assert len(data) < 1_000_000
    before = pa.total_allocated_bytes()
    with pytest.raises(ValueError, match=r"200,000,000 rows|it takes 1,600,000,000 bytes"):
        decode_part(data, most_rows=most_rows)
    assert decode_part(data, []).num_rows == rows
    assert pa.total_allocated_bytes() <= before + 1_000_000


def test_every_truncation_is_noticed() -> None:
    """A part cut short anywhere, or with something after its end, is not read."""
    data = bytes(encode_part(fake_games(0, 0, 20), {"run": "x"}, seats=2))
    for damaged in [data[:length] for length in range(len(data))] + [data + b"\0"]:
        with pytest.raises(ValueError, match="do not match its checksum"):
            decode_part(damaged)


def test_other_readers_can_read_and_verify() -> None:
    """A plain Parquet reader gets the values, packed lists included, and the page checksums."""
    games = fake_games(0, 0, 500)
    data = bytes(encode_part(games, {"run": "x"}, seats=2))
    table = pq.read_table(io.BytesIO(data), page_checksum_verification=True)
    packed = b"".join(table["cards"].to_pylist())
    item = table.schema.field("cards").metadata[b"dtype"].decode()
    np.testing.assert_array_equal(np.frombuffer(packed, item).reshape(-1, 20), games["cards"])
    in_a_page = data.index(b"PAR1") + 200
    damaged = data[:in_a_page] + bytes([data[in_a_page] ^ 1]) + data[in_a_page + 1 :]
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(io.BytesIO(damaged), page_checksum_verification=True)


@pytest.mark.parametrize(
    ("record", "seats"),
    [(FAKE_RECORD, 2), (GAME_RECORD, 2), (MICE_RECORD, 1)],
    ids=["fake", "mindbug", "mice_and_mystics"],
)
def test_every_column_is_read_by_other_programs(
    record: np.dtype, seats: int, tmp_path: Path
) -> None:
    """polars, DuckDB and pandas, and with pyarrow R's arrow, read what a part holds (issue 35)."""
    games = np.frombuffer(np.random.default_rng(1).bytes(3000 * record.itemsize), record)
    path = tmp_path / "part.parquet"
    path.write_bytes(bytes(encode_part(games, {"run": "x"}, seats=seats)))
    expected = pq.read_table(path).to_pydict()
    polars, duckdb = (importlib.import_module(name) for name in ("polars", "duckdb"))
    assert polars.read_parquet(path).to_dict(as_series=False) == expected
    assert polars.scan_parquet(path).collect().to_dict(as_series=False) == expected
    rows = duckdb.sql(f"select * from '{path}'").fetchall()
    assert [*zip(*rows, strict=True)] == [tuple(values) for values in expected.values()]
    frame = pd.read_parquet(path)
    assert {name: frame[name].tolist() for name in frame} == expected


def test_layout_tells_types_and_shapes_apart() -> None:
    """The layout text changes with a field's name, type and shape, not with padding."""
    layouts = [
        layout_of(np.dtype([("a", "<i2", (4,))]), seats=2),
        layout_of(np.dtype([("a", "<u2", (4,))]), seats=2),
        layout_of(np.dtype([("a", "<i2", (5,))]), seats=2),
        layout_of(np.dtype([("b", "<i2", (4,))]), seats=2),
    ]
    assert len(set(layouts)) == len(layouts)
    packed = np.dtype([(name, FAKE_RECORD[name]) for name in FAKE_RECORD.names or ()])
    assert layout_of(packed, seats=2) == layout_of(FAKE_RECORD, seats=2)
