"""Limits are positive whole numbers."""

from __future__ import annotations

import pytest

from dpcore.data.reading import Limits
from dpcore.data.reading.limits import byte_size
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
