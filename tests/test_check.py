"""Argument checks (dpcore._check) name the argument and accept exactly what they say."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import _check
from dpcore.errors import InvalidArgument


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (_check.positive, [1, 0.5, Fraction(1, 3), np.float64(2)], [0, -1, np.inf, np.nan, "1"]),
        (_check.nonnegative, [0, 2.5], [-1e-9, np.inf, np.nan, None]),
        (_check.finite, [-3, 0, 1.5], [np.inf, -np.inf, np.nan, "0", True]),
    ],
)
def test_scalar_checks(check: Callable[..., None], good: list[Any], bad: list[Any]) -> None:
    for value in good:
        check(x=value)
    for value in bad:
        with pytest.raises(InvalidArgument, match="^x must be"):
            check(x=value)


def test_in_range_is_closed() -> None:
    _check.in_range(0, 1, p=0, q=1.0)
    for value in (-0.01, 1.01, np.nan):
        with pytest.raises(InvalidArgument, match="p must be between 0 and 1"):
            _check.in_range(0, 1, p=value)


@pytest.mark.parametrize("value", [0, 11, 2.0, True, "3"])
def test_integer_in_range_refuses(value: Any) -> None:
    with pytest.raises(InvalidArgument, match="k must be a whole number, between 1 and 10"):
        _check.integer_in_range(1, 10, k=value)


def test_integer_in_range_accepts_numpy_and_no_upper_limit() -> None:
    _check.integer_in_range(1, None, k=np.int64(10**6))


def test_one_of_lists_the_choices() -> None:
    _check.one_of(["a", "b"], x="a")
    with pytest.raises(InvalidArgument, match=re.escape("one of 'a', 'b', got 'c'")):
        _check.one_of(["a", "b"], x="c")


@pytest.mark.parametrize("bad", [-0.1, 1.1, np.nan])
def test_probabilities_name_the_first_bad_row(bad: float) -> None:
    with pytest.raises(InvalidArgument, match=re.escape("p[2] must be a number in [0, 1]")):
        _check.probabilities(p=np.array([0.0, 1.0, bad, bad]))


def test_probabilities_accept_the_ends() -> None:
    _check.probabilities(p=np.array([0.0, 0.5, 1.0]), q=np.zeros(0))


def test_instance_lets_none_stand_for_the_default() -> None:
    _check.instance(str, "'a'", name=None, other="b")
    with pytest.raises(InvalidArgument, match="^other must be a str, for example 'a', got 1$"):
        _check.instance(str, "'a'", name="b", other=1)
