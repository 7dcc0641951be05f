"""Headers are told from data, and names become unique."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.header import has_header, numbered_names, repaired_names


@pytest.mark.parametrize(
    "rows, expected",
    [
        ([["label", "score"], ["0", "0.3"]], True),
        ([["0", "0.3"], ["1", "0.4"]], False),
        ([["year", "2019", "2020"], ["a", "1", "2"], ["b", "3", "4"]], False),
        ([["", "2019"], ["total", "x"]], False),
        ([["region", "2019"], ["1", "4"], ["2", "5"]], True),
        ([["label", "message"], ["ham", "hello"], ["spam", "win"]], True),
        ([["ham", "hello"], ["ham", "bye"], ["spam", "win"]], False),
        ([["p", "x"], ["e", "x"]], False),
        ([["?", "5"], ["3", "6"]], False),
        ([["", "a"], ["0", "x"], ["1", "y"]], True),
        ([["2024-01-31", "north"], ["2024-02-01", "south"]], False),
        ([["", ""], ["", ""]], False),
        ([["a", "b"]], True),
        ([["1", "b"]], False),
        ([["age"], ["NA"], ["3"]], True),
    ],
)
def test_header_or_data(rows: list[list[str]], expected: bool) -> None:
    assert has_header(rows, ".") is expected


def test_the_decimal_mark_counts() -> None:
    assert not has_header([["1,5", "2,5"], ["3,5", "4,5"]], ",")


@given(st.lists(st.sampled_from(["a", "a_2", " a ", "", "column_1", "column_2", "b"]), min_size=1))
def test_names_are_unique_and_present(written: list[str]) -> None:
    names, problems = repaired_names(written)
    assert len(set(names)) == len(names) == len(written)
    assert all(names)
    changed = [new for old, new in zip(written, names, strict=True) if old.strip() != new]
    assert [problem.column for problem in problems] == changed
    assert {name.strip() for name in written} - {""} <= set(names)


def test_ten_thousand_equal_names_take_no_time() -> None:
    start = time.process_time()
    names, _ = repaired_names(["a"] * 10_000)
    assert len(set(names)) == 10_000
    assert time.process_time() - start < 1.0


def test_numbered_names() -> None:
    assert numbered_names(3) == ["column_1", "column_2", "column_3"]
