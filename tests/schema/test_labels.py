"""Labels: declared, or refused with real noise, or taken from the data in a simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from dpcore.errors import DataError, InvalidArgument, PrivateInference
from dpcore.schema import Label, Numeric, Schema
from dpcore.schema.labels import class_codes, declared_classes, label_vector
from tests.conformance._doors import objects, series
from tests.conformance._odd_cells import ODD

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


@pytest.mark.parametrize("odd", [None, float("nan"), pd.NA, 1])
def test_labels_that_are_missing_or_of_several_kinds_are_no_classes(odd: object) -> None:
    """Scikit-learn took them for the target of a regression."""
    y = label_vector(pd.Series(["a", "b", odd], dtype=object), simulated=True)
    told = r"labels are missing, or of several kinds; declare .* as in classes=\(0, 1\)"
    with pytest.raises(DataError, match=told):
        declared_classes(None, None, y, simulated=True)
    assert declared_classes(("a", "b"), None, y, simulated=True)[0].tolist() == ["a", "b"]


@pytest.mark.parametrize("odd", [None, float("nan"), pd.NA, 1, 0.5, True])
def test_one_label_in_a_list_is_not_made_a_text_by_the_others(odd: object) -> None:
    """NumPy makes "nan" of a missing one, and that would be a class."""
    y = label_vector(["a", "b", odd], simulated=True)
    with pytest.raises(DataError, match="labels are missing, or of several kinds"):
        declared_classes(None, None, y, simulated=True)
    assert class_codes(y, np.array(["a", "b", "nan"])).tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    "classes",
    [
        (), (0,), (1, 1), ((1, 2), (3, 4)), {0, 1}, (None, 1), (float("nan"),) * 2, (0, "a"), "ab",
        "abc", ("a", None),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_labels_in_a_column_are_read_one_by_one(odd: object) -> None:
    """A complex one turns the column into complex numbers, which scikit-learn refuses."""
    cells = [0, 1, odd]
    for column in (pd.DataFrame({"y": series(cells)}), objects(cells)[:, np.newaxis]):
        labels = label_vector(column, simulated=False)
        assert class_codes(labels, np.array([0, 1]))[:2].tolist() == [0, 1]
