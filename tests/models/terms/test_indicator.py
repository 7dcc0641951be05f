"""Indicator terms add the weights of what a record has."""

from __future__ import annotations

import numpy as np

from dpcore.models.terms import IndicatorTerm
from tests.models._records import training


def test_weights_of_present_indicators_add_up() -> None:
    rows = training([((0, 1, 0, 1, 1, 0, 0), 0), ((0, 0, 0, 0, 0, 0, 0), 0)], 1).rows
    term = IndicatorTerm(np.array([[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]]))
    assert term.scores(rows).ravel().tolist() == [1 + 4 + 8, 0]
