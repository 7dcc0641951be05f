"""Public facts: declared, or refused with real noise, or marked in a simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

from dpcore.errors import InvalidArgument, PrivateInference
from dpcore.models.public_facts import (
    class_codes,
    declared_classes,
    numeric_space,
    require_public_schema,
)
from dpcore.schema import Label, Numeric, Schema

SCHEMA = Schema((Numeric("age", (0, 9)), Label("y", ("no", "yes"))))


def test_declared_classes_are_sorted() -> None:
    classes, from_data = declared_classes((2, 0, 1), SCHEMA, np.array([0]), simulated=False)
    assert classes.tolist() == [0, 1, 2]
    assert not from_data


def test_the_schema_declares_classes_too() -> None:
    classes, from_data = declared_classes(None, SCHEMA, np.array([0]), simulated=False)
    assert classes.tolist() == ["no", "yes"]
    assert not from_data


def test_classes_from_the_data_only_in_a_simulation() -> None:
    y = np.array(["b", "a", "b"])
    assert declared_classes(None, None, y, simulated=True)[0].tolist() == ["a", "b"]
    with pytest.raises(PrivateInference, match="the class labels"):
        declared_classes(None, None, y, simulated=False)


@pytest.mark.parametrize(
    "classes", [(), (0,), (1, 1), ((1, 2), (3, 4)), {0, 1}, (None, 1), (float("nan"),) * 2]
)
def test_classes_are_different_labels(classes: tuple[object, ...]) -> None:
    with pytest.raises(InvalidArgument, match="^classes must be"):
        declared_classes(classes, None, np.array([0]), simulated=False)


@pytest.mark.parametrize("simulated", [True, False])
@pytest.mark.parametrize("labels, none_declared", [(150 * [2], True), (150 * [2] + [0], False)])
def test_a_simulation_says_that_no_label_is_declared_and_real_noise_does_not(
    labels: list[int], none_declared: bool, simulated: bool
) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        declared_classes((0, 1), None, np.array(labels), simulated=simulated)
    assert bool(told) is (none_declared and simulated)
    assert all("no label is one of the declared classes [0, 1]" in str(one) for one in told)


def test_codes() -> None:
    y = np.array([2.0, 7.0, 1.0, np.nan])
    assert class_codes(y, np.array([1, 2])).tolist() == [1, -1, 0, -1]
    assert class_codes(np.array([1, 0]), np.array(["0", "1"])).tolist() == [1, 0]
    assert class_codes(np.array([1, 0]), np.array([0.0, 1.0])).tolist() == [1, 0]
    mixed = np.array(["a", 3], dtype=object)
    assert class_codes(mixed, np.array(["a"])).tolist() == [0, -1]


@pytest.mark.parametrize("odd", ["x", 0.5, None, 2**70, True, np.nan])
@pytest.mark.parametrize("labels", [[0, 1, 0], [0.0, 1.0, 0.0], [False, True, False]])
def test_no_label_changes_the_code_of_another(labels: list[object], odd: object) -> None:
    codes = class_codes(np.asarray([*labels, odd]), np.array([0, 1]))
    assert codes.tolist()[:3] == [0, 1, 0]


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
