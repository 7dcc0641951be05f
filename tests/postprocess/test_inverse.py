"""Binary search for quantiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcore.errors import InvalidArgument
from dpcore.postprocess.inverse import first_reaching

VALUES = st.lists(st.integers(0, 10).map(lambda i: i / 10), min_size=1, max_size=40)
LEVELS = st.lists(st.integers(0, 20).map(lambda i: i / 20), min_size=1, max_size=10)


@given(VALUES, LEVELS)
def test_on_a_monotone_curve_it_is_the_first_point(values, levels):
    cdf = np.sort(values)
    cdf[-1] = 1.0
    expected = [int(np.argmax(cdf >= level)) for level in levels]
    assert first_reaching(cdf, levels).tolist() == expected


@given(VALUES, LEVELS)
def test_on_any_curve_it_stops_where_the_level_is_crossed(values, levels):
    cdf = np.array(values)
    for level, found in zip(levels, first_reaching(cdf, levels).tolist(), strict=True):
        assert cdf[found] >= level or found == cdf.size - 1
        assert found == 0 or cdf[found - 1] < level


def test_the_shape_of_the_levels_is_kept():
    cdf = np.array([0.5, 1.0])
    assert first_reaching(cdf, 0.7).shape == ()
    assert first_reaching(cdf, [[0.1], [0.9]]).tolist() == [[0], [1]]


@pytest.mark.parametrize("level", [-0.1, 1.1, np.nan])
def test_levels_are_probabilities(level):
    with pytest.raises(InvalidArgument, match="q must be in"):
        first_reaching(np.array([1.0]), [level])
