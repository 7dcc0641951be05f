"""Outputs of any shape become rows of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpcore.audit.outputs import numbers, table


class Two(NamedTuple):
    counts: np.ndarray
    share: Fraction


@dataclass
class Whole:
    two: Two
    name: str
    absent: None
    flags: list[bool]


def test_everything_that_is_a_number_is_collected_in_order() -> None:
    output = Whole(Two(np.array([[1, 2], [3, 4]]), Fraction(1, 2)), "x", None, [True, False])
    assert numbers(output).tolist() == [1, 2, 3, 4, 0.5, 1, 0]
    assert numbers("text").size == 0
    assert numbers({"b": 2, "a": np.array(["x"])}).tolist() == [2]


def test_rows_of_different_length_stay_different() -> None:
    rows = table([np.array([1.0]), np.array([1.0, 0.0]), np.array([1.0, np.nan])])
    assert rows.shape == (3, 2)
    assert rows[0, 1] != rows[1, 1]
    assert np.isfinite(rows).all()
    assert table([np.zeros(0), np.zeros(0)]).shape == (2, 1)
