"""Arrow files and streams, as Feather, R and Polars write them, as Parquet files of the same table.

Who reads them then needs to know one form only, with its limits.
"""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import ipc

from dpcore.data.reading.packed import ARROW_MAGICS
from dpcore.data.reading.problems import DamagedFile
from dpcore.errors import IntakeError

_FILE, _STREAM = ARROW_MAGICS
# Behind the mark of a stream stands the size of its first message, a multiple of eight.
_SIZE_BYTES, _ALIGNED = 4, 8
# Texts, and what they are as bytes.
_BYTES = {
    pa.string(): pa.binary(),
    pa.large_string(): pa.large_binary(),
    pa.string_view(): pa.binary_view(),
}
_BYTES |= {kind: kind for kind in _BYTES.values()}


def is_arrow(content: bytes) -> bool:
    r"""Whether a file is an Arrow file or an Arrow stream, by its first bytes.

    Examples
    --------
    >>> is_arrow(b"ARROW1\0\0..."), is_arrow(b"ARROW1,0.5")
    (True, False)
    """
    if not content.startswith(_STREAM):
        return content.startswith(_FILE)
    size = int.from_bytes(content[len(_STREAM) : len(_STREAM) + _SIZE_BYTES], "little")
    return 0 < size < len(content) and size % _ALIGNED == 0


def as_parquet(content: bytes, title: str) -> bytes:
    """An Arrow file or stream as a Parquet file; bytes that are no UTF-8 stay in their cell.

    Parameters
    ----------
    content
        How much memory its blocks unfold to is known once they are: read it within limits.
    title
        How the error calls the file.

    Raises
    ------
    DamagedFile
        If it cannot be taken apart, whatever its cells say.
    IntakeError
        If a column is of a type that Parquet does not have.
    """
    try:
        source = pa.BufferReader(content)
        is_file = content.startswith(_FILE)
        opened = ipc.open_file(source) if is_file else ipc.open_stream(source)
        schema = pa.schema([(field.name, _kept(field.type)) for field in opened.schema])
        written = pa.BufferOutputStream()
        with pq.ParquetWriter(written, schema) as writer:
            for batch in _batches(opened):
                columns = list(map(_whole, batch.columns))
                writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
    except MemoryError:
        raise
    except pa.ArrowNotImplementedError as error:
        what = f"{title} is an Arrow file with a column of a type that Parquet does not have"
        raise IntakeError(what, remedy="write one plain column per value") from error
    # A name may be no text.
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        what = f"{title} is a damaged Arrow file"
        raise DamagedFile(what, remedy="write or download it again") from error
    return bytes(written.getvalue().to_pybytes())


def _batches(
    opened: ipc.RecordBatchFileReader | ipc.RecordBatchStreamReader,
) -> Iterator[pa.RecordBatch]:
    if isinstance(opened, ipc.RecordBatchFileReader):
        yield from map(opened.get_batch, range(opened.num_record_batches))
    else:
        yield from opened


def _kept(kind: pa.DataType) -> pa.DataType:
    """The type in which Parquet holds a column: it has no moments in whole seconds."""
    each = kind.value_type if pa.types.is_dictionary(kind) else kind
    seconds = pa.types.is_timestamp(each) and each.unit == "s"
    return pa.timestamp("ms", tz=each.tz) if seconds else kind


def _whole(column: pa.Array) -> pa.Array:
    """The column, once no cell is said to begin where there is none.

    What a cell says is not looked at: a moment beyond the calendar, or bytes that are no UTF-8, are
    its own fault. So dictionaries and texts are checked as numbers and bytes.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        _whole(column.dictionary)
        words = pa.nulls(len(column.dictionary))
        pa.DictionaryArray.from_arrays(column.indices, words, safe=True)
    elif kind in _BYTES:
        column.view(_BYTES[kind]).validate(full=True)
    else:
        column.validate(full=kind.num_fields > 0)
    return column.cast(_kept(kind), safe=False) if kind != _kept(kind) else column
