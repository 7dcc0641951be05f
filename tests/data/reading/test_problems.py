"""Problems are counted, and not repeated without end."""

from __future__ import annotations

from dpcore.data.reading.problems import Problem, count_of, limited


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
