"""The positive one of two values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.data.reading.roles.positive import in_order


@pytest.mark.parametrize(
    "negative, positive",
    [
        ("0", "1"),
        ("-1", "1"),
        ("1", "2"),
        ("9", "10"),
        ("no", "yes"),
        ("zero", "yes"),
        ("false", "true"),
        ("F", "T"),
        ("negative", "positive"),
        ("unclear", "POS"),
        ("benign", "malignant"),
        ("ham", "spam"),
        ("não", "Sim"),
        ("нет", "да"),
        ("FAUX", "VRAI"),
        ("Falsch", "Wahr"),
        ("否", "是"),
    ],
)
def test_pairs(negative: str, positive: str) -> None:
    assert in_order(negative, positive) == (negative, positive)
    assert in_order(positive, negative) == (negative, positive)


@given(st.text(max_size=5), st.text(max_size=5))
def test_the_order_of_the_arguments_does_not_matter(first: str, second: str) -> None:
    assert set(in_order(first, second)) == {first, second}
    if first != second:
        assert in_order(first, second) == in_order(second, first)
