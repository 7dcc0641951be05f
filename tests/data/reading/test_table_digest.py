"""One digest for a table however it is saved, and another as soon as a cell is another."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import string
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcore.data.reading import table_digest
from dpcore.data.reading.problems import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import open_source
from dpcore.data.reading.table_digest import (
    _order,
    canonical_cells,
    canonical_text,
    digest_of_lines,
    digest_of_table,
)

BERLIN = pa.timestamp("ns", "Europe/Berlin")


def spelled(*cells: object, decimal: str = ".", kind: pa.DataType | None = None) -> list[str]:
    return canonical_cells(pa.array(cells, kind), decimal).to_pylist()


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "1.0", "1.000", "1e0", "10E-1", "+1", " 1 ", "01", "001.0", "true", "TRUE"],
        ["0", "-0", "0.0", "-0.00", "false", "False"],
        ["1234.5", "1,234.5", "1234.50"],
        ["12345678901234567", "+12345678901234567", "012345678901234567"],
        ["", "NA", "n/a", "?", "null", "nan", "  "],
        ["inf", "Infinity", "1e999"],
        ["2020-01-01", "2020-01-01 00:00:00", "2020-01-01T00:00:00.000Z"],
        ["2020-01-01 12:30:00", "2020-01-01T12:30", "2020-01-01 13:30:00.000+0100"],
        ["12:30:00.50", "12:30:00.500000"],
        ["e\u0301", "\u00e9", " \u00e9 "],
        ["a\nb", "a\r\nb"],
    ],
)
def test_one_value_has_one_spelling_alone_and_among_others(cells: list[str]) -> None:
    assert len({spelled(cell)[0] for cell in cells}) == 1
    assert len(set(spelled(*cells, "other")[:-1])) == 1


def test_different_values_have_different_spellings() -> None:
    cells = ["", "0", "1", "2", "0.1", "0.10000000000000002", "1e-300", "inf", "-inf", "-1", "yes"]
    cells += ["Yes", "no", "3ff0000000000000", "=1", "i12345678901234567", "12345678901234567"]
    cells += ["12345678901234569", "9007199254740993", "9007199254740992", "-12345678901234567"]
    cells += ["2020-01-01", "2020-01-02", "2020-01-01 00:00:01", "2020-13-01 00:00:00", "1,5", "x"]
    assert len(set(spelled(*cells))) == len(cells)
    assert [spelled(cell)[0] for cell in cells] == spelled(*cells)


@pytest.mark.parametrize(
    "kind, cell, text",
    [
        (pa.int8(), 7, "007"),
        (pa.uint64(), 2**63, "9223372036854775808"),
        (pa.int64(), 2**53 + 1, "9007199254740993"),
        (pa.float32(), 0.1, "0.1"),
        (pa.float64(), 1e17, "1e+17"),
        (pa.float64(), 1e17, "100000000000000000"),
        (pa.decimal128(9, 2), Decimal("1.50"), "1.5"),
        (pa.bool_(), True, "True"),
        (pa.date32(), dt.date(2020, 1, 1), "2020-01-01"),
        (pa.timestamp("us"), dt.datetime(2020, 1, 1, 12, 0, 0, 500), "2020-01-01 12:00:00.0005"),
        (BERLIN, dt.datetime(2020, 1, 1, 12), "2020-01-01 13:00:00+01:00"),
        (pa.time64("us"), dt.time(1, 2, 3), "01:02:03"),
        (pa.dictionary(pa.int8(), pa.string()), "north", " north"),
    ],
)
def test_a_stored_type_is_spelled_as_its_text(kind: pa.DataType, cell: object, text: str) -> None:
    assert spelled(cell, None, kind=kind) == [*spelled(text), ""]


def test_a_decimal_comma_is_one_where_it_is_declared() -> None:
    assert spelled("1,5", "1.234,5", ",25", "x", decimal=",") == spelled(
        "1.5", "1234.5", "0.25", "x"
    )
    assert spelled("1,5") != spelled("1.5")


@given(st.lists(st.floats(allow_nan=False, width=64) | st.integers(-(10**25), 10**25), min_size=1))
def test_numbers_are_told_apart_by_value_only(numbers: list[float | int]) -> None:
    found = spelled(*[repr(number) for number in numbers])
    for one, first in zip(numbers, found, strict=True):
        for other, second in zip(numbers, found, strict=True):
            assert (first == second) == (one == other), (one, other)


@given(st.lists(st.text(max_size=8) | st.floats().map(str), min_size=1))
def test_no_cell_depends_on_another(cells: list[str]) -> None:
    assert spelled(*cells) == [spelled(cell)[0] for cell in cells]


def test_a_text_that_is_no_number_keeps_its_case() -> None:
    assert canonical_text("North") == "=North" != canonical_text("north")


WORDS = st.text(string.ascii_letters + "äöü", min_size=2, max_size=6).filter(
    lambda word: word.lower() not in {"na", "nan", "null", "inf", "true", "false", "infinity"}
)

CELLS = {
    "age": st.integers(0, 120),
    "dose": st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 4)),
    "town": WORDS | st.none(),
    "smokes": st.booleans(),
    "seen": st.datetimes(pd.Timestamp("1900-01-01"), pd.Timestamp("2100-01-01")),
}

ROWS = st.lists(st.fixed_dictionaries(CELLS), min_size=3, max_size=12)


def digest(content: bytes, limits: Limits = DEFAULT_LIMITS) -> str:
    return digest_of_table(open_source(content, "", limits), limits)


def as_csv(frame: pd.DataFrame, **options: object) -> bytes:
    return frame.to_csv(index=False, **options).encode()


def as_parquet(frame: pd.DataFrame, **options: object) -> bytes:
    file = io.BytesIO()
    frame.to_parquet(file, **options)
    return file.getvalue()


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1.0, random_state=1)[list(frame)[::-1]]


SAVINGS: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "tabs": lambda frame: as_csv(frame, sep="\t"),
    "semicolons and decimal commas": lambda frame: as_csv(frame, sep=";", decimal=","),
    "bars": lambda frame: as_csv(frame, sep="|"),
    "quoted": lambda frame: as_csv(frame, quoting=csv.QUOTE_ALL),
    "two-byte line ends": lambda frame: as_csv(frame, lineterminator="\r\n"),
    "another word for missing": lambda frame: as_csv(frame, na_rep="NA"),
    "byte-order mark": lambda frame: b"\xef\xbb\xbf" + as_csv(frame),
    "utf-16": lambda frame: as_csv(frame).decode().encode("utf-16"),
    "windows-1252": lambda frame: as_csv(frame).decode().encode("cp1252"),
    "packed": lambda frame: gzip.compress(as_csv(frame)),
    "other order of rows and columns": lambda frame: as_csv(shuffled(frame)),
    "row numbers": lambda frame: frame.to_csv().encode(),
    "Parquet": as_parquet,
    "Parquet in another order": lambda frame: as_parquet(shuffled(frame)),
    "Parquet in parts": lambda frame: as_parquet(frame, row_group_size=2, index=True),
    "Parquet of categories": lambda frame: as_parquet(frame.astype({"town": "category"})),
    "Parquet of texts": lambda frame: as_parquet(frame.astype("str").where(frame.notna())),
    "CSV of a Parquet file": lambda frame: as_csv(pd.read_parquet(io.BytesIO(as_parquet(frame)))),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("saved", SAVINGS.values(), ids=SAVINGS)
@settings(max_examples=15)
@given(rows=ROWS)
def test_a_table_that_was_saved_again_is_the_same(
    saved: Callable[[pd.DataFrame], bytes], rows: list[dict[str, object]]
) -> None:
    frame = pd.DataFrame(rows)
    assert digest(saved(frame)) == digest(as_csv(frame))


@given(rows=ROWS, place=st.integers(0, 99), name=st.sampled_from(sorted(CELLS)), data=st.data())
def test_another_cell_is_another_table(
    rows: list[dict[str, object]], place: int, name: str, data: st.DataObject
) -> None:
    changed = [dict(row) for row in rows]
    row = changed[place % len(rows)]
    old, row[name] = row[name], data.draw(CELLS[name])
    assume(row[name] != old)
    assert digest(as_csv(pd.DataFrame(changed))) != digest(as_csv(pd.DataFrame(rows)))


@given(rows=ROWS)
def test_another_row_column_or_name_is_another_table(rows: list[dict[str, object]]) -> None:
    frame = pd.DataFrame(rows)
    others = [
        pd.concat([frame, frame.head(1)]),
        frame.head(len(frame) - 1),
        frame.assign(more=0),
        frame.drop(columns="age"),
        frame.rename(columns={"age": "years"}),
    ]
    assert len({digest(as_csv(one)) for one in (frame, *others)}) == 1 + len(others)


def test_cells_that_change_places_within_a_row_are_others() -> None:
    assert digest(b"a,b\n1,2\n3,4\n") != digest(b"a,b\n2,1\n3,4\n")
    assert digest(b"a,b\n1,2\n3,4\n") != digest(b"a,b\n1,4\n3,2\n")
    # A cell that holds what stands between cells must not look like two.
    first, second = (
        pd.DataFrame({"a": [a, "x"], "b": [b, "y"]})
        for a, b in (("p\x1f=q", "r"), ("p", "q\x1f=r"))
    )
    assert digest(as_parquet(first)) != digest(as_parquet(second))


def test_a_nameless_column_counts_unless_it_only_numbers_the_rows() -> None:
    bare = b"label,score\n1,0.5\n0,0.25\n1,0.75\n"
    assert digest(b",label,score\n0,1,0.5\n1,0,0.25\n2,1,0.75\n") == digest(bare)
    assert digest(b",label,score\n2,1,0.5\n1,0,0.25\n3,1,0.75\n") == digest(bare)
    assert digest(b",label,score\n7,1,0.5\n1,0,0.25\n2,1,0.75\n") != digest(bare)
    assert digest(b"visit,label,score\n0,1,0.5\n1,0,0.25\n2,1,0.75\n") != digest(bare)


def test_leading_zeros_are_lost_as_they_are_in_a_spreadsheet() -> None:
    assert digest(b"ward,score\n007,0.5\n008,0.25\n") == digest(b"ward,score\n7,0.5\n8,0.25\n")
    assert digest(b"ward,score\n007,0.5\n008,0.25\n") != digest(b"ward,score\nA7,0.5\n8,0.25\n")


@pytest.mark.parametrize("broken", [b"a,b\n1\n1,2,3\n", b"a,b\n1,\0\n", b"a,b\n"])
def test_a_file_that_is_no_table_is_known_by_its_lines(broken: bytes) -> None:
    assert digest(broken) == digest_of_lines(open_source(broken, "", DEFAULT_LIMITS))


def test_many_rows_are_taken_piece_by_piece() -> None:
    draws = np.random.default_rng(3)
    n = 2**16 + 17
    frame = pd.DataFrame({"x": draws.normal(size=n), "t": [f"p{i % 70_000}" for i in range(n)]})
    assert digest(as_csv(frame)) == digest(as_parquet(shuffled(frame)))


ODD_CELLS = (
    b"age,dose,town,seen,code\n30,0.50,Ulm,2020-01-31 00:00:00,007\n"
    b",1e3,  K\xc3\xb6ln ,True,9007199254740993\n41,inf,NA,x,-0\n41,inf,NA,x,-0\n"
    b'5,.5,"a\x1fb",12:00:00.50,1\n'
)


@pytest.mark.parametrize(
    "content, known",
    [
        (ODD_CELLS, "aa5630646a84eb1580b77194c797d02564d2b997261b5671ee555a34b92819f8"),
        (
            ODD_CELLS.replace(b".", b"#").replace(b",", b";").replace(b"#", b","),
            "13034f427512a86f0db0bbeee3586e66929506f4d5f18e96fa100a5fd0105cf5",
        ),
        (
            b"a,b\n" + b"".join(b"%d,%d.25\n" % (row, -row) for row in range(3000)),
            "1a495d7fa2d1245dfb895af950f34e0e78d761aeff5f7703c6e64a06e7854f72",
        ),
    ],
)
def test_budgets_that_are_kept_under_a_digest_stay(content: bytes, known: str) -> None:
    assert digest(content) == known


def test_rows_that_begin_alike_are_put_in_order_by_all_their_bytes() -> None:
    digests = np.array([[2, 0, 0, 1], [1, 9, 9, 9], [2, 0, 0, 0]], dtype=">u8")
    assert _order(digests).tolist() == [1, 2, 0]
    assert _order(digests[:2]).tolist() == [1, 0]


def test_too_many_rows_are_no_table() -> None:
    few = Limits(rows=2)
    content = b"a,b\n1,2\n3,4\n5,6\n"
    assert digest(content, few) == digest_of_lines(open_source(content, "", few))


def test_a_dictionary_of_more_words_than_cells_is_not_spelled_out() -> None:
    words = pa.DictionaryArray.from_arrays(pa.array([2, None]), pa.array(["a", "b", "1.0"]))
    assert canonical_cells(words).to_pylist() == [*spelled("1"), ""]


def test_a_word_for_missing_has_no_text() -> None:
    assert [canonical_text(word) for word in ("NA", "", "x")] == ["", "", "=x"]


def test_too_little_memory_gives_no_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*of: object) -> object:
        raise MemoryError

    source = open_source(b"a,b\n1,2\n", "", DEFAULT_LIMITS)
    monkeypatch.setattr(table_digest, "_raw", fail)
    with pytest.raises(MemoryError):
        digest_of_table(source, DEFAULT_LIMITS)


MANY = 50_000
LONG = {
    "drawn": "a b\n" + "-" * MANY + "!\n1 2\n",
    "types of Orange": "a\tb\n" + "c " * MANY + "\n1\t2\n",
    "predictions of Weka": "=== Predictions" + " " * MANY + "!\n1,2\n",
    "names of Vowpal Wabbit": "1|" + "a" * MANY + "\n",
    "comments of Weka": "%" + "\r" * MANY + "!\n1,2\n",
    "an answer": '{"message": 1}' + " " * MANY + '"\n',
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_record_is_read_once_whatever_it_begins_like(text: str) -> None:
    """One that takes the square of its length would make a file too costly, which is told."""
    source = open_source(text.encode(), "", DEFAULT_LIMITS)
    began = time.process_time()
    digest_of_table(source, DEFAULT_LIMITS)
    assert time.process_time() - began < 1.0


@pytest.mark.slow
def test_as_many_rows_as_there_may_be_have_a_digest_within_the_limits(tmp_path: Path) -> None:
    """Of two columns: what a row takes beside its cells must not have the table refused."""
    rows, generator = DEFAULT_LIMITS.rows, np.random.default_rng(0)
    table = pa.table({"y": generator.integers(0, 2, rows), "s": generator.integers(0, 1000, rows)})
    for name, order in (("a.csv", slice(None)), ("b.csv", slice(None, None, -1))):
        pa.csv.write_csv(
            pa.table([one.to_numpy()[order] for one in table], ["y", "s"]), tmp_path / name
        )
    first, second = (
        table_digest.digest_of_file(tmp_path / name, limits=DEFAULT_LIMITS)
        for name in ("a.csv", "b.csv")
    )
    assert first == second
