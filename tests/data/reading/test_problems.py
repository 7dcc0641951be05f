"""Problems are counted, and not repeated without end."""

from __future__ import annotations

import pytest

from dpcore.data.reading import Limits
from dpcore.data.reading.problems import Problem, byte_size, count_of, limited
from dpcore.errors import InvalidArgument


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_a_wrong_limit_is_named(value: int) -> None:
    with pytest.raises(InvalidArgument, match="^rows must be a whole number, at least 1"):
        Limits(rows=value)


def test_defaults_hold_a_million_rows() -> None:
    assert Limits().rows >= 1_000_000
    assert Limits().columns == 10_000


def test_sizes_are_written_for_people() -> None:
    assert [byte_size(size) for size in (12, 5000, 2**20, 1536 * 2**20)] == [
        "12 bytes",
        "5,000 bytes",
        "1 MB",
        "1,536 MB",
    ]


def test_numbers_agree_with_their_nouns() -> None:
    assert [count_of(number, "row") for number in (0, 1, 2, 1000)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "1,000 rows",
    ]


def test_many_problems_of_a_kind_are_summed_up() -> None:
    problems = [Problem("note", f"Column {number}.") for number in range(500)]
    kept = limited(problems, "have missing cells")
    assert len(kept) == 21
    assert kept[-1] == Problem("note", "480 more columns have missing cells.")
    assert limited(problems[:20], "x") == problems[:20]
    assert limited([], "x") == []
