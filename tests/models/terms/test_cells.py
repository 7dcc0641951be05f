"""Cells terms look the weight of a value's cell up."""

from __future__ import annotations

import numpy as np

from dpcore.models.terms import CellsTerm
from tests.models._records import training


def test_the_weight_of_the_cell() -> None:
    rows = training([((age, 0, 0, 0, 0, 0, 0), 0) for age in (-1.0, 0.0, 2.9, 3.0)], 1).rows
    term = CellsTerm((np.array([-1.0, 0.0, 3.0]),), (np.array([[5.0, 7.0], [1.0, 2.0]]),))
    assert term.scores(rows).tolist() == [[5, 1], [7, 2], [7, 2], [7, 2]]
