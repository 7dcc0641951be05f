"""One digest for a table however it is saved, and another as soon as a cell is another."""

from __future__ import annotations

import csv
import gzip
import io
import string
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcore.data.reading.limits import DEFAULT_LIMITS, Limits
from dpcore.data.reading.source import open_source
from dpcore.data.reading.table_digest import _order, digest_of_lines, digest_of_table

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


@pytest.mark.few(6)
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
