"""Public facts: declared, or refused with real noise, or marked in a simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models.public_facts import numeric_space, require_public_schema
from dpcore.schema import Label, Numeric, Schema

SCHEMA = Schema((Numeric("age", (0, 9)), Label("y", ("no", "yes"))))


def test_bounds_are_spread_over_the_features() -> None:
    space, from_data = numeric_space(
        np.zeros((0, 2)), (0, np.array([1.0, 5.0])), ["a", "b"], simulated=False
    )
    assert [feature.bounds for feature in space.features] == [(0.0, 1.0), (0.0, 5.0)]
    assert space.names == ("a", "b")
    assert not from_data


@pytest.mark.parametrize(
    "bounds",
    [
        (1, 0),
        (0, 0),
        (0, np.inf),
        (0, "x"),
        (0, [1, 2, 3]),
        5,
        (0, 1, 2),
        (0, np.nan),
        (1e16, 1e16 + 2),
        (-1e308, 1e308),
    ],
)
def test_bad_bounds_are_named(bounds: object) -> None:
    with pytest.raises(InvalidArgument, match="^bounds must be"):
        numeric_space(np.zeros((1, 2)), bounds, ["a", "b"], simulated=True)  # type: ignore[arg-type]


def test_bounds_from_the_data_only_in_a_simulation() -> None:
    matrix = np.array([[1.0, 7.0, np.nan], [np.inf, 7.0, np.nan], [3.0, 7.0, np.nan]])
    for same in (matrix, csr_array(matrix)):
        space, from_data = numeric_space(same, None, ["a", "b", "c"], simulated=True)
        assert from_data
        bounds = [feature.bounds for feature in space.features]
        assert bounds == [(1.0, 3.0), (6.5, 7.5), (-0.5, 0.5)]
    with pytest.raises(PrivateInference, match="the bounds of the features"):
        numeric_space(matrix, None, ["a", "b", "c"], simulated=False)


def test_a_schema_with_marks_is_for_simulations() -> None:
    marked = Schema(SCHEMA.columns, taken_from_data=frozenset({"age.bounds"}))
    require_public_schema(marked, simulated=True)
    require_public_schema(SCHEMA, simulated=False)
    with pytest.raises(PrivateInference, match="age.bounds"):
        require_public_schema(marked, simulated=False)


def test_bounds_from_the_data_are_marked_in_the_space() -> None:
    space, _ = numeric_space(np.array([[1.0], [3.0]]), None, ["a"], simulated=True)
    assert space.taken_from_data == {"a.bounds"}
    declared, _ = numeric_space(np.array([[1.0], [3.0]]), (0, 9), ["a"], simulated=True)
    assert declared.taken_from_data == frozenset()
    with pytest.raises(PrivateInference, match="a.bounds"):
        require_public_schema(space, simulated=False)
