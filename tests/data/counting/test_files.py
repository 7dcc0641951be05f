"""Files cut into parts: Parquet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcore.data.counting import ScoreHistogram, files
from dpcore.data.counting.back_end import count_here
from dpcore.data.counting.files import file_parts, text_parts
from dpcore.data.counting.score_counter import ScoreCounter
from dpcore.data.reading import Dialect
from dpcore.errors import IntakeError, InvalidArgument
from tests.data.counting._files import parquet_files, predictions

COUNTER = ScoreCounter(label="y", score="p")

LINES = st.sampled_from(
    [b"1,0.5", b"0,.25", b"007,0.5", b'"1","0.5"', b'"1,0.5', b'1,"0.5', b"1", b"1,0.5,2", b",",
     b"nan,0.5", b"1,NA", b"\xff,0.5", b" 1 , 0.75 ", b"1.0,1e-3", b"1,2", b"yes,0.5", b"inf,inf",
     b"1,0.5\r0,0.5", b"1,0.5\r"]
)  # fmt: skip


def counted(path: Path, content: bytes) -> np.ndarray:
    path.write_bytes(content)
    return count_here(
        text_parts(path, Dialect(), COUNTER.columns, numbers=COUNTER.numbers), COUNTER, workers=1
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(lines=st.lists(LINES, max_size=8), more=LINES, at=st.integers(0, 8))
def test_one_more_line_moves_one_count_by_one(tmp_path, lines, more, at) -> None:
    rows = [*lines[:at], more, *lines[at:]]
    without = counted(tmp_path / "a.csv", b"y,p\n" + b"".join(line + b"\n" for line in lines))
    there = counted(tmp_path / "a.csv", b"y,p\n" + b"".join(line + b"\n" for line in rows))
    assert np.abs(there - without).sum() == 1


@pytest.mark.parametrize("odd", [b"x;0,5;0,0", b"1;0,5;north", b"1,0;0.5;0,0", b"1.0;1e400;1e400"])
@pytest.mark.parametrize("positive", ["1", "1,0", "inf"])
def test_one_odd_label_leaves_those_that_are_numbers_with_a_comma(tmp_path, positive, odd) -> None:
    """The decimal mark of scores is none of labels and groups, whatever all of these are."""
    wanted = ScoreCounter(
        label="y", score="p", positive=positive, decimal=",", group="g", levels=("0,0", "1.5")
    )
    dialect, found = Dialect(delimiter=";", decimal=","), []
    rows = [b"1,0;0,75;0,0", b"0,0;0,25;1,5", b"1e400;0,5;1,5"] * 4
    for more in ([], [odd]):
        path = tmp_path / "a.csv"
        path.write_bytes(b"\n".join([b"y;p;g", *rows, *more]))
        parts = file_parts([path], wanted.columns, dialect=dialect, numbers=wanted.numbers)
        found.append(count_here(parts, wanted).reshape(wanted.several, -1))
    # A record is counted with all, and in its group.
    first, *groups = np.abs(found[1] - found[0]).sum(axis=1).tolist()
    assert (first, sorted(groups)) == (1, [0, 0, 1])
    assert (found[0].sum(axis=1) == [12, 4, 0, 8]).all()


def test_a_column_that_is_label_and_score_is_read_as_text(tmp_path) -> None:
    wanted = ScoreCounter(label="y", score="y", decimal=",")
    assert wanted.numbers == {}
    assert ScoreCounter(label="y", score="y").numbers == {"y": "."}


def test_a_row_of_missing_cells_is_a_row_where_tabs_separate_them(tmp_path) -> None:
    """In a part of its own too: one record is one row before and after it is replaced."""
    path = tmp_path / "a.tsv"
    for rows in (b"\t\n", b"\t\n \t \n", b"1\t0.5\n\t\n"):
        path.write_bytes(b"y\tp\n" + rows)
        assert count_here(
            text_parts(path, Dialect(delimiter="\t"), COUNTER.columns), COUNTER
        ).sum() == rows.count(b"\n")


def test_a_nameless_first_column_is_a_column(tmp_path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"\ty\tp\r\n0\t1\t0.5\r\n")
    assert (
        count_here(text_parts(path, Dialect(delimiter="\t"), COUNTER.columns), COUNTER)[:-1].sum()
        == 1
    )


def test_cells_that_hold_line_breaks_cannot_be_cut_by_ranges(tmp_path) -> None:
    (tmp_path / "a.csv").write_bytes(b"y,p\n1,0.5\n")
    with pytest.raises(InvalidArgument, match="save the table as Parquet"):
        text_parts(tmp_path / "a.csv", Dialect(line_breaks=True), COUNTER.columns)


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_header_shows_the_delimiter(tmp_path, mark: str) -> None:
    """And no row has a say in it."""
    (tmp_path / "a.csv").write_text(f"y{mark}p\n1,0.5;0,5|x\n1{mark}0.5\n")
    parts = text_parts(tmp_path / "a.csv", Dialect(delimiter=""), COUNTER.columns)
    assert count_here(parts, COUNTER)[:-1].sum() == 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_carriage_return_inside_a_line_makes_no_further_rows(tmp_path, end: bytes) -> None:
    content = end.join([b"y,p", b"1,0.9\r1,0.9\r1,0.9", b"0,0.1", b""])
    counts = ScoreHistogram.from_vector(counted(tmp_path / "a.csv", content))
    assert (counts.n_positive, counts.n_negative, counts.left_out) == (0, 1, 1)


@pytest.mark.spanning
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [1, 7, 64, 10**6])
def test_where_the_cuts_fall_changes_nothing(tmp_path, monkeypatch, end: str, size: int) -> None:
    frame = predictions(100 if size == 1 else 2000)
    exact = ScoreHistogram.from_arrays(frame["y"], frame["p"].astype(str).astype(float))
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False, lineterminator=end)
    monkeypatch.setattr(files, "_PART_BYTES", size)
    vector = count_here(
        text_parts(path, Dialect(), COUNTER.columns, numbers=COUNTER.numbers), COUNTER
    )
    np.testing.assert_array_equal(ScoreHistogram.from_vector(vector).positives, exact.positives)
    assert vector[-1] == 0


def test_the_last_line_needs_no_end(tmp_path) -> None:
    assert counted(tmp_path / "a.csv", b"p,y\n0.5,1\n0.25,0")[:-1].sum() == 2


def test_no_lines_is_no_rows(tmp_path) -> None:
    assert counted(tmp_path / "a.csv", b"y,p\n").sum() == 0
    assert counted(tmp_path / "a.csv", b"y,p\n\n\n").sum() == 0


@pytest.mark.parametrize("header", [b"", b"y,q\n", b"y,p,p\n"])
def test_the_first_line_must_name_the_columns_once(tmp_path, header: bytes) -> None:
    with pytest.raises(IntakeError, match=r"a\.csv (has no column of this name|is empty)"):
        counted(tmp_path / "a.csv", header)


@pytest.mark.parametrize("record", [b"0.9125,1\n", b"p7;0.9125;yes\n", b"a,1,\n"])
def test_a_record_in_place_of_a_header_is_not_quoted(tmp_path: Path, record: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(record * 3)
    with pytest.raises(IntakeError, match=r"column 'y': the first line of a\.csv .*record") as said:
        file_parts([tmp_path / "a.csv"], ("y", "p"))
    assert "9125" not in str(said.value)
    assert "choose" not in str(said.value)


@pytest.mark.parametrize("cell", ["0,9125", "91.25 %", "<0.9125", "[0.0875, 0.9125]", "9.125E-1"])
def test_nor_is_a_record_whose_numbers_are_written_otherwise(tmp_path: Path, cell: str) -> None:
    (tmp_path / "a.csv").write_text(f"Maria;{cell}\n" * 3)
    pd.DataFrame([["Maria", cell]] * 3).to_excel(tmp_path / "a.xlsx", header=False, index=False)
    for name in ("a.csv", "a.xlsx"):
        with pytest.raises(IntakeError, match="holds numbers, as a record does") as said:
            file_parts([tmp_path / name], ("y", "p"), dialect=Dialect(delimiter=";"))
        assert "Maria" not in str(said.value)


def test_files_and_arrays_give_the_same_counts(tmp_path: Path) -> None:
    frame = predictions(20_000)
    paths = parquet_files(tmp_path, frame)
    assert len(file_parts(paths, ("y", "p"))) >= 9
    counted = ScoreHistogram.from_files(paths, label="y", score="p")
    exact = ScoreHistogram.from_arrays(frame["y"], frame["p"])
    np.testing.assert_array_equal(counted.positives, exact.positives)
    np.testing.assert_array_equal(counted.negatives, exact.negatives)


def test_a_value_of_a_vector_is_a_column_each_row_by_itself(tmp_path: Path) -> None:
    frame = predictions(300)
    cells = [f"[{1 - p}, {p}]" for p in frame["p"].astype(float)]
    odd = pd.DataFrame({"y": [1, 0, 1], "p": ["[0.5", "high", "[0.1, 0.2]"]})
    text, packed = tmp_path / "a.csv", tmp_path / "a.parquet"
    pd.concat([frame.assign(p=cells), odd]).to_csv(text, index=False)
    pd.concat([frame.assign(p=cells), odd]).to_parquet(packed, index=False, row_group_size=70)
    scores = [*frame["p"].astype(float), np.nan, np.nan, 0.2]
    wanted = ScoreCounter(label="y", score="p")(
        [{"y": np.array([*frame["y"], 1, 0, 1]), "p": np.array(scores)}]
    )
    counter = ScoreCounter(label="y", score="p.1")
    for path in (text, packed):
        parts = file_parts([path], counter.columns, numbers=counter.numbers)
        np.testing.assert_array_equal(count_here(parts, counter), wanted)
        with pytest.raises(IntakeError, match=r"'q\.1'.*no column of this name"):
            file_parts([path], ["y", "q.1"])


@pytest.mark.parametrize("ending", ["xlsx", "json", "jsonl"])
def test_a_table_of_another_form_is_counted_as_the_text_of_its_records(tmp_path, ending) -> None:
    """Each row by itself: what is none of a score leaves its own row out."""
    frame = predictions(200).astype({"p": float}).round(4)
    frame = pd.concat([frame.astype(object), pd.DataFrame({"y": [1, None], "p": ["high", 0.5]})])
    text, other = tmp_path / "a.csv", tmp_path / f"a.{ending}"
    frame.to_csv(text, index=False)
    if ending == "xlsx":
        frame.to_excel(other, index=False)
    else:
        frame.to_json(other, orient="records", lines=ending == "jsonl")
    counts = [
        count_here(file_parts([one], COUNTER.columns, numbers=COUNTER.numbers), COUNTER)
        for one in (text, other)
    ]
    np.testing.assert_array_equal(*counts)
    assert counts[0][-1] == 2, "rows that are left out"
    if ending == "xlsx":
        with pytest.raises(IntakeError, match=r"'q'.*first row of a.xlsx has no column of this"):
            file_parts([other], ["y", "q"])


def test_json_that_is_called_a_text_shows_no_record(tmp_path) -> None:
    """What would be its header is the first of them."""
    path = tmp_path / "a.csv"
    path.write_text('{"y":1,"p":0.5}\n{"y":0,"p":0.25}\n')
    with pytest.raises(IntakeError, match="holds JSON, not a delimited text") as caught:
        file_parts([path], COUNTER.columns)
    assert "0.5" not in str(caught.value)


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
        (foreign, "y"): "neither Parquet, delimited text, a workbook nor JSON",
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
    with pytest.raises(
        IntakeError, match="column 'y': the file bytes.parquet holds blocks of 9 bytes"
    ):
        file_parts([path], ["y"])
