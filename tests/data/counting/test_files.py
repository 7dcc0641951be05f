"""Files cut into parts: Parquet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.data.counting import ScoreHistogram
from dpcore.data.counting.files import file_parts
from dpcore.errors import IntakeError
from dpcore.schema.arrow_cells import arrow_cells
from tests.data.counting._files import parquet_files, predictions


def test_files_and_arrays_give_the_same_counts(tmp_path: Path) -> None:
    frame = predictions(20_000)
    paths = parquet_files(tmp_path, frame)
    assert len(file_parts(paths, ("y", "p"))) >= 9
    counted = ScoreHistogram.from_files(paths, label="y", score="p")
    exact = ScoreHistogram.from_arrays(frame["y"], frame["p"])
    np.testing.assert_array_equal(counted.positives, exact.positives)
    np.testing.assert_array_equal(counted.negatives, exact.negatives)


def test_missing_cells_leave_the_row_out(tmp_path: Path) -> None:
    table = pa.table(
        {"y": pa.array([1, None, 0, 1], pa.int8()), "p": pa.array([0.5, 0.5, None, 0.7])}
    )
    pq.write_table(table, tmp_path / "a.parquet")
    found = ScoreHistogram.from_files([tmp_path / "a.parquet"], label="y", score="p")
    assert (found.n_positive, found.n_negative) == (2, 0)


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    damaged, foreign, good = (tmp_path / name for name in ("a.parquet", "a.docx", "b.parquet"))
    damaged.write_bytes(b"PAR1 nothing PAR1")
    foreign.write_bytes(b"")
    pd.DataFrame({"y": [1], "p": [[0.5]]}).to_parquet(good)
    cases = {
        (damaged, "y"): "damaged",
        (foreign, "y"): "neither Parquet nor delimited",
        (tmp_path / "absent.parquet", "y"): "no such file",
        (good, "q"): "column 'q': .* has no column of this name",
        (good, "p"): "column 'p': the file b.parquet holds values of type list",
    }
    for (path, column), words in cases.items():
        with pytest.raises(IntakeError, match=words) as caught:
            file_parts([path], [column])
        assert str(tmp_path) not in str(caught.value)


def test_damage_found_while_reading_is_one_sentence(tmp_path: Path) -> None:
    (path,) = parquet_files(tmp_path, predictions(5000), files=1)
    parts = file_parts([path], ("y", "p"))
    path.write_bytes(path.read_bytes()[:4000])
    with pytest.raises(IntakeError, match=r"0\.parquet cannot be read"):
        list(parts[0].batches(("y", "p")))


def test_a_file_that_is_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for rows in (3, 5):
        pd.DataFrame({"y": np.ones(rows, np.int8), "p": np.full(rows, 0.5)}).to_parquet(path)
        found = ScoreHistogram.from_files([path], label="y", score="p")
        assert found.n_positive == rows


def test_bytes_that_are_no_text_are_one_odd_cell() -> None:
    column = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 2, 5], "i4")), pa.py_buffer(b"\xff1yes")]
    )
    assert arrow_cells(column).tolist() == ["\ufffd1", "yes"]
    assert arrow_cells(column.dictionary_encode()).tolist() == ["\ufffd1", "yes"]


def test_no_batch_of_a_parquet_file_is_larger_than_some_megabytes(tmp_path: Path) -> None:
    """A gigabyte of texts that lies in a file of some kilobytes."""
    path = tmp_path / "texts.parquet"
    text = pa.array(["x" * 100_000]).dictionary_encode().dictionary
    cells = pa.DictionaryArray.from_arrays(pa.array(np.zeros(10_000, np.int32)), text)
    pq.write_table(pa.table({"y": cells, "p": np.zeros(10_000)}), path, compression="zstd")
    assert path.stat().st_size < 200_000
    rows = 0
    (part,) = file_parts([path], ["y", "p"])
    for batch in part.batches(["y", "p"]):
        assert sum(map(len, batch["y"])) <= 2**26
        rows += len(batch["p"])
    assert rows == 10_000


def test_columns_of_bytes_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bytes.parquet"
    pq.write_table(pa.table({"y": pa.array([b"x" * 9], pa.binary(9))}), path)
    with pytest.raises(IntakeError, match="column 'y': the file bytes.parquet holds values of"):
        file_parts([path], ["y"])
