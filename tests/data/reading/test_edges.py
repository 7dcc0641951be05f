"""Rows that are no records are left out, and said; what could be a record stays."""

from __future__ import annotations

import pyarrow as pa

from dpcore.data.reading import read_dataset
from dpcore.data.reading.edges import without_edges


def test_headers_within_a_table_are_left_out_and_records_like_them_are_not() -> None:
    read = read_dataset(b"name,age\nAnn,3\nname,age\nage,name\nBob,4\n")
    assert read.frame["name"].tolist() == ["Ann", "age", "Bob"]
    assert any("1 row that repeats the header is left out" in p.sentence for p in read.problems)
    # A first row that stands again may be a record of a file without a header.
    assert list(read_dataset(b"f,x\nm,y\nf,x\n").frame) == ["column_1", "column_2"]


def test_several_rows_of_sums_are_left_out_and_a_few_rows_are_records() -> None:
    rows = {"who": [*"abcdefg", "Total", "Mean"], "n": [*"1234567", "28", "4"]}
    cells, told = without_edges(pa.table(rows), ".")
    assert cells["who"].to_pylist() == [*"abcdefg"]
    assert [one.sentence[:30] for one in told] == [
        "The last row is called “Mean” ",
        "The last row is called “Total”",
    ]
    few = pa.table(rows).slice(5)
    assert without_edges(few, ".") == (few, [])
