"""Records and Parquet: a structured array of finished games <-> the bytes of one part file.

A game module describes one game as one row of a structured dtype, and says how many players there
are; this module knows the shapes of such a dtype and nothing of any game.  Fields become columns by
three rules:

* a scalar field keeps its name and type;
* a field of shape ``(seats,)`` (one value for each player) becomes ``<name>_0``, ``<name>_1`` …;
* any other vector becomes one *packed* column of little-endian bytes, with the type of its items
  in the field's metadata (``dtype``).  `decode_part` turns it into a fixed-size list again; other
  Parquet readers see binary values, ``np.frombuffer(b"".join(column), "<i2").reshape(-1, 20)``.

Packing is what makes writing cheap: Parquet stores every item of a list with a level.  A million
games of a card game took 1.2 to 2.3 CPU seconds as lists (452 to 44 bytes a game, by compression)
and 0.7 packed (41 bytes, an eighth more since other programs can read them), all included; see
``tests/benchmarks/bench_parts.py``.

A part is a sealed file (`simcore.sealed`).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from simcore.sealed import open_table, seal_table

# Rows copied at a time: a block of records stays in the processor's cache while it is taken apart.
_BLOCK = 4096


def columns_of(record: np.dtype, seats: int) -> Iterator[tuple[str, str, int | None, np.dtype]]:
    """The columns of ``record``, in order, as ``(column, field, player, type)``.

    ``player`` is 0 … ``seats`` - 1 for the columns of a field of shape (seats,), else None;
    ``type`` has the shape ``(k,)`` for a packed vector and no shape otherwise.
    """
    assert record.names is not None
    for field in record.names:
        field_type = record[field]
        if field_type.shape == (seats,):
            for player in range(seats):
                yield f"{field}_{player}", field, player, field_type.base
        else:
            yield field, field, None, field_type


def encode_part(records: np.ndarray, metadata: Mapping[str, str], *, seats: int) -> bytes:
    """The bytes of a sealed Parquet file that holds ``records``, a structured array (n_games,).

    ``metadata`` says what they are of.  The same records and metadata give the same bytes.
    """
    table = _to_packed_table(records, seats)
    return seal_table(
        table,
        metadata,
        compression="zstd",
        compression_level=1,
        use_dictionary=False,
        column_encoding={field.name: _encoding(field.type) for field in table.schema},
        write_statistics=False,
    )


def decode_part(
    data: bytes, wanted: Sequence[str] | None = None, *, most_rows: int | None = None
) -> pa.Table:
    """The table in a part's bytes, vectors as fixed-size lists; the inverse of `encode_part`.

    ``wanted`` names the columns to read, default all, in the part's order.  No value is null.
    ``table.schema.metadata`` is what `encode_part` was given, as bytes.  Raises ValueError when
    any bit of ``data`` differs from what was written, or there are more than ``most_rows``.
    """
    table = open_table(data, wanted, most_rows=most_rows)
    for position, field in enumerate(table.schema):
        if pa.types.is_fixed_size_binary(field.type):
            table = table.set_column(position, field.name, _unpacked(table[field.name], field))
    return table


def to_records(table: pa.Table, record: np.dtype, *, seats: int) -> np.ndarray:
    """The rows of ``table`` (as `decode_part` gives it) as a structured array of dtype ``record``.

    Shape (n_games,).  The inverse of the flattening described above.
    """
    sources = []
    for column, field, player, column_type in columns_of(record, seats):
        array = table[column].combine_chunks()
        values = (array.flatten() if column_type.shape else array).to_numpy()
        sources.append((field, player, values.reshape(-1, *column_type.shape)))
    records = np.empty(table.num_rows, record)
    for low in range(0, len(records), _BLOCK):
        block = records[low : low + _BLOCK]
        for field, player, values in sources:
            target = block[field] if player is None else block[field][:, player]
            target[...] = values[low : low + _BLOCK]
    return records


def layout_of(record: np.dtype, *, seats: int) -> str:
    """A short text that differs whenever the names, types or shapes of the columns differ."""
    columns = columns_of(record, seats)
    text = ";".join(f"{column}:{column_type}" for column, _, _, column_type in columns)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _to_packed_table(records: np.ndarray, seats: int) -> pa.Table:
    """``records`` as a table whose vectors are fixed-size binary values."""
    # All columns share one allocation: the C library keeps one of this size for the next part,
    # while thirty smaller ones were returned and mapped again, at 0.1 s for a million games.
    layout = list(columns_of(records.dtype, seats))
    sizes = [-(-len(records) * column_type.itemsize // 8) * 8 for *_, column_type in layout]
    memory = np.split(np.empty(sum(sizes), np.uint8), np.cumsum(sizes)[:-1])
    targets = [
        part[: len(records) * column_type.itemsize]
        .view(column_type.base)
        .reshape(len(records), *column_type.shape)
        for part, (*_, column_type) in zip(memory, layout, strict=True)
    ]
    for low in range(0, len(records), _BLOCK):
        block = records[low : low + _BLOCK]
        for (_, field, player, _), values in zip(layout, targets, strict=True):
            source = block[field] if player is None else block[field][:, player]
            values[low : low + _BLOCK] = source
    fields = [_packed_field(column, column_type) for column, _, _, column_type in layout]
    # Not pa.array(), which imports pandas.
    arrays = [
        pa.Array.from_buffers(field.type, len(records), [None, pa.py_buffer(values)])
        for field, values in zip(fields, targets, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(fields))


def _packed_field(column: str, column_type: np.dtype) -> pa.Field:
    """The Arrow field of a column in a part."""
    if not column_type.shape:
        return pa.field(column, pa.from_numpy_dtype(column_type), nullable=False)
    metadata = {b"dtype": column_type.base.str.encode()}
    return pa.field(column, pa.binary(column_type.itemsize), nullable=False, metadata=metadata)


def _encoding(column_type: pa.DataType) -> str:
    """The Parquet encoding of a column: masks split by byte, vectors as they are, else differences.

    Vectors split by byte would be an eighth to a quarter smaller, but polars and DuckDB cannot read
    such a column of binary values.
    """
    if pa.types.is_fixed_size_binary(column_type):
        return "PLAIN"
    split = pa.types.is_uint64(column_type) or pa.types.is_floating(column_type)
    return "BYTE_STREAM_SPLIT" if split else "DELTA_BINARY_PACKED"


def _unpacked(column: pa.ChunkedArray, field: pa.Field) -> pa.FixedSizeListArray:
    """A packed column as lists over the same memory."""
    array = column.combine_chunks()
    item = np.dtype(field.metadata[b"dtype"].decode())
    length = field.type.byte_width // item.itemsize
    items: Any = pa.Array.from_buffers(
        pa.from_numpy_dtype(item), len(array) * length, [None, array.buffers()[1]]
    )
    return pa.FixedSizeListArray.from_arrays(items, length)
