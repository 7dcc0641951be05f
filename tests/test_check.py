"""Argument checks (dpcore._check) name the argument and accept exactly what they say."""

from __future__ import annotations

import inspect
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
        # As far as a float goes, which is told from a fraction without making one of it.
        (_check.finite, [10**308, Fraction(-(10**308))], [10**309, Fraction(-(10**309))]),
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


def test_instance_lets_none_stand_for_the_default() -> None:
    _check.instance(str, "'a'", name=None, other="b")
    with pytest.raises(InvalidArgument, match="^other must be a str, for example 'a', got 1$"):
        _check.instance(str, "'a'", name="b", other=1)


def test_one_of_refuses_what_is_no_one_value() -> None:
    for value in (np.array(["a", "b"]), ["a"], {}):
        with pytest.raises(InvalidArgument, match="^x must be one of 'a', 'b', got "):
            _check.one_of(["a", "b"], x=value)
        with pytest.raises(InvalidArgument, match="^x must be one of 'a', got "):
            _check.one_of({"a": 1}, x=value)


@pytest.mark.parametrize("value", ["abc", b"abc", {"a": 1}, {1, 2}, None, 3])
def test_listed_refuses_letters_and_what_has_no_order(value: Any) -> None:
    _check.listed(x=["a"], y=(), z=np.zeros(2))
    with pytest.raises(InvalidArgument, match="^x must be a list, got "):
        _check.listed(x=value)


@pytest.mark.parametrize("grid", [None, "0 1", ["a", "b"], {}, 1.0, [1.0], np.zeros((2, 2))])
def test_what_is_no_grid_is_told_so(grid: Any) -> None:
    with pytest.raises(InvalidArgument, match="^grid must be a list of 2 to 1048576 numbers, got "):
        _check.rising(grid)


def test_options_that_are_passed_on_are_told_and_no_others_are_taken() -> None:
    def inner(*, first: int = 1, second: int = 2, hidden: int = 3) -> tuple[int, int]:
        return first, second

    @_check.passes_on(inner, "first", "second")
    def outer(value: int, **options: Any) -> tuple[int, int]:
        return inner(**options)

    assert str(inspect.signature(outer)).endswith(
        "*, first: 'int' = 1, second: 'int' = 2) -> " + ("'tuple[int, int]'")
    )
    assert outer(0, second=5) == (1, 5)
    with pytest.raises(TypeError, match="outer\\(\\) got .* 'hidden'$"):
        outer(0, hidden=5)
    with pytest.raises(TypeError, match=r"'secnd'; did you mean 'second'\?$"):
        outer(0, secnd=5)


def test_a_caller_without_a_module_is_warned_too() -> None:
    """What is run from a text has no name of a module, and the warning was a KeyError."""
    with pytest.warns(UserWarning, match="^look$") as told:
        exec(compile("warn('look')", "README.md", "exec"), {"warn": _check.warn_caller})
    assert told[0].filename == "README.md"
