"""Tables and facts between two processes: JSON and Arrow, never anything that runs when read."""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from io import BufferedRWPair
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa

from dpcore.errors import DpcoreError, IntakeError
from dpcore.schema import Schema

Stream: TypeAlias = "BufferedRWPair[Any, Any]"

_LENGTH = struct.Struct(">Q")
_LONGEST = 2**28


def send(stream: Stream, value: object) -> None:
    """Write a value: plain ones, tuples, schemas, records, data frames and arrays.

    Parameters
    ----------
    stream : binary file
    """
    tables: list[pa.Table] = []
    text = json.dumps([_written(value, tables), len(tables)]).encode()
    stream.write(_LENGTH.pack(len(text)))
    stream.write(text)
    for table in tables:
        with pa.ipc.new_stream(stream, table.schema) as writer:
            writer.write_table(table, max_chunksize=2**16)
    stream.flush()


def receive(stream: Stream, records: Sequence[type], most: int) -> Any:
    """Read a value that `send` wrote.

    Parameters
    ----------
    stream : binary file
    records : sequence of dataclasses
        Those that it may hold.
    most
        Bytes that its tables may have.

    Raises
    ------
    EOFError
        If there is less than was announced, or more than may be.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    if length > _LONGEST:
        raise EOFError
    written, number = json.loads(_exactly(stream, length))
    tables = []
    for _ in range(number):
        batches = []
        with pa.ipc.open_stream(stream) as reader:
            for batch in reader:
                most -= batch.nbytes
                if most < 0:
                    raise EOFError
                batch.validate(full=True)
                batches.append(batch)
            tables.append(pa.Table.from_batches(batches, reader.schema))
    return _read(written, tables, {record.__name__: record for record in records})


def told(error: DpcoreError) -> tuple[str, str, dict[str, object]]:
    """An error as its class, its sentence and its facts."""
    plain = (str, int, float, type(None), dict)
    facts: dict[str, Any] = {key: one for key, one in vars(error).items() if isinstance(one, plain)}
    return type(error).__name__, str(error), facts


def rebuilt(name: str, sentence: str, facts: Mapping[str, object]) -> DpcoreError:
    """The error that `told` took apart; an `IntakeError` if its class is not known."""
    kind = _errors(DpcoreError).get(name, IntakeError)
    error = kind.__new__(kind)
    Exception.__init__(error, sentence)
    vars(error).update(facts)
    return error


def _errors(base: type[DpcoreError]) -> dict[str, type[DpcoreError]]:
    found = {base.__name__: base}
    for kind in base.__subclasses__():
        found |= _errors(kind)
    return found


def _exactly(stream: Stream, length: int) -> bytes:
    content = stream.read(length)
    if len(content) != length:
        raise EOFError
    return content


def _written(value: Any, tables: list[pa.Table]) -> Any:
    """A value as JSON; each thing that JSON lacks as a list of its kind and what it holds."""
    match value:
        case None | str() | bool() | int() | float():
            return value
        case bytes():
            return ["bytes", value.decode("latin-1")]
        case tuple():
            return ["tuple", *(_written(part, tables) for part in value)]
        case frozenset():
            return ["frozenset", *sorted(value)]
        case dict():
            return {name: _written(part, tables) for name, part in value.items()}
        case Schema():
            return ["schema", value.to_toml()]
        case pd.DataFrame():
            tables.append(pa.Table.from_pandas(value, preserve_index=False, nthreads=1))
            return ["frame", len(tables) - 1]
        case np.ndarray():
            tables.append(pa.table({"": value}))
            return ["array", len(tables) - 1]
    if not is_dataclass(value):
        raise TypeError(type(value).__name__)
    held = {field.name: _written(getattr(value, field.name), tables) for field in fields(value)}
    return ["record", type(value).__name__, held]


def _read(written: Any, tables: list[pa.Table], records: Mapping[str, type]) -> Any:
    if isinstance(written, dict):
        return {name: _read(part, tables, records) for name, part in written.items()}
    if not isinstance(written, list):
        return written
    match written:
        case ["bytes", text]:
            return text.encode("latin-1")
        case ["tuple", *parts]:
            return tuple(_read(part, tables, records) for part in parts)
        case ["frozenset", *parts]:
            return frozenset(parts)
        case ["schema", text]:
            return Schema.from_toml(text)
        case ["frame", place]:
            return tables[place].to_pandas(use_threads=False)
        case ["array", place]:
            return np.array(tables[place].column(0))
        case ["record", name, held]:
            return records[name](**_read(held, tables, records))
    raise EOFError
