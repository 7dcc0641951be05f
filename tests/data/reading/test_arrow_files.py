"""Arrow files and streams are read like the Parquet file of the same table."""

from __future__ import annotations

import gzip
import io
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, ipc

from dpcore.data.reading import Dialect, Limits, read_dataset, read_predictions
from dpcore.data.reading.arrow_files import as_parquet, is_arrow
from dpcore.data.reading.problems import DEFAULT_LIMITS, DamagedFile, TooCostly
from dpcore.data.reading.tables import column_names, likely_layout
from dpcore.errors import IntakeError
from tests.data.reading.corpus import LABELS, PROBABILITIES, SEXES

TABLE = pa.table({"label": LABELS, "score": PROBABILITIES, "sex": SEXES.astype(str)})


def file_of(table: pa.Table, compression: str | None = None, most: int = 25) -> bytes:
    sink = io.BytesIO()
    options = ipc.IpcWriteOptions(compression=compression)
    with ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=most)
    return sink.getvalue()


def stream_of(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=25)
    return sink.getvalue()


def feather_of(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    feather.write_feather(table, sink)
    return sink.getvalue()


def parquet_of(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


FORMS = (file_of, stream_of, feather_of, lambda table: gzip.compress(feather_of(table)))


@pytest.mark.parametrize("form", FORMS)
def test_predictions_are_those_of_the_parquet_file(form: object) -> None:
    read, wanted = (read_predictions(one(TABLE)) for one in (form, parquet_of))  # type: ignore[operator]
    np.testing.assert_array_equal(read.y_score, wanted.y_score)
    np.testing.assert_array_equal(read.y_true, LABELS)
    assert read.columns == ("label", "score")
    assert (read.dialect, read.roles) == (wanted.dialect, wanted.roles) or form is FORMS[3]


@pytest.mark.parametrize("form", FORMS)
def test_it_is_read_as_declared_as_it_was_guessed(form: object) -> None:
    content = form(TABLE)  # type: ignore[operator]
    told = {"positive": "1", "negative": "0", "dialect": Dialect("parquet")}
    read = read_predictions(content, label="label", score="score", **told)
    np.testing.assert_array_equal(read.y_score, PROBABILITIES)
    assert column_names(content, Dialect(), limits=DEFAULT_LIMITS) == ("label", "score", "sex")
    assert likely_layout(content, {}, limits=DEFAULT_LIMITS) == {}


def test_dictionaries_views_and_missing_cells() -> None:
    cells = pa.array(["a", None, "b"])
    kinds = {"d": cells.dictionary_encode(), "v": cells.cast(pa.string_view()), "n": [1.5, None, 2]}
    for form in (file_of, stream_of):
        frame = read_dataset(form(pa.table(kinds))).frame
        pd.testing.assert_series_equal(frame["d"], frame["v"], check_names=False)
        assert frame["d"].isna().tolist() == frame["n"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("kind", ["plain", "dictionary"])
def test_bytes_that_are_no_text_spoil_their_own_cell(kind: str) -> None:
    buffers = pa.array([b"a", b"\xff"]).buffers()
    cells = pa.Array.from_buffers(pa.string(), 2, buffers)
    if kind == "dictionary":
        cells = pa.DictionaryArray.from_arrays(pa.array([0, 1]), cells)
    frame = read_dataset(stream_of(pa.table({"a": cells, "y": [1, 2]}))).frame
    assert frame["a"].tolist() == ["a", "\ufffd"]


def test_a_cell_that_begins_where_there_is_none_is_damage_and_no_read_of_other_memory() -> None:
    offsets = pa.py_buffer(np.array([0, 10**6, 2], np.int32).tobytes())
    cells = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
    content = stream_of(pa.table({"a": cells, "y": [1, 0]}))
    with pytest.raises(DamagedFile, match="^the file is a damaged Arrow file; write or download"):
        read_dataset(content)


def test_a_moment_beyond_the_calendar_spoils_no_other_cell() -> None:
    """Parquet has no whole seconds, and thousands of them may be more than it holds."""
    for zone in (None, "Europe/Berlin"):
        cells = pa.array([2**62, 0]).view(pa.timestamp("s", zone))
        for column in (cells, pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), cells)):
            for form in (stream_of, file_of):
                frame = read_dataset(form(pa.table({"a": column, "y": [1, 2]}))).frame
                assert (frame["a"][1], frame["y"].tolist()) == ("1970-01-01 00:00:00", [1, 2])


def test_what_parquet_does_not_have_is_one_sentence() -> None:
    cells = pa.array([None], pa.month_day_nano_interval())
    with pytest.raises(IntakeError, match="a column of a type that Parquet does not have; write"):
        read_dataset(stream_of(pa.table({"a": cells, "y": [1]})))


@given(st.integers(0, 600), st.integers(0, 255), st.sampled_from([file_of, stream_of]))
def test_a_changed_byte_is_one_sentence_or_another_table(at: int, byte: int, form: object) -> None:
    content = bytearray(form(TABLE.slice(0, 5)))  # type: ignore[operator]
    content[at % len(content)] = byte
    with suppress(IntakeError):
        assert as_parquet(bytes(content), "the file").startswith(b"PAR1")


def test_little_that_unfolds_to_much_costs_no_more_than_the_limit() -> None:
    bomb = file_of(pa.table({"y": np.zeros(30_000_000)}), "zstd", 2**30)
    assert len(bomb) < 2**21
    with pytest.raises(TooCostly):
        read_dataset(bomb, limits=Limits(memory_bytes=100 * 2**20))


def test_the_first_version_of_feather_is_one_sentence() -> None:
    written = b"FEA1" + bytes(60) + b"FEA1"
    with pytest.raises(IntakeError, match="is a Feather file of version 1; write it in version 2"):
        read_predictions(written)


def test_a_text_that_begins_like_one_is_a_text() -> None:
    assert not is_arrow(b"ARROW1,label\n")
    assert not is_arrow("ÿÿÿÿ,label\n".encode("latin-1"))
    record = "ÿÿÿÿ;1;0,5\n".encode("latin-1")
    told = Dialect(delimiter=";", decimal=",", encoding="latin-1", header=False)
    said = {"label": "column_2", "score": "column_3", "positive": "1"}
    assert read_predictions(record, dialect=told, **said).y_score.tolist() == [0.5]
