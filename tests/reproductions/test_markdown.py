"""Reports as text."""

from __future__ import annotations

import csv
import io
import math

import pytest

from reproductions import Result, Row, Rows, experiment, recorded
from reproductions.markdown import (
    csv_text,
    markdown_report,
    markdown_section,
    panel_table,
    shown_number,
)

ONE = experiment("stoddard-table-1")


def shipped() -> Result:
    result = recorded(ONE)
    assert result is not None
    return result


def test_paper_rerun_and_ours_stand_beside_each_other() -> None:
    text = markdown_section(ONE, shipped())
    assert (
        "| laplace-published, the paper | printed in the paper | 0.218 | 0.343 | 0.372 | 0.442 |"
        in text
    )
    assert "| recursive-medians-published | published, not private as claimed |" in text
    assert "| quantile-bins | sound, this project's choice |" in text
    assert all(trend.claim in text for trend in ONE.judge(shipped().rows).trends)
    assert "SMS: the real file" in text


def test_the_report_counts_what_is_seen() -> None:
    other = experiment("lyu-figure-2")
    result = recorded(other)
    assert result is not None
    text = markdown_report([(ONE, shipped()), (other, result)])
    judged = [ONE.judge(shipped().rows), other.judge(result.rows)]
    trends = [trend for judgement in judged for trend in judgement.trends]
    seen = sum(trend.seen for trend in trends)
    assert f"2 experiments, {seen} of {len(trends)} trends seen" in text
    assert text.count("| seen |") + text.count("| not seen |") == len(trends)


def test_csv_has_every_row() -> None:
    rows = list(csv.reader(io.StringIO(csv_text(ONE, shipped()))))
    assert rows[0] == ["data set", "method", "role", "epsilon", "median area between the curves"]
    assert len(rows) == len(shipped().rows) + 1


def test_a_missing_cell_is_empty() -> None:
    rows = Rows((Row("a", "m", "ours", 1.0, 2.0), Row("a", "n", "paper", "All", 3.0)))
    header, lines = panel_table(rows, "a")
    assert header[2:] == ["1", "All"]
    assert [line[2:] for line in lines] == [["2.000", ""], ["", "3.000"]]


@pytest.mark.parametrize(
    "value, text",
    [(0.0, "0.000"), (0.5, "0.500"), (-0.004, "-0.004"), (12.34, "12.3"), (1e6, "1,000,000")],
)
def test_numbers(value: float, text: str) -> None:
    assert shown_number(value) == text
    assert shown_number(math.inf) == "infinite"
