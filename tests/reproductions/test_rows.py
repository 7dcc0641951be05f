"""Look-ups in measured rows."""

from __future__ import annotations

import pytest

from dpcore.errors import InvalidArgument
from reproductions import Row, Rows

ROWS = Rows(
    (
        Row("a", "one", "ours", 1.0, 0.5),
        Row("a", "two", "published", 1.0, 0.7),
        Row("a", "one", "ours", 2.0, 0.6),
        Row("b", "one", "ours", 1.0, 0.9),
    )
)


def test_order_is_that_of_measuring() -> None:
    assert ROWS.panels == ("a", "b")
    assert ROWS.methods() == ("one", "two")
    assert ROWS.methods("published") == ("two",)
    assert ROWS.places("a") == (1.0, 2.0)
    assert ROWS.curve("a", "one") == [0.5, 0.6]
    assert len(ROWS.panel("b")) == 1


def test_values() -> None:
    assert ROWS.value("a", "two", 1.0) == 0.7
    assert ROWS.best("a", ("one", "two"), 1.0) == "two"
    assert ROWS.mean("one") == pytest.approx((0.5 + 0.6 + 0.9) / 3)
    assert ROWS.mean("one", ("b",)) == 0.9


def test_what_was_not_measured_is_no_number() -> None:
    with pytest.raises(InvalidArgument, match="two at 2"):
        ROWS.value("a", "two", 2.0)
